"""A long text as a history: one session, and as rounds the pieces that the text is cut into."""

from collections.abc import Iterator, Mapping

from mnemoscope.core.model import History, Message, Role, Round, Session
from mnemoscope.core.reading import Node

__all__ = ["pieces", "read_history"]

_SESSION = "document"
_MOST = 4_000
"""Characters of a piece at most."""
_ENDS = ("\n\n", "\n", ". ", "。", " ")
"""Where a text may be cut, the best place first."""
_NO_TEXTS: Mapping[str, str] = {}


def pieces(text: str) -> Iterator[str]:
    """Cut a text at ends of paragraphs, lines or sentences; joined, the pieces are the text."""
    start = 0
    while len(text) - start > _MOST:
        end = start + _MOST
        # Not in the first half, or a title of a few words would be a piece of its own.
        middle = start + _MOST // 2
        found = ((text.rfind(mark, middle, end), mark) for mark in _ENDS)
        end = next((at + len(mark) for at, mark in found if at >= 0), end)
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


def read_history(row: Node, history_id: str, name: str, file: str) -> History:
    """Read the text of a row. Nobody says it, so that no role is the user's."""
    text = row.required_text("context") or ""
    place = row.at("context")
    rounds = tuple(
        [
            Round(
                f"{_SESSION}:{index + 1}",
                _SESSION,
                index,
                (Message(_SESSION, Role.OTHER, piece, (), _NO_TEXTS),),
                place,
            )
            for index, piece in enumerate(pieces(text))
        ]
    )
    sessions = (Session(_SESSION, None, "", rounds, place),) if rounds else ()
    return History(history_id, name or history_id, sessions, file, row.place)
