"""The virtual list: start and jump to the end with 100,000 rows ÷ the same with 1,000."""

import asyncio
import statistics
import time
from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult

from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.themes import ThemedApp
from mnemoscope.viewers.virtual_list import VirtualList

ROUNDS = 5


class _Rows:
    columns: Sequence[Column] = (Column("id", 10), Column("question", 20, flex=1))

    def __init__(self, count: int) -> None:
        self.row_count = count

    def cells(self, row: int) -> Sequence[Text | str]:
        return f"q{row}", f"What happened on day {row}, and who said so?"


class _ListApp(ThemedApp[None]):
    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def compose(self) -> ComposeResult:
        yield VirtualList(_Rows(self._count))


async def _measure(count: int) -> float:
    start = time.perf_counter()
    app = _ListApp(count)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("end")
        assert app.query_one(VirtualList).cursor == count - 1
        return time.perf_counter() - start


def main() -> None:
    """Print the ratio."""
    small, large = [], []
    for _ in range(ROUNDS):
        small.append(asyncio.run(_measure(1_000)))
        large.append(asyncio.run(_measure(100_000)))
    a, b = statistics.median(small), statistics.median(large)
    print(f"list of 1,000: {a * 1000:.0f} ms, of 100,000: {b * 1000:.0f} ms, ratio {b / a:.2f}")


if __name__ == "__main__":
    main()
