"""Reading foreign JSON: bytes to values, or a defect that names file, place, found, expected."""

import json
import math
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

from mnemoscope.core.defects import DefectLog, Described, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.files import read_bytes

__all__ = [
    "Node",
    "at_path",
    "json_lines",
    "parse_json",
    "read_json",
    "read_json_lines",
    "step",
]


def read_json(path: Path) -> Any:
    """Read a JSON file.

    ``NaN`` and ``Infinity`` are let through, since Python programs write them: `Node.number`
    refuses them one by one.

    Raises:
        ReadError: The text is not JSON; the place is its line and column.
        InputError: The file cannot be read.
    """
    return parse_json(path, read_bytes(path))


def read_json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield ``(line number, value)`` of every non-blank line; numbers start at 1.

    Raises:
        ReadError: A line is not JSON. The caller decides whether a torn last line is an error.
    """
    for number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
        if line.strip():
            yield number, parse_json(path, line, number)


def parse_json(path: Path, data: bytes, first_line: int = 1) -> Any:
    """Parse JSON.

    Args:
        path: The file that it comes from.
        data: The bytes.
        first_line: The number of the line that they begin with.

    Raises:
        ReadError: The text is not JSON; the place is its line and column.
        InputError: It is too large.
    """
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        place = f"line {first_line + error.lineno - 1} column {error.colno}"
        rest = error.doc[error.pos : error.pos + 30]
        found = describe(rest) if rest else "the end of the file"
        raise ReadError(path, place, found, f"JSON ({error.msg})") from None
    except UnicodeDecodeError as error:
        # Not the bytes of the file: a byte order mark is cut off before decoding.
        decoded = error.object
        place = f"line {first_line + decoded.count(10, 0, error.start)}"
        found = f"byte {decoded[error.start]:#04x} at offset {error.start}"
        raise ReadError(path, place, found, "UTF-8 text") from None
    except RecursionError:
        raise ReadError(path, "", "nesting too deep to read", "JSON of sane depth") from None
    except ValueError:
        # The only other thing that json.loads refuses: more digits than Python converts.
        raise ReadError(path, "", "a number of thousands of digits", "sane numbers") from None
    except MemoryError:
        raise InputError(f"{path}: is too large for this machine") from None


def json_lines(
    path: Path, log: DefectLog, *, may_be_torn: bool = False
) -> Iterator[tuple[str, Any]]:
    """Yield place (``$[0]`` for the first line) and value of every line that is JSON.

    A line that is not JSON is recorded as an error and left out.

    Args:
        path: The file.
        log: Where broken lines are recorded.
        may_be_torn: Whether a last line without its newline is only a warning: a writer that was
            stopped leaves one.

    Raises:
        InputError: The file cannot be read.
    """
    lines = read_bytes(path).split(b"\n")
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            where, found = f"line {index + 1}", line[:200].decode("utf-8", "replace")
            if may_be_torn and index == len(lines) - 1:
                log.warning("torn_line", where, found, "a whole line; the rest was never written")
                continue
            if isinstance(error, json.JSONDecodeError):
                where += f" column {error.colno}"
            log.error("broken_line", where, found, f"JSON ({error})")
            continue
        yield f"$[{index}]", value


def step(place: str, key: str) -> str:
    """The JSON path of a key of the object at ``place``."""
    return f"{place}.{key}" if key.isidentifier() else f"{place}[{json.dumps(key)}]"


_DECODER = json.JSONDecoder()


def at_path(data: Any, path: str) -> Any:
    """Follow a JSON path made of ``.name`` and ``[index]`` steps, as this package writes them.

    Names that are not plain identifiers are written ``["name"]``.

    Raises:
        KeyError: The path leads nowhere.
    """
    value = data
    rest = path.removeprefix("$")
    try:
        while rest:
            key, rest = _first_step(rest)
            if type(value) is not (dict if type(key) is str else list):
                raise KeyError(path)
            value = value[key]
    except (KeyError, IndexError, ValueError):
        raise KeyError(path) from None
    return value


def _first_step(path: str) -> tuple[Any, str]:
    """The key or index that a path starts with, and the rest of the path."""
    if path[0] == ".":
        key = path[1:].partition(".")[0].partition("[")[0]
        return key, path[len(key) + 1 :]
    end = path.find("]") + 1
    if path[:2] == '["':
        name, end = _DECODER.raw_decode(path, 1)
        if path[end : end + 1] == "]":
            return name, path[end + 1 :]
    elif path[0] == "[" and path[1 : end - 1].isdecimal():
        return int(path[1 : end - 1]), path[end:]
    raise ValueError(path)


class Node:
    """One JSON object under inspection: typed access that records what is wrong and where.

    A getter returns its default for an absent key or null, and for a value of the wrong kind,
    which it also records as an error.
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

    def found(self, key: str) -> object:
        """What a defect says was found at ``key``: the value, or that there is none."""
        return self.data.get(key, Described("nothing"))

    def wrong(self, key: str, expected: str) -> None:
        """Record that the value of ``key`` is not what was expected."""
        self.log.error("wrong_type", self.at(key), self.found(key), expected)

    def at(self, key: str) -> str:
        """The JSON path of ``key``."""
        return step(self.place, key)

    def at_item(self, key: str, index: int) -> str:
        """The JSON path of an element of the list at ``key``, or of what stands for the list."""
        place = self.at(key)
        return f"{place}[{index}]" if type(self.data.get(key)) is list else place

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
        if type(value) is float and math.isfinite(value):
            return value
        if type(value) is int:
            try:
                return float(value)
            except OverflowError:
                pass
        self.wrong(key, "a finite number")
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
            repair = Described("a list with that text alone")
            self.log.repaired("scalar_for_list", self.at(key), value, "a list of texts", repair)
            return [value]
        items = self.items(key)
        for item in items:
            if type(item) is not str:
                return self._only_texts(key, items)
        return items

    def _only_texts(self, key: str, items: list[Any]) -> list[str]:
        place = self.at(key)
        for index, item in enumerate(items):
            if type(item) is not str:
                self.log.error("wrong_type", f"{place}[{index}]", item, "text")
        return [item if type(item) is str else "" for item in items]

    def mapping(self, key: str) -> dict[str, Any]:
        """The object at ``key``."""
        value = self.data.get(key)
        if type(value) is dict:
            return value
        if value is not None:
            self.wrong(key, "an object")
        return {}

    def inner(self, key: str) -> "Node | None":
        """The object at ``key``; None, with an error recorded, when there is none."""
        value = self.data.get(key)
        if type(value) is dict:
            return Node(value, self.at(key), self.log)
        self.wrong(key, "an object")
        return None

    def nodes(self, key: str) -> Iterator["Node"]:
        """The objects in the list at ``key``; other elements are recorded as errors."""
        return map(itemgetter(1), self.numbered_nodes(key))

    def numbered_nodes(self, key: str) -> Iterator[tuple[int, "Node"]]:
        """The objects in the list at ``key``, each with its index; other elements are errors."""
        base = self.at(key)
        log = self.log
        for index, item in enumerate(self.items(key)):
            if type(item) is dict:
                yield index, Node(item, f"{base}[{index}]", log)
            else:
                log.error("wrong_type", f"{base}[{index}]", item, "an object")
