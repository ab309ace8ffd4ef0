"""LoCoMo's evaluator-only data by session: observations, summaries, events."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import History
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.locomo.parts import ConversationParts, SessionPart, written_ids

__all__ = ["EvaluatorReading", "read_evaluator_data"]


@dataclass(slots=True)
class EvaluatorReading:
    """Evaluator-only data as the release writes it."""

    sessions: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    """By (history id, session id), then by kind: observation, session_summary, event_summary."""
    histories: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """What is about sessions that do not exist, by history id."""


def read_evaluator_data(
    parts: ConversationParts,
    history: History,
    session_of: Mapping[str, str],
    reading: EvaluatorReading,
) -> None:
    """Collect one conversation's evaluator-only data, and check the turns it points at."""
    log = parts.root.log
    known = history.session_by_id
    by_session: dict[str, dict[str, Any]] = {}
    stray: dict[str, Any] = {}
    for name, part in parts.evaluator.items():
        for session_id in part.session_ids():
            key = part.key(session_id)
            value = part.node.data[key]
            if session_id in known:
                by_session.setdefault(session_id, {})[name] = value
            else:
                stray[key] = value
                found = Described(f"{name} of {session_id}")
                log.warning(
                    "unknown_session", part.place(session_id), found, "a session of the dialogue"
                )
            _check(name, part, key, session_of, log)
    for session_id, values in by_session.items():
        reading.sessions[history.id, session_id] = values
    if stray:
        reading.histories[history.id] = stray


def _check(
    name: str, part: SessionPart, key: str, session_of: Container[str], log: DefectLog
) -> None:
    if name == "session_summary":
        part.node.text(key)
        return
    speakers = Node(part.node.mapping(key), part.node.at(key), log)
    if name == "observation":
        for speaker in speakers.data:
            _check_observations(speakers, speaker, session_of)


def _check_observations(speakers: Node, speaker: str, session_of: Container[str]) -> None:
    log = speakers.log
    for at, entry in enumerate(speakers.items(speaker)):
        if type(entry) is list and len(entry) == 2 and type(entry[0]) is str:
            pointer = entry[1]
            if type(pointer) is str and pointer in session_of:
                continue
            for place, written in _pointers(pointer, f"{speakers.at(speaker)}[{at}][1]"):
                _check_pointer(written, place, session_of, log)
        else:
            place = f"{speakers.at(speaker)}[{at}]"
            log.error("wrong_type", place, entry, "an observation with its turn id")


def _pointers(pointer: Any, place: str) -> Iterator[tuple[str, Any]]:
    if type(pointer) is list:
        for at, written in enumerate(pointer):
            yield f"{place}[{at}]", written
    else:
        yield place, pointer


def _check_pointer(written: Any, place: str, session_of: Container[str], log: DefectLog) -> None:
    if type(written) is not str:
        log.error("wrong_type", place, written, "a turn id")
    elif written not in session_of:
        unknown = [piece for piece, _ in written_ids(written) if piece not in session_of]
        if unknown:
            expected = "the id of a turn of this conversation"
            log.warning("observation_unknown_id", place, unknown[0], expected)
        else:
            log.warning("observation_several_ids", place, written, "one turn id, or a list of them")
