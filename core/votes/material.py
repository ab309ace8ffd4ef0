"""What a judge model is told of an answer: everything that a person who tags it can see.

A judge may see what only the evaluator may. It is not told which system answered.
"""

import json
from collections.abc import Iterator

from mnemoscope.core.clue_text import clue_text, round_text
from mnemoscope.core.model import Clue, ClueTarget, RetrievalState, Textualisation
from mnemoscope.core.scoring.clue_hits import ItemHit
from mnemoscope.core.suggestions.case import Case

__all__ = ["material"]

_CLUE = 2_000
_ITEM = 800
_ITEMS = 30
_ANSWER = 4_000
"""The longest text of each kind, in characters, and the most items; what is cut is said."""


def material(case: Case) -> str:
    """Question, gold, evidence, what was brought back, and the answer, as one text."""
    parts = (_question(case), _gold(case), _evidence(case), _brought(case), _answer(case))
    return "\n\n".join("\n".join(part) for part in parts)


def _question(case: Case) -> Iterator[str]:
    question = case.question
    asked = f" (asked {question.asked_at:%Y-%m-%d})" if question.asked_at else ""
    yield f"# Question{asked}"
    yield question.stem
    for one in question.attachments:
        yield f"[{one.kind} that is part of the question] {one.caption(case.sent.of(one.kind))}"
    for option in question.options:
        yield f"{option.label}. {case.option_text(option.label)}"
    if question.has_false_premise:
        yield "What the question takes for granted is not so: saying so or declining is right."
    elif not question.answerable:
        yield "The history does not say: declining is the right behaviour."


def _gold(case: Case) -> Iterator[str]:
    gold, label = case.question.gold, case.question.gold.option
    yield "# Right answer"
    yield f"{label}. {case.gold_text}" if label else str(gold)
    known = case.workspace.release.evaluator.questions.get(case.question.key)
    if known:
        yield "What only the evaluator knows about the question:"
        yield _cut(json.dumps(known, ensure_ascii=False, default=str), _CLUE)


def _evidence(case: Case) -> Iterator[str]:
    yield "# Evidence in the history"
    if not case.question.clues:
        yield "The release names none."
    richest = _richest(case)
    for clue in case.question.clues:
        yield f"## {clue.written}{_dated(case, clue.session_id)}"
        if not clue.resolved:
            yield "It leads nowhere in the history."
            continue
        sent = _clue_text(case, clue, case.sent)
        yield _cut(sent, _CLUE)
        full = _clue_text(case, clue, richest)
        if full != sent:
            yield "The same with the richest captions, which the memory was not given:"
            yield _cut(full, _CLUE)


def _richest(case: Case) -> Textualisation:
    release, sent = case.workspace.release, case.sent
    image = release.image_variants[-1:] or [sent.image]
    audio = release.audio_variants[-1:] or [sent.audio]
    return Textualisation(image[0], audio[0])


def _clue_text(case: Case, clue: Clue, textualisation: Textualisation) -> str:
    if clue.target in (ClueTarget.IMAGE, ClueTarget.AUDIO):
        return case.clue_text(clue, textualisation)  # with the round around it
    return clue_text(case.workspace.release, case.question, clue, textualisation)


def _dated(case: Case, session_id: str) -> str:
    session = case.history.session_by_id.get(session_id) if case.history else None
    said = session.date_text if session else ""
    return f" ({said})" if said else ""


def _brought(case: Case) -> Iterator[str]:
    yield "# What the memory brought back for the question"
    match case.record.retrieval.state:
        case RetrievalState.WHOLE_HISTORY:
            yield "The whole history was sent; nothing was left out."
            return
        case RetrievalState.NOT_STORED:
            yield "The run does not say."
            return
    items = [one for one in case.retrieval.items if one.used]
    if not items:
        yield "Nothing."
    for one in items[:_ITEMS]:
        mark = " (evidence)" if one.clue else ""
        yield f"## {one.item.rank}{mark} {' '.join(one.units)}{_item_date(case, one)}".rstrip()
        yield _cut(_item_text(case, one), _ITEM)
    if len(items) > _ITEMS:
        yield f"… and {len(items) - _ITEMS} more"


def _item_date(case: Case, one: ItemHit) -> str:
    """When the session was that an item comes from; of several, the first."""
    unit = next(iter(one.units), "")
    found = case.history.round_by_id.get(unit) if case.history else None
    return _dated(case, found.session_id if found else unit)


def _item_text(case: Case, one: ItemHit) -> str:
    if one.item.text:
        return one.item.text
    rounds = case.history.round_by_id if case.history else {}
    texts = (
        round_text(rounds[source.round_id], case.sent)
        for source in one.item.sources
        if source.round_id in rounds
    )
    return "\n".join(texts) or "(the run stores no text)"


def _answer(case: Case) -> Iterator[str]:
    record, judgement = case.record, case.entry.judgement
    yield f"# The assistant's answer, which was judged {judgement.value.replace('_', ' ')}"
    yield _cut(record.answer, _ANSWER) or "(blank)"
    if judgement.parsed and judgement.parsed != record.answer.strip():
        yield f"Read as option {judgement.parsed}."
    if record.detail:
        yield f"Status: {judgement.status}, {record.detail}"
    if record.reasoning:
        yield "## Its reasoning"
        yield _cut(record.reasoning, _ANSWER)
    if record.cited:
        yield f"## What it says it relies on\n{', '.join(record.cited)}"


def _cut(text: str, longest: int) -> str:
    left = len(text) - longest
    return text if left <= 0 else f"{text[:longest]}… ({left} more characters)"
