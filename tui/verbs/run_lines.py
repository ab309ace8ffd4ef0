"""What ``run`` prints: what a run would take, and what became of it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mnemoscope.core.tokens import TOKENIZER
from mnemoscope.tui.verbs.tables import Json, line, table

if TYPE_CHECKING:
    from mnemoscope.core.evaluate.evaluation import Evaluation
    from mnemoscope.core.evaluate.forecast import Forecast
    from mnemoscope.core.evaluate.session import Outcome

__all__ = ["forecast_info", "forecast_lines", "outcome_info", "outcome_lines"]


def _configuration(evaluation: "Evaluation") -> Json:
    system, backbone = evaluation.system, evaluation.backbone
    captions = evaluation.textualisation
    return {
        "release": evaluation.release.name,
        "system": {
            "id": system.name,
            "profile": system.profile,
            "parameters": dict(system.parameters),
        },
        "backbone": {"id": backbone.spec.id, "parameters": dict(backbone.spec.parameters)}
        if backbone is not None
        else None,
        "note": backbone.spec.note if backbone is not None else "",
        "textualisation": {"image": captions.image, "audio": captions.audio},
        "seeds": list(evaluation.seeds),
        "rule": evaluation.decides,
    }


def forecast_info(found: "Forecast", evaluation: "Evaluation") -> Json:
    """What a run would take, as JSON."""
    from mnemoscope.analyses.detectable import detectable

    return {
        **_configuration(evaluation),
        "questions": found.questions,
        "records": found.records,
        "left": found.left,
        "histories": found.histories,
        "sampled": found.sampled,
        "phases": [one.as_json() for one in found.phases],
        "tokenizer": TOKENIZER,
        "budgets": evaluation.limits.as_json(),
        "detectable": detectable(found.questions).as_json(),
    }


def forecast_lines(data: Json) -> Iterator[str]:
    """The lines of what a run would take."""
    yield from _configuration_lines(data)
    made = data["records"] - data["left"]
    before = f", {made:,} of them made before" if made else ""
    repeats = f" × {len(data['seeds'])} repeats" if len(data["seeds"]) > 1 else ""
    yield from line(
        f"questions  {data['questions']:,}{repeats} about {data['histories']:,} histories: "
        f"{data['records']:,} records{before}"
    )
    yield ""
    heads = ["<phase", "", "calls", "prompt tokens", "tokens back at most", "cost at most"]
    rows = [
        [
            one["phase"],
            f"{one['units']:,} {_UNITS[one['phase']]}",
            _count(one["calls"]),
            _count(one["prompt_tokens"]),
            _count(one["completion_tokens_at_most"]),
            "unknown" if one["cost_at_most"] is None else f"{one['cost_at_most']:,.2f}",
        ]
        for one in data["phases"]
    ]
    yield from table(heads, rows)
    yield ""
    asked = data["sampled"]
    told = f"tokens of {data['tokenizer']}"
    if 0 < asked < data["questions"]:
        told += f", told from {asked} questions spread over all"
    yield from line(f"{told}; nothing was asked or written")
    detectable = data["detectable"]
    if detectable["value"] is None:
        yield from line("too few questions for a difference between two systems to show")
    else:
        share = f"{100 * detectable['value']:.1f} points"
        yield from line(f"{share}: {detectable['estimand']}")


_UNITS = {"ingest": "rounds", "recall": "questions", "answer": "records", "judge": "records"}


def _count(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"


def outcome_info(outcome: "Outcome", evaluation: "Evaluation") -> Json:
    """What became of a run, as JSON."""
    return {
        "run": str(outcome.folder),
        **_configuration(evaluation),
        "end": outcome.ending.end.value,
        "said": outcome.ending.said,
        "records": outcome.total,
        "made": outcome.made,
        "left": outcome.left,
        "unmeasured": outcome.unmeasured,
        "by_status": {status.value: count for status, count in outcome.counts.items()},
        "spending": outcome.spending.as_json(),
    }


def outcome_lines(data: Json) -> Iterator[str]:
    """The lines of what became of a run."""
    yield from line(f"run        {data['run']}")
    yield from _configuration_lines(data)
    there = data["records"] - data["left"]
    yield from line(f"records    {there:,} of {data['records']:,}, {data['made']:,} made now")
    statuses = " · ".join(f"{count:,} {status}" for status, count in data["by_status"].items())
    yield from line(f"status     {statuses or 'none'}")
    spent = data["spending"]
    if spent["calls"]:
        told = (
            f"{spent['calls']:,.0f} calls, {spent['prompt_tokens']:,.0f} tokens sent, "
            f"{spent['completion_tokens']:,.0f} back"
        )
        cost = "" if spent["cost"] is None else f", cost {spent['cost']:,.4f}"
        yield from line(f"took       {told}{cost}")


def _configuration_lines(data: Json) -> Iterator[str]:
    system, backbone = data["system"], data["backbone"]
    profile = "" if system["profile"] == "intended" else f"@{system['profile']}"
    yield from line(f"release    {data['release']}")
    yield from line(f"system     {system['id']}{profile}")
    if backbone is not None:
        note = f" ({data['note']})" if data["note"] else ""
        yield from line(f"backbone   {backbone['id']}{note}")
    captions = data["textualisation"]
    yield from line(f"captions   image {captions['image']}, audio {captions['audio']}")
