"""The release in the overview: its captions, questions by task, histories and truths."""

from collections import Counter
from collections.abc import Iterator

from mnemoscope.core.text import counted, one_line
from mnemoscope.tui.screens.overview_part import OverviewPart
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, style, styled
from mnemoscope.viewers.tables import Row

__all__ = ["OverviewRelease"]

_HISTORY_CELLS = 24


class OverviewRelease(OverviewPart):
    """What the release holds."""

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
