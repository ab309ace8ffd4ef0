"""The scenes of a path: folders with a session, with questions about it, or with both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemoscope.core.sources import Source, SourceFile

__all__ = ["Dialogue", "Scene", "find_dialogues", "is_questions", "is_session", "named_files"]

_SESSION, _QUESTIONS = "session.json", "questions.json"
_SCENES = "scenes"
_LOOKED_AT = 10


@dataclass(slots=True)
class Scene:
    """A folder of one session."""

    name: str
    """The folder's name: what answers call the session by."""
    folder: str
    """The folder, relative to the root; empty for the root itself."""
    session: SourceFile | None = None
    questions: SourceFile | None = None


@dataclass(slots=True)
class Dialogue:
    """A folder of scenes: one history."""

    history_id: str
    folder: str
    """The folder of the scenes, relative to the root; empty when it is the root, or above it."""
    scenes: dict[str, Scene] = field(default_factory=dict)


def is_session(data: Any) -> bool:
    """Whether a file's value is a session: turns of people, each with a text and a picture."""
    turns = data.get("dialogue") if type(data) is dict else None
    return type(turns) is list and any(
        type(turn) is dict and "role" in turn and type(turn.get("content")) is dict
        for turn in turns[:_LOOKED_AT]
    )


def is_questions(data: Any) -> bool:
    """Whether a file's value is a list of questions about a session."""
    rows = data.get("questions") if type(data) is dict else None
    return type(rows) is list and any(
        type(row) is dict and ("original_answer" in row or "answer_session" in row)
        for row in rows[:_LOOKED_AT]
    )


def named_files(source: Source) -> Sequence[SourceFile]:
    """The files that may be of a scene: by their names in a folder, any file alone."""
    if not source.is_folder:
        return source.files
    return [file for file in source.files if file.path.name in (_SESSION, _QUESTIONS)]


def find_dialogues(source: Source) -> Sequence[Dialogue]:
    """The dialogues of a path, dialogues and scenes in natural order of their names."""
    by_folder: dict[Path, Dialogue] = {}
    ids = _history_ids(source)
    for file in named_files(source):
        folder = file.path.parent
        above = _dialogue_of(folder)
        if above not in by_folder:
            by_folder[above] = Dialogue(ids[above], _relative(folder.parent, source.root))
        scenes = by_folder[above].scenes
        if folder.name not in scenes:
            scenes[folder.name] = Scene(folder.name, _relative(folder, source.root))
        # A file opened alone may have any name: then its content tells which of the two it is.
        alone = file.path.name not in (_SESSION, _QUESTIONS)
        if file.path.name == _QUESTIONS or (alone and not is_session(file.data)):
            scenes[folder.name].questions = file
        else:
            scenes[folder.name].session = file
    return list(by_folder.values())


def _relative(folder: Path, root: Path) -> str:
    below = folder.relative_to(root).as_posix() if folder.is_relative_to(root) else "."
    return "" if below == "." else below


def _dialogue_of(scene: Path) -> Path:
    """The folder of the dialogue that a scene belongs to."""
    return scene.parent.parent if scene.parent.name == _SCENES else scene.parent


def _history_ids(source: Source) -> Mapping[Path, str]:
    """``dyadic/dialogue1`` for each dialogue, from wherever one opens; paths where that repeats."""
    folders = list(dict.fromkeys(_dialogue_of(file.path.parent) for file in named_files(source)))
    short = {folder: f"{folder.parent.name}/{folder.name}".strip("/") for folder in folders}
    names = list(short.values())
    return {
        folder: name if names.count(name) == 1 else folder.relative_to(source.root).as_posix()
        for folder, name in short.items()
    }
