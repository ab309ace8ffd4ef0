"""One picture as large as the terminal allows, and what is known about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult, RenderResult
from textual.binding import BindingType
from textual.events import Click
from textual.message import Message
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from mnemoscope.core.model import Attachment, AttachmentState
from mnemoscope.core.text import clean, one_line
from mnemoscope.tui.actions import actions_of, bindings_of
from mnemoscope.tui.images.drawer import ImageDrawer, SixelPicture
from mnemoscope.tui.images.view import PictureView
from mnemoscope.tui.keymap import EffectiveKeys
from mnemoscope.tui.outside import open_outside
from mnemoscope.viewers.cells import wrap
from mnemoscope.viewers.columns import cut
from mnemoscope.viewers.styles import MARKS, Palette, safe, style, styled

__all__ = ["ZoomItem", "ZoomScreen"]

_MOST_VARIANTS = 3
_TURNING = ("zoom.previous", "zoom.next")


@dataclass(frozen=True, slots=True)
class ZoomItem:
    """A picture to look at."""

    id: str
    file: str = ""
    """The full path; empty when there is no file to show."""
    state: str = AttachmentState.PRESENT.value
    note: str = ""
    """Why there is no file."""
    captions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, image: Attachment, label: str = "") -> "ZoomItem":
        """The item of an attachment; the label of an option goes before its id."""
        present = image.state is AttachmentState.PRESENT
        return cls(
            id=image.id if label == image.id else f"{label}  {image.id}".strip(),
            file=image.file if present else "",
            state=image.state.value,
            note=image.note,
            captions=image.captions,
        )


class ZoomScreen(ModalScreen[None]):
    """A picture, its facts in a line beneath it, and its captions."""

    CSS = """
    ZoomScreen { background: $background; align: left top; }
    ZoomScreen PictureView { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = list(bindings_of("zoom"))
    HELP: ClassVar[str] = (
        "The picture in as many cells as the terminal has, with its size and captions. "
        "{zoom.previous} and {zoom.next} turn to others, {zoom.outside} opens the file in another "
        "program, {zoom.close} goes back."
    )

    class _Drawn(Message):
        def __init__(self, place: int, drawn: Sequence[Strip] | str, label: str) -> None:
            super().__init__()
            self.place = place
            self.drawn = drawn
            self.label = label

    class _Encoded(Message):
        def __init__(self, place: int, sixel: SixelPicture) -> None:
            super().__init__()
            self.place = place
            self.sixel = sixel

    class _Opened(Message):
        def __init__(self, said: str) -> None:
            super().__init__()
            self.said = said

    def __init__(
        self,
        items: Sequence[ZoomItem],
        drawer: ImageDrawer,
        *,
        start: int = 0,
        variant: str = "",
        captions: bool = True,
        outside: bool = True,
    ) -> None:
        """Show pictures, one at a time.

        Args:
            items: The pictures; at least one.
            drawer: Draws them.
            start: The one shown first.
            variant: The caption variant that stands for pictures elsewhere; it comes first.
            captions: Whether captions are shown.
            outside: Whether a file may be handed to the desktop, which shows its name.
        """
        super().__init__()
        self._items = items
        self._drawer = drawer
        self._place = start
        self._variant = variant
        self._captions = captions
        self._outside = outside
        self._label = ""

    @property
    def item(self) -> ZoomItem:
        """The picture that is shown."""
        return self._items[self._place]

    def compose(self) -> ComposeResult:
        yield PictureView(self._drawer.paint)
        hidden = set() if len(self._items) > 1 else set(_TURNING)
        hidden |= set() if self._outside else {"zoom.outside"}
        shown = [one for one in actions_of("zoom") if one.id not in hidden]
        keys = getattr(self.app, "effective_keys", EffectiveKeys())
        yield _Facts([(keys.label(one, first=True), one.method, one.label) for one in shown])

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self._show())
        self._show()

    def on_picture_view_resized(self) -> None:
        """Draw the picture anew: there is more or less room."""
        self._load()

    def _show(self, said: str = "") -> None:
        """Say what is shown, and draw it."""
        self._say(said)
        self._load()

    def _lines(self) -> Iterator[Text]:
        palette = Palette.from_variables(self.app.theme_variables)
        item = self.item
        facts = styled(f"{one_line(item.id)}  ", style("heading", palette))
        facts.append(f"{self._label} · " if self._label else "", style("dim", palette))
        if item.file:
            facts.append(item.state, style("dim", palette))
        else:
            facts.append_text(MARKS["missing"].label(palette, word=item.state))
        if len(self._items) > 1:
            facts.append(f" · {self._place + 1} of {len(self._items)}", style("dim", palette))
        yield facts
        if not self._captions:
            return
        names = sorted(self.item.captions, key=lambda name: name != self._variant)
        for name in names[:_MOST_VARIANTS]:
            look = style("focus" if name == self._variant else "dim", palette)
            line = styled(f"{one_line(name)}  ", look)
            text = one_line(item.captions[name])
            yield (
                line.append(text) if text else line.append("empty caption", style("rest", palette))
            )

    def _load(self) -> None:
        view = self.query_one(PictureView)
        item = self.item
        if not item.file:
            view.show(f"No picture: {item.note or item.state}")
        elif view.size.width and view.size.height:
            self._draw(self._place, item.file, view.size.width, view.size.height)

    @work(thread=True, exclusive=True, group="zoom", description="draw")
    def _draw(self, place: int, file: str, columns: int, rows: int) -> None:
        drawn = self._drawer(file, columns, rows)
        self.post_message(self._Drawn(place, drawn, self._drawer.label(file)))
        sixel = None if isinstance(drawn, str) else self._drawer.sixel(file, columns, rows)
        if sixel is not None:
            self.post_message(self._Encoded(place, sixel))

    def on_zoom_screen__drawn(self, message: _Drawn) -> None:
        if message.place != self._place:
            return
        self.query_one(PictureView).show(message.drawn)
        if message.label != self._label:
            self._label = message.label
            self._say()

    def on_zoom_screen__encoded(self, message: _Encoded) -> None:
        if message.place == self._place:
            self.query_one(PictureView).show(message.sixel.under, message.sixel)

    # What one can do

    def action_close(self) -> None:
        self.dismiss(None)

    def action_next(self) -> None:
        self._step(1)

    def action_previous(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        place = self._place + step
        if 0 <= place < len(self._items):
            self._place = place
            self._label = ""
            self.query_one(PictureView).show("… loading picture")
            self._show()
        else:
            self._say("This is the last picture." if step > 0 else "This is the first picture.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "outside" or self._outside

    def action_outside(self) -> None:
        if self.item.file:
            self._say("… opening")
            self._open(self.item.file)
        else:
            self._say("There is no file to open.")

    @work(thread=True, group="outside", description="open")
    def _open(self, file: str) -> None:
        self.post_message(self._Opened(open_outside(Path(file))))

    def on_zoom_screen__opened(self, message: _Opened) -> None:
        self._say(message.said)

    def say_help(self, said: str) -> None:
        """Say what is shown here and what one can do."""
        self._say(said)

    def _say(self, said: str = "") -> None:
        # Not as a notification: a sixel picture would be painted over it.
        self.query_one(_Facts).show(list(self._lines()), said)


class _Facts(Widget):
    """What is known about the picture, and what one can do, which can be clicked."""

    DEFAULT_CSS = "_Facts { height: 3; background: $panel; color: $foreground; padding: 0 1; }"

    def __init__(self, keys: Sequence[tuple[str, str, str]]) -> None:
        """Make the lines.

        Args:
            keys: What one can do: the key, the action's method, what it is called.
        """
        super().__init__()
        self._keys = keys
        self._lines: Sequence[Text] = ()
        self._said = ""
        self._spans: list[tuple[int, int, str]] = []

    def show(self, lines: Sequence[Text], said: str) -> None:
        """Show facts, and in the place of what follows them the outcome of the last action."""
        self._lines, self._said = lines, said
        self.styles.height = max(3, len(lines) + 1)
        self.refresh()

    def render(self) -> RenderResult:
        width, height = self.size
        self._spans = []
        if self._said and self._lines:
            said = wrap(clean(self._said), max(2, width))
            lines = [self._lines[0], *map(Text, said)][:height]
        else:
            lines = [*self._lines, *[Text()] * (height - len(self._lines) - 1), self._key_line()]
        shown = [cut(safe(line), max(0, width)) for line in lines]
        return Text("\n", no_wrap=True, end="").join(shown)

    def _key_line(self) -> Text:
        palette = Palette.from_variables(self.app.theme_variables)
        line = Text()
        for key, action, label in self._keys:
            start = line.cell_len
            line.append(key, style("focus", palette)).append(f" {label}")
            self._spans.append((start, line.cell_len, action))
            line.append("  ")
        return line

    async def on_click(self, event: Click) -> None:
        """Do what was clicked."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y != self.size.height - 1:
            return
        for start, end, action in self._spans:
            if start <= offset.x < end:
                await self.screen.run_action(action)
