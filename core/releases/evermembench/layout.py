"""The files of a path: dialogues, and the questions asked about each of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError
from mnemoscope.core.sources import Source, SourceFile

__all__ = ["Chat", "candidates", "find_chats", "is_dialogues", "is_questions"]

_FIRST_BYTES = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_KEYS = (b'"dialogues"', b'"qars"', b'"questions"')
_SNIFFED = 1 << 16
_LOOKED_AT = 10
_WORDS = re.compile(r"[^\W_]+")
_KINDS = frozenset(("dialogue", "dialogues", "qa", "qars", "questions"))


@dataclass(slots=True)
class Chat:
    """One user's history: a dialogue file, and files of questions about it."""

    history_id: str
    dialogue: SourceFile | None
    questions: list[SourceFile] = field(default_factory=list)


def candidates(source: Source) -> Iterator[SourceFile]:
    """The files that may be of a release, told without parsing them."""
    for file in source.files:
        if not file.is_lines and (not source.is_folder or _may_be_one(file)):
            yield file


def _may_be_one(file: SourceFile) -> bool:
    try:
        head = file.head(_SNIFFED)
    except InputError:
        return False
    return _FIRST_BYTES.match(head) is not None and any(key in head for key in _KEYS)


def is_dialogues(data: Any) -> bool:
    """Whether a file's value holds groups of messages by date."""
    days = data.get("dialogues") if type(data) is dict else None
    return type(days) is dict and any(
        type(message) is dict
        and "speaker" in message
        and ("dialogue" in message or "time" in message)
        for groups in islice(days.values(), _LOOKED_AT)
        if type(groups) is dict
        for group in islice(groups.values(), _LOOKED_AT)
        if type(group) is list
        for message in group[:1]
    )


def is_questions(data: Any) -> bool:
    """Whether a file's value is a list of questions in the current or the older form."""
    if type(data) is not dict:
        return False
    for key, names in (("qars", ("Q", "A")), ("questions", ("question_id", "question", "answer"))):
        rows = data.get(key)
        if type(rows) is list and any(
            type(row) is dict and all(name in row for name in names) for row in rows[:_LOOKED_AT]
        ):
            return True
    return False


def find_chats(files: Sequence[SourceFile]) -> tuple[Sequence[Chat], Mapping[str, str]]:
    """The chats of the files, and for files of questions that fit several dialogues which one.

    A chat goes by its folder (``004/dialogue.json``), also by its file where a folder holds
    several. Questions belong to the dialogue in their folder; of several, to the one whose name
    has most words in common with theirs (``dialogue_004`` and ``qa_004``).
    """
    dialogues: dict[Path, list[Chat]] = {}
    asked: list[SourceFile] = []
    for file in files:
        if is_questions(file.data) and not is_dialogues(file.data):
            asked.append(file)
        else:
            dialogues.setdefault(file.path.parent, []).append(Chat("", file))
    unclear = {}
    for file in asked:
        beside = dialogues.setdefault(file.path.parent, [])
        if not beside:
            beside.append(Chat("", None))
        shared = [len(_words(file) & _words(chat.dialogue)) for chat in beside]
        chosen = beside[shared.index(max(shared))]
        chosen.questions.append(file)
        if shared.count(max(shared)) > 1 and chosen.dialogue is not None:
            unclear[file.name] = chosen.dialogue.name
    _name_chats(dialogues)
    return [chat for chats in dialogues.values() for chat in chats], unclear


def _words(file: SourceFile | None) -> set[str]:
    return set() if file is None else {*_WORDS.findall(file.stem.casefold())} - _KINDS


def _name_chats(dialogues: Mapping[Path, Sequence[Chat]]) -> None:
    names = [folder.name for folder in dialogues]
    for folder, chats in dialogues.items():
        name = folder.name
        if names.count(name) > 1:
            name = f"{folder.parent.name}/{name}"
        for chat in chats:
            several = len(chats) > 1 and chat.dialogue is not None
            chat.history_id = f"{name}/{chat.dialogue.stem}" if several and chat.dialogue else name
