"""The one registry of actions: bindings, footers, key list, palette and docs come from it.

An action belongs to a scope: ``app`` (everywhere), a kind of pane (``list``, ``page``), or a
screen. Its id is ``scope.name``; the screen, pane or app that carries it has a method
``action_<name>``. A test holds the two together.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mnemoscope.tui.action import Action, key_label
from mnemoscope.tui.actions_everywhere import EVERYWHERE
from mnemoscope.tui.actions_people import PEOPLE
from mnemoscope.tui.actions_questions import QUESTIONS
from mnemoscope.tui.actions_release import RELEASE

if TYPE_CHECKING:
    from textual.binding import Binding

__all__ = [
    "ACTIONS",
    "DIALOGS",
    "SCREENS",
    "Action",
    "action_by_id",
    "actions_of",
    "bindings_of",
    "key_label",
]


SCREENS = {
    "start": "Start",
    "overview": "Overview",
    "history": "History",
    "ledger": "Ledger",
    "questions": "Questions",
    "question": "Question",
    "compare": "Compare",
    "tag": "Tag",
    "answer": "Answer",
    "review": "Review",
    "matrix": "Matrix",
    "tally": "Tally",
    "tagged": "Tagged",
    "columns": "Columns",
    "rows": "Rows",
    "defects": "Defects",
    "joins": "Joins",
    "configuration": "Configuration",
    "raw": "Raw",
}
"""Scopes that are screens, with their titles."""

DIALOGS = {"zoom": "Large picture"}
"""Scopes that lie over a screen, whose keys are off meanwhile, with their titles."""

ACTIONS: tuple[Action, ...] = (*EVERYWHERE, *RELEASE, *QUESTIONS, *PEOPLE)
"""Every action there is."""

_BY_ID = {action.id: action for action in ACTIONS}


def actions_of(scope: str) -> Iterator[Action]:
    """The actions of a scope, in the registry's order."""
    return (action for action in ACTIONS if action.scope == scope)


def action_by_id(action_id: str) -> Action:
    """The action with an id.

    Raises:
        KeyError: There is none.
    """
    return _BY_ID[action_id]


def bindings_of(scope: str) -> "list[Binding]":
    """The bindings of a scope; every one can be remapped by its action's id."""
    # The configuration is checked against the registry, and that needs no Textual.
    from textual.binding import Binding

    return [
        Binding(
            ",".join(action.keys),
            action.method,
            action.label,
            show=False,
            id=action.id,
            priority=action.priority,
        )
        for action in actions_of(scope)
    ]
