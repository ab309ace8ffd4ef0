"""Reading TOML files that users write."""

import re
import tomllib
from pathlib import Path
from typing import Any

from mnemoscope.core.defects import describe
from mnemoscope.core.errors import ReadError
from mnemoscope.core.files import read_bytes

__all__ = ["parse_toml", "read_toml"]

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file.

    Raises:
        ReadError: It is not TOML; names line and column.
        InputError: It cannot be read.
    """
    return parse_toml(read_bytes(path), path)


def parse_toml(data: bytes, path: Path) -> dict[str, Any]:
    """The content of a TOML file, from its bytes.

    Raises:
        ReadError: They are not TOML; names line and column.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadError(path, f"byte {error.start}", "a byte that is not UTF-8", "TOML") from None
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ReadError(path, "", "tables that are nested too deep", "TOML") from None
    except tomllib.TOMLDecodeError as error:
        message = _PLACE.sub("", str(error))
        place, found = _where(str(error), text)
        raise ReadError(path, place, found, f"TOML ({message})") from None


def _where(message: str, text: str) -> tuple[str, str]:
    match = _PLACE.search(message)
    if match is None or not match[1]:
        return "", "the end of the file"
    lines = text.splitlines()
    line = int(match[1])
    shown = lines[line - 1] if line <= len(lines) else ""
    return f"line {line} column {match[2]}", describe(shown)
