"""What mem0's unevaluated form says of retrieval: memories searched for each of two speakers."""

from collections.abc import Iterator
from typing import Any

from mnemoscope.core.model import Retrieval, RetrievalState, RetrievedItem
from mnemoscope.core.reading import Node

__all__ = ["MEMORY_KEYS", "has_memories", "read_memories", "read_times"]

_SPEAKERS = ("speaker_1", "speaker_2")
MEMORY_KEYS = tuple(f"{speaker}_memories" for speaker in _SPEAKERS)
"""Where the memories of the two speakers stand."""
_TIMES = {
    "response_time": "response_seconds",
    **{f"{speaker}_memory_time": f"{speaker}_memory_seconds" for speaker in _SPEAKERS},
}
_ONE_TEXT = (
    "the memories of a speaker are one text: k counts such texts, not the memories that they hold"
)


def has_memories(row: Node) -> bool:
    """Whether a row says what was searched: only rows that are not evaluated do."""
    return any(key in row.data for key in MEMORY_KEYS)


def read_memories(row: Node) -> Retrieval:
    """The memories of both speakers, then the relations of their graphs where there are such.

    Memobase writes one text for each speaker instead of a list, and its length in characters where
    others write the number of memories.
    """
    if not has_memories(row):
        return Retrieval()
    found: list[tuple[str, float | None]] = []
    one_text = False
    for speaker, key in zip(_SPEAKERS, MEMORY_KEYS, strict=True):
        written = row.data.get(key)
        if type(written) is not str:
            found += _memories(row, key)
            _check_number(row, f"num_{speaker}_memories", len(row.items(key)))
        elif written.strip():
            one_text = True
            found.append((written, None))
    for speaker in _SPEAKERS:
        found += [(text, None) for text in _relations(row, f"{speaker}_graph_memories")]
    items = tuple(
        RetrievedItem(rank, text=text, score=score) for rank, (text, score) in enumerate(found, 1)
    )
    note = _ONE_TEXT if one_text else ""
    return Retrieval(RetrievalState.TEXT, items=items, note=note)


def read_times(row: Node) -> dict[str, float]:
    """What the row took, in seconds."""
    found = {name: row.number(key) for key, name in _TIMES.items()}
    return {name: value for name, value in found.items() if value is not None}


def _memories(row: Node, key: str) -> Iterator[tuple[str, float | None]]:
    for one in row.nodes(key):
        text = one.text("memory")
        said_at = one.text("timestamp")
        yield (f"{said_at}: {text}" if said_at else text), one.number("score")


def _check_number(row: Node, key: str, number: int) -> None:
    stored = row.number(key)
    if stored is not None and stored != number:
        expected = f"{number}, as many as the list holds"
        row.log.warning("retrieved_count_differs", row.at(key), row.data[key], expected)


def _relations(row: Node, key: str) -> Iterator[str]:
    """Relations as text; their form differs between versions of the graph store."""
    written: Any = row.data.get(key)
    for one in written if type(written) is list else [written] if written else []:
        values = one.values() if type(one) is dict else [one]
        yield " – ".join(str(value) for value in values)
