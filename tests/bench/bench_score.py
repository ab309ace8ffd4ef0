"""Scoring 100,000 records ÷ reading the same records with polars."""

import json
import statistics
import tempfile
import time
from pathlib import Path

import polars

from mnemoscope.analyses.accuracy import score
from mnemoscope.analyses.retrieval import retrieval
from mnemoscope.core.workspace import Workspace
from tests.workspace_data import (
    a_question,
    a_record,
    a_release,
    a_run,
    a_workspace,
    plain_history,
    rounds_retrieved,
)

RECORDS = 100_000
ROUNDS = 5


def _workspace() -> Workspace:
    """One history, and a run whose every record stores ten rounds."""
    history = plain_history("p0", sessions=40, rounds=10)
    rounds = [one.id for one in history.rounds]
    questions, records = [], []
    for index in range(RECORDS):
        key = f"p0/pref_text/q{index}"
        task = ("entity_recall", "long_pattern", "personalized_rec", "answer_refusal")[index % 4]
        setting = ("explicit", "implicit")[index // 4 % 2]
        first = index * 7 % (len(rounds) - 12)
        clues = rounds[first : first + 12 : 4]
        questions.append(a_question(key, task, setting, clues=clues, form="pref_text"))
        top = rounds[index * 3 % (len(rounds) - 10) :][:10]
        records.append(a_record(key, index % 3 > 0, retrieval=rounds_retrieved(*top)))
    return a_workspace(a_release(questions, [history]), a_run("one", records))


def _row(workspace: Workspace, index: int) -> dict[str, object]:
    entry = workspace.runs[0].entries[index]
    return {
        "qa_id": entry.question.id,
        "question": entry.question.text,
        "system_answer": entry.record.answer,
        "original_answer": entry.question.gold.option,
        "category": entry.question.form,
        "retrieved_ids": [
            source.round_id for item in entry.record.retrieval.items for source in item.sources
        ],
    }


def main() -> None:
    """Print the ratios."""
    workspace = _workspace()
    run, release = workspace.runs[0], workspace.release
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.jsonl"
        rows = (json.dumps(_row(workspace, index)) for index in range(len(run.entries)))
        file.write_text("\n".join(rows), encoding="utf-8")
        reading, scoring, retrieving = [], [], []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            polars.read_ndjson(file)
            reading.append(time.perf_counter() - start)
            start = time.perf_counter()
            score(run, release)
            scoring.append(time.perf_counter() - start)
            start = time.perf_counter()
            retrieval(run, release)
            retrieving.append(time.perf_counter() - start)
    base = statistics.median(reading)
    print(f"polars.read_ndjson of {RECORDS:,} records: {base * 1000:.0f} ms")
    for name, times in (("accuracy", scoring), ("retrieval at both grains", retrieving)):
        middle = statistics.median(times)
        print(f"{name}: {middle * 1000:.0f} ms, ratio {middle / base:.2f}")


if __name__ == "__main__":
    main()
