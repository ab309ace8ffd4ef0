"""Controls: questions that need no memory, prompts that reason or hint, other wordings."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.analyses.question_only import question_only
from mnemoscope.core.backbones.prompt_set import read_prompts
from mnemoscope.core.evaluate.rewrites import read_rewrites
from mnemoscope.core.model import RecordStatus, Run
from mnemoscope.core.releases.native.reader import write_release
from tests.cli_data import Mnemoscope
from tests.evaluation_data import questions
from tests.fault_server import Act, completion, serving
from tests.workspace_data import a_question, a_record, a_release, a_run, a_workspace

RUNS = 2
REPEATS = 3


def answered(right: dict[str, int]) -> list[Run]:
    """Two runs of three repeats in which the first so many answers of each question are right."""
    return [
        a_run(
            f"run {run}",
            [
                a_record(key, REPEATS * run + repeat < count, repeat=repeat)
                for key, count in right.items()
                for repeat in range(REPEATS)
            ],
        )
        for run in range(RUNS)
    ]


def test_a_question_is_taken_out_only_if_all_six_answers_are_right() -> None:
    right = {"p0/q/0": 6, "p0/q/1": 5, "p0/q/2": 0}
    refusal = replace(a_question("p0/q/3", "answer_refusal"), answerable=False)
    release = a_release([*map(a_question, right), refusal])
    runs = answered(right | {"p0/q/3": 6})
    workspace = a_workspace(release, *runs)
    found = question_only(release, workspace.runs)
    assert [(one.key, one.answers, one.right, one.exempt) for one in found.leaks] == [
        ("p0/q/0", 6, 6, False),
        ("p0/q/1", 6, 5, False),
        ("p0/q/2", 6, 0, False),
        ("p0/q/3", 6, 6, True),
    ]
    assert [one.key for one in found.dropped] == ["p0/q/0"]
    assert [(task, setting, len(group)) for task, setting, group in found.cells()] == [
        ("entity_recall", "explicit", 3),
        ("answer_refusal", "explicit", 1),
    ]


def test_a_failed_answer_is_not_right_and_too_few_answers_take_nothing_out() -> None:
    release = a_release([a_question("p0/q/0"), a_question("p0/q/1")])
    records = [a_record("p0/q/0", True, repeat=repeat) for repeat in range(5)]
    failed = a_record("p0/q/0", True, repeat=5, status=RecordStatus.ERROR)
    workspace = a_workspace(release, a_run("one", [*records, failed]))
    found = question_only(release, workspace.runs)
    assert (found.leaks[0].answers, found.leaks[0].right, found.dropped) == (6, 5, ())
    workspace = a_workspace(release, a_run("one", records))
    found = question_only(release, workspace.runs)
    assert found.dropped == ()
    assert [one.key for one in found.too_few] == ["p0/q/0", "p0/q/1"]
    (dropped,) = question_only(release, workspace.runs, least=5, keys={"p0/q/0"}).dropped
    assert dropped.key == "p0/q/0"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    write_release(a_release(questions(6)), tmp_path / "release")
    return tmp_path / "release"


def test_question_only_runs_are_made_and_reported(
    release: Path, tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    pytest.importorskip("openai", reason="the extra llm is not installed")
    flags = ("run", "--release", release, "--system", "no_context", "--repeats", "3")
    with serving(
        lambda body: Act(completion("A" if "p1/q" not in json.dumps(body) else "B"))
    ) as server:
        for model in ("one", "two"):
            backbone = f"endpoint:{model},prompts=question-only-1"
            out = tmp_path / "runs" / model
            code, _, err = mnemoscope(
                *flags, "--backbone", backbone, "--endpoint", server.url, "--out", out
            )
            assert (code, err) == (0, "")
        sent = json.dumps(server.asked)
    assert "The conversations are not available." in sent
    assert "text of D00:00" not in sent
    code, out_text, err = mnemoscope("controls", release, tmp_path / "runs", "--list")
    assert (code, err) == (0, "")
    assert "taken out: right in every one of at least 6 answers" in out_text
    assert out_text.split("\n\n")[-1].split() == ["p0/q/0", "p2/q/2", "p0/q/3", "p2/q/5"]
    data = json.loads(mnemoscope("controls", release, tmp_path / "runs", "--json")[1])
    assert (data["questions"], data["answers"], data["right"]) == (6, 36, 24)
    assert (data["dropped"], data["kept"], data["too_few"]) == (4, 2, 0)
    assert [run["repeats"] for run in data["runs"]] == [3, 3]


def test_a_run_that_saw_a_history_is_no_control(tmp_path: Path, mnemoscope: Mnemoscope) -> None:
    root = Path(__file__).parents[1] / "sample_data"
    code, _, err = mnemoscope("controls", root / "cue", root / "runs")
    assert code == 0
    assert "A LTMemory: its system is LTMemory, not no_context" in err


@pytest.mark.parametrize("name", ["thought-1", "state-1", "question-only-1"])
def test_prompts_of_controls_ask_for_the_same_things(name: str) -> None:
    plain, found = read_prompts("plain-1"), read_prompts(name)
    for one, other in zip(plain.prompts.values(), found.prompts.values(), strict=True):
        assert len(one.turns) == len(other.turns)
        assert one.sha256 != other.sha256


def test_what_is_thought_first_is_kept_apart_from_the_answer(
    release: Path, tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    pytest.importorskip("openai", reason="the extra llm is not installed")
    with serving(Act(completion("<think>It may be B, or C.</think>\nA"))) as server:
        code, _, _ = mnemoscope(
            *("run", "--release", release, "--system", "bm25", "--endpoint", server.url),
            *("--backbone", "endpoint:m,prompts=thought-1", "--out", tmp_path / "run"),
        )
    assert code == 0
    assert "between <think> and </think>" in json.dumps(server.asked[0])
    line = json.loads((tmp_path / "run" / "records.jsonl").read_text().splitlines()[0])
    assert (line["parsed"], line["answer"]) == ("A", "A")
    assert line["reasoning"] == "It may be B, or C."


# Other wordings


REWRITES = """
[questions]
"p0/q/0" = ["How is it put?", "In which words?"]
"p0/q/3" = ["How was it?"]
"""


def test_questions_are_asked_in_other_words_under_the_same_keys(
    release: Path, tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    pytest.importorskip("openai", reason="the extra llm is not installed")
    file = tmp_path / "rewrites.toml"
    file.write_text(REWRITES)
    flags = (
        *("run", "--release", release, "--system", "bm25", "--backbone", "endpoint:m"),
        *("--rewrites", file, "--filter", "history:p0", "--workers", "1"),
    )
    with serving(Act(completion("A"))) as server:
        mnemoscope(*flags, "--endpoint", server.url, "--out", tmp_path / "one")
        sent = json.dumps(server.asked)
        assert "How is it put?" in sent and "How was it?" in sent
        assert "question p0/q/0" not in sent
        told = (*flags, "--endpoint", server.url, "--rewrite", "2", "--out", tmp_path / "two")
        code, _, err = mnemoscope(*told)
    assert code == 2
    assert "p0/q/3: found 1 wordings, expected at least 2" in err
    manifest = json.loads((tmp_path / "one" / "manifest.json").read_text())
    rewrites = manifest["parameters"]["rewrites"]
    assert (rewrites["number"], len(rewrites["sha256"])) == (1, 64)
    assert manifest["questions"] == ["p0/q/0", "p0/q/3"]
    # Other words are another plan.
    file.write_text(REWRITES.replace("How was it?", "How had it been?"))
    code, _, err = mnemoscope(*flags, "--endpoint", server.url, "--out", tmp_path / "one")
    assert code == 2
    assert "parameters.rewrites.sha256: '" in err


def test_options_written_into_a_question_stay(tmp_path: Path) -> None:
    file = tmp_path / "rewrites.toml"
    file.write_text('[questions]\n"p0/q/0" = ["How?"]\n')
    question = replace(a_question("p0/q/0", text="What?"), text="What?\nA. one\nB. two")
    (found,) = read_rewrites(file, 1).apply([question])
    assert (found.stem, found.text) == ("How?", "How?\nA. one\nB. two")


def test_what_is_wrong_with_a_file_of_wordings_is_said_with_its_line(
    tmp_path: Path, mnemoscope: Mnemoscope, release: Path
) -> None:
    file = tmp_path / "rewrites.toml"
    file.write_text('[questions]\n"p0/q/0" = "How?"\n')
    code, _, err = mnemoscope(
        *("run", "--release", release, "--system", "no_context", "--backbone", "embedded"),
        *("--rewrites", file, "--out", tmp_path / "one"),
    )
    assert code == 2
    assert "found 'How?', expected a list" in err
