from collections.abc import Sequence

import pytest
from rich.text import Text
from textual.app import ComposeResult
from textual.events import MouseScrollDown

from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.styles import DARK, MARKS
from mnemoscope.viewers.themes import ThemedApp
from mnemoscope.viewers.virtual_list import NO_ROW, RowSource, VirtualList

COLUMNS = (
    Column("history", 8, middle=True, dim=True),
    Column("question", 12, flex=1),
    Column("A", 9, priority=1),
    Column("k", 4, align="right", priority=2),
)


class Rows:
    """Rows made up when asked for, which counts the asking."""

    columns: Sequence[Column] = COLUMNS

    def __init__(self, row_count: int, text: str = "哪张图片是该用户的杂志？") -> None:
        self.row_count = row_count
        self.text = text
        self.asked: list[int] = []

    def cells(self, row: int) -> Sequence[Text | str]:
        self.asked.append(row)
        mark = MARKS["right" if row % 2 else "wrong"]
        return (f"p{row}", self.text, mark.label(DARK), str(row % 10))


class ListApp(ThemedApp[None]):
    def __init__(self, source: RowSource, start: int = 0) -> None:
        super().__init__()
        self.list = VirtualList(source, start=start, empty_text="No question matches. esc clears.")
        self.highlighted: list[int] = []
        self.opened: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.list

    def on_virtual_list_highlighted(self, event: VirtualList.Highlighted) -> None:
        self.highlighted.append(event.row)

    def on_virtual_list_opened(self, event: VirtualList.Opened) -> None:
        self.opened.append(event.row)

    def screen_lines(self) -> list[str]:
        width = self.list.scrollable_size.width
        lines = [self.list.render_line(y) for y in range(self.list.size.height)]
        assert {line.cell_length for line in lines} == {width}
        return [line.text.rstrip() for line in lines]


async def test_a_hundred_thousand_rows_cost_no_more_than_those_in_view() -> None:
    rows = Rows(100_000)
    app = ListApp(rows)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert set(rows.asked) <= set(range(20))
        assert len(rows.asked) <= 2 * 20
        rows.asked.clear()
        await pilot.press("G", "k", "g", "end", "pageup")
        await pilot.pause()
        assert app.list.cursor == 99_999 - 19
        assert len(rows.asked) <= 4 * 20


async def test_moving_within_the_view_asks_for_no_row_again() -> None:
    rows = Rows(100_000)
    app = ListApp(rows)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        rows.asked.clear()
        await pilot.press("j", "j", "down", "k")
        assert app.list.cursor == 2
        assert rows.asked == []


async def test_every_movement_has_its_keys() -> None:
    app = ListApp(Rows(1000))
    page = 19
    async with app.run_test(size=(60, page + 1)) as pilot:
        for key, row in [
            ("up", 0), ("down", 1), ("j", 2), ("k", 1), ("pagedown", page + 1),
            ("ctrl+d", page + 1 + page // 2), ("ctrl+u", page + 1), ("pageup", 1), ("end", 999),
            ("home", 0), ("G", 999), ("j", 999), ("g", 0),
        ]:  # fmt: skip
            await pilot.press(key)
            assert app.list.cursor == row, key
            top = app.list.scroll_offset.y
            assert top <= row < top + page
        await pilot.press("enter")
        assert app.opened == [0]
        assert app.highlighted[:3] == [0, 1, 2]
        assert len(app.highlighted) == 12


async def test_the_header_stays_and_the_cursor_row_is_pointed_at() -> None:
    app = ListApp(Rows(1000))
    async with app.run_test(size=(60, 6)) as pilot:
        await pilot.press("G")
        header, *lines = app.screen_lines()
        assert header.split() == ["history", "question", "A", "k"]
        assert [line[:6].strip() for line in lines] == ["p995", "p996", "p997", "p998", "▌ p999"]
        assert "✓ right" in lines[-1]


async def test_rows_have_the_styles_of_the_theme() -> None:
    app = ListApp(Rows(3))
    async with app.run_test(size=(60, 6)) as pilot:
        await pilot.pause()
        strips = app.list.render_line(1), app.list.render_line(2)
        grounds = [
            {s.style.bgcolor.name for s in strip if s.style and s.style.bgcolor} for strip in strips
        ]
        assert grounds == [{DARK.cursor_row}, {DARK.background}]
        colours = {
            s.text.strip(): s.style.color.name for s in strips[1] if s.style and s.style.color
        }
        assert colours["✓ right"] == DARK.right
        assert colours["p1"] == DARK.dim


async def test_text_from_data_is_drawn_plain_and_cut_between_glyphs() -> None:
    app = ListApp(Rows(3, "[red]哪张\x1b[2J图\n片是👩‍👩‍👧的"))
    async with app.run_test(size=(48, 6)) as pilot:
        await pilot.pause()
        assert "[red]哪张图 片是👩‍👩‍👧…" in app.screen_lines()[1]


async def test_columns_drop_out_when_the_terminal_becomes_narrow() -> None:
    app = ListApp(Rows(50))
    async with app.run_test(size=(60, 6)) as pilot:
        assert app.screen_lines()[0].split() == ["history", "question", "A", "k"]
        await pilot.resize_terminal(38, 6)
        assert app.screen_lines()[0].split() == ["history", "question", "A"]
        await pilot.resize_terminal(26, 6)
        assert app.screen_lines()[0].split() == ["history", "question"]
        await pilot.resize_terminal(12, 3)
        app.screen_lines()


async def test_the_cursor_stays_in_view_when_the_terminal_shrinks() -> None:
    app = ListApp(Rows(50))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("pagedown")
        await pilot.resize_terminal(60, 5)
        await pilot.pause()
        assert any(line.startswith("▌ p19") for line in app.screen_lines())


async def test_a_click_selects_and_a_second_click_opens() -> None:
    app = ListApp(Rows(100))
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.click(app.list, offset=(5, 1))
        assert (app.list.cursor, app.opened) == (0, [])
        await pilot.click(app.list, offset=(5, 4))
        assert (app.list.cursor, app.opened) == (3, [])
        await pilot.click(app.list, offset=(5, 4))
        assert app.opened == [3]
        await pilot.click(app.list, offset=(5, 0))
        assert (app.list.cursor, app.opened) == (3, [3])
        await pilot.double_click(app.list, offset=(5, 6))
        assert app.opened == [3, 5]


async def test_a_click_below_the_last_row_does_nothing() -> None:
    app = ListApp(Rows(2))
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.click(app.list, offset=(5, 8))
        assert (app.list.cursor, app.opened) == (0, [])


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    app = ListApp(Rows(100))
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.pause()
        await pilot._post_mouse_events([MouseScrollDown], widget=app.list)
        await pilot.pause(0.3)
        assert app.list.scroll_offset.y > 0
        assert app.list.cursor == 0


async def test_an_empty_list_says_so_and_has_no_cursor() -> None:
    app = ListApp(Rows(0))
    async with app.run_test(size=(30, 8)) as pilot:
        await pilot.press("j", "G", "enter", "pageup")
        assert app.list.cursor == NO_ROW
        assert (app.highlighted, app.opened) == ([], [])
        assert [line.strip() for line in app.screen_lines()[2:4]] == [
            "No question matches. esc",
            "clears.",
        ]


async def test_a_new_source_starts_at_its_top() -> None:
    app = ListApp(Rows(1000))
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("G")
        app.list.set_source(Rows(50))
        await pilot.pause()
        assert (app.list.cursor, app.list.scroll_offset.y) == (0, 0)
        app.list.set_source(Rows(0))
        assert app.list.cursor == NO_ROW
        app.list.set_source(Rows(5))
        await pilot.pause()
        assert app.list.cursor == 0
        assert app.highlighted == [0, 999, 0, 0]


async def test_a_kept_row_stays_on_its_line_of_the_screen() -> None:
    app = ListApp(Rows(1000), start=500)
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("k", "k", "k")
        line = app.list.cursor - app.list.scroll_offset.y
        app.list.set_source(Rows(400), keep=123)
        await pilot.pause()
        assert app.list.cursor == 123
        assert app.list.cursor - app.list.scroll_offset.y == line
        app.list.set_source(Rows(100), keep=99)
        await pilot.pause()
        assert app.screen_lines()[-1].startswith("▌ p99") or line < 8
        assert app.highlighted == [500, 499, 498, 497, 123, 99]


async def test_a_list_can_start_on_any_row() -> None:
    app = ListApp(Rows(100_000), start=77_777)
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.pause()
        assert any(line.startswith("▌ p77777") for line in app.screen_lines())
        app.list.scroll_to_row(50, center=True)
        assert app.list.scroll_offset.y == 46
        assert app.list.cursor == 77_777


async def test_reloading_asks_again_and_clamps_the_cursor() -> None:
    rows = Rows(100)
    app = ListApp(rows, start=99)
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.pause()
        rows.row_count, rows.text = 40, "new"
        app.list.reload()
        await pilot.pause()
        assert app.list.cursor == 39
        assert "new" in app.screen_lines()[-1]


@pytest.mark.parametrize("theme", ["mnemoscope-light", "textual-dark", "ansi-dark"])
async def test_a_change_of_theme_redraws_the_list(theme: str) -> None:
    app = ListApp(Rows(100))
    async with app.run_test(size=(60, 10)) as pilot:
        before = app.list.render_line(2)
        app.theme = theme
        await pilot.pause()
        assert list(app.list.render_line(2)) != list(before)


async def test_a_registry_can_bind_other_keys_by_id() -> None:
    app = ListApp(Rows(100))
    async with app.run_test(size=(60, 10)) as pilot:
        app.set_keymap({"list.down": "s"})
        await pilot.press("s", "j")
        assert app.list.cursor == 1
