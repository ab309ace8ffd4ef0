"""Which questions lead to a round or a session, and which runs retrieved it."""

from collections.abc import Mapping, Sequence

from mnemoscope.core.model import Release, RetrievalState
from mnemoscope.core.workspace import JoinedRun

__all__ = ["retrieved_rounds", "round_citations", "sends_whole_history", "session_citations"]


def round_citations(release: Release) -> Mapping[tuple[str, str], Sequence[str]]:
    """Keys of the questions whose clues lead to a round, by history and round id."""
    table: dict[tuple[str, str], list[str]] = {}
    for question in release.questions.values():
        for round_id in question.evidence_rounds:
            table.setdefault((question.history_id, round_id), []).append(question.key)
    return table


def session_citations(release: Release) -> Mapping[tuple[str, str], Sequence[str]]:
    """Keys of the questions with a clue to a whole session, by history and session id."""
    table: dict[tuple[str, str], list[str]] = {}
    for question in release.questions.values():
        for clue in question.clues:
            if clue.session_id and not clue.round_id:
                keys = table.setdefault((question.history_id, clue.session_id), [])
                if question.key not in keys:
                    keys.append(question.key)
    return table


def retrieved_rounds(run: JoinedRun) -> Mapping[tuple[str, str], tuple[int, int]]:
    """For how many questions a run retrieved a round, and at which rank at best.

    Returns:
        Pairs by history and round id, for the rounds that it ever retrieved; nothing at all for a
        run that does not store which rounds it retrieved.
    """
    table: dict[tuple[str, str], tuple[int, int]] = {}
    for entry in run.entries:
        best: dict[str, int] = {}
        for item in entry.record.retrieval.items:
            for source in item.sources:
                if source.round_id:
                    best.setdefault(source.round_id, item.rank)
        for round_id, rank in best.items():
            key = (entry.question.history_id, round_id)
            count, first = table.get(key, (0, rank))
            table[key] = (count + 1, min(first, rank))
    return table


def sends_whole_history(run: JoinedRun) -> bool:
    """Whether a run retrieves nothing because it sends all there is."""
    return run.retrieval_states == {RetrievalState.WHOLE_HISTORY}
