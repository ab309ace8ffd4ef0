"""The trackers, the one fault of each, and what its mistakes are called."""

from collections.abc import Mapping
from enum import StrEnum

from mnemoscope.core.harness.questions.plan import Numbers, Orders, Plan, Values
from mnemoscope.core.harness.questions.plan_columns import Best, GroupFigure, Hop, Ranking, Risen
from mnemoscope.core.harness.questions.plan_history import Renamed
from mnemoscope.core.harness.questions.plan_premise import (
    Direction,
    FalseInput,
    Gone,
    OneEntity,
    Unshown,
)
from mnemoscope.core.harness.questions.plan_sets import Chosen, Disputed, Restyled, Turned
from mnemoscope.core.harness.questions.reading import Faults
from mnemoscope.core.harness.trackers.material import Material
from mnemoscope.core.harness.trackers.view import TrackerView
from mnemoscope.core.model.values import value

__all__ = ["TRACKERS", "Cause", "PlanSort", "Tracker", "sort_of"]


class Cause(StrEnum):
    """What a mistake is called: the subtypes of state reconstruction in DSV-Mem's taxonomy."""

    STALE = "stale_value"
    WITHDRAWN = "withdrawn_value"
    AUTHORITY = "wrong_authority"
    ENTITY = "wrong_entity"
    LOST = "lost_or_collapsed_update"
    MIS_INTEGRATED = "mis_integrated_update"
    COMPUTED = "compute_on_wrong_state"


class PlanSort(StrEnum):
    """What is done with what is read."""

    READ = "read"
    """It is given as it is."""
    COMPUTED = "computed"
    """Something is computed, compared or picked out."""
    HISTORY = "history"
    """Changes are told or counted."""


_READ = (Values, Orders, Disputed, Restyled, Renamed, Gone, OneEntity, Unshown)
_COMPUTED = (
    *(Numbers, Best, Hop, Ranking, GroupFigure, Risen, Chosen, Turned, FalseInput, Direction),
)


def sort_of(plan: Plan) -> PlanSort:
    """What a plan does with what it reads."""
    if isinstance(plan, _READ):
        return PlanSort.READ
    return PlanSort.COMPUTED if isinstance(plan, _COMPUTED) else PlanSort.HISTORY


@value
class Tracker:
    """A tracker with one fault, or none."""

    name: str
    fault: str
    """What it gets wrong, in words."""
    causes: Mapping[PlanSort, Cause]
    """What its mistakes are called; none for the honest one."""
    faults: Faults = Faults(trusting=True)
    names_apart: bool = False
    forgets: bool = False
    """Whether it has kept the second half only."""
    tires: bool = False
    """Whether it has taken in the first three quarters only."""

    def view(self, material: Material) -> TrackerView:
        """What it sees of a history."""
        start = material.last // 2 if self.forgets else 0
        stop = material.last * 3 // 4 if self.tires else None
        apart = self.names_apart
        return TrackerView(material, self.faults, names_apart=apart, start=start, stop=stop)


def _causes(read: Cause, computed: Cause, history: Cause) -> Mapping[PlanSort, Cause]:
    return {PlanSort.READ: read, PlanSort.COMPUTED: computed, PlanSort.HISTORY: history}


TRACKERS: Mapping[str, Tracker] = {
    one.name: one
    for one in (
        Tracker("honest", "nothing", {}),
        Tracker(
            "newest_image_wins",
            "what the newest image displays is accepted, whatever a message says",
            _causes(Cause.AUTHORITY, Cause.COMPUTED, Cause.MIS_INTEGRATED),
            Faults(trusting=True, newest_image=True),
        ),
        Tracker(
            "withdrawals_ignored",
            "an update that was withdrawn stays in force",
            _causes(Cause.WITHDRAWN, Cause.COMPUTED, Cause.LOST),
            Faults(trusting=True, no_withdrawals=True),
        ),
        Tracker(
            "text_ignored",
            "messages are passed over; only images count",
            _causes(Cause.AUTHORITY, Cause.COMPUTED, Cause.LOST),
            Faults(trusting=True, no_texts=True),
        ),
        Tracker(
            "late_updates_missed",
            "the last quarter of the conversation is not taken in",
            _causes(Cause.STALE, Cause.COMPUTED, Cause.LOST),
            tires=True,
        ),
        Tracker(
            "names_not_merged",
            "what is known of an entity is kept apart by its names",
            _causes(Cause.ENTITY, Cause.ENTITY, Cause.ENTITY),
            names_apart=True,
        ),
        Tracker(
            "history_truncated",
            "the first half of the conversation is forgotten",
            _causes(Cause.LOST, Cause.LOST, Cause.LOST),
            forgets=True,
        ),
    )
}
"""Every tracker by name, the honest one first."""
