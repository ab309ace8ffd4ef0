"""The reader of MemoryAgentBench: files of rows, or a folder with one for each split."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import DefectLog, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import EvaluatorData, Release, RoundKind
from mnemoscope.core.releases.file_names import history_ids
from mnemoscope.core.releases.files_read import FilesRead, any_holds
from mnemoscope.core.releases.memoryagentbench.history import read_history
from mnemoscope.core.releases.memoryagentbench.questions import (
    TASKS,
    QuestionReading,
    read_questions,
    source_of,
    task_of,
)
from mnemoscope.core.releases.memoryagentbench.rows import candidates, is_row, rows_of, sample
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile, unreadable_folders

__all__ = ["MemoryAgentBenchReader"]

_EXPECTED = "rows with context, questions and answers"
_SHARD = re.compile(r"-0*([0-9]{1,6})-of-[0-9]{1,6}")
_READ = frozenset(("context", "questions", "answers", "source"))


class MemoryAgentBenchReader:
    """Reads MemoryAgentBench (other-releases.md 2.12)."""

    name = "memoryagentbench"

    def recognises(self, source: Source) -> bool:
        """Whether the path holds rows of this form."""
        return any_holds(candidates(source), _holds_rows)

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: No file holds a row.
        """
        reading = _Reading()
        files = list(candidates(source))
        with collector_paused():
            for stem, file in zip(history_ids(files), files, strict=True):
                reading.read_file(file, _SHARD.sub(r"-\1", stem).removesuffix("-0"))
                file.release()
        if not reading.histories:
            none = InputError(f"{source.path}: no MemoryAgentBench row in it")
            raise reading.first_error or none
        return Release(
            name=source.path.name if source.is_folder else files[0].stem,
            format=self.name,
            root=source.root,
            files=tuple(reading.files),
            round_kind=RoundKind.UTTERANCE,
            histories=reading.histories,
            questions=reading.questions.questions,
            tasks=TASKS,
            media_roots=(source.root, *options.media_roots),
            evaluator=EvaluatorData(histories=reading.notes, questions=reading.questions.notes),
            defects=(*unreadable_folders(source), *reading.defects),
        )


def _holds_rows(file: SourceFile) -> bool:
    return any(map(is_row, sample(file)))


@dataclass(slots=True)
class _Reading(FilesRead):
    """What all files together have given so far."""

    questions: QuestionReading = field(default_factory=QuestionReading)
    notes: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def read_file(self, file: SourceFile, stem: str) -> None:
        """Read every row of a file: a history each, since nothing is shared between rows."""
        log = DefectLog(file.name)
        try:
            if not _may_be_rows(file):
                raise ReadError(file.path, "$", describe(file.data), _EXPECTED)
            for number, row in rows_of(file, log):
                history_id = f"{stem}/{number}"
                source = source_of(row)
                history = read_history(row, history_id, source, file.name)
                self.histories[history_id] = history
                task = task_of(stem, source)
                read_questions(row, history_id, task, file.name, self.questions)
                self.notes[history_id] = {
                    key: value for key, value in row.data.items() if key not in _READ
                }
            self.files.append(file.name)
        except InputError as error:
            self.first_error = self.first_error or error
            log.unreadable(error, file.path, _EXPECTED)
        self.defects += log.items


def _may_be_rows(file: SourceFile) -> bool:
    """Whether a file is lines, a list, or an object with a text."""
    if file.is_lines or type(file.data) is list:
        return True
    return type(file.data) is dict and "context" in file.data
