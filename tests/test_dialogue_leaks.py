"""The leakage check finds whatever a turn says too much, leaves out, or says otherwise."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from mnemoscope.core.harness.dialogue.duty import duty_of, hidden_in
from mnemoscope.core.harness.dialogue.leakage import leaks
from mnemoscope.core.harness.dialogue.reading import Reader, Said
from mnemoscope.core.harness.dialogue.reference import is_later, is_of_picture, reference_to
from mnemoscope.core.harness.dialogue.scene import Scene
from mnemoscope.core.harness.dialogue.speech import revision_of, rule_in_words
from mnemoscope.core.harness.dialogue.turn import Slip, Turn
from mnemoscope.core.harness.wording import text_of
from mnemoscope.core.model.history import Role
from mnemoscope.core.state.component import Absent, Part, members
from mnemoscope.core.state.field import FieldKind
from mnemoscope.core.state.mutation import Transform
from mnemoscope.core.state.operators import Event, Operator
from mnemoscope.core.state.transition import Cause
from tests.dialogue_data import NAMES, check_of, dialogue_of, said_in, scenario_of, scenes

SEEDS = (1, 2, 3)
FLIP = {"up": "down", "down": "up"}
Case = tuple[str, Scene, Turn]


def with_text(turn: Turn, text: str) -> Turn:
    return replace(turn, text=text)


def caught(name: str, seed: int, kind: str, wrong: Turn, *slips: Slip) -> None:
    found = {one.slip for one in check_of(name, seed).of(wrong)}
    assert found & set(slips), f"{kind}: {wrong.text!r} gave {found or 'nothing'}"


def told(name: str) -> Iterator[tuple[int, Scene, Turn, Turn]]:
    for seed in SEEDS:
        for scene, user, reply in said_in(name, seed):
            yield seed, scene, user, reply


# Too much


@pytest.mark.parametrize("name", NAMES)
def test_every_value_that_only_a_picture_shows_is_found_in_either_turn(name: str) -> None:
    kinds = Counter[str]()
    for seed, scene, user, reply in told(name):
        duty = duty_of(scene)
        for step in (*scene.visuals, *scene.declared):
            for change in step.changes:
                where = change.component
                if change.cause is not Cause.DIRECT or where.part is not Part.CELL:
                    continue
                for content in (change.before, change.after):
                    if content is None or isinstance(content, Absent):
                        continue
                    text = text_of(scene.schema, where.field, content)
                    if isinstance(content, int | float) and float(content) in duty.numbers:
                        continue
                    if text in duty.names or text in duty.quotes:
                        continue
                    for turn in (user, reply):
                        wrong = with_text(turn, f"{turn.text} It was about {text}, I think.")
                        caught(name, seed, "value", wrong, Slip.VALUE, Slip.NUMBER, Slip.NAME)
                        kinds[type(content).__name__] += 1
    assert {"str", "float", "int"} <= set(kinds)


@pytest.mark.parametrize("name", NAMES)
def test_small_numbers_are_found_in_words_as_well(name: str) -> None:
    seen = 0
    words = {"two", "three", "seven", "twelve", "seventeen"}
    for seed, scene, user, _ in told(name):
        for word in hidden_in(scene) & words:
            wrong = with_text(user, f"{user.text} There are {word}.")
            caught(name, seed, "word", wrong, Slip.VALUE)
            seen += 1
    assert seen


@pytest.mark.parametrize("name", NAMES)
def test_a_number_in_any_other_turn_is_found(name: str) -> None:
    for seed, scene, user, reply in told(name):
        free = 987_654 not in duty_of(scene).numbers
        for turn in (user, reply):
            assert free
            wrong = with_text(turn, f"{turn.text} Roughly 987,654.")
            caught(name, seed, "number", wrong, Slip.NUMBER)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_a_turn_is_not_about_is_found(name: str) -> None:
    for seed, scene, user, reply in told(name):
        duty = duty_of(scene)
        others = [one for one in scene.names.values() if one not in duty.names]
        for turn in (user, reply):
            for other in others[:1]:
                wrong = with_text(turn, f"{turn.text} Give my regards to {other}.")
                caught(name, seed, "name", wrong, Slip.NAME)


@pytest.mark.parametrize("name", NAMES)
def test_what_comes_later_is_not_told_ahead(name: str) -> None:
    """Names that only a later update brings, and revisions that are not out yet."""
    scenario = scenario_of(name)
    first = dialogue_of(name)[1]
    own = {one.id for one in scenario.truth.artifacts if one.context == scenario.pack.contexts[0]}
    last = next(one for one in reversed([*scenario.pictures.values()]) if one.id in own)
    known = set(scenes(name)[0].names.values())
    later = {
        str(one.value)
        for scene in scenes(name)
        for step in scene.updates
        for one in step.transition.mutation.cells
        if step.transition.atomic in (Operator.VISUAL_ENTITY_RENAME, Operator.TEXT_ENTITY_RENAME)
    }
    assert later - known
    for new in later - known:
        caught(name, 1, "later name", with_text(first, f"{first.text} So says {new}."), Slip.NAME)
    wrong = with_text(first, f"{first.text} Wait for {revision_of(scenario, last)}.")
    caught(name, 1, "later revision", wrong, Slip.NUMBER)


@pytest.mark.parametrize("name", NAMES)
def test_keys_ids_and_slugs_are_found(name: str) -> None:
    scenario = scenario_of(name)
    schema = scenario.truth.trajectory.schema
    records = scenario.truth.trajectory.records
    words = [
        *(one.transition.id for one in records),
        *(one.round for one in scenario.blocks),
        *(one.reply for one in scenario.blocks),
        *scenario.pictures,
        *members(scenario.truth.trajectory.initial.visual),
        *(one for one in Operator if "_" in one),
        *(one.key for one in schema.fields if "_" in one.key),
        *(one.key for one in schema.dependencies if "_" in one.key),
        *(one.key for one in schema.rules),
        *(one.key for one in schema.orderings),
        *(one.key for one in scenario.pack.artifacts),
        scenario.truth.history_id,
        "text_backed",
        "composite",
    ]
    turns = dialogue_of(name)
    for at, word in enumerate(words):
        turn = turns[at % len(turns)]
        for said in (word, word.upper()):
            caught(name, 1, "key", with_text(turn, f"{turn.text} ({said})"), Slip.INTERNAL)


@pytest.mark.parametrize("name", NAMES)
def test_what_follows_from_entries_is_not_said_of_anybody(name: str) -> None:
    schema = scenario_of(name).truth.trajectory.schema
    fields = {one.name for one in schema.fields}
    derived = next(one.name for one in schema.dependencies if one.name not in fields)
    seen = 0
    for seed, scene, _, reply in told(name):
        for said in duty_of(scene).names:
            wrong = with_text(reply, f"{reply.text} The {derived} of {said} changes with it.")
            caught(name, seed, "derived", wrong, Slip.VALUE)
            seen += 1
    assert seen


@pytest.mark.parametrize("name", NAMES)
def test_a_reply_that_states_another_value_than_the_user_is_found(name: str) -> None:
    seen = 0
    for seed, scene, _, reply in told(name):
        duty = duty_of(scene)
        numbers = [one for one in duty.said if scene.schema.unit(one.field)]
        for one in numbers:
            if one.transform is not Transform.SET or not isinstance(one.amount, int | float):
                continue
            number = FieldKind.NUMBER
            other = next(x for x in scene.schema.fields if x.kind is number and not x.unit)
            called = {entity: said for said, entity in duty.names.items()}[one.entity]
            amount = text_of(scene.schema, one.field, one.amount)
            text = f"{reply.text} So {called} has {other.name} at {amount}."
            caught(name, seed, "reply", with_text(reply, text), Slip.MORE, Slip.MISSING)
            seen += 1
    assert seen


# Too little, or another thing


def changed_numbers(scene: Scene, text: str) -> Iterator[str]:
    """The text with each stated number changed by one in its last digit."""
    for one in duty_of(scene).said:
        if isinstance(one.amount, int | float) and not isinstance(one.amount, bool):
            digits = f"{abs(one.amount):,}"
            for match in re.finditer(rf"(?<![\w.,]){re.escape(digits)}0*(?![\w.,]\d)", text):
                last = match[0][-1]
                other = "1" if last != "1" else "2"
                yield text[: match.end() - 1] + other + text[match.end() :]


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_number_in_a_text_update_is_found(name: str) -> None:
    seen = 0
    for seed, scene, user, _ in told(name):
        for text in changed_numbers(scene, user.text):
            caught(name, seed, "digit", with_text(user, text), Slip.MISSING)
            seen += 1
    assert seen > 50


@pytest.mark.parametrize("name", NAMES)
def test_a_line_or_sentence_with_a_value_that_is_left_out_is_found(name: str) -> None:
    seen = 0
    for seed, scene, user, _ in told(name):
        if not scene.texts or is_later(scene):
            continue
        lines = user.text.split("\n")
        for at, line in enumerate(lines):
            if line.startswith("- "):
                text = "\n".join(lines[:at] + lines[at + 1 :])
                caught(name, seed, "line", with_text(user, text), Slip.MISSING)
                seen += 1
    assert seen > 20


@pytest.mark.parametrize("name", NAMES)
def test_two_names_that_have_changed_places_are_found(name: str) -> None:
    seen = 0
    for seed, scene, user, _ in told(name):
        duty = duty_of(scene)
        about = Counter(one.entity for one in duty.said)
        names = [one for one in duty.names if one in user.text and duty.names[one] in about]
        if len(names) < 2:
            continue
        one, other = names[0], names[1]
        if one in other or other in one:
            continue
        first, second = (
            {(x.field, x.transform, x.amount) for x in duty.said if x.entity == e}
            for e in (duty.names[one], duty.names[other])
        )
        if first == second:
            continue
        text = user.text.replace(one, "\0").replace(other, one).replace("\0", other)
        caught(name, seed, "swap", with_text(user, text), Slip.MISSING)
        seen += 1
    assert seen > 5


@pytest.mark.parametrize("name", NAMES)
def test_another_column_is_found(name: str) -> None:
    seen = 0
    for seed, scene, user, _ in told(name):
        for one in duty_of(scene).said:
            heading = scene.schema.heading(one.field)
            others = [x.name for x in scene.schema.fields if x.name != heading]
            text = user.text.replace(heading, others[0])
            if text != user.text and isinstance(one.amount, float):
                caught(name, seed, "column", with_text(user, text), Slip.MISSING)
                seen += 1
    assert seen > 20


@pytest.mark.parametrize("name", NAMES)
def test_a_number_without_its_unit_or_with_another_is_found(name: str) -> None:
    seen = 0
    for seed, scene, user, _ in told(name):
        for one in duty_of(scene).said:
            unit = scene.schema.unit(one.field)
            plain = one.transform is Transform.SET and isinstance(one.amount, int | float)
            if not unit or not plain or isinstance(one.amount, bool):
                continue
            amount = text_of(scene.schema, one.field, one.amount)
            for wrong in ("", " furlongs"):
                text = user.text.replace(f"{amount} {unit}", amount + wrong)
                text = text.replace(f"{amount}{unit}", amount + wrong)
                if text != user.text:
                    caught(name, seed, "unit", with_text(user, text), Slip.MISSING)
                    seen += 1
    assert seen > 20


@pytest.mark.parametrize("name", NAMES)
def test_an_update_the_other_way_round_is_found(name: str) -> None:
    """Up and down, old and new of rules and names, what is put after what."""
    kinds = Counter[str]()
    for seed, scene, user, _ in told(name):
        duty = duty_of(scene)
        if any(one.transform is Transform.SHIFT for one in duty.said):
            text = re.sub(r"\b(up|down) by\b", lambda found: f"{FLIP[found[1]]} by", user.text)
            if text == user.text:
                text = re.sub(r"\b(up|down)\b", lambda found: FLIP[found[1]], user.text)
            caught(name, seed, "way", with_text(user, text), Slip.MISSING)
            kinds["way"] += 1
        for one in duty.rewordings:
            old, new = (rule_in_words(scene.schema, one.key, x) for x in (one.old, one.new))
            text = user.text.replace(old, "\0").replace(new, old).replace("\0", new)
            caught(name, seed, "rule", with_text(user, text), Slip.MISSING)
            kinds["rule"] += 1
        for old, new in duty.renamed:
            text = re.sub(rf"\b{re.escape(new)}", "\0", user.text)
            text = re.sub(rf"\b{re.escape(old)}", new, text).replace("\0", old)
            caught(name, seed, "rename", with_text(user, text), Slip.MISSING)
            kinds["rename"] += 1
        for order in duty.reorders:
            if order.key != "entities":
                continue
            called = {entity: said for said, entity in duty.names.items()}
            there = [one for one in order.new if called[one] in user.text]
            first, second = called[there[0]], called[there[1]]
            if first not in second and second not in first:
                text = user.text.replace(first, "\0").replace(second, first).replace("\0", second)
                caught(name, seed, "order", with_text(user, text), Slip.MISSING)
                kinds["order"] += 1
    assert {"way", "rule", "rename", "order"} <= set(kinds)


@pytest.mark.parametrize("name", NAMES)
def test_a_removal_of_somebody_else_or_of_one_less_is_found(name: str) -> None:
    seen = 0
    for seed, scene, user, _ in told(name):
        duty = duty_of(scene)
        for gone in duty.removed:
            called = {entity: said for said, entity in duty.names.items()}
            one = called[next(iter(sorted(gone)))]
            other = next(x for x in scene.names.values() if x not in duty.names)
            text = user.text.replace(one, other)
            caught(name, seed, "other", with_text(user, text), Slip.MISSING)
            text = re.sub(r"(?i)\b(remov\w+|delet\w+|strike|dropping|take)\b", "mention", user.text)
            caught(name, seed, "no removal", with_text(user, text), Slip.MISSING)
            seen += 1
    assert seen


@pytest.mark.parametrize("name", NAMES)
def test_a_declaration_of_another_scope_is_found(name: str) -> None:
    seen = 0
    for seed, scene, user, _ in told(name):
        duty = duty_of(scene)
        if not duty.scope:
            continue
        key = min(key for _, key in duty.scope)
        heading = scene.schema.heading(key)
        used = {scene.schema.heading(x) for _, x in duty.scope}
        other = next(x.name for x in scene.schema.fields if x.name not in used)
        caught(
            name, seed, "scope", with_text(user, user.text.replace(heading, other)), Slip.MISSING
        )
        caught(name, seed, "none", with_text(user, user.text.split(".")[0] + "."), Slip.MISSING)
        seen += 1
    assert seen > 4


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_that_is_not_said_to_be_which_is_found(name: str) -> None:
    seen = 0
    for seed, scene, user, _ in told(name):
        if scene.picture is None or not scene.picture.artifact:
            continue
        text = re.sub(r"(?i)revision \d+ of ", "", user.text)
        for context in scene.pack.contexts:
            text = text.replace(context, "somewhere")
        caught(name, seed, "picture", with_text(user, text), Slip.MISSING)
        seen += 1
    assert seen > 20


# References


@pytest.mark.parametrize("name", NAMES)
def test_a_reference_that_fits_none_another_or_several_is_found(name: str) -> None:
    kinds = Counter[str]()
    for seed, scene, user, _ in told(name):
        if not is_later(scene):
            continue
        text = re.sub(r"(?i)revision (\d+)", r"revision 40", user.text)
        caught(name, seed, "another", with_text(user, text), Slip.REFERENCE)
        text = re.sub(r"(?i)revision \d+ of “[^”]+”( for “[^”]+”)?", "the last one", user.text)
        caught(name, seed, "none", with_text(user, text), Slip.REFERENCE)
        kinds["visual" if is_of_picture(scene) else "text"] += 1
        if not is_of_picture(scene):
            other = re.sub(
                r"correction|addition|removal|renaming",
                lambda found: "removal" if found[0] != "removal" else "renaming",
                user.text,
            )
            caught(name, seed, "kind", with_text(user, other), Slip.REFERENCE)
        if re.search(r"\b(first|second|third) (correction|addition|removal|renaming)", user.text):
            plain = re.sub(
                r"\b(?:first|second|third) (?=correction|additi|remov|renam)", "", user.text
            )
            caught(name, seed, "several", with_text(user, plain), Slip.REFERENCE)
            kinds["ordinal"] += 1
    assert {"visual", "text"} <= set(kinds)


def test_where_two_updates_could_be_meant_a_reference_says_which() -> None:
    found = 0
    for name in NAMES:
        for seed in range(1, 9):
            for scene in scenes(name, seed):
                if is_later(scene) and not is_of_picture(scene):
                    words = reference_to(scenes(name, seed), scene)
                    found += bool(re.search(r"the (first|second|third|fourth) ", words))
    assert found


@pytest.mark.parametrize("name", NAMES)
def test_a_withdrawal_worded_as_a_reinstatement_is_found_and_the_other_way_round(name: str) -> None:
    by_event: dict[tuple[Event, bool], list[tuple[int, Scene, Turn]]] = {}
    for seed, scene, user, _ in told(name):
        if scene.transition is not None and is_later(scene):
            key = scene.transition.event, is_of_picture(scene)
            by_event.setdefault(key, []).append((seed, scene, user))
    for (event, picture), cases in by_event.items():
        for seed, _, user in cases:
            label = re.search(r"(?i)revision \d+ of “[^”]+”( for “[^”]+”)?", user.text)
            assert label
            if picture and event is Event.DISREGARD:
                text = f"Please reinstate what {label[0]} changed."
                caught(name, seed, "flip", with_text(user, text), Slip.MISSING)
            elif picture:
                text = f"Please disregard what {label[0]} changed."
                caught(name, seed, "flip", with_text(user, text), Slip.MISSING)
    assert len(by_event) == 4


# The reader, on sentences that no template has


def reader_of(name: str = "ml_agent_research") -> tuple[Reader, dict[str, str]]:
    scene = scenes(name)[0]
    names = {called: entity for entity, called in scene.names.items()}
    return Reader(scene, names, scene.state.accepted), names


def test_the_reader_reads_sentences_that_no_template_has() -> None:
    reader, names = reader_of()
    (one, first), (two, second), (three, third) = list(names.items())[:3]
    set_to, shift, scale = Transform.SET, Transform.SHIFT, Transform.SCALE
    for text, wanted in (
        (f"Would you enter Latency 34.1 s for {one}?", set()),
        (f"With {one} the Latency came out at 34.1 s.", {Said(first, "wall_time", set_to, 34.1)}),
        (
            f"{one} and {two} share a Latency of 9.0 s, {three} has 8.0 s.",
            {
                Said(first, "wall_time", set_to, 9.0),
                Said(second, "wall_time", set_to, 9.0),
                Said(third, "wall_time", set_to, 8.0),
            },
        ),
        (
            f"Latency: {one} 9.0 s; {two} 8.0 s; Cost: {one} $0.300/task",
            {
                Said(first, "wall_time", set_to, 9.0),
                Said(second, "wall_time", set_to, 8.0),
                Said(first, "run_cost", set_to, 0.3),
            },
        ),
        (f"Lower the Latency of {one} by 2.5 s.", {Said(first, "wall_time", shift, -2.5)}),
        (f"{one}, Seeds: raise by 2", {Said(first, "seeds", shift, 2)}),
        (f"Multiply the Spend of {one} by 1.05.", {Said(first, "eval_spend", scale, 1.05)}),
        (f"{one} is now “rerun”.", {Said(first, "evaluation", set_to, "rerun")}),
        (f"{one} has its Seeds “blank”.", {Said(first, "seeds", set_to, None)}),
        (f"{one} has a Latency of 34.1.", set()),
        (f"{one} has a Latency of 34.1 kW.", set()),
        (f"{one}: Latency\n\n34.1 s", set()),
    ):
        assert reader.said(text) == wanted, text


def test_the_reader_takes_every_and_groups_for_their_members() -> None:
    reader, _ = reader_of()
    layer = scenes("ml_agent_research")[0].state.accepted
    everyone = {Said(one, "seeds", Transform.SET, 4) for one in members(layer)}
    assert reader.said("For every system on our list, Seeds: 4") == everyone
    memory = reader.said("For every system under “Memory”, Seeds: 4")
    assert memory
    assert memory < everyone


def test_names_inside_longer_names_are_not_taken_for_them() -> None:
    reader, names = reader_of()
    one = next(iter(names))
    for other in (f"{one}-Pro", f"Evo{one}", f"{one}X"):
        assert not reader.said(f"{other} has Seeds 4"), other


# What it is


def test_a_single_turn_can_be_checked_by_itself() -> None:
    name = NAMES[0]
    turn = dialogue_of(name)[4]
    assert leaks(turn, scenario_of(name)) == []
    (found,) = leaks(with_text(turn, f"{turn.text} T014"), scenario_of(name))
    assert found.slip is Slip.INTERNAL
    assert str(found) == f"round {turn.round}: internal: found 'T014', expected no key, id or slug"


def test_a_turn_of_no_block_is_found() -> None:
    turn = Turn("elsewhere", Role.USER, "Hello.")
    assert [one.slip for one in leaks(turn, scenario_of(NAMES[0]))] == [Slip.STRUCTURE]
