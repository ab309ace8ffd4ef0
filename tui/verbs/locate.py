"""``mnemoscope locate``: where everything lies that the app reads and writes by itself."""

import os
from pathlib import Path

import click

import mnemoscope
from mnemoscope.tui import console
from mnemoscope.tui.verbs import tables
from mnemoscope.tui.verbs.options import json_flag, reading
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect", "command"]


@click.command("locate")
@reading()
@json_flag
def command(as_json: bool, **_: object) -> None:
    """Print the paths of the configuration, the state folder, the sample and the package."""
    data = collect()
    if as_json:
        console.print_json(data)
    else:
        rows = [
            [name, "yes" if one["exists"] else "no", _described(one)]
            for name, one in data["paths"].items()
        ]
        console.print_lines(tables.table(["<what", "<is there", "<path"], rows))


def collect() -> Json:
    """The paths as JSON: each with whether it is there, and the variable that moved it."""
    from mnemoscope.core.answers.store import ANSWERS
    from mnemoscope.core.tags.store import TAGS, data_folder
    from mnemoscope.tui.column_choice import ColumnStore
    from mnemoscope.tui.config import CONFIG_VARIABLE, config_file, taxonomy_folder
    from mnemoscope.tui.pane_sizes import PaneSizes
    from mnemoscope.tui.recent import RecentStore, state_folder
    from mnemoscope.tui.sample import sample_folder
    from mnemoscope.tui.saved_filters import SavedFilters
    from mnemoscope.tui.verbs.embedding import VECTORS

    state = "MNEMOSCOPE_STATE_DIR"
    return {
        "paths": {
            "config": _path(config_file(), CONFIG_VARIABLE),
            "state": _path(state_folder(), state),
            "recent": _path(RecentStore().file, state),
            "filters": _path(SavedFilters().file, state),
            "columns": _path(ColumnStore().file, state),
            "taxonomies": _path(taxonomy_folder(), CONFIG_VARIABLE),
            "tags": _path(data_folder() / TAGS, "MNEMOSCOPE_DATA_DIR"),
            "answers": _path(data_folder() / ANSWERS, "MNEMOSCOPE_DATA_DIR"),
            "vectors": _path(state_folder() / VECTORS, state),
            "panes": _path(PaneSizes(remember=False).file, state),
            "sample": _path(sample_folder()),
            "package": _path(Path(mnemoscope.__path__[0])),
        }
    }


def _described(one: Json) -> str:
    variable = one["variable"]
    return f"{one['path']} (by {variable})" if variable else str(one["path"])


def _path(path: Path, variable: str = "") -> Json:
    moved = variable if variable and os.environ.get(variable) else None
    return {"path": str(path.absolute()), "exists": path.exists(), "variable": moved}
