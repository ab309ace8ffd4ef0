"""The state ``S = (G, W, A, C)``, and beside it what the history of uploads needs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.authority import Assignments, Authority, AuthorityKind
from mnemoscope.core.state.component import ENTITIES, Component, Content, Layer, Maybe, Part
from mnemoscope.core.state.computation import dependents
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.values import Scalar

__all__ = ["Image", "State", "Update", "UpdateStatus", "Upload", "initial_layer", "initial_state"]


class UpdateStatus(StrEnum):
    """Whether a recorded update is in force."""

    IN_FORCE = "in_force"
    WITHDRAWN = "withdrawn"
    REINSTATED = "reinstated"


@value
class Image:
    """What the components that an update touches hold at one moment: its before- or after-image."""

    visual: Mapping[Component, Maybe]
    accepted: Mapping[Component, Maybe]
    authority: Mapping[Component, Authority | None]
    orders: tuple[tuple[str, ...], tuple[str, ...]]
    """The orderings of the visual and of the accepted entities, for the places of members."""


@value
class Update:
    """A recorded update that a later text may withdraw and reinstate."""

    operator: Operator
    wraps: Operator
    before: Image
    after: Image
    status: UpdateStatus = UpdateStatus.IN_FORCE


@value
class Upload:
    """An artifact of the scenario's context."""

    round: str
    artifact: str = ""
    """The id of the attachment."""
    transition: str = ""
    """The transition that it came with; empty for the initial one."""


@dataclass(frozen=True, slots=True)
class State:
    """A state of a scenario. Nothing changes one; a transition leads to another."""

    context: str
    """C: the period, region, run or environment that the scenario is about."""
    accepted: Layer
    """G: what is true for the user now."""
    visual: Layer
    """W: the visual state in force, parent of the next visual edit."""
    authority: Assignments
    """A."""
    shown: Layer
    """What the last upload of this context displays; differs from W after a withdrawal."""
    upload: Upload
    """That upload."""
    scopes: Mapping[str, Layer] = field(default_factory=dict)
    """Artifacts of other contexts, each in its own scope."""
    updates: Mapping[str, Update] = field(default_factory=dict)
    """Recorded updates that can be withdrawn, by transition."""
    last: str = ""
    """The transition that led here; empty at the start."""

    @property
    def is_withdrawn(self) -> bool:
        """Whether the last upload came with an update that is withdrawn."""
        update = self.updates.get(self.upload.transition)
        return update is not None and update.status is UpdateStatus.WITHDRAWN


def initial_layer(
    schema: Schema,
    entities: Mapping[str, Mapping[str, Scalar]],
    *,
    rules: Mapping[str, Content] | None = None,
    orders: Mapping[str, tuple[str, ...]] | None = None,
    cues: Mapping[tuple[str, str], str] | None = None,
) -> Layer:
    """A layer with its dependents computed; fields that are not given are blank."""
    layer: dict[Component, Content] = {Component(Part.ORDER, "", ENTITIES): tuple(entities)}
    layer |= {Component(Part.ORDER, "", key): one for key, one in (orders or {}).items()}
    layer |= {Component(Part.RULE, "", key): one for key, one in (rules or {}).items()}
    for entity, values in entities.items():
        layer[Component(Part.MEMBER, entity)] = True
        for one in schema.fields:
            layer[Component(Part.CELL, entity, one.key)] = values.get(one.key)
    layer |= {Component(Part.CUE, *where): one for where, one in (cues or {}).items()}
    layer |= dependents(schema, layer)
    return layer


def initial_state(context: str, layer: Layer, upload: Upload) -> State:
    """The state after the first artifact: it is both accepted and visual, on its own authority."""
    governed = (Part.CELL, Part.MEMBER, Part.ORDER, Part.RULE)
    given = Authority(AuthorityKind.VISUAL, upload.round)
    authority = {one: given for one in layer if one.part in governed}
    accepted = {one: content for one, content in layer.items() if one.part is not Part.CUE}
    return State(context, accepted, layer, authority, layer, upload)
