"""Driving the app in tests: open something, wait until it stands still, read the screen."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.actions import action_by_id
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import Config
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.opening import OpeningScreen
from mnemoscope.tui.state_file import StateFile
from tests.ledger_run_data import boards_request

WIDE = (120, 36)
SMALL = (80, 24)

AppPilot = Pilot[None]


@asynccontextmanager
async def opened(
    request: OpenRequest | None = None, *, size: tuple[int, int] = WIDE
) -> AsyncIterator[tuple[MnemoscopeApp, AppPilot]]:
    """The app with the bundled sample, or with what is asked for, once it is read."""
    config = Config(annotator="ann")
    app = MnemoscopeApp(request or sample_request(), remember=False, config=config)
    app.answering_memory = SettledAnswering("answering", remember=False)
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        yield app, pilot


class SettledAnswering(StateFile):
    """Somebody who answers in the full multimodal view, whatever is open, without being asked."""

    def load(self) -> dict[str, Any]:
        return {"participant": "ann", "last": _Everywhere()}


class _Everywhere(dict[str, Any]):
    """The same choice for every release."""

    def get(self, key: str, default: Any = None) -> Any:
        return {"view": "full_multimodal", "history": ""}


async def settled(app: MnemoscopeApp, pilot: AppPilot) -> None:
    """Wait until no worker runs and nothing waits to be drawn."""
    # What one worker's end is answered with may start another: still once is not enough.
    still = 0
    while still < 2:
        await pilot.pause()
        await workers_done(app)
        await pilot.pause()
        opening = app.screen
        ready = not isinstance(opening, OpeningScreen) or opening.has_failed
        still = still + 1 if ready and not any(one.is_running for one in app.workers) else 0


async def workers_done(app: App[Any]) -> None:
    """Wait until no worker of an app runs; one that another replaced counts as done."""
    while any(one.is_running for one in app.workers):
        with suppress(WorkerCancelled):
            await app.workers.wait_for_complete()


async def press(app: MnemoscopeApp, pilot: AppPilot, *keys: str) -> None:
    """Press keys one after the other, waiting after each."""
    for key in keys:
        await pilot.press(key)
        await settled(app, pilot)


def notices(app: MnemoscopeApp) -> str:
    """What the app has told the user beside the screen."""
    return "\n".join(str(one.message) for one in app._notifications)


def screen_text(app: MnemoscopeApp) -> str:
    """What stands on the screen, line by line."""
    width, height = app.size
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(s.text for s in line)[:width].rstrip() for line in lines[:height])


WALK: Mapping[str, Sequence[str]] = {
    "overview": (),
    "defects": ("overview.defects",),
    "joins": ("overview.joins",),
    "configuration": ("overview.configuration",),
    "history": ("app.history",),
    "ledger": ("app.ledger",),
    "ledger beside": ("app.ledger", "ledger.side_by_side", "ledger.previous_change"),
    "questions": ("app.questions", "questions.failures"),
    "question": ("app.questions", "list.open"),
    "diff": ("app.questions", "list.open", "question.diff"),
    "compare": ("app.compare",),
    "compared configurations": ("app.compare", "compare.configuration"),
    "matrix": ("app.matrix",),
    "tag": ("app.questions", "questions.failures", "app.tag"),
    "answer": ("app.answer",),
    "review": ("app.history", "app.tag"),
    "tally": ("app.tally",),
    "tagged": ("app.tally", "list.open"),
    "raw": ("app.history", "app.raw"),
}
"""Actions that lead from the overview to every screen, and to what else they show."""


def request_for(where: str) -> OpenRequest:
    """What is opened for an entry of ``WALK``: the sample, where it has what is shown."""
    return boards_request() if where.startswith("ledger") else sample_request()


async def act(app: MnemoscopeApp, pilot: AppPilot, *actions: str) -> None:
    """Do what actions of the registry do, whatever keys they have."""
    for name in actions:
        await app.run_registered(action_by_id(name))
        await settled(app, pilot)
