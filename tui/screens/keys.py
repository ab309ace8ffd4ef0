"""The key list of a screen: searchable, and enter runs what it stands on."""

from collections.abc import Sequence

from textual.screen import Screen

from mnemoscope.tui.actions import ACTIONS, SCREENS, Action, key_label
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["KeysScreen", "actions_on"]

_COLUMNS = (
    Column("key", 12),
    Column("does", 56, flex=1),
)


def actions_on(screen: Screen[object]) -> Sequence[Action]:
    """The actions that a person has on a screen: its own, its panes', and the app's."""
    scopes = [getattr(screen, "SCOPE", "")]
    scopes += ["list"] if screen.query(VirtualList) else []
    scopes += ["page"] if screen.query(Page) else []
    scopes += ["app"]
    return [action for scope in scopes for action in ACTIONS if action.scope == scope]


class KeysScreen(Chooser):
    """What the keys of a screen do."""

    def __init__(self, screen: Screen[object]) -> None:
        self._actions = [one for one in actions_on(screen) if one.id != "app.help"]
        title = SCREENS.get(getattr(screen, "SCOPE", ""), "Keys")
        rows = [(key_label(one.keys), one.help) for one in self._actions]
        super().__init__(f"Keys · {title}", _COLUMNS, rows)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(VirtualList).styles.height = 18

    def action_at(self, index: int) -> Action:
        """The action in a row."""
        return self._actions[index]
