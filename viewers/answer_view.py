"""A question as it is put to a person, clues that can be unfolded, and how it went."""

from collections.abc import Collection, Iterator, Sequence

from rich.text import Text

from mnemoscope.analyses.answer_summary import AnswerSummary
from mnemoscope.analyses.figure import Figure, Tally
from mnemoscope.core.answers.sheet import Asked, Passage, history_label
from mnemoscope.core.model import AttachmentState, Option, Release
from mnemoscope.core.text import clean, counted, one_line
from mnemoscope.viewers.cells import pad
from mnemoscope.viewers.dialogue import DialogueLook, attachment_blocks, highlighted, round_blocks
from mnemoscope.viewers.page_blocks import Block, Paragraph, PictureCell, PictureRow
from mnemoscope.viewers.styles import MARKS, Palette, style, styled
from mnemoscope.viewers.tables import Row, table

__all__ = ["CHOICE", "asked_blocks", "passage_blocks", "summary_blocks"]

CHOICE = "choose"
"""The first word of a target that gives an answer when it is opened."""
_NAME = 13


def asked_blocks(asked: Asked, answer: str, look: DialogueLook) -> Iterator[Block]:
    """The question with its options, or with the answer that was typed.

    Opening the target ``(CHOICE, label)`` chooses an option, ``(CHOICE, "")`` asks for a text.

    Args:
        asked: The question.
        answer: What has been answered; empty for nothing yet.
        look: How it is drawn.
    """
    palette = look.palette
    yield Paragraph(styled(clean(asked.stem), style("heading", palette)))
    if asked.asked_at:
        text = f"asked {asked.asked_at:%Y-%m-%d %H:%M}".removesuffix(" 00:00")
        yield Paragraph(styled(text, style("dim", palette)))
    for attachment in asked.attachments:
        yield from attachment_blocks(attachment, look)
    yield Paragraph(Text(""))
    if not asked.options:
        line = styled(MARKS["set"].glyph if answer else "…", style("focus", palette)).append("  ")
        said = highlighted(answer, look) if answer else styled("no answer", style("dim", palette))
        yield Paragraph(line.append_text(said), target=(CHOICE, ""))
        return
    if look.picture_rows and any(option.attachment for option in asked.options):
        cells = tuple(_cell(one, one.label == answer, look) for one in asked.options)
        yield PictureRow(cells, look.picture_rows)
        return
    for option in asked.options:
        line = _label(option, option.label == answer, palette)
        text = option.text or ("picture" if option.attachment else "no text")
        shown = highlighted(one_line(text), look)
        line.append("  ").append_text(
            shown if option.text else styled(text, style("rest", palette))
        )
        yield Paragraph(line, target=(CHOICE, option.label))


def _label(option: Option, chosen: bool, palette: Palette) -> Text:
    sign = MARKS["set"].glyph if chosen else " "
    line = styled(f"{sign} {one_line(option.label)}", style("focus", palette))
    return line.append(" chosen", style("focus", palette)) if chosen else line


def _cell(option: Option, chosen: bool, look: DialogueLook) -> PictureCell:
    target, label = (CHOICE, option.label), _label(option, chosen, look.palette)
    image, text = option.attachment, highlighted(one_line(option.text), look)
    if image is None:
        note = styled("no picture", style("rest", look.palette))
        return PictureCell(label, text, note=note, target=target)
    if image.state is AttachmentState.PRESENT:
        return PictureCell(label, text, image.file, target=target)
    note = MARKS["missing"].label(look.palette, word=f"image {image.state.value}")
    return PictureCell(label, text, note=note, target=target)


def passage_blocks(
    passages: Sequence[Passage], unfolded: Collection[int], look: DialogueLook
) -> Iterator[Block]:
    """What the clues name, folded until it is opened: the target of each is ``("clue", index)``."""
    palette = look.palette
    if not passages:
        text = "No evidence is given for this question."
        yield Paragraph(styled(text, style("dim", palette)))
    for index, passage in enumerate(passages):
        is_open = index in unfolded
        line = styled("▾ " if is_open else "▸ ", style("focus", palette))
        line.append(one_line(passage.title), style("heading", palette))
        target = ("clue", index)
        yield Paragraph(line, target=target)
        if is_open:
            for one in passage.rounds:
                yield from round_blocks(one, look, target=target)


def summary_blocks(
    summary: AnswerSummary, release: Release, palette: Palette, *, width: int = 0
) -> Iterator[Block]:
    """Coverage and time, and accuracy by task and setting where it is to be seen."""
    state = "finished" if summary.finished else "going on"
    head = styled(f"{summary.answered:,} of {summary.total:,} answered", style("heading", palette))
    yield Paragraph(head.append(f" · {state}", style("dim", palette)))
    rows = [
        ("person", summary.participant),
        ("view", f"{summary.view.label}: {summary.view.about}"),
        ("about", _names(summary, release)),
        ("median time", _time(summary.median_seconds)),
        ("mean time", _time(summary.mean_seconds)),
        ("altogether", _clock(summary.seconds)),
    ]
    for name, value in rows:
        line = styled(pad(name, _NAME), style("dim", palette))
        yield Paragraph(line.append(one_line(value)))
    score = summary.score
    if score is None:
        text = "Accuracy is shown when the questions are finished."
        yield Paragraph(Text(""))
        yield Paragraph(styled(text, style("dim", palette)))
        return
    yield Paragraph(Text(""))
    if not score.accuracy.measured:
        text = "No answer is judged: typed answers are right or wrong once somebody judges them."
        yield Paragraph(styled(text, style("dim", palette)))
        return
    lines = [_row("all", "", score.tally)]
    lines += [
        _row(release.task_label(cell.task).title, cell.setting, cell.tally)
        for cell in score.cells
        if cell.tally.n
    ]
    headers = ["task", "setting", "n", "right", "accuracy"]
    yield from table(headers, lines, palette, align="llrrr", widest=(28,), width=width, least=12)
    if summary.answered < summary.total:
        missing = counted(summary.total - summary.answered, "question")
        text = f"{missing} without an answer: counted as wrong, as in the benchmark."
        yield Paragraph(styled(text, style("dim", palette)))


def _names(summary: AnswerSummary, release: Release) -> str:
    if len(summary.histories) > 3:
        return counted(len(summary.histories), "history", "histories")
    return ", ".join(history_label(release, id) for id in summary.histories)


def _row(name: str, setting: str, tally: Tally) -> Row:
    share = tally.accuracy.value
    accuracy = "–" if share is None else f"{100 * share:.1f} %"
    return Row([name, setting, f"{tally.accuracy.n:,}", f"{tally.correct:,}", accuracy])


def _time(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    return f"{_clock(figure.value)} a question (n {figure.n:,})"


def _clock(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"
