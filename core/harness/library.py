"""The packs that come along, and reading those of users."""

from pathlib import Path
from typing import Any

from mnemoscope.core.defects import describe
from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.pack_check import pack_problems
from mnemoscope.core.schemas import required
from mnemoscope.core.toml_lines import read_toml_lines

__all__ = ["load_pack", "pack_names", "read_pack"]

_FOLDER = Path(__file__).parent / "packs"


def pack_names() -> tuple[str, ...]:
    """The names of the packs that come along."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def load_pack(name: str) -> Pack:
    """A pack that comes along.

    Raises:
        UsageError: There is none of that name.
    """
    if name not in pack_names():
        raise UsageError(f"no scenario {name!r}; there are: {', '.join(pack_names())}")
    return read_pack(_FOLDER / f"{name}.toml")


def read_pack(path: Path) -> Pack:
    """Read and check the file of a pack.

    Raises:
        ReadError: It is not a pack; file, line, place, found and expected of the first problem, and
            how many more there are.
        InputError: The file cannot be read.
    """
    file = read_toml_lines(path)
    try:
        pack = required(Pack, file.data, path)
        _require_sound(pack, path)
    except ReadError as error:
        place = file.place(error.place)
        raise ReadError(path, place, error.found, error.expected, hint=error.hint) from None
    return pack


def _require_sound(pack: Pack, path: Path) -> None:
    problems: list[tuple[str, Any, str]] = list(pack_problems(pack))
    if problems:
        (place, found, expected), *others = problems
        hint = f"{len(others)} more problems in this file" if others else ""
        raise ReadError(path, place, describe(found), expected, hint=hint)
