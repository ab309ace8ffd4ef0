"""The agent proposer: a model behind an endpoint, told what was wrong until it is right."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from mnemoscope.core.backbones.endpoint import Endpoint
from mnemoscope.core.backbones.replies import Failure
from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import ProviderError
from mnemoscope.core.harness.agent_prompt import complaint, messages
from mnemoscope.core.harness.beginning import foreign_layer
from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.lettering import undrawable
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.task import Task, UnusableError
from mnemoscope.core.reply_objects import reply_object
from mnemoscope.core.schemas import checked
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Operator
from mnemoscope.core.truth.reading import mutation_of
from mnemoscope.core.truth.schema import MutationForm

__all__ = ["Agent", "read_proposal"]

# Any: a message of the API.
Message = Mapping[str, Any]


class Agent:
    """Asks a model for every update; ``with Agent(…) as agent``.

    Nobody stands in for it: a reply that is no proposal is refused and told so. What an artifact of
    another context shows is drawn, though: a whole table is no matter of one reply.
    """

    def __init__(self, pack: Pack, seed: int, endpoint: Endpoint, model: str) -> None:
        self._chance = Chance(pack.name, "agent", seed)
        self._endpoint, self._model = endpoint, model
        self._loop = asyncio.Runner()
        self._talk: list[Message] = []
        """What was said about the task at hand."""

    def __enter__(self) -> Self:
        self._loop.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._loop.run(self._endpoint.__aexit__(kind, error, trace))
        finally:
            self._loop.__exit__(kind, error, trace)

    def propose(self, task: Task) -> Mutation:
        """A mutation for a task.

        Raises:
            UnusableError: What the model says is none.
            ProviderError: Nobody can be asked.
        """
        if not OPERATORS[task.operator].holds:
            return Mutation()
        if task.feedback and self._talk:
            self._talk.append(complaint(task.feedback[-1]))
        else:
            self._talk = list(messages(task))
        said = self._asked()
        self._talk.append({"role": "assistant", "content": said})
        return self._read(task, said)

    def _asked(self) -> str:
        found = self._loop.run(self._endpoint.complete(self._model, self._talk))
        if isinstance(found, Failure):
            if found.kind.is_final:
                raise ProviderError(f"{self._model}: {found}")
            self._talk = []  # the next try begins anew
            raise UnusableError(str(found))
        return found.text

    def _read(self, task: Task, said: str) -> Mutation:
        found = read_proposal(task, said)
        if task.operator is not Operator.WRONG_CONTEXT_ARTIFACT:
            return found
        if found.context not in task.pack.contexts[1:]:
            wanted = " or ".join(map(repr, task.pack.contexts[1:]))
            raise UnusableError(f"context: found {found.context!r}, expected {wanted}")
        return replace(found, content=foreign_layer(task.pack, self._chance, task.state.visual))


def read_proposal(task: Task, said: str) -> Mutation:
    """The mutation in a reply, read strictly: a guess would be our proposal and not the model's.

    Raises:
        UnusableError: It is none; says what was found and what is expected.
    """
    try:
        data = reply_object(said)
    except ValueError as error:
        raise UnusableError(str(error)) from None
    allowed = _keys(task.operator)
    extra = sorted(data.keys() - allowed)
    if extra:
        raise UnusableError(f"found {', '.join(extra)}, expected {' and '.join(sorted(allowed))}")
    if isinstance(data.get("added"), list):
        data = data | {"added": list(_with_keys(task, data["added"]))}
    log = DefectLog()
    form = checked(MutationForm, data, log)
    if form is None:
        first = log.items[0]
        raise UnusableError(f"{first.path}: found {first.found}, expected {first.expected}")
    for text in _texts(data):
        wrong = undrawable(text)
        if wrong:
            raise UnusableError(f"found {wrong!r} in {text!r}, expected plain ASCII")
    return mutation_of(task.pack.state_schema, form)


def _keys(operator: Operator) -> set[str]:
    """The keys that a reply may have."""
    holds = OPERATORS[operator].holds
    if holds == "content":
        return {"context"}
    more = {"removed": {"block"}, "order": {"sequence"}}.get(holds, set())
    if operator is Operator.TEXT_REORDER:
        more |= {"rules"}
    return {holds, "reason", *more}


def _with_keys(task: Task, added: list[Any]) -> Iterator[Any]:
    """New entities with the keys that they get here: stable keys are no model's to make up."""
    for at, one in enumerate(added, task.next_key):
        if not isinstance(one, dict) or set(one) != {"values"}:
            raise UnusableError("added: expected a list of objects with the one key values")
        yield {"key": f"{task.pack.entity}_{at:02}", **one}


def _texts(data: object) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for key, one in data.items():
                if key != "reason":
                    yield from _texts(one)
        case list():
            for one in data:
                yield from _texts(one)
