import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.worddiff import Segment, TextDiff, diff

texts = st.lists(
    st.sampled_from(
        [
            "a",
            "the",
            "79.6",
            "哪",
            "张",
            "，",
            ".",
            " ",
            "\n",
            "  ",
            "e\u0301",
            "👩‍👩‍👧",
            "🇩🇪",
            "don't",
            "カ",
        ]
    )
    | st.characters(codec="utf-8"),
    max_size=25,
).map("".join)


def marked(segments: tuple[Segment, ...]) -> str:
    """Show what only one side has in brackets, and what was not compared in braces."""
    around = {"same": "{}", "only": "[{}]", "rest": "{{{}}}"}
    return "".join(around[segment.kind].format(segment.text) for segment in segments)


def compared(a: str, b: str) -> tuple[str, str]:
    result = diff(a, b)
    return marked(result.a), marked(result.b)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("same", "same", ("same", "same")),
        ("", "new", ("", "[new]")),
        ("on the 8th of May", "7 May", ("[on the 8th of] May", "[7] May")),
        ("79.6 then 82.9", "79.8 then 82.9", ("[79.6] then 82.9", "[79.8] then 82.9")),
        ("桌面左侧有书。", "桌面右侧有两本书。", ("桌面[左]侧有书。", "桌面[右]侧有[两本]书。")),
        ("I don't", "I won't", ("I [don't]", "I [won't]")),
        ("a  b", "a b", ("a[  ]b", "a[ ]b")),
        ("yes, no", "yes; no", ("yes[,] no", "yes[;] no")),
    ],
)
def test_what_differs_is_marked_by_word_or_ideograph(
    a: str, b: str, expected: tuple[str, str]
) -> None:
    assert compared(a, b) == expected


def test_combining_marks_joined_pictures_and_flags_stay_whole() -> None:
    left, right = compared("e\u0301 ab 👩‍👩‍👧 bc 🇩🇪", "e\u0300 ab 👩‍👩‍👦 bc 🇫🇷")
    assert left == "[e\u0301] ab [👩‍👩‍👧] bc [🇩🇪]"
    assert right == "[e\u0300] ab [👩‍👩‍👦] bc [🇫🇷]"


def test_a_shared_comma_does_not_make_unrelated_sentences_look_alike() -> None:
    left, right = compared("第六次会话，露出名称", "没有找到颜色，无法判断")
    assert (left, right) == ("[第六次会话，露出名称]", "[没有找到颜色，无法判断]")


def test_what_lies_beyond_the_cap_is_said_not_to_be_compared() -> None:
    result = diff("start " + "a " * 10 + "end", "start " + "b " * 20 + "end", cap=5)
    assert marked(result.a) == "start [a a a a a] {a a a a a }end"
    assert result.capped
    assert (result.tokens, result.compared) == ((12, 22), (7, 7))


def test_a_long_common_start_and_end_do_not_count_against_the_cap() -> None:
    common = "word " * 3000
    result = diff(f"{common} old {common}", f"{common} new {common}", cap=10)
    assert not result.capped
    assert [segment.kind for segment in result.a] == ["same", "only", "same"]


@pytest.mark.parametrize(("a", "b"), [("a ", "a x "), ("a b ", "b b a "), ("的一", "一的的")])
def test_repetitive_texts_are_compared_quickly(a: str, b: str) -> None:
    start = time.process_time()
    diff(a * 4000, b * 4000)
    assert time.process_time() - start < 1


def longest_common(a: list[str], b: list[str]) -> int:
    row = [0] * (len(b) + 1)
    for left in a:
        before = row
        row = [0]
        for index, right in enumerate(b):
            row.append(before[index] + 1 if left == right else max(before[index + 1], row[-1]))
    return row[-1]


@given(
    st.lists(st.sampled_from("ab1c"), max_size=14), st.lists(st.sampled_from("ab1c"), max_size=14)
)
def test_as_much_as_possible_is_found_in_common(a: list[str], b: list[str]) -> None:
    from mnemoscope.core.worddiff import _align

    pairs = _align(a, b)
    assert len(pairs) == longest_common(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert pairs == sorted(pairs)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


def _check(result: TextDiff, a: str, b: str) -> None:
    assert "".join(segment.text for segment in result.a) == a
    assert "".join(segment.text for segment in result.b) == b
    for side in (result.a, result.b):
        assert all(segment.text for segment in side)
        assert all(x.kind != y.kind for x, y in pairwise(side))
    same_a, same_b = (
        "".join(segment.text for segment in side if segment.kind == "same")
        for side in (result.a, result.b)
    )
    assert same_a == same_b


@given(texts, texts, st.sampled_from([0, 1, 3, 4000]))
def test_segments_rebuild_both_texts_and_agree_on_what_is_the_same(
    a: str, b: str, cap: int
) -> None:
    _check(diff(a, b, cap), a, b)
    assert [segment.kind for segment in diff(a, a, cap).a] in ([], ["same"])
