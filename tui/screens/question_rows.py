"""Questions as the rows of a list, in columns of the user's choice."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.text import Text

from mnemoscope.core.model import Question, RecordStatus
from mnemoscope.core.question_columns import QuestionColumn
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import Entry
from mnemoscope.tui.desk import Desk
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.matches import Words, marked
from mnemoscope.viewers.outcomes import outcome_label, outcome_mark
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["QuestionRows", "usual_columns"]

_LAYOUTS: Mapping[str, Column] = {
    "id": Column("id", 16, flex=1, middle=True, dim=True),
    "history": Column("history", 8, middle=True, dim=False),
    "question": Column("question", flex=6),
    "task": Column("task", 12, flex=1, dim=True),
    "setting": Column("setting", 8, dim=True),
    "category": Column("category", 10, dim=True),
    "gold": Column("gold", 14, dim=True),
    "clues": Column("clues", 5, align="right", dim=True),
    "asked": Column("asked", 19, dim=True),
    "A and B": Column("A B", 3),
    "runs right": Column("right", 5, align="right", dim=True),
    "answer": Column("", 12),
    "recall": Column("recall", 8, dim=True),
    "k": Column("k", 4, align="right", dim=True),
    "metric": Column("", 8, align="right", dim=True),
}
"""How each kind of column is laid out; the title of a run's column says which run."""
_USUAL = {
    "questions": ("history", "question", "task", "setting", "gold", "answer", "recall"),
    "compare": ("A and B", "question", "task"),
}
"""The kinds of columns of each list, where the user has chosen none."""
_MANY = 10_000
"""More than there are columns."""
_ANSWER = 200
"""Characters of an answer that can be of use in a cell."""
_LONGEST_HISTORY = 14
_GIVE_WAY = ("gold", "history", "task", "setting", "recall")
"""The usual columns that drop out where there is little space, the last first."""


def usual_columns(desk: Desk, of_list: str) -> tuple[QuestionColumn, ...]:
    """The columns of a list where the user has chosen none: those of A and B, and no other run."""
    letters = {run.letter for run in desk.pair}
    wanted = _USUAL[of_list]
    found = [
        column
        for column in desk.columns
        if column.kind in wanted and (column.run is None or column.run.letter in letters)
    ]
    if len(desk.workspace.release.histories) < 2:
        found = [column for column in found if column.kind != "history"]
    return tuple(sorted(found, key=lambda column: wanted.index(column.kind)))


def _priority(kind: str, otherwise: int) -> int:
    """What drops out first where there is little space: the usual ones that say least."""
    return _MANY + _GIVE_WAY.index(kind) if kind in _GIVE_WAY else otherwise


class QuestionRows:
    """Questions as rows; everything about a row is worked out when it comes into view."""

    def __init__(
        self,
        desk: Desk,
        keys: Sequence[str],
        palette: Palette,
        shown: Sequence[QuestionColumn],
        *,
        chosen: bool = False,
        words: Words = (),
        question_cells: int = 24,
    ) -> None:
        """Make rows.

        Args:
            desk: What is open.
            keys: The questions.
            palette: The colours.
            shown: The columns.
            chosen: Whether the user has chosen them: then those on the right drop out too where
                there is little space, after the usual ones that say least.
            words: What is marked in what is asked, in the gold and in answers.
            question_cells: The least that is given to what is asked.
        """
        self._desk = desk
        self.keys = keys
        self._palette = palette
        self.shown = shown
        self._words = words
        self._question_cells = question_cells
        release = desk.workspace.release
        self._lettered = any(one.options for one in release.questions.values())
        self._gold_cells = 4 if all(one.gold.option for one in release.questions.values()) else 7
        # Ids that differ in the middle need more than those that a number tells apart.
        longest = max(map(len, release.histories), default=0)
        self._history_cells = min(max(longest, _LAYOUTS["history"].width), _LONGEST_HISTORY)
        self.columns: Sequence[Column] = [
            self._layout(column, _priority(column.kind, place if chosen else 0))
            for place, column in enumerate(shown)
        ]

    @property
    def row_count(self) -> int:
        return len(self.keys)

    def cells(self, row: int) -> Sequence[Text | str]:
        question = self._desk.workspace.release.questions[self.keys[row]]
        return [self._cell(column, question) for column in self.shown]

    def _layout(self, column: QuestionColumn, priority: int) -> Column:
        layout = _LAYOUTS[column.kind]
        title, width = layout.title, layout.width
        if column.run is not None:
            what = title or column.name.rpartition(" of ")[0]
            title = f"{column.run.letter} {what}"
        if column.kind == "answer" and column.run is not None:
            title = column.run.label
        # Letters need little space; answers in words take what they can get.
        flex = layout.flex
        if column.kind == "question":
            width = self._question_cells
        elif column.kind == "gold" and self._lettered:
            width = self._gold_cells
        elif column.kind == "history":
            width = self._history_cells
        elif column.kind == "answer" and not self._lettered:
            flex = 3
        return replace(
            layout,
            title=one_line(title),
            width=width,
            flex=flex,
            priority=priority,
            help=column.help,
        )

    def _cell(self, column: QuestionColumn, question: Question) -> Text | str:
        match column.kind:
            case "question":
                return self._stem(question)
            case "gold" if self._words:
                return self._marked(str(question.gold), "dim")
            case "task":
                return question.task.replace("_", " ")
            case "setting":
                return question.setting or "unlabelled"
            case "A and B":
                return self._marks(question)
            case "answer" if column.run is not None:
                return self._answer(column.run.entry(question.key))
        return column.text(question)

    def _answer(self, entry: Entry | None) -> Text:
        """The outcome with the option answered, or with the answer where there are no options."""
        if entry is None or entry.question.options or entry.judgement.status is not RecordStatus.OK:
            return outcome_label(entry, self._palette, answer=True)
        mark = outcome_mark(entry)
        label = mark.label(self._palette, word=one_line(entry.record.answer[:_ANSWER]))
        return marked(label, self._words, self._palette, after=len(mark.glyph))

    def _stem(self, question: Question) -> Text | str:
        """What is asked, with a flag where an overlay corrects the question."""
        overlay = self._desk.workspace.overlay
        corrected = overlay is not None and question.key in overlay.corrections
        if not corrected and not self._words:
            return question.stem
        flag = MARKS["flag"].label(self._palette, word="").append(" ") if corrected else Text()
        return flag.append_text(self._marked(question.stem, "text"))

    def _marked(self, text: str, look: str) -> Text:
        shown = styled(one_line(text), style(look, self._palette))
        return marked(shown, self._words, self._palette)

    def _marks(self, question: Question) -> Text:
        marks = (outcome_mark(entry) for _, entry in self._desk.entries(question.key))
        return Text(" ").join(
            styled(mark.glyph, getattr(self._palette, mark.colour)) for mark in marks
        )
