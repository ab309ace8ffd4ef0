"""What a memory held after a round, and what that round did to it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from mnemoscope.core.text import clean, one_line
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import Palette, style, styled

if TYPE_CHECKING:
    from mnemoscope.core.runs.native.schema import HeldItemForm
    from mnemoscope.core.runs.native.states import Held

__all__ = ["HeldFacts", "held_blocks"]

_LONGEST_ITEM = 400
"""Characters of an item that the inspector shows; the command shows all of it."""
_MOST_ITEMS = 100
"""How many items are listed: a list of thousands would hold up every key."""
_MOST_ROUNDS = 3
"""How many rounds that an item comes from are named."""


@dataclass(frozen=True, slots=True)
class HeldFacts:
    """What an inspector shows of one run's memory."""

    letter: str
    label: str
    held: "Held | None" = None
    """None when the run does not store what its memory held."""
    note: str = ""
    """Why there is nothing to show, or what limits what is shown."""


def held_blocks(
    facts: Sequence[HeldFacts], opened: Collection[str], palette: Palette
) -> Iterator[Block]:
    """The blocks of a section about memories; a run's line has the target ``("memory", letter)``.

    Args:
        facts: What is known of each run's memory; nothing is shown when no run says anything.
        opened: Letters of the runs whose items are all listed.
        palette: The colours.
    """
    if all(one.held is None and not one.note for one in facts):
        return
    yield Paragraph(Text(""))
    yield Paragraph(styled("memory after this round", style("dim", palette)))
    for one in facts:
        yield from _run_blocks(one, one.letter in opened, palette)


def _run_blocks(facts: HeldFacts, is_open: bool, palette: Palette) -> Iterator[Block]:
    line = Text(f"{one_line(facts.label)}  ")
    held = facts.held
    if held is None:
        line.append(facts.note or "not stored", style("dim", palette))
        yield Paragraph(line, indent=1)
        return
    count = len(held.items)
    line.append(f"{count:,} item{'' if count == 1 else 's'}", style("text", palette))
    line.append(f"  {_changes(held)}", style("dim", palette))
    line.append("  ▾" if is_open else "  ▸", style("focus", palette))
    yield Paragraph(line, indent=1, target=("memory", facts.letter))
    if facts.note:
        yield Paragraph(styled(one_line(facts.note), style("dim", palette)), indent=2)
    for sign, items in (("+", held.added), ("~", held.changed), ("−", held.removed)):
        for item in items:
            yield _item(sign, item, palette)
            was = held.before.get(item.id)
            if sign == "~" and was is not None and was.text != item.text:
                text = f"was {clean(was.text)[:_LONGEST_ITEM]}"
                yield Paragraph(styled(text, style("dim", palette)), indent=4)
    for said in held.step.warnings if held.step else ():
        yield Paragraph(styled(f"! {one_line(said)}", style("wrong", palette)), indent=2)
    if is_open:
        newest = list(held.items.values())[-_MOST_ITEMS:]
        said = "all it held"
        if count > len(newest):
            said = f"the newest {len(newest)} of {count:,} items; mnemoscope memory --items has all"
        yield Paragraph(styled(said, style("dim", palette)), indent=2)
        for item in newest:
            yield _item("·", item, palette)


def _changes(held: "Held") -> str:
    """Such as ``+1 ~2 −0``, or that the round did nothing."""
    if held.step is None:
        return "nothing said of this round"
    counts = f"+{len(held.added)} ~{len(held.changed)} −{len(held.removed)}"
    return f"{counts} absorbed" if held.step.absorbed else counts


def _source(rounds: Sequence[str]) -> str:
    """The rounds that an item comes from; of many the first and the last, and how many."""
    if len(rounds) > _MOST_ROUNDS:
        return f"{rounds[0]} … {rounds[-1]} ({len(rounds)})"
    return ", ".join(rounds) or "source unknown"


def _item(sign: str, item: "HeldItemForm", palette: Palette) -> Paragraph:
    line = Text(f"{sign} ")
    line.append(f"{one_line(item.kind)} {one_line(_source(item.rounds))}  ", style("dim", palette))
    text = clean(item.text)
    line.append(text[:_LONGEST_ITEM] + ("…" if len(text) > _LONGEST_ITEM else ""))
    return Paragraph(line, indent=2)
