"""Scenarios with their questions, for tests: made once."""

from functools import cache

from mnemoscope.core.harness.questions.category import COUNTS, counts_for
from mnemoscope.core.harness.questions.desk import Desk
from mnemoscope.core.harness.questions.mined import MinedQuestion
from mnemoscope.core.harness.questions.mining import mine
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.harness.trajectory import expert_scenario
from tests.pack_data import PACKS

FULL = [(name, 1) for name in PACKS]
SMALL = [(name, seed) for name in PACKS for seed in (2, 3)]


@cache
def scenario(name: str, seed: int) -> Scenario:
    return expert_scenario(PACKS[name], seed)


@cache
def desk(name: str, seed: int) -> Desk:
    return Desk(scenario(name, seed))


@cache
def questions(name: str, seed: int) -> tuple[MinedQuestion, ...]:
    """All hundred of a full scenario, fewer of the others."""
    counts = COUNTS if (name, seed) in FULL else counts_for(16)
    return mine(scenario(name, seed), counts)
