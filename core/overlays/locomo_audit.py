"""The LoCoMo audit's ``errors.json`` as an overlay (other-releases.md 2.2)."""

import re
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.overlays.overlay import OverlayEntry, Published
from mnemoscope.core.reading import Node

__all__ = ["NAME", "audit_entries", "is_audit"]

NAME = "locomo-audit"
_KEYS = frozenset(("question_id", "error_type", "golden_answer", "correct_evidence"))
_LOOKED_AT = 10
_ID = re.compile(r"locomo_([0-9]{1,6})_qa([0-9]{1,6})")
_CITATION = "WRONG_CITATION"
"""The type of entries whose answer the audit calls right: what it gives beside is a wording."""


def is_audit(data: Any) -> bool:
    """Whether a file's value has the audit's form."""
    rows = data[:_LOOKED_AT] if type(data) is list else ()
    return any(type(row) is dict and row.keys() >= _KEYS for row in rows)


def audit_entries(rows: list[Any], log: DefectLog) -> list[OverlayEntry]:
    """The entries; one that cannot be used is recorded as an error."""
    entries = []
    for index, row in enumerate(rows):
        place = f"$[{index}]"
        if type(row) is not dict:
            log.error("wrong_type", place, row, "an object")
            continue
        entry = _entry(Node(row, place, log))
        if entry is not None:
            entries.append(entry)
    return entries


def _entry(row: Node) -> OverlayEntry | None:
    named = row.required_text("question_id")
    error_type = row.required_text("error_type")
    if named is None or error_type is None:
        return None
    match = _ID.fullmatch(named)
    if match is None:
        row.wrong("question_id", "an id like locomo_3_qa12")
        return None
    golden, corrected = row.text("golden_answer"), row.text("correct_answer")
    category = row.integer("category")
    return OverlayEntry(
        question=named,
        published=Published(
            text=row.text("question"),
            answer=golden,
            category=None if category is None else str(category),
            evidence=tuple(row.texts("cited_evidence")),
        ),
        place=row.place,
        history=int(match[1]),
        index=int(match[2]),
        error_type=error_type,
        answer_wrong=error_type != _CITATION,
        answer=(corrected,) if corrected and corrected != golden else None,
        evidence=tuple(row.texts("correct_evidence")),
        reasoning=row.text("reasoning"),
    )
