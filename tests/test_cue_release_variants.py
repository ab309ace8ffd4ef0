from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Defect
from mnemoscope.core.model import Attachment, Kind, Release
from tests.cue_release_data import (
    QUESTIONS,
    SESSIONS,
    faults,
    history,
    image,
    read,
    release_of,
    text_round,
    voice,
    with_value,
    without,
    write,
)

FOLDERS = {
    "brief": "brief",
    "medium": "medium",
    "detailed": "detailed",
    "asr": "audio_caption/asr",
    "hint": "audio_caption/hint",
    "split": "audio_caption/asr_bg_split",
}
IMAGE = (SESSIONS, 0, "dialogues", 1)
CLIP = (SESSIONS, 1, "dialogues", 1)
PICTURES = (QUESTIONS, 0)


def captioned(image_caption: str = "", clip_caption: str = "", option: str = "") -> Any:
    """The history with other captions."""
    data = history()
    if image_caption:
        data = with_value(data, (*IMAGE, "image_caption"), [image_caption])
    if clip_caption:
        data = with_value(data, (*CLIP, "voice_caption"), [clip_caption])
        data = with_value(data, (*CLIP, "user_voice_message_caption"), clip_caption)
    if option:
        data = with_value(data, (*PICTURES, "option_captions", "A"), option)
    return data


def merged(root: Path, **variants: Any) -> Release:
    """The release that has the history and variants of it, by level."""
    release_of(root)
    for level, data in variants.items():
        write(root, data, variant=FOLDERS[level])
    return read(root)


def attachment(release: Release, kind: Kind, attachment_id: str) -> Attachment:
    found = release.histories["p0"].attachment(kind, attachment_id)
    assert found is not None
    return found


def only(release: Release) -> Defect:
    (defect,) = release.defects
    return defect


def test_captions_of_every_level_come_together(tmp_path: Path) -> None:
    release = merged(
        tmp_path,
        brief=captioned("窗台。", option="短。"),
        detailed=captioned("窗台上的薄荷开着小白花。", option="很长的说明。"),
        asr=captioned(clip_caption="刚到车站。"),
        split=captioned(clip_caption="人声：刚到。\n背景音：雨点打在棚顶。"),
    )
    assert not release.defects
    assert release.image_variants == ("brief", "medium", "detailed")
    assert release.audio_variants == ("asr", "hint", "split")
    assert attachment(release, Kind.IMAGE, "D00-001").captions == {
        "medium": "窗台上有一盆薄荷。",
        "brief": "窗台。",
        "detailed": "窗台上的薄荷开着小白花。",
    }
    assert attachment(release, Kind.AUDIO, "D01-001").captions == {
        "hint": "人声：刚到车站。\n背景音：雨声。",
        "asr": "刚到车站。",
        "split": "人声：刚到。\n背景音：雨点打在棚顶。",
    }
    picture = release.questions["p0/pref_img/0-Pets-0"].options[0].attachment
    assert picture is not None
    assert picture.captions == {"medium": "图里是A。", "brief": "短。", "detailed": "很长的说明。"}


def test_a_level_with_the_same_text_as_another_is_there_all_the_same(tmp_path: Path) -> None:
    release = merged(tmp_path, brief=history())
    captions = attachment(release, Kind.IMAGE, "D00-001").captions
    assert captions["brief"] == captions["medium"]


def test_an_empty_caption_is_not_an_absent_one(tmp_path: Path) -> None:
    release = merged(tmp_path, brief=history())
    assert attachment(release, Kind.IMAGE, "D01-001").captions == {"medium": "", "brief": ""}


def test_another_captioners_folder_is_a_level_of_its_own(tmp_path: Path) -> None:
    release_of(tmp_path)
    write(tmp_path, captioned(clip_caption="雨。"), variant="audio_caption/moss_audio_8b")
    release = read(tmp_path)
    assert release.audio_variants == ("hint", "moss_audio_8b")
    assert attachment(release, Kind.AUDIO, "D01-001").captions["moss_audio_8b"] == "雨。"


@pytest.mark.parametrize("level", ["medium", "hint"])
def test_captions_that_should_be_the_same_and_differ_are_named(tmp_path: Path, level: str) -> None:
    release = merged(tmp_path, **{level: captioned("别的窗台。", option="别的。")})
    assert faults(release) == [
        ("warning", "captions_differ", f"$.{SESSIONS}[0].dialogues[1].image_caption[0]"),
        ("warning", "captions_differ", f'$["{QUESTIONS}"][0].option_captions.A'),
    ]
    first = release.defects[0]
    assert first.file == f"data/dialog/{FOLDERS[level]}/history_with_qa_p0.json"
    assert first.found == "'别的窗台。'"
    assert "the medium caption of the other files: '窗台上有一盆薄荷。'" in first.expected
    assert attachment(release, Kind.IMAGE, "D00-001").captions["medium"] == "窗台上有一盆薄荷。"


def test_voiced_text_that_should_be_the_same_and_differs_is_named(tmp_path: Path) -> None:
    brief = with_value(history(), (*CLIP, "user_voice_message_caption"), "人声：别的。")
    release = merged(tmp_path, brief=brief)
    place = f"$.{SESSIONS}[1].dialogues[1].user_voice_message_caption"
    assert faults(release) == [("warning", "captions_differ", place)]


@pytest.mark.parametrize(
    ("place", "value", "path"),
    [
        ((*IMAGE, "user"), "换了。", f"$.{SESSIONS}[0].dialogues[1].user"),
        ((*IMAGE, "assistant"), 5, f"$.{SESSIONS}[0].dialogues[1].assistant"),
        ((*IMAGE, "image_id"), ["D00-002"], f"$.{SESSIONS}[0].dialogues[1].image_id[0]"),
        ((*CLIP, "input_voice_message"), [], f"$.{SESSIONS}[1].dialogues[1].input_voice_message"),
        ((QUESTIONS, 2, "answer"), "C", f'$["{QUESTIONS}"][2].answer'),
        ((QUESTIONS, 2, "clue"), None, f'$["{QUESTIONS}"][2].clue'),
        ((QUESTIONS, 2, "question"), "?", f'$["{QUESTIONS}"][2].question'),
        ((QUESTIONS, 0, "option_images"), {}, f'$["{QUESTIONS}"][0].option_images.A'),
    ],
)
def test_dialogue_and_questions_that_differ_are_named_with_their_place(
    tmp_path: Path, place: tuple[str | int, ...], value: Any, path: str
) -> None:
    release = merged(tmp_path, detailed=with_value(history(), place, value))
    defect = only(release)
    assert (defect.severity, defect.code, defect.path) == ("warning", "variants_differ", path)
    assert defect.file == "data/dialog/detailed/history_with_qa_p0.json"
    assert defect.expected.endswith(", as in data/dialog/base/history_with_qa_p0.json")
    assert defect.expected.split(",")[0] != defect.found


def test_a_field_that_a_variant_leaves_out_is_named(tmp_path: Path) -> None:
    release = merged(tmp_path, detailed=without(history(), (*IMAGE, "user")))
    assert only(release).found == "nothing"


def test_captions_that_are_no_texts_are_errors_of_the_variants_file(tmp_path: Path) -> None:
    brief = with_value(history(), (*IMAGE, "image_caption"), [None])
    brief = with_value(brief, (*PICTURES, "option_captions", "A"), 7)
    release = merged(tmp_path, brief=brief)
    assert faults(release) == [
        ("error", "wrong_type", f"$.{SESSIONS}[0].dialogues[1].image_caption[0]"),
        ("error", "wrong_type", f'$["{QUESTIONS}"][0].option_captions.A'),
    ]
    assert {one.file for one in release.defects} == {"data/dialog/brief/history_with_qa_p0.json"}


def test_a_variant_with_fewer_captions_than_images_is_named(tmp_path: Path) -> None:
    release = merged(tmp_path, brief=with_value(history(), (*IMAGE, "image_caption"), []))
    assert faults(release) == [
        ("warning", "variants_differ", f"$.{SESSIONS}[0].dialogues[1].image_caption")
    ]
    assert list(attachment(release, Kind.IMAGE, "D00-001").captions) == ["medium"]


def test_a_round_or_question_that_a_variant_lacks_is_named(tmp_path: Path) -> None:
    brief = without(without(history(), (SESSIONS, 0, "dialogues", 2)), (QUESTIONS, 3))
    release = merged(tmp_path, brief=brief)
    assert faults(release) == [("warning", "variant_lacks", "$")] * 2
    assert [one.found for one in release.defects] == [
        "no round D00:02",
        "no question p0/rec_text/0-Pets-0",
    ]
    assert release.defects[0].expected.endswith(f"has at $.{SESSIONS}[0].dialogues[2]")
    assert "D00:02" in release.histories["p0"].round_by_id


def test_a_round_or_question_that_only_a_variant_has_is_named(tmp_path: Path) -> None:
    brief = history()
    brief[SESSIONS][2]["dialogues"].append(text_round("D02:01", "多出来的。"))
    brief[QUESTIONS].append(brief[QUESTIONS][2] | {"qa_id": "0-Extra-0"})
    release = merged(tmp_path, brief=brief)
    assert faults(release) == [
        ("warning", "variant_extra_round", f"$.{SESSIONS}[2].dialogues[1]"),
        ("warning", "variant_extra_question", f'$["{QUESTIONS}"][6]'),
    ]
    assert "D02:01" not in release.histories["p0"].round_by_id


def test_a_variant_without_sessions_or_questions_is_one_error(tmp_path: Path) -> None:
    release = merged(tmp_path, brief=without(history(), (QUESTIONS,)))
    assert faults(release) == [("error", "wrong_type", f'$["{QUESTIONS}"]')]


def test_a_history_that_a_variant_has_no_file_for_is_named(tmp_path: Path) -> None:
    for p in (0, 1):
        write(tmp_path, history(), p=p)
    write(tmp_path, history(), variant="brief", p=0)
    write(tmp_path, history(), variant="brief", p=2)
    release = read(tmp_path)
    assert list(release.histories) == ["p0", "p1", "p2"]
    found = [(one.file, one.found) for one in release.defects if one.code == "variant_lacks"]
    assert found == [
        ("data/dialog/base/history_with_qa_p1.json", "no file in brief"),
        ("data/dialog/brief/history_with_qa_p2.json", "no file in base"),
    ]


def test_questions_with_one_key_are_paired_by_their_order(tmp_path: Path) -> None:
    base, brief = history(), history()
    for data, captions in ((base, "中"), (brief, "短")):
        twin = data[QUESTIONS][0] | {"option_captions": {x: f"{captions}{x}" for x in "ABCD"}}
        data[QUESTIONS].append(twin)
    release_of(tmp_path, base)
    write(tmp_path, brief, variant="brief")
    release = read(tmp_path)
    assert [one.code for one in release.defects] == ["duplicate_question"]
    picture = release.questions["p0/pref_img/0-Pets-0#2"].options[0].attachment
    assert picture is not None
    assert picture.captions == {"medium": "中A", "brief": "短A"}


def test_captions_under_file_names_come_together_too(tmp_path: Path) -> None:
    def named(caption: str) -> Any:
        data = history()
        rounds = data[SESSIONS][2]["dialogues"]
        rounds.append(text_round("D02:01", "看。") | {"D02-001.jpg": caption})
        return data

    write(tmp_path, named("中等。"))
    write(tmp_path, named("短。"), variant="brief")
    release = read(tmp_path)
    picture = attachment(release, Kind.IMAGE, "D02-001")
    assert picture.captions == {"medium": "中等。", "brief": "短。"}
    write(tmp_path, named("别的。"), variant="medium")
    place = f'$.{SESSIONS}[2].dialogues[1]["D02-001.jpg"]'
    assert ("warning", "captions_differ", place) in faults(read(tmp_path))


def test_images_and_clips_take_their_levels_from_different_variants(tmp_path: Path) -> None:
    both = text_round("D02:00", "") | image("D02-001", "中") | voice("D02-001", "提示")
    other = text_round("D02:00", "") | image("D02-001", "短") | voice("D02-001", "提示")
    split = text_round("D02:00", "") | image("D02-001", "中") | voice("D02-001", "分开")
    base, brief, parted = (
        with_value(history(), (SESSIONS, 2, "dialogues", 0), one) for one in (both, other, split)
    )
    release_of(tmp_path, base)
    write(tmp_path, brief, variant="brief")
    write(tmp_path, parted, variant="audio_caption/asr_bg_split")
    release = read(tmp_path)
    assert not release.defects
    assert attachment(release, Kind.IMAGE, "D02-001").captions == {"medium": "中", "brief": "短"}
    assert attachment(release, Kind.AUDIO, "D02-001").captions == {"hint": "提示", "split": "分开"}
