"""Evaluations with a scripted backbone: records, resuming, budgets, ends."""

import json
import random
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.backbones.backbone import Answered, Ask
from mnemoscope.core.errors import InputError, MnemoscopeError, UsageError
from mnemoscope.core.evaluate.budget import Limits, Prices, Spending
from mnemoscope.core.evaluate.pace import Pace
from mnemoscope.core.evaluate.runner import End
from mnemoscope.core.memory.registry import system_spec
from mnemoscope.core.model import (
    EvaluatorData,
    Gold,
    GoldKind,
    RecordStatus,
    Release,
    RetrievalState,
    Run,
    Value,
)
from mnemoscope.core.runs.native.events import read_events
from mnemoscope.core.runs.native.reader import read_context
from mnemoscope.core.runs.native.schema import Manifest
from mnemoscope.core.runs.native.states import read_states
from mnemoscope.core.runs.native.store import canonical_bytes
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.workspace import Workspace
from tests.evaluation_data import Scripted, evaluation, failed, questions, run, said
from tests.workspace_data import a_question, a_release, plain_history


def opened(folder: Path) -> Run:
    (one,) = open_runs(folder).runs
    return one


def manifest(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return data


def keys(folder: Path) -> list[str]:
    return sorted(one.ref.key for one in opened(folder).records)


# What a run is


def test_every_question_gets_a_record_that_joins_and_is_judged(tmp_path: Path) -> None:
    one = evaluation(Scripted(lambda ask: "A" if ask.query.stem.endswith(("0", "1")) else "b."))
    outcome = run(tmp_path / "run", one)
    assert (outcome.ending.end, outcome.total, outcome.made, outcome.left) == (
        End.FINISHED,
        12,
        12,
        0,
    )
    assert outcome.counts == {RecordStatus.OK: 12}
    workspace = Workspace.build(one.release, [opened(tmp_path / "run")])
    (joined,) = workspace.runs
    assert (len(joined.entries), joined.rule) == (12, "rq1")
    values = Counter(entry.judgement.value for entry in joined.entries)
    assert values == {Value.RIGHT: 4, Value.WRONG: 8}
    assert {entry.record.parsed for entry in joined.entries} == {"A", "B"}
    assert workspace.defects == ()


def test_a_record_says_what_was_brought_back_sent_and_used(tmp_path: Path) -> None:
    run(tmp_path / "run", evaluation())
    found = opened(tmp_path / "run")
    one = found.records[0]
    assert one.retrieval.state is RetrievalState.IDS
    assert one.retrieval.items[0].sources[0].round_id
    context = read_context(found.root, one)
    assert context is not None
    assert one.retrieval.items[0].text in context
    assert one.usage["prompt_tokens"] == 10
    assert one.usage["completion_tokens"] == 2
    assert one.usage["attempts"] == 1
    line = json.loads((tmp_path / "run" / "records.jsonl").read_text().splitlines()[0])
    assert line["extra"] == {
        "model": "scripted-1",
        "finish": "stop",
        "reached": {"text": True, "image": 0, "audio": 0, "fallbacks": {}},
        "tokens_counted_by": "provider",
    }


def test_what_memories_held_and_the_memories_are_kept(tmp_path: Path) -> None:
    run(tmp_path / "run", evaluation())
    for history in ("p0", "p1", "p2"):
        states = read_states(tmp_path / "run", history)
        assert states is not None
        assert len(states.after(19).items) == 20
    # Histories that say the same share a memory.
    assert len(list((tmp_path / "run" / "snapshots").iterdir())) == 1


def test_the_manifest_says_all_that_was_run(tmp_path: Path) -> None:
    one = evaluation(
        Scripted(temperature=0),
        seeds=(42, 43),
        limits=Limits(tokens=9_999),
        system=system_spec("bm25", parameters={"k": 3}),
        name="mine",
    )
    run(tmp_path / "run", one)
    found = manifest(tmp_path / "run")
    Manifest.model_validate(found)
    assert found["name"] == "mine"
    assert found["questions"] == [question.key for question in one.questions]
    system = found["system"]
    assert (system["id"], system["profile"], system["parameters"]["k"]) == ("bm25", "intended", 3)
    assert len(system["config_hash"]) == 64
    assert found["backbone"] == {"id": "scripted", "parameters": {"temperature": 0}}
    assert found["textualisation"] == {"image": "medium", "audio": "hint"}
    assert found["prompts"] == {"plain": "0" * 64}
    assert found["tokenizer"]["name"] == "cl100k_base"
    assert found["seeds"] == [42, 43]
    assert found["budgets"] == {"tokens": 9_999}
    assert found["rule"] == "rq1"
    assert found["release"] == {"name": "invented"}
    assert (found["tool_version"], found["platform"]) == ("0", "a machine")
    assert found["argv"] == ["mnemoscope", "run"]
    assert found["counts"] == {"ok": 24}
    assert found["started_at"] < found["ended_at"]
    assert found["extra"]["workers"] == 16


def test_repeats_are_records_of_one_run_with_a_seed_each(tmp_path: Path) -> None:
    backbone = Scripted(lambda ask: "ABC"[ask.repeat])
    run(tmp_path / "run", evaluation(backbone, seeds=(42, 43, 44)))
    assert Counter((ask.repeat, ask.seed) for ask in backbone.asked) == {
        (0, 42): 12,
        (1, 43): 12,
        (2, 44): 12,
    }
    found = opened(tmp_path / "run").records
    assert {(one.repeat, one.parsed) for one in found} == {(0, "A"), (1, "B"), (2, "C")}


def test_a_question_sees_the_history_only_up_to_its_time(tmp_path: Path) -> None:
    early = replace(a_question("p0/q/0"), visible_until="D00")
    late = a_question("p0/q/1")
    backbone = Scripted()
    run(tmp_path / "run", evaluation(backbone, "full_memory", release=a_release([early, late])))
    contexts = {ask.query.stem: ask.recall.text for ask in backbone.asked}
    assert "D03:04" in contexts["question p0/q/1"]
    assert "D00:04" in contexts["question p0/q/0"]
    assert "D01:00" not in contexts["question p0/q/0"]
    states = read_states(tmp_path / "run", "p0")
    assert states is not None
    assert states.last == 19


def test_a_system_that_answers_by_itself_needs_no_backbone(tmp_path: Path) -> None:
    one = replace(evaluation(None, "always_refuse"), backbone=None)
    run(tmp_path / "run", one)
    found = opened(tmp_path / "run")
    assert found.backbone == ""
    # Nothing declines among "choice A" to "choice D", and the sentence names no option alone.
    assert {record.status for record in found.records} <= {RecordStatus.OK, RecordStatus.UNPARSED}


def test_what_a_model_thought_is_kept_beside_its_answer(tmp_path: Path) -> None:
    answer = replace(said("A"), reasoning="it was said")
    run(tmp_path / "run", evaluation(Scripted(lambda _: answer)))
    assert {one.reasoning for one in opened(tmp_path / "run").records} == {"it was said"}


@pytest.mark.parametrize(
    ("gold", "rule"),
    [
        (Gold(GoldKind.OPTION, option="A"), "rq1"),
        (Gold(GoldKind.VALUE, value={"type": "count", "value": 3}), "open"),
        (Gold(GoldKind.TEXTS, texts=("three",)), "stored"),
        (Gold.none(), "stored"),
    ],
)
def test_what_decides_follows_from_the_gold(gold: Gold, rule: str) -> None:
    one = evaluation(release=a_release([a_question("p0/q/0", gold=gold)]))
    assert one.decides == rule
    assert replace(one, rule="rq3").decides == "rq3"


def test_without_options_nothing_is_read_and_nothing_judged(tmp_path: Path) -> None:
    open_question = replace(
        a_question("p0/q/0", gold=Gold(GoldKind.TEXTS, texts=("a cat",))), options=()
    )
    run(
        tmp_path / "run",
        evaluation(Scripted(lambda _: "A cat"), release=a_release([open_question])),
    )
    found = opened(tmp_path / "run")
    assert (found.rule, found.records[0].parsed, found.records[0].status) == ("stored", "", "ok")


def test_an_answer_without_an_option_is_unparsed(tmp_path: Path) -> None:
    outcome = run(tmp_path / "run", evaluation(Scripted(lambda _: "no idea")))
    assert outcome.counts == {RecordStatus.UNPARSED: 12}
    assert outcome.unmeasured == 0


# Evaluator-only data


def reachable(value: object, seen: set[int]) -> Iterator[str]:
    """Every text that can be reached from a value."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, str):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from reachable(getattr(value, field.name), seen)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from reachable(key, seen)
            yield from reachable(item, seen)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from reachable(item, seen)


@pytest.mark.parametrize("system", ["bm25", "full_memory", "oracle_text", "no_context"])
def test_a_backbone_is_never_handed_what_only_the_evaluator_may_see(
    tmp_path: Path, system: str
) -> None:
    question = a_question(
        "p0/secret_form/secret_id",
        "secret_task",
        "secret_setting",
        clues=["D01:02"],
        text="What is it?",
        gold=Gold(GoldKind.OPTION, option="SECRET_GOLD"),
        category="secret_category",
        form="secret_form",
    )
    release = replace(
        a_release([question], [plain_history("p0")]),
        evaluator=EvaluatorData(
            histories={"p0": {"profile": "secret"}}, questions={question.key: {"why": "secret"}}
        ),
    )
    backbone = Scripted()
    run(tmp_path / "run", evaluation(backbone, system, release=release))
    texts = list(reachable(backbone.asked, set()))
    assert any("What is it?" in text for text in texts)
    assert [text for text in texts if "secret" in text.casefold()] == []


# Workers


def test_one_plan_is_the_same_bytes_with_1_and_16_workers(tmp_path: Path) -> None:
    def say(ask: Ask) -> str:
        return random.Random(f"{ask.query.stem} {ask.seed}").choice("ABCD")

    for workers in (1, 16):
        backbone = Scripted(say, seconds=0.005)
        of = a_release(questions(60))
        one = evaluation(backbone, release=of, workers=workers, seeds=(42, 43))
        run(tmp_path / str(workers), one)
        assert backbone.most_at_once == workers
    one_bytes, many = (canonical_bytes(tmp_path / str(workers)) for workers in (1, 16))
    assert one_bytes == many
    assert one_bytes.count(b"\n") == 120


def test_the_next_memory_is_built_while_questions_are_asked(tmp_path: Path) -> None:
    backbone = Scripted(seconds=0.05)
    run(tmp_path / "run", evaluation(backbone, workers=1))
    events = [one for one in read_events(tmp_path / "run") if one.kind == "memory"]
    assert [one.history for one in events] == ["p0", "p1", "p2"]
    assert events[1].extra["rounds"] == 20
    assert events[1].extra["questions"] == 4


# Resuming


def test_the_same_again_makes_nothing_and_changes_nothing(tmp_path: Path) -> None:
    run(tmp_path / "run", evaluation())
    before = {path: path.read_bytes() for path in (tmp_path / "run").iterdir() if path.is_file()}
    backbone = Scripted()
    outcome = run(tmp_path / "run", evaluation(backbone))
    assert (outcome.ending.end, outcome.made, backbone.asked) == (End.FINISHED, 0, [])
    after = {path: path.read_bytes() for path in (tmp_path / "run").iterdir() if path.is_file()}
    assert {path.name for path in before if before[path] != after[path]} <= {".lock"}


def test_failures_and_blank_answers_are_asked_again_and_nothing_else(tmp_path: Path) -> None:
    bad = {
        "question p0/q/0": failed(),
        "question p0/q/3": failed(RecordStatus.TIMEOUT),
        "question p0/q/6": Answered(RecordStatus.ERROR, "the reply is blank", "blank answer"),
        "question p0/q/9": failed(RecordStatus.REFUSED),
    }
    outcome = run(
        tmp_path / "run", evaluation(Scripted(lambda ask: bad.get(ask.query.stem, said("A"))))
    )
    assert (outcome.counts[RecordStatus.OK], outcome.unmeasured, outcome.left) == (8, 4, 0)
    failures = [one for one in read_events(tmp_path / "run") if one.kind == "failed"]
    assert sorted(one.key for one in failures) == ["p0/q/0", "p0/q/3", "p0/q/6", "p0/q/9"]
    backbone = Scripted()
    outcome = run(tmp_path / "run", evaluation(backbone))
    assert sorted(ask.query.stem for ask in backbone.asked) == [
        "question p0/q/0",
        "question p0/q/3",
        "question p0/q/6",
    ]
    assert outcome.counts == {RecordStatus.OK: 11, RecordStatus.REFUSED: 1}
    assert manifest(tmp_path / "run")["counts"] == {"ok": 11, "refused_by_provider": 1}
    kinds = [one.kind for one in read_events(tmp_path / "run")]
    assert [kind for kind in kinds if kind not in ("memory", "failed")] == [
        "started",
        "finished",
        "resumed",
        "finished",
    ]


def test_attempts_and_adaptations_are_events(tmp_path: Path) -> None:
    answer = replace(said("A"), attempts=3, adapted=("max_tokens 512",))
    run(tmp_path / "run", evaluation(Scripted(lambda _: answer)))
    events = read_events(tmp_path / "run")
    retried = [one for one in events if one.kind == "retried"]
    assert len(retried) == 12
    assert retried[0].extra == {"attempts": 3}
    assert {one.said for one in events if one.kind == "adapted"} == {"max_tokens 512"}
    assert opened(tmp_path / "run").records[0].usage["attempts"] == 3


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"system": system_spec("bm25", parameters={"k": 3})}, r"system\.parameters\.k: 10, pla"),
        ({"seeds": (1,)}, "seeds: 42, planned 1"),
        ({"backbone": Scripted(temperature=1)}, r"backbone\.parameters\.temperature: nothing, pl"),
        ({"rule": "rq3"}, "rule: 'rq1', planned 'rq3'"),
    ],
)
def test_another_configuration_in_the_same_folder_is_refused(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    run(tmp_path / "run", evaluation())
    with pytest.raises(UsageError, match=told):
        run(tmp_path / "run", evaluation(**changes))
    assert manifest(tmp_path / "run")["counts"] == {"ok": 12}


def test_other_budgets_workers_and_names_are_the_same_run(tmp_path: Path) -> None:
    run(tmp_path / "run", evaluation(Scripted(lambda _: failed())))
    outcome = run(tmp_path / "run", evaluation(limits=Limits(tokens=10**6), workers=3, name="x"))
    assert outcome.counts == {RecordStatus.OK: 12}
    assert manifest(tmp_path / "run")["budgets"] == {"tokens": 10**6}


def test_two_runners_on_one_folder_are_refused(tmp_path: Path) -> None:
    inside = threading.Event()
    go_on = threading.Event()

    def say(ask: Ask) -> str:
        inside.set()
        go_on.wait(30)
        return "A"

    problems: list[str] = []

    def second() -> None:
        inside.wait(30)
        try:
            run(tmp_path / "run", evaluation())
        except UsageError as error:
            problems.append(str(error))
        go_on.set()

    other = threading.Thread(target=second)
    other.start()
    outcome = run(tmp_path / "run", evaluation(Scripted(say)))
    other.join()
    assert "is being written by process" in problems[0]
    assert outcome.counts == {RecordStatus.OK: 12}


# Budgets and other ends


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (Limits(tokens=40), "tokens: 48 of 40"),
        (Limits(calls=4), "calls: 4 of 4"),
        (Limits(cost=0.04), "cost: 0.048 of 0.04"),
    ],
)
def test_a_budget_stops_the_run_and_a_larger_one_goes_on(
    tmp_path: Path, limits: Limits, told: str
) -> None:
    prices = Prices(prompt=1_000, completion=1_000)
    one = evaluation(workers=1, limits=limits, prices=prices)
    outcome = run(tmp_path / "run", one)
    assert (outcome.ending.end, outcome.ending.said) == (End.BUDGET, told)
    assert (outcome.made, outcome.left) == (4, 8)
    assert "ended_at" not in manifest(tmp_path / "run")
    # What was spent before counts, so the same command stops at once.
    again = run(tmp_path / "run", one)
    assert (again.ending.end, again.made) == (End.BUDGET, 0)
    outcome = run(tmp_path / "run", evaluation())
    assert (outcome.ending.end, outcome.made, outcome.left) == (End.FINISHED, 8, 0)
    assert len(keys(tmp_path / "run")) == 12


def test_what_is_on_its_way_when_a_budget_is_reached_is_kept(tmp_path: Path) -> None:
    backbone = Scripted(seconds=0.02)
    outcome = run(tmp_path / "run", evaluation(backbone, workers=3, limits=Limits(calls=2)))
    assert outcome.made == len(backbone.asked)
    assert 2 <= outcome.made <= 5


def test_the_clock_is_a_budget(tmp_path: Path) -> None:
    one = evaluation(Scripted(seconds=0.05), workers=1, limits=Limits(seconds=0.12))
    outcome = run(tmp_path / "run", one)
    assert outcome.ending.end is End.BUDGET
    assert outcome.ending.said.startswith("seconds: 0.1")
    assert 1 <= outcome.made <= 3


def test_a_limit_of_the_cost_needs_prices() -> None:
    with pytest.raises(UsageError, match="prices; none is assumed"):
        evaluation(limits=Limits(cost=1)).require()


def test_without_prices_there_is_no_cost() -> None:
    spending = Spending()
    spending.add(said("A").tokens, 1)
    assert spending.as_json()["cost"] is None
    assert Spending(prices=Prices(1, 2), prompt=10**6, completion=10**6).cost == 3


def test_an_endpoint_that_cannot_be_used_ends_the_run_and_keeps_what_there_is(
    tmp_path: Path,
) -> None:
    def say(ask: Ask) -> Answered:
        if ask.query.stem.endswith("7"):
            return failed(stops=True)
        return said("A")

    outcome = run(tmp_path / "run", evaluation(Scripted(say), workers=1))
    assert (outcome.ending.end, outcome.ending.said) == (End.PROVIDER, "it went wrong")
    assert outcome.made + outcome.left == 12
    assert "p1/q/7" not in keys(tmp_path / "run")
    outcome = run(tmp_path / "run", evaluation())
    assert outcome.counts == {RecordStatus.OK: 12}


def test_an_interruption_keeps_what_was_answered(tmp_path: Path) -> None:
    asked = []

    def say(ask: Ask) -> str:
        asked.append(ask)
        if len(asked) == 5:
            raise KeyboardInterrupt
        return "A"

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "run", evaluation(Scripted(say), workers=1))
    assert len(keys(tmp_path / "run")) == 4
    assert read_events(tmp_path / "run")[-1].kind == "interrupted"
    outcome = run(tmp_path / "run", evaluation())
    assert (outcome.made, outcome.counts) == (8, {RecordStatus.OK: 12})


def test_a_disk_that_refuses_ends_the_run_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemoscope.core.runs.native.store import RunStore

    append = RunStore.append_all
    calls = []

    def full(store: RunStore, finished: Any) -> None:
        calls.append(finished)
        if len(calls) > 3:
            raise InputError("records.jsonl: cannot be written: No space left on device")
        append(store, finished)

    monkeypatch.setattr(RunStore, "append_all", full)
    with pytest.raises(InputError, match="No space left"):
        run(tmp_path / "run", evaluation(Scripted(seconds=0.01), workers=2))
    monkeypatch.undo()
    assert 3 <= len(keys(tmp_path / "run")) < 12
    assert run(tmp_path / "run", evaluation()).counts == {RecordStatus.OK: 12}


def test_a_memory_that_cannot_be_built_ends_the_run_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemoscope.core.memory.systems.bm25 import Bm25

    def refuse(*_: object) -> None:
        raise MnemoscopeError("no")

    monkeypatch.setattr(Bm25, "_observe", refuse)
    with pytest.raises(MnemoscopeError, match="bm25: round 1 of 20: no"):
        run(tmp_path / "run", evaluation())
    assert read_events(tmp_path / "run")[-1].said == "bm25: round 1 of 20: no"


# What does not fit


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"questions": ()}, "no question to ask"),
        ({"backbone": None}, "needs a backbone to answer"),
        ({"system": system_spec("naive_rag")}, "needs an embedder"),
    ],
)
def test_parts_that_do_not_fit_are_refused_before_anything_is_run(
    changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        replace(evaluation(), **changes).require()


def test_questions_about_a_history_that_is_not_there_are_refused() -> None:
    release = a_release(questions())
    without: Release = replace(release, histories={"p0": release.histories["p0"]})
    one = evaluation(release=without)
    with pytest.raises(UsageError, match=r"does not have the history of p1/q/1 and 7 more"):
        one.require()


# Pace


def test_the_pace_says_how_far_how_fast_and_how_long_still() -> None:
    now = [0.0]
    pace = Pace(1_000, 200, lambda: now[0])
    assert str(pace) == "200 of 1,000 records"
    for step in range(1, 101):
        now[0] = step * 0.1
        pace.count(RecordStatus.ERROR if step % 50 == 0 else RecordStatus.OK)
    assert pace.rate == pytest.approx(10)
    assert pace.left == pytest.approx(70)
    assert str(pace) == (
        "300 of 1,000 records · 10.0 a second · about 70 s left · 2 without an answer"
    )
