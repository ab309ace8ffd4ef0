"""The tags: what two invented annotators say about the answers, the questions and the sessions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.events import Action, TagEvent, Target
from mnemoscope.core.tags.fingerprint import release_hash, run_hash
from mnemoscope.core.tags.taxonomy import Taxonomy
from mnemoscope.core.writing import json_bytes

ANNOTATORS = {
    "maya": datetime(2026, 3, 2, 9, 0, tzinfo=UTC),
    "tomas": datetime(2026, 3, 4, 14, 0, tzinfo=UTC),
}
"""When each annotator began."""

CONTENT = Path(__file__).resolve().parent / "content" / "tags.toml"
DIMENSIONS = ("naturalness", "coherence", "validity")

# Any: what a TOML file holds.
Said = dict[str, Any]


def tag_files(release: Path, runs: Path) -> dict[str, bytes]:
    """Every file of tags: its name to its bytes."""
    workspace = open_workspace(OpenRequest(release, (runs,)))
    hashes = {run.name: run_hash(run.run) for run in workspace.runs}
    said = tomllib.loads(CONTENT.read_text(encoding="utf-8"))
    of_release = release_hash(workspace.release)
    return {
        f"{name}.jsonl": b"".join(_lines(name, said, hashes, of_release)) for name in ANNOTATORS
    }


def _lines(annotator: str, said: Said, runs: dict[str, str], release: str) -> Iterator[bytes]:
    began = ANNOTATORS[annotator]
    for number, (target, what) in enumerate(_events(annotator, said, runs), start=1):
        event = TagEvent(
            id=f"{annotator}{number:03}",
            time=began + timedelta(seconds=25 * number),
            annotator=annotator,
            target=target,
            release=release,
            tool="sample",
            **what,
        )
        yield json_bytes(event.as_json())


def _events(annotator: str, said: Said, runs: dict[str, str]) -> Iterator[tuple[Target, Said]]:
    catalogue = Catalogue.load()
    for one in said["record"]:
        target = Target.of_record(one["question"], runs[one["run"]])
        for slug in one.get(annotator, ()):
            yield target, _tag(catalogue.named("cue_mem"), slug)
        if note := one.get(f"note_{annotator}"):
            yield target, {"action": Action.NOTE, "text": note}
    for one in said["review"]:
        if "session" in one:
            taxonomy = catalogue.named("session_review")
            target = Target.of_session(one["history"], one["session"])
        else:
            taxonomy, target = catalogue.named("cue_review"), Target.of_question(one["question"])
        for dimension, choice in zip(DIMENSIONS, one.get(annotator, ()), strict=False):
            yield target, _tag(taxonomy, f"{dimension}_{choice}")


def _tag(taxonomy: Taxonomy, slug: str) -> Said:
    of = {"taxonomy": taxonomy.name, "version": taxonomy.version}
    if slug == "none":
        return {"action": Action.NONE, **of}
    assert slug in taxonomy.by_slug
    return {"action": Action.ADD, "tag": slug, **of}
