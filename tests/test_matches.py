"""What a filter or a search has found, marked: where, how, and the way from match to match."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters import parse, search_pattern, searched_texts
from mnemoscope.core.opening import open_workspace
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import Config
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.viewers.cells import cell_width, clusters
from mnemoscope.viewers.filters import AsciiSigns
from mnemoscope.viewers.matches import excerpt, marked, match_spans
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph, PictureCell, PictureRow, lay_out
from mnemoscope.viewers.page_matches import MOST_MATCHES, PageMatches, with_current
from mnemoscope.viewers.styles import DARK, style
from tests.app_driver import SMALL, AppPilot, opened, press, screen_text, settled

MATCH, CURRENT = style("match", DARK), style("match_current", DARK)

# Wide characters, marks that stand on a letter, joined pictures, flags, and plain letters.
_GLYPHS = [
    "a",
    "B",
    " ",
    "茶",
    "的",
    "한",
    "ｶ",
    "e\u0301",
    "क\u093f",
    "👩\u200d👧",
    "🇨🇳",
    "ß",
    "\n",
]
texts = st.lists(st.sampled_from(_GLYPHS), max_size=30).map("".join)
needles = st.one_of(
    st.sampled_from(_GLYPHS), st.sampled_from(["\u0301", "e", "🇳", "👧", "क"]), texts
)


def words(*said: str) -> list[re.Pattern[str]]:
    return [search_pattern(one) for one in said]


def runs_in(text: Text, look: Style) -> list[str]:
    """The pieces of a text that are drawn in a look."""
    return [text.plain[span.start : span.end] for span in text.spans if span.style == look]


# Where matches are


@given(texts, st.lists(needles.filter(bool), min_size=1, max_size=3))
def test_marks_are_whole_glyphs_in_order_and_hold_every_match(text: str, said: list[str]) -> None:
    patterns = words(*said)
    spans = match_spans(text, patterns)
    edges = {0, len(text)}
    for line in re.finditer(r"[^\n]*", text):
        edges |= {line.start() + start for start, _, _ in clusters(line[0])}
        edges.add(line.end())
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert {edge for span in spans for edge in span} <= edges | {
        edge
        for one in patterns
        for found in one.finditer(text)
        for edge in found.span()
        if "\n" in found[0]
    }
    for pattern in patterns:
        for found in pattern.finditer(text):
            assert any(start <= found.start() and found.end() <= end for start, end in spans)


@given(texts, needles.filter(bool), st.integers(1, 12))
def test_marking_changes_no_character_and_no_cell(text: str, said: str, width: int) -> None:
    plain = Text(text)
    shown = marked(plain, words(said), DARK)
    assert shown.plain == text
    assert plain.spans == []
    lines, _ = lay_out([Paragraph(shown)], width, lambda picture, cells: [])
    unmarked, _ = lay_out([Paragraph(plain)], width, lambda picture, cells: [])
    assert [str(line.content) for line in lines] == [str(line.content) for line in unmarked]


@given(texts.map(lambda text: text.replace("\n", " ")), needles.filter(bool), st.integers(4, 20))
def test_an_excerpt_fits_and_shows_the_first_match(text: str, said: str, cells: int) -> None:
    patterns = words(said.replace("\n", " "))
    shown = excerpt(text, cells, patterns)
    assert cell_width(shown) <= cells
    assert shown == text or cell_width(text) > cells
    first = next(iter(match_spans(text, patterns)), None)
    if first is not None and cell_width(text[slice(*first)]) + cells // 4 + 2 <= cells:
        assert text[slice(*first)].strip() in shown


@pytest.mark.parametrize(
    ("text", "said", "found"),
    [
        ("Tea, TEA and tea", "tea", ["Tea", "TEA", "tea"]),
        ("cafe\u0301 cafe", "cafe", ["cafe\u0301", "cafe"]),
        ("cafe\u0301", "\u0301", ["e\u0301"]),
        ("绿茶和红茶", "茶", ["茶", "茶"]),
        ("🇨🇳🇫🇷", "🇳", ["🇨🇳"]),
        ("aaa", "a", ["a", "a", "a"]),
        ("aaa", "/x*/", []),
        ("Tea tea", "/tea/c", ["tea"]),
        ("a/b a/b", "/a\\/b/", ["a/b", "a/b"]),
        ("one\ntwo", "/one\\ntwo/", ["one\ntwo"]),
        ("x/y", "/x/y/", ["x/y"]),
        ("a /x/y", "/x/y", ["/x/y"]),
    ],
)
def test_matches_are_those_of_the_filter_language(text: str, said: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in match_spans(text, words(said))] == found


def test_a_regular_expression_that_is_none_is_explained() -> None:
    with pytest.raises(UsageError, match="column 1: not a regular expression"):
        search_pattern("/(/")


def test_labels_are_not_searched() -> None:
    line = Text("answer  the answer is tea")
    assert runs_in(marked(line, words("answer"), DARK, after=6), MATCH) == ["answer"]


def test_a_filter_marks_what_it_looks_for_and_not_what_must_not_be_there() -> None:
    found = parse('task:x /tea|cup/ "green pot" !/milk/ lamp').words
    assert [one.pattern for one in found] == ["tea|cup", "green\\ pot", "lamp"]


def test_the_texts_of_a_question_are_those_that_the_filter_searches() -> None:
    workspace = open_workspace(sample_request())
    for said in ("用户", "/tea|kettle/", "/^[A-D]$/", "D0", "窗"):
        pattern = search_pattern(said)
        selected = set(parse(said).select(workspace))
        for key, question in workspace.release.questions.items():
            found = any(pattern.search(text) for _, text in searched_texts(question, workspace))
            assert found == (key in selected), (said, key)


# On a page


def test_a_match_that_a_line_break_parts_is_one_match_on_both_lines() -> None:
    found = PageMatches.find([Paragraph(Text("a green pot"))], search_pattern("green pot"), DARK)
    lines, _ = lay_out(found.blocks, 8, lambda picture, cells: [])
    assert found.places == (0,)
    assert found.lines_of(0, lines) == [0, 1]
    for line, part in zip(lines, ("green", "pot"), strict=True):
        assert isinstance(line.content, Text)
        current = with_current(line.content, 0, DARK)
        assert isinstance(current, Text)
        assert runs_in(current, CURRENT) == [part]


def test_captions_and_labels_side_by_side_are_searched_in_reading_order() -> None:
    cells = tuple(PictureCell(Text(label), Text(f"tea {label}")) for label in "AB")
    row = PictureRow(cells, 0)
    found = PageMatches.find([Paragraph(Text("tea")), row], search_pattern("tea"), DARK)
    lines, _ = lay_out(found.blocks, 60, lambda picture, cells: [])
    assert found.places == (0, 1, 1)
    assert found.lines_of(1, lines) == found.lines_of(2, lines) == [2]


def test_a_match_that_was_cut_off_leads_to_the_line_it_was_cut_from() -> None:
    cut = Paragraph(Text("a long line with tea"), wrap=False)
    found = PageMatches.find([Paragraph(Text("first")), cut], search_pattern("tea"), DARK)
    lines, _ = lay_out(found.blocks, 8, lambda picture, cells: [])
    assert found.lines_of(0, lines) == [1]


def test_matches_do_not_rest_on_colour_alone() -> None:
    assert (MATCH.underline, MATCH.bold) == (True, True)
    assert (CURRENT.reverse, CURRENT.bold) == (True, True)
    line = Text("a tea", end="")
    line.stylize(MATCH, 2, 5)
    console = Console(color_system=None, width=20, force_terminal=True, legacy_windows=False)
    with console.capture() as captured:
        console.print(line, end="")
    assert "tea" in captured.get()
    drawn = AsciiSigns().apply(list(line.render(console)), None)  # type: ignore[arg-type]
    assert [one.text for one in drawn if one.style and one.style.underline] == ["tea"]


# On the screens


def marks_on(app: MnemoscopeApp) -> Iterator[tuple[str, bool]]:
    """Every piece of the screen that is marked, and whether it is the current match."""
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            look = segment.style
            if look is not None and look.bold and look.bgcolor is not None and look.color:
                if look.reverse and not look.underline:
                    yield segment.text, True
                elif look.underline and not look.reverse:
                    yield segment.text, False


async def search(app: MnemoscopeApp, pilot: AppPilot, said: str) -> None:
    await press(app, pilot, "slash")
    app.screen.query_one("#search").value = said  # type: ignore[attr-defined]
    await press(app, pilot, "enter")


async def filter_by(app: MnemoscopeApp, pilot: AppPilot, said: str) -> None:
    await press(app, pilot, "L", "slash")
    app.screen.query_one("#filter").value = said  # type: ignore[attr-defined]
    await press(app, pilot, "enter")


async def test_the_words_of_a_filter_are_marked_in_list_question_and_comparison() -> None:
    async with opened() as (app, pilot):
        await filter_by(app, pilot, "/KETTLE/")
        assert "2 of 59" in screen_text(app)
        await press(app, pilot, "enter")
        assert ("kettle", False) in list(marks_on(app))
        assert not any(current for _, current in marks_on(app))
        await filter_by(app, pilot, "picture")
        assert [text for text, _ in marks_on(app)].count("picture") >= 2
        await filter_by(app, pilot, "用户")
        await press(app, pilot, "C")
        assert ("用户", False) in list(marks_on(app))


async def test_the_list_says_where_else_a_word_stands() -> None:
    async with opened() as (app, pilot):
        await filter_by(app, pilot, "kettle")
        assert "option C" in screen_text(app).splitlines()[-2]
        assert "kettle" in screen_text(app).splitlines()[-2]


async def test_a_question_is_searched_from_match_to_match_over_its_panes() -> None:
    async with opened() as (app, pilot):
        await filter_by(app, pilot, "kettle")
        await press(app, pilot, "enter")
        await search(app, pilot, "kettle")
        pages = [page for page in app.screen.query(Page) if page.match_count]
        count = sum(page.match_count for page in pages)
        assert f"match 1 of {count} “kettle”" in screen_text(app)
        assert [text for text, current in marks_on(app) if current] == ["kettle"]
        for place in range(2, count + 1):
            await press(app, pilot, "n")
            assert f"match {place} of {count}" in screen_text(app)
        assert app.focused is pages[-1]
        await press(app, pilot, "n")
        assert f"match 1 of {count}" in screen_text(app)
        await press(app, pilot, "N")
        assert f"match {count} of {count}" in screen_text(app)


@pytest.mark.parametrize("size", [SMALL, (64, 20)])
async def test_every_match_comes_into_view(size: tuple[int, int]) -> None:
    async with opened(size=size) as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        await search(app, pilot, "的")
        count = sum(page.match_count for page in app.screen.query(Page))
        assert count > 10
        for place in range(1, count + 1):
            assert f"match {place} of {count}" in screen_text(app)
            assert any(current for _, current in marks_on(app)), place
            assert "▶" in screen_text(app)
            await press(app, pilot, "n")


async def test_a_search_without_a_match_says_so_and_esc_ends_it_before_the_screen() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        await search(app, pilot, "zebra")
        assert "no match “zebra” · esc clears" in screen_text(app)
        assert any("is nowhere here" in note.message for note in app._notifications)
        await search(app, pilot, "的")
        assert any(True for _ in marks_on(app))
        await press(app, pilot, "escape")
        assert isinstance(app.screen, QuestionScreen)
        assert "esc clears" not in screen_text(app)
        assert not any(True for _ in marks_on(app))
        await press(app, pilot, "escape")
        assert isinstance(app.screen, QuestionsScreen)


async def test_a_search_goes_along_to_the_next_question_and_q_leaves_with_it() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        await search(app, pilot, "的")
        await press(app, pilot, "right_square_bracket")
        count = sum(page.match_count for page in app.screen.query(Page))
        assert f"{count} matches “的”" in screen_text(app)
        await press(app, pilot, "q")
        assert isinstance(app.screen, QuestionsScreen)


async def test_a_search_that_is_no_regular_expression_can_be_put_right() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        await search(app, pilot, "/(/")
        assert app.focused is app.screen.query_one("#search")
        assert any("not a regular expression" in note.message for note in app._notifications)
        await press(app, pilot, "escape")
        assert app.focused is app.screen.query_one("#question")


async def test_drawing_a_question_anew_keeps_the_match_one_is_at() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        await search(app, pilot, "的")
        await press(app, pilot, "n", "n")
        place = next(line for line in screen_text(app).splitlines() if "match 3 of" in line)
        await pilot.resize_terminal(100, 30)
        await settled(app, pilot)
        assert "match 3 of" in screen_text(app)
        assert "match 3 of" in place


async def test_the_matches_of_a_diff_count_while_it_is_open() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        await search(app, pilot, "的")
        for keys in ((), ("x",), ("x",), ("e",)):
            await press(app, pilot, *keys)
            shown = [page for page in app.screen.query(Page) if page.display and page.size.width]
            count = sum(page.match_count for page in shown)
            assert re.search(rf"(of |  ){count} (matches )?“的”", screen_text(app)), keys


async def test_the_comparison_is_searched_and_follows_the_list() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "C", "down")
        await search(app, pilot, "/窗|车/")
        assert "match 1 of" in screen_text(app)
        assert app.focused is app.screen.query_one("#detail")
        await press(app, pilot, "shift+tab", "down")
        assert re.search(r"matche?s?|no match", screen_text(app).splitlines()[0])
        await press(app, pilot, "escape")
        assert "esc clears" not in screen_text(app)


async def test_a_history_takes_a_regular_expression_and_esc_ends_the_search() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H")
        await search(app, pilot, "/灯|tea/")
        assert "match 1 of" in screen_text(app)
        assert {text for text, _ in marks_on(app)} <= {"灯", "tea", "Tea"}
        await press(app, pilot, "escape")
        assert "esc clears" not in screen_text(app)
        assert app.screen.SCOPE == "history"  # type: ignore[attr-defined]


async def test_the_sign_of_the_current_match_is_drawn_in_ascii_too() -> None:
    app = MnemoscopeApp(sample_request(), remember=False, config=Config(ascii=True))
    async with app.run_test(size=SMALL) as pilot:
        await settled(app, pilot)
        await press(app, pilot, "L", "3", "enter")
        await search(app, pilot, "answer")
        assert any(current for _, current in marks_on(app))
        assert cell_len("▶") == 1


def test_of_a_letter_in_a_long_text_the_first_thousand_are_marked_and_more_are_told() -> None:
    text = "tea e " * 2_000
    found = PageMatches.find([Paragraph(Text(text)), Paragraph(Text(text))], words("e")[0], DARK)
    assert (len(found.places), found.is_cut) == (MOST_MATCHES, True)
    few = PageMatches.find([Paragraph(Text("e " * MOST_MATCHES))], words("e")[0], DARK)
    assert (len(few.places), few.is_cut) == (MOST_MATCHES, False)


async def test_a_search_that_finds_too_much_says_that_there_is_more() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "enter")
        page = app.screen.query_one("#question", Page)
        page.set_blocks([Paragraph(Text("tea " * 1_500))])
        page.search(words("tea")[0])
        app.screen._searched = "tea"  # type: ignore[attr-defined]
        assert page.match_count == MOST_MATCHES
        places = app.screen.search_place()  # type: ignore[attr-defined]
        assert "1,000 matches and more “tea”" in places[0]


async def test_a_long_page_is_searched_once_when_a_search_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        searched: list[Page] = []
        fill = Page.set_blocks

        def counting(page: Page, *args: object, **options: object) -> None:
            searched.append(page)
            fill(page, *args, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(Page, "set_blocks", counting)
        await search(app, pilot, "的")
        assert len(searched) == len(set(searched)) == len(app.screen.query(Page))
