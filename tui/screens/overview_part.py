"""What the parts of the overview share: what they are about, headings, tables."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from mnemoscope.core.workspace import Workspace
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import Palette, style, styled
from mnemoscope.viewers.tables import Row, table

if TYPE_CHECKING:
    from mnemoscope.analyses.accuracy import RunScore
    from mnemoscope.analyses.suspicion import Suspicion

__all__ = ["OverviewPart"]


class OverviewPart:
    """A part of the overview, as blocks of a page."""

    def __init__(
        self,
        workspace: Workspace,
        scores: "Sequence[RunScore] | None",
        palette: Palette,
        *,
        width: int,
        sentence: Callable[[str], str],
        reading: str = "",
        overlaid: "Sequence[RunScore]" = (),
        suspicions: "Sequence[Suspicion]" = (),
    ) -> None:
        """Take what is shown.

        Args:
            workspace: What is open.
            scores: The runs' scores; None while they are worked out.
            palette: The colours.
            width: The cells there are.
            sentence: Puts the keys of actions into a sentence.
            reading: What is still being read.
            overlaid: The runs' scores as overlays have them, once they are worked out.
            suspicions: What looks wrong about the runs.
        """
        self._workspace = workspace
        self._scores = scores
        self._palette = palette
        self._width = width
        self._sentence = sentence
        self._reading = reading
        self._overlaid = overlaid
        self._suspicions = suspicions

    def _heading(self, text: str, note: str = "") -> list[Block]:
        line = styled(text, style("heading", self._palette))
        if note:
            line.append(f"  {self._sentence(note)}", style("dim", self._palette))
        return [Paragraph(Text("")), Paragraph(line)]

    def _table(
        self,
        headers: Sequence[str],
        rows: Sequence[Row],
        align: str,
        widest: Sequence[int] = (),
        repeat: int = 1,
    ) -> Iterator[Block]:
        width = self._width
        yield from table(
            headers,
            rows,
            self._palette,
            align=align,
            widest=widest,
            width=width,
            repeat=repeat,
        )
