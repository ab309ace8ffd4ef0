from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.contrast import contrast, first_difference
from mnemoscope.core.reading import at_path

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("found", "expected", "difference"),
    [
        (["a", "b"], ["a", "c"], ("[1]", "b", "c")),
        (["a"], ["a", "c"], ("", ["a"], ["a", "c"])),
        ({"A": "x", "B": {"c": [1, 2]}}, {"A": "x", "B": {"c": [1, 3]}}, (".B.c[1]", 2, 3)),
        ({"A": 1}, {"A": 1, "B b": 2}, ('["B b"]', "nothing", 2)),
        ({"A": 1, "C": 2}, {"A": 1}, (".C", 2, "nothing")),
        (["a"], "a", ("", ["a"], "a")),
        ([1], [1], ("", [1], [1])),
    ],
)
def test_two_values_are_followed_to_where_they_first_differ(
    found: Any, expected: Any, difference: tuple[str, Any, Any]
) -> None:
    assert first_difference(found, expected) == difference


@given(JSON, JSON)
def test_the_place_of_a_difference_leads_to_what_differs(found: Any, expected: Any) -> None:
    place, a, b = first_difference(found, expected)
    assert (a == b) is (found == expected)
    for value, part in ((found, a), (expected, b)):
        if part != "nothing":
            assert at_path(value, f"${place}") == part


def test_texts_that_begin_alike_are_shown_from_where_they_part() -> None:
    same = "The same beginning of many words. " * 9
    found, expected = contrast(f"{same}A fern.", f"{same}A moth, and a long tail.{same}")
    assert found == "…'ng of many words. A fern.' (from character 289 of 313)"
    assert expected.startswith("…'ng of many words. A moth, and a long tail.")
    assert expected.endswith("'… (from character 289 of 636)")


def test_texts_that_differ_soon_are_shown_from_their_beginning() -> None:
    assert contrast("a", "b") == ("'a'", "'b'")
    assert contrast("a", 3) == ("'a'", "int 3")
    found, expected = contrast("x" * 100, "y" * 90)
    assert (found[:3], expected[:3]) == ("'xx", "'yy")
    # One is the beginning of the other.
    assert contrast("x" * 100, "x" * 300)[1].endswith("(from character 81 of 300)")
