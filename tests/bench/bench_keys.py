"""Key press to painted next question, and next round, on a CUE-Mem-sized release with runs."""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.app import MnemoscopeApp
from tests.bench.bench_paint import MAKER

PRESSES = 40


async def _measure(out: Path) -> None:
    request = OpenRequest(out, (out / "result_debug", out / "RQ3"))
    app = MnemoscopeApp(request, remember=False)
    async with app.run_test(size=(120, 36)) as pilot:
        # Opened as a user opens it, for what the app does about the collector counts too.
        while app.desk is None or app.reading or app.workers:
            await pilot.pause(0.2)
        app.show_question(next(iter(app.desk.workspace.release.questions)))
        await pilot.pause(0.5)
        await _press(app, "action_next_question", "next question")
        app.action_history()
        await pilot.pause(0.5)
        await _press(app, "action_next_round", "next round")
        await _press(app, "action_next_session", "next session")


async def _press(app: MnemoscopeApp, action: str, name: str) -> None:
    times = []
    for _ in range(PRESSES):
        painted = asyncio.Event()
        start = time.perf_counter()
        getattr(app.screen, action)()
        app.screen.call_after_refresh(painted.set)
        await painted.wait()
        times.append(time.perf_counter() - start)
        await asyncio.sleep(0.02)
    times.sort()
    middle, late = statistics.median(times), times[int(0.95 * len(times))]
    print(f"{name}: median {middle * 1000:.1f} ms, 95th percentile {late * 1000:.1f} ms")


def main() -> None:
    """Print the times."""
    if not MAKER.exists():
        print("key presses: skipped, ../shared/tools/make_cue_release.py is not here")
        return
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "release"
        subprocess.run(
            [sys.executable, str(MAKER), "--out", str(out), "--runs", "10", "--media", "stubs"],
            check=True,
            capture_output=True,
        )
        asyncio.run(_measure(out))


if __name__ == "__main__":
    main()
