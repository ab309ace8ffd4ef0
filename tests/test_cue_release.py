import json
import pickle
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mnemoscope.core.errors import InputError, ReadError, UsageError
from mnemoscope.core.media_files import normalise
from mnemoscope.core.model import AttachmentState, Kind, Question, Release, Textualisation
from mnemoscope.core.releases.cue_mem.reader import CueMemReader
from mnemoscope.core.releases.reader import ReadOptions, choose_reader
from mnemoscope.core.sources import Source
from tests.cue_release_data import (
    QUESTIONS,
    SECRET,
    SESSIONS,
    SHARED,
    faults,
    generate,
    history,
    image,
    leaves,
    mini,
    read,
    release_of,
    text_round,
    with_value,
    write,
    write_media,
)

TASKS = {
    "ER": "entity_recall",
    "LP": "long_pattern",
    "PR": "personalized_rec",
    "AR": "answer_refusal",
}


@cache
def mini_release() -> Release:
    return read(mini())


def mini_questions() -> list[Question]:
    return list(mini_release().questions.values())


def shown(release: Release) -> str:
    """All that histories and questions give away without being asked for answers."""
    questions = [
        (one.stem, one.text, one.labels, one.options, one.category, one.form)
        for one in release.questions.values()
    ]
    return repr((list(release.histories.values()), questions))


def pickled(release: Release) -> bytes:
    questions = [(q.stem, q.text, q.labels, q.options) for q in release.questions.values()]
    return pickle.dumps((list(release.histories.values()), questions))


# --- The miniature release ----------------------------------------------------------------------


def test_the_miniature_release_is_recognised_and_counted() -> None:
    assert CueMemReader().recognises(Source(mini()))
    assert mini_release().counts == {
        "histories": 1,
        "sessions": 3,
        "rounds": 8,
        "questions": 6,
        "images": 1,
        "audio": 1,
    }


def test_its_questions_have_their_task_setting_and_gold() -> None:
    assert [(q.key, q.task, q.setting, str(q.gold)) for q in mini_questions()] == [
        ("p0/pref_img/0-HobbiesAndEntertainment-0", "long_pattern", "implicit", "C"),
        ("p0/entity_img/0-Items-0-img_identify", "entity_recall", "implicit", "B"),
        ("p0/pref_text/0-FoodAndDrink-0", "long_pattern", "explicit", "B"),
        ("p0/rec_text/0-HobbiesAndEntertainment-0", "personalized_rec", "implicit", "A"),
        ("p0/entity_text/0-Relationship-0-0", "entity_recall", "explicit", "D"),
        ("p0/adversarial_text/0-FoodAndDrink-0-adv0", "answer_refusal", "explicit", "C"),
    ]
    assert [q.answerable for q in mini_questions()] == [True] * 5 + [False]
    assert [q.index for q in mini_questions()] == list(range(6))


def test_its_evidence_rounds_are_those_its_readme_lists() -> None:
    assert [set(q.evidence_rounds) for q in mini_questions()] == [
        {"D01:01", "D02:01"},
        {"D01:01"},
        {"D00:00", "D02:02"},
        {"D01:01", "D02:01"},
        {"D00:01"},
        {"D00:00", "D02:02"},
    ]


def test_an_id_that_two_points_share_names_two_questions() -> None:
    shared = [q for q in mini_questions() if q.id == "0-HobbiesAndEntertainment-0"]
    assert {q.form for q in shared} == {"pref_img", "rec_text"}


def test_a_clip_belongs_to_the_round_that_names_it_and_not_to_the_round_of_its_number() -> None:
    (one,) = mini_release().histories.values()
    assert one.round_of_attachment[Kind.AUDIO, "D02-001"].id == "D02:01"
    assert one.round_of_attachment[Kind.IMAGE, "D01-001"].id == "D01:01"


def test_an_option_path_with_backslashes_leads_to_its_file_and_says_so() -> None:
    options = mini_questions()[0].options
    pictures = [option.attachment for option in options]
    assert [picture.state if picture else None for picture in pictures] == [
        AttachmentState.PRESENT,
        AttachmentState.PRESENT,
        AttachmentState.PRESENT,
        AttachmentState.MISSING,
    ]
    assert pictures[2] is not None
    assert "\\" in pictures[2].written
    assert Path(pictures[2].file).is_file()


def test_an_option_without_a_picture_is_an_option_and_says_why_nothing_is_shown() -> None:
    option = mini_questions()[1].options[3]
    assert (option.label, option.describe("medium")) == ("D", "")
    assert option.attachment is not None
    assert option.attachment.note == "the release names no file"


def test_its_defects_are_the_traps_of_its_readme() -> None:
    base = '$["human-annotated QAs"]'
    assert faults(mini_release()) == [
        ("repaired", "backslash_path", f"{base}[0].option_images.C"),
        ("warning", "empty_option", f"{base}[1].option_images.D"),
        ("warning", "media_missing", f"{base}[0].option_images.D"),
    ]


def test_nothing_evaluator_only_can_be_found_in_it() -> None:
    release = mini_release()
    data = json.loads((mini() / release.files[0]).read_bytes())
    secret_keys = {
        "scene_description",
        "_profile_str",
        "rationale",
        "background_audio_info",
        "question_image_descriptions",
    }
    hidden = {
        value
        for place, value in leaves(data)
        if isinstance(value, str) and value != "none" and not secret_keys.isdisjoint(place)
    }
    assert len(hidden) > 10
    assert not [text for text in hidden if text in shown(release)]
    assert not [text for text in hidden if text.encode() in pickled(release)]


# --- What only the evaluator may see ------------------------------------------------------------


def test_nothing_evaluator_only_can_be_found_in_histories_and_questions(tmp_path: Path) -> None:
    release = release_of(tmp_path)
    assert not release.defects
    assert SECRET not in shown(release)
    assert SECRET.encode() not in pickled(release)


def test_all_that_is_evaluator_only_is_kept_apart(tmp_path: Path) -> None:
    evaluator = release_of(tmp_path).evaluator
    assert evaluator.histories["p0"]["character_profile"]["description"].startswith(SECRET)
    assert evaluator.sessions["p0", "D01"]["_profile_str"] == f"{SECRET}画像"
    assert evaluator.sessions["p0", "D01"]["implicit_preferences"][0]["rationale"]
    notes = evaluator.questions["p0/adversarial_text/0-Pets-0-adv0"]
    assert notes["adversarial_answer"] == f"{SECRET}诱饵"
    kept = evaluator.questions["p0/entity_img/0-Items-0-img_identify"]
    assert kept["question_image_descriptions"]["B"] == f"{SECRET}提示B"


def test_fields_that_no_one_knows_are_for_the_evaluator_only(tmp_path: Path) -> None:
    data = history()
    data[SESSIONS][0]["dialogues"][0]["background_audio"] = f"{SECRET}背景"
    data[QUESTIONS][2]["trap_reason"] = f"{SECRET}陷阱"
    data["_audio_caption_study"] = {"mode": SECRET}
    release = release_of(tmp_path, data)
    assert SECRET not in shown(release)
    assert release.evaluator.rounds["p0", "D00:00"] == {"background_audio": f"{SECRET}背景"}
    assert release.evaluator.questions["p0/pref_text/0-Pets-0"]["trap_reason"] == f"{SECRET}陷阱"
    assert release.evaluator.histories["p0"]["_audio_caption_study"] == {"mode": SECRET}


# --- Where a release lies -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "opened",
    ["", "data", "data/dialog", "data/dialog/base", "data/dialog/base/history_with_qa_p0.json"],
)
def test_a_release_reads_the_same_from_each_of_its_folders(tmp_path: Path, opened: str) -> None:
    whole = release_of(tmp_path)
    release = read(tmp_path / opened)
    assert CueMemReader().recognises(Source(tmp_path / opened))
    assert (release.histories, release.questions) == (whole.histories, whole.questions)
    assert (release.root, release.files) == (tmp_path, whole.files)
    assert not release.defects


def test_a_history_file_on_its_own_finds_media_beside_itself(tmp_path: Path) -> None:
    write_media(tmp_path, history())
    (tmp_path / "history_with_qa_p4.json").write_text(json.dumps(history()))
    (tmp_path / "dataset_preparation.json").write_text("{}")
    (tmp_path / "package.json").write_text("{}")
    release = read(tmp_path)
    assert list(release.histories) == ["p4"]
    assert not release.defects


def test_a_file_of_another_variant_has_that_variants_captions(tmp_path: Path) -> None:
    write(tmp_path, history(), variant="audio_caption/asr_bg_split")
    release = read(tmp_path / "data/dialog/audio_caption/asr_bg_split/history_with_qa_p0.json")
    assert release.textualisation == Textualisation("medium", "split")
    clip = release.histories["p0"].attachment(Kind.AUDIO, "D01-001")
    assert clip is not None
    assert list(clip.captions) == ["split"]


def test_histories_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for p in (10, 2, 0):
        write(tmp_path, history(), p=p)
    assert list(read(tmp_path).histories) == ["p0", "p2", "p10"]


@pytest.mark.parametrize(
    ("profile", "rows", "expected"),
    [
        ({"name": "x", "p_id": 7, "description": "user (p_id=8)"}, [], "p7"),
        ({"name": "x", "description": "user (p_id=8)"}, [{"p_id": 9}], "p8"),
        ({"name": "x", "p_id": True, "description": None}, [None, {"p_id": 9}], "p9"),
        ("nobody", [], "dialogue"),
    ],
)
def test_a_history_whose_file_has_no_number_takes_it_from_its_content(
    tmp_path: Path, profile: Any, rows: list[Any], expected: str
) -> None:
    data = history() | {"character_profile": profile, QUESTIONS: rows}
    (tmp_path / "dialogue.json").write_text(json.dumps(data))
    assert list(read(tmp_path / "dialogue.json").histories) == [expected]


def test_results_and_folders_beside_histories_are_not_read(tmp_path: Path) -> None:
    file = write(tmp_path, history())
    (file.parent / "history_with_qa_p0_results.json").write_text("[]")
    (file.parent / "odd.json").mkdir()
    assert read(tmp_path).files == ("data/dialog/base/history_with_qa_p0.json",)


def test_a_folder_that_is_no_known_variant_is_named_and_not_read(tmp_path: Path) -> None:
    release_of(tmp_path)
    write(tmp_path, history(), variant="base_retention_correct0_5")
    release = read(tmp_path)
    assert faults(release) == [("warning", "unknown_variant", "$")]
    assert release.defects[0].file == "data/dialog/base_retention_correct0_5"


# --- Files that cannot be read ------------------------------------------------------------------


def test_a_cut_file_is_one_defect_and_the_others_are_read(tmp_path: Path) -> None:
    cut = write(tmp_path, history(), p=0)
    cut.write_bytes(cut.read_bytes()[:2000])
    write(tmp_path, history(), p=1)
    assert CueMemReader().recognises(Source(tmp_path))
    release = read(tmp_path)
    assert list(release.histories) == ["p1"]
    (error,) = [one for one in release.defects if one.severity == "error"]
    assert (error.code, error.file) == (
        "unreadable_file",
        "data/dialog/base/history_with_qa_p0.json",
    )
    assert error.path.startswith("line ")
    assert error.expected.startswith("JSON (")
    assert str(tmp_path) not in error.line()


def test_a_cut_base_file_leaves_the_history_to_the_next_variant(tmp_path: Path) -> None:
    write(tmp_path, history()).write_text('{"character_profile"')
    write(tmp_path, history(), variant="brief")
    release = read(tmp_path)
    image_of = release.histories["p0"].attachment(Kind.IMAGE, "D00-001")
    assert image_of is not None
    assert list(image_of.captions) == ["brief"]


def test_a_file_that_holds_no_dialogue_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, history())
    write(tmp_path, {"profiles": 3}, p=1)
    write(tmp_path, [history()], p=2)
    errors = [one for one in read(tmp_path).defects if one.severity == "error"]
    assert [(one.code, one.file[-7:]) for one in errors] == [
        ("unreadable_file", "p1.json"),
        ("unreadable_file", "p2.json"),
    ]


def test_a_release_of_which_nothing_can_be_used_is_one_error(tmp_path: Path) -> None:
    write(tmp_path, history()).write_text('{"character_profile": {,')
    with pytest.raises(ReadError, match=r"p0\.json: line 1 column 24: found"):
        read(tmp_path)
    # Nor does asking who knows the format hide what is wrong.
    with pytest.raises(ReadError, match="line 1 column 24"):
        choose_reader([CueMemReader()], Source(tmp_path), None)


def test_an_empty_tree_is_no_release(tmp_path: Path) -> None:
    (tmp_path / "data/dialog/base").mkdir(parents=True)
    assert not CueMemReader().recognises(Source(tmp_path))
    with pytest.raises(InputError, match="no CUE-Mem dialogue files"):
        read(tmp_path)


def test_other_data_is_not_taken_for_a_release(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"qa": [], "conversation": {}}')
    (tmp_path / "b.json").write_text("[1, 2]")
    assert not CueMemReader().recognises(Source(tmp_path))
    with pytest.raises(InputError, match="not a release of a known format"):
        choose_reader([CueMemReader()], Source(tmp_path), None)


def test_a_reader_can_be_named_and_a_wrong_name_says_which_there_are(tmp_path: Path) -> None:
    reader = CueMemReader()
    assert choose_reader([reader], Source(tmp_path), "cue-mem") is reader
    with pytest.raises(UsageError, match="no release format named 'cue'; there are: cue-mem"):
        choose_reader([reader], Source(tmp_path), "cue")


def test_a_cut_file_of_lines_is_not_taken_for_an_unknown_format(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a": 1')
    with pytest.raises(ReadError, match=r"a\.jsonl: line 1 column 8: found the end of the file"):
        choose_reader([CueMemReader()], Source(tmp_path), None)


def test_a_folder_that_cannot_be_listed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, history())
    source = Source(tmp_path)

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(InputError, match="data/dialog: Permission denied"):
        CueMemReader().recognises(source)


def test_mem_gallery_is_not_taken_for_a_release() -> None:
    folder = SHARED / "data" / "mem-gallery" / "dialog"
    if not folder.is_dir():
        pytest.skip("Mem-Gallery is not beside this checkout")
    assert not CueMemReader().recognises(Source(folder))


def test_a_file_is_parsed_once_to_be_recognised_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, history())
    parsed = []

    def parse(path: Path) -> Any:
        parsed.append(path)
        return json.loads(path.read_bytes())

    monkeypatch.setattr("mnemoscope.core.sources.read_json", parse)
    source = Source(tmp_path)
    reader = choose_reader([CueMemReader()], source, None)
    assert reader.read(source, ReadOptions()).counts["histories"] == 1
    assert len(parsed) == 1


# --- Media in the published and the prepared dialect --------------------------------------------


def prepared(data: Any, root: Path) -> Any:
    """A history as the benchmark's preparation step rewrites it."""
    changed = data
    for place, value in leaves(data):
        if isinstance(value, str) and normalise(value).startswith("data/"):
            changed = with_value(changed, place, str(root / normalise(value)))
    return changed


def states(release: Release) -> Counter[AttachmentState]:
    held = [item for one in release.histories["p0"].rounds for item in one.attachments]
    held += [o.attachment for q in release.questions.values() for o in q.options if o.attachment]
    return Counter(item.state for item in held)


def test_published_media_are_found_below_the_release(tmp_path: Path) -> None:
    assert states(release_of(tmp_path)) == {AttachmentState.PRESENT: 12}


def test_a_release_without_any_media_says_so_once(tmp_path: Path) -> None:
    write(tmp_path, history())
    release = read(tmp_path)
    assert faults(release) == [("warning", "media_absent", "$")]
    assert release.defects[0].found == "none of 12 media files"
    assert states(release) == {AttachmentState.MISSING: 12}


def test_prepared_media_outside_the_release_are_proposed_and_not_read(tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    write_media(dataset, history())
    write(tmp_path / "output", prepared(history(), dataset))
    release = read(tmp_path / "output")
    assert faults(release) == [("warning", "media_outside", "$")]
    assert f"{dataset} (files: 12)" in release.defects[0].found
    assert "--media-root" in release.defects[0].expected
    assert states(release) == {AttachmentState.MISSING: 12}
    picture = release.histories["p0"].attachment(Kind.IMAGE, "D00-001")
    assert picture is not None
    assert f"below {dataset}; name that folder with --media-root" in picture.note


def test_prepared_media_are_read_where_the_user_named_their_folder(tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    write_media(dataset, history())
    write(tmp_path / "output", prepared(history(), dataset))
    release = read(tmp_path / "output", dataset)
    assert not release.defects
    assert states(release) == {AttachmentState.PRESENT: 12}
    assert release.media_roots == (tmp_path / "output", dataset)


def test_files_missing_below_a_named_folder_are_listed_one_by_one(tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    write_media(dataset, history())
    (dataset / "data/event/images/D00-001.png").unlink()
    write(tmp_path / "output", prepared(history(), dataset))
    release = read(tmp_path / "output", dataset)
    place = f"$.{SESSIONS}[0].dialogues[1].input_image[0]"
    assert faults(release) == [("warning", "media_missing", place)]
    assert release.defects[0].found == repr(str(dataset / "data/event/images/D00-001.png"))


def test_a_prepared_tree_that_moved_with_its_media_says_where_it_reads(tmp_path: Path) -> None:
    write_media(tmp_path, history())
    write(tmp_path, prepared(history(), Path("/elsewhere/cue")))
    release = read(tmp_path)
    assert faults(release) == [("repaired", "media_relocated", "$")]
    assert "/elsewhere/cue (files: 12)" in release.defects[0].found
    assert states(release) == {AttachmentState.PRESENT: 12}


def test_many_foreign_folders_are_named_in_short(tmp_path: Path) -> None:
    data = history()
    for index, letter in enumerate("ABCD"):
        data[QUESTIONS][0]["option_images"][letter] = f"/mnt/{index}/data/qa/{letter}.png"
    write_media(tmp_path, data)
    release = read(write(tmp_path, data))
    assert faults(release) == [("warning", "media_outside", "$")]
    assert release.defects[0].found == (
        "media paths that lead below /mnt/0 (files: 1), /mnt/1 (files: 1), /mnt/2 (files: 1) "
        "and 1 more"
    )


def test_a_file_that_many_rounds_share_is_reported_once(tmp_path: Path) -> None:
    data = history()
    data[SESSIONS][2]["dialogues"].append(text_round("D02:01", "再看。") | image("D00-001"))
    data[SESSIONS][2]["dialogues"][1]["image_id"] = ["D02-001"]
    write_media(tmp_path, data)
    (tmp_path / "data/event/images/D00-001.png").unlink()
    release = read(write(tmp_path, data))
    place = f"$.{SESSIONS}[0].dialogues[1].input_image[0]"
    assert faults(release) == [("warning", "media_missing", place)]


# --- A full-size release ------------------------------------------------------------------------


class Generated(NamedTuple):
    expected: Any
    release: Release


@pytest.fixture(
    scope="module",
    params=["published none", "published stubs", "prepared none", "prepared stubs"],
)
def generated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generated:
    dialect, media = request.param.split()
    out = tmp_path_factory.mktemp("cue") / "release"
    generate(out, "--users", "3", "--dialect", dialect, "--media", media)
    return Generated(json.loads((out / "expected.json").read_bytes()), read(out))


def test_a_generated_release_has_the_expected_totals(generated: Generated) -> None:
    totals, release = generated.expected["totals"], generated.release
    assert release.counts == {
        "histories": totals["users"],
        **{name: totals[name] for name in ("sessions", "rounds", "questions", "images", "audio")},
    }
    cells = Counter((q.task, q.setting) for q in release.questions.values())
    for short, task in TASKS.items():
        for setting in ("explicit", "implicit"):
            assert cells[task, setting] == totals[f"{short} {setting}"]
    assert sum(cells.values()) == totals["questions"]
    for point, count in Counter(q.form for q in release.questions.values()).items():
        assert count == totals[point]


def test_a_generated_release_pairs_media_with_rounds_as_expected(generated: Generated) -> None:
    totals, release = generated.expected["totals"], generated.release
    found: Counter[str] = Counter()
    for one in release.histories.values():
        ids = {kind: {i for k, i in one.round_of_attachment if k is kind} for kind in Kind}
        found["image_ids_equal_to_a_voice_id"] += len(ids[Kind.IMAGE] & ids[Kind.AUDIO])
        for session in one.sessions:
            kinds = [{item.kind for item in held.attachments} for held in session.rounds]
            voiced = [Kind.AUDIO in held for held in kinds]
            found["rounds_with_image_and_voice"] += sum(len(held) == 2 for held in kinds)
            found["voiced_sessions"] += any(voiced)
            found["voiced_sessions_with_silent_rounds"] += any(voiced) and not all(voiced)
    assert found == {name: totals[name] for name in found}


def test_a_generated_release_misses_the_media_it_should(generated: Generated) -> None:
    expected, release = generated.expected, generated.release
    missing = [one for one in release.defects if one.code == "media_missing"]
    names = [normalise(one.found[1:-1].replace("\\\\", "/")) for one in missing]
    assert sorted(name[name.index("data/") :] for name in names) == expected["missing_media_files"]
    absent = [one.code for one in release.defects if one.code == "media_absent"]
    assert absent == (["media_absent"] if expected["options"]["media"] == "none" else [])


def test_a_generated_release_has_no_error_and_every_clue_leads_to_a_round(
    generated: Generated,
) -> None:
    release = generated.release
    codes = Counter(one.code for one in release.defects)
    known = {"backslash_path", "empty_option", "media_missing", "media_absent"}
    assert set(codes) <= known
    assert all(clue.round_id for q in release.questions.values() for clue in q.clues)


def test_a_generated_release_has_the_expected_clues_per_question(generated: Generated) -> None:
    expected, release = generated.expected, generated.release
    for setting, mean in expected["clues_per_question_without_refusal"].items():
        counted = [
            len(q.clues)
            for q in release.questions.values()
            if q.setting == setting and q.task != "answer_refusal"
        ]
        assert round(sum(counted) / len(counted), 4) == mean


def test_a_generated_release_has_every_captions_level(generated: Generated) -> None:
    release = generated.release
    assert release.image_variants == ("brief", "medium", "detailed")
    assert release.audio_variants == ("asr", "hint", "split")
    for one in release.histories.values():
        for item in (item for held in one.rounds for item in held.attachments):
            assert set(item.captions) == set(release.variants(item.kind))
