import copy
import gzip
import json
from collections import Counter
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.blind import blind
from mnemoscope.core.defects import Defect, Severity, count_by_severity
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import ClueProblem, ClueTarget, GoldKind, Release, Role, RoundKind
from mnemoscope.core.raw import raw_question, raw_round
from mnemoscope.core.releases.longmemeval.reader import LongMemEvalReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.sources import Source
from tests.locomo_data import COUNTS, DATA, broken_copies, leads_somewhere, source_of, write
from tests.longmemeval_data import (
    AMB,
    FOLDER,
    ORACLE,
    QUERIES,
    SINGLE,
    abstention,
    document,
    instance,
    needs_data,
    query,
    turn,
)

OPTIONS = ReadOptions()
EVIL = "\x1b]0;owned\x07\u202e"


def read(path: Path) -> Release:
    return LongMemEvalReader().read(Source(path), OPTIONS)


def read_value(tmp_path: Path, data: Any) -> Release:
    return LongMemEvalReader().read(source_of(tmp_path / "longmemeval_s.json", data), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return read_value(tmp_path, [instance(), abstention()])


# --- What is read


def test_a_release_says_what_it_is(release: Release) -> None:
    assert release.name == "longmemeval_s"
    assert release.format == "longmemeval"
    assert release.round_kind is RoundKind.UTTERANCE
    assert release.licence == "MIT"
    assert release.counts == {
        **{"histories": 2, "sessions": 5, "rounds": 11, "questions": 2},
        **{"images": 0, "audio": 0},
    }


def test_every_instance_is_a_history_with_one_question(release: Release) -> None:
    assert list(release.histories) == ["ab12", "gpt4_c0de_abs"]
    assert list(release.questions) == ["ab12/0", "gpt4_c0de_abs/0"]
    question = release.questions["ab12/0"]
    assert (question.id, question.history_id, question.place) == ("ab12", "ab12", "$[0]")
    assert question.text == question.stem == "Which roses did I plant?"
    assert question.gold.texts == ("Damask roses",)
    assert question.asked_at == datetime(2023, 5, 30, 23, 40)
    assert question.visible_until == ""


def test_three_parallel_lists_are_the_sessions(release: Release) -> None:
    sessions = release.histories["ab12"].sessions
    assert [one.id for one in sessions] == ["sharegpt_q1_0", "answer_77", "85a1be56_1"]
    assert sessions[0].date == datetime(2023, 5, 20, 2, 21)
    assert sessions[0].date_text == "2023/05/20 (Sat) 02:21"
    assert [len(one.rounds) for one in sessions] == [2, 3, 2]
    assert sessions[1].place == "$[0].haystack_sessions[1]"


def test_a_turn_is_a_round_named_by_its_session_and_place(release: Release) -> None:
    rounds = release.histories["ab12"].rounds
    assert [one.index for one in rounds] == list(range(7))
    assert rounds[3].id == "answer_77:1"
    assert rounds[3].place == "$[0].haystack_sessions[1][1]"
    (message,) = rounds[3].messages
    assert (message.speaker, message.role) == ("user", Role.USER)


def test_a_session_that_begins_with_the_assistant_and_has_odd_turns_is_read_as_it_is(
    release: Release,
) -> None:
    session = release.histories["ab12"].session_by_id["answer_77"]
    roles = [one.messages[0].role for one in session.rounds]
    assert roles == [Role.ASSISTANT, Role.USER, Role.ASSISTANT]


def test_tasks_go_by_the_question_type_and_state_how_many_there_are(release: Release) -> None:
    assert [one.task for one in release.questions.values()] == [
        *("single_session_user", "temporal_reasoning")
    ]
    assert [one.category for one in release.questions.values()] == [
        *("single-session-user", "temporal-reasoning")
    ]
    assert sum(label.expected or 0 for label in release.tasks) == 500


def test_an_id_that_ends_in_abs_makes_the_question_one_to_decline_whatever_its_type(
    release: Release,
) -> None:
    plain, refused = release.questions.values()
    assert (plain.answerable, refused.answerable) == (True, False)
    assert refused.task == "temporal_reasoning"
    assert refused.gold.texts[0].startswith("The information provided is not enough.")


def test_a_number_for_an_answer_is_read_as_text_and_recorded(tmp_path: Path) -> None:
    release = read_value(tmp_path, [instance(answer=3)])
    assert release.questions["ab12/0"].gold.texts == ("3",)
    (defect,) = of_code(release, "number_for_text")
    assert (defect.severity, defect.path) == (Severity.REPAIRED, "$[0].answer")


@pytest.mark.parametrize("answer", [None, "", "  ", []])
def test_a_question_without_answer_has_no_gold_and_says_so(tmp_path: Path, answer: Any) -> None:
    release = read_value(tmp_path, [instance(answer=answer)])
    assert release.questions["ab12/0"].gold.kind is GoldKind.NONE
    assert of_code(release, "gold_missing")[0].path == "$[0].answer"


# --- Evidence


def test_gold_is_the_named_sessions_each_followed_by_its_marked_turns(release: Release) -> None:
    clues = release.questions["ab12/0"].clues
    assert [(clue.target, clue.id, clue.round_id, clue.session_id) for clue in clues] == [
        (ClueTarget.SESSION, "answer_77", "", "answer_77"),
        (ClueTarget.ROUND, "answer_77:1", "answer_77:1", "answer_77"),
    ]
    assert clues[0].place == "$[0].answer_session_ids[0]"
    assert clues[1].place == "$[0].haystack_sessions[1][1].has_answer"


def test_an_evidence_session_without_a_true_turn_is_a_clue_all_the_same(release: Release) -> None:
    question = release.questions["gpt4_c0de_abs/0"]
    assert question.evidence_sessions == ("answer_31_abs_1", "answer_31_abs_2")
    assert question.evidence_rounds == ("answer_31_abs_1:0",)


def test_has_answer_that_is_absent_or_false_is_no_clue(release: Release) -> None:
    (question, _) = release.questions.values()
    assert question.evidence_rounds == ("answer_77:1",)


def test_has_answer_is_nowhere_but_in_the_evaluators_data(release: Release) -> None:
    assert release.evaluator.rounds == {
        ("ab12", "answer_77:1"): {"has_answer": True},
        ("ab12", "answer_77:2"): {"has_answer": False},
        ("gpt4_c0de_abs", "answer_31_abs_1:0"): {"has_answer": True},
        ("gpt4_c0de_abs", "answer_31_abs_2:0"): {"has_answer": False},
    }
    assert "has_answer" not in repr(release.histories)


def test_a_true_turn_outside_the_named_sessions_is_kept_and_reported(tmp_path: Path) -> None:
    one = instance()
    one["haystack_sessions"][0][0]["has_answer"] = True
    release = read_value(tmp_path, [one])
    assert release.questions["ab12/0"].evidence_rounds == ("answer_77:1", "sharegpt_q1_0:0")
    (defect,) = of_code(release, "mark_outside_evidence")
    assert defect.path == "$[0].haystack_sessions[0][0].has_answer"


def test_an_evidence_session_that_is_not_there_is_kept_unresolved(tmp_path: Path) -> None:
    release = read_value(tmp_path, [instance(answer_session_ids=["answer_99"])])
    clue = release.questions["ab12/0"].clues[0]
    assert (clue.id, clue.problem, clue.resolved) == ("answer_99", ClueProblem.UNKNOWN_ID, False)
    (defect,) = of_code(release, "clue_unknown_id")
    assert (defect.severity, defect.path) == (Severity.WARNING, "$[0].answer_session_ids[0]")


def test_no_list_of_evidence_sessions_is_a_warning(tmp_path: Path) -> None:
    one = instance()
    del one["answer_session_ids"]
    release = read_value(tmp_path, [one])
    assert release.questions["ab12/0"].evidence_sessions == ("answer_77",)
    assert of_code(release, "evidence_missing")[0].path == "$[0].answer_session_ids"


def test_that_session_ids_alone_tell_the_evidence_is_said_once(release: Release) -> None:
    (defect,) = of_code(release, "id_tells_evidence")
    assert (defect.severity, defect.path) == (Severity.WARNING, "$[0].answer_session_ids[0]")


def test_session_ids_that_tell_nothing_are_not_reported(tmp_path: Path) -> None:
    one = instance(answer_session_ids=["85a1be56_1"])
    assert not of_code(read_value(tmp_path, [one]), "id_tells_evidence")


def test_a_blind_history_has_no_id_that_gives_the_gold_away(release: Release) -> None:
    hidden = blind(release.histories["gpt4_c0de_abs"])
    shown = repr(hidden.history)
    assert "answer_" not in shown
    assert "abs" not in shown
    assert [one.id for one in hidden.history.rounds] == ["S1:1", "S1:2", "S2:1", "S2:2"]
    assert hidden.session_ids == {"S1": "answer_31_abs_1", "S2": "answer_31_abs_2"}
    assert hidden.round_ids["S2:1"] == "answer_31_abs_2:0"
    texts = [one.messages for one in release.histories["gpt4_c0de_abs"].rounds]
    assert [one.messages for one in hidden.history.rounds] == texts


# --- Time


def test_a_session_later_than_the_question_is_read_and_reported_once(release: Release) -> None:
    history = release.histories["gpt4_c0de_abs"]
    question = release.questions["gpt4_c0de_abs/0"]
    assert question.asked_at is not None
    assert [one.date and one.date > question.asked_at for one in history.sessions] == [False, True]
    (defect,) = of_code(release, "session_after_question")
    assert (defect.severity, defect.path) == (Severity.WARNING, "$[1].haystack_sessions[1]")
    assert defect.found == "'2023/05/30 (Tue) 08:29'"


def test_sessions_out_of_order_keep_their_order_and_are_reported_once(tmp_path: Path) -> None:
    one = instance()
    for key in ("haystack_dates", "haystack_sessions", "haystack_session_ids"):
        one[key].reverse()
    release = read_value(tmp_path, [one])
    assert release.histories["ab12"].sessions[0].id == "85a1be56_1"
    (defect,) = of_code(release, "dates_out_of_order")
    assert defect.found == "'2023/05/21 (Sun) 10:00' and 1 more"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2023/05/30 (Tue) 23:40", datetime(2023, 5, 30, 23, 40)),
        ("2023/5/3 9:05", datetime(2023, 5, 3, 9, 5)),
        ("2023-05-30", datetime(2023, 5, 30)),
        ("2023-05-30T08:09:10", datetime(2023, 5, 30, 8, 9, 10)),
        ("2023/02/30 (Tue) 23:40", None),
        ("2023/05/30 (Tue) 24:40", None),
        ("soon", None),
        ("2023/05/30 (" + "x" * 1_000, None),
    ],
)
def test_dates_are_read_or_a_warning(tmp_path: Path, written: str, date: datetime | None) -> None:
    release = read_value(tmp_path, [instance(question_date=written)])
    assert release.questions["ab12/0"].asked_at == date
    assert bool(of_code(release, "date_unreadable")) == (date is None)


# --- Odd and broken content


def test_a_sound_release_has_no_errors(release: Release) -> None:
    assert count_by_severity(release.defects) == {"errors": 0, "repaired": 0, "warnings": 2}


def test_lists_that_are_not_parallel_are_an_error_and_read_as_far_as_they_go(
    tmp_path: Path,
) -> None:
    one = instance()
    one["haystack_dates"].pop()
    release = read_value(tmp_path, [one])
    assert [one.date is None for one in release.histories["ab12"].sessions] == [False, False, True]
    (defect,) = of_code(release, "parallel_lists")
    assert defect.found == "3 in haystack_sessions, 2 in haystack_dates, 3 in haystack_session_ids"


def test_a_repeated_session_id_is_made_unique_and_recorded(tmp_path: Path) -> None:
    one = instance(haystack_session_ids=["a", "answer_77", "a"])
    release = read_value(tmp_path, [one])
    assert [one.id for one in release.histories["ab12"].sessions] == ["a", "answer_77", "a#2"]
    (defect,) = of_code(release, "duplicate_id")
    assert (defect.severity, defect.path) == (Severity.REPAIRED, "$[0].haystack_session_ids[2]")
    assert len(release.histories["ab12"].round_by_id) == 7


def test_a_session_without_id_goes_by_its_place(tmp_path: Path) -> None:
    one = instance()
    del one["haystack_session_ids"]
    release = read_value(tmp_path, [one])
    sessions = [one.id for one in release.histories["ab12"].sessions]
    assert sessions == ["session_1", "session_2", "session_3"]
    assert len(of_code(release, "missing_id")) == 3


def test_a_repeated_question_id_is_an_error_and_both_are_read(tmp_path: Path) -> None:
    release = read_value(tmp_path, [instance(), instance()])
    assert list(release.questions) == ["ab12/0", "ab12#2/0"]
    assert [one.id for one in release.questions.values()] == ["ab12", "ab12"]
    assert of_code(release, "duplicate_id")[0].path == "$[1].question_id"


def test_an_unknown_type_is_kept_without_a_task(tmp_path: Path) -> None:
    release = read_value(tmp_path, [instance(), instance("cd34", question_type="new-type")])
    question = release.questions["cd34/0"]
    assert (question.task, question.category) == ("unknown", "new-type")
    assert of_code(release, "unknown_type")[0].path == "$[1].question_type"


@pytest.mark.parametrize(
    ("odd", "code"),
    [
        ({"role": "tool", "content": "x"}, "unknown_role"),
        ({"role": "user"}, "wrong_type"),
        ({"content": "x"}, "wrong_type"),
        ({"role": "user", "content": ["x"]}, "wrong_type"),
        ({"role": "user", "content": "x", "has_answer": "yes"}, "wrong_type"),
        ("x", "wrong_type"),
    ],
)
def test_an_odd_turn_moves_no_other(tmp_path: Path, odd: Any, code: str) -> None:
    one = instance()
    one["haystack_sessions"][1][0] = odd
    release = read_value(tmp_path, [one])
    assert release.questions["ab12/0"].evidence_rounds == ("answer_77:1",)
    (defect,) = of_code(release, code)
    assert defect.path.startswith("$[0].haystack_sessions[1][0]")


def test_a_question_that_cannot_be_used_keeps_its_history(tmp_path: Path) -> None:
    release = read_value(tmp_path, [instance(question=None), abstention(), 7])
    assert list(release.histories) == ["ab12", "gpt4_c0de_abs"]
    assert list(release.questions) == ["gpt4_c0de_abs/0"]
    paths = [one.path for one in release.defects if one.severity is Severity.ERROR]
    assert paths == ["$[0].question", "$[2]"]


def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path) -> None:
    for what, broken in broken_copies([instance(), abstention()]):
        source = source_of(tmp_path / "s.json", broken)
        try:
            release = LongMemEvalReader().read(source, OPTIONS)
        except InputError:
            assert not LongMemEvalReader().recognises(source_of(tmp_path / "s.json", broken))
            continue
        for history in release.histories.values():
            assert len(history.round_by_id) == len(history.rounds), what
            assert len(history.session_by_id) == len(history.sessions), what
        for defect in release.defects:
            assert leads_somewhere(defect, broken), (what, defect)
            assert len(defect.line()) < 1_000, what


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*instance(), "role", "content", "has_answer", "data", "meta"])
            | st.text(max_size=8),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@settings(max_examples=200, deadline=None)
@given(json_values)
def test_any_json_is_a_release_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    folder = tmp_path_factory.getbasetemp()
    for value in (data, [data], [instance(haystack_sessions=data)], [query(meta=data)]):
        source = source_of(folder / "any.json", value)
        try:
            release = LongMemEvalReader().read(source, OPTIONS)
        except InputError:
            continue
        assert all(leads_somewhere(defect, value) for defect in release.defects)


def test_a_string_of_ten_megabytes_is_read_like_any_other(tmp_path: Path) -> None:
    long = "answer_77 " * 1_000_000
    one = instance(question=long, answer=long, question_date=long, answer_session_ids=[long])
    one["question_type"] = long
    one["haystack_dates"][0] = long
    one["haystack_session_ids"][0] = long
    one["haystack_sessions"][0][0].update(content=long, role=long)
    release = read_value(tmp_path, [one, instance("long" * 100)])
    assert release.questions["ab12/0"].text == long
    assert "question-1" in release.histories
    assert max(len(defect.line()) for defect in release.defects) < 1_000


def test_escape_codes_are_kept_in_the_model_and_escaped_in_defects(tmp_path: Path) -> None:
    one = instance(question=EVIL, answer_session_ids=[EVIL], question_type=EVIL)
    one["haystack_session_ids"][0] = EVIL
    one["haystack_dates"] = [EVIL, EVIL, EVIL]
    one["haystack_sessions"][0][0].update(content=EVIL, role=EVIL, has_answer=True)
    release = read_value(tmp_path, [one])
    assert release.histories["ab12"].rounds[0].messages[0].text == EVIL
    assert "\x1b" not in "".join(defect.line() for defect in release.defects)


def test_a_cut_file_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = write(tmp_path / "longmemeval_s.json", [instance()])
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        open_release(path)


def test_another_kind_of_file_is_an_error_that_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="LongMemEval instances, each with haystack_sessions"):
        open_release(write(tmp_path / "x.json", {"questions": []}), format="longmemeval")


# --- Where it is


def test_an_instance_outside_a_list_and_one_below_data_are_read(tmp_path: Path) -> None:
    assert list(read_value(tmp_path, instance()).questions) == ["ab12/0"]
    release = read_value(tmp_path, {"data": [instance()]})
    assert release.questions["ab12/0"].place == "$.data[0]"


def test_a_folder_with_one_file_is_read_and_other_files_are_not_parsed(tmp_path: Path) -> None:
    write(tmp_path / "longmemeval_s.json", [instance()])
    (tmp_path / "other.json").write_text('{"runs": [broken')
    source = Source(tmp_path)
    assert LongMemEvalReader().recognises(source)
    release = LongMemEvalReader().read(source, OPTIONS)
    assert release.files == ("longmemeval_s.json",)
    assert release.name == tmp_path.name
    assert not release.questions["ab12/0"].file


def test_a_folder_with_two_releases_is_an_error_that_names_them(tmp_path: Path) -> None:
    for name in ("longmemeval_m.json", "longmemeval_s.json"):
        write(tmp_path / name, [instance()])
    with pytest.raises(InputError, match=r"more than one LongMemEval release \(longmemeval_m"):
        open_release(tmp_path)


def test_a_cut_file_in_a_folder_is_reported_and_the_other_is_read(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [instance()])
    write(tmp_path / "b.json", [instance()])
    (tmp_path / "a.json").write_text('[{"question_id": "a", ')
    release = read(tmp_path)
    assert list(release.questions) == ["ab12/0"]
    (defect,) = of_code(release, "unreadable_file")
    assert defect.file == "a.json"


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "longmemeval_s.json.gz"
    path.write_bytes(gzip.compress(json.dumps([instance()]).encode()))
    assert format_of(path) == format_of(tmp_path) == "longmemeval"
    assert list(open_release(path).questions) == ["ab12/0"]


def test_the_raw_view_finds_rounds_and_questions(tmp_path: Path) -> None:
    release = read(write(tmp_path / "s.json", [instance()]))
    history = release.histories["ab12"]
    assert raw_round(release, history, history.rounds[3]).value()["has_answer"] is True
    assert raw_question(release, release.questions["ab12/0"]).value()["question_id"] == "ab12"


@pytest.mark.parametrize(
    "data",
    [
        *(None, 1, "instance", [], {}, [1, 2], [[]], [None], {"data": 1}, {"data": [{}]}),
        [{"question_id": "ab12", "hypothesis": "x"}],
        [{"question_id": "ab12", "question": "?", "haystack_session_ids": []}],
        [{"id": "x", "query": "?", "gold_answers": [], "gold_ids": [], "meta": {}}],
    ],
)
def test_foreign_shapes_are_not_recognised(tmp_path: Path, data: Any) -> None:
    path = write(tmp_path / "x.json", data)
    assert not LongMemEvalReader().recognises(Source(path))
    assert not LongMemEvalReader().recognises(Source(tmp_path))


def test_a_file_of_lines_is_not_recognised(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(instance()) + "\n")
    assert not LongMemEvalReader().recognises(Source(path))
    with pytest.raises(ReadError, match="a file of lines"):
        open_release(path, format="longmemeval")


# --- AMB's form


def amb(tmp_path: Path, queries: Any, documents: Any = None) -> Release:
    write(tmp_path / "s_queries.json", queries)
    if documents is not None:
        path = tmp_path / "s_documents.json.gz"
        path.write_bytes(gzip.compress(json.dumps(documents).encode()))
    return read(tmp_path)


def test_queries_without_documents_are_questions_about_histories_without_sessions(
    tmp_path: Path,
) -> None:
    release = amb(tmp_path, [query(), query("x_abs", gold_ids=[])])
    assert list(release.questions) == ["ab12/0", "x_abs/0"]
    question, refused = release.questions.values()
    assert (question.id, question.place, question.file) == ("ab12", "$[0]", "s_queries.json")
    assert question.asked_at == datetime(2023, 5, 30)
    (clue,) = question.clues
    assert (clue.written, clue.id) == ("ab12_answer_77", "answer_77")
    assert clue.problem is ClueProblem.HISTORY_ABSENT
    assert (refused.answerable, refused.clues) == (False, ())
    assert [one.code for one in release.defects] == ["documents_missing"]


def test_documents_are_sessions_named_as_in_the_native_form(tmp_path: Path) -> None:
    turns = json.dumps([turn("user", "I planted Damask roses."), turn("assistant", "Lovely!")])
    documents = [
        document("answer_77", turns),
        document("85a1_1", "[USER] Hello\nthere\n\n[ASSISTANT] Hi!"),
        document("long", "One long text.", timestamp=None),
        document("s", "[USER] x", "unasked"),
    ]
    release = amb(tmp_path, [query()], documents)
    assert release.files == ("s_documents.json.gz", "s_queries.json")
    history = release.histories["ab12"]
    assert [one.id for one in history.sessions] == ["answer_77", "85a1_1", "long"]
    assert [(one.id, one.messages[0].speaker, one.messages[0].text) for one in history.rounds] == [
        ("answer_77:0", "user", "I planted Damask roses."),
        ("answer_77:1", "assistant", "Lovely!"),
        ("85a1_1:0", "user", "Hello\nthere"),
        ("85a1_1:1", "assistant", "Hi!"),
        ("long:0", "document", "One long text."),
    ]
    assert history.sessions[0].date == datetime(2023, 5, 21, 10)
    assert (history.sessions[2].date, history.sessions[2].date_text) == (None, "")
    assert release.questions["ab12/0"].evidence_sessions == ("answer_77",)
    assert release.histories["unasked"].sessions
    assert raw_round(release, history, history.rounds[4]).value() == "One long text."
    assert not [one for one in release.defects if one.severity is Severity.ERROR]


def test_either_file_of_the_pair_brings_the_other(tmp_path: Path) -> None:
    whole = amb(tmp_path, [query()], [document("answer_77", "[USER] x")])
    for name in ("s_queries.json", "s_documents.json.gz"):
        assert format_of(tmp_path / name) == "longmemeval"
        assert read(tmp_path / name).questions == whole.questions


def test_documents_that_cannot_be_read_leave_the_questions(tmp_path: Path) -> None:
    write(tmp_path / "s_queries.json", [query()])
    (tmp_path / "s_documents.json.gz").write_bytes(b"no gzip")
    release = read(tmp_path)
    assert list(release.questions) == ["ab12/0"]
    assert of_code(release, "unreadable_file")[0].file == "s_documents.json.gz"


def test_a_gold_id_of_no_document_is_unresolved(tmp_path: Path) -> None:
    release = amb(tmp_path, [query()], [document("other", "[USER] x")])
    assert release.questions["ab12/0"].clues[0].problem is ClueProblem.UNKNOWN_ID
    assert of_code(release, "clue_unknown_id")[0].path == "$[0].gold_ids[0]"


def test_no_wrong_type_in_queries_stops_the_reading(tmp_path: Path) -> None:
    for what, broken in broken_copies([query(), query("cd34", gold_answers=[3])]):
        source = source_of(tmp_path / "s_queries.json", broken)
        try:
            release = LongMemEvalReader().read(source, OPTIONS)
        except InputError:
            continue
        for defect in release.defects:
            assert leads_somewhere(defect, broken), (what, defect)


def test_no_wrong_type_in_documents_stops_the_reading(tmp_path: Path) -> None:
    write(tmp_path / "s_queries.json", [query()])
    path = write(tmp_path / "s_documents.json", [])
    for what, broken in broken_copies([document("answer_77", "[USER] x"), document("b", "y")]):
        source = Source(tmp_path)
        source.at(path, source.root).__dict__["data"] = broken
        release = LongMemEvalReader().read(source, OPTIONS)
        assert list(release.questions) == ["ab12/0"]
        for defect in release.defects:
            if defect.file == "s_documents.json":
                assert leads_somewhere(defect, broken), (what, defect)


def test_instances_win_over_queries_beside_them(tmp_path: Path) -> None:
    write(tmp_path / "longmemeval_s.json", [instance()])
    release = amb(tmp_path, [query()])
    assert release.counts["sessions"] == 3
    assert of_code(release, "file_left_out")[0].file == "s_queries.json"


def test_several_splits_in_a_folder_are_an_error_that_names_them(tmp_path: Path) -> None:
    for split in ("m", "s"):
        write(tmp_path / split / "queries.json", [query()])
    assert format_of(tmp_path) == "longmemeval"
    assert read(tmp_path / "m").name == "LongMemEval m"
    with pytest.raises(InputError, match=r"2 LongMemEval releases \(m/queries.json, s/queries"):
        read(tmp_path)


def test_cut_queries_in_a_folder_are_named_and_not_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path / "s_queries.json", [query(), query("cd34")])
    write(tmp_path / "s_categories.json", {})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ReadError, match=r"s_queries\.json"):
        open_release(tmp_path)


# --- The published files


@cache
def published(path: Path) -> Release:
    return open_release(path)


def counts(key: str) -> Any:
    return json.loads(COUNTS.read_text())[key]


@needs_data
def test_every_published_instance_has_the_measured_counts() -> None:
    assert format_of(SINGLE) == format_of(ORACLE) == "longmemeval"
    for known in counts("longmemeval"):
        release = published(FOLDER / known["file"])
        history = release.histories[known["question_id"]]
        question = release.questions[f"{known['question_id']}/0"]
        marks = [
            one["has_answer"] for (h, _), one in release.evaluator.rounds.items() if h == history.id
        ]
        assistant_first = [
            one for one in history.sessions if one.rounds[0].messages[0].role is Role.ASSISTANT
        ]
        clues = [clue for clue in question.clues if clue.target is ClueTarget.SESSION]
        assert {
            "file": history.file,
            "question_id": question.id,
            "question_type": question.category,
            "sessions": len(history.sessions),
            "turns": len(history.rounds),
            "turns_has_answer_true": sum(marks),
            "turns_with_has_answer_key": len(marks),
            "answer_session_ids": [clue.written for clue in clues],
            "answer_sessions_resolve": all(clue.resolved for clue in clues),
            "sessions_starting_with_assistant": len(assistant_first),
        } == known
        assert len(question.evidence_rounds) == sum(marks)
        assert all(len(one.rounds) % 2 for one in assistant_first)


@needs_data
def test_published_run_output_is_not_taken_for_a_release() -> None:
    folder = DATA / "longmemeval-runs"
    paths = [folder, *folder.rglob("*.json"), *folder.rglob("*.jsonl")]
    assert {format_of(path) for path in paths} == {""}


@needs_data
def test_the_published_abstention_has_a_session_after_the_question() -> None:
    release = published(ORACLE)
    assert [one.answerable for one in release.questions.values()] == [True, False]
    assert of_code(release, "session_after_question")[0].path == "$[1].haystack_sessions[1]"
    assert len(release.questions["gpt4_70e84552_abs/0"].evidence_rounds) == 1


@needs_data
def test_every_published_date_is_read_and_there_is_no_error() -> None:
    for path in (SINGLE, ORACLE):
        release = published(path)
        for history in release.histories.values():
            assert all(session.date for session in history.sessions)
        assert all(question.asked_at for question in release.questions.values())
        assert count_by_severity(release.defects)["errors"] == 0


@needs_data
def test_the_published_queries_have_the_measured_counts() -> None:
    known = counts("longmemeval_amb_queries")
    release = published(AMB)
    assert published(QUERIES).questions == release.questions
    questions = list(release.questions.values())
    refused = [one for one in questions if not one.answerable]
    assert {
        "rows": len(questions),
        "by_type": Counter(one.category for one in questions),
        "abstention": len(refused),
        "abstention_by_type": Counter(one.category for one in refused),
        "gold_ids_histogram": Counter(str(len(one.clues)) for one in questions),
        "rows_without_gold": sum(not one.clues for one in questions),
        "rows_without_gold_all_abstention": all(
            one.clues or not one.answerable for one in questions
        ),
        "abstention_with_gold": sum(bool(one.clues) for one in refused),
        "gold_ids": sum(len(one.clues) for one in questions),
        "int_answers": len(of_code(release, "number_for_text")),
    } == known
    assert Counter(one.task for one in questions) == {
        label.task: label.expected for label in release.tasks
    }


@needs_data
def test_the_published_instances_are_the_same_questions_in_both_forms() -> None:
    whole = published(AMB).questions
    for path in (SINGLE, ORACLE):
        for key, question in published(path).questions.items():
            other = whole[key]
            assert (other.text, other.gold, other.task) == (
                question.text,
                question.gold,
                question.task,
            )
            # AMB leaves out the evidence sessions that hold no marked turn.
            rounds = published(path).histories[question.history_id].round_by_id
            marked = {rounds[one].session_id for one in question.evidence_rounds}
            assert {one.id for one in other.clues} == marked


@needs_data
@pytest.mark.parametrize("length", [1, 100, 50_000])
def test_a_cut_copy_of_a_published_file_is_one_clear_error(tmp_path: Path, length: int) -> None:
    path = tmp_path / "oracle.json"
    path.write_bytes(ORACLE.read_bytes()[:length])
    with pytest.raises(InputError, match=r"oracle\.json"):
        open_release(path)


@needs_data
def test_a_published_file_that_is_damaged_here_and_there_is_read_for_the_rest(
    tmp_path: Path,
) -> None:
    whole = json.loads(ORACLE.read_text())
    for key in whole[0]:
        data = copy.deepcopy(whole)
        data[0][key] = 7
        release = read_value(tmp_path, data)
        assert release.questions["gpt4_70e84552_abs/0"].clues
        assert any(one.path.startswith("$[0]") for one in release.defects)
