"""The laws of the paper's appendix B.1, for drawn states and transitions."""

from collections.abc import Iterable, Sequence

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from mnemoscope.core.state.authority import AuthorityKind, is_governed
from mnemoscope.core.state.component import (
    ABSENT,
    Component,
    Layer,
    Part,
    cell,
    changed,
    member,
    members,
    order,
    with_contents,
)
from mnemoscope.core.state.computation import dependents, reached
from mnemoscope.core.state.condition import TransitionError
from mnemoscope.core.state.content import content_problems
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.mutation import CellValue, Mutation
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.state import State, UpdateStatus
from mnemoscope.core.state.timeline import Timeline
from mnemoscope.core.state.trajectory import Trajectory
from mnemoscope.core.state.transition import Cause, Sheet, Step
from tests.state_strategies import (
    ATOMIC,
    SCHEMA,
    VISUAL,
    WRAPPERS,
    a_transition,
    composites,
    mutations,
    states,
    trajectories,
    transitions,
)

LAW = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
    ],
)


def primary(layer: Layer) -> dict[Component, object]:
    return {one: content for one, content in layer.items() if one.part is not Part.DEPENDENT}


def of_entities(layer: Layer, entities: Iterable[str]) -> dict[Component, object]:
    known = set(entities)
    return {one: content for one, content in layer.items() if one.entity in known}


def semantic(state: State) -> tuple[object, ...]:
    """G, W and A: what a state is, without what the conversation has shown."""
    return state.accepted, state.visual, state.authority


@st.composite
def a_step(draw: st.DrawFn, operator: Operator, earlier: Sequence[Operator] = ATOMIC) -> Step:
    """A step of one operator from a state that others have led to."""
    state = draw(states())
    for number in range(draw(st.integers(0, 3))):
        before = draw(transitions(state, number + 100, earlier))
        if before is not None:
            state = execute(SCHEMA, state, before).after
    found = draw(transitions(state, 1, [operator]))
    assume(found is not None)
    assert found is not None
    return execute(SCHEMA, state, found)


@LAW
@given(drawn=trajectories())
def test_nothing_outside_the_scope_and_its_dependents_changes(
    drawn: tuple[State, list[Step]],
) -> None:
    for step in drawn[1]:
        event(step.transition.operator)
        for before, after in (
            (step.before.accepted, step.after.accepted),
            (step.before.visual, step.after.visual),
        ):
            allowed = reached(SCHEMA, after, step.scope)
            for where in changed(before, after):
                counted = any(one.part is Part.MEMBER for one in step.scope)
                assert (
                    where in step.scope
                    or (where.part is Part.DEPENDENT and where.field in allowed)
                    or (counted and where == order())
                )


@LAW
@given(drawn=trajectories())
def test_the_recorded_changes_are_the_whole_difference(drawn: tuple[State, list[Step]]) -> None:
    for step in drawn[1]:
        for sheet in Sheet:
            of_sheet = [one for one in step.changes if one.sheet is sheet]
            before: Layer = getattr(step.before, sheet)
            after: Layer = getattr(step.after, sheet)
            replayed = with_contents(before, ((one.component, one.after) for one in of_sheet))
            assert replayed == after
        assert all(
            (one.cause is Cause.DIRECT) == (one.component in step.scope) for one in step.changes
        )


@LAW
@given(drawn=trajectories())
def test_dependents_are_what_computing_them_anew_gives(drawn: tuple[State, list[Step]]) -> None:
    for step in drawn[1]:
        for layer in (step.after.accepted, step.after.visual):
            stored = {one: new for one, new in layer.items() if one.part is Part.DEPENDENT}
            assert stored == dependents(SCHEMA, layer)


@LAW
@given(drawn=trajectories())
def test_every_state_is_a_valid_content_of_its_schema(drawn: tuple[State, list[Step]]) -> None:
    for step in drawn[1]:
        for layer in (step.after.accepted, step.after.visual, step.after.shown):
            assert not list(content_problems(SCHEMA, layer))


@LAW
@given(data=st.data())
def test_an_artifact_moves_the_accepted_value_exactly_where_no_text_governs(
    data: st.DataObject,
) -> None:
    texts = [Operator.TEXT_CELL_EDIT, Operator.TEXT_BLOCK_EDIT, Operator.TEXT_ENTITY_REMOVE]
    step = data.draw(a_step(Operator.VISUAL_CELL_EDIT, texts))
    for where in (cell(one.entity, one.field) for one in step.transition.mutation.cells):
        old = step.before.accepted.get(where, ABSENT)
        text = is_governed(step.before.authority, where)
        gone = member(where.entity) not in step.before.accepted
        event(f"text {text}")
        expected = old if text or gone else step.after.visual[where]
        assert step.after.accepted.get(where, ABSENT) == expected
        assert is_governed(step.after.authority, where) == text


@LAW
@given(data=st.data(), operator=st.sampled_from(VISUAL))
def test_what_no_text_governs_is_accepted_as_the_artifact_has_it(
    data: st.DataObject, operator: Operator
) -> None:
    after = data.draw(a_step(operator)).after
    both = set(members(after.accepted)) & set(members(after.visual))
    for where, content in after.accepted.items():
        if where.part is Part.CELL and where.entity in both:
            given_by = after.authority.get(where)
            if given_by is not None and given_by.kind is not AuthorityKind.TEXT_BACKED:
                assert after.visual[where] == content


@LAW
@given(
    data=st.data(),
    operator=st.sampled_from([one for one in ATOMIC if OPERATORS[one].origin is Origin.TEXT]),
)
def test_a_text_leaves_the_visual_state_and_takes_authority_over_its_scope(
    data: st.DataObject, operator: Operator
) -> None:
    step = data.draw(a_step(operator))
    assert step.after.visual is step.before.visual
    assert step.after.shown is step.before.shown
    for change in step.changes:
        if change.cause is Cause.DIRECT and change.after is not ABSENT and change.after is not None:
            assert is_governed(step.after.authority, change.component)
    for where in step.before.authority:
        if where not in step.scope:
            assert step.after.authority[where] == step.before.authority[where]


@LAW
@given(data=st.data())
def test_a_text_correction_never_reaches_the_next_artifact(data: st.DataObject) -> None:
    step = data.draw(a_step(Operator.TEXT_CELL_EDIT))
    corrected = {cell(one.entity, one.field) for one in step.transition.mutation.cells}
    mutation = data.draw(mutations(step.after, Operator.VISUAL_CELL_EDIT))
    assume(mutation is not None)
    assert mutation is not None
    edit = a_transition(step.after, Operator.VISUAL_CELL_EDIT, mutation, 2)
    after = execute(SCHEMA, step.after, edit).after
    named = {cell(one.entity, one.field) for one in mutation.cells}
    for where in corrected:
        assert after.accepted.get(where) == step.after.accepted.get(where)
        if where not in named:
            assert after.shown.get(where) == step.before.visual.get(where)


@LAW
@given(
    data=st.data(),
    operator=st.sampled_from([Operator.VISUAL_CELL_AUTHORITY, Operator.VISUAL_BLOCK_AUTHORITY]),
)
def test_a_declared_artifact_supersedes_texts_in_its_scope_and_nowhere_else(
    data: st.DataObject, operator: Operator
) -> None:
    step = data.draw(a_step(operator))
    for where in step.scope:
        assert step.after.accepted[where] == step.after.visual[where]
        assert step.after.accepted[where] != step.before.accepted[where]
        assert step.after.authority[where].kind is AuthorityKind.VISUAL_DECLARED
    for where, given_by in step.before.authority.items():
        if where not in step.scope:
            assert step.after.authority[where] == given_by
    where = min(step.scope)
    if SCHEMA.field_by_key[where.field].key == "note":
        edited = Mutation((CellValue(where.entity, "note", "the next artifact"),))
        edit = a_transition(step.after, Operator.VISUAL_CELL_EDIT, edited, 2)
        after = execute(SCHEMA, step.after, edit).after
        assert after.accepted[where] == "the next artifact"
        assert after.authority[where].kind is AuthorityKind.VISUAL


@LAW
@given(data=st.data(), operator=st.sampled_from(WRAPPERS))
def test_a_disregarded_update_leaves_the_state_as_before_and_a_reinstated_one_as_after(
    data: st.DataObject, operator: Operator
) -> None:
    applied = data.draw(a_step(operator))
    key, wraps = applied.transition.id, applied.transition.wraps
    event(str(wraps))
    later = a_transition(
        applied.after, operator, number=2, wraps=wraps, event=Event.DISREGARD, of=key
    )
    disregarded = execute(SCHEMA, applied.after, later)
    assert semantic(disregarded.after) == semantic(applied.before)
    assert disregarded.after.shown == applied.after.shown
    assert disregarded.after.is_withdrawn == applied.transition.is_upload
    assert disregarded.after.updates[key].status is UpdateStatus.WITHDRAWN
    if Event.REINSTATE not in OPERATORS[operator].events:
        return
    again = a_transition(
        disregarded.after, operator, number=3, wraps=wraps, event=Event.REINSTATE, of=key
    )
    reinstated = execute(SCHEMA, disregarded.after, again)
    assert semantic(reinstated.after) == semantic(applied.after)
    assert reinstated.after.shown == applied.after.shown
    assert not reinstated.after.is_withdrawn


@LAW
@given(data=st.data(), operator=st.sampled_from(WRAPPERS))
def test_a_withdrawal_keeps_unrelated_later_changes(
    data: st.DataObject, operator: Operator
) -> None:
    applied = data.draw(a_step(operator))
    between = data.draw(transitions(applied.after, 2))
    assume(between is not None)
    assert between is not None
    middle = execute(SCHEMA, applied.after, between)
    key, wraps = applied.transition.id, applied.transition.wraps
    later = a_transition(
        middle.after, operator, number=3, wraps=wraps, event=Event.DISREGARD, of=key
    )
    try:
        step = execute(SCHEMA, middle.after, later)
    except TransitionError as error:
        # Only what both touch, or a name that was taken in between, stands in the way.
        assert error.condition in ("overlap", "name_unique")
        return
    event("carried out")
    image = applied.after.updates[key].before
    for sheet in (Sheet.ACCEPTED, Sheet.VISUAL):
        layer: Layer = getattr(step.after, sheet)
        was: Layer = getattr(middle.after, sheet)
        for where, content in primary(was).items():
            if where not in applied.scope and where != order():
                assert layer[where] == content
        for where, old in getattr(image, sheet).items():
            assert layer.get(where, ABSENT) == old


@LAW
@given(data=st.data())
def test_a_difference_is_applied_once_however_often_the_update_comes_back(
    data: st.DataObject,
) -> None:
    state = data.draw(states())
    entity = members(state.accepted)[0]
    where = cell(entity, "cost")
    assume(state.accepted[where] is not None)
    operator, wraps = Operator.TEXT_UPDATE_REINSTATED, Operator.TEXT_CELL_EDIT
    added = Mutation((CellValue(entity, "cost", delta=1.25),))
    first = execute(SCHEMA, state, a_transition(state, operator, added, 1, wraps=wraps))
    now = first.after
    for number, name in ((2, Event.DISREGARD), (3, Event.REINSTATE)):
        later = a_transition(now, operator, number=number, wraps=wraps, event=name, of="t1")
        now = execute(SCHEMA, now, later).after
    assert now.accepted[where] == first.after.accepted[where]


@LAW
@given(
    data=st.data(),
    operator=st.sampled_from([Operator.VISUAL_ENTITY_RENAME, Operator.TEXT_ENTITY_RENAME]),
)
def test_a_rename_keeps_identity_and_every_other_attribute(
    data: st.DataObject, operator: Operator
) -> None:
    step = data.draw(a_step(operator))
    for sheet in (Sheet.ACCEPTED, Sheet.VISUAL):
        before: Layer = getattr(step.before, sheet)
        after: Layer = getattr(step.after, sheet)
        assert members(before) == members(after)
        assert all(one.field == "name" for one in changed(primary(before), primary(after)))  # type: ignore[arg-type]


@LAW
@given(data=st.data())
def test_a_composite_is_its_updates_one_after_the_other(data: st.DataObject) -> None:
    state = data.draw(states(5))
    found = data.draw(composites(state, 1))
    assume(found is not None)
    assert found is not None
    step = execute(SCHEMA, state, found)
    serial = state
    for part in found.mutation.parts:
        one = a_transition(serial, part.operator, part.mutation, 1)
        serial = execute(SCHEMA, serial, one).after
    assert semantic(step.after) == semantic(serial)
    assert step.after.shown == serial.shown == step.after.visual
    assert [one.transition.operator for one in step.parts] == [
        one.operator for one in found.mutation.parts
    ]


@LAW
@given(
    data=st.data(),
    operator=st.sampled_from([Operator.VISUAL_ENTITY_ADD, Operator.TEXT_ENTITY_ADD]),
)
def test_adding_and_removing_leave_all_other_entities(
    data: st.DataObject, operator: Operator
) -> None:
    step = data.draw(a_step(operator))
    added = {one.key for one in step.transition.mutation.added}
    sheet = Sheet.ACCEPTED if operator is Operator.TEXT_ENTITY_ADD else Sheet.VISUAL
    before: Layer = getattr(step.before, sheet)
    after: Layer = getattr(step.after, sheet)
    assert set(members(after)) == set(members(before)) | added
    kept = primary(of_entities(before, members(before)))  # type: ignore[arg-type]
    assert kept == primary(of_entities(after, members(before)))  # type: ignore[arg-type]


@LAW
@given(
    data=st.data(),
    operator=st.sampled_from(
        [
            Operator.VISUAL_NOOP_REVISION,
            Operator.UNRELATED_VISUAL,
            Operator.WRONG_CONTEXT_ARTIFACT,
            Operator.VISUAL_STYLE_EDIT,
        ]
    ),
)
def test_uploads_that_say_nothing_new_leave_the_accepted_state(
    data: st.DataObject, operator: Operator
) -> None:
    step = data.draw(a_step(operator))
    assert step.after.accepted == step.before.accepted
    assert step.after.authority == step.before.authority
    changes = changed(step.before.visual, step.after.visual)
    assert all(one.part is Part.CUE for one in changes)
    if operator is Operator.WRONG_CONTEXT_ARTIFACT:
        assert set(step.after.scopes) == {"autumn"}


@LAW
@given(drawn=trajectories(8))
def test_a_replayed_moment_is_the_state_that_was_carried_out(
    drawn: tuple[State, list[Step]],
) -> None:
    initial, steps = drawn
    timeline = Timeline(Trajectory(SCHEMA, initial, tuple(one.record for one in steps)))
    for count, state in enumerate([initial, *(one.after for one in steps)]):
        moment = timeline.at(count)
        assert semantic(state) == (moment.accepted, moment.visual, moment.authority)
        assert (moment.shown, moment.upload) == (state.shown, state.upload)
        assert moment.scopes == state.scopes
        assert moment.is_withdrawn == state.is_withdrawn
