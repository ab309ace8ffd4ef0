"""Invented run files of the CUE-Mem forms, and what the tests of their readers share."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Run
from mnemoscope.core.runs.cue_mem.human import HumanRuns
from mnemoscope.core.runs.cue_mem.oracle import Rq1OracleRuns, Rq3OracleRuns
from mnemoscope.core.runs.cue_mem.rq1 import QuestionOnlyRuns, Rq1Runs
from mnemoscope.core.runs.cue_mem.rq3 import Rq3Runs
from mnemoscope.core.runs.part import RunPart, RunReader, assemble
from mnemoscope.core.sources import Source, SourceFile

# Any: the rows are JSON.
Row = dict[str, Any]

SHARED = Path(__file__).parents[1].parent / "shared"
MINI = SHARED / "reference" / "cue-mem-mini"
GENERATOR = SHARED / "tools" / "make_cue_release.py"
QUESTION = (
    "他周六早上做什么？\nA. 游泳\nB. 修表\nC. 摘茶\nD. 放风筝\n请在 A/B/C/D 中选择最符合的选项。"
)
STEM = "他周六早上做什么？"
RQ1_NAME = "history_with_qa_p4_results.json"
LT_FOLDER = "result_debug/base/tiny-llm/LTMemory"


def readers() -> list[RunReader]:
    """The readers under test, in the registry's order."""
    return [
        Rq1Runs(),
        QuestionOnlyRuns(),
        Rq3Runs(),
        Rq1OracleRuns(),
        Rq3OracleRuns(),
        HumanRuns(),
    ]


def mini() -> Path:
    """The miniature release with its runs."""
    if not MINI.is_dir():
        pytest.skip("the miniature release is not beside this checkout")
    return MINI


def generated_release(folder: Path) -> Path:
    """An invented release of two users with six text runs and four multimodal ones."""
    if not GENERATOR.is_file():
        pytest.skip("the tool that makes releases is not beside this checkout")
    out = folder / "cue"
    options = ["--out", str(out), "--users", "2", "--runs", "6", "--variants", "base"]
    subprocess.run([sys.executable, str(GENERATOR), *options], check=True, capture_output=True)
    return out


def read_one(path: Path, root: Path | None = None) -> Sequence[RunPart] | None:
    """What the first reader that knows a file makes of it."""
    file = SourceFile(path, root or path.parent)
    for reader in readers():
        parts = reader.read_file(file)
        if parts is not None:
            return parts
    return None


def only_part(path: Path, root: Path | None = None) -> RunPart:
    """The one part that a file gives."""
    parts = read_one(path, root)
    assert parts is not None, f"no reader knows {path}"
    (part,) = parts
    return part


def read_tree(path: Path) -> tuple[dict[str, Run], list[str]]:
    """All runs below a path by name, and the files that no reader knows or can read."""
    source = Source(path)
    parts: list[tuple[str, RunPart]] = []
    unknown = []
    for file in source.files:
        try:
            found = read_one(file.path, source.root)
        except InputError:
            found = None
        if found is None:
            unknown.append(file.name)
        else:
            parts.extend((file.name, part) for part in found)
    runs = assemble(parts, source.root)
    by_name = {run.name: run for run in runs}
    assert len(by_name) == len(runs), [run.name for run in runs]
    return by_name, unknown


def write_json(path: Path, data: object) -> Path:
    """Write a JSON file, folders included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    return path


def rq1_part(folder: Path, rows: object, place: str = LT_FOLDER) -> RunPart:
    """What the reader makes of rows of a text memory of ``p4``."""
    return only_part(write_json(folder / place / RQ1_NAME, rows), folder)


def rq3_part(folder: Path, rows: object, place: str = "results/tiny_omni/MM") -> RunPart:
    """What the reader makes of rows of a multimodal memory of ``p4``."""
    return only_part(write_json(folder / place / "p4_results.json", rows), folder)


def problems(part: RunPart) -> list[tuple[str, str, str]]:
    """Severity, code and place of each defect."""
    return [(one.severity.value, one.code, one.path) for one in part.defects]


def rq1_row(**changes: Any) -> Row:
    """A row of a text memory."""
    row: Row = {
        "qa_id": "4-HobbiesAndEntertainment-2",
        "sample_id": "罗岚",
        "session_id": "D03",
        "speaker_a": "user (罗岚)",
        "speaker_b": "assistant",
        "question": QUESTION,
        "system_answer": "B",
        "original_answer": "B",
        "category": "pref_text",
        "qa_type": "explicit",
        "entity_explicitness": "",
        "entity_source_refs": [],
        "entity_name": "",
        "entity_anchor_lookup_name": "",
        "timestamp": "2026-03-01 08:00:00",
    }
    return row | changes


def question_only_row(**changes: Any) -> Row:
    """A row of a run that saw no history."""
    row = rq1_row()
    for key in ("session_id", "speaker_a", "speaker_b"):
        del row[key]
    return row | changes


def rq1_oracle_row(**changes: Any) -> Row:
    """A row of the RQ1 oracle."""
    row = question_only_row(
        n_evidence_sessions=2,
        evidence_session_ids=["D01", "D03"],
        related_history=["session one", "session three"],
        related_history_text="session one\nsession three",
    )
    return row | changes


def rq3_item(turn: str, number: int, modality: str, letter: str, **changes: Any) -> Row:
    """One entry of ``retrieved_items``: what one option's query found."""
    item: Row = {
        "item_id": f"{turn}::{modality}::{number}",
        "modality": modality,
        "path": None if modality == "text" else f"/data/event/{modality}",
        "fallback": None,
        "score": 0.5,
        "rank": 1,
        "query_metadata": {
            "source": "question_plus_option_text",
            "letter": letter,
            "point": "pref_text",
            "composition_method": "text_concatenation",
        },
    }
    return item | changes


def rq3_row(**changes: Any) -> Row:
    """A row of an RQ3 run with two of its five rounds."""
    row: Row = {
        "qa_uid": "p4::pref_text::4-HobbiesAndEntertainment-2",
        "qa_id": "4-HobbiesAndEntertainment-2",
        "question": QUESTION,
        "answer": "B",
        "model_answer": "B",
        "raw_response": "B",
        "correct": True,
        "point": "pref_text",
        "qa_type": "explicit",
        "category": "HobbiesAndEntertainment",
        "retrieved_turn_ids": ["D03:01", "D01:00"],
        "retrieved_scores": [0.0656, 0.0325],
        "retrieved_items": [
            {
                "turn_id": "D03:01",
                "items": [
                    rq3_item("D03:01", 9, "text", "A"),
                    rq3_item("D03:01", 10, "audio", "B", score=0.25, rank=3),
                ],
            },
            {"turn_id": "D01:00", "items": [rq3_item("D01:00", 2, "text", "C", rank=2)]},
        ],
        "clue": ["D03:01"],
        "matched_session_ids": [],
        "recall@k": {"1": 1.0, "3": 1.0, "5": 1.0, "10": 1.0},
        "precision@k": {"1": 1.0, "3": 0.3333333333333333, "5": 0.2, "10": 0.1},
    }
    return row | changes


def rq3_failed_row(**changes: Any) -> Row:
    """The row that a worker writes when a question fails for good."""
    row: Row = {
        "qa_uid": "p4::rec_text::4-HobbiesAndEntertainment-2",
        "qa_id": "4-HobbiesAndEntertainment-2",
        "question": QUESTION,
        "answer": "A",
        "model_answer": "",
        "correct": False,
        "point": "rec_text",
        "qa_type": "explicit",
        "category": "HobbiesAndEntertainment",
        "error": "Connection reset by peer",
    }
    return row | changes


def rq3_oracle(mode: str = "text", **changes: Any) -> Row:
    """A file of the RQ3 oracle: two rows."""
    media = [
        {"source": "evidence", "session_id": "D01", "modality": "image", "status": "included"},
        {"source": "evidence", "session_id": "D01", "modality": "audio", "status": "missing"},
        {"source": "evidence", "session_id": "D03", "modality": "audio", "status": "included"},
        {"source": "evidence", "session_id": "D03", "modality": "audio", "status": "skipped_limit"},
    ]
    shared = {
        "subcategory": "放风筝",
        "evidence_session_ids": ["D01", "D03"],
        "related_history_outline": ["D01", "D03"],
        "related_media_refs": media,
        "oracle_input_mode": mode,
        "oracle_scope": "session",
        "eval_provider": "vllm",
        "llm_name": "tiny-omni",
    }
    rows = []
    for index, changed in enumerate(({}, {"point": "rec_text", "raw_response": "说不清"})):
        row = rq3_row(**shared, **changed)
        for key in [key for key in row if key.startswith(("retrieved", "recall", "precision"))]:
            del row[key]
        row |= {"qa_uid": f"p4:{index:04d}:{row['qa_id']}", "qa_index": index}
        rows.append(row)
    rows[1] |= {"model_answer": "说", "correct": False}
    meta = {
        "oracle_input_mode": mode,
        "oracle_scope": "session",
        "eval_provider": "vllm",
        "llm_name": "tiny-omni",
        "sample": None,
        "max_workers": 8,
        "accuracy": 0.5,
        "total": 2,
    }
    return {"meta": meta | changes, "results": rows}


def submission(answers: Sequence[str] = ("B", ""), **changes: Any) -> Row:
    """A human's answers about two questions."""
    points = ("pref_text", "rec_text")
    details = [
        {
            "key": f"4-HobbiesAndEntertainment-2::{point}::explicit",
            "qa_id": "4-HobbiesAndEntertainment-2",
            "point": point,
            "qa_type": "explicit",
            "category": "HobbiesAndEntertainment",
            "gold": "B",
            "answer": answer,
            "answered": bool(answer),
            "correct": answer == "B",
        }
        for point, answer in zip(points, answers, strict=True)
    ]
    whole: Row = {
        "participant": "an na",
        "variant": "oracle_text",
        "profile": "p4",
        "submitted_at": "2026-04-01 10:00:00",
        "data_file": "history_with_qa_p4.json",
        "total": 2,
        "answered": 1,
        "correct": 1,
        "accuracy": 50.0,
        "answered_accuracy": 100.0,
        "details": details,
    }
    return whole | changes
