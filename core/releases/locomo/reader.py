"""The reader of LoCoMo: ``locomo10.json``, and the older form of one flat file a conversation."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import Defect, DefectLog, Severity, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import EvaluatorData, History, Release, RoundKind, Textualisation
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.locomo.evaluator import EvaluatorReading, read_evaluator_data
from mnemoscope.core.releases.locomo.history import read_history
from mnemoscope.core.releases.locomo.parts import ConversationParts, Form, find_parts, form_of
from mnemoscope.core.releases.locomo.questions import TASKS, QuestionReading, read_questions
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import (
    Source,
    SourceFile,
    unreadable_folders,
)

__all__ = ["LocomoReader"]

_LICENCE = "CC BY-NC 4.0"
_EXPECTED = "a list of LoCoMo conversations, or one flat conversation"
_LONGEST_ID = 200

# The first key of a file says cheaply, without parsing it, that it cannot be LoCoMo.
_FIRST_KEY = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"'
    rb"(?:qa|conversation|event_summary|observation|session_summary|sample_id|speaker_[ab]"
    rb'|(?:events_)?session_[0-9]+[a-z_]*)"'
)
_SNIFFED = 512


class LocomoReader:
    """Reads LoCoMo (other-releases.md 2.1): one file, or a folder that holds a release."""

    name = "locomo"

    def recognises(self, source: Source) -> bool:
        """Whether the path is a LoCoMo file, or a folder with at least one."""
        files = source.files
        if len(files) == 1:
            return not files[0].is_lines and form_of(files[0].data) is not None
        return any(_usable_form(file) for file in files if _may_be_locomo(file))

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: No file holds a conversation, or several hold a whole release each.
        """
        reading = _Reading()
        with collector_paused():
            for file, form in _choose(source, reading):
                reading.read_file(file, form)
                file.release()
        if not reading.histories:
            raise InputError(f"{source.path}: no LoCoMo conversation in it")
        questions, evaluator = reading.questions, reading.evaluator
        return Release(
            name=_name(source, reading.histories),
            format=self.name,
            root=source.root,
            files=tuple(reading.files),
            round_kind=RoundKind.UTTERANCE,
            histories=reading.histories,
            questions=questions.questions,
            tasks=TASKS,
            image_variants=("blip",),
            textualisation=Textualisation(image="blip", audio="none"),
            media_roots=(source.root, *options.media_roots),
            evaluator=EvaluatorData(
                histories=evaluator.histories,
                sessions=evaluator.sessions,
                rounds=reading.traces,
                questions=questions.lures,
            ),
            defects=tuple(reading.defects),
            licence=_LICENCE,
        )


def _name(source: Source, histories: Mapping[str, History]) -> str:
    if source.is_folder:
        return source.path.name
    # A flat file is named by a number alone.
    return next(iter(histories)) if len(histories) == 1 else source.files[0].stem


def _may_be_locomo(file: SourceFile) -> bool:
    if file.is_lines:
        return False
    try:
        return _FIRST_KEY.match(file.head(_SNIFFED)) is not None
    except InputError:
        return False


def _usable_form(file: SourceFile) -> Form | None:
    try:
        return form_of(file.data)
    except InputError:
        return None


def _choose(source: Source, reading: "_Reading") -> Sequence[tuple[SourceFile, Form]]:
    """The files that make up the release.

    Raises:
        InputError: There are none, or it is not clear which of several releases is meant.
    """
    if len(source.files) == 1:
        (file,) = source.files
        form = form_of(file.data)
        if form is None:
            raise ReadError(file.path, "$", describe(file.data), _EXPECTED)
        return [(file, form)]
    found = []
    for file in filter(_may_be_locomo, source.files):
        try:
            form = form_of(file.data)
        except InputError as error:
            log = DefectLog(file.name)
            log.unreadable(error, file.path)
            reading.defects += log.items
            continue
        if form is not None:
            found.append((file, form))
    reading.defects += unreadable_folders(source)
    lists = [(file, form) for file, form in found if form is Form.LIST]
    if len(lists) > 1:
        names = ", ".join(file.name for file, _ in lists)
        raise InputError(
            f"{source.path}: holds {len(lists)} LoCoMo releases ({names})", hint="open one of them"
        )
    if not lists:
        return found
    for file, form in found:
        if form is not Form.LIST:
            note = f"a conversation beside the release {lists[0][0].name}; it is not read"
            reading.report(Severity.WARNING, "file_left_out", file, note)
    return lists


@dataclass(slots=True)
class _Reading:
    """What all files together have given so far."""

    files: list[str] = field(default_factory=list)
    histories: dict[str, History] = field(default_factory=dict)
    questions: QuestionReading = field(default_factory=QuestionReading)
    evaluator: EvaluatorReading = field(default_factory=EvaluatorReading)
    traces: dict[tuple[str, str], Any] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)

    def report(self, severity: Severity, code: str, file: SourceFile, found: str) -> None:
        """Record that a file of the folder is not part of what is read."""
        expected = "a file of the release"
        self.defects.append(Defect(severity, code, file.name, "$", found, expected))

    def read_file(self, file: SourceFile, form: Form) -> None:
        """Read every conversation of a file."""
        log = DefectLog(file.name)
        self.files.append(file.name)
        for index, parts in enumerate(find_parts(form, file.data, log)):
            if parts is None:
                # Runs name conversations by their place, so an unusable one must keep its own.
                history_id = self._unused(f"conversation-{index}")
                place = f"$[{index}]"
                self.histories[history_id] = History(history_id, history_id, (), file.name, place)
                continue
            history_id = self._history_id(parts, form, file, index)
            history, talk = read_history(parts, history_id, file.name, log)
            self.histories[history_id] = history
            self.traces.update(talk.traces)
            read_questions(parts.root, history_id, talk.session_of, self.questions)
            read_evaluator_data(parts, history, talk.session_of, self.evaluator)
        self.defects += log.items

    def _history_id(
        self, parts: ConversationParts, form: Form, file: SourceFile, index: int
    ) -> str:
        """``sample_id``, or ``conv-30`` for the flat file ``30.json``, which holds no id."""
        root = parts.root
        if "sample_id" not in root.data and form is not Form.LIST:
            if file.stem.isdecimal():
                return self._unique(f"conv-{file.stem}", root)
            made = self._unused(file.stem)
        else:
            written = root.data.get("sample_id")
            if type(written) is str and 0 < len(written) <= _LONGEST_ID:
                return self._unique(written, root)
            made = self._unused(f"conversation-{index}")
        found = root.found("sample_id")
        root.log.repaired("missing_id", root.at("sample_id"), found, "the conversation's id", made)
        return made

    def _unique(self, history_id: str, root: Node) -> str:
        if history_id not in self.histories:
            return history_id
        made = self._unused(history_id)
        root.log.error("duplicate_id", root.place, history_id, "an id of its own")
        return made

    def _unused(self, history_id: str) -> str:
        made = history_id
        number = 2
        while made in self.histories:
            made = f"{history_id}#{number}"
            number += 1
        return made
