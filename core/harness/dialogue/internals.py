"""Internals: what the machinery calls things, and nobody in a conversation does."""

import re
from collections.abc import Iterator

from mnemoscope.core.harness.dialogue.reading import phrase_pattern
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.state.operators import Operator

__all__ = ["internal_pattern"]

_TELLING = re.compile(r"[_\d:/]")
"""What sets a key apart from a word: `seeds` is both, and no harm."""
_JARGON = (
    *("text_backed", "visual_declared", "accepted state", "visual state", "truth graph"),
    *("truth file", "ground truth", "composite", "noop", "no-op"),
)


def internal_pattern(scenario: Scenario) -> re.Pattern[str]:
    """A pattern for every key, id and slug of a scenario, in any case."""
    words = {one for one in _internals(scenario) if _TELLING.search(one)} | set(_JARGON)
    return re.compile(phrase_pattern(words).pattern, re.IGNORECASE)


def _internals(scenario: Scenario) -> Iterator[str]:
    pack, trajectory = scenario.pack, scenario.truth.trajectory
    yield from (pack.name, scenario.truth.history_id, *Operator)
    for block in scenario.blocks:
        yield from (block.round, block.reply, block.transition)
    yield from scenario.pictures
    yield from (one.key for one in pack.artifacts)
    schema = trajectory.schema
    for declared in (schema.fields, schema.rules, schema.dependencies, schema.orderings):
        yield from (one.key for one in declared)
    for record in trajectory.records:
        yield from (one.component.entity for one in record.changes)
    for artifact in scenario.truth.artifacts:
        yield from (one.entity for one in artifact.shows)
