"""Filters that have a key of their own, and the line that shows how many questions each selects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from rich.text import Text
from textual.app import RenderResult
from textual.events import Click
from textual.widget import Widget

from mnemoscope.core.filters import parse
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.actions import ACTIONS, Action
from mnemoscope.viewers.columns import cut
from mnemoscope.viewers.styles import Palette, style

if TYPE_CHECKING:
    from mnemoscope.tui.app import MnemoscopeApp

__all__ = ["PRESETS", "Preset", "PresetBar", "count_presets"]


@dataclass(frozen=True, slots=True)
class Preset:
    """A filter with a key."""

    name: str
    """The name of its action on the questions screen."""
    filter: str
    runs: int
    """How many runs it is about."""


PRESETS = (
    Preset("all", "", 0),
    # What failed has no answer that could be wrong; it stands with the errors.
    Preset("failures", "sys:A.wrong !sys:A.unparsed|error", 1),
    Preset("only_b", "sys:A.wrong sys:B.right", 2),
    Preset("only_a", "sys:A.right sys:B.wrong", 2),
    Preset("neither", "sys:A.wrong sys:B.wrong", 2),
    Preset("errors", "sys:A.unparsed|error", 1),
    Preset("untagged", "tag:none", 0),
    Preset("flagged", "tag:flagged", 0),
)
"""In the order of their keys."""


def count_presets(workspace: Workspace) -> Mapping[str, int]:
    """How many questions each preset selects, of those that there are enough runs for.

    Those about tags are counted once the tags have been read.
    """
    counts = {}
    for one in PRESETS:
        chosen = parse(one.filter)
        if one.runs <= len(workspace.runs) and (workspace.tags or not chosen.about_tags):
            counts[one.name] = len(chosen.select(workspace))
    return counts


class PresetBar(Widget):
    """The presets with their keys and counts, the one that is set bright; each can be clicked."""

    DEFAULT_CSS = "PresetBar { height: 1; background: $background; color: $dim; }"

    def __init__(self) -> None:
        super().__init__()
        self._counts: Mapping[str, int] = {}
        self._current = ""
        self._spans: list[tuple[int, int, Action]] = []

    def show(self, counts: Mapping[str, int], filter_text: str) -> None:
        """Show other counts, and which preset the filter is."""
        self._counts = counts
        same = [one.name for one in PRESETS if one.filter == filter_text.strip()]
        self._current = same[0] if same else ""
        self.refresh()

    def render(self) -> RenderResult:
        palette = Palette.from_variables(self.app.theme_variables)
        keys = cast("MnemoscopeApp", self.app).effective_keys
        line = Text("  ", no_wrap=True, end="")
        self._spans = []
        for action in _actions(list(self._counts)):
            start = line.cell_len
            look = style("focus" if action.name == self._current else "dim", palette)
            line.append(f"{keys.label(action, first=True)} {action.label} ", look)
            line.append(f"{self._counts[action.name]:,}", look)
            self._spans.append((start, line.cell_len, action))
            line.append("   " if self.size.width >= 90 else "  ")
        return cut(line, max(0, self.size.width - 1))

    async def on_click(self, event: Click) -> None:
        """Set the preset that was clicked."""
        for start, end, action in self._spans:
            if start <= event.x < end:
                await cast("MnemoscopeApp", self.app).run_registered(action)


def _actions(names: Sequence[str]) -> list[Action]:
    by_id = {action.id: action for action in ACTIONS}
    return [by_id[f"questions.{name}"] for name in names]
