import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mnemoscope.core.defects import Defect, Severity
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import AttachmentState, Release, RoundKind
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.longmemeval.reader import LongMemEvalReader
from mnemoscope.core.releases.memlens.reader import MemLensReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.sources import Source
from tests.app_driver import act, opened, screen_text
from tests.locomo_data import broken_copies, leads_somewhere, source_of, write
from tests.longmemeval_data import instance, lens_instance

OPTIONS = ReadOptions()


def read(path: Path) -> Release:
    return MemLensReader().read(Source(path), OPTIONS)


def read_value(tmp_path: Path, data: Any) -> Release:
    return MemLensReader().read(source_of(tmp_path / "dataset_32k.json", data), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    (tmp_path / "img").mkdir()
    for name in ("door.png", "door2.png"):
        Image.new("RGB", (4, 4)).save(tmp_path / "img" / name)
    return read(write(tmp_path / "dataset_32k.json", [lens_instance()]))


def test_a_release_says_what_it_is(release: Release) -> None:
    assert (release.name, release.format) == ("dataset_32k", "memlens")
    assert release.licence == "CC BY 4.0"
    assert release.round_kind is RoundKind.UTTERANCE
    assert release.counts == {
        **{"histories": 1, "sessions": 2, "rounds": 3, "questions": 1},
        **{"images": 3, "audio": 0},
    }
    assert [label.task for label in release.tasks] == [
        "information_extraction",
        "multi_session_reasoning",
        "temporal_reasoning",
        "knowledge_update",
        "answer_refusal",
    ]


def test_sessions_are_lists_of_turns_or_objects_with_their_date(release: Release) -> None:
    sessions = release.histories["lens1"].sessions
    assert [one.id for one in sessions] == ["session_1", "session_2"]
    assert [one.date for one in sessions] == [datetime(2024, 1, 3, 8), datetime(2024, 1, 20, 8)]
    assert sessions[1].rounds[0].place == "$[0].haystack_sessions[1].session[0]"
    assert not of_code(release, "parallel_lists")
    assert not of_code(release, "missing_id")


def test_sessions_that_carry_their_dates_need_no_list_of_them(tmp_path: Path) -> None:
    one = lens_instance()
    del one["haystack_dates"]
    release = read_value(tmp_path, [one])
    sessions = release.histories["lens1"].sessions
    assert [one.date for one in sessions] == [None, datetime(2024, 1, 20, 8)]
    assert sessions[1].date_text == "2024/01/20 (Sat) 08:00"
    assert not of_code(release, "parallel_lists")


def test_a_turn_shows_several_pictures_that_go_by_its_id(release: Release) -> None:
    (first, _, last) = release.histories["lens1"].rounds
    images = list(first.attachments)
    assert [(one.id, one.written, one.state) for one in images] == [
        ("session_1:0", "img/door.png", AttachmentState.PRESENT),
        ("session_1:0#2", "https://example.org/gate.png", AttachmentState.MISSING),
    ]
    assert images[1].note == "a web address; nothing is fetched"
    assert [one.written for one in last.attachments] == ["img/door2.png"]


def test_the_text_keeps_the_signs_that_place_the_pictures(release: Release) -> None:
    text = release.histories["lens1"].rounds[0].messages[0].text
    assert text == "My door: <image> and my gate: <image>"


def test_a_file_goes_before_an_address_under_any_of_its_names(tmp_path: Path) -> None:
    one = lens_instance()
    images = [{key: f"{key}.png", "image_url": "u"} for key in ("path", "file_path", "img_file")]
    one["haystack_sessions"][0][0]["images"] = [*images, "plain.png"]
    (first, *_) = read_value(tmp_path, [one]).histories["lens1"].rounds
    assert [item.written for item in first.attachments] == [
        *("path.png", "file_path.png", "img_file.png", "plain.png")
    ]


def test_signs_and_pictures_that_do_not_match_are_a_warning(tmp_path: Path) -> None:
    one = lens_instance()
    del one["haystack_sessions"][0][0]["images"]
    (defect,) = of_code(read_value(tmp_path, [one]), "image_places")
    assert defect.path == "$[0].haystack_sessions[0][0].content"
    assert defect.found == "2 × <image> for 0 images"


def test_missing_pictures_are_reported(release: Release) -> None:
    (defect,) = of_code(release, "media_missing")
    assert defect.path == "$[0].haystack_sessions[0][0].images[1].image_hf_url"
    assert defect.severity is Severity.WARNING


def test_a_path_out_of_the_release_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    one = lens_instance()
    one["haystack_sessions"][0][0]["images"] = "../secret.png"
    release = read(write(tmp_path / "in" / "dataset_32k.json", [one]))
    (image,) = release.histories["lens1"].rounds[0].attachments
    assert image.state is AttachmentState.MISSING


def test_a_superseded_answer_is_for_the_evaluator_alone(release: Release) -> None:
    assert release.evaluator.questions == {"lens1/0": {"old_answer": "red"}}
    question = release.questions["lens1/0"]
    assert (question.gold.texts, question.form) == (("green",), "single_hop")
    assert "red" not in repr(question)


def test_a_refusal_is_a_question_to_decline(tmp_path: Path) -> None:
    one = lens_instance(question_type="answer_refusal", answer="Not mentioned.")
    question = read_value(tmp_path, [one]).questions["lens1/0"]
    assert not question.answerable


def test_no_named_evidence_is_no_clue_and_no_defect(release: Release) -> None:
    assert release.questions["lens1/0"].clues == ()
    assert not of_code(release, "evidence_missing")


def test_evidence_that_is_named_is_read(tmp_path: Path) -> None:
    one = lens_instance(haystack_session_ids=["a", "b"], answer_session_ids=["b"])
    one["haystack_sessions"][1]["session"][0]["has_answer"] = True
    release = read_value(tmp_path, [one])
    question = release.questions["lens1/0"]
    assert (question.evidence_sessions, question.evidence_rounds) == (("b",), ("b:0",))


def test_question_types_tell_memlens_from_longmemeval(tmp_path: Path) -> None:
    lens = write(tmp_path / "lens" / "x.json", {"data": [lens_instance()]})
    other = write(tmp_path / "long" / "x.json", [instance()])
    assert (format_of(lens), format_of(lens.parent)) == ("memlens", "memlens")
    assert (format_of(other), format_of(other.parent)) == ("longmemeval", "longmemeval")
    assert not LongMemEvalReader().recognises(Source(lens))
    packed = tmp_path / "x.json.gz"
    packed.write_bytes(gzip.compress(lens.read_bytes()))
    assert list(open_release(packed).questions) == ["lens1/0"]


def test_a_subtype_tells_memlens_where_the_type_is_new(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", [lens_instance(question_type="new")])
    assert format_of(path) == "memlens"


def test_a_folder_of_all_lengths_is_several_releases(tmp_path: Path) -> None:
    for name in ("32k", "64k"):
        write(tmp_path / f"dataset_{name}.json", [lens_instance()])
    with pytest.raises(InputError, match=r"more than one MemLens release \(dataset_32k\.json"):
        open_release(tmp_path)


def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path) -> None:
    for what, broken in broken_copies([lens_instance(), lens_instance("lens2")]):
        source = source_of(tmp_path / "x.json", broken)
        try:
            release = MemLensReader().read(source, OPTIONS)
        except InputError:
            continue
        for history in release.histories.values():
            assert len(history.round_by_id) == len(history.rounds), what
        for defect in release.defects:
            if defect.file != ".":
                assert leads_somewhere(defect, broken), (what, defect)


def test_a_string_of_ten_megabytes_and_escape_codes_are_read(tmp_path: Path) -> None:
    long = "\x1b[31m<image>" * 1_000_000
    one = lens_instance(question=long, old_answer=long, question_subtype=long)
    one["haystack_sessions"][0][0]["images"] = [long, {"file": long}]
    release = read_value(tmp_path, [one])
    assert release.questions["lens1/0"].text == long
    said = [defect.line() for defect in release.defects]
    assert max(map(len, said)) < 12_000
    assert "\x1b" not in "".join(said)


def test_a_cut_file_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "dataset_32k.json"
    path.write_text(json.dumps([lens_instance()])[:-40])
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        open_release(path)


async def test_several_pictures_of_a_turn_stand_in_the_history(
    tmp_path: Path, release: Release
) -> None:
    async with opened(OpenRequest(tmp_path / "dataset_32k.json")) as (app, pilot):
        await act(app, pilot, "app.history")
        text = screen_text(app)
        assert "session_1:0#2" in text
        assert "My door: <image>" in text
        await act(app, pilot, "app.questions", "list.open")
        assert "Knowledge update · single_hop · asked 2024-02-01" in screen_text(app)
