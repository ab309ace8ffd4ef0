"""The right side of the comparison: a question in both runs, or how the runs differ."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from mnemoscope.analyses.configuration import Relation, compare_configurations
from mnemoscope.core.clue_text import round_text
from mnemoscope.core.model import Question
from mnemoscope.core.scoring.clue_hits import ClueComparison, clue_hits
from mnemoscope.core.scoring.retrieval_hits import Grain, coarse_note
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import Entry, JoinedRun
from mnemoscope.tui.desk import Desk
from mnemoscope.viewers.answer_diff import diff_blocks
from mnemoscope.viewers.comparison_view import SettingRow, configuration_blocks
from mnemoscope.viewers.matches import Words, excerpt, marked
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.overlay_view import correction_blocks
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.question_view import retrieval_note
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["CompareDetail"]


_FLAG = MARKS["flag"].glyph


class CompareDetail:
    """Makes the blocks for A and B of a desk."""

    def __init__(self, desk: Desk, palette: Palette, words: Words = ()) -> None:
        """Make it.

        Args:
            desk: What is open.
            palette: The colours.
            words: What is marked in texts from data.
        """
        self._desk = desk
        self._palette = palette
        self._words = words

    def configuration(self) -> Iterator[Block]:
        a, b = self._desk.pair
        found = compare_configurations(a, b)
        rows = [
            SettingRow(one.name, one.a, one.b, one.relation is Relation.EQUAL)
            for one in found.settings
        ]
        yield from configuration_blocks((a.letter, b.letter), rows, self._palette)

    def question(self, question: Question) -> Iterator[Block]:
        palette, words = self._palette, self._words
        yield Paragraph(styled(one_line(question.key), style("dim", palette)))
        stem = styled(one_line(question.stem), style("heading", palette))
        yield Paragraph(marked(stem, words, palette))
        gold = styled("gold  ", style("dim", palette))
        label = len(gold)
        gold.append(one_line(str(question.gold)))
        option = question.option(question.gold.option)
        if option is not None:
            said = one_line(option.describe(self._desk.textualisation.image))
            gold.append(f"  {excerpt(said, 160, words)}", style("dim", palette))
        yield Paragraph(marked(gold, words, palette, after=label))
        overlay = self._desk.workspace.overlay
        if overlay is not None:
            yield from correction_blocks(overlay.corrections.get(question.key, ()), palette)
        yield Paragraph(Text(""))
        (run_a, a), (run_b, b) = self._desk.entries(question.key)
        if a is None or b is None:
            return
        labels = (self._label(run_a, a), self._label(run_b, b))
        yield from diff_blocks("answer", labels, (a.record.answer, b.record.answer), palette, words)
        if a.record.reasoning or b.record.reasoning:
            yield Paragraph(Text(""))
            texts = (a.record.reasoning, b.record.reasoning)
            yield from diff_blocks("reasoning", labels, texts, palette, words)
        yield Paragraph(Text(""))
        yield from self._retrieved(question, (run_a, a), (run_b, b))

    def _label(self, run: JoinedRun, entry: Entry) -> Text:
        label = styled(f"{run.letter} ", style("focus", self._palette))
        return label.append_text(outcome_label(entry, self._palette))

    def _retrieved(self, question: Question, *runs: tuple[JoinedRun, Entry]) -> Iterator[Block]:
        """Both retrieved sets: what only one brought back, with clues marked."""
        palette = self._palette
        coarse = coarse_note({run.letter: [entry.record.retrieval] for run, entry in runs})
        grain = Grain.SESSION if coarse else None
        corrected = self._corrected(question)
        units: list[dict[str, int]] = []
        compared: list[ClueComparison] = []
        for run, entry in runs:
            found = self._hits(question, run, entry, grain)
            compared.append(found)
            ranks: dict[str, int] = {}
            for hit in found.items:
                for unit in hit.units:
                    ranks.setdefault(unit, hit.item.rank)
            units.append(ranks)
            line = styled(f"{run.letter} ", style("focus", palette))
            line.append(retrieval_note(entry.record.retrieval, found.k), style("dim", palette))
            line.append(_clues_found(found))
            if corrected is not question:
                said = _clues_found(self._hits(corrected, run, entry, grain))
                line.append(f"  {_FLAG}{said[1:]}" if said else "", style("dim", palette))
            yield Paragraph(line)
        if not any(units):
            return
        if coarse:
            yield Paragraph(styled(coarse, style("dim", palette)))
        by_session = all(one.grain is Grain.SESSION for one in compared)
        gold, overlaid = (
            of.evidence_sessions if by_session else of.evidence_rounds
            for of in (question, corrected)
        )
        in_both = units[0].keys() & units[1].keys()
        text = (
            f"retrieved: both {len(in_both)} · only A {len(units[0]) - len(in_both)} · "
            f"only B {len(units[1]) - len(in_both)}"
        )
        yield Paragraph(styled(text, style("heading", palette)))
        for unit in dict.fromkeys([*gold, *overlaid, *units[0], *units[1]]):
            yield from self._unit(question, unit, (unit in gold, unit in overlaid), units)

    def _corrected(self, question: Question) -> Question:
        """The question with the evidence that overlays give it; itself where they give none."""
        overlay = self._desk.workspace.overlay
        if overlay is None or question.key not in overlay.evidence_changed:
            return question
        return overlay.release.questions[question.key]

    def _hits(
        self, question: Question, run: JoinedRun, entry: Entry, grain: Grain | None
    ) -> ClueComparison:
        history = self._desk.workspace.release.histories[question.history_id]
        depth = run.run.used_depth
        return clue_hits(question, entry.record, used_depth=depth, history=history, grain=grain)

    def _unit(
        self,
        question: Question,
        unit: str,
        is_clue: tuple[bool, bool],
        units: Sequence[dict[str, int]],
    ) -> Iterator[Block]:
        """One round or session, and whether it is a clue as published and as overlays have it."""
        palette = self._palette
        published, overlaid = is_clue
        line = Text()
        for letter, ranks in zip("AB", units, strict=True):
            said = f"{letter}#{ranks[unit]}" if unit in ranks else f"{letter} –"
            line.append(f"{said:<6}", style("text" if unit in ranks else "dim", palette))
        name = "clue" if published or overlaid else "extra"
        line.append_text(MARKS[name].label(palette)).append(f" {one_line(unit)}")
        if published != overlaid:
            only = "only as published" if published else "only as the overlay has it"
            line.append("  ").append_text(MARKS["flag"].label(palette, word=only))
        history = self._desk.workspace.release.histories[question.history_id]
        one = history.round_by_id.get(unit)
        if one is not None:
            text = one_line(round_text(one, self._desk.textualisation))
            shown = styled(excerpt(text, 100, self._words), style("dim", palette))
            line.append("  ").append_text(marked(shown, self._words, palette))
        yield Paragraph(line, target=("round", unit))


def _clues_found(found: ClueComparison) -> str:
    """How many of the clues were brought back; empty where that cannot be said."""
    if found.recall is None:
        return ""
    return f"  {found.counts.found} of {found.counts.gold} clue {found.grain.value}s"
