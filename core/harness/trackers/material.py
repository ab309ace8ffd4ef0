"""What a tracker works on: the sources of one history of a release, and who is called what.

Texts are taken by their meaning, which is the mutation that the truth keeps of them; images by
their oracle text, as far as it says what they display.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mnemoscope.core.harness.exhibit import Exhibit
from mnemoscope.core.harness.oracle_text import read_oracle_text
from mnemoscope.core.harness.pack import ArtifactKind
from mnemoscope.core.harness.questions.reader import Reader
from mnemoscope.core.harness.questions.source import Item, Source, SourceKind, stated
from mnemoscope.core.harness.wording import heading_of, rule_text
from mnemoscope.core.model import History, Kind, Release, Role
from mnemoscope.core.state.component import (
    Component,
    Content,
    Layer,
    Part,
    cell,
    cue,
    member,
    members,
    order,
    rule,
)
from mnemoscope.core.state.field import FieldRole
from mnemoscope.core.state.schema import Axis, Schema
from mnemoscope.core.truth.truth import Truth

__all__ = ["Material", "material_of"]

ORACLE = "oracle"
"""The caption variant that tells all that an image shows."""


@dataclass(frozen=True)
class Material:
    """One history, source by source."""

    truth: Truth
    items: tuple[Item, ...]
    rounds: tuple[str, ...]
    """The user's rounds; the place of a source is the number of its round among them."""

    @property
    def last(self) -> int:
        """The last place."""
        return len(self.rounds) - 1

    @cached_property
    def reader(self) -> Reader:
        """Reads them."""
        return Reader(self.truth.trajectory.schema, self.items)

    @cached_property
    def names(self) -> dict[str, list[tuple[int, str]]]:
        """The accepted names of each entity, with the places from which on it has them."""
        field = self.truth.trajectory.schema.name_field
        found: dict[str, list[tuple[int, str]]] = {}
        if field is None:
            return found
        for one, content in self.truth.trajectory.initial.accepted.items():
            if one.part is Part.CELL and one.field == field.key:
                found[one.entity] = [(0, str(content))]
        place = {key: at for at, key in enumerate(self.rounds)}
        for record in self.truth.trajectory.records:
            for change in record.changes:
                where = change.component
                named = where.part is Part.CELL and where.field == field.key
                if named and change.sheet == "accepted" and isinstance(change.after, str):
                    at = place.get(record.transition.round, 0)
                    found.setdefault(where.entity, []).append((at, change.after))
        return found

    @cached_property
    def labels(self) -> dict[str, str]:
        """What questions call each entity: its accepted name now, or its last one."""
        return {entity: steps[-1][1] for entity, steps in self.names.items()}

    def name_at(self, entity: str, place: int) -> str:
        """What the user calls an entity in a round: its accepted name before it."""
        steps = self.names.get(entity, [])
        earlier = [name for at, name in steps if at < max(place, 1)]
        return earlier[-1] if earlier else steps[0][1] if steps else ""


def material_of(release: Release, history_id: str) -> Material | None:
    """The material of a history; None where the release has no truth of it."""
    truth = release.evaluator.truths.get(history_id)
    history = release.histories.get(history_id)
    if truth is None or history is None:
        return None
    rounds = tuple(_rounds(history))
    return Material(truth, tuple(_items(history, truth, rounds)), rounds)


def _rounds(history: History) -> Iterator[str]:
    for session in history.sessions:
        for one in session.rounds:
            if any(message.role is Role.USER for message in one.messages):
                yield one.id


def _items(history: History, truth: Truth, rounds: tuple[str, ...]) -> Iterator[Item]:
    transitions = {one.transition.round: one.transition for one in truth.trajectory.records}
    artifacts = {one.id: one for one in truth.artifacts}
    own = truth.trajectory.initial.context
    for place, key in enumerate(rounds):
        transition = transitions.get(key)
        says, declares = stated(transition)
        image, context, shows = None, "", None
        for attachment in history.round_by_id[key].attachments:
            artifact = artifacts.get(attachment.id)
            caption = attachment.captions.get(ORACLE, "")
            if attachment.kind is Kind.IMAGE and artifact is not None and caption:
                image = Source(place, SourceKind.IMAGE, attachment.id)
                context = "" if artifact.context == own else artifact.context
                exhibit = read_oracle_text(caption)
                shows = dict(_displayed(truth.trajectory.schema, exhibit, artifact.shows))
        if transition is None and image is None:
            continue
        entities = frozenset(one.entity for one in shows or () if one.part is Part.MEMBER)
        text = Source(place, SourceKind.ROUND, key)
        yield Item(place, text, image, context, shows, entities, transition, says, declares)


def _displayed(
    schema: Schema, exhibit: Exhibit, layer: Layer
) -> Iterator[tuple[Component, Content]]:
    """The components that an image displays, as its oracle text says."""
    names = schema.name_field
    assert names is not None
    headings = {heading for grid in exhibit.grids for heading in grid.headings}
    shown = [one.key for one in schema.fields if heading_of(schema, one.key) in headings]
    if exhibit.kind is ArtifactKind.PLAN:
        titles = {grid.title for grid in exhibit.grids}
        shown += [
            key
            for key in schema.of_role(FieldRole.GROUP)
            if titles & set(schema.field_by_key[key].choices)
        ]
    for entity in members(layer):
        yield member(entity), True
        for key in shown:
            yield cell(entity, key), layer.get(cell(entity, key))
            if cue(entity, key) in layer:
                yield cue(entity, key), layer[cue(entity, key)]
    notes = {one.text for one in exhibit.notes}
    for one in schema.rules:
        content = layer.get(rule(one.key))
        if content is not None and rule_text(schema, one.key, content) in notes:
            yield rule(one.key), content
    for ordering in schema.orderings:
        content = layer.get(order(ordering.key))
        if ordering.axis is Axis.GROUPS and content is not None and content == exhibit.groups:
            yield order(ordering.key), content
