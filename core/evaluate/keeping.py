"""Writing records while others are being made, without holding anybody up."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType

from mnemoscope.core.evaluate.recording import Made
from mnemoscope.core.model import Record
from mnemoscope.core.runs.native.store import RunStore

__all__ = ["Keeper"]

_AT_ONCE = 16
"""How many records are written at a time: a disk takes many together almost as fast as one."""
_WAITING = 4 * _AT_ONCE
"""How many may wait for the disk before no more is asked."""


class Keeper:
    """Has records written by threads; whoever leaves it waits until all are."""

    def __init__(self, store: RunStore, written: Callable[[Record], None]) -> None:
        """Get ready.

        Args:
            store: Where records go.
            written: Called, in the event loop, when a record is in the file.
        """
        self._store = store
        self._written = written
        self._pool = ThreadPoolExecutor(_AT_ONCE, "write")
        self._room = asyncio.Semaphore(_WAITING)
        self._pending: set[asyncio.Future[None]] = set()
        self._error: BaseException | None = None

    async def keep(self, one: Made) -> None:
        """Have a record written; returns at once while the disk keeps up.

        Raises:
            InputError: An earlier record could not be written.
        """
        self.require_sound()
        await self._room.acquire()
        append = partial(self._store.append, one.record, context=one.context, extra=one.extra)
        future = asyncio.get_running_loop().run_in_executor(self._pool, append)
        self._pending.add(future)
        future.add_done_callback(partial(self._done, one.record))

    def _done(self, record: Record, future: "asyncio.Future[None]") -> None:
        self._pending.discard(future)
        self._room.release()
        if future.cancelled():
            return
        error = future.exception()
        if error is None:
            self._written(record)
        else:
            self._error = self._error or error

    def require_sound(self) -> None:
        """Stop where records can no longer be written.

        Raises:
            InputError: A record could not be written.
        """
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
            while self._pending:
                await asyncio.wait(self._pending)
        finally:
            self._pool.shutdown()
        if error is None:
            self.require_sound()
