import copy
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Defect, Severity
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Gold, GoldKind, Release, Role, RoundKind
from mnemoscope.core.raw import raw_question, raw_round
from mnemoscope.core.releases.evermembench.reader import EverMemBenchReader
from mnemoscope.core.releases.native.reader import NativeReader, write_release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.sources import Source
from tests.locomo_data import broken_copies, leads_somewhere, source_of, write

OPTIONS = ReadOptions()


def message(speaker: str, time: str, text: str, **more: Any) -> dict[str, Any]:
    return {"speaker": speaker, "time": time, "dialogue": text, **more}


def dialogue() -> dict[str, Any]:
    """A bakery: two days, two groups on the first, one of which is silent on the second."""
    return {
        "type": "generated",
        "statistics": {"messages": 4},
        "dialogues": {
            "2025-01-09": {
                "Group 1": [
                    message("Ada", "2025-01-09 09:32:15", "The oven is fixed.", task_ids=["T001"]),
                    message("Bo", "2025-01-09 09:33:00", "Then we bake.", message_index=2),
                ],
                "Group 2": [message("Cy", "2025-01-09T08:00:00", "Flour has come.")],
            },
            "2025-01-10": {
                "Group 1": [message("Bo", "2025-01-10 07:00:00", "Sold out.")],
                "Group 2": None,
            },
        },
    }


def questions() -> dict[str, Any]:
    return {
        "metadata": {"made": "2025-10-30"},
        "qars": [
            {
                "id": "F_SH_Top004_001",
                "Q": "What was fixed?",
                "A": "the oven",
                "R": [{"date": "2025-01-09"}],
                "task_id": "T001",
                "options": None,
            },
            {
                "id": "MA_U_Top004_002",
                "Q": "Who bakes?",
                "A": "B",
                "options": {"A": "Ada", "B": "Bo", "C": "Cy", "D": "nobody"},
            },
        ],
    }


def older() -> dict[str, Any]:
    return {
        "questions": [
            {
                "question_id": "004_mc_001",
                "question": "Who bakes?",
                "options": ["A. Ada", "B) Bo", "C. Cy", "D. nobody"],
                "correct_option": "B",
                "answer": "Bo, from the start",
            },
            {"question_id": "004_oe_001", "question": "What came?", "answer": "flour"},
        ]
    }


def tree(root: Path) -> Path:
    write(root / "004" / "dialogue.json", dialogue())
    write(root / "004" / "qa_004.json", questions())
    write(root / "010" / "dialogue.json", dialogue())
    return root


def read_value(tmp_path: Path, data: Any) -> Release:
    return EverMemBenchReader().read(source_of(tmp_path / "dialogue.json", data), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return open_release(tree(tmp_path / "dataset"))


def test_a_release_says_what_it_is(release: Release) -> None:
    assert (release.name, release.format) == ("dataset", "evermembench")
    assert release.round_kind is RoundKind.UTTERANCE
    assert release.counts == {
        **{"histories": 2, "sessions": 6, "rounds": 8, "questions": 2},
        **{"images": 0, "audio": 0},
    }
    assert list(release.histories) == ["004", "010"]
    assert release.defects == ()


@pytest.mark.parametrize("opened", ["004", "004/dialogue.json"])
def test_a_history_has_the_same_name_from_wherever_one_opens(tmp_path: Path, opened: str) -> None:
    assert list(open_release(tree(tmp_path) / opened).histories) == ["004"]


def test_a_session_is_what_one_group_says_on_one_day(release: Release) -> None:
    history = release.histories["004"]
    assert [(one.id, one.group, one.date) for one in history.sessions] == [
        ("2025-01-09/Group 1", "Group 1", datetime(2025, 1, 9)),
        ("2025-01-09/Group 2", "Group 2", datetime(2025, 1, 9)),
        ("2025-01-10/Group 1", "Group 1", datetime(2025, 1, 10)),
    ]
    assert [one.id for one in history.rounds][:3] == [
        "2025-01-09/Group 1:1",
        "2025-01-09/Group 1:2",
        "2025-01-09/Group 2:1",
    ]


def test_a_group_in_which_nobody_says_anything_is_no_session(tmp_path: Path) -> None:
    data = dialogue()
    data["dialogues"]["2025-01-10"]["Group 1"] = []
    history = read_value(tmp_path, data).histories[tmp_path.name]
    assert [one.id for one in history.sessions] == ["2025-01-09/Group 1", "2025-01-09/Group 2"]


def test_every_message_has_its_speaker_and_its_time_and_nobody_is_the_assistant(
    release: Release,
) -> None:
    messages = [one.messages[0] for one in release.histories["004"].rounds]
    assert [(one.speaker, one.time) for one in messages][:3] == [
        ("Ada", datetime(2025, 1, 9, 9, 32, 15)),
        ("Bo", datetime(2025, 1, 9, 9, 33)),
        ("Cy", datetime(2025, 1, 9, 8)),
    ]
    assert {one.role for one in messages} == {Role.OTHER}


def test_times_are_kept_in_our_own_format(tmp_path: Path, release: Release) -> None:
    write_release(release, tmp_path / "native")
    again = NativeReader().read(Source(tmp_path / "native"), OPTIONS)
    assert again.evaluator == release.evaluator
    for ours, one in zip(
        again.histories["004"].rounds, release.histories["004"].rounds, strict=True
    ):
        assert (ours.id, ours.messages) == (one.id, one.messages)
    assert again.histories["004"].sessions[1].group == "Group 2"
    assert again.questions["004/MA_U_Top004_002"].gold == Gold(GoldKind.OPTION, "B")


def test_the_id_begins_with_the_task(release: Release) -> None:
    kinds = [(one.key, one.task, one.category, one.form) for one in release.questions.values()]
    assert kinds == [
        ("004/F_SH_Top004_001", "fact", "F_SH", "open_ended"),
        ("004/MA_U_Top004_002", "memory_awareness", "MA_U", "multiple_choice"),
    ]
    assert [one.clues for one in release.questions.values()] == [(), ()]


def test_options_stand_under_their_letters(release: Release) -> None:
    question = release.questions["004/MA_U_Top004_002"]
    assert [(one.label, one.text) for one in question.options][:2] == [("A", "Ada"), ("B", "Bo")]
    assert question.gold == Gold(GoldKind.OPTION, "B")
    assert release.questions["004/F_SH_Top004_001"].gold.texts == ("the oven",)


def test_the_older_form_of_questions_is_read_too(tmp_path: Path) -> None:
    write(tmp_path / "004" / "dialogue.json", dialogue())
    write(tmp_path / "004" / "qa.json", older())
    release = open_release(tmp_path)
    chosen, opened = release.questions.values()
    assert [(one.label, one.text) for one in chosen.options][:2] == [("A", "Ada"), ("B", "Bo")]
    assert chosen.gold == Gold(GoldKind.OPTION, "B")
    assert release.evaluator.questions["004/004_mc_001"] == {"answer": "Bo, from the start"}
    assert (opened.gold.texts, opened.options, opened.task) == (("flour",), (), "unknown")
    assert release.defects == ()


@pytest.mark.parametrize("answer", ["b", " B ", "B. Bo", "Bo"])
def test_an_answer_that_names_one_option_otherwise_is_repaired(tmp_path: Path, answer: str) -> None:
    data = questions()
    data["qars"][1]["A"] = answer
    release = read_value(tmp_path, data)
    question = list(release.questions.values())[1]
    assert question.gold == Gold(GoldKind.OPTION, "B")
    assert of_code(release, "gold_spelt_otherwise")[0].severity is Severity.REPAIRED


def test_an_answer_that_is_no_option_is_an_error_and_no_gold(tmp_path: Path) -> None:
    data = questions()
    data["qars"][1]["A"] = "E"
    release = read_value(tmp_path, data)
    assert list(release.questions.values())[1].gold == Gold.none()
    assert of_code(release, "gold_not_an_option")[0].path == "$.qars[1].A"


def test_what_only_the_evaluator_may_see_is_nowhere_else(release: Release) -> None:
    evaluator = release.evaluator
    assert evaluator.rounds["004", "2025-01-09/Group 1:1"] == {"task_ids": ["T001"]}
    assert evaluator.questions["004/F_SH_Top004_001"]["R"] == [{"date": "2025-01-09"}]
    assert evaluator.histories["004"]["statistics"] == {"messages": 4}
    assert "T001" not in repr((release.histories, release.questions))


def test_the_raw_view_reads_messages_and_questions_from_their_files(release: Release) -> None:
    history = release.histories["004"]
    assert raw_round(release, history, history.rounds[3]).value()["dialogue"] == "Sold out."
    question = release.questions["004/F_SH_Top004_001"]
    assert raw_question(release, question).value()["task_id"] == "T001"


# --- Which questions belong to which dialogue


def test_several_dialogues_in_one_folder_are_told_apart_by_the_words_of_their_names(
    tmp_path: Path,
) -> None:
    for number in ("004", "010"):
        write(tmp_path / f"dialogue_{number}.json", dialogue())
        write(tmp_path / f"qa_{number}.json", questions())
    release = open_release(tmp_path)
    name = tmp_path.name
    assert list(release.histories) == [f"{name}/dialogue_004", f"{name}/dialogue_010"]
    files = {one.history_id: one.file for one in release.questions.values()}
    assert files == {f"{name}/dialogue_004": "qa_004.json", f"{name}/dialogue_010": "qa_010.json"}
    assert not of_code(release, "several_dialogues")


def test_questions_that_fit_several_dialogues_are_of_the_first_and_that_is_said(
    tmp_path: Path,
) -> None:
    for language in ("en", "zh"):
        write(tmp_path / "004" / f"dialogue_{language}.json", dialogue())
    write(tmp_path / "004" / "qa_004.json", questions())
    release = open_release(tmp_path)
    assert {one.history_id for one in release.questions.values()} == {"004/dialogue_en"}
    (defect,) = of_code(release, "several_dialogues")
    assert (defect.severity, defect.file) == (Severity.WARNING, "004/qa_004.json")
    assert "004/dialogue_en.json" in defect.expected


def test_questions_without_a_dialogue_are_read(tmp_path: Path) -> None:
    release = open_release(write(tmp_path / "004" / "qa_004.json", questions()))
    assert release.histories["004"].sessions == ()
    assert len(release.questions) == 2


def test_folders_of_one_name_are_told_apart_by_the_folder_above(tmp_path: Path) -> None:
    for above in ("a", "b"):
        write(tmp_path / above / "004" / "dialogue.json", dialogue())
    assert list(open_release(tmp_path).histories) == ["a/004", "b/004"]


# --- Odd and broken content


def test_times_that_cannot_be_right_are_warnings(tmp_path: Path) -> None:
    data = dialogue()
    first, second = data["dialogues"]["2025-01-09"]["Group 1"]
    first["time"], second["time"] = "2025-01-09 23:00:00", "2025-01-09 22:00:00"
    data["dialogues"]["2025-01-09"]["Group 2"][0]["time"] = "noon"
    data["dialogues"]["2025-01-10"]["Group 1"][0]["time"] = "2025-01-11 07:00:00"
    release = read_value(tmp_path, data)
    assert [(one.code, one.path) for one in release.defects] == [
        ("times_out_of_order", '$.dialogues["2025-01-09"]["Group 1"][1].time'),
        ("time_unreadable", '$.dialogues["2025-01-09"]["Group 2"][0].time'),
        ("time_of_another_day", '$.dialogues["2025-01-10"]["Group 1"][0].time'),
    ]
    (history,) = release.histories.values()
    assert history.rounds[2].messages[0].time is None


def test_days_out_of_order_or_that_are_no_date_are_warnings(tmp_path: Path) -> None:
    data = dialogue()
    days = data["dialogues"]
    data["dialogues"] = {"2025-01-10": days["2025-01-10"], "2025-01-09": days["2025-01-09"]}
    data["dialogues"]["Friday"] = {"Group 1": [message("Ada", "x", "Hm.")]}
    release = read_value(tmp_path, data)
    codes = [one.code for one in release.defects]
    assert codes == ["dates_out_of_order", "date_unreadable", "time_unreadable"]
    (history,) = release.histories.values()
    assert history.sessions[0].date_text == "2025-01-10"


def test_a_text_under_its_other_name_is_read(tmp_path: Path) -> None:
    data = dialogue()
    one = data["dialogues"]["2025-01-10"]["Group 1"][0]
    one["text"] = one.pop("dialogue")
    (history,) = read_value(tmp_path, data).histories.values()
    assert history.rounds[3].messages[0].text == "Sold out."


def test_a_repeated_question_id_keeps_both_questions(tmp_path: Path) -> None:
    data = questions()
    data["qars"][1]["id"] = data["qars"][0]["id"]
    release = read_value(tmp_path, data)
    assert [one.key.rpartition("/")[2] for one in release.questions.values()] == [
        "F_SH_Top004_001",
        "F_SH_Top004_001#",
    ]
    assert of_code(release, "duplicate_question")[0].severity is Severity.WARNING


def test_a_cut_file_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    cut = tree(tmp_path) / "004" / "dialogue.json"
    cut.write_bytes(cut.read_bytes()[:-50])
    release = open_release(tmp_path)
    assert of_code(release, "unreadable_file")[0].file == "004/dialogue.json"
    assert len(release.questions) == 2
    with pytest.raises(InputError, match=r"dialogue\.json: line 1 column \d+"):
        open_release(cut)


def test_another_kind_of_file_is_an_error_that_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected dialogues by date and group"):
        open_release(write(tmp_path / "x.json", {"a": 1}), format="evermembench")
    with pytest.raises(InputError, match="no EverMemBench dialogue"):
        open_release(tmp_path, format="evermembench")


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], {}, {"dialogues": []}, {"dialogues": {"2025-01-09": {"Group 1": ["x"]}}}),
        *({"qars": []}, {"questions": [{"question": "?", "answer": "x"}]}),
        {"questions": [{"question": {"text": "?"}, "original_answer": "x"}]},
    ],
)
def test_foreign_shapes_are_not_recognised(tmp_path: Path, data: Any) -> None:
    path = write(tmp_path / "x.json", data)
    assert not EverMemBenchReader().recognises(Source(path))
    assert not EverMemBenchReader().recognises(Source(tmp_path))


@pytest.mark.parametrize(
    "data", [dialogue(), questions(), older()], ids=["dialogue", "qars", "older"]
)
def test_every_form_is_recognised_alone(tmp_path: Path, data: Any) -> None:
    assert format_of(write(tmp_path / "x.json", data)) == "evermembench"


@pytest.mark.parametrize(
    "whole", [dialogue(), questions(), older()], ids=["dialogue", "qars", "older"]
)
def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path, whole: Any) -> None:
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
    assert read_anyway > 100


def test_a_text_of_ten_megabytes_is_read_like_any_other(tmp_path: Path) -> None:
    long = "D1:1 " * 2_000_000
    data = dialogue()
    data["dialogues"][long] = {long: [message(long, long, long)]}
    assert read_value(tmp_path, data).counts["rounds"] == 5
    asked = questions()
    asked["qars"][1] |= {"id": long, "Q": long, "A": long}
    release = read_value(tmp_path, asked)
    assert release.counts["questions"] == 2
    assert all(len(one.line()) < 21_000 for one in release.defects)


def test_escape_codes_are_kept_in_the_model_and_escaped_in_defects(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\u202e"
    data = copy.deepcopy(dialogue())
    data["dialogues"]["2025-01-10"]["Group 1"][0] = message(evil, evil, evil)
    release = read_value(tmp_path, data)
    (history,) = release.histories.values()
    assert history.rounds[3].messages[0].speaker == evil
    assert "\x1b" not in "".join(defect.line() for defect in release.defects)
