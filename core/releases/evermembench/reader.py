"""The reader of EverMemBench: folders of a dialogue and its questions, or one file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import EvaluatorData, History, Release, RoundKind
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.evermembench.history import HistoryReading, read_history
from mnemoscope.core.releases.evermembench.layout import (
    Chat,
    candidates,
    find_chats,
    is_dialogues,
    is_questions,
)
from mnemoscope.core.releases.evermembench.questions import (
    TASKS,
    QuestionReading,
    read_questions,
)
from mnemoscope.core.releases.files_read import FilesRead, any_holds
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile, unreadable_folders

__all__ = ["EverMemBenchReader"]

_EXPECTED = "dialogues by date and group, or a list of questions at qars"
_KEYS = ("dialogues", "qars", "questions")


class EverMemBenchReader:
    """Reads EverMemBench (other-releases.md 2.11)."""

    name = "evermembench"

    def recognises(self, source: Source) -> bool:
        """Whether the path holds a dialogue or questions of this form."""
        return any_holds(candidates(source), _is_of_release)

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: No file holds a dialogue or questions.
        """
        reading = _Reading()
        with collector_paused():
            files = [file for file in candidates(source) if reading.load(file, _KEYS, _EXPECTED)]
            chats, unclear = find_chats(files)
            for chat in chats:
                reading.read_chat(chat, unclear)
        if not reading.histories:
            none = InputError(f"{source.path}: no EverMemBench dialogue or questions in it")
            raise reading.first_error or none
        return Release(
            name=source.path.name if source.is_folder else source.files[0].stem,
            format=self.name,
            root=source.root,
            files=tuple(reading.files),
            round_kind=RoundKind.UTTERANCE,
            histories=reading.histories,
            questions=reading.questions.questions,
            tasks=TASKS,
            media_roots=(source.root, *options.media_roots),
            evaluator=EvaluatorData(
                histories=reading.notes,
                rounds=reading.round_notes,
                questions=reading.questions.notes,
            ),
            defects=(*unreadable_folders(source), *reading.defects),
        )


def _is_of_release(file: SourceFile) -> bool:
    return is_dialogues(file.data) or is_questions(file.data)


@dataclass(slots=True)
class _Reading(FilesRead):
    """What all files together have given so far."""

    questions: QuestionReading = field(default_factory=QuestionReading)
    notes: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    round_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)

    def read_chat(self, chat: Chat, unclear: Mapping[str, str]) -> None:
        """Read a dialogue and the questions about it."""
        history_id = chat.history_id
        self.histories[history_id] = History(history_id, history_id, (), "")
        if chat.dialogue is not None:
            root = self._root(chat.dialogue)
            history = HistoryReading(history_id, root.log)
            self.histories[history_id] = read_history(root, chat.dialogue.name, history)
            self.round_notes.update(history.round_notes)
            self.notes[history_id] = {
                key: value for key, value in root.data.items() if key != "dialogues"
            }
            self._close(chat.dialogue, root.log)
        for file in chat.questions:
            root = self._root(file)
            if file.name in unclear:
                found = Described("questions that fit several dialogues in their folder")
                expected = f"a name like that of one of them; read as about {unclear[file.name]}"
                root.log.warning("several_dialogues", "$", found, expected)
            read_questions(root, history_id, file.name, self.questions)
            self._close(file, root.log)

    def _root(self, file: SourceFile) -> Node:
        return Node.root(file.data, DefectLog(file.name), file=file.path)

    def _close(self, file: SourceFile, log: DefectLog) -> None:
        self.defects += log.items
        file.release()
