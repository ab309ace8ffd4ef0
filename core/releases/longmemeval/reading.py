"""Reading a release of instances: one question with its own history after another."""

from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import Defect, DefectLog, Described, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import (
    ClueTarget,
    EvaluatorData,
    History,
    Question,
    Release,
    RoundKind,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.longmemeval.dates import read_date
from mnemoscope.core.releases.longmemeval.dialects import DIALECTS
from mnemoscope.core.releases.longmemeval.forms import (
    Dialect,
    dialect_of,
    find_instances,
    may_hold_instances,
)
from mnemoscope.core.releases.longmemeval.history import (
    HistoryReading,
    ReadAttachments,
    read_history,
)
from mnemoscope.core.releases.longmemeval.questions import read_question
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile, unreadable_folders

__all__ = ["holds_instances", "read_instances"]

_LONGEST_ID = 200
_TELLING = "answer"
"""How LongMemEval begins the ids of sessions that hold an answer, and of no others."""


def holds_instances(source: Source, dialect: Dialect) -> bool:
    """Whether a path is a file of a dialect's instances, or a folder with at least one.

    Raises:
        InputError: A file that was named cannot be read.
    """
    if not source.is_folder:
        (file,) = source.files
        return not file.is_lines and dialect_of(file.data, DIALECTS) is dialect
    return any(_holds(file, dialect, []) for file in filter(may_hold_instances, source.files))


def read_instances(
    source: Source,
    dialect: Dialect,
    options: ReadOptions,
    attachments: ReadAttachments | None = None,
) -> Release:
    """Read a release of instances.

    Args:
        source: A file, or a folder with one file of instances.
        dialect: Whose they are.
        options: How to read.
        attachments: Reads the pictures of turns, in releases that have any.

    Raises:
        InputError: There is no instance in it, or a folder holds several releases.
    """
    reading = _Reading(dialect)
    file = _choose_file(source, dialect, reading.defects)
    with collector_paused():
        reading.read_file(file, attachments)
    return reading.release(source, file, options)


def _choose_file(source: Source, dialect: Dialect, defects: list[Defect]) -> SourceFile:
    if not source.is_folder:
        (file,) = source.files
        if file.is_lines or dialect_of(file.data, DIALECTS) is None:
            expected = f"{dialect.title} instances, each with haystack_sessions"
            found = "a file of lines" if file.is_lines else describe(file.data)
            raise ReadError(file.path, "$", found, expected)
        return file
    found_in: list[SourceFile] = []
    for file in filter(may_hold_instances, source.files):
        if not _holds(file, dialect, defects):
            continue
        found_in.append(file)
        if len(found_in) > 1:
            # The others can be as large, and need not be parsed to say so.
            names = ", ".join(one.name for one in found_in)
            raise InputError(
                f"{source.path}: holds more than one {dialect.title} release ({names})",
                hint="open one of them",
            )
    defects += unreadable_folders(source)
    if not found_in:
        raise InputError(f"{source.path}: no {dialect.title} instance in it")
    return found_in[0]


def _holds(file: SourceFile, dialect: Dialect, defects: list[Defect]) -> bool:
    try:
        return dialect_of(file.data, DIALECTS) is dialect
    except InputError as error:
        log = DefectLog(file.name)
        log.unreadable(error, file.path)
        defects += log.items
        return False


@dataclass(slots=True)
class _Reading:
    """What all instances together have given so far."""

    dialect: Dialect
    histories: dict[str, History] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    marks: dict[tuple[str, str], Any] = field(default_factory=dict)
    lures: dict[str, Any] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)

    def read_file(self, file: SourceFile, attachments: ReadAttachments | None) -> None:
        """Read every instance of a file."""
        log = DefectLog(file.name)
        for index, node in enumerate(find_instances(file.data, log)):
            if node is not None:
                history_id = self._history_id(node, index)
                self._read_instance(node, history_id, file.name, attachments)
        self._report_telling_ids(log)
        self.defects += log.items
        file.release()

    def _read_instance(
        self, node: Node, history_id: str, file: str, attachments: ReadAttachments | None
    ) -> None:
        reading = HistoryReading(history_id, self.dialect, attachments)
        asked_at = read_date(node.text("question_date"), node.at("question_date"), node.log)
        history = read_history(node, reading, file, asked_at)
        self.histories[history_id] = history
        self.marks.update(reading.marks)
        question = read_question(node, history, reading, asked_at)
        if question is not None:
            self.questions[question.key] = question
            if "old_answer" in node.data:
                self.lures[question.key] = {"old_answer": node.data["old_answer"]}

    def _history_id(self, node: Node, index: int) -> str:
        written = node.data.get("question_id")
        usable = type(written) is str and 0 < len(written) <= _LONGEST_ID
        stem = written if usable else f"question-{index}"
        made = stem
        number = 2
        while made in self.histories:
            made = f"{stem}#{number}"
            number += 1
        place = node.at("question_id")
        if not usable:
            found = node.found("question_id")
            node.log.repaired("missing_id", place, found, "the question's id", made)
        elif made != written:
            node.log.error("duplicate_id", place, written, "an id of its own")
        return str(made)

    def _report_telling_ids(self, log: DefectLog) -> None:
        """Say once that the ids of the sessions alone give the evidence away."""
        clues = [
            clue
            for question in self.questions.values()
            for clue in question.clues
            if clue.target is ClueTarget.SESSION and clue.resolved
        ]
        if clues and all(clue.id.startswith(_TELLING) for clue in clues):
            found = Described(f"{clues[0].id!r:.60}: every evidence session's id begins so")
            expected = "ids that say nothing of the answer; hide them from systems and annotators"
            log.warning("id_tells_evidence", clues[0].place, found, expected)

    def release(self, source: Source, file: SourceFile, options: ReadOptions) -> Release:
        """Put the release together.

        Raises:
            InputError: There is no instance in it.
        """
        if not self.histories:
            raise InputError(f"{source.path}: no {self.dialect.title} instance in it")
        return Release(
            name=source.path.name if source.is_folder else file.stem,
            format=self.dialect.name,
            root=source.root,
            files=(file.name,),
            round_kind=RoundKind.UTTERANCE,
            histories=self.histories,
            questions=self.questions,
            tasks=self.dialect.tasks,
            media_roots=(source.root, *options.media_roots),
            evaluator=EvaluatorData(rounds=self.marks, questions=self.lures),
            defects=tuple(self.defects),
            licence=self.dialect.licence,
        )
