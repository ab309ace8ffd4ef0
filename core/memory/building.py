"""Building a memory: every round in order, with a receipt of what was taken in."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.memory.items import Delta
from mnemoscope.core.memory.system import MemorySystem
from mnemoscope.core.memory.view import HistoryView, RoundView
from mnemoscope.core.model.values import value

__all__ = ["Receipt", "Step", "build"]


@value
class Step:
    """What one round did to a memory, or finishing after the last."""

    index: int
    """The round's position; that of the last round for the step that finishes."""
    round: str
    """The round's neutral id; empty for the step that finishes."""
    delta: Delta


@value
class Receipt:
    """What was offered to a memory and what became of it."""

    offered: int
    """Rounds."""
    taken_in: int
    """Rounds that the memory has an item of its own for, or says that it absorbed."""
    unheard: tuple[str, ...] = ()
    """Neutral ids of the rounds that it neither has an item for nor says that it absorbed."""
    messages: tuple[tuple[str, int], ...] = ()
    """Messages offered by role."""
    media: tuple[tuple[str, int], ...] = ()
    """Attachments offered by kind."""
    without_text: int = 0
    """Attachments that no text stands for in this textualisation."""
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The receipt as JSON."""
        return {
            "offered": self.offered,
            "taken_in": self.taken_in,
            "unheard": list(self.unheard),
            "messages": dict(self.messages),
            "media": dict(self.media),
            "without_text": self.without_text,
            "warnings": list(self.warnings),
        }


def build(
    memory: MemorySystem, view: HistoryView, progress: Callable[[int], None] = lambda _: None
) -> tuple[Receipt, tuple[Step, ...]]:
    """Hand a memory every round of a view that it has not seen, finish and freeze it.

    Args:
        memory: The memory: a new one, or one that holds a prefix of the view.
        view: The rounds.
        progress: Called with the number of rounds taken in after each.

    Returns:
        The receipt of the rounds handed over here, and what each did.

    Raises:
        MnemoscopeError: A round cannot be taken in; its place in the history is named.
    """
    rounds = view.rounds[memory.observed :]
    steps = []
    for one in rounds:
        try:
            steps.append(Step(one.index, one.id, memory.observe(one)))
        except MnemoscopeError as error:
            said = f"{memory.spec.name}: round {one.index + 1} of {len(view.rounds)}: {error}"
            raise MnemoscopeError(said, hint=error.hint) from error
        progress(memory.observed)
    last = memory.finalize()
    if last.added or last.changed or last.removed or last.warnings:
        steps.append(Step(len(view.rounds) - 1, "", last))
    memory.freeze()
    return _receipt(rounds, steps), tuple(steps)


def _receipt(rounds: tuple[RoundView, ...], steps: list[Step]) -> Receipt:
    heard = {step.round for step in steps if step.delta.absorbed}
    for step in steps:
        for item in (*step.delta.added, *step.delta.changed):
            heard.update(item.rounds)
    messages = [message for one in rounds for message in one.messages]
    media = [one for message in messages for one in message.media]
    return Receipt(
        offered=len(rounds),
        taken_in=sum(one.id in heard for one in rounds),
        unheard=tuple(one.id for one in rounds if one.id not in heard),
        messages=_counted(message.role.value for message in messages),
        media=_counted(one.kind.value for one in media),
        without_text=sum(not one.caption for one in media),
        warnings=tuple(said for step in steps for said in step.delta.warnings),
    )


def _counted(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(names).items()))
