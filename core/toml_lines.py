"""The lines of TOML files on which things stand: tomllib keeps none."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemoscope.core.files import read_bytes
from mnemoscope.core.toml_files import parse_toml

__all__ = ["TomlFile", "read_toml_lines", "toml_lines"]

_PART = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_ASSIGNMENT = re.compile(rf"\s*({_DOTTED})\s*=")
_LAST_STEP = re.compile(r"\.[^.\[]*$|\[[^\[]*$")


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A TOML file that has been read."""

    data: dict[str, Any]
    lines: Mapping[str, int]
    """Line numbers by dotted name, see ``toml_lines``."""

    def place(self, path: str) -> str:
        """A JSON path with the line that it, or the nearest thing around it, stands on."""
        name = path.removeprefix("$").removeprefix(".")
        while name and name not in self.lines:
            name = _LAST_STEP.sub("", name) if _LAST_STEP.search(name) else ""
        return f"line {self.lines[name]} {path}" if name else path


def read_toml_lines(path: Path) -> TomlFile:
    """Read a TOML file, keeping the lines that things stand on.

    Raises:
        ReadError: The text is not TOML; the place is its line and column.
        InputError: The file cannot be read.
    """
    data = read_bytes(path)
    values = parse_toml(data, path)
    return TomlFile(values, toml_lines(data.decode("utf-8-sig")))


def toml_lines(text: str) -> dict[str, int]:
    """The lines on which things are set, by dotted name such as ``questions[2].answer``."""
    lines: dict[str, int] = {}
    table = ""
    elements: Counter[str] = Counter()
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            name = _dotted(header[2])
            if header[1] == "[[":
                elements[name] += 1
                name = f"{name}[{elements[name] - 1}]"
            table = f"{name}."
            lines.setdefault(name, number)
        elif assignment := _ASSIGNMENT.match(line):
            lines.setdefault(table + _dotted(assignment[1]), number)
    return lines


def _dotted(name: str) -> str:
    return ".".join(part.strip("\"'") for part in re.findall(_PART, name))
