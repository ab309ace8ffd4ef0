"""The manifest of an evaluation, and the plan that a manifest is of."""

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.evaluate.evaluation import Evaluation
from mnemoscope.core.evaluate.origin import Origin
from mnemoscope.core.evaluate.plan import Plan, moved, place_beside
from mnemoscope.core.extensions import Group, extensions
from mnemoscope.core.reading import read_json
from mnemoscope.core.runs.native.differences import difference, differences
from mnemoscope.core.runs.native.reader import MANIFEST, RUN_KIND, SCHEMA_VERSION
from mnemoscope.core.runs.native.reading import manifest_of
from mnemoscope.core.runs.native.schema import Manifest
from mnemoscope.core.runs.native.store import release_form
from mnemoscope.core.schemas import required
from mnemoscope.core.tokens import TOKENIZER, TOKENIZER_SHA256
from mnemoscope.core.writing import json_bytes, sha256_of

__all__ = ["PLAN", "config_hash", "manifest_for", "plan_of_manifest", "require_same"]

PLAN = "plan"
"""Under which name a manifest's ``extra`` keeps the plan that it was made from."""


def manifest_for(
    evaluation: Evaluation, plan: Plan, origin: Origin, *, started: datetime | None = None
) -> Manifest:
    """The manifest of a run that is going to begin.

    Args:
        evaluation: What is run.
        plan: What it was made from.
        origin: What makes it.
        started: When it begins; now when None.

    Raises:
        InputError: A file of the release can no longer be read.
    """
    system, captions = evaluation.system, evaluation.textualisation
    backbone = evaluation.backbone.spec if evaluation.backbone is not None else None
    notes = list(filter(None, [backbone.note if backbone else ""]))
    notes += filter(None, [evaluation.kind.PROFILE_NOTES.get(system.profile, "")])
    parameters: dict[str, Any] = {"system_version": system.version}
    if evaluation.wording:
        parameters["rewrites"] = dict(evaluation.wording)
    if evaluation.kind.NEEDS_EMBEDDER and evaluation.embedder is not None:
        embedder = evaluation.embedder
        parameters["embedder"] = {"id": embedder.id, "weights": embedder.weights_hash}
    added = {
        Group.SYSTEMS: system.name,
        Group.BACKBONES: plan.backbone.id.partition(":")[0],
        Group.EMBEDDERS: plan.system.embedder.partition(":")[0] if evaluation.embedder else "",
    }
    packages = {
        group.value: found.package
        for group, name in added.items()
        if (found := extensions(group).get(name)) is not None
    }
    if packages:
        parameters["packages"] = packages
    if plan.captions:
        # A file that has grown since may say more of the same pictures.
        parameters["captions"] = {Path(one).name: sha256_of(Path(one)) for one in plan.captions}
    model = {"id": backbone.id, "parameters": dict(backbone.parameters)} if backbone else {}
    form = {
        "kind": RUN_KIND,
        "schema_version": SCHEMA_VERSION,
        "name": evaluation.name,
        "tool_version": origin.version,
        "git": origin.git,
        "platform": origin.platform,
        "argv": [_without_url(one, plan) for one in origin.argv],
        "release": release_form(evaluation.release),
        "questions": [one.key for one in evaluation.questions],
        "system": {
            "id": system.name,
            "profile": system.profile,
            "parameters": dict(system.parameters),
            "config_hash": config_hash(evaluation),
        },
        "backbone": model,
        "textualisation": {"image": captions.image, "audio": captions.audio},
        "prompts": dict(backbone.prompts) if backbone else {},
        "tokenizer": {"name": TOKENIZER, "sha256": TOKENIZER_SHA256},
        "seeds": evaluation.seeds,
        "budgets": evaluation.limits.as_json(),
        "parameters": parameters,
        "rule": evaluation.decides,
        "notes": notes,
        "started_at": started or datetime.now(UTC),
        "extra": {"workers": evaluation.workers, PLAN: _kept(plan)},
    }
    return Manifest.model_validate(form)


def _without_url(text: str, plan: Plan) -> str:
    url = plan.backbone.endpoint
    return text.replace(url, "[endpoint]") if url else text


def _kept(plan: Plan) -> dict[str, Any]:
    """The plan with paths relative to the run's folder: the two may move together.

    Where the model is asked is nobody else's business, and decides no answer.
    """
    plan = plan.model_copy(update={"backbone": plan.backbone.model_copy(update={"endpoint": ""})})
    out = Path(plan.out).resolve()

    def beside(name: str) -> str:
        if not name:
            return ""
        try:
            return Path(os.path.relpath(Path(name).resolve(), out)).as_posix()
        except ValueError:  # on another drive
            return str(Path(name).resolve())

    return moved(plan, beside).model_copy(update={"out": ""}).as_json()


def plan_of_manifest(path: Path) -> tuple[Plan, Manifest]:
    """The plan that a run was made from, to be run again, and the run's manifest.

    The run's folder is the plan's ``out``.

    Raises:
        UsageError: The run was not made by ``mnemoscope run``.
        InputError: There is no manifest of ours.
    """
    file = path / MANIFEST if path.is_dir() else path
    manifest = manifest_of(read_json(file), file)
    kept = manifest.extra.get(PLAN)
    if kept is None:
        raise UsageError(f"{file}: $.extra.{PLAN}: found nothing, expected the plan of the run")
    try:
        plan = required(Plan, kept, file)
    except ReadError as error:
        place = error.place.replace("$", f"$.extra.{PLAN}", 1)
        raise ReadError(file, place, error.found, error.expected, hint=error.hint) from None
    plan = moved(plan, lambda name: place_beside(file, name))
    return plan.model_copy(update={"out": str(file.parent)}), manifest


def config_hash(evaluation: Evaluation) -> str:
    """A hash of everything that shapes the system's memories, the rounds themselves aside."""
    parts: dict[str, Any] = {
        "system": evaluation.system.as_json(),
        "textualisation": str(evaluation.textualisation),
    }
    if evaluation.kind.NEEDS_EMBEDDER and evaluation.embedder is not None:
        parts["embedder"] = [evaluation.embedder.id, evaluation.embedder.weights_hash]
    if evaluation.kind.NEEDS_CHAT and evaluation.backbone is not None:
        parts["chat"] = evaluation.backbone.spec.as_json()
    return hashlib.sha256(json_bytes(parts)).hexdigest()


def require_same(stored: Manifest, planned: Manifest, file: Path) -> None:
    """Refuse to call another configuration a reproduction.

    Args:
        stored: The manifest of the run that is to be reproduced.
        planned: What would be run here.
        file: Where the former was read.

    Raises:
        UsageError: They differ in what decides records.
    """
    differing = differences(stored, planned)
    if differing:
        raise UsageError(
            f"{file}: cannot be reproduced here: {difference(stored, planned)}",
            hint="flags that change the plan are taken as wanted",
            details=differing,
        )
