"""From the words of a plan to the evaluation that they name."""

from collections.abc import Callable, Collection
from pathlib import Path

from mnemoscope.core.backbones.registry import make_backbone
from mnemoscope.core.backbones.settings import EndpointSettings
from mnemoscope.core.embedders.embedder import Embedder
from mnemoscope.core.errors import UsageError
from mnemoscope.core.evaluate.budget import Limits, Prices
from mnemoscope.core.evaluate.evaluation import Evaluation
from mnemoscope.core.evaluate.plan import Plan, seeds_of
from mnemoscope.core.evaluate.rewrites import read_rewrites
from mnemoscope.core.memory.registry import system_class, system_spec
from mnemoscope.core.model import Release, Textualisation

__all__ = ["prepare", "require_complete"]


def require_complete(plan: Plan, *, out: bool = True) -> None:
    """Refuse a plan that leaves out what nothing can be run without.

    Args:
        plan: The plan.
        out: Whether a folder for the run is needed.

    Raises:
        UsageError: Something is missing, or contradicts something else.
    """
    needed = {"release": plan.release, "system": plan.system.id}
    if out:
        needed["out"] = plan.out
    missing = [f"--{name}" for name, given in needed.items() if not given]
    if missing:
        raise UsageError(
            f"nothing can be run without {', '.join(missing)}",
            hint="give them as flags, or as keys of a plan; see docs/run.md",
        )
    if plan.seeds and plan.repeats not in (1, len(plan.seeds)):
        raise UsageError(f"{plan.repeats} repeats and {len(plan.seeds)} seeds: give one of the two")


def prepare(
    plan: Plan,
    release: Release,
    *,
    keys: Collection[str] | None,
    textualisation: Textualisation,
    endpoint: Callable[[], EndpointSettings],
    embedder: Callable[[str], Embedder],
) -> Evaluation:
    """The evaluation that a plan names; a system that answers by itself has no backbone in it.

    Args:
        plan: The plan.
        release: Its release.
        keys: The questions; all when None.
        textualisation: Which captions stand for images and audio.
        endpoint: Says which endpoint is meant; asked only if one is needed.
        embedder: Opens the embedder with a name; asked only if the system needs one.

    Raises:
        UsageError: A name is none, or parts do not fit.
        InputError: Prompts or a model cannot be read.
    """
    system = system_spec(plan.system.id, plan.system.profile, plan.system.parameters)
    kind, chosen = system_class(system.name), plan.backbone
    wanted = None if keys is None else set(keys)
    backbone = None
    if chosen.id and not kind.ANSWERS:
        backbone = make_backbone(chosen.id, chosen.parameters, endpoint)
    questions = tuple(
        one for one in release.questions.values() if wanted is None or one.key in wanted
    )
    rewrites = read_rewrites(Path(plan.rewrites), plan.rewrite) if plan.rewrites else None
    evaluation = Evaluation(
        release,
        rewrites.apply(questions) if rewrites is not None else questions,
        system,
        textualisation,
        backbone,
        embedder(plan.system.embedder) if kind.NEEDS_EMBEDDER else None,
        seeds_of(plan),
        plan.rule or "",
        plan.name,
        Limits(**dict(plan.budgets)),
        Prices(plan.prices.prompt, plan.prices.completion) if plan.prices else None,
        plan.workers,
        Path(plan.snapshots) if plan.snapshots else None,
        rewrites.as_json() if rewrites is not None else {},
    )
    evaluation.require()
    return evaluation
