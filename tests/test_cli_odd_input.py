"""The command given odd things: pipes, bombs, circles, the wrong order, closed streams."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.errors import InputError
from mnemoscope.core.releases.native.reader import write_release as write_native_release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.native.store import write_run
from mnemoscope.core.runs.registry import is_run_output, open_runs
from mnemoscope.core.sources import Source
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui import cli
from tests.cli_data import release, text_rows, text_run, write, write_all, write_release

# Any: JSON documents.
Json = dict[str, Any]
Mnemoscope = Callable[..., tuple[int, str, str]]
RQ1_FILE = "result_debug/base/tiny-7b/LTMemory/history_with_qa_p0_results.json"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an invented release ``cue`` and three runs in ``runs``, which we are in."""
    write_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mnemoscope(capsys: pytest.CaptureFixture[str]) -> Mnemoscope:
    """Runs the command in this process; returns exit code, stdout and stderr."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = cli.run([str(one) for one in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def shell(command: str, here: Path) -> subprocess.CompletedProcess[str]:
    """A line of the shell, with ``mnemoscope`` as ``$m``."""
    code = "import sys; from mnemoscope.tui.cli import main; main()"
    return subprocess.run(
        ["bash", "-c", f"m() {{ '{sys.executable}' -P -c '{code}' \"$@\"; }}; {command}"],
        cwd=here,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


# Streams


@pytest.mark.parametrize("streams", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_closed_stdout_is_no_failure_and_the_verdict_stands(streams: str, here: Path) -> None:
    done = shell(f"m validate cue runs --strict {streams}; echo $? >code", here)
    assert ((here / "code").read_text(), done.stderr) == ("1\n", "")
    shell(f"m info cue {streams}; echo $? >code", here)
    assert (here / "code").read_text() == "0\n"


def test_a_closed_stderr_does_not_change_the_exit_code(here: Path) -> None:
    assert shell("m info nowhere 2>&-", here).returncode == 2


def test_validate_fails_on_defects_though_nobody_reads_them_to_the_end(here: Path) -> None:
    rows = [row | {"qa_id": None} for row in text_rows(release(), "ABCDBC") * 900]
    text_run(here / "many", "LTMemory", [*rows, *text_rows(release(), "ABCDBC")])
    done = shell("m validate many | head -1; echo ${PIPESTATUS[0]}", here)
    assert done.stdout.endswith("\n1\n")
    assert done.stderr == ""


def test_a_help_page_that_nobody_reads_is_no_failure(here: Path) -> None:
    done = shell("m --help | true; echo ${PIPESTATUS[0]}", here)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_said_in_a_line(here: Path) -> None:
    done = shell("m info cue --json >/dev/full", here)
    assert done.returncode == 2
    assert done.stderr == "error: the output cannot be written: No space left on device\n"


# What is no file


def test_a_pipe_is_refused_alone_and_named_among_other_files(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    os.mkfifo(here / "x.json")
    for arguments in (["info", "x.json"], ["score", "x.json", "runs"], ["score", "cue", "x.json"]):
        code, out, err = mnemoscope(*arguments)
        assert (code, out) == (2, "")
        assert err == f"error: {here}/x.json: found a pipe, expected a file\n"
    os.mkfifo(here / "runs" / "x.json")
    code, out, err = mnemoscope("score", "cue", "runs")
    assert code == 0
    assert "LTMemory" in out
    assert err == "error: x.json: $: found a pipe, expected a file (unreadable_file)\n"


def test_a_pipe_that_a_release_names_is_a_defect(here: Path, mnemoscope: Mnemoscope) -> None:
    write_native_release(open_release(here / "cue"), here / "native")
    (history,) = (here / "native" / "histories").iterdir()
    history.unlink()
    os.mkfifo(history)
    code, _, err = mnemoscope("info", "native")
    assert code == 2
    assert f"{history}: $: found a pipe, expected a file" in err


def test_a_packed_file_that_unpacks_to_far_too_much_is_refused(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    bomb = here / "bomb.json.gz"
    bomb.write_bytes(gzip.compress(b"[" + b" " * (100 << 20) + b"]"))
    for arguments in (["info", bomb], ["score", "cue", bomb], ["validate", "cue", bomb]):
        code, out, err = mnemoscope(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {bomb}: unpacks to far too much: ")
        assert err.splitlines()[1:] == ["hint: unpack it yourself if that is as it should be"]


def test_links_in_a_circle_are_named_or_passed_over(here: Path, mnemoscope: Mnemoscope) -> None:
    (here / "loop.json").symlink_to("loop.json")
    assert "symbolic links" in mnemoscope("info", "loop.json")[2]
    (here / "cue" / "again").symlink_to(here / "cue")
    (here / "runs" / "again").symlink_to(here / "runs")
    code, out, err = mnemoscope("score", "cue", "runs", "--json")
    assert (code, err) == (0, "")
    assert len(json.loads(out)["runs"]) == 3


def test_folders_named_like_files_are_passed_over(here: Path, mnemoscope: Mnemoscope) -> None:
    for place in ("cue", "runs"):
        (here / place / "x.json").mkdir()
    assert mnemoscope("score", "cue", "runs")[0] == 0
    code, _, err = mnemoscope("info", here / "cue" / "x.json")
    assert code == 2
    assert "neither a release nor run output of a known format" in err


def test_a_folder_that_may_not_be_listed_is_named(
    here: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = os.scandir

    def refuse(path: str) -> Any:
        if Path(path).name in ("closed", "RQ3"):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    (here / "closed").mkdir()
    monkeypatch.setattr(os, "scandir", refuse)
    assert "closed: Permission denied" in mnemoscope("score", "cue", "closed")[2]
    code, out, err = mnemoscope("score", "cue", "runs")
    assert code == 0
    assert "FUMemory" in out
    assert err.startswith("error: RQ3: $: found Permission denied, expected a folder that can be ")
    code, out, _ = mnemoscope("validate", "cue", "runs")
    assert code == 1
    assert "\n1 error, 1 warning, 0 repaired\n" in out, out[-600:]


# Slips of whoever types


def test_a_release_in_the_place_of_runs_and_the_other_way_round_is_called_by_its_name(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    hint = "hint: the release comes first, then its runs\n"
    said = {
        ("score", "runs", "cue"): "error: runs: is run output, expected a release\n",
        (
            "show",
            "cue",
            "Hobby-3",
            "cue",
        ): "error: cue: is a release (cue-mem), expected run output\n",
        ("compare", "runs", "runs"): "error: runs: is run output, expected a release\n",
    }
    for arguments, message in said.items():
        code, out, err = mnemoscope(*arguments)
        assert (code, out, err) == (2, "", message + hint)
    assert is_run_output(here / "runs")
    assert not is_run_output(here / "cue")


def test_a_run_of_another_release_is_noticed(here: Path, mnemoscope: Mnemoscope) -> None:
    rows = [row | {"qa_id": f"other-{row['qa_id']}"} for row in text_rows(release(), "ABCDBC")]
    text_run(here / "other", "LTMemory", rows)
    code, out, err = mnemoscope("score", "cue", "other")
    assert code == 0
    assert "0 of 6 rows join to the release" in out
    assert err == ("note: no row of A LTMemory joins to this release: all 6 are about another\n")
    # A table without rows is not printed.
    assert not any(
        line.startswith("n  both")
        for line in mnemoscope("compare", "cue", "other", "--a", "A", "--b", "A")[1].splitlines()
    )


def test_the_same_run_given_twice_is_noticed(here: Path, mnemoscope: Mnemoscope) -> None:
    code, out, err = mnemoscope("matrix", "cue", "runs/RQ3", "runs/../runs/RQ3")
    assert code == 0
    assert "MM (2)" in out
    assert err == "note: B MM (2) is the same run as A MM (1)\n"
    assert mnemoscope("matrix", "cue", "runs/RQ3", "runs/result_debug")[2] == ""
    code, _, err = mnemoscope("compare", "cue", "runs", "--a", "MM", "--b", "A")
    assert (code, err) == (0, "note: A and B are the same run\n")


def test_a_path_without_a_name_is_not_the_current_folder(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    for arguments in (["info", ""], ["score", "", "runs"], ["score", "cue", ""]):
        assert "the path is empty" in mnemoscope(*arguments)[2]


def test_a_name_that_is_drawn_as_another_is_written_out(here: Path, mnemoscope: Mnemoscope) -> None:
    assert mnemoscope("info", "cue\u202e")[2] == "error: 'cue\\u202e': no such file or folder\n"
    assert mnemoscope("info", "cue ")[2] == "error: 'cue ': no such file or folder\n"


def test_a_file_of_a_run_of_ours_stands_for_the_run_only_where_it_is_one(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    opened = open_release(here / "cue")
    (run, *_) = Workspace.build(opened, open_runs(here / "runs" / "RQ3").runs).runs
    write_run(run.run, run.join.keys, here / "ours", release=opened)
    for name in ("manifest.json", "records.jsonl"):
        assert mnemoscope("score", "cue", f"ours/{name}")[0] == 0
        # In another folder it stands for itself.
        err = mnemoscope("score", "cue", f"runs/{name}")[2]
        assert err == f"error: runs/{name}: no such file or folder\n"
    write(here / "runs" / "manifest.json", {"kind": "another"})
    err = mnemoscope("score", "cue", "runs/manifest.json")[2]
    assert "runs/manifest.json: no run output of a known form" in err


def test_a_run_format_is_about_runs_and_not_about_the_release_before_them(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    code, out, _ = mnemoscope("validate", "cue", "runs", "--run-format", "cue-mem-rq3", "--json")
    assert code == 0
    assert [join["run"] for join in json.loads(out)["joins"]] == ["MM"]
    code, out, _ = mnemoscope("validate", "runs", "--run-format", "cue-mem-rq3", "--json")
    assert len(json.loads(out)["skipped"]) == 2


def test_rows_that_are_all_broken_are_named_and_not_called_unknown(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    rows = [row | {"qa_id": None} for row in text_rows(release(), "ABCDBC")]
    text_run(here / "broken", "LTMemory", rows)
    for arguments in (["info", "broken"], ["score", "cue", "broken"], ["validate", "broken"]):
        code, _, err = mnemoscope(*arguments)
        assert code == 2
        place = f"{here}/broken/{RQ1_FILE}: $[0].qa_id"
        assert err.startswith(f"error: {place}: found null, expected non-empty text\nhint: 5 more ")
    text_run(here / "runs", "OddMemory", rows)
    code, out, _ = mnemoscope("validate", "cue", "runs", "--json")
    assert code == 1
    found = json.loads(out)
    assert (found["counts"]["errors"], found["skipped"]) == (6, [])
    _, _, err = mnemoscope("score", "cue", "runs")
    assert len(err.splitlines()) == 6
    assert err.endswith("note: 1 more such; mnemoscope validate lists all\n")


def test_defects_of_several_runs_say_in_which_path_their_file_is(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    rows = text_rows(release(), "ABCDBC")
    rows[0]["qa_id"] = None
    for name in ("one", "two"):
        text_run(here / name, "LTMemory", rows)
    out = json.loads(mnemoscope("validate", "cue", "one", "two", "--json")[1])
    files = [one["file"] for one in out["defects"] if one["severity"] == "error"]
    assert files == [f"one/{RQ1_FILE}", f"two/{RQ1_FILE}"]
    out = json.loads(mnemoscope("validate", "one", "--json")[1])
    assert [one["file"] for one in out["defects"]] == [RQ1_FILE]


# What is too much


def test_what_is_said_of_a_name_of_megabytes_fits_a_screen(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    data = release()
    data["multi_session_dialogues"][0]["session_id"] = "D" * 3_000_000
    write_release(here / "cue", data)
    code, _, err = mnemoscope("score", "cue", "runs", "--filter", "session:D01x")
    assert code == 2
    assert err.startswith("error: filter, column 9: no session 'D01x'; there are: DDD")
    assert len(err) < 2_100
    code, out, _ = mnemoscope("validate", "cue")
    assert max(map(len, out.splitlines())) < 12_000


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_what_the_machine_cannot_take_is_no_defect_of_ours(
    error: type[Exception],
    here: Path,
    mnemoscope: Mnemoscope,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mnemoscope.tui.verbs import info

    def collect(*_: object) -> Json:
        raise error

    monkeypatch.setattr(info, "collect", collect)
    code, out, err = mnemoscope("info", "cue")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "defect" not in err


def test_a_folder_that_may_not_be_entered_is_said_to_be_so(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    source = Source(here / "cue")
    monkeypatch.setattr(Path, "is_file", refuse)
    with pytest.raises(InputError, match=r"cue: Permission denied$"):
        source.file("release.json")
