"""The interface of memory systems: observe round by round, freeze, then answer what is recalled."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from mnemoscope.core.errors import UsageError
from mnemoscope.core.memory.items import Delta, MemoryItem, Provenance, Recall
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.state import MemoryState
from mnemoscope.core.memory.view import RoundView
from mnemoscope.core.model import Kind

if TYPE_CHECKING:
    from mnemoscope.core.embedders.embedder import Embedder

__all__ = ["INTENDED", "MemorySystem", "Parameter", "SystemContext", "SystemSpec"]

INTENDED = "intended"

Setting = int | float | str | bool


@dataclass(frozen=True)
class Parameter:
    """A parameter of a system."""

    default: Setting
    help: str
    choices: tuple[str, ...] = ()
    """Which texts it may be; empty for any value of the default's type."""
    least: float | None = None

    def check(self, name: str, given: Setting) -> Setting:
        """The value, as the parameter's type.

        Raises:
            UsageError: It is of another type, none of the choices, or too small.
        """
        expected = type(self.default)
        if expected is float and type(given) is int:
            given = float(given)
        if type(given) is not expected:
            raise UsageError(f"{name}: found {given!r}, expected {_TYPES[expected]}")
        if self.choices and given not in self.choices:
            raise UsageError(f"{name}: found {given!r}, expected one of {', '.join(self.choices)}")
        if self.least is not None and isinstance(given, int | float) and given < self.least:
            raise UsageError(f"{name}: found {given}, expected at least {self.least:g}")
        return given


_TYPES = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


@dataclass(frozen=True)
class SystemSpec:
    """A system as configured: everything that shapes what it remembers and recalls."""

    name: str
    """The slug."""
    version: int
    """Raised whenever the same history gives another memory than before."""
    profile: str
    """``intended``, or ``as_published``: what the published numbers ran."""
    parameters: Mapping[str, Setting] = field(default_factory=dict)
    """Every parameter, defaults included."""

    def as_json(self) -> dict[str, Any]:
        """The configuration as JSON."""
        return {
            "id": self.name,
            "version": self.version,
            "profile": self.profile,
            "parameters": dict(sorted(self.parameters.items())),
        }


@dataclass(frozen=True)
class SystemContext:
    """What a system may use beside the rounds."""

    embedder: "Embedder | None" = None
    files: Mapping[tuple[Kind, str], str] = field(default_factory=dict)
    """The files of media, by kind and neutral id."""


class MemorySystem(ABC):
    """A memory of one history.

    The order is ``observe`` for every round, ``finalize``, ``freeze``, then ``recall`` as often as
    one likes, which changes nothing. All that it knows is in ``export_state``.
    """

    NAME: ClassVar[str]
    VERSION: ClassVar[int] = 1
    SUMMARY: ClassVar[str]
    """What it is, in a sentence."""
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {}
    PROFILES: ClassVar[Mapping[str, Mapping[str, Setting]]] = {INTENDED: {}}
    """Parameters that differ from the defaults, by profile."""
    PROFILE_NOTES: ClassVar[Mapping[str, str]] = {}
    """What a reader of figures should know of a profile."""
    NEEDS_EMBEDDER: ClassVar[bool] = False
    NEEDS_CHAT: ClassVar[bool] = False
    """Whether a chat model takes part in what it remembers or recalls."""
    IS_ORACLE: ClassVar[bool] = False
    """Whether it is given the evidence."""
    ANSWERS: ClassVar[bool] = False
    """Whether it answers by itself, without a backbone."""
    MODALITIES: ClassVar[frozenset[Kind]] = frozenset()
    """What of media themselves, not their captions, it can send."""
    PROVENANCE: ClassVar[Provenance] = Provenance.EXACT
    RETRIEVES: ClassVar[bool] = True
    """Whether what it brings back can be held against gold evidence."""
    RECALL_IS_PARALLEL: ClassVar[bool] = True

    def __init__(self, spec: SystemSpec, context: SystemContext) -> None:
        """Use ``registry.make_system``, which checks both."""
        self.spec = spec
        self.context = context
        self.observed = 0
        """How many rounds it has taken in."""
        self._frozen = False

    @property
    def is_frozen(self) -> bool:
        """Whether it takes in nothing more."""
        return self._frozen

    def observe(self, one: RoundView) -> Delta:
        """Take in the next round.

        Raises:
            ValueError: The memory is frozen, or the round is not the next one.
        """
        if self._frozen:
            raise ValueError(f"{self.spec.name}: frozen; round {one.id} comes too late")
        if one.index != self.observed:
            raise ValueError(
                f"{self.spec.name}: round {one.index} was handed over, expected {self.observed}"
            )
        delta = self._observe(one)
        self.observed += 1
        return delta

    def finalize(self) -> Delta:
        """Take in what is still in buffers; called once, after the last round."""
        return Delta()

    def freeze(self) -> None:
        """Take in nothing more."""
        self._frozen = True

    def recall(self, query: Query, evidence: Evidence | None = None) -> Recall:
        """What the memory brings back for a question; the memory stays as it is.

        Args:
            query: The question.
            evidence: What its gold rests on, for oracles; nobody else may be given it.

        Raises:
            ValueError: The memory is not frozen, or evidence goes to somebody who is no oracle, or
                an oracle is given none.
        """
        if not self._frozen:
            raise ValueError(f"{self.spec.name}: is asked before it is frozen")
        if (evidence is not None) is not self.IS_ORACLE:
            raise ValueError(f"{self.spec.name}: evidence is for oracles, and for them alone")
        return self._recall(query, evidence or Evidence())

    @abstractmethod
    def _observe(self, one: RoundView) -> Delta: ...

    @abstractmethod
    def _recall(self, query: Query, evidence: Evidence) -> Recall: ...

    @abstractmethod
    def items(self) -> tuple[MemoryItem, ...]:
        """All it holds, in the order in which it came to hold it."""

    @abstractmethod
    def export_state(self) -> MemoryState:
        """All it knows; the number of rounds taken in is under ``observed``."""

    @abstractmethod
    def import_state(self, state: MemoryState) -> None:
        """Become the memory with a state: the exact inverse of ``export_state``.

        Raises:
            InputError: It is no state of this system.
        """
