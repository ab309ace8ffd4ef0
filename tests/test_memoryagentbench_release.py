import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.defects import Defect, Severity
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Gold, Release, Role, RoundKind
from mnemoscope.core.raw import raw_question
from mnemoscope.core.releases.memoryagentbench.history import pieces
from mnemoscope.core.releases.memoryagentbench.reader import MemoryAgentBenchReader
from mnemoscope.core.releases.native.reader import NativeReader, write_release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.sources import Source
from tests.locomo_data import broken_copies, leads_somewhere, source_of, write

OPTIONS = ReadOptions()
FACTS = "\n".join(f"{number}. Bread number {number} costs {number} pence." for number in range(400))


def row(source: str = "factconsolidation_sh_6k") -> dict[str, Any]:
    """A price list with three questions."""
    return {
        "context": FACTS,
        "questions": ["What does bread 3 cost?", "And bread 7?", "Which is dearest?"],
        "answers": [["3 pence", "3p"], "7 pence", ["bread number 399"]],
        "metadata": {
            "qa_pair_ids": ["q_no0", "q_no1", "q_no2"],
            "question_ids": None,
            "question_types": ["single", "single", "all"],
            "question_dates": ["2023/05/30 (Tue) 23:40", None, "2023/05/31 (Wed) 08:00"],
            "previous_events": [["the oven broke"], [], []],
            "keypoints": ["bread is dear"],
            "source": source,
        },
    }


def lines(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    return path


def tree(root: Path) -> Path:
    lines(root / "Conflict_Resolution.jsonl", row(), row("factconsolidation_mh_6k"))
    write(root / "Long_Range_Understanding-00000-of-00001.json", [row("detective_qa")])
    return root


def read_value(tmp_path: Path, data: Any) -> Release:
    return MemoryAgentBenchReader().read(source_of(tmp_path / "rows.json", data), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return open_release(tree(tmp_path / "mab"))


def test_a_release_says_what_it_is(release: Release) -> None:
    assert (release.name, release.format) == ("mab", "memoryagentbench")
    assert release.round_kind is RoundKind.UTTERANCE
    assert list(release.histories) == [
        "Conflict_Resolution/0",
        "Conflict_Resolution/1",
        "Long_Range_Understanding/0",
    ]
    assert (release.counts["sessions"], release.counts["questions"]) == (3, 9)
    assert release.defects == ()


def test_a_long_text_is_one_session_of_pieces_that_join_to_the_text(release: Release) -> None:
    history = release.histories["Conflict_Resolution/0"]
    assert history.name == "factconsolidation_sh_6k"
    (session,) = history.sessions
    assert (session.id, session.date, session.date_text) == ("document", None, "")
    assert [one.id for one in session.rounds][:2] == ["document:1", "document:2"]
    texts = [one.messages[0].text or "" for one in session.rounds]
    assert "".join(texts) == FACTS
    assert len(texts) > 3
    assert all(text.endswith("\n") for text in texts[:-1])
    assert {one.messages[0].role for one in session.rounds} == {Role.OTHER}


@given(st.text(st.sampled_from("ab .\n。x")), st.integers(1, 5_000))
def test_pieces_join_to_the_text_and_are_of_bounded_length(text: str, times: int) -> None:
    whole = text * times
    cut = list(pieces(whole))
    assert "".join(cut) == whole
    assert all(0 < len(piece) <= 4_000 for piece in cut)


def test_questions_go_by_their_place_and_keep_their_ids(release: Release) -> None:
    question = release.questions["Conflict_Resolution/1/2"]
    assert (question.id, question.index, question.history_id) == (
        *("q_no2", 2, "Conflict_Resolution/1"),
    )
    assert (question.form, question.category) == ("all", "factconsolidation_mh_6k")
    assert question.clues == ()


def test_an_answer_is_a_text_or_a_list_of_accepted_ones(release: Release) -> None:
    golds = [one.gold.texts for one in release.questions_by_history["Conflict_Resolution/0"]]
    assert golds == [("3 pence", "3p"), ("7 pence",), ("bread number 399",)]


def test_questions_say_when_they_are_asked_where_they_do(release: Release) -> None:
    asked = [one.asked_at for one in release.questions_by_history["Conflict_Resolution/0"]]
    assert asked == [datetime(2023, 5, 30, 23, 40), None, datetime(2023, 5, 31, 8)]


@pytest.mark.parametrize(
    ("name", "source", "task"),
    [
        ("Accurate_Retrieval.json", "", "accurate_retrieval"),
        ("test-time-learning.json", "ruler_qa1", "test_time_learning"),
        ("rows.json", "eventqa_full", "accurate_retrieval"),
        ("rows.json", "icl_banking77", "test_time_learning"),
        ("rows.json", "infbench_sum_eng", "long_range_understanding"),
        ("rows.json", "factconsolidation_mh_6k", "conflict_resolution"),
        ("rows.json", "", "unknown"),
    ],
)
def test_the_split_is_the_task_by_the_file_s_name_else_by_the_source(
    tmp_path: Path, name: str, source: str, task: str
) -> None:
    release = open_release(write(tmp_path / name, [row(source)]))
    assert {one.task for one in release.questions.values()} == {task}


def test_what_only_the_evaluator_may_see_is_nowhere_else(release: Release) -> None:
    evaluator = release.evaluator
    metadata = evaluator.histories["Conflict_Resolution/0"]["metadata"]
    assert metadata["keypoints"] == ["bread is dear"]
    notes = evaluator.questions["Conflict_Resolution/0/0"]
    assert notes == {"previous_events": ["the oven broke"]}
    shown = repr((release.histories, release.questions))
    assert "dear'" not in shown
    assert "oven" not in shown


def test_the_raw_view_reads_a_question_from_its_line(release: Release) -> None:
    question = release.questions["Conflict_Resolution/1/1"]
    assert question.place == "$[1].questions[1]"
    assert raw_question(release, question).value() == "And bread 7?"


def test_a_release_is_the_same_after_it_is_written_in_our_format(
    tmp_path: Path, release: Release
) -> None:
    write_release(release, tmp_path / "native")
    again = NativeReader().read(Source(tmp_path / "native"), OPTIONS)
    assert (again.counts, again.evaluator) == (release.counts, release.evaluator)
    assert [one.gold for one in again.questions.values()] == [
        one.gold for one in release.questions.values()
    ]


# --- Odd and broken content


@pytest.mark.parametrize("data", [row(), [row()]], ids=["one", "list"])
def test_one_row_and_a_list_of_rows_are_read(tmp_path: Path, data: Any) -> None:
    path = write(tmp_path / "rows.json", data)
    assert format_of(path) == format_of(tmp_path) == "memoryagentbench"
    assert list(open_release(path).histories) == ["rows/0"]


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path / "a" / "rows.json", [row()])
    write(tmp_path / "b" / "rows.json", [row()])
    lines(tmp_path / "b" / "rows.jsonl", row())
    assert list(open_release(tmp_path).histories) == [
        "a/rows/0",
        "b/rows.json/0",
        "b/rows.jsonl/0",
    ]


def test_lists_that_are_not_parallel_are_recorded(tmp_path: Path) -> None:
    data = row()
    data["answers"].pop()
    data["metadata"]["question_types"].append("fourth")
    release = read_value(tmp_path, [data])
    first, second = of_code(release, "parallel_lists")
    assert (first.severity, first.path) == (Severity.ERROR, "$[0]")
    assert (second.severity, second.path) == (Severity.WARNING, "$[0].metadata.question_types")
    assert release.questions["rows/0/2"].gold == Gold.none()


def test_a_question_that_cannot_be_used_moves_no_other(tmp_path: Path) -> None:
    data = row()
    data["questions"][1] = None
    release = read_value(tmp_path, [data])
    assert list(release.questions) == ["rows/0/0", "rows/0/2"]
    assert release.questions["rows/0/2"].gold.texts == ("bread number 399",)


def test_an_empty_answer_is_no_gold_and_a_number_is_read_as_text(tmp_path: Path) -> None:
    data = row()
    data["answers"] = [[], 7, [""]]
    release = read_value(tmp_path, [data])
    assert [one.gold.texts for one in release.questions.values()] == [(), ("7",), ()]
    assert len(of_code(release, "gold_missing")) == 2
    assert of_code(release, "number_for_text")[0].path == "$[0].answers[1]"


def test_a_row_without_text_keeps_its_questions(tmp_path: Path) -> None:
    data = row() | {"context": None}
    release = read_value(tmp_path, [data, row()])
    assert release.histories["rows/0"].sessions == ()
    assert len(release.questions) == 6


def test_a_torn_line_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    path = lines(tmp_path / "Conflict_Resolution.jsonl", row(), row())
    path.write_bytes(path.read_bytes()[:-100])
    release = open_release(path)
    assert list(release.histories) == ["Conflict_Resolution/0"]
    assert of_code(release, "broken_line")[0].severity is Severity.ERROR


def test_a_cut_file_is_one_clear_error(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.json", [row()])
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"rows\.json: line 1 column \d+"):
        open_release(path)


@pytest.mark.parametrize("data", [{"a": 1}, 5, None, "x"])
def test_another_kind_of_file_is_an_error_that_says_what_was_expected(
    tmp_path: Path, data: Any
) -> None:
    with pytest.raises(InputError, match="expected rows with context, questions and answers"):
        open_release(write(tmp_path / "x.json", data), format="memoryagentbench")


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], {}, [1], {"context": "x"}, [{"context": "x", "questions": [], "a": []}]),
        {"context": ["x"], "questions": [], "answers": []},
    ],
)
def test_foreign_shapes_are_not_recognised(tmp_path: Path, data: Any) -> None:
    for path in (write(tmp_path / "x.json", data), lines(tmp_path / "y.jsonl", data)):
        assert not MemoryAgentBenchReader().recognises(Source(path))
    assert not MemoryAgentBenchReader().recognises(Source(tmp_path))


def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path) -> None:
    whole = [row() | {"context": "short"}]
    read_anyway = 0
    for what, broken in broken_copies(whole):
        try:
            release = read_value(tmp_path, broken)
        except InputError:
            continue
        read_anyway += 1
        for defect in release.defects:
            assert leads_somewhere(defect, broken), (what, defect)
            assert len(defect.line()) < 1_000, what
    assert read_anyway > 300


def test_texts_of_ten_megabytes_are_read_like_any_other(tmp_path: Path) -> None:
    long = "D1:1 " * 2_000_000
    data = row() | {"context": long, "questions": [long], "answers": [long]}
    data["metadata"] = {"qa_pair_ids": [long], "question_dates": [long], "source": long}
    release = read_value(tmp_path, [data])
    assert release.counts["rounds"] == 2_500
    assert all(len(one.line()) < 12_000 for one in release.defects)


def test_escape_codes_are_kept_in_the_model_and_escaped_in_defects(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\u202e"
    data = row() | {"context": evil, "questions": [evil], "answers": [[3, evil]]}
    data["metadata"] = {"question_dates": [evil], "source": evil}
    release = read_value(tmp_path, [data])
    assert release.histories["rows/0"].rounds[0].messages[0].text == evil
    assert "\x1b" not in "".join(defect.line() for defect in release.defects)
