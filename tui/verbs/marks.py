"""Signs for what became of a question, the same as the app draws."""

from mnemoscope.core.model import RecordStatus, Value
from mnemoscope.core.workspace import Entry

__all__ = ["LEGEND", "outcome", "sign"]

_FAILED = frozenset(RecordStatus) - {RecordStatus.OK, RecordStatus.UNPARSED}
_SIGNS = {
    "right": "✓",
    "wrong": "✗",
    "failed": "!",
    "unparsed": "~",
    "not_judged": "?",
    "no_record": "–",
}

LEGEND = "  ".join(f"{sign} {name.replace('_', ' ')}" for name, sign in _SIGNS.items())
"""What the signs mean, on one line."""


def outcome(entry: Entry | None) -> str:
    """What became of a question, in a word; a failed record is never just wrong."""
    if entry is None:
        return "no_record"
    judgement = entry.judgement
    if judgement.status in _FAILED:
        return "failed"
    if judgement.status is RecordStatus.UNPARSED:
        return "unparsed"
    if not judgement.judged:
        return "not_judged"
    return "right" if judgement.value is Value.RIGHT else "wrong"


def sign(name: str) -> str:
    """The sign of an outcome."""
    return _SIGNS[name]
