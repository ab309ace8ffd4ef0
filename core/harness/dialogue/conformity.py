"""Conformity: whether a dialogue is that of its scenario, and nothing leaks from it."""

from collections.abc import Iterator, Sequence

from mnemoscope.core.harness.dialogue.leakage import LeakCheck
from mnemoscope.core.harness.dialogue.repetition import repeated
from mnemoscope.core.harness.dialogue.turn import Finding, Slip, Turn
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model.history import Role

__all__ = ["dialogue_findings"]


def dialogue_findings(turns: Sequence[Turn], scenario: Scenario) -> list[Finding]:
    """Everything that is wrong in a dialogue.

    Checked are that it has the turns and the pictures of its scenario in their order, that no turn
    is said twice, that each states what it has to state, and that none gives anything away.

    Raises:
        TransitionError: The trajectory cannot be carried out.
    """
    check = LeakCheck(scenario)
    found = list(_structure(turns, scenario))
    again = "the words of an earlier turn", "new ones"
    found += [Finding(one.round, Slip.REPEATED, *again) for one in repeated(turns)]
    for turn in turns:
        found += check.of(turn)
    return found


def _structure(turns: Sequence[Turn], scenario: Scenario) -> Iterator[Finding]:
    wanted: list[tuple[str, Role, str]] = []
    for block in scenario.blocks:
        wanted.append((block.round, Role.USER, block.picture))
        wanted.append((block.reply, Role.ASSISTANT, ""))
    found = [(one.round, one.role, one.picture) for one in turns]
    for at, (one, other) in enumerate(zip(found, wanted, strict=False)):
        if one != other:
            yield Finding(turns[at].round, Slip.STRUCTURE, _in_words(one), _in_words(other))
    if len(found) != len(wanted):
        last = turns[-1].round if turns else ""
        yield Finding(last, Slip.STRUCTURE, f"{len(found)} turns", f"{len(wanted)} turns")


def _in_words(turn: tuple[str, Role, str]) -> str:
    key, role, picture = turn
    return f"{key} by the {role} with {picture or 'no picture'}"
