"""What is known about one round: who cites it, who retrieved it, its attachments in full."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from mnemoscope.core.model import Attachment, AttachmentState, Kind, Question, Round
from mnemoscope.core.text import clean, one_line
from mnemoscope.core.workspace import Entry, JoinedRun
from mnemoscope.viewers.dialogue import DialogueLook, clue_label, highlighted
from mnemoscope.viewers.memory_view import HeldFacts, held_blocks
from mnemoscope.viewers.outcomes import outcome_mark
from mnemoscope.viewers.page_blocks import Block, Paragraph, Picture
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["RoundFacts", "evaluator_blocks", "inspector_blocks"]


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """What an inspector shows about a round."""

    round: Round
    questions: Sequence[tuple[Question, Sequence[tuple[JoinedRun, Entry | None]]]] = ()
    """Questions with a clue that leads here, and what A and B have of each."""
    session_questions: Sequence[tuple[Question, Sequence[tuple[JoinedRun, Entry | None]]]] = ()
    """Questions with a clue to the whole session."""
    retrieved: Sequence[tuple[str, tuple[int, int] | str | None]] = ()
    """By run label: for how many questions it retrieved the round, and the best rank; None for a
    run that does not store which rounds it retrieved, words where there is more to say."""
    memories: Sequence[HeldFacts] = ()
    """What the memories of A and B held after the round."""
    opened: Collection[str] = ()
    """Letters of the runs whose memory is listed in full."""
    variants: Mapping[Kind, Sequence[str]] = field(default_factory=dict)
    """Caption variants of the release."""
    notes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Evaluator-only data, as JSON, by what it is about: the round, its session."""
    show_evaluator: bool = False


def inspector_blocks(facts: RoundFacts, look: DialogueLook) -> Iterator[Block]:
    """The blocks of an inspector; questions have the target ``("question", key)``.

    The line of a run's memory has the target ``("memory", letter)``.
    """
    palette = look.palette
    yield Paragraph(styled(f"Round {one_line(facts.round.id)}", style("heading", palette)))
    yield from _question_blocks(facts, palette)
    yield from _retrieved_blocks(facts, palette)
    yield from held_blocks(facts.memories, facts.opened, palette)
    for attachment in facts.round.attachments:
        yield Paragraph(Text(""))
        yield from _attachment_blocks(attachment, facts, look)
    if facts.show_evaluator:
        for what, note in facts.notes.items():
            yield Paragraph(Text(""))
            yield from evaluator_blocks(what, note, palette)


def _question_blocks(facts: RoundFacts, palette: Palette) -> Iterator[Block]:
    groups = [(facts.questions, ""), (facts.session_questions, ", with the whole session")]
    if not any(questions for questions, _ in groups):
        yield Paragraph(styled("no question has a clue here", style("dim", palette)))
    for questions, how in groups:
        if questions:
            label = clue_label(len(questions), palette)
            yield Paragraph(label.append(how, style("dim", palette)))
        for question, entries in questions:
            line = Text()
            for run, entry in entries:
                mark = outcome_mark(entry)
                line.append(f"{run.letter}{mark.glyph} ", style=getattr(palette, mark.colour))
            line.append(one_line(question.stem))
            yield Paragraph(line, indent=1, target=("question", question.key))


def _retrieved_blocks(facts: RoundFacts, palette: Palette) -> Iterator[Block]:
    if not facts.retrieved:
        return
    yield Paragraph(styled("retrieved", style("dim", palette)))
    for label, times in facts.retrieved:
        if isinstance(times, tuple):
            said = f"{times[0]}× best #{times[1]}" if times[0] else "never"
        else:
            said = times or "not stored"
        line = Text(f"{one_line(label)}  ").append(said, style("dim", palette))
        yield Paragraph(line, indent=1)


def _attachment_blocks(
    attachment: Attachment, facts: RoundFacts, look: DialogueLook
) -> Iterator[Block]:
    palette = look.palette
    mark = MARKS[attachment.kind]
    title = styled(f"{mark.glyph} {mark.word} {one_line(attachment.id)}", style("heading", palette))
    if attachment.state is not AttachmentState.PRESENT:
        title.append("  ").append_text(MARKS["missing"].label(palette, word=attachment.state.value))
    yield Paragraph(title)
    if attachment.state is not AttachmentState.PRESENT and attachment.note:
        yield Paragraph(styled(one_line(attachment.note), style("dim", palette)))
    elif attachment.kind is Kind.IMAGE and look.picture_rows:
        yield Picture(attachment.file, look.picture_columns, look.picture_rows)
    if attachment.written:
        yield Paragraph(styled(one_line(attachment.written), style("dim", palette)))
    shown = look.textualisation.of(attachment.kind)
    for variant in facts.variants.get(attachment.kind, ()):
        caption = attachment.caption(variant)
        name = styled(variant, style("focus" if variant == shown else "dim", palette))
        if caption:
            yield Paragraph(name)
            yield Paragraph(highlighted(caption, look), indent=1)
        else:
            said = "no caption" if caption is None else "empty caption"
            yield Paragraph(name.append(f"  {said}", style("rest", palette)))


def evaluator_blocks(what: str, note: Mapping[str, Any], palette: Palette) -> Iterator[Block]:
    """Evaluator-only data, one entry a paragraph, marked as such."""
    mark = MARKS["evaluator"]
    if not note:
        text = f"{mark.glyph} nothing evaluator-only about this {what}"
        yield Paragraph(styled(text, style("evaluator", palette)))
        return
    text = f"{mark.glyph} {what}: evaluator-only, never shown to a system"
    yield Paragraph(styled(text, style("evaluator", palette)))
    for name, value in note.items():
        if value in (None, "", [], {}):
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        line = styled(f"{one_line(name)}  ", style("dim", palette))
        line.append(clean(text), style("evaluator", palette))
        yield Paragraph(line, indent=1)
