import copy
import json
from collections import Counter
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Defect, Severity, count_by_severity
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import (
    AttachmentState,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    Kind,
    Release,
    Role,
    RoundKind,
)
from mnemoscope.core.releases.mem_gallery.reader import MemEyeReader, MemGalleryReader
from mnemoscope.core.releases.native.reader import NativeReader, write_release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.sources import Source
from tests.gallery_data import (
    GALLERY,
    QUESTIONS,
    SESSIONS,
    gallery,
    memeye,
    needs_gallery,
    published_counts,
)
from tests.locomo_data import broken_copies, leads_somewhere, source_of, write

OPTIONS = ReadOptions()


def read_value(tmp_path: Path, data: Any) -> Release:
    return MemGalleryReader().read(source_of(tmp_path / "Bees.json", data), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


def tree(tmp_path: Path, **files: Any) -> Path:
    for name, data in files.items():
        write(tmp_path / "data" / "dialog" / f"{name}.json", data)
    return tmp_path


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return read_value(tmp_path, gallery())


# --- What is read


def test_a_release_says_what_it_is(tmp_path: Path) -> None:
    release = open_release(tree(tmp_path, Bees=gallery(), Boats=gallery()))
    assert (release.name, release.format) == (tmp_path.name, "mem-gallery")
    assert release.round_kind is RoundKind.EXCHANGE
    assert release.licence == "MIT"
    assert str(release.textualisation) == "image=caption,audio=none"
    assert release.counts == {
        **{"histories": 2, "sessions": 4, "rounds": 8, "questions": 12},
        **{"images": 4, "audio": 0},
    }
    assert list(release.histories) == ["Bees", "Boats"]
    assert release.histories["Boats"].file == "data/dialog/Boats.json"


def test_a_round_is_an_exchange_of_the_character_and_the_assistant(release: Release) -> None:
    history = release.histories["Bees"]
    assert history.name == "Ada"
    assert [session.id for session in history.sessions] == ["D1", "D2"]
    assert history.sessions[0].date == datetime(2024, 6, 17)
    assert [one.id for one in history.rounds] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert [one.index for one in history.rounds] == [0, 1, 2, 3]
    messages = history.rounds[1].messages
    assert [(one.speaker, one.role, one.text) for one in messages] == [
        ("Ada", Role.USER, "Two, see here."),
        ("assistant", Role.ASSISTANT, "They look calm."),
    ]
    assert history.rounds[1].place == "$.multi_session_dialogues[0].dialogues[1]"


def test_a_picture_stands_in_its_round_with_its_caption(release: Release) -> None:
    image = release.histories["Bees"].attachment(Kind.IMAGE, "D2:IMG_001")
    assert image is not None
    assert image.captions == {"caption": "a swarm in a lime tree"}
    assert image.state is AttachmentState.MISSING
    assert image.written == "../image/Bees/D2_IMG_001.jpg"
    assert [one.code for one in release.defects if "media" in one.code] == ["media_absent"]


def test_scenarios_whose_characters_share_a_name_are_told_apart_by_file(tmp_path: Path) -> None:
    release = open_release(tree(tmp_path, Bees=gallery("Leo"), Boats=gallery("Leo")))
    assert [one.name for one in release.histories.values()] == ["Leo", "Leo"]
    assert len(release.questions) == 12
    assert release.questions["Boats/0"].history_id == "Boats"


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(tmp_path / folder / "Bees.json", gallery())
    assert list(open_release(tmp_path).histories) == ["a/Bees", "b/Bees"]


def test_questions_go_by_their_place_and_a_broken_one_moves_no_other(tmp_path: Path) -> None:
    data = gallery()
    data[QUESTIONS][0] = None
    data[QUESTIONS][2]["question"] = " "
    release = read_value(tmp_path, data)
    assert list(release.questions) == ["Bees/1", "Bees/3", "Bees/4", "Bees/5"]
    assert release.questions["Bees/3"].place == '$["human-annotated QAs"][3]'
    assert [one.path for one in of_code(release, "wrong_type")] == [
        '$["human-annotated QAs"][0]',
        '$["human-annotated QAs"][2].question',
    ]


def test_the_point_is_the_task_and_stays_the_category(release: Release) -> None:
    tasks = [(one.category, one.task) for one in release.questions.values()]
    assert tasks[:3] == [
        ("FR", "factual_retrieval"),
        ("AR", "answer_refusal"),
        ("VS", "visual_centric_search"),
    ]
    assert {one.setting for one in release.questions.values()} == {""}


def test_a_clue_leads_to_its_round(release: Release) -> None:
    question = release.questions["Bees/5"]
    assert question.evidence_rounds == ("D1:2", "D2:1")
    assert question.evidence_sessions == ("D1", "D2")
    assert question.clues[1].place == '$["human-annotated QAs"][5].clue[1]'


def test_a_refusal_without_clues_has_no_gold_evidence_though_it_names_a_session(
    release: Release,
) -> None:
    question = release.questions["Bees/1"]
    assert (question.clues, question.answerable) == ((), False)
    assert question.gold == Gold(GoldKind.TEXTS, texts=("Not mentioned.",))
    assert release.evaluator.questions["Bees/1"] == {"session_id": ["D2"]}
    assert not [one for one in release.defects if "[1]" in one.path]


def test_a_refusal_whose_answer_does_not_decline_is_a_warning(tmp_path: Path) -> None:
    data = gallery()
    data[QUESTIONS][1]["answer"] = "44"
    (defect,) = of_code(read_value(tmp_path, data), "gold_not_refusal")
    assert (defect.severity, defect.found) == (Severity.WARNING, "'44'")


def test_image_ids_are_an_answer_and_one_that_no_picture_has_is_a_warning(
    release: Release,
) -> None:
    assert release.questions["Bees/2"].gold.texts == ("D1:IMG_001, D2:IMG_001",)
    (defect,) = of_code(release, "gold_unknown_image")
    assert (defect.severity, defect.found) == (Severity.WARNING, "'D2:IMG_006'")
    assert defect.path == '$["human-annotated QAs"][3].answer'


def test_a_question_shows_its_picture_with_its_caption(release: Release) -> None:
    (image,) = release.questions["Bees/4"].attachments
    assert (image.kind, image.id) == (Kind.IMAGE, "question_image")
    assert image.captions == {"caption": "a dark cluster on a branch"}
    assert release.questions["Bees/3"].attachments == ()


def test_what_only_the_evaluator_may_see_is_nowhere_else(tmp_path: Path) -> None:
    data = gallery()
    data[SESSIONS][0]["topic"] = "secret topic"
    data[SESSIONS][0]["dialogues"][0]["trace"] = "secret trace"
    release = read_value(tmp_path, data)
    evaluator = release.evaluator
    profile = evaluator.histories["Bees"]["character_profile"]
    assert profile["traits"] == ["patient"]
    assert evaluator.sessions["Bees", "D1"] == {"topic": "secret topic"}
    assert evaluator.rounds["Bees", "D1:1"] == {"trace": "secret trace"}
    shown = repr((release.histories, release.questions))
    for hidden in ("on a roof", "patient", "short", "secret"):
        assert hidden not in shown


# --- Pictures and where they may be


def picture(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"picture")


@pytest.mark.parametrize("opened", ["", "data", "data/dialog", "data/dialog/Bees.json"])
def test_a_picture_beside_the_dialogues_is_found_from_wherever_one_opens(
    tmp_path: Path, opened: str
) -> None:
    tree(tmp_path, Bees=gallery())
    picture(tmp_path / "data" / "image" / "Bees" / "D1_IMG_001.jpg")
    release = open_release(tmp_path / opened)
    image = release.histories["Bees"].attachment(Kind.IMAGE, "D1:IMG_001")
    assert image is not None
    assert image.state is AttachmentState.PRESENT


@pytest.mark.parametrize(
    "written",
    [
        "../secret.jpg",
        "../../secret.jpg",
        "../image/../../secret.jpg",
        "../image/../../../secret.jpg",
        "../image/out/secret.jpg",
        "file://../secret.jpg",
    ],
)
def test_a_path_does_not_lead_out_of_the_release(tmp_path: Path, written: str) -> None:
    data = gallery()
    data[SESSIONS][0]["dialogues"][1]["input_image"] = [written]
    root = tree(tmp_path / "in" / "release", Bees=data) / "data"
    for folder in (tmp_path, tmp_path / "in", tmp_path / "in" / "release"):
        picture(folder / "secret.jpg")
    (root / "image").mkdir()
    (root / "image" / "out").symlink_to(tmp_path)
    image = open_release(root / "dialog").histories["Bees"].attachment(Kind.IMAGE, "D1:IMG_001")
    assert image is not None
    assert (image.state, image.file) == (AttachmentState.MISSING, "")


def test_a_folder_named_by_the_user_is_looked_in(tmp_path: Path) -> None:
    path = write(tmp_path / "dialog" / "Bees.json", gallery())
    picture(tmp_path / "elsewhere" / "image" / "Bees" / "D1_IMG_001.jpg")
    release = open_release(path, media_roots=[tmp_path / "elsewhere"])
    image = release.histories["Bees"].attachment(Kind.IMAGE, "D1:IMG_001")
    assert image is not None
    assert image.state is AttachmentState.PRESENT


# --- Odd and broken content


def test_a_clue_that_leads_nowhere_is_kept_with_its_reason(tmp_path: Path) -> None:
    data = gallery()
    data[QUESTIONS][0]["clue"] = ["D9:9", "D1 : 2", "D1:IMG_001", 3]
    release = read_value(tmp_path, data)
    assert [(one.id, one.target, one.problem) for one in release.questions["Bees/0"].clues] == [
        ("D9:9", ClueTarget.ROUND, ClueProblem.UNKNOWN_ID),
        ("D1 : 2", ClueTarget.UNKNOWN, ClueProblem.MALFORMED),
        ("D1:IMG_001", ClueTarget.IMAGE, ClueProblem.FILE_MISSING),
        ("int 3", ClueTarget.UNKNOWN, ClueProblem.MALFORMED),
    ]
    assert release.questions["Bees/0"].evidence_rounds == ("D1:2",)
    assert [one.path[-8:] for one in release.defects if one.code.startswith("clue")] == [
        *(".clue[0]", ".clue[1]", ".clue[3]"),
    ]


def test_a_bare_clue_is_a_list_of_one(tmp_path: Path) -> None:
    data = gallery()
    data[QUESTIONS][0]["clue"] = "D1:2"
    release = read_value(tmp_path, data)
    assert release.questions["Bees/0"].evidence_rounds == ("D1:2",)
    assert of_code(release, "scalar_for_list")[0].severity is Severity.REPAIRED


def test_an_absent_list_of_clues_is_a_warning_and_an_empty_one_is_not(tmp_path: Path) -> None:
    data = gallery()
    data[QUESTIONS][0]["clue"] = []
    del data[QUESTIONS][2]["clue"]
    (defect,) = of_code(read_value(tmp_path, data), "evidence_missing")
    assert defect.path == '$["human-annotated QAs"][2].clue'


def test_sessions_that_are_not_those_of_the_clues_are_a_warning(tmp_path: Path) -> None:
    data = gallery()
    data[QUESTIONS][0]["session_id"] = ["D1", "D2"]
    (defect,) = of_code(read_value(tmp_path, data), "sessions_differ")
    assert (defect.found, defect.expected) == ("'D1', 'D2'", "the sessions of its clues: D1")


def test_questions_without_a_dialogue_have_clues_whose_history_is_absent(tmp_path: Path) -> None:
    data = gallery() | {SESSIONS: []}
    release = read_value(tmp_path, data)
    (clue,) = release.questions["Bees/0"].clues
    assert clue.problem is ClueProblem.HISTORY_ABSENT


def test_a_repeated_id_is_an_error_and_the_first_round_wins(tmp_path: Path) -> None:
    data = gallery()
    first, second = data[SESSIONS][0]["dialogues"]
    second["round"] = first["round"]
    data[SESSIONS][1]["dialogues"][1]["image_id"] = ["D1:IMG_001"]
    release = read_value(tmp_path, data)
    assert len(release.histories["Bees"].rounds) == 4
    assert release.histories["Bees"].round_by_id["D1:1"].index == 0
    assert [one.path for one in of_code(release, "duplicate_round_id")] == [
        "$.multi_session_dialogues[0].dialogues[1].round"
    ]
    assert [one.path for one in of_code(release, "duplicate_media_id")] == [
        "$.multi_session_dialogues[1].dialogues[1].image_id[0]"
    ]


def test_a_session_or_round_without_its_own_id_takes_one_from_its_place(tmp_path: Path) -> None:
    data = gallery()
    data[SESSIONS][1]["session_id"] = "D1"
    del data[SESSIONS][0]["dialogues"][1]["round"]
    release = read_value(tmp_path, data)
    history = release.histories["Bees"]
    assert [one.id for one in history.sessions] == ["D1", "D1#"]
    assert [one.id for one in history.rounds][:2] == ["D1:1", "D1:2"]
    repaired = [one.code for one in release.defects if one.severity is Severity.REPAIRED]
    assert repaired == ["missing_id", "odd_session_id"]


@pytest.mark.parametrize("date", ["17/06/2024", "2024-13-01", "2024-06-17T00:00:00+02:00", "soon"])
def test_a_date_that_cannot_be_read_is_a_warning(tmp_path: Path, date: str) -> None:
    data = gallery()
    data[SESSIONS][0]["date"] = date
    release = read_value(tmp_path, data)
    session = release.histories["Bees"].sessions[0]
    assert (session.date, session.date_text) == (None, date)
    assert of_code(release, "date_unreadable")[0].path == "$.multi_session_dialogues[0].date"


def test_sessions_out_of_order_are_a_warning_and_keep_their_order(tmp_path: Path) -> None:
    data = gallery()
    data[SESSIONS][1]["date"] = "2024-06-16"
    release = read_value(tmp_path, data)
    assert of_code(release, "dates_out_of_order")[0].path == "$.multi_session_dialogues[1].date"
    assert list(release.histories["Bees"].session_by_id) == ["D2", "D1"]


@pytest.mark.parametrize(
    ("change", "severity"),
    [
        ({"image_caption": []}, None),
        ({"image_caption": ["one", "two"]}, Severity.WARNING),
        ({"image_id": []}, Severity.WARNING),
        ({"image_id": ["D1:IMG_001", "D1:IMG_002"]}, Severity.ERROR),
    ],
)
def test_lists_of_pictures_that_are_not_parallel_are_recorded(
    tmp_path: Path, change: dict[str, Any], severity: Severity | None
) -> None:
    data = gallery()
    data[SESSIONS][0]["dialogues"][1] |= change
    release = read_value(tmp_path, data)
    found = [one.severity for one in of_code(release, "parallel_lists")]
    assert found == ([severity] if severity else [])


def test_a_file_with_several_question_lists_is_read_by_the_first(tmp_path: Path) -> None:
    data = gallery()
    data["qas"] = [dict(data[QUESTIONS][0])]
    release = read_value(tmp_path, data)
    assert len(release.questions) == 6
    assert of_code(release, "several_question_lists")[0].path == "$.qas"


# --- MemEye


def test_memeye_is_told_from_mem_gallery_by_its_points(tmp_path: Path) -> None:
    write(tmp_path / "a" / "Task.json", memeye())
    write(tmp_path / "b" / "Bees.json", gallery())
    assert format_of(tmp_path / "a") == "memeye"
    assert format_of(tmp_path / "b") == "mem-gallery"
    assert open_release(tmp_path / "a", format="mem-gallery").format == "mem-gallery"


def read_memeye(tmp_path: Path, data: Any) -> Release:
    return MemEyeReader().read(source_of(tmp_path / "Task.json", data), OPTIONS)


def test_grain_and_depth_are_setting_and_task(tmp_path: Path) -> None:
    release = read_memeye(tmp_path, memeye())
    points = [(one.task, one.setting, one.category) for one in release.questions.values()]
    assert points == [
        ("depth_1", "X2", ""),
        ("depth_3", "X0+X4", ""),
        ("depth_2", "X1", ""),
    ]
    assert release.settings == ("X0+X4", "X1", "X2")
    assert not of_code(release, "unknown_point")


def test_the_open_form_of_a_task_is_a_history_of_its_own(tmp_path: Path) -> None:
    open_form = memeye()
    for question in open_form["human_annotated_qas"]:
        question.pop("options", None)
        question["answer"] = "two"
    write(tmp_path / "Bees.json", memeye())
    write(tmp_path / "Bees_Open.json", open_form)
    release = open_release(tmp_path)
    assert list(release.histories) == ["Bees", "Bees_Open"]
    assert release.questions["Bees/0"].gold == Gold(GoldKind.OPTION, "B")
    assert release.questions["Bees_Open/0"].gold == Gold(GoldKind.TEXTS, texts=("two",))


def test_several_pictures_of_a_round_are_several_attachments(tmp_path: Path) -> None:
    release = read_memeye(tmp_path, memeye())
    images = [*release.histories["Task"].round_by_id["D1:2"].attachments]
    assert [one.id for one in images] == ["D1:IMG_001", "D1:IMG_002"]
    assert [one.caption("caption") for one in images] == ["two green hives", "a smoker"]


def test_a_picture_named_by_a_file_address_is_found_below_the_release(tmp_path: Path) -> None:
    path = write(tmp_path / "dialog" / "Task.json", memeye())
    picture(tmp_path / "image" / "Bees" / "b.jpg")
    image = open_release(path).histories["Task"].attachment(Kind.IMAGE, "D1:IMG_002")
    assert image is not None
    assert image.state is AttachmentState.PRESENT


def test_options_are_read_and_the_letter_is_the_gold(tmp_path: Path) -> None:
    question = read_memeye(tmp_path, memeye()).questions["Task/0"]
    assert [(one.label, one.text) for one in question.options] == [
        ("A", "one"),
        ("B", "two"),
        ("C", "three"),
    ]
    assert question.gold == Gold(GoldKind.OPTION, "B")


def test_of_rotated_options_the_first_set_is_shown_and_all_are_kept(tmp_path: Path) -> None:
    data = memeye()
    release = read_memeye(tmp_path, data)
    question = release.questions["Task/1"]
    assert [one.text for one in question.options] == ["one", "two", "three"]
    kept = release.evaluator.questions["Task/1"]["options"]
    assert kept == data["human_annotated_qas"][1]["options"]
    assert "options" not in release.evaluator.questions["Task/0"]
    assert not of_code(release, "options_differ")


def test_a_rotated_set_that_says_something_else_is_a_warning(tmp_path: Path) -> None:
    data = memeye()
    data["human_annotated_qas"][1]["options"][1]["C"] = "four"
    (defect,) = of_code(read_memeye(tmp_path, data), "options_differ")
    assert defect.path == "$.human_annotated_qas[1].options[1]"


def test_an_answer_that_is_no_option_is_an_error_and_no_gold(tmp_path: Path) -> None:
    data = memeye()
    data["human_annotated_qas"][0]["answer"] = "E"
    release = read_memeye(tmp_path, data)
    assert release.questions["Task/0"].gold == Gold.none()
    assert of_code(release, "gold_not_an_option")[0].severity is Severity.ERROR


def test_an_open_question_beside_them_has_its_answer_as_text(tmp_path: Path) -> None:
    assert read_memeye(tmp_path, memeye()).questions["Task/2"].gold.texts == ("the smoker",)


def test_a_question_shows_all_its_pictures_whatever_their_key(tmp_path: Path) -> None:
    questions = read_memeye(tmp_path, memeye()).questions
    assert [one.written for one in questions["Task/1"].attachments] == ["a.jpg", "b.jpg"]
    assert [one.id for one in questions["Task/1"].attachments] == [
        "question_image",
        "question_image#2",
    ]
    assert [one.written for one in questions["Task/2"].attachments] == ["../image/Bees/q.jpg"]


@pytest.mark.parametrize("key", ["human-annotated QAs", "human_annotated_qas", "qas"])
def test_the_list_of_questions_is_found_in_every_spelling(tmp_path: Path, key: str) -> None:
    data = memeye()
    data[key] = data.pop("human_annotated_qas")
    write(tmp_path / "Task.json", data)
    assert format_of(tmp_path) == "memeye"
    assert len(open_release(tmp_path).questions) == 3


def test_an_unknown_point_is_a_warning_and_the_question_is_kept(tmp_path: Path) -> None:
    data = gallery()
    data[QUESTIONS][0]["point"] = "ZZ"
    data[QUESTIONS][1]["point"] = [["X9"], ["Y1"]]
    data[QUESTIONS][2]["point"] = None
    release = read_value(tmp_path, data)
    assert [one.task for one in release.questions.values()][:3] == ["unknown", "depth_1", "unknown"]
    assert len(of_code(release, "unknown_point")) == 3


# --- Recognition and damage


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], {}, [1], {SESSIONS: []}, {SESSIONS: {}, "qas": []}, {"qas": []}),
        {SESSIONS: [], QUESTIONS: [{"qa_id": "0-Pets-1", "point": "img_identify"}]},
    ],
)
def test_foreign_shapes_are_not_recognised(tmp_path: Path, data: Any) -> None:
    path = write(tmp_path / "x.json", data)
    for reader in (MemGalleryReader(), MemEyeReader()):
        assert not reader.recognises(Source(path))
        assert not reader.recognises(Source(tmp_path))


def test_files_of_other_kinds_are_not_parsed_to_recognise_a_folder(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number}.json", [{"sample_id": "Ada"}])
    source = Source(tmp_path)
    assert not MemGalleryReader().recognises(source)
    assert not any("data" in vars(file) for file in source.files)


def test_results_beside_the_dialogues_are_not_read(tmp_path: Path) -> None:
    tree(tmp_path, Bees=gallery())
    write(tmp_path / "data" / "Bees_results.json", [{"sample_id": "Ada"}])
    release = open_release(tmp_path)
    assert release.files == ("data/dialog/Bees.json",)
    assert not of_code(release, "unreadable_file")


def test_a_cut_file_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    tree(tmp_path, Aa=gallery(), Bees=gallery())
    cut = tmp_path / "data" / "dialog" / "Aa.json"
    cut.write_bytes(cut.read_bytes()[:-100])
    release = open_release(tmp_path)
    assert list(release.histories) == ["Bees"]
    (defect,) = of_code(release, "unreadable_file")
    assert (defect.severity, defect.file) == (Severity.ERROR, "data/dialog/Aa.json")


def test_a_cut_file_alone_is_one_clear_error(tmp_path: Path) -> None:
    path = write(tmp_path / "Bees.json", gallery())
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InputError, match=r"Bees\.json: line 1 column \d+"):
        open_release(path)
    with pytest.raises(InputError, match=r"Bees\.json: line 1 column \d+"):
        open_release(path, format="mem-gallery")


def test_another_kind_of_file_is_an_error_that_says_what_was_expected(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", {"questions": []})
    with pytest.raises(InputError, match="expected a dialogue with multi_session_dialogues"):
        open_release(path, format="mem-gallery")
    with pytest.raises(InputError, match="no mem-gallery dialogue in it"):
        open_release(tmp_path, format="mem-gallery")


@pytest.mark.parametrize("whole", [gallery(), memeye()], ids=["mem-gallery", "memeye"])
def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path, whole: Any) -> None:
    read_anyway = 0
    for what, broken in broken_copies(whole):
        source = source_of(tmp_path / "Bees.json", broken)
        try:
            release = MemGalleryReader().read(source, OPTIONS)
        except InputError:
            continue
        read_anyway += 1
        assert release.counts["questions"] == len(release.questions), what
        for defect in release.defects:
            if defect.file != ".":
                assert leads_somewhere(defect, broken), (what, defect)
            assert len(defect.line()) < 1_000, what
    assert read_anyway > 1_500


LONG = "D1:1 " * 2_000_000


@pytest.mark.parametrize(
    "place",
    [
        ("character_profile", "name"),
        (SESSIONS, 0, "session_id"),
        (SESSIONS, 0, "date"),
        (SESSIONS, 0, "dialogues", 1, "round"),
        (SESSIONS, 0, "dialogues", 1, "user"),
        (SESSIONS, 0, "dialogues", 1, "input_image", 0),
        (SESSIONS, 0, "dialogues", 1, "image_id", 0),
        (QUESTIONS, 2, "point"),
        (QUESTIONS, 2, "question"),
        (QUESTIONS, 2, "answer"),
        (QUESTIONS, 2, "clue", 0),
        (QUESTIONS, 2, "session_id", 0),
    ],
)
def test_a_text_of_ten_megabytes_is_read_like_any_other(
    tmp_path: Path, place: tuple[Any, ...]
) -> None:
    data = gallery()
    holder: Any = data
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = LONG
    release = read_value(tmp_path, data)
    assert (release.counts["rounds"], release.counts["questions"]) == (4, 6)
    assert all(len(one.line()) < 12_000 for one in release.defects)


def test_escape_codes_are_kept_in_the_model_and_escaped_in_defects(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\u202e"
    data = gallery()
    data[SESSIONS][0]["dialogues"][0]["user"] = evil
    data[QUESTIONS][0] |= {"question": evil, "clue": [evil], "point": evil}
    release = read_value(tmp_path, data)
    assert release.histories["Bees"].rounds[0].messages[0].text == evil
    assert "\x1b" not in "".join(defect.line() for defect in release.defects)


@pytest.mark.parametrize("whole", [gallery(), memeye()], ids=["mem-gallery", "memeye"])
def test_a_release_is_the_same_after_it_is_written_in_our_format(
    tmp_path: Path, whole: Any
) -> None:
    release = read_value(tmp_path, copy.deepcopy(whole))
    write_release(release, tmp_path / "native")
    again = NativeReader().read(Source(tmp_path / "native"), OPTIONS)
    assert again.counts == release.counts
    assert again.evaluator == release.evaluator
    for key, question in release.questions.items():
        other = again.questions[key]
        assert (other.gold, other.task, other.setting) == (
            *(question.gold, question.task, question.setting),
        )
        assert [one.id for one in other.attachments] == [one.id for one in question.attachments]


# --- The published release


@cache
def published() -> Release:
    return open_release(GALLERY)


@needs_gallery
def test_the_published_release_is_recognised_as_folder_and_as_file() -> None:
    first = next(iter(published().files))
    assert format_of(GALLERY) == "mem-gallery"
    assert format_of(GALLERY / "dialog") == "mem-gallery"
    assert format_of(GALLERY / first) == "mem-gallery"


@needs_gallery
def test_the_published_release_has_the_measured_counts() -> None:
    known = published_counts()
    totals = known["totals"]
    release = published()
    assert release.counts == {
        "histories": known["files"],
        "sessions": totals["sessions"],
        "rounds": totals["rounds"],
        "questions": totals["qa"],
        "images": totals["images"],
        "audio": 0,
    }
    questions = release.questions.values()
    assert Counter(one.category for one in questions) == known["qa_by_point"]
    assert Counter(one.task for one in questions) == {
        label.task: label.expected for label in release.tasks
    }
    assert sum(bool(one.attachments) for one in questions) == totals["qa_with_image"]


@needs_gallery
def test_every_published_file_has_the_measured_counts() -> None:
    release = published()
    assert {
        history.id: {
            "name": history.name,
            "sessions": len(history.sessions),
            "rounds": len(history.rounds),
            "images": sum(1 for one in history.rounds for _ in one.attachments),
            "qa": len(release.questions_by_history[history.id]),
            "qa_by_point": dict(
                Counter(one.category for one in release.questions_by_history[history.id])
            ),
        }
        for history in release.histories.values()
    } == published_counts()["per_file"]


@needs_gallery
def test_the_published_clues_resolve_as_measured() -> None:
    known = published_counts()
    questions = published().questions.values()
    clues = [clue for one in questions for clue in one.clues]
    assert len(clues) == known["totals"]["clues"] == 4109
    assert sum(not one.resolved for one in clues) == known["totals"]["clues_unresolved"]
    counts = Counter(str(len(one.clues)) for one in questions)
    assert counts == known["clue_count_histogram"]
    without = [one for one in questions if not one.clues]
    assert len(without) == known["totals"]["qa_without_clue"]
    assert {one.category for one in without} == {"AR"}
    assert all(one.gold.texts == ("Not mentioned.",) for one in without)
    assert not any(one.answerable for one in without)


@needs_gallery
def test_the_published_answers_name_one_picture_that_does_not_exist() -> None:
    found = [
        [defect.file.removeprefix("dialog/").removesuffix(".json"), defect.path, defect.found]
        for defect in of_code(published(), "gold_unknown_image")
    ]
    ((file, index, image_id),) = published_counts()["unresolved_answer_image_ids"]
    assert found == [[file, f'$["human-annotated QAs"][{index}].answer', f"'{image_id}'"]]


@needs_gallery
def test_the_published_release_has_two_warnings_and_nothing_else() -> None:
    assert count_by_severity(published().defects) == {"errors": 0, "repaired": 0, "warnings": 2}
    assert [one.code for one in published().defects] == ["gold_unknown_image", "media_absent"]


@needs_gallery
def test_published_names_repeat_and_every_history_is_one_of_its_own() -> None:
    names = Counter(one.name for one in published().histories.values())
    assert {name for name, count in names.items() if count > 1} == {"Liam", "Leo", "Alex Chen"}


@needs_gallery
@pytest.mark.parametrize("cut", [1, 1_000, 50_000])
def test_a_cut_copy_of_a_published_file_is_one_clear_error(tmp_path: Path, cut: int) -> None:
    whole = (GALLERY / next(iter(published().files))).read_bytes()
    (tmp_path / "cut.json").write_bytes(whole[:-cut])
    with pytest.raises(InputError, match=r"cut\.json: line \d+ column \d+"):
        open_release(tmp_path / "cut.json")


@needs_gallery
def test_damaged_copies_of_a_published_file_are_read_with_defects(tmp_path: Path) -> None:
    whole = json.loads((GALLERY / next(iter(published().files))).read_bytes())
    whole[SESSIONS] = [one | {"dialogues": one["dialogues"][:2]} for one in whole[SESSIONS][:2]]
    whole[QUESTIONS] = whole[QUESTIONS][:3]
    for what, broken in broken_copies(whole):
        try:
            release = read_value(tmp_path, broken)
        except InputError:
            continue
        for defect in release.defects:
            assert defect.file == "." or leads_somewhere(defect, broken), (what, defect)
