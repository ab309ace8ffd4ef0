"""Names: what entities and images are called in questions, and which names mean one thing only."""

from collections.abc import Iterator

from mnemoscope.core.harness.dialogue.speech import quoted
from mnemoscope.core.harness.questions.view import Truths
from mnemoscope.core.state.component import Layer, Part

__all__ = ["Names"]


class Names:
    """The names of a scenario's entities, through all of it."""

    def __init__(self, truths: Truths) -> None:
        self.scenario = truths.scenario
        self.label: dict[str, str] = {}
        """What each entity that was ever accepted is called now, or was last."""
        self._had: dict[str, dict[str, None]] = {}
        for moment in truths.moments:
            self._take(moment.accepted)
            self._take(moment.visual)
            for scope in moment.scopes.values():
                self._take(scope)
            for entity, name in self._names(moment.accepted):
                self.label[entity] = name
        self._owners: dict[str, set[str]] = {}
        for entity, names in self._had.items():
            for name in names:
                self._owners.setdefault(name.casefold(), set()).add(entity)

    def _names(self, layer: Layer) -> Iterator[tuple[str, str]]:
        field = self.scenario.truth.trajectory.schema.name_field
        for one, content in layer.items():
            if one.part is Part.CELL and field is not None and one.field == field.key:
                yield one.entity, str(content)

    def _take(self, layer: Layer) -> None:
        for entity, name in self._names(layer):
            self._had.setdefault(entity, {})[name] = None

    @property
    def entities(self) -> tuple[str, ...]:
        """Every entity that there ever was."""
        return tuple(self._had)

    def is_own(self, entity: str, name: str) -> bool:
        """Whether a name has only ever meant one entity."""
        return self._owners.get(name.casefold()) == {entity}

    def is_clear(self, entity: str) -> bool:
        """Whether what an entity is called means nothing else."""
        return entity in self.label and self.is_own(entity, self.label[entity])

    def former(self, entity: str) -> tuple[str, ...]:
        """Other names that it has had on images or by texts, and nothing else has."""
        return tuple(
            one
            for one in self._had[entity]
            if one != self.label.get(entity) and self.is_own(entity, one)
        )

    def also(self, name: str) -> tuple[str, ...]:
        """Other names of whatever has a name now."""
        owners = self._owners.get(name.casefold(), set())
        return (
            tuple(one for entity in owners for one in self.former(entity))
            if (len(owners) == 1)
            else ()
        )

    def revision(self, image: str) -> str:
        """An image as both can point at it: revision, heading, and where it is needed its context.

        That of another context is always named; the scenario's own where two images would be meant.
        """
        own = self.scenario.truth.trajectory.initial.context
        label, context = self._label(image), self.scenario.artifact_by_id[image].context
        alike = sum(self._label(one) == label for one in self.scenario.artifact_by_id)
        return label if context == own and alike == 1 else f"{label} for {quoted(context)}"

    def _label(self, image: str) -> str:
        picture = self.scenario.pictures[image]
        title = quoted(self.scenario.pack.artifact_by_key[picture.artifact].title)
        return f"revision {picture.edition.revision} of {title}"
