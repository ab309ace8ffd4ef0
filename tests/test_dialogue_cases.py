"""Scenarios built by hand: updates that an expert seldom proposes, and a model may."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mnemoscope.core.harness.beginning import spare_names
from mnemoscope.core.harness.dialogue.conformity import dialogue_findings
from mnemoscope.core.harness.dialogue.realisation import realise
from mnemoscope.core.harness.exhibit import Edition
from mnemoscope.core.harness.scenario import Block as Turns
from mnemoscope.core.harness.scenario import Picture, Scenario
from mnemoscope.core.state.component import cell, members, sequence
from mnemoscope.core.state.mutation import (
    Block,
    CellValue,
    Composed,
    Mutation,
    NewEntity,
    RuleContent,
    Transform,
)
from mnemoscope.core.state.operators import OPERATORS, Event, Operator
from mnemoscope.core.state.rule import Clause, Comparison, Priority
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.truth.truth import Truth
from tests.pack_data import PACKS, beginning

OP = Operator
EXPO = "expo_floor_plan_revision"
ML = "ml_agent_research"
Update = tuple[Operator, Mutation]


def scenario_with(name: str, updates: Sequence[Update], seed: int = 1) -> Scenario:
    """A scenario of some updates; a lifecycle is withdrawn and reinstated a turn later."""
    pack, state = PACKS[name], beginning(name)
    whole = next(one.key for one in pack.artifacts if one.columns)
    transitions: list[Transition] = []
    blocks = [Turns("r1", "a1r", picture="a1")]
    pictures = {"a1": Picture("a1", "r1", Edition(1, "2026-03-02"), whole)}
    for operator, mutation in updates:
        spec = OPERATORS[operator]
        wraps = next(iter(spec.wraps), None)
        if mutation.added and wraps:
            wraps = next(one for one in spec.wraps if OPERATORS[one].holds == "added")
        of = ""
        for event in spec.events:
            number = len(blocks) + 1
            parent = transitions[-1].id if transitions else ""
            said = mutation if event is Event.APPLY else Mutation()
            given = f"t{number}", operator, f"r{number}", said, "", parent, event, of, wraps
            one = Transition(*given)
            picture = ""
            if one.is_upload:
                picture = f"v{number}"
                one = replace(one, artifact=picture)
                edition = Edition(1 + len(pictures), "2026-03-03")
                pictures[picture] = Picture(picture, one.round, edition, whole)
            of = of or one.id
            transitions.append(one)
            blocks.append(Turns(one.round, f"{one.round}r", transition=one.id, picture=picture))
    truth = Truth.of("hand", pack.state_schema, state, transitions)
    return Scenario(pack, seed, truth, tuple(blocks), pictures)


def entities(name: str) -> tuple[str, ...]:
    return members(beginning(name).visual)


def cells(*values: tuple[str, str, object]) -> Mutation:
    return Mutation(tuple(CellValue(*one) for one in values))  # type: ignore[arg-type]


E1, E2, E3, E4, E5 = entities(EXPO)[:5]
M1, M2, M3, M4, M5 = entities(ML)[:5]
SPARE = spare_names(PACKS[EXPO], [str(x) for x in beginning(EXPO).visual.values()])
ROW = {"exhibitor": SPARE[0], "hall": "Hall West", "booking": "option"}


def reordered(name: str, key: str, *, every: bool) -> Mutation:
    now = sequence(beginning(name).visual, key)
    new = tuple(reversed(now)) if every else (now[-1], *now[:-1])
    return Mutation(order=key, sequence=new)


CASES: list[tuple[str, str, list[Update]]] = [
    (
        "a blank",
        EXPO,
        [(OP.TEXT_CELL_EDIT, cells((E1, "sockets", None), (E2, "needs_water", None)))],
    ),
    (
        "a difference below nought",
        EXPO,
        [(OP.TEXT_CELL_EDIT, Mutation((CellValue(E1, "power_load", delta=-0.5),)))],
    ),
    (
        "every numeric column at once",
        EXPO,
        [(OP.TEXT_BLOCK_EDIT, Mutation(blocks=(Block(Transform.SHIFT, 1),)))],
    ),
    (
        "several blocks of several kinds",
        EXPO,
        [
            (
                OP.TEXT_BLOCK_EDIT,
                Mutation(
                    blocks=(
                        Block(Transform.SCALE, 1.05, (E1, E2), ("stand_fee", "deposit")),
                        Block(Transform.SET, True, (E3, E4), ("needs_water",)),
                        Block(Transform.SET, None, (E1, E2, E3), ("build_slot",)),
                    )
                ),
            )
        ],
    ),
    ("an order turned round", EXPO, [(OP.TEXT_REORDER, reordered(EXPO, "entities", every=True))]),
    ("one to the top", EXPO, [(OP.TEXT_REORDER, reordered(EXPO, "entities", every=False))]),
    (
        "columns in another order",
        ML,
        [(OP.TEXT_REORDER, reordered(ML, "result_columns", every=True))],
    ),
    (
        "one column to the front",
        ML,
        [(OP.TEXT_REORDER, reordered(ML, "result_columns", every=False))],
    ),
    ("groups turned round", ML, [(OP.TEXT_REORDER, reordered(ML, "family_order", every=True))]),
    (
        "a reason with figures",
        EXPO,
        [
            (
                OP.TEXT_ENTITY_REMOVE,
                Mutation(removed=(E1, E2, E3, E4, E5), reason="contract 17b ended in 2026"),
            )
        ],
    ),
    (
        "a reason that gives a value away",
        ML,
        [
            (
                OP.VISUAL_STATUS_EDIT,
                Mutation((CellValue(M1, "evaluation", "excluded"),), reason="as it was excluded"),
            )
        ],
    ),
    (
        "statuses that differ",
        ML,
        [
            (
                OP.TEXT_STATUS_CHANGE,
                cells((M1, "evaluation", "excluded"), (M2, "evaluation", "preliminary")),
            )
        ],
    ),
    (
        "rules by every comparison",
        ML,
        [
            (
                OP.TEXT_RULE_CHANGE,
                Mutation(
                    rules=(
                        RuleContent(
                            "shortlist_test",
                            (
                                Clause("run_cost", Comparison.LESS, 0.5),
                                Clause("seeds", Comparison.GREATER, 3),
                                Clause("family", Comparison.IS_NOT, "Memory"),
                                Clause("within_cap", Comparison.IS, "yes"),
                                Clause("wall_time", Comparison.AT_MOST, 40),
                            ),
                        ),
                        RuleContent("latency_cap", 12.5),
                        RuleContent("reporting_order", Priority("seeds", descending=False)),
                    )
                ),
            )
        ],
    ),
    (
        "a newcomer of whom only the name is known, taken back and put in again",
        EXPO,
        [(OP.TEXT_UPDATE_REINSTATED, Mutation(added=(NewEntity("late", ROW),)))],
    ),
    (
        "everything authorised",
        EXPO,
        [
            (
                OP.VISUAL_BLOCK_AUTHORITY,
                Mutation(blocks=(Block(Transform.SHIFT, 1, (), ("sockets", "floor_area")),)),
            )
        ],
    ),
    (
        "a composite with two renames and two removals",
        EXPO,
        [
            (
                OP.COMPOSITE,
                Mutation(
                    parts=(
                        Composed(OP.VISUAL_CELL_EDIT, cells((E1, "sockets", 59))),
                        Composed(OP.TEXT_ENTITY_RENAME, cells((E2, "exhibitor", "Rosa Group"))),
                        Composed(OP.TEXT_ENTITY_REMOVE, Mutation(removed=(E4,))),
                        Composed(OP.TEXT_ENTITY_RENAME, cells((E3, "exhibitor", "Blau Group"))),
                    )
                ),
            )
        ],
    ),
    (
        "a composite that renames, removes, adds and edits",
        EXPO,
        [
            (
                OP.COMPOSITE,
                Mutation(
                    parts=(
                        Composed(OP.VISUAL_ENTITY_RENAME, cells((E1, "exhibitor", "Rosa Group"))),
                        Composed(OP.VISUAL_CELL_AUTHORITY, cells((E2, "sockets", 59))),
                        Composed(OP.TEXT_ENTITY_RENAME, cells((E3, "exhibitor", "Blau Group"))),
                        Composed(
                            OP.TEXT_CELL_EDIT, cells((E1, "sockets", 58), (E3, "sockets", 57))
                        ),
                        Composed(OP.TEXT_ENTITY_ADD, Mutation(added=(NewEntity("late", ROW),))),
                    )
                ),
            )
        ],
    ),
]


@pytest.mark.parametrize(("name", "updates"), [one[1:] for one in CASES], ids=[c[0] for c in CASES])
@pytest.mark.parametrize("seed", range(4))
def test_a_scenario_built_by_hand_can_be_told(name: str, updates: list[Update], seed: int) -> None:
    scenario = scenario_with(name, updates, seed)
    assert dialogue_findings(realise(scenario), scenario) == []


def text_of_update(name: str, updates: list[Update], seed: int = 1) -> str:
    return realise(scenario_with(name, updates, seed))[2].text


def updates_of(title: str) -> tuple[str, list[Update]]:
    return next((name, updates) for one, name, updates in CASES if one == title)


def test_a_blank_is_called_so() -> None:
    text = text_of_update(*updates_of("a blank"))
    assert text.count("“blank”") == 2


def test_a_difference_of_percent_is_one_of_percentage_points() -> None:
    one = CellValue(M1, "success_8k", delta=-2.5)
    text = text_of_update(ML, [(OP.TEXT_CELL_EDIT, Mutation((one,)))])
    assert "down by 2.5 percentage points" in text


def test_a_reason_that_gives_a_value_away_is_left_out() -> None:
    for seed in range(4):
        name, updates = updates_of("a reason that gives a value away")
        assert "excluded" not in text_of_update(name, updates, seed)


def test_a_composite_names_nobody_as_only_its_picture_does() -> None:
    name, updates = updates_of("a composite that renames, removes, adds and edits")
    layer = beginning(EXPO).visual
    for seed in range(4):
        text = text_of_update(name, updates, seed)
        assert "Rosa Group" not in text
        assert str(layer[cell(E1, "exhibitor")]) in text
        assert text.index("Blau Group") < text.rindex("Blau Group")


def test_two_updates_that_could_be_meant_are_told_apart() -> None:
    edits: list[Update] = [
        (OP.TEXT_CELL_EDIT, cells((E1, "sockets", 51))),
        (OP.TEXT_UPDATE_DISREGARDED, cells((E2, "sockets", 52))),
    ]
    turns = realise(scenario_with(EXPO, edits))
    assert "the second correction of Sockets" in turns[6].text
    other: list[Update] = [
        (OP.TEXT_CELL_EDIT, cells((E1, "data_lines", 21))),
        (OP.TEXT_UPDATE_DISREGARDED, cells((E2, "sockets", 52))),
    ]
    turns = realise(scenario_with(EXPO, other))
    assert "correction of Sockets" in turns[6].text
    assert "second" not in turns[6].text
