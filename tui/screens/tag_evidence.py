"""What an annotator looks at: a question, its evidence, and what was answered; blind or not."""

from collections.abc import Iterator
from dataclasses import replace

from rich.text import Text

from mnemoscope.core.text import one_line
from mnemoscope.tui.blinded import blinded_entry, blinded_question, blinded_run
from mnemoscope.tui.screens.evidence import QuestionEvidence
from mnemoscope.tui.tagging import Item, Tagging
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.question_view import RunView, question_blocks, run_blocks
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.tag_view import statement_blocks

__all__ = ["TagEvidence"]

_OTHER_ANSWER = 160


class TagEvidence(QuestionEvidence):
    """A question screen that can hide what an annotator is not to know."""

    @property
    def tagging(self) -> Tagging | None:
        """The annotator at work."""
        return self.desk_app.tagging

    @property
    def item(self) -> Item | None:
        """What is being tagged."""
        question, tagging = self.question, self.tagging
        return tagging.item(question.key) if tagging is not None and question is not None else None

    def draw_evidence(self, item: Item, *, keep: bool) -> None:
        tagging, look = self.tagging, self._look()
        assert tagging is not None
        question = item.question
        if tagging.hides:
            blocks = list(question_blocks(blinded_question(question), look, "", blind=True))
            note = self.sentence("gold and clues are hidden · {tag.reveal} reveals them")
            blocks.append(Paragraph(styled(note, style("dim", self.palette))))
        else:
            views = [] if item.run is None else [self._view(question, item.run, item.entry)]
            blocks = list(self._question(question, views))
        self.query_one("#question", Page).set_blocks(blocks, keep=keep)
        self.query_one("#run-a", Page).set_blocks(list(self._answers(item)), keep=keep)

    def _answers(self, item: Item) -> Iterator[Block]:
        tagging, look = self.tagging, self._look()
        assert tagging is not None
        if item.run is None:
            text = "No run is open: only what is about the question itself can be tagged."
            yield Paragraph(styled(text, style("dim", self.palette)))
            return
        view = self._view(item.question, item.run, item.entry)
        if not tagging.show_others:
            view = replace(view, people=())
        if tagging.hides and item.entry is not None:
            # What was retrieved stands there without saying which of it is a clue.
            entry = blinded_entry(item.entry)
            blind = self._view(blinded_question(item.question), item.run, entry)
            view = RunView(blinded_run(item.run), entry, blind.comparison, blind.texts, blind=True)
        yield from run_blocks(view, look)
        if not tagging.hides:
            yield from self._other_answers(item)

    def _other_answers(self, item: Item) -> Iterator[Block]:
        others = [run for run in self.desk.workspace.runs if run is not item.run]
        if not others:
            return
        yield Paragraph(Text(""))
        yield Paragraph(styled(f"other runs  {len(others)}", style("heading", self.palette)))
        for run in others:
            entry = run.entry(item.question.key)
            line = styled(f"{run.letter} {one_line(run.name)}  ", style("dim", self.palette))
            line.append_text(outcome_label(entry, self.palette, answer=True))
            if entry is not None:
                # A letter stands with the outcome; what else was answered says something itself.
                said = entry.record.reasoning if entry.judgement.parsed else entry.record.answer
                line.append(f"  {shorten(one_line(said), _OTHER_ANSWER)}".rstrip())
            yield Paragraph(line)

    def others_of(self, item: Item) -> Iterator[Block]:
        tagging = self.tagging
        assert tagging is not None
        found = []
        for one in tagging.tags.about(item.question.key):
            mine = one.annotator == tagging.annotator
            about = tagging.tags.run_name(one.target) in ("", item.run.name if item.run else "")
            if not mine and about:
                titles = (
                    tagging.tags.catalogue.title(tag.taxonomy, tag.slug) for tag in one.marks.tags
                )
                found.append((one.annotator, ", ".join(titles), one.marks))
        if found:
            yield from statement_blocks(found, self.palette)
        else:
            yield Paragraph(styled("nobody else has said anything", style("dim", self.palette)))

    def action_context(self) -> None:
        tagging = self.tagging
        if tagging is not None and tagging.hides:
            self.notify(self.sentence("Blind mode hides the context: {tag.reveal} reveals all."))
        else:
            super().action_context()
