"""Tags to choose from as the rows of a list, and what else is said about an item as blocks."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from rich.text import Text

from mnemoscope.core.tags.book import Marks
from mnemoscope.core.text import one_line
from mnemoscope.viewers.cells import cell_width
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["TagRow", "TagRows", "marks_line", "statement_blocks"]


class TagRow(Protocol):
    """A tag as it stands on an item."""

    @property
    def key(self) -> str: ...

    @property
    def is_set(self) -> bool: ...

    @property
    def title(self) -> str: ...

    @property
    def stage(self) -> str:
        """The stage's title, on the first tag of each stage; empty on the others."""
        ...

    @property
    def is_kind(self) -> bool:
        """Whether it is a kind of the tag above it."""
        ...

    @property
    def evidence(self) -> str:
        """Why it is suggested; empty when it is not."""
        ...

    @property
    def others(self) -> Sequence[str]:
        """Other annotators who have set it."""
        ...

    @property
    def help(self) -> str: ...


class TagRows:
    """Tags as rows: key, state, name, and why it is suggested or who else has set it."""

    def __init__(
        self,
        rows: Sequence[TagRow],
        palette: Palette,
        *,
        others: bool = False,
        suggests: bool = True,
    ) -> None:
        """Lay tags out.

        Args:
            rows: The tags.
            palette: The colours.
            others: Whether who else has set each stands last, instead of what a rule saw.
            suggests: Whether rules say anything about what is tagged.
        """
        self.rows = rows
        self._palette = palette
        self._others = others
        self.columns: Sequence[Column] = [
            Column("key", 3, help="the key that sets the tag and takes it away"),
            Column("", 1, help="whether you have set it"),
            Column(
                "tag",
                _widest((f"{'  ' * one.is_kind}{one.title}" for one in rows), 25),
                help="its name; a kind of another stands below that, set in",
            ),
            Column(
                "stage",
                _widest((one.stage for one in rows), 20),
                priority=2,
                dim=True,
                help="the stage that it belongs to",
            ),
            _others() if others else _suggested(suggests),
        ]

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cells(self, row: int) -> Sequence[Text | str]:
        one, palette = self.rows[row], self._palette
        name = f"{'  ' * one.is_kind}{one_line(one.title)}"
        look = "heading" if one.is_set else "text"
        last: Text | str = one_line(", ".join(one.others))
        if not self._others:
            last = Text()
            if one.evidence:
                last.append_text(MARKS["suggested"].label(palette, word=""))
                last.append(f" {one_line(one.evidence)}")
            else:
                last = styled(one_line(one.help), style("dim", palette))
        mark = MARKS["set"].glyph if one.is_set else " "
        return [
            styled(one.key, style("focus", palette)),
            styled(mark, style("focus", palette)),
            styled(name, style(look, palette)),
            one_line(one.stage),
            last,
        ]


def _widest(texts: Iterable[str], most: int) -> int:
    """The cells of the widest text, between ten and ``most``."""
    return min(most, max(10, *(cell_width(one_line(text)) for text in texts), 0))


def _others() -> Column:
    return Column("others", 16, flex=1, priority=1, help="who else has set it")


def _suggested(suggests: bool) -> Column:
    meaning = "what a rule saw that would set it; else what the tag means, or its stage asks"
    title = "▸ suggested by a rule" if suggests else "what is asked"
    return Column(title, 16, flex=1, priority=1, help=meaning)


def marks_line(marks: Marks, palette: Palette, *, none_fits: bool) -> Text:
    """Flag, skip, verdict and note of one annotator, on one line; empty when nothing is said."""
    parts: list[Text] = []
    if none_fits:
        parts.append(styled("none of these", style("heading", palette)))
    if marks.flagged:
        parts.append(MARKS["flag"].label(palette))
    if marks.skipped:
        parts.append(styled("skipped", style("dim", palette)))
    if marks.verdict is not None:
        said = styled("your verdict ", style("dim", palette))
        said.append_text(MARKS[marks.verdict.value].label(palette))
        if marks.reason:
            said.append(f" {one_line(marks.reason)}", style("dim", palette))
        parts.append(said)
    if marks.note:
        parts.append(styled("note ", style("dim", palette)).append(one_line(marks.note)))
    line = Text()
    for part in parts:
        line.append("  " if line else "").append_text(part)
    return line


def statement_blocks(
    statements: Sequence[tuple[str, str, Marks]], palette: Palette
) -> Iterator[Block]:
    """What others say: annotator, what their tags are called, and their other marks."""
    for annotator, tags, marks in statements:
        line = styled(f"{one_line(annotator)}  ", style("focus", palette)).append(one_line(tags))
        more = marks_line(marks, palette, none_fits=bool(marks.none_of))
        if more:
            line.append("  " if tags else "").append_text(more)
        yield Paragraph(line)
