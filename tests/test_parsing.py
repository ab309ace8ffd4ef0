import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.releases.cue_mem.text import CLOSING_LINE, REFUSAL_OPTION, split_question
from mnemoscope.core.scoring.parsing import (
    LETTERS,
    RULES,
    Reasoned,
    parse_rq1,
    parse_rq3,
    split_reasoning,
)

BEHAVIOURS = [
    # answer, RQ1 rule, RQ3 rule
    ("B", "B", "B"),
    ("  B \n", "B", "B"),
    ("b", "B", "b"),
    ("B. 修表", "B", "B"),
    ("Answer: C", "A", "C"),
    ("answer: C", "A", "C"),
    ("Because of the map, D", "B", "D"),
    ("Because", "B", "B"),
    ("Cannot tell", "C", "C"),
    ("a cat", "A", "a"),
    ("The answer is (D).", "D", "D"),
    ("it is d", "D", "i"),
    ("看起来是 C 吧", "C", "C"),
    ("答案：C", "C", "C"),
    ("答案是 B 或 C", "B", "B"),
    ("选项C", "选项C", "C"),
    ("选b", "选B", "选"),
    ("选项cd", "选项CD", "选"),
    ("Ｂ", "Ｂ", "Ｂ"),
    ("E", "E", "E"),
    ("AB", "A", "A"),
    ("UNABLE to say", "UNABLE TO SAY", "A"),
    ("历史中没有说明", "历史中没有说明", "历"),
    ("", "", ""),
    (" \n\t\u3000", "", ""),
    ("[ERROR] Error code: 400 - BadRequestError", "[ERROR] ERROR CODE: 400 - BADREQUESTERROR", "B"),
    ("**D**", "D", "D"),
    ("_D_", "_D_", "D"),
    ("第4题D", "第4题D", "D"),
]


@pytest.mark.parametrize(("answer", "rq1", "rq3"), BEHAVIOURS)
def test_each_rule_reads_an_answer_as_the_benchmark_does(answer: str, rq1: str, rq3: str) -> None:
    assert parse_rq1(answer) == rq1
    assert parse_rq3(answer) == rq3


def test_a_letter_that_only_decomposes_into_an_option_is_none() -> None:
    # The capital of this letter is A followed by a modifier.
    assert parse_rq1("\u1e9a") not in LETTERS


def test_the_rules_are_found_by_their_names() -> None:
    assert RULES["rq1"] is parse_rq1
    assert RULES["rq3"] is parse_rq3


@given(st.text())
def test_the_first_rule_gives_an_option_or_the_whole_text_in_capitals(text: str) -> None:
    read = parse_rq1(text)
    assert read in LETTERS or read == text.strip().upper()


@given(st.text())
def test_the_third_rule_gives_an_option_or_the_first_character(text: str) -> None:
    read = parse_rq3(text)
    assert read in LETTERS or read == text.strip()[:1]


@given(st.text(), st.sampled_from(["rq1", "rq3"]))
def test_spaces_around_an_answer_change_nothing(text: str, rule: str) -> None:
    assert RULES[rule](f" \n{text}\t ") == RULES[rule](text)


@given(st.text(alphabet="abcdABCDxyz选答案：:. \n"))
def test_a_capital_option_anywhere_is_enough_for_the_third_rule(text: str) -> None:
    assert (parse_rq3(text) in LETTERS) == any(letter in text for letter in LETTERS)


def test_a_response_with_reasons_is_split_into_answer_sessions_and_reasons() -> None:
    response = (
        "C\n依据session：01/12/2025，03/30/2025; 08/17/2025\n判断依据：他每周都去。\n还说过两次。"
    )
    assert split_reasoning(response) == Reasoned(
        "C", ("01/12/2025", "03/30/2025", "08/17/2025"), "他每周都去。\n还说过两次。"
    )


@pytest.mark.parametrize(
    "line", ["依据session: 01/12/2025", "依据 session： 01/12/2025", "依据Session ：01/12/2025；"]
)
def test_the_session_line_is_known_in_its_spellings(line: str) -> None:
    assert split_reasoning(f"B\n{line}\n依据：图里有。") == Reasoned(
        "B", ("01/12/2025",), "图里有。"
    )


def test_a_response_without_reasons_has_only_an_answer() -> None:
    assert split_reasoning(" D \n") == Reasoned("D", (), "")
    assert split_reasoning("") == Reasoned("", (), "")


def test_reasons_without_a_session_line_are_kept_whole() -> None:
    assert split_reasoning("A\n\n因为他说过。") == Reasoned("A", (), "因为他说过。")


@given(st.text())
def test_splitting_a_response_never_fails_and_never_invents_text(text: str) -> None:
    answer, cited, reasoning = split_reasoning(text)
    assert "\n" not in answer
    assert all(piece in text for piece in (answer, *cited, reasoning))


OPTIONS = {"A": "锁匠", "B": "面点师", "C": "测量员", "D": REFUSAL_OPTION}


def written(stem: str, options: dict[str, str], separator: str = ". ") -> str:
    lines = [f"{label}{separator}{text}" for label, text in options.items()]
    return "\n".join([stem, *lines, CLOSING_LINE])


@pytest.mark.parametrize("separator", [". ", "．", "、", ":", "：", " ． "])
def test_a_question_is_split_at_every_separator(separator: str) -> None:
    assert split_question(written("她做什么？", OPTIONS, separator)) == ("她做什么？", OPTIONS)


def test_a_picture_question_has_only_its_stem() -> None:
    assert split_question(f"哪张图片是他的？\n{CLOSING_LINE}") == ("哪张图片是他的？", {})


def test_inserted_captions_are_options_and_may_leave_letters_out() -> None:
    text = f"哪张图片是他的？\n\nA. 一只盒子。\n  盖子开着。\nC. 一把伞。\n\n{CLOSING_LINE}"
    options = {"A": "一只盒子。\n  盖子开着。", "C": "一把伞。"}
    assert split_question(text) == ("哪张图片是他的？", options)


def test_a_stem_line_that_looks_like_an_option_stays_in_the_stem() -> None:
    stem = "B. 这句话是谁说的？"
    assert split_question(written(stem, OPTIONS)) == (stem, OPTIONS)


def test_a_line_after_the_last_option_that_looks_like_one_stays_in_it() -> None:
    options = OPTIONS | {"D": "一张纸条：\nB. 明天见"}
    assert split_question(written("她留下什么？", options)) == ("她留下什么？", options)


def test_a_question_without_a_closing_line_is_split_alike() -> None:
    text = written("她做什么？", OPTIONS).removesuffix(CLOSING_LINE)
    assert split_question(text) == ("她做什么？", OPTIONS)


@given(
    st.text().map(lambda text: f"Q{text}".strip()).filter(lambda stem: "\n" not in stem),
    st.lists(st.text(alphabet="茶船。 ab").map(str.strip), min_size=4, max_size=4),
)
def test_a_written_question_is_read_back(stem: str, texts: list[str]) -> None:
    options = dict(zip("ABCD", texts, strict=True))
    assert split_question(written(stem, options)) == (stem, options)


@given(st.text(alphabet="ABCDE.．、:： \n\r茶"))
def test_splitting_any_text_never_fails(text: str) -> None:
    stem, options = split_question(text)
    assert set(options) <= LETTERS
    assert stem in text
