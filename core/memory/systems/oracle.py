"""Oracles: what the gold rests on is handed to the backbone, as text or as media."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from mnemoscope.core.memory.budget import budget_parameters
from mnemoscope.core.memory.items import MemoryItem, Recall, Recalled
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.rounds import RoundMemory
from mnemoscope.core.memory.system import Parameter
from mnemoscope.core.memory.view import MediumView, RoundView
from mnemoscope.core.model import Kind

__all__ = ["OracleMultimodal", "OracleText"]

_SCOPE = Parameter(
    "session",
    "What is handed over: every session that a clue leads into, or the rounds themselves.",
    ("session", "round"),
)


class OracleText(RoundMemory):
    """The evidence as text, captions standing for media, in the history's order."""

    NAME: ClassVar[str] = "oracle_text"
    SUMMARY: ClassVar[str] = "The gold evidence as text: an upper bound."
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {
        "scope": _SCOPE,
        **budget_parameters(0, "last"),
    }
    IS_ORACLE: ClassVar[bool] = True

    def _item(self, one: RoundView) -> MemoryItem:
        return replace(super()._item(one), attributes={"session": one.session_id})

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        return replace(self._sent(self._evidence(evidence)), notes=_notes(evidence))

    def _evidence(self, evidence: Evidence) -> list[Recalled]:
        rounds, sessions = set(evidence.rounds), set(evidence.sessions)
        whole = self.spec.parameters["scope"] == "session"
        chosen = [
            item
            for item in self._items
            if (item.attributes["session"] in sessions if whole else item.rounds[0] in rounds)
        ]
        return [Recalled(item, rank) for rank, item in enumerate(chosen, start=1)]


class OracleMultimodal(OracleText):
    """The evidence with its pictures and clips themselves.

    A file that is not there, or beyond the limit, is replaced by its caption; how many were is
    said in the notes.
    """

    NAME: ClassVar[str] = "oracle_multimodal"
    SUMMARY: ClassVar[str] = "The gold evidence with its pictures and sounds: an upper bound."
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {
        "scope": _SCOPE,
        "max_images": Parameter(0, "How many pictures are sent at most; 0 is no limit.", least=0),
        "max_audio": Parameter(0, "How many clips are sent at most; 0 is no limit.", least=0),
    }
    MODALITIES: ClassVar[frozenset[Kind]] = frozenset(Kind)

    def _item(self, one: RoundView) -> MemoryItem:
        media: list[MediumView] = []
        said = []
        for message in one.messages:
            places = range(len(media), len(media) + len(message.media))
            media += message.media
            said.append(
                {
                    "speaker": message.speaker,
                    "text": message.text,
                    "voiced": message.voiced,
                    "media": list(places),
                }
            )
        attributes = {"session": one.session_id, "said": said}
        return replace(super()._item(one), media=tuple(media), attributes=attributes)

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        chosen = self._evidence(evidence)
        writer = _Writer(self._limits(), self.context.files)
        for one in chosen:
            writer.write(one.item)
        notes = (*_notes(evidence), *writer.notes())
        return Recall(tuple(chosen), writer.parts(), notes=notes)

    def _limits(self) -> dict[Kind, int]:
        settings = self.spec.parameters
        return {
            Kind.IMAGE: int(settings["max_images"]),
            Kind.AUDIO: int(settings["max_audio"]),
        }


class _Writer:
    """Writes items as text and media in order."""

    def __init__(self, limits: Mapping[Kind, int], files: Mapping[tuple[Kind, str], str]) -> None:
        self._limits = limits
        self._files = files
        self._parts: list[str | MediumView] = []
        self._sent = dict.fromkeys(Kind, 0)
        self._missing = dict.fromkeys(Kind, 0)
        self._beyond = dict.fromkeys(Kind, 0)

    def write(self, item: MemoryItem) -> None:
        if item.date:
            self._parts.append(f"[{item.date}]")
        for message in item.attributes["said"]:
            media = [item.media[place] for place in message["media"]]
            sendable = [self._take(one) for one in media]
            heard = any(
                sent and one.kind is Kind.AUDIO for one, sent in zip(media, sendable, strict=True)
            )
            text = message["text"]
            # What a clip says is heard; written out beside it, it would be given twice.
            if text and not (message["voiced"] and heard):
                self._parts.append(f"{message['speaker']}: {text}")
            elif media:
                self._parts.append(f"{message['speaker']}:")
            for one, sent in zip(media, sendable, strict=True):
                if sent:
                    self._parts.append(one)
                elif one.caption and not (one.kind is Kind.AUDIO and text):
                    self._parts.append(one.caption)

    def _take(self, one: MediumView) -> bool:
        if (one.kind, one.id) not in self._files:
            self._missing[one.kind] += 1
            return False
        limit = self._limits[one.kind]
        if limit and self._sent[one.kind] >= limit:
            self._beyond[one.kind] += 1
            return False
        self._sent[one.kind] += 1
        return True

    def parts(self) -> tuple[str | MediumView, ...]:
        """Text and media, neighbouring text joined."""
        joined: list[str | MediumView] = []
        for one in self._parts:
            if isinstance(one, str) and joined and isinstance(joined[-1], str):
                joined[-1] = f"{joined[-1]}\n{one}"
            else:
                joined.append(one)
        return tuple(joined)

    def notes(self) -> tuple[str, ...]:
        told = [(self._missing, "without a file"), (self._beyond, "beyond the limit")]
        return tuple(
            f"{count} {kind.value} {why}, caption sent"
            for counts, why in told
            for kind, count in counts.items()
            if count
        )


def _notes(evidence: Evidence) -> tuple[str, ...]:
    if not evidence.unresolved:
        return ()
    return (f"{evidence.unresolved} clues lead nowhere",)
