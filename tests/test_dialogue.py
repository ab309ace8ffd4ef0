"""What is said of a scenario: everything that must be, nothing twice, the same for a seed."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.dialogue.conformity import dialogue_findings
from mnemoscope.core.harness.dialogue.moves import moved, moves_between
from mnemoscope.core.harness.dialogue.phrasebook import Phrasebook, UnsaidError, forms
from mnemoscope.core.harness.dialogue.realisation import RealisationError, realise
from mnemoscope.core.harness.dialogue.repetition import distinct_share, repeated
from mnemoscope.core.harness.dialogue.small_talk import questions
from mnemoscope.core.harness.dialogue.speech import (
    amount_in_words,
    joined,
    revision_of,
    size_in_words,
    with_unit,
)
from mnemoscope.core.harness.dialogue.turn import Slip, Turn
from mnemoscope.core.harness.trajectory import expert_scenario
from mnemoscope.core.harness.wording import name_of, text_of
from mnemoscope.core.model.history import Role
from mnemoscope.core.state.operators import OPERATORS, Event, Operator
from tests.dialogue_data import NAMES, dialogue_of, said_in, scenario_of
from tests.pack_data import PACKS


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(1, 9))
def test_nothing_is_wrong_in_a_dialogue_whatever_the_seed(name: str, seed: int) -> None:
    assert dialogue_findings(dialogue_of(name, seed), scenario_of(name, seed)) == []


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(NAMES), st.integers(100, 10**6), st.integers(20, 90))
def test_scenarios_of_any_size_can_be_told(name: str, seed: int, turns: int) -> None:
    scenario = expert_scenario(PACKS[name], seed, turns=2 * turns, visuals=max(turns // 5, 2))
    assert dialogue_findings(realise(scenario), scenario) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_operator_and_every_event_is_told(name: str) -> None:
    told = {
        (one.transition.operator, one.transition.event)
        for one, _, _ in said_in(name)
        if one.transition is not None
    }
    assert told == {(one, event) for one, spec in OPERATORS.items() for event in spec.events}


@pytest.mark.parametrize("name", NAMES)
def test_turns_follow_the_blocks_and_bring_their_pictures(name: str) -> None:
    turns = dialogue_of(name)
    assert [one.role for one in turns[:4]] == [Role.USER, Role.ASSISTANT] * 2
    blocks = scenario_of(name).blocks
    assert [one.round for one in turns] == [x for one in blocks for x in (one.round, one.reply)]
    assert [one.picture for one in turns if one.picture] == list(scenario_of(name).pictures)


@pytest.mark.parametrize("name", NAMES)
def test_a_dialogue_depends_on_its_scenario_alone(name: str) -> None:
    dialogue_of(name, 2)
    assert realise(scenario_of(name)) == dialogue_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_no_message_is_said_twice_and_most_sequences_of_words_are_new(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = dialogue_of(name)
    assert not repeated(turns)
    share = distinct_share(turns)
    with capsys.disabled():
        print(f"{name}: {len(turns)} turns, distinct 3-grams {share:.3f}")
    assert share > 0.75


@pytest.mark.parametrize("name", NAMES)
def test_a_text_update_states_every_name_and_every_value(name: str) -> None:
    told = Counter[str]()
    for seed in (1, 2, 3):
        for scene, user, _ in said_in(name, seed):
            for step in scene.texts:
                accepted, mutation = step.before.accepted, step.transition.mutation
                for one in mutation.cells:
                    new = one.value if one.delta is None else abs(one.delta)
                    assert text_of(scene.schema, one.field, new) in user.text
                    assert scene.schema.heading(one.field) in user.text or isinstance(new, str)
                    told["cells"] += 1
                for added in mutation.added:
                    for key, content in added.values.items():
                        assert text_of(scene.schema, key, content) in user.text
                    told["added"] += 1
                for entity in mutation.removed:
                    assert name_of(scene.schema, accepted, entity) in user.text
                    told["removed"] += 1
                for block in mutation.blocks:
                    for key in block.fields:
                        assert scene.schema.heading(key) in user.text
                    told["blocks"] += 1
                told["rules"] += len(mutation.rules)
                if mutation.reason:
                    assert mutation.reason in user.text
    assert {"cells", "added", "removed", "blocks", "rules"} <= set(told)


@pytest.mark.parametrize("name", NAMES)
def test_a_turn_with_a_visual_update_has_no_figure_but_its_revision(name: str) -> None:
    seen = 0
    for scene, user, reply in said_in(name):
        if not scene.visuals or scene.texts or scene.declared:
            continue
        assert scene.picture is not None
        for turn in (user, reply):
            text = turn.text
            if scene.picture.artifact:
                text = re.sub(
                    re.escape(revision_of(scene.scenario, scene.picture)), "", text, flags=re.I
                )
            for context in (*PACKS[name].contexts, *(x.title for x in PACKS[name].unrelated)):
                text = text.replace(context, "")
            assert not re.search(r"\d", text), turn
            shown = {*scene.names.values(), *scene.shown_names.values()}
            assert not [one for one in shown if one in text], turn
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("name", NAMES)
def test_a_later_event_repeats_no_value_of_its_update(name: str) -> None:
    applied = {}
    seen = 0
    for scene, user, reply in said_in(name):
        if scene.transition is None:
            continue
        if scene.transition.event is Event.APPLY:
            applied[scene.transition.id] = scene
            continue
        first = applied[scene.transition.of]
        for one in first.updates[0].transition.mutation.cells:
            for turn in (user, reply):
                if isinstance(one.value, str):
                    assert one.value not in turn.text
        seen += 1
    assert seen >= 4


@pytest.mark.parametrize("name", NAMES)
def test_the_first_turn_says_the_goal_and_who_is_speaking(name: str) -> None:
    first = dialogue_of(name)[0]
    pack = PACKS[name]
    for text in (pack.dialogue.goal, pack.dialogue.user, pack.contexts[0]):
        assert text in first.text
    assert first.picture


@pytest.mark.parametrize("name", NAMES)
def test_an_artifact_of_another_context_says_which(name: str) -> None:
    seen = 0
    for scene, user, _ in said_in(name):
        if scene.transition and scene.transition.operator is Operator.WRONG_CONTEXT_ARTIFACT:
            assert scene.transition.mutation.context in user.text
            seen += 1
    assert seen


def test_a_dialogue_with_other_turns_is_found() -> None:
    name = NAMES[0]
    turns, scenario = dialogue_of(name), scenario_of(name)
    for wrong in (
        turns[:-1],
        (turns[1], turns[0], *turns[2:]),
        (replace(turns[0], picture=""), *turns[1:]),
        (*turns[:3], replace(turns[3], role=Role.USER), *turns[4:]),
    ):
        slips = {one.slip for one in dialogue_findings(wrong, scenario)}
        assert Slip.STRUCTURE in slips
    said_again = (*turns[:3], replace(turns[3], text=turns[1].text.upper()), *turns[4:])
    assert Slip.REPEATED in {one.slip for one in dialogue_findings(said_again, scenario)}


def test_a_turn_that_cannot_be_told_is_reported_with_its_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = scenario_of(NAMES[0])
    only = {**forms(), "reply_visual": ("There are 73 of them.",)}
    monkeypatch.setattr("mnemoscope.core.harness.dialogue.phrasebook.forms", lambda: only)
    with pytest.raises(
        RealisationError, match=r"round T\d+: 60 wordings fail, such as .*'73'"
    ) as caught:
        realise(scenario)
    assert caught.value.findings[0].slip is Slip.NUMBER


# Phrasebooks

FILLED = """
revision picture edition context own user goal entity plural about columns reason body lead scope
reference echoed asked answered e f v es n p way cover fs goes has is facts block axis moves list
r old new open_own
"""


def test_every_form_of_a_phrasebook_comes_before_any_comes_again() -> None:
    book = Phrasebook(Chance(1), {"x": ("a", "b", "c", "d")})
    said = [book.say("x", {}) for _ in range(8)]
    assert sorted(said[:4]) == sorted(said[4:]) == ["A", "B", "C", "D"]


def test_a_form_whose_slot_is_empty_is_passed_over() -> None:
    book = Phrasebook(Chance(1), {"x": ("{y} and more", "plain", "{z}"), "z": ("{y}",)})
    assert {book.say("x", {"y": ""}) for _ in range(5)} == {"Plain"}
    with pytest.raises(UnsaidError):
        book.say("z", {})


def test_what_is_filled_in_stays_as_it_is_but_words_take_a_capital() -> None:
    book = Phrasebook(Chance(1), {"x": ("{e} is new. {revision} is out.  so it is",)})
    said = book.say("x", {"e": "eBay {e}", "revision": "revision 2 of “a”"})
    assert said == "eBay {e} is new. Revision 2 of “a” is out. So it is"


def test_the_lists_that_come_along_have_no_figure_and_no_form_twice() -> None:
    for name, lines in forms().items():
        assert len(set(lines)) == len(lines), name
        assert not [one for one in lines if re.search(r"\d", one)], name


def test_every_list_that_a_form_names_is_there_or_filled_in() -> None:
    filled = set(FILLED.split())
    known = set(forms()) | filled
    for name, lines in forms().items():
        for line in lines:
            assert set(re.findall(r"\{(\w+)\}", line)) <= known, (name, line)


def test_every_question_has_several_answers_and_no_figure() -> None:
    known = set(forms()) | set(FILLED.split())
    assert len(questions()) >= 12
    for one in questions():
        assert len(one.ask) >= 2
        assert len(one.answer) >= 3
        for line in (*one.ask, *one.answer):
            assert not re.search(r"\d", line), line
            assert set(re.findall(r"\{(\w+)\}", line)) <= known, line


@pytest.mark.parametrize("name", NAMES)
def test_questions_of_a_topic_come_before_those_that_fit_any(name: str) -> None:
    topics = {one.key: one for one in PACKS[name].dialogue.topics}
    asked = Counter[str]()
    for scene, user, reply in said_in(name):
        topic = topics.get(scene.block.topic)
        if topic is None:
            continue
        own = [(ask, answer) for ask, answer in topic.talk if ask in user.text]
        assert bool(own) == (asked[topic.key] < len(topic.talk))
        assert not own or own[0][1] in reply.text
        asked[topic.key] += 1
    assert len(asked) == len(topics)


def test_a_turn_with_neither_update_nor_topic_is_reported() -> None:
    scenario = scenario_of(NAMES[0])
    at = next(at for at, one in enumerate(scenario.blocks) if one.topic)
    blocks = list(scenario.blocks)
    blocks[at] = replace(blocks[at], topic="")
    with pytest.raises(RealisationError, match=f"round {blocks[at].round}: neither an update"):
        realise(replace(scenario, blocks=tuple(blocks)))


# Words for things


def test_numbers_have_their_unit_where_people_put_it() -> None:
    assert with_unit("0.320", "$/task") == "$0.320/task"
    assert with_unit("-3.00", "$") == "-$3.00"
    assert with_unit("61.5", "%") == "61.5%"
    assert with_unit("12.3", "/task") == "12.3/task"
    assert with_unit("6,080", "EUR") == "6,080 EUR"
    assert with_unit("4", "") == "4"


def test_amounts_are_written_as_on_the_sheet() -> None:
    schema = PACKS["ml_agent_research"].state_schema
    assert amount_in_words(schema, "wall_time", 34.0) == "34.0 s"
    assert amount_in_words(schema, "evaluation", "rerun") == "“rerun”"
    assert amount_in_words(schema, "seeds", None) == "“blank”"
    assert size_in_words(schema, ["wall_time"], -2.5) == "2.5 s"
    assert size_in_words(schema, ["success_8k", "success_16k"], 2) == "2 percentage points"
    assert size_in_words(schema, ["wall_time", "seeds"], 2) == "2"
    assert joined(["a", "b", "c"]) == "a, b and c"


orders = st.integers(1, 9).flatmap(
    lambda n: st.tuples(*(st.permutations([f"e{at}" for at in range(n)]) for _ in range(2)))
)


@given(orders)
def test_moves_carried_out_one_after_the_other_give_the_new_order(
    pair: tuple[list[str], list[str]],
) -> None:
    old, new = pair
    order = tuple(old)
    moves = moves_between(old, new)
    for one, after in moves:
        order = moved(order, one, after)
    assert list(order) == new
    assert len(moves) < len(old) or len(old) == 1
    assert bool(moves) == (old != new)


def test_a_move_of_one_member_is_told_as_one() -> None:
    assert moves_between("abcde", "acdeb") == [("b", "e")]
    assert moves_between("abcde", "eabcd") == [("e", "")]


# Repetition


def turn(text: str) -> Turn:
    return Turn("r", Role.USER, text)


def test_the_share_of_distinct_sequences_is_counted_by_hand() -> None:
    assert distinct_share([turn("a b c d"), turn("a b c")]) == 2 / 3
    assert distinct_share([turn("A b, C.")]) == 1
    assert distinct_share([turn("one two")]) == 1
    assert distinct_share([turn("a b"), turn("a b")], n=2) == 0.5


def test_case_and_punctuation_make_no_difference_to_what_was_said() -> None:
    assert (
        repeated([turn("Noted. Thanks!"), turn("noted, thanks"), turn("Noted")])[0].text
        == "noted, thanks"
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_user_begins_as_somebody_in_their_place_does(name: str) -> None:
    said = "\n".join(one.text for one in dialogue_of(name))
    openings = PACKS[name].dialogue.openings
    assert sum(one in said for one in openings) > len(openings) / 2
