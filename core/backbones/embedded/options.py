"""Choosing among options by the words that they share with what was brought back."""

from collections.abc import Sequence
from typing import Any

from mnemoscope.core.backbones.embedded.passages import Passages
from mnemoscope.core.memory.query import OptionView, Query
from mnemoscope.core.memory.systems.always_refuse import declining_option
from mnemoscope.core.model.values import value
from mnemoscope.core.terms import terms

__all__ = ["BACKED", "SUBJECT", "Choice", "choose"]

BACKED = 0.5
"""The share of an option that one passage must hold; below it the option that declines is chosen.

Fixed before anything was measured, and never fitted to gold.
"""
SUBJECT = 0.25
"""How much it counts that a passage holds the words of the question, next to the option's own."""


@value
class Backing:
    """How well the best passage backs an option."""

    label: str
    score: float
    share: float
    passage: int
    """The passage's place in what was sent, from 1; 0 where none shares a word."""


@value
class Choice:
    """The option that was chosen, and why."""

    label: str
    """Empty where nothing is backed and no option declines."""
    backings: tuple[Backing, ...]

    def as_json(self) -> dict[str, Any]:
        """What the choice rests on, as JSON."""
        return {
            "threshold": BACKED,
            "options": {
                one.label: {"score": one.score, "share": one.share, "passage": one.passage}
                for one in self.backings
            },
        }


def choose(query: Query, passages: Passages) -> Choice:
    """The option that a single passage backs best.

    An option's score is the share of its own words (those that the question does not hold, by
    weight) that a passage holds, plus a quarter of the share of the question's words in the same
    passage; the best passage counts. Of equal options the first is chosen. Where an option says
    that nothing is known, it is chosen when no passage holds half of any other.
    """
    declining = declining_option(query.options)
    asked = terms(query.stem)
    offered = [one for one in query.options if one is not declining]
    backings = tuple(_backing(one, asked, passages) for one in offered)
    best = _best(backings)
    if best is None or (declining is not None and best.share < BACKED):
        return Choice(declining.label if declining is not None else "", backings)
    return Choice(best.label, backings)


def _backing(option: OptionView, asked: frozenset[str], passages: Passages) -> Backing:
    said = terms(option.text)
    own = said - asked or said
    found = Backing(option.label, 0.0, 0.0, 0)
    for number, passage in enumerate(passages.all, start=1):
        share = passages.share(own, passage.terms)
        if share:
            subject = passages.share(asked, passage.terms)
            score = round(share + SUBJECT * subject, 6)
            if score > found.score:
                found = Backing(option.label, score, share, number)
    return found


def _best(backings: Sequence[Backing]) -> Backing | None:
    backed = [one for one in backings if one.passage]
    return max(backed, key=lambda one: one.score, default=None)
