"""Authority: who says what a governed component holds, and since when."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import (
    ABSENT,
    Component,
    Layer,
    Maybe,
    Part,
    members,
    sequence,
)

__all__ = ["Assignments", "Authority", "AuthorityKind", "followed", "is_governed"]


class AuthorityKind(StrEnum):
    """On what a governed component rests."""

    VISUAL = "visual"
    """On an artifact; the next artifact may change it."""
    TEXT_BACKED = "text_backed"
    """On an accepted text: artifacts do not change it."""
    VISUAL_DECLARED = "visual_declared"
    """On an artifact that a text has authorised for it; the next artifact may change it again."""


@value
class Authority:
    """One assignment."""

    kind: AuthorityKind
    round: str
    """The id of the round that gave it."""
    transition: str = ""
    """The transition that gave it; empty for the initial artifact."""


Assignments = Mapping[Component, Authority]
"""A: the operative authority of cells, memberships, orderings and rules. That of a membership stays
when the entity goes, since it says whether an artifact may bring it back."""


def is_governed(authority: Assignments, component: Component) -> bool:
    """Whether an active text-backed assignment governs a component."""
    found = authority.get(component)
    return found is not None and found.kind is AuthorityKind.TEXT_BACKED


def followed(
    accepted: Layer, authority: Assignments, visual: Iterable[tuple[Component, Maybe]]
) -> dict[Component, Maybe]:
    """What an ordinary visual edit makes of the accepted state: the authority rule.

    Args:
        accepted: G before.
        authority: A before.
        visual: The direct changes of W.

    Returns:
        The changes of G: those components that no text governs. A cell also needs its entity in
        the accepted set, and goes with it when an artifact removes it. Orderings are left out:
        G may have other members.
    """
    changes = [(one, new) for one, new in visual if one.part is not Part.CUE]
    result: dict[Component, Maybe] = {
        one: new
        for one, new in changes
        if one.part is Part.MEMBER and not is_governed(authority, one)
    }
    present = set(members(accepted))
    present |= {one.entity for one, new in result.items() if new is not ABSENT}
    present -= {one.entity for one, new in result.items() if new is ABSENT}
    for one, new in changes:
        if one.part is Part.CELL and new is not ABSENT:
            if one.entity in present and not is_governed(authority, one):
                result[one] = new
        elif one.part is Part.RULE and not is_governed(authority, one):
            result[one] = new
    gone = {one.entity for one, new in result.items() if new is ABSENT}
    if gone:
        lost = (one for one in accepted if one.part is Part.CELL and one.entity in gone)
        result |= dict.fromkeys(lost, ABSENT)
    return result


def merged_order(accepted: Layer, name: str, shown: tuple[str, ...]) -> tuple[str, ...]:
    """An accepted ordering after an artifact has reordered its own.

    What both hold takes the artifact's order in the places that those held; what only the accepted
    state holds keeps its place.
    """
    own = sequence(accepted, name)
    common = iter([one for one in shown if one in own])
    return tuple(next(common) if one in shown else one for one in own)


def settled_order(
    current: tuple[str, ...], present: Iterable[str], hint: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """An ordering of entities after some came or went.

    Args:
        current: The ordering before.
        present: The entities now; new ones in the order in which they come.
        hint: An ordering that says where new ones stood: each goes behind the nearest entity
            before it there. Without one they go to the end.
    """
    now = list(present)
    result = [one for one in current if one in now]
    placed = set(result)
    where = {one: at for at, one in enumerate(hint)}
    for one in sorted(
        (one for one in now if one not in placed), key=lambda one: where.get(one, len(hint))
    ):
        if one not in where:
            result.append(one)
        else:
            before = [other for other in hint[: where[one]] if other in placed]
            result.insert(result.index(before[-1]) + 1 if before else 0, one)
        placed.add(one)
    return tuple(result)
