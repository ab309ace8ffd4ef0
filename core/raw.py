"""The source JSON of a thing, read again from its file: also what the model does not hold."""

import json
from pathlib import Path
from typing import Any

from mnemoscope.core.archives import Archive, split_member_place
from mnemoscope.core.errors import InputError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.model import History, Question, Record, Release, Round, Run, Session
from mnemoscope.core.reading import at_path, parse_json, read_json
from mnemoscope.core.sources import SourceFile
from mnemoscope.core.tables import is_table, read_table

__all__ = ["RawPart", "pretty", "raw_part", "raw_question", "raw_record", "raw_round", "read_value"]


class RawPart:
    """Where something stands in a file, and what stands there."""

    __slots__ = ("file", "path", "place")

    def __init__(self, path: Path, file: str, place: str) -> None:
        self.path = path
        self.file = file
        """Relative to the release or run."""
        self.place = place

    def value(self) -> Any:
        """The JSON value.

        Raises:
            InputError: The file cannot be read any more, or does not hold the place any more.
        """
        try:
            return read_value(self.path, self.place)
        except KeyError:
            raise InputError(f"{self.path}: {self.place} is not there any more") from None


def read_value(path: Path, place: str) -> Any:
    """What stands at a place in a file of JSON or of JSON lines, or in an archive of JSON files.

    Raises:
        InputError: The file cannot be read.
        KeyError: The place is not there.
    """
    file = SourceFile(path, path.parent)
    if is_table(path):
        return at_path(list(read_table(path).values()), place)
    try:
        if file.is_archive:
            name, rest = split_member_place(place)
            with Archive(path) as archive:
                if name not in archive.members:
                    raise KeyError(place)
                return at_path(archive.json(name), rest)
        if file.is_lines:
            number, rest = place.removeprefix("$[").split("]", 1)
            index = int(number)
            line = read_bytes(path).split(b"\n")[index]
            return at_path(parse_json(path, line, index + 1), f"${rest}")
    except (ValueError, IndexError):
        raise KeyError(place) from None
    return at_path(read_json(path), place)


def raw_part(root: Path, file: str, place: str) -> RawPart:
    """A place in a file of a release or run."""
    return RawPart(root / file, file, place)


def raw_round(release: Release, history: History, one: Round | Session) -> RawPart:
    """A round or a session as the release writes it."""
    session = history.session_by_id.get(one.session_id) if isinstance(one, Round) else one
    file = session.file if session is not None else ""
    return raw_part(release.root, file or history.file, one.place)


def raw_question(release: Release, question: Question) -> RawPart:
    """A question as the release writes it, evaluator-only fields included."""
    file = question.file or release.histories[question.history_id].file
    return raw_part(release.root, file, question.place)


def raw_record(run: Run, record: Record) -> RawPart:
    """A record as the run writes it."""
    return raw_part(run.root, record.file, record.place)


def pretty(value: Any) -> str:
    """JSON for people: indented, non-ASCII as it is."""
    return json.dumps(value, ensure_ascii=False, indent=2)
