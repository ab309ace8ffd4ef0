"""Tables as text: files of comma- or tab-separated values with a line of column names."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.core.errors import ReadError
from mnemoscope.core.files import read_bytes

__all__ = ["TABLE_SUFFIXES", "Table", "is_table", "read_table"]

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
TABLE_SUFFIXES = (*_DELIMITERS, *(f"{suffix}.gz" for suffix in _DELIMITERS))
_LONGEST_CELL = 1 << 28


@dataclass(frozen=True, slots=True)
class Table:
    """A table that has been read."""

    columns: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str]]]
    """The line that each row ends on, from 1, and its cells, which may be too few or too many."""

    def values(self) -> Iterator[dict[str, str]]:
        """Each row as an object."""
        for _, cells in self.rows:
            yield dict(zip(self.columns, cells, strict=False))


def is_table(path: Path) -> bool:
    """Whether a file is a table by its name."""
    return path.name.lower().endswith(TABLE_SUFFIXES)


def read_table(path: Path, *, delimiter: str = "", encoding: str = "utf-8-sig") -> Table:
    """Read a table; blank lines are left out.

    Args:
        path: The file.
        delimiter: What divides cells; by the file's name when empty.
        encoding: How its text is stored.

    Raises:
        ReadError: It is not text, or no table.
        InputError: It cannot be read.
    """
    try:
        text = read_bytes(path).decode(encoding)
    except UnicodeDecodeError as error:
        line = error.object.count(10, 0, error.start) + 1
        found = f"byte {error.object[error.start]:#04x}"
        raise ReadError(
            path, f"line {line}", found, f"{encoding.removesuffix('-sig')} text"
        ) from None
    suffix = path.name.lower().removesuffix(".gz")[-4:]
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter or _DELIMITERS.get(suffix, ","),
        strict=True,
    )
    try:
        rows = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise ReadError(path, f"line {reader.line_num}", str(error), "a table") from None
    if not rows:
        raise ReadError(path, "line 1", "nothing", "a line of column names")
    line, columns = rows[0]
    repeated = next((name for name in columns if columns.count(name) > 1), None)
    if repeated is not None:
        raise ReadError(path, f"line {line}", f"{repeated!r} twice", "column names used once")
    return Table(columns, rows[1:])
