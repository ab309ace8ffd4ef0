"""The reader of H2HMem: a tree of dialogues, one of its folders, or one file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import EvaluatorData, History, Release, RoundKind
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.files_read import FilesRead, any_holds
from mnemoscope.core.releases.h2hmem.history import HistoryReading, read_session
from mnemoscope.core.releases.h2hmem.layout import (
    Dialogue,
    find_dialogues,
    is_questions,
    is_session,
    named_files,
)
from mnemoscope.core.releases.h2hmem.questions import TASKS, QuestionReading, read_questions
from mnemoscope.core.releases.media import ReleaseMedia
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile, unreadable_folders

__all__ = ["H2HMemReader"]


class H2HMemReader:
    """Reads H2HMem (other-releases.md 2.7)."""

    name = "h2hmem"

    def recognises(self, source: Source) -> bool:
        """Whether the path holds sessions or questions of this form."""
        return any_holds(named_files(source), _is_of_scene)

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: No file holds a session or questions.
        """
        reading = _Reading(media=ReleaseMedia(source.root, options.media_roots))
        with collector_paused():
            for dialogue in find_dialogues(source):
                reading.read_dialogue(dialogue)
        if not reading.files:
            none = InputError(f"{source.path}: no H2HMem session or questions in it")
            raise reading.first_error or none
        defects = [*unreadable_folders(source), *reading.defects, *reading.media.defects()]
        return Release(
            name=source.path.name if source.is_folder else source.files[0].stem,
            format=self.name,
            root=source.root,
            files=tuple(reading.files),
            round_kind=RoundKind.UTTERANCE,
            histories=reading.histories,
            questions=reading.questions.questions,
            tasks=TASKS,
            media_roots=reading.media.files.roots,
            evaluator=EvaluatorData(sessions=reading.notes, questions=reading.questions.notes),
            defects=tuple(defects),
            licence="MIT",
        )


def _is_of_scene(file: SourceFile) -> bool:
    return not file.is_lines and (is_session(file.data) or is_questions(file.data))


@dataclass(slots=True, kw_only=True)
class _Reading(FilesRead):
    """What all dialogues together have given so far."""

    media: ReleaseMedia
    questions: QuestionReading = field(default_factory=QuestionReading)
    notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)

    def read_dialogue(self, dialogue: Dialogue) -> None:
        """Read the sessions of a dialogue, then its questions, which may be about any of them."""
        history = HistoryReading(dialogue, self.media)
        for scene in dialogue.scenes.values():
            root = scene.session and self._load(scene.session, "dialogue")
            if scene.session and root:
                read_session(root, scene.name, scene.session.name, history)
                self.defects += root.log.items
        people = [name for name in history.speakers if name]
        name = ", ".join(people[:-1]) + " and " * (len(people) > 1) + "".join(people[-1:])
        file = next((one.file for one in history.sessions), "")
        sessions = tuple(history.sessions)
        read = len(self.files)
        self.histories[dialogue.history_id] = History(
            dialogue.history_id, name or dialogue.history_id, sessions, file
        )
        self.notes.update(history.notes)
        for scene in dialogue.scenes.values():
            root = scene.questions and self._load(scene.questions, "questions")
            if scene.questions and root:
                read_questions(root, scene.name, scene.questions.name, history, self.questions)
                self.defects += root.log.items
        if len(self.files) == read and not sessions:
            del self.histories[dialogue.history_id]

    def _load(self, file: SourceFile, key: str) -> Node | None:
        root = self.load(file, (key,), f"{key} in it")
        file.release()
        return root
