"""One sitting of a run: its folder begun or gone on with, its records made, its end told."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.evaluate.budget import Spending
from mnemoscope.core.evaluate.evaluation import Evaluation
from mnemoscope.core.evaluate.pace import Pace
from mnemoscope.core.evaluate.runner import End, Ending, Runner
from mnemoscope.core.model import RecordStatus
from mnemoscope.core.outcomes import FAILED
from mnemoscope.core.runs.native.events import EventLog
from mnemoscope.core.runs.native.reader import MANIFEST
from mnemoscope.core.runs.native.schema import Manifest
from mnemoscope.core.runs.native.store import RunStore

__all__ = ["Outcome", "carry_out"]


@dataclass(frozen=True)
class Outcome:
    """What became of a run in this sitting."""

    folder: Path
    ending: Ending
    counts: Mapping[RecordStatus, int]
    """Records by status, those of earlier sittings included."""
    total: int
    """How many records there are when all are made."""
    made: int
    """How many were made in this sitting."""
    spending: Spending
    """What the whole run has taken."""

    @property
    def left(self) -> int:
        """How many records are still to be made."""
        return self.total - sum(self.counts.values())

    @property
    def unmeasured(self) -> int:
        """How many records there are without an answer that could be judged."""
        return sum(count for status, count in self.counts.items() if status in FAILED)


def carry_out(
    evaluation: Evaluation,
    folder: Path,
    manifest: Manifest,
    *,
    watch: Callable[[Pace], None] = lambda _: None,
) -> Outcome:
    """Run an evaluation into a folder, from the beginning or from where it stopped.

    Args:
        evaluation: What is run.
        folder: The run's folder.
        manifest: What the evaluation is, as a new run would say it; see ``manifest_for``.
        watch: Called when a record is in the file.

    Raises:
        UsageError: The folder holds another run or something else, or another process writes
            into it.
        MnemoscopeError: A memory cannot be built or asked, or the file system refuses.
        KeyboardInterrupt: Somebody interrupted; what has been answered is in the file.
    """
    is_new = not (folder / MANIFEST).exists()
    store = RunStore.create(folder, manifest) if is_new else RunStore.resume(folder, manifest)
    with store, EventLog(folder) as events:
        runner = Runner(evaluation, store, events, watch=watch)
        before = len(runner.left)
        if before or store.manifest.ended_at is None:
            if not is_new:
                store.restart(manifest)
            made_by = {"argv": list(manifest.argv), "version": manifest.tool_version}
            events.add("started" if is_new else "resumed", extra={"left": before, **made_by})
            ending = _run(runner, events)
            if ending.end is End.FINISHED:
                store.finish()
            events.add(ending.end.value, ending.said, extra=runner.spending.as_json())
        else:
            ending = Ending(End.FINISHED)
        made = sum(runner.pace.statuses.values())
        return Outcome(folder, ending, store.counts, runner.pace.total, made, runner.spending)


def _run(runner: Runner, events: EventLog) -> Ending:
    try:
        return asyncio.run(runner.run())
    except KeyboardInterrupt:
        events.add("interrupted", extra=runner.spending.as_json())
        raise
    except MnemoscopeError as error:
        events.add("failed", str(error))
        raise
