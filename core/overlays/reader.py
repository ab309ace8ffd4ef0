"""Reading overlays: our own format as TOML or JSON, and the LoCoMo audit's file."""

import hashlib
from pathlib import Path
from typing import Any

from mnemoscope.core.defects import DefectLog, Described, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.overlays.locomo_audit import NAME, audit_entries, is_audit
from mnemoscope.core.overlays.overlay import Overlay, OverlayEntry, Published
from mnemoscope.core.reading import read_json
from mnemoscope.core.toml_lines import TomlFile, read_toml_lines

__all__ = ["KIND", "SCHEMA_VERSION", "read_overlay"]

KIND = "mnemoscope-overlay"
SCHEMA_VERSION = 1
_SHOWN_DIGITS = 8
_HINT = "overlays: docs/overlay.md, or the LoCoMo audit's errors.json"


def read_overlay(path: Path) -> Overlay:
    """Read an overlay.

    Raises:
        ReadError: It is not of a known form; file, place, found and expected are named.
        InputError: The file cannot be read.
    """
    toml = read_toml_lines(path) if path.suffix.lower() == ".toml" else None
    data: Any = read_json(path) if toml is None else toml.data
    digest = hashlib.sha256(read_bytes(path)).hexdigest()
    if is_audit(data):
        log = DefectLog(path.name)
        entries = tuple(audit_entries(data, log))
        version = f"sha256:{digest[:_SHOWN_DIGITS]}"
        return Overlay(NAME, version, str(path), digest, entries, defects=tuple(log.items))
    if not isinstance(data, dict) or data.get("kind") != KIND:
        kind = data.get("kind", Described("nothing")) if isinstance(data, dict) else data
        found = describe(kind)
        place = "$.kind" if isinstance(data, dict) else "$"
        raise ReadError(path, place, found, f"an overlay, of kind {KIND!r}", hint=_HINT)
    return _ours(data, toml, path, digest)


def _ours(data: dict[str, Any], toml: TomlFile | None, path: Path, digest: str) -> Overlay:
    # Only here, so that what needs no overlay does not wait for pydantic.
    from mnemoscope.core.overlays.schema import CorrectionForm, OverlayFile
    from mnemoscope.core.schemas import required

    version = data.get("schema_version")
    if type(version) is int and version != SCHEMA_VERSION:
        hint = "written for a newer mnemoscope"
        expected = f"version {SCHEMA_VERSION}"
        raise ReadError(path, "$.schema_version", describe(version), expected, hint=hint)
    try:
        form = required(OverlayFile, data, path)
    except ReadError as error:
        if toml is None:
            raise
        place = toml.place(error.place)
        raise ReadError(path, place, error.found, error.expected, hint=error.hint) from None
    if not form.questions:
        raise InputError(f"{path}: $.questions: found none, expected at least one")

    def entry(index: int, one: CorrectionForm) -> OverlayEntry:
        answer = (one.answer,) if isinstance(one.answer, str) else one.answer
        wrong = one.answer is not None and one.published_answer is None
        place = f"$.questions[{index}]"
        return OverlayEntry(
            question=one.key,
            published=Published(hash=one.hash),
            place=place if toml is None else toml.place(place),
            key=one.key,
            error_type=one.error_type,
            answer_wrong=wrong or one.published_answer == "wrong",
            answer=answer,
            evidence=one.evidence,
            reasoning=one.reasoning,
        )

    entries = tuple(entry(index, one) for index, one in enumerate(form.questions))
    return Overlay(form.name, form.version, str(path), digest, entries, form.source, form.licence)
