"""How fast a run goes and when it will be done."""

import time
from collections import Counter, deque
from collections.abc import Callable

from mnemoscope.core.model import RecordStatus

__all__ = ["Pace"]

_WINDOW = 30.0
"""Seconds that a rate is taken over."""
_MEASURED = frozenset({RecordStatus.OK, RecordStatus.UNPARSED})


class Pace:
    """Counts records as they are made."""

    def __init__(
        self, total: int, before: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Start counting.

        Args:
            total: How many records there are going to be.
            before: How many of them there were before.
            clock: What tells the time, in seconds.
        """
        self.total = total
        self.done = before
        self.statuses: Counter[RecordStatus] = Counter()
        """Those made since counting began."""
        self._clock = clock
        self._times = deque([(clock(), before)])

    def count(self, status: RecordStatus) -> None:
        """Count a record."""
        self.statuses[status] += 1
        self.done += 1
        now = self._clock()
        self._times.append((now, self.done))
        while len(self._times) > 2 and now - self._times[0][0] > _WINDOW:
            self._times.popleft()

    @property
    def rate(self) -> float | None:
        """Records a second, lately; None while there is nothing to tell it from."""
        (since, before), now = self._times[0], self._clock()
        return (self.done - before) / (now - since) if self.done > before and now > since else None

    @property
    def left(self) -> float | None:
        """Seconds until the end at this rate; None while that cannot be told."""
        return (self.total - self.done) / self.rate if self.rate else None

    def __str__(self) -> str:
        parts = [f"{self.done:,} of {self.total:,} records"]
        if self.rate is not None and self.left is not None:
            parts += [f"{self.rate:,.1f} a second", f"about {_duration(self.left)} left"]
        failed = sum(self.statuses.values()) - sum(self.statuses[one] for one in _MEASURED)
        if failed:
            parts.append(f"{failed:,} without an answer")
        return " · ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
