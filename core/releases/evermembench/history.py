"""The messages of a group chat: a session is what one group says on one day."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import History, Message, Role, Round, Session
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.dates import SessionDates, iso_moment

__all__ = ["HistoryReading", "read_history"]

_SHOWN = frozenset(("speaker", "time", "dialogue", "text", "message_index"))
_NOTHING: Mapping[str, str] = {}
# Many people talk in many groups, none of them to an assistant and none of them the one user.
_ROLE = Role.OTHER


@dataclass(slots=True)
class HistoryReading:
    """One history while it is read, and what goes beside it."""

    history_id: str
    log: DefectLog
    round_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    index: int = 0
    """How many rounds there are so far."""


def read_history(root: Node, file: str, reading: HistoryReading) -> History:
    """Read the dialogue of one file, days and groups in its order."""
    days = Node(root.mapping("dialogues"), root.at("dialogues"), root.log)
    dates = SessionDates()
    sessions = []
    for day in days.data:
        date = dates.check(day, days, day)
        groups = Node(days.mapping(day), days.at(day), root.log)
        for group in groups.data:
            session_id = f"{day}/{group}"
            rounds = tuple(_read_messages(groups, group, session_id, day, reading))
            if not rounds:
                # Days list all groups, also those in which nobody says anything.
                continue
            sessions.append(Session(session_id, date, day, rounds, groups.at(group), group))
    return History(reading.history_id, reading.history_id, tuple(sessions), file)


def _read_messages(
    groups: Node, group: str, session_id: str, day: str, reading: HistoryReading
) -> list[Round]:
    log = reading.log
    base = groups.at(group)
    rounds = []
    latest = None
    in_order = True
    for at, one in enumerate(groups.items(group)):
        place = f"{base}[{at}]"
        if type(one) is not dict:
            log.error("wrong_type", place, one, "an object")
            continue
        round_id = f"{session_id}:{at + 1}"
        speaker, text, written = one.get("speaker"), one.get("dialogue"), one.get("time")
        if type(speaker) is not str or not speaker or type(text) is not str or not text:
            speaker, text = _odd_message(Node(one, place, log))
        time = iso_moment(written) if type(written) is str else None
        if time is None or not str(written).startswith(day):
            _report_time(time, written, day, f"{place}.time", log)
        elif latest is not None and time < latest and in_order:
            in_order = False
            expected = "a time no earlier than that of the message before"
            log.warning("times_out_of_order", f"{place}.time", written, expected)
        latest = time or latest
        if not _SHOWN.issuperset(one):
            notes = {key: value for key, value in one.items() if key not in _SHOWN}
            reading.round_notes[reading.history_id, round_id] = notes
        message = Message(speaker, _ROLE, text or None, (), _NOTHING, time)
        rounds.append(Round(round_id, session_id, reading.index, (message,), place))
        reading.index += 1
    return rounds


def _report_time(time: datetime | None, written: Any, day: str, place: str, log: DefectLog) -> None:
    if time is None:
        found = Described("nothing") if written is None else written
        log.warning("time_unreadable", place, found, "a time such as 2025-01-09 09:32:15")
    else:
        log.warning("time_of_another_day", place, written, f"a time of {day[:40]}")


def _odd_message(node: Node) -> tuple[str, str]:
    """Speaker and text of a message that lacks one of them, or calls its text otherwise."""
    speaker = node.required_text("speaker") or ""
    text = node.text("dialogue") or node.text("text")
    if not text:
        node.log.warning("empty_round", node.place, node.data, "a text at 'dialogue'")
    return speaker, text
