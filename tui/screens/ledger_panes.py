"""What the panes of the ledger show beside its tables: timeline, round, cell, systems, header."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Attachment, Kind
from mnemoscope.core.state.component import Part
from mnemoscope.core.text import one_line
from mnemoscope.tui.screens.ledger_choices import LedgerChoices
from mnemoscope.viewers.cell_view import cell_line, divergence_line, event_blocks, system_blocks
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.dialogue import DialogueLook
from mnemoscope.viewers.ledger_view import RoundChange, mark_of, pair_blocks, round_blocks
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, style, styled
from mnemoscope.viewers.timeline_strip import TimelineStrip

__all__ = ["LedgerPanes"]

_NO_TRUTHS = (
    "This release has no truth files, so what is true at each round is not known. Native releases "
    "may hold truth/*.json: docs/formats.md says what is in one."
)
_NO_TRUTH = "There is no truth of this history. {ledger.choose} chooses another; with one are "
_LONGEST_ID, _SHORT_ID = 20, 8
_NAMED = 3


class LedgerPanes(LedgerChoices):
    """A ledger with all that is said about a round and a cell."""

    def why_empty(self) -> str:
        release, found = self.desk.workspace.release, self.desk.book(self.desk.history_id)
        if isinstance(found, InputError):
            return f"The truth of this history cannot be used: {found}"
        known = list(release.evaluator.truths)
        if not known:
            return _NO_TRUTHS
        if found is not None:
            return "This history has no rounds, so there is no round to show the state at."
        named = ", ".join(one_line(one) for one in known[:_NAMED])
        return self.sentence(_NO_TRUTH) + named + (" …" if len(known) > _NAMED else ".")

    def draw_strip(self) -> None:
        book = self.book
        shown = self.query_one(TimelineStrip)
        if book is None:
            shown.show({}, 0, 0)
            return
        if self._marks_of != (book.truth, book.history.id):
            self._marks_of = (book.truth, book.history.id)
            records = enumerate(book.truth.trajectory.records)
            self._marks = {book.scrubber.index_of(at): mark_of(one) for at, one in records}
        kept = self.shown.round_by_id.get(self.beside) if self.then is not None else None
        place = kept.index if kept is not None else None
        shown.show(self._marks, len(self.shown.rounds), self.index, place)

    _marks: Mapping[int, str] = {}
    _marks_of: tuple[object, ...] = ()

    def _look(self) -> DialogueLook:
        compact = not self.has_class("-triple")
        return DialogueLook(
            palette=self.palette,
            picture_columns=60 if compact else 40,
            picture_rows=(12 if compact else 10) * self.desk_app.draws_pictures,
            captions=False,
        )

    def artifact(self) -> Attachment | None:
        """The last upload of the context that is shown."""
        if self.grid is None:
            return None
        upload = self.grid.ledger.upload
        one = self.shown.round_by_id.get(upload.round)
        found = one.attachments if one is not None else ()
        images = (each for each in found if each.kind is Kind.IMAGE)
        return next((each for each in images if each.id == upload.artifact), None)

    def draw_round(self) -> None:
        page = self.query_one("#round", Page)
        book, grid = self.book, self.grid
        if book is None or grid is None:
            page.set_blocks([])
            return
        one = self.shown.round_by_id[grid.ledger.round]
        blocks: list[Block] = []
        if self.then is not None:
            pairs = [(where, then) for where, (then, _) in self.pairs.items()]
            # One value can move every rank: what follows comes last.
            pairs.sort(key=lambda pair: pair[0].part is Part.DEPENDENT)
            blocks += pair_blocks(self.then.ledger, grid, pairs, self.palette)
        facts = RoundChange(book, grid, one, self.artifact(), self._look())
        page.set_blocks([*blocks, *round_blocks(facts)])

    def draw_cell(self) -> None:
        book, grid, where = self.book, self.grid, self.where
        detail, page = self.query_one("#detail", Page), self.query_one("#cell", Page)
        if book is None or grid is None or where is None:
            detail.set_blocks([])
            page.set_blocks([])
            self.draw_systems()
            return
        detail.set_blocks([Paragraph(cell_line(grid, where, self.palette))])
        events = book.events(where, grid.ledger)
        beyond = book.scrubber.count_at(len(self.shown.rounds))
        numbers = book.chronicle.of(where)
        later = sum(grid.ledger.count <= one < beyond for one in numbers)
        blocks = [*self._held_here(), *event_blocks(grid, where, events, later, self.palette)]
        page.set_blocks(blocks)
        self.draw_systems()
        self.show_panes()

    def _held_here(self) -> Iterator[Block]:
        """What systems hold of the cell under the cursor."""
        grid, where = self.grid, self.where
        if grid is None or where is None or grid.is_elsewhere:
            return
        right = [one_line(one.label) for one in self.facts if one.held is not None]
        if right:
            word = f"as the truth: {', '.join(right)}"
            yield Paragraph(MARKS["right"].label(self.palette, word=word))
        for one in self.facts:
            for parted, why in one.here:
                line = styled(f"{one_line(one.label)}  ", style("heading", self.palette))
                said = divergence_line(parted, why, grid, self.palette, place=False)
                yield Paragraph(line.append_text(said))

    def draw_systems(self) -> None:
        if self.grid is not None:
            blocks = list(system_blocks(self.facts, self.grid, self.palette))
            self.query_one("#systems", Page).set_blocks(blocks)

    def draw_header(self) -> None:
        palette, release = self.palette, self.desk.workspace.release
        is_wide = self.has_class("-triple")
        # A generated release of one scenario has its name.
        names_release = is_wide and release.name != self.shown.id
        left = styled(f"{one_line(release.name)} · " * names_release, style("dim", palette))
        name = shorten(self.shown.id, _LONGEST_ID if is_wide else _SHORT_ID, middle=True)
        left.append(one_line(name), style("heading", palette))
        book, grid = self.book, self.grid
        right = [MARKS["evaluator"].word]
        if book is not None and grid is not None:
            at, count = self.index, len(self.shown.rounds)
            done = bisect_right(book.changing, at)
            left.append(f" · {one_line(grid.ledger.round)}", style("focus", palette))
            word = "round " if is_wide else ""
            left.append(
                f" {word}{at + 1:,} of {count:,} · change {done:,} of {len(book.changing):,}",
                style("dim", palette),
            )
            if self.then is not None:
                ends = self.sentence("{app.back} ends it")
                right.append(f"beside {one_line(self.beside)}, {ends}")
            if grid.is_elsewhere:
                right.append(f"context {one_line(grid.ledger.context)}, by itself")
            else:
                right.append(self.sheet_label)
        self.header(left, " · ".join(right))
