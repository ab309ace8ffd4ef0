import copy
import json
from collections import Counter
from datetime import datetime
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
    Kind,
    Release,
    Retrieval,
    Role,
    RoundKind,
)
from mnemoscope.core.raw import raw_question, raw_round
from mnemoscope.core.releases.h2hmem.reader import H2HMemReader
from mnemoscope.core.releases.native.reader import NativeReader, write_release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.scoring.retrieval_hits import Grain, Ranking
from mnemoscope.core.sources import Source
from tests.locomo_data import broken_copies, leads_somewhere, source_of, write

SHARED = Path(__file__).parents[1].parent / "shared"
PUBLISHED = SHARED / "data" / "h2hmem"
COUNTS = SHARED / "reference" / "other-releases-counts.json"
OPTIONS = ReadOptions()

needs_data = pytest.mark.skipif(
    not (COUNTS.is_file() and PUBLISHED.is_dir()), reason=f"the public data is not in {PUBLISHED}"
)


def session(slug: str = "garden_1", date: str = "2024-06-05") -> dict[str, Any]:
    """Two people: three turns, two pictures."""
    return {
        "session_id": slug,
        "session_title": "A plot is dug over",
        "theme": "gardening",
        "generated_at": "2026-03-01T02:09:06",
        "dialogue": [
            turn("Ada", "I dug over the plot.", "1.png"),
            turn("Bo", "All of it?"),
            turn("Bo", "", "2.png"),
        ],
        "metadata": {"enhancement_failed": True},
        "timeline_date": date,
    }


def turn(role: str, text: str, image: str = "") -> dict[str, Any]:
    return {"role": role, "content": {"image": image, "text": text}}


def questions(*rows: dict[str, Any]) -> dict[str, Any]:
    return {
        "metadata": {"session_name": "session1"},
        "session_info": {"session_name": "session1", "session_number": 1},
        "questions": list(rows),
    }


def row(text: str, answer: Any, sessions: list[str], **more: Any) -> dict[str, Any]:
    return {
        "question": {"image": more.pop("image", ""), "text": text},
        "original_answer": answer,
        "answer_session": sessions,
        "answer_dialogue": "dialogue1",
        "question_type": {
            "main_type": more.pop("main_type", "Memory Recall"),
            "sub_type": more.pop("sub_type", "Unimodal Precise Recall"),
        },
        "difficulty": "easy",
        "validation_notes": "asks for a plain fact",
        "generated_at": "2026-03-01T12:21:28",
        "validated": True,
        **more,
    }


def tree(root: Path) -> Path:
    """Two people in two sessions, with questions about each and across both; and one group."""
    scenes = root / "dyadic" / "dialogue1" / "scenes"
    write(scenes / "session1" / "session.json", session())
    write(
        scenes / "session1" / "questions.json",
        questions(
            row("What did Ada dig over?", "the plot", ["session1"]),
            row(
                "What is in this picture?",
                "a spade",
                ["session1"],
                image="2.png",
                sub_type="Cross-modal Related Retrieval",
            ),
            row(
                "What is Bo's phone number?",
                "Not mentioned",
                ["session1"],
                main_type="Memory Application",
                sub_type="Answer Refusal",
            ),
        ),
    )
    write(scenes / "session10" / "session.json", session("garden_2", "2024-06-09"))
    write(
        scenes / "session0" / "questions.json",
        questions(
            row(
                "When was this picture sent?",
                "on the ninth",
                ["session0"],
                image="session10/1.png",
                sub_type="Temporal Reasoning",
                main_type="Memory Reasoning",
                original_question_id="CSQ001",
            )
        ),
    )
    group = root / "multi-party" / "dialogue1" / "scenes" / "session1"
    talk = session("S1-1") | {"group_id": "G01_Gardeners", "meta": {"full_summary": "they dig"}}
    talk["dialogue"].append(turn("Cy", "Well dug."))
    write(group / "session.json", talk)
    write(group / "questions.json", questions(row("Who praised it?", "Cy", ["S1-1"])))
    return root


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return open_release(tree(tmp_path / "h2h"))


def test_a_release_says_what_it_is(release: Release) -> None:
    assert (release.name, release.format, release.licence) == ("h2h", "h2hmem", "MIT")
    assert release.round_kind is RoundKind.UTTERANCE
    assert release.counts == {
        **{"histories": 2, "sessions": 3, "rounds": 10, "questions": 5},
        **{"images": 6, "audio": 0},
    }
    assert list(release.histories) == ["dyadic/dialogue1", "multi-party/dialogue1"]


@pytest.mark.parametrize("opened", ["dyadic", "dyadic/dialogue1", "dyadic/dialogue1/scenes"])
def test_a_history_has_the_same_name_from_wherever_one_opens(tmp_path: Path, opened: str) -> None:
    release = open_release(tree(tmp_path) / opened)
    assert list(release.histories) == ["dyadic/dialogue1"]
    assert len(release.questions) == 4


def test_sessions_go_by_their_folder_s_name_in_natural_order(release: Release) -> None:
    history = release.histories["dyadic/dialogue1"]
    assert [one.id for one in history.sessions] == ["session1", "session10"]
    assert [one.date for one in history.sessions] == [datetime(2024, 6, 5), datetime(2024, 6, 9)]
    assert [one.id for one in history.rounds][2:4] == ["session1:3", "session10:1"]
    assert [one.index for one in history.rounds] == [0, 1, 2, 3, 4, 5]


def test_people_talk_and_nobody_is_the_assistant(release: Release) -> None:
    two = release.histories["dyadic/dialogue1"]
    assert two.name == "Ada and Bo"
    roles = {one.messages[0].speaker: one.messages[0].role for one in two.rounds}
    assert roles == {"Ada": Role.USER, "Bo": Role.OTHER}
    group = release.histories["multi-party/dialogue1"]
    assert group.name == "Ada, Bo and Cy"
    assert group.rounds[3].messages[0].role is Role.OTHER
    assert group.sessions[0].group == "G01_Gardeners"


def test_a_turn_may_be_only_its_picture(release: Release) -> None:
    (message,) = release.histories["dyadic/dialogue1"].rounds[2].messages
    assert message.text is None
    assert [one.id for one in message.attachments] == ["session1/2.png"]
    assert not of_code(release, "empty_round")


def test_pictures_of_one_name_in_several_sessions_are_told_apart(release: Release) -> None:
    history = release.histories["dyadic/dialogue1"]
    ids = [image.id for one in history.rounds for image in one.attachments]
    assert ids == ["session1/1.png", "session1/2.png", "session10/1.png", "session10/2.png"]
    assert {i.written for one in history.rounds for i in one.attachments} == {"1.png", "2.png"}


@pytest.mark.parametrize("opened", ["", "dyadic/dialogue1", "dyadic/dialogue1/scenes/session1"])
def test_a_picture_is_found_in_the_image_folder_of_its_session(tmp_path: Path, opened: str) -> None:
    scenes = tree(tmp_path) / "dyadic" / "dialogue1" / "scenes"
    for name in ("session1", "session10"):
        (scenes / name / "image").mkdir()
        (scenes / name / "image" / "1.png").write_bytes(name.encode())
    release = open_release(tmp_path / opened)
    history = release.histories["dyadic/dialogue1"]
    image = history.attachment(Kind.IMAGE, "session1/1.png")
    assert image is not None
    assert image.state is AttachmentState.PRESENT
    assert Path(image.file).read_bytes() == b"session1"
    if not opened:
        (shown,) = release.questions["dyadic/dialogue1/session0/0"].attachments
        assert Path(shown.file).read_bytes() == b"session10"


@pytest.mark.parametrize("written", ["../../../../../../secret.png", "/etc/passwd", "..\\secret"])
def test_a_picture_s_name_does_not_lead_out_of_the_release(tmp_path: Path, written: str) -> None:
    root = tree(tmp_path / "in")
    (tmp_path / "secret.png").write_bytes(b"secret")
    data = session()
    data["dialogue"][0]["content"]["image"] = written
    write(root / "dyadic" / "dialogue1" / "scenes" / "session1" / "session.json", data)
    image = next(open_release(root).histories["dyadic/dialogue1"].rounds[0].attachments)
    assert (image.state, image.file) == (AttachmentState.MISSING, "")


def test_gold_is_sessions_named_by_their_folder(release: Release) -> None:
    question = release.questions["dyadic/dialogue1/session1/0"]
    (clue,) = question.clues
    assert (clue.target, clue.id, clue.round_id) == (ClueTarget.SESSION, "session1", "")
    assert question.evidence_sessions == ("session1",)
    assert Ranking(Retrieval(), None, None).grain_for(question) is Grain.SESSION


def test_a_session_named_by_its_own_id_is_found_and_that_is_recorded(release: Release) -> None:
    (clue,) = release.questions["multi-party/dialogue1/session1/0"].clues
    assert (clue.written, clue.session_id) == ("S1-1", "session1")
    (defect,) = of_code(release, "clue_by_session_id")
    assert (defect.severity, defect.repair) == (Severity.REPAIRED, "'session1'")


def test_questions_across_sessions_have_no_gold_evidence_and_that_is_said_once(
    release: Release,
) -> None:
    question = release.questions["dyadic/dialogue1/session0/0"]
    (clue,) = question.clues
    assert (clue.problem, clue.resolved) == (ClueProblem.UNKNOWN_ID, False)
    assert question.evidence_sessions == ()
    (defect,) = of_code(release, "across_sessions")
    assert defect.file == "dyadic/dialogue1/scenes/session0/questions.json"
    assert defect.severity is Severity.WARNING
    assert not of_code(release, "clue_unknown_id")


def test_any_other_session_that_is_not_there_is_a_warning_of_its_own(tmp_path: Path) -> None:
    scenes = tree(tmp_path) / "dyadic" / "dialogue1" / "scenes"
    write(
        scenes / "session1" / "questions.json",
        questions(row("?!", "x", ["session7", "session1"]), row("?!", "x", [3])),  # type: ignore[list-item]
    )
    release = open_release(tmp_path)
    clues = release.questions["dyadic/dialogue1/session1/0"].clues
    assert [one.problem for one in clues] == [ClueProblem.UNKNOWN_ID, ClueProblem.NONE]
    assert of_code(release, "clue_unknown_id")[0].path == "$.questions[0].answer_session[0]"
    assert of_code(release, "clue_malformed")[0].path == "$.questions[1].answer_session[0]"


def test_a_question_is_asked_about_a_picture_of_its_own_or_of_another_session(
    release: Release,
) -> None:
    (own,) = release.questions["dyadic/dialogue1/session1/1"].attachments
    assert (own.id, own.written) == ("session1/2.png", "2.png")
    (other,) = release.questions["dyadic/dialogue1/session0/0"].attachments
    assert (other.id, other.written) == ("session10/1.png", "session10/1.png")
    assert not of_code(release, "unknown_image")


def test_a_question_about_a_picture_that_nobody_sent_is_a_warning(tmp_path: Path) -> None:
    scenes = tree(tmp_path) / "dyadic" / "dialogue1" / "scenes"
    write(
        scenes / "session1" / "questions.json",
        questions(row("What is this?", "x", ["session1"], image="9.png")),
    )
    (defect,) = of_code(open_release(tmp_path), "unknown_image")
    assert defect.path == "$.questions[0].question.image"


def test_tasks_come_from_the_sub_type_and_categories_from_the_main_one(release: Release) -> None:
    kinds = [(one.category, one.task, one.answerable) for one in release.questions.values()]
    assert kinds[1:4] == [
        ("Memory Recall", "unimodal_precise_recall", True),
        ("Memory Recall", "cross_modal_related_retrieval", True),
        ("Memory Application", "answer_refusal", False),
    ]
    assert release.questions["dyadic/dialogue1/session1/0"].labels == {"difficulty": "easy"}


def test_a_question_s_place_in_its_history_counts_through_the_sessions(release: Release) -> None:
    questions = release.questions_by_history["dyadic/dialogue1"]
    assert [one.index for one in questions] == [0, 1, 2, 3]
    assert [one.id for one in questions][:2] == ["session0/0", "session1/0"]


def test_what_only_the_evaluator_may_see_is_nowhere_else(release: Release) -> None:
    evaluator = release.evaluator
    assert evaluator.sessions["dyadic/dialogue1", "session1"]["theme"] == "gardening"
    summary = evaluator.sessions["multi-party/dialogue1", "session1"]["meta"]
    assert summary == {"full_summary": "they dig"}
    notes = evaluator.questions["dyadic/dialogue1/session1/0"]
    assert notes["validation_notes"] == "asks for a plain fact"
    shown = repr((release.histories, release.questions))
    for hidden in ("gardening", "they dig", "plain fact", "garden_1", "dug over'", "CSQ001"):
        assert hidden not in shown


def test_the_raw_view_reads_each_session_from_its_own_file(release: Release) -> None:
    history = release.histories["dyadic/dialogue1"]
    later = history.round_by_id["session10:2"]
    assert raw_round(release, history, later).value() == turn("Bo", "All of it?")
    assert raw_round(release, history, history.sessions[1]).value()["session_id"] == "garden_2"
    question = release.questions["dyadic/dialogue1/session0/0"]
    assert raw_question(release, question).value()["original_question_id"] == "CSQ001"


# --- Odd and broken content


def test_a_session_file_alone_is_a_history_without_questions(tmp_path: Path) -> None:
    path = tree(tmp_path) / "dyadic" / "dialogue1" / "scenes" / "session1" / "session.json"
    release = open_release(path)
    assert release.counts["rounds"] == 3
    assert release.questions == {}
    other = write(tmp_path / "talk.json", session())
    assert open_release(other).counts["rounds"] == 3


def test_questions_without_any_session_have_clues_whose_history_is_absent(tmp_path: Path) -> None:
    path = tree(tmp_path) / "dyadic" / "dialogue1" / "scenes" / "session1" / "questions.json"
    release = open_release(path)
    (clue,) = release.questions["dyadic/dialogue1/session1/0"].clues
    assert clue.problem is ClueProblem.HISTORY_ABSENT
    assert release.histories["dyadic/dialogue1"].sessions == ()


def test_two_trees_with_the_same_dialogues_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    tree(tmp_path / "en")
    tree(tmp_path / "zh")
    assert list(open_release(tmp_path).histories)[::2] == [
        "en/dyadic/dialogue1",
        "zh/dyadic/dialogue1",
    ]


def test_a_picture_that_is_sent_again_is_an_attachment_of_its_own(tmp_path: Path) -> None:
    data = session()
    data["dialogue"][2]["content"]["image"] = "1.png"
    release = open_release(write(tmp_path / "session1" / "session.json", data))
    (history,) = release.histories.values()
    ids = [image.id for one in history.rounds for image in one.attachments]
    assert ids == ["session1/1.png", "session1/1.png#2"]


def test_another_dialogue_named_by_a_question_is_a_warning(tmp_path: Path) -> None:
    data = questions(row("Who?", "Cy", ["session1"]) | {"answer_dialogue": "dialogue9"})
    scenes = tree(tmp_path) / "dyadic" / "dialogue1" / "scenes"
    write(scenes / "session1" / "questions.json", data)
    (defect,) = of_code(open_release(tmp_path), "foreign_dialogue")
    assert defect.found == "'dialogue9'"


def test_a_question_without_answer_has_no_gold_and_says_so(tmp_path: Path) -> None:
    path = write(tmp_path / "questions.json", questions(row("Who?", None, []), row("!", 3, [])))
    release = open_release(path)
    first, second = release.questions.values()
    assert first.gold == Gold.none()
    assert second.gold.texts == ("3",)
    assert len(of_code(release, "gold_missing")) == len(of_code(release, "number_for_text")) == 1


def test_a_cut_file_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    scenes = tree(tmp_path) / "dyadic" / "dialogue1" / "scenes"
    cut = scenes / "session1" / "session.json"
    cut.write_bytes(cut.read_bytes()[:-50])
    release = open_release(tmp_path)
    assert [one.id for one in release.histories["dyadic/dialogue1"].sessions] == ["session10"]
    (defect,) = of_code(release, "unreadable_file")
    assert defect.file == "dyadic/dialogue1/scenes/session1/session.json"
    with pytest.raises(InputError, match=r"session\.json: line 1 column \d+"):
        open_release(cut)


def test_another_kind_of_file_is_an_error_that_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected questions in it"):
        open_release(write(tmp_path / "x.json", {"a": 1}), format="h2hmem")
    with pytest.raises(InputError, match="no H2HMem session or questions"):
        open_release(tmp_path, format="h2hmem")


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], {}, {"dialogue": []}, {"dialogue": ["x"]}, {"questions": []}),
        *({"questions": [{"question": "?"}]}, {"dialogue": [{"role": "user", "content": "x"}]}),
    ],
)
def test_foreign_shapes_are_not_recognised(tmp_path: Path, data: Any) -> None:
    for name in ("session.json", "questions.json"):
        path = write(tmp_path / name, data)
        assert not H2HMemReader().recognises(Source(path))
    assert not H2HMemReader().recognises(Source(tmp_path))


def test_files_of_other_names_are_not_parsed_to_recognise_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "x.json", session())
    source = Source(tmp_path)
    assert not H2HMemReader().recognises(source)
    assert not any("data" in vars(file) for file in source.files)


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("session.json", session()),
        (
            "questions.json",
            questions(row("Who?", "Cy", ["session1"]), row("!", "x", [], image="a/b")),
        ),
    ],
)
def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path, name: str, whole: Any) -> None:
    read_anyway = 0
    for what, broken in broken_copies(whole):
        try:
            release = H2HMemReader().read(source_of(tmp_path / name, broken), OPTIONS)
        except InputError:
            continue
        read_anyway += 1
        for defect in release.defects:
            assert defect.file == "." or leads_somewhere(defect, broken), (what, defect)
            assert len(defect.line()) < 1_000, what
    assert read_anyway > 300


def test_a_text_of_ten_megabytes_is_read_like_any_other(tmp_path: Path) -> None:
    long = "D1:1 " * 2_000_000
    data = session()
    data |= {"timeline_date": long, "session_id": long, "group_id": long}
    data["dialogue"][0] = turn(long, long, long)
    write(tmp_path / "session1" / "session.json", data)
    asked = row(long, long, [long], image=long, sub_type=long, main_type=long)
    write(tmp_path / "session1" / "questions.json", questions(asked | {"answer_dialogue": long}))
    release = open_release(tmp_path)
    assert (release.counts["rounds"], release.counts["questions"]) == (3, 1)
    assert all(len(one.line()) < 12_000 for one in release.defects)


def test_escape_codes_are_kept_in_the_model_and_escaped_in_defects(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\u202e"
    data = session()
    data["dialogue"][0] = turn(evil, evil, evil)
    write(tmp_path / "session1" / "session.json", data)
    write(tmp_path / "session1" / "questions.json", questions(row(evil, evil, [evil], image=evil)))
    release = open_release(tmp_path)
    assert next(iter(release.histories.values())).rounds[0].messages[0].text == evil
    assert "\x1b" not in "".join(defect.line() for defect in release.defects)


def test_a_release_is_the_same_after_it_is_written_in_our_format(
    tmp_path: Path, release: Release
) -> None:
    write_release(release, tmp_path / "native")
    again = NativeReader().read(Source(tmp_path / "native"), OPTIONS)
    assert again.counts == release.counts
    assert again.evaluator == release.evaluator
    assert again.histories["multi-party/dialogue1"].sessions[0].group == "G01_Gardeners"
    for key, question in release.questions.items():
        assert [one.session_id for one in again.questions[key].clues] == [
            one.session_id for one in question.clues
        ]


# --- The published session


@needs_data
def test_the_published_session_has_the_measured_counts() -> None:
    known = json.loads(COUNTS.read_text())["h2hmem_sample"]
    assert format_of(PUBLISHED) == "h2hmem"
    release = open_release(PUBLISHED)
    assert release.counts == {
        "histories": 1,
        "sessions": 1,
        "rounds": known["turns"],
        "questions": known["questions"],
        "images": known["images_named"],
        "audio": 0,
    }
    assert list(release.histories) == ["dyadic/dialogue1"]
    assert all(one.evidence_sessions == ("session4",) for one in release.questions.values())
    assert Counter(one.category for one in release.questions.values()) == {
        "Memory Recall": 2,
        "Memory Reasoning": 2,
        "Memory Application": 1,
    }
    assert count_by_severity(release.defects) == {"errors": 0, "repaired": 0, "warnings": 1}
    assert [one.code for one in release.defects] == ["media_absent"]


@needs_data
@pytest.mark.parametrize("name", ["session.json", "questions.json"])
def test_damaged_copies_of_the_published_files_are_read_with_defects(
    tmp_path: Path, name: str
) -> None:
    (path,) = PUBLISHED.rglob(name)
    whole = json.loads(path.read_bytes())
    for key in ("dialogue", "questions"):
        if key in whole:
            whole[key] = copy.deepcopy(whole[key][:4])
    for what, broken in broken_copies(whole):
        try:
            release = H2HMemReader().read(source_of(tmp_path / name, broken), OPTIONS)
        except InputError:
            continue
        for defect in release.defects:
            assert defect.file == "." or leads_somewhere(defect, broken), (what, defect)
