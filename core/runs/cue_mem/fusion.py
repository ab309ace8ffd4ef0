"""What RQ3 of CUE-Mem stores of retrieval: rounds by fused score, and the queries behind each."""

from operator import itemgetter

from mnemoscope.core.model import (
    Kind,
    QueryPart,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.rows import as_number, number_at

__all__ = ["FusedRetrieval"]

_SINGLE_QUERY = "single_text_query"
_item_values = itemgetter("item_id", "modality", "score", "rank", "fallback", "query_metadata")
_query_values = itemgetter("letter", "composition_method")
_KINDS = (Kind.IMAGE, Kind.AUDIO)


class FusedRetrieval:
    """Reads the retrieval of the rows of one file."""

    def __init__(self) -> None:
        self.known_sources: dict[tuple[str | bool, ...], tuple[SourceRef, ...]] = {}

    def retrieval(self, row: Node) -> Retrieval:
        """The rounds that were retrieved and used, with the query parts that found them."""
        if row.data.get("retrieved_turn_ids") is None:
            return Retrieval()
        ids = row.texts("retrieved_turn_ids")
        scores = self._scores(row, len(ids))
        parts, kind = self._parts(row, ids)
        items = []
        for rank, (round_id, score) in enumerate(zip(ids, scores, strict=True), start=1):
            if round_id:
                found = parts.get(round_id, ())
                items.append(
                    RetrievedItem(
                        rank, self._sources(round_id, found), score, kind, used=True, parts=found
                    )
                )
        return Retrieval(RetrievalState.IDS, "round", tuple(items))

    def _scores(self, row: Node, expected: int) -> list[float | None]:
        scores: list[float | None] = []
        for index, value in enumerate(row.items("retrieved_scores")):
            scores.append(as_number(value))
            if scores[-1] is None:
                place = f"{row.at('retrieved_scores')}[{index}]"
                row.log.error("wrong_type", place, value, "a number")
        if len(scores) != expected:
            place = row.at("retrieved_scores")
            row.log.warning("scores_differ", place, scores, f"{expected} scores, one per round")
            scores = [*scores[:expected], *[None] * (expected - len(scores))]
        return scores

    def _parts(self, row: Node, ids: list[str]) -> tuple[dict[str, tuple[QueryPart, ...]], str]:
        """Query parts by round, and what kind of score the rounds have."""
        parts: dict[str, tuple[QueryPart, ...]] = {}
        kind = "rrf"
        for turn in row.nodes("retrieved_items"):
            round_id = turn.text("turn_id")
            if round_id in ids:
                parts[round_id], source = _query_parts(turn)
                if source == _SINGLE_QUERY:
                    # One query, nothing to fuse: the score is the query's own.
                    kind = "cosine"
            else:
                expected = "one of retrieved_turn_ids"
                row.log.warning("item_not_retrieved", turn.at("turn_id"), round_id, expected)
        return parts, kind

    def _sources(self, round_id: str, parts: tuple[QueryPart, ...]) -> tuple[SourceRef, ...]:
        """The round, and its image or audio where an item of that kind was found.

        The files name the medium's path but not its id.
        """
        found = [part.modality for part in parts]
        key = (round_id, Kind.IMAGE in found, Kind.AUDIO in found)
        sources = self.known_sources.get(key)
        if sources is None:
            session_id = round_id.partition(":")[0]
            media = [SourceRef(session_id, round_id, kind) for kind in _KINDS if kind in found]
            self.known_sources[key] = sources = (SourceRef(session_id, round_id), *media)
        return sources


def _query_parts(turn: Node) -> tuple[tuple[QueryPart, ...], object]:
    """The parts that a round's entries describe, and the source of the last query.

    Entries are many and nearly always whole, so they are inspected key by key only when a quick
    look finds something odd.
    """
    parts = []
    source = None
    for index, item in enumerate(turn.items("items")):
        try:
            item_id, modality, score, rank, own, query = _item_values(item)
            letter, method = _query_values(query)
            fallback = query.get("fallback") or ""
            source = query.get("source")
        except (KeyError, TypeError, AttributeError):
            whole = False
        else:
            whole = (
                type(item_id) is str
                and type(modality) is str
                and type(score) is float
                and type(rank) is int
                and type(letter) is str
                and type(method) is str
                and type(fallback) is str
                and own is None
            )
        if whole:
            parts.append(QueryPart(item_id, modality, letter, score, rank, fallback, method))
        elif type(item) is dict:
            node = Node(item, f"{turn.at('items')}[{index}]", turn.log)
            part, source = _inspected_part(node)
            parts.append(part)
        else:
            place = f"{turn.at('items')}[{index}]"
            turn.log.error("wrong_type", place, item, "an object")
    return tuple(parts), source


def _inspected_part(item: Node) -> tuple[QueryPart, str]:
    query = Node(item.mapping("query_metadata"), item.at("query_metadata"), item.log)
    own = item.text("fallback")
    part = QueryPart(
        item.text("item_id"),
        item.text("modality"),
        query.text("letter"),
        number_at(item, "score"),
        item.integer("rank"),
        query.text("fallback") or (f"item: {own}" if own else ""),
        query.text("composition_method"),
    )
    return part, query.text("source")
