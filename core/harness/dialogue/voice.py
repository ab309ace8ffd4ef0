"""Voices: in whose words the two of a scenario speak."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.backbones.endpoint import Endpoint
from mnemoscope.core.harness.dialogue.rephrasing import Rephrased, prompt_id, rephrase
from mnemoscope.core.harness.dialogue.turn import Turn
from mnemoscope.core.harness.scenario import Scenario

__all__ = ["FORMS", "Voice", "model_voice", "said_by"]

Speak = Callable[[Sequence[Turn], Scenario], Sequence[Rephrased]]


@dataclass(frozen=True)
class Voice:
    """Who words a dialogue."""

    name: str
    """``forms`` or ``model``."""
    speak: Speak
    """From turns in the words of the forms to turns as they are used."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What else a release should say of it, as JSON."""


FORMS = Voice("forms", lambda turns, scenario: [Rephrased(one) for one in turns])
"""The forms themselves: the same words for the same seed."""


def model_voice(
    opened: Callable[[], Endpoint],
    model: str,
    *,
    tries: int = 3,
    about: Mapping[str, Any] | None = None,
    tell: Callable[[Rephrased], None] = lambda one: None,
) -> Voice:
    """A model that puts every turn in its own words, where they pass the check.

    Args:
        opened: Opens the endpoint.
        model: The model's name there.
        tries: How often it is asked for one turn.
        about: What else a release should say of it, such as the temperature.
        tell: Hears of each turn when it is done.
    """

    async def ask(turns: Sequence[Turn], scenario: Scenario) -> Sequence[Rephrased]:
        async with opened() as endpoint:
            return await rephrase(turns, scenario, endpoint, model, tries=tries, tell=tell)

    said = {"model": model, "prompt": prompt_id(), "tries": tries, **(about or {})}
    return Voice("model", lambda turns, scenario: asyncio.run(ask(turns, scenario)), said)


def said_by(voice: Voice, found: Sequence[Rephrased]) -> dict[str, Any]:
    """What a release says of how its dialogue was worded, as JSON. Evaluator-only."""
    if voice is FORMS:
        return {"name": voice.name}
    return {
        "name": voice.name,
        **voice.about,
        "turns": len(found),
        "in_own_words": sum(bool(one.model) for one in found),
        "kept": [
            {"round": one.turn.round, "attempts": one.attempts, "problems": list(one.problems)}
            for one in found
            if not one.model
        ],
    }
