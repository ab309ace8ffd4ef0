"""Why a record joins to no question, in a sentence, and with what it was compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from mnemoscope.core.model import Question, Record, Release, Run
from mnemoscope.core.runs.join import (
    JoinReport,
    Unjoined,
    UnjoinedReason,
    folded,
    history_names,
    in_prompt,
    same_text,
)
from mnemoscope.core.text import counted

__all__ = ["WhyUnjoined", "why_unjoined"]

_SIMILAR = 0.6
_NEAREST = 3
_LISTED = 5
_READ = 400
"""How many characters of a text are looked at to say how similar it is."""


@dataclass(frozen=True, slots=True)
class WhyUnjoined:
    """Why one record joins to no question."""

    sentence: str
    compared: tuple[Question, ...] = ()
    """The questions it could have meant: of the same id, of the same text, or else of the most
    similar texts; best first."""
    other: Record | None = None
    """The record that already answers the question; None where that is not the reason."""


def why_unjoined(
    release: Release, run: Run, report: JoinReport, one: Unjoined, *, similar: bool = True
) -> WhyUnjoined:
    """Explain why a record joins to no question.

    Args:
        release: The release.
        run: The run.
        report: How the run joins.
        one: The record.
        similar: Whether to look for questions of similar text, which takes some milliseconds.
    """
    record = run.records[one.record]
    match one.reason:
        case UnjoinedReason.REPEATED:
            return _repeated(release, run, report, record, one)
        case UnjoinedReason.NO_HISTORY:
            return WhyUnjoined(_no_history(release, record))
    asked = _asked(release, record)
    if one.reason is UnjoinedReason.AMBIGUOUS:
        named = _named(asked, record)
        fitting = tuple(q for q in named if same_text(q, record) or in_prompt(q, record))
        text = f"{len(fitting)} questions fit, and nothing in the row tells which of them it means"
        return WhyUnjoined(f"{text}.", fitting)
    if one.reason is UnjoinedReason.TEXT_DIFFERS:
        sentence = f"{_where(record)} asks something else there: the ids agree, the texts do not."
        return WhyUnjoined(sentence, _named(asked, record))
    nearest = _nearest(asked, record.ref.text) if similar else ()
    return WhyUnjoined(_no_question(asked, record), nearest)


def _asked(release: Release, record: Record) -> Sequence[Question]:
    """The questions that the row's history has; all of the release where it names none."""
    history_id = history_names(release).get(record.ref.history)
    if history_id is None:
        return tuple(release.questions.values())
    return release.questions_by_history[history_id]


def _named(asked: Sequence[Question], record: Record) -> tuple[Question, ...]:
    """The questions with the row's id; with its text, where the row has no id."""
    ref = record.ref
    if ref.question:
        return tuple(
            one for one in asked if ref.question in (one.id, one.key) and ref.form in ("", one.form)
        )
    return tuple(one for one in asked if same_text(one, record))


def _where(record: Record) -> str:
    return f"History {record.ref.history}" if record.ref.history else "The release"


def _no_history(release: Release, record: Record) -> str:
    names = list(release.histories)
    listed = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
    has = f"the release has {counted(len(names), 'history', 'histories')}: {listed}"
    if not record.ref.history:
        return f"The row names no history, and no question by an id; {has}."
    return f"The release has no history {record.ref.history!r}; {has}."


def _no_question(asked: Sequence[Question], record: Record) -> str:
    ref, of = record.ref, f"none of its {counted(len(asked), 'question')}"
    if ref.key:
        return f"The release has no question {ref.key!r}."
    if ref.question:
        name = "/".join(filter(None, (ref.form, ref.question)))
        return f"{_where(record)} has no question {name!r}: {of} goes by it."
    if ref.text:
        return f"{_where(record)} asks this nowhere: {of} has this text."
    return f"{_where(record)} has no question at this place, and the row says no text."


def _nearest(asked: Sequence[Question], text: str) -> tuple[Question, ...]:
    """The questions whose texts are most like a text, as far as any is."""
    wanted = folded(text)[:_READ]
    if not wanted:
        return ()
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    found: list[tuple[float, Question]] = []
    for one in asked:
        matcher.set_seq1(folded(one.stem)[:_READ])
        # The two quick ones are never lower than the ratio itself.
        if matcher.real_quick_ratio() >= _SIMILAR and matcher.quick_ratio() >= _SIMILAR:
            ratio = matcher.ratio()
            if ratio >= _SIMILAR:
                found.append((ratio, one))
    found.sort(key=lambda pair: -pair[0])
    return tuple(one for _, one in found[:_NEAREST])


def _repeated(
    release: Release, run: Run, report: JoinReport, record: Record, one: Unjoined
) -> WhyUnjoined:
    key = one.detail
    if key not in release.questions:
        named = _named(_asked(release, record), record)
        key = named[0].key if named else ""
    other = next(
        (
            run.records[index]
            for index, joined in enumerate(report.keys)
            if joined == key and run.records[index].repeat == record.repeat
        ),
        None,
    )
    at = f": {other.file}, {other.place}" if other is not None else ""
    sentence = f"Another row already answers this question in the same repeat{at}."
    return WhyUnjoined(sentence, (release.questions[key],) if key else (), other)
