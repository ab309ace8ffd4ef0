"""From a layer to the exhibit of one of a pack's artifacts: shown values only."""

from collections.abc import Iterator, Sequence

from mnemoscope.core.harness.exhibit import Edition, Exhibit, Grid, Shown
from mnemoscope.core.harness.front import pareto_front
from mnemoscope.core.harness.pack import Artifact, ArtifactKind, Pack, Unrelated
from mnemoscope.core.harness.wording import heading_of, name_of, rule_text, text_of
from mnemoscope.core.state.component import (
    Component,
    Layer,
    Part,
    cell,
    cue,
    member,
    members,
    order,
    rule,
    sequence,
)

__all__ = ["exhibit_of", "unrelated_exhibit"]


def exhibit_of(
    pack: Pack, artifact: Artifact, layer: Layer, context: str, edition: Edition
) -> Exhibit:
    """What an artifact shows of a layer.

    Args:
        pack: The scenario.
        artifact: One of its artifacts.
        layer: What is shown; never the accepted state.
        context: The period, region or run that the artifact names.
        edition: Its revision.
    """
    find = _Exhibition(pack, artifact, layer, edition)
    match artifact.kind:
        case ArtifactKind.PLAN:
            grids = find.halls()
        case ArtifactKind.SCATTER:
            grids = [find.points()]
        case _:
            grids = [find.entities()]
    grids += find.summaries()
    return Exhibit(
        artifact.kind,
        artifact.title,
        context,
        edition.revision,
        edition.date,
        tuple(grids),
        tuple(find.notes()),
        tuple(find.groups()),
        frozenset(find.arranged()),
    )


def unrelated_exhibit(picture: Unrelated, edition: Edition) -> Exhibit:
    """What a picture shows that has nothing to do with the task."""
    rows = tuple(tuple(map(Shown, row)) for row in picture.rows)
    grid = Grid("", picture.headings, rows)
    return Exhibit(None, picture.title, "", edition.revision, edition.date, (grid,))


class _Exhibition:
    """Arranges one layer as one artifact."""

    def __init__(self, pack: Pack, artifact: Artifact, layer: Layer, edition: Edition) -> None:
        self.pack, self.artifact, self.layer = pack, artifact, layer
        self.schema = pack.state_schema
        self.changed = edition.changed if artifact.marks_changes else frozenset()
        assert self.schema.name_field is not None
        self.name = self.schema.name_field.key

    def columns(self) -> list[str]:
        """Its columns: the name, then fields as the layer orders them, then dependencies."""
        chosen = [self.name, *self.artifact.fields]
        if self.artifact.columns is None:
            if self.artifact.group is not None and self.artifact.group not in chosen:
                chosen.insert(1, self.artifact.group)
            return chosen
        ordered = [one for one in sequence(self.layer, self.artifact.columns) if one in chosen]
        return [*ordered, *(one for one in chosen if one not in ordered)]

    def groups(self) -> list[str]:
        """The groups in the order of its legend."""
        if self.artifact.group is None:
            return []
        if self.artifact.legend is not None:
            return list(sequence(self.layer, self.artifact.legend))
        return list(self.schema.field_by_key[self.artifact.group].choices)

    def cell(self, entity: str, key: str) -> Shown:
        """One cell of an entity."""
        field = key in self.schema.field_by_key
        where = cell(entity, key) if field else Component(Part.DEPENDENT, entity, key)
        content = self.layer.get(where)
        return Shown(
            text_of(self.schema, key, content),
            where,
            content,
            str(self.layer.get(cue(entity, key), "")),
            where in self.changed,
        )

    def headings(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Headings with units."""
        return tuple(heading_of(self.schema, one) for one in keys)

    def entities(self) -> Grid:
        """A row for each entity."""
        keys = self.columns()
        rows = tuple(tuple(self.cell(one, key) for key in keys) for one in members(self.layer))
        return Grid(self.pack.plural.capitalize(), self.headings(keys), rows)

    def points(self) -> Grid:
        """A numbered row for each point of a scatter plot, and whether it is on the front."""
        keys = self.columns()
        entities = members(self.layer)
        lower = [key in self.artifact.lower_is_better for key in self.artifact.fields]
        values = [
            [self.cell(entity, key).content for key in self.artifact.fields] for entity in entities
        ]
        front = pareto_front(values, lower)
        rows = tuple(
            (
                Shown(str(at)),
                *(self.cell(entity, key) for key in keys),
                Shown("front" if at - 1 in front else ""),
            )
            for at, entity in enumerate(entities, 1)
        )
        return Grid(self.pack.plural.capitalize(), ("No.", *self.headings(keys), "Pareto"), rows)

    def halls(self) -> list[Grid]:
        """A grid for each hall: its stands in their bays, in the order of the entities."""
        group = self.artifact.group
        assert group is not None
        keys = [self.name, *self.artifact.fields]
        found = []
        for hall in self.groups():
            inside = [one for one in members(self.layer) if self.cell(one, group).content == hall]
            letter = _letter(hall)
            rows = tuple(
                (Shown(f"{letter}{at:02}"), *(self.cell(entity, key) for key in keys))
                for at, entity in enumerate(inside, 1)
            )
            found.append(Grid(hall, ("Bay", *self.headings(keys)), rows))
        return found

    def summaries(self) -> list[Grid]:
        """Quantities of the whole, and one row for each group."""
        wanted = [self.schema.dependency_by_key[key] for key in self.artifact.summary]
        whole = [
            one.key
            for one in wanted
            if not one.by and Component(Part.DEPENDENT, "", one.key) in self.layer
        ]
        single = [one for one in whole if not isinstance(self._whole(one).content, tuple)]
        found = []
        if single:
            figures = tuple(self._whole(key) for key in single)
            found.append(Grid("Totals", self.headings(single), (figures,)))
        grouped = [one.key for one in wanted if one.by]
        if grouped and self.artifact.group is not None:
            title = self.schema.heading(self.artifact.group)
            rows = tuple(
                (Shown(group), *(self._of_group(group, key) for key in grouped))
                for group in self.groups()
            )
            found.append(Grid(f"By {title.lower()}", (title, *self.headings(grouped)), rows))
        for key in (one for one in whole if one not in single):
            queue = tuple(
                (Shown(str(at)), self._in_queue(key, entity))
                for at, entity in enumerate(self._queue(key), 1)
            )
            heading = heading_of(self.schema, self.name)
            found.append(Grid(self.schema.heading(key), ("No.", heading), queue))
        return found

    def _whole(self, key: str) -> Shown:
        return self._of_group("", key)

    def _of_group(self, group: str, key: str) -> Shown:
        where = Component(Part.DEPENDENT, group, key)
        content = self.layer.get(where)
        return Shown(text_of(self.schema, key, content), where, content)

    def _queue(self, key: str) -> list[str]:
        content = self.layer.get(Component(Part.DEPENDENT, "", key))
        return [str(one) for one in content] if isinstance(content, tuple) else []

    def _in_queue(self, key: str, entity: str) -> Shown:
        where = Component(Part.DEPENDENT, "", key)
        return Shown(name_of(self.schema, self.layer, entity), where, self.layer.get(where))

    def notes(self) -> Iterator[Shown]:
        """Its rules in words."""
        for key in self.artifact.rules:
            if rule(key) in self.layer:
                content = self.layer[rule(key)]
                yield Shown(rule_text(self.schema, key, content), rule(key), content)

    def arranged(self) -> Iterator[Component]:
        """The members, orderings and styling that it shows by what stands where, and how.

        On a plan the order of two entities is seen only when they are in the same hall, so that a
        plan does not count as showing the order of all. It does show in which hall each is.
        """
        entities = members(self.layer)
        yield from map(member, entities)
        if self.artifact.kind is not ArtifactKind.PLAN:
            yield order()
        elif self.artifact.group is not None:
            yield from (cell(one, self.artifact.group) for one in entities)
        for key in (self.artifact.columns, self.artifact.legend):
            if key is not None:
                yield order(key)
        for entity in entities:
            for field in (self.name, *self.artifact.fields):
                if cue(entity, field) in self.layer:
                    yield cue(entity, field)


def _letter(hall: str) -> str:
    """The letter of a hall's bays: of the last word of its name."""
    return hall.split()[-1][:1].upper()
