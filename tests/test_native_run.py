import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.choices import RULE_NAMES
from mnemoscope.core.defects import Severity
from mnemoscope.core.errors import InputError, ReadError, UsageError
from mnemoscope.core.line_file import is_being_written
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    RecordStatus,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    Run,
    SourceRef,
    Textualisation,
    Value,
    Verdict,
)
from mnemoscope.core.releases.native.reader import NativeReader, write_release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.native.reader import NativeRuns, read_context
from mnemoscope.core.runs.native.schema import Manifest, ReleaseForm, SystemForm
from mnemoscope.core.runs.native.store import RunStore, canonical_bytes, release_form, write_run
from mnemoscope.core.runs.part import assemble
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.sources import Source, SourceFile
from tests.model_strategies import comparable, damage, records, runs
from tests.test_native_release import documented, edit, small_release


def read_all(path: Path) -> list[Run]:
    """Every native run below a path, as the registry of readers would put them together."""
    reader = NativeRuns()
    source = Source(path)
    parts = []
    for file in source.files:
        parts += [(file.name, part) for part in reader.read_file(file) or ()]
    return assemble(parts, source.root)


def read(path: Path) -> Run:
    (run,) = read_all(path)
    return run


def manifest(**changes: Any) -> Manifest:
    plain = {"kind": "mnemoscope-run", "schema_version": 1, "name": "first", **changes}
    return Manifest.model_validate(plain)


def record(key: str = "conv-26/0", **changes: Any) -> Record:
    plain = Record(
        ref=QuestionRef(history=key.partition("/")[0], question=key, key=key),
        status=RecordStatus.OK,
        answer="A",
        file="records.jsonl",
        place="$[0]",
        retrieval=Retrieval(
            RetrievalState.IDS, "round", (RetrievedItem(1, (SourceRef("S1", "D1:1"),), 0.5),)
        ),
        usage={"tokens": 10.0, "answer_seconds": 0.25},
    )
    return replace(plain, **changes)


def keys_of(run: Run) -> list[tuple[str, int]]:
    return [(one.ref.key, one.repeat) for one in run.records]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished run of three records."""
    with RunStore.create(tmp_path / "run", manifest(), durable=False) as store:
        for index in range(3):
            store.append(record(f"conv-26/{index}"))
        store.finish(datetime(2026, 1, 31, tzinfo=UTC))
    return tmp_path / "run"


# Round trips


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_converted_run_read_back_equals_the_run(data: st.DataObject) -> None:
    run = data.draw(runs)
    joined = st.none() | st.sampled_from(["p0/entity/1", "张三/\ud83d", "no slash"])
    keys = [data.draw(joined) for _ in run.records]
    # Two records of one question and repeat never both join: see core/runs/join.py.
    rows = [(key, one.repeat) for key, one in zip(keys, run.records, strict=True) if key]
    if len(rows) > len(set(rows)):
        keys[-1] = None
    with tempfile.TemporaryDirectory() as parent:
        write_run(run, keys, Path(parent, "out"))
        again = read(Path(parent, "out"))
        expected = replace(
            run,
            records=tuple(
                replace(one, ref=replace(one.ref, key=key or ""))
                for one, key in zip(run.records, keys, strict=True)
            ),
        )
        assert comparable(again) == comparable(expected)
        assert again.defects == ()


@settings(max_examples=40, deadline=None)
@given(st.lists(records, max_size=3))
def test_records_appended_one_by_one_are_read_back(made: list[Record]) -> None:
    made = [
        replace(one, ref=QuestionRef(history="h", question=f"h/{i}", key=f"h/{i}"))
        for i, one in enumerate(made)
    ]
    with tempfile.TemporaryDirectory() as parent:
        with RunStore.create(Path(parent, "run"), manifest(), durable=False) as store:
            for one in made:
                store.append(one)
        assert comparable(list(read(Path(parent, "run")).records)) == comparable(made)


def test_a_run_converted_twice_has_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for source, out in ((folder, "a"), (tmp_path / "a", "b")):
        run = read(source)
        write_run(run, [one.ref.key for one in run.records], tmp_path / out)
    assert (tmp_path / "a" / "records.jsonl").read_bytes() == (
        folder / "records.jsonl"
    ).read_bytes()
    for name in ("records.jsonl", "manifest.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_records_join_to_their_questions_by_key(tmp_path: Path) -> None:
    release = small_release()
    with RunStore.create(tmp_path / "run", manifest()) as store:
        store.append(record("conv-26/0"))
        store.append(record("conv-26/99"))
    report = join(release, read(tmp_path / "run"))
    assert report.keys == ("conv-26/0", None)
    assert report.without_record == ()


def test_a_row_that_joins_to_nothing_keeps_what_it_says_about_its_question(tmp_path: Path) -> None:
    ref = QuestionRef(history="7", question="x", text="Who?", gold="nobody")
    run = Run("r", "cue-mem-rq1", tmp_path, (), (record(ref=ref),))
    write_run(run, [None], tmp_path / "out")
    assert read(tmp_path / "out").records[0].ref == ref


def test_a_tree_of_runs_is_read_as_separate_runs(folder: Path) -> None:
    shutil.copytree(folder, folder.parent / "deep" / "other")
    edit(folder.parent / "deep" / "other" / "manifest.json", lambda data: data.pop("name"))
    found = {run.name: run for run in read_all(folder.parent)}
    assert set(found) == {"first", "other"}
    assert found["other"].records[0].file == "deep/other/records.jsonl"


def test_the_identity_comes_from_the_manifest(tmp_path: Path) -> None:
    found = manifest(
        system={"id": "bm25", "profile": "small", "parameters": {"k": 3}},
        backbone={"id": "m", "parameters": {"temperature": 0}},
        textualisation={"image": "brief"},
        rule="rq1",
        used_depth=3,
        seeds=[42],
        parameters={"note": "x"},
        git={"commit": "abc", "dirty": True},
        argv=["mnemoscope", "run"],
    )
    with RunStore.create(tmp_path / "run", found) as store:
        store.append(record())
    run = read(tmp_path / "run")
    assert (run.system, run.backbone, run.rule, run.used_depth) == ("bm25", "m", "rq1", 3)
    assert run.textualisation == Textualisation("brief", "none")
    assert run.files == ("manifest.json", "records.jsonl")
    assert run.parameters == {
        "git": {"commit": "abc", "dirty": True},
        "seeds": [42],
        "system.profile": "small",
        "system.parameters": {"k": 3},
        "backbone.parameters": {"temperature": 0},
        "note": "x",
    }


def test_the_release_is_named_with_the_hashes_of_its_files(tmp_path: Path) -> None:
    write_release(small_release(), tmp_path / "release")
    release = NativeReader().read(Source(tmp_path / "release"), ReadOptions())
    form = release_form(release)
    content = (tmp_path / "release" / "questions.jsonl").read_bytes()
    assert form.files["questions.jsonl"] == hashlib.sha256(content).hexdigest()
    assert set(form.files) == set(release.files)
    write_run(Run("r", "x", tmp_path, (), (record(),)), [None], tmp_path / "out", release=release)
    stored = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert stored["release"] == {"name": "small", "files": form.files}


# Contexts


def test_a_context_is_stored_once_and_read_back(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", manifest()) as store:
        for index, context in enumerate(["long ago 张三 \ud83d", "long ago 张三 \ud83d", None]):
            store.append(record(f"h/{index}"), context=context)
    run = read(tmp_path)
    assert len(list((tmp_path / "run" / "blobs").iterdir())) == 1
    found = [read_context(run.root, one) for one in run.records]
    assert found == ["long ago 张三 \ud83d", "long ago 张三 \ud83d", None]
    write_run(run, [None] * 3, tmp_path / "again")
    again = read(tmp_path / "again")
    assert [read_context(again.root, one) for one in again.records] == found


def test_the_contexts_of_a_foreign_run_are_taken_along(tmp_path: Path) -> None:
    (tmp_path / "foreign.json").write_text('[{"sent": "text"}, {"sent": [1, "张"]}]')
    (tmp_path / "lines.jsonl").write_text('{"sent": "line"}\n')
    places = [("foreign.json", "$[0].sent"), ("foreign.json", "$[1].sent")]
    places += [("lines.jsonl", "$[0].sent")]
    made = tuple(
        replace(record(f"h/{i}"), file=file, context_place=place)
        for i, (file, place) in enumerate(places)
    )
    run = Run("r", "x", tmp_path, (), made)
    write_run(run, [None] * 3, tmp_path / "out")
    again = read(tmp_path / "out")
    assert [read_context(again.root, one) for one in again.records] == ["text", '[1, "张"]', "line"]


def test_blank_and_broken_lines_do_not_shift_the_contexts_of_a_foreign_run(tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_text('\n{"sent": "one"}\n{"sent": \n\n{"sent": "two"}\n{"se')
    made = tuple(
        record(f"h/{place}", file="lines.jsonl", context_place=f"$[{place}].sent")
        for place in (1, 4)
    )
    write_run(Run("r", "x", tmp_path, (), made), [None] * 2, tmp_path / "out")
    again = read(tmp_path / "out")
    assert [read_context(again.root, one) for one in again.records] == ["one", "two"]


def test_a_context_that_is_gone_stops_the_conversion(tmp_path: Path) -> None:
    (tmp_path / "foreign.json").write_text("[]")
    one = replace(record(), file="foreign.json", context_place="$[0].sent")
    with pytest.raises(InputError, match=r"foreign\.json: \$\[0\]\.sent: no context there"):
        write_run(Run("r", "x", tmp_path, (), (one,)), [None], tmp_path / "out")
    assert not (tmp_path / "out").exists()


# Torn and broken lines


def test_a_line_torn_at_any_byte_costs_only_itself(folder: Path) -> None:
    path = folder / "records.jsonl"
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    edit(folder / "manifest.json", lambda data: data.pop("counts"))
    for end in range(last, len(whole)):
        path.write_bytes(whole[:end])
        run = read(folder)
        complete = end == len(whole) - 1
        assert len(run.records) == (3 if complete else 2)
        warned = [] if complete or end == last else [(Severity.WARNING, "torn_line", "line 3")]
        assert [(one.severity, one.code, one.path) for one in run.defects] == warned


def test_a_run_torn_at_any_byte_can_be_resumed(folder: Path) -> None:
    path = folder / "records.jsonl"
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for end in range(last, len(whole) + 1, 7):
        path.write_bytes(whole[:end])
        (folder / "records.torn").unlink(missing_ok=True)
        with RunStore.resume(folder, manifest(), durable=False) as store:
            lost = {(f"conv-26/{i}", 0) for i in range(3)} - store.finished_keys()
            for key, _ in lost:
                store.append(record(key))
        assert path.read_bytes() == whole
        if lost and end > last:
            assert (folder / "records.torn").read_bytes() == whole[last:end] + b"\n"


def test_a_complete_line_without_its_newline_is_kept_on_resume(folder: Path) -> None:
    path = folder / "records.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with RunStore.resume(folder) as store:
        assert len(store.finished_keys()) == 3
    assert path.read_bytes() == whole
    assert not (folder / "records.torn").exists()


def test_a_broken_line_in_the_middle_is_an_error_and_the_rest_is_kept(folder: Path) -> None:
    path = folder / "records.jsonl"
    lines = path.read_text().split("\n")
    path.write_text("\n".join([lines[0], lines[1][:40], "", "\x00\x00", lines[2], ""]))
    run = read(folder)
    assert keys_of(run) == [("conv-26/0", 0), ("conv-26/2", 0)]
    errors = [one for one in run.defects if one.severity is Severity.ERROR]
    assert [one.code for one in errors] == ["broken_line", "broken_line"]
    assert errors[0].path.startswith("line 2 column ")
    assert run.records[1].place == "$[4]"
    with RunStore.resume(folder) as store:
        assert store.finished_keys() == {("conv-26/0", 0), ("conv-26/2", 0)}


def item(data: Any) -> Any:
    return data["retrieval"]["items"][0]


@pytest.mark.parametrize(
    ("change", "place", "found", "expected"),
    [
        (lambda d: d.pop("status"), "$[0].status", "nothing", "a value; the key is required"),
        (lambda d: d.update(repeat="1"), "$[0].repeat", "'1'", "an integer"),
        (lambda d: d.update(cited="S1"), "$[0].cited", "'S1'", "a list"),
        (lambda d: d.update(usage={"t": None}), "$[0].usage.t", "null", "a number"),
        (lambda d: d.update(usage={"t": "many"}), "$[0].usage.t", "'many'", "a number"),
        (lambda d: d.update(context="../x"), "$[0].context", "'../x'", None),
        (lambda d: d.update(anwser="A"), "$[0].anwser", "'A'", None),
        (lambda d: d.pop("key"), "$[0]", "an object with 4 keys", "a key or a ref"),
        (lambda d: item(d).update(score=True), None, "true", "a number"),
        (
            lambda d: item(d)["sources"].append(3),
            "$[0].retrieval.items[0].sources[1]",
            "int 3",
            "an object",
        ),
        (
            lambda d: d.update(verdicts=[{"judge": "x", "value": "maybe"}]),
            "$[0].verdicts[0].value",
            "'maybe'",
            "'right', 'wrong', 'not_judged', 'judge_failed' or 'no_gold'",
        ),
    ],
)
def test_a_wrong_value_in_a_record_is_named(
    folder: Path,
    change: Callable[[Any], object],
    place: str | None,
    found: str,
    expected: str | None,
) -> None:
    edit(folder / "records.jsonl", change)
    run = read(folder)
    assert len(run.records) == 2
    defect = run.defects[0]
    assert (defect.severity, defect.file) == (Severity.ERROR, "records.jsonl")
    assert defect.path == (place or "$[0].retrieval.items[0].score")
    assert defect.found == found
    assert defect.expected == (expected or defect.expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"system": "bm25"}, r"\$\.system: found 'bm25', expected an object"),
        ({"seeds": [1, "2"]}, r"\$\.seeds\[1\]: found '2', expected an integer"),
        ({"schema_version": 2}, r"\$\.schema_version: found int 2, expected version 1"),
        ({"started_at": 5}, r"\$\.started_at: found int 5, expected a date and time"),
        ({"counts": {"fine": 1}}, r"\$\.counts\.fine.*found 'fine', expected 'ok', "),
        ({"rule": "mine"}, r"\$\.rule: found 'mine', expected 'stored', 'rq1', 'rq3', 'open', "),
    ],
)
def test_a_manifest_that_cannot_be_used_says_why(
    folder: Path, change: dict[str, Any], message: str
) -> None:
    edit(folder / "manifest.json", lambda data: data.update(change))
    with pytest.raises(ReadError, match=message) as caught:
        read(folder)
    assert caught.value.file == folder / "manifest.json"
    with pytest.raises(ReadError, match=message):
        RunStore.resume(folder)


def test_every_rule_that_decides_can_stand_in_a_manifest(folder: Path) -> None:
    for rule in RULE_NAMES:
        edit(folder / "manifest.json", partial(dict.update, rule=rule))
        assert read(folder).rule == rule


def test_a_manifest_that_cannot_be_used_is_one_defect_however_many_files_are_beside_it(
    folder: Path,
) -> None:
    shutil.copytree(folder, folder.parent / "second")
    edit(folder / "manifest.json", lambda data: data.update(rule="mine"))
    opened = open_runs(folder.parent)
    assert [run.files[0] for run in opened.runs] == ["second/manifest.json"]
    (defect,) = opened.defects
    assert (defect.file, defect.path) == (f"{folder.name}/manifest.json", "$.rule")
    assert (defect.found, defect.code) == ("'mine'", "unreadable_file")


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_damaged_file_is_a_defect_or_a_plain_error_and_never_a_crash(
    data: st.DataObject,
) -> None:
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, "run")
        with RunStore.create(folder, manifest(system={"id": "x"}), durable=False) as store:
            store.append(record("h/0", verdicts=(Verdict("a", Value.RIGHT),)))
            store.append(record("h/1"))
            store.write_verdicts("me", [("h/1", 0, Verdict("me", Value.WRONG))])
            store.finish()
        path = data.draw(st.sampled_from(sorted(folder.rglob("*.json*"))))
        path.write_bytes(data.draw(damage(path.read_bytes())))
        with contextlib.suppress(InputError):
            for run in read_all(folder):
                assert all(one.line() for one in run.defects)
        with contextlib.suppress(InputError), RunStore.resume(folder, durable=False) as store:
            assert len(store.finished_keys()) <= 3
            assert isinstance(canonical_bytes(folder), bytes)


def test_records_lost_since_the_end_are_noticed(folder: Path) -> None:
    path = folder / "records.jsonl"
    path.write_bytes(path.read_bytes()[: path.read_bytes().find(b"\n") + 1])
    (defect,) = read(folder).defects
    assert (defect.code, defect.found) == ("counts_differ", "1 ok")
    assert defect.expected == "3 ok (manifest.json)"


def test_files_of_other_kinds_are_left_to_other_readers(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"kind": "something else"}')
    (tmp_path / "records.jsonl").write_text("{}\n")
    (tmp_path / "rq1.json").write_text("[]")
    reader = NativeRuns()
    for name in ("manifest.json", "records.jsonl", "rq1.json"):
        assert reader.read_file(SourceFile(tmp_path / name, tmp_path)) is None
    (tmp_path / "manifest.json").write_text("{")
    assert NativeRuns().read_file(SourceFile(tmp_path / "records.jsonl", tmp_path)) is None


def test_what_stands_beside_the_records_is_neither_read_nor_called_unknown(folder: Path) -> None:
    for name in ("events.jsonl", "states/h.jsonl", "tags/me.jsonl", "snapshots/ab/index.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")
        assert NativeRuns().read_file(SourceFile(folder / name, folder)) == []


# Writing


def test_a_run_is_never_written_over_something(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not empty"):
        RunStore.create(folder, manifest())
    (tmp_path / "note.txt").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match="is not empty"):
        RunStore.create(tmp_path, manifest())
    with pytest.raises(UsageError, match="is a file"):
        RunStore.create(tmp_path / "note.txt", manifest())
    with pytest.raises(UsageError, match="not empty"):
        write_run(read(folder), [None] * 3, tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_the_manifest_is_there_before_the_first_record(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", manifest(budgets={"tokens": 5})):
        stored = json.loads((tmp_path / "run" / "manifest.json").read_text())
        assert stored["budgets"] == {"tokens": 5}
        assert "ended_at" not in stored


def test_the_end_and_the_counts_are_added_to_the_manifest(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", manifest()) as store:
        store.append(record("h/0"))
        store.append(record("h/1", status=RecordStatus.ERROR))
        store.append(record("h/0", repeat=1))
        store.finish(datetime(2026, 1, 31, tzinfo=UTC))
    stored = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert stored["counts"] == {"error": 1, "ok": 2}
    assert stored["ended_at"] == "2026-01-31T00:00:00+00:00"
    assert [path.name for path in (tmp_path / "run").glob("*.part")] == []


def test_every_record_is_in_the_file_as_soon_as_it_is_appended(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", manifest()) as store:
        for count in range(1, 4):
            store.append(record(f"h/{count}"))
            assert len((tmp_path / "run" / "records.jsonl").read_bytes().splitlines()) == count


@pytest.mark.parametrize("durable", [True, False])
def test_records_are_forced_to_the_disk_one_by_one_or_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, durable: bool
) -> None:
    store = RunStore.create(tmp_path / "run", manifest(), durable=durable)
    forced: list[int] = []
    monkeypatch.setattr(os, "fsync", forced.append)
    store.append(record("h/0"))
    store.append(record("h/1"))
    assert len(forced) == (2 if durable else 0)
    store.close()
    assert len(forced) == (3 if durable else 1)


def test_records_that_are_appended_together_are_forced_to_the_disk_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RunStore.create(tmp_path / "run", manifest()) as store:
        forced: list[int] = []
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", forced.append)
            store.append_all((record(f"h/{n}"), f"context {n}", {"n": n}) for n in range(20))
        assert len(forced) == 1
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full_disk)
            with pytest.raises(InputError, match="No space left on device"):
                store.append_all((record(f"h/{n}"), None, {}) for n in range(20, 40))
        assert store.finished_keys() == {(f"h/{n}", 0) for n in range(20)}
        store.append(record("h/40"))
    run = read(tmp_path / "run")
    assert len(run.records) == 21
    assert read_context(run.root, run.records[7]) == "context 7"


def full_disk(descriptor: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_context_that_was_spoilt_is_not_taken_for_what_was_sent(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", manifest()) as store:
        store.append(record("h/0"), context="what was sent")
    (blob,) = (tmp_path / "run" / "blobs").iterdir()
    blob.write_text("what was")
    run = read(tmp_path / "run")
    with pytest.raises(InputError, match="found another text than its name says"):
        read_context(run.root, run.records[0])


def test_a_write_that_fails_half_way_is_taken_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (folder / "records.jsonl").read_bytes()
    write = os.write
    with RunStore.resume(folder) as store:
        calls = 0

        def full(descriptor: int, data: Any) -> int:
            nonlocal calls
            calls += 1
            if calls == 1:
                return write(descriptor, bytes(data[:20]))
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        with pytest.raises(InputError, match="cannot be written: No space left on device"):
            store.append(record("conv-26/9"))
        assert ("conv-26/9", 0) not in store.finished_keys()
        monkeypatch.setattr(os, "write", write)
        assert (folder / "records.jsonl").read_bytes() == before
        store.append(record("conv-26/10"))
    edit(folder / "manifest.json", lambda data: data.pop("counts"))
    assert len(read(folder).records) == 4
    assert read(folder).defects == ()


def test_a_write_that_the_system_splits_is_still_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    with RunStore.create(tmp_path / "run", manifest()) as store:
        monkeypatch.setattr(os, "write", lambda to, data: write(to, bytes(data[:10])))
        store.append(record())
    assert len(read(tmp_path / "run").records) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_folder_has_a_plain_message(folder: Path) -> None:
    folder.chmod(0o500)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        RunStore.create(folder / "inside", manifest())


@pytest.mark.parametrize("function", ["mkdir", "open"])
def test_a_read_only_file_system_has_a_plain_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    (tmp_path / "run").mkdir()

    def refuse(*args: object, **options: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path if function == "mkdir" else os, function, refuse)
    with pytest.raises(InputError, match="cannot be written: Read-only file system"):
        RunStore.create(tmp_path / "run", manifest())


# One writer, resuming

WRITER = """
import itertools, sys
from pathlib import Path
from mnemoscope.core.model import QuestionRef, Record, RecordStatus
from mnemoscope.core.runs.native.schema import Manifest
from mnemoscope.core.runs.native.store import RunStore
plan = Manifest(kind="mnemoscope-run", schema_version=1, name="first")
store = RunStore.create(Path(sys.argv[1]), plan, durable=False)
for index in itertools.count():
    key = f"h/{index}"
    store.append(Record(QuestionRef(key=key), RecordStatus.OK, "x" * 2000, "", ""))
    if index == 0:
        print("writing", flush=True)
"""


def test_a_killed_writer_leaves_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-P", "-c", WRITER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(UsageError, match=f"is being written by process {process.pid} on "):
            RunStore.resume(folder)
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
    complete = (folder / "records.jsonl").read_bytes().count(b"\n")
    assert complete >= 1
    with RunStore.resume(folder, manifest()) as store:
        assert store.finished_keys() == {(f"h/{index}", 0) for index in range(complete)}
        store.append(record(f"h/{complete}"))
    run = read(folder)
    assert len(run.records) == complete + 1
    assert run.defects == ()


def test_a_second_writer_is_refused_until_the_first_is_done(folder: Path) -> None:
    first = RunStore.resume(folder)
    with pytest.raises(UsageError, match=f"is being written by process {os.getpid()} on "):
        RunStore.resume(folder)
    first.append(record("conv-26/3"))
    first.close()
    RunStore.resume(folder).close()


def test_two_processes_cannot_create_the_same_run(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with RunStore.create(tmp_path / "run", manifest()) as store:
        with pytest.raises(UsageError):
            RunStore.create(tmp_path / "run", manifest())
        store.append(record())
    assert len(read(tmp_path / "run").records) == 1


def test_a_create_that_fails_lets_others_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, target: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refuse)
        with pytest.raises(InputError, match="Input/output error"):
            RunStore.create(tmp_path / "run", manifest())
    RunStore.create(tmp_path / "run", manifest()).close()


def test_resuming_knows_question_and_repeat(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", manifest()) as store:
        store.append(record("h/0", repeat=1))
        assert store.finished_keys() == {("h/0", 1)}
    with RunStore.resume(tmp_path / "run") as store:
        assert store.finished_keys() == {("h/0", 1)}


def test_a_record_that_is_made_again_replaces_the_earlier_one(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", manifest()) as store:
        store.append(record("h/0", status=RecordStatus.BUDGET, answer=""))
        store.append(record("h/1", status=RecordStatus.ERROR, answer="timeout"))
    with RunStore.resume(tmp_path / "run") as store:
        assert store.finished_keys() == {("h/1", 0)}
        assert store.finished_keys(retry={RecordStatus.ERROR}) == {("h/0", 0)}
        store.append(record("h/0", answer="B"))
        assert store.finish().counts == {RecordStatus.OK: 1, RecordStatus.ERROR: 1}
    run = read(tmp_path / "run")
    assert [(one.ref.key, one.answer) for one in run.records] == [("h/0", "B"), ("h/1", "timeout")]
    assert run.defects == ()
    assert run.notes == ("1 records were tried again; the last line of each counts",)


def test_a_run_of_another_plan_is_not_resumed(folder: Path) -> None:
    other = manifest(system={"id": "bm25"}, seeds=[1], budgets={"tokens": 1}, argv=["x"])
    with pytest.raises(
        UsageError, match=r"system\.id: .*, planned .bm25.; seeds: none, planned 1$"
    ):
        RunStore.resume(folder, other)
    RunStore.resume(folder, manifest(budgets={"tokens": 9})).close()


def test_another_choice_of_questions_is_counted(folder: Path) -> None:
    edit(folder / "manifest.json", lambda data: data.update(questions=["h/0", "h/1"]))
    for questions, told in [
        (None, "questions: 2, planned all$"),
        (["h/1"], "questions: 2, planned 1$"),
        (["h/1", "h/2"], "questions: 2, planned 2, 1 of them the same$"),
    ]:
        with pytest.raises(UsageError, match=told):
            RunStore.resume(folder, manifest(questions=questions))


def test_a_run_killed_before_it_has_a_manifest_can_be_begun_again(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".lock").touch()
    (tmp_path / "run" / ".manifest.json.0123abcd.part").write_text("{")
    RunStore.create(tmp_path / "run", manifest()).close()


def test_a_run_that_has_not_ended_says_how_far_it_has_come(tmp_path: Path) -> None:
    begun = datetime(2026, 1, 31, tzinfo=UTC)
    plan = manifest(questions=["h/0", "h/1"], seeds=[1, 2], started_at=begun)
    with RunStore.create(tmp_path / "run", plan) as store:
        assert read(tmp_path / "run").notes == ("still running: 0 of 4 records so far",)
        store.append(record("h/0"))
        assert read(tmp_path / "run").notes == ("still running: 1 of 4 records so far",)
    stopped = "stopped before its end: 1 of 4 records; the same command goes on from there"
    assert read(tmp_path / "run").notes == (stopped,)
    with RunStore.resume(tmp_path / "run", plan) as store:
        store.finish()
        assert read(tmp_path / "run").notes == ()
        store.restart(manifest(budgets={"tokens": 9}))
        assert read(tmp_path / "run").notes == ("still running: 1 of 4 records so far",)
        assert store.manifest.budgets == {"tokens": 9}


def test_what_else_is_known_of_a_record_and_what_was_used_is_kept(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", manifest()) as store:
        store.append(record("h/0", usage={"tokens": 2, "attempts": 3}), extra={"finish": "stop"})
        store.append(record("h/0", usage={"tokens": 2, "a_seconds": 0.5}), extra={"finish": "stop"})
    lines = (tmp_path / "run" / "records.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["extra"] == {"finish": "stop"}
    with RunStore.resume(tmp_path / "run") as store:
        assert store.usage == {"tokens": 4, "attempts": 3, "a_seconds": 0.5}
    assert b'"usage": {"tokens": 2.0}' in canonical_bytes(tmp_path / "run")


def test_looking_whether_a_run_is_being_written_does_not_keep_a_writer_out(folder: Path) -> None:
    assert not is_being_written(folder)
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            is_being_written(folder)
            time.sleep(0.001)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        for _ in range(20):
            RunStore.resume(folder).close()
    finally:
        stop.set()
        watcher.join()
    with RunStore.resume(folder):
        assert is_being_written(folder)


def test_resuming_where_there_is_no_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"manifest\.json: no such file"):
        RunStore.resume(tmp_path)


def carry_out(folder: Path, workers: int) -> None:
    """One plan, its records finished in an order that differs each time."""
    plan = [(f"h/{index}", repeat) for index in range(40) for repeat in range(2)]
    random.Random(workers).shuffle(plan)
    with RunStore.create(folder, manifest(), durable=False) as store:

        def work(row: tuple[str, int]) -> None:
            key, repeat = row
            usage = {"tokens": 3.0, "answer_seconds": random.random(), "retrieve_ms": 1 / workers}
            store.append(record(key, repeat=repeat, usage=usage), context=f"context of {key}")

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, plan))
        judged = [(key, repeat, Verdict("gpt", Value.RIGHT)) for key, repeat in plan]
        store.write_verdicts("gpt", judged)


def test_one_plan_gives_the_same_bytes_with_1_and_16_workers(tmp_path: Path) -> None:
    for workers in (1, 16):
        carry_out(tmp_path / str(workers), workers)
    one, many = (canonical_bytes(tmp_path / str(workers)) for workers in (1, 16))
    assert one == many
    assert one.count(b"\n") == 160
    assert b"tokens" in one
    assert b"seconds" not in one
    lines = [(tmp_path / str(workers) / "records.jsonl").read_bytes() for workers in (1, 16)]
    assert lines[0] != lines[1]


def test_records_that_were_made_again_do_not_change_the_canonical_bytes(tmp_path: Path) -> None:
    for name, failed in (("a", False), ("b", True)):
        with RunStore.create(tmp_path / name, manifest()) as store:
            if failed:
                store.append(record("h/0", status=RecordStatus.BUDGET))
            store.append(record("h/1"))
            store.append(record("h/0"))
    assert canonical_bytes(tmp_path / "a") == canonical_bytes(tmp_path / "b")
    other = manifest()
    with RunStore.create(tmp_path / "c", other) as store:
        store.append(record("h/0"))
        store.append(record("h/1", answer="B"))
    assert canonical_bytes(tmp_path / "a") != canonical_bytes(tmp_path / "c")


# Verdicts


def test_verdicts_stand_beside_each_other_whoever_judged(folder: Path) -> None:
    right, wrong = Verdict("rule:rq1", Value.RIGHT), Verdict("rule/rq1", Value.WRONG, "2", "why", 0)
    with RunStore.resume(folder) as store:
        first = store.write_verdicts("rule:rq1", [("conv-26/0", 0, right)])
        second = store.write_verdicts("rule/rq1", [("conv-26/0", 0, wrong)])
        third = store.write_verdicts("rule:rq1", [("conv-26/1", 0, right)])
    assert [path.name for path in (first, second, third)] == [
        "rule-rq1.jsonl",
        "rule-rq1-2.jsonl",
        "rule-rq1.jsonl",
    ]
    run = read(folder)
    by_key = {one.ref.key: one.verdicts for one in run.records}
    assert Counter(by_key["conv-26/0"]) == Counter([right, wrong])
    assert by_key["conv-26/1"] == (right,)
    assert by_key["conv-26/2"] == ()
    assert run.defects == ()
    assert "verdicts/rule-rq1.jsonl" in run.files


def test_verdicts_come_after_those_that_a_record_brought(tmp_path: Path) -> None:
    stored, later = Verdict("stored", Value.WRONG), Verdict("me", Value.RIGHT)
    with RunStore.create(tmp_path / "run", manifest()) as store:
        store.append(record(verdicts=(stored,)))
        store.write_verdicts("me", [("conv-26/0", 0, later)])
    assert read(tmp_path / "run").records[0].verdicts == (stored, later)


def test_a_verdict_is_only_written_under_its_own_judge(folder: Path) -> None:
    with RunStore.resume(folder) as store, pytest.raises(ValueError, match="'me' among those of"):
        store.write_verdicts("you", [("conv-26/0", 0, Verdict("me", Value.RIGHT))])


def test_broken_and_orphaned_verdicts_are_named(folder: Path) -> None:
    with RunStore.resume(folder) as store:
        path = store.write_verdicts("me", [("conv-26/9", 0, Verdict("me", Value.RIGHT))])
    path.write_text(path.read_text() + '{"judge": "me"}\n{"judge"')
    found = [(one.severity, one.code, one.path, one.file) for one in read(folder).defects]
    assert found == [
        (Severity.WARNING, "verdict_without_record", "$[0].key", "verdicts/me.jsonl"),
        (Severity.ERROR, "missing_key", "$[1].value", "verdicts/me.jsonl"),
        (Severity.ERROR, "missing_key", "$[1].key", "verdicts/me.jsonl"),
        (Severity.WARNING, "torn_line", "line 3", "verdicts/me.jsonl"),
    ]


# Documents


def test_the_examples_in_the_documents_can_be_read(tmp_path: Path) -> None:
    for name, text in documented("run/").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    run = read(tmp_path)
    assert run.defects == ()
    (one,) = run.records
    assert [verdict.judge for verdict in one.verdicts] == ["gpt-x"]
    release = documented("release/")["release.json"].encode()
    stored = json.loads((tmp_path / "manifest.json").read_text())
    assert stored["release"]["files"]["release.json"] == hashlib.sha256(release).hexdigest()
    assert re.fullmatch("[0-9a-f]{64}", json.loads(documented("run/")["records.jsonl"])["context"])


def test_a_manifest_is_made_from_its_parts() -> None:
    made = manifest(release=ReleaseForm(name="r"), system=SystemForm(id="bm25"))
    assert made.as_json()["system"] == {"id": "bm25"}
