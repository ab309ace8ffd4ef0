"""Running an evaluation: histories one by one, questions so many at a time, records as they come.

What stops a run early leaves a folder that the same command goes on with. A record is either in the
file or not yet made; answers that were on their way when the run was stopped are asked for again.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from mnemoscope.core.backbones.backbone import Answered
from mnemoscope.core.evaluate.budget import Spending
from mnemoscope.core.evaluate.evaluation import Evaluation, Row
from mnemoscope.core.evaluate.keeping import Keeper
from mnemoscope.core.evaluate.pace import Pace
from mnemoscope.core.evaluate.recalling import Asked, Job, Recaller
from mnemoscope.core.evaluate.recording import made, spoken
from mnemoscope.core.model import Record, RecordStatus
from mnemoscope.core.runs.native.events import EventLog
from mnemoscope.core.runs.native.store import RunStore, statuses_of

__all__ = ["RETRIED", "End", "Ending", "Runner", "finished_rows"]

RETRIED = frozenset(
    {RecordStatus.ERROR, RecordStatus.TIMEOUT, RecordStatus.BUDGET, RecordStatus.NOT_RUN}
)
"""Statuses of records that are made again when a run is resumed; blank answers are errors."""


class End(StrEnum):
    """How a run, or a part of it, came to its end."""

    FINISHED = "finished"
    BUDGET = "budget"
    """A limit was reached."""
    PROVIDER = "provider"
    """The endpoint cannot be reached, or used."""


@dataclass(frozen=True)
class Ending:
    """The end of a run or of a part of it."""

    end: End
    said: str = ""
    """Which limit, or what the endpoint said."""


class _UnusableError(Exception):
    """Asking on would not help."""


def finished_rows(folder: Path) -> frozenset[Row]:
    """The records of the run in a folder that would not be made again; none if there is no run."""
    statuses = statuses_of(folder)
    return frozenset(row for row, status in statuses.items() if status not in RETRIED)


class Runner:
    """Makes the records of an evaluation that a store does not hold yet."""

    def __init__(
        self,
        evaluation: Evaluation,
        store: RunStore,
        events: EventLog,
        *,
        watch: Callable[[Pace], None] = lambda _: None,
    ) -> None:
        """Get ready.

        Args:
            evaluation: What is run.
            store: Where records go.
            events: Where what happens is told.
            watch: Called when a record is in the file.
        """
        self._evaluation = evaluation
        self._store = store
        self._events = events
        self._watch = watch
        self.spending = Spending(evaluation.limits, evaluation.prices)
        self.spending.take_up(store.usage)
        done = store.finished_keys(RETRIED)
        rows = list(evaluation.rows)
        self.left: frozenset[Row] = frozenset(row for row in rows if row not in done)
        """The records that are to be made."""
        self.pace = Pace(len(rows), len(rows) - len(self.left))
        self._is_chat = evaluation.backbone is not None and evaluation.backbone.spec.is_chat
        self._reached = ""
        self._stopped = False

    async def run(self) -> Ending:
        """Make the records.

        Raises:
            MnemoscopeError: A memory cannot be built or asked, or a record cannot be written.
        """
        recaller = Recaller(self._evaluation, self._store.folder, lambda: self._stopped)
        backbone = self._evaluation.backbone
        with ThreadPoolExecutor(1, "recall") as pool:
            try:
                async with AsyncExitStack() as stack:
                    if backbone is not None:
                        await stack.enter_async_context(backbone)
                    # Left before the backbone: what has been answered is written, come what may.
                    keeper = await stack.enter_async_context(Keeper(self._store, self._count))
                    await self._ask_all(recaller, pool, keeper)
            except _UnusableError as error:
                return Ending(End.PROVIDER, str(error))
            finally:
                self._stopped = True
        return Ending(End.BUDGET if self._reached else End.FINISHED, self._reached)

    def _count(self, record: Record) -> None:
        self.pace.count(record.status)
        self._watch(self.pace)

    async def _ask_all(self, recaller: Recaller, pool: Executor, keeper: Keeper) -> None:
        jobs: asyncio.Queue[Job | None] = asyncio.Queue(self._evaluation.workers)
        workers = min(self._evaluation.workers, len(self.left))

        async def supply() -> None:
            async with aclosing(self._recalled(recaller, pool)) as recalled:
                async for asked in recalled:
                    for job in asked.jobs:
                        await jobs.put(job)
            for _ in range(workers):
                await jobs.put(None)

        async def work() -> None:
            # What is on its way when a limit is reached has been paid for, and is waited for.
            while (job := await jobs.get()) is not None and not self._is_over():
                await self._answer(job, keeper)

        await _together(supply(), [work() for _ in range(workers)])

    async def _recalled(self, recaller: Recaller, pool: Executor) -> AsyncGenerator[Asked, None]:
        """What memories bring back, history by history; the next is built while one is asked."""
        wanted = {key for key, _ in self.left}
        names = [
            name
            for name, questions in self._evaluation.by_history.items()
            if any(one.key in wanted for one in questions)
        ]

        def begin(place: int) -> Future[Asked] | None:
            return pool.submit(recaller.ask, names[place], self.left) if names[place:] else None

        ahead = begin(0)
        for place in range(len(names)):
            assert ahead is not None
            asked = await asyncio.wrap_future(ahead)
            ahead = begin(place + 1)
            self._tell_memory(asked)
            yield asked

    def _is_over(self) -> bool:
        self._reached = self._reached or self.spending.reached()
        return bool(self._reached)

    async def _answer(self, job: Job, keeper: Keeper) -> None:
        begun = time.monotonic()
        own, backbone = job.ask.recall.answer, self._evaluation.backbone
        if own is not None or backbone is None:
            answered = spoken(own or "")
        else:
            answered = await backbone.answer(job.ask)
        seconds = time.monotonic() - begun
        calls = answered.attempts if self._is_chat and own is None else 0
        self.spending.add(answered.tokens, calls)
        self._tell_answer(job, answered)
        if answered.stops:
            raise _UnusableError(answered.text)
        await keeper.keep(made(job, answered, self._evaluation.decides, seconds, calls))
        # A backbone in this process waits for nothing; whoever interrupts must be heard.
        await asyncio.sleep(0)

    def _tell_memory(self, asked: Asked) -> None:
        figures = {
            "snapshots": list(asked.snapshots),
            "rounds": asked.rounds,
            "unheard": asked.unheard,
            "questions": len({job.question.key for job in asked.jobs}),
            "built_seconds": round(asked.built_seconds, 3),
            "recalled_seconds": round(asked.recalled_seconds, 3),
        }
        self._events.add("memory", history=asked.history, extra=figures)

    def _tell_answer(self, job: Job, answered: Answered) -> None:
        about: dict[str, Any] = {"key": job.question.key, "repeat": job.repeat}
        if answered.attempts > 1:
            self._events.add("retried", extra={"attempts": answered.attempts}, **about)
        if answered.adapted:
            self._events.add("adapted", "; ".join(answered.adapted), **about)
        if answered.status is not RecordStatus.OK:
            figures = {"status": answered.status.value, "detail": answered.detail}
            self._events.add("failed", answered.text, extra=figures, **about)


async def _together(
    supply: Coroutine[Any, Any, None], work: Sequence[Coroutine[Any, Any, None]]
) -> None:
    """Let workers work until all are done; the first error, also of their supply, ends it all."""
    supplier = asyncio.ensure_future(supply)
    workers = {asyncio.ensure_future(one) for one in work}
    try:
        waiting = {supplier, *workers}
        while waiting & workers:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                one.result()
    finally:
        for one in (supplier, *workers):
            one.cancel()
        await asyncio.gather(supplier, *workers, return_exceptions=True)
