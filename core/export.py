"""A list of questions with what runs made of them, as CSV or JSON."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from mnemoscope.core.errors import UsageError
from mnemoscope.core.workspace import Workspace
from mnemoscope.core.writing import replace_file

__all__ = ["export_questions", "question_rows"]


def question_rows(workspace: Workspace, keys: Sequence[str]) -> list[dict[str, str]]:
    """One row a question: what it asks, its gold, and each run's answer, status and verdict."""
    rows = []
    for key in keys:
        question = workspace.release.questions[key]
        row = {
            "key": key,
            "history": question.history_id,
            "task": question.task,
            "setting": question.setting,
            "category": question.category,
            "question": question.stem,
            "gold": str(question.gold),
            "clues": " ".join(clue.written for clue in question.clues),
        }
        for run in workspace.runs:
            entry = run.entry(key)
            row[f"{run.name} answer"] = entry.record.answer if entry else ""
            row[f"{run.name} status"] = entry.judgement.status.value if entry else "no record"
            row[f"{run.name} verdict"] = entry.judgement.value.value if entry else ""
        rows.append(row)
    return rows


def export_questions(workspace: Workspace, keys: Sequence[str], path: Path) -> None:
    """Write questions to a file: CSV or JSON, by the path's suffix.

    Raises:
        UsageError: The suffix is neither, the file is there already, or it cannot be written.
    """
    rows = question_rows(workspace, keys)
    if path.suffix not in (".csv", ".json"):
        raise UsageError(f"{path}: end the name in .csv or .json")
    if path.exists():
        raise UsageError(f"{path}: is there already; it is not overwritten")
    text = _csv(rows) if path.suffix == ".csv" else json.dumps(rows, ensure_ascii=False, indent=1)
    replace_file(path, text.encode("utf-8", "replace"))


def _csv(rows: Sequence[dict[str, str]]) -> str:
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()
