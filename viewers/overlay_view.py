"""What overlays change, as blocks of a page: of one question, and of a release in counts."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from mnemoscope.core.overlays.applied import Correction, Overlaid
from mnemoscope.core.text import clean, counted, one_line
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled
from mnemoscope.viewers.tables import Row, table

__all__ = ["correction_blocks", "overlay_blocks", "taken_out_note"]

_LONGEST_REASON = 4_000


def correction_blocks(corrections: Sequence[Correction], palette: Palette) -> Iterator[Block]:
    """What overlays say of one question: error type, right answer, right evidence, and why."""
    for one in corrections:
        entry = one.entry
        head = MARKS["flag"].label(palette, word=f"overlay {one_line(entry.error_type)}")
        yield Paragraph(head.append(f"  {one_line(one.overlay.label)}", style("dim", palette)))
        word = "published answer wrong" if entry.answer_wrong else "published answer right"
        line = MARKS["wrong" if entry.answer_wrong else "right"].label(palette, word=word)
        if entry.answer is not None:
            line.append(
                "  corrected  " if entry.answer_wrong else "  worded  ", style("dim", palette)
            )
            line.append(one_line(" | ".join(entry.answer)))
        elif entry.answer_wrong:
            line.append("  no better one known", style("dim", palette))
        yield Paragraph(line, indent=2)
        if one.clues is not None:
            yield Paragraph(_evidence(one, palette), indent=2)
        if entry.reasoning:
            why = styled("why  ", style("dim", palette))
            yield Paragraph(why.append(clean(entry.reasoning[:_LONGEST_REASON])), indent=2)


def _evidence(one: Correction, palette: Palette) -> Text:
    line = styled("evidence  ", style("dim", palette))
    written = dict.fromkeys(clue.written for clue in one.clues or ())
    line.append(one_line(", ".join(written)) or "none")
    if not one.changes_evidence:
        line.append("  as published", style("dim", palette))
    return line


def taken_out_note(workspace: Workspace, runs: Sequence[JoinedRun]) -> str:
    """How many judged records of some runs overlaid means leave out, and why."""
    counts = zip(workspace.runs, workspace.overlaid_counts(), strict=True)
    letters = [run.letter for run in runs]
    out = {run.letter: of for run, of in counts if run.letter in letters}
    taken = ", ".join(f"{letter} {of.taken_out:,}" for letter, of in out.items() if of.taken_out)
    anew = ", ".join(f"{letter} {of.rejudged:,}" for letter, of in out.items() if of.rejudged)
    parts = [f"without judged records whose published answer is wrong: {taken or 'none'}"]
    return "; ".join(parts + ([f"judged anew by the run's rule: {anew}"] if anew else []))


def overlay_blocks(overlaid: Overlaid, palette: Palette, *, width: int) -> Iterator[Block]:
    """Overlays in counts, and a row for each error type.

    Rows have the target ``("overlay", error type)``.
    """
    for overlay in overlaid.overlays:
        fit = sum(one.overlay is overlay for of in overlaid.corrections.values() for one in of)
        line = Text(f"{one_line(overlay.label)}  ")
        said = f"{fit:,} of {counted(len(overlay.entries), 'entry', 'entries')} fit"
        yield Paragraph(line.append(said, style("dim", palette)))
    rows = []
    corrected = {overlaid.release.questions[key].task for key in overlaid.corrections}
    known = dict.fromkeys([one.task for one in overlaid.release.tasks] + sorted(corrected))
    tasks = [task for task in known if task in corrected]
    for name, n in overlaid.error_types.items():
        keys = [
            key
            for key, of in overlaid.corrections.items()
            if any(one.entry.error_type == name for one in of)
        ]
        wrong = sum(key in overlaid.answer_changed for key in keys)
        by_task = Counter(overlaid.release.questions[key].task for key in keys)
        cells = [one_line(name), f"{n:,}", f"{wrong:,}", *(f"{by_task[task]:,}" for task in tasks)]
        rows.append(Row(cells, ("overlay", name)))
    titles = [one_line(overlaid.release.task_label(task).title) for task in tasks]
    headers = ["error type", "questions", "answer wrong", *titles]
    align = "l".ljust(len(headers), "r")
    yield from table(headers, rows, palette, align=align, widest=(30,), width=width)
