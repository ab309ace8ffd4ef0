"""People who call answers right or wrong: against rule and judge, and in their place."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.analyses.accuracy import score
from mnemoscope.analyses.verdict_agreement import verdict_agreement
from mnemoscope.core.model import RecordStatus, Value, Verdict
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.outcomes import outcome
from mnemoscope.core.tags.fingerprint import answer_hash
from mnemoscope.core.tags.reading import with_tags
from mnemoscope.core.tags.verdicts import decided_by_people, personal_verdicts
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import PeopleCounts, Workspace
from mnemoscope.tui.cli import run
from tests.cli_data import write_all
from tests.workspace_data import a_question, a_record, a_release, a_run, a_workspace

KEYS = [f"p0/q/{number}" for number in range(10)]
VALUES = {"r": Value.RIGHT, "w": Value.WRONG, "n": Value.NOT_JUDGED}
STORED = "rrrrrwwwwn"
"""What the file says of the answers of the run ``one``; the eighth failed."""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    records = [a_record(key, VALUES[value]) for key, value in zip(KEYS, STORED, strict=True)]
    records[7] = replace(records[7], status=RecordStatus.ERROR)
    records[8] = replace(records[8], status=RecordStatus.UNPARSED)
    extra = Verdict("tiny-judge", Value.RIGHT, "second")
    records = [replace(one, verdicts=(*one.verdicts, extra)) for one in records]
    runs = [a_run("one", records), a_run("two", [a_record(key, False) for key in KEYS])]
    release = a_release(a_question(key) for key in KEYS)
    opened = with_tags(a_workspace(release, *runs), folder=tmp_path / "tags")
    yield opened
    tags_of(opened).close()


def tags_of(workspace: Workspace) -> WorkspaceTags:
    assert workspace.tags is not None
    return workspace.tags


def judged(workspace: Workspace, annotator: str, said: str, place: int = 0) -> None:
    """Judge the answers of a run: a letter a question, a dot for nothing."""
    tags = tags_of(workspace)
    for entry, letter in zip(workspace.runs[place].entries, said, strict=False):
        if letter != ".":
            target = tags.record(workspace.runs[place], entry.question.key)
            seen = answer_hash(entry.record)
            tags.journal(annotator).verdict(target, VALUES[letter], answer=seen)
    tags.changed()


def test_the_majority_of_people_is_held_against_rule_and_stored_judges(
    workspace: Workspace,
) -> None:
    # File:              rrrrrwwwwn
    judged(workspace, "a1", "rrrwwwrw.r")
    judged(workspace, "a2", "rrwwwwrwr.")
    judged(workspace, "a3", "rr.w......")
    judged(workspace, "model:m", "wwwwwwwwww")
    found = verdict_agreement([workspace.runs[0]], tags_of(workspace))
    assert found.annotators == {"a1": 9, "a2": 9, "a3": 3}
    assert (found.records, found.tied) == (10, 1)
    rule, stored, second = found.judges
    assert [one.judge for one in found.judges] == [
        "stored (decides)",
        "stored",
        "tiny-judge second",
    ]
    # Majorities: r r tie w w w r w r r. The file, without the tie: r r r r w w w w n.
    assert rule.counts == {
        (Value.RIGHT, Value.RIGHT): 2,
        (Value.WRONG, Value.RIGHT): 2,
        (Value.WRONG, Value.WRONG): 2,
        (Value.RIGHT, Value.WRONG): 2,
    }
    assert (rule.agree.value, rule.agree.n, rule.silent) == (0.5, 8, 1)
    # Both say right and wrong four times each: chance is one half, and so is what they agree on.
    assert (rule.kappa.value, rule.kappa.n) == (0, 8)
    assert stored.counts == rule.counts
    # A judge that always says right agrees with the five of nine that people call right.
    assert (second.agree.value, second.agree.n) == (5 / 9, 9)
    assert second.kappa.value == 0
    # Pairs of people that agree: all three of 0, 1, 3; a1 with a2 on 4, 5, 6, 7, not on 2.
    assert (found.people.percent.value, found.people.percent.n) == (7 / 8, 8)


def test_kappa_of_people_and_judge_is_that_of_a_maintained_library(workspace: Workspace) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    judged(workspace, "a1", "rrrrwwww")
    (rule, *_) = verdict_agreement([workspace.runs[0]], tags_of(workspace)).judges
    # Agreeing on 7 of 8; people 4 right 4 wrong, the file 5 right 3 wrong: chance one half.
    assert rule.kappa.value == pytest.approx((7 / 8 - 1 / 2) / (1 - 1 / 2))
    expected = metrics.cohen_kappa_score(list("rrrrwwww"), list("rrrrrwww"))
    assert rule.kappa.value == pytest.approx(expected)


def test_people_decide_where_they_have_a_majority_and_the_rule_elsewhere(
    workspace: Workspace,
) -> None:
    # File:              rrrrrwwEUn  (E failed, U unparsed, both stored as wrong)
    judged(workspace, "a1", "w.rr.r.rrr")
    judged(workspace, "a2", "wrww...r..")
    judged(workspace, "a3", "r..w......")
    judged(workspace, "rule:x", "wwwwwwwwww")
    decided = decided_by_people(workspace)
    one, two = decided.runs
    said = "".join(
        next(letter for letter, value in VALUES.items() if value is entry.judgement.value)
        for entry in one.entries
    )
    # 0: two of three say wrong; 2: tied; 3: two of three say wrong; 7 failed.
    assert said == "wrnwrrwwrr"
    assert one.people == PeopleCounts(decided=6, changed=5, tied=1, on_failed=1)
    assert two.people == PeopleCounts()
    assert one.decided_by == "stored, 6 by people"
    assert workspace.runs[0].decided_by == "stored"
    # A person has read the answer from which no option could be read.
    assert outcome(one.entries[8]) == "right"
    assert outcome(one.entries[7]) == "failed"
    before, after = (score(of.runs[0], of.release).accuracy for of in (workspace, decided))
    assert (before.value, before.n) == (5 / 9, 9)
    assert (after.value, after.n) == (5 / 9, 9)
    assert score(one, decided.release).tally.not_judged == 1


def test_a_verdict_on_an_answer_that_was_replaced_decides_nothing(workspace: Workspace) -> None:
    tags = tags_of(workspace)
    target = tags.record(workspace.runs[0], KEYS[0])
    tags.journal("a1").verdict(target, Value.WRONG, reason="no", answer="0" * 16)
    (run_, _) = decided_by_people(workspace).runs
    assert run_.people == PeopleCounts(outdated=1)
    assert run_.entries[0].judgement.right
    (said,) = personal_verdicts(tags, workspace.runs[0], workspace.runs[0].entries[0])
    assert (said.annotator, said.reason, said.outdated) == ("a1", "no", True)
    assert verdict_agreement([workspace.runs[0]], tags).records == 0


def test_a_verdict_taken_back_is_none(workspace: Workspace) -> None:
    judged(workspace, "a1", "w")
    journal = tags_of(workspace).journal("a1")
    journal.undo()
    tags_of(workspace).changed()
    assert decided_by_people(workspace).runs[0].people == PeopleCounts()
    journal.redo()
    tags_of(workspace).changed()
    assert decided_by_people(workspace).runs[0].people == PeopleCounts(decided=1, changed=1)


# The verbs


Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMOSCOPE_DATA_DIR", str(tmp_path / "data"))
    workspace = with_tags(open_workspace(OpenRequest(Path("cue"), (Path("runs"),))))
    names = [one.name for one in workspace.runs]
    for name, said in (("ann", "rwrr"), ("bo", "rw.w")):
        judged(workspace, name, said, names.index("LTMemory"))
    tags_of(workspace).close()
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def called(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(list(arguments))
        return code, *capsys.readouterr()

    return called


def test_the_verb_prints_percent_kappa_n_and_counts_of_every_run_and_of_all(
    here: Path, call: Call
) -> None:
    code, out, err = call("tags", "verdicts", "cue", "runs", "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    found = next(one for one in data["runs"] if one["name"] == "LTMemory")
    assert (found["annotators"], found["records"], found["tied"]) == ({"ann": 4, "bo": 3}, 4, 1)
    rule = found["judges"][0]
    assert rule["judge"] == "rq1 (decides)"
    # The rule says right of all four; people right, wrong, right, and are tied on the fourth.
    assert rule["counts"] == {
        "right_right": 2,
        "right_wrong": 0,
        "wrong_right": 1,
        "wrong_wrong": 0,
    }
    assert (rule["agree"]["value"], rule["agree"]["n"]) == (2 / 3, 3)
    assert rule["cohen_kappa"]["value"] == 0
    assert data["all"]["judges"][0] == rule
    code, out, _ = call("tags", "verdicts", "cue", "runs")
    assert "A LTMemory: 4 records judged by people, 1 of them tied (ann 4, bo 3)" in out.replace(
        found["letter"] + " LT", "A LT"
    )
    assert "66.7 %" in out
    code, out, _ = call("tags", "verdicts", "cue", "runs", "--filter", "id:Hobby-4")
    assert "nobody has judged an answer" in out


def test_score_compare_matrix_and_show_let_people_decide_and_say_how_often(
    here: Path, call: Call
) -> None:
    person = ("--verdicts", "person")
    code, out, err = call("score", "cue", "runs", *person, "--json")
    assert code == 0
    note = (
        "LTMemory: people decide 3 of 6 records, 1 of them otherwise than rq1; 1 are not judged, "
        "for people disagree"
    )
    assert note in err
    found = next(one for one in json.loads(out)["runs"] if one["name"] == "LTMemory")
    assert found["rule"] == "rq1, 3 by people"
    assert found["people"] == {
        "decided": 3,
        "changed": 1,
        "tied": 1,
        "on_failed": 0,
        "outdated": 0,
    }
    assert (found["correct"], found["n"]) == (2, 5)
    plain = json.loads(call("score", "cue", "runs", "--json")[1])
    before = next(one for one in plain["runs"] if one["name"] == "LTMemory")
    assert (before["correct"], before["n"], before["rule"]) == (4, 6, "rq1")
    assert "people" not in before
    assert "rq1, 3 by people" in call("score", "cue", "runs", *person)[1]
    pair = ("--a", "LTMemory", "--b", "FUMemory")
    data = json.loads(call("compare", "cue", "runs", *pair, *person, "--json")[1])
    assert data["runs"][0]["people"]["decided"] == 3
    assert data["n"] == 5
    data = json.loads(call("matrix", "cue", "runs", *person, "--json")[1])
    assert {one["judged"] for one in data["runs"] if one["name"] == "LTMemory"} == {5}
    data = json.loads(call("show", "cue", "Items-1", "runs", *person, "--json")[1])
    shown = next(one for one in data["runs"] if one["name"] == "LTMemory")
    assert (shown["correct"], shown["rule"]) == (False, "rq1, 3 by people")
    said = [(one["judge"], one["value"]) for one in shown["verdicts"]]
    assert said == [("person ann", "wrong"), ("person bo", "wrong")]
    assert "verdict  person ann: wrong" in call("show", "cue", "Items-1", "runs", *person)[1]
    assert call("score", "cue", "runs", "--verdicts", "judge")[0] == 2
    data = json.loads(call("score", "cue", "runs", *person, "--filter", "sys:A.wrong", "--json")[1])
    assert data["filter"] == "sys:A.wrong"
