"""Orders of a question list: the release's, or by what a column holds."""

from collections.abc import Sequence

from mnemoscope.core.question_columns import question_columns
from mnemoscope.core.workspace import Workspace

__all__ = ["RELEASE_ORDER", "orders", "sort_questions"]

RELEASE_ORDER = "release order"


def orders(workspace: Workspace) -> list[str]:
    """The names of all orders there are for what is open: the release's and every column's."""
    return [RELEASE_ORDER, *(column.name for column in question_columns(workspace))]


def sort_questions(
    workspace: Workspace, keys: Sequence[str], order: str, *, descending: bool = False
) -> list[str]:
    """Sort question keys; equal ones stay in release order.

    Args:
        workspace: What is open.
        keys: Keys in release order.
        order: A name that ``orders`` gives; an unknown one is the release's order.
        descending: Whether the greatest comes first. What has no value comes last either way.
    """
    columns = question_columns(workspace) if order else ()
    column = next((one for one in columns if one.name == order), None)
    if column is None:
        return list(reversed(keys)) if descending else list(keys)
    questions = workspace.release.questions
    valued = [(key, column.value(questions[key])) for key in keys]
    with_value = [one for one in valued if one[1] is not None]
    with_value.sort(key=lambda one: one[1], reverse=descending)
    return [key for key, _ in with_value] + [key for key, value in valued if value is None]
