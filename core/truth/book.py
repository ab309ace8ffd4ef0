"""The book of one history: its truth made ready to be looked up by round, cell and entity."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain

from mnemoscope.core.errors import InputError
from mnemoscope.core.memory.cells import HeldCell
from mnemoscope.core.model import History
from mnemoscope.core.state.chronicle import CellEvent, Chronicle
from mnemoscope.core.state.component import Component, Part
from mnemoscope.core.state.ledger import Ledger, Scrubber
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.timeline import Timeline
from mnemoscope.core.truth.divergence import Placer
from mnemoscope.core.truth.naming import Naming
from mnemoscope.core.truth.truth import Truth

__all__ = ["Book"]


class Book:
    """A truth with the rounds of its history. Evaluator-only."""

    def __init__(self, truth: Truth, history: History) -> None:
        """Make a truth ready.

        Raises:
            InputError: Its schema is unsound, so that nothing can be computed from it.
        """
        for place, found, expected in truth.trajectory.schema.problems():
            raise InputError(f"{truth.file}: ${place}: found {found}, expected {expected}")
        self.truth = truth
        self.history = history
        self.scrubber = Scrubber(Timeline(truth.trajectory), [one.id for one in history.rounds])

    @property
    def schema(self) -> Schema:
        """What the scenario consists of."""
        return self.truth.trajectory.schema

    @property
    def context(self) -> str:
        """The context that the scenario is about."""
        return self.truth.trajectory.initial.context

    @cached_property
    def chronicle(self) -> Chronicle:
        """What touched what."""
        return Chronicle(self.scrubber.timeline)

    @cached_property
    def naming(self) -> Naming:
        """What its entities are called, and when."""
        return Naming(self.scrubber.timeline)

    @cached_property
    def changing(self) -> Sequence[int]:
        """The positions of the rounds that bring a transition, in order."""
        return self._indices(range(len(self.truth.trajectory.records)))

    def _indices(self, numbers: Sequence[int]) -> list[int]:
        return list(dict.fromkeys(self.scrubber.index_of(one) for one in numbers))

    def rounds_about(self, component: Component) -> Sequence[int]:
        """The positions of the rounds that say something of an entity, in order.

        Of what belongs to no entity, and of what follows from others: that change it.
        """
        if component.entity and component.part is not Part.DEPENDENT:
            return self._indices(self.chronicle.of_entity(component.entity))
        return self._indices(self.chronicle.of(component))

    def events(self, component: Component, ledger: Ledger) -> tuple[CellEvent, ...]:
        """What happened to a component in the context of a ledger, up to its round."""
        if ledger.context == self.context:
            return self.chronicle.events(component, ledger.count)
        return self.chronicle.events_elsewhere(component, ledger.context, ledger.count)

    def names(self, ledger: Ledger) -> Mapping[str, str]:
        """The displayed names of entities by key: the accepted, else the visual or shown one."""
        field = self.schema.name_field
        found: dict[str, str] = {}
        for one in ledger.cells if field is not None else ():
            where = one.component
            if field is not None and where.part is Part.CELL and where.field == field.key:
                known = (one.accepted, one.visual, one.shown)
                name = next((each for each in known if isinstance(each, str)), where.entity)
                found[where.entity] = name
        return found

    @cached_property
    def known_names(self) -> Mapping[str, str]:
        """A name of every entity that there ever is, by key: the last one it was given."""
        field = self.schema.name_field
        if field is None:
            return {}
        trajectory = self.truth.trajectory
        named = ((where, content) for where, content in trajectory.initial.accepted.items())
        given = (
            (one.component, one.after) for record in trajectory.records for one in record.changes
        )
        return {
            where.entity: content
            for where, content in chain(named, given)
            if where.part is Part.CELL and where.field == field.key and isinstance(content, str)
        }

    def find(self, text: str, count: int) -> Component | None:
        """The component that ``ENTITY.FIELD`` names after so many transitions; None for none.

        Entities and fields go by key or name, which may hold points themselves; a quantity of the
        whole goes by its own name alone.
        """
        names, placer = self.naming.at(count), Placer(self.scrubber)
        parts = text.split(".")
        for at in range(len(parts) - 1, -1, -1):
            entity, field = ".".join(parts[:at]), ".".join(parts[at:])
            found = placer.place(HeldCell("", entity, field, {}), names)
            if found is not None:
                return found
        return None
