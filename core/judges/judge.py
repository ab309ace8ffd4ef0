"""Who judges: a rule, or a model with its parameters and prompts. Their names are theirs alone."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property

from mnemoscope.core.backbones.request import Parameters
from mnemoscope.core.errors import UsageError
from mnemoscope.core.extensions import Group, extensions, load_named
from mnemoscope.core.judges.prompt import prompts_hash
from mnemoscope.core.judges.reply import PARSER
from mnemoscope.core.scoring.open_rules import OPEN_RULES, VERSION
from mnemoscope.core.scoring.parsing import RULES

__all__ = ["Judge", "ModelJudge", "RuleJudge", "judge_named", "judges_named", "verifier_named"]

_RULE, _MODEL = "rule", "endpoint:"
_JUDGE_RULES = (*OPEN_RULES, *RULES)
_PARAMETERS = Parameters(max_tokens=512)
"""Temperature 0, seed 42, and room for a verdict with its reason."""
_VERIFIER_SEED = 43


@dataclass(frozen=True)
class RuleJudge:
    """A deterministic rule."""

    rule: str
    package: str = ""
    """The package that adds it, with its version; empty for one of ours."""

    @property
    def id(self) -> str:
        """The name that its verdicts stand under."""
        return f"{_RULE}:{self.rule}"

    @property
    def prompt(self) -> str:
        """What stands in the place of a prompt: the rule's version."""
        return f"{self.rule} of {self.package}" if self.package else f"{self.rule}-{VERSION}"


@dataclass(frozen=True)
class ModelJudge:
    """A model at the endpoint."""

    model: str
    parameters: Parameters = _PARAMETERS

    @cached_property
    def id(self) -> str:
        """The name that its verdicts stand under: with a hash of all that shapes them.

        Model, parameters, prompts and the reading of replies: if one of them changes, it is another
        judge, and its verdicts stand beside the old ones.
        """
        parts = [self.model, asdict(self.parameters), prompts_hash(), PARSER]
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
        return f"{_MODEL}{self.model}@{digest[:8]}"


Judge = RuleJudge | ModelJudge


def judge_named(name: str) -> Judge:
    """The judge with a name: ``rule``, ``rule:NAME`` or ``endpoint:MODEL``.

    Raises:
        UsageError: There is no such judge.
    """
    kind, _, rest = name.partition(":")
    if kind == _RULE and (not rest or rest in _JUDGE_RULES):
        return RuleJudge(rest or "open")
    if kind == _RULE and (added := load_named(Group.JUDGES, rest)) is not None:
        return RuleJudge(rest, added[0].package)
    if name.startswith(_MODEL) and rest.strip():
        return ModelJudge(rest.strip())
    named = dict.fromkeys((*_JUDGE_RULES, *extensions(Group.JUDGES)))
    rules = ", ".join(f"rule:{one}" for one in named)
    raise UsageError(
        f"no judge named {name!r}; there are: rule, {rules}, endpoint:MODEL",
        hint="the model is named as the endpoint names it",
    )


def judges_named(names: Iterable[str]) -> list[Judge]:
    """Several judges, each once; a name may hold several, with commas between them.

    Raises:
        UsageError: There is no such judge.
    """
    listed = [part.strip() for name in names for part in name.split(",") if part.strip()]
    return list(dict.fromkeys(map(judge_named, listed)))


def verifier_named(name: str) -> ModelJudge:
    """The verifier with a name: a model with a seed of its own, so that it judges independently.

    Raises:
        UsageError: It is no model.
    """
    judge = judge_named(name)
    if not isinstance(judge, ModelJudge):
        raise UsageError(f"a verifier is a model, such as endpoint:MODEL; found {name!r}")
    return replace(judge, parameters=replace(judge.parameters, seed=_VERIFIER_SEED))
