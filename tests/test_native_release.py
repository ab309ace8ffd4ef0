import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.defects import Severity, describe
from mnemoscope.core.errors import InputError, ReadError, UsageError
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Clue,
    ClueProblem,
    ClueTarget,
    EvaluatorData,
    Gold,
    GoldKind,
    History,
    Kind,
    Message,
    Option,
    Question,
    Release,
    Role,
    Round,
    RoundKind,
    Session,
    TaskLabel,
)
from mnemoscope.core.releases.native.reader import MediaMode, NativeReader, write_release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.schemas import schemas, write_schemas
from mnemoscope.core.sources import Source
from mnemoscope.core.writing import slug
from tests.model_strategies import NASTY, comparable, damage, names, releases

ROOT = Path(__file__).parent.parent


def read(path: Path, *media_roots: Path) -> Release:
    return NativeReader().read(Source(path), ReadOptions(media_roots))


@cache
def media_files() -> Sequence[Path]:
    """A picture, a sound, and a second file with the picture's content."""
    folder = Path(tempfile.mkdtemp(prefix="mnemoscope-media-"))
    contents = {"a.PNG": b"picture", "b.wav": b"sound", "c": b"picture"}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]


@pytest.fixture(scope="module", autouse=True)
def _no_media_left() -> Any:
    yield
    if media_files.cache_info().currsize:
        shutil.rmtree(media_files()[0].parent)
        media_files.cache_clear()


def attachment(**changes: Any) -> Attachment:
    plain = Attachment(Kind.IMAGE, "D1-1", "../image/D1-1.png", {"brief": "a cat"})
    return replace(plain, **changes)


def small_release(*shown: Attachment) -> Release:
    rounds = (
        Round("D1:1", "S1", 0, (Message("Ann", Role.USER, "看这只猫", shown),), "$"),
        Round("D1:2", "S1", 1, (Message("Bot", Role.ASSISTANT, "nice"),), "$"),
    )
    history = History("conv-26", "Ann & Bot", (Session("S1", None, "May", rounds, "$"),), "x.json")
    question = Question(
        key="conv-26/0",
        id="0",
        history_id="conv-26",
        index=0,
        task="recall",
        setting="explicit",
        text="What is it?",
        stem="What is it?",
        gold=Gold(GoldKind.OPTION, "A"),
        clues=(Clue("D1:1", ClueTarget.ROUND, "D1:1", "D1:1", "S1"),),
        place="$",
        options=(Option("A", "a cat"), Option("B", "a dog")),
    )
    other = replace(history, id="张三", name="张三", sessions=())
    return Release(
        name="small",
        format="cue-mem",
        root=Path(),
        files=(),
        round_kind=RoundKind.UTTERANCE,
        histories={"conv-26": history, "张三": other},
        questions={"conv-26/0": question},
        tasks=(TaskLabel("recall", "Recall"),),
        settings=("explicit",),
        evaluator=EvaluatorData(histories={"conv-26": {"profile": "likes cats"}}),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small release, written."""
    write_release(small_release(), tmp_path / "release")
    return tmp_path / "release"


def edit(path: Path, change: Callable[[Any], object]) -> None:
    """Change the JSON of a file; of a file of lines, its first line."""
    head, *rest = path.read_text("utf-8").split("\n") if path.suffix == ".jsonl" else [""]
    data = json.loads(head or path.read_text("utf-8"))
    change(data)
    path.write_text("\n".join([json.dumps(data), *rest]), "utf-8")


def codes(release: Release, severity: Severity | None = None) -> list[str]:
    return [one.code for one in release.defects if severity in (None, one.severity)]


# Round trips


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_release_read_back_equals_the_release_that_was_written(data: st.DataObject) -> None:
    release = data.draw(releases(media_files()))
    with tempfile.TemporaryDirectory() as parent:
        write_release(release, Path(parent, "out"))
        again = read(Path(parent, "out"))
        assert comparable(again) == comparable(release)
        assert list(again.histories) == list(release.histories)
        assert list(again.questions) == list(release.questions)
        assert set(codes(again, Severity.ERROR)) <= {"gold_not_an_option"}


def test_a_release_written_twice_has_the_same_bytes(tmp_path: Path) -> None:
    release = small_release(attachment(state=AttachmentState.PRESENT, file=str(media_files()[0])))
    write_release(release, tmp_path / "a")
    write_release(read(tmp_path / "a"), tmp_path / "b")
    files = [path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.*")]
    assert len(files) == 6
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_written_release_has_no_defects(folder: Path) -> None:
    assert read(folder).defects == ()


def test_release_json_itself_can_be_opened(folder: Path) -> None:
    source = Source(folder / "release.json")
    assert NativeReader().recognises(source)
    assert comparable(read(folder / "release.json")) == comparable(read(folder))


def test_places_lead_to_the_source_json(folder: Path) -> None:
    history = read(folder).histories["conv-26"]
    assert history.file == "histories/conv-26.json"
    assert history.rounds[1].place == "$.sessions[0].rounds[1]"
    assert read(folder).questions["conv-26/0"].clues[0].place == "$[0].clues[0]"


@pytest.mark.parametrize("text", NASTY)
def test_every_file_is_strict_utf8_json_whatever_the_texts_hold(tmp_path: Path, text: str) -> None:
    release = replace(small_release(), name=text, evaluator=EvaluatorData(histories={text: {}}))
    write_release(release, tmp_path / "out")

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    for path in (tmp_path / "out").rglob("*.json*"):
        whole = path.read_bytes().decode("utf-8")
        for part in whole.split("\n")[:-1] if path.suffix == ".jsonl" else [whole]:
            json.loads(part, parse_constant=refuse)
    assert read(tmp_path / "out").name == text


def test_numbers_that_json_cannot_say_become_texts_in_free_json(tmp_path: Path) -> None:
    data = {"a": [float("nan"), float("inf"), {"b": -float("inf")}], "c": 1.5}
    write_release(
        replace(small_release(), evaluator=EvaluatorData(histories={"conv-26": data})),
        tmp_path / "out",
    )
    found = read(tmp_path / "out").evaluator.histories["conv-26"]
    assert found == {"a": ["NaN", "Infinity", {"b": "-Infinity"}], "c": 1.5}


def test_a_history_file_holds_nothing_evaluator_only(folder: Path) -> None:
    for path in (folder / "histories").iterdir():
        assert "likes cats" not in path.read_text("utf-8")
    shutil.rmtree(folder / "evaluator")
    assert codes(read(folder), Severity.ERROR) == ["unreadable_file"]
    assert len(read(folder).questions) == 1


# Media


def test_media_are_named_by_content_and_equal_files_are_stored_once(tmp_path: Path) -> None:
    state = AttachmentState.PRESENT
    shown = [attachment(id=str(i), state=state, file=str(f)) for i, f in enumerate(media_files())]
    write_release(small_release(*shown), tmp_path / "out")
    picture = hashlib.sha256(b"picture").hexdigest()
    sound = hashlib.sha256(b"sound").hexdigest()
    stored = {path.name for path in (tmp_path / "out" / "media").iterdir()}
    assert stored == {f"{picture}.png", picture, f"{sound}.wav"}
    again = [*read(tmp_path / "out").histories["conv-26"].rounds[0].attachments]
    assert [one.written for one in again] == [one.written for one in shown]
    assert [Path(one.file).read_bytes() for one in again] == [b"picture", b"sound", b"picture"]


def test_missing_media_stay_missing_with_their_path_and_note(tmp_path: Path) -> None:
    shown = attachment(note="no such file below the release")
    write_release(small_release(shown), tmp_path / "out")
    assert not (tmp_path / "out" / "media").exists()
    assert [*read(tmp_path / "out").histories["conv-26"].rounds[0].attachments] == [shown]


def test_media_left_out_are_found_where_the_user_says(tmp_path: Path) -> None:
    source = media_files()[0]
    shown = attachment(written=source.name, state=AttachmentState.PRESENT, file=str(source))
    clue = Clue("D1-1", ClueTarget.IMAGE, "D1-1", "D1:1", "S1")
    release = small_release(shown)
    question = replace(release.questions["conv-26/0"], clues=(clue,))
    release = replace(release, questions={question.key: question})
    write_release(release, tmp_path / "out", media=MediaMode.NONE)

    without = read(tmp_path / "out")
    (found,) = without.histories["conv-26"].rounds[0].attachments
    assert (found.state, found.note) == (
        AttachmentState.MISSING,
        "left out when the release was written",
    )
    assert without.questions[question.key].clues[0].problem is ClueProblem.FILE_MISSING
    assert comparable(read(tmp_path / "out", source.parent)) == comparable(release)


def test_a_missing_path_never_meets_another_file_of_the_release(tmp_path: Path) -> None:
    write_release(small_release(attachment(written="release.json")), tmp_path / "out")
    (found,) = read(tmp_path / "out").histories["conv-26"].rounds[0].attachments
    assert found.state is AttachmentState.MISSING


@pytest.mark.parametrize("media", ["../secret.png", "media/../../secret.png", "/etc/passwd", "\0"])
def test_a_media_path_never_leaves_the_release(tmp_path: Path, media: str) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    write_release(small_release(attachment()), tmp_path / "out")

    def point(data: Any) -> None:
        data["sessions"][0]["rounds"][0]["messages"][0]["attachments"][0]["media"] = media

    edit(tmp_path / "out" / "histories" / "conv-26.json", point)
    release = read(tmp_path / "out")
    (found,) = release.histories["conv-26"].rounds[0].attachments
    assert (found.state, found.file) == (AttachmentState.MISSING, "")
    assert "media_missing" in codes(release, Severity.WARNING)


def test_a_lost_media_file_is_a_warning_with_its_place(tmp_path: Path) -> None:
    shown = attachment(state=AttachmentState.PRESENT, file=str(media_files()[0]))
    write_release(small_release(shown), tmp_path / "out")
    shutil.rmtree(tmp_path / "out" / "media")
    (defect,) = read(tmp_path / "out").defects
    assert (defect.code, defect.file) == ("media_missing", "histories/conv-26.json")
    assert defect.path == "$.sessions[0].rounds[0].messages[0].attachments[0].media"


# Writing whole or not at all


def test_a_folder_that_holds_something_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        write_release(small_release(), tmp_path)
    with pytest.raises(UsageError, match="is a file"):
        write_release(small_release(), tmp_path / "note.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_release(small_release(), tmp_path / "out")
    assert read(tmp_path / "out").name == "small"


def test_a_failure_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    gone = attachment(state=AttachmentState.PRESENT, file=str(tmp_path / "gone.png"))
    with pytest.raises(InputError, match=r"gone\.png: cannot be copied"):
        write_release(small_release(gone), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_half_way_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(source: object, target: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "copyfile", interrupt)
    shown = attachment(state=AttachmentState.PRESENT, file=str(media_files()[0]))
    with pytest.raises(KeyboardInterrupt):
        write_release(small_release(shown), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_release(small_release(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_has_a_plain_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"cannot be a folder, since .*/file is a file"):
        write_release(small_release(), tmp_path / "file" / "out")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_folder_has_a_plain_message(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        write_release(small_release(), tmp_path / "out")


def test_a_read_only_file_system_has_a_plain_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *args: object, **options: object) -> None:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match="cannot be written: Read-only file system"):
        write_release(small_release(), tmp_path / "out")


# File names


@given(st.lists(st.one_of(names, st.sampled_from(["COM1", "nul.txt", ".hidden", "A", "a"]))))
def test_slugs_are_safe_on_every_file_system_and_unique(ids: list[str]) -> None:
    taken: set[str] = set()
    found = [slug(one, taken, fallback="history") for one in ids]
    assert len(set(found)) == len(ids)
    for one in found:
        assert re.fullmatch(r"[a-z0-9_][a-z0-9_.-]{0,79}", one)
        assert not re.fullmatch(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", one)
        assert ".." not in one
        assert not one.endswith(".")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("conv-26", "conv-26"),
        ("Zoë Müller", "zoe-muller"),
        ("../x", "x"),
        ("张三", "history"),
        ("", "history"),
        ("CON", "history-con"),
        ("a/b\\c:d", "a-b-c-d"),
        ("...", "history"),
    ],
)
def test_slugs_keep_what_can_be_kept(name: str, expected: str) -> None:
    assert slug(name, set(), fallback="history") == expected


def test_clashing_slugs_are_numbered_and_ids_live_inside(tmp_path: Path) -> None:
    plain = small_release()
    history = plain.histories["张三"]
    ids = ["张三", "李四", "", "../x", "X", "x/"]
    histories = {one: replace(history, id=one) for one in ids}
    release = replace(plain, histories=histories, questions={}, evaluator=EvaluatorData())
    write_release(release, tmp_path / "out")
    files = {path.name for path in (tmp_path / "out" / "histories").iterdir()}
    assert files == {f"{n}.json" for n in ("history", "history-2", "history-3", "x", "x-2", "x-3")}
    assert list(read(tmp_path / "out").histories) == ids


# Checks on reading


def test_a_file_that_changed_since_it_was_written_is_a_warning(folder: Path) -> None:
    path = folder / "questions.jsonl"
    path.write_bytes(path.read_bytes() + b"\n")
    (defect,) = read(folder).defects
    assert (defect.severity, defect.code) == (Severity.WARNING, "checksum_differs")
    assert defect.file == "questions.jsonl"
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:12] in defect.found


def test_a_file_without_a_hash_is_a_warning_unless_there_are_none(folder: Path) -> None:
    edit(folder / "release.json", lambda data: data["files"].pop("questions.jsonl"))
    assert codes(read(folder)) == ["checksum_missing"]
    edit(folder / "release.json", lambda data: data.pop("files"))
    assert codes(read(folder)) == []


@pytest.mark.parametrize("name", ["../outside.json", "/outside.json", "histories/../../x.json"])
def test_a_file_outside_the_release_is_never_read(folder: Path, name: str) -> None:
    shutil.copy(folder / "histories" / "conv-26.json", folder.parent / "outside.json")
    name = name.replace("/outside", f"{folder.parent}/outside") if name[0] == "/" else name
    edit(folder / "release.json", lambda data: data["histories"].append(name))
    (defect,) = read(folder).defects
    assert (defect.code, defect.path) == ("path_outside", "$.histories[2]")
    assert (defect.file, defect.found) == ("release.json", describe(name))


def test_a_link_out_of_the_release_is_not_followed(folder: Path) -> None:
    history = folder / "histories" / "conv-26.json"
    shutil.move(history, folder.parent / "elsewhere.json")
    history.symlink_to(folder.parent / "elsewhere.json")
    assert codes(read(folder))[0] == "path_outside"


HISTORY = "histories/conv-26.json"
MESSAGE = "$.sessions[0].rounds[0].messages[0]"


def message(data: Any) -> Any:
    return data["sessions"][0]["rounds"][0]["messages"][0]


@pytest.mark.parametrize(
    ("file", "change", "place", "found", "expected"),
    [
        (HISTORY, lambda d: d.update(id=7), "$.id", "int 7", "text"),
        (HISTORY, lambda d: d.pop("id"), "$.id", "nothing", "a value; the key is required"),
        (HISTORY, lambda d: d.update(sessions={}), "$.sessions", "an object with 0 keys", "a list"),
        (HISTORY, lambda d: d.update(extra=[]), "$.extra", "a list of 0", "an object"),
        (
            HISTORY,
            lambda d: d["sessions"][0].update(date="5 May"),
            "$.sessions[0].date",
            "'5 May'",
            "a date and time such as 2026-01-31T09:30:00",
        ),
        (
            HISTORY,
            lambda d: d["sessions"][0].update(rounds=[[]]),
            "$.sessions[0].rounds[0]",
            "a list of 0",
            "an object",
        ),
        (
            HISTORY,
            lambda d: message(d).update(role="robot"),
            f"{MESSAGE}.role",
            "'robot'",
            "'user', 'assistant' or 'other'",
        ),
        (
            HISTORY,
            lambda d: message(d).update(txet="hello"),
            f"{MESSAGE}.txet",
            "'hello'",
            "no such key; what the format has no key for goes into extra",
        ),
        (
            HISTORY,
            lambda d: message(d).update(spoken={"a b": 1}),
            f'{MESSAGE}.spoken["a b"]',
            "int 1",
            "text",
        ),
        (
            "questions.jsonl",
            lambda d: d.update(answerable="no"),
            "$[0].answerable",
            "'no'",
            "true or false",
        ),
        ("questions.jsonl", lambda d: d.update(index=1.5), "$[0].index", "float 1.5", "an integer"),
        ("questions.jsonl", lambda d: d.update(index=True), "$[0].index", "true", "an integer"),
        (
            "questions.jsonl",
            lambda d: d["clues"][0].update(target="thing"),
            "$[0].clues[0].target",
            "'thing'",
            "'round', 'session', 'image', 'audio' or 'unknown'",
        ),
        (
            "questions.jsonl",
            lambda d: d["gold"].pop("kind"),
            "$[0].gold.kind",
            "nothing",
            "a value; the key is required",
        ),
        (
            "evaluator/conv-26.json",
            lambda d: d.update(history_id=None),
            "$",
            "an object with 2 keys",
            "a history_id beside history, sessions or rounds",
        ),
    ],
)
def test_a_wrong_value_is_named_by_file_place_found_and_expected(
    folder: Path, file: str, change: Callable[[Any], object], place: str, found: str, expected: str
) -> None:
    edit(folder / file, change)
    release = read(folder)
    defect = next(one for one in release.defects if one.severity is Severity.ERROR)
    assert (defect.file, defect.path) == (file, place)
    assert (defect.found, defect.expected) == (found, expected)
    assert "张三" in release.histories, "what is not broken is kept"


@pytest.mark.parametrize(
    ("change", "place", "found", "expected"),
    [
        ({"round_kind": "turn"}, "$.round_kind", "'turn'", "'exchange' or 'utterance'"),
        ({"histories": "a.json"}, "$.histories", "'a.json'", "a list"),
        ({"tasks": [{"task": "x"}]}, "$.tasks[0].title", "nothing", "a value; the key is required"),
        ({"files": {"a": "b"}}, "$.files.a", "'b'", "text of the form ^[0-9a-f]{64}$"),
        ({"schema_version": 2}, "$.schema_version", "int 2", "version 1"),
        ({"schema_version": None}, "$.schema_version", "null", "version 1"),
    ],
)
def test_a_release_json_that_cannot_be_used_says_why(
    folder: Path, change: Mapping[str, Any], place: str, found: str, expected: str
) -> None:
    edit(folder / "release.json", lambda data: data.update(change))
    assert NativeReader().recognises(Source(folder))
    with pytest.raises(ReadError) as caught:
        read(folder)
    assert caught.value.file == folder / "release.json"
    assert (caught.value.place, caught.value.found) == (place, found)
    assert caught.value.expected == expected


def test_a_truncated_release_json_is_still_known_as_ours(folder: Path) -> None:
    path = folder / "release.json"
    path.write_bytes(path.read_bytes()[:-20])
    assert NativeReader().recognises(Source(folder))
    with pytest.raises(ReadError, match=r"release\.json: line \d+ column \d+"):
        read(folder)


def test_folders_of_other_formats_are_not_recognised(tmp_path: Path) -> None:
    assert not NativeReader().recognises(Source(tmp_path))
    for content in ('{"kind": "something else"}', "[]", '"mnemoscope-release"', "{"):
        (tmp_path / "release.json").write_text(content)
        assert not NativeReader().recognises(Source(tmp_path))


def test_a_history_that_cannot_be_read_leaves_the_others(folder: Path) -> None:
    (folder / "histories" / "conv-26.json").write_text('{"id": "conv-26", ')
    release = read(folder)
    assert list(release.histories) == ["张三"]
    found = [(one.code, one.file, one.path) for one in release.defects]
    assert ("unreadable_file", "histories/conv-26.json", "line 1 column 19") in found
    assert ("history_absent", "questions.jsonl", "$[0].history_id") in found


def test_a_link_that_leads_to_itself_is_a_defect(folder: Path) -> None:
    file = folder / "histories" / "conv-26.json"
    file.unlink()
    file.symlink_to(file.name)
    (defect, *_) = read(folder).defects
    assert (defect.code, defect.file) == ("unreadable_file", "histories/conv-26.json")
    with pytest.raises(InputError, match=r"conv-26\.json: "):
        write_release(read(folder), file)


def test_a_release_none_of_whose_histories_can_be_read_is_refused(folder: Path) -> None:
    shutil.rmtree(folder / "histories")
    with pytest.raises(ReadError, match=r"conv-26\.json: .*no such file"):
        read(folder)


def test_a_broken_question_line_leaves_the_others(folder: Path) -> None:
    path = folder / "questions.jsonl"
    good = path.read_text("utf-8")
    path.write_text(f"{good[:50]}\n{good}\n[]\n\n{good}", "utf-8")
    release = read(folder)
    assert list(release.questions) == ["conv-26/0"]
    found = [(one.code, one.path) for one in release.defects if one.severity is Severity.ERROR]
    assert [code for code, _ in found] == ["broken_line", "wrong_type", "duplicate_key"]
    assert found[0][1].startswith("line 1 column ")
    assert [place for _, place in found[1:]] == ["$[3]", "$[5].key"]


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"clues": [{"round_id": "D9:9"}]}, "clue_unknown_id", "$[0].clues[0]"),
        ({"clues": [{"session_id": "S9"}]}, "clue_unknown_id", "$[0].clues[0]"),
        ({"clues": [{"problem": "malformed"}]}, "clue_malformed", "$[0].clues[0]"),
        ({"gold": {"kind": "option", "option": "C"}}, "gold_not_an_option", "$[0].gold.option"),
        ({"task": "riddle"}, "unknown_task", "$[0].task"),
        ({"setting": "vague"}, "unknown_setting", "$[0].setting"),
        ({"visible_until": "D9:9"}, "unknown_visible_until", "$[0].visible_until"),
    ],
)
def test_a_pointer_that_leads_nowhere_is_reported_and_the_question_kept(
    folder: Path, change: dict[str, Any], code: str, place: str
) -> None:
    if "clues" in change:
        clue = {"written": "D9:9", "target": "round", "id": "D9:9"}
        change = {"clues": [{**clue, **change["clues"][0]}]}
    edit(folder / "questions.jsonl", lambda data: data.update(change))
    release = read(folder)
    found = [(one.code, one.path) for one in release.defects if one.code != "checksum_differs"]
    assert found == [(code, place)]
    (question,) = release.questions.values()
    assert all(not clue.resolved for clue in question.clues if code.startswith("clue_"))


def test_repeated_ids_are_errors(folder: Path) -> None:
    def repeat(data: Any) -> None:
        data["sessions"] += data["sessions"]

    edit(folder / "histories" / "conv-26.json", repeat)
    edit(folder / "release.json", lambda data: data["histories"].append(data["histories"][0]))
    found = codes(read(folder), Severity.ERROR)
    assert found == [
        "duplicate_session_id",
        "duplicate_round_id",
        "duplicate_round_id",
        "duplicate_history",
    ]


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_damaged_file_is_a_defect_or_a_plain_error_and_never_a_crash(
    data: st.DataObject,
) -> None:
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, "release")
        shown = attachment(state=AttachmentState.PRESENT, file=str(media_files()[0]))
        write_release(small_release(shown), folder)
        path = data.draw(st.sampled_from(sorted(folder.rglob("*.json*"))))
        path.write_bytes(data.draw(damage(path.read_bytes())))
        if NativeReader().recognises(Source(folder)):
            with contextlib.suppress(InputError):
                release = read(folder)
                assert all(one.line() for one in release.defects)
                assert set(release.questions_by_history) == set(release.histories)


def test_a_question_without_an_index_takes_its_place_among_the_lines(folder: Path) -> None:
    line = json.loads((folder / "questions.jsonl").read_text("utf-8"))
    assert "index" not in line
    lines = [{**line, "key": f"k{i}", **({"index": 7} if i == 1 else {})} for i in range(3)]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert [one.index for one in read(folder).questions.values()] == [0, 7, 2]


# Schemas, documents, imports


def test_the_schemas_in_the_documents_are_those_of_the_models(tmp_path: Path) -> None:
    write_schemas(tmp_path)
    stored = ROOT / "docs" / "schemas"
    assert {path.name for path in stored.iterdir()} == {path.name for path in tmp_path.iterdir()}
    for path in tmp_path.iterdir():
        assert (stored / path.name).read_bytes() == path.read_bytes(), (
            f"{path.name}: run python -m mnemoscope.core.schemas docs/schemas"
        )


def test_every_key_of_the_schemas_is_described() -> None:
    for name, schema in schemas().items():
        for part in (schema, *schema.get("$defs", {}).values()):
            assert part["description"], name
            for key, value in part.get("properties", {}).items():
                assert value.get("description"), (name, part["title"], key)


def test_the_examples_in_the_documents_can_be_read(tmp_path: Path) -> None:
    for name, text in documented("release/").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    release = read(tmp_path)
    assert release.defects == ()
    assert len(release.questions) == 1
    assert release.evaluator.histories


def documented(folder: str) -> dict[str, str]:
    """The files shown in docs/formats.md below a folder: a path in bold, then its content."""
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    found = re.findall(r"\*\*`([^`]+)`\*\*[^\n]*\n+```json\n(.*?)```", text, re.DOTALL)
    return {name.removeprefix(folder): body for name, body in found if name.startswith(folder)}


def test_looking_at_foreign_folders_does_not_import_pydantic(tmp_path: Path) -> None:
    (tmp_path / "release.json").write_text('{"kind": "other"}')
    (tmp_path / "manifest.json").write_text("{}")
    code = f"""
import sys
from pathlib import Path
from mnemoscope.core.releases.native.reader import MediaMode, NativeReader, write_release
from mnemoscope.core.runs.native.reader import NativeRuns
from mnemoscope.core.sources import Source
source = Source(Path({str(tmp_path)!r}))
assert not NativeReader().recognises(source)
assert all(NativeRuns().read_file(file) is None for file in source.files)
assert not [name for name in sys.modules if name.partition('.')[0] == 'pydantic']
"""
    subprocess.run([sys.executable, "-P", "-c", code], check=True)
