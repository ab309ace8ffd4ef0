"""The prompts that judge models get: a frame and the demands of each kind of question.

They are versioned files. A prompt is changed by adding a file with the next number; every verdict
says which one asked for it, and a judge's name changes with the hash of all of them.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from mnemoscope.core.model import GoldKind, Question

__all__ = ["CATEGORIES", "JudgePrompt", "category_of", "prompt_of", "prompts_hash"]

_FRAME = "frame-1"
CATEGORIES: Mapping[str, str] = {
    "open": "open-1",
    "temporal": "temporal-1",
    "update": "update-1",
    "preference": "preference-1",
    "refusal": "refusal-1",
    "option": "option-1",
    "current_state": "current_state-1",
    "past_state": "past_state-1",
    "derived_state": "derived_state-1",
    "change_history": "change_history-1",
    "conflict_refusal": "conflict_refusal-1",
}
"""The file of each kind of question; the last five are DSV-Mem's categories."""
_DSV = ("current_state", "past_state", "derived_state", "change_history", "conflict_refusal")
_UPDATES = ("knowledge_update", "knowledge_resolution", "conflict_resolution")
_SLOT = re.compile(r"\{(demands|material)\}")
_PART = "\n---\n"


def category_of(question: Question) -> str:
    """Which demands apply to a question, by its gold, its task and whether it can be answered."""
    task = question.task
    if question.gold.kind is GoldKind.OPTION:
        return "option"
    if task in _DSV:
        return task
    if not question.answerable:
        return "refusal"
    if task.startswith("temporal"):
        return "temporal"
    if task in _UPDATES:
        return "update"
    return "preference" if "preference" in task else "open"


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """What a judge is asked about questions of one kind."""

    name: str
    """The files' names and the hash of both together."""
    system: str
    user: str
    """With a slot for the material."""

    def messages(self, material: str) -> tuple[Mapping[str, str], ...]:
        """The messages for one answer."""
        return (
            {"role": "system", "content": self.system},
            {"role": "user", "content": _whole(_fill(self.user, {"material": material}))},
        )


@cache
def prompt_of(category: str) -> JudgePrompt:
    """The prompt for a kind of question, one of ``CATEGORIES``."""
    file = CATEGORIES[category]
    system, _, user = _read(_FRAME).partition(_PART)
    system = _fill(system, {"demands": _read(file).strip()}).strip()
    digest = hashlib.sha256(f"{system}{_PART}{user}".encode()).hexdigest()
    return JudgePrompt(f"{file} {digest[:12]}", system, user.strip())


@cache
def prompts_hash() -> str:
    """The hash of every prompt, as 64 hexadecimal digits."""
    names = sorted(prompt_of(category).name for category in CATEGORIES)
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


def _read(name: str) -> str:
    source = resources.files(__package__) / "prompts" / f"{name}.md"
    return source.read_text("utf-8").replace("\r\n", "\n")


def _fill(text: str, values: Mapping[str, str]) -> str:
    # In one pass: what is filled in may look like a slot.
    return _SLOT.sub(lambda found: values.get(found[1], found[0]), text)


def _whole(text: str) -> str:
    """The text with half surrogate pairs, which no request can carry, replaced."""
    return text.encode("utf-8", "replace").decode()
