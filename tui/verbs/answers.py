"""``mnemoscope answers``: what people answered, handed in as runs, and what they are shown."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.answers.views import View, view_named, why_not
from mnemoscope.core.errors import UsageError
from mnemoscope.tui import console
from mnemoscope.tui.verbs import answers_lines
from mnemoscope.tui.verbs.options import (
    PATH,
    Flags,
    chosen_textualisation,
    json_flag,
    reading,
)
from mnemoscope.tui.verbs.tables import Json

if TYPE_CHECKING:
    from mnemoscope.analyses.answer_summary import AnswerSummary
    from mnemoscope.core.answers.store import Answers
    from mnemoscope.core.model import Release

__all__ = ["command", "export", "list_", "show"]

_SHARED = ("answers", "format", "media_root")
_VIEWS = [view.value for view in View]


@click.group("answers")
def command() -> None:
    """List and hand in what people answered in the app, and show what they are shown."""


_participant = click.option("--participant", metavar="NAME", default="", help="Only this person.")
_view = click.option("--view", "name", type=click.Choice(_VIEWS), help="Only this view.")
_history = click.option("--history", metavar="ID", default="", help="Only this history.")


@command.command("list")
@click.argument("release", type=PATH)
@_participant
@_view
@_history
@click.option("--results", is_flag=True, help="Accuracy also of what is not finished.")
@reading(*_SHARED)
@json_flag
def list_(
    release: Path,
    participant: str,
    name: str | None,
    history: str,
    results: bool,
    flags: Flags,
    as_json: bool,
) -> None:
    """Say who answered what: coverage, time per question, accuracy of what is finished."""
    opened, answers = _read(release, flags)
    found = _summaries(opened, answers, participant, name, history, results)
    data: Json = {
        "release": opened.name,
        "folder": str(answers.folder),
        "answers": [_summary(one) for one in found],
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(answers_lines.listed(data))


@command.command("export")
@click.argument("release", type=PATH)
@click.option("--out", type=PATH, required=True, help="The folder to write submissions below.")
@_participant
@_view
@_history
@reading(*_SHARED)
@json_flag
def export(
    release: Path,
    out: Path,
    participant: str,
    name: str | None,
    history: str,
    flags: Flags,
    as_json: bool,
) -> None:
    """Write submissions, finished or not, that open as runs.

    CUE-Mem gets the files of its human baseline, any other release native runs. Both hold gold.
    """
    from mnemoscope.core.answers.submission import write_submissions

    opened, answers = _read(release, flags)
    chosen: dict[tuple[str, View], list[str]] = {}
    for one in _summaries(opened, answers, participant, name, history, False):
        chosen.setdefault((one.participant, one.view), []).extend(one.histories)
    written = [
        found
        for (person, view), histories in chosen.items()
        for found in write_submissions(opened, answers.books[person], view, histories, out)
    ]
    data: Json = {
        "release": opened.name,
        "submissions": [
            {
                "path": str(one.path),
                "form": one.form,
                "participant": one.participant,
                "view": one.view.value,
                "histories": list(one.histories),
                "answered": one.answered,
                "total": one.total,
                "was_there": one.was_there,
            }
            for one in written
        ],
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(answers_lines.exported(data))


@command.command("show")
@click.argument("release", type=PATH)
@click.option(
    "--view",
    "name",
    type=click.Choice(_VIEWS),
    default=View.FULL_TEXT.value,
    show_default=True,
    help="What is shown of the history.",
)
@click.option("--history", metavar="ID", default="", help="The history; the first otherwise.")
@click.option(
    "--number", type=click.IntRange(min=1), default=1, show_default=True, help="The question."
)
@reading(*_SHARED, "textualisation")
@json_flag
def show(release: Path, name: str, history: str, number: int, flags: Flags, as_json: bool) -> None:
    """Show what a person sees who answers a question: no gold, no ids, nothing evaluator-only."""
    from mnemoscope.core.answers.sheet import SheetMaker, sheet_json

    opened = flags.open(release).release
    (history,) = _histories(opened, history)[:1]
    view = View(name)
    problem = why_not(opened, view, [history])
    if problem:
        raise UsageError(f"{view.label} makes no sense here: {problem}")
    questions = opened.questions_by_history[history]
    if number > len(questions):
        raise UsageError(f"{history} has {len(questions)} questions, found --number {number}")
    maker = SheetMaker(opened, view, chosen_textualisation(flags, opened))
    data: Json = {
        "release": opened.name,
        "view": view.value,
        "history": history,
        "number": number,
        "of": len(questions),
        **sheet_json(maker, questions[number - 1]),
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(answers_lines.sheet(data))


def _read(path: Path, flags: Flags) -> "tuple[Release, Answers]":
    from mnemoscope.core.answers.store import load_answers

    release = flags.open(path).release
    answers = load_answers(release, flags.answers)
    for defect in answers.defects:
        console.talk(defect.line())
    if answers.elsewhere:
        console.talk(f"note: {answers.elsewhere} answers about another version of this release")
    return release, answers


def _summaries(
    release: "Release",
    answers: "Answers",
    participant: str,
    name: str | None,
    history: str,
    results: bool,
) -> "Sequence[AnswerSummary]":
    """What was answered of each history, by participant and view."""
    from mnemoscope.analyses.answer_summary import answer_summary
    from mnemoscope.core.answers.submission import begun_histories

    if participant and participant not in answers.books:
        known = ", ".join(answers.books) or "nobody"
        raise UsageError(f"{participant!r} has answered nothing here; {known} has")
    wanted = set(_histories(release, history))
    view = view_named(name or "")
    return [
        answer_summary(release, book, one, [begun], results=results or None)
        for book in answers.books.values()
        if participant in ("", book.participant)
        for one in book.views
        if view in (None, one)
        for begun in begun_histories(release, book, one)
        if begun in wanted
    ]


def _histories(release: "Release", history: str) -> Sequence[str]:
    if history and history not in release.histories:
        known = ", ".join(list(release.histories)[:4])
        raise UsageError(f"no history {history!r}; there are: {known}")
    found = [history] if history else list(release.histories)
    if not found:
        raise UsageError("the release has no histories")
    return found


def _summary(one: "AnswerSummary") -> Json:
    return {
        "participant": one.participant,
        "view": one.view.value,
        "history": one.histories[0],
        "answered": one.answered,
        "total": one.total,
        "finished": one.finished,
        "seconds": round(one.seconds, 1),
        "median_seconds": one.median_seconds.as_json(),
        "mean_seconds": one.mean_seconds.as_json(),
        "results": None
        if one.score is None
        else {
            "accuracy": one.score.accuracy.as_json(),
            "cells": [
                {"task": cell.task, "setting": cell.setting, **cell.tally.accuracy.as_json()}
                for cell in one.score.cells
                if cell.n_release
            ],
        },
    }
