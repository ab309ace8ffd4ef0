"""In what two plans of a run differ, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.defects import SHOWN, describe
from mnemoscope.core.runs.native.schema import Manifest
from mnemoscope.core.text import counted

__all__ = ["difference", "differences"]

_PLAN = (
    *("release", "questions", "system", "backbone", "textualisation", "prompts", "tokenizer"),
    *("seeds", "parameters", "rule", "used_depth"),
)
"""What of a manifest decides records. Budgets, judges and names do not."""
_FILES = "release.files."
_SHOWN = 3
"""How many differences stand in one line."""


def difference(now: Manifest, planned: Manifest) -> str:
    """The same as ``differences`` in one short line; empty where there are none.

    Files of the release that differ are counted, and beyond the first few so is the rest.
    """
    found = differences(now, planned)
    of_files = [one for one in found if one.startswith(_FILES)]
    told = [one for one in found if not one.startswith(_FILES)]
    if of_files:
        there, wanted = (one.release.files if one.release else {} for one in (now, planned))
        count = f"{len(of_files):,} of {counted(len(there.keys() | wanted.keys()), 'file')}"
        # The release's name comes before it, where that differs too.
        named = bool(told) and told[0].startswith("release")
        told.insert(int(named), f"release: {count} {'differs' if len(of_files) == 1 else 'differ'}")
    more = len(told) - _SHOWN
    return "; ".join(told[:_SHOWN] + [f"and {more:,} more"] * (more > 0))


def differences(now: Manifest, planned: Manifest) -> list[str]:
    """What a plan says otherwise than a manifest, such as ``system.parameters.k: 10, planned 5``.

    Args:
        now: The manifest of a run.
        planned: What is going to be run.
    """
    one, other = now.model_dump(), planned.model_dump()
    return [told for key in _PLAN for told in _differing(key, one[key], other[key])]


def _differing(name: str, now: Any, planned: Any) -> Iterator[str]:
    if now == planned:
        return
    if isinstance(now, Mapping) and isinstance(planned, Mapping):
        for key in sorted(now.keys() | planned.keys()):
            yield from _differing(f"{name}.{key}", now.get(key), planned.get(key))
    elif name == "questions":
        yield f"questions: {_counted(now)}, planned {_counted(planned)}{_shared(now, planned)}"
    else:
        yield f"{name}: {_told(now)}, planned {_told(planned)}"


def _counted(keys: Sequence[str] | None) -> str:
    return "all" if keys is None else f"{len(keys):,}"


def _shared(now: Sequence[str] | None, planned: Sequence[str] | None) -> str:
    if now is None or planned is None:
        return ""
    same = set(now) & set(planned)
    return "" if same in (set(now), set(planned)) else f", {len(same):,} of them the same"


def _told(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list | tuple):
        listed = ", ".join(map(str, value)) or "none"
        return listed if len(listed) <= SHOWN else f"{listed[:SHOWN]}…"
    return str(value) if type(value) in (int, float) else describe(value)
