"""The forms of questions, which are data."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from mnemoscope.core.toml_files import read_toml

__all__ = ["forms"]


@cache
def forms() -> Mapping[str, tuple[str, ...]]:
    """Every list of forms by name."""
    found = read_toml(Path(__file__).parent / "forms.toml")
    return {name: tuple(map(str, lines)) for name, lines in found.items()}
