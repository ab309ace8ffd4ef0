"""The runs in the overview: accuracy, by task and setting, and as overlays have it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.screens.overview_part import OverviewPart
from mnemoscope.viewers.comparison_view import OVERLAID_ROW, signed
from mnemoscope.viewers.overlay_view import overlay_blocks, taken_out_note
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, style, styled
from mnemoscope.viewers.tables import Row

if TYPE_CHECKING:
    from mnemoscope.analyses.accuracy import RunScore

__all__ = ["OverviewRuns"]

_SHORT_SETTING = {"explicit": "exp", "implicit": "imp"}


class OverviewRuns(OverviewPart):
    """The runs and how well they answer."""

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

    def _overlay_blocks(self) -> Iterator[Block]:
        overlay = self._workspace.overlay
        if overlay is None:
            return
        yield from self._heading("Overlay", "{page.open} lists the questions that it corrects")
        yield from overlay_blocks(overlay, self._palette, width=self._width)
        if self._workspace.runs:
            note = taken_out_note(self._workspace, self._workspace.runs)
            yield Paragraph(styled(note, style("dim", self._palette)))


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
