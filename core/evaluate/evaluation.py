"""An evaluation that is ready to run: every name of its plan has become what it names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mnemoscope.core.backbones.backbone import Backbone, require_chat
from mnemoscope.core.embedders.embedder import Embedder
from mnemoscope.core.errors import UsageError
from mnemoscope.core.evaluate.budget import Limits, Prices
from mnemoscope.core.memory.registry import system_class
from mnemoscope.core.memory.system import MemorySystem, SystemSpec
from mnemoscope.core.model import GoldKind, History, Question, Release, Textualisation

__all__ = ["Evaluation", "Row"]

Row = tuple[str, int]
"""A question's key and a repeat: what a record is about."""


@dataclass(frozen=True)
class Evaluation:
    """What is run."""

    release: Release
    questions: tuple[Question, ...]
    system: SystemSpec
    textualisation: Textualisation
    backbone: Backbone | None = None
    """What answers; None for a system that answers by itself."""
    embedder: Embedder | None = None
    seeds: tuple[int, ...] = (42,)
    """The seed of each repeat."""
    rule: str = ""
    """How options are read from answers; by what the questions have when empty."""
    name: str = ""
    limits: Limits = field(default_factory=Limits)
    prices: Prices | None = None
    workers: int = 16
    snapshots: Path | None = None
    """A folder of memories that several runs share; the run's own when None."""
    wording: Mapping[str, object] = field(default_factory=dict)
    """Where the wording of the questions comes from, when that is not the release."""

    def require(self) -> None:
        """Hold the parts against each other before anything is run.

        Raises:
            UsageError: They do not fit.
        """
        if not self.questions:
            raise UsageError("there is no question to ask")
        if self.backbone is not None:
            require_chat(self.kind, self.backbone.spec)
        elif not self.kind.ANSWERS:
            raise UsageError(
                f"{self.system.name}: brings memories back and needs a backbone to answer",
                hint="give --backbone, such as --backbone embedded",
            )
        if self.kind.NEEDS_EMBEDDER and self.embedder is None:
            raise UsageError(f"{self.system.name}: needs an embedder")
        self.limits.require_prices(self.prices)
        absent = [one.key for one in self.questions if self._history(one) is None]
        if absent:
            more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
            raise UsageError(f"the release does not have the history of {absent[0]}{more}")

    @property
    def kind(self) -> type[MemorySystem]:
        """The class of the system."""
        return system_class(self.system.name)

    @cached_property
    def decides(self) -> str:
        """The rule that decides right and wrong when the run is read.

        Typed values are judged by their type. Texts are left to a judge: that an answer is not
        word by word the gold says little.
        """
        if self.rule:
            return self.rule
        kinds = {one.gold.kind for one in self.questions}
        if GoldKind.OPTION in kinds:
            return "rq1"
        return "open" if GoldKind.VALUE in kinds else "stored"

    @property
    def rows(self) -> Iterator[Row]:
        """Every record that there is going to be: repeat by repeat of each question."""
        for question in self.questions:
            for repeat in range(len(self.seeds)):
                yield question.key, repeat

    @cached_property
    def by_history(self) -> Mapping[str, tuple[Question, ...]]:
        """The questions of each history that has any, histories in the release's order."""
        found: dict[str, list[Question]] = {}
        for one in self.questions:
            found.setdefault(one.history_id, []).append(one)
        return {name: tuple(found[name]) for name in self.release.histories if name in found}

    def _history(self, question: Question) -> History | None:
        return self.release.histories.get(question.history_id)
