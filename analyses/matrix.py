"""Questions × runs: who is right where, over the questions that all judged runs answered."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.figure import Figure
from mnemoscope.core.workspace import Workspace

__all__ = ["Matrix", "MatrixCounts", "MatrixGroup", "MatrixRow", "matrix"]


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One question."""

    key: str
    task: str
    setting: str
    outcomes: tuple[bool | None, ...]
    """Right or wrong, in the order of the runs; None for a run in which nothing is judged."""

    @property
    def right(self) -> int:
        """How many runs are right."""
        return sum(map(bool, self.outcomes))

    @property
    def judged(self) -> int:
        """How many runs are judged."""
        return len(self.outcomes) - self.outcomes.count(None)


@dataclass(frozen=True, slots=True)
class MatrixCounts:
    """How many runs are right on how many questions."""

    histogram: tuple[int, ...]
    """Questions by the number of runs that are right, from 0 to all that are judged."""
    right: tuple[int, ...]
    """Questions each run is right on."""
    only: tuple[int, ...]
    """Questions each run alone is right on."""
    is_judged: tuple[bool, ...]
    """Whether anything is judged in each run."""

    @property
    def n(self) -> int:
        """Questions."""
        return sum(self.histogram)

    @property
    def all_right(self) -> int:
        """Questions that every run is right on."""
        return self.histogram[-1]

    @property
    def all_wrong(self) -> int:
        """Questions that no run is right on."""
        return self.histogram[0]

    @property
    def any_right(self) -> int:
        """Questions that at least one run is right on."""
        return self.n - self.all_wrong

    @property
    def union(self) -> Figure:
        """Share of questions that at least one run is right on: what an oracle among them gets."""
        return Figure.share(self.any_right, self.n, "questions with any run right / questions")

    def accuracy(self, run: int) -> Figure:
        """Accuracy of a run over these questions, by its place; absent where nothing is judged."""
        n = self.n if self.is_judged[run] else 0
        return Figure.share(self.right[run], n, "right / questions that all judged runs answered")


@dataclass(frozen=True, slots=True)
class MatrixGroup:
    """The questions of one task."""

    name: str
    counts: MatrixCounts


@dataclass(frozen=True, slots=True)
class Matrix:
    """Outcomes over the questions for which every run has a judged record.

    A run in which nothing at all is judged would leave no question: it is set aside.
    """

    runs: tuple[str, ...]
    """Letter and name of each run."""
    rows: tuple[MatrixRow, ...]
    """In release order."""
    counts: MatrixCounts
    by_task: tuple[MatrixGroup, ...]
    """In the release's order of tasks."""
    judged: tuple[int, ...]
    """Questions for which each run has a judged record."""
    judged_by_any: int
    """Questions for which at least one run has a judged record."""

    @property
    def left_out(self) -> int:
        """Questions that some runs were judged on and others not."""
        return self.judged_by_any - self.counts.n


def matrix(workspace: Workspace, *, keys: Collection[str] | None = None) -> Matrix:
    """Set all runs of a workspace side by side.

    A run with repeats is represented by its first repeat.

    Args:
        workspace: The release and its runs.
        keys: The questions to look at; all when None.
    """
    release = workspace.release
    tables: list[dict[str, bool]] = [
        {
            key: entries[0].judgement.right
            for key, entries in run.by_question.items()
            if entries[0].judgement.judged and (keys is None or key in keys)
        }
        for run in workspace.runs
    ]
    judged_by_any = set().union(*tables)
    judged = [table for table in tables if table]
    common = set(judged[0]).intersection(*judged[1:]) if judged else set()
    rows = tuple(
        MatrixRow(key, question.task, question.setting, tuple(table.get(key) for table in tables))
        for key, question in release.questions.items()
        if key in common
    )
    is_judged = tuple(map(bool, tables))
    return Matrix(
        runs=tuple(run.label for run in workspace.runs),
        rows=rows,
        counts=_count(rows, is_judged),
        by_task=_groups(rows, is_judged, [label.task for label in release.tasks]),
        judged=tuple(map(len, tables)),
        judged_by_any=len(judged_by_any),
    )


def _groups(
    rows: Sequence[MatrixRow], is_judged: tuple[bool, ...], order: Sequence[str]
) -> tuple[MatrixGroup, ...]:
    groups: dict[str, list[MatrixRow]] = {name: [] for name in order}
    for row in rows:
        groups.setdefault(row.task, []).append(row)
    return tuple(
        MatrixGroup(name, _count(listed, is_judged)) for name, listed in groups.items() if listed
    )


def _count(rows: Sequence[MatrixRow], is_judged: tuple[bool, ...]) -> MatrixCounts:
    patterns = Counter(row.outcomes for row in rows)
    width = len(is_judged)
    histogram, right, only = [0] * (sum(is_judged) + 1), [0] * width, [0] * width
    for outcomes, n in patterns.items():
        number = sum(map(bool, outcomes))
        histogram[number] += n
        for place, is_right in enumerate(outcomes):
            right[place] += n * bool(is_right)
            only[place] += n * (bool(is_right) and number == 1)
    return MatrixCounts(tuple(histogram), tuple(right), tuple(only), is_judged)
