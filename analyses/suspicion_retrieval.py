"""Retrieved items that look wrong: ids that lead nowhere, doubled prefixes, the question itself."""

from collections.abc import Iterator

from mnemoscope.analyses.suspicion import Suspicion, example_of
from mnemoscope.core.model import History, Kind, Release, RetrievedItem, SourceRef
from mnemoscope.core.runs.repair import undoubled
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["suspect_retrieval"]

_FEWEST = 10
"""With fewer records, that the question itself comes back may be chance."""


def suspect_retrieval(run: JoinedRun, release: Release) -> Iterator[Suspicion]:
    """What looks wrong about what a run brought back."""
    yield from _ids(run, release)
    yield from _own_questions(run)


def _ids(run: JoinedRun, release: Release) -> Iterator[Suspicion]:
    total = 0
    unknown: list[tuple[Entry, str]] = []
    doubled: list[tuple[Entry, str]] = []
    for entry in run.entries:
        history = release.histories.get(entry.question.history_id)
        # Of a history that the release does not have nobody can say what is in it.
        if history is None or not history.rounds:
            continue
        for item in entry.record.retrieval.items:
            total += len(item.sources)
            for source in item.sources:
                written = _unknown(source, history)
                if written:
                    (doubled if undoubled(written, history) else unknown).append((entry, written))
    if unknown:
        counts = (len(unknown), total, "retrieved ids")
        says = "name nothing in the history that the question is about, and hit nothing"
        examples = (example_of(entry, written) for entry, written in unknown)
        yield Suspicion.of_run("retrieved_ids_unknown", run, counts, says, examples)
    if doubled:
        counts = (len(doubled), total, "retrieved ids")
        says = "have their prefix twice and so hit nothing; without the first one they resolve"
        examples = (example_of(entry, written) for entry, written in doubled)
        repair = "doubled-prefix"
        yield Suspicion.of_run("doubled_prefix", run, counts, says, examples, repair)


def _unknown(source: SourceRef, history: History) -> str:
    """The id that leads nowhere; empty when what the source names is there."""
    if source.round_id:
        return "" if source.round_id in history.round_by_id else source.round_id
    if source.attachment_id:
        kinds = Kind if source.kind is None else (source.kind,)
        known = any((kind, source.attachment_id) in history.round_of_attachment for kind in kinds)
        return "" if known else source.attachment_id
    known = not source.session_id or source.session_id in history.session_by_id
    return "" if known else source.session_id


def _own_questions(run: JoinedRun) -> Iterator[Suspicion]:
    """A store that holds the questions that are asked brings them back with their answers."""
    with_items = [entry for entry in run.entries if entry.record.retrieval.items]
    found = [
        entry
        for entry in with_items
        if any(_is_question(item, entry) for item in entry.record.retrieval.items)
    ]
    if len(found) >= _FEWEST and 2 * len(found) >= len(with_items):
        counts = (len(found), len(with_items), "records")
        says = "bring back the very question that is asked: the gold is in the store"
        examples = (example_of(entry, entry.question.stem) for entry in found)
        yield Suspicion.of_run("question_retrieved", run, counts, says, examples)


def _is_question(item: RetrievedItem, entry: Entry) -> bool:
    question = entry.question
    # A short id, such as an index, may be that of a round, too.
    names = {name for name in (question.key, question.id) if len(name) > len("12345")}
    if any(part.item_id in names for part in item.parts):
        return True
    if item.text.strip():
        # A store may keep who spoke with what was said.
        text = _folded(item.text).removeprefix("user:")
        asked = (_folded(question.stem), _folded(question.text))
        return text in (one.removeprefix("user:") for one in asked)
    return any(source.session_id in names for source in item.sources)


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()
