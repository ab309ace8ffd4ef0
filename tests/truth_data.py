"""A small invented scenario with its truth: agents on a leaderboard, ordered by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from mnemoscope.core.model import (
    Attachment,
    EvaluatorData,
    History,
    Kind,
    Message,
    Release,
    Role,
    Round,
    RoundKind,
    Session,
)
from mnemoscope.core.state.component import Layer
from mnemoscope.core.state.dependency import Dependency, DependencyKind
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
from mnemoscope.core.state.operators import OPERATORS, Event, Operator
from mnemoscope.core.state.rule import Clause, Comparison, Priority, Rule, RuleKind
from mnemoscope.core.state.schema import Axis, Ordering, Schema
from mnemoscope.core.state.state import Upload, initial_layer, initial_state
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.truth.truth import Truth

HISTORY = "leaderboard"

SCHEMA = Schema(
    (
        Field("name", FieldKind.TEXT, FieldRole.NAME, "Agent", required=True),
        Field("track", FieldKind.CHOICE, FieldRole.GROUP, choices=("web", "code")),
        Field("state", FieldKind.CHOICE, FieldRole.STATUS, choices=("draft", "final")),
        Field("acc", FieldKind.NUMBER, name="Acc.", unit="%", decimals=1, minimum=0, maximum=100),
        Field("cost", FieldKind.NUMBER, name="Cost", unit="$", decimals=2),
        Field("public", FieldKind.FLAG, FieldRole.ANNOTATION),
    ),
    (
        Rule("bar", RuleKind.THRESHOLD, "bar to pass", "%"),
        Rule("listed", RuleKind.PREDICATE, "who is listed"),
        Rule("first", RuleKind.PRIORITY, "who is run first"),
    ),
    (
        Dependency("mean", DependencyKind.MEAN, ("acc",), unit="%", decimals=2, name="mean acc."),
        Dependency("spent", DependencyKind.SUM, ("cost",), by="track", unit="$", decimals=2),
        Dependency("rank", DependencyKind.RANK, ("acc",)),
        Dependency(
            "passes", DependencyKind.THRESHOLD, ("acc",), rule="bar", outcomes=("yes", "no")
        ),
        Dependency(
            "final",
            DependencyKind.COUNT,
            where=(Clause("state", Comparison.IS, "final"),),
        ),
        Dependency("listing", DependencyKind.STATUS, rule="listed", outcomes=("on", "off")),
        Dependency("queue", DependencyKind.ORDERING, rule="first"),
    ),
    (Ordering("tracks", Axis.GROUPS, "track"),),
)
_NAMES = ("CoAct", "Munch", "Redict", "Pundel", "Fennel", "Orrery")


def rows() -> dict[str, dict[str, Any]]:
    """Six agents; the fifth and sixth are the only ones on the second track."""
    return {
        f"a{at}": {
            "name": name,
            "track": "web" if at < 5 else "code",
            "state": "draft",
            "acc": 70.0 + at,
            "cost": 0.5 * at,
            "public": at % 2 == 0,
        }
        for at, name in enumerate(_NAMES, 1)
    }


def content(entities: dict[str, dict[str, Any]]) -> Layer:
    clauses = (Clause("acc", Comparison.GREATER, 72), Clause("state", Comparison.IS, "final"))
    return initial_layer(
        SCHEMA,
        entities,
        rules={"bar": 73.0, "listed": clauses, "first": Priority("acc")},
        orders={"tracks": ("web", "code")},
        cues={("a1", "acc"): "bold"},
    )


def edit(entity: str, field: str, value: Any) -> CellValue:
    return CellValue(entity, field, value)


_OP = Operator


def edits(*cells: tuple[str, str, Any], reason: str = "") -> Mutation:
    return Mutation(tuple(CellValue(*one) for one in cells), reason=reason)


def new(key: str, name: str, **values: Any) -> Mutation:
    return Mutation(added=(NewEntity(key, {"name": name, **values}),))


def shift(by: float, *entities: str, field: str) -> Mutation:
    return Mutation(blocks=(Block(Transform.SHIFT, by, entities, (field,)),))


def _other_quarter() -> Mutation:
    entities = {key: {**one, "acc": one["acc"] - 9} for key, one in list(rows().items())[:3]}
    return Mutation(context="2025-Q4", content=content(entities))


def _composite() -> Mutation:
    return Mutation(
        parts=(
            Composed(_OP.VISUAL_CELL_EDIT, edits(("a7", "cost", 3.5))),
            Composed(_OP.TEXT_CELL_EDIT, edits(("a2", "acc", 75.5))),
            Composed(
                _OP.TEXT_RULE_CHANGE,
                Mutation(rules=(RuleContent("first", Priority("acc", descending=True)),)),
            ),
        )
    )


_RULES = (
    RuleContent("bar", 80),
    RuleContent("listed", (Clause("rank", Comparison.AT_MOST, 3),)),
)
PLAN: list[tuple[Operator, Mutation, Operator | None]] = [
    (_OP.VISUAL_CELL_EDIT, edits(("a1", "acc", 74.3)), None),
    (
        _OP.TEXT_CELL_EDIT,
        Mutation((CellValue("a1", "acc", 85.7), CellValue("a3", "cost", delta=0.25))),
        None,
    ),
    (_OP.VISUAL_CELL_EDIT, edits(("a1", "acc", 84.9)), None),
    (
        _OP.VISUAL_BLOCK_EDIT,
        Mutation(blocks=(Block(Transform.SCALE, 2, ("a2", "a3"), ("cost",)),)),
        None,
    ),
    (_OP.VISUAL_NOOP_REVISION, Mutation(), None),
    (_OP.VISUAL_ENTITY_ADD, new("a7", "Quill", track="code", acc=80.5, cost=2.25), None),
    (_OP.VISUAL_ENTITY_REMOVE, Mutation(removed=("a5",), reason="withdrawn by its authors"), None),
    (_OP.VISUAL_ENTITY_RENAME, edits(("a4", "name", "Pundel 2")), None),
    (
        _OP.VISUAL_REORDER,
        Mutation(order="entities", sequence=("a7", "a1", "a2", "a3", "a4", "a6")),
        None,
    ),
    (
        _OP.VISUAL_STYLE_EDIT,
        Mutation(cues=(CueValue("a2", "acc", "italic"), CueValue("a1", "acc", ""))),
        None,
    ),
    (_OP.WRONG_CONTEXT_ARTIFACT, _other_quarter(), None),
    (
        _OP.VISUAL_STATUS_EDIT,
        edits(("a2", "state", "final"), ("a1", "public", True), reason="checked"),
        None,
    ),
    (_OP.UNRELATED_VISUAL, Mutation(), None),
    (_OP.TEXT_BLOCK_EDIT, shift(1.5, "a2", "a3", "a4", field="acc"), None),
    (_OP.TEXT_ENTITY_ADD, new("a8", "Sable", track="web", acc=77.7), None),
    (_OP.TEXT_ENTITY_REMOVE, Mutation(removed=("a6",), block="code"), None),
    (_OP.TEXT_ENTITY_RENAME, edits(("a2", "name", "Munch XL")), None),
    (_OP.TEXT_REORDER, Mutation(order="tracks", sequence=("code", "web")), None),
    (_OP.TEXT_REORDER, Mutation(rules=(RuleContent("first", Priority("cost", False)),)), None),
    (_OP.TEXT_GROUP_REASSIGN, edits(("a3", "track", "code")), None),
    (_OP.TEXT_STATUS_CHANGE, edits(("a3", "state", "final")), None),
    (_OP.TEXT_RULE_CHANGE, Mutation(rules=_RULES), None),
    (_OP.TEXT_UPDATE_DISREGARDED, edits(("a4", "cost", 9)), _OP.TEXT_CELL_EDIT),
    (_OP.TEXT_UPDATE_REINSTATED, Mutation(removed=("a4",)), _OP.TEXT_ENTITY_REMOVE),
    (_OP.VISUAL_CELL_AUTHORITY, edits(("a1", "acc", 86.0)), None),
    (_OP.VISUAL_UPDATE_REINSTATED, new("a9", "Tern", acc=64.0), _OP.VISUAL_ENTITY_ADD),
    (_OP.VISUAL_BLOCK_AUTHORITY, shift(0.5, "a3", "a7", field="cost"), None),
    (_OP.COMPOSITE, _composite(), None),
    (_OP.VISUAL_UPDATE_DISREGARDED, edits(("a7", "acc", 99.0)), _OP.VISUAL_CELL_EDIT),
]
"""Every operator once or more; the last upload is withdrawn."""


def transitions() -> list[Transition]:
    """The plan with every event of its lifecycles, each in a user's round of its own."""
    found: list[Transition] = []
    for operator, mutation, wraps in PLAN:
        first = ""
        for event in OPERATORS[operator].events:
            number = len(found) + 1
            key = f"t{number}"
            own = mutation if event is Event.APPLY else Mutation()
            parent = found[-1].id if found else ""
            plain = Transition(
                key, operator, f"r{2 * number + 1}", own, "", parent, event, first, wraps
            )
            found.append(replace(plain, artifact=f"img{number}" if plain.is_upload else ""))
            first = first or key
    return found


def truth() -> Truth:
    """The truth of the scenario, carried out by the engine."""
    initial = initial_state("2026-Q1", content(rows()), Upload("r1", "img0"))
    return Truth.of(HISTORY, SCHEMA, initial, transitions())


def _round(number: int, text: str, role: Role, image: str = "") -> Round:
    shown = (Attachment(Kind.IMAGE, image, ""),) if image else ()
    speaker = "Ann" if role is Role.USER else "Bot"
    said = Message(speaker, role, text, shown)
    return Round(f"r{number}", "s1", number - 1, (said,), f"$.rounds[{number - 1}]")


def history() -> History:
    """The visible conversation: one user round per transition, each answered."""
    rounds = [_round(1, "Here is the leaderboard.", Role.USER, "img0")]
    for number, one in enumerate(transitions(), 1):
        rounds.append(_round(2 * number, "Noted.", Role.ASSISTANT))
        rounds.append(_round(2 * number + 1, f"Message {number}.", Role.USER, one.artifact))
    session = Session("s1", None, "", tuple(rounds), "$")
    return History(HISTORY, "leaderboard", (session,), "histories/leaderboard.json")


def release(root: Path = Path()) -> Release:
    """A release of the one scenario with its truth."""
    return Release(
        name="boards",
        format="native",
        root=root,
        files=(),
        round_kind=RoundKind.UTTERANCE,
        histories={HISTORY: history()},
        questions={},
        tasks=(),
        evaluator=EvaluatorData(truths={HISTORY: truth()}),
    )
