"""Evidence: which sources an answer needs, and how many images it could have been on."""

from collections.abc import Iterable
from math import log2

from mnemoscope.core.harness.questions.plan import Plan
from mnemoscope.core.harness.questions.reader import Reader
from mnemoscope.core.harness.questions.reading import HONEST, Faults, UnreadError
from mnemoscope.core.harness.questions.source import Source, SourceKind
from mnemoscope.core.harness.questions.view import Look, Looking, ReadView, needs
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import TypedGold
from mnemoscope.core.state.component import Part

__all__ = ["Hartley", "Witness", "hartley", "minimal_evidence", "needs_two_images"]


class Witness:
    """Answers one plan from any sources of a conversation, knowing who is called what."""

    def __init__(self, reader: Reader, last: int, plan: Plan, labels: dict[str, str]) -> None:
        self.reader, self.last, self.plan, self.labels = reader, last, plan, labels

    def answer(
        self, sources: frozenset[Source], faults: Faults = HONEST
    ) -> tuple[TypedGold | None, tuple[Look, ...]]:
        """The answer, None where the sources do not determine one; and what was looked at."""
        view = ReadView(self.reader, self.last, sources, faults)
        try:
            for entity in self.plan.entities():
                if view.name(entity) != self.labels[entity]:
                    return None, tuple(view.looks)
            return self.plan.answer(view), tuple(view.looks)
        except UnreadError:
            return None, tuple(view.looks)

    def is_enough(self, sources: frozenset[Source], gold: TypedGold) -> bool:
        """Whether sources determine an answer."""
        return self.answer(sources)[0] == gold


def needs_two_images(witness: Witness, relevant: frozenset[Source], gold: TypedGold) -> bool:
    """Whether neither the texts alone nor the texts with any one image determine the answer."""
    texts = frozenset(one for one in relevant if one.kind is SourceKind.ROUND)
    if witness.is_enough(texts, gold):
        return False
    return not any(witness.is_enough(texts | {one}, gold) for one in relevant - texts)


def minimal_evidence(
    witness: Witness, relevant: frozenset[Source], gold: TypedGold
) -> tuple[Source, ...]:
    """Sources that determine the answer, and do not without any one of them.

    Images are chosen with every text at hand, texts with the images that were chosen. Where an
    image can stand for another, the later one stays: it is the last word on what it shows.

    Returns:
        Nothing where fewer texts would make an image spare: that a text is not heard can happen to
        leave the answer as it is, and then what is needed for it is no matter of a set.
    """
    texts = frozenset(one for one in relevant if one.kind is SourceKind.ROUND)
    images = _irreducible(witness, relevant - texts, texts, gold)
    found = images | _irreducible(witness, texts, images, gold)
    spare = any(witness.is_enough(found - {one}, gold) for one in images)
    return () if spare else tuple(sorted(found))


def _irreducible(
    witness: Witness, sources: frozenset[Source], beside: frozenset[Source], gold: TypedGold
) -> frozenset[Source]:
    """Those of some sources that an answer needs beside others."""
    left = sources
    spare = True
    while spare:  # what is spare can depend on what else is there
        spare = False
        for one in sorted(left):
            if witness.is_enough((left - {one}) | beside, gold):
                left -= {one}
                spare = True
    return left


@value
class Hartley:
    """How many images the answer could have been on."""

    candidates: int
    """K: uploads whose shown content has a cell that the question needs, in its context and before
    its time, superseded ones included."""

    @property
    def score(self) -> float:
        """``log2 max(1, K)``, in bits."""
        return log2(max(1, self.candidates))


def hartley(reader: Reader, looks: Iterable[Look]) -> Hartley:
    """Count the images that display a cell that an answer looks at."""
    found: set[Source] = set()
    known = tuple(looks)
    cells = set(needs(known))
    for look in known:
        if look.how is Looking.NAME or look.where not in cells:
            continue
        images: Iterable[Source] = reader.displays(look.where, look.context)
        if look.how is Looking.EVERYWHERE:
            images = (
                one.image
                for one in reader.items
                if one.image is not None and look.where in (one.shows or ())
            )
        if look.where.part is Part.MEMBER:
            images = (
                one.image
                for one in reader.items
                if one.image is not None and one.context == look.context
            )
        found.update(one for one in images if one.place <= look.place)
    return Hartley(len(found))
