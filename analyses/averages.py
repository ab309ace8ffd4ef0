"""Means over tasks and over systems, as the benchmarks define them.

CUE-Mem (paper, section 4 and Tables 2, 3, 13, 14):

* Memory Avg. of a setting = mean of the accuracies of Entity Recall, Long Pattern and
  Personalized Recommendation in it. Answer Refusal is reported apart.
* EI-Gap = Memory Avg. explicit - Memory Avg. implicit.
* On questions with an audio clue both are over Long Pattern and Personalized Recommendation only,
  since no implicit Entity Recall question has one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.core.model import Kind, Release, TaskLabel

__all__ = [
    "Averages",
    "TaskMean",
    "average_over_systems",
    "average_tasks",
    "averages",
    "ei_gap",
    "memory_average",
]

_NOT_IN_AUDIO_AVERAGE = frozenset({"entity_recall"})


@dataclass(frozen=True, slots=True)
class TaskMean:
    """A mean in which each task counts the same."""

    value: float | None
    """In the unit of what was averaged; None when no task could be."""
    tasks: tuple[str, ...]
    """The tasks averaged."""
    missing: tuple[str, ...]
    """Tasks that belong in the mean and have no figure."""

    @property
    def complete(self) -> bool:
        """Whether every task that belongs in the mean is in it."""
        return not self.missing


def average_tasks(labels: Sequence[TaskLabel], with_clue: Kind | None = None) -> tuple[str, ...]:
    """The tasks that a benchmark's own average counts, in its order.

    Args:
        labels: The release's label table.
        with_clue: The kind of clue that the questions were selected for, if they were.
    """
    left_out = _NOT_IN_AUDIO_AVERAGE if with_clue is Kind.AUDIO else frozenset()
    return tuple(label.task for label in labels if label.in_average and label.task not in left_out)


def memory_average(by_task: Mapping[str, float], tasks: Sequence[str]) -> TaskMean:
    """Memory Avg. of one setting: the unweighted mean over tasks.

    Args:
        by_task: Accuracy of each task that has one, all in one unit.
        tasks: The tasks that belong in the mean.
    """
    return _mean({task: by_task[task] for task in tasks if task in by_task}, tasks)


def ei_gap(
    explicit: Mapping[str, float], implicit: Mapping[str, float], tasks: Sequence[str]
) -> TaskMean:
    """EI-Gap: the mean over tasks of explicit minus implicit accuracy.

    A task that lacks one of the two is left out of both, so that the gap never compares different
    tasks. With all tasks there it equals Memory Avg. explicit - Memory Avg. implicit.
    """
    gaps = {
        task: explicit[task] - implicit[task]
        for task in tasks
        if task in explicit and task in implicit
    }
    return _mean(gaps, tasks)


def average_over_systems(values: Iterable[float]) -> float | None:
    """The plain mean of one figure over systems; None when there are none (CUE-Mem, RQ1, RQ2)."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else None


def _mean(values: Mapping[str, float], tasks: Sequence[str]) -> TaskMean:
    missing = tuple(task for task in tasks if task not in values)
    return TaskMean(average_over_systems(values.values()), tuple(values), missing)


@dataclass(frozen=True, slots=True)
class Averages:
    """Means of the accuracies of one run."""

    micro: Figure
    """Every record counts the same."""
    macro: Figure
    """Every task of the release counts the same, its settings pooled."""
    memory: Mapping[str, Figure]
    """The benchmark's own average by setting: CUE-Mem's Memory Avg. Under an empty name when the
    release has no settings; nothing when the benchmark defines no average."""
    gap: Figure | None
    """EI-Gap, a difference of fractions; None when the benchmark defines none."""
    gaps: Mapping[str, Figure]
    """Explicit - implicit accuracy of each task that has both."""


def averages(
    release: Release,
    micro: Figure,
    by_task: Mapping[str, Figure],
    by_cell: Mapping[tuple[str, str], Figure],
    with_clue: Kind | None = None,
) -> Averages:
    """Average the accuracies of one run.

    Args:
        release: The release, whose label table says which tasks count.
        micro: Accuracy over all records.
        by_task: Accuracy of each task, settings pooled.
        by_cell: Accuracy by task and setting.
        with_clue: The kind of clue that the questions were selected for, if they were.

    A mean that lacks tasks is over those present, is marked partial and says what is missing.
    """
    counted = average_tasks(release.tasks, with_clue)
    settings: dict[str, Mapping[str, Figure | None]] = {
        setting: {task: by_cell.get((task, setting)) for task in by_task}
        for setting in release.settings
    }
    memory = {
        setting: _figure(memory_average(_values(figures), counted), figures, "accuracy")
        for setting, figures in (settings or {"": by_task}).items()
        if counted
    }
    gap = None
    gaps: dict[str, Figure] = {}
    if {"explicit", "implicit"} <= settings.keys():
        explicit, implicit = settings["explicit"], settings["implicit"]
        both = {task: _gap(explicit[task], implicit[task]) for task in by_task}
        gaps = {task: figure for task, figure in both.items() if figure is not None}
        if counted:
            mean = ei_gap(_values(explicit), _values(implicit), counted)
            gap = _figure(mean, gaps, "explicit - implicit accuracy")
    macro = _figure(memory_average(_values(by_task), tuple(by_task)), by_task, "accuracy")
    return Averages(micro, macro, memory, gap, gaps)


def _values(figures: Mapping[str, Figure | None]) -> dict[str, float]:
    return {
        task: figure.value
        for task, figure in figures.items()
        if figure is not None and figure.value is not None
    }


def _gap(explicit: Figure | None, implicit: Figure | None) -> Figure | None:
    if explicit is None or implicit is None or explicit.value is None or implicit.value is None:
        return None
    n = explicit.n + implicit.n
    return Figure(explicit.value - implicit.value, n, "explicit - implicit accuracy")


def _figure(mean: TaskMean, figures: Mapping[str, Figure | None], of: str) -> Figure:
    """A mean over tasks as a figure; its n is the number of records under it."""
    estimand = f"mean over tasks of {of} ({', '.join(mean.tasks or mean.missing)})"
    if mean.value is None:
        unjudged = any(
            f is not None and f.status is FigureStatus.NOT_JUDGED for f in figures.values()
        )
        status = FigureStatus.NOT_JUDGED if unjudged else FigureStatus.EMPTY
        return Figure.absent(status, estimand)
    counts = [figure.n for task in mean.tasks if (figure := figures.get(task)) is not None]
    if mean.complete:
        return Figure(mean.value, sum(counts), estimand)
    note = f"without {', '.join(mean.missing)}: no judged records"
    return Figure(mean.value, sum(counts), estimand, FigureStatus.PARTIAL, note)
