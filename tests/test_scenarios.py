"""Scenarios by the expert: every operator, audited, the same for the same seed."""

import itertools
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import UsageError
from mnemoscope.core.harness.inventory import default_inventory, needed_turns
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.harness.trajectory import expert_scenario
from mnemoscope.core.model import History, Role, Round, Session
from mnemoscope.core.model.history import Message
from mnemoscope.core.model.media import Attachment, Kind
from mnemoscope.core.state.component import ABSENT, Part
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.trajectory import unfinished
from mnemoscope.core.state.transition import Cause, Sheet
from mnemoscope.core.truth.audit import audit
from tests.pack_data import PACKS

NAMES = list(PACKS)
SEEDS = range(1, 5)


@cache
def scenario(name: str, seed: int) -> Scenario:
    return expert_scenario(PACKS[name], seed)


def silent_history(one: Scenario) -> History:
    """The rounds and images of a scenario, without a word."""
    rounds: list[Round] = []
    for block in one.blocks:
        shown = (Attachment(Kind.IMAGE, block.picture, ""),) if block.picture else ()
        for key, role in ((block.round, Role.USER), (block.reply, Role.ASSISTANT)):
            said = Message(role, role, "", shown if role is Role.USER else ())
            rounds.append(Round(key, "s", len(rounds), (said,), "$"))
    return History(one.truth.history_id, "", (Session("s", None, "", tuple(rounds), "$"),), "")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_full_scenario_passes_the_audit_and_has_every_operator(name: str, seed: int) -> None:
    one = scenario(name, seed)
    log = DefectLog()
    audit(one.truth, silent_history(one), log)
    assert log.items == []
    assert set(one.truth.inventory) == set(Operator)
    assert not list(unfinished(each.transition for each in one.truth.trajectory.records))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_full_scenario_has_the_papers_turns_and_visuals(name: str, seed: int) -> None:
    one = scenario(name, seed)
    assert len(one.blocks) * 2 == 212
    assert len(one.truth.artifacts) == 24
    assert len(one.pictures) == 25
    rounds = [key for block in one.blocks for key in (block.round, block.reply)]
    assert rounds == [f"T{at:03}" for at in range(1, 213)]
    assert [one.date for one in one.blocks] == sorted(one.date for one in one.blocks)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_what_changes_on_the_visual_state_is_seen_on_the_picture(name: str, seed: int) -> None:
    one = scenario(name, seed)
    for record in one.truth.trajectory.records:
        if not record.transition.is_upload_here:
            continue
        displayed = one.exhibit(record.transition.artifact).displayed
        for change in record.changes:
            direct = change.sheet is Sheet.VISUAL and change.cause is Cause.DIRECT
            if direct and change.after is not ABSENT:
                assert change.component in displayed, record.transition


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_lifecycles_take_some_turns_and_nothing_touches_them_between(name: str, seed: int) -> None:
    one = scenario(name, seed)
    turns = {block.transition: at for at, block in enumerate(one.blocks) if block.transition}
    records = list(one.truth.trajectory.records)
    for record in records:
        first = record.transition
        if first.event is not Event.APPLY or len(OPERATORS[first.operator].events) == 1:
            continue
        events = [first, *(each.transition for each in records if each.transition.of == first.id)]
        places = [turns[each.id] for each in events]
        assert [each.event for each in events] == list(OPERATORS[first.operator].events)
        assert all(later - sooner >= 2 for sooner, later in itertools.pairwise(places))
        end = records.index(next(each for each in records if each.transition == events[-1]))
        for other in records[records.index(record) + 1 : end]:
            if other.transition not in events:
                assert not set(other.scope) & set(record.scope)


def test_composites_take_their_parts_from_the_inventory() -> None:
    planned = default_inventory(212, 24)
    for name in NAMES:
        one = scenario(name, 1)
        missing = Counter(planned) - Counter(one.truth.inventory)
        parts = Counter(
            part.operator
            for record in one.truth.trajectory.records
            for part in record.transition.mutation.parts
        )
        assert missing
        assert not missing - parts


def test_no_entity_has_the_name_or_the_key_of_another_that_was() -> None:
    for name in NAMES:
        one = scenario(name, 2)
        added = [
            change.component.entity
            for record in one.truth.trajectory.records
            for change in record.changes
            if change.component.part is Part.MEMBER
            and change.sheet is Sheet.ACCEPTED
            and change.before is ABSENT
            and record.transition.event is Event.APPLY
        ]
        assert len(added) == len(set(added))


def test_a_small_scenario_has_the_most_telling_operators() -> None:
    one = expert_scenario(PACKS[NAMES[0]], 1, turns=40, visuals=8)
    assert len(one.blocks) == 20
    assert len(one.truth.artifacts) == 8
    assert Operator.COMPOSITE in one.truth.inventory
    assert Operator.TEXT_UPDATE_DISREGARDED in one.truth.inventory


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.integers(0, 10_000),
    st.dictionaries(st.sampled_from(list(Operator)), st.integers(1, 3), max_size=12),
    st.integers(0, 15),
)
def test_any_inventory_that_fits_its_turns_can_be_generated(
    name: str, seed: int, counts: dict[Operator, int], more: int
) -> None:
    turns = needed_turns(counts) + 2 * more
    one = expert_scenario(PACKS[name], seed, turns=turns, counts=counts)
    log = DefectLog()
    audit(one.truth, silent_history(one), log)
    assert log.items == []
    assert len(one.blocks) * 2 == turns
    parts = Counter(
        part.operator
        for record in one.truth.trajectory.records
        for part in record.transition.mutation.parts
    )
    made = Counter(one.truth.inventory)
    assert not made - Counter(counts)
    assert not Counter(counts) - made - parts


def test_an_inventory_that_needs_more_turns_is_refused() -> None:
    with pytest.raises(UsageError, match=r"10 turns are too few for its inventory, which takes 14"):
        expert_scenario(PACKS[NAMES[0]], 1, turns=10, counts={Operator.TEXT_UPDATE_REINSTATED: 2})


@pytest.mark.parametrize("turns", [60, 100, 150, 212, 300])
def test_a_default_inventory_fits_its_turns(turns: int) -> None:
    for visuals in (2, 5, 9, 17, 24):
        if visuals * 4 <= turns:
            one = expert_scenario(PACKS[NAMES[1]], 3, turns=turns, visuals=visuals)
            assert len(one.blocks) * 2 == turns
            shown = list(one.truth.artifacts)
            assert len(shown) == visuals


DIGEST = """
import hashlib, sys
from mnemoscope.core.harness.library import load_pack
from mnemoscope.core.harness.trajectory import expert_scenario
from mnemoscope.core.truth.writing import form_of
from mnemoscope.core.writing import json_bytes
one = expert_scenario(load_pack(sys.argv[1]), 7, turns=120, visuals=16)
told = repr((one.blocks, [(p.id, p.artifact, p.edition.revision, sorted(p.edition.changed))
                          for p in one.pictures.values()]))
print(hashlib.sha256(json_bytes(form_of(one.truth).as_json()) + told.encode()).hexdigest())
"""


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_scenario_in_every_process(name: str) -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST, name],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_text_updates_come_without_a_picture_and_others_with_one() -> None:
    one = scenario(NAMES[0], 3)
    by_id = one.truth.trajectory.record_by_id
    for block in one.blocks[1:]:
        if block.transition:
            transition = by_id[block.transition].transition
            assert transition.round == block.round
            assert bool(block.picture) is transition.is_upload
            by_text = OPERATORS[transition.atomic].origin is Origin.TEXT
            assert not (by_text and block.picture)
        else:
            assert block.topic
            assert not block.picture
