"""Each precondition of a transition, by a transition that fails it alone."""

from typing import Any

import pytest

from mnemoscope.core.state.component import Layer, cell, member, order, rule
from mnemoscope.core.state.condition import Condition, TransitionError
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.frame import require_frame
from mnemoscope.core.state.mutation import (
    Block,
    CellValue,
    Composed,
    CueValue,
    Mutation,
    NewEntity,
    RuleContent,
    Transform,
)
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.rule import Clause, Comparison, Priority
from mnemoscope.core.state.state import State, Upload, initial_layer, initial_state
from mnemoscope.core.state.transition import Cause, Change, Sheet, Transition
from tests.state_strategies import ORDERS, RULES, SCHEMA, a_transition

Op, C = Operator, Condition
ROWS: dict[str, dict[str, Any]] = {
    f"e{at}": {
        "name": name,
        "team": "north" if at < 5 else "south",
        "state": "final",
        "acc": 10.0 * at,
        "cost": 1.5,
        "seed": at,
    }
    for at, name in enumerate(["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hu", "Ira"])
}


def content() -> Layer:
    return initial_layer(SCHEMA, ROWS, rules=RULES, orders=ORDERS)


def start() -> State:
    return initial_state("spring", content(), Upload("r0", "a0"))


def cells(*values: tuple[str, str, Any], **more: Any) -> Mutation:
    return Mutation(tuple(CellValue(*one) for one in values), **more)


def run(state: State, *steps: tuple[Operator, Mutation]) -> State:
    for number, (operator, mutation) in enumerate(steps, 1):
        state = execute(SCHEMA, state, a_transition(state, operator, mutation, number)).after
    return state


def many(count: int, field: str = "cost") -> Mutation:
    return cells(*((f"e{at}", field, 7) for at in range(count)))


def block(*entities: str, fields: tuple[str, ...] = ("cost",), by: float = 1) -> Mutation:
    return Mutation(blocks=(Block(Transform.SHIFT, by, entities, fields),))


def added(*keys: str, **values: Any) -> Mutation:
    return Mutation(added=tuple(NewEntity(key, {"name": f"New {key}", **values}) for key in keys))


FAILURES: list[tuple[Operator, Mutation, Condition, str]] = [
    (Op.VISUAL_CELL_EDIT, Mutation(), C.SHAPE, "found nothing, expected cells"),
    (Op.VISUAL_NOOP_REVISION, many(1), C.SHAPE, "found cells, expected nothing"),
    (Op.VISUAL_CELL_EDIT, Mutation((CellValue("e1", "cost"),)), C.SHAPE, "a value or a delta"),
    (Op.TEXT_CELL_EDIT, Mutation((CellValue("e1", "cost", 1, 1),)), C.SHAPE, "a value or a delta"),
    (Op.VISUAL_CELL_EDIT, many(9), C.BUDGET, "cells: found int 9, expected 1 to 8"),
    (Op.TEXT_CELL_EDIT, many(9), C.BUDGET, "1 to 8"),
    (Op.VISUAL_CELL_AUTHORITY, many(9), C.BUDGET, "1 to 8"),
    (
        Op.TEXT_BLOCK_EDIT,
        Mutation(
            blocks=tuple(Block(Transform.SHIFT, 1, (f"e{a}",), ("cost", "seed")) for a in range(4))
        ),
        C.BUDGET,
        "1 to 3",
    ),
    (Op.VISUAL_ENTITY_ADD, added(*"abcdef"), C.BUDGET, "1 to 5"),
    (
        Op.VISUAL_ENTITY_REMOVE,
        Mutation(removed=("e0", "e1", "e2", "e3")),
        C.BUDGET,
        "at most 3, or 5",
    ),
    (
        Op.TEXT_ENTITY_REMOVE,
        Mutation(removed=("e0", "e1", "e2", "e3", "e4", "e5"), reason="closed"),
        C.BUDGET,
        "at most 5",
    ),
    (
        Op.VISUAL_ENTITY_RENAME,
        cells(*((f"e{at}", "name", f"N{at}") for at in range(4))),
        C.BUDGET,
        "1 to 3",
    ),
    (
        Op.VISUAL_STYLE_EDIT,
        Mutation(cues=tuple(CueValue(f"e{at}", "acc", "bold") for at in range(6))),
        C.BUDGET,
        "1 to 5",
    ),
    (
        Op.TEXT_GROUP_REASSIGN,
        cells(*((f"e{at}", "team", "west") for at in range(6))),
        C.BUDGET,
        "1 to 5",
    ),
    (Op.VISUAL_CELL_EDIT, cells(("e99", "cost", 1)), C.TARGET_EXISTS, "member e99"),
    (Op.VISUAL_CELL_EDIT, cells(("e1", "price", 1)), C.TARGET_EXISTS, "found 'price'"),
    (Op.TEXT_ENTITY_REMOVE, Mutation(removed=("e99",)), C.TARGET_EXISTS, "e99"),
    (Op.TEXT_RULE_CHANGE, Mutation(rules=(RuleContent("x", 1),)), C.TARGET_EXISTS, "rule x"),
    (Op.VISUAL_REORDER, Mutation(order="rows", sequence=("a",)), C.TARGET_EXISTS, "order rows"),
    (
        Op.VISUAL_STYLE_EDIT,
        Mutation(cues=(CueValue("e1", "x", "bold"),)),
        C.TARGET_EXISTS,
        "cue e1.x",
    ),
    (Op.VISUAL_ENTITY_ADD, added("e1"), C.TARGET_ABSENT, "no such entity"),
    (Op.TEXT_ENTITY_ADD, added("e1"), C.TARGET_ABSENT, "member e1"),
    (
        Op.VISUAL_CELL_EDIT,
        cells(("e1", "name", "X")),
        C.TARGET_ROLE,
        "found name, expected a field of value",
    ),
    (Op.VISUAL_CELL_EDIT, cells(("e1", "team", "west")), C.TARGET_ROLE, "group"),
    (Op.TEXT_STATUS_CHANGE, cells(("e1", "cost", 1)), C.TARGET_ROLE, "status"),
    (Op.TEXT_STATUS_CHANGE, cells(("e1", "flagged", True)), C.TARGET_ROLE, "annotation"),
    (Op.TEXT_ENTITY_RENAME, cells(("e1", "note", "x")), C.TARGET_ROLE, "name"),
    (Op.TEXT_ENTITY_ADD, added("a", rank=1), C.TARGET_ROLE, "a.rank"),
    (Op.TEXT_REORDER, Mutation(rules=(RuleContent("bar", 1),)), C.TARGET_ROLE, "a priority"),
    (Op.VISUAL_CELL_EDIT, cells(("e1", "acc", 1), ("e1", "acc", 2)), C.TARGET_ONCE, "e1.acc"),
    (Op.TEXT_ENTITY_REMOVE, Mutation(removed=("e1", "e1")), C.TARGET_ONCE, "e1"),
    (
        Op.VISUAL_CELL_EDIT,
        cells(("e1", "acc", 100.1)),
        C.VALUE_FITS,
        "a number in % of at least 0 of at most 100 to 1 decimals",
    ),
    (Op.VISUAL_CELL_EDIT, cells(("e1", "acc", 1.25)), C.VALUE_FITS, "float 1.25"),
    (Op.VISUAL_CELL_EDIT, cells(("e1", "acc", True)), C.VALUE_FITS, "found true"),
    (Op.VISUAL_CELL_EDIT, cells(("e1", "acc", float("nan"))), C.VALUE_FITS, "nan"),
    (Op.TEXT_CELL_EDIT, Mutation((CellValue("e1", "note", delta=1),)), C.VALUE_FITS, "e1.note"),
    (Op.TEXT_CELL_EDIT, Mutation((CellValue("e1", "cost", delta=0.001),)), C.VALUE_FITS, "0.001"),
    (
        Op.TEXT_GROUP_REASSIGN,
        cells(("e1", "team", "east")),
        C.VALUE_FITS,
        "one of north, south, west",
    ),
    (Op.TEXT_ENTITY_ADD, added("a", name=None), C.VALUE_FITS, "name is required"),
    (Op.TEXT_ENTITY_ADD, added("", name="x"), C.VALUE_FITS, "a key"),
    (
        Op.TEXT_RULE_CHANGE,
        Mutation(rules=(RuleContent("bar", "x"),)),
        C.VALUE_FITS,
        "a number in %",
    ),
    (
        Op.TEXT_RULE_CHANGE,
        Mutation(rules=(RuleContent("eligible", (Clause("inside", Comparison.IS, 1),)),)),
        C.VALUE_FITS,
        "clauses on fields of entities",
    ),
    (
        Op.TEXT_REORDER,
        Mutation(rules=(RuleContent("first", Priority("x")),)),
        C.VALUE_FITS,
        "a priority by a field",
    ),
    (
        Op.VISUAL_STYLE_EDIT,
        Mutation(cues=(CueValue("e1", "acc", "red"),)),
        C.VALUE_FITS,
        "found 'red'",
    ),
    (Op.TEXT_BLOCK_EDIT, block("e1", "e2", fields=("note",)), C.VALUE_FITS, "a field of numbers"),
    (Op.VISUAL_BLOCK_EDIT, block("e8", "e7", fields=("acc",), by=50), C.VALUE_FITS, "float 130.0"),
    (Op.VISUAL_CELL_EDIT, cells(("e1", "acc", 10.0)), C.VALUE_CHANGES, "another value"),
    (Op.TEXT_BLOCK_EDIT, block("e1", "e2", by=0), C.VALUE_CHANGES, "no change"),
    (
        Op.VISUAL_STYLE_EDIT,
        Mutation(cues=(CueValue("e1", "acc", ""),)),
        C.VALUE_CHANGES,
        "another styling",
    ),
    (
        Op.TEXT_RULE_CHANGE,
        Mutation(rules=(RuleContent("bar", 50.0),)),
        C.VALUE_CHANGES,
        "another rule",
    ),
    (
        Op.VISUAL_REORDER,
        Mutation(order="teams", sequence=ORDERS["teams"]),
        C.VALUE_CHANGES,
        "another order",
    ),
    (Op.VISUAL_ENTITY_RENAME, cells(("e1", "name", "Cy")), C.NAME_UNIQUE, "e1.name: found 'Cy'"),
    (Op.TEXT_ENTITY_ADD, added("a", name="Cy"), C.NAME_UNIQUE, "a.name"),
    (
        Op.VISUAL_REORDER,
        Mutation(order="teams", sequence=("north", "south")),
        C.PERMUTATION,
        "found 'north south'",
    ),
    (
        Op.VISUAL_STATUS_EDIT,
        cells(("e1", "state", "draft"), ("e2", "state", "draft")),
        C.SHARED_REASON,
        "a shared reason",
    ),
    (
        Op.VISUAL_ENTITY_REMOVE,
        Mutation(removed=("e1", "e8"), block="north"),
        C.SHARED_REASON,
        "one of 'north'",
    ),
    (Op.TEXT_BLOCK_EDIT, block("e1"), C.BLOCK, "two cells or more"),
    (
        Op.TEXT_BLOCK_EDIT,
        Mutation(blocks=(Block(Transform.SHIFT, 1), Block(Transform.SHIFT, 1, ("e1",)))),
        C.BLOCK,
        "a global one alone",
    ),
    (
        Op.TEXT_BLOCK_EDIT,
        Mutation(
            blocks=(
                Block(Transform.SHIFT, 1, ("e1", "e2"), ("cost",)),
                Block(Transform.SHIFT, 1, ("e2", "e3"), ("cost",)),
            )
        ),
        C.BLOCK,
        "e2.cost",
    ),
    (
        Op.WRONG_CONTEXT_ARTIFACT,
        Mutation(context="spring", content=content()),
        C.CONTEXT,
        "another context",
    ),
    (Op.WRONG_CONTEXT_ARTIFACT, Mutation(context="autumn"), C.SHAPE, "expected content"),
    (
        Op.WRONG_CONTEXT_ARTIFACT,
        Mutation(context="autumn", content={**content(), cell("e1", "acc"): 120}),
        C.VALUE_FITS,
        "e1.acc: found int 120",
    ),
    (
        Op.COMPOSITE,
        Mutation(parts=(Composed(Op.VISUAL_REORDER, Mutation()),)),
        C.COMPOSITION,
        "part 1",
    ),
    (
        Op.COMPOSITE,
        Mutation(
            parts=(
                Composed(Op.VISUAL_CELL_EDIT, many(1)),
                Composed(Op.TEXT_CELL_EDIT, many(1, "seed")),
            )
        ),
        C.COMPOSITION,
        "text parts: found int 1, expected 2 to 3",
    ),
    (
        Op.COMPOSITE,
        Mutation(
            parts=(
                Composed(Op.TEXT_CELL_EDIT, many(1)),
                Composed(Op.TEXT_CELL_EDIT, many(1, "seed")),
            )
        ),
        C.COMPOSITION,
        "visual parts: found int 0, expected 1 to 2",
    ),
    (
        Op.COMPOSITE,
        Mutation(
            parts=(
                Composed(Op.VISUAL_CELL_EDIT, many(1)),
                Composed(Op.TEXT_CELL_EDIT, many(1, "seed")),
                Composed(Op.TEXT_CELL_EDIT, cells(("e0", "cost", 8))),
            )
        ),
        C.PROTECTED,
        "part 3: e0.cost",
    ),
]


@pytest.mark.parametrize(
    ("operator", "mutation", "condition", "words"),
    FAILURES,
    ids=[f"{at}-{one[0]}-{one[2]}" for at, one in enumerate(FAILURES)],
)
def test_a_transition_that_fails_a_condition_says_which_for_what_and_why(
    operator: Operator, mutation: Mutation, condition: Condition, words: str
) -> None:
    state = start()
    with pytest.raises(TransitionError) as caught:
        execute(SCHEMA, state, a_transition(state, operator, mutation))
    assert (caught.value.condition, str(caught.value)[: len(condition)]) == (condition, condition)
    assert words in str(caught.value)


def test_a_parent_that_is_not_the_state_before_is_refused() -> None:
    state = run(start(), (Op.VISUAL_CELL_EDIT, many(1)))
    stale = a_transition(start(), Op.VISUAL_CELL_EDIT, many(2), 2)
    with pytest.raises(TransitionError, match="parent: parent: found '', expected 't1'"):
        execute(SCHEMA, state, stale)


def test_a_visual_update_without_an_artifact_and_a_text_with_one_are_refused() -> None:
    visual = Transition("t1", Op.VISUAL_CELL_EDIT, "r1", many(1))
    with pytest.raises(TransitionError, match="upload: artifact"):
        execute(SCHEMA, start(), visual)
    text = Transition("t1", Op.TEXT_CELL_EDIT, "r1", many(1), "a1")
    with pytest.raises(TransitionError, match="upload: artifact: found 'a1', expected no"):
        execute(SCHEMA, start(), text)


def test_a_declared_value_differs_from_the_visual_and_from_the_accepted_one() -> None:
    corrected = run(start(), (Op.TEXT_CELL_EDIT, cells(("e1", "acc", 12))))
    declared = a_transition(corrected, Op.VISUAL_CELL_AUTHORITY, cells(("e1", "acc", 12)), 2)
    with pytest.raises(TransitionError, match="another value than the accepted one"):
        execute(SCHEMA, corrected, declared)
    same = a_transition(corrected, Op.VISUAL_CELL_AUTHORITY, cells(("e1", "acc", 10)), 2)
    with pytest.raises(TransitionError, match=r"value_changes: e1\.acc"):
        execute(SCHEMA, corrected, same)


def test_an_artifact_cannot_be_declared_right_about_an_entity_that_text_removed() -> None:
    state = run(start(), (Op.TEXT_ENTITY_REMOVE, Mutation(removed=("e1",))))
    declared = a_transition(state, Op.VISUAL_CELL_AUTHORITY, cells(("e1", "acc", 12)), 2)
    with pytest.raises(TransitionError, match=r"target_exists: .*an accepted entity"):
        execute(SCHEMA, state, declared)


def lifecycle(state: State, event: Event, number: int, operator: Operator, of: str) -> Transition:
    wraps = Op.VISUAL_CELL_EDIT if "visual" in operator else Op.TEXT_CELL_EDIT
    return a_transition(state, operator, number=number, wraps=wraps, event=event, of=of)


def withdrawn(operator: Operator = Op.VISUAL_UPDATE_REINSTATED) -> State:
    state = start()
    wraps = Op.VISUAL_CELL_EDIT if "visual" in operator else Op.TEXT_CELL_EDIT
    first = a_transition(state, operator, many(2), 1, wraps=wraps)
    state = execute(SCHEMA, state, first).after
    later = lifecycle(state, Event.DISREGARD, 2, operator, "t1")
    return execute(SCHEMA, state, later).after


def test_what_was_not_applied_cannot_be_withdrawn() -> None:
    later = lifecycle(start(), Event.DISREGARD, 1, Op.VISUAL_UPDATE_DISREGARDED, "t9")
    with pytest.raises(TransitionError, match="lifecycle: of: found 't9'"):
        execute(SCHEMA, start(), later)


def test_an_update_is_withdrawn_once_and_reinstated_once() -> None:
    state = withdrawn()
    again = lifecycle(state, Event.DISREGARD, 3, Op.VISUAL_UPDATE_REINSTATED, "t1")
    with pytest.raises(TransitionError, match="found withdrawn, expected an update in_force"):
        execute(SCHEMA, state, again)
    back = lifecycle(state, Event.REINSTATE, 3, Op.VISUAL_UPDATE_REINSTATED, "t1")
    state = execute(SCHEMA, state, back).after
    twice = lifecycle(state, Event.REINSTATE, 4, Op.VISUAL_UPDATE_REINSTATED, "t1")
    with pytest.raises(TransitionError, match="found reinstated, expected an update withdrawn"):
        execute(SCHEMA, state, twice)


def test_an_operator_that_only_withdraws_does_not_reinstate() -> None:
    state = withdrawn(Op.VISUAL_UPDATE_DISREGARDED)
    back = lifecycle(state, Event.REINSTATE, 3, Op.VISUAL_UPDATE_DISREGARDED, "t1")
    with pytest.raises(TransitionError, match="lifecycle: event: found reinstate,"):
        execute(SCHEMA, state, back)


def test_a_text_lifecycle_wraps_no_visual_operator() -> None:
    wrong = a_transition(start(), Op.TEXT_UPDATE_DISREGARDED, many(1), wraps=Op.VISUAL_CELL_EDIT)
    with pytest.raises(TransitionError, match="lifecycle: wraps: found visual_cell_edit,"):
        execute(SCHEMA, start(), wrong)


def test_a_plain_operator_wraps_nothing() -> None:
    wrong = a_transition(start(), Op.TEXT_CELL_EDIT, many(1), wraps=Op.TEXT_CELL_EDIT)
    with pytest.raises(TransitionError, match="lifecycle: wraps"):
        execute(SCHEMA, start(), wrong)


def test_an_update_whose_cell_was_changed_again_is_not_withdrawn_blindly() -> None:
    state = start()
    operator, wraps = Op.TEXT_UPDATE_DISREGARDED, Op.TEXT_CELL_EDIT
    state = execute(SCHEMA, state, a_transition(state, operator, many(1), 1, wraps=wraps)).after
    over = a_transition(state, Op.TEXT_CELL_EDIT, cells(("e0", "cost", 8)), 2)
    state = execute(SCHEMA, state, over).after
    later = a_transition(state, operator, number=3, wraps=wraps, event=Event.DISREGARD, of="t1")
    with pytest.raises(TransitionError, match=r"overlap: accepted e0\.cost: found int 8"):
        execute(SCHEMA, state, later)


def test_a_revision_after_a_withdrawal_is_not_called_the_same_artifact() -> None:
    state = withdrawn()
    again = a_transition(state, Op.VISUAL_NOOP_REVISION, number=3)
    with pytest.raises(
        TransitionError, match=r"artifact: artifact: found e0\.cost shown otherwise"
    ):
        execute(SCHEMA, state, again)


def test_a_change_outside_the_scope_is_named_by_the_frame_condition() -> None:
    state = start()
    change = Change(Sheet.ACCEPTED, cell("e2", "acc"), 20.0, 21.0, Cause.DEPENDENT)
    with pytest.raises(TransitionError, match=r"frame: accepted e2\.acc"):
        require_frame(SCHEMA, state, frozenset([cell("e1", "acc")]), [change])


def test_every_condition_is_failed_by_some_test_here() -> None:
    elsewhere = {C.PARENT, C.UPLOAD, C.LIFECYCLE, C.OVERLAP, C.ARTIFACT, C.FRAME}
    assert {one[2] for one in FAILURES} | elsewhere == set(Condition)


def test_the_operators_are_the_27_of_the_paper_in_its_order() -> None:
    assert [spec.number for spec in OPERATORS.values()] == list(range(1, 28))
    assert set(OPERATORS) == set(Operator)
    of = {origin: [s.number for s in OPERATORS.values() if s.origin is origin] for origin in Origin}
    assert of[Origin.VISUAL] == list(range(1, 12))
    assert of[Origin.TEXT] == list(range(12, 21))
    assert of[Origin.WRAPPED] == [21, 22, 24, 25]
    assert of[Origin.DECLARED] == [23, 26]


def test_five_entities_may_go_together_for_one_reason_or_as_one_block() -> None:
    five = tuple(f"e{at}" for at in range(5))
    for mutation in (Mutation(removed=five, reason="x"), Mutation(removed=five, block="north")):
        state = run(start(), (Op.TEXT_ENTITY_REMOVE, mutation))
        assert member("e0") not in state.accepted
        assert member("e0") in state.visual


def test_a_global_transformation_reaches_every_number_and_skips_blank_cells() -> None:
    mutation = Mutation(blocks=(Block(Transform.SCALE, 0.5),))
    state = run(start(), (Op.VISUAL_BLOCK_EDIT, mutation))
    assert state.accepted[cell("e3", "acc")] == 15.0
    assert state.accepted[cell("e3", "seed")] == 2  # 1.5, halves away from zero
    assert state.accepted[cell("e3", "best")] is None


def test_a_removal_by_text_is_not_undone_by_an_artifact_that_shows_the_entity_again() -> None:
    state = run(
        start(),
        (Op.TEXT_ENTITY_REMOVE, Mutation(removed=("e1",))),
        (Op.VISUAL_ENTITY_REMOVE, Mutation(removed=("e1",))),
        (Op.VISUAL_ENTITY_ADD, added("e1", cost=3)),
    )
    assert member("e1") in state.visual
    assert member("e1") not in state.accepted
    assert cell("e1", "cost") not in state.accepted


def test_an_artifact_fills_in_what_a_text_left_open_about_a_new_entity() -> None:
    state = run(
        start(),
        (Op.TEXT_ENTITY_ADD, added("a", cost=3)),
        (Op.VISUAL_ENTITY_ADD, added("a", cost=4, seed=5)),
    )
    assert (state.accepted[cell("a", "cost")], state.visual[cell("a", "cost")]) == (3, 4)
    assert state.accepted[cell("a", "seed")] == 5


def test_an_accepted_ordering_follows_an_artifact_around_members_of_its_own() -> None:
    state = run(start(), (Op.TEXT_ENTITY_ADD, added("a")))
    shuffled = ("e8", "e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7")
    reordered = a_transition(
        state, Op.VISUAL_REORDER, Mutation(order="entities", sequence=shuffled), 2
    )
    assert execute(SCHEMA, state, reordered).after.accepted[order()] == (*shuffled, "a")


def test_a_rule_change_reevaluates_the_accepted_state_and_leaves_the_artifact() -> None:
    state = run(start(), (Op.TEXT_RULE_CHANGE, Mutation(rules=(RuleContent("bar", 75),))))
    passing = [
        [key.entity for key, one in layer.items() if key.field == "passes" and one == "yes"]
        for layer in (state.accepted, state.visual)
    ]
    assert passing == [["e8"], ["e5", "e6", "e7", "e8"]]
    assert state.accepted[rule("bar")] == 75
    assert state.accepted[cell("e6", "acc")] == 60.0


def test_an_exact_difference_is_added_to_the_accepted_value_and_to_nothing_else() -> None:
    state = run(
        start(),
        (Op.TEXT_CELL_EDIT, cells(("e1", "cost", 0.1))),
        (Op.TEXT_CELL_EDIT, Mutation((CellValue("e1", "cost", delta=0.2),))),
    )
    assert state.accepted[cell("e1", "cost")] == 0.3
    assert state.visual[cell("e1", "cost")] == 1.5
