"""What runs made of a question, as JSON."""

from collections.abc import Sequence
from dataclasses import asdict

from mnemoscope.core.model import Question, Release, SourceRef, Verdict
from mnemoscope.core.outcomes import outcome, reached_note
from mnemoscope.core.scoring.clue_hits import ClueComparison, ItemHit, clue_hits
from mnemoscope.core.scoring.retrieval_hits import Grain, HitState, coarse_note
from mnemoscope.core.tags.verdicts import PersonalVerdict, personal_verdicts
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Entry, JoinedRun
from mnemoscope.tui.verbs.people_info import people_info
from mnemoscope.tui.verbs.tables import Json

__all__ = ["run_infos"]


def run_infos(
    runs: Sequence[JoinedRun],
    question: Question,
    release: Release,
    tags: WorkspaceTags | None = None,
) -> list[Json]:
    """What runs have of a question: one object for each repeat, or one that says there is none.

    Args:
        runs: The runs.
        question: The question.
        release: The release.
        tags: Everybody's tags; people's verdicts among them stand beside the stored ones.
    """
    answers = [(run, run.by_question.get(question.key, ())) for run in runs]
    note = coarse_note({run.letter: [e.record.retrieval for e in of] for run, of in answers})
    infos: list[Json] = []
    for run, entries in answers:
        infos += [_answered(run, entry, release, note, tags) for entry in entries] or [_absent(run)]
    return infos


def _absent(run: JoinedRun) -> Json:
    return {
        "name": run.name,
        "letter": run.letter,
        "repeat": None,
        **people_info(run),
        "status": "no_record",
        "outcome": outcome(None),
        "answer": None,
        "parsed": None,
        "correct": None,
        "verdicts": [],
        "retrieved": [],
    }


def _answered(
    run: JoinedRun,
    entry: Entry,
    release: Release,
    coarse: str,
    tags: WorkspaceTags | None,
) -> Json:
    record, judgement = entry.record, entry.judgement
    history = release.histories.get(entry.question.history_id)
    found = clue_hits(
        entry.question,
        record,
        used_depth=run.run.used_depth,
        history=history,
        grain=Grain.SESSION if coarse else None,
    )
    return {
        "name": run.name,
        "letter": run.letter,
        "repeat": record.repeat,
        **people_info(run),
        "status": judgement.status.value,
        "detail": record.detail,
        "outcome": outcome(entry),
        "answer": record.answer,
        "parsed": judgement.parsed,
        "parse": judgement.parse,
        "correct": judgement.right if judgement.judged else None,
        "value": judgement.value.value,
        "reason": judgement.reason,
        "stored_right_on_failure": judgement.stored_right_on_failure,
        "reasoning": record.reasoning,
        "cited": list(record.cited),
        "verdicts": [
            *(_verdict(one) for one in record.verdicts),
            *(_of_person(one) for one in (personal_verdicts(tags, run, entry) if tags else ())),
        ],
        "retrieval": _summary(found, record.retrieval.state.value, coarse),
        "clue_hits": [
            {"id": one.clue.id, "unit": one.unit, "rank": one.rank, "hit": one.hit}
            for one in found.clues
        ],
        "retrieved": [_item(one, found.state) for one in found.items],
        "reached": record.reached.as_json() if record.reached and reached_note(record) else None,
        "reached_note": reached_note(record),
        "usage": dict(record.usage),
        "metrics": {one.name: one.value for one in record.metrics},
        "file": record.file,
        "path": record.place,
    }


def _verdict(one: Verdict) -> Json:
    return {
        "judge": one.judge,
        "stage": one.stage,
        "value": one.value.value,
        "score": one.score,
        "reason": one.reason,
    }


def _of_person(one: PersonalVerdict) -> Json:
    return {
        "judge": f"person {one.annotator}",
        "stage": "outdated" if one.outdated else "",
        "value": one.value.value,
        "score": None,
        "reason": one.reason,
    }


def _summary(found: ClueComparison, stored: str, coarse: str) -> Json:
    return {
        "stored": stored,
        "state": found.state.value,
        "grain": found.grain.value,
        "k": found.k,
        "gold": found.counts.gold,
        "found": found.counts.found,
        "recall": found.recall,
        "note": found.note,
        "grain_note": coarse if found.recall is not None else "",
    }


def _item(one: ItemHit, state: HitState) -> Json:
    item = one.item
    sources = [_source_id(source) for source in item.sources]
    return {
        "rank": item.rank,
        "score": item.score,
        "score_kind": item.score_kind,
        "source_ids": list(dict.fromkeys(filter(None, sources))),
        "hit": one.clue if state is HitState.MEASURED else None,
        "used": one.used,
        "lost": one.lost,
        "units": list(one.units),
        "text": item.text,
        "parts": [asdict(part) for part in item.parts],
    }


def _source_id(source: SourceRef) -> str:
    """The finest id that a source names."""
    return source.attachment_id or source.round_id or source.session_id
