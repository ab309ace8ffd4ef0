"""What happened while a run was made: attempts, failures, limits, ends; for people and scripts."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemoscope.core.closing import Closes
from mnemoscope.core.defects import DefectLog
from mnemoscope.core.line_file import LineFile
from mnemoscope.core.reading import json_lines
from mnemoscope.core.runs.native.schema import EventLine
from mnemoscope.core.schemas import checked
from mnemoscope.core.writing import json_bytes

__all__ = ["EVENTS", "EventLog", "read_events"]

EVENTS = "events.jsonl"


def _now() -> datetime:
    return datetime.now(UTC)


class EventLog(Closes):
    """Adds events to a run; whoever does must hold the run's lock."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = _now) -> None:
        """Open the file, making it if need be.

        Args:
            folder: The run's folder.
            now: What tells the time.

        Raises:
            InputError: The file system refuses.
        """
        # An event is no record: the record of an answer does not wait for what is told about it.
        self._lines = LineFile(folder / EVENTS, durable=False)
        self._now = now

    def add(self, kind: str, said: str = "", *, extra: Any = None, **about: Any) -> None:
        """Add an event.

        Args:
            kind: What happened; one of ``EventLine.kind``.
            said: What there is to say.
            extra: Figures about it.
            about: What it is about: ``key`` and ``repeat``, or ``history``.

        Raises:
            InputError: The file system refuses.
        """
        fields = {"at": self._now(), "kind": kind, "said": said, "extra": extra or {}, **about}
        self._lines.append(json_bytes(EventLine.model_validate(fields).as_json()))

    def close(self) -> None:
        """Force everything to the disk."""
        self._lines.close()


def read_events(folder: Path) -> list[EventLine]:
    """The events of a run, as far as they can be read.

    Raises:
        InputError: The file cannot be read.
    """
    if not (folder / EVENTS).exists():
        return []
    log = DefectLog(EVENTS)
    lines = json_lines(folder / EVENTS, log, may_be_torn=True)
    return [line for _, data in lines if (line := checked(EventLine, data, log)) is not None]
