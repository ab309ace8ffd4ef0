"""What a memory brought back, as a run's record says it."""

from mnemoscope.core.memory.items import Recall, Recalled
from mnemoscope.core.memory.system import MemorySystem
from mnemoscope.core.memory.view import HandedHistory
from mnemoscope.core.model import Retrieval, RetrievalState, RetrievedItem, SourceRef

__all__ = ["retrieval_of"]


def retrieval_of(system: MemorySystem, recall: Recall, handed: HandedHistory) -> Retrieval:
    """The retrieval of a record, under the release's ids.

    Args:
        system: The memory that was asked.
        recall: What it brought back.
        handed: The history that it was built from.
    """
    if not system.RETRIEVES:
        note = f"{system.NAME} brings nothing back"
        return Retrieval(RetrievalState.NOT_STORED, "", (), note)
    notes = list(recall.notes)
    cut = recall.cut
    if cut is not None and cut.dropped:
        notes.insert(0, f"{cut.dropped} of {cut.total} {cut.unit} cut off")
    if recall.whole_history:
        return Retrieval(RetrievalState.WHOLE_HISTORY, "", (), "; ".join(notes))
    items = tuple(_retrieved(one, handed) for one in recall.items)
    return Retrieval(RetrievalState.IDS, "round", items, "; ".join(notes))


def _retrieved(one: Recalled, handed: HandedHistory) -> RetrievedItem:
    sources = []
    for neutral in one.item.rounds:
        own = handed.round_ids[neutral]
        session = handed.session_ids[neutral.partition(":")[0]]
        sources.append(SourceRef(session, own))
    kind = next(iter(one.parts), "") if len(one.parts) == 1 else ""
    return RetrievedItem(one.rank, tuple(sources), one.score, kind, one.item.text, True)
