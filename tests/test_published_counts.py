"""What was counted in the public files, beyond what the tests of each form assert."""

import hashlib
import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from mnemoscope.core.model import GoldKind, Release
from mnemoscope.core.overlays.applied import apply_overlays
from mnemoscope.core.overlays.reader import read_overlay
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.workspace import join_run
from tests.locomo_data import COUNTS, DATA, LOCOMO, RUNS, needs_data

AUDIT = DATA / "locomo-audit" / "errors.json"


@cache
def counts() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(COUNTS.read_text())
    return known


@cache
def published() -> Release:
    return open_release(LOCOMO)


def of_code(code: str) -> int:
    return sum(one.code == code for one in published().defects)


@needs_data
def test_the_public_files_are_those_that_were_counted() -> None:
    known = counts()["files"]
    assert len(known) > 100
    for name, one in known.items():
        data = (DATA / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (one["bytes"], one["sha256"]), name


@needs_data
def test_what_was_counted_of_locomo_s_questions() -> None:
    known, release = counts()["locomo"], published()
    questions = release.questions.values()
    lures = [key for key, note in release.evaluator.questions.items() if "adversarial" in str(note)]
    assert known["adversarial_answer_outside_cat5"] == sum(
        release.questions[key].category != "5" for key in lures
    )
    answered = [q for q in questions if q.category == "5" and q.gold.kind is GoldKind.TEXTS]
    assert len(answered) == known["cat5_with_answer"]
    early: dict[str, list[int]] = {}
    for history, asked in release.questions_by_history.items():
        first = min(q.index for q in asked if q.category == "5")
        late = [q.index for q in asked if q.index > first and q.category != "5"]
        early |= {history: late} if late else {}
    assert early == known["conversations_where_category5_is_not_last"]
    texts = Counter((q.history_id, q.text) for q in questions)
    repeated = sum(n - 1 for n in texts.values())
    assert repeated == known["duplicate_questions_within_conversation"]


@needs_data
def test_what_was_counted_of_locomo_s_evidence() -> None:
    known, release = counts()["locomo"], published()
    kinds = known["evidence_not_exact_by_kind"]
    apart = [one for one in release.defects if one.code == "clue_taken_apart"]
    # One of those taken apart is a single id that was padded with a zero.
    several = [one for one in apart if " " in one.found]
    assert len(several) == kinds["multi_id_string"]
    assert len(apart) - len(several) == kinds["zero_padded"]
    assert of_code("clue_unknown_id") == kinds["no_such_turn"]
    assert of_code("clue_malformed") == kinds["malformed"]
    assert of_code("clue_repeated") == known["qa_with_repeated_evidence"]
    without = [q for q in release.questions.values() if not q.clues]
    assert len(without) == known["qa_without_evidence"]


@needs_data
def test_what_was_counted_of_locomo_s_dialogues() -> None:
    known, release = counts()["locomo"], published()
    histories = release.histories.values()
    rounds = [one for history in histories for one in history.rounds]
    empty = [one for one in rounds if not all(message.text for message in one.messages)]
    assert len(empty) == known["empty_text_turns"]
    addresses = Counter(
        sum(bool(item.written) for item in one.attachments) for one in rounds if one.attachments
    )
    del addresses[0]
    assert {str(n): times for n, times in addresses.items()} == known["img_url_list_lengths"]
    again = sum("re-download" in note for note in release.evaluator.rounds.values())
    assert again == known["turns_with"]["re-download"]
    dates = [[session.date for session in history.sessions] for history in histories]
    assert all(all(of) for of in dates)
    assert sum(of != sorted(of, key=str) for of in dates) == known["sessions_out_of_order"]


@needs_data
def test_what_was_counted_of_locomo_s_observations() -> None:
    known, release = counts()["locomo"]["observation_dia_refs"], published()
    ids = {one.id for history in release.histories.values() for one in history.rounds}
    written = [
        ref
        for session in release.evaluator.sessions.values()
        for said in session.get("observation", {}).values()
        for _, ref in said
    ]
    assert sum(type(one) is str for one in written) == known["str"]
    refs = [ref for one in written for ref in (one if type(one) is list else [one])]
    assert sum(ref in ids for ref in refs) == known["ok"]
    assert sum(ref not in ids for ref in refs) == known["bad"] == of_code("observation_several_ids")


@needs_data
def test_what_was_counted_of_the_audit() -> None:
    if not AUDIT.is_file():
        pytest.skip("the LoCoMo audit is not here")
    known = counts()["locomo_audit"]
    found = apply_overlays(published(), [read_overlay(AUDIT)])
    entries = [
        (one.entry.error_type, one.question.category)
        for of in found.corrections.values()
        for one in of
    ]
    assert len(entries) == known["records"]
    assert found.error_types == known["by_type"]
    by_both = Counter(f"{name}/{category}" for name, category in entries)
    assert by_both == known["by_type_and_category"]
    assert {key for row in json.loads(AUDIT.read_text()) for key in row} == set(known["keys"])


@needs_data
@pytest.mark.parametrize("name", ["mempalace_raw", "mempalace_hybrid"])
def test_rows_of_mempalace_without_evidence_are_those_counted(name: str) -> None:
    runs = {run.name.replace(" ", "_"): run for run in open_runs(RUNS / "mempalace").runs}
    (run,) = (one for key, one in runs.items() if name.removeprefix("mempalace_") in key)
    joined = join_run(published(), run)
    without = [one for one in joined.entries if not one.question.clues]
    assert len(without) == counts()["locomo_runs"][name]["empty_evidence_rows"]
