"""What every backbone is: whatever answers a question from what a memory brought back.

A backbone is handed the question as a memory system is asked it, and never more: no task, no gold,
nothing that only the evaluator may see.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from mnemoscope.core.errors import UsageError
from mnemoscope.core.memory.items import Recall
from mnemoscope.core.memory.query import Query
from mnemoscope.core.memory.system import MemorySystem, Parameter
from mnemoscope.core.model import Kind, Reached, RecordStatus
from mnemoscope.core.model.values import value
from mnemoscope.core.writing import json_bytes

__all__ = [
    "Answered",
    "Ask",
    "Backbone",
    "BackboneSpec",
    "Counted",
    "Load",
    "Reached",
    "Tokens",
    "require_chat",
]


@dataclass(frozen=True)
class BackboneSpec:
    """A backbone as configured: everything that decides what it answers."""

    id: str
    """``embedded``, or a model's name at its endpoint."""
    is_chat: bool
    """Whether it is a chat model, which some memory systems need to build what they remember."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Its parameters as JSON; never a URL or a key."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """The sha256 of each prompt it may use, by the prompt's name."""
    note: str = ""
    """What must stand wherever its figures do, such as that it is a floor baseline."""

    def as_json(self) -> dict[str, Any]:
        """The configuration as JSON."""
        return {
            "id": self.id,
            "parameters": dict(sorted(self.parameters.items())),
            "prompts": dict(sorted(self.prompts.items())),
        }

    @property
    def hash(self) -> str:
        """A hash of the configuration."""
        return hashlib.sha256(json_bytes(self.as_json())).hexdigest()


@dataclass(frozen=True)
class Ask:
    """One question, as a backbone is asked it."""

    query: Query
    """The question with its options and its own pictures and clips."""
    recall: Recall
    """What the memory brought back: text and media in order, and the items they come from."""
    files: Mapping[tuple[Kind, str], str] = field(default_factory=dict)
    """The files of the media in both, by kind and neutral id; see ``question_files``."""
    roots: tuple[Path, ...] = ()
    """The folders that files are read below: the release's ``media_roots``."""
    repeat: int = 0
    seed: int = 42


class Counted(StrEnum):
    """Who counted tokens."""

    PROVIDER = "provider"
    """The endpoint says so."""
    ESTIMATED = "estimated"
    """Counted here, as cl100k_base does; other models count a little differently."""
    NONE = "none"
    """No model was asked, or nobody knows what it took."""


@value
class Tokens:
    """What one answer took."""

    prompt: int | None = None
    completion: int | None = None
    source: Counted = Counted.NONE


@value
class Answered:
    """What came of asking. A failure is one, too: nothing is raised for it."""

    status: RecordStatus
    """``ok`` for any answer that is not blank; whether an option can be read from it is not for the
    backbone to say."""
    text: str
    """The answer as it came, or what went wrong in one line, without the key."""
    reasoning: str = ""
    """What the model thought before it answered, where it marks that off."""
    detail: str = ""
    """What kind of failure it is, such as ``blank answer``."""
    stops: bool = False
    """Whether nothing else that is asked of this backbone now would go better."""
    tokens: Tokens = field(default_factory=Tokens)
    finish: str = ""
    """Why the answer ended: ``stop``, or ``length`` when it was cut for want of room."""
    attempts: int = 1
    adapted: tuple[str, ...] = ()
    """How the request was changed for the endpoint to take it."""
    reached: Reached = field(default_factory=Reached)
    model: str = ""
    """What answered, as it calls itself."""
    prompt: str = ""
    """The name of the prompt that was used."""
    grounds: Mapping[str, Any] = field(default_factory=dict)
    """What the answer rests on, as JSON, where the backbone can say."""

    def as_json(self) -> dict[str, Any]:
        """What a record keeps beside status, answer and tokens, as JSON; what is empty is left out.

        It is the same however often the question is asked, attempts aside.
        """
        # Where nothing answered as a model, not even the text has reached one.
        asked = self.model or self.reached != Reached()
        found = {
            "model": self.model,
            "prompt": self.prompt,
            "finish": self.finish,
            "attempts": self.attempts,
            "adapted": list(self.adapted),
            "reached": self.reached.as_json() if asked else {},
            "grounds": dict(self.grounds),
        }
        return {name: one for name, one in found.items() if one}


@value
class Load:
    """What a question would take, as far as that can be told before asking."""

    calls: int
    """Requests to an endpoint, if all goes well."""
    prompt: int
    """Tokens of text that are sent, as cl100k_base counts them."""
    completion_at_most: int


class Backbone(ABC):
    """Answers questions; open while it is used: ``async with backbone``.

    Several questions may be asked at a time; the answer to one does not depend on the others.
    """

    AT_ONCE: ClassVar[int] = 1
    """How many questions it is usually asked at a time."""
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {}
    """What can be set of it."""

    @property
    @abstractmethod
    def spec(self) -> BackboneSpec:
        """How it is configured."""

    @abstractmethod
    async def answer(self, ask: Ask) -> Answered:
        """Answer a question, as patiently as it is configured to."""

    @abstractmethod
    def load(self, ask: Ask) -> Load:
        """What answering a question would take; nothing is asked."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None


def require_chat(system: type[MemorySystem], backbone: BackboneSpec) -> None:
    """Hold a system against the backbone that it would build its memory with.

    Raises:
        UsageError: The system needs a chat model, and the backbone is none: nothing else may stand
            in under the system's name.
    """
    if system.NEEDS_CHAT and not backbone.is_chat:
        raise UsageError(
            f"{system.NAME} needs a chat model, and the backbone {backbone.id} is none",
            hint="choose one with --backbone endpoint:MODEL",
        )
