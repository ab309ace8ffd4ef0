import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from mnemoscope.core.text import clean
from mnemoscope.viewers.cells import cell_width, clusters, line_spans, pad, shorten, wrap
from mnemoscope.viewers.columns import Column, column_widths, fit

FAMILY = "👩‍👩‍👧"
GLYPHS = [
    "a",
    "Z",
    "7",
    " ",
    "哪",
    "？",
    "，",
    "“",
    "e\u0301",
    FAMILY,
    "🇩🇪",
    "❤️",
    "👍🏽",
    "नि",
    "한",
    "ｶ",
    "-",
]
texts = st.lists(st.sampled_from(GLYPHS) | st.characters(codec="utf-8"), max_size=30).map(
    lambda parts: clean("".join(parts), keep_newlines=False)
)
paragraphs = st.lists(st.sampled_from([*GLYPHS, "\n", "  ", "word"]), max_size=60).map("".join)
alignments = st.sampled_from(["left", "center", "right"])


def edges(text: str) -> set[int]:
    return {start for start, _, _ in clusters(text)} | {len(text)}


@pytest.mark.parametrize(
    ("text", "cells", "short"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("哪张图片", 5, "哪张…"),
        ("哪张图片", 6, "哪张…"),
        ("哪张图片", 1, "…"),
        ("哪张图片", 0, ""),
        ("a🇩🇪🇫🇷", 4, "a🇩🇪…"),
        ("a🇩🇪🇫🇷", 3, "a…"),
        (FAMILY * 2, 3, f"{FAMILY}…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("❤️❤️❤️", 4, "❤️…"),
        ("a word cut", 7, "a word…"),
    ],
)
def test_text_is_cut_between_glyphs_and_says_so(text: str, cells: int, short: str) -> None:
    assert shorten(text, cells) == short


def test_ids_can_be_cut_in_the_middle() -> None:
    assert shorten("0-Items-6-img_identify", 11, middle=True) == "0-Ite…ntify"
    assert shorten("哪张图片是该", 8, middle=True) == "哪张…该"


def test_only_the_start_of_a_very_long_text_is_measured() -> None:
    assert shorten("a" + "\u0301" * 500 + "bc", 2) == "a" + "\u0301" * 500 + "…"
    assert shorten("哪" * 1_000_000, 5) == "哪哪…"


@pytest.mark.parametrize(
    ("align", "padded"), [("left", "哪张  "), ("center", " 哪张 "), ("right", "  哪张")]
)
def test_padding_fills_by_cells(align: str, padded: str) -> None:
    assert pad("哪张", 6, align) == padded  # type: ignore[arg-type]


@given(texts, st.integers(0, 20), st.booleans())
def test_a_shortened_text_never_exceeds_its_cells_or_splits_a_glyph(
    text: str, cells: int, middle: bool
) -> None:
    short = shorten(text, cells, middle=middle)
    assert cell_width(short) <= cells
    if short in {text, ""}:
        return
    if middle:
        assert any(
            text.startswith(short[:at]) and text.endswith(short[at + 1 :])
            and {at, len(text) - (len(short) - at - 1)} <= edges(text)
            for at, char in enumerate(short) if char == "…"
        )  # fmt: skip
    else:
        kept = short.removesuffix("…")
        assert text.startswith(kept)
        assert len(kept) in edges(text)
        assert cell_width(text) > cells


@given(texts, st.integers(0, 20), alignments)
def test_padded_and_fitted_cells_have_exactly_their_width(
    text: str, cells: int, align: str
) -> None:
    assert cell_len(pad(text, cells, align)) == cells  # type: ignore[arg-type]
    fitted = fit(Text(text, style="bold"), cells, align)  # type: ignore[arg-type]
    assert fitted.cell_len == cells
    assert fitted.plain == pad(text, cells, align)  # type: ignore[arg-type]


def test_latin_breaks_between_words_and_long_words_break_anywhere() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("abcdefghij kl", 4) == ["abcd", "efgh", "ij", "kl"]
    assert wrap("a\n\n  b", 4) == ["a", "", "  b"]
    assert wrap("", 4) == [""]


def test_chinese_breaks_by_cell_and_keeps_punctuation_off_the_line_start() -> None:
    assert wrap("新换的灯把窗边照得很暖。", 11) == ["新换的灯把", "窗边照得很", "暖。"]
    assert wrap("新换的灯把，窗边", 10) == ["新换的灯", "把，窗边"]
    assert wrap("他又说（笑）好", 7) == ["他又说", "（笑）", "好"]
    assert wrap("杂志是Wallpaper刊", 11) == ["杂志是", "Wallpaper刊"]


def test_punctuation_starts_a_line_only_where_nothing_else_can() -> None:
    assert wrap("！！！！！", 4) == ["！！", "！！", "！"]
    assert wrap("abcdefgh,", 8) == ["abcdefg", "h,"]


@given(paragraphs, st.integers(2, 24))
def test_wrapping_loses_nothing_but_whitespace_and_fits(text: str, cells: int) -> None:
    lines = wrap(text, cells)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(line) <= cells for line in lines)
    newlines = {index for index, char in enumerate(text) if char == "\n"}
    whole = edges(text) | newlines | {index + 1 for index in newlines}
    last = 0
    for start, end in line_spans(text, cells):
        assert {start, end} <= whole
        assert last <= start <= end
        assert not text[last:start].strip()
        last = end
    assert not text[last:].strip()


@given(st.lists(st.sampled_from(["哪", "张", "图", "片", "是", "，", "。"]), max_size=40))
def test_no_line_starts_with_punctuation_that_has_a_word_to_hold_on_to(parts: list[str]) -> None:
    text = "".join(
        part for i, part in enumerate(parts) if part not in "，。" or parts[i - 1] in "哪张"
    )
    lines = wrap(text, 10)
    for before, line in pairwise(lines):
        assert not line.startswith(("，", "。")) or set(before[1:]) <= {"，", "。"}


def test_columns_share_what_is_left_and_drop_out_by_priority() -> None:
    columns = [
        Column("id", 4),
        Column("text", 6, flex=2),
        Column("tags", 5, flex=1, priority=2),
        Column("k", 3, priority=1),
    ]
    assert column_widths(columns, 30) == [4, 10, 7, 3]
    assert column_widths(columns, 18) == [4, 7, 0, 3]
    assert column_widths(columns, 13) == [4, 7, 0, 0]
    assert column_widths(columns, 5) == [4, 6, 0, 0]


def test_a_cell_is_one_clean_line_of_plain_text() -> None:
    assert fit("[bold]a\x1b[31m\nb[/]", 14).plain == "[bold]a b[/]  "
    styled = Text.assemble(("哪张图片", "bold"), " x\u202ey")
    assert fit(styled, 12).plain == "哪张图片 xy "
    cut = fit(Text.assemble(("哪张图片", "bold")), 5)
    assert cut.plain == "哪张…"
    assert "bold" in {span.style for span in cut.spans}


def test_measuring_text_does_not_import_textual() -> None:
    code = "import sys, mnemoscope.viewers.cells; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0
