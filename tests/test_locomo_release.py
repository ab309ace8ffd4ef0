import gc
import gzip
import json
import re
from collections import Counter
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.defects import Defect, Severity, count_by_severity
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import (
    AttachmentState,
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    Kind,
    Question,
    Release,
    Role,
    RoundKind,
)
from mnemoscope.core.releases.locomo.reader import LocomoReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source
from tests.locomo_data import (
    COUNTS,
    FLAT,
    LOCOMO,
    broken_copies,
    conversation,
    flat,
    leads_somewhere,
    needs_data,
    source_of,
    write,
)

OPTIONS = ReadOptions()


def read(path: Path) -> Release:
    return LocomoReader().read(Source(path), OPTIONS)


def read_value(tmp_path: Path, data: Any) -> Release:
    return LocomoReader().read(source_of(tmp_path / "locomo10.json", data), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return read(write(tmp_path / "locomo10.json", [conversation("conv-1"), conversation("conv-2")]))


# --- What is read


def test_a_release_says_what_it_is(release: Release) -> None:
    assert release.name == "locomo10"
    assert release.format == "locomo"
    assert release.round_kind is RoundKind.UTTERANCE
    assert release.licence == "CC BY-NC 4.0"
    assert release.image_variants == ("blip",)
    assert str(release.textualisation) == "image=blip,audio=none"
    assert release.counts == {
        **{"histories": 2, "sessions": 4, "rounds": 10, "questions": 14},
        **{"images": 4, "audio": 0},
    }


def test_every_turn_is_a_round_of_one_message(release: Release) -> None:
    history = release.histories["conv-1"]
    assert history.name == "Ada and Bo"
    assert history.place == "$[0]"
    assert [session.id for session in history.sessions] == ["session_1", "session_2"]
    assert [one.id for one in history.rounds] == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"]
    assert [one.index for one in history.rounds] == [0, 1, 2, 3, 4]
    assert all(len(one.messages) == 1 for one in history.rounds)
    assert history.rounds[3].place == "$[0].conversation.session_2[0]"


def test_the_first_speaker_is_the_user_and_nobody_is_the_assistant(release: Release) -> None:
    messages = [one.messages[0] for one in release.histories["conv-1"].rounds]
    roles = {message.speaker: message.role for message in messages}
    assert roles == {"Ada": Role.USER, "Bo": Role.OTHER}


def test_dates_are_read_whatever_the_language_of_the_machine(release: Release) -> None:
    dates = [session.date for session in release.histories["conv-1"].sessions]
    assert dates == [datetime(2023, 5, 8, 13, 56), datetime(2023, 5, 20, 0, 5)]


def test_dates_without_turns_are_one_warning_a_conversation(release: Release) -> None:
    warnings = of_code(release, "date_without_session")
    assert [one.path for one in warnings] == [
        "$[0].conversation.session_3_date_time",
        "$[1].conversation.session_3_date_time",
    ]
    assert warnings[0].found == "2 dates without turns, session_3 to session_4"


def test_an_image_takes_its_round_s_id_and_keeps_address_and_caption(release: Release) -> None:
    history = release.histories["conv-1"]
    image = history.attachment(Kind.IMAGE, "D1:3")
    assert image is not None
    assert image.written == "https://example.org/glaze.jpg"
    assert image.captions == {"blip": "a photo of a green bowl"}
    assert image.state is AttachmentState.MISSING
    assert image.note == "a web address; the release ships no images"


def test_a_caption_without_address_is_an_image_too(release: Release) -> None:
    image = release.histories["conv-1"].attachment(Kind.IMAGE, "D2:1")
    assert image is not None
    assert (image.written, image.caption("blip")) == ("", "a photo of a shelf")
    assert image.note == "the release gives a caption and no address"


def test_several_addresses_are_several_images_with_ids_of_their_own(tmp_path: Path) -> None:
    one = conversation()
    one["conversation"]["session_1"][2]["img_url"] = ["https://a.example", "https://b.example"]
    history = read_value(tmp_path, [one]).histories["conv-1"]
    assert [image.id for image in history.rounds[2].attachments] == ["D1:3", "D1:3#2"]


@pytest.mark.parametrize("missing", ["speaker", "text", "dia_id"])
def test_an_image_is_found_in_a_turn_that_lacks_something(tmp_path: Path, missing: str) -> None:
    one = conversation()
    del one["conversation"]["session_2"][0][missing]
    history = read_value(tmp_path, [one]).histories["conv-1"]
    assert history.attachment(Kind.IMAGE, "D2:1") is not None


@pytest.mark.parametrize(
    ("address", "count", "note"),
    [
        (["glaze.jpg"], 1, "the release ships no images"),
        ("https://a.example", 1, "a web address; the release ships no images"),
        ([], 0, ""),
        ([7], 0, ""),
    ],
)
def test_an_odd_address_is_no_image_that_can_be_shown(
    tmp_path: Path, address: Any, count: int, note: str
) -> None:
    one = conversation()
    turn = one["conversation"]["session_1"][2]
    turn["img_url"] = address
    del turn["blip_caption"]
    images = [*read_value(tmp_path, [one]).histories["conv-1"].rounds[2].attachments]
    assert [image.note for image in images] == [note] * count


def test_what_only_the_evaluator_may_see_is_nowhere_else(release: Release) -> None:
    evaluator = release.evaluator
    assert evaluator.rounds["conv-1", "D1:3"] == {"query": "green glaze bowl", "re-download": True}
    assert evaluator.questions["conv-1/5"] == {"adversarial_answer": "at the fair"}
    session = evaluator.sessions["conv-2", "session_1"]
    assert session["session_summary"] == "Ada and Bo talk about kilns."
    assert session["event_summary"]["Ada"] == ["Ada buys a kiln."]
    assert session["observation"]["Bo"] == [["Bo throws bowls.", "D1:2"]]
    shown = repr((release.histories, release.questions))
    for hidden in ("at the fair", "green glaze bowl", "Ada buys", "Bo throws bowls.", "kilns"):
        assert hidden not in shown


def test_questions_are_known_by_their_place(release: Release) -> None:
    question = release.questions["conv-2/3"]
    assert (question.id, question.index, question.history_id) == ("3", 3, "conv-2")
    assert question.place == "$[1].qa[3]"
    assert question.text == question.stem == "What colour is the glaze?"
    assert list(release.questions) == [f"conv-{n}/{i}" for n in (1, 2) for i in range(7)]


def test_tasks_go_by_the_integer_and_never_by_a_name(release: Release) -> None:
    tasks = [(one.category, one.task) for one in release.questions_by_history["conv-1"]]
    assert tasks == [
        *[("1", "multi_hop"), ("2", "temporal"), ("3", "open_domain"), ("4", "single_hop")],
        *[("4", "single_hop"), ("5", "adversarial"), ("5", "adversarial")],
    ]
    assert [(label.number, label.expected) for label in release.tasks] == [
        *[("1", 282), ("2", 321), ("3", 96), ("4", 841), ("5", 446)]
    ]


def test_an_adversarial_question_has_no_gold_unless_it_has_an_answer(release: Release) -> None:
    plain, answered = release.questions["conv-1/5"], release.questions["conv-1/6"]
    assert (plain.gold.kind, plain.answerable) == (GoldKind.NONE, False)
    assert (answered.gold.texts, answered.answerable) == (("No",), False)
    assert release.evaluator.questions["conv-1/6"] == {"adversarial_answer": "Yes"}


def test_a_number_for_an_answer_is_read_as_text_and_recorded(release: Release) -> None:
    assert release.questions["conv-1/1"].gold == Gold(GoldKind.TEXTS, texts=("2021",))
    (defect, _) = of_code(release, "number_for_text")
    assert (defect.severity, defect.path) == (Severity.REPAIRED, "$[0].qa[1].answer")
    assert (defect.found, defect.repair) == ("int 2021", "'2021'")


# --- Evidence


def test_an_exact_turn_id_is_a_clue_without_a_defect(release: Release) -> None:
    (clue,) = release.questions["conv-1/3"].clues
    assert clue == Clue(
        *("D1:3", ClueTarget.ROUND, "D1:3", "D1:3", "session_1", ClueProblem.NONE),
        place="$[0].qa[3].evidence[0]",
    )


def test_no_evidence_is_no_clue_and_no_defect(release: Release) -> None:
    assert release.questions["conv-1/2"].clues == ()
    assert not [one for one in release.defects if ".qa[2]" in one.path]


def test_several_ids_in_one_string_are_several_clues_that_share_it(release: Release) -> None:
    clues = release.questions["conv-1/0"].clues
    assert [(clue.written, clue.id) for clue in clues] == [
        *[("D1:1; D2:02", "D1:1"), ("D1:1; D2:02", "D2:2"), ("D1:2", "D1:2")]
    ]
    assert release.questions["conv-1/0"].evidence_sessions == ("session_1", "session_2")
    (defect, _) = of_code(release, "clue_taken_apart")
    assert defect.severity is Severity.REPAIRED
    assert defect.path == "$[0].qa[0].evidence[0]"
    assert (defect.found, defect.repair) == ("'D1:1; D2:02'", "D1:1, D2:2")


def test_what_does_not_resolve_is_kept_with_its_reason(release: Release) -> None:
    clues = release.questions["conv-1/4"].clues
    assert [(clue.id, clue.target, clue.problem, clue.resolved) for clue in clues] == [
        ("D1:3", ClueTarget.ROUND, ClueProblem.NONE, True),
        ("D9:9", ClueTarget.ROUND, ClueProblem.UNKNOWN_ID, False),
        ("D:1:1", ClueTarget.UNKNOWN, ClueProblem.MALFORMED, False),
    ]
    (unknown, _) = of_code(release, "clue_unknown_id")
    assert (unknown.severity, unknown.path) == (Severity.WARNING, "$[0].qa[4].evidence[1]")
    (malformed, _) = of_code(release, "clue_malformed")
    assert (malformed.severity, malformed.path) == (Severity.WARNING, "$[0].qa[4].evidence[2]")


@pytest.mark.parametrize(
    ("written", "ids", "resolved"),
    [
        ("D1:1,D1:2", ["D1:1", "D1:2"], 2),
        (" D1:1 ", ["D1:1"], 1),
        ("D01:001", ["D1:1"], 1),
        ("D1:1 and D1:2", ["D1:1", "and", "D1:2"], 2),
        ("D1:1; D8:1", ["D1:1", "D8:1"], 1),
        ("d1:1", ["d1:1"], 0),
        ("D1:1:1", ["D1:1:1"], 0),
        ("D१:1", ["D१:1"], 0),
        ("", [""], 0),
        ("; ,", ["; ,"], 0),
        ("D", ["D"], 0),
    ],
)
def test_evidence_is_read_in_three_steps(
    tmp_path: Path, written: str, ids: list[str], resolved: int
) -> None:
    one = conversation()
    one["qa"][3]["evidence"] = [written]
    clues = read_value(tmp_path, [one]).questions["conv-1/3"].clues
    assert [clue.id for clue in clues] == ids
    assert sum(clue.resolved for clue in clues) == resolved
    assert {clue.written for clue in clues} == {written}


def test_an_id_that_is_named_twice_is_a_warning(tmp_path: Path) -> None:
    one = conversation()
    one["qa"][3]["evidence"] = ["D1:3", "D1:2", "D1:3"]
    (defect,) = of_code(read_value(tmp_path, [one]), "clue_repeated")
    assert (defect.path, defect.found) == ("$[0].qa[3].evidence", "'D1:3'")


def test_a_bare_string_of_evidence_is_a_list_of_one(tmp_path: Path) -> None:
    one = conversation()
    one["qa"][3]["evidence"] = "D1:3"
    release = read_value(tmp_path, [one])
    assert release.questions["conv-1/3"].evidence_rounds == ("D1:3",)
    assert of_code(release, "scalar_for_list")[0].path == "$[0].qa[3].evidence"


# --- Odd and broken content


def test_a_sound_release_has_no_errors(release: Release) -> None:
    assert count_by_severity(release.defects)["errors"] == 0


@pytest.mark.parametrize("date", ["soon", "13:56 pm on 8 May, 2023", "1:56 pm on 31 June, 2023"])
def test_a_date_that_cannot_be_read_is_a_warning(tmp_path: Path, date: str) -> None:
    one = conversation()
    one["conversation"]["session_1_date_time"] = date
    release = read_value(tmp_path, [one])
    session = release.histories["conv-1"].sessions[0]
    assert (session.date, session.date_text) == (None, date)
    (defect,) = of_code(release, "date_unreadable")
    assert defect.path == "$[0].conversation.session_1_date_time"


def test_sessions_out_of_order_are_a_warning_and_keep_their_order(tmp_path: Path) -> None:
    one = conversation()
    one["conversation"]["session_2_date_time"] = "1:55 pm on 8 May, 2023"
    release = read_value(tmp_path, [one])
    (defect,) = of_code(release, "dates_out_of_order")
    assert defect.path == "$[0].conversation.session_2_date_time"
    assert list(release.histories["conv-1"].session_by_id) == ["session_2", "session_1"]


def test_a_session_without_date_is_read(tmp_path: Path) -> None:
    one = conversation()
    del one["conversation"]["session_1_date_time"]
    release = read_value(tmp_path, [one])
    assert release.histories["conv-1"].sessions[0].date is None
    assert of_code(release, "date_missing")[0].severity is Severity.WARNING


def test_a_session_that_is_no_list_has_no_rounds(tmp_path: Path) -> None:
    one = conversation()
    one["conversation"].update(session_1=None, session_2="lost")
    release = read_value(tmp_path, [one])
    assert [len(session.rounds) for session in release.histories["conv-1"].sessions] == [0, 0]
    assert [defect.path for defect in of_code(release, "wrong_type")] == [
        *("$[0].conversation.session_1", "$[0].conversation.session_2"),
    ]


def test_a_conversation_without_questions_is_an_error(tmp_path: Path) -> None:
    talk = conversation()["conversation"]
    data = [conversation(), {"conversation": talk}, {"conversation": talk, "qa": None}]
    release = read_value(tmp_path, data)
    assert [one.path for one in of_code(release, "wrong_type")] == ["$[1].qa", "$[2].qa"]


def test_sessions_are_ordered_by_number_not_by_spelling(tmp_path: Path) -> None:
    one = conversation()
    talk = one["conversation"]
    talk["session_10"] = [{"speaker": "Ada", "dia_id": "D10:1", "text": "Bye."}]
    talk["session_10_date_time"] = "1:00 pm on 1 July, 2023"
    sessions = read_value(tmp_path, [one]).histories["conv-1"].sessions
    assert [session.id for session in sessions] == ["session_1", "session_2", "session_10"]


def test_a_turn_without_id_takes_the_one_of_its_place(tmp_path: Path) -> None:
    one = conversation()
    one["conversation"]["session_1"][1]["dia_id"] = None
    release = read_value(tmp_path, [one])
    assert [turn.id for turn in release.histories["conv-1"].rounds][:3] == ["D1:1", "D1:2", "D1:3"]
    (defect,) = of_code(release, "missing_id")
    assert (defect.path, defect.repair) == ("$[0].conversation.session_1[1].dia_id", "'D1:2'")


def test_a_repeated_turn_id_is_an_error_and_the_first_turn_wins(tmp_path: Path) -> None:
    one = conversation()
    one["conversation"]["session_2"][1]["dia_id"] = "D1:1"
    release = read_value(tmp_path, [one])
    history = release.histories["conv-1"]
    assert len(history.rounds) == 5
    assert history.round_by_id["D1:1"].session_id == "session_1"
    assert release.questions["conv-1/1"].evidence_sessions == ("session_1",)
    (defect,) = of_code(release, "duplicate_id")
    assert defect.path == "$[0].conversation.session_2[1].dia_id"


def test_ids_that_count_otherwise_are_one_warning_a_session(tmp_path: Path) -> None:
    one = conversation()
    for number, turn in enumerate(one["conversation"]["session_1"]):
        turn["dia_id"] = f"T{number}"
    release = read_value(tmp_path, [one])
    (defect,) = of_code(release, "id_out_of_place")
    assert defect.path == "$[0].conversation.session_1[0].dia_id"
    assert "T2" in release.histories["conv-1"].round_by_id


def test_a_third_speaker_is_read_and_reported(tmp_path: Path) -> None:
    one = conversation()
    one["conversation"]["session_1"][1]["speaker"] = "Cy"
    release = read_value(tmp_path, [one])
    message = release.histories["conv-1"].rounds[1].messages[0]
    assert (message.speaker, message.role) == ("Cy", Role.OTHER)
    (defect,) = of_code(release, "unknown_speaker")
    assert (defect.path, defect.expected) == (
        *("$[0].conversation.session_1[1].speaker", "'Ada' or 'Bo'"),
    )


def test_a_category_written_as_text_is_repaired(tmp_path: Path) -> None:
    one = conversation()
    one["qa"][3]["category"] = "2"
    release = read_value(tmp_path, [one])
    assert release.questions["conv-1/3"].task == "temporal"
    assert of_code(release, "text_for_number")[0].repair == "int 2"


def test_a_category_of_no_known_number_is_kept_without_a_task(tmp_path: Path) -> None:
    one = conversation()
    one["qa"][3]["category"] = 6
    release = read_value(tmp_path, [one])
    question = release.questions["conv-1/3"]
    assert (question.category, question.task, question.answerable) == ("6", "unknown", True)
    assert of_code(release, "unknown_category")[0].severity is Severity.WARNING


def test_a_question_that_cannot_be_used_moves_no_other(tmp_path: Path) -> None:
    one = conversation()
    one["qa"][1] = None
    one["qa"][2]["question"] = "  "
    release = read_value(tmp_path, [one])
    assert [question.id for question in release.questions.values()] == ["0", "3", "4", "5", "6"]
    assert [one.path for one in of_code(release, "wrong_type")] == [
        *("$[0].qa[1]", "$[0].qa[2].question"),
    ]


def test_a_question_without_answer_has_no_gold_and_says_so(tmp_path: Path) -> None:
    one = conversation()
    del one["qa"][3]["answer"]
    del one["qa"][5]["adversarial_answer"]
    release = read_value(tmp_path, [one])
    assert release.questions["conv-1/3"].gold == Gold.none()
    assert release.questions["conv-1/3"].answerable
    assert of_code(release, "gold_missing")[0].path == "$[0].qa[3].answer"
    assert of_code(release, "lure_missing")[0].path == "$[0].qa[5].adversarial_answer"


def test_observations_that_point_nowhere_are_warnings(tmp_path: Path) -> None:
    one = conversation()
    one["observation"]["session_1_observation"]["Ada"][1][1] = ["D1:1", "D7:7"]
    release = read_value(tmp_path, [one])
    (unknown,) = of_code(release, "observation_unknown_id")
    assert unknown.path == "$[0].observation.session_1_observation.Ada[1][1][1]"
    (several,) = of_code(release, "observation_several_ids")
    assert several.path == "$[0].observation.session_2_observation.Bo[0][1]"
    assert {unknown.severity, several.severity} == {Severity.WARNING}


def test_data_about_a_session_that_does_not_exist_is_kept_with_the_history(tmp_path: Path) -> None:
    one = conversation()
    one["session_summary"]["session_7_summary"] = "Nothing was said."
    release = read_value(tmp_path, [one])
    assert release.evaluator.histories["conv-1"] == {"session_7_summary": "Nothing was said."}
    (defect,) = of_code(release, "unknown_session")
    assert defect.path == "$[0].session_summary.session_7_summary"


def test_a_conversation_that_cannot_be_used_keeps_its_place(tmp_path: Path) -> None:
    data = [conversation("conv-1"), None, conversation("conv-3")]
    release = read_value(tmp_path, data)
    assert list(release.histories) == ["conv-1", "conversation-1", "conv-3"]
    assert release.histories["conversation-1"].sessions == ()
    assert of_code(release, "wrong_type")[0].path == "$[1]"


@pytest.mark.parametrize("dialogue", [None, {}, "lost"])
def test_questions_are_read_where_their_dialogue_is_absent(tmp_path: Path, dialogue: Any) -> None:
    data = [{**conversation(), "conversation": dialogue}]
    release = read_value(tmp_path, data)
    assert release.histories["conv-1"].sessions == ()
    assert [clue.problem for clue in release.questions["conv-1/3"].clues] == [
        ClueProblem.HISTORY_ABSENT
    ]
    (defect,) = of_code(release, "wrong_type")
    assert defect.path == "$[0].conversation"


def test_a_repeated_or_missing_conversation_id_is_replaced_and_recorded(tmp_path: Path) -> None:
    data = [conversation(), conversation(), conversation(), conversation()]
    data[2]["sample_id"] = 12
    data[3]["sample_id"] = "x" * 100_000
    release = read_value(tmp_path, data)
    assert list(release.histories) == ["conv-1", "conv-1#2", "conversation-2", "conversation-3"]
    assert len(release.questions) == 28
    assert of_code(release, "duplicate_id")[0].path == "$[1]"
    assert [one.path for one in of_code(release, "missing_id")] == [
        *("$[2].sample_id", "$[3].sample_id"),
    ]


def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path) -> None:
    data = [conversation()]
    for what, broken in broken_copies(data):
        source = source_of(tmp_path / "locomo10.json", broken)
        try:
            release = LocomoReader().read(source, OPTIONS)
        except InputError:
            assert not LocomoReader().recognises(source_of(tmp_path / "locomo10.json", broken))
            continue
        assert release.counts["questions"] == len(release.questions), what
        for defect in release.defects:
            assert leads_somewhere(defect, broken), (what, defect)
            assert len(defect.line()) < 1_000, what


def test_no_wrong_type_in_a_flat_file_stops_the_reading(tmp_path: Path) -> None:
    for what, broken in broken_copies(flat()):
        try:
            release = LocomoReader().read(source_of(tmp_path / "1.json", broken), OPTIONS)
        except InputError:
            continue
        for defect in release.defects:
            assert leads_somewhere(defect, broken), (what, defect)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*conversation(), *conversation()["conversation"], "text", "dia_id"])
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
    for value in (data, [data], [{"qa": data, "conversation": data, "sample_id": data}]):
        source = source_of(folder / "any.json", value)
        try:
            release = LocomoReader().read(source, OPTIONS)
        except InputError:
            continue
        assert all(leads_somewhere(defect, value) for defect in release.defects)


def test_a_string_of_ten_megabytes_is_read_like_any_other(tmp_path: Path) -> None:
    long = "D1:1 " * 2_000_000
    one = conversation()
    one["qa"][3].update(question=long, answer=long, evidence=[long])
    one["conversation"]["session_1"][0].update(text=long, speaker=long)
    one["conversation"]["session_1_date_time"] = long
    one["observation"]["session_1_observation"]["Ada"][0][1] = long
    release = read_value(tmp_path, [one])
    assert release.questions["conv-1/3"].text == long
    (clue,) = release.questions["conv-1/3"].clues
    assert clue.problem is ClueProblem.MALFORMED
    assert max(len(defect.line()) for defect in release.defects) < 1_000


def test_escape_codes_are_kept_in_the_model_and_escaped_in_defects(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\u202e"
    one = conversation()
    one["conversation"]["speaker_a"] = evil
    one["conversation"]["session_1"][0]["text"] = evil
    one["qa"][3].update(question=evil, evidence=[evil])
    release = read_value(tmp_path, [one])
    assert release.histories["conv-1"].rounds[0].messages[0].text == evil
    assert release.questions["conv-1/3"].stem == evil
    assert "\x1b" not in "".join(defect.line() for defect in release.defects)


def test_a_cut_file_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = write(tmp_path / "locomo10.json", [conversation()])
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        LocomoReader().recognises(Source(path))
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        read(path)


def test_another_kind_of_file_is_an_error_that_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="a list of LoCoMo conversations"):
        read(write(tmp_path / "x.json", {"questions": []}))


@pytest.mark.parametrize(
    "data",
    [
        *(None, 1, "conversation", [], {}, [1, 2], [[]], [None], {"qa": 1}, {"qa": [], "x": {}}),
        *([{"sample_id": "conv-26", "question": "?"}], {"0": {"qa": []}}),
        {"multi_session_dialogues": [], "speaker_a": "x"},
    ],
)
def test_foreign_shapes_are_not_recognised(tmp_path: Path, data: Any) -> None:
    path = write(tmp_path / "x.json", data)
    assert not LocomoReader().recognises(Source(path))
    assert not LocomoReader().recognises(Source(tmp_path))


def test_json_lines_are_not_recognised_and_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"qa": 1}\n{"qa": 2}\n')
    assert not LocomoReader().recognises(Source(path))


# --- The older form, and folders


def test_a_flat_file_is_the_same_conversation_named_by_its_number(tmp_path: Path) -> None:
    whole = read(write(tmp_path / "list" / "locomo10.json", [conversation("conv-30")]))
    older = read(write(tmp_path / "flat" / "30.json", flat()))
    assert older.name == "conv-30"
    assert not of_code(older, "missing_id")
    assert older.evaluator == whole.evaluator
    assert without_places(older) == without_places(whole)
    assert older.questions["conv-30/3"].place == "$.qa[3]"
    assert older.histories["conv-30"].rounds[0].place == "$.session_1[0]"


def without_places(release: Release) -> str:
    return re.sub(r"place='[^']*'|file='[^']*'", "", repr((release.histories, release.questions)))


def test_a_flat_file_with_another_name_says_that_its_id_is_made_up(tmp_path: Path) -> None:
    release = read(write(tmp_path / "potters.json", flat()))
    assert list(release.histories) == ["potters"]
    (defect,) = of_code(release, "missing_id")
    assert (defect.severity, defect.repair) == (Severity.REPAIRED, "'potters'")


def test_one_conversation_outside_a_list_is_read(tmp_path: Path) -> None:
    release = read(write(tmp_path / "one.json", conversation("conv-9")))
    assert release.questions["conv-9/0"].place == "$.qa[0]"


def test_a_folder_of_flat_files_is_one_release_in_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 9, 30):
        write(tmp_path / f"{number}.json", flat())
    write(tmp_path / "stats.json", {"rows": 3})
    assert LocomoReader().recognises(Source(tmp_path))
    release = read(tmp_path)
    assert list(release.histories) == ["conv-9", "conv-10", "conv-30"]
    assert release.name == tmp_path.name
    assert release.files == ("9.json", "10.json", "30.json")
    assert release.histories["conv-10"].file == "10.json"


def test_a_folder_with_one_release_reads_it_and_leaves_flat_files_out(tmp_path: Path) -> None:
    write(tmp_path / "locomo10.json", [conversation()])
    write(tmp_path / "old" / "1.json", flat())
    (tmp_path / "notes.json").write_text("{broken")
    release = read(tmp_path)
    assert release.files == ("locomo10.json",)
    (defect,) = of_code(release, "file_left_out")
    assert (defect.severity, defect.file) == (Severity.WARNING, "old/1.json")


def test_a_folder_with_two_releases_is_an_error_that_names_them(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [conversation()])
    write(tmp_path / "b.json", [conversation()])
    assert LocomoReader().recognises(Source(tmp_path))
    with pytest.raises(InputError, match=r"2 LoCoMo releases \(a\.json, b\.json\)"):
        read(tmp_path)


def test_a_cut_file_in_a_folder_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    write(tmp_path / "1.json", flat())
    path = write(tmp_path / "2.json", flat())
    path.write_bytes(path.read_bytes()[:-100])
    path.rename(tmp_path / "0.json")
    (tmp_path / "3.json.gz").write_bytes(b"no gzip file")
    write(tmp_path / "run.json", [{"sample_id": "conv-1", "recall": 1.0}])
    assert LocomoReader().recognises(Source(tmp_path))
    release = read(tmp_path)
    assert list(release.histories) == ["conv-1"]
    (defect,) = of_code(release, "unreadable_file")
    assert (defect.severity, defect.file) == (Severity.ERROR, "0.json")


def test_a_folder_without_a_conversation_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "a.json", {"rows": 1})
    write(tmp_path / "b.json", {"rows": 1})
    assert not LocomoReader().recognises(Source(tmp_path))
    with pytest.raises(InputError, match="no LoCoMo conversation"):
        read(tmp_path)


def test_files_of_other_kinds_are_not_parsed_to_recognise_a_folder(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number}.json", {"character_profile": {}, "qa": []})
    (tmp_path / "rows.jsonl").write_text('{"qa": 1}')
    source = Source(tmp_path)
    assert not LocomoReader().recognises(source)
    assert not any("data" in vars(file) for file in source.files)


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    for name in ("locomo10.json.gz", "folder/locomo10.json.gz"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(json.dumps([conversation()]).encode()))
    write(tmp_path / "folder" / "other.json", {})
    assert read(tmp_path / "locomo10.json.gz").counts["questions"] == 7
    assert read(tmp_path / "folder").counts["questions"] == 7


def test_reading_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    assert gc.isenabled()
    read_value(tmp_path, [conversation()])
    assert gc.isenabled()
    with pytest.raises(InputError):
        read_value(tmp_path, {})
    assert gc.isenabled()


# --- The published release


@cache
def published() -> Release:
    return read(LOCOMO)


def counts() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(COUNTS.read_text())["locomo"]
    return known


@needs_data
def test_the_published_release_is_recognised_as_file_and_as_folder() -> None:
    reader = LocomoReader()
    assert reader.recognises(Source(LOCOMO))
    assert reader.recognises(Source(FLAT))
    assert reader.recognises(Source(LOCOMO.parent))
    assert read(LOCOMO.parent).histories == published().histories


@needs_data
def test_the_published_release_has_the_measured_counts() -> None:
    known = counts()
    release = published()
    assert release.counts == {
        "histories": known["conversations"],
        "sessions": known["sessions"],
        "rounds": known["turns"],
        "questions": known["qa"],
        "images": known["turns_with"]["blip_caption"],
        "audio": 0,
    }
    assert Counter(one.category for one in release.questions.values()) == known["qa_by_category"]
    assert Counter(one.task for one in release.questions.values()) == {
        label.task: label.expected for label in release.tasks
    }


@needs_data
def test_every_published_conversation_has_the_measured_counts() -> None:
    release = published()
    measured: list[dict[str, Any]] = []
    for history in release.histories.values():
        questions = release.questions_by_history[history.id]
        date_keys = len(history.sessions)
        for defect in release.defects:
            if defect.code == "date_without_session" and defect.path.startswith(history.place):
                date_keys += int(defect.found.split()[0])
        measured.append(
            {
                "sample_id": history.id,
                "speakers": history.name.split(" and "),
                "sessions": len(history.sessions),
                "date_keys": date_keys,
                "turns": len(history.rounds),
                "qa": len(questions),
                "qa_by_category": dict(Counter(one.category for one in questions)),
            }
        )
    assert measured == counts()["per_conversation"]
    assert sum(one["date_keys"] for one in measured) == counts()["date_keys"] == 288


@needs_data
def test_the_published_evidence_resolves_as_measured() -> None:
    known = counts()
    by_place: dict[str, list[Clue]] = {}
    for question in published().questions.values():
        for clue in question.clues:
            by_place.setdefault(f"{question.key} {clue.place}", []).append(clue)
    assert len(by_place) == known["evidence_strings"] == 2815
    exact = {p for p, c in by_place.items() if [one.round_id for one in c] == [c[0].written]}
    assert len(exact) == known["evidence_exact"] == 2806
    odd = [
        {
            "sample_id": place.split("/")[0],
            "qa_index": int(place.split("/")[1].split()[0]),
            "evidence": clues[0].written,
            "kind": kind_of(clues),
            "resolves_to": [clue.round_id for clue in clues if clue.resolved],
        }
        for place, clues in by_place.items()
        if place not in exact
    ]
    assert odd == [
        {key: value for key, value in one.items() if key != "category"}
        for one in known["evidence_not_exact"]
    ]


def kind_of(clues: list[Clue]) -> str:
    if len(clues) > 1:
        return "multi_id_string"
    return {
        ClueProblem.NONE: "zero_padded",
        ClueProblem.UNKNOWN_ID: "no_such_turn",
        ClueProblem.MALFORMED: "malformed",
    }[clues[0].problem]


@needs_data
def test_four_published_questions_have_no_evidence() -> None:
    without = [one for one in published().questions.values() if not one.clues]
    assert Counter(one.category for one in without) == counts()["qa_without_evidence_by_category"]
    assert [one.key for one in without] == ["conv-26/30", "conv-26/46", "conv-50/39", "conv-50/42"]


@needs_data
def test_the_published_evidence_spans_sessions_and_repeats_as_measured() -> None:
    known = counts()
    questions = published().questions.values()
    strings = [len({clue.place for clue in one.clues}) for one in questions]
    assert {str(n): count for n, count in Counter(strings).items()} == (
        known["evidence_count_histogram"]
    )
    assert [one.path for one in of_code(published(), "clue_repeated")] == ["$[9].qa[5].evidence"]
    named = [{clue.id.split(":")[0] for clue in one.clues if ":" in clue.id} for one in questions]
    spanning = [one.key for one in questions if len(one.evidence_sessions) > 1]
    # The count takes in conv-47/38, one of whose two sessions is named by a turn that is not there.
    assert (
        sum(len(sessions - {"D"}) > 1 for sessions in named)
        == (known["qa_evidence_spanning_multiple_sessions"])
    )
    assert len(spanning) == known["qa_evidence_spanning_multiple_sessions"] - 1
    assert "conv-47/38" not in spanning


@needs_data
def test_six_published_answers_are_numbers() -> None:
    repaired = of_code(published(), "number_for_text")
    assert len(repaired) == counts()["answers_not_string"] == 6
    indexes = [int(one.path.removeprefix("$[0].qa[").split("]")[0]) for one in repaired]
    assert indexes == [1, 26, 40, 49, 72, 75]


@needs_data
def test_published_adversarial_questions_keep_their_lure_apart() -> None:
    known = counts()
    release = published()
    five = [one for one in release.questions.values() if one.task == "adversarial"]
    with_answer = [one.key for one in five if one.gold.kind is GoldKind.TEXTS]
    assert with_answer == ["conv-26/167", "conv-26/178"]
    assert len(five) - len(with_answer) == known["cat5_without_answer"]
    assert set(release.evaluator.questions) == {one.key for one in five}
    assert not any(one.answerable for one in five)


@needs_data
def test_published_images_have_the_measured_addresses_and_traces() -> None:
    known = counts()
    release = published()
    images = [
        (history.id, image)
        for history in release.histories.values()
        for one in history.rounds
        for image in one.attachments
    ]
    traces = release.evaluator.rounds
    addressed = [key for key in images if key[1].written]
    assert len(addressed) == known["turns_with"]["img_url"] == 910
    assert len(images) - len(addressed) == known["turns_caption_without_url"] == 316
    assert sum("query" in trace for trace in traces.values()) == known["turns_with"]["query"]
    assert sum("re-download" in trace for trace in traces.values()) == 206
    unsearched = [
        1 for history, image in addressed if "query" not in traces.get((history, image.id), {})
    ]
    assert len(unsearched) == known["turns_url_without_query"] == 22
    assert all(image.state is AttachmentState.MISSING and image.note != "" for _, image in images)


@needs_data
def test_published_observations_and_events_have_the_measured_counts() -> None:
    known = counts()
    release = published()
    sessions = release.evaluator.sessions.values()
    entries = [
        pointer
        for session in sessions
        for speaker in session["observation"].values()
        for _, pointer in speaker
    ]
    assert len(entries) == 2541
    assert sum(type(one) is list for one in entries) == known["observation_dia_refs"]["list"]
    several = of_code(release, "observation_several_ids")
    assert len(several) == known["observation_refs_not_exact"] == 5
    assert not of_code(release, "observation_unknown_id")
    events = [
        event
        for session in sessions
        for speaker, said in session["event_summary"].items()
        if speaker != "date"
        for event in said
    ]
    assert (len(sessions), len(events)) == (
        *(known["event_summary"]["sessions"], known["event_summary"]["events"]),
    )


@needs_data
def test_every_published_date_is_read_and_in_order() -> None:
    release = published()
    dates = [s.date for history in release.histories.values() for s in history.sessions]
    assert sum(date is not None for date in dates) == counts()["session_dates_parsed"]
    assert not of_code(release, "dates_out_of_order")


@needs_data
def test_the_published_release_has_repairs_and_warnings_but_no_error() -> None:
    assert count_by_severity(published().defects) == {"errors": 0, "repaired": 11, "warnings": 11}
    data = json.loads(LOCOMO.read_bytes())
    assert all(leads_somewhere(defect, data) for defect in published().defects)


@needs_data
def test_the_flat_file_equals_the_same_conversation_of_the_release() -> None:
    older = read(FLAT)
    assert older.defects == ()
    same = published().histories["conv-30"]
    assert re.sub(r"(place|file)='[^']*'", "", repr(older.histories["conv-30"])) == (
        re.sub(r"(place|file)='[^']*'", "", repr(same))
    )
    questions = published().questions_by_history["conv-30"]
    assert re.sub(r"place='[^']*'", "", repr(older.questions_by_history["conv-30"])) == (
        re.sub(r"place='[^']*'", "", repr(questions))
    )


@needs_data
def test_published_questions_repeat_within_conversations_as_measured() -> None:
    groups: dict[tuple[str, str], list[Question]] = {}
    for question in published().questions.values():
        groups.setdefault((question.history_id, question.stem), []).append(question)
    repeated = [
        {
            "sample_id": history_id,
            "qa_indexes": [one.index for one in same],
            "categories": [int(one.category) for one in same],
        }
        for (history_id, _), same in groups.items()
        if len(same) > 1
    ]
    assert repeated == counts()["duplicate_question_groups"]
