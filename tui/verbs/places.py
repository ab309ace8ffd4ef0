"""Histories and rounds that a verb's arguments name."""

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import History, Release, Round

__all__ = ["history_of", "round_of"]

_NAMED = 5


def history_of(release: Release, history_id: str) -> History:
    """The history with an id.

    Raises:
        UsageError: There is none.
    """
    history = release.histories.get(history_id)
    if history is None:
        known = ", ".join(list(release.histories)[:_NAMED])
        more = " …" if len(release.histories) > _NAMED else ""
        raise UsageError(f"no history {history_id!r}; the release has {known}{more}")
    return history


def round_of(history: History, round_id: str) -> Round:
    """The round with an id, or the last one where none is named.

    Raises:
        UsageError: There is none.
    """
    if not history.rounds:
        raise UsageError(f"history {history.id!r} has no rounds")
    found = history.round_by_id.get(round_id) if round_id else history.rounds[-1]
    if found is None:
        raise UsageError(
            f"no round {round_id!r} in history {history.id!r}; "
            f"they go from {history.rounds[0].id} to {history.rounds[-1].id}"
        )
    return found
