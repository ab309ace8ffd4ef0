"""How the configurations of all open runs differ: every setting, and who has which value."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from mnemoscope.analyses.configuration import SettingSpread, ValueGroup, spread_configurations
from mnemoscope.core.text import clean, counted, one_line
from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import PaneScreen, screen_bindings
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import Palette, style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["ConfigurationScreen"]

_LONGEST = 4_000
_MANY = 4
"""Values beyond which a row says only how many there are."""


class _SettingRows:
    """Settings, each with its values and the letters of the runs that have them."""

    columns: Sequence[Column] = (
        Column(
            "setting",
            18,
            flex=2,
            middle=True,
            help="its name; parts of nested ones are joined by dots",
        ),
        Column(
            "values", 6, align="right", dim=True, help="how many different values the runs have"
        ),
        Column("who has which", 24, flex=5, help="letters of runs, and the value they have"),
    )

    def __init__(
        self, settings: Sequence[SettingSpread], runs: Sequence[JoinedRun], palette: Palette
    ) -> None:
        self.settings = settings
        self._runs = runs
        self._palette = palette

    @property
    def row_count(self) -> int:
        return len(self.settings)

    def cells(self, row: int) -> Sequence[Text | str]:
        one = self.settings[row]
        line = Text()
        for place, group in enumerate(one.groups[:_MANY]):
            line.append("  " if place else "")
            if one.differs:
                line.append(f"{self._letters(group)} ", style("focus", self._palette))
            value = one_line(group.text) if group.is_stated else "not stated"
            line.append(value, "" if group.is_stated else style("rest", self._palette))
        if len(one.groups) > _MANY:
            line.append(" …", style("dim", self._palette))
        return one.name, f"{len(one.groups)}", line

    def _letters(self, group: ValueGroup) -> str:
        """The letters of the runs, three and more in a row as ``A–C``."""
        places = [self._runs.index(run) for run in group.runs]
        stretches: list[list[int]] = []
        for place in places:
            if stretches and stretches[-1][-1] == place - 1:
                stretches[-1].append(place)
            else:
                stretches.append([place])
        parts = []
        for one in stretches:
            letters = [self._runs[place].letter for place in one]
            parts += [f"{letters[0]}–{letters[-1]}"] if len(letters) > 2 else letters
        return " ".join(parts)


class ConfigurationScreen(PaneScreen):
    """What the runs say about how they were made, setting by setting."""

    SCOPE: ClassVar[str] = "configuration"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "settings": PaneHelp(
            "What the runs say about how they were made, setting by setting, and which run says "
            "what: {configuration.differing} lists those that differ, {configuration.all} all.",
            cannot="What no run states. Settings may differ in name only: names are of the runs.",
        ),
        "values": PaneHelp("Each value of the setting in full, with the runs that have it."),
    }
    TWIN: ClassVar[str] = "mnemoscope matrix RELEASE RUN … --json"
    PANES: ClassVar[Mapping[str, str]] = {"settings": "settings", "values": "values"}
    STACKED: ClassVar[Mapping[str, Sequence[str]]] = {"settings": ("double",)}
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("configuration")
    CSS = """
    ConfigurationScreen #panes { layout: horizontal; }
    ConfigurationScreen #settings { width: 60%; }
    ConfigurationScreen #values { width: 1fr; }
    ConfigurationScreen.-double #panes { layout: vertical; }
    ConfigurationScreen.-double #settings { width: 1fr; height: 60%; }
    ConfigurationScreen.-double #values { width: 1fr; height: 1fr; }
    ConfigurationScreen.-single Splitter { display: none; }
    ConfigurationScreen.-single #settings { width: 1fr; }
    ConfigurationScreen.-single #values { width: 1fr; display: none; }
    ConfigurationScreen.-single.-at-values #values { display: block; }
    ConfigurationScreen.-single.-at-values #settings { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._set = "differing"

    def body(self) -> Iterator[Widget]:
        with Container(id="panes"):
            yield VirtualList(_SettingRows((), (), self.palette), id="settings")
            yield Splitter("settings", "values", id="after-settings")
            yield Page(id="values")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#settings").focus()

    def state(self) -> Mapping[str, str]:
        return {"set": self._set}

    def set_state(self, state: Mapping[str, str]) -> None:
        self._set = state.get("set", "differing")

    def draw(self) -> None:
        runs = self.desk.workspace.runs
        settings = spread_configurations(runs)
        differing = [one for one in settings if one.differs]
        shown = differing if self._set == "differing" else settings
        listed = self.query_one(VirtualList)
        listed.empty_text = self.sentence(_why_empty(len(runs), len(settings)))
        listed.set_source(_SettingRows(shown, runs, self.palette), keep=listed.cursor)
        title = styled("Configuration  ", style("heading", self.palette))
        counts = f"{len(differing):,} of {counted(len(settings), 'setting')} differ"
        title.append(counts, style("focus", self.palette))
        self.header(title, counted(len(runs), "run"))
        self._draw_values()
        self.show_panes()

    @property
    def _setting(self) -> SettingSpread | None:
        listed = self.query_one(VirtualList)
        source = listed.source
        if isinstance(source, _SettingRows) and 0 <= listed.cursor < source.row_count:
            return source.settings[listed.cursor]
        return None

    def _draw_values(self) -> None:
        one = self._setting
        self.query_one(Page).set_blocks(list(self._values(one)) if one is not None else [])

    def _values(self, one: SettingSpread) -> Iterator[Block]:
        palette = self.palette
        yield Paragraph(styled(one_line(one.name), style("heading", palette)))
        for group in one.groups:
            yield Paragraph(Text(""))
            text = clean(_in_full(group.value))[:_LONGEST] if group.is_stated else "not stated"
            look = style("text" if group.is_stated else "rest", palette)
            yield Paragraph(styled(text, look), target=("value", text, group.runs[0].letter))
            for run in group.runs:
                line = styled(f"{run.letter} ", style("focus", palette))
                line.append(one_line(run.name), style("dim", palette))
                yield Paragraph(line, indent=2, target=("value", text, group.runs[0].letter))

    def copies(self) -> Sequence[tuple[str, str]]:
        one = self._setting
        found = []
        if one is not None:
            said = "\n".join(
                f"{_in_full(group.value) if group.is_stated else 'not stated'}: "
                f"{', '.join(run.name for run in group.runs)}"
                for group in one.groups
            )
            found = [("setting", one.name), ("values", said)]
        return [*found, ("command", f"{twin_command('matrix', self.desk_app.request)} --json")]

    # Reacting

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        self._draw_values()

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.go_to_pane("values")

    def action_differing(self) -> None:
        self._set = "differing"
        self.draw()

    def action_all(self) -> None:
        self._set = "all"
        self.draw()


def _in_full(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _why_empty(runs: int, settings: int) -> str:
    if not runs:
        return "No runs are open. Open the release with runs beside it."
    if not settings:
        return "No run says anything about its configuration."
    if runs == 1:
        return "Only one run is open: {configuration.all} lists what it says."
    return "All runs say the same: {configuration.all} lists what they say."
