"""From mapped rows to questions."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.errors import InputError
from mnemoscope.core.mapping.cells import Cells
from mnemoscope.core.mapping.paths import MISSING
from mnemoscope.core.mapping.rows import read_rows
from mnemoscope.core.mapping.schema import MapFile
from mnemoscope.core.model import (
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    History,
    Option,
    Question,
    Release,
    RoundKind,
    TaskLabel,
)
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import SourceFile

__all__ = ["Reading"]

_ALL = "all"
"""The history of questions that name none."""
_NO_TASK = "questions"
"""The task of questions that name none."""
_ANSWERABLE: Mapping[str, bool] = {
    **dict.fromkeys(("true", "1", "yes"), True),
    **dict.fromkeys(("false", "0", "no"), False),
}


class Reading:
    """One file of questions while it is being read."""

    def __init__(self, form: MapFile, file: SourceFile, options: ReadOptions) -> None:
        self.map = form
        self.file = file
        self.options = options
        self.log = DefectLog(file.name)
        self.histories: dict[str, History] = {}
        self.counts: dict[str, int] = {}

    def release(self) -> Release:
        """The questions as a release whose histories hold no dialogue.

        Raises:
            InputError: There is no question.
        """
        rows = read_rows(self.file, self.map, self.log, alone=True)
        questions: dict[str, Question] = {}
        for row in rows or ():
            cells = Cells(row, self.log)
            question = self._question(cells)
            if question is None:
                continue
            if question.key in questions:
                where = row.where(str(self.map.question.id or self.map.question.text))
                self.log.error("duplicate_key", where, question.key, "a key used once")
                continue
            questions[question.key] = question
        if not questions:
            raise InputError(f"{self.file.path}: {self.map.rows}: found no question")
        tasks = dict.fromkeys(one.task for one in questions.values())
        return Release(
            name=self.map.name or self.file.stem,
            format="mapping",
            root=self.file.root,
            files=(self.file.name,),
            round_kind=RoundKind.EXCHANGE,
            histories=self.histories,
            questions=questions,
            tasks=tuple(TaskLabel(one, one.replace("_", " ")) for one in tasks),
            settings=tuple(filter(None, dict.fromkeys(q.setting for q in questions.values()))),
            media_roots=(self.file.root, *self.options.media_roots),
            defects=tuple(self.log.items),
        )

    def _question(self, cells: Cells) -> Question | None:
        asked = self.map.question
        text = cells.text(asked.text)
        if not text.strip():
            cells.wrong(str(asked.text), "a question")
            return None
        history_id = cells.text(asked.history) or _ALL
        if history_id not in self.histories:
            self.histories[history_id] = History(history_id, history_id, (), self.file.name)
        nth = self.counts.get(history_id, 0)
        self.counts[history_id] = nth + 1
        given = cells.integer(asked.index)
        index = nth if given is None else given - asked.index_from
        named = cells.text(asked.id) or str(index)
        options = self._options(cells)
        answerable = True
        if asked.answerable is not None:
            answerable = cells.one_of(asked.answerable, _ANSWERABLE) is not False
        return Question(
            key=cells.text(asked.key) or f"{history_id}/{named}",
            id=named,
            history_id=history_id,
            index=index,
            task=cells.text(asked.task) or _NO_TASK,
            setting=cells.text(asked.setting),
            text=text,
            stem=text,
            gold=self._gold(cells, options),
            clues=self._clues(cells),
            place=cells.row.place,
            form=cells.text(asked.form),
            category=cells.text(asked.category),
            labels={name: cells.text(column) for name, column in asked.labels.items()},
            options=options,
            answerable=answerable,
            file=self.file.name,
        )

    def _options(self, cells: Cells) -> tuple[Option, ...]:
        source = self.map.question.options
        if source is None:
            return ()
        if isinstance(source, dict):
            listed = {label: cells.text(column) for label, column in source.items()}
            return tuple(Option(label, text) for label, text in listed.items() if text)
        value = cells.value(source)
        if isinstance(value, dict):
            return tuple(Option(str(label), str(text)) for label, text in value.items())
        texts = cells.texts(source, self.map.question.options_separator) or []
        if len(texts) > len(ascii_uppercase):
            cells.wrong(source, f"at most {len(ascii_uppercase)} options")
        return tuple(map(Option, ascii_uppercase, texts))

    def _gold(self, cells: Cells, options: Sequence[Option]) -> Gold:
        asked = self.map.question
        value = cells.value(asked.gold)
        if asked.gold is None or value is MISSING or value is None or value == "":
            return Gold.none()
        if not options:
            if type(value) is list or asked.gold_separator:
                texts = cells.texts(asked.gold, asked.gold_separator) or []
                return Gold(GoldKind.TEXTS, texts=tuple(texts)) if texts else Gold.none()
            text = cells.optional_text(asked.gold)
            return Gold.none() if text is None else Gold(GoldKind.TEXTS, texts=(text,))
        written = cells.text(asked.gold)
        labels = [option.label for option in options]
        if written in labels:
            return Gold(GoldKind.OPTION, option=written)
        said = [option.label for option in options if option.text == written]
        where = cells.row.where(asked.gold)
        if len(said) == 1:
            self.log.repaired("text_for_label", where, written, "the label of an option", said[0])
            return Gold(GoldKind.OPTION, option=said[0])
        self.log.error("gold_not_an_option", where, written, f"one of {', '.join(labels)}")
        return Gold.none()

    def _clues(self, cells: Cells) -> tuple[Clue, ...]:
        asked = self.map.question
        written = cells.texts(asked.evidence, asked.evidence_separator) or []
        place = cells.row.where(asked.evidence or "")
        if written:
            found = Described(", ".join(written))
            self.log.warning("clue_history_absent", place, found, "a history that holds them")
        absent = ClueProblem.HISTORY_ABSENT
        return tuple(
            Clue(one, ClueTarget.UNKNOWN, one, problem=absent, place=place) for one in written
        )
