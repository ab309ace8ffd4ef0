"""The answer phase against an endpoint that takes 50 ms, 16 at a time ÷ what cannot be beaten.

What memories bring back is worked out before; records are written, contexts and all, and forced to
the disk. The endpoint is another process.
"""

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest import mock

from mnemoscope.core.backbones.registry import make_backbone
from mnemoscope.core.backbones.settings import EndpointSettings
from mnemoscope.core.evaluate import runner
from mnemoscope.core.evaluate.evaluation import Evaluation
from mnemoscope.core.evaluate.manifest import manifest_for
from mnemoscope.core.evaluate.plan import Plan
from mnemoscope.core.evaluate.recalling import Asked, Recaller
from mnemoscope.core.runs.native.events import EventLog
from mnemoscope.core.runs.native.store import RunStore
from tests.bench.slow_endpoint import SECONDS, slow_endpoint
from tests.evaluation_data import ORIGIN, evaluation, questions
from tests.workspace_data import a_release

AT_ONCE = 16
QUESTIONS = 1_600
ROUNDS = 5


def _run(folder: Path, one: Evaluation, asked: dict[str, Asked]) -> float:
    """Seconds that the records of a run take."""

    class Ready:
        def __init__(self, *_: Any) -> None:
            pass

        def ask(self, history: str, _: Any) -> Asked:
            return asked[history]

    manifest = manifest_for(one, Plan(out=str(folder)), ORIGIN)
    with (
        RunStore.create(folder, manifest) as store,
        EventLog(folder) as events,
        mock.patch.object(runner, "Recaller", Ready),
    ):
        start = time.perf_counter()
        asyncio.run(runner.Runner(one, store, events).run())
        seconds = time.perf_counter() - start
        assert store.counts == {"ok": QUESTIONS}
        return seconds


async def _bare(url: str) -> None:
    """As many requests by a bare client, as many at a time, their answers thrown away."""
    import httpx2

    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x" * 1_000}]})
    headers = {"content-type": "application/json"}
    left = iter(range(QUESTIONS))
    async with httpx2.AsyncClient(timeout=60) as client:

        async def work() -> None:
            for _ in left:
                await client.post(f"{url}/chat/completions", content=body, headers=headers)

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))


def main() -> None:
    """Print the ratios, and what the processor was kept busy with."""
    ideal = QUESTIONS / AT_ONCE * SECONDS
    release = a_release(questions(QUESTIONS, histories=4))
    found, bare, busy = [], [], []
    with slow_endpoint() as url, tempfile.TemporaryDirectory() as parent:
        for number in range(ROUNDS):
            backbone = make_backbone("endpoint:m", {}, lambda: EndpointSettings(url))
            one = evaluation(backbone, release=release, workers=AT_ONCE)
            asked = {name: Recaller(one).ask(name) for name in one.by_history}
            used = time.process_time()
            found.append(_run(Path(parent, str(number)), one, asked) / ideal)
            busy.append((time.process_time() - used) / QUESTIONS * 1000)
            start = time.perf_counter()
            asyncio.run(_bare(url))
            bare.append((time.perf_counter() - start) / ideal)
    each = f"{QUESTIONS:,} questions, {AT_ONCE} at a time, {1000 * SECONDS:.0f} ms each"
    print(f"{each}: ideal {ideal:.2f} s")
    print(f"÷ ideal: {statistics.median(found):.3f} (from {min(found):.3f} to {max(found):.3f})")
    print(f"a bare client ÷ ideal: {statistics.median(bare):.3f} (from {min(bare):.3f})")
    print(f"processor: {statistics.median(busy):.2f} ms a question (from {min(busy):.2f})")


if __name__ == "__main__":
    main()
