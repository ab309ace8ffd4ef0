"""Rules that judge open answers without a model: by typed gold, by gold texts, by declining."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.choices import REPAIR_NAMES, RULE_NAMES
from mnemoscope.core.harness.questions.release import model_questions
from mnemoscope.core.model import Gold, GoldKind, Question, RecordStatus, Value
from mnemoscope.core.runs.repair import REPAIRS
from mnemoscope.core.scoring.declining import declines
from mnemoscope.core.scoring.judging import judge
from mnemoscope.core.scoring.open_rules import OPEN_RULES, rule_open
from mnemoscope.core.scoring.parsing import RULES, read_by
from mnemoscope.core.scoring.text_match import best_f1, contains, normal, words
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
from tests.question_data import FULL, questions, scenario
from tests.workspace_data import a_question, a_record

STEM = "What was it in week 3?"


def percent(number: float, decimals: int | None = 1, tolerance: float = 0) -> NumberGold:
    return NumberGold(number=number, unit="%", decimals=decimals, tolerance=tolerance)


def name(text: str, *also: str) -> NameGold:
    return NameGold(name=text, also=also)


def listed(*names: str, ordered: bool = False) -> ListGold:
    return ListGold(ordered=ordered, items=tuple(map(name, names)))


RATE = percent(72.6)
THIRD = NumberGold(number=1 / 3)
PRICE = NumberGold(number=0.12, unit="$/task", decimals=2)
YES, NO = FlagGold(yes=True), FlagGold(yes=False)
THREE = CountGold(count=3)
TWO = listed("Relay", "Gantry")
STEPS = ListGold(ordered=True, items=(NumberGold(number=1234), RATE))

RIGHT = [
    # Units, signs, separators
    (RATE, "72.6%"),
    (RATE, "72.6"),
    (RATE, "It is 72.6 percent."),
    (percent(-3.2), "\N{MINUS SIGN}3.2 %"),
    (NumberGold(number=1234567), "1,234,567"),
    (NumberGold(number=1200000), "1.2 million"),
    (PRICE, "$0.12 per task"),
    (NumberGold(number=0.726), "72.6%"),
    # Rounding and tolerance
    (RATE, "72.58"),
    (percent(72.5), "72.45"),
    (THIRD, "0.33"),
    (percent(5, tolerance=1), "6 %"),
    # One answer among other numbers
    (RATE, "It is 72.6 %, up from 70.1 %."),
    (RATE, "It rose from 70.1% to 72.6%."),
    (RATE, "In version 3 it was 72.6%."),
    (RATE, "In week 3 it was 72.6%."),
    (RATE, "One of them has 72.6%."),
    (RATE, "It was 70.1% before.\n**Answer:** 72.6%"),
    (THREE, "three"),
    (THREE, "There were 3 changes."),
    (CountGold(count=0), "None"),
    # Names and texts
    (name("Relay"), "The Relay"),
    (name("the Relay"), "relay."),
    (name("Relay"), "It was Relay's."),
    (name("Gantry"), "not Relay but Gantry"),
    (name("Relay", "R-1"), "r-1"),
    (name("A or B"), "It is A or B."),
    (TextGold(text="final"), "Final."),
    (TextGold(text="7 May 2023"), "It was on May 7th, 2023"),
    (TextGold(text="2023-05-07"), "7 May 2023"),
    # Yes and no
    (YES, "Yes, it did."),
    (NO, "It was not correct."),
    (NO, "不是"),
    # Lists
    (TWO, "Gantry and Relay"),
    (TWO, "The entities are: Gantry, Relay."),
    (TWO, "- Relay\n- Gantry"),
    (listed("Salt and Pepper", "Mint"), "Mint and salt and pepper"),
    (listed("Relay", "Gantry", ordered=True), "1. Relay\n2. Gantry"),
    (STEPS, "1,234, then 72.6%"),
    (listed(), "None of them."),
]
WRONG = [
    (RATE, "73 %", "gives 73%; right is 72.6%"),
    (RATE, "0.726", "gives 0.726"),
    (RATE, "72.6 pp", "in another unit (pp)"),
    (PRICE, "€0.12", "in another unit (€)"),
    (percent(-3.2), "3.2 %", "gives 3.2%"),
    (RATE, "70.1% or 72.6%", "gives several numbers (70.1%, 72.6%)"),
    (RATE, "not 72.6% but 70.1%", "gives 70.1%"),
    (RATE, "It went up", "gives no number"),
    (RATE, "I do not know.", "declines"),
    (STEPS, "unknown; 72.6%", "declines value 1 of 2; right is 1,234; 72.6%"),
    (STEPS, "unknown; unknown", "declines; right is"),
    (RATE, "", "says nothing"),
    (THIRD, "0.3", "gives 0.3"),
    (THIRD, "0.34", "gives 0.34"),
    (THREE, "3.5", "gives 3.5"),
    (THREE, "at least 3, maybe 4", "gives several numbers"),
    (name("Relay"), "Relayed", "does not say Relay"),
    (name("Relay"), "not Relay but Gantry", "sets Relay aside"),
    (name("Relay"), "Relay or Gantry", "one guess among several"),
    (YES, "No.", "says no; right is yes"),
    (YES, "purple", "neither yes nor no"),
    (TWO, "Relay, Gantry, Pylon", "gives 3 values, right are 2"),
    (TWO, "Relay, Relay", "does not give Gantry"),
    (listed("Relay", "Gantry", ordered=True), "Gantry, Relay", "value 1 is 'Gantry'"),
    (STEPS, "72.6% → 1234", "value 1 is '72.6%'; right is 1,234"),
    (listed(), "Relay", "right is none"),
]


@pytest.mark.parametrize(("gold", "answer"), RIGHT)
def test_an_answer_that_holds_the_typed_gold_is_right(gold: TypedGold, answer: str) -> None:
    ruling = judge_typed(answer, gold, STEM)
    assert ruling.right, ruling.reason


@pytest.mark.parametrize(("gold", "answer", "why"), WRONG)
def test_any_other_answer_is_wrong_and_the_reason_says_why(
    gold: TypedGold, answer: str, why: str
) -> None:
    ruling = judge_typed(answer, gold, STEM)
    assert not ruling.right
    assert why in ruling.reason


@pytest.mark.parametrize(
    ("answer", "right", "why"),
    [
        ("72.6%", True, "gives what is the case"),
        ("The update to 75% was withdrawn; it is 72.6%.", True, "gives what is the case"),
        ("not 75% but 72.6%", True, "gives what is the case"),
        ("It cannot be determined: that update was withdrawn.", True, "declines"),
        ("It cannot be determined.", True, "declines"),
        ("75%", False, "takes 75% for granted"),
        ("It is 75%, actually.", False, "takes 75% for granted"),
        ("75% and 72.6%", False, "takes 75% for granted"),
        ("70%", False, "neither declines nor corrects"),
    ],
)
def test_a_false_premise_is_to_be_corrected_or_declined(answer: str, right: bool, why: str) -> None:
    gold = RefusalGold(
        problem=PremiseProblem.WITHDRAWN,
        premise="The update to 75 % was withdrawn.",
        claimed=NumberGold(number=75, unit="%"),
        actual=RATE,
    )
    ruling = judge_typed(answer, gold, "Now that success is 75%, what is the gap?")
    assert (ruling.right, why in ruling.reason) == (right, True), ruling.reason


def test_where_there_is_nothing_to_give_saying_so_is_right_and_a_value_is_wrong() -> None:
    removed = RefusalGold(
        problem=PremiseProblem.REMOVED, premise="Relay was removed.", claimed=name("Relay")
    )
    stem = "What is Relay's score?"
    assert judge_typed("Relay was removed, so it has none.", removed, stem).right
    assert judge_typed("The history does not say.", removed, stem).right
    assert not judge_typed("Relay's score is 3.", removed, stem).right


@given(
    st.builds(NumberGold, number=st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6, width=32))
    | st.builds(CountGold, count=st.integers(0, 999))
    | st.builds(FlagGold, yes=st.booleans())
    | st.builds(listed, st.sampled_from(["Relay", "Gantry"]), st.sampled_from(["Pylon", "Mast"]))
)
def test_the_gold_in_words_is_always_right(gold: TypedGold) -> None:
    said = in_words(gold)
    if isinstance(gold, NumberGold) and "e" in said:
        said = f"{gold.number:.12f}"
    ruling = judge_typed(said, gold)
    assert ruling.right, (said, ruling.reason)


@given(st.text(max_size=80), st.sampled_from([RATE, THREE, YES, TWO, STEPS, name("x"), listed()]))
def test_no_answer_breaks_the_rule_judge(answer: str, gold: TypedGold) -> None:
    assert judge_typed(answer, gold, STEM).reason


@pytest.mark.parametrize("name", [name for name, _ in FULL])
def test_what_scenarios_are_mined_to_say_is_right_in_words_and_what_they_deny_is_wrong(
    name: str,
) -> None:
    mistaken = []
    mined = model_questions("h", questions(name, 1), scenario(name, 1))
    for question in mined:
        gold = read_typed_gold(question.gold.value)
        assert gold is not None
        right, wrong = answers_to(gold)
        said = [(answer, True) for answer in right] + [(answer, False) for answer in wrong]
        for answer, expected in said:
            ruling = judge_typed(answer, gold, question.stem)
            if ruling.right is not expected:
                mistaken.append((question.stem, answer, ruling))
    assert len(mined) == 100
    assert mistaken == []


def answers_to(gold: TypedGold) -> tuple[list[str], list[str]]:
    """Ways to give the right answer, and answers that are wrong."""
    words = in_words(gold)
    if isinstance(gold, RefusalGold):
        right = [words, "I cannot tell: that was never shown.", f"That is not so: {words}"]
        actual = [in_words(gold.actual)] if gold.actual is not None else []
        right += [
            *(f"It is {one}." for one in actual),
            *(f"No. {words} It is {actual[0]}." for _ in actual),
        ]
        return right, [in_words(gold.claimed)] if gold.claimed is not None else []
    right = [
        words,
        f"It is {words}.",
        f"Based on the accepted state, {words}",
        f"…\n\nAnswer: {words}",
    ]
    wrong = ["I do not know.", "It has changed."]
    if isinstance(gold, ListGold) and gold.items:
        said = [in_words(item) for item in gold.items]
        right += ["\n".join(f"{at}. {one}" for at, one in enumerate(said, 1)), " and ".join(said)]
        wrong += ["; ".join([*said, "Pylon"])] + ["; ".join(said[:-1])] * (len(said) > 1)
        if gold.ordered and said != said[::-1]:
            wrong.append("; ".join(said[::-1]))
    return right, wrong


# Texts


def an_open_question(*texts: str, answerable: bool = True) -> Question:
    gold = Gold(GoldKind.TEXTS, texts=texts) if texts else Gold.none()
    return replace(a_question("p0/q/0", gold=gold), answerable=answerable, options=())


def test_texts_are_compared_without_case_articles_punctuation_and_in_one_form_of_dates() -> None:
    assert normal("The  Seven-cats!") == "7 cats"
    assert normal("1,234.50") == "1234.5"
    assert words("西湖划船 today") == ("西", "湖", "划", "船", "today")
    assert {normal(one) for one in ("7 May 2023", "May 7th, 2023", "2023年5月7日", "2023/5/7")} == {
        "2023-05-07"
    }
    assert words("from 2-3, at -3") == ("from", "2", "3", "at", "-3")


def test_the_names_that_the_command_line_offers_are_those_of_rules_and_repairs() -> None:
    assert ("stored", *RULES, *OPEN_RULES) == RULE_NAMES
    assert tuple(sorted(REPAIRS)) == REPAIR_NAMES


def test_three_named_rules_hold_an_answer_against_gold_texts() -> None:
    question = an_open_question("a blue kayak", "the canoe")
    said = {
        answer: [rule_open(answer, question, rule).value.value for rule in OPEN_RULES]
        for answer in ("Blue kayak.", "It was a blue kayak, I think", "a kayak", "canoe", "boat")
    }
    assert list(OPEN_RULES) == ["open", "exact", "contains", "f1"]
    assert said == {
        "Blue kayak.": ["right", "right", "right", "right"],
        "It was a blue kayak, I think": ["wrong", "wrong", "right", "right"],
        "a kayak": ["wrong", "wrong", "wrong", "right"],
        "canoe": ["right", "right", "right", "right"],
        "boat": ["wrong", "wrong", "wrong", "wrong"],
    }
    assert rule_open("a kayak", question, "f1").reason == "F1 0.67, right from 0.50"
    assert best_f1("cat sat", ["cat", "dog"]) == pytest.approx(2 / 3)
    assert not contains("concatenate", "cat")


def test_declining_is_right_where_the_question_cannot_be_answered_and_nowhere_else() -> None:
    unanswerable, answerable = an_open_question(answerable=False), an_open_question("tea")
    for rule in OPEN_RULES:
        for text in ("I don't know: this was never mentioned.", "历史中没有说明", "Unknown"):
            assert declines(text)
            assert rule_open(text, unanswerable, rule).value is Value.RIGHT
            assert rule_open(text, answerable, rule).value is Value.WRONG
        assert rule_open("Tea", unanswerable, rule).value is Value.WRONG
        assert rule_open("", unanswerable, rule).value is Value.WRONG
    assert not declines("She is well known for her tea, which she says is green.")


def test_a_failed_record_is_never_right_under_any_rule() -> None:
    question = an_open_question("tea")
    for status in set(RecordStatus) - {RecordStatus.OK, RecordStatus.UNPARSED}:
        for rule in RULE_NAMES:
            judgement = judge(a_record("p0/q/0", True, status=status, answer="tea"), question, rule)
            assert not judgement.right
            assert judgement.status is status
    declined = an_open_question(answerable=False)
    failed = a_record("p0/q/0", None, status=RecordStatus.ERROR, answer="unknown error")
    assert judge(failed, declined, "open").value is Value.WRONG


def test_a_rule_of_open_answers_leaves_questions_without_such_gold_out() -> None:
    record = a_record("p0/q/0", None, answer="A")
    assert judge(record, a_question("p0/q/0"), "open").value is Value.NO_GOLD
    question = an_open_question()
    assert judge(record, question, "exact").value is Value.NO_GOLD
    question = replace(question, gold=Gold(GoldKind.VALUE, value={"type": "date"}))
    assert judge(record, question, "open").value is Value.NO_GOLD
    gold = Gold(GoldKind.VALUE, value={"type": "count", "count": 3})
    question = replace(question, gold=gold)
    assert judge(a_record("p0/q/0", None, answer="3"), question, "f1").right


# How an option was read


@pytest.mark.parametrize(
    ("rule", "answer", "read"),
    [
        ("rq1", "B. tea", ("B", "leading")),
        ("rq1", "Because", ("B", "inside")),
        ("rq1", "Answer: C", ("A", "inside")),
        ("rq1", "I would pick a lamp", ("A", "standalone")),
        ("rq1", "选项C", ("选项C", "none")),
        ("rq3", "Answer: C", ("C", "standalone")),
        ("rq3", "选项C", ("C", "inside")),
        ("rq3", "", ("", "none")),
    ],
)
def test_how_a_rule_came_to_an_option_is_kept(
    rule: str, answer: str, read: tuple[str, str]
) -> None:
    assert read_by(rule, answer) == read
    judgement = judge(a_record("p0/q/0", None, answer=answer), a_question("p0/q/0"), rule)
    assert judgement.parse == read[1]
