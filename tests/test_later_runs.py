"""What is peculiar to runs of PersonaMem (HyperBinder), PrefEval and MemLens."""

from pathlib import Path
from typing import Any

import pytest

from mnemoscope.analyses.suspicion import suspicions
from mnemoscope.core.model import (
    RecordStatus,
    Release,
    RetrievalState,
    Run,
    StoredMetric,
    Value,
)
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.personamem.hyperbinder import option_label
from mnemoscope.core.runs.prefeval.responses import FileName, read_name
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.workspace import Workspace, join_run
from tests.locomo_data import DATA, write
from tests.longmemeval_data import lens_instance
from tests.other_run_data import hyperbinder, lines, memlens, prefeval
from tests.workspace_data import a_question, a_release

PERSONAMEM = DATA / "personamem" / "amb"
needs_personamem = pytest.mark.skipif(
    not PERSONAMEM.is_dir(), reason=f"the public data is not in {DATA}"
)
PREFEVAL_RUNS = DATA / "prefeval-runs"
PREFEVAL = DATA / "prefeval"
needs_prefeval = pytest.mark.skipif(
    not (PREFEVAL_RUNS.is_dir() and PREFEVAL.is_dir()), reason=f"the public data is not in {DATA}"
)


def only_run(path: Path) -> Run:
    (run,) = open_runs(path).runs
    return run


# --- HyperBinder on PersonaMem


@pytest.mark.parametrize(
    ("text", "label"),
    [
        *(("(c)", "c"), ("c", "c"), (" (C) ", "c"), ("C", "c"), ("(c) tea", ""), ("tea", "")),
        *(("", ""), ("()", ""), ("(3)", ""), ("é", "")),
    ],
)
def test_an_option_is_the_same_with_brackets_and_without(text: str, label: str) -> None:
    assert option_label(text) == label


def test_hyperbinder_s_answers_are_options_in_brackets(tmp_path: Path) -> None:
    run = only_run(write(tmp_path / "binder" / "personamem.json", hyperbinder()))
    first, second = run.records
    assert (first.answer, first.parsed, first.ref.gold) == ("(c)", "c", "(c)")
    assert (first.verdicts[0].value, second.verdicts[0].value) == (Value.RIGHT, Value.WRONG)
    assert first.ref.question == "0000-0"
    assert [one.name for one in first.metrics] == ["confidence", "place in the context"]
    assert first.metrics[1].value == pytest.approx(0.9267)
    assert first.retrieval.state is RetrievalState.TEXT
    assert run.parameters == {"benchmark": "PersonaMem", "split": "32k"}


def test_questions_that_find_themselves_are_said_in_the_notes(tmp_path: Path) -> None:
    run = only_run(write(tmp_path / "x.json", hyperbinder()))
    # What looks wrong about a run is a suspicion, named once.
    assert run.defects == ()
    said = "gold leaked into the store: 2 of 2 rows bring back the very question that they ask"
    assert said in run.notes
    clean = only_run(write(tmp_path / "x.json", hyperbinder(leaked=False)))
    assert not any("leaked" in note for note in clean.notes)


def test_several_results_are_several_runs(tmp_path: Path) -> None:
    data = hyperbinder()
    data["results"] += [{**data["results"][0], "split": "128k"}]
    runs = open_runs(write(tmp_path / "binder" / "x.json", data)).runs
    assert [run.parameters["split"] for run in runs] == ["32k", "128k"]
    assert [run.name for run in runs] == ["binder x#1", "binder x#2"]
    data["results"][1] = None
    opened = open_runs(write(tmp_path / "binder" / "x.json", data))
    assert len(opened.runs) == 1
    assert [one.path for one in opened.defects] == ["$.results[1]"]


def test_a_share_that_is_none_is_a_defect(tmp_path: Path) -> None:
    for written in ("92.67", "x%", "1e999%", 0.5, "-3%"):
        data = hyperbinder(leaked=False)
        data["results"][0]["details"][0]["distance_prop"] = written
        run = only_run(write(tmp_path / "x.json", data))
        assert [one.path for one in run.defects] == ["$.results[0].details[0].distance_prop"]


@needs_personamem
def test_every_question_of_personamem_is_joined_by_its_id(tmp_path: Path) -> None:
    release = open_release(PERSONAMEM)
    details = [
        {
            **hyperbinder()["results"][0]["details"][0],
            "question_id": question.id,
            "retrieved_question_id": question.id,
            "question": "written otherwise",
            "ground_truth": f"({question.gold})",
            "retrieved": f"({question.gold})",
        }
        for question in release.questions.values()
    ]
    run = only_run(write(tmp_path / "binder" / "x.json", {"results": [{"details": details}]}))
    joined = join_run(release, run)
    assert len(joined.entries) == 589
    assert all(one.judgement.right for one in joined.entries)
    assert all(one.record.parsed == one.question.gold.option for one in joined.entries)
    assert run.defects == ()
    codes = {one.code: one for one in suspicions(Workspace.build(release, [run]))}
    assert codes.keys() == {"answers_equal_gold", "question_retrieved"}
    assert (codes["question_retrieved"].count, codes["question_retrieved"].of) == (589, 589)


# --- PrefEval


def analysed(acknow: str, hallucinate: str, violate: str, helpful: str) -> dict[str, Any]:
    said = {"acknow": acknow, "hallucinate": hallucinate, "violate": violate, "helpful": helpful}
    return {key: {"answer": value, "explanation": "it says so"} for key, value in said.items()}


@pytest.mark.parametrize(
    ("answers", "value", "reason"),
    [
        (("Yes", "No", "No", "Yes"), Value.RIGHT, ""),
        (("No", "No", "No", "Yes"), Value.RIGHT, ""),
        (("No", "No", "No", "No"), Value.WRONG, "unhelpful"),
        (("No", "Yes", "Yes", "Yes"), Value.WRONG, "violation, unaware of the preference"),
        (("Yes", "Yes", "Yes.", "yes"), Value.WRONG, "violation, of a preference made up"),
        (("Yes", "No", "yes", "Yes"), Value.WRONG, "violation, inconsistent with what it says"),
        (("Yes", "No", "", "Yes"), Value.JUDGE_FAILED, "the judge's answers are not whole"),
    ],
)
def test_prefeval_s_judge_decides_by_helpful_and_violate(
    tmp_path: Path, answers: tuple[str, str, str, str], value: Value, reason: str
) -> None:
    first, second = prefeval()
    first["evaluation_error_analysis"] = analysed(*answers)
    path = write(tmp_path / "error_tiny_travel_hotel_10interturn.json", [first, second])
    run = only_run(path)
    verdicts = [record.verdicts for record in run.records]
    assert [(one.value, one.reason) for one in verdicts[0]] == [(value, reason)]
    assert verdicts[1] == ()
    assert len(run.defects) == (value is Value.JUDGE_FAILED)


def test_prefeval_s_judged_copy_is_a_half_of_the_run_that_it_is_of(tmp_path: Path) -> None:
    rows = prefeval()
    write(tmp_path / "tiny_travel_hotel_10interturn.json", rows)
    judged = [
        {**row, "evaluation_error_analysis": analysed("Yes", "No", "No", "Yes")} for row in rows
    ]
    write(tmp_path / "error_tiny_travel_hotel_10interturn.json", judged)
    run = only_run(tmp_path)
    assert (run.system, run.parameters, run.defects) == ("tiny", {"turns_between": 10}, ())
    assert [[one.value for one in record.verdicts] for record in run.records] == [[Value.RIGHT]] * 2


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("mistral8x7b_travel_hotel_2turn", FileName("travel_hotel", "mistral8x7b", "2")),
        ("a_b_shop_home_300turns_cot", FileName("shop_home", "a_b", "300", "cot")),
        ("travel_hotel", FileName("travel_hotel")),
        ("Claude_Pet_Ownership", FileName("pet_ownership", "Claude")),
        ("answers", None),
    ],
)
def test_a_file_s_name_says_model_topic_and_turns(stem: str, name: FileName | None) -> None:
    assert read_name(stem) == name


def test_topics_of_one_model_and_number_of_turns_are_one_run(tmp_path: Path) -> None:
    for name in ("m1_travel_hotel_2turn", "m1_shop_home_2turn", "m1_travel_hotel_70turn"):
        write(tmp_path / f"{name}.json", prefeval())
    runs = open_runs(tmp_path).runs
    assert [run.name for run in runs] == ["m1 2turn", "m1 70turn"]
    assert [len(run.records) for run in runs] == [4, 2]
    assert [run.parameters for run in runs] == [{"turns_between": 2}, {"turns_between": 70}]
    assert [one.ref.history for one in runs[0].records] == [
        *("shop_home-0-explicit", "shop_home-1-explicit"),
        *("travel_hotel-0-explicit", "travel_hotel-1-explicit"),
    ]
    assert {one.verdicts for one in runs[0].records} == {()}


@pytest.mark.parametrize(
    ("more", "form"),
    [
        ({}, "explicit"),
        ({"implicit_query": "?", "conversation": {}, "aligned_op": "x"}, "choice"),
        ({"persona": "a baker", "conversation": {}}, "persona"),
        ({"classification_task_options": ["a"]}, "mcq"),
    ],
)
def test_a_row_says_by_its_keys_which_form_it_repeats(
    tmp_path: Path, more: dict[str, Any], form: str
) -> None:
    rows = [{**row, **more} for row in prefeval()]
    run = only_run(write(tmp_path / "m1_travel_hotel_2turn.json", rows))
    assert [one.ref.history for one in run.records] == [
        *(f"travel_hotel-0-{form}", f"travel_hotel-1-{form}"),
    ]


@needs_prefeval
def test_the_public_outputs_of_prefeval_are_as_counted_and_join() -> None:
    runs = open_runs(PREFEVAL_RUNS).runs
    release = open_release(PREFEVAL)
    assert [run.name for run in runs] == ["mistral8x7b 2turn", "mistral8x7b 70turn"]
    assert [len(run.records) for run in runs] == [54, 54]
    for run in runs:
        assert run.defects == ()
        assert {record.status for record in run.records} == {RecordStatus.OK}
        keys = [f"travel_hotel-{at}-explicit/0" for at in range(54)]
        joined = join_run(release, run)
        assert list(joined.join.keys) == keys
        assert {one.judgement.value for one in joined.entries} == {Value.NOT_JUDGED}


# --- MemLens


@pytest.fixture
def lens() -> Release:
    return a_release(
        a_question(f"lens{at}/lens{at}", text=f"What hangs there, {at}?") for at in (1, 2)
    )


@pytest.mark.parametrize("form", ["object", "list", "lines"])
def test_memlens_s_rows_join_by_their_id_in_every_form(
    tmp_path: Path, lens: Release, form: str
) -> None:
    folder = tmp_path / "output"
    if form == "lines":
        run = only_run(lines(folder / "x.jsonl", memlens()["data"]))
    else:
        run = only_run(
            write(folder / "x.json", memlens() if form == "object" else memlens()["data"])
        )
    assert join(lens, run).keys == tuple(lens.questions)
    assert run.backbone == ("some-vlm" if form == "object" else "")


def test_memlens_s_rows_join_to_its_release(tmp_path: Path) -> None:
    asked = [lens_instance(f"lens{at}", question=f"What hangs there, {at}?") for at in (1, 2)]
    release = open_release(write(tmp_path / "release" / "dataset_32k.json", asked))
    run = only_run(write(tmp_path / "output" / "x.json", memlens()))
    assert (release.format, join(release, run).keys) == ("memlens", tuple(release.questions))


def test_memlens_s_figures_are_no_verdicts_until_a_judge_adds_its_score(
    tmp_path: Path, lens: Release
) -> None:
    data = memlens()
    run = only_run(write(tmp_path / "x.json", data))
    assert run.records[0].metrics == (StoredMetric("sub_em", 1.0), StoredMetric("f1", 0.5))
    assert {one.judgement.value for one in join_run(lens, run).entries} == {Value.NOT_JUDGED}
    for row, score in zip(data["data"], (1, 0), strict=True):
        row["judge_score"] = score
    run = only_run(write(tmp_path / "x.json", data))
    found = [one.judgement.value for one in join_run(lens, run).entries]
    assert found == [Value.RIGHT, Value.WRONG]


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ({"prediction": "", "raw_prediction": "<think>…"}, RecordStatus.UNPARSED),
        ({"prediction": "", "raw_prediction": " "}, RecordStatus.ERROR),
        ({}, RecordStatus.OK),
    ],
)
def test_an_output_from_which_no_answer_was_read_is_kept(
    tmp_path: Path, row: dict[str, Any], status: RecordStatus
) -> None:
    data = memlens()
    data["data"][0] |= row
    record = only_run(write(tmp_path / "x.json", data)).records[0]
    assert record.status is status
    assert record.usage == {"input_tokens": 30_000, "output_tokens": 12}
    if status is RecordStatus.UNPARSED:
        assert record.answer == "<think>…"
    if status is RecordStatus.OK:
        assert (record.answer, record.reasoning) == ("it is 1", "<think>well</think> 1")


def test_memlens_s_judge_has_a_file_of_verdicts_without_answers(tmp_path: Path) -> None:
    questions = [lens_instance(one, question="What hangs there?") for one in ("lens1", "lens2")]
    release = open_release(write(tmp_path / "dataset_32k.json", questions))
    details = [
        {"question_id": f"lens{n}", "task_key": "IE", "judge_score": n % 2, "output_len": 9}
        for n in (1, 2)
    ]
    folder = tmp_path / "judged"
    write(folder / "judge_details.json", details)
    lines(folder / "judge_metrics.json.jsonl", [{"idx": 0, **details[0]}])
    run = only_run(folder)
    assert join(release, run).keys == ("lens1/0", "lens2/0")
    verdicts = [one.value for record in run.records for one in record.verdicts]
    assert verdicts == [Value.RIGHT, Value.WRONG]
    assert [(one.answer, one.status) for one in run.records] == [("", RecordStatus.OK)] * 2
    assert any("no answers" in note for note in run.notes)
    assert run.defects == ()
