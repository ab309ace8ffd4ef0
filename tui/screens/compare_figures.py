"""The comparison screen where a stored figure takes the place of verdicts."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from mnemoscope.analyses.paired_metric import (
    MetricComparison,
    MetricRow,
    Order,
    compare_by_metric,
    shared_metrics,
)
from mnemoscope.core.question_columns import QuestionColumn
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.figure_view import FigureTotals, figure_blocks, signed_figure
from mnemoscope.viewers.page_blocks import Block
from mnemoscope.viewers.styles import Palette

__all__ = [
    "FIGURE_SETS",
    "VERDICTS",
    "choose_figure",
    "figures_of",
    "figures_page",
    "overlaid_figures",
    "with_figures",
]

VERDICTS = "verdicts"
"""What is chosen to compare who is right."""
FIGURE_SETS: Mapping[str, tuple[str, tuple[Order, ...]]] = {
    "all": ("differing questions", (Order.HIGHER_A, Order.HIGHER_B)),
    "only_a": ("higher in A", (Order.HIGHER_A,)),
    "only_b": ("higher in B", (Order.HIGHER_B,)),
    "neither": ("equal", (Order.EQUAL,)),
}
"""The lists of the screen by the action that shows them, where figures are compared."""


def figures_of(workspace: Workspace, chosen: str, *, judged: bool) -> MetricComparison | None:
    """A and B by the figure that is chosen; None when they are compared by verdicts.

    Args:
        workspace: What is open.
        chosen: The figure, ``VERDICTS``, or nothing: then the first figure there is takes their
            place where no pair is judged.
        judged: Whether a pair is judged.
    """
    a, b = workspace.runs[:2]
    shared = shared_metrics(a, b)
    if chosen not in shared:
        chosen = shared[0] if shared and not judged and chosen != VERDICTS else ""
    return compare_by_metric(a, b, workspace.release, chosen) if chosen else None


def overlaid_figures(
    workspace: Workspace, found: MetricComparison | None
) -> MetricComparison | None:
    """A comparison by a figure without the questions whose published answer an overlay calls wrong.

    A stored figure is about the published answer, as a stored verdict is.
    """
    overlay = workspace.overlay
    if found is None or overlay is None:
        return None
    a, b = workspace.runs[:2]
    left = workspace.release.questions.keys() - overlay.answer_changed
    return compare_by_metric(a, b, workspace.release, found.metric, keys=left)


def choose_figure(
    workspace: Workspace, current: str, chosen: Callable[[str], None]
) -> tuple[Chooser, Callable[[int | None], None]]:
    """A dialog of what A and B can be compared by, and what to do with its answer."""
    shared = shared_metrics(workspace.runs[0], workspace.runs[1])
    names = (VERDICTS, *shared)
    said = {VERDICTS: "who is right, by whoever decides"}
    rows = [(name, said.get(name, "a figure stored for each record")) for name in names]
    columns = (Column("compare by", 20, flex=1), Column("", 34, flex=2, dim=True))

    def take(index: int | None) -> None:
        if index is not None:
            chosen(names[index])

    at = names.index(current) if current in names else 0
    return Chooser("Compare A and B by", columns, rows, current=at), take


def with_figures(
    found: MetricComparison | None,
    shown: Sequence[QuestionColumn],
    known: Sequence[QuestionColumn],
) -> Sequence[QuestionColumn]:
    """The columns of the list: with the figures of A and B for what became of a question in both.

    Args:
        found: The comparison by a figure; None where verdicts are compared.
        shown: The columns that would be shown.
        known: All columns there are.
    """
    if found is None:
        return shown
    names = [f"{found.metric} of {letter}" for letter in "AB"]
    figures = [column for column in known if column.name in names]
    rest = [one for one in shown if one.name not in names and one.kind != "A and B"]
    return (*figures, *rest)


def figures_page(
    found: MetricComparison,
    notes: Sequence[str],
    title_of: Callable[[str], str],
    palette: Palette,
    *,
    width: int,
    overlaid: MetricComparison | None = None,
) -> Iterator[Block]:
    """The totals of a comparison by a figure, with those that overlays make of it."""
    interval = found.interval
    tests, methods = [], []
    if found.total.p_sign.value is not None:
        tests.append(("exact sign test p", f"{found.total.p_sign.value:.3g}"))
    if interval is not None:
        low, high = signed_figure(interval.low), signed_figure(interval.high)
        tests.append(("B−A between", f"{low} and {high}"))
        methods.append(f"interval: {interval.method}")
    lost = found.only_in_a + found.only_in_b + found.without_figure
    left_out = (
        f"not compared: {found.only_in_a:,} only in A, {found.only_in_b:,} only in B, "
        f"{found.without_figure:,} without the figure"
    )
    total, *rows = _all_totals(found, title_of)
    others = [] if overlaid is None else _all_totals(overlaid, title_of)
    yield from figure_blocks(
        found.metric,
        total,
        rows,
        tests,
        [*([left_out] if lost else []), *notes, *found.notes, *methods],
        palette,
        width=width,
        overlaid=others,
    )


def _all_totals(found: MetricComparison, title_of: Callable[[str], str]) -> list[FigureTotals]:
    """The totals of all tasks, then of each."""
    rows = [_totals(title_of(row.name), row) for row in found.by_task]
    return [_totals("all", found.total), *rows]


def _totals(name: str, row: MetricRow) -> FigureTotals:
    return FigureTotals(
        name,
        row.n,
        row.mean_a.value,
        row.mean_b.value,
        row.difference.value,
        row.higher_a,
        row.higher_b,
        row.equal,
    )
