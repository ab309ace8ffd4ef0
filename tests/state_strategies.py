"""Hypothesis strategies for states, mutations and trajectories of an invented scenario."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from mnemoscope.core.state.component import (
    Content,
    Layer,
    cell,
    cue,
    member,
    members,
    rule,
    sequence,
)
from mnemoscope.core.state.condition import TransitionError
from mnemoscope.core.state.dependency import Dependency, DependencyKind
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
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
from mnemoscope.core.state.operators import COMPOSED, OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.rule import Clause, Comparison, Priority, Rule, RuleKind
from mnemoscope.core.state.schema import Axis, Ordering, Schema
from mnemoscope.core.state.state import State, Upload, initial_layer, initial_state
from mnemoscope.core.state.transition import Step, Transition
from mnemoscope.core.state.values import Scalar

KIND, ROLE, MAKE = FieldKind, FieldRole, DependencyKind

SCHEMA = Schema(
    fields=(
        Field("name", KIND.TEXT, ROLE.NAME, "Agent", required=True),
        Field("team", KIND.CHOICE, ROLE.GROUP, choices=("north", "south", "west")),
        Field("state", KIND.CHOICE, ROLE.STATUS, choices=("draft", "final", "dropped")),
        Field("flagged", KIND.FLAG, ROLE.ANNOTATION),
        Field("acc", KIND.NUMBER, name="Acc.", unit="%", decimals=1, minimum=0, maximum=100),
        Field("best", KIND.NUMBER, name="Best", unit="%", decimals=1, minimum=0, maximum=100),
        Field("cost", KIND.NUMBER, name="Cost", unit="$", decimals=2),
        Field("seed", KIND.NUMBER, decimals=0),
        Field("note", KIND.TEXT),
    ),
    rules=(
        Rule("bar", RuleKind.THRESHOLD, "bar", "%"),
        Rule("eligible", RuleKind.PREDICATE),
        Rule("first", RuleKind.PRIORITY),
    ),
    dependencies=(
        Dependency("total", MAKE.SUM, ("cost",), unit="$", decimals=2),
        Dependency("per_team", MAKE.SUM, ("cost",), by="team", unit="$", decimals=2),
        Dependency("count", MAKE.COUNT),
        Dependency("scored", MAKE.COUNT, ("acc",)),
        Dependency("mean", MAKE.MEAN, ("acc",), unit="%", decimals=2),
        Dependency("low", MAKE.MINIMUM, ("acc",), unit="%"),
        Dependency(
            "high",
            MAKE.MAXIMUM,
            ("acc",),
            where=(Clause("state", Comparison.IS_NOT, "dropped"),),
            unit="%",
        ),
        Dependency("rank", MAKE.RANK, ("acc",)),
        Dependency("gap", MAKE.DIFFERENCE, ("best", "acc"), unit="%", decimals=1),
        Dependency("range", MAKE.DIFFERENCE, ("high", "low"), unit="%", decimals=1),
        Dependency("share", MAKE.RATIO, ("cost", "total"), decimals=3),
        Dependency("passes", MAKE.THRESHOLD, ("acc",), rule="bar", outcomes=("yes", "no")),
        Dependency("in", MAKE.STATUS, rule="eligible", outcomes=("in", "out")),
        Dependency("inside", MAKE.COUNT, where=(Clause("in", Comparison.IS, "in"),)),
        Dependency("queue", MAKE.ORDERING, rule="first"),
    ),
    orderings=(Ordering("columns", Axis.FIELDS), Ordering("teams", Axis.GROUPS, "team")),
)
"""Every type of field and every kind of dependency."""

RULES: dict[str, Content] = {
    "bar": 50.0,
    "eligible": (Clause("acc", Comparison.AT_LEAST, 40), Clause("state", Comparison.IS, "final")),
    "first": Priority("acc"),
}
ORDERS = {
    "columns": tuple(one.key for one in SCHEMA.fields),
    "teams": ("north", "south", "west"),
}

VISUAL = [one for one, spec in OPERATORS.items() if spec.origin is Origin.VISUAL]
TEXT = [one for one, spec in OPERATORS.items() if spec.origin is Origin.TEXT]
DECLARED = [one for one, spec in OPERATORS.items() if spec.origin is Origin.DECLARED]
WRAPPERS = [one for one, spec in OPERATORS.items() if spec.wraps]
NOTHING = Mutation()
ATOMIC = [*VISUAL, *TEXT, *DECLARED]


def values(field: Field) -> st.SearchStrategy[Scalar]:
    """Values that fit a field; a name is drawn elsewhere."""
    match field.kind:
        case FieldKind.NUMBER:
            digits = field.decimals or 0
            whole = st.integers(0, 100 * 10**digits)
            return st.none() | (whole.map(lambda one: one / 10**digits) if digits else whole)
        case FieldKind.CHOICE:
            return st.sampled_from(field.choices) | st.none()
        case FieldKind.FLAG:
            return st.booleans() | st.none()
        case FieldKind.TEXT:
            return st.sampled_from(["", "x", "张三", "[b]", "a b"]) | st.none()


names = st.text(alphabet="ABCDE", min_size=2, max_size=4)


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Scalar]:
    """Attributes of an entity, without its name."""
    return {
        field.key: draw(values(field)) for field in SCHEMA.fields if field.role is not ROLE.NAME
    }


@st.composite
def contents(draw: st.DrawFn, least: int = 3, most: int = 6) -> Layer:
    """The content of an artifact."""
    keys = [f"e{at}" for at in range(draw(st.integers(least, most)))]
    chosen = draw(st.lists(names, min_size=len(keys), max_size=len(keys), unique=True))
    entities: dict[str, dict[str, Scalar]] = {
        key: {"name": name, **draw(rows())} for key, name in zip(keys, chosen, strict=True)
    }
    return initial_layer(SCHEMA, entities, rules=RULES, orders=ORDERS)


@st.composite
def states(draw: st.DrawFn, least: int = 3) -> State:
    """A state after the first artifact."""
    return initial_state("spring", draw(contents(least)), Upload("r0", "a0"))


def some(draw: st.DrawFn, items: Sequence[Any], most: int, least: int = 1) -> list[Any]:
    size = draw(st.integers(min(least, len(items)), min(most, len(items))))
    return draw(st.permutations(items))[:size]


@st.composite
def mutations(draw: st.DrawFn, state: State, operator: Operator) -> Mutation | None:
    """A mutation that meets its operator's preconditions; None where the state allows none."""
    spec = OPERATORS[operator]
    base = state.accepted if spec.origin is Origin.TEXT else state.visual
    entities = members(base)
    if spec.origin is Origin.DECLARED:
        entities = tuple(one for one in entities if member(one) in state.accepted)
    if not entities and spec.holds in ("cells", "blocks", "removed", "cues"):
        return None
    match spec.holds:
        case "cells" if spec.roles == (ROLE.NAME,):
            chosen = some(draw, entities, spec.most)
            new = [f"{draw(names)}{at}!" for at in range(len(chosen))]
            taken = {base.get(cell(one, "name")) for one in entities}
            taken |= {one for key, one in state.accepted.items() if key.field == "name"}
            cells = tuple(CellValue(*pair) for pair in zip(chosen, ["name"] * 9, new, strict=False))
            return None if taken & set(new) else Mutation(cells)
        case "cells":
            return draw(_cells(state, base, operator, entities))
        case "blocks":
            return draw(_blocks(state, base, operator, entities))
        case "added":
            fresh = [f"n{at}" for at in range(9) if member(f"n{at}") not in base]
            # An entity that the other layer has keeps its name, or the two would differ in it.
            taken = {
                one
                for layer in (base, state.accepted)
                for key, one in layer.items()
                if key.field == "name"
            }
            added = []
            for key in some(draw, fresh, 3):
                name = draw(names.filter(lambda one: one not in taken).map(str))
                taken.add(name)
                given = draw(rows())
                kept = {one: given[one] for one in some(draw, list(given), 9, 0)}
                added.append(NewEntity(key, {"name": name, **kept}))
            return Mutation(added=tuple(added)) if added else None
        case "removed":
            return Mutation(removed=tuple(some(draw, entities, spec.most)))
        case "order":
            name = draw(st.sampled_from(["entities", "columns", "teams"]))
            old = sequence(base, name)
            new_order = tuple(draw(st.permutations(old)))
            return None if new_order == old else Mutation(order=name, sequence=new_order)
        case "cues":
            pairs = [(one, field.key) for one in entities for field in SCHEMA.fields]
            cues = [
                CueValue(entity, key, draw(st.sampled_from(["", "bold", "italic", "bold italic"])))
                for entity, key in some(draw, pairs, spec.most)
            ]
            cues = [one for one in cues if base.get(cue(one.entity, one.field), "") != one.cue]
            return Mutation(cues=tuple(cues)) if cues else None
        case "rules":
            rules = [
                RuleContent("bar", draw(st.integers(0, 100))),
                RuleContent(
                    "eligible", (Clause("cost", Comparison.LESS, draw(st.integers(0, 9))),)
                ),
                RuleContent("first", Priority(draw(st.sampled_from(["cost", "gap", "note"])))),
            ]
            changing = [one for one in rules if base[rule(one.key)] != one.content]
            return Mutation(rules=tuple(some(draw, changing, 3))) if changing else None
        case "content":
            return Mutation(context="autumn", content=draw(contents()))
    return Mutation()


@st.composite
def _cells(
    draw: st.DrawFn, state: State, base: Layer, operator: Operator, entities: Sequence[str]
) -> Mutation | None:
    spec = OPERATORS[operator]
    fields = [one for one in SCHEMA.fields if one.role in spec.roles]
    pairs = [(one, field) for one in entities for field in fields]
    cells = []
    for entity, field in some(draw, pairs, spec.most):
        where = cell(entity, field.key)
        old, accepted = base.get(where), state.accepted.get(where)
        if operator is Operator.TEXT_CELL_EDIT and field.key == "cost" and old is not None:
            delta = draw(st.integers(1, 999)) / 100
            cells.append(CellValue(entity, field.key, delta=delta))
            continue
        avoided = [old, accepted] if spec.origin is Origin.DECLARED else [old]
        new = draw(values(field))
        if new not in avoided:
            cells.append(CellValue(entity, field.key, new))
    return Mutation(tuple(cells), reason="the same check") if cells else None


@st.composite
def _blocks(
    draw: st.DrawFn, state: State, base: Layer, operator: Operator, entities: Sequence[str]
) -> Mutation | None:
    chosen = tuple(some(draw, entities, 4, 2))
    if draw(st.booleans()):
        blocks = (Block(Transform.SHIFT, draw(st.integers(1, 9)), chosen, ("cost", "seed")),)
    elif draw(st.booleans()):
        blocks = (Block(Transform.SCALE, 0.5, (), ("cost", "acc")),)
    else:
        done = Block(
            Transform.SET, f"v{len(state.last)}{draw(st.integers(0, 9))}", chosen, ("note",)
        )
        blocks = (done,)
    mutation = Mutation(blocks=blocks)
    return mutation if is_possible(state, operator, mutation) else None


def a_transition(
    state: State,
    operator: Operator,
    mutation: Mutation = NOTHING,
    number: int = 1,
    *,
    wraps: Operator | None = None,
    event: Event = Event.APPLY,
    of: str = "",
) -> Transition:
    """A transition from a state, in a round of its own."""
    key = f"t{number}"
    plain = Transition(key, operator, f"r{number}", mutation, wraps=wraps, event=event, of=of)
    artifact = f"a{number}" if plain.is_upload else ""
    return Transition(key, operator, f"r{number}", mutation, artifact, state.last, event, of, wraps)


def is_possible(state: State, operator: Operator, mutation: Mutation) -> bool:
    try:
        execute(SCHEMA, state, a_transition(state, operator, mutation))
    except TransitionError:
        return False
    return True


@st.composite
def transitions(
    draw: st.DrawFn, state: State, number: int, operators: Sequence[Operator] = ATOMIC
) -> Transition | None:
    """A transition of one of the operators, plain or wrapped; None where none is possible."""
    operator = draw(st.sampled_from(operators))
    wraps = draw(st.sampled_from(OPERATORS[operator].wraps)) if operator in WRAPPERS else None
    if operator is Operator.COMPOSITE:
        return draw(composites(state, number))
    mutation = draw(mutations(state, wraps or operator))
    if mutation is None or not is_possible(state, wraps or operator, mutation):
        return None
    return a_transition(state, operator, mutation, number, wraps=wraps)


@st.composite
def composites(draw: st.DrawFn, state: State, number: int) -> Transition | None:
    """A composite whose parts are drawn one after the other, each on the running state."""
    wanted: list[Operator] = []
    for operators, least, most in COMPOSED.values():
        size = draw(st.integers(least, most))
        wanted += [draw(st.sampled_from(operators)) for _ in range(size)]
    parts: list[Composed] = []
    running, touched = state, set[Any]()
    for operator in draw(st.permutations(wanted)):
        mutation = draw(mutations(running, operator))
        if mutation is None:
            return None
        try:
            step = execute(SCHEMA, running, a_transition(running, operator, mutation, number))
        except TransitionError:
            return None
        if touched & step.scope:
            return None
        touched |= step.scope
        parts.append(Composed(operator, mutation))
        running = step.after
    return a_transition(state, Operator.COMPOSITE, Mutation(parts=tuple(parts)), number)


@st.composite
def trajectories(
    draw: st.DrawFn, most: int = 5, operators: Sequence[Operator] = (*ATOMIC, *WRAPPERS)
) -> tuple[State, list[Step]]:
    """A state and the steps of some transitions on it, later events of lifecycles among them."""
    state = initial = draw(states())
    steps: list[Step] = []
    for number in range(1, 1 + draw(st.integers(1, most))):
        open_updates = [key for key, one in state.updates.items() if one.status == "in_force"]
        if bool(open_updates) and draw(st.booleans()):
            update = state.updates[open_updates[0]]
            found: Transition | None = a_transition(
                state,
                update.operator,
                number=number,
                wraps=update.wraps,
                event=Event.DISREGARD,
                of=open_updates[0],
            )
        else:
            found = draw(transitions(state, number, operators))
        if found is None:
            continue
        try:
            step = execute(SCHEMA, state, found)
        except TransitionError:
            continue
        steps.append(step)
        state = step.after
    return initial, steps
