"""From the form of a truth file to the truth."""

from collections.abc import Iterable, Mapping
from typing import Any

from mnemoscope.core.state.authority import Authority
from mnemoscope.core.state.component import ENTITIES, Component, Content, Layer, Part
from mnemoscope.core.state.dependency import Dependency
from mnemoscope.core.state.field import Field
from mnemoscope.core.state.mutation import (
    Block,
    CellValue,
    Composed,
    CueValue,
    Mutation,
    NewEntity,
    RuleContent,
)
from mnemoscope.core.state.rule import Clause, Rule
from mnemoscope.core.state.schema import Ordering, Schema
from mnemoscope.core.state.state import Upload, initial_state
from mnemoscope.core.state.trajectory import Trajectory
from mnemoscope.core.state.transition import Assignment, Change, Record, Transition
from mnemoscope.core.truth.schema import (
    AuthorityForm,
    ComponentForm,
    LayerForm,
    MutationForm,
    TransitionForm,
    TruthFile,
)
from mnemoscope.core.truth.truth import Artifact, Truth

__all__ = ["mutation_of", "truth_of"]


def truth_of(form: TruthFile, file: str = "") -> Truth:
    """The truth that a file holds. What it says is taken as it is; the audit checks it."""
    schema = Schema(
        tuple(Field(**vars(one)) for one in form.fields),
        tuple(Rule(**vars(one)) for one in form.rules),
        tuple(
            Dependency(**{**vars(one), "where": _clauses(vars(one)["where"])})
            for one in form.dependencies
        ),
        tuple(Ordering(**vars(one)) for one in form.orderings),
    )
    layer = _layer(schema, form.initial)
    initial = initial_state(form.context, layer, Upload(form.round, form.artifact))
    records = tuple(_record(schema, one) for one in form.transitions)
    artifacts = tuple(
        Artifact(one.id, one.round, one.transition, one.context, _layer(schema, one.shows))
        for one in form.artifacts
    )
    trajectory = Trajectory(schema, initial, records)
    return Truth(form.history_id, trajectory, artifacts, form.inventory, file)


def _clauses(forms: Iterable[Any]) -> tuple[Clause, ...]:
    return tuple(Clause(**vars(one)) for one in forms)


def _layer(schema: Schema, form: LayerForm) -> Layer:
    layer: dict[Component, Content] = {Component(Part.ORDER, "", ENTITIES): ()}
    layer |= {Component(Part.ORDER, "", key): one for key, one in form.orders.items()}
    layer |= {Component(Part.RULE, "", key): one for key, one in form.rules.items()}
    for entity, values in form.entities.items():
        layer[Component(Part.MEMBER, entity)] = True
        blank: Mapping[str, Any] = dict.fromkeys(one.key for one in schema.fields)
        contents = {**blank, **values}
        layer |= {Component(Part.CELL, entity, key): one for key, one in contents.items()}
    for part, owners in ((Part.CUE, form.cues), (Part.DEPENDENT, form.dependents)):
        for owner, contents in owners.items():
            layer |= {Component(part, owner, key): one for key, one in contents.items()}
    return layer


def _component(form: ComponentForm) -> Component:
    return Component(form.part, form.entity, form.field)


def _authority(form: AuthorityForm | None) -> Authority | None:
    return None if form is None else Authority(**vars(form))


def _record(schema: Schema, form: TransitionForm) -> Record:
    transition = Transition(
        form.id,
        form.operator,
        form.round,
        mutation_of(schema, form.mutation),
        form.artifact,
        form.parent,
        form.event,
        form.of,
        form.wraps,
    )
    return Record(
        transition,
        tuple(_component(one) for one in form.scope),
        tuple(
            Change(one.sheet, _component(one), one.before, one.after, one.cause)
            for one in form.changes
        ),
        tuple(
            Assignment(_component(one), _authority(one.before), _authority(one.after))
            for one in form.authority
        ),
    )


def mutation_of(schema: Schema, form: MutationForm) -> Mutation:
    """The mutation that a form holds."""
    parts = (Composed(one.operator, mutation_of(schema, one.mutation)) for one in form.parts)
    return Mutation(
        cells=tuple(CellValue(**vars(one)) for one in form.cells),
        blocks=tuple(Block(**vars(one)) for one in form.blocks),
        added=tuple(NewEntity(**vars(one)) for one in form.added),
        removed=form.removed,
        cues=tuple(CueValue(**vars(one)) for one in form.cues),
        rules=tuple(RuleContent(**vars(one)) for one in form.rules),
        order=form.order,
        sequence=form.sequence,
        context=form.context,
        content=None if form.content is None else _layer(schema, form.content),
        parts=tuple(parts),
        reason=form.reason,
        block=form.block,
    )
