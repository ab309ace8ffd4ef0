"""``mnemoscope run``: plans, exit codes, kills, faults, and a run watched while it is made."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.backbones.endpoint import Patience
from mnemoscope.core.backbones.registry import make_backbone
from mnemoscope.core.backbones.settings import EndpointSettings, Secret
from mnemoscope.core.evaluate.manifest import manifest_for
from mnemoscope.core.evaluate.plan import Plan, read_plan
from mnemoscope.core.evaluate.runner import End
from mnemoscope.core.model import QuestionRef, Record, RecordStatus
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.native.events import read_events
from mnemoscope.core.runs.native.store import RunStore, canonical_bytes
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.schemas import schemas
from tests.app_driver import opened, press, screen_text
from tests.cli_data import Mnemoscope
from tests.evaluation_data import ORIGIN, evaluation, questions, run
from tests.fault_server import Act, completion, serving
from tests.workspace_data import a_release

ROOT = Path(__file__).parents[1]
MANUAL = (ROOT / "docs" / "run.md").read_text("utf-8")
CUE = str(ROOT / "sample_data" / "cue")
PYTHON = [sys.executable, "-P", "-c", "from mnemoscope.tui.cli import main; main()"]
BM25 = ("run", "--release", CUE, "--system", "bm25", "--backbone", "embedded")
KILLS = int(os.environ.get("MNEMOSCOPE_KILLS", "12"))
"""How often the run of the test of kills is killed; ``make test-kills`` does it a hundred times."""

Json = dict[str, Any]


def manifest(folder: Path) -> Json:
    data: Json = json.loads((folder / "manifest.json").read_text())
    return data


def lines(folder: Path) -> list[bytes]:
    """The whole lines of the records."""
    path = folder / "records.jsonl"
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def size_of(folder: Path) -> int:
    path = folder / "records.jsonl"
    return path.stat().st_size if path.exists() else 0


# Plans and flags


def test_a_run_is_made_joins_and_can_be_scored(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    code, out, err = mnemoscope(*BM25, "--out", tmp_path / "one")
    assert (code, err) == (0, "")
    assert "records    59 of 59, 59 made now" in out
    assert "floor baseline" in out
    code, out, _ = mnemoscope("score", CUE, tmp_path / "one", "--json")
    (scored,) = json.loads(out)["runs"]
    assert (scored["n_total"], scored["name"]) == (59, "bm25")
    code, out, err = mnemoscope(*BM25, "--out", tmp_path / "one")
    assert (code, err) == (0, "")
    assert "records    59 of 59, 0 made now" in out


def test_typed_answers_are_judged_when_their_run_is_read(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    release = ROOT / "sample_data" / "dsv"
    flags = ("--system", "full_memory,budget=0", "--backbone", "embedded")
    assert mnemoscope("run", "--release", release, *flags, "--out", tmp_path / "one")[0] == 0
    assert manifest(tmp_path / "one")["rule"] == "open"
    (scored,) = json.loads(mnemoscope("score", release, tmp_path / "one", "--json")[1])["runs"]
    assert (scored["n_total"], scored["n_ok"]) == (20, 20)
    assert 0 < scored["correct"] < 20


def test_a_plan_file_says_the_same_as_flags(
    tmp_path: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tmp_path / "plans" / "plan.toml"
    plan.parent.mkdir()
    plan.write_text(
        f"""
release = {os.path.relpath(CUE, plan.parent)!r}
out = "../by-plan"
questions = "task:entity_recall sample:5 seed:1"
repeats = 2
workers = 3

[textualisation]
image = "brief"
audio = "split"

[system]
id = "bm25"
parameters = {{ k = 3, query = "written" }}

[backbone]
id = "embedded"

[budgets]
tokens = 1000
"""
    )
    assert mnemoscope("run", plan)[0] == 0
    monkeypatch.chdir(tmp_path)
    flags = (
        *("run", "--release", CUE, "--out", "by-flags", "--system", "bm25,k=3,query=written"),
        *("--backbone", "embedded", "--filter", "task:entity_recall sample:5 seed:1"),
        *("--repeats", "2", "--workers", "3", "--textualisation", "image=brief,audio=split"),
        *("--max-tokens", "1000"),
    )
    assert mnemoscope(*flags)[0] == 0
    one, other = (manifest(tmp_path / name) for name in ("by-plan", "by-flags"))
    for data in (one, other):
        for key in ("argv", "started_at", "ended_at"):
            del data[key]
    assert one == other
    assert len(one["questions"]) == 5
    assert one["seeds"] == [42, 43]
    assert canonical_bytes(tmp_path / "by-plan") == canonical_bytes(tmp_path / "by-flags")


def test_flags_hold_over_the_plan(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(f'release = "{CUE}"\nrepeats = 3\n[system]\nid = "bm25"\n')
    flags = ("--system", "full_memory@as_published", "--backbone", "embedded", "--seed", "7")
    code, out, _ = mnemoscope("run", plan, *flags, "--dry-run", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["system"]["profile"] == "as_published"
    assert found["seeds"] == [7]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[system]\nid = 3", "line 2 $.system.id: found int 3, expected text"),
        ("worker = 3", "line 1 $.worker: found int 3, expected no such key"),
        ("repeats = 0", "line 1 $.repeats: found int 0, expected"),
        ("tolerance = 1.5", "line 1 $.tolerance: found float 1.5, expected"),
        ("[budgets]\ncost = 0.0", "line 2 $.budgets.cost: found float 0.0, expected"),
        ("release =", "plan.toml: found the end of the file, expected TOML"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said_with_its_line(
    text: str, told: str, tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(text)
    code, out, err = mnemoscope("run", plan)
    assert (code, out) == (2, "")
    assert told in err


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ([], "nothing can be run without --release, --system, --out"),
        (["--release", CUE, "--system", "bm25", "--out", "x"], "needs a backbone to answer"),
        (["--release", CUE, "--system", "bm26", "--out", "x"], "no memory system 'bm26'"),
        (["--system", "bm25@published"], "nothing can be run without --release, --out"),
        (["--system", "bm25,q=1"], "bm25: no parameter 'q'; there are: k, k1"),
        (["--system", "bm25,k"], "bm25,k: found 'k', expected PARAMETER=VALUE"),
        (["--release", CUE, "--system", "bm25,k=x", "--out", "x"], "found 'x', expected a whole"),
        (["--backbone", "mine"], "no backbone 'mine'; there are: embedded, endpoint:MODEL"),
        (["--backbone", "embedded,a=1"], "embedded: no parameter 'a'; there are: none"),
        (["--price-prompt", "1"], "both prices are needed"),
        (["--seed", "1", "--seed", "2", "--repeats", "3"], "nothing can be run without"),
    ],
)
def test_what_cannot_be_run_is_said_in_a_line(
    flags: list[str],
    told: str,
    mnemoscope: Mnemoscope,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = mnemoscope("run", *flags)
    assert (code, out) == (2, "")
    assert told in err
    assert list(tmp_path.iterdir()) == []


def test_a_backbone_that_is_not_needed_is_left_out(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    flags = ("--release", CUE, "--system", "always_refuse", "--backbone", "embedded")
    assert mnemoscope("run", *flags, "--out", tmp_path / "one")[0] == 0
    assert "backbone" not in manifest(tmp_path / "one")


def test_the_command_line_is_kept_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mnemoscope: Mnemoscope
) -> None:
    from mnemoscope.core.evaluate.origin import Origin

    environ = {"MNEMOSCOPE_API_KEY": "sk-secret-1", "OTHER_TOKEN": "abc", "HOME": "/home/me"}
    argv = ["/usr/bin/mnemoscope", "run", "--name", "with sk-secret-1", "/home/me/abc"]
    assert Origin.here(argv, environ).argv == (
        *("mnemoscope", "run", "--name", "with [secret]", "/home/me/abc"),
    )


def test_the_checkout_is_named_with_its_commit(tmp_path: Path) -> None:
    from mnemoscope.core.evaluate.origin import checkout

    assert checkout(tmp_path) is None
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    (tmp_path / "pyproject.toml").touch()
    assert checkout(tmp_path) is None
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    clean = checkout(tmp_path)
    assert clean is not None
    assert (len(clean.commit), clean.dirty) == (40, False)
    (tmp_path / "new").touch()
    dirty = checkout(tmp_path)
    assert dirty is not None
    assert dirty.dirty


# From a manifest


def test_a_manifest_reproduces_its_run(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    flags = ("--system", "bm25,k=3", "--filter", "sample:9 seed:2", "--repeats", "2")
    assert mnemoscope(*BM25, *flags, "--out", tmp_path / "one")[0] == 0
    source = tmp_path / "one" / "manifest.json"
    assert mnemoscope("run", "--from", source, "--out", tmp_path / "two")[0] == 0
    assert canonical_bytes(tmp_path / "one") == canonical_bytes(tmp_path / "two")
    # Without another folder it is that run that is gone on with.
    code, out, _ = mnemoscope("run", "--from", source)
    assert code == 0
    assert "18 of 18, 0 made now" in out
    assert str(tmp_path) not in json.dumps(manifest(tmp_path / "one")["extra"])


def test_a_run_that_cannot_be_reproduced_here_is_refused(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    write_release(a_release(questions(4)), tmp_path / "release")
    flags = ("--release", tmp_path / "release", "--system", "bm25", "--backbone", "embedded")
    assert mnemoscope("run", *flags, "--out", tmp_path / "one")[0] == 0
    source = tmp_path / "one" / "manifest.json"
    path = tmp_path / "release" / "questions.jsonl"
    path.write_text(path.read_text().replace("question p0/q/0", "question p0/q/00"))
    code, _, err = mnemoscope("run", "--from", source, "--out", tmp_path / "two")
    assert code == 2
    assert "cannot be reproduced here: release: 1 of 5 files differs\n" in err
    assert not (tmp_path / "two").exists()
    code, _, _ = mnemoscope(
        "run", "--from", source, "--out", tmp_path / "two", "--system", "no_context"
    )
    assert code == 0


def test_a_manifest_that_no_run_of_ours_wrote_is_refused(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    (tmp_path / "manifest.json").write_text('{"kind": "mnemoscope-run", "schema_version": 1}')
    code, _, err = mnemoscope("run", "--from", tmp_path / "manifest.json")
    assert code == 2
    assert "$.extra.plan: found nothing, expected the plan of the run" in err
    assert mnemoscope("run", "plan.toml", "--from", tmp_path)[0] == 2


def test_another_configuration_in_the_folder_is_refused_with_what_differs(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    assert mnemoscope(*BM25, "--out", tmp_path / "one")[0] == 0
    code, _, err = mnemoscope(*BM25, "--system", "bm25,k=3", "--out", tmp_path / "one")
    assert code == 2
    assert "is a run of another plan: " in err
    assert "system.parameters.k: 10, planned 3" in err


def test_a_folder_with_a_run_of_another_release_is_refused_in_one_short_line(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    write_release(a_release(questions(4)), tmp_path / "release")
    assert mnemoscope(*BM25, "--out", tmp_path / "one")[0] == 0
    other = (*BM25, "--release", tmp_path / "release", "--out", tmp_path / "one")
    code, _, err = mnemoscope(*other)
    assert code == 2
    told = next(line for line in err.splitlines() if line.startswith("error: "))
    assert "release.name: 'cue', planned 'invented'; release: " in told
    assert " files differ; " in told
    assert len(told) < 300 + len(str(tmp_path))
    assert "detail: " not in err
    _, _, err = mnemoscope("--debug", *other)
    assert "detail: release.files.questions.jsonl: nothing, planned '" in err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('release = "a\\u0000b"', "line 1 $.release: found 'a\\x00b', expected a path without NUL"),
        ('media_roots = ["a\\u0000b"]', "line 1 $.media_roots[0]: found 'a"),
        ("repeats = 99999999999999999999", "line 1 $.repeats: found int 99999999999999999999"),
        ("systm = 1", "line 1 $.systm: found int 1, expected no such key\n"),
        ("system.nope = 1", "$.system.nope: found int 1, expected no such key\n"),
        ('release = "x', "line 1 column"),
    ],
)
def test_a_plan_that_is_none_is_refused_with_line_and_place(
    tmp_path: Path, mnemoscope: Mnemoscope, line: str, said: str
) -> None:
    (tmp_path / "plan.toml").write_text(f"{line}\n")
    code, out, err = mnemoscope("run", tmp_path / "plan.toml")
    assert (code, out) == (2, "")
    assert said in err
    assert "defect of mnemoscope" not in err


def test_a_plan_names_folders_above_it_without_dots(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    (tmp_path / "plans").mkdir()
    plan = tmp_path / "plans" / "one.toml"
    text = f'release = "{BM25[2]}"\nout = "../x"\nsystem.id = "bm25"\nbackbone.id = "embedded"\n'
    plan.write_text(text)
    code, out, _ = mnemoscope("run", plan)
    assert code == 0
    assert str(tmp_path / "x") in out
    assert ".." not in out
    # Behind a link, what is above is elsewhere.
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(tmp_path / "deep" / "er")
    assert read_plan(tmp_path / "plans" / "one.toml").out == str(tmp_path / "x")
    (tmp_path / "linked" / "one.toml").write_text(text)
    found = Path(read_plan(tmp_path / "linked" / "one.toml").out)
    assert found.resolve() == tmp_path.resolve() / "deep" / "x"


# Dry runs


def test_a_dry_run_writes_nothing_and_says_what_it_would_take(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    flags = ("--release", CUE, "--system", "bm25", "--backbone", "endpoint:m,max_tokens=64")
    prices = ("--price-prompt", "1", "--price-completion", "10", "--endpoint", "http://localhost:9")
    code, out, err = mnemoscope(
        "run", *flags, *prices, "--out", tmp_path / "one", "--repeats", "2", "--dry-run", "--json"
    )
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["questions"], found["records"], found["left"], found["sampled"]) == (
        *(59, 118, 118, 59),
    )
    phases = {one["phase"]: one for one in found["phases"]}
    assert list(phases) == ["ingest", "recall", "answer", "judge"]
    assert phases["ingest"] == {
        "phase": "ingest",
        "units": 132,
        "calls": 0,
        "prompt_tokens": 0,
        "completion_tokens_at_most": 0,
        "cost_at_most": 0,
    }
    answer = phases["answer"]
    assert (answer["calls"], answer["completion_tokens_at_most"]) == (118, 118 * 64)
    expected = (answer["prompt_tokens"] + 10 * 118 * 64) / 1_000_000
    assert answer["cost_at_most"] == pytest.approx(expected)
    assert 300 * 118 < answer["prompt_tokens"] < 3_000 * 118
    assert found["detectable"]["value"] == pytest.approx(0.196, abs=0.001)
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_without_prices_knows_no_cost(mnemoscope: Mnemoscope) -> None:
    flags = ("--release", CUE, "--system", "bm25", "--backbone", "endpoint:m")
    code, out, _ = mnemoscope("run", *flags, "--endpoint", "http://localhost:9", "--dry-run")
    assert code == 0
    (row,) = [line for line in out.splitlines() if line.startswith("answer")]
    assert row.split()[-1] == "unknown"


def test_a_dry_run_of_a_part_says_what_is_left(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    out_flag = ("--out", tmp_path / "one")
    assert mnemoscope(*BM25, *out_flag)[0] == 0
    path = tmp_path / "one" / "records.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:50]))
    _, out, _ = mnemoscope(*BM25, *out_flag, "--dry-run")
    assert "59 records, 50 of them made before" in out


# Ends


pytest_llm = pytest.mark.usefixtures("llm")


@pytest.fixture
def llm() -> None:
    pytest.importorskip("openai", reason="the extra llm is not installed")


def asked_of(url: str, out: Path, *more: object) -> list[object]:
    flags = ["run", "--release", CUE, "--system", "bm25", "--backbone", "endpoint:m"]
    return [*flags, "--endpoint", url, "--out", out, "--filter", "sample:8 seed:1", *more]


@pytest_llm
def test_a_model_answers_and_is_counted(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    with serving(Act(completion("B"))) as server:
        prices = ("--price-prompt", "1000", "--price-completion", "1000")
        code, out, err = mnemoscope(*asked_of(server.url, tmp_path / "one", *prices))
    assert (code, err) == (0, "")
    assert "8 calls, 88 tokens sent, 56 back, cost 0.1440" in out
    assert manifest(tmp_path / "one")["backbone"]["id"] == "m"
    assert manifest(tmp_path / "one")["prompts"]


@pytest_llm
def test_a_budget_ends_with_4_and_the_same_command_with_more_goes_on(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    with serving(Act(completion("B"))) as server:
        flags = asked_of(server.url, tmp_path / "one", "--workers", "1")
        code, out, err = mnemoscope(*flags, "--max-tokens", "50")
        assert code == 4
        assert "stopped by the budget of tokens: 54 of 50" in err
        assert "note: 3 of 8 records are kept; the same command goes on from there" in err
        code, out, err = mnemoscope(*flags, "--max-tokens", "1000")
    assert (code, len(server.asked)) == (0, 8)
    assert "8 of 8, 5 made now" in out


@pytest_llm
@pytest.mark.parametrize("act", [Act.error(401, "bad key"), Act.error(404, "no model m")])
def test_an_endpoint_that_cannot_be_used_ends_with_5(
    act: Act, tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    with serving(Act(completion("B")), act) as server:
        code, _, err = mnemoscope(*asked_of(server.url, tmp_path / "one", "--workers", "1"))
    assert code == 5
    assert "error: the endpoint cannot be used: HTTP 40" in err
    assert "1 of 8 records are kept" in err
    assert len(lines(tmp_path / "one")) == 1


@pytest_llm
def test_records_without_an_answer_end_with_3_and_are_asked_again(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    with serving(Act(completion(" ")), Act(completion("B"))) as server:
        flags = asked_of(server.url, tmp_path / "one", "--workers", "1")
        code, out, err = mnemoscope(*flags)
        assert code == 3
        assert "note: 1 of 8 records have no answer; the same command asks again" in err
        assert "1 error" in out
        assert mnemoscope(*flags)[0] == 0
        assert len(server.asked) == 9


@pytest_llm
def test_what_is_tolerated_is_no_failure(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    with serving(Act(completion(" ")), Act(completion("B"))) as server:
        flags = asked_of(server.url, tmp_path / "one", "--tolerance", "0.2")
        assert mnemoscope(*flags)[0] == 0


@pytest_llm
def test_the_key_stands_nowhere_in_a_run(
    tmp_path: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("MNEMOSCOPE_API_KEY", key)
    with serving(Act.error(400, f"you sent {key}"), Act(completion(f"B {key}"))) as server:
        mnemoscope(*asked_of(server.url, tmp_path / "one"))
        assert key in server.keys
    found = [path for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(found) > 10
    assert [path for path in found if key.encode() in path.read_bytes()] == []


def test_how_far_it_is_is_told_in_plain_lines_where_nobody_watches(
    tmp_path: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemoscope.tui.verbs import run as verb

    monkeypatch.setattr(verb._Watch, "_SLOW", 0.0)
    code, _, err = mnemoscope(*BM25, "--out", tmp_path / "one")
    told = err.splitlines()
    assert code == 0
    assert len(told) == 59
    assert re.fullmatch(r"58 of 59 records · [\d,.]+ a second · about \d+ s left", told[-2])


# Kills, interruptions, two at once


@contextmanager
def started(*arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    command = [*PYTHON, *map(str, arguments)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.timeout(300 + 15 * KILLS)
def test_kills_lose_nothing_that_was_finished(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    repeats = ("--repeats", 5 * KILLS)
    folder = tmp_path / "killed"
    chance = random.Random(7)
    kept: list[bytes] = []
    grown = 0
    for number in range(KILLS):
        with started(*BM25, *repeats, "--out", folder) as process:
            if number % 4:
                # While records are being written …
                size = size_of(folder)
                deadline = time.monotonic() + 60
                while size_of(folder) == size and time.monotonic() < deadline:
                    time.sleep(0.002)
                time.sleep(chance.uniform(0, 0.15))
            else:
                # … or at any moment before, the first one included.
                time.sleep(chance.uniform(0, 1))
            process.kill()
            process.wait()
        now = lines(folder)
        assert now[: len(kept)] == kept
        grown += len(now) > len(kept)
        kept = now
    assert grown > KILLS // 3, "most kills came before any work"
    assert len(kept) < 59 * 5 * KILLS, "all was done before the last kill"
    code, _, err = mnemoscope(*BM25, *repeats, "--out", folder)
    assert code == 0, err
    assert manifest(folder)["counts"] == {"ok": 59 * 5 * KILLS}
    assert lines(folder)[: len(kept)] == kept
    (made,) = open_runs(folder).runs
    assert made.defects == ()
    assert mnemoscope(*BM25, *repeats, "--out", tmp_path / "whole")[0] == 0
    assert canonical_bytes(folder) == canonical_bytes(tmp_path / "whole")


@pytest_llm
def test_an_interruption_ends_with_130_and_keeps_what_was_answered(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    def slowly(body: Json) -> Act:
        time.sleep(0.05)
        return Act(completion("B"))

    with serving(slowly) as server:
        flags = asked_of(server.url, tmp_path / "one", "--workers", "2", "--repeats", "20")
        with started(*flags) as process:
            deadline = time.monotonic() + 60
            while len(lines(tmp_path / "one")) < 5 and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        kept = len(lines(tmp_path / "one"))
        assert 5 <= kept < 160
        assert f"note: {kept} of 160 records are kept".encode() in err
        assert err.endswith(b"interrupted\n")
        assert read_events(tmp_path / "one")[-1].kind == "interrupted"
        code, out, _ = mnemoscope(*flags)
    assert code == 0
    assert f"160 of 160, {160 - kept} made now" in out


@pytest_llm
def test_a_second_runner_is_refused_and_the_run_can_be_looked_at_meanwhile(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    with serving(
        Act(completion("B")), Act(completion("B")), Act(completion("B"), hold=True)
    ) as server:
        flags = asked_of(server.url, tmp_path / "one", "--workers", "1")
        with started(*flags) as process:
            deadline = time.monotonic() + 60
            while len(lines(tmp_path / "one")) < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            code, _, err = mnemoscope(*flags)
            assert code == 2
            assert f"is being written by process {process.pid} on " in err
            code, out, _ = mnemoscope("info", tmp_path / "one", "--json")
            (info,) = json.loads(out)["runs"]
            assert info["notes"] == ["still running: 2 of 8 records so far"]
            assert info["counts"] == {"records": 2, "by_status": {"ok": 2}}
            assert info["defects"] == {"errors": 0, "repaired": 0, "warnings": 0}
            server.let_go.set()
            process.wait(timeout=60)
    assert manifest(tmp_path / "one")["counts"] == {"ok": 8}


# Faults


def faulty(body: Json) -> Act:
    """What a bad day at an endpoint is like; the same question has the same day."""
    text = json.dumps(body["messages"])
    found = re.search(r"question p\d/q/(\d+)", text)
    assert found is not None
    number = int(found[1])
    seen[number] += 1
    fine = Act(completion("ABCD"[number % 4]))
    first = seen[number] == 1
    match number % 20:
        case 0:
            return Act.error(429, wait="0") if seen[number] < 3 else fine
        case 1:
            return Act.error(500) if first else fine
        case 2:
            return Act(fine.body, cut="length") if first else fine
        case 3:
            return Act(fine.body, cut="chunk") if first else fine
        case 4:
            return Act(b"{not json") if first else fine
        case 5:
            too_long = body.get("max_tokens", 0) > 256
            return Act.error(400, "maximum context length is 10 tokens") if too_long else fine
        case 6:
            return Act.error(503)
        case 7:
            return Act(completion("  "))
        case 8:
            return Act(completion(None, finish_reason="content_filter"))
        case 9 if number % 200 == 9:
            return Act(fine.body, hold=True)
    return fine


seen: Counter[int] = Counter()


@pytest_llm
def test_of_a_thousand_questions_to_a_faulty_endpoint_every_record_is_accounted_for(
    tmp_path: Path,
) -> None:
    seen.clear()
    release = a_release(questions(1_000, histories=5))

    def one(url: str) -> Any:
        settings = EndpointSettings(url, Secret("k"), 2.0)
        patience = Patience(first=0.001)
        backbone = make_backbone("endpoint:m", {"attempts": 5}, lambda: settings, patience)
        return evaluation(backbone, release=release)

    with serving(faulty) as server:
        outcome = run(tmp_path / "run", one(server.url))
        server.let_go.set()
    assert (outcome.ending.end, outcome.total, outcome.left) == (End.FINISHED, 1_000, 0)
    expected = {"ok": 1_000 - 155, "error": 100, "refused_by_provider": 50, "timeout": 5}
    assert manifest(tmp_path / "run")["counts"] == expected
    (made,) = open_runs(tmp_path / "run").runs
    assert (len(made.records), made.defects) == (1_000, ())
    by_key = {record.ref.key: record for record in made.records}
    assert len(by_key) == 1_000
    details = Counter(record.detail for record in made.records if record.detail)
    assert details == {"server error": 50, "blank answer": 50, "refused": 50, "timeout": 5}
    for key, record in by_key.items():
        number = int(key.rpartition("/")[2])
        if record.status is RecordStatus.OK:
            assert record.parsed == "ABCD"[number % 4]
        # A connection that the server has cut may be met once more.
        least = {0: 3, 1: 2, 2: 2, 3: 2, 4: 2, 6: 5}.get(number % 20, 1)
        assert least <= record.usage["attempts"] <= 5
    events = Counter(event.kind for event in read_events(tmp_path / "run"))
    assert 6 * 50 + 5 <= events["retried"] < 6 * 50 + 100
    assert events["failed"] == 155
    assert events["adapted"] == 50
    # The next day everything is well, and only what failed is asked again.
    with serving(lambda body: Act(completion("A"))) as server:
        outcome = run(tmp_path / "run", one(server.url))
        assert len(server.asked) == 105
    assert outcome.counts == {RecordStatus.OK: 950, RecordStatus.REFUSED: 50}


# The app


async def test_a_run_is_watched_in_the_app_while_it_is_made(tmp_path: Path) -> None:
    write_release(a_release(questions(6)), tmp_path / "release")
    release = open_release(tmp_path / "release")
    one = evaluation(release=release)
    plan = manifest_for(one, Plan(out=str(tmp_path / "run")), ORIGIN)
    request = OpenRequest(tmp_path / "release", (tmp_path / "run",))
    with RunStore.create(tmp_path / "run", plan) as store:
        first, *rest = (
            Record(QuestionRef(key=key), RecordStatus.OK, "A", "", "", parsed="A")
            for key in release.questions
        )
        store.append(first)
        async with opened(request) as (app, pilot):
            assert "still running: 1 of 6 records so far" in screen_text(app)
            for record in rest:
                store.append(record)
            store.finish()
            await press(app, pilot, "ctrl+r")
            shown = screen_text(app)
            assert "still running" not in shown
            assert re.search(r"A +bm25 +100\.0 +6 ", shown)


# The manual


def plan_rows() -> list[str]:
    """The keys of a plan with what they say, as rows of a table."""
    schema = schemas()["plan"]

    def rows(part: Json, prefix: str) -> Iterator[str]:
        for key, value in part["properties"].items():
            options = [value, *value.get("anyOf", [])]
            inner = next((one["$ref"] for one in options if "$ref" in one), "")
            if inner:
                yield from rows(schema["$defs"][inner.rpartition("/")[2]], f"{prefix}{key}.")
            else:
                yield f"| `{prefix}{key}` | {value['description']} |"

    return list(rows(schema, ""))


def test_the_manual_has_every_key_of_a_plan() -> None:
    assert "\n".join(["| key | says |", "|---|---|", *plan_rows()]) in MANUAL


def test_the_plan_of_the_manual_is_one(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(MANUAL.rpartition("```toml\n")[2].partition("```")[0])
    plan = read_plan(path)
    assert (plan.repeats, plan.system.id, plan.budgets.tokens) == (3, "naive_rag", 5_000_000)
    assert plan.release == str(tmp_path.parent / "releases" / "cue")


def test_the_example_of_the_manual_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    exec(MANUAL.partition("```python\n")[2].partition("```")[0], {})  # the manual is ours
    printed = MANUAL.partition("```text\n")[2].partition("```")[0]
    assert capsys.readouterr().out == printed
