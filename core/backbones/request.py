"""A chat request, and what can be left out of it where an endpoint does not take it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LEAST_TOKENS", "PAPER", "THINKING", "Message", "Parameters", "Request"]

LEAST_TOKENS = 128
"""The least room for a reply that a request is cut down to."""

THINKING = "chat_template_kwargs"
"""The parameter that switches thinking off."""

Message = Mapping[str, Any]
"""A message in the API's own form: role and content, the latter text or a list of parts."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """How a model is to answer."""

    temperature: float = 0.0
    max_tokens: int = 1024
    seed: int = 42
    thinking: bool = True
    """Whether models that think before they answer may; False asks the endpoint to switch it off.
    """


PAPER = Parameters()
"""CUE-Mem's protocol."""


@dataclass
class Request:
    """One request on its way, which the endpoint's objections change."""

    model: str
    messages: Sequence[Message]
    parameters: Parameters = PAPER
    adapted: list[str] = field(default_factory=list)
    """Every change, in words."""

    def __post_init__(self) -> None:
        self._optional: dict[str, Any] = {
            "temperature": self.parameters.temperature,
            "max_tokens": self.parameters.max_tokens,
            "seed": self.parameters.seed,
        }
        if not self.parameters.thinking:
            # What vLLM, SGLang and llama.cpp hand to the model's chat template.
            self._optional[THINKING] = {"enable_thinking": False}

    @property
    def body(self) -> dict[str, Any]:
        """What is sent."""
        return {"model": self.model, "messages": list(self.messages), **self._optional}

    def shorten(self) -> bool:
        """Ask for half as long a reply, down to ``LEAST_TOKENS``; whether there was room to."""
        for name in ("max_tokens", "max_completion_tokens"):
            now = self._optional.get(name, 0)
            if now > LEAST_TOKENS:
                self._optional[name] = max(LEAST_TOKENS, int(now) // 2)
                self.adapted.append(f"{name} {self._optional[name]}")
                return True
        return False

    @property
    def has_media(self) -> bool:
        """Whether there are images or audio in it."""
        contents = (one.get("content") for one in self.messages)
        parts = (part for content in contents if isinstance(content, list) for part in content)
        return any(part.get("type") != "text" for part in parts)

    def join_turns(self) -> bool:
        """Make one turn of neighbouring ones of the same role; whether there were any.

        Some chat templates want user and assistant to take turns.
        """
        joined: list[dict[str, Any]] = []
        for one in self.messages:
            if joined and joined[-1]["role"] == one["role"]:
                joined[-1]["content"] = _joined(joined[-1]["content"], one["content"])
            else:
                joined.append(dict(one))
        if len(joined) == len(self.messages):
            return False
        self.messages = joined
        self.adapted.append("turns joined")
        return True

    def leave_out(self, name: str) -> bool:
        """Do without a parameter that is not taken; whether it was there.

        Newer models take the length of the reply under another name alone.
        """
        value = self._optional.pop(name, None)
        if value is None:
            return False
        if name == "max_tokens":
            self._optional["max_completion_tokens"] = value
        self.adapted.append(f"without {name}")
        return True


def _joined(first: Any, second: Any) -> Any:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*_parts(first), *_parts(second)]


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
