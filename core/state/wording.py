"""The state of a scenario in words, the same on the command line and on the screen."""

from collections.abc import Mapping
from typing import Any

__all__ = ["ABSENT_SIGN", "BLANK_SIGN", "EVENTS", "cause_text", "content_text", "with_unit"]

ABSENT_SIGN = "∅"
"""There is no such component."""
BLANK_SIGN = "–"
"""A cell that holds nothing."""
EVENTS = {"apply": "applies", "disregard": "withdraws", "reinstate": "reinstates"}
"""What a transition of a lifecycle does."""


# Any: a JSON value, as ``content_json`` makes it.
def content_text(content: Any, names: Mapping[str, str]) -> str:
    """What a component holds.

    Args:
        content: The content as JSON.
        names: The displayed names by key: of entities for orderings, of fields for rules.
    """
    match content:
        case None:
            return BLANK_SIGN
        case bool():
            return "yes" if content else "no"
        case {"field": field, "descending": descending}:
            return f"{names.get(field, field)}, {'largest' if descending else 'smallest'} first"
        case {"field": field, "comparison": comparison, "value": other}:
            compared = comparison.replace("_", " ")
            return f"{names.get(field, field)} {compared} {content_text(other, names)}"
        case list() if content and isinstance(content[0], dict):
            return " and ".join(content_text(one, names) for one in content)
        case list():
            return ", ".join(names.get(one, one) for one in content)
    return str(content)


def with_unit(content: Any, text: str, unit: str) -> str:
    """A text with the unit of its field, which only numbers have."""
    is_number = isinstance(content, int | float) and not isinstance(content, bool)
    return f"{text} {unit}".rstrip() if is_number else text


def cause_text(cause: str, round_id: str | None, of: str | None, names: Mapping[str, str]) -> str:
    """What a system's wrong value is in the truth.

    Args:
        cause: The value of a ``Cause``.
        round_id: The round that said it.
        of: The other context, or the keys of the other entities.
        names: The displayed names of entities by key.
    """
    match cause:
        case "withdrawn":
            return f"the withdrawn value of {round_id}"
        case "overruled":
            return f"what the artifact of {round_id} shows, which a text governs"
        case "superseded":
            return f"the superseded value of {round_id}"
        case "other_context":
            return f"what the artifact of {of} shows"
        case "other_entity":
            keys = (of or "").split(", ")
            return f"the value of {', '.join(names.get(key, key) for key in keys)}"
    return "no value that it ever had"
