"""Asking a judge model about one answer, within a budget."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mnemoscope.core.backbones.endpoint import Endpoint
from mnemoscope.core.backbones.replies import Failure, FailureKind, Reply
from mnemoscope.core.judges.material import material
from mnemoscope.core.judges.prompt import category_of, prompt_of
from mnemoscope.core.judges.reply import Said, read_verdict
from mnemoscope.core.model import GoldKind, Question, Textualisation

__all__ = ["Budget", "ask", "has_gold", "question_messages"]

_ASKS = 3
"""How often a judge is asked whose reply is blank or no verdict."""


@dataclass
class Budget:
    """What a sitting may use, and has used."""

    calls: int | None = None
    """The most calls; no limit when None."""
    tokens: int | None = None
    """The most tokens of prompts and replies, as the endpoint counts them."""
    used: Counter[str] = field(default_factory=Counter)
    """``calls`` and ``tokens`` so far; calls on their way are among them."""

    def take(self) -> bool:
        """Take one call out of it; whether there was one left."""
        if self.spent:
            return False
        self.used["calls"] += 1
        return True

    @property
    def spent(self) -> str:
        """What is used up, in words; empty while there is something left."""
        if self.calls is not None and self.used["calls"] >= self.calls:
            return f"{self.calls:,} calls are made"
        if self.tokens is not None and self.used["tokens"] >= self.tokens:
            return f"{self.used['tokens']:,} of {self.tokens:,} tokens are used"
        return ""


def has_gold(question: Question) -> bool:
    """Whether the release says what is right: a gold, or that declining is."""
    return question.gold.kind is not GoldKind.NONE or not question.answerable


def question_messages(
    question: Question, answer: str, shown: Textualisation
) -> Sequence[Mapping[str, str]]:
    """What a model is told of an answer to a question."""
    return prompt_of(category_of(question)).messages(material(question, answer, shown))


async def ask(
    endpoint: Endpoint, model: str, messages: Sequence[Mapping[str, str]], budget: Budget
) -> tuple[Said | Failure | str, Sequence[Reply]]:
    """Ask a judge, again where the reply is blank or no verdict; what it said, or why it failed.

    The first call has been taken out of the budget already.
    """
    replies: list[Reply] = []
    said: Said | Failure | str = ""
    for attempt in range(_ASKS):
        if attempt and not budget.take():
            break
        reply = await endpoint.complete(model, messages)
        if isinstance(reply, Failure):
            said = reply
            if reply.kind is FailureKind.BLANK:
                continue
            break
        replies.append(reply)
        budget.used["tokens"] += (reply.usage.prompt or 0) + (reply.usage.completion or 0)
        read = read_verdict(reply.text)
        if isinstance(read, Said):
            return read, replies
        said = f"unusable reply: {read.why}"
    return said, replies
