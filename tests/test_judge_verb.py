"""``mnemoscope judge`` against an endpoint on this machine, and verdicts that decide elsewhere."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.backbones import endpoint as endpoint_module
from mnemoscope.core.backbones.endpoint import Endpoint, Patience
from tests.cli_data import Mnemoscope, write_all
from tests.fault_server import Act, FaultServer, completion, serving

KEY = "sk-very-secret-0123456789"
needs_llm = pytest.mark.skipif(find_spec("openai") is None, reason="the extra llm is not installed")

# Any: JSON documents.
Json = dict[str, Any]
Judge = Callable[..., tuple[int, Json, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMOSCOPE_API_KEY", KEY)
    for name in ("MNEMOSCOPE_ENDPOINT", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    async def sleep(_: float) -> None:
        pass

    patient = partial(Endpoint, patience=Patience(attempts=3, sleep=sleep))
    monkeypatch.setattr(endpoint_module, "Endpoint", patient)
    return tmp_path


@pytest.fixture
def judge(here: Path, mnemoscope: Mnemoscope) -> Judge:
    """Runs ``judge … --json``; exit code, document and stderr."""

    def call(*arguments: object) -> tuple[int, Json, str]:
        code, out, err = mnemoscope("judge", *arguments, "--json")
        return code, json.loads(out) if out else {}, err

    return call


def says(verdict: str, reason: str = "seen") -> Act:
    return Act(completion(json.dumps({"verdict": verdict, "reason": reason})))


def by_letter(right: str) -> Callable[[Json], Act]:
    """A judge that calls answers right by the letter they begin with."""

    def act(body: Json) -> Act:
        answer = body["messages"][1]["content"].partition("# Answer to judge\n")[2]
        return says("right" if answer[:1] in right else "wrong")

    return act


def lines_of(folder: Path, name: str) -> list[Json]:
    (path,) = folder.rglob(f"{name}*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def asked_of(server: FaultServer, model: str) -> int:
    return sum(body["model"] == model for body in server.asked)


LT = ("cue", "runs/result_debug/base/tiny-7b/LTMemory")


def test_without_a_model_the_rule_judges_and_nothing_is_asked(judge: Judge, here: Path) -> None:
    code, data, err = judge("cue", "runs", "--judge", "rule:rq1")
    assert (code, err) == (0, "")
    assert data["used"] == {"calls": 0, "tokens": 0}
    runs = {run["name"]: run for run in data["runs"]}
    assert runs["LTMemory"]["judges"][0]["right"]["value"] == 4 / 6
    # A failed record is no answer to judge.
    assert {name: (run["answers"], run["failed"]) for name, run in runs.items()} == {
        "LTMemory": (6, 0),
        "FUMemory": (5, 1),
        "MM": (5, 1),
    }
    assert len(list((here / "data" / "verdicts").rglob("rule-rq1.jsonl"))) == 3


@needs_llm
def test_verdicts_stand_beside_each_other_and_are_asked_for_once(
    judge: Judge, here: Path, mnemoscope: Mnemoscope
) -> None:
    with serving(by_letter("AB")) as server:
        code, data, err = judge(*LT, "--panel", "endpoint:a,endpoint:b", "--endpoint", server.url)
        assert (code, err) == (0, "")
        assert (asked_of(server, "a"), asked_of(server, "b")) == (6, 6)
        judge(*LT, "--judge", "endpoint:a", "--endpoint", server.url)
        assert len(server.asked) == 12
    assert set(server.keys) == {KEY}
    assert data["runs"][0]["panel"]["unanimous"]["value"] == 1
    lines = lines_of(here / "data", "endpoint-a")
    assert [line["value"] for line in lines].count("right") == 3
    assert {line["prompt"].split()[0] for line in lines} == {"option-1"}
    assert {line["served"] for line in lines} == {"served"}
    assert all(line["judge"].startswith("endpoint:a@") and line["answer"] for line in lines)
    code, out, err = mnemoscope("score", *LT, "--verdicts", "endpoint:a", "--json")
    (run,) = json.loads(out)["runs"]
    assert (code, run["correct"], run["n"]) == (0, 3, 6)
    assert run["rule"].startswith("endpoint:a@")
    assert run["deciding"]["changed"] == 3
    assert "decides 6 of 6 records, 3 of them otherwise than rq1" in err
    out = mnemoscope("show", "cue", "Relationship-0", LT[1])[1]
    assert out.count("verdict  endpoint:") == 2
    shown = json.loads(mnemoscope("compare", "cue", "runs", "--a", "LT", "--b", "FU", "--json")[1])
    assert shown["runs"][0]["rule"] == "rq1"
    # Elsewhere than in the usual folder there are none.
    code, _, err = mnemoscope("score", *LT, "--verdicts", "endpoint:a", "--judged", "empty")
    assert (code, "nobody has judged these runs" in err) == (2, True)


@needs_llm
def test_a_native_run_keeps_its_verdicts_beside_it(
    judge: Judge, here: Path, mnemoscope: Mnemoscope
) -> None:
    assert mnemoscope("convert", LT[1], "--release", "cue", "--out", "native")[0] == 0
    with serving(says("wrong")) as server:
        code, _, _ = judge("cue", "native", "--judge", "endpoint:a", "--endpoint", server.url)
        assert code == 0
        assert judge("cue", "native", "--judge", "endpoint:a", "--endpoint", server.url)[0] == 0
        assert len(server.asked) == 6
        more = ("--judge", "endpoint:a", "--endpoint", server.url, "--out", "elsewhere")
        (here / "native" / "verdicts").rename(here / "aside")
        assert judge("cue", "native", *more)[0] == 0
    assert len(lines_of(here / "aside", "endpoint-a")) == 6
    assert len(lines_of(here / "elsewhere", "endpoint-a")) == 6
    assert not (here / "data" / "verdicts").exists()
    out = mnemoscope("score", "cue", "native", "--verdicts", "a", "--judged", "elsewhere")[1]
    assert "rule endpoint:a@" in out


@needs_llm
def test_a_verifier_judges_all_and_the_symmetric_figure_stands_beside(
    judge: Judge, here: Path, mnemoscope: Mnemoscope
) -> None:
    def act(body: Json) -> Act:
        return by_letter("AB" if body["seed"] == 42 else "ACD")(body)

    more = ("--judge", "endpoint:m", "--verifier", "endpoint:m")
    with serving(act) as server:
        code, data, _ = judge(*LT, *more, "--verify", "wrong", "--endpoint", server.url)
        # A B C D B C: three are first judged wrong.
        assert (code, len(server.asked)) == (0, 9)
        (first,) = data["runs"][0]["verified"]
        assert (first["one_sided"]["value"], first["judge_alone"]["value"]) == (1, 0.5)
        assert first["symmetric"]["value"] is None
        assert first["unverified"] == 3
        code, data, _ = judge(*LT, *more, "--endpoint", server.url)
        assert len(server.asked) == 12
    (found,) = data["runs"][0]["verified"]
    assert found["symmetric"]["value"] == pytest.approx((3 / 6 + 4 / 6) / 2)
    assert (found["rule"], found["changed"]) == ("judge+verifier", 3)
    for verb, runs in (("score", LT[1:]), ("matrix", ("runs",)), ("compare", ("runs",))):
        chosen = ("--a", "LT", "--b", "FU") if verb == "compare" else ()
        arguments = (verb, "cue", *runs, *chosen, "--verdicts", "judge+verifier")
        out = mnemoscope(*arguments)[1]
        assert "judge+verifier, one-sided 100.0 %, symmetric 58.3 % (n 6)" in out, out
        data = json.loads(mnemoscope(*arguments, "--json")[1])
        (run,) = (one for one in data["runs"] if one["name"] == "LTMemory")
        assert run["verified"]["symmetric"]["n"] == 6
    out = mnemoscope("score", *LT, "--verdicts", "judge+verifier", "--filter", "id:Items-1")[1]
    assert "one-sided 100.0 %, symmetric 50.0 % (n 1)" in out
    out = mnemoscope("show", "cue", "Items-1", LT[1], "--verdicts", "judge+verifier")[1]
    assert "verifier of endpoint:m@" in out
    assert "symmetric 58.3 %" in out


@needs_llm
def test_blank_and_bad_replies_are_asked_again_and_then_count_as_failures(
    judge: Judge, here: Path, mnemoscope: Mnemoscope
) -> None:
    bad = Act(completion("It is right."))
    acts = (Act(completion("")), bad, says("right"), bad, bad, bad, Act.error(429, "slow down"))
    more = ("--judge", "endpoint:a", "--at-once", "1")
    with serving(*acts, Act(b"{}"), says("wrong"), Act.error(400, "no"), says("right")) as server:
        code, data, err = judge(*LT, *more, "--endpoint", server.url)
        assert code == 3
        assert [one["message"][:15] for one in data["failures"]] == [
            "unusable reply:",
            "refused: HTTP 4",
        ]
        assert err.count("note: a: A ") == 2
        (run,) = data["runs"]
        assert run["judges"][0]["judge_failed"] == 2
        assert (run["judges"][0]["right"]["value"], run["judges"][0]["right"]["n"]) == (3 / 4, 4)
        score = json.loads(mnemoscope("score", *LT, "--verdicts", "a", "--json")[1])["runs"][0]
        assert (score["n"], score["judge_failed"], score["accuracy"]) == (4, 2, 3 / 4)
        before = len(server.asked)
        code, data, _ = judge(*LT, *more, "--endpoint", server.url)
        assert (code, len(server.asked) - before) == (0, 2)
    assert data["runs"][0]["judges"][0]["right"]["n"] == 6
    # The failures stay in the file, beside what came of asking again.
    values = [line["value"] for line in lines_of(here / "data", "endpoint-a")]
    assert (len(values), values.count("judge_failed")) == (8, 2)


@needs_llm
def test_a_slow_endpoint_is_a_failure_of_its_own(judge: Judge) -> None:
    held = Act(b"", hold=True)
    with serving(held) as server:
        more = ("--limit", "1", "--timeout", "0.2", "--endpoint", server.url)
        code, data, _ = judge(*LT, "--judge", "endpoint:a", *more)
    assert code == 3
    assert data["failures"][0]["message"].startswith("timeout: no whole reply within 0.2 s")


@needs_llm
@pytest.mark.parametrize(
    ("act", "said"),
    [
        (Act.error(401, f"bad key {KEY}"), "unauthorised: HTTP 401"),
        (Act.error(429, "pay", code="insufficient_quota"), "quota"),
    ],
)
def test_where_asking_on_does_not_help_one_stops_with_exit_code_5(
    judge: Judge, here: Path, act: Act, said: str
) -> None:
    more = ("--judge", "endpoint:a", "--at-once", "1")
    with serving(says("right"), says("wrong"), act) as server:
        code, data, err = judge(*LT, *more, "--endpoint", server.url)
    assert (code, data) == (5, {})
    assert said in err
    assert "note: 2 verdicts are kept" in err
    assert len(lines_of(here / "data", "endpoint-a")) == 2


@needs_llm
@pytest.mark.parametrize("limits", [("--max-calls", "4"), ("--max-tokens", "60")])
def test_a_budget_stops_with_exit_code_4_and_the_same_command_goes_on(
    judge: Judge, here: Path, limits: tuple[str, str]
) -> None:
    more = ("--judge", "endpoint:a", "--at-once", "1")
    with serving(says("right")) as server:
        code, data, err = judge(*LT, *more, *limits, "--endpoint", server.url)
        assert code == 4
        assert len(server.asked) == 4
        assert "the same command goes on from there" in err
        assert data["stopped"]
        assert data["runs"][0]["judges"][0]["right"]["n"] == 4
        wide = ("--judge", "endpoint:a", "--at-once", "16", "--max-calls", "1")
        assert judge(*LT, *wide, "--endpoint", server.url)[0] == 4
        assert len(server.asked) == 5
        assert judge(*LT, *more, "--endpoint", server.url)[0] == 0
        assert len(server.asked) == 6


@needs_llm
def test_made_up_answers_give_a_judge_error_rates_once(judge: Judge, here: Path) -> None:
    def act(body: Json) -> Act:
        answer = body["messages"][1]["content"].partition("# Answer to judge\n")[2]
        return says("right" if answer.startswith(("The answer is", "We did")) else "wrong")

    more = ("--calibrate", "--calibration-size", "3", "--judge", "endpoint:a,rule:rq1")
    with serving(act) as server:
        code, data, _ = judge("cue", *more, "--endpoint", server.url)
        assert (code, data["made_up"], len(server.asked)) == (0, 12, 12)
        judge("cue", *more, "--endpoint", server.url)
        assert len(server.asked) == 12
    lenient, strict = data["calibration"]
    errors = {kind: one["value"] for kind, one in lenient["errors"].items()}
    assert errors == {"right": 0, "wrong_specific": 1, "wrong_vague": 1, "refusal": 0}
    assert lenient["false_right"]["value"] == pytest.approx(6 / 9)
    assert lenient["false_wrong"]["value"] == 0
    # Under rq1 "The answer is …" reads no option or the article: some right answers are wrong.
    assert strict["silent"] == 0
    (path,) = (here / "data" / "verdicts").glob("*/calibration/*.jsonl")
    assert len(path.read_text().splitlines()) == 12


@needs_llm
def test_verdicts_that_were_written_outlive_the_process(judge: Judge, here: Path) -> None:
    held = Act(completion("late"), hold=True)
    with serving(*[says("right")] * 3, held) as server:
        script = "from mnemoscope.tui.cli import main; main()"
        command = ("judge", *LT, "--judge", "endpoint:a", "--at-once", "2")
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        child = subprocess.Popen(
            [sys.executable, "-P", "-c", script, *command, "--endpoint", server.url],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        until = time.monotonic() + 60
        while len(server.asked) < 5 and time.monotonic() < until:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        server.let_go.set()
    assert len(lines_of(here / "data", "endpoint-a")) == 3
    with serving(says("right")) as server:
        assert judge(*LT, "--judge", "endpoint:a", "--endpoint", server.url)[0] == 0
        assert len(server.asked) == 3


@needs_llm
def test_nothing_is_asked_where_verdicts_cannot_be_written_and_a_plan_asks_nothing(
    judge: Judge, here: Path, mnemoscope: Mnemoscope
) -> None:
    (here / "file").write_text("in the way")
    with serving(says("right")) as server:
        more = ("--judge", "endpoint:a", "--endpoint", server.url)
        assert judge(*LT, *more, "--out", here / "file" / "x")[0] == 2
        plan = ("--verifier", "endpoint:v", "--calibrate", "--dry-run")
        code, data, _ = judge(*LT, *more, *plan)
        assert (code, server.asked) == (0, [])
    calls = [(one["stage"][:8], one["calls_at_most"]) for one in data["calls"]]
    assert calls == [("calibration"[:8], 23), ("", 6), ("verifier", 6)]
    assert all(one["prompt_tokens_at_most"] > 500 for one in data["calls"])
    assert "nothing was asked" in mnemoscope("judge", *LT, *more, "--dry-run")[1]


@needs_llm
def test_the_key_is_in_no_file_and_no_output(
    judge: Judge, here: Path, mnemoscope: Mnemoscope
) -> None:
    outputs: list[str] = []
    acts = (says("right", f"{KEY} it was"), Act.error(400, KEY), Act(completion(KEY)))
    with serving(*acts, says("right")) as server:
        arguments = ("judge", *LT, "--judge", "endpoint:a", "--at-once", "1")
        outputs += mnemoscope(*arguments, "--endpoint", server.url)[1:]
    with serving(Act.error(401, KEY)) as server:
        refused = ("judge", *LT, "--judge", "endpoint:c", "--endpoint", server.url)
        outputs += mnemoscope(*refused)[1:]
    outputs += mnemoscope("show", "cue", "Relationship-0", LT[1])[1:]
    assert not [one for one in outputs if KEY in one]
    written = [path for path in here.rglob("*") if path.is_file()]
    assert not [path for path in written if KEY.encode() in path.read_bytes()]


def test_what_cannot_be_done_is_said_in_one_line(mnemoscope: Mnemoscope, here: Path) -> None:
    def refused(*arguments: str) -> str:
        code, out, err = mnemoscope(*arguments)
        assert (code, out) == (2, "")
        return err

    assert "name a run" in refused("judge", "cue")
    assert "no judge named 'gpt'" in refused("judge", *LT, "--judge", "gpt")
    assert "name a model to judge first" in refused("judge", *LT, "--verifier", "endpoint:v")
    assert "no endpoint is named" in refused("judge", *LT, "--judge", "endpoint:a")
    assert "nobody has judged" in refused("score", *LT, "--verdicts", "endpoint:a")
