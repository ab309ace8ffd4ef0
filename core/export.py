"""A list of questions with what runs made of them, as CSV or JSON."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import UsageError
from mnemoscope.core.question_columns import QuestionColumn
from mnemoscope.core.text import for_spreadsheet
from mnemoscope.core.workspace import Workspace
from mnemoscope.core.writing import replace_file

__all__ = ["export_questions", "question_rows"]


def question_rows(
    workspace: Workspace, keys: Sequence[str], columns: Sequence[QuestionColumn]
) -> list[dict[str, Any]]:
    """One row a question: its key, then what each column holds, in the order of the columns.

    Runs go by their names, not by letters: letters are those of one session.
    """
    rows = []
    for key in keys:
        row: dict[str, Any] = {"key": key}
        for column in columns:
            row |= column.fields(workspace.release.questions[key])
        rows.append(row)
    return rows


def export_questions(
    workspace: Workspace, keys: Sequence[str], columns: Sequence[QuestionColumn], path: Path
) -> None:
    """Write questions to a file: CSV or JSON, by the path's suffix.

    Raises:
        UsageError: The suffix is neither, the file is there already, or it cannot be written.
    """
    if path.suffix not in (".csv", ".json"):
        raise UsageError(f"{path}: end the name in .csv or .json")
    if path.exists():
        raise UsageError(f"{path}: is there already; it is not overwritten")
    rows = question_rows(workspace, keys, columns)
    text = _csv(rows) if path.suffix == ".csv" else json.dumps(rows, ensure_ascii=False, indent=1)
    replace_file(path, text.encode("utf-8", "replace"))


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(
            {
                name: for_spreadsheet(value) if isinstance(value, str) else value
                for name, value in row.items()
            }
            for row in rows
        )
    return out.getvalue()
