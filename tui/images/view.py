"""A pane with one picture in its middle, where nothing scrolls."""

from collections.abc import Callable, Sequence

from rich.segment import Segment
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from mnemoscope.core.text import clean
from mnemoscope.tui.images.drawer import SixelPicture
from mnemoscope.viewers.cells import cell_width, wrap

__all__ = ["PictureView"]


class PictureView(Widget):
    """A picture or a sentence.

    A sixel picture is painted over its half blocks after every time that they are written. What
    covers the pane is written as text and so erases it; then the half blocks are what is left.
    """

    DEFAULT_CSS = """
    PictureView { background: $background; color: $foreground; }
    """
    ALLOW_SELECT = False

    class Resized(Message):
        """There is room for a picture of another size."""

    def __init__(self, paint: Callable[[SixelPicture, int, int], None]) -> None:
        """Show nothing yet.

        Args:
            paint: Paints a sixel picture from a column and row of the screen on.
        """
        super().__init__()
        self._paint_at = paint
        self._strips: Sequence[Strip] = ()
        self._sentence = ""
        self._sixel: SixelPicture | None = None
        self._waits = False

    def show(self, drawn: Sequence[Strip] | str, sixel: SixelPicture | None = None) -> None:
        """Show a picture, or say why there is none.

        Args:
            drawn: The picture's lines, or a sentence.
            sixel: The same picture, to be painted over its lines.
        """
        self._strips, self._sentence = ((), drawn) if isinstance(drawn, str) else (drawn, "")
        self._sixel = sixel
        self.refresh()

    def on_resize(self) -> None:
        self._sixel = None
        self.post_message(self.Resized())

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self.rich_style
        lines = self._strips or self._sentence_lines()
        place = y - (self.size.height - len(lines)) // 2
        if not 0 <= place < len(lines):
            return Strip.blank(width, style)
        line = lines[place]
        left = Strip([Segment(" " * max(0, (width - line.cell_length) // 2))])
        return Strip.join([left, line]).crop_extend(0, width, None).apply_style(style)

    def _sentence_lines(self) -> Sequence[Strip]:
        lines = wrap(clean(self._sentence), max(2, self.size.width - 4)) if self._sentence else []
        return [Strip([Segment(one)], cell_width(one)) for one in lines]

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._sixel is not None and not self._waits:
            self._waits = True
            self.call_after_refresh(self._paint)
        return super().render_lines(crop)

    def _paint(self) -> None:
        self._waits = False
        covered = self.app.screen is not self.screen or bool(self.screen.query("Toast"))
        if self._sixel is None or covered or not self._strips:
            return
        column = (self.size.width - self._strips[0].cell_length) // 2
        row = (self.size.height - len(self._strips)) // 2
        place = self.content_region
        if min(column, row) >= 0:
            self._paint_at(self._sixel, place.x + column, place.y + row)
