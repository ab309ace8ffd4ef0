"""Small talk: turns that bring no update, and are about a topic of the pack."""

from collections import Counter
from functools import cache
from pathlib import Path

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.dialogue.phrasebook import Phrasebook
from mnemoscope.core.harness.pack import Topic
from mnemoscope.core.model.values import value
from mnemoscope.core.toml_files import read_toml

__all__ = ["Question", "SmallTalk", "questions"]

_FILE = Path(__file__).parent / "questions.toml"


@value
class Question:
    """What the user can ask, and what the assistant can answer to it."""

    ask: tuple[str, ...]
    answer: tuple[str, ...]
    is_request: bool = False
    """Whether it asks for something to be done, not for an opinion."""


@cache
def questions() -> tuple[Question, ...]:
    """What can be asked about any topic."""
    found = read_toml(_FILE)["question"]
    return tuple(
        Question(tuple(one["ask"]), tuple(one["answer"]), one.get("is_request", False))
        for one in found
    )


class SmallTalk:
    """Deals out questions: those of a topic first, each once, then such as fit any topic."""

    def __init__(self, chance: Chance, book: Phrasebook) -> None:
        self._chance, self._book = chance, book
        self._left: dict[str, list[Question]] = {}
        self._asked: Counter[str] = Counter()

    def next(self, topic: Topic) -> Question:
        """What comes up next about a topic."""
        if topic.key not in self._left:
            pairs = [Question((ask,), (answer,)) for ask, answer in topic.talk]
            self._left[topic.key] = self._chance.sample(pairs, len(pairs))
        own = self._left[topic.key]
        return own.pop() if own else self._general()

    def _general(self) -> Question:
        left = self._left.setdefault("", [])
        if not left:
            left += self._chance.sample(questions(), len(questions()))
        return left.pop()
