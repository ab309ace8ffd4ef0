"""What stands in the body of an endpoint's answer: a completion, or vectors."""

import json
import math
from collections.abc import Callable
from typing import Any

from mnemoscope.core.backbones.replies import Embedded, Failure, FailureKind, Reply, Usage
from mnemoscope.core.backbones.settings import Secret

__all__ = ["read_completion", "read_vectors"]

_SHOWN = 80
_ODD = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What foreign JSON raises where it is not what was expected."""

Said = Callable[[str], str]
"""Brings what an endpoint says into one short line without the key."""


def read_completion(text: str, said: Said, key: Secret) -> Reply | Failure:
    """The reply in a chat completion, or why there is none.

    Args:
        text: The body.
        said: What goes over every word that is quoted.
        key: What is taken out of the reply itself.
    """
    try:
        data = json.loads(text)
        choice = data["choices"][0]
        message = choice["message"]
        content, finish = message.get("content"), choice.get("finish_reason")
        usage, model = data.get("usage"), data.get("model")
    except _ODD:
        return _bad(f"found {text[:_SHOWN]!r}, expected a chat completion", said)
    if finish == "content_filter" or message.get("refusal"):
        reason = message.get("refusal") or "the content filter stopped it"
        return Failure(FailureKind.REFUSED, said(str(reason)))
    if content is not None and not isinstance(content, str):
        return _bad(f"found {type(content).__name__} as content, expected text", said)
    if not content or not content.strip():
        cut = ", cut for want of room" if finish == "length" else ""
        return Failure(FailureKind.BLANK, f"the reply is blank{cut}")
    return Reply(
        key.hide(content),
        model if isinstance(model, str) else "",
        finish if isinstance(finish, str) else "",
        _usage(usage),
    )


def read_vectors(text: str, count: int, said: Said) -> Embedded | Failure:
    """The vectors in a list of embeddings, or why there are none.

    Args:
        text: The body.
        count: How many texts were given.
        said: What goes over every word that is quoted.
    """
    try:
        rows = sorted(json.loads(text)["data"], key=lambda one: one["index"])
        places = [one["index"] for one in rows]
        vectors = tuple(tuple(map(float, one["embedding"])) for one in rows)
    except _ODD:
        return _bad(f"found {text[:_SHOWN]!r}, expected embeddings", said)
    if places != list(range(count)):
        return _bad(f"found {len(rows)} embeddings, expected one for each of {count} texts", said)
    lengths = {len(one) for one in vectors}
    if len(lengths) != 1 or 0 in lengths or not all(map(math.isfinite, sum(vectors, ()))):
        return _bad("found embeddings of several lengths or not of numbers", said)
    return Embedded(vectors)


def _bad(text: str, said: Said) -> Failure:
    return Failure(FailureKind.BAD_REPLY, said(text))


# Any: JSON of the endpoint.
def _usage(data: Any) -> Usage:
    if not isinstance(data, dict):
        return Usage()
    counts = (data.get("prompt_tokens"), data.get("completion_tokens"))
    return Usage(*(count if type(count) is int else None for count in counts))
