"""Many questions at once, so many at a time."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import TypeVar

__all__ = ["as_finished"]

J = TypeVar("J")
R = TypeVar("R")


async def as_finished(
    jobs: Iterable[J], ask: Callable[[J], Awaitable[R]], at_once: int
) -> AsyncGenerator[tuple[J, R], None]:
    """Do jobs, never more than so many at a time; each is given back when it is done.

    Jobs are taken only as there is room for them. Whoever stops listening (``aclose``), or is
    interrupted, cancels what is still on its way.

    Args:
        jobs: What is to be done, in order.
        ask: What does it.
        at_once: How many may be on their way.
    """
    rest = iter(jobs)
    running: dict[asyncio.Future[R], J] = {}
    try:
        while True:
            while len(running) < at_once:
                try:
                    job = next(rest)
                except StopIteration:
                    break
                running[asyncio.ensure_future(ask(job))] = job
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                yield running.pop(one), one.result()
    finally:
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)
