"""What an annotator can work through."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters import parse
from mnemoscope.core.outcomes import outcome
from mnemoscope.core.tags.events import Target, is_automatic, model_name
from mnemoscope.core.tags.progress import Progress
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui.saved_filters import SavedFilters
from mnemoscope.tui.tagging import Tagging

__all__ = ["Queue", "queues"]

SAMPLE = 200
"""The papers' sample of failures."""
SEED = 42
_ANSWERED = ("right", "wrong", "unparsed", "not_judged")


@dataclass(frozen=True, slots=True)
class Queue:
    """Questions to work through, in the release's order."""

    title: str
    keys: Sequence[str]
    run: JoinedRun | None = None
    """The run whose answers it is about; None for run A, whichever that is."""
    in_dispute: bool = False
    """Whether it is for somebody who decides, and so is to see what others say."""


def queues(
    tagging: Tagging, list_title: str, listed: Sequence[str], adjudicator: str = ""
) -> list[Queue]:
    """Every queue there is now. Nothing is to wait for it: lists may be long.

    Args:
        tagging: The annotator at work.
        list_title: What the questions list is filtered by.
        listed: The questions list.
        adjudicator: Whose word ends a dispute.
    """
    title = f"the questions list: {list_title}" if list_title else "the questions list"
    found = [Queue(title, tuple(listed)), *_failures(tagging), *_to_judge(tagging)]
    mine = list(tagging.journal.book)
    found += _by_run(tagging, "what you flagged", (one for one, of in mine if of.flagged))
    found += _by_run(tagging, "what you skipped", (one for one, of in mine if of.skipped))
    return [*found, *_second_passes(tagging), *_disputes(tagging, adjudicator), *_saved(tagging)]


def _failures(tagging: Tagging) -> Iterator[Queue]:
    workspace = tagging.workspace
    if not workspace.runs:
        return
    failures = _select(workspace, "sys:A.wrong")
    yield Queue("failures of A", failures)
    concerns = tagging.concerns(workspace.runs[0])
    done = Progress(tagging.journal.book, tagging.taxonomy.name, failures, concerns)
    left = tuple(key for key in failures if key not in done)
    yield Queue("failures of A that you have not tagged", left)
    sample = _select(workspace, f"sys:A.wrong sample:{SAMPLE} seed:{SEED}")
    yield Queue(f"failures of A, {SAMPLE} at most, seed {SEED}", sample)


def _to_judge(tagging: Tagging) -> Iterator[Queue]:
    """A sample of answers to call right or wrong, whatever rule or judge says of them."""
    workspace = tagging.workspace
    if not workspace.runs:
        return
    run = workspace.runs[0]
    answered = [key for key in workspace.release.questions if outcome(run.entry(key)) in _ANSWERED]
    sample = parse(f"sample:{SAMPLE} seed:{SEED}").select(workspace, answered)
    title = f"answers of A to judge, right or wrong, {SAMPLE} at most, seed {SEED}"
    yield Queue(title, tuple(sample))
    left = tuple(key for key in sample if not tagging.is_judged(tagging.item(key)))
    yield Queue("those of them without your verdict", left)


def _second_passes(tagging: Tagging) -> Iterator[Queue]:
    name = tagging.taxonomy.name
    for other in tagging.tags.tags.books:
        if other != tagging.annotator:
            said = tagging.tags.statements(other)
            reviewed = (one.target for one in said if one.marks.reviewed(name))
            yield from _by_run(tagging, f"second pass: what {other} tagged", reviewed)


def _disputes(tagging: Tagging, adjudicator: str) -> Iterator[Queue]:
    from mnemoscope.analyses.tag_agreement import disagreements

    who = [name for name in tagging.tags.tags.books if name != adjudicator]
    models = [name for name in who if model_name(name)]
    asked = {"annotators": who}
    if models:
        asked["people"] = [name for name in who if not is_automatic(name)]
        asked["models"] = models
    for whoever, names in asked.items():
        found = disagreements(tagging.tags, tagging.taxonomy, names, adjudicator)
        for queue in _by_run(tagging, f"to adjudicate: {whoever} differ", found):
            yield replace(queue, in_dispute=True)


def _saved(tagging: Tagging) -> Iterator[Queue]:
    for name, text in SavedFilters().load().items():
        try:
            yield Queue(f"saved: {name}", _select(tagging.workspace, text))
        except UsageError:
            continue


def _select(workspace: Workspace, text: str) -> Sequence[str]:
    return tuple(parse(text).select(workspace))


def _by_run(tagging: Tagging, title: str, targets: Iterable[Target]) -> Iterator[Queue]:
    """The questions that targets are about: those of A, and apart those of each other run."""
    by_run: dict[str, list[Target]] = {}
    for target in targets:
        by_run.setdefault(tagging.tags.run_name(target), []).append(target)
    runs: Sequence[JoinedRun | None] = tagging.workspace.runs or (None,)
    for place, run in enumerate(runs):
        found = by_run.get(run.name, []) if run is not None else []
        if not place:
            found = [*found, *by_run.get("", ())]
        concerns = tagging.concerns(run)
        keys = {one.question for one in found if concerns(one)}
        in_order = tuple(key for key in tagging.workspace.release.questions if key in keys)
        if not place:
            yield Queue(title, in_order)
        elif in_order and run is not None:
            yield Queue(f"{title}, of {run.label}", in_order, run)
