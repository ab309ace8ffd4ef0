"""Components of a ledger in words, from their JSON."""

from collections.abc import Mapping

from mnemoscope.core.state.wording import ABSENT_SIGN, BLANK_SIGN, content_text, with_unit
from mnemoscope.tui.verbs.tables import Json

__all__ = ["AUTHORITY", "SAME", "Names", "differing", "field", "owner", "pair", "shown"]

AUTHORITY = {"text_backed": "● text", "visual": "■ visual", "visual_declared": "▲ both"}
SAME = "="

Names = Mapping[str, str]
"""The displayed names of entities, and the headings of fields, by key."""


def owner(one: Json) -> str:
    if one["part"] in ("rule", "order"):
        return f"({one['part']})"
    return one["name"] or "(all)"


def field(one: Json) -> str:
    if one["part"] == "member":
        return "member"
    return f"{one['heading']} style" if one["part"] == "cue" else str(one["heading"])


def pair(one: Json, names: Names) -> tuple[str, str, str]:
    return shown(one, "before", names), "→", shown(one, "after", names)


def differing(one: Json, name: str, other: str, names: Names) -> str:
    same = one[name] == one[other] and (name in one["absent"]) == (other in one["absent"])
    return SAME if same else shown(one, name, names)


def shown(one: Json, name: str, names: Names) -> str:
    if name in one.get("absent", ()):
        return ABSENT_SIGN
    value = one[name]
    if one["part"] == "member" and value is not None:
        return "in"
    if value is None and "absent" not in one:
        return ABSENT_SIGN if one["part"] != "cell" else BLANK_SIGN
    return with_unit(value, content_text(value, names), one["unit"])
