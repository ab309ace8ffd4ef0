"""Pictures in terminals: what is chosen, what is written, what is seen of it."""

import base64
import fcntl
import gc
import os
import pty
import re
import struct
import sys
import termios
import threading
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from rich.cells import cell_len
from rich.text import Text
from textual.app import App, ComposeResult
from textual.strip import Strip

import tests.terminal
from mnemoscope.core.model import AttachmentState, Option
from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui import outside
from mnemoscope.tui.images import kitty, start
from mnemoscope.tui.images.drawer import ImageDrawer, drawer_of
from mnemoscope.tui.images.geometry import DEFAULT_CELL, Cell, cell_size, fit
from mnemoscope.tui.images.protocol import SETTINGS, Choice, Protocol, choose, must_ask
from mnemoscope.tui.images.query import (
    KITTY_QUERY,
    NAME_QUERY,
    SIXEL_QUERY,
    Question,
    Reply,
    ask,
    parse_reply,
)
from mnemoscope.tui.images.sixel import encode
from mnemoscope.tui.images.view import PictureView
from mnemoscope.tui.sample import sample_folder
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.zoom import ZoomItem, ZoomScreen
from mnemoscope.tui.verbs import demo
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.dialogue import DialogueLook
from mnemoscope.viewers.gallery import gallery_blocks, has_pictures
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph, Picture
from mnemoscope.viewers.styles import DARK
from mnemoscope.viewers.themes import ThemedApp
from tests.app_driver import opened, press, screen_text, settled, workers_done
from tests.terminal import running
from tests.workspace_data import picture

ESC = "\x1b"
KITTY = Choice(Protocol.KITTY, "test")
SIXEL = Choice(Protocol.SIXEL, "test")
HALF = Choice(Protocol.HALF, "test")
XTERM = {"TERM": "xterm-256color"}

# What is chosen

# Recorded from xterm 379, with and without -ti vt340, and from tmux 3.3a; the others as the manuals
# and sources of the terminals give them.
REPLIES = {
    "xterm": (b"\x1bP>|XTerm(379)\x1b\\\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c", Protocol.HALF),
    "xterm vt340": (
        b"\x1bP>|XTerm(379)\x1b\\\x1b[?63;1;2;4;6;9;15;16;22;28c"
        b"\x1b[?1;0;1024S\x1b[?2;0;1000;1000S\x1b[?63;1;2;4;6;9;15;16;22;28c",
        Protocol.SIXEL,
    ),
    "kitty": (
        b"\x1bP>|kitty(0.35.2)\x1b\\\x1b[?62;c\x1b_Gi=31;OK\x1b\\\x1b[?62;c",
        Protocol.KITTY,
    ),
    "old kitty": (
        b"\x1bP>|kitty(0.26.5)\x1b\\\x1b[?62;c\x1b_Gi=31;OK\x1b\\\x1b[?62;c",
        Protocol.HALF,
    ),
    "kitty behind something": (b"\x1bP>|kitty(0.35.2)\x1b\\\x1b[?62;c\x1b[?62;c", Protocol.HALF),
    "ghostty": (
        b"\x1bP>|ghostty 1.1.3\x1b\\\x1b[?62;22c\x1b_Gi=31;OK\x1b\\\x1b[?62;22c",
        Protocol.KITTY,
    ),
    "foot": (b"\x1bP>|foot(1.16.2)\x1b\\\x1b[?62;4;22c", Protocol.SIXEL),
    "wezterm": (
        b"\x1bP>|WezTerm 20240203-110809-5046fc22\x1b\\\x1b[?65;4;6;18;22c",
        Protocol.SIXEL,
    ),
    "konsole": (b"\x1bP>|Konsole 23.08.1\x1b\\\x1b[?62;1;4c", Protocol.SIXEL),
    "iterm2": (b"\x1bP>|iTerm2 3.5.3\x1b\\\x1b[?64;1;2;4;6;17;18;21;22c", Protocol.SIXEL),
    "windows terminal": (b"\x1b[?61;4;6;7;14;21;22;23;24;28;32;42c", Protocol.SIXEL),
    "vs code": (b"\x1b[?1;2c", Protocol.HALF),
    "gnome terminal": (b"\x1bP>|VTE(7600)\x1b\\\x1b[?65;1;9c", Protocol.HALF),
    "tmux": (b"\x1bP>|tmux 3.3a\x1b\\\x1b[?1;2c", Protocol.HALF),
    "vt132": (b"\x1b[?4;6c", Protocol.HALF),
}


@pytest.mark.parametrize("name", REPLIES)
def test_the_answers_of_terminals_are_read(name: str) -> None:
    data, protocol = REPLIES[name]
    choice = choose("auto", XTERM, lambda: parse_reply(data))
    assert choice.protocol is protocol, choice
    assert choice.reason


def test_typing_around_an_answer_and_an_answer_cut_short_are_no_answer() -> None:
    reply = parse_reply(b"jj\x1bP>|foot(1.16.2)\x1b\\q\x1b[?62;4;22cx\x1b[A")
    assert (reply.name, reply.sixel, reply.version) == ("foot(1.16.2)", True, (1, 16, 2))
    for data in (b"", b"\x1b[?62;4", b"\x1bP>|kitty(0.35.2)", b"\x1b[A"):
        assert not parse_reply(data).answered
        assert choose("auto", XTERM, lambda data=data: parse_reply(data)).protocol is Protocol.HALF  # type: ignore[misc]


def test_a_terminal_cannot_write_into_the_reason() -> None:
    name = b"kitty\xe2\x80\xae\x0d\x0aowned" + b"x" * 200
    reply = parse_reply(b"\x1bP>|" + name + b"\x1b\\\x1b[?62;4c")
    assert reply.name.isprintable()
    assert len(reply.name) <= 40


def test_the_limits_of_a_sixel_terminal_are_kept() -> None:
    choice = choose("auto", XTERM, lambda: parse_reply(REPLIES["xterm vt340"][0]))
    assert (choice.sixel_colours, choice.sixel_size) == (256, (1000, 1000))
    few = REPLIES["xterm vt340"][0].replace(b"1024S", b"16S")
    assert choose("auto", XTERM, lambda: parse_reply(few)).sixel_colours == 16
    assert choose("auto", XTERM, lambda: parse_reply(REPLIES["foot"][0])).sixel_size is None


@pytest.mark.parametrize(
    ("environ", "protocol"),
    [
        ({"TERM": "xterm-ghostty"}, Protocol.KITTY),
        ({"TERM": "foot"}, Protocol.SIXEL),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, Protocol.SIXEL),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, Protocol.SIXEL),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, Protocol.HALF),
        ({"TERM": "alacritty"}, Protocol.HALF),
        ({"TERM": "linux"}, Protocol.HALF),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/t,1,0"}, Protocol.HALF),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/t,1,0"}, Protocol.HALF),
        ({"TERM": "screen", "STY": "1.pts"}, Protocol.HALF),
        ({"TERM": "xterm-kitty", "ZELLIJ": "0"}, Protocol.HALF),
        ({"TERM": "xterm-kitty", "NO_COLOR": "1"}, Protocol.OFF),
        ({"TERM": "xterm-kitty", "TEXTUAL_DRIVER": "textual.drivers.web_driver:W"}, Protocol.HALF),
    ],
)
def test_the_environment_decides_without_asking(
    environ: dict[str, str], protocol: Protocol
) -> None:
    def never() -> Reply:
        raise AssertionError("the terminal was asked")

    assert choose("auto", environ, never).protocol is protocol
    assert not must_ask("auto", environ)


@pytest.mark.parametrize(
    ("environ", "unasked"),
    [
        ({"TERM": "xterm-kitty"}, Protocol.KITTY),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, Protocol.HALF),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, Protocol.HALF),
        ({"TERM": "xterm-256color"}, Protocol.HALF),
        ({}, Protocol.HALF),
    ],
)
def test_where_the_environment_leaves_a_doubt_the_terminal_is_asked(
    environ: dict[str, str], unasked: Protocol
) -> None:
    assert must_ask("auto", environ)
    assert choose("auto", environ).protocol is unasked
    assert choose("auto", environ, Reply).protocol is unasked
    old = parse_reply(REPLIES["old kitty"][0])
    assert choose("auto", environ, lambda: old).protocol is Protocol.HALF


@pytest.mark.parametrize("setting", SETTINGS[1:])
def test_what_is_asked_for_is_done_without_asking(setting: str) -> None:
    assert not must_ask(setting, XTERM)
    assert choose(setting, XTERM).protocol == setting
    assert choose(setting, {**XTERM, "NO_COLOR": "1"}).protocol is Protocol.OFF


def test_with_ascii_signs_pictures_are_drawn_only_when_asked_for() -> None:
    kitty_terminal = {"TERM": "xterm-ghostty"}
    assert not must_ask("auto", XTERM, ascii_only=True)
    for environ in (XTERM, kitty_terminal, {"TMUX": "x"}):
        choice = choose("auto", environ, ascii_only=True)
        assert choice.protocol is Protocol.OFF
        assert "ascii = true" in choice.reason
    assert choose("half", XTERM, ascii_only=True).protocol is Protocol.HALF


def test_asked_for_in_tmux_graphics_are_wrapped() -> None:
    assert choose("kitty", {"TMUX": "x"}).tmux
    escape = kitty.transmission(7, b"png", 2, 1, tmux=True)
    assert escape.startswith(f"{ESC}Ptmux;{ESC}{ESC}_Ga=T")
    assert escape.endswith(f"{ESC}{ESC}\\{ESC}\\")


# Asking


@pytest.fixture
def tty() -> Iterator[tuple[int, int]]:
    """Both ends of a terminal: the program's and the emulator's."""
    emulator, program = pty.openpty()
    yield program, emulator
    os.close(program)
    os.close(emulator)


def answering(emulator: int, answers: dict[str, bytes]) -> list[bytes]:
    """Answer each question once, in a thread; what was read is collected."""
    read: list[bytes] = []

    def answer() -> None:
        seen = b""
        for question, reply in answers.items():
            while question.encode() not in seen:
                seen += os.read(emulator, 4096)
            seen = b""
            read.append(question.encode())
            os.write(emulator, reply)

    threading.Thread(target=answer, daemon=True).start()
    return read


@pytest.mark.parametrize(
    ("second", "name", "said"),
    [
        (KITTY_QUERY, b"\x1bP>|kitty(0.35.2)\x1b\\\x1b[?62;c", b"\x1b_Gi=31;OK\x1b\\\x1b[?62;c"),
        (SIXEL_QUERY, b"\x1b[?62;4c", b"\x1b[?1;0;1024S\x1b[?2;0;3840;2160S\x1b[?62;4c"),
    ],
)
def test_only_what_a_terminal_says_it_knows_is_asked_next(
    tty: tuple[int, int], second: str, name: bytes, said: bytes
) -> None:
    program, emulator = tty
    before = termios.tcgetattr(program)
    read = answering(emulator, {NAME_QUERY: name, second: said})
    question = Question(program, patience=5)
    reply = question.answer()
    question.close()
    assert read == [NAME_QUERY.encode(), second.encode()]
    assert (reply.kitty, reply.sixel) == (second == KITTY_QUERY, second == SIXEL_QUERY)
    assert termios.tcgetattr(program) == before


def test_a_terminal_that_does_not_answer_is_left_alone_soon(tty: tuple[int, int]) -> None:
    program, _ = tty
    before = termios.tcgetattr(program)
    question = Question(program, patience=0.05)
    assert question.answer() == Reply()
    question.close()
    assert termios.tcgetattr(program) == before


def test_nobody_is_asked_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert ask({}) is None


def test_a_release_without_images_asks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(start, "ask", lambda _: asked.append(1))
    monkeypatch.setattr(os, "environ", dict(XTERM))
    release = tmp_path / "release.json"
    release.write_text("{}")
    for request in (None, OpenRequest(release), OpenRequest(tmp_path)):
        with start.asking("auto", request) as settle:
            assert settle().protocol is Protocol.HALF
    assert not asked
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.JPG").touch()
    for setting in ("half", "off", "kitty"):
        with start.asking(setting, OpenRequest(release)) as settle:
            settle()
    assert not asked
    with start.asking("auto", OpenRequest(release)) as settle:
        settle()
    assert asked


def test_true_colour_is_promised_where_pictures_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    environ = {"TERM": "xterm-kitty"}
    monkeypatch.setattr(os, "environ", environ)
    with start.asking("auto", None) as settle:
        assert settle().protocol is Protocol.KITTY
    assert environ["COLORTERM"] == "truecolor"


# Sizes


def test_a_cell_is_measured_or_taken_to_be_ten_by_twenty(tty: tuple[int, int]) -> None:
    program, _ = tty
    for pixels, cell in (
        ((1920, 1080), Cell(16, 36)),
        ((0, 0), DEFAULT_CELL),
        ((8, 16), DEFAULT_CELL),
    ):
        fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, *pixels))
        assert cell_size(program) == cell
    read, write = os.pipe()
    assert cell_size(read) == DEFAULT_CELL
    os.close(read)
    os.close(write)


@pytest.mark.parametrize(
    ("size", "room", "cell", "cells", "pixels"),
    [
        ((1000, 1000), (30, 12), Cell(10, 20), (24, 12), (240, 240)),
        ((1000, 1000), (30, 12), Cell(6, 13), (26, 12), (156, 156)),
        ((400, 100), (30, 12), Cell(10, 20), (30, 4), (300, 75)),
        ((1, 1), (30, 12), Cell(10, 20), (1, 1), (10, 10)),
        ((10, 10), (0, 12), Cell(10, 20), (0, 0), (0, 0)),
    ],
)
def test_a_picture_keeps_its_shape_in_cells_of_any_shape(
    size: tuple[int, int],
    room: tuple[int, int],
    cell: Cell,
    cells: tuple[int, int],
    pixels: tuple[int, int],
) -> None:
    place = fit(*size, *room, cell)
    assert ((place.columns, place.rows), (place.width, place.height)) == (cells, pixels)


# Kitty

Seen = tuple[int, int, int]
"""Picture, row and column of a placeholder."""


class KittyTerminal:
    """What a terminal makes of the graphics commands that it is sent."""

    def __init__(self) -> None:
        self.images: dict[int, Image.Image] = {}
        self.cells: dict[int, tuple[int, int]] = {}
        self.sent: list[int] = []
        self._open: dict[str, str] = {}
        self._data = ""

    def write(self, text: str) -> None:
        for command in re.findall(r"\x1b_G(.*?)\x1b\\", text):
            control, _, payload = command.partition(";")
            keys = dict(pair.split("=") for pair in control.split(","))
            if keys.get("a") == "d":
                assert keys["d"] == "I"
                self.images.pop(int(keys["i"]), None)
                continue
            assert len(payload) <= 4096
            self._open = self._open or keys
            assert self._open["q"] == "2"
            self._data += payload
            if keys["m"] == "0":
                self._take(self._open, self._data)
                self._open, self._data = {}, ""
        assert not re.sub(r"\x1b_G.*?\x1b\\", "", text)

    def _take(self, keys: dict[str, str], data: str) -> None:
        assert (keys["a"], keys["U"], keys["f"]) == ("T", "1", "100")
        number = int(keys["i"])
        self.sent.append(number)
        self.images[number] = Image.open(BytesIO(base64.b64decode(data)))
        self.cells[number] = (int(keys["c"]), int(keys["r"]))


def placeholders(strips: Sequence[Strip]) -> dict[tuple[int, int], Seen]:
    """Read placeholders as a terminal does: by place, which cell of which picture is there."""
    marks = kitty.diacritics()
    found = {}
    for y, strip in enumerate(strips):
        x = 0
        for segment in strip:
            colour = segment.style.color.get_truecolor() if segment.style.color else None  # type: ignore[union-attr]
            for cell in re.findall(rf"{kitty.PLACEHOLDER}...|.", segment.text):
                if cell[0] == kitty.PLACEHOLDER:
                    assert colour is not None
                    row, column, high = map(marks.index, cell[1:])
                    number = high << 24 | colour.red << 16 | colour.green << 8 | colour.blue
                    found[x, y] = (number, row, column)
                    x += 1
                else:
                    x += Strip([segment]).cell_length if len(segment.text) == 1 else len(cell)
    return found


@pytest.fixture
def image_file(tmp_path: Path) -> str:
    image = Image.new("RGB", (600, 400), "#204060")
    image.paste("#ff0000", (0, 0, 300, 200))
    image.save(tmp_path / "picture.png")
    return str(tmp_path / "picture.png")


def drawer(
    choice: Choice, write: Callable[[str], None] = lambda _: None, **more: int
) -> ImageDrawer:
    return ImageDrawer(choice, background="#121212", write=write, cell=lambda: Cell(10, 20), **more)


def test_the_marks_are_those_of_the_protocol() -> None:
    marks = kitty.diacritics()
    assert len(marks) == len(set(marks)) == kitty.MAX_CELLS
    known = {0: 0x305, 1: 0x30D, 30: 0x483, 100: 0x7EB, 200: 0x20D4, 255: 0xA8E5, 296: 0x1D244}
    assert {place: ord(marks[place]) for place in known} == known
    # Textual must measure every placeholder as one cell.
    assert cell_len("".join(kitty.PLACEHOLDER + 3 * mark for mark in marks)) == 297


def test_the_bytes_for_kitty_are_those_of_the_protocol() -> None:
    assert kitty.transmission(0x2A010203, b"PNG data", 30, 12) == (
        f"{ESC}_Ga=T,U=1,i=704709123,f=100,c=30,r=12,q=2,m=0;UE5HIGRhdGE={ESC}\\"
    )
    long = kitty.transmission(9, bytes(6000), 2, 1)
    first, second = long.removesuffix(f"{ESC}\\").split(f"{ESC}\\")
    assert first == f"{ESC}_Ga=T,U=1,i=9,f=100,c=2,r=1,q=2,m=1;" + "A" * 4096
    assert second == f"{ESC}_Gm=0;" + "A" * 3904
    assert kitty.deletion([9, 10]) == (
        f"{ESC}_Ga=d,d=I,i=9,q=2{ESC}\\{ESC}_Ga=d,d=I,i=10,q=2{ESC}\\"
    )
    # Row 1, columns 0 and 1, upper byte 0x2A = 42.
    assert kitty.line(0x2A010203, 1, 2) == (
        "\U0010eeee\u030d\u0305\u059c\U0010eeee\u030d\u030d\u059c"
    )
    assert kitty.id_style(0x2A010203).color.get_truecolor().hex == "#010203"  # type: ignore[union-attr]


def test_a_picture_is_given_to_kitty_once_for_each_size(image_file: str) -> None:
    terminal = KittyTerminal()
    draw = drawer(KITTY, terminal.write, first_id=0x7F000001)
    small = draw(image_file, 30, 12)
    assert draw(image_file, 30, 12) is small
    large = draw(image_file, 60, 30)
    assert terminal.sent == [0x7F000001, 0x7F000002]
    assert terminal.cells == {0x7F000001: (30, 10), 0x7F000002: (60, 20)}
    first = terminal.images[0x7F000001]
    assert first.size == (300, 200)
    assert first.getpixel((10, 10)) == (255, 0, 0)
    assert first.getpixel((290, 190)) == (0x20, 0x40, 0x60)
    assert not isinstance(small, str)
    assert not isinstance(large, str)
    assert placeholders(small) == {(x, y): (0x7F000001, y, x) for x in range(30) for y in range(10)}
    assert len(large) == 20


def test_threads_that_ask_for_the_same_give_it_to_kitty_once(image_file: str) -> None:
    terminal = KittyTerminal()
    draw = drawer(KITTY, terminal.write)
    threads = [threading.Thread(target=draw, args=(image_file, 30, 12)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(terminal.sent) == 1


def test_kitty_forgets_what_nothing_shows_any_more(image_file: str) -> None:
    terminal = KittyTerminal()
    draw = drawer(KITTY, terminal.write)
    kept = draw(image_file, 30, 12)
    lines = kept[:1]
    for columns in range(31, 130):
        draw(image_file, columns, 12 + columns)
    gc.collect()
    draw(image_file, 3, 3)
    assert len(terminal.sent) == 101
    assert len(terminal.images) <= 67
    # One line that is still on a page keeps its picture.
    assert terminal.sent[0] in terminal.images
    del kept, lines


def test_kitty_gets_everything_again_after_a_pause_and_nothing_is_left_at_the_end(
    image_file: str,
) -> None:
    terminal = KittyTerminal()
    draw = drawer(KITTY, terminal.write)
    drawn = draw(image_file, 30, 12)
    terminal.images.clear()
    draw.resend()
    assert list(terminal.images) == terminal.sent[:1]
    draw.close()
    assert not terminal.images
    draw(image_file, 20, 12)
    draw.resend()
    assert not terminal.images
    del drawn


def test_transparent_parts_stay_transparent_in_kitty(tmp_path: Path) -> None:
    Image.new("RGBA", (40, 40), (255, 0, 0, 0)).save(tmp_path / "a.png")
    terminal = KittyTerminal()
    drawer(KITTY, terminal.write)(str(tmp_path / "a.png"), 10, 10)
    (image,) = terminal.images.values()
    assert image.mode == "RGBA"


class PageApp(ThemedApp[None]):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page

    def compose(self) -> ComposeResult:
        yield self._page

    def strips(self) -> list[Strip]:
        return self.screen._compositor.render_strips()


async def test_placeholders_scroll_and_are_clipped_with_the_page(image_file: str) -> None:
    terminal = KittyTerminal()
    draw = drawer(KITTY, terminal.write)
    page = Page([Picture(image_file, 30, 12), *[Paragraph(Text("line"))] * 20], loader=draw)
    app = PageApp(page)
    async with app.run_test(size=(20, 8)) as pilot:
        await workers_done(app)
        await pilot.pause()
        (number,) = terminal.sent
        inner = page.scrollable_size.width
        seen = placeholders(app.strips())
        assert seen == {(x + 2, y): (number, y, x) for x in range(inner - 2) for y in range(8)}
        page.scroll_to(y=6, animate=False, force=True)
        await pilot.pause()
        seen = placeholders(app.strips())
        assert seen == {(x + 2, y): (number, y + 6, x) for x in range(inner - 2) for y in range(4)}
        assert terminal.sent == [number]


async def test_under_a_dialog_no_cell_shows_a_part_of_another_picture(image_file: str) -> None:
    terminal = KittyTerminal()
    draw = drawer(KITTY, terminal.write, first_id=0x05000001)
    blocks = [Picture(image_file, 30, rows) for rows in range(2, 12)]
    app = PageApp(Page(blocks, loader=draw))
    async with app.run_test(size=(60, 30)) as pilot:
        await workers_done(app)
        await pilot.pause()
        before = placeholders(app.strips())
        app.push_screen(Chooser("title", [Column("x", 5)], [("a",)]))
        await pilot.pause()
        after = placeholders(app.screen._compositor.render_strips())
        own = set(terminal.sent)
        wrong = [place for place, seen in after.items() if seen[0] in own and seen != before[place]]
        assert not wrong


# Sixel


def decoded(data: str) -> dict[tuple[int, int], tuple[int, int, int]]:
    """The pixels that a sixel sequence sets, with colours in percent."""
    body = re.fullmatch(r"\x1bP0;1;0q\"1;1;(\d+);(\d+)(.*)\x1b\\", data, re.DOTALL)
    assert body is not None
    width, height = int(body[1]), int(body[2])
    palette: dict[int, tuple[int, int, int]] = {}
    pixels: dict[tuple[int, int], tuple[int, int, int]] = {}
    colour, x, top = 0, 0, 0
    token = re.compile(r"#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|(\$)|(-)")
    at = 0
    while at < len(body[3]):
        found = token.match(body[3], at)
        assert found is not None, body[3][at : at + 20]
        at = found.end()
        define, red, green, blue, use, count, repeated, single, back, down = found.groups()
        if define:
            palette[int(define)] = (int(red), int(green), int(blue))
        elif use:
            colour = int(use)
        elif back or down:
            x, top = 0, top + (6 if down else 0)
        else:
            bits, run = ord(repeated or single) - 63, int(count or 1)
            rows = [top + row for row in range(6) if bits >> row & 1]
            for place in [(x + right, row) for right in range(run) for row in rows]:
                assert place[0] < width
                assert place[1] < height
                assert place not in pixels
                pixels[place] = palette[colour]
            x += run
    return pixels


@pytest.mark.parametrize("size", [(1, 1), (20, 13), (7, 6), (300, 31)])
def test_sixel_can_be_decoded_to_the_same_pixels(size: tuple[int, int]) -> None:
    colours = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)]
    image = Image.new("RGB", size)
    image.putdata([colours[(x // 3 + y) % 5] for y in range(size[1]) for x in range(size[0])])
    pixels = decoded(encode(image))
    assert len(pixels) == size[0] * size[1]
    for place, colour in pixels.items():
        value = image.getpixel(place)
        assert isinstance(value, tuple)
        assert colour == tuple(part * 100 // 255 for part in value)


def test_a_terminal_with_few_colours_gets_few(image_file: str) -> None:
    noise = Image.effect_noise((120, 60), 90).convert("RGB")
    assert len(set(decoded(encode(noise, 16)).values())) <= 16


def test_a_sixel_picture_covers_the_cells_of_its_half_blocks(image_file: str) -> None:
    picture = drawer(SIXEL).sixel(image_file, 41, 30)
    assert picture is not None
    pixels = decoded(picture.data)
    assert len(pixels) == 41 * 10 * 14 * 20
    assert (picture.under[0].cell_length, len(picture.under)) == (41, 14)


def test_sixel_stays_within_what_the_terminal_takes(image_file: str) -> None:
    choice = Choice(Protocol.SIXEL, "test", sixel_size=(200, 100))
    picture = drawer(choice).sixel(image_file, 60, 30)
    assert picture is not None
    xs, ys = zip(*decoded(picture.data), strict=True)
    assert max(xs) < 200
    assert max(ys) < 100


def test_pages_of_a_sixel_terminal_get_half_blocks(image_file: str) -> None:
    written: list[str] = []
    drawn = drawer(SIXEL, written.append)(image_file, 30, 12)
    assert not isinstance(drawn, str)
    assert {segment.text[0] for strip in drawn for segment in strip} == {"▀"}
    assert not written
    assert drawer(HALF).sixel(image_file, 30, 12) is None
    assert drawer(KITTY).sixel(image_file, 30, 12) is None


# What goes wrong, and what is kept


@pytest.mark.parametrize("choice", [HALF, KITTY, SIXEL])
def test_what_is_no_picture_is_said_and_nothing_is_written(choice: Choice, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    text = tmp_path / "text.png"
    text.write_text("no picture")
    bomb = tmp_path / "bomb.png"
    Image.new("1", (20_000, 20_000)).save(bomb)
    large = tmp_path / "large.png"
    Image.new("1", (7_500, 7_000)).save(large)
    written: list[str] = []
    draw = drawer(choice, written.append)
    for file, part in (
        (broken, "no image of a known kind|damaged"),
        (text, "no image of a known kind"),
        (bomb, "too many pixels; up to 50 million"),
        (large, "7500×7000 pixels; up to 50 million"),
        (tmp_path / "none.png", "does not exist"),
    ):
        said = draw(str(file), 30, 12)
        assert isinstance(said, str)
        assert re.search(part, said), said
        assert draw.label(str(file)) == ""
        assert draw.sixel(str(file), 30, 12) is None
    assert not written


def test_pictures_that_are_off_are_not_even_read() -> None:
    said = drawer(Choice(Protocol.OFF, "--images off"))("/nonexistent/a.png", 30, 12)
    assert said == "Pictures are off: --images off."


def test_a_picture_is_drawn_once_until_its_file_or_the_background_changes(
    image_file: str,
) -> None:
    draw = drawer(HALF)
    first = draw(image_file, 30, 12)
    assert draw(image_file, 30, 12) is first
    assert draw.label(image_file) == "600×400 PNG"
    draw.background = "#ffffff"
    assert draw(image_file, 30, 12) is not first
    Image.new("RGB", (50, 50)).save(image_file)
    os.utime(image_file, ns=(1, 1))
    assert len(draw(image_file, 30, 12)) == 12
    assert draw.label(image_file) == "50×50 PNG"


async def test_without_24_bit_colours_kitty_pictures_become_half_blocks() -> None:
    app: App[None] = App()
    async with app.run_test():
        app.console._color_system = None
        assert drawer_of(app, KITTY, "#121212").choice.protocol is Protocol.HALF


# Zoom


def items(image_file: str) -> list[ZoomItem]:
    captions = {"brief": "a red corner", "detailed": "a red corner on blue " * 9, "empty": ""}
    return [
        ZoomItem("D02-001", image_file, captions=captions),
        ZoomItem.of(picture("D02-002", brief="lost"), "B"),
        ZoomItem("hostile \x1b]0;owned\x07[red]x[/red]", image_file),
    ]


async def test_the_zoom_shows_a_picture_and_what_is_known_about_it(image_file: str) -> None:
    async with opened(size=(100, 30)) as (app, pilot):
        draw = drawer_of(app, HALF, app.palette.background)
        await app.push_screen(ZoomScreen(items(image_file), draw, variant="detailed"))
        await settled(app, pilot)
        lines = screen_text(app).splitlines()
        assert sum("▀" in line for line in lines) >= 24
        assert lines[-5].strip() == "D02-001  600×400 PNG · present · 1 of 3"
        assert lines[-4].strip().startswith("detailed  a red corner on blue")
        assert lines[-4].endswith("…")
        assert lines[-3].strip() == "brief  a red corner"
        assert "close" in lines[-1]
        await press(app, pilot, "right_square_bracket")
        text = screen_text(app)
        assert "B D02-002  ∅ missing · 2 of 3" in text
        assert "No picture: missing" in text
        assert "▀" not in text
        await press(app, pilot, "o")
        assert "There is no file to open." in screen_text(app)
        await press(app, pilot, "right_square_bracket", "right_square_bracket")
        text = screen_text(app)
        assert "[red]x[/red]" in text
        assert "\x1b" not in text
        assert "This is the last picture." in text
        await press(app, pilot, "left_square_bracket", "left_square_bracket")
        assert "1 of 3" in screen_text(app)


@pytest.mark.parametrize("key", ["escape", "z", "q"])
async def test_the_zoom_closes(key: str, image_file: str) -> None:
    async with opened() as (app, pilot):
        before = app.screen
        await app.push_screen(ZoomScreen(items(image_file)[:1], drawer(HALF)))
        await press(app, pilot, key)
        assert app.screen is before


async def test_the_zoom_hides_captions_and_says_what_opening_outside_did(
    image_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_files: list[Path] = []

    def pretend(path: Path) -> str:
        opened_files.append(path)
        return "xdg-open has taken picture.png over."

    monkeypatch.setattr("mnemoscope.tui.screens.zoom.open_outside", pretend)
    async with opened(size=(80, 24)) as (app, pilot):
        await app.push_screen(ZoomScreen(items(image_file), drawer(HALF), captions=False))
        await settled(app, pilot)
        assert "red corner" not in screen_text(app)
        await press(app, pilot, "o")
        assert "xdg-open has taken picture.png over." in screen_text(app)
        assert opened_files == [Path(image_file)]
        # What stands in the last line can be clicked.
        await press(app, pilot, "right_square_bracket", "left_square_bracket")
        line = screen_text(app).splitlines()[23]
        await pilot.click(offset=(line.index("next"), 23))
        await settled(app, pilot)
        assert "2 of 3" in screen_text(app)


async def test_a_sixel_picture_is_painted_where_its_half_blocks_are(image_file: str) -> None:
    written: list[str] = []
    async with opened(size=(80, 24)) as (app, pilot):
        draw = drawer(SIXEL, written.append)
        await app.push_screen(ZoomScreen(items(image_file), draw))
        await settled(app, pilot)
        await pilot.pause()
        place = re.match(r"\x1b7\x1b\[(\d+);(\d+)H\x1bP0;1;0q\"1;1;(\d+);(\d+)", written[-1])
        assert place is not None
        assert written[-1].endswith("\x1b\\\x1b8")
        row, column, width, height = map(int, place.groups())
        cells = {
            (x, y)
            for y, line in enumerate(screen_text(app).splitlines())
            for x, char in enumerate(line)
            if char == "▀"
        }
        assert min(cells) == (column - 1, row - 1)
        assert max(cells) == (column - 2 + width // 10, row - 2 + height // 20)
        # Under a notification or another screen nothing is painted.
        view = app.screen.query_one(PictureView)
        app.push_screen(Chooser("title", [Column("x", 5)], [("a",)]))
        await pilot.pause()
        count = len(written)
        view.refresh()
        await pilot.pause()
        assert len(written) == count
        await press(app, pilot, "escape")
        await pilot.pause()
        assert len(written) > count
        written.clear()
        await press(app, pilot, "right_square_bracket")
        await pilot.pause()
        assert not written


async def test_the_zoom_draws_anew_when_the_window_changes(image_file: str) -> None:
    async with opened(size=(120, 36)) as (app, pilot):
        await app.push_screen(ZoomScreen(items(image_file), drawer(HALF)))
        await settled(app, pilot)
        wide = max(line.count("▀") for line in screen_text(app).splitlines())
        await pilot.resize_terminal(60, 15)
        await settled(app, pilot)
        narrow = max(line.count("▀") for line in screen_text(app).splitlines())
        assert narrow < wide <= 120


# Opening outside


def script(folder: Path, body: str) -> Callable[[str], str]:
    file = folder / "opener"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return lambda name: str(file)


def test_outside_says_what_was_really_done(image_file: str, tmp_path: Path) -> None:
    environ = {"DISPLAY": ":0"}
    path = Path(image_file)

    def tried(body: str) -> str:
        which = script(tmp_path, body)
        return outside.open_outside(
            path, environ=environ, platform="linux", which=which, patience=0.5
        )

    log = tmp_path / "log"
    said = tried(f'echo "$#:$1" > {log}')
    assert said == "xdg-open has taken picture.png over."
    assert log.read_text() == f"1:{path.resolve()}\n"
    said = tried("echo 'no application \x1b[31mknown' >&2; exit 3")
    assert said == (f"xdg-open failed with 3: no application known. The file: {path.resolve()}")
    assert tried("sleep 0.8") == "xdg-open was started with picture.png; it is still running."


@pytest.mark.parametrize(
    ("environ", "platform", "part"),
    [
        ({"DISPLAY": ":0", "SSH_CONNECTION": "1"}, "linux", "this is an SSH session"),
        ({}, "linux", "there is no display"),
        ({"WAYLAND_DISPLAY": "w"}, "linux", "xdg-open is not installed"),
        ({}, "darwin", "open is not installed"),
    ],
)
def test_outside_gives_the_path_where_nothing_can_be_opened(
    image_file: str, environ: dict[str, str], platform: str, part: str
) -> None:
    said = outside.open_outside(
        Path(image_file), environ=environ, platform=platform, which=lambda _: None
    )
    assert said.startswith("Nothing was opened: ")
    assert part in said
    assert said.endswith(str(Path(image_file).resolve()))


def test_outside_starts_nothing_but_pictures_and_sounds(tmp_path: Path) -> None:
    program = tmp_path / "a.desktop"
    program.touch()
    (tmp_path / "link.png").symlink_to(program)
    (tmp_path / "folder.png").mkdir()
    for name in ("a.desktop", "link.png", "folder.png"):
        said = outside.open_outside(
            tmp_path / name,
            environ={"DISPLAY": ":0"},
            platform="linux",
            which=script(tmp_path, "exit 0"),
        )
        assert said.startswith("Only pictures and sounds are opened")
    assert "no such file" in outside.open_outside(tmp_path / "none.png", environ={})


# Gallery


def options(folder: Path, count: int = 4) -> list[Option]:
    made = []
    for index in range(count):
        file = folder / f"{index}.png"
        Image.new("RGB", (200, 100 + 100 * index), "#336699").save(file)
        image = picture(f"img-{index}", brief=f"caption {index} " * 12)
        present = type(image)(
            image.kind, image.id, file.name, image.captions, AttachmentState.PRESENT, str(file)
        )
        made.append(Option("ABCDEFGH"[index], attachment=present))
    return made


async def shown(page: Page, width: int) -> list[str]:
    app = PageApp(page)
    async with app.run_test(size=(width, 60)) as pilot:
        await workers_done(app)
        await pilot.pause()
        return [strip.text.rstrip() for strip in app.strips()]


def runs_of_blocks(line: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer("▀+", line)]


@pytest.mark.parametrize(("width", "across"), [(20, 1), (40, 2), (79, 2), (80, 4), (120, 4)])
async def test_options_lie_side_by_side_where_the_width_allows(
    tmp_path: Path, width: int, across: int
) -> None:
    look = DialogueLook(palette=DARK, picture_rows=6)
    blocks = list(gallery_blocks(options(tmp_path), "C", look))
    lines = await shown(Page(blocks, loader=drawer(HALF)), width)
    assert max(len(runs_of_blocks(line)) for line in lines) == across
    labels = [line for line in lines if re.search(r"(^|\s)[ABCD]( gold|\s|$)", line)]
    assert len(labels) == 4 // across
    assert sum("◆ C gold" in line for line in lines) == 1
    for letter, row in zip("ABCD", [0, 1, 2, 3], strict=True):
        line = labels[row // across]
        at = re.search(rf"{letter}( gold|\s|$)", line)
        assert at is not None
        assert all(len(one) <= width for one in lines)
    # Every caption is cut to three lines and ends in a sign that more follows.
    assert sum(line.count("…") for line in lines) == 4
    assert not any("loading" in line for line in lines)


async def test_a_gallery_hides_gold_and_captions_and_says_what_is_missing(tmp_path: Path) -> None:
    made = options(tmp_path, 2)
    made.append(Option("C", attachment=picture("img-2", brief="secret")))
    made.append(Option("D", "only text"))
    look = DialogueLook(palette=DARK, picture_rows=6, captions=False)
    lines = await shown(Page(list(gallery_blocks(made, None, look)), loader=drawer(HALF)), 120)
    text = "\n".join(lines)
    assert "gold" not in text
    assert "caption" not in text
    assert "secret" not in text
    assert "∅ image missing" in text
    assert "only text" in text
    assert "no picture" in text
    assert has_pictures(made)
    assert not has_pictures(made[3:])


async def test_a_gallery_is_drawn_anew_in_another_width(tmp_path: Path) -> None:
    look = DialogueLook(palette=DARK, picture_rows=30)
    terminal = KittyTerminal()
    page = Page(
        list(gallery_blocks(options(tmp_path, 4), "A", look)), loader=drawer(KITTY, terminal.write)
    )
    app = PageApp(page)
    async with app.run_test(size=(120, 60)) as pilot:
        await workers_done(app)
        await pilot.pause()
        assert len(terminal.sent) == 4
        assert {seen[0] for seen in placeholders(app.strips()).values()} == set(terminal.sent)
        await pilot.resize_terminal(50, 60)
        await pilot.pause()
        await workers_done(app)
        await pilot.pause()
        assert len(terminal.sent) == 8
        seen = {seen[0] for seen in placeholders(app.strips()).values()}
        assert seen
        assert seen <= set(terminal.sent[4:])


# In a real terminal

# The app as it is to be wired: asks, draws with what was chosen, shows the zoom.
WIRED = """
import sys
from mnemoscope.tui.images.start import asking
from mnemoscope.tui.sample import sample_folder, sample_request
with asking(sys.argv[1], sample_request()) as settle:
    from mnemoscope.tui.app import MnemoscopeApp
    from mnemoscope.tui.images.drawer import drawer_of
    from mnemoscope.tui.screens.zoom import ZoomItem, ZoomScreen
    choice = settle()
class App(MnemoscopeApp):
    CSS_PATH = []
    def on_ready(self):
        self.drawer = drawer_of(self, choice, "#121212")
        file = next(sample_folder().rglob("*.png"))
        self.push_screen(ZoomScreen([ZoomItem("the picture", str(file))], self.drawer))
    def exit(self, *a, **k):
        self.drawer.close()
        super().exit(*a, **k)
App(None).run()
"""
GRAPHICS = re.compile(rb"\x1b_G|\x1bP[0-9;]*q|\x1bPtmux|\x1b\[\?[12];[14];0S")


@pytest.fixture
def wired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tests.terminal, "COMMAND", (sys.executable, "-P", "-c", WIRED))


@pytest.mark.parametrize("setting", ["off", "half"])
def test_without_a_protocol_nothing_of_one_is_written(wired: None, setting: str) -> None:
    with running(setting) as terminal:
        terminal.wait_for("the picture")
        terminal.wait_for("▀▀▀" if setting == "half" else "Pictures are off: --images off.")
        terminal.press("z\x11")
        assert terminal.wait_for_end() == 0
        assert not GRAPHICS.search(terminal.written)
        assert b"\x1b[>q" not in terminal.written.partition(b"\x1b[?1049h")[0]


def test_a_kitty_that_answers_gets_the_picture_once_and_is_told_to_forget_it(
    wired: None,
) -> None:
    with running("auto") as terminal:
        while NAME_QUERY.encode() not in terminal.written:
            terminal.pump(0.05)
        terminal.press("\x1bP>|kitty(0.35.2)\x1b\\\x1b[?62;c")
        while KITTY_QUERY.encode() not in terminal.written:
            terminal.pump(0.05)
        terminal.press("\x1b_Gi=31;OK\x1b\\\x1b[?62;c")
        while "\U0010eeee".encode() not in terminal.written:
            terminal.pump(0.05)
        terminal.pump(0.5)
        terminal.press("\x11")
        assert terminal.wait_for_end() == 0
        inside = terminal.written.partition(b"\x1b[?1049h")[2].partition(b"\x1b[?1049l")[0]
        assert inside.count(b"a=T,U=1") == 1
        assert inside.count(b"a=d,d=I") == 1
        assert b"\x1b_G" not in terminal.written.rpartition(b"\x1b[?1049l")[2]


@pytest.mark.skipif(
    all(one.name != "images" for one in demo.command.params), reason="no --images flag yet"
)
@pytest.mark.parametrize("setting", ["off", "half"])
def test_the_flag_keeps_protocols_away(setting: str) -> None:
    with running("demo", "--images", setting) as terminal:
        terminal.wait_for("2 histories")
        terminal.press("H}")
        terminal.wait_for("D01")
        terminal.press("\x11")
        assert terminal.wait_for_end() == 0
        assert not GRAPHICS.search(terminal.written)
        assert b"\x1b[>q" not in terminal.written.partition(b"\x1b[?1049h")[0]
        assert sample_folder().is_dir()
