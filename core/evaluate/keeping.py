"""Writing records while others are being made, without holding anybody up."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType

from mnemoscope.core.evaluate.recording import Made
from mnemoscope.core.model import Record
from mnemoscope.core.runs.native.store import RunStore

__all__ = ["Keeper"]

_WAITING = 64
"""How many records may wait for the disk before no more is asked."""


class Keeper:
    """Has a thread write records, all that wait together; whoever leaves it waits for the last."""

    def __init__(self, store: RunStore, written: Callable[[Record], None]) -> None:
        """Get ready.

        Args:
            store: Where records go.
            written: Called, in the event loop, when a record is in the file.
        """
        self._store = store
        self._written = written
        self._pool = ThreadPoolExecutor(1, "write")
        self._waiting: deque[Made] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._room = asyncio.Semaphore(_WAITING)
        self._error: BaseException | None = None

    async def keep(self, one: Made) -> None:
        """Have a record written; returns at once while the disk keeps up.

        Raises:
            InputError: An earlier record could not be written.
        """
        await self._room.acquire()
        self._require_sound()
        self._waiting.append(one)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.ensure_future(self._write())

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting and self._error is None:
            batch = list(self._waiting)
            try:
                await loop.run_in_executor(self._pool, self._append, batch)
            except Exception as error:  # noqa: BLE001 - raised again by whoever comes next
                self._error = error
            for one in batch:
                self._room.release()
                if self._error is None:
                    self._written(one.record)

    def _append(self, batch: list[Made]) -> None:
        self._store.append_all((one.record, one.context, one.extra) for one in batch)
        # Only now: what is cancelled before its turn is still waiting.
        for _ in batch:
            self._waiting.popleft()

    def _require_sound(self) -> None:
        if self._error is not None:
            raise self._error

    async def __aenter__(self) -> "Keeper":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if self._writing is not None:
                # Somebody who interrupts cancels what waits for it, and not the writing.
                await asyncio.shield(self._writing)
        finally:
            self._pool.shutdown()
            if self._waiting and self._error is None:
                self._append(list(self._waiting))
        if error is None:
            self._require_sound()
