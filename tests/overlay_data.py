"""A small invented release with two runs, and overlays of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mnemoscope.core.model import Gold, GoldKind, Question, Release
from mnemoscope.core.overlays.applied import Overlaid, apply_overlays
from mnemoscope.core.overlays.overlay import question_hash
from mnemoscope.core.overlays.reader import read_overlay
from mnemoscope.core.workspace import Workspace
from tests.workspace_data import a_question, a_record, a_release, a_run, rounds_retrieved

KEYS = ("p0/0", "p0/1", "p0/2", "p0/3")


def text_question(key: str, clue: str, answer: str) -> Question:
    """A question without options."""
    made = a_question(key, clues=(clue,), gold=Gold(GoldKind.TEXTS, texts=(answer,)))
    return replace(made, options=(), index=int(key[-1]))


def text_release() -> Release:
    """Four questions about one history, each resting on one round."""
    clues = ("D00:00", "D00:01", "D01:00", "D01:01")
    answers = ("red", "blue", "green", "grey")
    return a_release(map(text_question, KEYS, clues, answers))


def text_workspace(*overlays: Path) -> Workspace:
    """Run one is right on the first three questions, run two on the last two."""
    release = text_release()
    runs = []
    for name, right in (("one", (True, True, True, False)), ("two", (False, False, True, True))):
        records = [
            a_record(key, is_right, retrieval=rounds_retrieved("D00:00", "D02:00"))
            for key, is_right in zip(KEYS, right, strict=True)
        ]
        runs.append(a_run(name, records))
    workspace = Workspace.build(release, runs)
    overlaid = overlay_of(release, *overlays) if overlays else None
    return replace(workspace, overlay=overlaid)


def overlay_of(release: Release, *files: Path) -> Overlaid:
    return apply_overlays(release, [read_overlay(file) for file in files])


def correction(question: Question, error_type: str = "BAD", **changes: Any) -> dict[str, Any]:
    """An entry of our format for a question as it is."""
    return {
        "key": question.key,
        "hash": question_hash(question),
        "error_type": error_type,
        **changes,
    }


def write_overlay(file: Path, entries: Sequence[Mapping[str, Any]], **changes: Any) -> Path:
    """Write an overlay of ours as JSON, or as TOML when the file is called so."""
    data = {
        "kind": "mnemoscope-overlay",
        "schema_version": 1,
        "name": "house rules",
        "version": "1",
        "questions": list(entries),
        **changes,
    }
    text = _toml(data) if file.suffix == ".toml" else json.dumps(data)
    file.write_text(text, "utf-8")
    return file


def _toml(data: Mapping[str, Any]) -> str:
    lines = [f"{key} = {json.dumps(one)}" for key, one in data.items() if key != "questions"]
    for entry in data["questions"]:
        lines += ["", "[[questions]]", *(f"{k} = {json.dumps(v)}" for k, v in entry.items())]
    return "\n".join([*lines, ""])
