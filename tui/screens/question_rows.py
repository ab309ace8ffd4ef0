"""Questions as the rows of a list."""

from collections.abc import Sequence

from rich.text import Text

from mnemoscope.core.model import RetrievalState
from mnemoscope.core.scoring.clue_hits import clue_hits
from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.desk import Desk
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.styles import Palette, style, styled

__all__ = ["QuestionRows"]


class QuestionRows:
    """Questions as rows; everything about a row is worked out when it comes into view."""

    def __init__(self, desk: Desk, keys: Sequence[str], palette: Palette) -> None:
        self._workspace = desk.workspace
        self._pair = desk.pair
        self._keys = keys
        self._palette = palette
        several = len(desk.workspace.release.histories) > 1
        columns = [Column("history", 8, middle=True, priority=3)] if several else []
        self._several = several
        columns.append(Column("question", 24, flex=1))
        columns.append(Column("task", 15, priority=4, dim=True))
        if desk.workspace.release.settings:
            columns.append(Column("setting", 8, priority=5, dim=True))
        lettered = any(question.options for question in desk.workspace.release.questions.values())
        columns.append(Column("gold", 4 if lettered else 14, priority=2, dim=True))
        columns += [Column(run.label, 12) for run in self._pair]
        # Only runs that store what they retrieved have anything to say about clues.
        self._with_clues = [run for run in self._pair if _stores_retrieval(run)]
        if self._with_clues:
            letters = " ".join(run.letter for run in self._with_clues)
            columns.append(Column(f"clues {letters}", 6 * len(self._with_clues) + 3, priority=6))
        self.columns: Sequence[Column] = columns

    @property
    def row_count(self) -> int:
        return len(self._keys)

    def cells(self, row: int) -> Sequence[Text | str]:
        release = self._workspace.release
        question = release.questions[self._keys[row]]
        cells: list[Text | str] = [question.history_id] if self._several else []
        cells += [question.stem, question.task.replace("_", " ")]
        if release.settings:
            cells.append(question.setting or "unlabelled")
        cells.append(str(question.gold))
        for run in self._pair:
            entry = run.entry(question.key)
            cells.append(outcome_label(entry, self._palette, answer=True))
        if self._with_clues:
            found = "".join(f"{self._clues(run, question.key):<6}" for run in self._with_clues)
            cells.append(styled(found.rstrip(), style("dim", self._palette)))
        return cells

    def _clues(self, run: JoinedRun, key: str) -> str:
        entry = run.entry(key)
        if entry is None:
            return "–"
        history = self._workspace.release.histories[entry.question.history_id]
        found = clue_hits(
            entry.question, entry.record, used_depth=run.run.used_depth, history=history
        )
        return f"{found.counts.found}/{found.counts.gold}" if found.recall is not None else "–"


def _stores_retrieval(run: JoinedRun) -> bool:
    return any(entry.record.retrieval.state is RetrievalState.IDS for entry in run.entries[:50])
