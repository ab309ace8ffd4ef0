"""What a round did to a ledger, as blocks of a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.model import Attachment, Round
from mnemoscope.core.state.chronicle import Said, said_by
from mnemoscope.core.state.component import ABSENT, Component
from mnemoscope.core.state.ledger import Ledger, LedgerCell
from mnemoscope.core.state.operators import OPERATORS, Event
from mnemoscope.core.state.state import UpdateStatus
from mnemoscope.core.state.transition import Cause, Record
from mnemoscope.core.state.wording import EVENTS
from mnemoscope.core.text import clean, counted, one_line
from mnemoscope.core.truth.book import Book
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.dialogue import DialogueLook, attachment_blocks
from mnemoscope.viewers.ledger_grid import AUTHORITY_MARKS, Grid
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["SAID_MARKS", "RoundChange", "mark_of", "pair_blocks", "round_blocks"]

SAID_MARKS = {
    Said.TEXT: "by_text",
    Said.VISUAL: "by_image",
    Said.BOTH: "by_both",
    Said.NOTHING: "no_change",
}
_LISTED = 60
"""Changes of one kind that are listed: a rank of ninety entities changes ninety cells."""
_LONGEST = 44
"""Cells of a value in a list of changes, such as an ordering's."""
_QUOTED = 140
"""Characters of the round's message."""


def mark_of(record: Record) -> str:
    """The sign of a transition: withdrawn, reinstated, or who says it."""
    match record.transition.event:
        case Event.DISREGARD:
            return "withdrawn"
        case Event.REINSTATE:
            return "reinstated"
    return SAID_MARKS[said_by(record.transition)]


@dataclass(frozen=True, slots=True)
class RoundChange:
    """What a page about a round needs."""

    book: Book
    grid: Grid
    round: Round
    artifact: Attachment | None
    """The last upload of the context, if the history has it."""
    look: DialogueLook


def round_blocks(facts: RoundChange) -> Iterator[Block]:
    """What a round did, and the artifact that is shown after it.

    Targets: ``("cell", component)``, ``("round", id)``, ``("context", name)``.
    """
    palette, ledger = facts.look.palette, facts.grid.ledger
    said = next((one.text for one in facts.round.messages if one.text), "")
    if said:
        text = clean(said)[:_QUOTED] + ("…" if len(said) > _QUOTED else "")
        target = ("round", ledger.round)
        yield Paragraph(styled(f"“{text}”", style("dim", palette)), target=target)
    if not ledger.records:
        text = "This round changes nothing."
        yield Paragraph(MARKS["no_change"].label(palette, word=text))
    for record in ledger.records:
        yield from _transition(record, facts)
    # What a round uploads is looked at first; an earlier upload only stands for what is shown.
    is_new = ledger.upload.round == ledger.round
    if is_new:
        yield from _artifact(facts)
    yield from _changes(facts, Cause.DIRECT)
    yield from _changes(facts, Cause.DEPENDENT)
    yield from _assignments(facts)
    yield from _updates(facts)
    yield from _contexts(facts)
    if not is_new:
        yield Paragraph(Text(""))
        yield from _artifact(facts)


def _transition(record: Record, facts: RoundChange) -> Iterator[Block]:
    one, palette = record.transition, facts.look.palette
    mark = mark_of(record)
    line = MARKS[mark].label(palette, word="")
    number = OPERATORS[one.operator].number
    line.append(f" {number} {_words(one.operator)}", style("heading", palette))
    target = None
    if one.wraps is not None:
        line.append(f"  {EVENTS[one.event]} a {_words(one.wraps)}")
        about = facts.book.truth.trajectory.record_by_id.get(one.of)
        if about is not None:
            line.append(f" of {one_line(about.transition.round)}", style("focus", palette))
            target = ("round", about.transition.round)
    if one.mutation.reason:
        line.append(f": {one_line(one.mutation.reason)}")
    if one.mutation.context:
        line.append(f"  brings {one_line(one.artifact)} of ", style("dim", palette))
        line.append(one_line(one.mutation.context), style("focus", palette))
        target = ("context", one.mutation.context)
    yield Paragraph(line, target=target)


def _words(slug: str) -> str:
    return slug.replace("_", " ")


_CAUSES = {
    Cause.DIRECT: ("direct", "changed directly"),
    Cause.DEPENDENT: ("follows", "what follows"),
}


def _changes(facts: RoundChange, cause: Cause) -> Iterator[Block]:
    """What changed for one cause."""
    palette, (mark, title) = facts.look.palette, _CAUSES[cause]
    rows = list(_merged(facts.grid.ledger.records, cause, facts.grid))
    said = {sheets for _, sheets, _, _ in rows}
    if rows:
        head = MARKS[mark].label(palette, word=f"{title} {len(rows)}")
        if len(said) == 1:
            head.append(f"  {said.pop()}", style("unequal", palette))
            rows = [(where, "", before, after) for where, _, before, after in rows]
        yield Paragraph(head)
    yield from _listed(rows, facts.grid, palette)


def _assignments(facts: RoundChange) -> Iterator[Block]:
    """On what components rest after the round, where that changed."""
    palette = facts.look.palette
    given = [one for record in facts.grid.ledger.records for one in record.assignments]
    if given:
        yield Paragraph(MARKS["on_record"].label(palette, word=f"authority {len(given)}"))
    for assignment in given[:_LISTED]:
        line = Text(f"{facts.grid.label(assignment.component)}  ")
        kinds = (assignment.before, assignment.after)
        words = [MARKS[AUTHORITY_MARKS[one.kind]].word if one else "none" for one in kinds]
        line.append(" → ".join(words) if words[0] != words[1] else f"{words[1]}, anew")
        yield Paragraph(line, indent=2, target=("cell", assignment.component))
    yield from _more(len(given), palette)


def _merged(
    records: Sequence[Record], cause: Cause, grid: Grid
) -> Iterator[tuple[Component, str, str, str]]:
    """Component, sheets, before and after; a change of both sheets alike is one."""
    found: dict[tuple[Component, str, str], list[str]] = {}
    for record in records:
        for one in record.changes:
            if one.cause is cause:
                before, after = (
                    shorten(
                        grid.text(one.component, each, unit=each is one.after),
                        _LONGEST,
                        middle=True,
                    )
                    for each in (one.before, one.after)
                )
                sheets = found.setdefault((one.component, before, after), [])
                sheets.append(one.sheet.value)
    first = {where: at for at, (where, _, _) in reversed(list(enumerate(found)))}
    for (where, before, after), sheets in sorted(found.items(), key=lambda one: first[one[0][0]]):
        yield where, "" if len(sheets) > 1 else f"{sheets[0]} only", before, after


def _listed(
    rows: Sequence[tuple[Component, str, str, str]], grid: Grid, palette: Palette
) -> Iterator[Block]:
    for where, sheets, before, after in rows[:_LISTED]:
        line = Text(f"{grid.label(where)}  ").append(before, style("dim", palette))
        line.append(" → ", style("dim", palette)).append(after, style("text", palette))
        if sheets:
            line.append(f"  {sheets}", style("unequal", palette))
        yield Paragraph(line, indent=2, target=("cell", where))
    yield from _more(len(rows), palette)


def _more(count: int, palette: Palette) -> Iterator[Block]:
    if count > _LISTED:
        text = f"… {count - _LISTED:,} more; mnemoscope ledger has all"
        yield Paragraph(styled(text, style("dim", palette)), indent=2)


def _updates(facts: RoundChange) -> Iterator[Block]:
    """The updates that are withdrawn, and those that are in force again."""
    records, palette = facts.book.truth.trajectory.record_by_id, facts.look.palette
    found = [
        (records[key].transition, status)
        for key, status in facts.grid.ledger.statuses.items()
        if key in records and status is not UpdateStatus.IN_FORCE
    ]
    if found:
        yield Paragraph(Text(""))
        yield Paragraph(styled("withdrawn, or back in force", style("dim", palette)))
    for one, status in found:
        line = MARKS[status.value].label(palette)
        line.append(f"  {_words(one.wraps or one.operator)} of {one_line(one.round)}")
        yield Paragraph(line, indent=2, target=("round", one.round))


def _contexts(facts: RoundChange) -> Iterator[Block]:
    """Contexts beside the one that is shown, each in a scope of its own."""
    ledger, palette = facts.grid.ledger, facts.look.palette
    others = [one for one in (facts.book.context, *ledger.contexts) if one != ledger.context]
    if others:
        yield Paragraph(Text(""))
        yield Paragraph(styled("other contexts, each by itself", style("dim", palette)))
    for one in others:
        line = styled(one_line(one), style("focus", palette))
        if one == facts.book.context:
            line.append("  what the scenario is about", style("dim", palette))
        yield Paragraph(line, indent=2, target=("context", one))


def _artifact(facts: RoundChange) -> Iterator[Block]:
    ledger, palette = facts.grid.ledger, facts.look.palette
    upload = ledger.upload
    line = styled("last upload ", style("dim", palette))
    line.append(f"{one_line(upload.artifact)} of {one_line(upload.round)}  ")
    if ledger.is_withdrawn:
        line.append_text(MARKS["withdrawn"].label(palette))
    yield Paragraph(line, target=("round", upload.round))
    if facts.artifact is None:
        text = "the history has no such picture"
        yield Paragraph(MARKS["missing"].label(palette, word=text), indent=2)
    else:
        yield from attachment_blocks(facts.artifact, facts.look)


def pair_blocks(
    then: Ledger, grid: Grid, pairs: Sequence[tuple[Component, LedgerCell | None]], palette: Palette
) -> Iterator[Block]:
    """What differs between an earlier or later round and the one that is shown.

    Args:
        then: The other round.
        grid: The round that is shown.
        pairs: What differs, with what it was in the other round.
        palette: The colours.
    """
    head = MARKS["unequal"].label(palette, word=f"{counted(len(pairs), 'component')} differ")
    head.append(f"  {one_line(then.round)} → {one_line(grid.ledger.round)}", style("dim", palette))
    yield Paragraph(head)
    for where, old in pairs[:_LISTED]:
        new = grid.cells.get(where)
        line = Text(f"{grid.label(where)}  ")
        values = [ABSENT if one is None else one.accepted for one in (old, new)]
        before, after = (grid.text(where, one) for one in values)
        if before != after:
            line.append(before, style("dim", palette)).append(" → ", style("dim", palette))
            line.append(after)
        else:
            kinds = [one.authority if one is not None else None for one in (old, new)]
            said = "its authority" if kinds[0] is not kinds[1] else "what is visual or shown"
            line.append(f"only {said}", style("dim", palette))
        yield Paragraph(line, indent=2, target=("cell", where))
    yield from _more(len(pairs), palette)
    yield Paragraph(Text(""))
