"""The overview as blocks of a page: counts, runs, joins, notes, defects, questions, histories."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from mnemoscope.core.defects import Severity
from mnemoscope.core.text import counted, one_line
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.comparison_view import OVERLAID_ROW, signed
from mnemoscope.viewers.overlay_view import overlay_blocks, taken_out_note
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled
from mnemoscope.viewers.tables import Row, table

if TYPE_CHECKING:
    from mnemoscope.analyses.accuracy import RunScore
    from mnemoscope.analyses.suspicion import Suspicion

__all__ = ["OverviewBlocks"]

_SINGULAR = {
    "histories": "history",
    "sessions": "session",
    "rounds": "round",
    "questions": "question",
    "images": "image",
}
_HISTORY_CELLS = 24
_SHORT_SETTING = {"explicit": "exp", "implicit": "imp"}


class OverviewBlocks:
    """Makes the blocks.

    Their targets say what opening them means: ``("failures", letter)``, ``("joins", run)``,
    ``("suspicion", code, run)``, ``("overlay", error type)``, ``("defects", severity, code)``,
    ``("task", task)``, ``("history", id)``, ``("ledger", history id)``.
    """

    def __init__(
        self,
        workspace: Workspace,
        scores: "Sequence[RunScore] | None",
        palette: Palette,
        *,
        width: int,
        sentence: Callable[[str], str],
        reading: str = "",
        overlaid: "Sequence[RunScore]" = (),
        suspicions: "Sequence[Suspicion]" = (),
    ) -> None:
        """Take what is shown.

        Args:
            workspace: What is open.
            scores: The runs' scores; None while they are worked out.
            palette: The colours.
            width: The cells there are.
            sentence: Puts the keys of actions into a sentence.
            reading: What is still being read.
            overlaid: The runs' scores as overlays have them, once they are worked out.
            suspicions: What looks wrong about the runs.
        """
        self._workspace = workspace
        self._scores = scores
        self._palette = palette
        self._width = width
        self._sentence = sentence
        self._reading = reading
        self._overlaid = overlaid
        self._suspicions = suspicions

    def _heading(self, text: str, note: str = "") -> list[Block]:
        line = styled(text, style("heading", self._palette))
        if note:
            line.append(f"  {self._sentence(note)}", style("dim", self._palette))
        return [Paragraph(Text("")), Paragraph(line)]

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

    def _variants(self) -> Iterator[Block]:
        release = self._workspace.release
        parts = []
        if release.image_variants:
            parts.append(f"image captions: {', '.join(release.image_variants)}")
        if release.audio_variants:
            parts.append(f"audio captions: {', '.join(release.audio_variants)}")
        if release.licence:
            parts.append(f"licence {release.licence}")
        if parts:
            text = one_line("  ·  ".join(parts))
            yield Paragraph(styled(text, style("dim", self._palette)))

    # Runs

    def _run_blocks(self) -> Iterator[Block]:
        runs = self._workspace.runs
        if not runs and self._reading:
            yield from self._heading("Runs", f"… {one_line(self._reading)}")
            return
        if not runs:
            yield from self._heading("Runs")
            text = (
                "No runs are open. {app.back} leads to the start screen, where {start.open_path} "
                "opens a release with runs beside it; so does mnemoscope open RELEASE RUN …"
            )
            yield Paragraph(styled(self._sentence(text), style("dim", self._palette)))
            return
        scoring = "" if self._scores is not None else "scoring …"
        note = scoring or "accuracy in %; {page.open} lists what a run got wrong"
        yield from self._heading(f"Runs {len(runs)}", note)
        yield from self._run_table(runs)
        yield from self._cell_tables()

    def _run_table(self, runs: Sequence[JoinedRun]) -> Iterator[Block]:
        settings = self._averaged_settings()
        averages = [f"avg {_SHORT_SETTING.get(name, name)}" for name in settings]
        averages += ["gap"] if settings else []
        overlaid = self._workspace.overlay is not None
        headers = ["", "run", "accuracy", "n"]
        headers += [f"{MARKS['flag'].glyph} overlaid", "n"] if overlaid else []
        headers += averages
        headers += ["answered", "failed", "not judged", "no record", "decided by"]
        rows = []
        for index, run in enumerate(runs):
            cells: list[Text | str] = [run.letter, run.name]
            if self._scores is None:
                cells += ["…"] * (6 + 2 * overlaid + len(averages))
            else:
                one = self._scores[index]
                tally = one.tally
                failed = tally.n - tally.n_ok
                cells += [
                    _percent(tally.accuracy.value, tally.accuracy.status.value),
                    f"{tally.n:,}",
                    *(self._overlaid_cells(index) if overlaid else []),
                    *_average_cells(one, settings),
                    _percent(tally.accuracy_ok.value, "–"),
                    f"{failed:,}" if failed else "–",
                    f"{tally.joined - tally.n:,}" if tally.joined > tally.n else "–",
                    f"{one.without_record:,}" if one.without_record else "–",
                ]
            rows.append(Row([*cells, run.decided_by], ("failures", run.letter)))
        align = "llrr".ljust(len(headers) - 1, "r")
        yield from self._table(headers, rows, align, widest=(2, 30), repeat=2)
        yield Paragraph(styled(self._legend(bool(settings)), style("dim", self._palette)))

    def _overlaid_cells(self, index: int) -> list[str]:
        """What the overlays make of a run's accuracy."""
        tally = self._overlaid[index].tally
        return [_percent(tally.accuracy.value, tally.accuracy.status.value), f"{tally.n:,}"]

    def _overlay_blocks(self) -> Iterator[Block]:
        overlay = self._workspace.overlay
        if overlay is None:
            return
        yield from self._heading("Overlay", "{page.open} lists the questions that it corrects")
        yield from overlay_blocks(overlay, self._palette, width=self._width)
        if self._workspace.runs:
            note = taken_out_note(self._workspace, self._workspace.runs)
            yield Paragraph(styled(note, style("dim", self._palette)))

    def _averaged_settings(self) -> Sequence[str]:
        """The settings that the benchmark's own averages are given for, once runs are scored."""
        scores = self._scores or ()
        release = self._workspace.release
        return release.settings if any(one.averages.memory for one in scores) else ()

    def _cell_tables(self) -> Iterator[Block]:
        """Accuracy by task and setting, runs in rows."""
        if self._scores is None:
            return
        release = self._workspace.release
        scored = [one for one in self._scores if one.tally.n]
        if not scored:
            return
        cells = [(c.task, c.setting) for c in scored[0].cells]
        headers = [""]
        for task, setting in cells:
            label = release.task_label(task)
            number = f"{label.number} " if label.number else ""
            short = _SHORT_SETTING.get(setting, setting)
            headers.append(f"{number}{_initials(label.title, bool(setting))} {short}".strip())
        rows = []
        for place, one in enumerate(self._scores):
            if not one.tally.n:
                continue
            line = _cell_shares(one, cells)
            rows.append(Row([one.run.label, *line], ("failures", one.run.letter)))
            overlaid = _cell_shares(self._overlaid[place], cells) if self._overlaid else line
            if overlaid != line:
                rows.append(Row([OVERLAID_ROW, *overlaid]))
        align = "l".ljust(len(headers), "r")
        yield Paragraph(Text(""))
        yield from self._table(headers, rows, align, widest=(30,))

    def _legend(self, averaged: bool) -> str:
        """What the heads of the tables mean."""
        release = self._workspace.release
        parts = ["n: records with a verdict", "answered: accuracy over those with a usable answer"]
        if self._workspace.overlay is not None:
            parts.append("overlaid: without records whose published answer is wrong")
        if averaged:
            named = [label.title for label in release.tasks if label.in_average]
            parts.append(f"avg: mean over {', '.join(named)}; gap: explicit − implicit")
        if release.settings and any(one.tally.n for one in self._scores or ()):
            named = [f"{_initials(one.title, True)} {one.title}" for one in release.tasks]
            parts.append(", ".join(named))
        return "; ".join(parts)

    def _table(
        self,
        headers: Sequence[str],
        rows: Sequence[Row],
        align: str,
        widest: Sequence[int] = (),
        repeat: int = 1,
    ) -> Iterator[Block]:
        width = self._width
        yield from table(
            headers,
            rows,
            self._palette,
            align=align,
            widest=widest,
            width=width,
            repeat=repeat,
        )

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

    # The release

    def _task_blocks(self) -> Iterator[Block]:
        release = self._workspace.release
        counts = Counter((q.task, q.setting) for q in release.questions.values())
        yield from self._heading("Questions", "{page.open} lists them")
        headers = ["task", *(release.settings or ("questions",)), "all", "published"]
        rows = []
        known = [label.task for label in release.tasks]
        tasks = [*known, *sorted({q.task for q in release.questions.values()} - set(known))]
        for task in tasks:
            label = release.task_label(task)
            total = sum(count for (of, _), count in counts.items() if of == task)
            settings = release.settings or ("",)
            cells = [f"{label.number} {label.title}".strip()]
            cells += [f"{counts[task, setting]:,}" for setting in settings]
            cells += [f"{total:,}", f"{label.expected:,}" if label.expected else "–"]
            rows.append(Row(cells, ("task", task)))
        align = "l".ljust(len(headers), "r")
        yield from self._table(headers, rows, align)

    def _history_blocks(self) -> Iterator[Block]:
        release = self._workspace.release
        yield from self._heading(
            f"Histories {len(release.histories)}", "{page.open} opens the dialogue"
        )
        rows = [
            Row(
                [
                    shorten(one_line(history.id), _HISTORY_CELLS, middle=True),
                    "" if history.name == history.id else history.name,
                    counted(len(history.sessions), "session"),
                    counted(len(history.rounds), "round"),
                    counted(len(release.questions_by_history[history.id]), "question"),
                ],
                ("history", history.id),
            )
            for history in release.histories.values()
        ]
        yield from self._table([""] * 5, rows, "llrrr", widest=(_HISTORY_CELLS, 30))
        yield from self._truth_blocks()

    def _truth_blocks(self) -> Iterator[Block]:
        """The histories whose state is known at each round; nothing where there is none."""
        truths = self._workspace.release.evaluator.truths
        if not truths:
            return
        note = "{page.open} opens the state at the end; {app.ledger} at the round in focus"
        yield from self._heading(f"Truths {len(truths)}", note)
        for history_id, truth in truths.items():
            mark = MARKS["evaluator"].label(self._palette, word=one_line(history_id))
            schema, records = truth.trajectory.schema, truth.trajectory.records
            said = (
                counted(len(records), "transition"),
                counted(len(truth.artifacts), "artifact"),
                counted(len(schema.fields), "field"),
            )
            mark.append(f"  {' · '.join(said)}", style("dim", self._palette))
            yield Paragraph(mark, target=("ledger", history_id))


def _joins_whole(run: JoinedRun) -> bool:
    return not run.join.unjoined and not run.join.without_record


def _average_cells(one: "RunScore", settings: Sequence[str]) -> list[str]:
    """The benchmark's own average in each setting, and the gap between them."""
    cells = [
        _percent(figure.value if figure else None, "–")
        for figure in (one.averages.memory.get(name) for name in settings)
    ]
    if settings:
        gap = one.averages.gap
        cells.append(signed(100 * gap.value) if gap and gap.value is not None else "–")
    return cells


def _cell_shares(one: "RunScore", cells: Sequence[tuple[str, str]]) -> list[str]:
    """Accuracy in each of some tasks × settings."""
    shares = {(cell.task, cell.setting): cell.tally.accuracy.value for cell in one.cells}
    return [_percent(shares.get(cell), "–") for cell in cells]


def _percent(value: float | None, absent: str) -> str:
    return absent if value is None else f"{100 * value:.1f}"


def _initials(title: str, short: bool) -> str:
    """A task's name in a table head: its initials where it shares the head with a setting."""
    return "".join(word[0].upper() for word in title.split()) if short else title
