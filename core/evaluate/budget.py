"""What a run may take, and what it has taken."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mnemoscope.core.backbones.backbone import Tokens
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model.values import value

__all__ = ["ATTEMPTS", "COMPLETION", "PROMPT", "Limits", "Prices", "Spending"]

PROMPT, COMPLETION, ATTEMPTS = "prompt_tokens", "completion_tokens", "attempts"
"""What records say under ``usage``."""

_MILLION = 1_000_000


@value
class Prices:
    """What a million tokens cost, in any currency."""

    prompt: float
    completion: float

    def cost(self, prompt: float, completion: float) -> float:
        """What tokens cost."""
        return (self.prompt * prompt + self.completion * completion) / _MILLION


@value
class Limits:
    """What a whole run may take; None is no limit."""

    tokens: float | None = None
    calls: float | None = None
    seconds: float | None = None
    """By the clock, counted anew when a run is resumed."""
    cost: float | None = None

    def require_prices(self, prices: Prices | None) -> None:
        """Refuse a limit that could not be held.

        Raises:
            UsageError: The cost is limited, and the prices are not known.
        """
        if self.cost is not None and prices is None:
            raise UsageError(
                "a limit of the cost needs the model's prices; none is assumed",
                hint="give --price-prompt and --price-completion, for a million tokens each",
            )

    def as_json(self) -> dict[str, float]:
        """The limits that there are, by name."""
        return {
            name: limit
            for name in ("tokens", "calls", "seconds", "cost")
            if (limit := getattr(self, name)) is not None
        }


@dataclass
class Spending:
    """What a run has taken so far, held against its limits."""

    limits: Limits = field(default_factory=Limits)
    prices: Prices | None = None
    clock: Callable[[], float] = time.monotonic
    prompt: float = 0
    completion: float = 0
    calls: float = 0

    def __post_init__(self) -> None:
        self._start = self.clock()

    def take_up(self, usage: Mapping[str, float]) -> None:
        """Count what the records of an earlier part of the run took."""
        self.prompt += usage.get(PROMPT, 0)
        self.completion += usage.get(COMPLETION, 0)
        self.calls += usage.get(ATTEMPTS, 0)

    def add(self, tokens: Tokens, calls: int) -> None:
        """Count an answer.

        Args:
            tokens: What it took.
            calls: How many requests it took.
        """
        self.prompt += tokens.prompt or 0
        self.completion += tokens.completion or 0
        self.calls += calls

    @property
    def seconds(self) -> float:
        """Seconds since this part of the run began."""
        return self.clock() - self._start

    @property
    def cost(self) -> float | None:
        """What the tokens cost; None when the prices are not known."""
        return self.prices.cost(self.prompt, self.completion) if self.prices else None

    def reached(self) -> str:
        """The limit that is reached, with what was taken, in words; empty while there is none."""
        taken = {
            "tokens": self.prompt + self.completion,
            "calls": self.calls,
            "seconds": self.seconds,
            "cost": self.cost or 0.0,
        }
        for name, limit in self.limits.as_json().items():
            if taken[name] >= limit:
                return f"{name}: {_number(taken[name])} of {_number(limit)}"
        return ""

    def as_json(self) -> dict[str, float | None]:
        """What was taken."""
        return {
            PROMPT: self.prompt,
            COMPLETION: self.completion,
            "calls": self.calls,
            "seconds": round(self.seconds, 3),
            "cost": self.cost,
        }


def _number(amount: float) -> str:
    return f"{amount:,.0f}" if amount >= 100 else f"{amount:,.4g}"
