import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.conversion import NotKept, convert_release, convert_runs
from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.model import AttachmentState, EvaluatorData, Release, Run, SourceRef
from mnemoscope.core.releases.native import writer
from mnemoscope.core.releases.native.reader import MediaMode
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.registry import open_runs
from tests.cli_data import Mnemoscope, write_all
from tests.locomo_data import conversation, mempalace_rows, write
from tests.model_strategies import comparable, releases, runs
from tests.test_native_release import attachment, small_release

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"


@cache
def media_files() -> Sequence[Path]:
    folder = Path(tempfile.mkdtemp(prefix="mnemoscope-media-"))
    for name in ("a.png", "b.wav"):
        (folder / name).write_bytes(name.encode())
    return [folder / name for name in ("a.png", "b.wav")]


@pytest.fixture(scope="module", autouse=True)
def _no_media_left() -> Iterator[None]:
    yield
    if media_files.cache_info().currsize:
        shutil.rmtree(media_files()[0].parent)
        media_files.cache_clear()


def pictured() -> Release:
    return small_release(attachment(state=AttachmentState.PRESENT, file=str(media_files()[0])))


# Round trips


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_converted_release_is_found_equal_to_its_source(data: st.DataObject) -> None:
    release = data.draw(releases(media_files()))
    with tempfile.TemporaryDirectory() as parent:
        done = convert_release(release, Path(parent, "out"))
        assert done.differences == ()
        assert comparable(open_release(Path(parent, "out"))) == comparable(release)


@settings(max_examples=30, deadline=None)
@given(st.lists(runs, min_size=1, max_size=3))
def test_converted_runs_are_found_equal_to_their_sources(made: list[Run]) -> None:
    with tempfile.TemporaryDirectory() as parent:
        done = convert_runs(made, Path(parent, "out"))
        # A run without a name is called by its folder when it is read.
        assert {one.what.split(".")[-1] for one in done.differences} <= {"name"}
        found = open_runs(Path(parent, "out")).runs
        assert len(found) == len(made)
        assert sorted(len(one.records) for one in found) == sorted(len(m.records) for m in made)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_whatever_differs_is_said_to_differ(data: st.DataObject) -> None:
    """The comparison of a conversion sees what the comparison of the tests sees."""
    one, other = data.draw(releases()), data.draw(releases())
    with tempfile.TemporaryDirectory() as parent:
        from mnemoscope.core import conversion

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conversion, "open_release", lambda *_, **__: other)
            done = convert_release(one, Path(parent, "out"))
    assert (done.differences == ()) == (comparable(one) == comparable(other))


def test_what_json_cannot_say_is_listed_with_its_place(tmp_path: Path) -> None:
    data = {"weight": float("inf"), "unknown": float("nan")}
    release = replace(small_release(), evaluator=EvaluatorData(histories={"conv-26": data}))
    done = convert_release(release, tmp_path / "out")
    (what,) = done.differences
    assert what.what == "evaluator.histories[*][*]"
    assert what.n == 2
    assert what.example == "evaluator.histories['conv-26']['weight']"
    assert (what.source, what.native) == ("float inf", "'Infinity'")


def _real_releases() -> Iterator[Release]:
    """Every folder of public data that is a release, or else every file in it that is one."""
    for folder in sorted(DATA.iterdir()) if DATA.is_dir() else ():
        if not folder.is_dir() or folder.name.endswith("-runs"):
            continue
        try:
            yield open_release(folder)
        except InputError:
            for file in sorted(folder.rglob("*.json*")):
                with contextlib.suppress(InputError):
                    yield open_release(file)


def test_every_real_release_reads_back_equal(tmp_path: Path) -> None:
    formats = set()
    for number, release in enumerate(_real_releases()):
        done = convert_release(release, tmp_path / f"{number}")
        assert done.differences == (), release.root
        formats.add(release.format)
    if not formats:
        pytest.skip("the public releases are not here")
    assert "locomo" in formats


def test_every_real_run_reads_back_equal(tmp_path: Path) -> None:
    if not DATA.is_dir():
        pytest.skip("the public runs are not here")
    folders = sorted(DATA.glob("*-runs"))
    for number, path in enumerate(folders):
        done = convert_runs(open_runs(path).runs, tmp_path / f"{number}")
        assert done.differences == (), path
        assert done.counts["records"], path
    assert DATA / "locomo-runs" in folders


def test_a_joined_real_run_joins_by_key_alone(tmp_path: Path) -> None:
    if not (DATA / "locomo-runs" / "zep").is_dir():
        pytest.skip("the public runs are not here")
    release = open_release(DATA / "locomo" / "locomo10.json")
    opened = open_runs(DATA / "locomo-runs" / "zep")
    done = convert_runs(opened.runs, tmp_path / "out", release=release)
    assert done.differences == ()
    assert done.counts == {"runs": 1, "records": 1540, "with_key": 1540}


# Media


def test_a_run_of_ours_keeps_its_manifest(tmp_path: Path) -> None:
    said = {
        **{"kind": "mnemoscope-run", "schema_version": 1, "name": "first", "tool_version": "0.0.9"},
        "git": {"commit": "370a6d7", "dirty": True},
        "platform": "Linux x86_64 Python 3.11.7",
        "argv": ["mnemoscope", "run", "plan.toml"],
        "release": {"name": "small", "files": {"release.json": "0" * 64}},
        "questions": ["conv-26/0"],
        "system": {"id": "bm25", "profile": "default", "parameters": {"k": 1}, "config_hash": "9c"},
        "backbone": {"id": "embedded", "parameters": {"temperature": 0}},
        "prompts": {"answer": "1" * 64},
        "judges": [{"id": "gpt-x", "prompt_hash": "2" * 64}],
        "tokenizer": {"name": "cl100k_base"},
        "seeds": [42],
        "budgets": {"tokens": 100.0},
        "parameters": {"note": "by hand"},
        "started_at": "2026-05-09T10:00:00+00:00",
        "ended_at": "2026-05-09T10:00:07+00:00",
        "counts": {"ok": 1},
        "extra": {"room": "cold"},
    }
    folder = tmp_path / "run"
    for name in ("states", "verdicts", "tags"):
        (folder / name).mkdir(parents=True)
        (folder / name / "gpt-x.jsonl").write_text("")
    (folder / "events.jsonl").write_text("")
    (folder / "manifest.json").write_text(json.dumps(said))
    (folder / "records.jsonl").write_text('{"key": "conv-26/0", "status": "ok", "answer": "A"}\n')

    done = convert_runs(open_runs(folder).runs, tmp_path / "out")
    assert done.differences == ()
    assert json.loads((tmp_path / "out" / "manifest.json").read_text()) == said
    # What stands beside the records is not part of it, and is named with the number of files.
    beside = {one.what.partition(" ")[0]: one.n for one in done.not_kept[:-1]}
    assert beside == {"events.jsonl": 1, "states": 1, "tags": 1}
    # Only the release it is joined to is told anew.
    release = small_release()
    convert_runs(open_runs(folder).runs, tmp_path / "joined", release=release)
    joined = json.loads((tmp_path / "joined" / "manifest.json").read_text())
    assert joined == {**said, "release": {"name": release.name}}


def test_a_run_is_converted_with_its_repairs(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    rows = mempalace_rows()
    for row in rows:
        row["retrieved_ids"] = ["D1:D1:1"]
    release = write(tmp_path / "locomo.json", [conversation()])
    results = write(tmp_path / "mempalace" / "results.json", rows)
    command = ("convert", results, "--out", tmp_path / "out", "--repair", "doubled-prefix")
    code, _, err = mnemoscope(*command)
    assert (code, "--repair needs --release" in err) == (2, True)
    code, out, err = mnemoscope(*command, "--release", release)
    assert (code, "it equals the source" in out) == (0, True)
    (run,) = open_runs(tmp_path / "out").runs
    sources = [one for record in run.records for one in record.retrieval.items[0].sources]
    assert SourceRef(round_id="D1:1") in sources
    assert any("repaired on request (doubled-prefix)" in note for note in run.notes)


def test_media_can_be_linked_instead_of_copied(tmp_path: Path) -> None:
    done = convert_release(pictured(), tmp_path / "out", media=MediaMode.LINK)
    assert done.differences == ()
    (stored,) = (tmp_path / "out" / "media").iterdir()
    assert stored.stat().st_ino == media_files()[0].stat().st_ino


def test_a_link_across_disks_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def across(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(Path, "hardlink_to", across)
    with pytest.raises(InputError, match=r"cannot be linked.*cross-device") as caught:
        convert_release(pictured(), tmp_path / "out", media=MediaMode.LINK)
    assert "copy instead" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_media_left_out_are_counted_and_are_no_difference(tmp_path: Path) -> None:
    done = convert_release(pictured(), tmp_path / "out", media=MediaMode.NONE)
    assert done.differences == ()
    assert done.not_kept[0] == NotKept("media files, found again with --media-root", 1)
    assert not (tmp_path / "out" / "media").exists()


# Folders


@pytest.mark.parametrize("kind", ["release", "run"])
def test_an_occupied_folder_is_left_alone(tmp_path: Path, kind: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="nothing is overwritten"):
        if kind == "release":
            convert_release(small_release(), tmp_path / "out")
        else:
            convert_runs([Run("r", "zep", tmp_path, (), ())] * 2, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_conversion_that_fails_half_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writer._Writing, "_questions", full)
    with pytest.raises(InputError, match="No space left"):
        convert_release(pictured(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_names_of_runs_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    bad = [Run("../../up", "zep", tmp_path, (), ()), Run("../../up", "zep", tmp_path, (), ())]
    done = convert_runs(bad, tmp_path / "deep" / "out")
    assert done.folders == ("up", "up-2")
    written = [one.name for one in (tmp_path / "deep" / "out").iterdir()]
    assert sorted(written) == ["up", "up-2"]
    assert [one.name for one in tmp_path.iterdir()] == ["deep"]


# The verb


def converted(mnemoscope: Mnemoscope, *arguments: object) -> Any:
    code, out, _ = mnemoscope("convert", *arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_the_verb_converts_a_release_and_its_figures_stay(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    cue, runs_folder = write_all(tmp_path)
    release, runs_out = tmp_path / "r", tmp_path / "s"
    found = converted(mnemoscope, cue, "--out", release)
    assert (found["kind"], found["equal"], found["differences"]) == ("release", True, [])
    found = converted(mnemoscope, runs_folder, "--out", runs_out, "--release", release)
    assert found["counts"]["with_key"] == found["counts"]["records"]
    before = json.loads(mnemoscope("score", cue, runs_folder, "--json")[1])
    after = json.loads(mnemoscope("score", release, runs_out, "--json")[1])
    figures = [
        sorted((one["system"], one["correct"], one["n"]) for one in of["runs"])
        for of in (before, after)
    ]
    assert figures[0] == figures[1]


def test_the_verb_says_what_is_not_kept_on_stderr(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    cue, _ = write_all(tmp_path)
    code, out, err = mnemoscope("convert", cue, "--out", tmp_path / "out", "--media", "none")
    assert code == 0
    assert "read again, it equals the source" in out
    assert "not kept: media files, found again with --media-root (2)" in err
    assert "not kept: keys of the source files that no field of the model holds" in err


def test_the_verb_says_what_differs_on_stderr(
    tmp_path: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemoscope.core import conversion

    cue, _ = write_all(tmp_path)
    other = replace(open_release(cue), name="other")
    monkeypatch.setattr(conversion, "open_release", lambda *_, **__: other)
    _, out, err = mnemoscope("convert", cue, "--out", tmp_path / "out")
    assert "read again, 1 things differ from the source" in out
    assert "differs: name (1), such as name: 'cue' in the source, 'other' in the native" in err


def test_the_verb_refuses_flags_that_are_about_something_else(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    cue, runs_folder = write_all(tmp_path)
    out = tmp_path / "out"
    code, _, err = mnemoscope("convert", runs_folder, "--out", out, "--media", "copy")
    assert (code, "no media files" in err) == (2, True)
    code, _, err = mnemoscope("convert", cue, "--out", out, "--release", cue)
    assert (code, "is a release (cue-mem), expected run output" in err) == (2, True)
    code, _, err = mnemoscope("convert", cue, "--out", runs_folder)
    assert (code, "nothing is overwritten" in err) == (2, True)
    assert not out.exists()
