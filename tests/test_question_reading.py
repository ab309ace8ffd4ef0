"""Reading a conversation from some of its sources: the authority rule, and what stays open."""

from collections.abc import Sequence
from functools import cache

import pytest

from mnemoscope.core.harness.exhibit import Edition
from mnemoscope.core.harness.questions.reader import Reader
from mnemoscope.core.harness.questions.reading import Faults, UnreadError
from mnemoscope.core.harness.questions.source import Source, items_of
from mnemoscope.core.harness.scenario import Block, Picture, Scenario
from mnemoscope.core.state.component import ABSENT, Maybe, cell, member
from mnemoscope.core.state.mutation import CellValue, Mutation
from mnemoscope.core.state.operators import Event, Operator
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.truth.truth import Truth
from tests.pack_data import PACKS, beginning

PACK = PACKS["ml_agent_research"]
ENTITY, FIELD = "system_01", "success_64k"
CELL = cell(ENTITY, FIELD)


def value(new: float) -> Mutation:
    return Mutation((CellValue(ENTITY, FIELD, new),))


def delta(by: float) -> Mutation:
    return Mutation((CellValue(ENTITY, FIELD, delta=by),))


def told(steps: Sequence[tuple[Operator, Mutation]]) -> Scenario:
    """A conversation of plain steps, the last of them perhaps a withdrawal of the one before."""
    transitions: list[Transition] = []
    for at, (operator, mutation) in enumerate(steps, 1):
        key, parent = f"t{at}", transitions[-1].id if transitions else ""
        if operator is Operator.VISUAL_UPDATE_DISREGARDED:
            wraps = Operator.VISUAL_CELL_EDIT
            event = Event.APPLY if mutation.cells else Event.DISREGARD
            of = "" if mutation.cells else parent
            image = f"a{at + 1}" if mutation.cells else ""
            one = Transition(key, operator, f"r{at + 1}", mutation, image, parent, event, of, wraps)
        else:
            one = Transition(key, operator, f"r{at + 1}", mutation, "", parent)
            if one.is_upload:
                one = Transition(key, operator, f"r{at + 1}", mutation, f"a{at + 1}", parent)
        transitions.append(one)
    truth = Truth.of("h", PACK.state_schema, beginning(PACK.name), transitions)
    blocks = [Block("r1", "s1", picture="a1")]
    blocks += [
        Block(one.round, f"s{one.round}", "", one.id, "", one.artifact) for one in transitions
    ]
    pictures = {
        one.id: Picture(one.id, one.round, Edition(at, "2026-01-01"), "results_table")
        for at, one in enumerate(truth.artifacts, 1)
    }
    return Scenario(PACK, 1, truth, tuple(blocks), pictures)


EDIT, SAID = Operator.VISUAL_CELL_EDIT, Operator.TEXT_CELL_EDIT
TAKEN, DECLARED = Operator.VISUAL_UPDATE_DISREGARDED, Operator.VISUAL_CELL_AUTHORITY


@cache
def first() -> Maybe:
    return beginning(PACK.name).accepted[CELL]


def read(known: Scenario, *kept: str, faults: Faults | None = None) -> Maybe:
    """What is accepted at the end by the rounds and images that are named; by all without any."""
    reader = Reader(PACK.state_schema, items_of(known))
    sources = frozenset[Source](one for one in reader.all if not kept or one.id in kept)
    return reader.accepted(CELL, len(known.blocks) - 1, sources, faults or Faults())


def test_an_image_is_followed_until_a_text_governs() -> None:
    known = told([(EDIT, value(10.0)), (SAID, value(20.0)), (EDIT, value(30.0))])
    assert read(known) == 20.0
    assert read(known, "a1", "a2", "a4") == 30.0


def test_a_text_that_authorises_an_image_lets_its_value_in() -> None:
    known = told([(SAID, value(20.0)), (DECLARED, value(30.0))])
    assert read(known) == 30.0
    assert read(known, "a1", "r2", "a3") == 20.0


def test_an_image_that_is_not_seen_leaves_open_what_it_displays() -> None:
    known = told([(EDIT, value(10.0)), (EDIT, value(30.0))])
    with pytest.raises(UnreadError):
        read(known, "a1", "a2")
    assert read(known, "a3") == 30.0
    assert read(known, "a1", "a2", faults=Faults(trusting=True)) == 10.0


def test_a_difference_needs_the_value_that_it_is_added_to() -> None:
    known = told([(EDIT, value(10.0)), (SAID, delta(2.5)), (EDIT, value(30.0))])
    assert read(known) == 12.5
    assert read(known, "a2", "r3") == 12.5
    with pytest.raises(UnreadError):
        read(known, "r3", "a4")


def test_a_withdrawal_brings_back_what_was_read_before() -> None:
    known = told([(TAKEN, value(10.0)), (TAKEN, Mutation())])
    assert read(known) == first()
    assert read(known, "a1", "r3") == first()
    assert read(known, "a1", "a2") == 10.0
    with pytest.raises(UnreadError):
        read(known, "a2", "r3")


def test_each_fault_goes_wrong_in_its_own_way() -> None:
    known = told([(SAID, value(20.0)), (EDIT, value(30.0))])
    assert read(known) == 20.0
    assert read(known, faults=Faults(newest_image=True)) == 30.0
    assert read(known, faults=Faults(no_texts=True)) == 30.0
    withdrawn = told([(TAKEN, value(10.0)), (TAKEN, Mutation())])
    assert read(withdrawn, faults=Faults(no_withdrawals=True)) == 10.0


def test_an_entity_that_a_text_removes_does_not_come_back_on_an_image() -> None:
    known = told([(Operator.TEXT_ENTITY_REMOVE, Mutation(removed=(ENTITY,))), (EDIT, value(30.0))])
    assert read(known) is ABSENT
    reader = Reader(PACK.state_schema, items_of(known))
    assert reader.accepted(member(ENTITY), 2, reader.all) is ABSENT
    assert read(known, "a1", "a3") == 30.0
