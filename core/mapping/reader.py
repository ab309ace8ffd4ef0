"""Reading maps."""

from pathlib import Path
from typing import Any

from mnemoscope.core.defects import Described, describe
from mnemoscope.core.errors import ReadError
from mnemoscope.core.mapping.paths import parse_rows
from mnemoscope.core.mapping.schema import MapFile
from mnemoscope.core.reading import read_json
from mnemoscope.core.schemas import required
from mnemoscope.core.toml_lines import TomlFile, read_toml_lines

__all__ = ["KIND", "SCHEMA_VERSION", "read_map"]

KIND = "mnemoscope-map"
SCHEMA_VERSION = 1
_HINT = "maps are described in docs/mapping.md"


def read_map(path: Path, reads: str = "") -> MapFile:
    """Read a map, as TOML or JSON.

    Args:
        path: The file.
        reads: What it has to be a map of, ``run`` or ``release``; either when empty.

    Raises:
        ReadError: It is none; file, line, key, found and expected are named.
        InputError: It cannot be read.
    """
    toml = None if path.suffix.lower() == ".json" else read_toml_lines(path)
    data: Any = read_json(path) if toml is None else toml.data
    kind = data.get("kind", Described("nothing")) if isinstance(data, dict) else data
    if kind != KIND:
        raise ReadError(path, "$.kind", describe(kind), f"a map, of kind {KIND!r}", hint=_HINT)
    version = data.get("schema_version")
    if type(version) is int and version != SCHEMA_VERSION:
        found, expected = describe(version), f"version {SCHEMA_VERSION}"
        raise ReadError(path, _place("$.schema_version", toml), found, expected, hint=_HINT)
    try:
        form = required(MapFile, data, path)
    except ReadError as error:
        place = _place(error.place, toml)
        raise ReadError(path, place, error.found, error.expected, hint=error.hint) from None
    try:
        parse_rows(form.rows)
    except ValueError as error:
        raise ReadError(path, _place("$.rows", toml), repr(form.rows), str(error)) from None
    if reads and form.reads != reads:
        raise ReadError(path, _place("$.reads", toml), repr(form.reads), repr(reads), hint=_HINT)
    return form


def _place(path: str, toml: TomlFile | None) -> str:
    return path if toml is None else toml.place(path)
