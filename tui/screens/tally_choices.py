"""What is counted in the tally, and where to it is written."""

from collections.abc import Callable, Mapping

from mnemoscope.analyses.tag_tally import AXES
from mnemoscope.tui.screens.base import PaneScreen
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.tag_files import TagFiles
from mnemoscope.tui.screens.tally_counts import Counted, labels
from mnemoscope.viewers.columns import Column

__all__ = ["TallyChoices"]

_MEANINGS = {
    "stage": "the stage that a tag belongs to",
    "tag": "the tag itself",
    "task": "the question's task",
    "setting": "the question's setting",
    "category": "the question's category, as the release says it",
    "history": "the history that it is about",
    "run": "the system whose answer was tagged",
    "annotator": "who set the tag",
}


class TallyChoices(TagFiles, PaneScreen):
    """A tally on which what is counted is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Counted | None = None
        self.taxonomy_name = ""
        self.down = "stage"
        self.across = "task"
        self.only: dict[str, str] = {}

    def on_mount(self) -> None:
        super().on_mount()
        tagging = self.desk_app.tagging
        if tagging is not None and not self.taxonomy_name:
            self.taxonomy_name = tagging.taxonomy.name
        if tagging is not None and tagging.blind:
            # What others say is hidden, also in sum.
            self.only.setdefault("annotator", tagging.annotator)

    def state(self) -> Mapping[str, str]:
        found = {"down": self.down, "across": self.across, "taxonomy": self.taxonomy_name}
        return found | {f"only {axis}": value for axis, value in self.only.items()}

    def set_state(self, state: Mapping[str, str]) -> None:
        self.down = state.get("down", "stage")
        self.across = state.get("across", "task")
        self.taxonomy_name = state.get("taxonomy", "")
        self.only = {axis: state[f"only {axis}"] for axis in AXES if f"only {axis}" in state}

    def action_rows(self) -> None:
        self._choose_axis("Rows", self.down, self._take_rows)

    def action_across(self) -> None:
        self._choose_axis("Columns", self.across, self._take_columns)

    def _take_rows(self, axis: str) -> None:
        if axis == self.across:
            self.across = self.down
        self.down = axis
        self.draw()

    def _take_columns(self, axis: str) -> None:
        if axis == self.down:
            self.down = self.across
        self.across = axis
        self.draw()

    def _choose_axis(self, title: str, now: str, take: Callable[[str], None]) -> None:
        rows = [(axis, _MEANINGS[axis]) for axis in AXES]

        def chosen(index: int | None) -> None:
            if index is not None:
                take(AXES[index])

        columns = (Column("axis", 12), Column("", 30, flex=1, dim=True))
        self.app.push_screen(Chooser(title, columns, rows, current=AXES.index(now)), chosen)

    def action_only(self) -> None:
        """Count a part: what is chosen already is taken away again."""
        found = self.found
        if found is None:
            return
        choices: list[tuple[str, str]] = [("", "")]
        rows = [("", "everything", f"{found.everything.height:,} tags")]
        for axis in ("run", "annotator", *(one for one in AXES if one not in ("run", "annotator"))):
            values = found.tally.values[axis]
            said = labels(found.tally.taxonomy, axis, values)
            for value, n in values.items():
                choices.append((axis, value))
                mark = "■ " if self.only.get(axis) == value else ""
                rows.append((axis, f"{mark}{said[value]}", f"{n:,}"))

        def chosen(index: int | None) -> None:
            if index is None:
                return
            axis, value = choices[index]
            if not axis:
                self.only = {}
            elif self.only.get(axis) == value:
                del self.only[axis]
            else:
                self.only[axis] = value
            self.draw()

        columns = (
            Column("of", 11, dim=True),
            Column("count only", 24, flex=1),
            Column("", 10, align="right"),
        )
        self.app.push_screen(Chooser("Count only", columns, rows), chosen)

    def action_taxonomy(self) -> None:
        tags = self.desk.workspace.tags
        if tags is None or self.found is None:
            return
        used = self.found.everything["taxonomy"].to_list()
        found = list(tags.catalogue)
        rows = [(one.name, one.title, f"{used.count(one.name):,}") for one in found]

        def chosen(index: int | None) -> None:
            if index is not None:
                self.taxonomy_name = found[index].name
                # What was narrowed to may not be there in another taxonomy.
                self.only = {a: v for a, v in self.only.items() if a not in ("stage", "tag")}
                self.draw()

        columns = (
            Column("name", 16),
            Column("title", 24, flex=1),
            Column("tags", 8, align="right"),
        )
        names = [one.name for one in found]
        current = names.index(self.taxonomy_name) if self.taxonomy_name in names else 0
        self.app.push_screen(Chooser("Taxonomy", columns, rows, current=current), chosen)

    def action_reread(self) -> None:
        """Take in what other annotators have written since."""
        tags = self.desk.workspace.tags
        if tags is not None:
            tags.reread()
            self.draw()

    def action_export(self) -> None:
        """Write every tag, or those that are counted, to a file."""
        found = self.found
        if found is None or not found.everything.height:
            self.notify("There is no tag to write.")
            return
        counted_, everything = found.tally.frame, found.everything
        rows = [
            ("what is counted", found.tally.taxonomy.title, f"{counted_.height:,}"),
            ("everything", "all taxonomies, all annotators", f"{everything.height:,}"),
        ]
        if self.desk_app.tagging is not None and self.desk_app.tagging.blind:
            # What others say stays hidden from whoever is to be blind.
            del rows[1:]

        def chosen(index: int | None) -> None:
            if index is not None:
                frame = everything if index else counted_
                self.ask_for_file(rows[index][0], lambda _: frame)

        columns = (
            Column("write", 18),
            Column("", 30, flex=1, dim=True),
            Column("rows", 9, align="right"),
        )
        self.app.push_screen(Chooser("Write tags to a file", columns, rows), chosen)
