"""What a tracker takes to be accepted after each round, as the cells of a memory."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from mnemoscope.core.harness.questions.reading import UNREAD, Read
from mnemoscope.core.harness.trackers.material import Material
from mnemoscope.core.harness.trackers.view import TrackerView
from mnemoscope.core.memory.building import Step
from mnemoscope.core.memory.cells import cell_attributes
from mnemoscope.core.memory.items import Delta, ItemKind, MemoryItem
from mnemoscope.core.model import History
from mnemoscope.core.state.component import Component, cell, member
from mnemoscope.core.state.wording import content_text

__all__ = ["tracker_steps"]


def tracker_steps(view: TrackerView, material: Material, history: History) -> Iterator[Step]:
    """What each round does to the cells that a tracker holds.

    Args:
        view: What the tracker sees.
        material: The history's sources.
        history: The history.
    """
    held = _Held(view, material)
    places = {round_id: place for place, round_id in enumerate(material.rounds)}
    before: Mapping[str, MemoryItem] = {}
    for one in history.rounds:
        place = places.get(one.id)
        now = before if place is None else dict(held.at(place))
        added = tuple(item for key, item in now.items() if key not in before)
        changed = tuple(
            item
            for key, item in now.items()
            if key in before and item.attributes != before[key].attributes
        )
        removed = tuple(key for key in before if key not in now)
        yield Step(one.index, one.id, Delta(added, changed, removed))
        before = now


class _Held:
    """The cells that a tracker holds, by place."""

    def __init__(self, view: TrackerView, material: Material) -> None:
        self._schema = material.truth.trajectory.schema
        self._material = material
        field = self._schema.name_field
        self._name = field.key if field is not None else ""
        self._fields = [one.key for one in self._schema.fields if one.key != self._name]
        self._steps: dict[Component, list[tuple[int, Read]]] = {}
        for entity in material.names:
            cells = (cell(entity, key) for key in (self._name, *self._fields))
            for where in (member(entity), *cells):
                self._steps[where] = list(view.standings(where))

    def at(self, place: int) -> Iterator[tuple[str, MemoryItem]]:
        """The items after a place, by id."""
        for entity in self._material.names:
            if self._now(member(entity), place)[1] is not True:
                continue
            _, said = self._now(cell(entity, self._name), place)
            name = said if isinstance(said, str) else self._material.name_at(entity, place + 1)
            for key in self._fields:
                since, content = self._now(cell(entity, key), place)
                if content is None or isinstance(content, bool | int | float | str):
                    heading = self._schema.heading(key)
                    source = self._material.rounds[max(since, 0)]
                    id = f"tracker:cell:{entity}.{key}"
                    text = f"{name} {heading}: {content_text(content, {})}"
                    attributes = cell_attributes(name, heading, content)
                    kind = ItemKind.CELL
                    yield id, MemoryItem(id, kind, text, (source,), attributes=attributes)

    def _now(self, where: Component, place: int) -> tuple[int, Read]:
        """What holds after a place, and since which; what is not there is no content."""
        steps = self._steps[where]
        at = bisect_right(steps, place, key=lambda step: step[0])
        return steps[at - 1] if at else (0, UNREAD)
