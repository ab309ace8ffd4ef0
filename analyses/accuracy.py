"""Accuracy of one run: by task and setting, in averages, by any other dimension.

accuracy = correct / records that join to the release and are judged, by the run's rule. Blank,
unparsable and failed records are judged wrong. Records without a verdict (not judged, judge
failed, no gold) are in no mean and are counted apart; so are questions without a record.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from statistics import stdev
from typing import TypeVar

from mnemoscope.analyses.averages import Averages, averages
from mnemoscope.analyses.figure import Figure, Tally
from mnemoscope.core.model import ClueTarget, Kind, Question, RecordStatus, Release, Value
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["Averages", "Cell", "Dimension", "Group", "RunScore", "Tally", "has_clue", "score"]

G = TypeVar("G", bound=Hashable)
H = TypeVar("H", bound=Hashable)
Outcome = tuple[G, int, RecordStatus, Value, bool]
"""Group, repeat, status, verdict, and whether a failed record is stored as right."""
Outcomes = Counter[Outcome[G]]
"""How many records have an outcome."""

_TARGETS = {Kind.IMAGE: ClueTarget.IMAGE, Kind.AUDIO: ClueTarget.AUDIO}


class Dimension(StrEnum):
    """What records can be grouped by."""

    TASK = "task"
    SETTING = "setting"
    HISTORY = "history"
    CATEGORY = "category"
    FORM = "form"
    CLUES = "clues"
    """Questions with an image clue, with an audio clue, with neither; the first two overlap."""


_VALUE_OF: Mapping[Dimension, Callable[[Question], str]] = {
    Dimension.TASK: attrgetter("task"),
    Dimension.SETTING: attrgetter("setting"),
    Dimension.HISTORY: attrgetter("history_id"),
    Dimension.CATEGORY: attrgetter("category"),
    Dimension.FORM: attrgetter("form"),
}
_cell_of: Callable[[Question], tuple[str, str]] = attrgetter("task", "setting")


def has_clue(question: Question, kind: Kind) -> bool:
    """Whether at least one clue names an attachment of a kind (CUE-Mem, RQ2's subsets)."""
    target = _TARGETS[kind]
    return any(clue.target is target for clue in question.clues)


@dataclass(frozen=True, slots=True)
class Cell:
    """One task in one setting."""

    task: str
    setting: str
    """Empty for questions that the release leaves unlabelled, or when it has no settings."""
    number: str
    """The release's own number for the task, such as LoCoMo's category; often empty."""
    n_release: int
    """Questions in the release."""
    tally: Tally


@dataclass(frozen=True, slots=True)
class Group:
    """The records of one value of a dimension."""

    name: str
    """The value; empty for questions that have none."""
    n_release: int
    """Questions in the release."""
    tally: Tally


@dataclass(frozen=True)
class RunScore:
    """What a run scores on a release, or on a subset of its questions."""

    run: JoinedRun
    subset: str
    """What the questions were selected for, in words; empty when all were scored."""
    n_release: int
    """Questions in the release (in the subset)."""
    without_record: int
    """Questions that no record answers; in no denominator."""
    tally: Tally
    """Over all records scored."""
    cells: tuple[Cell, ...]
    """By task and setting, in the release's order, wherever the release has a question."""
    averages: Averages
    repeats: Mapping[int, Figure]
    """Accuracy of each repeat."""
    repeat_sd: Figure | None
    """Sample standard deviation of the repeats' accuracies; None with fewer than two."""
    _entries: Sequence[Entry] = field(repr=False, compare=False)
    _questions: Sequence[Question] = field(repr=False, compare=False)

    @property
    def accuracy(self) -> Figure:
        """Correct / judged records, over everything scored."""
        return self.tally.accuracy

    @property
    def accuracy_ok(self) -> Figure:
        """Correct / judged records with status ok, over everything scored."""
        return self.tally.accuracy_ok

    def by(self, dimension: Dimension | str) -> tuple[Group, ...]:
        """The same counts by another dimension, values in the release's order.

        Raises:
            ValueError: There is no such dimension.
        """
        if Dimension(dimension) is Dimension.CLUES:
            return self._by_clues()
        value_of = _VALUE_OF[Dimension(dimension)]
        tallies = _tally_groups(_outcomes(self._entries, value_of))
        sizes = Counter(map(value_of, self._questions))
        return tuple(Group(name, n, tallies.get(name, Tally())) for name, n in sizes.items())

    def _by_clues(self) -> tuple[Group, ...]:
        kinds = {q.key: tuple(k for k in Kind if has_clue(q, k)) for q in self._questions}
        outcomes = _outcomes(self._entries, lambda question: kinds[question.key])
        sizes = Counter(kinds.values())
        groups = []
        for kind, name in ((Kind.IMAGE, "image"), (Kind.AUDIO, "audio"), (None, "neither")):
            chosen = {of for of in sizes if (kind in of if kind else not of)}
            tally = _tally((row, n) for row, n in outcomes.items() if row[0] in chosen)
            groups.append(Group(name, sum(sizes[of] for of in chosen), tally))
        return tuple(groups)


def score(
    run: JoinedRun,
    release: Release,
    *,
    with_clue: Kind | None = None,
    keys: Collection[str] | None = None,
) -> RunScore:
    """Score a run.

    Args:
        run: The run.
        release: The release it joins to.
        with_clue: Score only questions with a clue of this kind (CUE-Mem, RQ2: images for caption
            granularity, audio for audio captions); the audio subset's Memory Avg. leaves Entity
            Recall out.
        keys: Score only these questions.

    A run with repeats counts every record; the figures of single repeats stand beside.
    """
    questions, entries = _chosen(run, release, with_clue, keys)
    outcomes = _outcomes(entries, _cell_of)
    tally = _tally(outcomes.items())
    cells = _cells(release, questions, _tally_groups(outcomes))
    tasks = _tally_groups(_regroup(outcomes, lambda cell, _: cell[0]))
    repeats = _tally_groups(_regroup(outcomes, lambda _, repeat: repeat))
    by_repeat = {repeat: repeats[repeat].accuracy for repeat in sorted(repeats)}
    answered = {entry.question.key for entry in entries}
    return RunScore(
        run=run,
        subset=_subset_name(with_clue, keys),
        n_release=len(questions),
        without_record=len(questions) - len(answered),
        tally=tally,
        cells=cells,
        averages=averages(
            release,
            tally.accuracy,
            {cell.task: tasks.get(cell.task, Tally()).accuracy for cell in cells},
            {(cell.task, cell.setting): cell.tally.accuracy for cell in cells},
            with_clue,
        ),
        repeats=by_repeat,
        repeat_sd=_repeat_sd(by_repeat),
        _entries=entries,
        _questions=questions,
    )


def _chosen(
    run: JoinedRun, release: Release, with_clue: Kind | None, keys: Collection[str] | None
) -> tuple[Sequence[Question], Sequence[Entry]]:
    questions = tuple(release.questions.values())
    if keys is None and with_clue is None:
        return questions, run.entries
    chosen = {
        question.key: question
        for question in questions
        if (keys is None or question.key in keys)
        and (with_clue is None or has_clue(question, with_clue))
    }
    entries = [entry for entry in run.entries if entry.question.key in chosen]
    return tuple(chosen.values()), entries


def _outcomes(entries: Sequence[Entry], group_of: Callable[[Question], G]) -> Outcomes[G]:
    """Count records by what scoring looks at: one pass, and all figures are sums over the result.

    Columns are built one by one because that is twice as fast as one tuple a record.
    """
    judged = [entry.judgement for entry in entries]
    return Counter(
        zip(
            [group_of(entry.question) for entry in entries],
            [entry.record.repeat for entry in entries],
            [judgement.status for judgement in judged],
            [judgement.value for judgement in judged],
            [judgement.stored_right_on_failure for judgement in judged],
            strict=True,
        )
    )


def _regroup(outcomes: Outcomes[G], group_of: Callable[[G, int], H]) -> Outcomes[H]:
    """The same counts in other groups, each made from group and repeat."""
    regrouped: Outcomes[H] = Counter()
    for (group, repeat, status, value, flag), n in outcomes.items():
        regrouped[group_of(group, repeat), repeat, status, value, flag] += n
    return regrouped


def _tally_groups(outcomes: Outcomes[G]) -> dict[G, Tally]:
    rows: dict[G, list[tuple[Outcome[G], int]]] = {}
    for outcome, n in outcomes.items():
        rows.setdefault(outcome[0], []).append((outcome, n))
    return {group: _tally(of_group) for group, of_group in rows.items()}


def _tally(rows: Iterable[tuple[Outcome[G], int]]) -> Tally:
    counts: Counter[str] = Counter()
    statuses: Counter[RecordStatus] = Counter()
    values: Counter[Value] = Counter()
    for (_, _, status, value, stored_right), n in rows:
        statuses[status] += n
        values[value] += n
        judged, right = value in (Value.RIGHT, Value.WRONG), value is Value.RIGHT
        ok = status is RecordStatus.OK
        counts["n_ok"] += n * (judged and ok)
        counts["correct_ok"] += n * (right and ok)
        counts["stored_right_on_failure"] += n * stored_right
    return Tally(
        joined=statuses.total(),
        n=values[Value.RIGHT] + values[Value.WRONG],
        correct=values[Value.RIGHT],
        statuses=dict(statuses),
        values=dict(values),
        **counts,
    )


def _cells(
    release: Release, questions: Sequence[Question], tallies: Mapping[tuple[str, str], Tally]
) -> tuple[Cell, ...]:
    sizes = Counter(map(_cell_of, questions))
    tasks = dict.fromkeys([label.task for label in release.tasks] + [task for task, _ in sizes])
    settings = dict.fromkeys([*release.settings] + [setting for _, setting in sizes])
    return tuple(
        Cell(
            task,
            setting,
            release.task_label(task).number,
            sizes[task, setting],
            tallies.get((task, setting), Tally()),
        )
        for task in tasks
        for setting in settings
        if sizes[task, setting]
    )


def _repeat_sd(repeats: Mapping[int, Figure]) -> Figure | None:
    values = [figure.value for figure in repeats.values() if figure.value is not None]
    if len(values) < 2:
        return None
    return Figure(stdev(values), len(values), "sample standard deviation of accuracy over repeats")


def _subset_name(with_clue: Kind | None, keys: Collection[str] | None) -> str:
    parts = [f"with an {with_clue} clue"] if with_clue else []
    return ", ".join(parts + ["chosen questions"] * (keys is not None))
