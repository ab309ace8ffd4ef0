"""Runs of trackers, as any run."""

from collections.abc import Iterator
from pathlib import Path

from mnemoscope.core.harness.questions.plan import Plan
from mnemoscope.core.harness.questions.plan_reading import read_plan
from mnemoscope.core.harness.trackers.answering import answer_of
from mnemoscope.core.harness.trackers.material import material_of
from mnemoscope.core.harness.trackers.states import tracker_steps
from mnemoscope.core.harness.trackers.tracker import TRACKERS, Tracker
from mnemoscope.core.harness.trackers.view import TrackerView
from mnemoscope.core.model import (
    Question,
    QuestionRef,
    Record,
    RecordStatus,
    Release,
    Retrieval,
    RetrievalState,
    Run,
    Textualisation,
)
from mnemoscope.core.runs.native.states import write_states
from mnemoscope.core.runs.native.writer import write_run
from mnemoscope.core.writing import new_folder

__all__ = ["SYSTEM", "plan_of", "tracker_of", "tracker_run", "write_tracker_run"]

SYSTEM = "tracker"
"""The system of every such run; ``parameters`` name the tracker."""


def plan_of(release: Release, question: Question) -> Plan | None:
    """The plan of a question of a generated release; None where it has none."""
    data = release.evaluator.questions.get(question.key, {})
    derivation = data.get("derivation", {})
    return read_plan(derivation.get("plan")) if isinstance(derivation, dict) else None


def tracker_of(run: Run) -> Tracker | None:
    """The tracker that a run is by; None for every other system."""
    return TRACKERS.get(str(run.parameters.get("tracker"))) if run.system == SYSTEM else None


def tracker_run(release: Release, tracker: Tracker) -> Run:
    """Let a tracker answer every question that has a plan."""
    return Run(
        name=f"tracker {tracker.name}",
        format="native",
        root=release.root,
        files=(),
        records=tuple(_records(release, tracker)),
        system=SYSTEM,
        textualisation=Textualisation(image="oracle"),
        parameters={"tracker": tracker.name, "fault": tracker.fault},
        rule="open",
        notes=("an instrument that is handed what only the evaluator knows, not a contestant",),
    )


def _records(release: Release, tracker: Tracker) -> Iterator[Record]:
    views: dict[str, TrackerView | None] = {}
    for question in release.questions.values():
        plan = plan_of(release, question)
        if question.history_id not in views:
            material = material_of(release, question.history_id)
            views[question.history_id] = None if material is None else tracker.view(material)
        view = views[question.history_id]
        if plan is not None and view is not None:
            yield Record(
                QuestionRef(key=question.key),
                RecordStatus.OK,
                answer_of(plan, view),
                file="",
                place="",
                retrieval=Retrieval(RetrievalState.WHOLE_HISTORY),
            )


def write_tracker_run(release: Release, tracker: Tracker, out: Path) -> int:
    """Write the run of a tracker into a folder, with the cells that it holds after each round.

    It is there whole or not at all.

    Returns:
        How many questions it answers.

    Raises:
        UsageError: The folder is there already and holds something.
        InputError: A file cannot be written.
    """
    run = tracker_run(release, tracker)
    with new_folder(out) as folder:
        write_run(run, [one.ref.key for one in run.records], folder, release=release)
        for history in release.histories.values():
            material = material_of(release, history.id)
            if material is not None:
                steps = tracker_steps(tracker.view(material), material, history)
                write_states(folder, history, steps, {one.id: one.id for one in history.rounds})
    return len(run.records)
