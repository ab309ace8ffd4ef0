from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.model import (
    AttachmentState,
    ClueProblem,
    ClueTarget,
    GoldKind,
    Kind,
    Message,
    Question,
    Release,
    Role,
    Round,
)
from mnemoscope.core.releases.cue_mem.clues import ClueResolver
from tests.cue_release_data import (
    CLOSING,
    OPTIONS,
    QUESTIONS,
    SESSIONS,
    Json,
    faults,
    history,
    image,
    question,
    read,
    release_of,
    text_round,
    voice,
    with_value,
    without,
    write,
)

ROUND = f"$.{SESSIONS}[2].dialogues[0]"
QUESTION = f'$["{QUESTIONS}"][2]'


def with_round(root: Path, data: Json) -> tuple[Release, Round]:
    """The release in which a round is the only one of the last session, and that round."""
    release = release_of(root, with_value(history(), (SESSIONS, 2, "dialogues", 0), data))
    return release, release.histories["p0"].sessions[2].rounds[0]


def with_question(root: Path, **changes: Any) -> tuple[Release, Question]:
    """The release in which the third question is changed, and that question."""
    data = history()
    data[QUESTIONS][2] |= changes
    release = release_of(root, data)
    return release, next(q for q in release.questions.values() if q.index == 2)


# --- Names by which files call the same thing ---------------------------------------------------


def test_older_names_of_questions_and_rounds_are_read(tmp_path: Path) -> None:
    usual = release_of(tmp_path / "usual")
    data = history()
    data["human_annotated_QAs"] = data.pop(QUESTIONS)
    for one in data[SESSIONS]:
        one["dialog_list"] = one.pop("dialogues")
    release = release_of(tmp_path / "older", data)
    assert not release.defects
    assert release.counts == usual.counts
    assert list(release.questions) == list(usual.questions)
    assert release.questions["p0/pref_text/0-Pets-0"].place == "$.human_annotated_QAs[2]"
    assert release.histories["p0"].rounds[0].place == f"$.{SESSIONS}[0].dialog_list[0]"


@pytest.mark.parametrize("key", [SESSIONS, QUESTIONS])
@pytest.mark.parametrize("value", [None, {}, "x"])
def test_a_file_without_sessions_or_questions_keeps_what_it_has(
    tmp_path: Path, key: str, value: Any
) -> None:
    for data in (without(history(), (key,)), with_value(history(), (key,), value)):
        release = release_of(tmp_path, data)
        codes = [code for severity, code, _ in faults(release) if severity == "error"]
        assert codes == ["wrong_type"]
        counts = release.counts
        assert counts["rounds"] == (0 if key == SESSIONS else 7)
        assert counts["questions"] == (0 if key == QUESTIONS else 6)


def test_clues_into_a_history_without_rounds_say_that_it_is_absent(tmp_path: Path) -> None:
    release = release_of(tmp_path, with_value(history(), (SESSIONS,), []))
    problems = {clue.problem for q in release.questions.values() for clue in q.clues}
    assert problems == {ClueProblem.HISTORY_ABSENT}
    assert not [one for one in release.defects if one.code.startswith("clue_")]


# --- Ids ----------------------------------------------------------------------------------------


def test_a_session_id_that_repeats_is_an_error_and_the_first_one_wins(tmp_path: Path) -> None:
    data = with_value(history(), (SESSIONS, 2, "session_id"), "D00")
    data[SESSIONS][2]["scene_description"] = "second"
    release = release_of(tmp_path, data)
    assert ("error", "duplicate_session_id", f"$.{SESSIONS}[2].session_id") in faults(release)
    one = release.histories["p0"]
    assert len(one.sessions) == 3
    assert one.session_by_id["D00"] is one.sessions[0]
    assert release.evaluator.sessions["p0", "D00"]["scene_description"] != "second"


def test_a_round_id_that_repeats_is_an_error_and_the_first_one_wins(tmp_path: Path) -> None:
    release, held = with_round(tmp_path, text_round("D00:00", "又一个。"))
    assert ("error", "duplicate_round_id", f"{ROUND}.round") in faults(release)
    assert ("warning", "foreign_round_id", f"{ROUND}.round") in faults(release)
    assert held.index == 6
    assert release.histories["p0"].round_by_id["D00:00"].index == 0


def test_a_media_id_that_repeats_within_its_kind_is_an_error(tmp_path: Path) -> None:
    release, _ = with_round(tmp_path, text_round("D02:00", "看。") | image("D00-001"))
    assert faults(release) == [("error", "duplicate_media_id", f"{ROUND}.image_id[0]")]
    assert release.histories["p0"].round_of_attachment[Kind.IMAGE, "D00-001"].id == "D00:01"


def test_an_image_and_a_clip_may_have_the_same_id(tmp_path: Path) -> None:
    release = release_of(tmp_path)
    one = release.histories["p0"]
    assert one.round_of_attachment[Kind.AUDIO, "D01-001"].id == "D01:01"
    assert one.round_of_attachment[Kind.IMAGE, "D01-001"].id == "D01:02"
    assert not release.defects


def test_two_files_of_one_profile_number_are_an_error(tmp_path: Path) -> None:
    file = write(tmp_path, history())
    (file.parent / "older_p00.json").write_bytes(file.read_bytes())
    release = read(tmp_path)
    errors = [one for one in release.defects if one.severity == "error"]
    assert [(one.code, one.file) for one in errors] == [
        ("duplicate_history", "data/dialog/base/older_p00.json")
    ]
    assert release.counts["questions"] == 6


def test_a_question_that_repeats_is_numbered(tmp_path: Path) -> None:
    data = history()
    data[QUESTIONS] += [data[QUESTIONS][2], data[QUESTIONS][2] | {"qa_id": "0-Pets-0#2"}]
    release = release_of(tmp_path, data)
    assert faults(release) == [
        ("warning", "duplicate_question", f'$["{QUESTIONS}"][{index}].qa_id') for index in (6, 7)
    ]
    assert [q.index for q in release.questions.values()] == list(range(8))
    # The last one's own id looks like the second one's number.
    assert list(release.questions)[6:] == ["p0/pref_text/0-Pets-0#2", "p0/pref_text/0-Pets-0#2#2"]


# --- Dates --------------------------------------------------------------------------------------


def test_dates_are_read_and_sessions_stay_in_the_files_order(tmp_path: Path) -> None:
    data = with_value(history(), (SESSIONS, 2, "date"), "01/05/2024")
    release = release_of(tmp_path, data)
    assert faults(release) == [("warning", "date_order", f"$.{SESSIONS}[2].date")]
    sessions = release.histories["p0"].sessions
    assert [one.id for one in sessions] == ["D00", "D01", "D02"]
    assert sessions[2].date == datetime(2024, 1, 5)


def test_the_order_of_dates_is_checked_across_a_session_without_one(tmp_path: Path) -> None:
    data = with_value(history(), (SESSIONS, 1, "date"), "soon")
    data = with_value(data, (SESSIONS, 2, "date"), "01/05/2024")
    assert [code for _, code, _ in faults(release_of(tmp_path, data))] == ["bad_date", "date_order"]


@pytest.mark.parametrize(
    "text", ["", "2025-01-05", "13/01/2025", "02/30/2025", "01/05/25", " 01/05/2025", "٠1/05/2025"]
)
def test_a_date_that_is_none_is_a_warning_and_kept_as_written(tmp_path: Path, text: str) -> None:
    release = release_of(tmp_path, with_value(history(), (SESSIONS, 1, "date"), text))
    assert faults(release) == [("warning", "bad_date", f"$.{SESSIONS}[1].date")]
    one = release.histories["p0"].sessions[1]
    assert (one.date, one.date_text) == (None, text)


def test_an_absent_date_is_a_warning_and_one_of_another_type_an_error(tmp_path: Path) -> None:
    release = release_of(tmp_path, without(history(), (SESSIONS, 1, "date")))
    assert [(one.code, one.found) for one in release.defects] == [("bad_date", "nothing")]
    release = release_of(tmp_path, with_value(history(), (SESSIONS, 1, "date"), 20250105))
    assert faults(release) == [("error", "wrong_type", f"$.{SESSIONS}[1].date")]


# --- Rounds and their texts ---------------------------------------------------------------------


def test_a_round_is_a_users_message_and_a_reply(tmp_path: Path) -> None:
    rounds = release_of(tmp_path).histories["p0"].rounds
    assert rounds[0].messages == (
        Message("user", Role.USER, "昨晚又听了口琴。"),
        Message("assistant", Role.ASSISTANT, "是独奏吗？"),
    )
    assert [message.role for message in rounds[2].messages] == [Role.USER]
    assert [one.index for one in rounds] == list(range(7))


def test_a_voiced_round_has_no_text_but_its_clips(tmp_path: Path) -> None:
    voiced = release_of(tmp_path).histories["p0"].round_by_id["D01:01"].messages[0]
    assert (voiced.text, voiced.spoken) == (None, {})
    assert voiced.attachments[0].caption("hint") == "人声：刚到车站。\n背景音：雨声。"


def test_voiced_text_that_is_not_its_clips_captions_is_kept(tmp_path: Path) -> None:
    held = {"round": "D02:00"} | voice("D02-001") | {"user_voice_message_caption": "别的话。"}
    release, one = with_round(tmp_path, held)
    assert faults(release) == [
        ("warning", "voice_text_differs", f"{ROUND}.user_voice_message_caption")
    ]
    assert one.messages[0].spoken == {"hint": "别的话。"}


def test_voiced_text_without_a_clip_is_kept(tmp_path: Path) -> None:
    release, one = with_round(
        tmp_path, {"round": "D02:00", "user_voice_message_caption": "只有话。"}
    )
    assert not release.defects
    assert one.messages[0].spoken == {"hint": "只有话。"}


def test_several_clips_captions_are_joined_without_the_empty_ones(tmp_path: Path) -> None:
    held: Json = {
        "round": "D02:00",
        "input_voice_message": ["data/event/v/a.wav", "data/event/v/b.wav", "data/event/v/c.wav"],
        "voice_caption": ["一", "", "三"],
        "voice_id": ["D02-001", "D02-002", "D02-003"],
        "user_voice_message_caption": "一\n三",
    }
    release, one = with_round(tmp_path, held)
    assert not release.defects
    assert one.messages[0].spoken == {}


def test_both_user_texts_are_kept_and_named(tmp_path: Path) -> None:
    release, one = with_round(
        tmp_path, text_round("D02:00", "写的话。") | voice("D02-001", "说的话。")
    )
    assert faults(release) == [("warning", "two_user_texts", f"{ROUND}.user")]
    assert one.messages[0].text == "写的话。"
    assert [item.caption("hint") for item in one.attachments] == ["说的话。"]


def test_a_round_with_nothing_in_it_is_a_warning(tmp_path: Path) -> None:
    release, one = with_round(tmp_path, {"round": "D02:00", "user": "", "assistant": ""})
    assert faults(release)[0] == ("warning", "empty_round", ROUND)
    assert one.messages == ()


def test_text_with_escape_codes_is_read_unchanged(tmp_path: Path) -> None:
    text = "\x1b[31m红\x1b]8;;http://x\x07\u202e[bold]\x00"
    release, one = with_round(tmp_path, text_round("D02:00", text, text))
    assert not release.defects
    assert [message.text for message in one.messages] == [text, text]


# --- Attachments --------------------------------------------------------------------------------


def test_bare_texts_are_read_as_lists_of_one(tmp_path: Path) -> None:
    held = text_round("D02:00", "看。") | {key: value[0] for key, value in image("D02-001").items()}
    release, one = with_round(tmp_path, held)
    assert faults(release) == [
        ("repaired", "scalar_for_list", f"{ROUND}.{key}")
        for key in ("input_image", "image_caption", "image_id")
    ]
    (item,) = one.attachments
    assert (item.id, item.state) == ("D02-001", AttachmentState.PRESENT)
    assert item.caption("medium") == "窗台上有一盆薄荷。"


def test_a_missing_file_under_a_bare_text_is_named_without_an_index(tmp_path: Path) -> None:
    held = text_round("D02:00", "看。") | image("D02-001") | {"input_image": "event/none.png"}
    release, _ = with_round(tmp_path, held)
    assert faults(release)[-1] == ("warning", "media_missing", f"{ROUND}.input_image")


@pytest.mark.parametrize(
    ("changes", "severity", "ids"),
    [
        ({"image_id": ["D02-001", "D02-002"]}, "error", ["D02-001", "D02-002"]),
        ({"image_id": []}, "warning", ["D02:00#image1"]),
        ({"input_image": []}, "warning", ["D02-001"]),
        ({"input_image": [], "image_id": []}, "warning", ["D02:00#image1"]),
        ({"image_caption": ["一", "二"]}, "warning", ["D02-001", "D02:00#image2"]),
    ],
)
def test_lists_that_are_not_parallel_lose_nothing(
    tmp_path: Path, changes: Json, severity: str, ids: list[str]
) -> None:
    release, one = with_round(tmp_path, text_round("D02:00", "看。") | image("D02-001") | changes)
    assert faults(release) == [(severity, "parallel_lists", ROUND)]
    assert [item.id for item in one.attachments] == ids


def test_images_without_captions_are_no_defect(tmp_path: Path) -> None:
    held = without(text_round("D02:00", "看。") | image("D02-001"), ("image_caption",))
    release, one = with_round(tmp_path, held)
    assert not release.defects
    assert next(one.attachments).captions == {}


def test_an_empty_media_id_is_a_warning(tmp_path: Path) -> None:
    held = text_round("D02:00", "看。") | image("D02-001") | {"image_id": [""]}
    release, one = with_round(tmp_path, held)
    assert faults(release) == [("warning", "no_media_id", f"{ROUND}.image_id[0]")]
    assert next(one.attachments).id == "D02:00#image1"


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        *((f"D02-001.{e}", Kind.IMAGE) for e in ("png", "jpg", "jpeg", "webp", "bmp", "PNG")),
        *((f"D02-001.{e}", Kind.AUDIO) for e in ("wav", "mp3", "flac", "m4a", "ogg", "aac")),
    ],
)
def test_a_key_that_is_a_media_files_name_is_an_attachment(
    tmp_path: Path, key: str, kind: Kind
) -> None:
    release, one = with_round(tmp_path, text_round("D02:00", "看。") | {key: "说明。"})
    (item,) = one.attachments
    assert (item.kind, item.id, item.written) == (kind, "D02-001", key)
    assert list(item.captions.values()) == ["说明。"]
    assert faults(release) == [("warning", "media_missing", f'{ROUND}["{key}"]')]
    assert not release.evaluator.rounds


def test_the_value_of_such_a_key_can_be_a_path(tmp_path: Path) -> None:
    path = "data\\event\\images\\odd.png"
    release, one = with_round(tmp_path, text_round("D02:00", "看。") | {"D02-001.png": path})
    (item,) = one.attachments
    assert (item.written, item.captions, item.state) == (path, {}, AttachmentState.PRESENT)
    assert faults(release) == [("repaired", "backslash_path", f'{ROUND}["D02-001.png"]')]


def test_such_a_key_beside_the_lists_adds_no_second_attachment(tmp_path: Path) -> None:
    held = text_round("D02:00", "看。") | image("D02-001") | {"D02-001.png": "同一张。"}
    release, one = with_round(tmp_path, held)
    assert not release.defects
    assert len(list(one.attachments)) == 1
    assert release.evaluator.rounds["p0", "D02:00"] == {"D02-001.png": "同一张。"}


def test_such_a_key_with_a_value_of_another_type_is_an_error(tmp_path: Path) -> None:
    release, _ = with_round(tmp_path, text_round("D02:00", "看。") | {"D02-001.png": ["x"]})
    assert faults(release)[0] == ("error", "wrong_type", f'{ROUND}["D02-001.png"]')


# --- Questions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("point", "task"),
    [
        ("pref_text", "long_pattern"),
        ("preference_same_category", "long_pattern"),
        ("rec_img", "personalized_rec"),
        ("recommendation", "personalized_rec"),
        ("refusal_text", "answer_refusal"),
        ("adversarial_text", "answer_refusal"),
    ],
)
def test_older_points_belong_to_their_task(tmp_path: Path, point: str, task: str) -> None:
    _, one = with_question(tmp_path, point=point)
    assert (one.task, one.form, one.answerable) == (task, point, task != "answer_refusal")


def test_a_point_that_no_one_knows_is_a_task_of_its_own(tmp_path: Path) -> None:
    release, one = with_question(tmp_path, point="audio_context", qa_type="tone")
    assert faults(release) == [("warning", "unknown_point", f"{QUESTION}.point")]
    assert (one.task, one.setting) == ("audio_context", "")


@pytest.mark.parametrize(
    ("changes", "setting", "odd"),
    [
        ({"qa_type": "implicit"}, "implicit", ""),
        ({"qa_type": "mixed"}, "", "qa_type"),
        ({"qa_type": None}, "", "qa_type"),
        ({"point": "entity_text", "qa_type": "Relationship"}, "explicit", ""),
        (
            {"point": "entity_text", "qa_type": "Pets", "entity_explicitness": "implicit"},
            "explicit",
            "",
        ),
        (
            {"point": "entity_text", "qa_type": "Items", "entity_explicitness": "implicit"},
            "implicit",
            "",
        ),
        (
            {"point": "entity_text", "qa_type": "Items", "entity_explicitness": "mixed"},
            "",
            "entity_explicitness",
        ),
        (
            {"point": "entity_img", "qa_type": "Items", "entity_explicitness": "unknown"},
            "",
            "entity_explicitness",
        ),
        ({"point": "entity_text", "qa_type": "Items"}, "", "entity_explicitness"),
        (
            {"point": "entity_text", "qa_type": "Places", "entity_explicitness": "explicit"},
            "",
            "qa_type",
        ),
    ],
)
def test_settings_follow_type_and_explicitness_and_are_left_open_where_the_release_does(
    tmp_path: Path, changes: Json, setting: str, odd: str
) -> None:
    release, one = with_question(tmp_path, **changes)
    assert one.setting == setting
    assert faults(release) == ([("warning", "unlabelled", f"{QUESTION}.{odd}")] if odd else [])


@pytest.mark.parametrize("key", ["qa_id", "point"])
@pytest.mark.parametrize("value", [None, "", 4, ["x"]])
def test_a_question_that_cannot_be_named_is_an_error_and_left_out(
    tmp_path: Path, key: str, value: Any
) -> None:
    release = release_of(tmp_path, with_value(history(), (QUESTIONS, 2, key), value))
    assert faults(release) == [("error", "wrong_type", f"{QUESTION}.{key}")]
    assert [q.index for q in release.questions.values()] == [0, 1, 3, 4, 5]


@pytest.mark.parametrize("value", [None, "", 2, ["B"]])
def test_a_question_without_an_answer_has_no_gold(tmp_path: Path, value: Any) -> None:
    release, one = with_question(tmp_path, answer=value)
    assert faults(release) == [("error", "wrong_type", f"{QUESTION}.answer")]
    assert one.gold.kind is GoldKind.NONE


@pytest.mark.parametrize("answer", ["E", "b", "B. 口琴", " B"])
def test_an_answer_that_is_no_option_is_an_error_and_no_gold(tmp_path: Path, answer: str) -> None:
    release, one = with_question(tmp_path, answer=answer)
    assert faults(release) == [("error", "gold_not_an_option", f"{QUESTION}.answer")]
    assert one.gold.kind is GoldKind.NONE


def test_options_that_the_text_leaves_out_are_named(tmp_path: Path) -> None:
    text = f"哪种？\n{OPTIONS.replace('C. 二胡', '没有')}\n{CLOSING}"
    release, one = with_question(tmp_path, question=text)
    assert [(d.code, d.path, d.found) for d in release.defects] == [
        ("empty_option", f"{QUESTION}.question", "no option C")
    ]
    assert [option.label for option in one.options] == ["A", "B", "C", "D"]


def test_a_question_without_any_option_has_none(tmp_path: Path) -> None:
    release, one = with_question(tmp_path, question=f"哪种？\n{CLOSING}")
    assert [(d.code, d.found) for d in release.defects] == [
        ("empty_option", "no option A, B, C, D")
    ]
    assert one.options == ()
    assert one.stem == "哪种？"


def test_a_picture_that_is_no_path_is_an_error_of_one_option(tmp_path: Path) -> None:
    data = with_value(history(), (QUESTIONS, 0, "option_images", "C"), ["x.png"])
    release = release_of(tmp_path, data)
    assert faults(release) == [("error", "wrong_type", f'$["{QUESTIONS}"][0].option_images.C')]
    assert [o.label for o in release.questions["p0/pref_img/0-Pets-0"].options] == list("ABCD")


def test_an_option_with_a_caption_and_no_picture_is_no_defect(tmp_path: Path) -> None:
    data = with_value(history(), (QUESTIONS, 0, "option_images", "C"), "")
    assert not release_of(tmp_path, data).defects


def test_option_letters_that_are_odd_keep_a_path_that_can_be_followed(tmp_path: Path) -> None:
    data = with_value(history(), (QUESTIONS, 0, "option_images", 'E."]'), "data/none.gone")
    release = read(write(tmp_path, data))
    assert release.questions["p0/pref_img/0-Pets-0"].options[-1].label == 'E."]'


def test_a_refusal_question_whose_answer_does_not_decline_is_named(tmp_path: Path) -> None:
    data = with_value(history(), (QUESTIONS, 5, "answer"), "C")
    assert faults(release_of(tmp_path, data)) == [
        ("warning", "gold_not_refusal", f'$["{QUESTIONS}"][5].answer')
    ]


def test_media_of_a_question_itself_are_its_attachments(tmp_path: Path) -> None:
    _, one = with_question(
        tmp_path,
        question_audio="data/event/q.wav",
        question_audio_caption="雨声。",
        question_audio_description="只给评测者",
    )
    (item,) = one.attachments
    assert (item.kind, item.state, item.captions) == (
        Kind.AUDIO,
        AttachmentState.PRESENT,
        {"hint": "雨声。"},
    )


# --- Clues --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "target", "media_id", "round_id"),
    [
        ("D00:01", ClueTarget.ROUND, "D00:01", "D00:01"),
        ("D00-001.png", ClueTarget.IMAGE, "D00-001", "D00:01"),
        ("D01-001.wav", ClueTarget.AUDIO, "D01-001", "D01:01"),
        ("D01-001.png", ClueTarget.IMAGE, "D01-001", "D01:02"),
        ("D00-001.jpg", ClueTarget.IMAGE, "D00-001", "D00:01"),
        ("D00-001.WEBP", ClueTarget.IMAGE, "D00-001", "D00:01"),
        ("D01-002.mp3", ClueTarget.AUDIO, "D01-002", "D01:02"),
        ("D01-002.m4a", ClueTarget.AUDIO, "D01-002", "D01:02"),
    ],
)
def test_clues_lead_to_rounds_by_their_form(
    tmp_path: Path, written: str, target: ClueTarget, media_id: str, round_id: str
) -> None:
    release, one = with_question(tmp_path, clue=[written])
    (clue,) = one.clues
    assert not release.defects
    assert (clue.target, clue.id, clue.round_id) == (target, media_id, round_id)
    assert clue.session_id == round_id[:3]
    assert clue.place == f"{QUESTION}.clue[0]"


def test_a_session_is_a_clue_without_a_round(tmp_path: Path) -> None:
    release, one = with_question(tmp_path, clue=["D01"])
    (clue,) = one.clues
    assert not release.defects
    assert (clue.target, clue.round_id, clue.session_id) == (ClueTarget.SESSION, "", "D01")
    assert one.evidence_sessions == ("D01",)


def test_a_bare_id_that_one_kind_has_is_repaired(tmp_path: Path) -> None:
    release, one = with_question(tmp_path, clue=["D01-002"])
    assert faults(release) == [("repaired", "bare_media_id", f"{QUESTION}.clue[0]")]
    assert release.defects[0].repair == "the audio id D01-002"
    assert (one.clues[0].target, one.clues[0].round_id) == (ClueTarget.AUDIO, "D01:02")


def test_a_bare_id_that_both_kinds_have_leads_nowhere(tmp_path: Path) -> None:
    release, one = with_question(tmp_path, clue=["D01-001"])
    assert faults(release) == [("warning", "clue_malformed", f"{QUESTION}.clue[0]")]
    assert "an image and an audio clip both have this id" in release.defects[0].expected
    assert not one.clues[0].resolved


@pytest.mark.parametrize(
    ("written", "target", "problem"),
    [
        ("D09:00", ClueTarget.ROUND, ClueProblem.UNKNOWN_ID),
        ("D00:09", ClueTarget.ROUND, ClueProblem.UNKNOWN_ID),
        ("D09-001.png", ClueTarget.IMAGE, ClueProblem.UNKNOWN_ID),
        ("D00-001.wav", ClueTarget.AUDIO, ClueProblem.UNKNOWN_ID),
        ("D09-001", ClueTarget.UNKNOWN, ClueProblem.UNKNOWN_ID),
        ("D09", ClueTarget.SESSION, ClueProblem.UNKNOWN_ID),
        ("D00-001.mp4", ClueTarget.UNKNOWN, ClueProblem.MALFORMED),
        (".png", ClueTarget.UNKNOWN, ClueProblem.MALFORMED),
        ("", ClueTarget.UNKNOWN, ClueProblem.MALFORMED),
        (" D00:00", ClueTarget.UNKNOWN, ClueProblem.MALFORMED),
        ("first round", ClueTarget.UNKNOWN, ClueProblem.MALFORMED),
        ("D00:00,D00:01", ClueTarget.UNKNOWN, ClueProblem.MALFORMED),
    ],
)
def test_clues_that_lead_nowhere_stay_visible_with_a_reason(
    tmp_path: Path, written: str, target: ClueTarget, problem: ClueProblem
) -> None:
    release, one = with_question(tmp_path, clue=["D00:00", written, "D02:00"])
    assert faults(release) == [("warning", f"clue_{problem}", f"{QUESTION}.clue[1]")]
    clue = one.clues[1]
    assert (clue.written, clue.target, clue.problem) == (written, target, problem)
    assert not clue.resolved
    assert one.evidence_rounds == ("D00:00", "D02:00")


@pytest.mark.parametrize("written", [None, 3, ["D00:00"], {"round": "D00:00"}])
def test_a_clue_that_is_no_text_is_one_defect_and_stays_visible(
    tmp_path: Path, written: Any
) -> None:
    release, one = with_question(tmp_path, clue=[written, "D00:00"])
    assert faults(release) == [("warning", "clue_malformed", f"{QUESTION}.clue[0]")]
    assert one.clues[0].problem is ClueProblem.MALFORMED
    assert one.clues[0].written
    assert one.evidence_rounds == ("D00:00",)


def test_a_bare_clue_is_read_as_a_list_of_one(tmp_path: Path) -> None:
    release, one = with_question(tmp_path, clue="D00:00")
    assert faults(release) == [("repaired", "scalar_for_list", f"{QUESTION}.clue")]
    assert [(clue.round_id, clue.place) for clue in one.clues] == [("D00:00", f"{QUESTION}.clue")]


@pytest.mark.parametrize("clue", [[], None])
def test_a_question_without_clues_is_no_defect(tmp_path: Path, clue: Any) -> None:
    release, one = with_question(tmp_path, clue=clue)
    assert not release.defects
    assert one.clues == ()


def test_a_clue_whose_file_is_missing_still_leads_to_its_round(tmp_path: Path) -> None:
    release_of(tmp_path)
    (tmp_path / "data/event/images/D00-001.png").unlink()
    clue = read(tmp_path).questions["p0/entity_text/0-Pets-1-0"].clues[1]
    assert (clue.problem, clue.round_id, clue.resolved) == (
        ClueProblem.FILE_MISSING,
        "D00:01",
        True,
    )


def test_the_same_bad_clue_in_two_questions_is_two_defects(tmp_path: Path) -> None:
    data = history()
    for index in (2, 3):
        data[QUESTIONS][index]["clue"] = ["D09:00"]
    assert [path for _, _, path in faults(release_of(tmp_path, data))] == [
        f'$["{QUESTIONS}"][{index}].clue[0]' for index in (2, 3)
    ]


def test_a_round_whose_id_has_an_odd_form_can_be_a_clue(tmp_path: Path) -> None:
    data = with_value(history(), (SESSIONS, 2, "dialogues", 0, "round"), "D02:last one.png")
    one = release_of(tmp_path, data).histories["p0"]
    assert ClueResolver(one).resolve("D02:last one.png").round_id == "D02:last one.png"


def test_pictured_questions_may_have_text_options_too(tmp_path: Path) -> None:
    one = question("pref_img", "0-Pets-9", "explicit", [], question=f"?\n{OPTIONS}\n{CLOSING}")
    release = release_of(tmp_path, with_value(history(), (QUESTIONS, 0), one))
    options = release.questions["p0/pref_img/0-Pets-9"].options
    assert [option.text for option in options] == ["陶笛", "口琴", "二胡", "木吉他"]
    assert all(option.attachment for option in options)
