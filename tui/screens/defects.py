"""Every defect of what is open, with the full text of the one under the cursor."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.widget import Widget

from mnemoscope.core.defects import Defect, Severity
from mnemoscope.core.raw import RawPart, raw_part
from mnemoscope.core.text import one_line
from mnemoscope.tui.pane_help import DETAIL, PaneHelp
from mnemoscope.tui.screens.base import DeskScreen, screen_bindings
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.styles import Palette, style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["DefectsScreen"]

_LOOKS = {Severity.ERROR: "error", Severity.WARNING: "wrong", Severity.REPAIRED: "right"}


class _DefectRows:
    """Defects, worst first."""

    columns: Sequence[Column] = (
        Column(
            "severity", 9, help="error: cannot be used; warning: odd; repaired: read differently"
        ),
        Column("what", 18, flex=1, help="what kind of defect it is"),
        Column(
            "file", 16, flex=2, middle=True, priority=2, help="the file, from the release or run"
        ),
        Column("path", 20, flex=3, middle=True, help="its place in the file, as a JSON path"),
        Column("found", 20, flex=3, priority=1, help="what stands there"),
        Column("expected", 14, flex=2, priority=3, help="what should stand there"),
        Column("read as", 8, flex=1, priority=4, help="what was read instead"),
    )

    def __init__(self, defects: Sequence[Defect], palette: Palette) -> None:
        order = list(Severity)
        self.defects = sorted(defects, key=lambda defect: order.index(defect.severity))
        self._palette = palette

    @property
    def row_count(self) -> int:
        return len(self.defects)

    def cells(self, row: int) -> Sequence[Text | str]:
        one = self.defects[row]
        return (
            styled(one.severity.value, style(_LOOKS[one.severity], self._palette)),
            one.code.replace("_", " "),
            one.file,
            one.path,
            one.found,
            one.expected,
            one.repair,
        )


class DefectsScreen(DeskScreen):
    """What of the release and the runs is odd, and how it was read."""

    SCOPE: ClassVar[str] = "defects"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "defects": PaneHelp(
            "Everything about the release and the runs that is odd, worst first. Opening one shows "
            "the JSON that it is about.",
            figures={"n of m": "defects of the kind that is listed, of all"},
            cannot="Whether a gold answer is right. Defects of files that could not be read at all "
            "name the file alone.",
        ),
        "detail": DETAIL,
    }
    TWIN: ClassVar[str] = "mnemoscope validate RELEASE RUN …"
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("defects")
    CSS = """
    DefectsScreen > #detail { height: auto; max-height: 45%; border-top: solid $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._severity = ""
        self._code = ""

    def body(self) -> Iterator[Widget]:
        yield VirtualList(_DefectRows((), self.palette), id="defects")
        yield Page(id="detail")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(VirtualList).focus()

    def state(self) -> Mapping[str, str]:
        return {"severity": self._severity, "code": self._code}

    def set_state(self, state: Mapping[str, str]) -> None:
        self._severity, self._code = state.get("severity", ""), state.get("code", "")

    def draw(self) -> None:
        everything = self.desk.workspace.defects
        chosen = [
            one
            for one in everything
            if self._severity in ("", one.severity) and self._code in ("", one.code)
        ]
        listed = self.query_one(VirtualList)
        listed.empty_text = self.sentence(_NONE_HERE if everything else _NONE)
        listed.set_source(_DefectRows(chosen, self.palette), keep=listed.cursor)
        self.query_one(Page).display = bool(chosen)
        title = styled("Defects  ", style("heading", self.palette))
        title.append(f"{len(chosen):,} of {len(everything):,}", style("focus", self.palette))
        shown = " · ".join(filter(None, (self._severity, self._code.replace("_", " "))))
        self.header(title, shown)

    @property
    def _defect(self) -> Defect | None:
        listed = self.query_one(VirtualList)
        source = listed.source
        if isinstance(source, _DefectRows) and 0 <= listed.cursor < source.row_count:
            return source.defects[listed.cursor]
        return None

    def copies(self) -> Sequence[tuple[str, str]]:
        found = [("defect", self._defect.line())] if self._defect else []
        return [*found, ("command", twin_command("validate", self.desk_app.request))]

    def raw(self) -> RawPart | None:
        """The file that the defect is in, at its place; of the release, or of a run that has it."""
        one, workspace = self._defect, self.desk.workspace
        if one is None:
            return None
        roots = [run.run.root for run in workspace.runs if one in run.run.defects]
        root = roots[0] if roots else workspace.release.root
        inside = (root / one.file).resolve().is_relative_to(root.resolve())
        return raw_part(root, one.file, one.path) if inside and one.file else None

    # Reacting

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        source = message.virtual_list.source
        if not isinstance(source, _DefectRows):
            return
        dim = style("dim", self.palette)
        cells = source.cells(message.row)
        blocks = [
            Paragraph(styled(f"{column.title}  ", dim).append(one_line(str(cell))))
            for column, cell in zip(source.columns, cells, strict=True)
            if str(cell)
        ]
        self.query_one(Page).set_blocks(blocks)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.desk_app.action_raw()

    def _choose(self, severity: str) -> None:
        self._severity, self._code = severity, ""
        self.draw()

    def action_all(self) -> None:
        self._choose("")

    def action_errors(self) -> None:
        self._choose(Severity.ERROR)

    def action_warnings(self) -> None:
        self._choose(Severity.WARNING)

    def action_repaired(self) -> None:
        self._choose(Severity.REPAIRED)


_NONE = "No defects: everything could be read as it stands."
_NONE_HERE = "No defects of this kind: {defects.all} lists all that there are."
