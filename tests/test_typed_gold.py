"""Typed gold: written, read, said in words."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.scoring.typed_answers import judge_typed
from mnemoscope.core.scoring.typed_gold import (
    CountGold,
    FlagGold,
    ListGold,
    NameGold,
    NumberGold,
    PremiseProblem,
    RefusalGold,
    TextGold,
    TypedGold,
    in_words,
    read_typed_gold,
)

NUMBERS = st.builds(
    NumberGold,
    number=st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6),
    unit=st.sampled_from(["", "%", "$/task"]),
    decimals=st.none() | st.integers(0, 4),
    tolerance=st.sampled_from([0, 0.1]),
)
SIMPLE = (
    NUMBERS
    | st.builds(CountGold, count=st.integers(0, 99))
    | st.builds(TextGold, text=st.text(), also=st.tuples(st.text()))
    | st.builds(NameGold, name=st.text())
    | st.builds(FlagGold, yes=st.booleans())
)
LISTS = st.builds(ListGold, ordered=st.booleans(), items=st.lists(SIMPLE, max_size=4).map(tuple))
REFUSALS = st.builds(
    RefusalGold,
    problem=st.sampled_from(PremiseProblem),
    premise=st.text(),
    claimed=st.none() | SIMPLE,
    actual=st.none() | SIMPLE | LISTS,
)


@given(SIMPLE | LISTS | REFUSALS)
def test_typed_gold_reads_back_from_its_json(gold: TypedGold) -> None:
    assert read_typed_gold(json.loads(json.dumps(gold.as_json()))) == gold


def test_its_type_is_written_first_also_inside_a_list() -> None:
    gold = ListGold(ordered=True, items=(NumberGold(number=72.6, unit="%"), CountGold(count=2)))
    assert json.dumps(gold.as_json()) == (
        '{"type": "list", "ordered": true, "items": '
        '[{"type": "number", "number": 72.6, "unit": "%"}, {"type": "count", "count": 2}]}'
    )


def test_between_two_percentages_points_and_percent_are_both_right() -> None:
    gold = NumberGold(number=7.6, unit="percentage points", also_units=("%",), decimals=1)
    for said in ("7.6%", "7.6 percentage points", "7.6 pp", "It is 7.6."):
        assert judge_typed(said, gold).right
    assert not judge_typed("7.6 s", gold).right
    assert not judge_typed("7.6%", NumberGold(number=7.6, unit="s")).right


def test_values_of_other_releases_are_no_typed_gold() -> None:
    for value in (None, 3, "x", [1], {}, {"type": "date"}, {"type": "count", "count": "3"}):
        assert read_typed_gold(value) is None
    assert read_typed_gold({"type": "count", "count": 3, "unit": "x"}) is None


def test_a_gold_is_said_in_words() -> None:
    number = NumberGold(number=1234.5, unit="$", decimals=2)
    assert in_words(number) == "$1,234.50"
    assert in_words(NumberGold(number=0.25)) == "0.25"
    assert in_words(NumberGold(number=-0.5, unit="$/task", decimals=2)) == "-$0.50/task"
    assert in_words(NumberGold(number=61.5, unit="%")) == "61.5%"
    assert in_words(NumberGold(number=34, unit="s")) == "34 s"
    assert in_words(CountGold(count=3)) == "3"
    assert in_words(FlagGold(yes=False)) == "no"
    names = NameGold(name="Relay"), NameGold(name="Gantry")
    assert in_words(ListGold(ordered=False, items=names)) == "Relay, Gantry"
    assert in_words(ListGold(ordered=True, items=(number, TextGold(text="final")))) == (
        "$1,234.50; final"
    )
    assert in_words(ListGold(ordered=False, items=())) == "none"
    refusal = RefusalGold(problem=PremiseProblem.REMOVED, premise="Relay was removed.")
    assert in_words(refusal) == "Relay was removed."
