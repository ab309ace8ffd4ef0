"""The readers of Mem-Gallery and MemEye: one dialogue file, or a folder of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import (
    EvaluatorData,
    Release,
    RoundKind,
    TaskLabel,
    Textualisation,
)
from mnemoscope.core.releases.file_names import history_ids
from mnemoscope.core.releases.files_read import FilesRead, any_holds
from mnemoscope.core.releases.media import ReleaseMedia
from mnemoscope.core.releases.mem_gallery.history import CAPTION, HistoryReading, read_history
from mnemoscope.core.releases.mem_gallery.labels import GALLERY_TASKS, MEMEYE_TASKS, settings_of
from mnemoscope.core.releases.mem_gallery.layout import (
    QUESTION_KEYS,
    SESSIONS_KEY,
    dialogue_files,
    is_dialogue,
    is_memeye,
    release_root,
)
from mnemoscope.core.releases.mem_gallery.questions import QuestionReading, read_questions
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile, unreadable_folders

__all__ = ["MemEyeReader", "MemGalleryReader"]

_EXPECTED = f"a dialogue with {SESSIONS_KEY} and {QUESTION_KEYS[0]}"


class _DialogueReader:
    """What the two benchmarks share."""

    name: str
    tasks: Sequence[TaskLabel]
    licence: str
    memeye: bool

    def recognises(self, source: Source) -> bool:
        """Whether the path holds a dialogue of this benchmark."""
        return any_holds(dialogue_files(source), self._recognises)

    def _recognises(self, file: SourceFile) -> bool:
        data = None if file.is_lines else file.data
        return is_dialogue(data) and is_memeye(data) is self.memeye

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: No file holds a dialogue.
        """
        root = release_root(source)
        reading = _Reading(media=ReleaseMedia(root, options.media_roots))
        files = list(dialogue_files(source))
        with collector_paused():
            # Not by the characters' names: several scenarios have one of the same name.
            for history_id, file in zip(history_ids(files), files, strict=True):
                reading.read_file(file, history_id)
                file.release()
        if not reading.histories:
            none = InputError(f"{source.path}: no {self.name} dialogue in it")
            raise reading.first_error or none
        defects = [*unreadable_folders(source), *reading.defects, *reading.media.defects()]
        questions = reading.questions
        return Release(
            name=root.name if source.is_folder else files[0].stem,
            format=self.name,
            root=root,
            files=tuple(reading.files),
            round_kind=RoundKind.EXCHANGE,
            histories=reading.histories,
            questions=questions.questions,
            tasks=tuple(self.tasks),
            settings=settings_of(questions.questions.values()),
            image_variants=(CAPTION,),
            textualisation=Textualisation(image=CAPTION, audio="none"),
            media_roots=reading.media.files.roots,
            evaluator=EvaluatorData(
                reading.profiles, reading.session_notes, reading.round_notes, questions.notes
            ),
            defects=tuple(defects),
            licence=self.licence,
        )


class MemGalleryReader(_DialogueReader):
    """Reads Mem-Gallery (other-releases.md 2.4)."""

    name = "mem-gallery"
    tasks = GALLERY_TASKS
    licence = "MIT"
    memeye = False


class MemEyeReader(_DialogueReader):
    """Reads MemEye (other-releases.md 2.5): the same form with options and several pictures."""

    name = "memeye"
    tasks = MEMEYE_TASKS
    licence = ""
    memeye = True


@dataclass(slots=True, kw_only=True)
class _Reading(FilesRead):
    """What all files together have given so far."""

    media: ReleaseMedia
    questions: QuestionReading = field(default_factory=QuestionReading)
    profiles: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    session_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    round_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)

    def read_file(self, file: SourceFile, history_id: str) -> None:
        """Read the dialogue and the questions of a file."""
        root = self.load(file, (SESSIONS_KEY,), _EXPECTED)
        if root is None:
            return
        log = root.log
        history = HistoryReading(history_id, self.media, log)
        self.histories[history_id] = read_history(root, file.name, history)
        read_questions(root, history, self.questions)
        read = (SESSIONS_KEY, *QUESTION_KEYS)
        self.profiles[history_id] = {
            key: value for key, value in root.data.items() if key not in read
        }
        self.session_notes.update(history.session_notes)
        self.round_notes.update(history.round_notes)
        self.defects += log.items
