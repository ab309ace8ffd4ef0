"""How what a run made of a question is shown: glyph, word, colour."""

from collections.abc import Mapping

from rich.text import Text

from mnemoscope.core.model import RecordStatus, Value
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import Entry
from mnemoscope.viewers.styles import MARKS, Mark, Palette

__all__ = ["counts_text", "outcome_label", "outcome_mark"]

_OF_STATUS = {
    RecordStatus.ERROR: "error",
    RecordStatus.TIMEOUT: "timeout",
    RecordStatus.REFUSED: "refused",
    RecordStatus.BUDGET: "budget",
    RecordStatus.NOT_RUN: "not_run",
    RecordStatus.UNPARSED: "unparsed",
}
_OF_OUTCOME = {
    "right": "right",
    "wrong": "wrong",
    "unparsed": "unparsed",
    "failed": "error",
    "not_judged": "unjudged",
    "no_record": "none",
}
_OF_VALUE = {Value.RIGHT: "right", Value.WRONG: "wrong"}


def outcome_mark(entry: Entry | None) -> Mark:
    """The mark of what became of a question; a failed record is never just wrong."""
    if entry is None:
        return MARKS["none"]
    name = _OF_STATUS.get(entry.judgement.status) or _OF_VALUE.get(entry.judgement.value)
    return MARKS[name or "unjudged"]


def outcome_label(entry: Entry | None, palette: Palette, *, answer: bool = False) -> Text:
    """The mark with its word, or with the option that was answered.

    Args:
        entry: What the run has of the question; None for nothing.
        palette: The colours.
        answer: Whether the answered option stands in for the word, where there is one.
    """
    mark = outcome_mark(entry)
    if entry is None:
        return mark.label(palette, word="no record")
    word = entry.judgement.parsed if answer and entry.judgement.parsed else None
    if word is None and mark is MARKS["unjudged"]:
        word = entry.judgement.value.replace("_", " ")
    return mark.label(palette, word=None if word is None else one_line(word))


def counts_text(counts: Mapping[str, int]) -> str:
    """Counts of outcomes under their signs, such as ``12 ✓ 25 ✗ 1 !``.

    Right and wrong are always said, the others where there are any: what failed is not wrong.
    """
    said = {name: count for name, count in counts.items() if count or name in ("right", "wrong")}
    return " ".join(f"{count:,} {MARKS[_OF_OUTCOME[name]].glyph}" for name, count in said.items())
