"""Memories of the two runs: what a round is stored as, and which rounds a question brings back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mnemoscope.sample_data._maker.lexical import Index, best

# A history read back from JSON holds values of many types.
Json = dict[str, Any]


@dataclass(frozen=True)
class Stored:
    """One round as a memory keeps it."""

    round_id: str
    date: str
    text: str


@dataclass(frozen=True)
class System:
    """A retrieval system over stored rounds."""

    name: str
    ranking: str
    """`tfidf` or `bm25`."""
    top: int
    recency: float = 0.0
    """Weight of recency; relevance counts as one at its highest."""
    decay: float = 0.97
    """What is left of recency one round further back."""

    def recall(self, stored: Sequence[Stored], index: Index, query: str) -> list[Stored]:
        """The stored rounds for a query, best first."""
        scores = index.cosine(query) if self.ranking == "tfidf" else index.bm25(query)
        highest = max(scores) or 1.0
        last = len(scores) - 1
        mixed = [
            score / highest + self.recency * self.decay ** (last - i)
            for i, score in enumerate(scores)
        ]
        return [stored[i] for i in best(mixed, self.top)]


def store(history: Json) -> list[Stored]:
    """Every round of a history in order."""
    name = history["character_profile"]["name"]
    return [
        Stored(turn["round"], session["date"], _text(turn, name))
        for session in history["multi_session_dialogues"]
        for turn in session["dialogues"]
    ]


def _text(turn: Json, name: str) -> str:
    spoken = turn.get("user_voice_message_caption")
    lines = [
        f"user_voice_message_caption: {spoken}" if spoken else f"user ({name}): {turn['user']}",
        f"assistant: {turn['assistant']}",
    ]
    if "image_id" in turn:
        lines += [
            "image:",
            f"image_id: {turn['image_id'][0]}",
            f"image_caption: {turn['image_caption'][0]}",
        ]
    return "\n".join(lines)


def context(recalled: Sequence[Stored]) -> str:
    """The text put before the question."""
    blocks = [f"[Memory {i}] timestamp: {m.date}\n{m.text}" for i, m in enumerate(recalled, 1)]
    return "\n".join(["[Memory Start]", *blocks, "[Memory End]"])
