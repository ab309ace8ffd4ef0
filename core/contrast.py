"""Where two values that should be equal part ways, in as few words as tell them apart."""

from typing import Any

from mnemoscope.core.defects import SHOWN, Described, describe
from mnemoscope.core.reading import step

__all__ = ["contrast", "first_difference"]

_BEFORE = 20
_NOTHING = Described("nothing")


def first_difference(found: Any, expected: Any) -> tuple[str, Any, Any]:
    """Go down two JSON values to the first place where they differ.

    Returns:
        The JSON path below the values, such as ``[1].B`` or nothing, and what stands there in each.
        Lists of different lengths differ as a whole.
    """
    place = ""
    while found != expected:
        if type(found) is dict and type(expected) is dict:
            keys = dict.fromkeys((*expected, *found))
            pairs = ((key, found.get(key, _NOTHING), expected.get(key, _NOTHING)) for key in keys)
            key, found, expected = next(one for one in pairs if one[1] != one[2])
            place = step(place, key)
        elif type(found) is list and type(expected) is list and len(found) == len(expected):
            rows = enumerate(zip(found, expected, strict=True))
            index, (found, expected) = next(one for one in rows if one[1][0] != one[1][1])
            place += f"[{index}]"
        else:
            break
    return place, found, expected


def contrast(found: Any, expected: Any) -> tuple[str, str]:
    """Describe two values that differ; of long texts what stands around the first difference."""
    if (
        type(found) is not str
        or type(expected) is not str
        or max(map(len, (found, expected))) <= SHOWN
    ):
        return describe(found), describe(expected)
    start = next(
        (at for at, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b),
        min(len(found), len(expected)),
    )
    if start < SHOWN - _BEFORE:
        return describe(found), describe(expected)
    return _around(found, start), _around(expected, start)


def _around(text: str, place: int) -> str:
    start = place - _BEFORE
    shown = text[start : start + SHOWN]
    more = "…" if len(text) > start + SHOWN else ""
    return f"…{shown!r}{more} (from character {start + 1:,} of {len(text):,})"
