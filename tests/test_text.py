import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.text import clean, one_line

PIECES = [
    "a", "B7", "哪张", "é", "e\u0301", " ", "\n", "\r", "\r\n", "\t", "\x0b", "\x85", "\u2028",
    "\x1b", "\x1b[", "\x1b[31m", "\x1b[38;5", "\x1b]", "\x1b]8;;http://x", "\x07", "\x1b\\", "\x9c",
    "\x9b", "\x9b1m", "\x9d", "\x90", "\x1bP", "\x1bc", "\x1b(B", "\x00", "\x7f", "\ufeff",
    "\u200d", "\u200e", "\u202e", "\u2066", "\u2069", "\u061c", "\u00ad", "\ufe0f", "👩", "🏽", "❤",
    "\ud83d", "\ude00", "[0m", "m", ";",
]  # fmt: skip
dirty_texts = st.lists(
    st.sampled_from(PIECES) | st.characters(codec=None, categories=None), max_size=30
).map("".join)


@pytest.mark.parametrize(
    "text",
    ["", "plain", "two\nlines", "哪张图片是该用户的杂志？", "👩‍👩‍👧 ❤️ 🇩🇪 e\u0301", "می\u200cخواهم"],
)
def test_clean_text_comes_back_as_the_same_object(text: str) -> None:
    assert clean(text) is text


@pytest.mark.parametrize(
    ("dirty", "cleaned"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[38;5;1", ""),
        ("\x1b[12中", "中"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x07", "link"),
        ("\x1b]0;title\nnext line", "\nnext line"),
        ("\x1bPq#0\x1b\\sixel", "sixel"),
        ("\x9b31mred", "red"),
        ("l\x92homme \x93dit\x94", "lhomme dit"),
        ("\x98tilde\nkept", "tilde\nkept"),
        ("\x1bcreset", "reset"),
        ("\x1b(Bset", "set"),
        ("end\x1b", "end"),
        ("bell\x07 nul\x00 del\x7f", "bell nul del"),
    ],
)
def test_escape_sequences_go_whole_even_unfinished_ones(dirty: str, cleaned: str) -> None:
    assert clean(dirty) == cleaned


def test_every_kind_of_line_break_becomes_a_newline() -> None:
    assert clean("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h") == "a\nb\nc\nd\ne\nf\ng\nh"


def test_newlines_become_spaces_where_they_are_not_kept() -> None:
    assert clean("a\r\nb\nc", keep_newlines=False) == "a b c"


def test_tabs_become_spaces_up_to_the_next_stop() -> None:
    assert clean("a\tb\n\tc") == "a   b\n    c"


def test_bidirectional_controls_marks_and_byte_order_marks_go() -> None:
    assert clean("\ufeffa\u202eb\u202cc\u2066d\u2069e\u200ef\u200fg\u061ch\u00adi") == "abcdefghi"


def test_lone_surrogates_become_replacement_characters() -> None:
    assert clean("a\ud83db") == "a\ufffdb"


def test_joiners_stay_between_pictures_only() -> None:
    family = "👩‍👩‍👧"
    assert clean(f"{family} a\u200db {family}\u200d") == f"{family} ab {family}"


def test_one_line_has_single_spaces_and_no_edges() -> None:
    assert one_line("  a\n\n b\t c\u3000d\x1b[0m ") == "a b c d"


@given(dirty_texts)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert one_line(one_line(text)) == one_line(text)


@given(dirty_texts)
def test_nothing_a_terminal_obeys_is_left(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode()
    bidirectional = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for character in cleaned.replace("\n", ""):
        assert unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}
        assert unicodedata.bidirectional(character) not in bidirectional
        assert character not in "\u200e\u200f\u061c\ufeff"
    assert "\n" not in clean(text, keep_newlines=False)
    assert "\n" not in one_line(text)


@pytest.mark.parametrize(
    "unit", ["\x1b]", "\x9d\n", "\x9d", "\x1b[1", "\x9b1", "\x1b]a\n", "\u200d"]
)
def test_hostile_text_takes_time_in_proportion_to_its_length(unit: str) -> None:
    start = time.process_time()
    clean(unit * 100_000)
    assert time.process_time() - start < 2
