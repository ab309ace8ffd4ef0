"""Questions: what holds of every one of them, over both packs and several seeds."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

import pytest

from mnemoscope.core.harness.questions.category import COUNTS, Category, counts_for
from mnemoscope.core.harness.questions.checking import Checker
from mnemoscope.core.harness.questions.desk import Desk
from mnemoscope.core.harness.questions.evidence import Witness
from mnemoscope.core.harness.questions.mined import MinedQuestion
from mnemoscope.core.harness.questions.mining import mine
from mnemoscope.core.harness.questions.plan import Change, Gap, Mean, Numbers, Swing, Total
from mnemoscope.core.harness.questions.plan_premise import FalseInput
from mnemoscope.core.harness.questions.reading import UNREAD, Read, UnreadError
from mnemoscope.core.harness.questions.release import (
    evaluator_data,
    geometric_mean_count,
    model_questions,
)
from mnemoscope.core.harness.questions.source import SourceKind
from mnemoscope.core.harness.questions.view import Looking, View
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model import GoldKind
from mnemoscope.core.scoring.typed_gold import (
    CountGold,
    ListGold,
    NumberGold,
    RefusalGold,
    TypedGold,
    read_typed_gold,
)
from mnemoscope.core.state.component import ABSENT, Component, Maybe, Part, cell
from mnemoscope.core.state.trajectory import carried_out
from mnemoscope.core.state.values import exact, same_scalar
from tests.pack_data import PACKS
from tests.question_data import FULL, SMALL, desk, questions, scenario

ALL = [*FULL, *SMALL]
every_scenario = pytest.mark.parametrize(("name", "seed"), ALL)
full_scenarios = pytest.mark.parametrize(("name", "seed"), FULL)


@full_scenarios
def test_a_full_scenario_has_the_papers_questions(name: str, seed: int) -> None:
    found = Counter(one.category for one in questions(name, seed))
    assert found == COUNTS
    assert found.total() == 100


@pytest.mark.parametrize(
    ("total", "wanted"), [(100, (10, 10, 20, 35, 25)), (20, (2, 2, 4, 7, 5)), (7, (1, 1, 1, 2, 2))]
)
def test_smaller_scenarios_have_the_same_shares(total: int, wanted: tuple[int, ...]) -> None:
    assert tuple(counts_for(total).values()) == wanted


@pytest.mark.parametrize("total", [0, 1, 13, 20, 99, 250])
def test_shares_add_up(total: int) -> None:
    assert sum(counts_for(total).values()) == total


@every_scenario
def test_no_two_questions_are_alike(name: str, seed: int) -> None:
    texts = [one.text for one in questions(name, seed)]
    plans = [(one.family, one.plan) for one in questions(name, seed)]
    assert len(set(texts)) == len(texts)
    assert len(set(plans)) == len(plans)


@every_scenario
def test_no_internal_word_is_in_a_question(name: str, seed: int) -> None:
    known = scenario(name, seed)
    schema = known.pack.state_schema
    ids = {one.round for one in known.blocks} | {one.reply for one in known.blocks}
    ids |= {one.transition for one in known.blocks if one.transition} | set(known.pictures)
    ids |= set(desk(name, seed).every)
    keys = [one.key for one in schema.fields] + [one.key for one in schema.dependencies]
    keys += [one.key for one in schema.rules] + [one.key for one in schema.orderings]
    ids |= {one for one in keys if "_" in one}
    pattern = re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, ids)) + r")(?![\w-])")
    for question in questions(name, seed):
        for text in (question.text, *question.texts):
            assert not pattern.search(text), text
            assert "{" not in text
            assert "  " not in text


class StateView(View):
    """Reads states that are carried out anew: neither recorded changes nor a reader's rule."""

    def __init__(self, known: Scenario) -> None:
        trajectory = known.truth.trajectory
        super().__init__(trajectory.schema, len(known.blocks) - 1)
        self.known = known
        steps = carried_out(
            trajectory.schema, trajectory.initial, [one.transition for one in trajectory.records]
        )
        after = {step.transition.id: step.after for step in steps}
        self.states = []
        state = trajectory.initial
        for block in known.blocks:
            state = after.get(block.transition, state)
            self.states.append(state)

    def _accepted(self, where: Component, place: int) -> Maybe:
        return self.states[place].accepted.get(where, ABSENT)

    def _steps(self, where: Component) -> Iterator[tuple[int, Read]]:
        last: object = UNREAD
        for place, state in enumerate(self.states):
            now = state.accepted.get(where, ABSENT)
            if not same_scalar(last, now):
                yield place, now
            last = now

    def _shown(self, where: Component, place: int, context: str) -> Maybe:
        own = self.known.truth.trajectory.initial.context
        seen = cell(where.entity, where.field)
        for block in reversed(self.known.blocks[: place + 1]):
            found = self.known.artifact_by_id.get(block.picture)
            if found is None or found.context != (context or own):
                continue
            exhibit = self.known.exhibit(block.picture)
            for one in exhibit.cells:
                if one.where == seen:
                    if where.part is Part.CUE:
                        return one.cue or ABSENT
                    assert one.content is not None
                    return one.content
        raise UnreadError(str(where))

    def _everywhere(self, where: Component) -> None:
        assert self.last


def without_words(gold: TypedGold) -> dict[str, object]:
    """What a plan itself says of a gold: no premise in words and no other names."""
    data = gold.as_json()
    text = re.sub(r', "also": \[[^\]]*\]', "", json.dumps(data))
    found: dict[str, object] = json.loads(text)
    found.pop("premise", None)
    return found


@every_scenario
def test_gold_is_the_same_when_every_transition_is_carried_out_again(name: str, seed: int) -> None:
    view = StateView(scenario(name, seed))
    for question in questions(name, seed):
        assert without_words(question.plan.answer(view)) == without_words(question.gold)


@every_scenario
def test_what_is_visible_leads_to_the_accepted_state(name: str, seed: int) -> None:
    known = desk(name, seed)
    components = {
        one
        for moment in known.truths.moments
        for one in moment.accepted
        if one.part in (Part.CELL, Part.MEMBER, Part.RULE)
    }
    for where in components:
        for place, moment in enumerate(known.truths.moments):
            read = known.reader.accepted(where, place, known.reader.all)
            assert same_scalar(read, moment.accepted.get(where, ABSENT)), (where, place)


@pytest.mark.parametrize("name", PACKS)
def test_no_proposal_has_another_answer_when_it_is_read_from_what_is_visible(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkers: list[Checker] = []
    original = Checker.__init__

    def remembered(self: Checker, desk: Desk) -> None:
        original(self, desk)
        checkers.append(self)

    monkeypatch.setattr(Checker, "__init__", remembered)
    mine(scenario(name, 5), counts_for(10))
    assert len(checkers) == 5
    assert [draft for one in checkers for draft in one.disagreements] == []


def witness_of(question: MinedQuestion, known: Desk) -> Witness:
    return Witness(known.reader, known.last, question.plan, known.names.label)


def plain_gold(question: MinedQuestion, known: Desk) -> TypedGold:
    found, _ = witness_of(question, known).answer(known.reader.all)
    assert found is not None
    return found


@every_scenario
def test_evidence_is_enough_and_nothing_in_it_is_spare(name: str, seed: int) -> None:
    known = desk(name, seed)
    for question in questions(name, seed):
        witness, gold = witness_of(question, known), plain_gold(question, known)
        evidence = frozenset(question.evidence)
        assert witness.is_enough(evidence, gold), question.text
        texts = known.reader.texts
        for one in evidence:
            if one.kind is SourceKind.IMAGE:
                assert not witness.is_enough(texts | (evidence - {one}), gold), question.text
            assert not witness.is_enough(evidence - {one}, gold), (question.text, one)


@every_scenario
def test_no_single_image_answers_even_with_every_text(name: str, seed: int) -> None:
    known = desk(name, seed)
    for question in questions(name, seed):
        witness, gold = witness_of(question, known), plain_gold(question, known)
        assert not witness.is_enough(known.reader.texts, gold)
        for image in known.reader.images:
            assert not witness.is_enough(known.reader.texts | {image}, gold), question.text
        assert len(question.images) >= 2


@every_scenario
def test_hartley_counts_the_images_that_show_a_cell_that_is_needed(name: str, seed: int) -> None:
    known = scenario(name, seed)
    own = known.truth.trajectory.initial.context
    place = {one.picture: at for at, one in enumerate(known.blocks) if one.picture}
    displayed = {one: known.exhibit(one).displayed for one in known.artifact_by_id}
    for question in questions(name, seed):
        found = set()
        for step in question.steps:
            look = step.look
            if look.how is Looking.NAME or look.how is Looking.EVERYWHERE:
                continue
            seen = look.where
            if seen.part is Part.CUE:
                seen = cell(seen.entity, seen.field)
            for image, artifact in known.artifact_by_id.items():
                here = artifact.context == (look.context or own) and place[image] <= look.place
                # That an entity is absent is seen on any image of the context.
                if here and (seen in displayed[image] or seen.part is Part.MEMBER):
                    found.add(image)
        if all(step.look.how is not Looking.EVERYWHERE for step in question.steps):
            assert question.hartley.candidates == len(found), question.text
        assert question.hartley.score > 0


def numbers_of(question: MinedQuestion) -> list[Decimal]:
    return [
        exact(step.content)
        for step in question.steps
        if step.look.how in (Looking.ACCEPTED, Looking.SHOWN)
        and isinstance(step.content, int | float)
        and not isinstance(step.content, bool)
    ]


def by_hand(plan: Numbers, numbers: list[Decimal]) -> Decimal:
    match plan:
        case Total():
            return sum(numbers, Decimal(0))
        case Mean():
            return sum(numbers, Decimal(0)) / len(numbers)
        case Gap():
            return abs(numbers[0] - numbers[1])
        case Swing():
            half = len(numbers) // 2
            return abs(sum(numbers[:half], Decimal(0)) - sum(numbers[half:], Decimal(0)))
        case Change():
            return (numbers[1] - numbers[0]) * 100 / numbers[0]
    raise AssertionError(plan)


@full_scenarios
def test_numbers_are_what_a_hand_computes_from_the_derivation(name: str, seed: int) -> None:
    checked = 0
    for question in questions(name, seed):
        plan, gold = question.plan, question.gold
        if isinstance(plan, FalseInput):
            assert isinstance(gold, RefusalGold)
            assert isinstance(gold.actual, NumberGold)
            plan, gold = plan.inner, gold.actual
        if isinstance(plan, Numbers):
            numbers = numbers_of(question)
            assert isinstance(gold, NumberGold)
            if len(numbers) == len(plan.reads):
                wanted = by_hand(plan, numbers)
                half = Decimal(5).scaleb(-(gold.decimals or 0) - 1)
                assert abs(wanted - exact(gold.number)) <= half, question.text
                checked += 1
    assert checked >= 15


@full_scenarios
def test_lists_of_changes_are_those_of_the_recorded_changes(name: str, seed: int) -> None:
    known, checked = desk(name, seed), 0
    for question in questions(name, seed):
        if question.family not in ("successive", "counted"):
            continue
        (step,) = (one for one in question.steps if one.look.how is Looking.CHANGES)
        where, first, last = step.look.where, step.look.first, step.look.place
        values = [known.accepted(where, at) for at in range(first, last + 1)]
        turns = [values[0], *(b for a, b in pairwise(values) if not same_scalar(a, b))]
        if isinstance(question.gold, CountGold):
            assert question.gold.count == len(turns) - 1
        else:
            assert isinstance(question.gold, ListGold)
            assert len(question.gold.items) == len(turns)
            assert step.content == turns
        checked += 1
    assert checked


@every_scenario
def test_what_is_claimed_is_said_and_is_not_the_case(name: str, seed: int) -> None:
    known = desk(name, seed)
    for question in questions(name, seed):
        if not isinstance(question.gold, RefusalGold):
            assert question.category is not Category.CONFLICT_REFUSAL
            continue
        assert question.category is Category.CONFLICT_REFUSAL
        assert question.gold.premise
        assert question.gold.claimed is None or question.gold.claimed != question.gold.actual
        if isinstance(question.plan, FalseInput):
            where = question.plan.inner.reads[question.plan.at].where
            assert known.amount(where, question.plan.claimed) in question.text


@every_scenario
def test_every_name_in_a_question_means_one_entity(name: str, seed: int) -> None:
    known = desk(name, seed)
    for question in questions(name, seed):
        for entity in question.plan.entities():
            assert known.names.label[entity] in question.text
            assert known.names.is_clear(entity)


@every_scenario
def test_moments_in_words_mean_one_time(name: str, seed: int) -> None:
    moments = desk(name, seed).moments
    assert len({one.words for one in moments}) == len(moments)
    assert len(moments) > 20


@full_scenarios
def test_questions_are_of_many_kinds_and_about_many_operators(name: str, seed: int) -> None:
    found = questions(name, seed)
    assert len({one.family for one in found}) >= 30
    assert len({each for one in found for each in one.governing.operators}) >= 14
    starts = Counter(" ".join(one.text.split()[:4]) for one in found)
    assert max(starts.values()) <= 8
    cells = Counter(str(one.main_cell) for one in found)
    assert max(cells.values()) <= 8


@full_scenarios
def test_few_questions_are_answered_by_the_newest_or_the_first_image(name: str, seed: int) -> None:
    naive = [one for one in questions(name, seed) if one.naive]
    assert len(naive) <= 20


@full_scenarios
def test_the_candidates_of_a_full_scenario_are_at_least_those_of_the_paper(
    name: str, seed: int
) -> None:
    assert geometric_mean_count(questions(name, seed)) > 7


@pytest.mark.parametrize("name", PACKS)
def test_the_same_seed_gives_the_same_questions_and_another_seed_others(name: str) -> None:
    known, counts = scenario(name, 2), counts_for(10)
    first = mine(known, counts)
    assert mine(known, counts) == first
    assert mine(known, counts, seed=1) != first


@every_scenario
def test_governing_updates_changed_a_cell_that_is_needed(name: str, seed: int) -> None:
    known = scenario(name, seed)
    records = known.truth.trajectory.record_by_id
    for question in questions(name, seed):
        cells = {one.look.where for one in question.steps if one.look.how is not Looking.NAME}
        for transition in question.governing.transitions:
            changed = {one.component for one in records[transition].changes}
            assert cells & changed, question.text
        assert 0 <= question.governing.turns_since < len(known.blocks)


@full_scenarios
def test_a_release_holds_typed_gold_and_clues_and_keeps_the_rest_apart(
    name: str, seed: int
) -> None:
    known, mined = scenario(name, seed), questions(name, seed)
    found, data = model_questions("h", mined, known), evaluator_data("h", mined, known)
    assert [one.key for one in found] == list(data)
    assert len({one.key for one in found}) == 100
    for one, question in zip(found, mined, strict=True):
        assert one.gold.kind is GoldKind.VALUE
        assert read_typed_gold(one.gold.value) == question.gold
        assert json.loads(json.dumps(one.gold.value)) == one.gold.value
        assert len(one.clues) == len(question.evidence)
        assert all(clue.resolved and clue.session_id for clue in one.clues)
        assert one.answerable is not isinstance(question.gold, RefusalGold)
        assert data[one.key]["hartley"]["candidates"] >= 2
        assert data[one.key]["derivation"]["steps"]
        assert json.loads(json.dumps(data[one.key])) == data[one.key]
        # What only the evaluator may see stays out of what the question says of itself.
        assert "hartley" not in one.labels
        assert "governing_updates" not in one.labels


@every_scenario
def test_evidence_names_rounds_and_images_of_the_conversation(name: str, seed: int) -> None:
    known = scenario(name, seed)
    for question in questions(name, seed):
        for source in question.evidence:
            block = known.blocks[source.place]
            wanted = block.picture if source.kind is SourceKind.IMAGE else block.round
            assert source.id == wanted
