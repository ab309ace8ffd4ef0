"""Joining rows that name only a question, and rows that are known by their places."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.core.model import QuestionRef, StoredMetric
from mnemoscope.core.runs.join import JoinReport, join
from mnemoscope.core.runs.part import RunIdentity, RunPart, assemble
from tests.workspace_data import a_question, a_record, a_release, a_run

QUESTIONS = (
    a_question("ann/q1", text="Where does Ann live?"),
    a_question("ann/q2", text="What does she bake?"),
    a_question("bob/q2", text="What does he bake?"),
    a_question("bob/q3", text="Which bird is shown?"),
    a_question("bob/q4", text="Which bird is shown?"),
    a_question("bob/q5", text="When did he leave?"),
)


def joined(refs: Sequence[QuestionRef]) -> JoinReport:
    records = [replace(a_record(""), ref=ref) for ref in refs]
    return join(a_release(QUESTIONS), a_run("one", records))


def by_id(question: str, text: str = "") -> QuestionRef:
    return QuestionRef(question=question, text=text)


@pytest.mark.parametrize(
    ("ref", "key", "reason"),
    [
        (by_id("q1"), "ann/q1", ""),
        (by_id("ann/q2"), "ann/q2", ""),
        (by_id("q1", "where does ANN live?"), "ann/q1", ""),
        (by_id("q1", "Long context.\n\nWhere does Ann live?\nAnswer:"), "ann/q1", ""),
        (by_id("q2", "What does he bake?"), "bob/q2", ""),
        (by_id("q2"), None, "ambiguous"),
        (by_id("q1", "What does she bake?"), None, "text_differs"),
        (by_id("ann/q1", "What does she bake?"), None, "text_differs"),
        (by_id("q9"), None, "no_question"),
        (QuestionRef(), None, "no_history"),
    ],
)
def test_a_row_without_history_joins_by_an_id_that_only_one_question_has(
    ref: QuestionRef, key: str | None, reason: str
) -> None:
    report = joined([ref])
    assert report.keys == (key,)
    assert [one.reason for one in report.unjoined] == ([reason] if reason else [])


def places(*texts: str) -> list[QuestionRef]:
    return [QuestionRef(history="bob", position=at, text=text) for at, text in enumerate(texts)]


def test_rows_that_all_stand_at_their_questions_places_are_told_apart_by_them() -> None:
    texts = [one.stem for one in QUESTIONS if one.history_id == "bob"]
    assert joined(places(*texts)).keys == ("bob/q2", "bob/q3", "bob/q4", "bob/q5")
    assert joined(places(*texts[:2])).keys == ("bob/q2", "bob/q3")


def test_one_foreign_row_does_not_make_its_neighbours_ambiguous() -> None:
    report = joined(places("What does he bake?", "Which bird is shown?", "?", "When did he leave?"))
    assert report.keys == ("bob/q2", "bob/q3", None, "bob/q5")


def test_where_a_row_was_left_out_equal_questions_stay_ambiguous() -> None:
    report = joined(places("What does he bake?", "Which bird is shown?", "When did he leave?"))
    assert report.keys == ("bob/q2", None, "bob/q5")
    assert report.ambiguous == 1


def test_figures_of_a_companion_file_go_to_the_rows_at_their_places() -> None:
    identity = RunIdentity("x", "g", "s")
    records = tuple(
        replace(a_record(""), ref=ref, metrics=(StoredMetric("a", 0.0),))
        for ref in places("one", "two")
    )
    figures = ((StoredMetric("f1", 0.5),), (StoredMetric("f1", 1.0),))
    companion = RunPart(identity, row_metrics={"bob": figures, "ann": figures}, place="$.f1")
    parts = [("r_eval.json", companion), ("r.json", RunPart(identity, records))]
    (run,) = assemble(parts, Path())
    assert [[one.name for one in record.metrics] for record in run.records] == [["a", "f1"]] * 2
    assert [record.metrics[1].value for record in run.records] == [0.5, 1.0]
    assert run.defects == ()


def test_figures_of_more_rows_than_there_are_belong_to_none() -> None:
    identity = RunIdentity("x", "g", "s")
    records = tuple(replace(a_record(""), ref=ref) for ref in places("one"))
    figures = ((StoredMetric("f1", 0.5),),) * 2
    companion = RunPart(identity, row_metrics={"bob": figures}, place="$.f1")
    parts = [("r_eval.json", companion), ("r.json", RunPart(identity, records))]
    (run,) = assemble(parts, Path())
    assert run.records[0].metrics == ()
    (defect,) = run.defects
    assert (defect.code, defect.file, defect.path) == (
        *("row_metrics_unmatched", "r_eval.json", "$.f1"),
    )
