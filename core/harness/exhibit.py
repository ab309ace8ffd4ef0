"""Exhibits: what one artifact shows, piece by piece, before it is drawn or told in words."""

from collections.abc import Iterator
from dataclasses import replace

from mnemoscope.core.harness.pack import ArtifactKind
from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import Component, Maybe

__all__ = ["Edition", "Exhibit", "Grid", "Shown"]


@value
class Edition:
    """Which revision of an artifact it is."""

    revision: int
    date: str
    """As the artifact states it, such as 2026-04-12."""
    changed: frozenset[Component] = frozenset()
    """What differs from the artifact before, for those that mark it."""


@value
class Shown:
    """One cell, label or point, as it stands on the artifact."""

    text: str
    where: Component | None = None
    """The component that it displays; None for what is only arranged, such as a number of a bay."""
    content: Maybe = None
    """What the component holds."""
    cue: str = ""
    """Its whole-cell styling."""
    changed: bool = False
    """Whether it is marked as changed."""


@value
class Grid:
    """Cells in rows and columns: a table, the points of a plot, the stands of a hall."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Shown, ...], ...]


@value
class Exhibit:
    """Everything that an artifact shows."""

    kind: ArtifactKind | None
    """None for a picture that has nothing to do with the task."""
    title: str
    context: str
    revision: int
    date: str
    grids: tuple[Grid, ...]
    """The entities first, then summaries."""
    notes: tuple[Shown, ...] = ()
    """Rules, under it."""
    groups: tuple[str, ...] = ()
    """The groups in the order in which it shows them."""
    arranged: frozenset[Component] = frozenset()
    """What is seen from where cells stand and how they look: members, orderings, styling."""

    @property
    def cells(self) -> Iterator[Shown]:
        """Every cell of every grid."""
        for grid in self.grids:
            for row in grid.rows:
                yield from row

    @property
    def displayed(self) -> frozenset[Component]:
        """The components whose content it shows."""
        told = (one.where for one in (*self.cells, *self.notes) if one.where is not None)
        return self.arranged.union(told)

    @property
    def as_seen(self) -> "Exhibit":
        """What can be seen of it: the same without the components behind."""
        grids = tuple(
            replace(
                grid,
                rows=tuple(tuple(map(_as_seen, row)) for row in grid.rows),
            )
            for grid in self.grids
        )
        notes = tuple(map(_as_seen, self.notes))
        return replace(self, grids=grids, notes=notes, arranged=frozenset())


def _as_seen(one: Shown) -> Shown:
    return replace(one, where=None, content=None)
