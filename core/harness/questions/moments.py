"""Moments: times of a conversation in plain words that mean one time only."""

from collections import Counter
from collections.abc import Iterator

from mnemoscope.core.harness.dialogue.speech import quoted
from mnemoscope.core.harness.questions.names import Names
from mnemoscope.core.harness.questions.source import touches
from mnemoscope.core.harness.questions.words import column
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import Component, cell
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.transition import Transition

__all__ = ["Moment", "moments_of"]


@value
class Moment:
    """A time."""

    place: int
    """It is after this block."""
    words: str
    """Such as ``right after I uploaded revision 3 of …``."""

    @property
    def point(self) -> str:
        """The same as something that a time begins or ends at."""
        return f"the point {self.words}"


def moments_of(scenario: Scenario, names: Names) -> Iterator[Moment]:
    """The times that can be named: around uploads, and around what the user wrote.

    What several rounds could be meant by is left out.
    """
    said = list(_events(scenario, names))
    counts = Counter(words for _, words in said)
    for place, words in said:
        if counts[words] == 1:
            yield Moment(place, f"right after {words}")
            if place > 0:
                yield Moment(place - 1, f"just before {words}")


def _events(scenario: Scenario, names: Names) -> Iterator[tuple[int, str]]:
    records = scenario.truth.trajectory.record_by_id
    own = scenario.truth.trajectory.initial.context
    for place, block in enumerate(scenario.blocks):
        found = scenario.artifact_by_id.get(block.picture)
        if found is not None and found.context == own:
            yield place, f"I uploaded {names.revision(block.picture)}"
        if block.transition:
            one = records[block.transition].transition
            for words in _words(scenario, names, one):
                yield place, words


def _words(scenario: Scenario, names: Names, one: Transition) -> Iterator[str]:
    """What the user did in a round, as far as its text says it."""
    if one.event is not Event.APPLY:
        update = scenario.truth.trajectory.record_by_id[one.of].transition
        done = "withdrew" if one.event is Event.DISREGARD else "reinstated"
        if update.artifact:
            yield f"I {done} the changes of {names.revision(update.artifact)}"
        else:
            for what in _texts(scenario, names, update.atomic, update.mutation, noun=True):
                yield f"I {done} {what}"
        return
    parts = [(one.atomic, one.mutation)]
    if one.operator is Operator.COMPOSITE:
        parts = [(part.operator, part.mutation) for part in one.mutation.parts]
    for operator, mutation in parts:
        if OPERATORS[operator].origin is Origin.TEXT:
            yield from (f"I {what}" for what in _texts(scenario, names, operator, mutation))


def _texts(
    scenario: Scenario, names: Names, operator: Operator, mutation: Mutation, *, noun: bool = False
) -> Iterator[str]:
    schema = scenario.truth.trajectory.schema
    for one in mutation.rules:
        yield "the new rule" if noun else f"changed the rule {quoted(schema.heading(one.key))}"
    for new in mutation.added:
        if names.is_clear(new.key):
            name = names.label[new.key]
            yield f"the addition of {name}" if noun else f"added {name} in a message"
    for entity in mutation.removed:
        if names.is_clear(entity):
            name = names.label[entity]
            yield f"the removal of {name}" if noun else f"took {name} out in a message"
    if operator is Operator.TEXT_ENTITY_RENAME:
        return
    for change in mutation.cells:
        where = cell(change.entity, change.field)
        if names.is_clear(change.entity) and _touched_by_text(scenario, where) == 1:
            what = f"the {column(schema, change.field)} of {names.label[change.entity]}"
            yield f"my change to {what}" if noun else f"changed {what} in a message"


def _touched_by_text(scenario: Scenario, where: Component) -> int:
    """How many texts state something of a cell, as part of a block too."""
    schema = scenario.truth.trajectory.schema
    count = 0
    for record in scenario.truth.trajectory.records:
        one = record.transition
        parts = [(one.atomic, one.mutation)] if one.event is Event.APPLY else []
        if one.operator is Operator.COMPOSITE:
            parts = [(part.operator, part.mutation) for part in one.mutation.parts]
        count += sum(
            OPERATORS[operator].origin is Origin.TEXT and touches(schema, mutation, where)
            for operator, mutation in parts
        )
    return count
