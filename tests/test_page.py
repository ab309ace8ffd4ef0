"""The page: blocks laid out, a cursor over what leads somewhere, places kept."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.strip import Strip

from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import (
    Block,
    Paragraph,
    Picture,
    PictureCell,
    PictureRow,
    lay_out,
    wrapped,
)
from mnemoscope.viewers.styles import DARK
from mnemoscope.viewers.tables import Row, table
from mnemoscope.viewers.themes import ThemedApp
from tests.app_driver import workers_done

ROOT = Path(__file__).parents[1]


def blocks(count: int = 30, lines: int = 3) -> list[Block]:
    return [
        Paragraph(Text("\n".join(f"part {n} line {i}" for i in range(lines))), target=n)
        for n in range(count)
    ]


class PageApp(ThemedApp[None]):
    CSS = "Page { width: 1fr; } .hidden { display: none; }"

    def __init__(self, shown: Sequence[Block], *, hidden: bool = False) -> None:
        super().__init__()
        self._shown = shown
        self._hidden = hidden
        self.seen: list[object] = []
        self.opened: list[object] = []

    def compose(self) -> ComposeResult:
        with Horizontal():
            page = Page(self._shown, loader=self.draw, id="page")
            page.set_class(self._hidden, "hidden")
            yield page

    def draw(self, file: str, columns: int, rows: int) -> Sequence[Strip] | str:
        if file == "broken":
            return "The image is damaged."
        return [Strip([Segment("#" * columns)], columns)] * rows

    def on_page_highlighted(self, message: Page.Highlighted) -> None:
        self.seen.append(message.target)

    def on_page_opened(self, message: Page.Opened) -> None:
        self.opened.append(message.target)


def lines_of(app: PageApp) -> list[str]:
    page = app.query_one(Page)
    return [page.render_line(y).text.rstrip() for y in range(page.size.height)]


async def test_the_cursor_moves_from_part_to_part_and_opens_one() -> None:
    app = PageApp(blocks())
    async with app.run_test(size=(40, 10)) as pilot:
        app.query_one(Page).focus()
        await pilot.press("down", "j", "k", "enter")
        assert app.seen == [1, 2, 1]
        assert app.opened == [1]
        await pilot.press("end")
        assert app.query_one(Page).target == 29
        assert "part 29 line 2" in "\n".join(lines_of(app))
        await pilot.press("home")
        assert lines_of(app)[0] == "▌ part 0 line 0"


async def test_a_part_taller_than_the_page_is_read_to_its_end_first() -> None:
    app = PageApp(blocks(2, 25))
    async with app.run_test(size=(40, 10)) as pilot:
        page = app.query_one(Page)
        page.focus()
        seen = set(lines_of(app))
        while page.target == 0:
            await pilot.press("down")
            seen |= set(lines_of(app))
        assert {f"▌ part 0 line {i}" for i in range(25)} <= seen


async def test_a_page_that_was_hidden_opens_at_its_top_or_at_what_was_wanted() -> None:
    app = PageApp(blocks(), hidden=True)
    async with app.run_test(size=(40, 10)) as pilot:
        page = app.query_one(Page)
        page.remove_class("hidden")
        await pilot.pause()
        assert lines_of(app)[0] == "▌ part 0 line 0"
        page.add_class("hidden")
        await pilot.pause()
        page.set_blocks(blocks())
        assert page.move_to(20)
        page.remove_class("hidden")
        await pilot.pause()
        assert page.target == 20
        assert "▌ part 20 line 0" in lines_of(app)


async def test_pictures_of_a_hidden_page_are_drawn_when_it_is_shown() -> None:
    app = PageApp([Picture("fine", 6, 2, target="p"), Picture("broken", 6, 2)], hidden=True)
    async with app.run_test(size=(40, 10)) as pilot:
        page = app.query_one(Page)
        assert not page.size.width
        page.remove_class("hidden")
        await pilot.pause()
        await workers_done(app)
        await pilot.pause()
        assert lines_of(app)[:3] == ["▌ ######", "▌ ######", "  The image is damaged."]


async def test_redrawing_keeps_place_and_cursor_when_asked_to() -> None:
    app = PageApp(blocks())
    async with app.run_test(size=(40, 10)) as pilot:
        page = app.query_one(Page)
        page.move_to(12)
        await pilot.pause()
        before = lines_of(app)
        page.set_blocks(blocks(), keep=True)
        await pilot.pause()
        assert lines_of(app) == before
        page.set_blocks(blocks())
        await pilot.pause()
        assert lines_of(app)[0] == "▌ part 0 line 0"


async def test_resizing_keeps_the_cursor_in_view() -> None:
    app = PageApp(blocks())
    async with app.run_test(size=(40, 10)) as pilot:
        page = app.query_one(Page)
        page.move_to(12)
        for size in ((20, 10), (11, 6), (60, 20), (40, 10)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert page.target == 12
            assert any(line.startswith("▌") for line in lines_of(app))


async def test_a_line_with_a_text_is_brought_into_view() -> None:
    app = PageApp(blocks(3, 40))
    async with app.run_test(size=(40, 10)) as pilot:
        page = app.query_one(Page)
        page.move_to(1)
        page.reveal(re.compile("PART 1 LINE 33", re.IGNORECASE))
        await pilot.pause()
        assert "▌ part 1 line 33" in lines_of(app)


async def test_a_part_is_chosen_by_click_and_opened_by_a_second_one() -> None:
    app = PageApp(blocks())
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.click("#page", offset=(5, 7))
        assert app.query_one(Page).target == 2
        await pilot.pause(0.6)
        await pilot.click("#page", offset=(5, 7))
        assert app.opened == [2]


WIDE_TEXT = st.text(
    alphabet=st.sampled_from("ab cé漢字、。👩‍👩‍👧🇩🇪\n[red]\u0301\u200d"), max_size=200
)


@given(WIDE_TEXT, st.integers(min_value=2, max_value=40))
def test_no_line_of_a_paragraph_is_wider_than_asked(text: str, width: int) -> None:
    for line in wrapped(Paragraph(Text(text)), width):
        assert cell_len(line.plain) <= max(width, 2)


@given(WIDE_TEXT, st.integers(min_value=2, max_value=40))
def test_wrapping_loses_nothing_but_white_space(text: str, width: int) -> None:
    from mnemoscope.core.text import clean

    joined = "".join(line.plain for line in wrapped(Paragraph(Text(text)), width))
    assert "".join(joined.split()) == "".join(clean(text).split())


def test_neighbours_with_one_target_are_one_stop() -> None:
    shown = [Paragraph(Text("a"), target=1), Paragraph(Text("b"), target=1), Paragraph(Text("c"))]
    _, stops = lay_out(shown, 20, lambda block, width: [])
    assert [(stop.target, stop.first, stop.last) for stop in stops] == [(1, 0, 1)]


def cells_of(paragraphs: Iterator[Paragraph]) -> list[str]:
    return [paragraph.text.plain for paragraph in paragraphs]


@pytest.mark.parametrize("width", [20, 30, 60, 200])
def test_a_table_shows_every_figure_at_every_width(width: int) -> None:
    headers = ["run", *(f"col{n}" for n in range(9))]
    rows = [Row([f"run {r}", *(f"{r}{n:03}" for n in range(9))], target=r) for r in range(3)]
    lines = cells_of(table(headers, rows, DARK, width=width))
    text = "\n".join(lines)
    assert all(f"{r}{n:03}" in text for r in range(3) for n in range(9))
    assert all(cell_len(line) <= width for line in lines)


def test_workers_never_describe_their_arguments() -> None:
    """Textual describes a worker that says nothing, or "", by the repr of what it is called with:
    that may be a whole release, and takes seconds.
    """
    for file in [*(ROOT / "tui").rglob("*.py"), *(ROOT / "viewers").rglob("*.py")]:
        for call in re.findall(r"@work\([^)]*\)", file.read_text(encoding="utf-8")):
            assert re.search(r'description="[^"]', call), f"{file}: {call}"


async def test_pictures_side_by_side_are_all_drawn_when_they_just_do_not_fit() -> None:
    # Their width depends on the scrollbar, and whether there is one on how high they are.
    cells = tuple(PictureCell(Text(f"label {n}"), Text(), f"file {n}") for n in range(4))
    app = PageApp([Paragraph(Text("four pictures")), PictureRow(cells, 14)])
    async with app.run_test(size=(50, 24)) as pilot:
        for _ in range(10):
            await pilot.pause()
            await workers_done(app)
        page = app.query_one(Page)
        assert page.virtual_size.height > 24
        drawn = "\n".join(page.render_line(y).text for y in range(24))
        assert drawn.count("#") > 400
        assert "loading" not in drawn


async def test_a_click_on_one_of_several_pictures_opens_its_own_target() -> None:
    cells = tuple(PictureCell(Text(f"label {n}"), Text(), f"file {n}", target=n) for n in range(4))
    app = PageApp([PictureRow(cells, 5)])
    async with app.run_test(size=(50, 24)) as pilot:
        await workers_done(app)
        await pilot.pause()
        for x, y in ((4, 1), (40, 1), (4, 9), (40, 9), (40, 20)):
            await pilot.click(Page, offset=(x, y))
        assert app.opened == [0, 1, 2, 3]
