"""What comparing A and B has brought, and its totals as blocks of a page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.paired import Comparison, Pair, PairedCounts, compare
from mnemoscope.analyses.paired_metric import MetricComparison, shared_metrics
from mnemoscope.analyses.paired_retrieval import RetrievalComparison, compare_retrieval
from mnemoscope.core.model import TaskLabel
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.screens.compare_figures import (
    FIGURE_SETS,
    figures_of,
    figures_page,
    overlaid_figures,
)
from mnemoscope.viewers.comparison_view import PairTotals, totals_blocks
from mnemoscope.viewers.overlay_view import taken_out_note
from mnemoscope.viewers.page_blocks import Block
from mnemoscope.viewers.styles import MARKS, Palette

__all__ = ["VERDICT_SETS", "Compared", "compare_all", "task_title", "totals_page"]

VERDICT_SETS: Mapping[str, tuple[str, tuple[Pair, ...]]] = {
    "all": ("differing questions", (Pair.ONLY_A, Pair.ONLY_B)),
    "only_a": ("only A right", (Pair.ONLY_A,)),
    "only_b": ("only B right", (Pair.ONLY_B,)),
    "neither": ("both wrong", (Pair.NEITHER,)),
}
"""The lists of the screen by the action that shows them, where verdicts are compared."""


_FLAG = MARKS["flag"].glyph


@dataclass(frozen=True, slots=True)
class Compared:
    """What comparing A and B has brought."""

    workspace: Workspace
    by: str
    """What was chosen to compare them by."""
    comparison: Comparison
    overlaid: Comparison | None
    figures: MetricComparison | None
    overlaid_figures: MetricComparison | None
    retrieval: RetrievalComparison
    overlaid_retrieval: RetrievalComparison | None
    shared: Sequence[str]
    """The figures that both have."""

    def keys(self, name: str) -> list[str]:
        """The questions of a list: in the release's order, or the largest difference first."""
        if self.figures is None:
            found = [self.comparison.questions.get(pair, ()) for pair in VERDICT_SETS[name][1]]
            chosen = {key for keys in found for key in keys}
            return [key for key in self.workspace.release.questions if key in chosen]
        values = self.figures.values
        by_order = [self.figures.questions[order] for order in FIGURE_SETS[name][1]]
        chosen = {key for keys in by_order for key in keys}
        in_order = [key for key in self.workspace.release.questions if key in chosen]
        return sorted(in_order, key=lambda key: -abs(values[key][1] - values[key][0]))


def compare_all(workspace: Workspace, by: str) -> Compared:
    """Compare A and B in every way that the screen shows.

    Args:
        workspace: What is open, with two runs at least.
        by: ``VERDICTS``, a stored figure, or nothing: then verdicts where there are any.
    """
    a, b = workspace.runs[:2]
    comparison = compare(a, b, workspace.release)
    of = workspace.overlaid
    figures = figures_of(workspace, by, judged=comparison.counts.n > 0)
    return Compared(
        workspace,
        by,
        comparison,
        None if of is None else compare(of.runs[0], of.runs[1], of.release),
        figures,
        overlaid_figures(workspace, figures),
        compare_retrieval(a, b, workspace.release),
        None if of is None else compare_retrieval(of.runs[0], of.runs[1], of.release),
        shared_metrics(a, b),
    )


def totals_page(compared: Compared, palette: Palette, hint: str, *, width: int) -> Iterator[Block]:
    """The totals: by verdicts, or by a figure.

    Args:
        compared: What was compared.
        palette: The colours.
        hint: What to say where a figure takes the place of verdicts unasked.
        width: The cells there are.
    """
    comparison, workspace = compared.comparison, compared.workspace
    recalls = [
        *_retrieval_notes(compared.retrieval),
        *_overlaid_notes(compared.retrieval, compared.overlaid_retrieval),
    ]

    def title(task: str) -> str:
        return task_title(workspace.release.task_label(task))

    overlaid, figures = compared.overlaid, compared.figures
    if figures is not None:
        notes = recalls if compared.by else [hint, *recalls]
        if compared.overlaid_figures is not None:
            notes.insert(0, f"{_FLAG} overlaid: without questions whose published answer is wrong")
        of = compared.overlaid_figures
        yield from figures_page(figures, notes, title, palette, width=width, overlaid=of)
        return
    notes = [*_deciding_notes(workspace), *comparison.notes, *recalls]
    if overlaid is not None:
        notes.insert(0, f"{_FLAG} overlaid: {taken_out_note(workspace, workspace.runs[:2])}")
    if comparison.unpaired.total:
        lost = comparison.unpaired
        notes.insert(
            0,
            f"not compared: {lost.only_in_a:,} only in A, {lost.only_in_b:,} only in B, "
            f"{lost.not_judged:,} not judged",
        )
    total, *rows = _all_totals(comparison, title)
    yield from totals_blocks(
        total,
        rows,
        comparison.counts.p_mcnemar.value,
        notes,
        palette,
        width=width,
        overlaid=() if overlaid is None else _all_totals(overlaid, title),
    )


def _all_totals(found: Comparison, title: Callable[[str], str]) -> list[PairTotals]:
    """The counts of all tasks, then of each."""
    rows = [_totals(title(row.name), row.counts) for row in found.by_task]
    return [_totals("all", found.counts), *rows]


def _deciding_notes(workspace: Workspace) -> list[str]:
    """Who decides in A and B, where the rule does not; the symmetric figure is part of it."""
    runs = [run for run in workspace.runs[:2] if run.deciding or run.people]
    return [f"{run.letter} is decided by {one_line(run.decided_by)}" for run in runs]


def _overlaid_notes(
    published: RetrievalComparison, overlaid: RetrievalComparison | None
) -> list[str]:
    """The same against the evidence as overlays have it, where that changes it."""
    found = [] if overlaid is None else _retrieval_notes(overlaid)[:1]
    return [
        f"{_FLAG} overlaid: {said}" for said in found if said not in _retrieval_notes(published)
    ]


def _retrieval_notes(found: RetrievalComparison) -> list[str]:
    """Recall of both runs, at the grain that both allow; nothing where it is not measurable."""
    if found.recall_a.value is None or found.recall_b.value is None:
        return []
    said = (
        f"recall of gold {found.grain}s among the items sent: A {found.recall_a.value:.3f}, "
        f"B {found.recall_b.value:.3f} (n {found.n:,})"
    )
    return [said, found.note] if found.note else [said]


def _totals(name: str, counts: PairedCounts) -> PairTotals:
    return PairTotals(name, counts.both, counts.only_a, counts.only_b, counts.neither)


def task_title(label: TaskLabel) -> str:
    """A task with its number, as a row of the totals is named."""
    return f"{label.number} {label.title}".strip()
