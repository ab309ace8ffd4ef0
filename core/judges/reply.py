"""Reading a verdict from what a model said: strictly, for a guess would be ours and not its."""

import json
import re
from dataclasses import dataclass
from typing import Any

from mnemoscope.core.model import Value

__all__ = ["PARSER", "Said", "Unusable", "read_verdict"]

PARSER = 1
"""Raised whenever some reply would be read otherwise."""

_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_VALUES = {"right": Value.RIGHT, "wrong": Value.WRONG}
_LONGEST_REASON = 2_000
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict with its reason."""

    value: Value
    reason: str


@dataclass(frozen=True, slots=True)
class Unusable:
    """A reply that is no verdict."""

    why: str


def read_verdict(text: str) -> Said | Unusable:
    """The verdict in a reply: one JSON object of the form asked for, in a code fence or not.

    What a model thinks aloud before it is left out. Anything else is unusable: words around the
    object, unknown keys, a key twice, another word than right or wrong.
    """
    text = _THOUGHT.sub("", text, count=1).strip()
    fenced = _FENCE.match(text)
    try:
        data = json.loads(fenced[1] if fenced else text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return Unusable(f"found {_short(text)}, expected one JSON object")
    if not isinstance(data, dict):
        return Unusable(f"found {_short(text)}, expected a JSON object")
    if "verdict" not in data or data.keys() - {"verdict", "reason"}:
        said = ", ".join(map(_short, sorted(data))) or "no keys"
        return Unusable(f"found {said}, expected verdict and reason")
    value, reason = data["verdict"], data.get("reason", "")
    if not isinstance(reason, str):
        return Unusable("the reason is no text")
    known = _VALUES.get(value.strip().casefold()) if isinstance(value, str) else None
    if known is None:
        return Unusable(f"found {_short(str(value))} as verdict, expected right or wrong")
    return Said(known, reason[:_LONGEST_REASON])


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
