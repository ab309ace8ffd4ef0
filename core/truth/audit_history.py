"""Auditing a truth file against the visible history: rounds, uploads, and nothing besides."""

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import History, Kind, Role
from mnemoscope.core.truth.truth import Truth

__all__ = ["audit_history"]


def audit_history(truth: Truth, history: History, log: DefectLog) -> None:
    """Record rounds and artifacts that the history does not have, and images nothing brings.

    Args:
        truth: The truth.
        history: The history that it belongs to.
        log: Takes the defects.
    """
    upload = truth.trajectory.initial.upload
    uploads = {(upload.round, upload.artifact)}
    rounds = _Rounds(history, log)
    rounds.check("$", upload.round, upload.artifact)
    for at, record in enumerate(truth.trajectory.records):
        one = record.transition
        rounds.check(f"$.transitions[{at}]", one.round, one.artifact)
        if one.artifact:
            uploads.add((one.round, one.artifact))
    for shown in history.rounds:
        for item in shown.attachments:
            if item.kind is Kind.IMAGE and (shown.id, item.id) not in uploads:
                found = Described(f"no upload of {item.id} in {shown.id}")
                expected = "a transition with every image of the history"
                log.warning("truth_coverage", "$.transitions", found, expected)


class _Rounds:
    """Checks rounds in the order in which transitions name them."""

    def __init__(self, history: History, log: DefectLog) -> None:
        self.history = history
        self.log = log
        self.latest = -1

    def check(self, place: str, round_id: str, artifact: str) -> None:
        """Check that a user's round is there, not before the last one, and shows the artifact."""
        found = self.history.round_by_id.get(round_id)
        if found is None:
            expected = f"a round of history {self.history.id}"
            self.log.error("truth_round", f"{place}.round", round_id, expected)
            return
        if not any(message.role is Role.USER for message in found.messages):
            expected = "a round in which the user speaks"
            self.log.error("truth_round", f"{place}.round", round_id, expected)
        if found.index < self.latest:
            expected = f"a round not before {self.history.rounds[self.latest].id}"
            self.log.error("truth_round", f"{place}.round", round_id, expected)
        self.latest = max(self.latest, found.index)
        shown = [item.id for item in found.attachments if item.kind is Kind.IMAGE]
        if artifact and artifact not in shown:
            expected = f"an image of round {round_id}"
            self.log.error("truth_artifact", f"{place}.artifact", artifact, expected)
