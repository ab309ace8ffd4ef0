"""What an annotator can work through."""

from collections.abc import Iterator, Sequence

from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters import parse
from mnemoscope.core.outcomes import outcome
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.desk import Desk, Selection
from mnemoscope.tui.saved_filters import SavedFilters
from mnemoscope.tui.tagging import Tagging

__all__ = ["queues"]

SAMPLE = 200
"""The papers' sample of failures."""
SEED = 42
_ANSWERED = ("right", "wrong", "unparsed", "not_judged")


def queues(desk: Desk, tagging: Tagging, adjudicator: str = "") -> list[Selection]:
    """Every queue there is now, with its questions in order."""
    return list(_queues(desk, tagging, adjudicator))


def _queues(desk: Desk, tagging: Tagging, adjudicator: str) -> Iterator[Selection]:
    workspace = desk.workspace
    shown = desk.selection
    title = f"the questions list: {shown.filter}" if shown.filter else "the questions list"
    yield Selection(title, keys=shown.keys)
    if workspace.runs:
        failures = _select(workspace, "sys:A.wrong")
        yield Selection("failures of A", keys=failures)
        left = [key for key in failures if not tagging.is_done(tagging.item(key))]
        yield Selection("failures of A that you have not tagged", keys=left)
        sample = _select(workspace, f"sys:A.wrong sample:{SAMPLE} seed:{SEED}")
        yield Selection(f"{SAMPLE} failures of A, drawn with seed {SEED}", keys=sample)
    yield from _to_judge(workspace, tagging)
    yield Selection("what you flagged", keys=_mine(tagging, flagged=True))
    yield Selection("what you skipped", keys=_mine(tagging, flagged=False))
    for other in tagging.tags.tags.books:
        if other != tagging.annotator:
            keys = _of_annotator(tagging, other)
            yield Selection(f"second pass: what {other} tagged", keys=keys)
    yield Selection("to adjudicate: annotators differ", keys=_disagreements(tagging, adjudicator))
    for name, text in SavedFilters().load().items():
        try:
            yield Selection(f"saved: {name}", keys=_select(workspace, text))
        except UsageError:
            continue


def _to_judge(workspace: Workspace, tagging: Tagging) -> Iterator[Selection]:
    """A sample of answers to call right or wrong, whatever rule or judge says of them."""
    if not workspace.runs:
        return
    run = workspace.runs[0]
    answered = [key for key in workspace.release.questions if outcome(run.entry(key)) in _ANSWERED]
    sample = parse(f"sample:{SAMPLE} seed:{SEED}").select(workspace, answered)
    title = f"{SAMPLE} answers of A, right and wrong, to judge (seed {SEED})"
    yield Selection(title, keys=tuple(sample))
    left = tuple(key for key in sample if not tagging.is_judged(tagging.item(key)))
    yield Selection("those of them without your verdict", keys=left)


def _select(workspace: Workspace, text: str) -> Sequence[str]:
    return tuple(parse(text).select(workspace))


def _in_order(tagging: Tagging, found: set[str]) -> Sequence[str]:
    return tuple(key for key in tagging.workspace.release.questions if key in found)


def _mine(tagging: Tagging, *, flagged: bool) -> Sequence[str]:
    found = {
        target.question
        for target, marks in tagging.journal.book
        if (marks.flagged if flagged else marks.skipped)
    }
    return _in_order(tagging, found)


def _of_annotator(tagging: Tagging, annotator: str) -> Sequence[str]:
    name = tagging.taxonomy.name
    statements = tagging.tags.statements(annotator)
    return _in_order(tagging, {s.target.question for s in statements if s.marks.reviewed(name)})


def _disagreements(tagging: Tagging, adjudicator: str) -> Sequence[str]:
    from mnemoscope.analyses.tag_agreement import tag_agreement

    found = tag_agreement(tagging.tags, tagging.taxonomy, adjudicator=adjudicator).disagreements
    return _in_order(tagging, {target.question for target in found})
