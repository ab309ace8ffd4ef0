"""From flags to the plan of an evaluation: what flags say holds over what a file says."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.tui.verbs.options import PATH, Flags, Verb

if TYPE_CHECKING:
    from mnemoscope.core.evaluate.plan import BackbonePlan, CaptionPlan, Plan, SystemPlan
    from mnemoscope.core.memory.system import Parameter, Setting

__all__ = ["RunFlags", "planned", "run_flags"]

_YES = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True, slots=True)
class RunFlags:
    """What the flags of ``run`` say; what was not given is None or empty."""

    release: Path | None = None
    out: Path | None = None
    name: str | None = None
    system: str | None = None
    embedder: str | None = None
    backbone: str | None = None
    endpoint: str | None = None
    timeout: float | None = None
    repeats: int | None = None
    seeds: tuple[int, ...] = ()
    workers: int | None = None
    max_tokens: int | None = None
    max_calls: int | None = None
    max_seconds: float | None = None
    max_cost: float | None = None
    price_prompt: float | None = None
    price_completion: float | None = None
    tolerance: float | None = None
    snapshots: Path | None = None
    rewrites: Path | None = None
    rewrite: int | None = None


_MORE_THAN_0 = click.FloatRange(0, min_open=True)
_FROM_0 = click.FloatRange(0)
_FROM_1 = click.IntRange(1)

_OPTIONS = (
    click.option("--release", metavar="PATH", type=PATH, help="The release."),
    click.option(
        "--system",
        metavar="NAME[@PROFILE][,PARAMETER=VALUE…]",
        help="The memory system, such as bm25,k=5 or full_memory@as_published.",
    ),
    click.option(
        "--backbone",
        metavar="NAME[,PARAMETER=VALUE…]",
        help="What answers: embedded, which needs no network, or endpoint:MODEL.",
    ),
    click.option(
        "--out",
        metavar="DIR",
        type=PATH,
        help="The folder of the run; one that holds a part of it is gone on with.",
    ),
    click.option("--name", metavar="TEXT", help="A name for people; the folder's otherwise."),
    click.option("--endpoint", metavar="URL", help="An OpenAI-compatible base URL."),
    click.option(
        "--timeout", metavar="SECONDS", type=_MORE_THAN_0, help="Of one attempt; 120 otherwise."
    ),
    click.option(
        "--embedder",
        metavar="NAME",
        help="What makes vectors: lite (the default), st:NAME_OR_FOLDER, or endpoint:MODEL.",
    ),
    click.option(
        "--repeats",
        metavar="N",
        type=click.IntRange(1, 10_000),
        help="How often each question is asked.",
    ),
    click.option(
        "--seed",
        "seeds",
        metavar="N",
        type=int,
        multiple=True,
        help="The seed of a repeat; may be repeated. 42, 43, … otherwise.",
    ),
    click.option("--workers", metavar="N", type=_FROM_1, help="Questions at a time; 16 otherwise."),
    click.option("--max-tokens", metavar="N", type=_FROM_1, help="Tokens of the whole run."),
    click.option("--max-calls", metavar="N", type=_FROM_1, help="Requests of the whole run."),
    click.option("--max-seconds", metavar="N", type=_MORE_THAN_0, help="Seconds by the clock."),
    click.option(
        "--max-cost", metavar="N", type=_MORE_THAN_0, help="Cost of the whole run; needs prices."
    ),
    click.option(
        "--price-prompt", metavar="N", type=_FROM_0, help="Price of a million tokens sent."
    ),
    click.option(
        "--price-completion", metavar="N", type=_FROM_0, help="Price of a million tokens back."
    ),
    click.option(
        "--tolerance",
        metavar="SHARE",
        type=click.FloatRange(0, 1),
        help="Which share of records may be without an answer; above it the exit code is 3.",
    ),
    click.option(
        "--rewrites", metavar="FILE", type=PATH, help="Other wordings of the questions, as TOML."
    ),
    click.option(
        "--rewrite", metavar="N", type=_FROM_1, help="Which of those wordings; the first otherwise."
    ),
    click.option(
        "--snapshots", metavar="DIR", type=PATH, help="A folder of memories that runs share."
    ),
)


def run_flags(verb: Verb) -> Verb:
    """Add the flags of ``run`` to a verb, which gets them together as ``given``."""
    import functools

    known = {field.name for field in fields(RunFlags)}

    @functools.wraps(verb)
    def with_flags(**given: Any) -> Any:
        own = RunFlags(**{name: given.pop(name) for name in known & given.keys()})
        return verb(given=own, **given)

    decorated: Any = with_flags
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def planned(plan: "Plan", given: RunFlags, flags: Flags) -> "Plan":
    """A plan with what flags say laid over it.

    Raises:
        UsageError: A flag cannot be understood.
    """
    plain = {
        "release": _text(given.release),
        "out": _text(given.out),
        "name": given.name,
        "repeats": given.repeats,
        "seeds": given.seeds or None,
        "workers": given.workers,
        "tolerance": given.tolerance,
        "snapshots": _text(given.snapshots),
        "rewrites": _text(given.rewrites),
        "rewrite": given.rewrite,
        "format": flags.format,
        "media_roots": tuple(map(str, flags.media_root)) or None,
        "captions": tuple(map(str, flags.captions)) or None,
        "questions": flags.filter or None,
        "rule": flags.rule,
        "textualisation": _captions(plan.textualisation, flags),
        "system": _system(plan.system, given),
        "backbone": _backbone(plan.backbone, given),
        "budgets": plan.budgets.model_copy(update=_limits(given)),
        "prices": _prices(plan, given),
    }
    if given.repeats is not None and not given.seeds:
        plain["seeds"] = ()
    elif given.seeds and given.repeats is None:
        plain["repeats"] = len(given.seeds)
    return plan.model_copy(update={name: one for name, one in plain.items() if one is not None})


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _captions(plan: "CaptionPlan", flags: Flags) -> "CaptionPlan":
    from mnemoscope.core.model import Textualisation

    Textualisation.parse(flags.textualisation, Textualisation())  # says what cannot be understood
    parts = filter(None, flags.textualisation.split(","))
    update = {kind.strip(): name.strip() for kind, _, name in (one.partition("=") for one in parts)}
    return plan.model_copy(update=update)


def _limits(given: RunFlags) -> dict[str, float]:
    limits = {
        "tokens": given.max_tokens,
        "calls": given.max_calls,
        "seconds": given.max_seconds,
        "cost": given.max_cost,
    }
    return {name: float(limit) for name, limit in limits.items() if limit is not None}


def _prices(plan: "Plan", given: RunFlags) -> Any:
    from mnemoscope.core.evaluate.plan import PricePlan

    prompt, completion = given.price_prompt, given.price_completion
    if prompt is None and completion is None:
        return None
    before = plan.prices
    prompt = prompt if prompt is not None else before.prompt if before else None
    completion = completion if completion is not None else before.completion if before else None
    if prompt is None or completion is None:
        raise UsageError("both prices are needed: --price-prompt and --price-completion")
    return PricePlan(prompt=prompt, completion=completion)


def _system(plan: "SystemPlan", given: RunFlags) -> "SystemPlan":
    from mnemoscope.core.evaluate.plan import SystemPlan
    from mnemoscope.core.memory.registry import system_class

    if given.system is not None:
        named, parameters = _named(given.system)
        name, _, profile = named.partition("@")
        typed = _typed(name, system_class(name).PARAMETERS, parameters)
        plan = SystemPlan(
            id=name,
            profile=profile or "intended",
            parameters=typed,
            embedder=plan.embedder,
        )
    if given.embedder is not None:
        plan = plan.model_copy(update={"embedder": given.embedder})
    return plan


def _backbone(plan: "BackbonePlan", given: RunFlags) -> "BackbonePlan":
    from mnemoscope.core.backbones.registry import backbone_parameters

    update: dict[str, Any] = {}
    if given.backbone is not None:
        name, parameters = _named(given.backbone)
        typed = _typed(name, backbone_parameters(name), parameters)
        update = {"id": name, "parameters": typed}
    if given.endpoint is not None:
        update["endpoint"] = given.endpoint
    if given.timeout is not None:
        update["timeout"] = given.timeout
    return plan.model_copy(update=update)


def _named(text: str) -> tuple[str, dict[str, str]]:
    """The name and the parameters in ``NAME,PARAMETER=VALUE,…``."""
    name, *rest = text.split(",")
    parameters = {}
    for one in rest:
        key, equals, value = one.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"{text}: found {one!r}, expected PARAMETER=VALUE")
        parameters[key.strip()] = value.strip()
    return name.strip(), parameters


def _typed(
    name: str, known: "Mapping[str, Parameter]", given: Mapping[str, str]
) -> "dict[str, Setting]":
    """Parameters as values of the types that they have."""
    return {key: _value(name, key, known, text) for key, text in given.items()}


def _value(name: str, key: str, known: "Mapping[str, Parameter]", text: str) -> "Setting":
    if key not in known:
        names = ", ".join(known) or "none"
        raise UsageError(f"{name}: no parameter {key!r}; there are: {names}")
    kind = type(known[key].default)
    try:
        if kind is bool:
            return _YES[text.casefold()]
        return kind(text)
    except (KeyError, ValueError):
        # As text it is none of the parameter's type, which is said where values are checked.
        return text
