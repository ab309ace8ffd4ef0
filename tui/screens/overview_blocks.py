"""The overview as blocks of a page: counts, runs, joins, notes, defects, questions, histories."""

from collections import Counter
from collections.abc import Iterator

from rich.text import Text

from mnemoscope.core.defects import Severity
from mnemoscope.core.text import counted, one_line
from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.screens.overview_release import OverviewRelease
from mnemoscope.tui.screens.overview_runs import OverviewRuns
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, style, styled

__all__ = ["OverviewBlocks"]

_SINGULAR = {
    "histories": "history",
    "sessions": "session",
    "rounds": "round",
    "questions": "question",
    "images": "image",
}


class OverviewBlocks(OverviewRuns, OverviewRelease):
    """Makes the blocks.

    Their targets say what opening them means: ``("failures", letter)``, ``("joins", run)``,
    ``("suspicion", code, run)``, ``("overlay", error type)``, ``("defects", severity, code)``,
    ``("task", task)``, ``("history", id)``, ``("ledger", history id)``.
    """

    def blocks(self) -> Iterator[Block]:
        release, palette = self._workspace.release, self._palette
        media = ("images", "audio")
        counts = [(of, count) for of, count in release.counts.items() if count or of not in media]
        line = Text()
        for place, (name, count) in enumerate(counts):
            line.append("  ·  " if place else "", style("dim", palette))
            said = counted(count, _SINGULAR.get(name, name), name)
            number, _, word = said.partition(" ")
            line.append(f"{number} ").append(word, style("dim", palette))
        yield Paragraph(line)
        yield from self._variants()
        yield from self._run_blocks()
        yield from self._overlay_blocks()
        yield from self._join_blocks()
        yield from self._suspicion_blocks()
        yield from self._note_blocks()
        yield from self._defect_blocks()
        yield from self._task_blocks()
        yield from self._history_blocks()

    def _join_blocks(self) -> Iterator[Block]:
        workspace = self._workspace
        if not workspace.runs:
            return
        whole = [run for run in workspace.runs if _joins_whole(run)]
        note = "how rows join to questions; {overview.joins} says which do not, and why"
        yield from self._heading("Joins", note)
        if whole:
            rows = sum(len(run.join.keys) for run in whole)
            every = len(whole) == len(workspace.runs)
            which = "every run" if every else counted(len(whole), "run")
            text = f"every row of {which} joins, and every question has one: {rows:,} rows"
            line = MARKS["right"].label(self._palette, word=text)
            yield Paragraph(line, target=("joins", whole[0].name))
        for run in workspace.runs:
            if run in whole:
                continue
            join = run.join
            line = Text(f"{run.label}  ")
            line.append(f"{join.matched:,} of {len(join.keys):,} rows join")
            if join.unjoined:
                line.append(f"  {len(join.unjoined):,} do not", style("error", self._palette))
            if join.without_record:
                without = len(join.without_record)
                text = f"  {counted(without, 'question has', 'questions have')} no row"
                line.append(text, style("dim", self._palette))
            yield Paragraph(line, target=("joins", run.name))
        if workspace.skipped:
            names = ", ".join(workspace.skipped[:3]) + (" …" if len(workspace.skipped) > 3 else "")
            text = f"{len(workspace.skipped)} files of no known form were left alone: {names}"
            yield Paragraph(styled(one_line(text), style("dim", self._palette)))

    def _suspicion_blocks(self) -> Iterator[Block]:
        """What looks wrong about the runs; nothing where nothing does."""
        if not self._suspicions:
            return
        yield from self._heading(
            "Suspicious", "{page.open} shows examples; no figure is changed by it"
        )
        for one in self._suspicions:
            line = styled(f"{one_line(one.run)}  ", style("heading", self._palette))
            line.append(f"{one.count:,} of {one.of:,} {one.what}", style("wrong", self._palette))
            line.append(f" {one_line(one.says)}", style("dim", self._palette))
            if one.repair:
                line.append(f"  --repair {one.repair} repairs it")
            yield Paragraph(line, target=("suspicion", one.code, one.run))

    def _note_blocks(self) -> Iterator[Block]:
        """What a reader of the figures should know about the runs' forms; each thing once."""
        notes: dict[str, list[str]] = {}
        for run in self._workspace.runs:
            for note in run.run.notes:
                notes.setdefault(note, []).append(run.letter)
        if notes:
            yield from self._heading("Notes", "what the figures of these forms mean")
        for note, letters in notes.items():
            line = styled(f"{' '.join(letters)}  ", style("dim", self._palette))
            yield Paragraph(line.append(one_line(note)))

    def _defect_blocks(self) -> Iterator[Block]:
        defects = self._workspace.defects
        yield from self._heading(
            "Defects", "{overview.defects} lists them with their places" if defects else ""
        )
        if not defects:
            mark = MARKS["right"].label(self._palette, word="none found")
            yield Paragraph(mark)
            return
        codes = Counter((one.severity, one.code) for one in defects)
        order = list(Severity)
        for (severity, code), count in sorted(
            codes.items(), key=lambda item: (order.index(item[0][0]), -item[1])
        ):
            look = {"error": "error", "warning": "wrong"}.get(severity, "dim")
            line = styled(f"{severity.value}  ", style(look, self._palette))
            line.append(f"{count:,} ").append(code.replace("_", " "), style("dim", self._palette))
            yield Paragraph(line, target=("defects", severity.value, code))


def _joins_whole(run: JoinedRun) -> bool:
    return not run.join.unjoined and not run.join.without_record
