"""Repairs of runs that are made only where the user asks for them, each of them recorded."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import History, Kind, Record, Release, Run, SourceRef
from mnemoscope.core.runs.join import join

__all__ = ["REPAIRS", "repair_run", "undoubled"]

_DOUBLED = re.compile(r"([^:]+):\1(:.+)", re.DOTALL)
_LONGEST_ID = 200
_FIELDS = ("round_id", "session_id", "attachment_id")


def undoubled(written: str, history: History | None) -> str:
    """An id without its doubled prefix: ``D1:D1:4`` is ``D1:4``.

    Empty unless the history knows the shorter id and not the one that is written: what resolves as
    it stands is left alone.
    """
    match = _DOUBLED.fullmatch(written) if len(written) <= _LONGEST_ID else None
    if match is None or history is None:
        return ""
    shorter = f"{match[1]}{match[2]}"
    return shorter if _knows(history, shorter) and not _knows(history, written) else ""


def _knows(history: History, one: str) -> bool:
    return (
        one in history.round_by_id
        or one in history.session_by_id
        or any((kind, one) in history.round_of_attachment for kind in Kind)
    )


def _undouble(record: Record, history: History | None, log: DefectLog) -> Record:
    found = record.retrieval
    items = tuple(
        replace(
            item,
            sources=tuple(_undouble_source(one, record, history, log) for one in item.sources),
        )
        for item in found.items
    )
    if items == found.items:
        return record
    # A reader that could not tell what such an id names took it for that of a session.
    rounds = all(source.round_id for item in items for source in item.sources)
    grain = "round" if rounds else found.grain
    return replace(record, retrieval=replace(found, items=items, grain=grain))


def _undouble_source(
    source: SourceRef, record: Record, history: History | None, log: DefectLog
) -> SourceRef:
    for field in _FIELDS:
        written = getattr(source, field)
        shorter = undoubled(written, history)
        if not shorter or history is None:
            continue
        log.repaired(
            "doubled_prefix", record.place, written, "the id of a round or session", shorter
        )
        if shorter in history.round_by_id:
            return SourceRef(round_id=shorter)
        if shorter in history.session_by_id:
            return SourceRef(session_id=shorter)
        return SourceRef(kind=source.kind, attachment_id=shorter)
    return source


REPAIRS: Mapping[str, Callable[[Record, History | None, DefectLog], Record]] = {
    "doubled-prefix": _undouble,
}
"""Repairs by the name that ``--repair`` takes."""


def repair_run(release: Release, run: Run, names: Sequence[str]) -> Run:
    """A run with the named repairs made; each is a defect of the run, and a note counts them.

    Args:
        release: What the run is about: a repair must lead to something in it.
        run: The run as its files say.
        names: Names of repairs.

    Raises:
        UsageError: There is no such repair.
    """
    for name in names:
        if name not in REPAIRS:
            raise UsageError(f"no repair named {name!r}; there are: {', '.join(REPAIRS)}")
    keys = join(release, run).keys if names else ()
    for name in dict.fromkeys(names):
        log = DefectLog()
        records = []
        for record, key in zip(run.records, keys, strict=True):
            log.file = record.file
            history = release.histories.get(release.questions[key].history_id) if key else None
            records.append(REPAIRS[name](record, history, log))
        if log.items:
            note = f"repaired on request ({name}): {len(log.items):,} retrieved ids"
            run = replace(
                run,
                records=tuple(records),
                defects=run.defects + tuple(log.items),
                notes=(*run.notes, note),
            )
    return run
