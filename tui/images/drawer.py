"""Drawing picture files in the protocol that was chosen, each size of each file once."""

import random
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary, finalize

from rich.segment import Segment
from textual.app import App
from textual.cache import LRUCache
from textual.strip import Strip

from mnemoscope.tui.images import kitty
from mnemoscope.tui.images.geometry import Cell, Fit, cell_size, fit
from mnemoscope.tui.images.protocol import Choice, Protocol
from mnemoscope.tui.images.sixel import encode
from mnemoscope.viewers.halfblock import THUMBNAIL_SIDE, Picture, Problem, load, render

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["ImageDrawer", "SixelPicture", "drawer_of"]

_KEPT = 64
Write = Callable[[str], None]


class _Sent:
    """A picture that the terminal has; it is to forget it when nothing shows it any more."""

    def __init__(self, image_id: int, escape: str) -> None:
        self.image_id = image_id
        self.escape = escape


class _PictureStrip(Strip):
    """A line of placeholders. Whoever keeps one keeps the picture in the terminal."""

    __slots__ = ("sent",)

    def __init__(self, sent: _Sent, segments: Sequence[Segment], cells: int) -> None:
        super().__init__(segments, cells)
        self.sent = sent


@dataclass(frozen=True, slots=True, eq=False)
class SixelPicture:
    """A picture in sixel, which covers whole cells."""

    data: str
    under: Sequence[Strip]
    """The same in half blocks: what is seen until the picture is painted, and where it is not."""


class ImageDrawer:
    """Loads and draws pictures; it may be called from several threads."""

    def __init__(
        self,
        choice: Choice,
        *,
        background: str,
        write: Write = lambda _: None,
        cell: Callable[[], Cell] = cell_size,
        first_id: int | None = None,
    ) -> None:
        """Make a drawer.

        Args:
            choice: How pictures are drawn.
            background: What shows through half blocks and sixel, as ``#rrggbb``.
            write: Writes to the terminal.
            cell: Tells the size of a cell in pixels.
            first_id: The first number given to a picture; by default one that another program
                behind the same tmux will hardly use.
        """
        self.choice = choice
        self.background = background
        self._write = write
        self._cell = cell
        start = random.randrange(1 << 24, 1 << 32) if first_id is None else first_id
        self._ids = count(start)
        self._lock = Lock()
        self._thumbnails: LRUCache[Hashable, Picture | Problem] = LRUCache(_KEPT)
        self._drawn: LRUCache[Hashable, Sequence[Strip]] = LRUCache(_KEPT)
        self._labels: LRUCache[Hashable, str] = LRUCache(1024)
        self._sent: WeakValueDictionary[int, _Sent] = WeakValueDictionary()
        self._forgotten: deque[int] = deque()
        self._closed = False

    def __call__(self, file: str, columns: int, rows: int) -> Sequence[Strip] | str:
        """The lines of a picture, or why it cannot be drawn."""
        if self.choice.protocol is Protocol.OFF:
            return f"Pictures are off: {self.choice.reason}."
        if self.choice.protocol is Protocol.KITTY:
            return self._placeholders(file, columns, rows)
        return self._half_blocks(file, columns, rows)

    def label(self, file: str) -> str:
        """Size and format of a picture, such as ``1024×768 PNG``; empty if it is none."""
        key = (file, _stamp(file))
        with self._lock:
            known = self._labels.get(key)
        if known is not None:
            return known
        loaded = self._load(file, THUMBNAIL_SIDE)
        return "" if isinstance(loaded, Problem) else loaded.label

    def sixel(self, file: str, columns: int, rows: int) -> SixelPicture | None:
        """A picture for a place where nothing moves, if pictures are drawn in sixel there."""
        if self.choice.protocol is not Protocol.SIXEL:
            return None
        cell = self._cell()
        if self.choice.sixel_size is not None:
            columns = min(columns, self.choice.sixel_size[0] // cell.width)
            rows = min(rows, self.choice.sixel_size[1] // cell.height)
        loaded = self._load(file, max(columns * cell.width, rows * cell.height, 1))
        if isinstance(loaded, Problem):
            return None
        place = fit(loaded.width, loaded.height, columns, rows, cell)
        if not place.columns:
            return None
        image = _padded(loaded.image, place, cell, self.background)
        small = image.resize((place.columns, 2 * place.rows))
        under = render(small, place.columns, place.rows, background=self.background)
        return SixelPicture(encode(image, self.choice.sixel_colours), under)

    def paint(self, picture: SixelPicture, column: int, row: int) -> None:
        """Draw a sixel picture over the cells from a place of the screen on."""
        self._send(f"\x1b7\x1b[{row + 1};{column + 1}H{picture.data}\x1b8")

    def resend(self) -> None:
        """Give the terminal every picture again: it forgets them when the app is suspended."""
        with self._lock:
            for sent in list(self._sent.values()):
                self._send(sent.escape)

    def close(self) -> None:
        """Make the terminal forget every picture; after that nothing is written."""
        with self._lock:
            ids = [*self._forgotten, *self._sent.keys()]
            if ids:
                self._send(kitty.deletion(ids, tmux=self.choice.tmux))
            self._closed = True
            self._forgotten.clear()
            self._sent.clear()

    # Half blocks

    def _half_blocks(self, file: str, columns: int, rows: int) -> Sequence[Strip] | str:
        stamp = _stamp(file)
        key = (file, stamp, columns, rows, self.background)
        with self._lock:
            drawn, loaded = self._drawn.get(key), self._thumbnails.get((file, stamp))
        if drawn is not None:
            return drawn
        if loaded is None:
            loaded = self._load(file, THUMBNAIL_SIDE)
            with self._lock:
                self._thumbnails[file, stamp] = loaded
        if isinstance(loaded, Problem):
            return loaded.reason
        drawn = render(loaded.image, columns, rows, background=self.background)
        with self._lock:
            self._drawn[key] = drawn
        return drawn

    # Placeholders

    def _placeholders(self, file: str, columns: int, rows: int) -> Sequence[Strip] | str:
        columns, rows = min(columns, kitty.MAX_CELLS), min(rows, kitty.MAX_CELLS)
        cell = self._cell()
        key = (file, _stamp(file), columns, rows, cell)
        with self._lock:
            known = self._drawn.get(key)
        if known is not None:
            return known
        loaded = self._load(file, max(columns * cell.width, rows * cell.height, 1))
        if isinstance(loaded, Problem):
            return loaded.reason
        place = fit(loaded.width, loaded.height, columns, rows, cell)
        if not place.columns:
            return []
        png = _png(loaded.image, place)
        with self._lock:
            # Two pages may have asked for the same at the same time.
            known = self._drawn.get(key)
            if known is None:
                known = self._drawn[key] = self._transmit(png, place)
        return known

    def _transmit(self, png: bytes, place: Fit) -> Sequence[Strip]:
        image_id = next(self._ids)
        tmux = self.choice.tmux
        escape = kitty.transmission(image_id, png, place.columns, place.rows, tmux=tmux)
        if self._forgotten:
            gone = [self._forgotten.popleft() for _ in range(len(self._forgotten))]
            escape_before = kitty.deletion(gone, tmux=tmux)
        else:
            escape_before = ""
        sent = self._sent[image_id] = _Sent(image_id, escape)
        finalize(sent, self._forgotten.append, image_id).atexit = False
        self._send(escape_before + escape)
        style = kitty.id_style(image_id)
        return [
            _PictureStrip(
                sent, [Segment(kitty.line(image_id, row, place.columns), style)], place.columns
            )
            for row in range(place.rows)
        ]

    def _send(self, data: str) -> None:
        if not self._closed:
            self._write(data)

    def _load(self, file: str, side: int) -> Picture | Problem:
        stamp = _stamp(file)
        loaded = load(Path(file), side=side)
        with self._lock:
            self._labels[file, stamp] = "" if isinstance(loaded, Problem) else loaded.label
        return loaded


def drawer_of(app: App[Any], choice: Choice, background: str) -> ImageDrawer:
    """The drawer of an app, which writes to the terminal that the app draws on."""
    if choice.protocol is Protocol.KITTY and app.console.color_system != "truecolor":
        why = "pixels need 24-bit colours to be told apart, and COLORTERM does not promise them"
        choice = Choice(Protocol.HALF, why)

    def write(data: str) -> None:
        # Textual offers no way past the compositor; its own bell and clipboard write like this.
        driver = app._driver
        if driver is not None and app.is_running and not app.is_headless:
            driver.write(data)

    return ImageDrawer(choice, background=background, write=write)


def _stamp(file: str) -> int:
    """Changes when a file does."""
    try:
        return Path(file).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


def _png(image: "Image", place: Fit) -> bytes:
    """The picture for the terminal to scale up, or scaled down to what it takes."""
    if image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    if image.width > place.width:
        from PIL import Image as Pillow

        image = image.resize((place.width, place.height), Pillow.Resampling.LANCZOS)
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=4)
    return buffer.getvalue()


def _padded(image: "Image", place: Fit, cell: Cell, background: str) -> "Image":
    """The picture in the middle of the cells that it takes, on the background."""
    from PIL import Image as Pillow
    from PIL import ImageColor

    size = place.columns * cell.width, place.rows * cell.height
    ground = ImageColor.getrgb(background if background.startswith("#") else "black")
    flat = Pillow.new("RGBA", size, (*ground[:3], 255))
    scaled = image.resize((place.width, place.height), Pillow.Resampling.LANCZOS)
    corner = (size[0] - place.width) // 2, (size[1] - place.height) // 2
    flat.alpha_composite(scaled, corner)
    return flat.convert("RGB")
