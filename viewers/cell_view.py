"""One cell of a ledger as blocks of a page: its values, its history, and what systems hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.memory.cells import HeldCell
from mnemoscope.core.state.chronicle import CellEvent
from mnemoscope.core.state.component import ABSENT, Component
from mnemoscope.core.state.operators import OPERATORS, Event
from mnemoscope.core.state.state import UpdateStatus
from mnemoscope.core.state.values import same_scalar
from mnemoscope.core.state.wording import EVENTS, cause_text
from mnemoscope.core.text import counted, one_line
from mnemoscope.core.truth.causes import Origin
from mnemoscope.core.truth.divergence import Divergence, Kind
from mnemoscope.viewers.ledger_grid import Grid, authority_label, maybe_text
from mnemoscope.viewers.ledger_view import SAID_MARKS
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["SystemFacts", "cell_line", "divergence_line", "event_blocks", "system_blocks"]

_LISTED = 12
"""Wrong cells that are listed of each system."""


def cell_line(grid: Grid, where: Component, palette: Palette) -> Text:
    """A cell in one line: accepted, on what authority since when, and what is visual and shown."""
    line = styled(f"{grid.label(where)}  ", style("heading", palette))
    one = grid.cells.get(where)
    if one is None:
        return line.append("not there", style("dim", palette))
    shown = grid.text(where, one.shown)
    if grid.is_elsewhere:
        line.append(f"{shown} ").append("shown in this context only", style("dim", palette))
        return line
    line.append("accepted ", style("dim", palette)).append(grid.text(where, one.accepted))
    if one.authority is not None:
        line.append("  ").append_text(authority_label(one.authority, palette))
        line.append(f" since {one_line(one.source_round)}", style("dim", palette))
    elif one.accepted is not ABSENT:
        line.append("  follows from others", style("dim", palette))
    if not same_scalar(one.visual, one.accepted):
        line.append("  visual ", style("unequal", palette)).append(grid.text(where, one.visual))
    if not same_scalar(one.shown, one.accepted):
        line.append("  shown ", style("unequal", palette)).append(shown)
        if grid.is_withdrawn(one):
            line.append(" ").append_text(MARKS["withdrawn"].label(palette))
    return line


def event_blocks(
    grid: Grid, where: Component, events: Sequence[CellEvent], later: int, palette: Palette
) -> Iterator[Block]:
    """What happened to a cell, the latest first. Targets are ``("round", id)``."""
    if not events:
        text = "Nothing has said anything of it up to this round."
        yield Paragraph(styled(text, style("dim", palette)))
    if later:
        text = f"{counted(later, 'later change')} beyond this round"
        yield Paragraph(styled(text, style("dim", palette)))
    for one in reversed(events):
        yield Paragraph(_event(grid, where, one, palette), target=("round", one.round))


def _event(grid: Grid, where: Component, one: CellEvent, palette: Palette) -> Text:
    mark = {Event.DISREGARD: "withdrawn", Event.REINSTATE: "reinstated"}.get(one.event)
    line = styled(f"{one_line(one.round):<5} ", style("dim", palette))
    line.append_text(MARKS[mark or SAID_MARKS[one.said]].label(palette)).append("  ")
    accepted, visual, shown = (
        grid.text(where, each) for each in (one.accepted, one.visual, one.shown)
    )
    if grid.is_elsewhere:
        line.append(f"{shown} shown")
    elif accepted == visual == shown:
        line.append(accepted).append(" shown and accepted", style("dim", palette))
    else:
        line.append(f"{accepted} ").append("accepted", style("dim", palette))
        if visual == shown:
            line.append(f"  {shown} ").append("shown", style("unequal", palette))
        else:
            line.append(f"  {visual} ").append("visual", style("unequal", palette))
            line.append(f"  {shown} ").append("shown", style("unequal", palette))
    line.append(f"  {_origin(one)}", style("dim", palette))
    if one.event is Event.APPLY and one.status is UpdateStatus.WITHDRAWN:
        line.append("  ").append_text(MARKS["withdrawn"].label(palette))
    elif one.event is Event.APPLY and one.status is UpdateStatus.REINSTATED:
        line.append("  ").append_text(MARKS["reinstated"].label(palette))
    return line


def _origin(one: CellEvent) -> str:
    """What brought a change, in words."""
    if one.operator is None:
        return f"initial artifact {one_line(one.artifact)}"
    words = one.operator.value.replace("_", " ")
    text = f"{OPERATORS[one.operator].number} {words}"
    if one.of_round:
        text = f"{EVENTS[one.event]} what {one_line(one.of_round)} said"
    if one.cause is not None and one.cause.value == "dependent":
        text = f"follows from {text}"
    return f"{text}, {one_line(one.artifact)}" if one.artifact else text


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """What is known of a system's cells at a round."""

    letter: str
    label: str
    note: str = ""
    """Why there is nothing to show, or what limits it."""
    cells: int = 0
    agree: int = 0
    parted: Sequence[Divergence] = ()
    firsts: Sequence[tuple[Divergence, str, Sequence[Origin]]] | None = ()
    """The first divergence of each kind with its round and causes; None while looked for."""
    here: Sequence[tuple[Divergence, Sequence[Origin]]] = ()
    """How the cell under the cursor parts."""
    held: HeldCell | None = None
    """What it holds there, where it agrees."""


def system_blocks(facts: Sequence[SystemFacts], grid: Grid, palette: Palette) -> Iterator[Block]:
    """Systems beside the truth. Targets: ``("cell", component)``, ``("parted", round, component)``.

    Args:
        facts: What is known of each.
        grid: The truth.
        palette: The colours.
    """
    for one in facts:
        line = styled(f"{one_line(one.label)}  ", style("heading", palette))
        if not one.cells and not one.parted:
            line.append(one.note, style("dim", palette))
            yield Paragraph(line)
            continue
        line.append(f"{one.agree:,} of {counted(one.cells, 'cell')} as the truth")
        for kind, mark in (
            (Kind.DIFFERS, "wrong"),
            (Kind.EXTRA, "extra"),
            (Kind.MISSING, "missed"),
        ):
            count = sum(each.kind is kind for each in one.parted)
            if count:
                word = f"{count:,} {_KINDS[kind]}"
                line.append("  ").append_text(MARKS[mark].label(palette, word=word))
        yield Paragraph(line)
        if one.note:
            yield Paragraph(styled(one.note, style("dim", palette)), indent=2)
        yield from _first_blocks(one, grid, palette)
        for parted in one.parted[:_LISTED]:
            wrong = divergence_line(parted, (), grid, palette)
            yield Paragraph(wrong, indent=2, target=("cell", parted.component))
        if len(one.parted) > _LISTED:
            text = f"… {len(one.parted) - _LISTED:,} more; mnemoscope ledger has all"
            yield Paragraph(styled(text, style("dim", palette)), indent=2)


_KINDS = {Kind.DIFFERS: "differ", Kind.EXTRA: "extra", Kind.MISSING: "missing"}
_FIRSTS = {Kind.DIFFERS: "that differs", Kind.EXTRA: "extra", Kind.MISSING: "missing"}


def _first_blocks(one: SystemFacts, grid: Grid, palette: Palette) -> Iterator[Block]:
    if one.firsts is None:
        yield Paragraph(styled("… looking for the first divergence", style("dim", palette)), 2)
        return
    if not one.firsts:
        word = "never parts from the truth"
        yield Paragraph(MARKS["right"].label(palette, word=word), indent=2)
    for place, (first, round_id, why) in enumerate(one.firsts):
        which = "first divergence" if not place else f"first {_FIRSTS[first.kind]}"
        line = styled(f"{which} ", style("dim", palette))
        line.append(f"{one_line(round_id)} ", style("focus", palette))
        line.append_text(divergence_line(first, why, grid, palette))
        yield Paragraph(line, indent=2, target=("parted", round_id, first.component))


def divergence_line(
    one: Divergence, why: Sequence[Origin], grid: Grid, palette: Palette, *, place: bool = True
) -> Text:
    """A divergence in one line.

    Args:
        one: The divergence.
        why: Where else in the truth the wrong value stands.
        grid: The names of things.
        palette: The colours.
        place: Whether it says which cell.
    """
    line = Text(f"{grid.label(one.component)} " if place else "")
    if one.sheet != "accepted":
        line.append(f"{one.sheet} ", style("dim", palette))
    truth = maybe_text(one.truth, grid.names, grid.schema.unit(one.component.field))
    if one.kind is Kind.MISSING:
        line.append_text(MARKS["missed"].label(palette, word="not held"))
        return line.append(f", truth {truth}", style("dim", palette))
    said = maybe_text(one.said, grid.names, grid.schema.unit(one.component.field))
    mark = "wrong" if one.kind is Kind.DIFFERS else "extra"
    line.append_text(MARKS[mark].label(palette, word=said))
    text = f", truth {truth}" if one.kind is Kind.DIFFERS else ", the truth has none"
    line.append(text, style("dim", palette))
    known = (grid.names.get(one.component.entity, ""), one.component.entity, "")
    if one.called not in known:
        line.append(f", called {one_line(one.called)}", style("dim", palette))
    if why:
        causes = [cause_text(each.cause, each.round, each.of, grid.names) for each in why]
        line.append(f"  {one_line('; '.join(causes))}", style("focus", palette))
    return line
