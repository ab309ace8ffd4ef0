"""A chat model at an OpenAI-compatible endpoint, as a backbone."""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import ClassVar, Self

from mnemoscope.core.backbones.backbone import (
    Answered,
    Ask,
    Backbone,
    BackboneSpec,
    Counted,
    Load,
    Tokens,
)
from mnemoscope.core.backbones.endpoint import PATIENCE, Endpoint, Patience
from mnemoscope.core.backbones.objections import refused_kinds
from mnemoscope.core.backbones.prompt_set import DEFAULT, read_prompts
from mnemoscope.core.backbones.replies import Failure, FailureKind, Reply
from mnemoscope.core.backbones.request import PAPER, Parameters
from mnemoscope.core.backbones.settings import EndpointSettings
from mnemoscope.core.backbones.wording import MEDIA, Worded, word
from mnemoscope.core.memory.system import Parameter, Setting
from mnemoscope.core.model import Kind, RecordStatus
from mnemoscope.core.tokens import count_tokens

__all__ = ["BLANK", "PARAMETERS", "ChatBackbone"]

BLANK = "blank answer"
"""The detail of a record whose answer has no word in it."""
_AUTO = "auto"
_OFF = "off"
_THINKERS = ("qwen3", "qwen-3")
"""Models that CUE-Mem switches thinking off for, by a part of their name."""

PARAMETERS: Mapping[str, Parameter] = {
    "temperature": Parameter(PAPER.temperature, "How much chance there is in answers.", least=0),
    "max_tokens": Parameter(PAPER.max_tokens, "How long an answer may be, in tokens.", least=1),
    "thinking": Parameter(
        _AUTO,
        "Whether a model may think first: off asks the endpoint to switch it off, auto does so for "
        "Qwen3, on leaves it to the model.",
        (_AUTO, "on", _OFF),
    ),
    "media": Parameter(
        MEDIA[0],
        "What is sent as pictures and sound: what the memory brings and the question holds, the "
        "pictures of options too, or nothing.",
        MEDIA,
    ),
    "prompts": Parameter(DEFAULT, "The set of prompts, or a folder with one."),
    "attempts": Parameter(PATIENCE.attempts, "How often a question is tried.", least=1),
}
"""What can be set; the defaults are CUE-Mem's protocol."""

_STATUS = {
    FailureKind.TIMEOUT: RecordStatus.TIMEOUT,
    FailureKind.REFUSED: RecordStatus.REFUSED,
}
_THOUGHT = re.compile(r"\s*<think>(.*?)</think>", re.DOTALL)


class ChatBackbone(Backbone):
    """Asks a model, with prompts from versioned files."""

    AT_ONCE: ClassVar[int] = 16
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = PARAMETERS

    def __init__(
        self,
        model: str,
        endpoint: EndpointSettings,
        parameters: Mapping[str, Setting],
        patience: Patience = PATIENCE,
    ) -> None:
        """Get ready; nothing is sent yet.

        Args:
            model: The model's name at the endpoint.
            endpoint: Where it is asked.
            parameters: Every one of ``PARAMETERS``, checked.
            patience: How long to wait between attempts.

        Raises:
            UsageError: The extra ``llm`` is not installed, or there are no such prompts.
            InputError: The prompts cannot be used.
        """
        self._model = model
        self._settings = dict(parameters)
        self._prompts = read_prompts(str(parameters["prompts"]))
        thinks = parameters["thinking"]
        name = model.casefold()
        off = thinks == _OFF or (thinks == _AUTO and any(one in name for one in _THINKERS))
        self._parameters = Parameters(
            float(parameters["temperature"]), int(parameters["max_tokens"]), thinking=not off
        )
        patience = replace(patience, attempts=int(parameters["attempts"]))
        self._endpoint = Endpoint(endpoint, parameters=self._parameters, patience=patience)
        self._refused: frozenset[Kind] = frozenset()
        """What the model has said that it does not take."""

    @property
    def spec(self) -> BackboneSpec:
        """Model, parameters and prompts."""
        chosen = self._settings | {
            "thinking": "on" if self._parameters.thinking else _OFF,
            "prompts": self._prompts.name,
        }
        return BackboneSpec(self._model, True, chosen, self._prompts.hashes)

    async def __aenter__(self) -> Self:
        await self._endpoint.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._endpoint.__aexit__(kind, error, trace)

    async def answer(self, ask: Ask) -> Answered:
        """Ask the model; where it takes no pictures or no sound, again with their captions."""
        worded = self._word(ask)
        while True:
            said = await self._complete(ask, worded)
            refused = isinstance(said, Failure) and said.kind is FailureKind.NO_MEDIA
            if not refused or not self._do_without(str(said), worded):
                return self._answered(said, worded)
            worded = self._word(ask)

    def load(self, ask: Ask) -> Load:
        """One call, with the tokens of its text."""
        worded = word(ask, self._prompts, self._settings["media"])
        return Load(1, count_tokens(worded.text), self._parameters.max_tokens)

    def _word(self, ask: Ask) -> Worded:
        return word(ask, self._prompts, self._settings["media"], self._refused)

    async def _complete(self, ask: Ask, worded: Worded) -> Reply | Failure:
        parameters = replace(self._parameters, seed=ask.seed)
        return await self._endpoint.complete(self._model, worded.messages, parameters)

    def _do_without(self, said: str, worded: Worded) -> bool:
        """Note which of the kinds that were sent are not taken; whether there were any."""
        sent = {kind for kind, count in worded.reached.sent.items() if count}
        found = (refused_kinds(said) & sent) or sent
        self._refused |= found
        return bool(found)

    def _answered(self, said: Reply | Failure, worded: Worded) -> Answered:
        name, reached = worded.prompt.name, worded.reached
        if isinstance(said, Failure):
            final = said.kind.is_final
            status = RecordStatus.NOT_RUN if final else _STATUS.get(said.kind, RecordStatus.ERROR)
            blank = said.kind is FailureKind.BLANK
            detail = BLANK if blank else said.kind.replace("_", " ")
            return Answered(
                status,
                said.message,
                detail=detail,
                stops=final,
                attempts=said.attempts,
                reached=reached,
                model=self._model,
                prompt=name,
            )
        thought = _THOUGHT.match(said.text)
        text = said.text[thought.end() :].strip() if thought else said.text
        return Answered(
            RecordStatus.OK if text.strip() else RecordStatus.ERROR,
            text,
            reasoning=thought[1].strip() if thought else "",
            detail="" if text.strip() else BLANK,
            tokens=_tokens(said, worded),
            finish=said.finish,
            attempts=said.attempts,
            adapted=said.adapted,
            reached=reached,
            model=_called(said.model) or self._model,
            prompt=name,
        )


def _called(model: str) -> str:
    """What a model calls itself; of a path on the endpoint's machine only the last part."""
    if model.startswith("/") or model[1:3] in (":\\", ":/"):
        return re.split(r"[/\\]", model)[-1]
    return model


def _tokens(said: Reply, worded: Worded) -> Tokens:
    usage = said.usage
    if usage.prompt is not None and usage.completion is not None:
        return Tokens(usage.prompt, usage.completion, Counted.PROVIDER)
    return Tokens(count_tokens(worded.text), count_tokens(said.text), Counted.ESTIMATED)
