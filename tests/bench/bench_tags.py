"""The tag screen with 100,000 tagged records: reading tags, key presses ÷ with 1,000."""

import asyncio
import gc
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.tags.events import Action, TagEvent, Target, new_id
from mnemoscope.core.tags.fingerprint import release_hash, run_hash
from mnemoscope.core.tags.reading import with_tags
from mnemoscope.core.workspace import Workspace
from mnemoscope.core.writing import json_bytes
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.app_opening import _COLLECTOR_THRESHOLDS
from mnemoscope.tui.config import Config
from mnemoscope.tui.screens.tag import TagScreen
from mnemoscope.tui.screens.tally import TallyScreen
from tests.workspace_data import (
    a_question,
    a_record,
    a_release,
    a_run,
    a_workspace,
    rounds_retrieved,
)

SIZES = (1_000, 100_000)
PRESSES = 40
_TAGS = ("retrieval_miss", "evidence_use_failure", "distractor_dominance")
_ANNOTATORS = ("ann", "bob")


def _workspace(count: int) -> Workspace:
    asked = "What happened on day {}, and who said so about the lamp?"
    keys = [f"p0/{number}" for number in range(count)]
    questions = [
        a_question(key, text=asked.format(place), clues=("D01:01", "D02:02"))
        for place, key in enumerate(keys)
    ]
    retrieval = rounds_retrieved("D00:00", "D01:01", "D03:04")
    said = "Somebody said so on the second day, as far as the memory tells."
    runs = [
        a_run(name, [a_record(key, False, retrieval=retrieval, reasoning=said) for key in keys])
        for name in ("run0", "run1")
    ]
    return a_workspace(a_release(questions), *runs)


def _write_tags(workspace: Workspace, folder: Path) -> None:
    """Every record of the first run tagged by two annotators."""
    release, run = release_hash(workspace.release), run_hash(workspace.runs[0].run)
    for annotator in _ANNOTATORS:
        time_ = datetime(2026, 1, 1, tzinfo=UTC)
        with (folder / f"{annotator}.jsonl").open("wb") as file:
            for place, key in enumerate(workspace.release.questions):
                event = TagEvent(
                    id=new_id(),
                    time=time_ + timedelta(seconds=place),
                    annotator=annotator,
                    action=Action.ADD,
                    target=Target.of_record(key, run),
                    release=release,
                    taxonomy="cue_mem",
                    version=1,
                    tag=_TAGS[place % len(_TAGS)],
                )
                file.write(json_bytes(event.as_json()))


def _seconds(work: Callable[[], object]) -> float:
    """Seconds of the processor: what else the machine does is not counted."""
    start = time.process_time()
    made = work()
    took = time.process_time() - start
    del made
    return took


def _parse(folder: Path) -> list[object]:
    files = sorted(folder.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_bytes().splitlines()]


@contextmanager
def _timed(times: dict[str, float], name: str) -> Iterator[None]:
    start = time.process_time()
    yield
    times[name] = time.process_time() - start


async def _measure(count: int, folder: Path) -> dict[str, float]:
    workspace, times = _workspace(count), {}
    _write_tags(workspace, folder)
    times["json.loads of the events"] = _seconds(lambda: _parse(folder))
    times["hashing release and answers"] = _seconds(
        lambda: [release_hash(workspace.release), *(run_hash(run.run) for run in workspace.runs)]
    )
    times["reading the tags, hashes included"] = _seconds(
        lambda: with_tags(workspace, folder=folder)
    )
    app = MnemoscopeApp(remember=False, tags_folder=folder, config=Config(annotator="ann"))
    async with app.run_test(size=(120, 36)) as pilot:
        request = OpenRequest(Path("nothing"))
        app.open(request)
        await pilot.pause(0.2)
        app.post_message(MnemoscopeApp.Opened(request, workspace, whole=True))
        await pilot.pause(3)
        # As the app does when it has opened something itself.
        gc.freeze()
        gc.set_threshold(*_COLLECTOR_THRESHOLDS)
        with _timed(times, "opening the tag screen"):
            app.action_tag()
            while not isinstance(app.screen, TagScreen) or app.tagging is None:
                await asyncio.sleep(0.01)
            await pilot.pause()
        await pilot.pause(1)
        await _press(app, times, "next record", "next_question")
        await _press(app, times, "tag set or taken away", "the key 4")
        await _press(app, times, "undone", "undo")
        app.tagging.show_others = True
        await _press(app, times, "next record, others' tags shown", "next_question")
        await _press(app, times, "tag set or taken away, others' shown", "the key 4")
        with _timed(times, "queues to choose from"):
            app.screen.action_queue()
            while isinstance(app.screen, TagScreen):
                await asyncio.sleep(0.01)
            await pilot.pause()
        app.pop_screen()
        with _timed(times, "tally"):
            app.action_tally()
            while not isinstance(app.screen, TallyScreen) or not app.screen.is_ready():
                await asyncio.sleep(0.01)
            await pilot.pause()
    return times


async def _press(app: MnemoscopeApp, times: dict[str, float], name: str, what: str) -> None:
    screen = app.screen
    assert isinstance(screen, TagScreen)
    tagging = app.tagging
    assert tagging is not None
    slug = tagging.keys["4"]
    taken = []
    for _ in range(PRESSES if times else 0):
        painted = asyncio.Event()
        start = time.perf_counter()
        if what == "the key 4":
            screen._toggle(slug)
        else:
            getattr(screen, f"action_{what}")()
        screen.call_after_refresh(painted.set)
        await painted.wait()
        taken.append(time.perf_counter() - start)
        await asyncio.sleep(0.02)
    taken.sort()
    times[name] = statistics.median(taken)
    times[f"{name}, slowest twentieth"] = taken[int(0.95 * len(taken))]


def main() -> None:
    """Print the times and their ratios."""
    found = []
    for count in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            found.append(asyncio.run(_measure(count, Path(folder))))
    small, large = found
    for name, seconds in small.items():
        ratio = large[name] / seconds
        print(f"{name}: {seconds * 1000:.1f} ms, {large[name] * 1000:.1f} ms, ratio {ratio:.1f}")


if __name__ == "__main__":
    main()
