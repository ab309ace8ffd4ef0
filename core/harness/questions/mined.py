"""Mined questions: a question with everything that is known about its answer."""

from typing import Any

from mnemoscope.core.harness.questions.category import Category
from mnemoscope.core.harness.questions.evidence import Hartley
from mnemoscope.core.harness.questions.plan import Plan
from mnemoscope.core.harness.questions.source import Source, SourceKind
from mnemoscope.core.harness.questions.view import Look
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import TypedGold
from mnemoscope.core.state.component import Component, Part
from mnemoscope.core.state.operators import Operator

__all__ = ["Governing", "MinedQuestion", "Step"]


@value
class Step:
    """One thing that a derivation reads."""

    look: Look
    content: Any
    """What it reads, as JSON. Any: a value, a list of values, or a name."""
    words: str


@value
class Governing:
    """The updates that an answer rests on."""

    transitions: tuple[str, ...]
    """Those that changed what is accepted of a cell that it needs, up to its time."""
    operators: tuple[Operator, ...]
    turns_since: int
    """Turns of the user from the last of them to the end of the conversation; from its first turn
    where there is none."""


@value
class MinedQuestion:
    """A question that has passed every check."""

    category: Category
    family: str
    """What kind of question it is, finer than its category."""
    text: str
    gold: TypedGold
    texts: tuple[str, ...]
    """Accepted answers in words."""
    plan: Plan
    steps: tuple[Step, ...]
    """What the plan reads, in order: the derivation."""
    evidence: tuple[Source, ...]
    """A minimal sufficient set."""
    hartley: Hartley
    governing: Governing
    naive: tuple[str, ...] = ()
    """The naive readings that happen to give the same answer."""

    @property
    def images(self) -> tuple[str, ...]:
        """The images in its evidence."""
        return tuple(one.id for one in self.evidence if one.kind is SourceKind.IMAGE)

    @property
    def rounds(self) -> tuple[str, ...]:
        """The rounds whose texts are in its evidence."""
        return tuple(one.id for one in self.evidence if one.kind is SourceKind.ROUND)

    @property
    def main_cell(self) -> Component:
        """The first thing that its answer reads, but for whether something is there."""
        cells = [one.look.where for one in self.steps if one.look.where.part is not Part.MEMBER]
        return cells[0] if cells else self.steps[0].look.where
