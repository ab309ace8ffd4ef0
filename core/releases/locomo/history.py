"""LoCoMo's dialogue: sessions, turns and images."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    History,
    Kind,
    Message,
    Role,
    Round,
    Session,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.locomo.parts import ConversationParts, SessionPart

__all__ = ["HistoryReading", "read_history"]

_DATE = re.compile(
    r"(1[0-2]|0?[1-9]):([0-5][0-9]) ([ap])m on ([0-9]{1,2}) ([a-z]{3,9}), ([0-9]{4})",
    re.ASCII | re.IGNORECASE,
)
# strptime would read month names in the language of whoever runs this.
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_PLAIN_KEYS = len(("speaker", "dia_id", "text"))
_TRACE_KEYS = ("query", "re-download")
_IMAGE = Kind.IMAGE
_MISSING = AttachmentState.MISSING
_NO_TEXTS: Mapping[str, str] = {}


@dataclass(slots=True)
class HistoryReading:
    """One history while it is read, and what goes beside it."""

    history_id: str
    log: DefectLog
    session_of: dict[str, str] = field(default_factory=dict)
    """The session of each round id."""
    traces: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    """Evaluator-only: how a round's image was searched for."""
    index: int = 0
    """How many rounds there are so far."""


def read_history(
    parts: ConversationParts, history_id: str, file: str, log: DefectLog
) -> tuple[History, HistoryReading]:
    """Read the dialogue of one conversation."""
    reading = HistoryReading(history_id, log)
    talk = parts.turns.node
    names = ["", ""]
    if talk.data:
        names = [talk.required_text(key) or "" for key in ("speaker_a", "speaker_b")]
    # Two people talk and there is no assistant. The first speaker is the user, so that a memory
    # system that keeps one user's memory has one; the second is somebody else, never the assistant.
    roles = {names[1]: Role.OTHER, names[0]: Role.USER}
    roles.pop("", None)
    sessions = []
    latest: datetime | None = None
    for session_id in parts.turns.session_ids():
        date_text, date = _read_date(parts.dates, session_id)
        if date and latest and date < latest:
            expected = "a date no earlier than the session before"
            log.warning("dates_out_of_order", parts.dates.place(session_id), date_text, expected)
        latest = date or latest
        rounds = _read_turns(parts.turns, session_id, roles, reading)
        place = parts.turns.place(session_id)
        sessions.append(Session(session_id, date, date_text, tuple(rounds), place))
    _report_dates_alone(parts, log)
    return (
        History(
            id=history_id,
            name=" and ".join(filter(None, names)) or history_id,
            sessions=tuple(sessions),
            file=file,
            place=parts.root.place,
        ),
        reading,
    )


def _read_date(dates: SessionPart, session_id: str) -> tuple[str, datetime | None]:
    key = dates.key(session_id)
    log = dates.node.log
    if key not in dates.node.data:
        log.warning("date_missing", dates.node.at(key), Described("nothing"), "a date")
    text = dates.node.text(key)
    date = _parse_date(text)
    if text and date is None:
        expected = "a date such as '1:56 pm on 8 May, 2023'"
        log.warning("date_unreadable", dates.node.at(key), text, expected)
    return text, date


def _parse_date(text: str) -> datetime | None:
    match = _DATE.fullmatch(text)
    if match is None or match[5].lower() not in _MONTHS:
        return None
    month = _MONTHS.index(match[5].lower()) + 1
    hour = int(match[1]) % 12 + (12 if match[3] in "pP" else 0)
    try:
        return datetime(int(match[6]), month, int(match[4]), hour, int(match[2]))
    except ValueError:
        return None


def _report_dates_alone(parts: ConversationParts, log: DefectLog) -> None:
    held = parts.turns.node.data
    alone = [one for one in parts.dates.session_ids() if parts.turns.key(one) not in held]
    if alone:
        found = f"{len(alone)} dates without turns, {alone[0]} to {alone[-1]}"
        place = parts.dates.place(alone[0])
        log.warning("date_without_session", place, Described(found), "turns for each date")


def _read_turns(
    part: SessionPart, session_id: str, roles: Mapping[str, Role], reading: HistoryReading
) -> list[Round]:
    turns = part.node.items(session_id)
    if part.node.data[session_id] is None:
        part.node.wrong(session_id, "a list of turns")
    base = part.place(session_id)
    ids = _read_ids(turns, base, session_id, reading)
    index = reading.index
    rounds = []
    for at, (turn, round_id) in enumerate(zip(turns, ids, strict=True)):
        if round_id is None:
            continue
        place = f"{base}[{at}]"
        try:
            speaker = turn["speaker"]
            role = roles[speaker]
            text = turn["text"]
        except (KeyError, TypeError):
            speaker, role, text = _odd_turn(turn, place, roles, reading.log)
            plain = False
        else:
            plain = len(turn) == _PLAIN_KEYS and "dia_id" in turn
            if type(text) is not str:
                _report_text(turn, place, reading.log)
                text = None
        attachments = () if plain else _read_extras(turn, place, round_id, reading)
        message = Message(speaker, role, text, attachments, _NO_TEXTS)
        rounds.append(Round(round_id, session_id, index, (message,), place))
        index += 1
    reading.index = index
    return rounds


def _read_ids(
    turns: list[Any], base: str, session_id: str, reading: HistoryReading
) -> list[str] | list[str | None]:
    """The id of each turn, None for what is no turn; ids count from 1 in each session."""
    session_of = reading.session_of
    head = f"D{session_id.removeprefix('session_')}:"
    expected = [f"{head}{number}" for number in range(1, len(turns) + 1)]
    try:
        regular = [turn["dia_id"] for turn in turns] == expected
    except (KeyError, TypeError):
        regular = False
    if regular and session_of.keys().isdisjoint(expected):
        session_of.update(dict.fromkeys(expected, session_id))
        return expected
    return _repair_ids(turns, expected, base, session_id, reading)


def _repair_ids(
    turns: list[Any], expected: list[str], base: str, session_id: str, reading: HistoryReading
) -> list[str | None]:
    log = reading.log
    in_order = True
    ids: list[str | None] = []
    for at, (turn, by_place) in enumerate(zip(turns, expected, strict=True)):
        if type(turn) is not dict:
            log.error("wrong_type", f"{base}[{at}]", turn, "an object")
            ids.append(None)
            continue
        place = f"{base}[{at}].dia_id"
        round_id = turn.get("dia_id", Described("nothing"))
        if type(round_id) is not str or not round_id:
            log.repaired("missing_id", place, round_id, "a turn id", by_place)
            round_id = by_place
        elif round_id != by_place and in_order:
            in_order = False
            log.warning("id_out_of_place", place, round_id, f"{by_place}, by its place")
        if round_id in reading.session_of:
            log.error("duplicate_id", place, round_id, "an id of its own")
        reading.session_of.setdefault(round_id, session_id)
        ids.append(round_id)
    return ids


def _odd_turn(
    turn: dict[str, Any], place: str, roles: Mapping[str, Role], log: DefectLog
) -> tuple[str, Role, str | None]:
    """What can be read of a turn that lacks something, or whose speaker is not known."""
    node = Node(turn, place, log)
    speaker = node.required_text("speaker") or ""
    if speaker and speaker not in roles:
        expected = " or ".join(repr(name[:40]) for name in sorted(roles)) or "a speaker's name"
        log.warning("unknown_speaker", node.at("speaker"), speaker, expected)
    text = turn.get("text")
    if type(text) is not str:
        _report_text(turn, place, log)
        text = None
    return speaker, roles.get(speaker, Role.OTHER), text


def _report_text(turn: dict[str, Any], place: str, log: DefectLog) -> None:
    log.error("wrong_type", f"{place}.text", turn.get("text", Described("nothing")), "text")


def _read_extras(
    turn: dict[str, Any], place: str, round_id: str, reading: HistoryReading
) -> tuple[Attachment, ...]:
    """The images of a turn; how they were searched for goes to the evaluator."""
    trace = {key: turn[key] for key in _TRACE_KEYS if key in turn}
    if trace:
        reading.traces.setdefault((reading.history_id, round_id), trace)
    if "blip_caption" in turn or "img_url" in turn:
        return _read_images(turn, place, round_id, reading.log)
    return ()


def _read_images(
    turn: dict[str, Any], place: str, round_id: str, log: DefectLog
) -> tuple[Attachment, ...]:
    """Images have no id of their own: the round's id stands for the one image it has."""
    caption = turn.get("blip_caption")
    addresses = turn.get("img_url")
    if type(caption) is not str and caption is not None:
        log.error("wrong_type", f"{place}.blip_caption", caption, "text")
        caption = None
    captions = {} if caption is None else {"blip": caption}
    if addresses is None:
        addresses = [""] if captions else []
    elif type(addresses) is not list or len(addresses) != 1 or type(addresses[0]) is not str:
        addresses = Node(turn, place, log).texts("img_url")
    return tuple(
        [
            Attachment(
                _IMAGE,
                round_id if number == 0 else f"{round_id}#{number + 1}",
                address,
                captions,
                _MISSING,
                "",
                _note(address),
            )
            for number, address in enumerate(addresses)
            if address or captions
        ]
    )


def _note(address: str) -> str:
    if not address:
        return "the release gives a caption and no address"
    if "://" in address:
        return "a web address; the release ships no images"
    return "the release ships no images"
