"""Small evaluations, and a backbone that answers as it is told."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mnemoscope.core.backbones.backbone import (
    Answered,
    Ask,
    Backbone,
    BackboneSpec,
    Counted,
    Load,
    Tokens,
)
from mnemoscope.core.evaluate.evaluation import Evaluation
from mnemoscope.core.evaluate.manifest import manifest_for
from mnemoscope.core.evaluate.origin import Origin
from mnemoscope.core.evaluate.plan import Plan
from mnemoscope.core.evaluate.session import Outcome, carry_out
from mnemoscope.core.memory.registry import system_spec
from mnemoscope.core.memory.system import SystemSpec
from mnemoscope.core.model import Option, Question, RecordStatus, Release
from tests.workspace_data import a_question, a_release

ORIGIN = Origin("0", None, "a machine", ("mnemoscope", "run"))

OPTIONS = tuple(Option(label, f"text of D0{place}:02") for place, label in enumerate("ABCD"))

Say = Callable[[Ask], Answered | str]


def answer_a(ask: Ask) -> str:
    return "A"


def said(text: str, prompt: int = 10, completion: int = 2) -> Answered:
    tokens = Tokens(prompt, completion, Counted.PROVIDER)
    return Answered(RecordStatus.OK, text, tokens=tokens, finish="stop", model="scripted-1")


def failed(status: RecordStatus = RecordStatus.ERROR, **more: Any) -> Answered:
    return Answered(status, "it went wrong", "server error", **more)


class Scripted(Backbone):
    """Says what a script says, and remembers what it was asked."""

    def __init__(self, say: Say = answer_a, seconds: float = 0.0, **parameters: Any) -> None:
        self.asked: list[Ask] = []
        self.most_at_once = 0
        self.opened = 0
        self._say = say
        self._seconds = seconds
        self._now = 0
        self._parameters: Mapping[str, Any] = parameters

    @property
    def spec(self) -> BackboneSpec:
        return BackboneSpec("scripted", True, self._parameters, {"plain": "0" * 64})

    async def answer(self, ask: Ask) -> Answered:
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        try:
            await asyncio.sleep(self._seconds)
            self.asked.append(ask)
            answer = self._say(ask)
            return said(answer) if isinstance(answer, str) else answer
        finally:
            self._now -= 1

    def load(self, ask: Ask) -> Load:
        return Load(1, 100, 20)

    async def __aenter__(self) -> "Scripted":
        self.opened += 1
        return self


def questions(count: int = 12, histories: int = 3) -> list[Question]:
    return [
        a_question(f"p{n % histories}/q/{n}", clues=["D01:02"], options=OPTIONS)
        for n in range(count)
    ]


def evaluation(
    backbone: Backbone | None = None,
    system: str | SystemSpec = "bm25",
    *,
    release: Release | None = None,
    **changes: Any,
) -> Evaluation:
    """An evaluation of bm25 on twelve questions about three histories."""
    of = release or a_release(questions())
    plain = Evaluation(
        of,
        tuple(of.questions.values()),
        system_spec(system) if isinstance(system, str) else system,
        of.textualisation,
        backbone or Scripted(),
    )
    return replace(plain, **changes)


def run(folder: Path, one: Evaluation, **how: Any) -> Outcome:
    return carry_out(one, folder, manifest_for(one, Plan(out=str(folder)), ORIGIN), **how)
