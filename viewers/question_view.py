"""A question as blocks of a page: head, stem, options, clues, and what a run made of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import time

from rich.text import Text

from mnemoscope.core.model import (
    AttachmentState,
    Clue,
    ClueProblem,
    ClueTarget,
    Option,
    Question,
    Retrieval,
    RetrievalState,
    Session,
)
from mnemoscope.core.outcomes import reached_note
from mnemoscope.core.scoring.clue_hits import ClueComparison, ItemHit
from mnemoscope.core.scoring.retrieval_hits import Grain, HitState
from mnemoscope.core.tags.verdicts import PersonalVerdict
from mnemoscope.core.text import clean, one_line
from mnemoscope.core.workspace import Entry, JoinedRun
from mnemoscope.viewers.dialogue import DialogueLook, attachment_blocks, highlighted
from mnemoscope.viewers.gallery import gallery_blocks, has_pictures
from mnemoscope.viewers.matches import excerpt, marked
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["RunView", "clue_blocks", "question_blocks", "retrieval_note", "run_blocks"]

_SHOWN_FIGURES = 5
_SHOWN_ITEMS = 50
_ITEM_TEXT = 300
_LONGEST_ANSWER = 8_000


@dataclass(frozen=True, slots=True)
class RunView:
    """What is shown of one run on one question."""

    run: JoinedRun
    entry: Entry | None
    comparison: ClueComparison | None
    texts: Sequence[str] = ()
    """The text of each retrieved item: as stored, else of the rounds it names."""
    grain_note: str = ""
    """Why it is compared at a coarser grain than its own."""
    blind: bool = False
    """Whether nothing may be said about how it compares with the gold."""
    people: Sequence[PersonalVerdict] = ()
    """What people say of the answer."""


def question_blocks(
    question: Question, look: DialogueLook, task_title: str, *, blind: bool = False
) -> Iterator[Block]:
    """Head, stem, options and gold; with ``blind`` no word on the gold."""
    palette = look.palette
    parts = [task_title, question.setting, question.form]
    if question.category.replace("-", "_") != question.task:
        parts.append(question.category)
    parts += question.labels.values()
    if question.asked_at:
        # Some releases keep the day only, and midnight says so.
        clock = " %H:%M" if question.asked_at.time() != time.min else ""
        parts.append(f"asked {question.asked_at:%Y-%m-%d{clock}}")
    if question.visible_until:
        parts.append(f"sees up to {question.visible_until}")
    seen = " · ".join(dict.fromkeys(filter(None, map(one_line, parts))))
    head = styled(f"{seen}  ", style("dim", palette))
    if question.options and not blind:
        word = f"gold {one_line(str(question.gold))}"
        head.append_text(MARKS["gold"].label(palette, word=word))
    if head.plain.strip():
        yield Paragraph(head)
    stem = styled(clean(question.stem), style("heading", palette))
    yield Paragraph(marked(stem, look.words, palette))
    for attachment in question.attachments:
        yield from attachment_blocks(attachment, look)
    if has_pictures(question.options) and look.picture_rows:
        yield from gallery_blocks(question.options, question.gold.option, look)
    else:
        for option in question.options:
            yield from _option_blocks(option, option.label == question.gold.option, look)
    if not question.options and not blind:
        line = MARKS["gold"].label(palette)
        gold = styled(clean(str(question.gold)), style("text", palette))
        line.append("  ").append_text(marked(gold, look.words, palette))
        yield Paragraph(line)
    if not question.answerable:
        text = "the right behaviour is to decline: the history does not say"
        if question.has_false_premise:
            text = "what the question takes for granted is not so: saying so or declining is right"
        yield Paragraph(styled(text, style("dim", palette)))


def _option_blocks(option: Option, gold: bool, look: DialogueLook) -> Iterator[Block]:
    palette = look.palette
    sign = MARKS["gold"].glyph if gold else " "
    line = styled(f"{sign} {one_line(option.label)}  ", style("gold" if gold else "focus", palette))
    text = option.describe(look.textualisation.image)
    if text:
        shown = excerpt(one_line(text), look.option_cells, look.words)
        line.append_text(marked(Text(shown), look.words, palette))
    else:
        line.append("no text", style("rest", palette))
    image = option.attachment
    if image is not None and image.state is not AttachmentState.PRESENT:
        why = MARKS["missing"].label(palette, word=f"image {image.state.value}")
        line.append("  ").append_text(why)
    yield Paragraph(line)


def clue_blocks(
    question: Question,
    views: Sequence[RunView],
    texts: Sequence[str],
    sessions: Sequence[Session | None],
    look: DialogueLook,
    *,
    title: str = "Clues",
) -> Iterator[Block]:
    """Every clue: whether A and B brought it back, where it leads, what it says.

    Args:
        question: The question.
        views: What A and B made of it.
        texts: The text of each clue.
        sessions: The session that each clue leads to.
        look: How it is drawn.
        title: What the clues are called.
    """
    palette = look.palette
    count = len(question.clues)
    yield Paragraph(styled(f"{title}  {count} gold", style("heading", palette)))
    if not count:
        yield Paragraph(styled("the release names no gold evidence", style("dim", palette)))
    clues = zip(question.clues, texts, sessions, strict=True)
    for index, (clue, text, session) in enumerate(clues):
        line = Text()
        for view in views:
            line.append_text(_clue_mark(view, index, palette)).append("  ")
        line.append(one_line(clue.written))
        if clue.round_id and clue.round_id != clue.written:
            line.append(f" → {one_line(clue.round_id)}", style("dim", palette))
        if session is not None and session.date_text:
            line.append(f"  {one_line(session.date_text)}", style("dim", palette))
        if session is not None and question.before(session):
            line.append("  after the question", style("focus", palette))
        if clue.problem is not ClueProblem.NONE:
            word = clue.problem.value.replace("_", " ")
            name = "missing" if clue.problem is ClueProblem.FILE_MISSING else "unresolved"
            line.append("  ").append_text(MARKS[name].label(palette, word=word))
        target = _clue_target(clue)
        yield Paragraph(line, target=target)
        if text:
            yield Paragraph(_short(text, look), indent=3, target=target)
        elif clue.resolved and clue.target in (ClueTarget.IMAGE, ClueTarget.AUDIO):
            said = MARKS[clue.target.value].label(palette)
            said.append("  no caption in this variant", style("rest", palette))
            yield Paragraph(said, indent=3, target=target)


def _clue_target(clue: Clue) -> tuple[str, str] | None:
    if clue.round_id:
        return ("round", clue.round_id)
    return ("session", clue.session_id) if clue.session_id else None


def _clue_mark(view: RunView, index: int, palette: Palette) -> Text:
    letter = view.run.letter
    comparison = view.comparison
    line = styled(f"{letter} ", style("dim", palette))
    if comparison is None or comparison.state is not HitState.MEASURED:
        whole = comparison is not None and comparison.state is HitState.WHOLE_HISTORY
        return line.append("all sent" if whole else "–", style("dim", palette))
    hit = comparison.clues[index]
    if hit.hit:
        return line.append_text(MARKS["hit"].label(palette, word=f"hit #{hit.rank}"))
    word = "missed" if hit.rank is None else f"missed, #{hit.rank} not sent"
    return line.append_text(MARKS["missed"].label(palette, word=word))


def run_blocks(view: RunView, look: DialogueLook) -> Iterator[Block]:
    """What one run made of the question: answer, verdicts, and what it brought back."""
    palette = look.palette
    yield Paragraph(_run_title(view, palette))
    entry = view.entry
    if entry is None:
        text = "This run has no record of the question; it counts in no figure."
        yield Paragraph(styled(text, style("dim", palette)))
        return
    record = entry.record
    if record.answer:
        answer = highlighted(record.answer[:_LONGEST_ANSWER], look)
        yield Paragraph(styled("answer  ", style("dim", palette)).append_text(answer))
    if reached_note(record):
        yield Paragraph(styled(f"reached: {reached_note(record)}", style("dim", palette)))
    if entry.judgement.reason:
        why = styled(f"{view.run.rule}  ", style("dim", palette))
        yield Paragraph(why.append(one_line(entry.judgement.reason)))
    if record.detail:
        yield Paragraph(styled(one_line(record.detail), style("error", palette)))
    if record.reasoning:
        reasoning = highlighted(record.reasoning[:_LONGEST_ANSWER], look)
        yield Paragraph(styled("reasoning  ", style("dim", palette)).append_text(reasoning))
    if record.cited:
        cited = one_line(", ".join(record.cited))
        yield Paragraph(styled("relies on  ", style("dim", palette)).append(cited))
    for verdict in record.verdicts:
        said = f"{verdict.judge} {verdict.stage}".strip()
        line = styled(f"{one_line(said)}  ", style("dim", palette))
        line.append(verdict.value.replace("_", " "))
        if verdict.reason:
            line.append(f"  {one_line(verdict.reason)}", style("dim", palette))
        yield Paragraph(line)
    for one in view.people:
        yield Paragraph(_of_person(one, palette))
    if record.metrics:
        shown = [f"{one.name} {one.value:.3g}" for one in record.metrics[:_SHOWN_FIGURES]]
        more = [f"… {len(record.metrics) - _SHOWN_FIGURES} more"]
        said = " · ".join(shown + (more if len(record.metrics) > _SHOWN_FIGURES else []))
        figures = styled("stored figures  ", style("dim", palette))
        yield Paragraph(figures.append(one_line(said)))
    if entry.judgement.stored_right_on_failure:
        text = "The run file calls this failed record right; it does not count."
        yield Paragraph(styled(text, style("error", palette)))
    yield Paragraph(Text(""))
    yield from _retrieved_blocks(view, look)


def _of_person(said: PersonalVerdict, palette: Palette) -> Text:
    line = styled(f"{one_line(said.annotator)}, a person  ", style("dim", palette))
    line.append_text(MARKS[said.value.value].label(palette))
    if said.outdated:
        line.append("  of an answer that was replaced since", style("error", palette))
    if said.reason:
        line.append(f"  {one_line(said.reason)}", style("dim", palette))
    return line


def _run_title(view: RunView, palette: Palette) -> Text:
    title = styled(f"{one_line(view.run.label)}  ", style("heading", palette))
    title.append_text(outcome_label(view.entry, palette, answer=True))
    entry, comparison = view.entry, view.comparison
    if entry is not None:
        tokens = entry.record.usage.get("context_tokens")
        if comparison is not None and comparison.k is not None:
            title.append(f"  k {comparison.k}", style("dim", palette))
        if tokens:
            title.append(f" · {tokens:,.0f} tok", style("dim", palette))
        judgement = entry.judgement
        if judgement.parsed and judgement.parse not in ("", "leading"):
            how = f"  read as {one_line(judgement.parsed)}, {judgement.parse}"
            title.append(how, style("dim", palette))
        title.append(f"  by {one_line(view.run.decided_by)}", style("dim", palette))
    return title


def _retrieved_blocks(view: RunView, look: DialogueLook) -> Iterator[Block]:
    palette = look.palette
    comparison = view.comparison
    assert view.entry is not None
    retrieval = view.entry.record.retrieval
    if comparison is None or not comparison.items:
        said = retrieval_note(retrieval, None)
        yield Paragraph(styled(said, style("dim", palette)))
        return
    if view.blind:
        yield Paragraph(styled("retrieved", style("heading", palette)))
    else:
        yield Paragraph(_retrieved_title(comparison, palette))
    grain_note = view.grain_note if comparison.recall is not None else ""
    for note in filter(None, (grain_note, comparison.note)):
        yield Paragraph(styled(one_line(note), style("dim", palette)))
    texts = [*view.texts, *[""] * len(comparison.items)]
    for hit, text in zip(comparison.items[:_SHOWN_ITEMS], texts, strict=False):
        yield from _item_blocks(hit, text, comparison, look)
    if len(comparison.items) > _SHOWN_ITEMS:
        rest = len(comparison.items) - _SHOWN_ITEMS
        yield Paragraph(styled(f"… {rest} more items", style("rest", palette)))


def retrieval_note(retrieval: Retrieval, k: int | None) -> str:
    """How much was sent to the backbone, in words."""
    match retrieval.state:
        case RetrievalState.WHOLE_HISTORY:
            return "whole history sent, no retrieval"
        case RetrievalState.NOT_STORED:
            return "what was retrieved is not stored"
        case RetrievalState.TEXT:
            return f"k {k or 0}, without source ids"
    return f"k {k}" if retrieval.items else "nothing retrieved"


def _retrieved_title(comparison: ClueComparison, palette: Palette) -> Text:
    title = styled("retrieved", style("heading", palette))
    if comparison.recall is not None:
        counts = comparison.counts
        found = f"  {counts.found} of {counts.gold} clue {comparison.grain.value}s"
        return title.append(found, style("dim", palette))
    return title.append(f"  {comparison.state.value}", style("dim", palette))


def _item_blocks(
    hit: ItemHit, text: str, comparison: ClueComparison, look: DialogueLook
) -> Iterator[Block]:
    item, palette = hit.item, look.palette
    line = styled(f"{item.rank:>2} ", style("dim", palette))
    measured = comparison.state is HitState.MEASURED
    if measured:
        mark = MARKS["clue"] if hit.clue else MARKS["extra"]
        line.append_text(mark.label(palette, word="clue" if hit.clue else "extra")).append(" ")
    names = [f"{one_line(unit)}" for unit in hit.units]
    kinds = {source.kind for source in item.sources if source.kind is not None}
    line.append(" ".join(names))
    for kind in sorted(kinds):
        line.append(f" {MARKS[kind].glyph}", style("dim", palette))
    if item.score is not None:
        line.append(f"  {item.score:.3g}", style("dim", palette))
    if not hit.used:
        line.append("  not sent", style("dim", palette))
    if hit.lost:
        line.append("  leads nowhere", style("missing", palette))
    letters = "".join(dict.fromkeys(part.option for part in item.parts))
    if letters:
        line.append(f"  by {one_line(letters)}", style("dim", palette))
    target = None
    if hit.units:
        kind_of = "round" if comparison.grain is Grain.ROUND else "session"
        target = (kind_of, hit.units[0])
    yield Paragraph(line, target=target)
    shown = _short(item.text or text, look)
    if shown:
        yield Paragraph(shown, indent=3, target=target)


def _short(text: str, look: DialogueLook) -> Text:
    """As much of a clue's or an item's text as is shown, with what is searched for marked."""
    shown = excerpt(one_line(text), _ITEM_TEXT, look.words)
    return marked(styled(shown, style("dim", look.palette)), look.words, look.palette)
