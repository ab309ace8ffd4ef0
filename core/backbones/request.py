"""A chat request, and what can be left out of it where an endpoint does not take it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LEAST_TOKENS", "PAPER", "Message", "Parameters", "Request"]

LEAST_TOKENS = 128
"""The least room for a reply that a request is cut down to."""

Message = Mapping[str, Any]
"""A message in the API's own form: role and content, the latter text or a list of parts."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """How a model is to answer."""

    temperature: float = 0.0
    max_tokens: int = 1024
    seed: int = 42


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
        self._optional: dict[str, float | int] = {
            "temperature": self.parameters.temperature,
            "max_tokens": self.parameters.max_tokens,
            "seed": self.parameters.seed,
        }

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
