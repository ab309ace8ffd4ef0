"""The reader of PrefEval: any of its files, or a folder with as many as there are."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import Defect, DefectLog, Described, Severity, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import EvaluatorData, History, Question, Release, RoundKind
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.prefeval.forms import FORMS, Form, form_of, may_hold_rows
from mnemoscope.core.releases.prefeval.rows import Row, evaluator_part, read_history, read_question
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile, unreadable_folders

__all__ = ["PrefEvalReader"]

_EXPECTED = "PrefEval rows, each with preference, question and explanation"


class PrefEvalReader:
    """Reads PrefEval (other-releases.md 2.9)."""

    name = "prefeval"

    def recognises(self, source: Source) -> bool:
        """Whether the path is a file of PrefEval's rows, or a folder with at least one."""
        if not source.is_folder:
            (file,) = source.files
            return not file.is_lines and form_of(file.data) is not None
        return any(form for _, form in _found(source, []))

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read every file.

        Raises:
            InputError: No row can be used.
        """
        reading = _Reading()
        with collector_paused():
            for file, form in _choose(source, reading.defects):
                reading.read_file(file, form)
        if not reading.histories:
            raise InputError(f"{source.path}: no PrefEval row in it")
        facts = [FORMS[form] for form in FORMS if form in reading.forms]
        return Release(
            name=source.path.name if source.is_folder else source.files[0].stem,
            format=self.name,
            root=source.root,
            files=tuple(reading.files),
            round_kind=RoundKind.EXCHANGE,
            histories=reading.histories,
            questions=reading.questions,
            tasks=tuple(one.label for one in facts),
            settings=tuple(dict.fromkeys(one.setting for one in facts)),
            media_roots=(source.root, *options.media_roots),
            evaluator=EvaluatorData(questions=reading.hidden),
            defects=tuple(reading.defects),
            licence="CC BY-NC 4.0",
        )


def _choose(source: Source, defects: list[Defect]) -> list[tuple[SourceFile, Form]]:
    if source.is_folder:
        found = [(file, form) for file, form in _found(source, defects) if form is not None]
        defects += unreadable_folders(source)
        order = list(FORMS)
        return sorted(found, key=lambda one: order.index(one[1]))
    (file,) = source.files
    form = None if file.is_lines else form_of(file.data)
    if form is None:
        said = "a file of lines" if file.is_lines else describe(file.data)
        raise ReadError(file.path, "$", said, _EXPECTED)
    return [(file, form)]


def _found(source: Source, defects: list[Defect]) -> Iterator[tuple[SourceFile, Form | None]]:
    for file in filter(may_hold_rows, source.files):
        try:
            yield file, form_of(file.data)
        except InputError as error:
            log = DefectLog(file.name)
            log.unreadable(error, file.path)
            defects += log.items


@dataclass(slots=True)
class _Reading:
    """What all files together have given so far."""

    files: list[str] = field(default_factory=list)
    forms: set[Form] = field(default_factory=set)
    read: set[tuple[Form, str]] = field(default_factory=set)
    histories: dict[str, History] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    hidden: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, list[Any]] = field(default_factory=dict)
    """The questions of each topic, as the first file has them."""
    defects: list[Defect] = field(default_factory=list)

    def read_file(self, file: SourceFile, form: Form) -> None:
        """Read every row of a topic in a form; the file's name is the topic."""
        topic = file.stem
        if (form, topic) in self.read:
            found = f"a second file of the topic in the form {form}"
            expected = "one file of each topic and form"
            self.defects.append(
                Defect(Severity.WARNING, "file_left_out", file.name, "$", found, expected)
            )
            return
        self.read.add((form, topic))
        self.files.append(file.name)
        self.forms.add(form)
        log = DefectLog(file.name)
        rows = file.data
        for index, row in enumerate(rows):
            if type(row) is dict:
                history_id = f"{topic}-{index}-{form}"
                self._read_row(Row(Node(row, f"$[{index}]", log), topic, form, index, history_id))
            else:
                log.error("wrong_type", f"$[{index}]", row, "an object")
        self._compare(rows, topic, log)
        if form is Form.MCQ:
            found, expected = Described("options without a key for the right one"), "such a key"
            repair = Described("the first option is the right one, as the benchmark has it")
            log.repaired("gold_by_place", "$", found, expected, repair)
        self.defects += log.items
        file.release()

    def _read_row(self, row: Row) -> None:
        node = row.node
        self.histories[row.history_id] = read_history(row)
        question = read_question(row)
        if "explanation" not in node.data:
            place, expected = node.at("explanation"), "why the preference matters to the question"
            node.log.warning("explanation_missing", place, Described("nothing"), expected)
        if question is None:
            return
        self.questions[question.key] = question
        self.hidden[question.key] = evaluator_part(row)
        if row.form is Form.CHOICE and node.data.get("aligned_op") not in node.items("options"):
            expected = "one of the options"
            node.log.warning(
                "aligned_elsewhere", node.at("aligned_op"), node.found("aligned_op"), expected
            )

    def _compare(self, rows: list[Any], topic: str, log: DefectLog) -> None:
        """Say where a file is not parallel to the first of its topic."""
        asked = [row.get("question") if type(row) is dict else None for row in rows]
        first = self.asked.setdefault(topic, asked)
        if len(asked) != len(first):
            found = Described(f"{len(asked)} rows")
            log.warning("forms_differ", "$", found, f"{len(first)}, as in the topic's first file")
        for index, (here, there) in enumerate(zip(asked, first, strict=False)):
            if here != there:
                expected = "the question that the topic's first file has here"
                log.warning("forms_differ", f"$[{index}]", here, expected)
