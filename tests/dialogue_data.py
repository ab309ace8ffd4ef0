"""Scenarios with what is said in them, for tests; each is made once."""

from functools import cache

from mnemoscope.core.harness.dialogue.leakage import LeakCheck
from mnemoscope.core.harness.dialogue.realisation import realise
from mnemoscope.core.harness.dialogue.scene import Scene, scenes_of
from mnemoscope.core.harness.dialogue.turn import Turn
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.harness.trajectory import expert_scenario
from tests.pack_data import PACKS

NAMES = list(PACKS)


@cache
def scenario_of(name: str, seed: int = 1) -> Scenario:
    return expert_scenario(PACKS[name], seed)


@cache
def dialogue_of(name: str, seed: int = 1) -> tuple[Turn, ...]:
    return realise(scenario_of(name, seed))


@cache
def scenes(name: str, seed: int = 1) -> tuple[Scene, ...]:
    return scenes_of(scenario_of(name, seed))


@cache
def check_of(name: str, seed: int = 1) -> LeakCheck:
    return LeakCheck(scenario_of(name, seed), scenes(name, seed))


def said_in(name: str, seed: int = 1) -> list[tuple[Scene, Turn, Turn]]:
    """Each scene with what the user and the assistant say in it."""
    by_round = {one.round: one for one in dialogue_of(name, seed)}
    return [
        (one, by_round[one.block.round], by_round[one.block.reply]) for one in scenes(name, seed)
    ]
