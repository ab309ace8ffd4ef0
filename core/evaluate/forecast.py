"""What an evaluation would take, before anything is asked or written."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from mnemoscope.core.backbones.backbone import Load
from mnemoscope.core.evaluate.evaluation import Evaluation, Row
from mnemoscope.core.evaluate.recalling import Job, Recaller

__all__ = ["SAMPLE", "Forecast", "Phase", "forecast"]

SAMPLE = 100
"""Questions that are worked out in full; what the others take is told from them."""


@dataclass(frozen=True, slots=True)
class Phase:
    """What one phase would take. None is unknown before it is run."""

    name: str
    """``ingest``, ``recall``, ``answer`` or ``judge``."""
    units: int
    """How many rounds are taken in, questions recalled for, or answers asked for."""
    calls: int | None = 0
    """Requests to a model, if all goes well."""
    prompt: int | None = 0
    """Tokens that are sent to a model, as cl100k_base counts them."""
    completion: int | None = 0
    """Tokens that come back at most."""
    cost: float | None = 0.0
    """What that costs at most; None also when the prices are not known."""

    def as_json(self) -> dict[str, Any]:
        """The phase as JSON."""
        return {
            "phase": self.name,
            "units": self.units,
            "calls": self.calls,
            "prompt_tokens": self.prompt,
            "completion_tokens_at_most": self.completion,
            "cost_at_most": self.cost,
        }


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run would take."""

    questions: int
    records: int
    """Questions × repeats."""
    left: int
    """Records that are not there yet."""
    histories: int
    """Histories that those are about."""
    sampled: int
    """Questions that answers were told from."""
    phases: tuple[Phase, ...]


def forecast(
    evaluation: Evaluation,
    done: Collection[Row] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> Forecast:
    """Work out what a run would take. Memories are built for it, in this process alone.

    Args:
        evaluation: What would be run.
        done: Records that are there already.
        progress: Called with the history that is being looked at.

    Raises:
        MnemoscopeError: A memory cannot be built or asked.
    """
    there = set(done)
    left = [row for row in evaluation.rows if row not in there]
    keys = list(dict.fromkeys(key for key, _ in left))
    questions = evaluation.release.questions
    histories = list(dict.fromkeys(questions[key].history_id for key in keys))
    loads = _loads(evaluation, _spread(keys), progress)
    answers = len(left)

    def whole(total: int) -> int:
        return math.ceil(total * answers / len(loads)) if loads else 0

    answer = _phase(
        evaluation,
        "answer",
        answers,
        whole(sum(one.calls for one in loads)),
        whole(sum(one.prompt for one in loads)),
        whole(sum(one.completion_at_most for one in loads)),
    )
    rounds = sum(len(evaluation.release.histories[one].rounds) for one in histories)
    unknown = (None, None, None, None) if evaluation.kind.NEEDS_CHAT else (0, 0, 0, 0.0)
    phases = (
        Phase("ingest", rounds, *unknown),
        Phase("recall", len(keys), *unknown),
        answer,
        Phase("judge", answers),
    )
    return Forecast(
        len(evaluation.questions),
        len(evaluation.questions) * len(evaluation.seeds),
        answers,
        len(histories),
        len(loads),
        phases,
    )


def _phase(
    evaluation: Evaluation, name: str, units: int, calls: int, prompt: int, completion: int
) -> Phase:
    prices = evaluation.prices
    cost = 0.0 if not calls else prices.cost(prompt, completion) if prices else None
    return Phase(name, units, calls, prompt, completion, cost)


def _spread(keys: list[str]) -> list[str]:
    """As many as are sampled, spread evenly."""
    if len(keys) <= SAMPLE:
        return keys
    return [keys[place * len(keys) // SAMPLE] for place in range(SAMPLE)]


def _loads(
    evaluation: Evaluation, keys: Collection[str], progress: Callable[[str], None]
) -> list[Load]:
    wanted = {(key, 0) for key in keys}
    recaller = Recaller(evaluation)
    loads = []
    for history, questions in evaluation.by_history.items():
        if any((one.key, 0) in wanted for one in questions):
            progress(f"looking at {history}")
            loads += [_load(evaluation, job) for job in recaller.ask(history, wanted).jobs]
    return loads


def _load(evaluation: Evaluation, job: Job) -> Load:
    if job.ask.recall.answer is not None or evaluation.backbone is None:
        return Load(0, 0, 0)
    return evaluation.backbone.load(job.ask)
