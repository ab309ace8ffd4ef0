"""What a tracker sees: everything, but for its one fault."""

from collections.abc import Iterable, Mapping

from mnemoscope.core.harness.questions.reading import UNREAD, Faults, Read, UnreadError
from mnemoscope.core.harness.questions.source import Source, SourceKind
from mnemoscope.core.harness.questions.view import View
from mnemoscope.core.harness.trackers.material import Material
from mnemoscope.core.state.component import ABSENT, Component, Maybe, cell

__all__ = ["TrackerView"]


class TrackerView(View):
    """Reads a history with faults, names apart, or from some place on."""

    strict = False

    def __init__(
        self,
        material: Material,
        faults: Faults,
        *,
        names_apart: bool = False,
        start: int = 0,
        stop: int | None = None,
    ) -> None:
        """Look at a history.

        Args:
            material: The history.
            faults: What goes wrong in reading.
            names_apart: Whether each name is taken for an entity of its own.
            start: Nothing before this place was kept.
            stop: Nothing after this place was taken in.
        """
        super().__init__(material.truth.trajectory.schema, material.last)
        self._material, self._faults = material, faults
        self._names_apart, self._start, self._stop = names_apart, start, stop
        last = material.last if stop is None else stop
        self._sources = frozenset(one for one in material.reader.all if start <= one.place <= last)
        self._by_name: dict[str, frozenset[Source]] = {}

    def name(self, entity: str) -> str:
        """What an entity is called now.

        Raises:
            UnreadError: It was never accepted.
        """
        label = self._material.labels.get(entity, "")
        if not label:
            raise UnreadError(entity)
        return label

    def standings(self, where: Component) -> Iterable[tuple[int, Read]]:
        """What it takes to be accepted of a component, from which place on."""
        return self._steps(where)

    def _of(self, entity: str) -> frozenset[Source]:
        """The sources that count for an entity."""
        if not self._names_apart or not entity:
            return self._sources
        if entity not in self._by_name:
            label = self._material.labels.get(entity, "")
            names = self._shown_names(entity)
            self._by_name[entity] = frozenset(
                one
                for one in self._sources
                if (
                    names.get(one) == label
                    if one.kind is SourceKind.IMAGE
                    else self._material.name_at(entity, one.place) == label
                )
            )
        return self._by_name[entity]

    def _shown_names(self, entity: str) -> Mapping[Source, Maybe]:
        field = self.schema.name_field
        assert field is not None
        where = cell(entity, field.key)
        return {
            one.image: (one.shows or {})[where]
            for one in self._material.items
            if one.image is not None and where in (one.shows or {})
        }

    def _accepted(self, where: Component, place: int) -> Maybe:
        found = _at(self._steps(where), place)
        if found in (UNREAD, ABSENT) and self._names_apart and where.entity:
            # Nothing of this name: what there is under its other names has to do.
            found = _at(self._standings(where, self._sources - self._of(where.entity)), place)
        if found is UNREAD:
            raise UnreadError(str(where))
        return found

    def _steps(self, where: Component) -> Iterable[tuple[int, Read]]:
        steps = self._standings(where, self._of(where.entity))
        if (self._start or self._names_apart) and len(steps) > 1:
            # What was kept first is taken to have been so before, too.
            steps = [(-1, steps[1][1]), *steps[2:]]
        return steps

    def _standings(self, where: Component, sources: frozenset[Source]) -> list[tuple[int, Read]]:
        return list(self._material.reader.standings(where, sources, self._faults))

    def _shown(self, where: Component, place: int, context: str) -> Maybe:
        return self._material.reader.shown(where, place, context, self._sources)

    def _everywhere(self, where: Component) -> None:
        """It looks at all that it has."""


def _at(steps: Iterable[tuple[int, Read]], place: int) -> Read:
    found: Read = UNREAD
    for at, content in steps:
        if at > place:
            break
        found = content
    return found
