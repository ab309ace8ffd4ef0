"""The audit of a truth file: it is carried out again and compared with what it records.

Checked are continuity from state to state, authority, dependents, lifecycles, the agreement of
artifacts with the visual state, coverage, and that all of it is in the visible history.
"""

from collections import Counter
from collections.abc import Mapping

from mnemoscope.core.defects import Defect, DefectLog, Described, describe
from mnemoscope.core.model import History, Release
from mnemoscope.core.state.component import Layer, Part, changed
from mnemoscope.core.state.computation import dependents
from mnemoscope.core.state.condition import Condition, TransitionError
from mnemoscope.core.state.content import content_problems
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.state import State
from mnemoscope.core.state.trajectory import unfinished
from mnemoscope.core.state.transition import Step
from mnemoscope.core.truth.audit_history import audit_history
from mnemoscope.core.truth.comparison import compare_step
from mnemoscope.core.truth.places import place_in_layer, said
from mnemoscope.core.truth.truth import Artifact, Truth, artifact_of, counted_operators

__all__ = ["audit", "audit_release"]

_PLACES: Mapping[Condition, str] = {
    Condition.PARENT: ".parent",
    Condition.UPLOAD: ".artifact",
    Condition.ARTIFACT: ".artifact",
    Condition.LIFECYCLE: "",
    Condition.OVERLAP: ".of",
    Condition.FRAME: ".changes",
}
"""Where in a transition a condition is about; the others are about its mutation."""


def audit_release(release: Release) -> list[Defect]:
    """Everything that is wrong in the truth files of a release."""
    log = DefectLog()
    for truth in release.evaluator.truths.values():
        audit(truth, release.histories.get(truth.history_id), log)
    return log.items


def audit(truth: Truth, history: History | None, log: DefectLog) -> None:
    """Record everything that is wrong in a truth file.

    Args:
        truth: The truth.
        history: The visible history that it belongs to; None when the release has none.
        log: Takes the defects. Codes start with ``truth_``.
    """
    log.file = truth.file
    if history is None:
        expected = "the id of a history that can be read"
        log.error("truth_history", "$.history_id", truth.history_id, expected)
    else:
        audit_history(truth, history, log)
    _coverage(truth, log)
    schema = truth.trajectory.schema
    problems = list(schema.problems())
    for place, found, expected in problems:
        log.error("truth_schema", f"${place}", found, expected)
    if not problems and _content(truth, truth.trajectory.initial.visual, "$.initial", log):
        _steps(truth, log)


def _coverage(truth: Truth, log: DefectLog) -> None:
    """Unique ids, complete lifecycles, and as many operators as the inventory says."""
    transitions = [one.transition for one in truth.trajectory.records]
    counts = Counter(one.id for one in transitions)
    for at, one in enumerate(transitions):
        if counts[one.id] > 1 or not one.id:
            log.error("truth_id", f"$.transitions[{at}].id", one.id, "an id used once")
    places = {one.id: at for at, one in enumerate(transitions)}
    for one, event in unfinished(transitions):
        found = Described(f"no {event} of it")
        expected = f"a later {event}, as {one.operator} says"
        log.error("truth_lifecycle", f"$.transitions[{places[one.id]}].operator", found, expected)
    held = counted_operators(transitions)
    for operator in Operator:
        wanted, count = truth.inventory.get(operator, 0), held.get(operator, 0)
        if wanted != count:
            place = f"$.inventory.{operator}"
            log.error("truth_coverage", place, wanted, f"{count} transitions of it")


def _content(truth: Truth, layer: Layer, place: str, log: DefectLog) -> bool:
    """Check the content of a whole artifact; whether its primary components are valid."""
    schema = truth.trajectory.schema
    valid = True
    for where, found, expected in content_problems(schema, layer):
        log.error("truth_content", place + place_in_layer(where), said(found), expected)
        valid = False
    if not valid:
        return False
    stored = {one: new for one, new in layer.items() if one.part is Part.DEPENDENT}
    for where, (was, now) in changed(stored, dependents(schema, layer)).items():
        at = place + place_in_layer(where)
        log.error("truth_dependent", at, said(was), f"{said(now)}, as recomputed")
    return True


def _steps(truth: Truth, log: DefectLog) -> None:
    """Carry every transition out again and compare."""
    trajectory = truth.trajectory
    state = trajectory.initial
    artifacts = _Artifacts(truth, log)
    artifacts.compare("", state)
    for at, record in enumerate(trajectory.records):
        step = _carried_out(truth, at, state, log)
        if step is None:
            return
        compare_step(f"$.transitions[{at}]", record, step, log)
        state = step.after
        if record.transition.is_upload:
            artifacts.compare(record.transition.id, state)
    artifacts.finish()


def _carried_out(truth: Truth, at: int, state: State, log: DefectLog) -> Step | None:
    record = truth.trajectory.records[at]
    content = record.transition.mutation.content
    place = f"$.transitions[{at}]"
    if content is not None and not _content(truth, content, f"{place}.mutation.content", log):
        return None
    try:
        return execute(truth.trajectory.schema, state, record.transition)
    except TransitionError as error:
        part = _PLACES.get(error.condition, ".mutation")
        if error.condition is Condition.LIFECYCLE and error.where in ("wraps", "event", "of"):
            part = f".{error.where}"
        found = f"{error.where}: {error.found}"
        rest = len(truth.trajectory.records) - at - 1
        unchecked = f"; {rest} later ones are not checked" if rest else ""
        code = f"truth_{error.condition}"
        log.error(code, place + part, Described(found), error.expected + unchecked)
        return None


class _Artifacts:
    """The recorded artifacts, each compared with the state that it was uploaded in."""

    def __init__(self, truth: Truth, log: DefectLog) -> None:
        self.truth = truth
        self.log = log
        self.by_transition: dict[str, tuple[int, Artifact]] = {}
        for at, one in enumerate(truth.artifacts):
            if one.transition in self.by_transition:
                place = f"$.artifacts[{at}].transition"
                log.error("truth_artifact", place, one.transition, "another transition")
            self.by_transition.setdefault(one.transition, (at, one))
        self.compared: set[str] = set()

    def compare(self, key: str, state: State) -> None:
        """Compare the artifact that came with a transition, if it is one of a context."""
        record = self.truth.trajectory.record_by_id.get(key)
        wanted = artifact_of(state, record.transition if record else None)
        if wanted is None:
            return
        self.compared.add(key)
        found = self.by_transition.get(key)
        if found is None:
            missing = f"{wanted.id} of {key or 'the start'}"
            expected = f"an artifact for {missing}"
            self.log.error("truth_artifact", "$.artifacts", Described("none"), expected)
            return
        at, artifact = found
        place = f"$.artifacts[{at}]"
        for name in ("id", "round", "context"):
            shown, right = getattr(artifact, name), getattr(wanted, name)
            if shown != right:
                self.log.error("truth_artifact", f"{place}.{name}", shown, describe(right))
        for where, (was, now) in changed(artifact.shows, wanted.shows).items():
            at_cell = f"{place}.shows{place_in_layer(where)}"
            expected = f"{said(now)}, as in the visual state"
            self.log.error("truth_artifact", at_cell, said(was), expected)

    def finish(self) -> None:
        """Name artifacts that no transition brings."""
        for key, (at, _) in self.by_transition.items():
            if key not in self.compared:
                place = f"$.artifacts[{at}].transition"
                self.log.error("truth_artifact", place, key, "a transition with an upload")
