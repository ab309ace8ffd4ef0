"""``mnemoscope generate``: what it prints, what it refuses, and the agent at an endpoint."""

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.harness import library
from mnemoscope.core.harness.spec import read_spec
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.state.operators import Operator
from mnemoscope.tui.cli import run
from tests.fault_server import Act, completion, serving

MANUAL = Path(__file__).parents[1] / "docs" / "generate.md"
ML, EXPO = "ml_agent_research", "expo_floor_plan_revision"
SMALL = ["--turns", "40", "--visuals", "5", "--questions", "5"]
needs_llm = pytest.mark.skipif(find_spec("openai") is None, reason="the extra llm is not installed")

# Any: JSON.
Json = dict[str, Any]


@pytest.fixture(autouse=True)
def _no_endpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("MNEMOSCOPE_ENDPOINT", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_a_pack_gives_a_release_and_its_figures_beside_the_papers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["generate", ML, "--out", str(out), "--seed", "3", *SMALL]) == 0
    said = capsys.readouterr()
    assert f"written to {out}: histories 1, rounds 40, questions 5" in said.out
    assert re.search(r"^turns +40 +1 +212$", said.out, re.MULTILINE)
    assert re.search(r"^visuals +5 +1 +24$", said.out, re.MULTILINE)
    assert re.search(r"^candidates +\d+\.\d+ +5 +7\.78$", said.out, re.MULTILINE)
    assert said.out.endswith("read again and audited: no defects\n")
    release = open_release(out)
    assert release.name == "ml_agent_research-3"
    assert list(release.histories) == ["ml_agent_research-3"]


def test_the_example_of_the_manual_is_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MANUAL.read_text("utf-8")
    command, *shown = text.split("```console\n$ mnemoscope ")[1].split("\n```")[0].split("\n")
    monkeypatch.chdir(tmp_path)
    assert run(command.split()) == 0
    printed = capsys.readouterr().out.split("\n")
    assert [one for one in shown if one not in printed] == ["…"]
    assert run(["show", "made", "ml_agent_research-7/q001"]) == 0


def test_the_specification_of_the_manual_is_one(tmp_path: Path) -> None:
    spec = MANUAL.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    path = tmp_path / "spec.toml"
    path.write_text(spec, "utf-8")
    packs = Path(library.__file__).parent / "packs"
    mine = (packs / f"{ML}.toml").read_text("utf-8").replace(f'name = "{ML}"', 'name = "mine"', 1)
    (tmp_path / "mine.toml").write_text(mine, "utf-8")
    assert [one.turns for one in read_spec(path)[0].scenarios] == [212, 60]


def test_a_specification_gives_a_history_for_each_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = 'pack = "{}"\nturns = 60\nvisuals = 8\nquestions = 4\n'
    text = 'schema_version = 1\nname = "both"\nlicence = "CC0-1.0"\n'
    text += "".join(f"[[scenarios]]\n{scenario.format(name)}" for name in (ML, EXPO))
    spec = tmp_path / "both.toml"
    spec.write_text(text, "utf-8")
    out = tmp_path / "out"
    assert run(["generate", str(spec), "--out", str(out), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["kind"] == "release"
    assert data["counts"]["histories"] == 2
    assert [one["history"] for one in data["scenarios"]] == [f"{ML}-1", f"{EXPO}-1"]
    averages = {one["name"]: one for one in data["averages"]}
    assert averages["questions"] == {"name": "questions", "mean": 4, "n": 2, "paper": 100}
    assert data["defects"] == []
    release = open_release(out)
    assert (release.name, release.licence) == ("both", "CC0-1.0")
    assert len(release.evaluator.truths) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "no scenario 'nothing'; there are: expo_floor_plan_revision"),
        (["missing.toml"], "missing.toml"),
        ([ML, "--turns", "7"], "turns: found 7, expected an even number"),
        ([ML, "--turns", "20"], "turns: found 20, expected at least 60, which 24 visuals may"),
        ([ML, "--proposer", "agent"], "--proposer agent needs --model NAME"),
        ([ML, "--model", "m"], "--model is for --proposer agent"),
        ([ML, "--endpoint", "http://x/v1"], "--endpoint is for --proposer agent and --reword"),
        ([ML, "--reword", "m"], "no endpoint is named"),
        ([ML, "--proposer", "agent", "--model", "m"], "no endpoint is named"),
    ],
)
def test_what_cannot_be_generated_is_refused_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["generate", *arguments, "--out", str(out)]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_nothing_is_overwritten_and_that_is_said_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("x", "utf-8")
    assert run(["generate", ML, "--out", str(tmp_path)]) == 2
    assert "nothing is overwritten" in capsys.readouterr().err


def test_questions_that_are_not_found_are_counted_and_fail_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--turns", "8", "--visuals", "2", "--questions", "100", "--json"]
    assert run(["generate", ML, "--out", str(tmp_path / "out"), *arguments]) == 1
    said = capsys.readouterr()
    (missing,) = json.loads(said.out)["missing"].values()
    assert missing > 0
    assert f"{missing} questions fewer than wanted" in said.err


def proposal(body: Json) -> str:
    """What a model may say: the first row that may be touched gets another number."""
    text = body["messages"][1]["content"]
    kept = text.split("must not be touched by this update: ")[1].split("\n")[0]
    rows = [json.loads(line) for line in text.splitlines() if line.startswith('{"key"')]
    row = next(one for one in rows if one["key"] not in kept)
    value = round(row["success_8k"] - 0.3, 1)
    return json.dumps({"cells": [{"entity": row["key"], "field": "success_8k", "value": value}]})


@needs_llm
def test_a_model_at_an_endpoint_proposes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text(
        'schema_version = 1\nname = "by a model"\n[[scenarios]]\npack = "ml_agent_research"\n'
        "turns = 16\nquestions = 0\n[scenarios.inventory]\n"
        "visual_cell_edit = 2\ntext_cell_edit = 2\nwrong_context_artifact = 1\n",
        "utf-8",
    )
    out = tmp_path / "out"

    def script(body: Json) -> Act:
        asked = body["messages"][1]["content"]
        if "CONTEXT" in asked:
            return Act(completion('{"context": "Held-out suite, sweep 06"}'))
        first = len(body["messages"]) == 2 and len(server.asked) == 1
        return Act(completion("let me think" if first else proposal(body)))

    with serving(script) as server:
        arguments = ["--proposer", "agent", "--model", "m", "--endpoint", server.url, "--json"]
        assert run(["generate", str(spec), "--out", str(out), *arguments]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["proposer"]["name"] == "agent"
    assert data["proposer"]["model"] == "m"
    assert data["proposer"]["prompt"].startswith("proposer-1 ")
    assert sum(data["scenarios"][0]["refused"].values()) >= 1
    release = open_release(out)
    (truth,) = release.evaluator.truths.values()
    assert truth.inventory[Operator.WRONG_CONTEXT_ARTIFACT] == 1
    (history,) = release.evaluator.histories.values()
    assert history["generation"]["proposer"]["model"] == "m"
    assert {one["model"] for one in server.asked} == {"m"}


@needs_llm
def test_an_endpoint_that_refuses_the_key_is_exit_code_5(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Act.error(401)) as server:
        arguments = ["--proposer", "agent", "--model", "m", "--endpoint", server.url, *SMALL]
        assert run(["generate", ML, "--out", str(tmp_path / "out"), *arguments]) == 5
    assert "unauthorised" in capsys.readouterr().err


@needs_llm
def test_a_model_may_put_what_is_said_in_its_own_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(body: Json) -> Act:
        draft = body["messages"][1]["content"].split("BEGIN DRAFT\n")[1].split("\nEND DRAFT")[0]
        leaks = len(draft) % 3 == 0
        return Act(completion(f"{draft} It is 4711." if leaks else f"Well now. {draft}"))

    out = tmp_path / "out"
    with serving(said) as server:
        arguments = ["--seed", "3", "--reword", "m", "--endpoint", server.url, *SMALL]
        assert run(["generate", ML, "--out", str(out), *arguments]) == 0
    printed = capsys.readouterr().out
    found = re.search(r"-3: (\d+) of 40 turns in the words of m, the others as", printed)
    assert found
    release = open_release(out)
    (history,) = release.histories.values()
    own = [one for one in history.rounds if (one.messages[0].text or "").startswith("Well now. ")]
    assert len(own) == int(found[1])
    assert 20 < len(own) < 40
    made = release.evaluator.histories[history.id]["generation"]["dialogue"]
    assert (made["model"], made["turns"], made["in_own_words"]) == ("m", 40, len(own))
    assert len(made["kept"]) == 40 - len(own)
    assert all("'4711'" in one["problems"][0] for one in made["kept"])
    assert "4711" not in " ".join(one.messages[0].text or "" for one in history.rounds)
