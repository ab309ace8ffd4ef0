"""Why a record joins to no question: the sentence, and what it was compared with."""

import pytest

from mnemoscope.core.model import Question, QuestionRef, Record, RecordStatus
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.unjoined import WhyUnjoined, why_unjoined
from tests.workspace_data import a_question, a_release, a_run

QUESTIONS: list[Question] = [
    a_question("p0/q1", text="What does Ann bake on Sundays?"),
    a_question("p0/q2", text="Where is the blue lamp?"),
    a_question("p0/q3", text="Where is the blue lamp?"),
    a_question("p1/q1", text="Which bird does Bo hear?"),
]
RELEASE = a_release(QUESTIONS)


def why(*refs: QuestionRef, similar: bool = True) -> WhyUnjoined:
    """Why the last of some rows joins to nothing."""
    records = [
        Record(ref, RecordStatus.OK, "A", "run.json", f"$[{place}]")
        for place, ref in enumerate(refs)
    ]
    run = a_run("one", records)
    report = join(RELEASE, run)
    assert report.unjoined[-1].record == len(refs) - 1
    return why_unjoined(RELEASE, run, report, report.unjoined[-1], similar=similar)


@pytest.mark.parametrize(
    ("ref", "sentence", "compared"),
    [
        (
            QuestionRef(history="p7", question="q1"),
            "The release has no history 'p7'; the release has 2 histories: p0, p1.",
            [],
        ),
        (
            QuestionRef(category="1"),
            "The row names no history, and no question by an id; the release has 2 histories: "
            "p0, p1.",
            [],
        ),
        (QuestionRef(key="p0/q9"), "The release has no question 'p0/q9'.", []),
        (
            QuestionRef(history="p0", question="q9", text="What does Ann bake on Sunday?"),
            "History p0 has no question 'q9': none of its 3 questions goes by it.",
            ["p0/q1"],
        ),
        (
            QuestionRef(history="p0", text="Where is that blue lamp?"),
            "History p0 asks this nowhere: none of its 3 questions has this text.",
            ["p0/q2", "p0/q3"],
        ),
        (
            QuestionRef(history="p0", question="q1", text="Which bird does Bo hear?"),
            "History p0 asks something else there: the ids agree, the texts do not.",
            ["p0/q1"],
        ),
        (
            QuestionRef(history="p0", text="Where is the blue lamp?"),
            "2 questions fit, and nothing in the row tells which of them it means.",
            ["p0/q2", "p0/q3"],
        ),
        (
            QuestionRef(question="q1"),
            "2 questions fit, and nothing in the row tells which of them it means.",
            ["p0/q1", "p1/q1"],
        ),
    ],
)
def test_the_reason_is_a_sentence_with_what_the_row_was_compared_with(
    ref: QuestionRef, sentence: str, compared: list[str]
) -> None:
    found = why(ref)
    assert found.sentence == sentence
    assert [question.key for question in found.compared] == compared


def test_a_second_answer_names_the_row_that_came_first() -> None:
    ref = QuestionRef(history="p0", question="q1")
    found = why(ref, ref)
    assert found.sentence.endswith("in the same repeat: run.json, $[0].")
    assert [question.key for question in found.compared] == ["p0/q1"]
    assert found.other is not None
    assert found.other.place == "$[0]"


def test_similar_texts_are_looked_for_only_when_asked() -> None:
    ref = QuestionRef(history="p0", text="Where is that blue lamp?")
    assert not why(ref, similar=False).compared
    assert not why(QuestionRef(history="p0", text="Completely other words, nothing alike")).compared
