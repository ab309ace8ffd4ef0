"""The questions screen: what a person waits for with 100,000 questions ÷ the same with 1,000."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from mnemoscope.core.model import Record
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.viewers.virtual_list import VirtualList
from tests.workspace_data import (
    a_question,
    a_record,
    a_release,
    a_run,
    a_workspace,
    rounds_retrieved,
)

SIZES = (1_000, 100_000)


def _workspace(count: int) -> Workspace:
    asked = "What happened on day {}, and who said so about the lamp?"
    keys = [f"p0/{number}" for number in range(count)]
    release = a_release(a_question(key, text=asked.format(key)) for key in keys)
    runs = [
        a_run(f"run{run}", [_record(key, place, run) for place, key in enumerate(keys)])
        for run in range(2)
    ]
    return a_workspace(release, *runs)


def _record(key: str, place: int, run: int) -> Record:
    retrieval = rounds_retrieved("D00:00")
    return a_record(key, (place * 7 + run) % 3 != 0, metrics={"F1": place}, retrieval=retrieval)


async def _measure(count: int) -> dict[str, float]:
    workspace, app = _workspace(count), MnemoscopeApp(remember=False)
    times: dict[str, float] = {}

    async def timed(name: str, act: Callable[[], object]) -> None:
        start = time.perf_counter()
        act()
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        times[name] = time.perf_counter() - start

    async with app.run_test(size=(120, 36)) as pilot:
        app.open(OpenRequest(Path("nothing")))
        await pilot.pause(0.2)
        request = OpenRequest(Path("nothing"))
        app.post_message(MnemoscopeApp.Opened(request, workspace, whole=True))
        await pilot.pause(3)
        await timed("open the list", app.action_questions)
        screen = app.screen
        assert isinstance(screen, QuestionsScreen)
        rows = screen.query_one(VirtualList)
        await timed("jump to the end", rows.action_cursor_bottom)
        await timed("page up", rows.action_cursor_page_up)
        await timed("preset", screen.action_failures)
        await timed("regular expression", lambda: screen.apply("/day .*9+/"))
        await timed("sort by a figure", lambda: screen.sort_by("F1 of A"))
        await timed("columns", screen.action_columns)
    return times


def main() -> None:
    """Print the times and their ratios."""
    small, large = (asyncio.run(_measure(count)) for count in SIZES)
    for name, seconds in small.items():
        ratio = large[name] / seconds
        print(f"{name}: {seconds * 1000:.0f} ms, {large[name] * 1000:.0f} ms, ratio {ratio:.1f}")


if __name__ == "__main__":
    main()
