"""The scenes of a path: folders with a session, with questions about it, or with both."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
    return [file for file in source.files if _file_name(file) in (_SESSION, _QUESTIONS)]


def _file_name(file: SourceFile) -> str:
    return file.name.rpartition("/")[2]


def find_dialogues(source: Source) -> Sequence[Dialogue]:
    """The dialogues of a path, dialogues and scenes in natural order of their names."""
    root = source.root.as_posix()
    by_folder: dict[str, Dialogue] = {}
    for file in named_files(source):
        # As text: a release has hundreds of small files, and a Path takes longer than one of them.
        folder = f"{root}/{file.name}".rpartition("/")[0]
        parent, _, name = folder.rpartition("/")
        above = parent.removesuffix(f"/{_SCENES}")
        if above not in by_folder:
            by_folder[above] = Dialogue(above, _below(parent, root))
        scenes = by_folder[above].scenes
        if name not in scenes:
            scenes[name] = Scene(name, _below(folder, root))
        # A file opened alone may have any name: then its content tells which of the two it is.
        kind = _file_name(file)
        alone = kind not in (_SESSION, _QUESTIONS)
        if kind == _QUESTIONS or (alone and not is_session(file.data)):
            scenes[name].questions = file
        else:
            scenes[name].session = file
    _name_dialogues(by_folder, root)
    return list(by_folder.values())


def _below(folder: str, root: str) -> str:
    """A folder relative to the root; empty for the root, and for what is above it."""
    return folder.removeprefix(f"{root}/") if folder.startswith(f"{root}/") else ""


def _name_dialogues(by_folder: Mapping[str, Dialogue], root: str) -> None:
    """``dyadic/dialogue1`` for each dialogue, from wherever one opens; paths where that repeats."""
    short = {folder: "/".join(folder.rsplit("/", 2)[-2:]).strip("/") for folder in by_folder}
    times = Counter(short.values())
    for folder, dialogue in by_folder.items():
        name = short[folder]
        dialogue.history_id = name if times[name] == 1 else _below(folder, root)
