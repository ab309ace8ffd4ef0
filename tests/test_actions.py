"""The action registry, the screens, the panes and the docs say the same."""

import inspect
from collections import Counter
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from mnemoscope.tui.actions import ACTIONS, SCREENS, Action, actions_of, key_label
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.keys_page import keys_page
from mnemoscope.tui.screens.answer import AnswerScreen
from mnemoscope.tui.screens.base import PaneScreen, WorkScreen
from mnemoscope.tui.screens.columns import ColumnsScreen
from mnemoscope.tui.screens.compare import CompareScreen
from mnemoscope.tui.screens.configuration import ConfigurationScreen
from mnemoscope.tui.screens.defects import DefectsScreen
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.joins import JoinsScreen
from mnemoscope.tui.screens.ledger import LedgerScreen
from mnemoscope.tui.screens.matrix import MatrixScreen
from mnemoscope.tui.screens.overview import OverviewScreen
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.tui.screens.raw import RawScreen
from mnemoscope.tui.screens.review import ReviewScreen
from mnemoscope.tui.screens.rows import RowsScreen
from mnemoscope.tui.screens.start import StartScreen
from mnemoscope.tui.screens.tag import TagScreen
from mnemoscope.tui.screens.tagged import TaggedScreen
from mnemoscope.tui.screens.tally import TallyScreen
from mnemoscope.tui.screens.zoom import ZoomScreen
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.virtual_list import VirtualList

ROOT = Path(__file__).parents[1]
OWNERS: dict[str, type[DOMNode]] = {
    "app": MnemoscopeApp,
    "list": VirtualList,
    "page": Page,
    "start": StartScreen,
    "overview": OverviewScreen,
    "history": HistoryScreen,
    "ledger": LedgerScreen,
    "questions": QuestionsScreen,
    "question": QuestionScreen,
    "compare": CompareScreen,
    "matrix": MatrixScreen,
    "tag": TagScreen,
    "answer": AnswerScreen,
    "review": ReviewScreen,
    "tally": TallyScreen,
    "tagged": TaggedScreen,
    "columns": ColumnsScreen,
    "rows": RowsScreen,
    "defects": DefectsScreen,
    "joins": JoinsScreen,
    "configuration": ConfigurationScreen,
    "raw": RawScreen,
    "zoom": ZoomScreen,
}


def own_actions(owner: type[DOMNode]) -> set[str]:
    """Names of the actions that our own classes define."""
    kinds = [kind for kind in inspect.getmro(owner) if kind.__module__.startswith("mnemoscope.")]
    return {
        name.removeprefix("action_")
        for kind in kinds
        for name in vars(kind)
        if name.startswith("action_")
    }


def test_action_ids_are_unique_and_name_a_known_scope() -> None:
    assert not [name for name, count in Counter(a.id for a in ACTIONS).items() if count > 1]
    assert {action.scope for action in ACTIONS} <= OWNERS.keys()
    assert SCREENS.keys() <= OWNERS.keys()


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_action_has_a_method_where_it_belongs(action: Action) -> None:
    assert callable(getattr(OWNERS[action.scope], f"action_{action.method}", None))


@pytest.mark.parametrize("scope", OWNERS)
def test_every_action_method_of_ours_is_in_the_registry(scope: str) -> None:
    registered = {action.method for action in actions_of(scope)}
    assert own_actions(OWNERS[scope]) <= registered | own_actions(PaneScreen)
    if issubclass(OWNERS[scope], PaneScreen):
        assert own_actions(PaneScreen) <= registered


@pytest.mark.parametrize("scope", ["list", "page"])
def test_panes_are_bound_to_the_keys_that_the_registry_says(scope: str) -> None:
    bound = {
        binding.id: (binding.key, binding.action)
        for binding in OWNERS[scope].BINDINGS
        if isinstance(binding, Binding)
    }
    said = {a.id: (",".join(a.keys), a.method) for a in actions_of(scope)}
    assert bound == said


@pytest.mark.parametrize("scope", SCREENS)
def test_no_key_means_two_things_on_a_screen(scope: str) -> None:
    keys = Counter(key for action in actions_of(scope) for key in action.keys)
    everywhere = {key for of in ("app", "list", "page") for a in actions_of(of) for key in a.keys}
    assert not [key for key, count in keys.items() if count > 1]
    assert not keys.keys() & everywhere


def test_every_screen_with_a_scope_takes_its_bindings_from_the_registry() -> None:
    for scope in SCREENS:
        owner = OWNERS[scope]
        assert issubclass(owner, WorkScreen)
        assert scope == owner.SCOPE
        bound = {binding.id for binding in owner.BINDINGS if isinstance(binding, Binding)}
        assert bound == {action.id for action in actions_of(scope)}


def test_help_is_one_sentence_and_labels_are_short() -> None:
    for action in ACTIONS:
        assert action.help.endswith("."), action.id
        assert len(action.help) <= 70, action.id
        assert len(action.label) <= 18, action.id
        assert key_label(action.keys)


def test_the_keys_page_in_the_docs_is_the_registry() -> None:
    written = (ROOT / "docs" / "keys.md").read_text(encoding="utf-8")
    assert written == keys_page(), "run `make docs`"
