"""Always refuse: what a benchmark gives to whoever declines every question."""

import re
from typing import ClassVar

from mnemoscope.core.memory.items import Recall
from mnemoscope.core.memory.query import Evidence, OptionView, Query
from mnemoscope.core.memory.systems.no_context import NoContext

__all__ = ["REFUSAL", "AlwaysRefuse", "declining_option"]

REFUSAL = "I don't know: this was never mentioned."
"""The answer to a question without an option that declines."""

_DECLINES = re.compile(
    r"未提及|没有?提[及到过]|从未提|没有?说[过明]|未说明|无法(?:确定|判断|得知)|不(?:确定|知道|清楚)|没有相关"
    r"|\bnot (?:been )?(?:mentioned|stated|specified|said|given|discussed|known)\b"
    r"|\bnever (?:been )?(?:mentioned|said|stated|discussed|came up)\b"
    r"|\b(?:cannot|can't|could not) be (?:determined|answered|known|told)\b"
    r"|\b(?:no|not enough|insufficient) (?:information|evidence|mention|record)\b"
    r"|\bdo(?:n't| not) know\b|\bunknown\b|\bunanswerable\b|\bdoes(?:n't| not) (?:say|mention)\b",
    re.IGNORECASE,
)


def declining_option(options: tuple[OptionView, ...]) -> OptionView | None:
    """The one option that says that nothing is known; None when there is none, or several."""
    found = [one for one in options if _DECLINES.search(one.text)]
    return found[0] if len(found) == 1 else None


class AlwaysRefuse(NoContext):
    """Chooses the option that declines, and says that it does not know where there is none."""

    NAME: ClassVar[str] = "always_refuse"
    SUMMARY: ClassVar[str] = "Declines every question; answers without a backbone."
    ANSWERS: ClassVar[bool] = True

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        chosen = declining_option(query.options)
        return Recall(answer=chosen.label if chosen is not None else REFUSAL)
