"""Forms of CUE-Mem run files that have no miniature, and what names of files and folders say."""

from pathlib import Path

import pytest

from mnemoscope.core.model import (
    RecordStatus,
    RetrievalState,
    SourceRef,
    StoredMetric,
    Textualisation,
)
from mnemoscope.core.runs.cue_mem.paths import DataName, history_in, read_data_name
from tests.cue_run_data import (
    LT_FOLDER,
    RQ1_NAME,
    only_part,
    problems,
    question_only_row,
    read_tree,
    rq1_oracle_row,
    rq1_part,
    rq1_row,
    rq3_failed_row,
    rq3_oracle,
    rq3_part,
    rq3_row,
    submission,
    write_json,
)

OK, ERROR, UNPARSED = RecordStatus.OK, RecordStatus.ERROR, RecordStatus.UNPARSED


# Forms without a miniature.


def test_a_question_only_run_saw_no_history(tmp_path: Path) -> None:
    raw = "C\n依据session：01/02/2025\n依据：常理。"
    rows = [
        question_only_row(system_answer="C", raw_response=raw, reasoning="常理。"),
        question_only_row(category="rec_text"),
    ]
    for folder in ("run1", "run2"):
        write_json(tmp_path / f"result_question_only/base/tiny-llm/{folder}/{RQ1_NAME}", rows)
    runs, unknown = read_tree(tmp_path)
    assert unknown == []
    assert sorted(runs) == [
        "question-only base tiny-llm run1",
        "question-only base tiny-llm run2",
    ]
    run = runs["question-only base tiny-llm run2"]
    assert (run.system, run.backbone, run.rule) == ("question-only", "tiny-llm", "rq1")
    assert run.parameters["run"] == "run2"
    assert run.records[0].cited == ("01/02/2025",)
    assert run.records[0].reasoning == "常理。"
    assert {one.retrieval.state for one in run.records} == {RetrievalState.NOT_STORED}
    assert any("No history was shown" in note for note in run.notes)


def test_a_flat_question_only_tree_needs_no_run_folder(tmp_path: Path) -> None:
    path = tmp_path / "result_question_only/detailed/tiny-llm" / RQ1_NAME
    part = only_part(write_json(path, [question_only_row()]), tmp_path)
    assert part.identity.backbone == "tiny-llm"
    assert part.identity.textualisation == Textualisation("detailed", "hint")
    assert "run" not in part.parameters


def test_an_rq1_oracle_was_handed_the_gold_sessions(tmp_path: Path) -> None:
    path = tmp_path / "result_oracle_evidence/base/tiny-llm" / RQ1_NAME
    part = only_part(write_json(path, [rq1_oracle_row()]), tmp_path)
    (record,) = part.records
    assert part.identity.system == "oracle text"
    assert part.identity.backbone == "tiny-llm"
    assert part.identity.textualisation == Textualisation("oracle", "oracle")
    assert record.retrieval.grain == "session"
    assert record.retrieval.state is RetrievalState.IDS
    sessions = [item.sources for item in record.retrieval.items]
    assert sessions == [(SourceRef("D01"),), (SourceRef("D03"),)]
    assert record.context_place == "$[0].related_history_text"
    assert any("handed the gold sessions" in note for note in part.notes)
    assert any("keyed by qa_id alone" in note for note in part.notes)


@pytest.mark.parametrize("mode", ["text", "multimodal"])
def test_an_rq3_oracle_says_its_mode_in_its_meta(tmp_path: Path, mode: str) -> None:
    path = tmp_path / f"results/oracle_evidence/{mode}/vllm/tiny-omni/p4_results.json"
    part = only_part(write_json(path, rq3_oracle(mode)), tmp_path)
    assert part.identity.system == f"oracle {mode}"
    assert part.identity.backbone == "tiny-omni"
    assert part.identity.rule == "rq3"
    assert (part.identity.textualisation is None) == (mode == "multimodal")
    assert part.parameters["oracle_scope"] == "session"
    counts = {"included": 4, "missing": 2, "skipped_limit": 2}
    assert part.parameters["related_media_refs p4"] == counts
    assert part.metrics == (StoredMetric("p4 accuracy", 0.5), StoredMetric("p4 total", 2.0))
    assert [record.status for record in part.records] == [OK, UNPARSED]
    assert [record.place for record in part.records] == ["$.results[0]", "$.results[1]"]
    assert [record.ref.form for record in part.records] == ["pref_text", "rec_text"]
    assert part.records[0].retrieval.grain == "session"
    assert not part.defects


def test_an_oracle_that_got_only_the_clue_rounds_says_so(tmp_path: Path) -> None:
    path = write_json(tmp_path / "p4_results.json", rq3_oracle(oracle_scope="clue_turn"))
    assert any("only the rounds" in note for note in only_part(path).notes)


def test_oracle_rows_without_their_meta_are_still_an_oracle_s(tmp_path: Path) -> None:
    path = write_json(tmp_path / "p4_results.json", [None, *rq3_oracle()["results"]])
    part = only_part(path)
    assert part.identity.format == "cue-mem-rq3-oracle"
    assert part.identity.backbone == "tiny-omni"
    assert problems(part) == [("error", "wrong_type", "$[0]")]


@pytest.mark.parametrize(
    ("variant", "index", "use"),
    [
        ("TT", "text", "text"),
        ("TM", "text", "media"),
        ("MT", "media", "text"),
        ("MM",) + ("media",) * 2,
    ],
)
def test_a_variant_names_index_and_use(tmp_path: Path, variant: str, index: str, use: str) -> None:
    part = rq3_part(tmp_path, [rq3_row()], f"results/vllm_tiny/again/{variant}")
    assert part.identity.system == variant
    assert part.identity.backbone == "vllm_tiny"
    assert part.identity.names == (variant, "vllm_tiny", "again")
    assert part.parameters == {"index": index, "use": use}


def test_rows_under_a_results_key_are_read_alike(tmp_path: Path) -> None:
    bare = rq3_part(tmp_path, [rq3_row(), rq3_failed_row()])
    wrapped = rq3_part(tmp_path, {"results": [rq3_row(), rq3_failed_row()]})
    assert [record.place for record in wrapped.records] == ["$.results[0]", "$.results[1]"]
    assert [one.retrieval for one in wrapped.records] == [one.retrieval for one in bare.records]


def test_a_person_s_profiles_are_one_run_and_later_submissions_are_repeats(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    for profile, time in (("p4", 1800000009), ("p4", 1800000010), ("p5", 1800000011)):
        path = folder / profile / "oracle_text" / f"{time}_an_na.json"
        write_json(path, submission(profile=profile))
    write_json(folder / "p4/oracle_text/1700000000_bo.json", submission(participant="bo"))
    runs, _ = read_tree(folder)
    assert sorted(runs) == ["human oracle_text an na", "human oracle_text bo"]
    records = runs["human oracle_text an na"].records
    assert [(one.ref.history, one.repeat) for one in records] == [
        *[("p4", 0)] * 2,
        *[("p4", 1)] * 2,
        *[("p5", 0)] * 2,
    ]


def test_a_submission_under_another_file_name_is_read_alike(tmp_path: Path) -> None:
    part = only_part(write_json(tmp_path / "mine.json", submission(answers=("E", "b"))))
    assert [(one.status, one.parsed, one.repeat) for one in part.records] == [
        (UNPARSED, "", 0),
        (OK, "B", 0),
    ]


def test_a_default_profile_is_named_by_the_data_file_or_the_folder(tmp_path: Path) -> None:
    named = write_json(tmp_path / "default/x/1_a.json", submission(profile="default"))
    assert only_part(named).records[0].ref.history == "p4"
    folder = submission(profile="default", data_file="")
    assert only_part(write_json(tmp_path / "p7/x/1_a.json", folder)).records[0].ref.history == "p7"


# What names say.


@pytest.mark.parametrize(
    ("stem", "said"),
    [
        ("history_with_qa_p12_results", DataName("p12")),
        ("history_with_qa_p0_adversarial_text_results", DataName("p0", None, "adversarial_text")),
        ("history_with_qa_p3_sample5_accuracy", DataName("p3", 5)),
        ("history_with_qa_p3_sample5_pref_efficiency", DataName("p3", 5, "pref")),
        ("p07_results", DataName("p7")),
        ("profile_results", DataName()),
        ("map3_results", DataName()),
        ("results", DataName()),
    ],
)
def test_a_file_name_says_history_sample_and_category(stem: str, said: DataName) -> None:
    assert read_data_name(stem) == said


@pytest.mark.parametrize(
    ("text", "history"),
    [("p3", "p3"), ("profile_3", "p3"), ("history_with_qa_p3.json", "p3"), ("default", "")],
)
def test_a_profile_is_named_in_several_ways(text: str, history: str) -> None:
    assert history_in(text) == history


@pytest.mark.parametrize(
    ("config", "levels"),
    [
        ("base", Textualisation("medium", "hint")),
        ("brief", Textualisation("brief", "hint")),
        ("medium", Textualisation("medium", "hint")),
        ("detailed", Textualisation("detailed", "hint")),
        ("audio_caption/asr", Textualisation("medium", "asr")),
        ("audio_caption/hint", Textualisation("medium", "hint")),
        ("audio_caption/asr_bg_split", Textualisation("medium", "split")),
        ("base_retention_correct0_5", Textualisation("medium", "hint")),
        ("own_captions", None),
    ],
)
def test_the_configuration_s_folder_says_which_captions_were_read(
    tmp_path: Path, config: str, levels: Textualisation | None
) -> None:
    part = rq1_part(tmp_path, [rq1_row()], f"result_debug/{config}/tiny-llm/GAMemory")
    assert part.identity.textualisation == levels
    assert part.parameters["config"] == config
    assert (part.identity.system, part.identity.backbone) == ("GAMemory", "tiny-llm")
    assert part.identity.names == ("GAMemory", config, "tiny-llm")


def test_a_tree_without_a_configuration_says_nothing_of_captions(tmp_path: Path) -> None:
    part = rq1_part(tmp_path, [rq1_row()], "result_debug/tiny-llm/LTMemory")
    assert (part.identity.system, part.identity.backbone) == ("LTMemory", "tiny-llm")
    assert part.identity.textualisation is None
    assert "config" not in part.parameters


def test_a_memory_s_folder_can_be_opened_alone(tmp_path: Path) -> None:
    folder = tmp_path / "result_debug/audio_caption/asr/tiny-llm/LTMemory"
    inside = only_part(write_json(folder / RQ1_NAME, [rq1_row()]))
    assert inside.identity.group == ""
    assert inside.identity.names == ("LTMemory", "audio_caption/asr", "tiny-llm")


def test_folders_above_what_was_opened_are_no_backbone(tmp_path: Path) -> None:
    part = only_part(write_json(tmp_path / "mine" / "LTMemory" / RQ1_NAME, [rq1_row()]))
    assert (part.identity.system, part.identity.backbone) == ("LTMemory", "")
    alone = only_part(write_json(tmp_path / "mine" / "elsewhere" / RQ1_NAME, [rq1_row()]))
    assert (alone.identity.system, alone.identity.backbone) == ("", "")


def test_a_sample_is_another_run_than_the_whole(tmp_path: Path) -> None:
    folder = tmp_path / LT_FOLDER
    for suffix in ("", "_sample5", "_adversarial_text"):
        write_json(folder / f"history_with_qa_p4{suffix}_results.json", [rq1_row()])
    runs, _ = read_tree(tmp_path)
    base = "LTMemory base tiny-llm"
    assert sorted(runs) == [base, f"{base} adversarial_text", f"{base} sample 5"]
    assert {run.records[0].ref.history for run in runs.values()} == {"p4"}


def test_another_result_root_is_another_run(tmp_path: Path) -> None:
    for root in ("result_debug", "result_debug_trimmed"):
        write_json(tmp_path / root / "base/tiny-llm/LTMemory" / RQ1_NAME, [rq1_row()])
    runs, _ = read_tree(tmp_path)
    assert sorted(runs) == [
        "LTMemory base result_debug_trimmed tiny-llm",
        "LTMemory base tiny-llm",
    ]


def test_several_histories_are_one_run(tmp_path: Path) -> None:
    folder = tmp_path / LT_FOLDER
    for number in (2, 10):
        write_json(folder / f"history_with_qa_p{number}_results.json", [rq1_row()])
    ((_, run),) = read_tree(tmp_path)[0].items()
    assert [record.ref.history for record in run.records] == ["p2", "p10"]


def test_a_name_without_a_number_leaves_the_character_s_name(tmp_path: Path) -> None:
    part = only_part(write_json(tmp_path / "pilot_results.json", [rq1_row()]))
    assert part.records[0].ref.history == "罗岚"
