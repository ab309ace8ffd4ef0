"""Scenarios in the making: a trajectory, the turns that tell it, and the pictures that show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from mnemoscope.core.harness.exhibit import Edition, Exhibit
from mnemoscope.core.harness.exhibition import exhibit_of, unrelated_exhibit
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.model.values import value
from mnemoscope.core.truth.truth import Artifact, Truth

__all__ = ["Block", "Picture", "Scenario"]


@value
class Picture:
    """One uploaded image: which of the pack's artifacts it is."""

    id: str
    """The id of the attachment; that of the truth's artifact where it has one."""
    round: str
    """The user's round that brings it."""
    edition: Edition
    artifact: str = ""
    """The key of one of the pack's artifacts; empty for an unrelated picture."""
    unrelated: int = 0
    """Of an unrelated picture: which one of the pack's."""


@value
class Block:
    """One turn of the user, and the assistant's reply."""

    round: str
    """The id of the user's round; evidence points at it."""
    reply: str
    """The id of the assistant's round."""
    date: str = ""
    """The day, such as 2026-04-12; turns of one day are one session."""
    transition: str = ""
    """The transition that it brings; empty for the first turn and for normal ones."""
    topic: str = ""
    """Of a normal turn: the key of the topic that it is about."""
    picture: str = ""
    """The id of the image that comes with it."""


@dataclass(frozen=True)
class Scenario:
    """What is settled before anything is said or asked."""

    pack: Pack
    seed: int
    truth: Truth
    blocks: tuple[Block, ...]
    pictures: Mapping[str, Picture]
    """By id of the attachment, in the order of upload."""

    @cached_property
    def artifact_by_id(self) -> dict[str, Artifact]:
        """What the truth says of each image that has to do with the task."""
        return {one.id: one for one in self.truth.artifacts}

    @cached_property
    def session_by_round(self) -> Mapping[str, str]:
        """The id of the session that each round is in: a session is a day."""
        days = list(dict.fromkeys(one.date for one in self.blocks))
        names = {day: f"S{at:02}" for at, day in enumerate(days, 1)}
        return {key: names[one.date] for one in self.blocks for key in (one.round, one.reply)}

    def exhibit(self, picture: str) -> Exhibit:
        """What an image shows."""
        one = self.pictures[picture]
        if not one.artifact:
            return unrelated_exhibit(self.pack.unrelated[one.unrelated], one.edition)
        truth, artifact = self.artifact_by_id[picture], self.pack.artifact_by_key[one.artifact]
        return exhibit_of(self.pack, artifact, truth.shows, truth.context, one.edition)
