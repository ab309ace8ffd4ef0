"""The key list of a screen: searchable, and enter runs what it stands on."""

from collections.abc import Sequence

from textual.screen import Screen

from mnemoscope.tui.actions import ACTIONS, SCREENS, Action
from mnemoscope.tui.keymap import EffectiveKeys
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["KeysScreen", "actions_on"]

_COLUMNS = (
    Column("key", 11),
    Column("does", 20, flex=1),
)


def actions_on(screen: Screen[object]) -> Sequence[Action]:
    """The actions that a person has on a screen: its own, the focused pane's, and the app's."""
    scopes = [getattr(screen, "SCOPE", "")]
    # Lists and pages move by the same keys: those of what has the focus are listed.
    focused = screen.focused
    scopes += ["page"] if isinstance(focused, Page) else ["list"]
    scopes += ["app"]
    return [action for scope in scopes for action in ACTIONS if action.scope == scope]


class KeysScreen(Chooser):
    """What the keys of a screen do."""

    def __init__(self, screen: Screen[object], keys: EffectiveKeys) -> None:
        self._actions = [one for one in actions_on(screen) if one.id != "app.help"]
        title = SCREENS.get(getattr(screen, "SCOPE", ""), "Keys")
        rows = [(keys.label(one), one.help) for one in self._actions]
        super().__init__(f"Keys · {title}", _COLUMNS, rows)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(VirtualList).styles.height = 18

    def action_at(self, index: int) -> Action:
        """The action in a row."""
        return self._actions[index]
