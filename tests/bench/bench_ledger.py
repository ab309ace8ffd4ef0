"""The ledger at any round of 10,000 transitions, after the first."""

import random
import statistics
import time

from mnemoscope.core.state.component import cell
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.ledger import Scrubber
from mnemoscope.core.state.mutation import CellValue, Mutation
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.state import Upload, initial_layer, initial_state
from mnemoscope.core.state.timeline import Timeline
from mnemoscope.core.state.trajectory import Trajectory
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.state.values import Scalar
from tests.state_strategies import ORDERS, RULES, SCHEMA

TRANSITIONS = 10_000
ENTITIES = 90
"""With 9 fields as many cells as a table of 40 by 20."""
JUMPS = 200


def _trajectory(draw: random.Random) -> Trajectory:
    rows: dict[str, dict[str, Scalar]] = {
        f"e{at}": {"name": f"N{at}", "team": "north", "acc": 50.0, "cost": 1.0, "seed": at}
        for at in range(ENTITIES)
    }
    layer = initial_layer(SCHEMA, rows, rules=RULES, orders=ORDERS)
    initial = state = initial_state("spring", layer, Upload("r0", "a0"))
    records = []
    for number in range(1, TRANSITIONS + 1):
        entity = f"e{draw.randrange(ENTITIES)}"
        visual = bool(draw.getrandbits(1))
        old = (state.visual if visual else state.accepted)[cell(entity, "acc")]
        new = next(one for one in iter(lambda: draw.randrange(1001) / 10, None) if one != old)
        transition = Transition(
            f"t{number}",
            Operator.VISUAL_CELL_EDIT if visual else Operator.TEXT_CELL_EDIT,
            f"r{number}",
            Mutation((CellValue(entity, "acc", new),)),
            f"a{number}" if visual else "",
            state.last,
        )
        step = execute(SCHEMA, state, transition)
        records.append(step.record)
        state = step.after
    return Trajectory(SCHEMA, initial, tuple(records))


def _seconds(scrubber: Scrubber, round_id: str) -> float:
    start = time.perf_counter()
    scrubber.at(round_id)
    return time.perf_counter() - start


def main() -> None:
    """Print the times."""
    draw = random.Random(7)
    start = time.perf_counter()
    trajectory = _trajectory(draw)
    making = time.perf_counter() - start
    rounds = [f"r{at}" for at in range(TRANSITIONS + 1)]
    scrubber = Scrubber(Timeline(trajectory), rounds)
    first = _seconds(scrubber, rounds[-1])
    times = sorted(_seconds(scrubber, draw.choice(rounds)) for _ in range(JUMPS))
    print(f"{TRANSITIONS:,} transitions carried out: {making:.1f} s")
    print(f"ledger of the last round, the first time: {first * 1000:.0f} ms")
    print(
        f"ledger of any round after that: median {statistics.median(times) * 1000:.1f} ms, "
        f"19 of 20 under {times[JUMPS * 19 // 20] * 1000:.1f} ms, "
        f"slowest of {JUMPS} {times[-1] * 1000:.1f} ms (aim 20 ms)"
    )


if __name__ == "__main__":
    main()
