"""Choosing which run is A or B."""

from collections.abc import Callable

from mnemoscope.tui.desk import Desk
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.viewers.columns import Column

__all__ = ["choose_run"]

_COLUMNS = (
    Column("", 3),
    Column("run", 18, flex=3, middle=True),
    Column("backbone", 10, flex=1, dim=True, middle=True, priority=1),
    Column("captions", 12, flex=1, dim=True, priority=2),
    Column("records", 8, align="right", dim=True),
)


def choose_run(
    desk: Desk, place: int, changed: Callable[[], None]
) -> tuple[Chooser, Callable[[int | None], None]]:
    """A dialog that makes a run A (place 0) or B (place 1), and what to do with its answer."""
    runs = desk.workspace.runs
    rows = [
        (
            run.letter,
            run.name,
            run.run.backbone or "–",
            str(run.run.textualisation or "–"),
            f"{len(run.entries):,}",
        )
        for run in runs
    ]

    def chosen(index: int | None) -> None:
        if index is not None and index != place:
            desk.make(place, runs[index])
            changed()

    return Chooser(f"Which run is {'AB'[place]}?", _COLUMNS, rows, current=place), chosen
