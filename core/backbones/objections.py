"""What an endpoint objects to in a request, read from what it says.

There is no standard for it: the signs are those of OpenAI, vLLM, llama.cpp, Ollama, OpenRouter,
Mistral and DeepSeek.
"""

from typing import TYPE_CHECKING

from mnemoscope.core.backbones.request import THINKING
from mnemoscope.core.model import Kind

if TYPE_CHECKING:
    from openai import APIStatusError

__all__ = ["TURNS", "objection", "refused_kinds", "takes_no_media"]

TURNS = "turns"
"""The objection that user and assistant do not take turns."""
_PARAMETERS = ("seed", "temperature", "max_tokens", THINKING)
_UNKNOWN = ("unsupported", "not supported", "unrecognized", "unexpected", "not permitted")
_IMAGE = ("image", "picture", "vision", "visual")
_AUDIO = ("audio",)
_MEDIA = (*_IMAGE, *_AUDIO, "multimodal", "multi-modal", "content type", "part type")
_NOT_TAKEN = (
    *("not support", "n't support", "unsupported", "only support", "not a multi", "not enabled"),
    *("no endpoints found", "at most 0", "unknown part", "unknown variant", "invalid content type"),
    *("missing data required", "valid string", "must be a string", "only accept", "not accept"),
)


def objection(error: "APIStatusError") -> str:
    """The parameter that a request is refused for, or ``TURNS``; empty for any other reason."""
    if error.status_code not in (400, 422):
        return ""
    if error.param in _PARAMETERS:
        return error.param or ""
    text = error.message.casefold()
    if "alternat" in text and "role" in text:
        return TURNS
    if any(sign in text for sign in _UNKNOWN):
        return next((name for name in _PARAMETERS if name in text), "")
    return ""


def takes_no_media(said: str) -> bool:
    """Whether what is said of a request with media means that the model does not take them."""
    text = said.casefold()
    return any(sign in text for sign in _MEDIA) and any(sign in text for sign in _NOT_TAKEN)


def refused_kinds(said: str) -> frozenset[Kind]:
    """Which kinds of media an endpoint speaks of when it does not take them; all if of none."""
    text = said.casefold()
    signs = {Kind.IMAGE: _IMAGE, Kind.AUDIO: _AUDIO}
    found = [kind for kind, words in signs.items() if any(word in text for word in words)]
    return frozenset(found or Kind)
