"""Why a row joins to no question, or a question has no row, as blocks of a page."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from mnemoscope.core.model import Question, Record
from mnemoscope.core.runs.join import UnjoinedReason
from mnemoscope.core.runs.unjoined import why_unjoined
from mnemoscope.core.text import clean, one_line
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui.screens.join_rows import REASONS, Lone
from mnemoscope.viewers.answer_diff import diff_blocks
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["join_blocks"]

_LONGEST = 600
_SHOWN = 12


def join_blocks(
    workspace: Workspace, run: JoinedRun, lone: Lone | None, palette: Palette
) -> Iterator[Block]:
    """What is known about a row or a question; questions have the target ``("question", key)``."""
    if lone is None:
        text = f"{run.join.matched:,} of {len(run.join.keys):,} rows of {one_line(run.label)} join."
        yield Paragraph(styled(text, style("dim", palette)))
    elif lone.unjoined is None:
        yield from _question_blocks(workspace, run, lone.key, palette)
    else:
        yield from _row_blocks(workspace, run, lone, palette)


def _fact(name: str, value: str, palette: Palette) -> Paragraph:
    line = styled(f"{name}  ", style("dim", palette))
    return Paragraph(line.append(shorten(one_line(value), _LONGEST)))


def _row_blocks(
    workspace: Workspace, run: JoinedRun, lone: Lone, palette: Palette
) -> Iterator[Block]:
    if lone.unjoined is None:
        return
    record = run.run.records[lone.unjoined.record]
    why = why_unjoined(workspace.release, run.run, run.join, lone.unjoined)
    yield Paragraph(MARKS["error"].label(palette, word=REASONS[lone.unjoined.reason]))
    yield Paragraph(Text(clean(why.sentence)))
    yield from _asked(record, palette)
    if why.compared:
        yield Paragraph(Text(""))
        yield from _compared(record, lone.unjoined.reason, why.compared, palette)
    yield Paragraph(Text(""))
    yield from _rest(record, palette)


def _compared(
    record: Record, reason: UnjoinedReason, compared: Sequence[Question], palette: Palette
) -> Iterator[Block]:
    """The questions that the row may have meant, and how the first one's text differs."""
    title = _COMPARED.get(reason, "most like it")
    yield Paragraph(styled(title, style("heading", palette)))
    for question in compared[:_SHOWN]:
        yield _link(question, palette)
    if len(compared) > _SHOWN:
        rest = f"… {len(compared) - _SHOWN:,} more"
        yield Paragraph(styled(rest, style("rest", palette)))
    if reason is not UnjoinedReason.AMBIGUOUS and record.ref.text:
        yield Paragraph(Text(""))
        labels = (styled("row", style("dim", palette)), styled("release", style("dim", palette)))
        texts = (record.ref.text, compared[0].stem)
        yield from diff_blocks("question", labels, texts, palette)


def _asked(record: Record, palette: Palette) -> Iterator[Block]:
    """What the row says about its question."""
    ref = record.ref
    named = " / ".join(filter(None, (ref.history, ref.form, ref.question)))
    for name, value in (("asks", ref.text), ("names", ref.key or named)):
        if value:
            yield _fact(name, value, palette)


def _rest(record: Record, palette: Palette) -> Iterator[Block]:
    """What else the row says, and where it stands."""
    yield _fact("row", f"{record.file}  {record.place}", palette)
    if record.answer:
        yield _fact("answers", record.answer, palette)
    if record.repeat:
        yield _fact("repeat", str(record.repeat), palette)


def _link(question: Question, palette: Palette) -> Paragraph:
    line = styled(f"{one_line(question.key)}  ", style("dim", palette))
    line.append(shorten(one_line(question.stem), _LONGEST))
    return Paragraph(line, target=("question", question.key))


def _question_blocks(
    workspace: Workspace, run: JoinedRun, key: str, palette: Palette
) -> Iterator[Block]:
    question = workspace.release.questions[key]
    yield Paragraph(MARKS["none"].label(palette, word="no record"))
    text = f"No row of {one_line(run.label)} joins to this question; it counts in no figure of it."
    yield Paragraph(Text(text))
    yield Paragraph(Text(""))
    yield _link(question, palette)
    title = workspace.release.task_label(question.task).title
    yield _fact("task", " · ".join(filter(None, (title, question.setting))), palette)
    others = [one.letter for one in workspace.runs if key in one.by_question]
    said = (
        f"{len(others)} of {len(workspace.runs)} runs: {' '.join(others)}" if others else "no run"
    )
    yield _fact("answered in", said, palette)


_COMPARED = {
    UnjoinedReason.TEXT_DIFFERS: "the question with this id",
    UnjoinedReason.AMBIGUOUS: "questions that fit",
    UnjoinedReason.REPEATED: "the question",
}
