"""Which files of a path are dialogues of this form, and the folder their pictures are below."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError
from mnemoscope.core.releases.mem_gallery.labels import is_coordinates
from mnemoscope.core.sources import Source, SourceFile

__all__ = [
    "QUESTION_KEYS",
    "SESSIONS_KEY",
    "dialogue_files",
    "is_dialogue",
    "is_memeye",
    "release_root",
]

SESSIONS_KEY = "multi_session_dialogues"
QUESTION_KEYS = ("human-annotated QAs", "human_annotated_qas", "qas")
"""The key of the questions, in each spelling."""
_OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_SNIFFED = 1 << 16
_CUE_ID = "qa_id"


def release_root(source: Source) -> Path:
    """The folder that pictures are below: they lie in ``image/``, beside ``dialog/``."""
    folder = source.path if source.is_folder else source.path.parent
    return folder.parent if folder.name == "dialog" else folder


def dialogue_files(source: Source) -> Iterator[SourceFile]:
    """The files that may be dialogues, told without parsing them."""
    root = release_root(source)
    for file in source.files:
        if not source.is_folder or _may_be_dialogue(file):
            yield source.at(file.path, root)


def _may_be_dialogue(file: SourceFile) -> bool:
    try:
        head = b"" if file.is_lines else file.head(_SNIFFED)
    except InputError:
        return False
    return _OBJECT.match(head) is not None and f'"{SESSIONS_KEY}"'.encode() in head


def is_dialogue(data: Any) -> bool:
    """Whether a file's value is a dialogue with questions of this form, and not CUE-Mem's."""
    if type(data) is not dict or type(data.get(SESSIONS_KEY)) is not list:
        return False
    rows = _rows(data)
    return rows is not None and not any(_CUE_ID in row for row in rows)


def is_memeye(data: Any) -> bool:
    """Whether the questions of a dialogue are MemEye's."""
    return any(is_coordinates(row.get("point")) for row in _rows(data) or ())


def _rows(data: dict[str, Any]) -> list[dict[str, Any]] | None:
    listed = next((data[key] for key in QUESTION_KEYS if type(data.get(key)) is list), None)
    return None if listed is None else [row for row in listed if type(row) is dict]
