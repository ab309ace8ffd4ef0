"""What joins, and what does not, as the rows of lists."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.model import Release
from mnemoscope.core.runs.join import Unjoined, UnjoinedReason
from mnemoscope.core.workspace import JoinedRun
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["LONE_ROWS", "REASONS", "JoinRuns", "Lone", "LoneRows", "lone_ones"]

LONE_ROWS: Mapping[str, str] = {
    "all": "that stay alone",
    "unmatched": "rows without a question",
    "ambiguous": "rows that several questions fit",
    "without_record": "questions without a row",
}
"""What each list holds."""

REASONS: Mapping[UnjoinedReason, str] = {
    UnjoinedReason.NO_HISTORY: "no such history",
    UnjoinedReason.NO_QUESTION: "no such question",
    UnjoinedReason.TEXT_DIFFERS: "text differs",
    UnjoinedReason.AMBIGUOUS: "ambiguous",
    UnjoinedReason.REPEATED: "answered twice",
}
"""Reasons in a few words."""


@dataclass(frozen=True, slots=True)
class Lone:
    """A row that joins to no question, or a question that no row answers."""

    key: str = ""
    """The question's key; empty for a row."""
    unjoined: Unjoined | None = None
    """The row; None for a question."""


def lone_ones(run: JoinedRun, kind: str) -> Sequence[Lone]:
    """What stays alone in a run, of one of the kinds in ``LONE_ROWS``: rows, then questions."""
    rows = [
        Lone(unjoined=one)
        for one in run.join.unjoined
        if kind == "all" or (one.reason is UnjoinedReason.AMBIGUOUS) == (kind == "ambiguous")
    ]
    questions = [Lone(key) for key in run.join.without_record]
    if kind == "without_record":
        return questions
    return [*rows, *questions] if kind == "all" else rows


class JoinRuns:
    """Runs with how many of their rows join."""

    columns: Sequence[Column] = (
        Column("", 2, help="the letter of the run"),
        Column("run", 14, flex=2, middle=True, help="its short name"),
        Column("rows", 6, align="right", help="rows, which are records"),
        Column("matched", 7, align="right", help="rows that join to a question"),
        Column("unmatched", 9, align="right", help="rows that no question fits"),
        Column("ambiguous", 9, align="right", help="rows that several questions fit"),
        Column("no record", 9, align="right", help="questions that no row answers"),
        Column(
            "reasons", 16, flex=3, priority=1, dim=True, help="why rows stay alone, and how many"
        ),
    )

    def __init__(self, runs: Sequence[JoinedRun], palette: Palette) -> None:
        self.runs = runs
        self._palette = palette

    @property
    def row_count(self) -> int:
        return len(self.runs)

    def cells(self, row: int) -> Sequence[Text | str]:
        run = self.runs[row]
        join, failure = run.join, style("error", self._palette)
        unmatched, ambiguous = (
            styled(f"{count:,}", failure) if count else "–"
            for count in (join.unmatched, join.ambiguous)
        )
        without = len(join.without_record)
        reasons = Counter(one.reason for one in join.unjoined)
        return (
            run.letter,
            run.name,
            f"{len(join.keys):,}",
            f"{join.matched:,}",
            unmatched,
            ambiguous,
            f"{without:,}" if without else "–",
            ", ".join(f"{count:,} {REASONS[reason]}" for reason, count in reasons.most_common()),
        )


class LoneRows:
    """Rows without a question, and questions without a row."""

    columns: Sequence[Column] = (
        Column("what", 18, help="what stays alone, and why"),
        Column("asks", 20, flex=3, help="the question, as the row or the release has it"),
        Column(
            "where",
            16,
            flex=2,
            middle=True,
            priority=1,
            dim=True,
            help="its file and place, or the key of the question",
        ),
    )

    def __init__(
        self,
        rows: Sequence[Lone],
        palette: Palette,
        release: Release | None = None,
        run: JoinedRun | None = None,
    ) -> None:
        self.rows = rows
        self._palette = palette
        self._release = release
        self._run = run

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cells(self, row: int) -> Sequence[Text | str]:
        one = self.rows[row]
        if self._release is None or self._run is None:
            return "", "", ""
        if one.unjoined is None:
            mark = MARKS["none"].label(self._palette, word="no record")
            return mark, self._release.questions[one.key].stem, one.key
        record = self._run.run.records[one.unjoined.record]
        mark = MARKS["error"].label(self._palette, word=REASONS[one.unjoined.reason])
        said = record.ref.text or one.unjoined.detail or record.answer
        return mark, said, f"{record.file} {record.place}"
