"""Answers as a run: in the form of CUE-Mem's human baseline, else in our own."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from mnemoscope import __version__
from mnemoscope.core.answers.book import AnswerBook
from mnemoscope.core.answers.views import View
from mnemoscope.core.model import (
    GoldKind,
    Question,
    QuestionRef,
    Record,
    RecordStatus,
    Release,
    Run,
    Value,
    Verdict,
)
from mnemoscope.core.runs.native.writer import write_run
from mnemoscope.core.writing import cannot_write, json_bytes, replace_file, slug

__all__ = ["Written", "answer_run", "begun_histories", "write_submissions"]

_CUE_MEM = "cue-mem"
_UNSAFE = re.compile(r"[^0-9A-Za-z._-]+")
_UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class Written:
    """A submission that is there now."""

    path: Path
    """The file of the benchmark's own form, or the folder of a native run."""
    form: str
    """``cue-mem-human`` or ``native``."""
    participant: str
    view: View
    histories: tuple[str, ...]
    answered: int
    total: int
    was_there: bool
    """Whether the very same submission had been written before."""


def begun_histories(release: Release, book: AnswerBook, view: View) -> list[str]:
    """Histories of which the participant has looked at a question in a view, or finished all."""
    return [
        history
        for history, questions in release.questions_by_history.items()
        if book.finished(view, history) is not None or book.begun(view, questions)
    ]


def answer_run(
    release: Release, book: AnswerBook, view: View, histories: Collection[str]
) -> tuple[Run, list[str]]:
    """A participant's answers in a view as a run, with the question's key of each record.

    The choice of an option is right or wrong as the release's gold says; a typed answer is not
    judged. Questions without an answer are records that were not run.
    """
    questions = _questions(release, histories)
    records = [_record(question, book, view) for question in questions]
    shown = {given.textualisation for given in (book.given(view, q.key) for q in questions)}
    captions = next(iter(shown - {None}), None) if len(shown - {None}) == 1 else None
    parameters = {"participant": book.participant, "view": view.value}
    return Run(
        name=f"human {view.value} {book.participant}",
        format="native",
        root=Path(),
        files=(),
        records=tuple(records),
        system=f"human {view.value}",
        textualisation=captions,
        parameters=parameters,
        rule="stored",
        notes=("A person answered in mnemoscope.",),
    ), [question.key for question in questions]


def write_submissions(
    release: Release, book: AnswerBook, view: View, histories: Collection[str], out: Path
) -> list[Written]:
    """Write a participant's answers in a view: a file a history for CUE-Mem, else one native run.

    A submission is named after the time of the last event, so the same answers are written once.

    Args:
        release: The release.
        book: What the participant answered.
        view: The view.
        histories: Whose questions are handed in; those not answered count as wrong in the
            benchmark's form, as there.
        out: The folder to write below; it is made if need be.

    Raises:
        InputError: The file system refuses.
    """
    if release.format == _CUE_MEM:
        return [_write_cue_mem(release, book, view, history, out) for history in histories]
    return [_write_native(release, book, view, histories, out)]


def _write_cue_mem(
    release: Release, book: AnswerBook, view: View, history: str, out: Path
) -> Written:
    time = _time_of(book, view, [history])
    data = _cue_mem_json(release, book, view, history, time)
    name = f"{int(time.timestamp())}_{_UNSAFE.sub('_', book.participant)}.json"
    folder = out / slug(history, set(), fallback="history") / view.value
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error
    was_there = path.exists()
    if not was_there:
        replace_file(path, json_bytes(data, indent=2))
    return Written(
        path,
        "cue-mem-human",
        book.participant,
        view,
        (history,),
        data["answered"],
        data["total"],
        was_there,
    )


def _cue_mem_json(
    release: Release, book: AnswerBook, view: View, history: str, time: datetime
) -> dict[str, Any]:
    details = [_detail(one, book, view) for one in release.questions_by_history[history]]
    total = len(details)
    answered = sum(one["answered"] for one in details)
    correct = sum(one["correct"] for one in details)
    return {
        "participant": book.participant,
        "variant": view.value,
        "profile": history,
        "submitted_at": f"{time:%Y-%m-%d %H:%M:%S}",
        "data_file": PurePosixPath(release.histories[history].file).name,
        "total": total,
        "answered": answered,
        "correct": correct,
        "accuracy": _percent(correct, total),
        "answered_accuracy": _percent(correct, answered),
        "details": details,
        "tool": f"mnemoscope {__version__}",
    }


def _detail(question: Question, book: AnswerBook, view: View) -> dict[str, Any]:
    given = book.given(view, question.key)
    kind = question.labels.get("qa_type", "")
    return {
        "key": f"{question.id}::{question.form}::{kind}",
        "qa_id": question.id,
        "point": question.form,
        "qa_type": kind,
        "category": question.category,
        "gold": question.gold.option,
        "answer": given.answer,
        "answered": bool(given.answer),
        "correct": bool(given.answer) and given.answer == question.gold.option,
        "seconds": round(given.seconds, 1),
    }


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _write_native(
    release: Release, book: AnswerBook, view: View, histories: Collection[str], out: Path
) -> Written:
    run, keys = answer_run(release, book, view, histories)
    time = _time_of(book, view, histories)
    name = f"{int(time.timestamp())}_{slug(book.participant, set(), fallback='participant')}"
    path = out / view.value / name
    was_there = path.exists()
    if not was_there:
        write_run(run, keys, path, release=release)
    answered = sum(record.status is RecordStatus.OK for record in run.records)
    return Written(
        path,
        "native",
        book.participant,
        view,
        tuple(histories),
        answered,
        len(keys),
        was_there,
    )


def _time_of(book: AnswerBook, view: View, histories: Collection[str]) -> datetime:
    """When all of some histories were finished; the last event while one is not."""
    times = [book.finished(view, history) for history in histories]
    done = [time for time in times if time is not None]
    if done and len(done) == len(times):
        return max(done).astimezone(UTC)
    return (book.last.time if book.last else datetime.now(UTC)).astimezone(UTC)


def _questions(release: Release, histories: Collection[str]) -> Sequence[Question]:
    return [one for history in histories for one in release.questions_by_history[history]]


def _record(question: Question, book: AnswerBook, view: View) -> Record:
    given = book.given(view, question.key)
    status = RecordStatus.OK if given.answer else RecordStatus.NOT_RUN
    return Record(
        QuestionRef(key=question.key),
        status,
        given.answer,
        file="",
        place="",
        detail="" if given.answer else _UNANSWERED,
        parsed=given.answer if question.options else "",
        verdicts=tuple(_verdicts(question, given.answer)),
        usage={"seconds": round(given.seconds, 1)},
    )


def _verdicts(question: Question, answer: str) -> Iterator[Verdict]:
    if answer and question.gold.kind is GoldKind.OPTION:
        right = answer == question.gold.option
        yield Verdict("stored", Value.RIGHT if right else Value.WRONG)
