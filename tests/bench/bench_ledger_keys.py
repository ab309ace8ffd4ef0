"""Key press to painted on the ledger screen: 40 entities with 20 fields, 10,000 transitions."""

import asyncio
import random
import statistics
import time
from pathlib import Path

from mnemoscope.core.model import (
    EvaluatorData,
    History,
    Message,
    Release,
    Role,
    Round,
    RoundKind,
    Session,
)
from mnemoscope.core.state.component import cell
from mnemoscope.core.state.dependency import Dependency, DependencyKind
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.mutation import CellValue, Mutation
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import Upload, initial_layer, initial_state
from mnemoscope.core.state.trajectory import Trajectory
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.state.values import Scalar
from mnemoscope.core.truth.truth import Truth
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.desk import Desk

TRANSITIONS = 10_000
PRESSES = 60
_FIELDS = [f"f{at}" for at in range(19)]
_SCHEMA = Schema(
    (
        Field("name", FieldKind.TEXT, FieldRole.NAME, "Experiment", required=True),
        *(
            Field(key, FieldKind.NUMBER, name=f"Score {key}", unit="%", decimals=1)
            for key in _FIELDS
        ),
    ),
    (),
    (
        Dependency("mean", DependencyKind.MEAN, ("f0",), unit="%", decimals=2),
        Dependency("rank", DependencyKind.RANK, ("f0",)),
    ),
)


def large_release(count: int) -> Release:
    """A release of one scenario, made in memory."""
    draw = random.Random(7)
    rows: dict[str, dict[str, Scalar]] = {
        f"e{at}": {
            "name": f"ablation-without-warm-up-{at:02}",
            **{key: float(draw.randrange(1000)) / 10 for key in _FIELDS},
        }
        for at in range(40)
    }
    layer = initial_layer(_SCHEMA, rows)
    initial = state = initial_state("spring", layer, Upload("r0", "a0"))
    records = []
    for number in range(1, count + 1):
        entity, field = f"e{draw.randrange(40)}", draw.choice(_FIELDS)
        visual = bool(draw.getrandbits(1))
        old = (state.visual if visual else state.accepted)[cell(entity, field)]
        new = next(one for one in iter(lambda: draw.randrange(1001) / 10, None) if one != old)
        transition = Transition(
            f"t{number}",
            Operator.VISUAL_CELL_EDIT if visual else Operator.TEXT_CELL_EDIT,
            f"r{number}",
            Mutation((CellValue(entity, field, new),)),
            f"a{number}" if visual else "",
            state.last,
        )
        step = execute(_SCHEMA, state, transition)
        records.append(step.record)
        state = step.after
    rounds = tuple(
        Round(f"r{at}", "s", at, (Message("Ann", Role.USER, f"Message {at}.", ()),), "$")
        for at in range(count + 1)
    )
    history = History("h", "h", (Session("s", None, "", rounds, "$"),), "h.json")
    truth = Truth("h", Trajectory(_SCHEMA, initial, tuple(records)))
    return Release(
        name="large",
        format="native",
        root=Path(),
        files=(),
        round_kind=RoundKind.UTTERANCE,
        histories={"h": history},
        questions={},
        tasks=(),
        evaluator=EvaluatorData(truths={"h": truth}),
    )


async def _measure(count: int, size: tuple[int, int]) -> None:
    app = MnemoscopeApp(remember=False)
    app._desk = Desk(Workspace(large_release(count)))
    async with app.run_test(size=size) as pilot:
        start = time.perf_counter()
        app.show_ledger("h")
        await _painted(app)
        print(f"{count:,} transitions, {size[0]}×{size[1]}: first {_ms(start):.0f} ms")
        await pilot.pause(0.5)
        app.opened_desk.round_id = f"r{count // 2}"
        app.screen.draw()  # type: ignore[attr-defined]
        for action in ("next_round", "next_change", "next_of_entity", "column_after", "sheet"):
            await _press(app, f"action_{action}", action.replace("_", " "))


def _ms(start: float) -> float:
    return (time.perf_counter() - start) * 1000


async def _painted(app: MnemoscopeApp) -> None:
    painted = asyncio.Event()
    app.screen.call_after_refresh(painted.set)
    await painted.wait()


async def _press(app: MnemoscopeApp, action: str, name: str) -> None:
    times, worked = [], time.process_time()
    for _ in range(PRESSES):
        start = time.perf_counter()
        getattr(app.screen, action)()
        await _painted(app)
        times.append(_ms(start))
        await asyncio.sleep(0.02)
    times.sort()
    middle, late = statistics.median(times), times[int(0.95 * len(times))]
    # On a busy machine the time of the processor says what an idle one would take.
    cpu = (time.process_time() - worked) * 1000 / PRESSES
    print(
        f"  {name}: median {middle:.1f} ms, 95th percentile {late:.1f} ms; processor {cpu:.1f} ms"
    )


def main() -> None:
    """Print the times."""
    for count in (200, TRANSITIONS):
        asyncio.run(_measure(count, (120, 36)))


if __name__ == "__main__":
    main()
