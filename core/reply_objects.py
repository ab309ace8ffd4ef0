"""The one JSON object that a model was asked to reply with, read strictly."""

import json
import re
from typing import Any

__all__ = ["reply_object"]

_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_SHOWN = 60


def reply_object(text: str) -> dict[str, Any]:
    """The object in a reply, in a code fence or not.

    Raises:
        ValueError: It is anything else: words around it, another value, a key that stands twice.
    """
    text = text.strip()
    shown = repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
    fenced = _FENCE.match(text)
    try:
        data = json.loads(fenced[1] if fenced else text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise ValueError(f"found {shown}, expected one JSON object") from None
    if not isinstance(data, dict):
        raise ValueError(f"found {shown}, expected a JSON object")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found
