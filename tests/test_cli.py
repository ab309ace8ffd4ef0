import io
import json
import os
import pty
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import click
import pytest

from mnemoscope import __version__
from mnemoscope.core.filters import help_rows
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.native.reader import write_release as write_native
from mnemoscope.tui import cli, console, sample
from mnemoscope.tui.verbs import doctor, marks, tables
from mnemoscope.viewers.cells import cell_width
from mnemoscope.viewers.styles import MARKS
from tests.cli_data import (
    fused_rows,
    fused_run,
    release,
    text_rows,
    text_run,
    write,
    write_all,
    write_release,
)
from tests.workspace_data import a_question, a_release

ROOT = Path(__file__).parents[1]
GOLDEN = Path(__file__).parent / "golden"
DOCS = ROOT / "docs" / "cli.md"
LOCOMO = ROOT.parent / "shared" / "data"
PYTHON = [sys.executable, "-P"]
HEADLESS = (
    ["info", "cue"],
    ["info", "runs"],
    ["validate", "cue", "runs"],
    ["show", "cue", "Hobby-3", "runs"],
    ["show", "cue", "p0", "runs"],
    ["score", "cue", "runs"],
    ["compare", "cue", "runs", "--a", "LTMemory", "--b", "FUMemory"],
    ["matrix", "cue", "runs", "--rows"],
)
DEMO = ["demo", "--plain"]

# Any: JSON documents.
Json = dict[str, Any]
Mnemoscope = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an invented release ``cue`` and three runs in ``runs``, which we are in."""
    write_all(tmp_path)
    two = tmp_path / "two"
    data = release()
    text_run(two, "LTMemory", text_rows(data, "ABCDBC", ["D00:00", "D01:00"], "It was said."))
    text_run(two, "FUMemory", text_rows(data, ["A", "", "选B", "C", "C", "B"]))
    monkeypatch.chdir(tmp_path)
    request = OpenRequest(Path("cue"), (Path("two"),))
    monkeypatch.setattr(sample, "sample_request", lambda *_: request)
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


def a_process(
    arguments: Sequence[str], folder: Path, **settings: Any
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    code = "import sys; from mnemoscope.tui.cli import main; main()"
    return subprocess.run(
        [*PYTHON, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
        **settings,
    )


def in_a_terminal(arguments: Sequence[str], folder: Path, **env: str) -> tuple[int, str]:
    """The command at a pseudo-terminal; returns exit code and all that it wrote there."""
    code = "from mnemoscope.tui.cli import main; main()"
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PYTHON, "-c", code, *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", **env},
    )
    os.close(theirs)
    written = bytearray()
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end has been closed
            break
        if not piece:
            break
        written += piece
    os.close(ours)
    return process.wait(timeout=60), written.decode()


def document(mnemoscope: Mnemoscope, *arguments: object) -> Json:
    """What a verb prints with ``--json``."""
    code, out, _ = mnemoscope(*arguments, "--json")
    assert code in (0, 1)
    assert out.endswith("}\n")
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def refused(mnemoscope: Mnemoscope, *arguments: object) -> str:
    """What is said of a request that cannot be carried out: exit code 2, nothing on stdout."""
    code, out, err = mnemoscope(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert "Traceback" not in err
    return err


# Streams, exit codes, errors


@pytest.mark.parametrize("arguments", [*HEADLESS, DEMO], ids=lambda one: " ".join(one[:3]))
def test_plain_output_is_what_the_golden_file_holds(
    arguments: list[str], here: Path, mnemoscope: Mnemoscope
) -> None:
    code, out, err = mnemoscope(*arguments)
    assert (code, err) == (0, "")
    named = arguments[: 3 if arguments[0] == "show" else 2]
    golden = GOLDEN / f"cli-{'-'.join(named).replace('--', '')}.txt"
    if os.environ.get("MNEMOSCOPE_UPDATE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(out, encoding="utf-8")
    assert out == golden.read_text(encoding="utf-8")


def test_help_and_version_are_printed_without_a_verb(mnemoscope: Mnemoscope) -> None:
    code, out, err = mnemoscope("--help")
    assert (code, err) == (0, "")
    assert all(verb in out for verb in cli.VERBS)
    assert mnemoscope("--version") == (0, f"mnemoscope {__version__}\n", "")


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_has_help_whose_first_sentence_is_in_the_list(
    verb: str, mnemoscope: Mnemoscope
) -> None:
    code, out, _ = mnemoscope(verb, "--help")
    command = import_module(f"mnemoscope.tui.verbs.{verb}").command
    assert isinstance(command, click.Command)
    assert code == 0
    assert command.get_short_help_str(200) == cli.VERBS[verb]
    assert out.startswith(f"Usage: mnemoscope {verb}")


def test_alone_it_opens_the_start_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    from mnemoscope.tui.verbs import open as opening

    asked: list[OpenRequest | None] = []
    monkeypatch.setattr(console, "has_terminal", lambda: True)
    monkeypatch.setattr(opening, "run_app", lambda request: asked.append(request))
    assert cli.run([]) == 0
    assert asked == [None]


@pytest.mark.parametrize("elsewhere", ["stdin", "stdout", "stderr"])
def test_an_app_needs_all_three_streams_on_the_terminal(
    elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OnTerminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, OnTerminal())
    assert console.has_terminal()
    monkeypatch.setattr(sys, elsewhere, io.StringIO())
    assert not console.has_terminal()


def test_alone_without_a_terminal_it_points_to_its_help(mnemoscope: Mnemoscope) -> None:
    assert "hint: see mnemoscope --help" in refused(mnemoscope)


def test_open_hands_its_flags_to_the_app(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mnemoscope.tui.verbs import open as opening

    asked: list[OpenRequest | None] = []
    monkeypatch.setattr(console, "has_terminal", lambda: True)
    monkeypatch.setattr(opening, "run_app", lambda request, **_: asked.append(request))
    for name in ("m", "n"):
        (here / name).mkdir()
    flags = ["--rule", "rq3", "--media-root", "m", "--media-root", "n", "--format", "cue-mem"]
    assert cli.run(["open", "cue", "runs", *flags]) == 0
    roots = (Path("m"), Path("n"))
    runs = (Path("runs"),)
    assert asked == [OpenRequest(Path("cue"), runs, "cue-mem", None, roots, "rq3")]


def test_open_without_a_terminal_names_headless_verbs(here: Path, mnemoscope: Mnemoscope) -> None:
    said = refused(mnemoscope, "open", "cue")
    assert "needs a terminal" in said
    assert "mnemoscope info cue" in said


def test_open_at_a_dumb_terminal_is_refused(here: Path) -> None:
    code, written = in_a_terminal(["open", "cue"], here, TERM="dumb")
    assert code == 2
    assert "needs a terminal" in written


def test_open_says_that_a_path_is_absent_before_it_starts_the_app(mnemoscope: Mnemoscope) -> None:
    assert "no such file or folder" in refused(mnemoscope, "open", "nowhere")


def test_a_misspelt_verb_is_met_with_the_right_one(mnemoscope: Mnemoscope) -> None:
    assert "did you mean score?" in refused(mnemoscope, "scroe", "cue")


def test_a_path_in_the_place_of_a_verb_is_met_with_open(here: Path, mnemoscope: Mnemoscope) -> None:
    assert "did you mean: mnemoscope open cue?" in refused(mnemoscope, "cue")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["info"], "Missing argument"),
        (["info", "nowhere"], "nowhere: no such file or folder"),
        (["info", "broken.json"], "broken.json: line 1"),
        (["info", "empty"], "empty: neither a release nor run output of a known format"),
        (["info", ""], "the path is empty"),
        (["score", "cue", "empty"], "no run output of a known form"),
        (["show", "empty", "Hobby-3"], "empty: not a release of a known format"),
        (["info", "cue", "--format", "nothing"], "no format named 'nothing'"),
        (["score", "cue"], "Missing argument"),
        (["score", "cue", "nowhere"], "no such file"),
        (["score", "cue", "runs", "--rule", "rq9"], "'rq9' is not one of"),
        (["score", "cue", "runs", "--filter", "task:nothing"], "filter, column 6"),
        (["score", "cue", "runs", "--filter", "colour:red"], "filter, column 1"),
        (["score", "cue", "runs", "--by", "colour"], "'colour' is not one of"),
        (["score", "cue", "runs", "--run-format", "zap"], "no run format named 'zap'"),
        (["score", "cue", "runs", "--run-format", "zep"], "runs: no run output of the form zep"),
        (["info", "cue", "--media-root", "nowhere"], "'nowhere' does not exist"),
        (["score", "runs", "cue"], "runs: is run output, expected a release"),
        (["score", "cue", "cue"], "cue: is a release (cue-mem), expected run output"),
        (["validate", "runs", "cue"], "cue: is a release (cue-mem), expected run output"),
        (["show", "cue", "nothing"], "no question 'nothing'"),
        (["show", "cue", "p0/"], "6 questions go by 'p0/'"),
        (["show", "cue", "Hobby-3", "--textualisation", "image=huge"], "no image captions named"),
        (["show", "cue", "Hobby-3", "--textualisation", "huge"], "expected image=NAME"),
        (["compare", "cue", "runs"], "two runs are compared; there are 3: A MM, B FUMemory"),
        (["compare", "cue", "runs", "--a", "LTMemory"], "there are 3: A MM"),
        (["compare", "cue", "runs", "--a", "zz", "--b", "MM"], "run 'zz' is not open"),
        (["compare", "cue", "runs/RQ3"], "there is 1: A MM"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_said_in_a_line(
    arguments: list[str], said: str, here: Path, mnemoscope: Mnemoscope
) -> None:
    (here / "broken.json").write_text('{"multi_session_dialogues": [', encoding="utf-8")
    (here / "empty").mkdir()
    err = refused(mnemoscope, *arguments)
    assert said in err
    assert [line.split(":")[0] for line in err.splitlines()] in (["error"], ["error", "hint"])


def test_debug_shows_where_an_error_comes_from(here: Path, mnemoscope: Mnemoscope) -> None:
    for arguments in (["--debug", "info", "nowhere"], ["info", "nowhere", "--debug"]):
        code, _, err = mnemoscope(*arguments)
        assert code == 2
        assert err.startswith("Traceback")
        assert "error: nowhere: no such file or folder" in err
    assert "Traceback" not in refused(mnemoscope, "info", "nowhere")


def test_a_bug_is_one_line_too(
    here: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemoscope.tui.verbs import info

    def collect(*_: object) -> Json:
        raise RuntimeError("\x1b[31mboom")

    monkeypatch.setattr(info, "collect", collect)
    assert refused(mnemoscope, "info", "cue").startswith("error: RuntimeError: boom\nhint: ")


def test_an_interrupt_exits_with_130(
    here: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemoscope.tui.verbs import info

    def collect(*_: object) -> Json:
        raise KeyboardInterrupt

    monkeypatch.setattr(info, "collect", collect)
    code, out, err = mnemoscope("info", "cue")
    assert (code, out, err.strip()) == (130, "", "interrupted")


def test_a_reader_that_has_had_enough_is_no_failure(here: Path) -> None:
    rows = text_rows(release(), "ABCDBC") * 500
    for number, row in enumerate(rows):
        row["qa_id"] = f"nothing-{number}"
    text_run(here / "many", "LTMemory", rows)
    code = "from mnemoscope.tui.cli import main; main()"
    process = subprocess.Popen(
        [*PYTHON, "-c", code, "validate", "cue", "many"],
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline().startswith(b"warning: ")
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0


def test_stdout_holds_data_and_stderr_talk(here: Path) -> None:
    write(here / "runs" / "notes.json", {"about": "nothing"})
    done = a_process(["score", "cue", "runs", "--json"], here)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["runs"]) == 3
    assert done.stderr == "note: not run output, skipped: runs/notes.json\n"


def test_an_unreadable_run_file_is_named_and_the_others_are_scored(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    (here / "runs" / "torn.json").write_text("[{", encoding="utf-8")
    code, out, err = mnemoscope("score", "cue", "runs")
    assert code == 0
    assert "LTMemory" in out
    assert err.startswith(
        "error: torn.json: line 1 column 3: found the end of the file, expected JSON"
    )


def test_a_filter_that_selects_nothing_says_so(here: Path, mnemoscope: Mnemoscope) -> None:
    code, out, err = mnemoscope("score", "cue", "runs", "--filter", "nowhere-to-be-found")
    assert code == 0
    assert err == "note: the filter selects none of 6 questions\n"
    assert "0 of 0 questions without a record" in out


def test_a_stream_of_a_narrow_encoding_still_gets_all(here: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = a_process(["show", "cue", "Food-2", "--json"], here, env=env)
    assert done.returncode == 0
    assert (
        json.loads(done.stdout)["clues"][0]["text"] == "user: 晚上只喝冷泡乌龙茶。\nassistant: 好。"
    )
    plain = a_process(["show", "cue", "Food-2"], here, env=env)
    assert (plain.returncode, plain.stderr) == (0, "")
    assert "user: ??????????" in plain.stdout


# A defect is never cut.
@pytest.mark.parametrize(
    "arguments",
    [one for one in HEADLESS if one[0] != "validate"],
    ids=lambda one: " ".join(one[:2]),
)
def test_a_terminal_gets_lines_that_fit(arguments: list[str], here: Path) -> None:
    code, written = in_a_terminal(arguments, here, COLUMNS="60", LINES="20")
    assert code == 0
    shown = written.split("\x1b[K")[-1].replace("\r\n", "\n")
    assert max(map(cell_width, shown.splitlines())) <= 60


# JSON


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (
            ["info", "cue"],
            "kind name format counts counts.histories counts.sessions counts.rounds "
            "counts.questions counts.images counts.audio defects.errors defects.repaired "
            "defects.warnings",
        ),
        (["info", "runs"], "kind name format counts.records counts.by_status defects.errors"),
        (
            ["validate", "cue", "runs"],
            "defects.severity defects.code defects.file defects.path defects.found "
            "defects.expected defects.repair counts joins.run joins.matched joins.unmatched "
            "joins.ambiguous joins.without_record",
        ),
        (
            ["score", "cue", "runs"],
            "runs.name runs.n_release runs.n_total runs.n_ok runs.correct runs.accuracy "
            "runs.accuracy_ok runs.statuses runs.cells.task runs.cells.setting "
            "runs.cells.correct runs.cells.n runs.cells.n_ok runs.averages "
            "runs.retrieval.metric runs.retrieval.grain runs.retrieval.k runs.retrieval.value "
            "runs.retrieval.n",
        ),
        (
            ["compare", "cue", "two"],
            "a b n both only_a only_b neither unpaired p_mcnemar by_task questions config_diff",
        ),
        (
            ["show", "cue", "Hobby-3", "runs"],
            "question gold clues.as_written clues.target clues.id clues.state clues.text "
            "runs.name runs.answer runs.parsed runs.correct runs.status runs.verdicts "
            "runs.retrieved.rank runs.retrieved.score runs.retrieved.source_ids "
            "runs.retrieved.hit",
        ),
    ],
    ids=lambda one: str(one[0]) if isinstance(one, list) else "",
)
def test_json_has_the_keys_that_the_design_promises(
    arguments: list[str], keys: str, here: Path, mnemoscope: Mnemoscope
) -> None:
    found = document(mnemoscope, *arguments)
    for path in keys.split():
        value: Any = found
        for key in path.split("."):
            value = value[0] if isinstance(value, list) else value
            assert key in value, path
            value = value[key]


def test_info_says_of_a_release_what_it_holds(here: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "info", "cue")
    assert (found["kind"], found["name"], found["format"]) == ("release", "cue", "cue-mem")
    assert found["counts"] == {
        "histories": 1,
        "sessions": 2,
        "rounds": 4,
        "questions": 6,
        "images": 1,
        "audio": 1,
    }
    assert found["defects"] == {"errors": 0, "repaired": 0, "warnings": 1}


def test_info_says_of_each_run_what_became_of_its_records(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    write(here / "runs" / "notes.json", {"about": "nothing"})
    found = document(mnemoscope, "info", "runs")
    assert found["kind"] == "runs"
    assert found["counts"] == {
        "runs": 3,
        "records": 18,
        "by_status": {"ok": 15, "error": 2, "unparsed": 1},
    }
    assert [run["counts"]["records"] for run in found["runs"]] == [6, 6, 6]
    assert found["skipped"] == ["notes.json"]


def test_info_takes_one_run_by_itself(here: Path, mnemoscope: Mnemoscope) -> None:
    file = next((here / "runs").rglob("p0_results.json"))
    found = document(mnemoscope, "info", file, "--format", "cue-mem-rq3")
    assert (found["kind"], found["format"]) == ("run", "cue-mem-rq3")
    assert found["counts"]["by_status"] == {"ok": 5, "error": 1}


def test_validate_names_each_defect_and_how_runs_join(here: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "validate", "cue", "runs")
    assert found["counts"] == {"errors": 0, "repaired": 0, "warnings": 2}
    keys = {"severity", "code", "file", "path", "found", "expected", "repair"}
    assert all(set(defect) == keys for defect in found["defects"])
    assert found["defects"][0]["code"] == "clue_unknown_id"
    assert found["defects"][0]["path"] == '$["human-annotated QAs"][3].clue[1]'
    join = found["joins"][0]
    assert (join["run"], join["matched"], join["unmatched"]) == ("MM", 6, 0)
    assert (join["ambiguous"], join["without_record"]) == (0, 0)


def test_validate_fails_on_errors_and_strictly_on_warnings(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    assert mnemoscope("validate", "cue", "runs")[0] == 0
    assert mnemoscope("validate", "cue", "runs", "--strict")[0] == 1
    assert mnemoscope("validate", "two", "--strict")[0] == 0
    data = release()
    data["human-annotated QAs"][0]["qa_id"] = None
    write(here / "cue" / "history_with_qa_p0.json", data)
    code, out, _ = mnemoscope("validate", "cue")
    assert code == 1
    assert out.startswith('error: history_with_qa_p0.json: $["human-annotated QAs"][0].qa_id: ')


def test_validate_says_which_rows_join_to_nothing(here: Path, mnemoscope: Mnemoscope) -> None:
    rows = text_rows(release(), "ABCDBC")
    rows[1]["qa_id"] = "nothing"
    rows.append(rows[2])
    text_run(here / "odd", "LTMemory", rows)
    code, out, _ = mnemoscope("validate", "cue", "odd")
    assert code == 0
    assert "$[1]: of run LTMemory: no question (p0/entity_text/nothing)" in out
    assert "$[6]: of run LTMemory: repeated (p0/pref_text/Food-2)" in out
    assert mnemoscope("validate", "cue", "odd", "--strict")[0] == 1
    (join,) = document(mnemoscope, "validate", "cue", "odd")["joins"]
    assert join["reasons"] == {"no_question": 1, "repeated": 1}
    assert (join["matched"], join["unmatched"], join["without_record"]) == (5, 2, 1)


def test_show_gives_question_gold_clues_and_answers(here: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "show", "cue", "p0/pref_text/Hobby-3", "runs")
    assert found["question"]["stem"] == "What goes with Hobby-3?"
    assert found["gold"]["option"] == "D"
    clue, unknown = found["clues"]
    assert (clue["as_written"], clue["target"], clue["id"]) == ("D01-001.wav", "audio", "D01-001")
    assert clue["text"] == "voice: good night\nbackground: a sewing machine"
    assert (unknown["state"], unknown["text"]) == ("unknown_id", "")
    failed, wrong, right = found["runs"]
    assert (failed["name"], failed["status"], failed["correct"]) == ("MM", "error", False)
    assert failed["stored_right_on_failure"]
    assert (wrong["answer"], wrong["parsed"], wrong["correct"]) == ("C", "C", False)
    assert (right["correct"], right["reasoning"]) == (True, "It was said.")
    assert [item["hit"] for item in failed["retrieved"]] == [False, False, True]
    assert failed["retrieved"][2]["source_ids"] == ["D01:01"]
    assert right["verdicts"] == []


def test_show_follows_the_chosen_captions(here: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "show", "cue", "Items-1", "--textualisation", "image=none")
    assert found["textualisation"] == {"image": "none", "audio": "hint"}
    assert found["clues"][0]["text"] == ""


def test_show_keeps_what_only_an_evaluator_may_see_until_asked(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    assert "why Hobby-3 is D" not in mnemoscope("show", "cue", "Hobby-3")[1]
    assert "why Hobby-3" not in mnemoscope("show", "cue", "Hobby-3", "--json")[1]
    code, out, _ = mnemoscope("show", "cue", "Hobby-3", "--evaluator")
    assert code == 0
    assert "rationale: why Hobby-3 is D" in out
    found = document(mnemoscope, "show", "cue", "Hobby-3", "--evaluator")
    assert found["evaluator"]["question"]["rationale"] == "why Hobby-3 is D"
    assert found["evaluator"]["sessions"]["D01"]["task_id"] == "0-1-0"


def test_show_gives_a_round_with_captions_questions_and_the_runs_that_retrieved_it(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    found = document(mnemoscope, "show", "cue", "p0/D01:01", "runs")
    assert found["place"] == {"history": "p0", "session": "D01", "round": "D01:01"}
    (session,) = found["sessions"]
    (one,) = session["rounds"]
    voice, reply = one["messages"]
    (clip,) = voice["attachments"]
    assert (clip["id"], clip["caption"]) == (
        "D01-001",
        "voice: good night\nbackground: a sewing machine",
    )
    assert (reply["speaker"], reply["text"]) == ("assistant", "Sleep well.")
    assert [question["key"] for question in one["questions"]] == [
        "p0/pref_text/Hobby-3",
        "p0/rec_text/Hobby-4",
    ]
    letters = {run["letter"]: run["name"] for run in found["runs"]}
    retrieved = {letters[run["letter"]]: run for run in one["retrieved"]}
    assert retrieved["MM"]["questions"] >= 1
    assert retrieved["MM"]["best_rank"] == 3
    assert one["questions"][0]["outcomes"].keys() == letters.keys()


@pytest.mark.parametrize(
    ("what", "rounds"),
    [
        (["p0"], ["D00:00", "D00:01", "D01:00", "D01:01"]),
        (["D01"], ["D01:00", "D01:01"]),
        (["p0 D01"], ["D01:00", "D01:01"]),
        (["p0/D01:00"], ["D01:00"]),
    ],
)
def test_show_gives_a_history_a_session_or_a_round(
    here: Path, mnemoscope: Mnemoscope, what: list[str], rounds: list[str]
) -> None:
    found = document(mnemoscope, "show", "cue", *what)
    assert [one["id"] for of in found["sessions"] for one in of["rounds"]] == rounds
    assert found["runs"] == []


def test_show_follows_the_chosen_captions_in_a_dialogue(here: Path, mnemoscope: Mnemoscope) -> None:
    assert "a desk with a brass lamp" in mnemoscope("show", "cue", "D00:01")[1]
    said = mnemoscope("show", "cue", "D00:01", "--textualisation", "image=none")[1]
    assert "a desk with a brass lamp" not in said
    assert "no caption in this variant" in said


def test_show_keeps_evaluator_only_parts_of_a_dialogue_until_asked(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    assert "task_id" not in mnemoscope("show", "cue", "p0", "--json")[1]
    assert "◇ session task_id: 0-1-0" in mnemoscope("show", "cue", "p0", "--evaluator")[1]
    (session,) = document(mnemoscope, "show", "cue", "D01", "--evaluator")["sessions"]
    assert session["evaluator"]["task_id"] == "0-1-0"


def test_where_a_question_is_called_as_its_history_a_flag_chooses(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    write_native(a_release([a_question("one/one", clues=["D00:01"])]), tmp_path / "native")
    assert "question" in document(mnemoscope, "show", tmp_path / "native", "one")
    found = document(mnemoscope, "show", tmp_path / "native", "one", "--history")
    assert found["place"] == {"history": "one", "session": None, "round": None}


def test_show_says_when_a_run_has_no_record(here: Path, mnemoscope: Mnemoscope) -> None:
    text_run(here / "part", "LTMemory", text_rows(release(), "ABCDBC")[:2])
    (run,) = document(mnemoscope, "show", "cue", "Food-5", "part")["runs"]
    assert (run["status"], run["answer"], run["correct"]) == ("no_record", None, None)
    assert "A LTMemory  – no record\n" in mnemoscope("show", "cue", "Food-5", "part")[1]


def test_score_counts_by_the_rule_of_each_run(here: Path, mnemoscope: Mnemoscope) -> None:
    found = {run["name"]: run for run in document(mnemoscope, "score", "cue", "runs")["runs"]}
    mm, fu, lt = found["MM"], found["FUMemory"], found["LTMemory"]
    assert (lt["correct"], lt["n_total"], lt["n_ok"], lt["n_release"]) == (4, 6, 6, 6)
    assert (fu["correct"], fu["n"], fu["accuracy_ok"]) == (2, 6, 0.5)
    assert fu["statuses"] == {"ok": 4, "error": 1, "unparsed": 1}
    assert (mm["correct"], mm["stored_right_on_failure"]) == (3, 1)
    assert (mm["rule"], lt["rule"]) == ("rq3", "rq1")
    cell = lt["cells"][0]
    assert (cell["task"], cell["setting"]) == ("entity_recall", "explicit")
    assert (cell["correct"], cell["n"], cell["n_ok"]) == (1, 1, 1)
    assert lt["averages"]["memory"]["implicit"]["value"] == pytest.approx(2 / 3)
    row = lt["retrieval"][0]
    assert (row["metric"], row["grain"], row["k"], row["n"]) == ("recall", "round", 1, 6)
    assert row["value"] == pytest.approx(0.25)


def test_score_takes_another_rule_and_says_so(here: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "score", "cue", "two", "--rule", "rq3")
    assert [run["rule"] for run in found["runs"]] == ["rq3", "rq3"]
    assert found["runs"][0]["statuses"] == {"ok": 5, "error": 1}
    assert "rule rq3" in mnemoscope("score", "cue", "two", "--rule", "rq3")[1]


def test_score_looks_at_a_subset_or_a_filter(here: Path, mnemoscope: Mnemoscope) -> None:
    (run, _) = document(mnemoscope, "score", "cue", "two", "--subset", "audio")["runs"]
    assert (run["n_release"], run["n"]) == (2, 2)
    assert run["retrieval_states"] == {"not measurable (whole history sent)": 2}
    (run, _) = document(mnemoscope, "score", "cue", "two", "--filter", "setting:explicit")["runs"]
    assert (run["n_release"], run["n"]) == (3, 3)
    both = ["--filter", "task:personal", "--subset", "audio"]
    (run, _) = document(mnemoscope, "score", "cue", "two", *both)["runs"]
    assert run["n"] == 1


@pytest.mark.parametrize("by", ["history", "category", "setting", "task", "form", "clues"])
def test_score_groups_by_what_is_asked(by: str, here: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "score", "cue", "two", "--by", by)["runs"][0]["by"]
    assert found["dimension"] == by
    assert sum(group["n"] for group in found["groups"]) == 6
    assert by in mnemoscope("score", "cue", "two", "--by", by)[1]


def test_compare_counts_pairs_and_lists_the_questions_that_differ(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    found = document(mnemoscope, "compare", "cue", "two")
    assert (found["a"], found["b"], found["n"]) == ("FUMemory", "LTMemory", 6)
    counts = [found[key] for key in ("both", "only_a", "only_b", "neither", "unpaired")]
    assert counts == [1, 1, 3, 1, 0]
    assert found["p_mcnemar"] == pytest.approx(0.625)
    assert found["questions"]["only_a"] == ["p0/adversarial_text/Food-5"]
    assert [row["n"] for row in found["by_task"]] == [2, 2, 1, 1]
    assert [one["name"] for one in found["config_diff"]] == ["system"]


def test_compare_lets_the_pair_be_chosen(here: Path, mnemoscope: Mnemoscope) -> None:
    def pair(*arguments: str) -> tuple[str, str]:
        found = document(mnemoscope, "compare", "cue", *arguments)
        return found["a"], found["b"]

    assert pair("runs", "--a", "C", "--b", "A") == ("LTMemory", "MM")
    assert pair("two", "--a", "LTMemory") == ("LTMemory", "FUMemory")
    assert pair("two", "--b", "FUMemory") == ("LTMemory", "FUMemory")
    one, other = (str(path) for path in sorted((here / "two").rglob("*Memory"), reverse=True))
    assert pair(one, other) == ("LTMemory", "FUMemory")


def test_compare_takes_a_and_b_in_a_filter_for_the_chosen_pair(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    chosen = ["compare", "cue", "runs", "--a", "LTMemory", "--b", "MM"]
    found = document(mnemoscope, *chosen, "--filter", "sys:A.right sys:B.error")
    assert found["n"] == found["only_a"] == 1
    assert found["questions"]["only_a"] == ["p0/pref_text/Hobby-3"]


def test_compare_lists_twenty_questions_until_asked_for_all(mnemoscope: Mnemoscope) -> None:
    from mnemoscope.tui.verbs import compare_lines

    data: Json = {
        "differing": [
            {"key": f"p0/{n}", "task": "t", "setting": "", "stem": "", "a": "right", "b": "wrong"}
            for n in range(30)
        ]
    }
    some = list(compare_lines.question_lines(data["differing"], every=False))
    assert some[0] == "questions that differ: 30, the first 20 (--questions lists all)"
    assert len(some) == 23
    assert len(list(compare_lines.question_lines(data["differing"], every=True))) == 33


def test_matrix_counts_questions_by_how_many_runs_are_right(
    here: Path, mnemoscope: Mnemoscope
) -> None:
    found = document(mnemoscope, "matrix", "cue", "runs", "--rows")
    assert (found["n"], found["all_right"], found["all_wrong"]) == (6, 1, 0)
    assert found["histogram"] == [0, 4, 1, 1]
    assert found["rows"][3]["outcomes"] == ["failed", "wrong", "right"]
    assert "rows" not in document(mnemoscope, "matrix", "cue", "runs")


def test_demo_without_a_terminal_gives_three_things(here: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "demo")
    assert list(found) == ["overview", "question", "comparison"]
    assert found["overview"]["counts"]["questions"] == 6
    assert [run["accuracy"] for run in found["overview"]["runs"]] == pytest.approx([1 / 3, 2 / 3])
    assert found["question"]["question"]["key"] == found["comparison"]["questions"]["only_b"][0]
    assert mnemoscope("demo") == mnemoscope(*DEMO)


def test_demo_at_a_terminal_opens_the_sample_and_forgets_it(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemoscope.tui.verbs import demo

    asked: list[tuple[OpenRequest | None, bool]] = []
    monkeypatch.setattr(console, "has_terminal", lambda: True)
    monkeypatch.setattr(
        demo, "run_app", lambda request, *, remember, **_: asked.append((request, remember))
    )
    assert cli.run(["demo"]) == 0
    assert asked == [(sample.sample_request(), False)]


# Text from data


HOSTILE = "\x1b[2J\x1b]0;title\x07\u202e\x9b31m[bold red]\r\nerror: not ours\x00\ud800"


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release and runs with control characters wherever text can stand."""
    data = release(name=HOSTILE, stem=HOSTILE, caption=HOSTILE)
    asked = data["human-annotated QAs"]
    asked[3]["qa_id"] += HOSTILE
    asked[4]["category"] = HOSTILE
    asked[4]["clue"].append(HOSTILE)
    asked[5]["rationale"] = HOSTILE
    write_release(tmp_path / "cue", data)
    answers = ["A", "B", "C", "D", "B" + HOSTILE, HOSTILE]
    retrieved = ["D00:00", HOSTILE, "D01:00"]
    odd = "LT\x1b[31mMemory[red]"
    text_run(tmp_path / "runs", odd, text_rows(data, answers, retrieved, HOSTILE))
    fused_run(tmp_path / "runs", "MM", fused_rows(data, [*answers[:5], "C"], retrieved))
    (tmp_path / "runs" / "torn\x1b[31m\u202e.json").write_text("[", encoding="utf-8")
    write(tmp_path / "runs" / "odd\x1b[31m\u202e.json", {})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        sample, "sample_request", lambda *_: OpenRequest(Path("cue"), (Path("runs"),))
    )
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["info", "cue"],
        ["info", "runs"],
        ["validate", "cue", "runs"],
        ["show", "cue", "Relationship-0", "runs", "--evaluator"],
        ["show", "cue", "Hobby-4", "runs", "--evaluator"],
        ["show", "cue", "p0/pref_text/Hobby", "runs"],
        ["show", "cue", "Food-5", "runs", "--evaluator"],
        ["show", "cue", f"nothing{HOSTILE}"],
        ["score", "cue", "runs", "--by", "category"],
        ["score", "cue", f"nothing{HOSTILE}"],
        ["score", "cue", "runs", "--filter", f"{HOSTILE}:a"],
        ["compare", "cue", "runs", "--a", "LT", "--b", "MM"],
        ["compare", "cue", "runs", "--a", HOSTILE, "--b", "MM"],
        ["matrix", "cue", "runs", "--rows"],
        ["demo", "--plain"],
        [f"verb{HOSTILE}"],
    ],
    ids=lambda one: " ".join(one[:3]).encode("ascii", "ignore").decode().replace("\x1b", "")[:30],
)
def test_nothing_that_a_terminal_would_obey_is_printed(
    arguments: list[str], hostile: Path, mnemoscope: Mnemoscope
) -> None:
    _, out, err = mnemoscope(*arguments)
    assert out or err
    for text in (out, err):
        odd = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs")} - {"\n"}
        assert not odd, odd
    assert not any(line.startswith("error: not ours") for line in (out + err).splitlines())


def test_markup_is_printed_as_it_stands(hostile: Path, mnemoscope: Mnemoscope) -> None:
    assert "[bold red]" in mnemoscope("show", "cue", "Food-5", "runs")[1]
    assert "Memory[red]" in mnemoscope("score", "cue", "runs")[1]


def test_json_carries_text_exactly_but_for_half_a_surrogate_pair(
    hostile: Path, mnemoscope: Mnemoscope
) -> None:
    found = document(mnemoscope, "show", "cue", "Food-5", "runs", "--evaluator")
    exact = HOSTILE.replace("\ud800", "\N{REPLACEMENT CHARACTER}")
    assert found["evaluator"]["question"]["rationale"] == exact
    assert found["runs"][-1]["answer"] == exact
    assert found["runs"][-1]["retrieved"][1]["source_ids"] == [exact]


def test_json_has_null_where_there_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json({"a": [float("nan"), 1.5], "b": {"c": float("inf")}})
    assert json.loads(capsys.readouterr().out) == {"a": [None, 1.5], "b": {"c": None}}


# Imports


def test_help_and_version_import_next_to_nothing(tmp_path: Path) -> None:
    heavy = ("textual", "rich", "polars", "pydantic", "PIL", "numpy")
    code = (
        "import sys\n"
        "from mnemoscope.tui.cli import run\n"
        f"codes = [run(['--help']), run(['--version'])]\n"
        f"found = [name for name in {heavy} if name in sys.modules]\n"
        "print(codes, found, file=sys.stderr)"
    )
    done = subprocess.run(
        [*PYTHON, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == "[0, 0] []\n"


@pytest.mark.parametrize("arguments", [*HEADLESS, DEMO], ids=lambda one: " ".join(one[:3]))
def test_a_headless_verb_never_imports_textual(arguments: list[str], here: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from mnemoscope.core.opening import OpenRequest\n"
        "from mnemoscope.tui import sample\n"
        "from mnemoscope.tui.cli import run\n"
        "sample.sample_request = lambda *_: OpenRequest(Path('cue'), (Path('two'),))\n"
        f"code = run({arguments!r})\n"
        "heavy = [name for name in ('textual', 'PIL', 'rich.console') if name in sys.modules]\n"
        "print(code, heavy, file=sys.stderr)"
    )
    done = subprocess.run(
        [*PYTHON, "-c", code], cwd=here, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == "0 []\n"


# Tables


def test_a_table_is_aligned_by_cells_and_leaves_out_empty_columns_of_text() -> None:
    rows: list[list[object]] = [["冷泡", "", 5], ["a", None, 1234]]
    assert list(tables.table(["<name", "<empty", "n"], rows)) == [
        "name     n",
        "冷泡     5",
        "a     1234",
    ]


def test_a_narrow_terminal_cuts_text_and_never_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("a name of some length", 948, "and a remark that is long", 1234567)]
    columns = ["<name", "n", "<remark", "total"]
    for width in range(10, 70):
        monkeypatch.setattr(console, "width", lambda width=width: width)
        for line in tables.table(columns, rows):
            assert cell_width(line) <= max(width, 11)
            numbers = [word for word in line.split() if word.isdecimal()]
            assert set(numbers) <= {"948", "1234567"}


def test_a_narrow_terminal_drops_text_before_figures_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    columns = ["<", "<run", "<backbone", "correct", "accuracy", "<note"]
    rows = [("A", "LTMemory", "lexical-scorer", 34, "57.6 %", "the best of all")]
    shown = {}
    for width in (52, 44, 36, 20, 10):
        monkeypatch.setattr(console, "width", lambda width=width: width)
        shown[width] = [" ".join(line.split()) for line in tables.table(columns, rows)]
    assert shown == {
        52: ["run backbone correct accuracy note", "A LTMemory lexical-… 34 57.6 % the best…"],
        44: ["run backbone correct accuracy …", "A LTMemory lexical-… 34 57.6 % …"],
        36: ["run correct accuracy …", "A LTMemory 34 57.6 % …"],
        20: ["run …", "A LTMemory …"],
        10: ["…", "A …"],
    }


def test_a_cell_of_megabytes_does_not_make_every_row_as_wide() -> None:
    lines = list(tables.table(["<name", "n"], [["x" * 1_000_000, 1], ["y", 2]]))
    assert max(map(len, lines)) < 10_100
    assert lines[1].endswith("…  1")


def test_a_block_stands_in_on_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(tables.block("one\r\n\x1b[1mtwo\tthree")) == ["  one", "  two three"]
    monkeypatch.setattr(console, "width", lambda: 22)
    assert all(line.startswith("    ") for line in tables.block("word " * 30, indent=4))


def test_signs_are_those_of_the_app() -> None:
    names = {"failed": "error", "not_judged": "unjudged", "no_record": "none"}
    for name in ("right", "wrong", "failed", "unparsed", "not_judged", "no_record"):
        assert marks.sign(name) == MARKS[names.get(name, name)].glyph
    assert all(MARKS[name].glyph == "!" for name in ("timeout", "refused", "budget"))


# Real data


def locomo(*names: str) -> list[str]:
    """The published LoCoMo release and run outputs beside this checkout."""
    if not LOCOMO.is_dir():
        pytest.skip("the published run outputs are not beside this checkout")
    runs = [LOCOMO / "locomo-runs" / name for name in names]
    return [str(path) for path in (LOCOMO / "locomo" / "locomo10.json", *runs)]


def test_zep_and_memobase_are_compared_as_published(mnemoscope: Mnemoscope) -> None:
    paths = locomo("zep", "memobase/memobase_eval_0710_3000.json")
    found = document(mnemoscope, "compare", *paths)
    counts = [found[key] for key in ("both", "only_a", "only_b", "neither")]
    assert (found["n"], counts) == (1540, [948, 209, 219, 164])
    _, out, _ = mnemoscope("compare", *paths)
    words = [line.split() for line in out.splitlines()]
    names = ("both right", "only A right", "only B right", "neither right")
    for name, count in zip(names, counts, strict=True):
        assert any(line[: len(name.split()) + 1] == [*name.split(), str(count)] for line in words)


def test_all_eight_full_runs_are_right_on_296_questions_and_wrong_on_32(
    mnemoscope: Mnemoscope,
) -> None:
    paths = locomo("zep", "memobase", "agentmem-mem0", "full-context")
    found = document(mnemoscope, "matrix", *paths)
    assert (len(found["runs"]), found["n"]) == (8, 1540)
    assert (found["all_right"], found["all_wrong"]) == (296, 32)
    _, out, _ = mnemoscope("matrix", *paths)
    assert "all right        296" in out
    assert "all wrong         32" in out


# What is here


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration file that is not there yet; nothing else in the environment counts."""
    file = tmp_path / "config.toml"
    monkeypatch.setenv("MNEMOSCOPE_CONFIG", str(file))
    for name in ("MNEMOSCOPE_AUDIO", "SSH_CONNECTION", "SSH_TTY", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return file


def found(mnemoscope: Mnemoscope, topic: str) -> dict[str, tuple[str, str]]:
    """What the doctor finds on a topic: state and finding by name."""
    rows = document(mnemoscope, "doctor")["checks"]
    return {row["name"]: (row["state"], row["found"]) for row in rows if row["topic"] == topic}


def test_locate_prints_paths_and_what_moved_them(
    config: Path, tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    config.touch()
    code, out, err = mnemoscope("locate")
    assert (code, err) == (0, "")
    assert f"config      yes       {config} (by MNEMOSCOPE_CONFIG)" in out
    assert f"recent      no        {tmp_path / 'state' / 'recent.json'}" in out
    paths = document(mnemoscope, "locate")["paths"]
    assert paths["config"] == {
        "path": str(config),
        "exists": True,
        "variable": "MNEMOSCOPE_CONFIG",
    }
    assert paths["package"]["variable"] is None
    assert (Path(paths["sample"]["path"]) / "cue").is_dir()
    assert not (tmp_path / "state").exists()


def test_the_doctor_looks_at_everything_and_breaks_nothing(
    config: Path, mnemoscope: Mnemoscope
) -> None:
    code, out, err = mnemoscope("doctor")
    assert (code, err) == (0, "")
    topics = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert topics[:4] == ["terminal", "pictures", "desktop", "sound"]
    assert topics[4:] == [
        *("extras", "system", "folders", "configuration"),
        "nothing that is asked for is broken",
    ]
    assert mnemoscope("doctor", "--strict")[0] == 0


def test_the_doctor_names_what_the_configuration_says_in_vain(
    config: Path, mnemoscope: Mnemoscope
) -> None:
    config.write_text('theme = "x"\n[keys]\n"history.fly" = "f"\n', encoding="utf-8")
    code, out, _ = mnemoscope("doctor")
    assert code == 0
    assert '✗ theme: line 1: no theme named "x"' in out
    assert "✗ keys.history.fly: line 3: no such action" in out
    assert out.endswith("\n2 broken\n")
    assert mnemoscope("doctor", "--strict")[0] == 1
    assert document(mnemoscope, "doctor")["broken"] == 2


def test_what_is_absent_is_only_a_fault_when_it_is_asked_for(
    config: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = replace(doctor.this_machine(), has_module=lambda _: False, which=lambda _: None)
    monkeypatch.setattr(doctor, "this_machine", lambda: without)
    sound = found(mnemoscope, "sound")
    assert sound["miniaudio"] == ("absent", "not installed; pip install 'mnemoscope[audio]'")
    assert sound["system"] == ("absent", "no player that is known")
    assert sound["setting"] == ("absent", "auto: nothing plays")
    assert mnemoscope("doctor", "--strict")[0] == 0
    config.write_text('audio = "simpleaudio"', encoding="utf-8")
    assert found(mnemoscope, "sound")["simpleaudio"][0] == "broken"
    assert found(mnemoscope, "sound")["miniaudio"][0] == "absent"
    assert mnemoscope("doctor", "--strict")[0] == 1
    monkeypatch.setenv("MNEMOSCOPE_AUDIO", "trumpet")
    assert found(mnemoscope, "sound")["asked for"][0] == "broken"


def test_the_doctor_knows_why_pictures_are_not_drawn(
    config: Path, mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert found(mnemoscope, "pictures")["drawn as"][0] == "works"
    monkeypatch.setenv("NO_COLOR", "1")
    assert found(mnemoscope, "pictures")["drawn as"] == (
        "absent",
        "off: NO_COLOR is set, and pictures are made of colours",
    )
    assert found(mnemoscope, "terminal")["colours"] == ("fact", "none: NO_COLOR is set")
    config.write_text('images = "kitty"', encoding="utf-8")
    assert found(mnemoscope, "pictures")["drawn as"][0] == "broken"


@pytest.mark.parametrize(
    ("environ", "system", "programs", "state", "part"),
    [
        ({"DISPLAY": ":0"}, "linux", ["xdg-open"], "works", "with xdg-open"),
        ({"DISPLAY": ":0"}, "linux", [], "absent", "xdg-open is not installed"),
        ({}, "linux", ["xdg-open"], "absent", "there is no display"),
        ({"SSH_TTY": "/dev/pts/1", "DISPLAY": ":0"}, "linux", ["xdg-open"], "absent", "over SSH"),
        ({}, "darwin", ["open"], "works", "with open"),
        ({}, "win32", [], "works", "by Windows"),
    ],
)
def test_the_doctor_says_what_opens_files(
    environ: dict[str, str],
    system: str,
    programs: list[str],
    state: str,
    part: str,
    mnemoscope: Mnemoscope,
    config: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    which: Callable[[str], str | None] = lambda name: name if name in programs else None  # noqa: E731
    machine = replace(doctor.this_machine(), environ=environ, system=system, which=which)
    monkeypatch.setattr(doctor, "this_machine", lambda: machine)
    said = found(mnemoscope, "desktop")["opening files"]
    assert said[0] == state
    assert part in said[1]


def test_the_doctor_lists_every_extra_with_versions(config: Path, mnemoscope: Mnemoscope) -> None:
    extras = found(mnemoscope, "extras")
    assert set(extras) == set(metadata("mnemoscope").get_all("Provides-Extra") or [])
    assert all(said for _, said in extras.values())
    assert found(mnemoscope, "system")["textual"][1][0].isdigit()


def test_a_folder_that_cannot_be_written_is_broken(
    config: Path, mnemoscope: Mnemoscope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    monkeypatch.setenv("MNEMOSCOPE_STATE_DIR", str(blocked / "state"))
    assert found(mnemoscope, "folders")["state"][0] == "broken"
    assert not document(mnemoscope, "locate")["paths"]["recent"]["exists"]


@pytest.mark.parametrize("verb", ["locate", "doctor"])
def test_looking_around_loads_nothing_heavy(verb: str, tmp_path: Path) -> None:
    heavy = ("textual", "rich.console", "PIL", "polars", "numpy", "miniaudio", "simpleaudio")
    code = (
        "import sys\n"
        "from mnemoscope.tui.cli import run\n"
        f"code = run([{verb!r}])\n"
        f"print(code, [name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [*PYTHON, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "MNEMOSCOPE_CONFIG": str(tmp_path / "none.toml")},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == "0 []\n"


# The manual


def test_the_manual_has_every_verb_and_every_flag() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for verb in cli.VERBS:
        assert f"\n## {verb}\n" in text
        command = import_module(f"mnemoscope.tui.verbs.{verb}").command
        inner = command.commands.values() if isinstance(command, click.Group) else ()
        for parameter in (one for of in (command, *inner) for one in of.params):
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert f"`{max(parameter.opts, key=len)}" in text, (verb, parameter.opts)


def test_the_manual_has_the_filter_language_as_it_is() -> None:
    text = DOCS.read_text(encoding="utf-8")
    cells = [(a.replace("|", "\\|"), b.replace("|", "\\|")) for a, b in help_rows()]
    table = ["| filter | selects |", "|---|---|", *(f"| `{a}` | {b} |" for a, b in cells)]
    assert "\n".join(table) in text


def examples() -> list[tuple[str, list[str]]]:
    """The commands of the manual with the lines shown of what they print."""
    blocks = DOCS.read_text(encoding="utf-8").split("```console\n$ mnemoscope ")[1:]
    split = [block.partition("\n```")[0].split("\n") for block in blocks]
    # What opens the app, or writes a folder, is tried elsewhere.
    return [
        (command, shown) for command, *shown in split if not command.startswith(("open", "convert"))
    ]


@pytest.mark.parametrize(("command", "shown"), examples(), ids=lambda one: str(one)[:20])
def test_an_example_of_the_manual_is_what_is_printed(
    command: str, shown: list[str], mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    code, out, err = mnemoscope(*command.split())
    assert (code, err) == (1 if command.startswith("validate") else 0, "")
    printed = out.rstrip("\n").split("\n")
    # An ellipsis stands for lines left out.
    for part in "\n".join(shown).split("\n…"):
        lines = part.strip("\n").split("\n") if part else []
        at = printed.index(lines[0]) if lines else 0
        assert printed[at : at + len(lines)] == lines
        printed = printed[at + len(lines) :]
    assert not printed or shown[-1] == "…" or "…" in shown


def test_the_manual_has_an_example_of_every_verb() -> None:
    shown = {command.split()[0] for command, _ in examples()}
    # No run that comes along saw questions alone; generate.md has the example of generate; track
    # and convert only write.
    without = {"open", "convert", "generate", "track", "controls"}
    assert shown == set(cli.VERBS) - without


def test_the_sample_that_comes_along_is_what_the_demo_shows(mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "demo")
    assert len(found["overview"]["runs"]) == 2
    assert found["overview"]["defects"]["errors"] == 0
    assert found["question"]["runs"][0]["retrieved"]
    assert found["comparison"]["n"] == found["overview"]["counts"]["questions"]
