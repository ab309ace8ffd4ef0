import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.clue_text import clue_text
from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters import FIELDS, FIGURES, OUTCOMES, Filter, help_rows, parse
from mnemoscope.core.filters.language import MAX_PATTERN
from mnemoscope.core.model import (
    Clue,
    ClueTarget,
    Gold,
    GoldKind,
    Kind,
    Message,
    Option,
    RecordStatus,
    Retrieval,
    RetrievalState,
    Role,
    Round,
    TaskLabel,
    Textualisation,
)
from mnemoscope.core.overlays.applied import apply_overlays
from mnemoscope.core.tags.reading import with_tags
from mnemoscope.core.workspace import Workspace
from tests.workspace_data import (
    a_history,
    a_question,
    a_record,
    a_release,
    a_round,
    a_run,
    a_workspace,
    clip,
    lost_clue,
    media_clue,
    picture,
    plain_history,
    round_clue,
    rounds_retrieved,
    session_clue,
)


def workspace() -> Workspace:
    """Four questions about two users, and two runs."""
    desk = picture("D01-001", medium="A brass Lamp beside a cat", brief="a desk")
    rain = clip("D02-001", hint="speech: it rains\nbackground: thunder")
    history = a_history(
        "p1",
        [
            a_round("D00:00", "I bought an umbrella"),
            a_round("D01:00", "look at this", desk),
            a_round("D02:00", "", rain),
        ],
        name="苏禾",
    )
    questions = [
        a_question("p1/items/0", clues=["D00:00"], category="Pets", text="Which one is hers?"),
        a_question(
            "p1/items/1",
            "entity_recall",
            "implicit",
            clues=[media_clue(Kind.IMAGE, "D01-001", "D01:00"), "D00:00"],
            options=[
                Option("A", attachment=picture("A", brief="x", medium="a red bicycle")),
                Option("B", "a blue boat"),
            ],
        ),
        a_question(
            "p1/prefs/2",
            "long_pattern",
            "implicit",
            clues=[media_clue(Kind.AUDIO, "D02-001", "D02:00")],
            category="Pets and more",
            gold=Gold(GoldKind.TEXTS, texts=("7 May",)),
        ),
        a_question("p10/prefs/2", "personalized_rec", "", clues=[session_clue("D03")]),
    ]
    release = a_release(questions, [history])
    first = a_run(
        "one",
        [
            a_record("p1/items/0", True, answer="A. Teapot", retrieval=rounds_retrieved("D00:00")),
            a_record(
                "p1/items/1", False, reasoning="the kettle boils", status=RecordStatus.UNPARSED
            ),
            a_record("p1/prefs/2", None, status=RecordStatus.TIMEOUT),
            a_record("p10/prefs/2", None, retrieval=Retrieval(RetrievalState.WHOLE_HISTORY)),
        ],
        system="A-Mem v2.1",
    )
    deep = rounds_retrieved("D02:00", "D00:00", "D01:00")
    second = a_run(
        "two",
        [
            a_record("p1/items/0", False, answer="B"),
            a_record("p1/items/1", True, retrieval=deep),
        ],
        used_depth=2,
    )
    return a_workspace(release, first, second)


def selected(text: str) -> list[str]:
    """The selected questions, each as the number at the end of its key; p10's is 3."""
    numbers = {"p1/items/0": "0", "p1/items/1": "1", "p1/prefs/2": "2", "p10/prefs/2": "3"}
    space = workspace()
    chosen = parse(text)
    keys = chosen.select(space)
    assert keys == [key for key in numbers if chosen.matches(space, key)]
    return [numbers[key] for key in keys]


# Fields


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "0123"),
        ("   \t ", "0123"),
        ("task:entity_recall", "01"),
        ("task:entity", "01"),
        ("TASK:Entity", "01"),
        ("task:long,pers", "23"),
        ("!task:entity", "23"),
        ("!!task:entity", "01"),
        ("setting:implicit", "12"),
        ("setting:none", "3"),
        ("setting:imp task:entity", "1"),
        ("history:p1", "012"),
        ("history:p1*", "0123"),
        ("history:苏", "012"),
        ("history:p10", "3"),
        ("session:D00", "01"),
        ("session:D02", "2"),
        ("session:D03", "3"),
        ("category:Pets", "0"),
        ("category:pets*", "02"),
        ('category:"Pets and more"', "2"),
        ("category:none", "13"),
        ("id:p1/items/1", "1"),
        ("id:2", "23"),
        ("id:p1/items", "01"),
        ("id:p1/", "012"),
        ("id:nowhere", ""),
        ("status:unparsed", "1"),
        ("status:time", "2"),
        ("status:ok,timeout", "0123"),
        ("!status:timeout", "013"),
    ],
)
def test_a_field_selects_by_value_or_by_its_beginning(text: str, expected: str) -> None:
    assert "".join(selected(text)) == expected


def test_several_histories_of_one_name_are_all_meant() -> None:
    histories = [plain_history("p0"), plain_history("p1")]
    same = [a_history(one.id, one.rounds, name="Ann") for one in histories]
    release = a_release([a_question("p0/0"), a_question("p1/0")], same)
    assert parse("history:ann").select(a_workspace(release)) == ["p0/0", "p1/0"]


# Runs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sys:A.right", "0"),
        ("sys:A.wrong", "12"),
        ("sys:A.wrong !sys:A.error !sys:A.unparsed", ""),
        ("sys:A.unparsed", "1"),
        ("sys:A.error", "2"),
        ("sys:A.not_judged", "3"),
        ("sys:A.missing", ""),
        ("sys:B.missing", "23"),
        ("sys:A.right|unparsed", "01"),
        ("sys:A.right,unparsed", "01"),
        ("sys:A.unparsed,B.missing", "123"),
        ("sys:A.w sys:B.r", "1"),
        ("!sys:B.missing", "01"),
        ('sys:"A-Mem v2.1".right', "0"),
        ("sys:two.right", "1"),
        ("judge:rq1 sys:A.right", "013"),
        ("judge:rq1 status:unparsed", ""),
        ("judge:stored sys:A.right", "0"),
    ],
)
def test_sys_selects_by_what_became_of_a_question_in_a_run(text: str, expected: str) -> None:
    assert "".join(selected(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A.recall=1", "0"),
        ("A.recall<1", ""),
        ("!A.recall=1", "123"),
        ("B.recall=0.5", "1"),
        ("B.recall@3>=1", "1"),
        ("B.recall@1>0", ""),
        ("B.precision=.5", "1"),
        ("B.precision@3==0.5", ""),
        ("B.hit=1", "1"),
        ("B.hit!=1", ""),
        ("B.hit@1=0", "1"),
        ("B.k>=2", "1"),
        ("B.k>2", ""),
        ("A.k<=1", "0"),
        ('"A-Mem v2.1".recall>0.5', "0"),
        ("A.rec>0.5", "0"),
    ],
)
def test_a_figure_of_a_run_is_compared_with_a_number(text: str, expected: str) -> None:
    assert "".join(selected(text)) == expected


# Search


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hers", "0"),
        ("WHICH", "0"),
        ('"which one is"', "0"),
        ("bicycle", "1"),
        ('"blue boat"', "1"),
        ('"7 may"', "2"),
        ("teapot", "0"),
        ("kettle", "1"),
        ("umbrella", "01"),
        ("lamp", "1"),
        ("thunder", "2"),
        ("desk", ""),
        ("!umbrella", "23"),
        ("umbrella lamp", "1"),
        ("/umbrella|thunder/", "012"),
        ("/UMBRELLA/", "01"),
        ("/UMBRELLA/i", "01"),
        ("/UMBRELLA/c", ""),
        ("/Lamp/c", "1"),
        (r"/\d may/", "2"),
        (r"/p1\/items\/1/", "1"),
        ("!/umbrella|thunder/", "3"),
        ("hers?", "0"),
        ('"hers?" !"/x/"', "0"),
        ("10:30", ""),
        ("a.b", ""),
        ('"say:this"', ""),
        ("umbrella!", ""),
    ],
)
def test_text_is_searched_in_questions_options_gold_answers_and_clues(
    text: str, expected: str
) -> None:
    assert "".join(selected(text)) == expected


def test_a_typed_gold_value_and_a_whole_session_are_searched_too() -> None:
    gold = Gold(GoldKind.VALUE, value={"rank": 41})
    questions = [a_question("p0/0", gold=gold), a_question("p0/1", clues=[session_clue("D03")])]
    space = a_workspace(a_release(questions))
    assert parse("41").select(space) == ["p0/0"]
    assert parse('"text of D03:04"').select(space) == ["p0/1"]
    assert parse('"text of D02:04"').select(space) == []


def test_a_bare_word_is_literal_and_a_regular_expression_is_not() -> None:
    release = a_release([a_question("p0/0", text="why (really)?"), a_question("p0/1", text="why")])
    space = a_workspace(release)
    assert parse("(really)?").select(space) == ["p0/0"]
    assert parse("/(really)?/").select(space) == ["p0/0", "p0/1"]


def test_quotes_hold_quotes_and_backslashes() -> None:
    release = a_release([a_question("p0/0", text='a "b\\c" d'), a_question("p0/1", text="b")])
    assert parse(r'"\"b\\c\""').select(a_workspace(release)) == ["p0/0"]


# Draws


def many(count: int, order: Iterable[int] | None = None) -> Workspace:
    places = range(count) if order is None else order
    return a_workspace(a_release(a_question(f"p{i % 7}/{i}") for i in places))


def test_a_draw_is_the_same_every_time_and_in_release_order() -> None:
    space = many(60)
    drawn = parse("sample:10 seed:42").select(space)
    assert len(drawn) == 10
    assert drawn == parse("seed:42 sample:10").select(space)
    assert drawn == [key for key in space.release.questions if key in drawn]
    assert drawn != parse("sample:10 seed:43").select(space)
    assert parse("sample:10").select(space) == parse("sample:10 seed:0").select(space)


def test_a_draw_does_not_depend_on_the_order_of_the_release() -> None:
    drawn = parse("sample:10 seed:1").select(many(60))
    assert set(parse("sample:10 seed:1").select(many(60, reversed(range(60))))) == set(drawn)


def test_one_more_question_changes_a_draw_by_at_most_one() -> None:
    before = set(parse("sample:10 seed:1").select(many(60)))
    after = set(parse("sample:10 seed:1").select(many(61)))
    assert len(before - after) <= 1


def test_a_draw_comes_after_the_other_terms_wherever_it_stands() -> None:
    space = many(60)
    chosen = parse("sample:4 seed:1 history:p3")
    keys = chosen.select(space)
    assert len(keys) == 4
    assert all(key.startswith("p3/") for key in keys)
    assert [key for key in space.release.questions if chosen.matches(space, key)] == keys


def test_a_draw_of_more_than_there_are_takes_all() -> None:
    assert len(parse("sample:100").select(many(60))) == 60


def test_a_filter_chooses_among_given_keys_and_keeps_release_order() -> None:
    space = many(10)
    keys = ["p3/3", "p1/1", "p0/99"]
    assert parse("").select(space, keys) == ["p1/1", "p3/3"]
    assert parse("!history:p3").select(space, keys) == ["p1/1"]
    assert not parse("").matches(space, "p0/99")


# Errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("taks:x", "column 1: no field 'taks'; there are: task, setting, history"),
        ("task:entity  foo:1", "column 14: no field 'foo'"),
        ("task:", "column 6: task: needs a value"),
        ("!task:,", "column 7: task: needs a value"),
        ("task:entity,zzz", "column 13: no task 'zzz'; there are: entity_recall, long_pattern"),
        ("setting:x", "column 9: no setting 'x'; there are: explicit, implicit"),
        ("history:x", "column 9: no history 'x'; there are: p1, p10"),
        ("session:x", "column 9: no session 'x'; there are: D00, D01, D02"),
        ("status:x", "column 8: no status 'x'; there are: ok, unparsed"),
        ("sys:A", "column 5: expected RUN.OUTCOME; outcomes are: right, wrong"),
        ("sys:A.", "column 5: expected RUN.OUTCOME"),
        ("sys:A.good", "column 7: no outcome 'good'; there are: right, wrong"),
        ("sys:A.right|good", "column 13: no outcome 'good'"),
        ("sys:C.right", "column 5: run 'C' is not open; open runs: A A-Mem v2.1, B two"),
        ("hers A.foo<1", "column 8: no figure 'foo'; there are: recall, precision, hit, k"),
        ("A.recall<x", "column 10: expected a number, found 'x'"),
        ("A.recall<", "column 10: expected a number, found ''"),
        ("C.recall<1", "column 1: run 'C' is not open"),
        ("judge:nobody", "column 7: no rule 'nobody'; there are: stored, rq1, rq3"),
        ("judge:rq", "column 7: rule 'rq' can be rq1 or rq3"),
        ("judge:rq1 judge:rq3", "column 11: judge: stands here a second time"),
        ("!judge:rq1", "column 2: judge: cannot be negated"),
        ("sample:x", "column 8: sample: takes a whole number"),
        ("sample:0", "column 8: sample: takes a number from 1"),
        ("sample:-1", "column 8: sample: takes a whole number"),
        ("seed:1", "column 6: seed: decides a draw, and there is no sample:"),
        ('hers "open', "column 6: the quote has no closing quote"),
        ("hers /open", "column 6: the regular expression has no closing /"),
        ("/(/", "column 1: not a regular expression: missing )"),
        ("/x{99999999999}/", "column 1: not a regular expression"),
        ("//", "column 1: the regular expression is empty"),
        ("/a/g", "column 4: 'g' after a regular expression"),
        ("!", "column 1: nothing to negate"),
        ('hers ""', "column 6: nothing to search for"),
        (
            f"/{'a' * (MAX_PATTERN + 1)}/",
            f"column 1: a regular expression of more than {MAX_PATTERN}",
        ),
    ],
)
def test_a_mistake_is_named_with_its_column_and_what_is_known(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"filter, {message}")):
        parse(text).select(workspace())


def test_an_expression_that_python_would_warn_about_is_read_in_silence() -> None:
    assert parse("/[[]x/").select(workspace()) == []


_pieces = st.sampled_from(
    [
        *(f"{name}:" for name in FIELDS),
        *(f".{name}" for name in (*OUTCOMES, *FIGURES)),
        *'AB!"/\\,|.:@<>=*()[{ \t-0123456789',
        "sys:A.right",
        "A.recall@5<",
        "task:entity",
        "苏",
        "\0",
        "\ud800",
    ]
)
_filters = st.one_of(st.lists(_pieces, max_size=12).map("".join), st.text(max_size=20))


@settings(max_examples=500, deadline=None)
@given(_filters)
def test_anything_is_a_filter_or_a_usage_error(text: str) -> None:
    space = workspace()
    try:
        keys = parse(text).select(space)
    except UsageError as error:
        assert re.match(r"filter, column [0-9]+: .", str(error))
        column = int(re.findall(r"[0-9]+", str(error))[0])
        assert 1 <= column <= len(text) + 1
    else:
        assert keys == [key for key in space.release.questions if key in keys]


_terms = st.sampled_from(
    ["task:entity", "setting:imp", "sys:A.wrong", "B.recall<1", "umbrella", "/lamp|hers/", "id:2"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_terms, st.booleans()), max_size=4))
def test_terms_narrow_each_other_whatever_their_order(terms: list[tuple[str, bool]]) -> None:
    space = workspace()
    written = [f"!{term}" if negated else term for term, negated in terms]
    together = parse(" ".join(written)).select(space)
    assert parse(" ".join(reversed(written))).select(space) == together
    expected = set(space.release.questions)
    for term, negated in terms:
        alone = set(parse(term).select(space))
        expected = expected - alone if negated else expected & alone
    assert set(together) == expected


def test_every_example_of_the_help_is_a_filter(tmp_path: Path) -> None:
    plain = workspace()
    overlaid = replace(plain, overlay=apply_overlays(plain.release, ()))
    space = with_tags(overlaid, folder=tmp_path)
    for example, meaning in help_rows():
        assert meaning
        example = example.replace("seed:42", "sample:2 seed:42")
        if example.startswith("A.") and not set(example) & set("<>="):
            example += ">0"
        assert isinstance(parse(example), Filter), example
        if "task:a" not in example and "D02" not in example and "p0,p3" not in example:
            parse(example).select(space)


# Clue text


def voiced(spoken: dict[str, str], text: str | None, **captions: str) -> Round:
    message = Message("user", Role.USER, text, (clip("v1", **captions),), spoken)
    reply = Message("assistant", Role.ASSISTANT, "I see")
    return Round("D00:00", "D00", 0, (message, reply), "$")


def text_of(clue: Clue, *rounds: Round, levels: str = "image=medium,audio=hint") -> str:
    question = a_question("p0/0", clues=[clue])
    release = a_release([question], [a_history("p0", rounds)])
    return clue_text(release, question, clue, Textualisation.parse(levels))


def test_a_round_clue_says_its_messages_and_their_captions() -> None:
    desk = picture("d", medium="a desk", brief="desk")
    assert text_of(round_clue("D00:00"), a_round("D00:00", "look", desk)) == (
        "user: look\na desk\nassistant: reply to look"
    )
    assert text_of(round_clue("D00:00"), voiced({}, None, hint="it rains")) == (
        "user: it rains\nassistant: I see"
    )


def test_what_is_written_out_for_a_voice_message_stands_for_its_clip() -> None:
    one = voiced({"hint": "it rains, she says"}, None, hint="it rains", asr="rains")
    assert text_of(round_clue("D00:00"), one).startswith("user: it rains, she says\nassistant")
    assert text_of(media_clue(Kind.AUDIO, "v1", "D00:00"), one) == "it rains"
    asr = text_of(media_clue(Kind.AUDIO, "v1", "D00:00"), one, levels="image=none,audio=asr")
    assert asr == "rains"


def test_an_audio_clue_without_a_caption_says_what_its_message_says() -> None:
    clue = media_clue(Kind.AUDIO, "v1", "D00:00")
    assert text_of(clue, voiced({}, "hello")) == "hello"
    assert text_of(clue, voiced({"hint": "hello there"}, None)) == "hello there"
    assert text_of(clue, voiced({}, None)) == ""


def test_an_image_clue_says_its_caption_in_the_chosen_textualisation_and_nothing_else() -> None:
    clue = media_clue(Kind.IMAGE, "d", "D00:00")
    one = a_round("D00:00", "look", picture("d", medium="a desk", brief="desk"))
    assert text_of(clue, one) == "a desk"
    assert text_of(clue, one, levels="image=brief") == "desk"
    assert text_of(clue, one, levels="image=none") == ""


def test_an_attachment_is_found_among_several_of_its_round() -> None:
    pictures = picture("c", medium="a cat"), picture("d", medium="a desk")
    one = a_round("D00:00", "look", *pictures, clip("d", hint="rain"))
    assert text_of(media_clue(Kind.IMAGE, "d", "D00:00"), one) == "a desk"
    assert text_of(media_clue(Kind.IMAGE, "gone", "D00:00"), one) == ""


def test_what_no_text_stands_for_says_nothing() -> None:
    mute = a_round("D00:00", "", picture("d", brief="a desk"))
    assert text_of(round_clue("D00:00"), mute) == "assistant: reply to "
    elsewhere = a_question("p9/0", clues=["D00:00"])
    release = a_release([a_question("p0/0")])
    assert clue_text(release, elsewhere, elsewhere.clues[0], Textualisation()) == ""


def test_a_session_clue_says_all_its_rounds_and_a_lost_clue_nothing() -> None:
    rounds = [a_round("D00:00", "one"), a_round("D00:01", "two"), a_round("D01:00", "three")]
    text = text_of(session_clue("D00"), *rounds)
    assert "user: one\n" in text
    assert "user: two\n" in text
    assert "three" not in text
    assert text_of(lost_clue(), *rounds) == ""
    assert text_of(Clue("?", ClueTarget.UNKNOWN, "?"), *rounds) == ""


def test_task_names_of_the_label_table_are_known_even_without_a_question() -> None:
    tasks = (TaskLabel("a_task", "A"), TaskLabel("b_task", "B"))
    release = a_release([a_question("p0/0", "a_task")], tasks=tasks)
    assert parse("task:b").select(a_workspace(release)) == []
