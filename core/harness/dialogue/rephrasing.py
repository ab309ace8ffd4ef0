"""Rephrasing: a model puts turns in its own words, and the check decides whether they are used.

A model is given the template's text and nothing of the scenario, so that it cannot give away what
the text does not say. What it writes is read like any other turn; where it fails again and again
the template's text stays, and the record says so.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import pairwise

from mnemoscope.core.backbones.batch import as_finished
from mnemoscope.core.backbones.endpoint import Endpoint
from mnemoscope.core.backbones.replies import Failure
from mnemoscope.core.backbones.request import Message
from mnemoscope.core.errors import ProviderError
from mnemoscope.core.harness.dialogue.leakage import LeakCheck
from mnemoscope.core.harness.dialogue.repetition import plain
from mnemoscope.core.harness.dialogue.turn import Turn
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model.history import Role

__all__ = ["PROMPT", "Rephrased", "prompt_id", "rephrase"]

PROMPT = "rephrase-1"
_PART = "\n---\n"
_SLOT = re.compile(r"\{(\w+)\}")
_LONGER, _MORE_WORDS = 2, 60
"""How much longer than the draft a rewording may be: so many times, or so many words more."""
_SPEAKERS = {Role.USER: "user", Role.ASSISTANT: "assistant"}


@dataclass(frozen=True, slots=True)
class Rephrased:
    """A turn as it is used, and how it came about."""

    turn: Turn
    model: str = ""
    """Whose words they are; empty for the template's."""
    attempts: int = 0
    """How often a model was asked."""
    problems: tuple[str, ...] = ()
    """What was wrong with what it wrote, in the order of the attempts."""


@cache
def _parts() -> tuple[str, ...]:
    source = resources.files(__package__) / "prompts" / f"{PROMPT}.md"
    return tuple(source.read_text("utf-8").replace("\r\n", "\n").split(_PART))


def prompt_id() -> str:
    """Name and version of the prompt, and the start of the hash of its file."""
    digest = hashlib.sha256(_PART.join(_parts()).encode()).hexdigest()
    return f"{PROMPT} {digest[:12]}"


async def rephrase(
    turns: Sequence[Turn],
    scenario: Scenario,
    endpoint: Endpoint,
    model: str,
    *,
    tries: int = 3,
    at_once: int = 8,
    tell: Callable[[Rephrased], None] = lambda one: None,
) -> list[Rephrased]:
    """A dialogue in a model's words, as far as they pass the check.

    Args:
        turns: What is said, in the words of the templates.
        scenario: The scenario that it is said of.
        endpoint: Who is asked.
        model: The model's name there.
        tries: How often it is asked for one turn, each time told what was wrong.
        at_once: How many turns may be on their way.
        tell: Hears of each turn when it is done.

    Raises:
        ProviderError: Asking on would not help.
        TransitionError: The trajectory cannot be carried out.
    """
    asking = _Asking(scenario, LeakCheck(scenario), endpoint, model, tries)
    before = {one.round: last.text for last, one in pairwise(turns)}
    found: dict[str, Rephrased] = {}

    async def ask(turn: Turn) -> Rephrased:
        return await asking.rephrased(turn, before.get(turn.round, ""))

    async with aclosing(as_finished(turns, ask, at_once)) as finished:
        async for turn, one in finished:
            found[turn.round] = one
            tell(one)
    return _without_repetition(turns, [found[one.round] for one in turns])


def _without_repetition(turns: Sequence[Turn], found: Sequence[Rephrased]) -> list[Rephrased]:
    """Rewordings that say what was said before give way to the template's text."""
    said: set[str] = set()
    result = []
    for draft, one in zip(turns, found, strict=True):
        if plain(one.turn.text) in said:
            problems = (*one.problems, "it was said before in the same words")
            one = Rephrased(draft, attempts=one.attempts, problems=problems)
        said.add(plain(one.turn.text))
        result.append(one)
    return result


@dataclass(frozen=True, slots=True)
class _Asking:
    scenario: Scenario
    check: LeakCheck
    endpoint: Endpoint
    model: str
    tries: int

    async def rephrased(self, turn: Turn, before: str) -> Rephrased:
        talk = list(self._messages(turn, before))
        problems: list[str] = []
        for attempt in range(1, self.tries + 1):
            said = await self.endpoint.complete(self.model, talk)
            if isinstance(said, Failure):
                if said.kind.is_final:
                    raise ProviderError(f"{self.model}: {said}")
                # The endpoint has been asked as often as it helps.
                return Rephrased(turn, attempts=attempt, problems=(*problems, str(said)))
            new = replace(turn, text=_bare(said.text))
            wrong = list(self._problems(turn, new))
            if not wrong:
                return Rephrased(new, self.model, attempt, tuple(problems))
            problems.append("; ".join(wrong))
            listed = "\n".join(f"- {one}" for one in wrong)
            talk.append({"role": "assistant", "content": said.text})
            talk.append({"role": "user", "content": _filled(_parts()[2], {"problems": listed})})
        return Rephrased(turn, attempts=self.tries, problems=tuple(problems))

    def _messages(self, turn: Turn, before: str) -> Sequence[Message]:
        talk = self.scenario.pack.dialogue
        slots = {
            "user": talk.user,
            "goal": talk.goal,
            "speaker": _SPEAKERS[turn.role],
            "before": before or "(nothing, it is the first message)",
            "draft": turn.text,
        }
        system, user, _ = _parts()
        return [
            {"role": "system", "content": _filled(system, slots).strip()},
            {"role": "user", "content": _filled(user, slots).strip()},
        ]

    def _problems(self, draft: Turn, new: Turn) -> list[str]:
        """What is wrong with a rewording, in words that a model is told."""
        most = max(_LONGER * len(draft.text.split()), len(draft.text.split()) + _MORE_WORDS)
        found = [f"found {one.found}, expected {one.expected}" for one in self.check.of(new)]
        if len(new.text.split()) > most:
            found.append(f"found {len(new.text.split())} words, expected at most {most}")
        return found


def _filled(text: str, values: Mapping[str, str]) -> str:
    # In one pass: what is filled in may look like a slot.
    return _SLOT.sub(lambda found: values.get(found[1], found[0]), text)


def _bare(text: str) -> str:
    """A message without what models put around it: blank lines, a fence, quotes."""
    bare = text.replace("\r\n", "\n").strip()
    fence = re.fullmatch(r"```\w*\n(.*?)\n?```", bare, re.DOTALL)
    bare = fence[1].strip() if fence else bare
    if len(bare) > 1 and bare[0] == bare[-1] == '"' and '"' not in bare[1:-1]:
        bare = bare[1:-1].strip()
    return bare
