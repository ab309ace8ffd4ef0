"""The truth file of the native format: written, read back, and audited."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.conversion import convert_release
from mnemoscope.core.defects import Defect, DefectLog, Severity
from mnemoscope.core.errors import ReadError
from mnemoscope.core.model import History, Release, Role
from mnemoscope.core.reading import parse_json
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.schemas import checked, required
from mnemoscope.core.state.ledger import Scrubber
from mnemoscope.core.state.operators import Event, Operator
from mnemoscope.core.state.state import State
from mnemoscope.core.state.timeline import Timeline
from mnemoscope.core.state.transition import Step
from mnemoscope.core.truth.audit import audit, audit_release
from mnemoscope.core.truth.reading import truth_of
from mnemoscope.core.truth.schema import TruthFile
from mnemoscope.core.truth.truth import Truth
from mnemoscope.core.truth.writing import form_of
from mnemoscope.core.writing import json_bytes
from tests.cli_data import Mnemoscope
from tests.model_strategies import damage
from tests.state_strategies import SCHEMA, trajectories
from tests.test_native_release import documented
from tests.truth_data import HISTORY, history, release, truth

FILE = f"truth/{HISTORY}.json"


def written(tmp_path: Path) -> Path:
    write_release(release(), tmp_path / "out")
    return tmp_path / "out"


def unsealed(folder: Path, data: Any) -> Release:
    """The release with another truth file, and no hashes to compare."""
    (folder / FILE).write_bytes(json_bytes(data))
    manifest = json.loads((folder / "release.json").read_bytes())
    del manifest["files"]
    (folder / "release.json").write_bytes(json_bytes(manifest))
    return open_release(folder)


def test_a_truth_read_back_equals_the_one_that_was_written(tmp_path: Path) -> None:
    found = open_release(written(tmp_path))
    assert found.defects == ()
    assert replace(found.evaluator.truths[HISTORY], file="") == truth()
    assert audit_release(found) == []


@settings(max_examples=20, deadline=None)
@given(drawn=trajectories())
def test_any_trajectory_survives_its_file_and_its_audit(drawn: tuple[State, list[Step]]) -> None:
    initial, steps = drawn
    once = Truth.of("h", SCHEMA, initial, [one.transition for one in steps])
    data = json.loads(json_bytes(form_of(once).as_json()))
    again = truth_of(required(TruthFile, data, Path("t.json")))
    assert again == once
    log = DefectLog()
    audit(again, None, log)
    # Only the history is missing, and a lifecycle may have been cut short.
    assert {one.code for one in log.items} <= {"truth_history", "truth_lifecycle"}


def test_no_history_file_and_no_question_holds_anything_of_the_truth(tmp_path: Path) -> None:
    folder = written(tmp_path)
    visible = (folder / "histories" / f"{HISTORY}.json").read_text("utf-8")
    assert "CoAct" not in visible and "visual_cell_edit" not in visible
    assert (folder / FILE).is_file()


def test_a_conversion_keeps_the_truth(tmp_path: Path) -> None:
    source = open_release(written(tmp_path))
    assert convert_release(source, tmp_path / "again").differences == ()
    assert (tmp_path / "again" / FILE).read_bytes() == (tmp_path / "out" / FILE).read_bytes()


def test_a_trajectory_has_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    code = (
        "import sys; from tests.truth_data import truth;"
        "from mnemoscope.core.truth.writing import form_of;"
        "from mnemoscope.core.writing import json_bytes;"
        "sys.stdout.buffer.write(json_bytes(form_of(truth()).as_json()))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parent.parent,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONSAFEPATH": ""},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1


def test_a_second_truth_for_a_history_is_an_error(tmp_path: Path) -> None:
    folder = written(tmp_path)
    (folder / "truth" / "twice.json").write_bytes((folder / FILE).read_bytes())
    manifest = json.loads((folder / "release.json").read_bytes())
    manifest |= {"truth": [FILE, "truth/twice.json"], "files": {}}
    (folder / "release.json").write_bytes(json_bytes(manifest))
    (defect,) = open_release(folder).defects
    assert (defect.code, defect.file) == ("duplicate_truth", "truth/twice.json")


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        ("operator", "visual_edit", "$.transitions[0].operator: found 'visual_edit', expected 'v"),
        ("sheet", "accepted", "$.transitions[0].sheet: found 'accepted', expected no such key"),
        ("round", 3, "$.transitions[0].round: found int 3, expected text"),
        ("wraps", "composite~", "$.transitions[0].wraps: found 'composite~', expected 'visual_c"),
    ],
)
def test_a_wrong_value_is_named_by_its_place(
    path: str, value: object, line: str, tmp_path: Path
) -> None:
    folder = written(tmp_path)
    data = json.loads((folder / FILE).read_bytes())
    data["transitions"][0][path] = value
    found = unsealed(folder, data)
    assert found.evaluator.truths == {}
    (defect,) = found.defects
    assert defect.line().startswith(f"error: {FILE}: {line}")


def test_a_limit_that_is_no_number_says_what_one_is(tmp_path: Path) -> None:
    folder = written(tmp_path)
    data = json.loads((folder / FILE).read_bytes())
    data["fields"][3]["minimum"] = "0"
    (defect,) = unsealed(folder, data).defects
    assert defect.path == "$.fields[3].minimum"
    assert (defect.found, defect.expected) == ("'0'", "a finite number")


@pytest.mark.parametrize("content", [{"field": 1}, [1], [{"field": "acc"}], [["a"]]])
def test_a_content_that_is_none_says_what_one_is(content: object, tmp_path: Path) -> None:
    folder = written(tmp_path)
    data = json.loads((folder / FILE).read_bytes())
    data["initial"]["rules"]["bar"] = content
    defect = next(iter(unsealed(folder, data).defects))
    assert defect.path == "$.initial.rules.bar"
    assert defect.expected.startswith("a value, a list of keys")


def audited(one: Truth, beside: History | None = None) -> list[Defect]:
    log = DefectLog()
    audit(one, beside or history(), log)
    return log.items


def with_round(index: int, **changes: Any) -> History:
    """The history with one round changed."""
    whole = history()
    (session,) = whole.sessions
    rounds = list(session.rounds)
    rounds[index] = replace(rounds[index], **changes)
    return replace(whole, sessions=(replace(session, rounds=tuple(rounds)),))


def test_an_image_that_no_transition_brings_is_a_warning() -> None:
    whole = history()
    shown = whole.rounds[0].messages
    found = audited(truth(), with_round(1, messages=shown))
    assert [(one.severity, one.code) for one in found] == [(Severity.WARNING, "truth_coverage")]
    assert "img0 in r2" in found[0].found


def test_an_upload_that_the_history_does_not_show_is_an_error() -> None:
    silent = replace(history().rounds[2].messages[0], attachments=())
    (defect,) = audited(truth(), with_round(2, messages=(silent,)))
    assert (defect.path, defect.found) == ("$.transitions[0].artifact", "'img1'")
    assert defect.expected == "an image of round r3"


def test_an_update_in_a_round_of_the_assistant_is_an_error() -> None:
    said = replace(history().rounds[2].messages[0], role=Role.ASSISTANT)
    (defect,) = audited(truth(), with_round(2, messages=(said,)))
    assert (defect.path, defect.expected) == (
        "$.transitions[0].round",
        "a round in which the user speaks",
    )


def cut(whole: Truth, count: int) -> Truth:
    """The truth of the first transitions alone."""
    trajectory = whole.trajectory
    transitions = [one.transition for one in trajectory.records[:count]]
    return Truth.of(HISTORY, trajectory.schema, trajectory.initial, transitions)


SMALL = cut(truth(), 6)
"""The first transitions: a table, texts and artifacts."""


def test_a_lifecycle_without_its_end_is_named() -> None:
    records = truth().trajectory.records
    applied = next(
        at
        for at, one in enumerate(records)
        if one.transition.operator is Operator.TEXT_UPDATE_REINSTATED
    )
    for events, missing in ((1, Event.DISREGARD), (2, Event.REINSTATE)):
        errors = [
            one for one in audited(cut(truth(), applied + events)) if one.severity is Severity.ERROR
        ]
        (defect,) = errors
        assert defect.code == "truth_lifecycle"
        assert defect.path == f"$.transitions[{applied}].operator"
        assert defect.found == f"no {missing} of it"


def test_what_cannot_be_carried_out_says_how_much_is_left_unchecked() -> None:
    whole = truth()
    records = list(whole.trajectory.records)
    wrong = replace(records[1].transition, parent="t9")
    records[1] = replace(records[1], transition=wrong)
    trajectory = replace(whole.trajectory, records=tuple(records))
    (defect,) = audited(replace(whole, trajectory=trajectory))
    assert (defect.code, defect.path) == ("truth_parent", "$.transitions[1].parent")
    assert f"{len(records) - 2} later ones are not checked" in defect.expected


def test_a_truth_of_a_history_that_is_not_there_is_named() -> None:
    log = DefectLog()
    audit(truth(), None, log)
    (defect,) = log.items
    assert (defect.code, defect.path, defect.found) == (
        "truth_history",
        "$.history_id",
        f"'{HISTORY}'",
    )


def test_the_truth_in_the_documents_passes_its_audit(tmp_path: Path) -> None:
    for name, text in documented("release/").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    found = open_release(tmp_path)
    assert found.evaluator.truths and found.defects == ()
    assert audit_release(found) == []


def test_validate_fails_a_truth_that_does_not_recompute(
    tmp_path: Path, mnemoscope: Mnemoscope
) -> None:
    folder = written(tmp_path)
    assert mnemoscope("validate", str(folder))[0] == 0
    data = json.loads((folder / FILE).read_bytes())
    change = data["transitions"][0]["changes"][1]
    assert change["cause"] == "dependent"
    change["after"] += 1
    unsealed(folder, data)
    code, out, _ = mnemoscope("validate", str(folder))
    assert code == 1
    assert f"error: {FILE}: $.transitions[0].changes[1].after: found" in out
    assert "as recomputed (truth_dependent)" in out


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_truth_is_a_defect_or_a_plain_error_and_never_a_crash(
    data: st.DataObject,
) -> None:
    content = data.draw(damage(json_bytes(form_of(SMALL).as_json())))
    log = DefectLog()
    try:
        form = checked(TruthFile, parse_json(Path("t.json"), content), log)
    except ReadError:
        return
    if form is None:
        assert log.items
        return
    found = truth_of(form, "t.json")
    audit(found, history(), log)
    assert all(one.line() and one.path.startswith("$") for one in log.items)
    rounds = [one.id for one in history().rounds]
    if not list(found.trajectory.schema.problems()):
        Scrubber(Timeline(found.trajectory), rounds).at("r13")
