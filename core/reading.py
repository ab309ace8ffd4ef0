"""Reading foreign JSON: bytes to values, or a defect that names file, place, found, expected."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from mnemoscope.core.defects import DefectLog, Described, describe
from mnemoscope.core.errors import InputError, ReadError

__all__ = ["Node", "at_path", "read_bytes", "read_json", "read_json_lines"]


def read_bytes(path: Path) -> bytes:
    """Read a file, unpacking ``.gz``.

    Raises:
        InputError: The file is absent, unreadable, or not a complete gzip file.
    """
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder, expected a file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ReadError(path, "", str(error), "a complete gzip file") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        ReadError: The text is not JSON; the place is its line and column.
        InputError: The file cannot be read.
    """
    return _parse(path, read_bytes(path), 1)


def read_json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield ``(line number, value)`` of every non-blank line; numbers start at 1.

    Raises:
        ReadError: A line is not JSON. The caller decides whether a torn last line is an error.
    """
    for number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
        if line.strip():
            yield number, _parse(path, line, number)


def _parse(path: Path, data: bytes, first_line: int) -> Any:
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        place = f"line {first_line + error.lineno - 1} column {error.colno}"
        rest = error.doc[error.pos : error.pos + 30]
        found = describe(rest) if rest else "the end of the file"
        raise ReadError(path, place, found, f"JSON ({error.msg})") from None
    except UnicodeDecodeError as error:
        place = f"line {first_line + data.count(10, 0, error.start)}"
        found = f"byte {data[error.start]:#04x} at offset {error.start}"
        raise ReadError(path, place, found, "UTF-8 text") from None
    except RecursionError:
        raise ReadError(path, "", "nesting too deep to read", "JSON of sane depth") from None
    except ValueError as error:
        raise ReadError(path, "", str(error), "JSON with numbers of sane length") from None


def at_path(data: Any, path: str) -> Any:
    """Follow a JSON path made of ``.name`` and ``[index]`` steps, as this package writes them.

    Names that are not plain identifiers are written ``["name"]``.

    Raises:
        KeyError: The path leads nowhere.
    """
    rest = path.removeprefix("$")
    value = data
    try:
        while rest:
            if rest.startswith("["):
                key, end = json.JSONDecoder().raw_decode(rest, 1)
                value, rest = value[key], rest[end + 1 :]
            else:
                name = rest[1:].split(".", 1)[0].split("[", 1)[0]
                value, rest = value[name], rest[len(name) + 1 :]
    except (KeyError, IndexError, TypeError, ValueError):
        raise KeyError(path) from None
    return value


class Node:
    """One JSON object under inspection: typed access that records what is wrong and where.

    A getter returns its default for an absent key, and for a value of the wrong kind, which it
    also records as an error.
    """

    __slots__ = ("data", "log", "place")

    def __init__(self, data: dict[str, Any], place: str, log: DefectLog) -> None:
        self.data = data
        self.place = place
        self.log = log

    @classmethod
    def root(cls, data: Any, log: DefectLog, *, file: Path) -> "Node":
        """The node of a whole file.

        Raises:
            ReadError: The file's value is not an object.
        """
        if not isinstance(data, dict):
            raise ReadError(file, "$", describe(data), "an object")
        return cls(data, "$", log)

    def wrong(self, key: str, expected: str) -> None:
        """Record that the value of ``key`` is not what was expected."""
        found = self.data.get(key, Described("nothing"))
        self.log.error("wrong_type", self.at(key), found, expected)

    def at(self, key: str) -> str:
        """The JSON path of ``key``."""
        return f"{self.place}.{key}" if key.isidentifier() else f"{self.place}[{json.dumps(key)}]"

    def text(self, key: str, default: str = "") -> str:
        """The string at ``key``."""
        value = self.data.get(key, default)
        if type(value) is str:
            return value
        if value is not None:
            self.wrong(key, "text")
        return default

    def required_text(self, key: str) -> str | None:
        """The non-empty string at ``key``; None, with an error recorded, when there is none."""
        value = self.data.get(key)
        if type(value) is str and value:
            return value
        self.wrong(key, "non-empty text")
        return None

    def integer(self, key: str) -> int | None:
        """The integer at ``key``."""
        value = self.data.get(key)
        if value is None or type(value) is int:
            return value
        self.wrong(key, "an integer")
        return None

    def number(self, key: str) -> float | None:
        """The number at ``key`` as a float."""
        value = self.data.get(key)
        if value is None:
            return None
        if type(value) is float or type(value) is int:
            return float(value)
        self.wrong(key, "a number")
        return None

    def boolean(self, key: str) -> bool | None:
        """The boolean at ``key``."""
        value = self.data.get(key)
        if value is None or type(value) is bool:
            return value
        self.wrong(key, "true or false")
        return None

    def items(self, key: str) -> list[Any]:
        """The list at ``key``."""
        value = self.data.get(key)
        if type(value) is list:
            return value
        if value is not None:
            self.wrong(key, "a list")
        return []

    def texts(self, key: str) -> list[str]:
        """The list of strings at ``key``; a bare string is read as a list of one (repaired).

        An element of the wrong kind becomes an empty string, so that parallel lists stay parallel.
        """
        value = self.data.get(key)
        if value is None:
            return []
        if type(value) is str:
            self.log.repaired("scalar_for_list", self.at(key), value, "a list of texts", [value])
            return [value]
        result = []
        for index, item in enumerate(self.items(key)):
            if type(item) is str:
                result.append(item)
            else:
                self.log.error("wrong_type", f"{self.at(key)}[{index}]", item, "text")
                result.append("")
        return result

    def mapping(self, key: str) -> dict[str, Any]:
        """The object at ``key``."""
        value = self.data.get(key)
        if type(value) is dict:
            return value
        if value is not None:
            self.wrong(key, "an object")
        return {}

    def nodes(self, key: str) -> Iterator["Node"]:
        """The objects in the list at ``key``; other elements are recorded as errors."""
        base = self.at(key)
        log = self.log
        for index, item in enumerate(self.items(key)):
            if type(item) is dict:
                yield Node(item, f"{base}[{index}]", log)
            else:
                log.error("wrong_type", f"{base}[{index}]", item, "an object")

    def fail(self, file: Path, key: str, expected: str) -> NoReturn:
        """Give up on the whole file because of ``key``.

        Raises:
            ReadError: Always.
        """
        found = describe(self.data[key]) if key in self.data else "nothing"
        raise ReadError(file, self.at(key), found, expected)
