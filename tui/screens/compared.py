"""What comparing A and B has brought, and its totals as blocks of a page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.paired import Comparison, Pair, PairedCounts, compare
from mnemoscope.analyses.paired_metric import MetricComparison, shared_metrics
from mnemoscope.analyses.paired_retrieval import RetrievalComparison, compare_retrieval
from mnemoscope.core.model import TaskLabel
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.screens.compare_figures import FIGURE_SETS, figures_of, figures_page
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


@dataclass(frozen=True, slots=True)
class Compared:
    """What comparing A and B has brought."""

    workspace: Workspace
    by: str
    """What was chosen to compare them by."""
    comparison: Comparison
    overlaid: Comparison | None
    figures: MetricComparison | None
    retrieval: RetrievalComparison
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
    return Compared(
        workspace,
        by,
        comparison,
        None if of is None else compare(of.runs[0], of.runs[1], of.release),
        figures_of(workspace, by, judged=comparison.counts.n > 0),
        compare_retrieval(a, b, workspace.release),
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
    recalls = _retrieval_notes(compared.retrieval)
    label = workspace.release.task_label
    if compared.figures is not None:
        notes = recalls if compared.by else [hint, *recalls]
        yield from figures_page(
            compared.figures, notes, lambda task: task_title(label(task)), palette, width=width
        )
        return
    rows = [_totals(task_title(label(row.name)), row.counts) for row in comparison.by_task]
    notes = [*comparison.notes, *recalls]
    overlaid = compared.overlaid
    if overlaid is not None:
        said = taken_out_note(workspace, workspace.runs[:2])
        notes.insert(0, f"{MARKS['flag'].glyph} overlaid: {said}")
    if comparison.unpaired.total:
        lost = comparison.unpaired
        notes.insert(
            0,
            f"not compared: {lost.only_in_a:,} only in A, {lost.only_in_b:,} only in B, "
            f"{lost.not_judged:,} not judged",
        )
    yield from totals_blocks(
        _totals("all", comparison.counts),
        rows,
        comparison.counts.p_mcnemar.value,
        notes,
        palette,
        width=width,
        overlaid=None if overlaid is None else _totals("all", overlaid.counts),
    )


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
