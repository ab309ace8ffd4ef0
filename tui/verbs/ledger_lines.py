"""``mnemoscope ledger`` for people: the round, what it changed, and every cell."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.text import counted
from mnemoscope.tui.verbs.tables import Json, line, table

__all__ = ["lines"]

_AUTHORITY = {"text_backed": "● text", "visual": "■ visual", "visual_declared": "▲ both"}
_EVENTS = {"apply": "applies", "disregard": "withdraws", "reinstate": "reinstates"}
_SAME = "="
_BLANK = "–"


Names = Mapping[str, str]
"""The displayed names of entities by key."""


def lines(data: Json) -> Iterator[str]:
    """The lines of what :func:`ledger.collect` found."""
    count = data["count"]
    yield from line(
        f"{data['history']}  context {data['context']}  round {data['round']} "
        f"({data['index'] + 1:,} of {data['rounds']:,})  "
        f"{count['so_far']:,} of {counted(count['all'], 'transition')}"
    )
    upload = data["upload"]
    state = ", withdrawn" if upload["withdrawn"] else ""
    yield from line(f"last upload {upload['artifact']} in {upload['round']}{state}")
    others = [one for one in data["contexts"] if one != data["context"]]
    if others:
        yield from line(f"other contexts: {', '.join(others)} (--context)")
    yield from _updates(data["updates"])
    yield ""
    names = data["entities"]
    yield from _round(data, names)
    yield ""
    yield from _cells(data["cells"], names)


def _updates(updates: Sequence[Json]) -> Iterator[str]:
    for one in updates:
        status = one["status"].replace("_", " ")
        yield from line(f"{one['wraps']} of {one['round']}: {status} ({one['operator']})")


def _round(data: Json, names: Names) -> Iterator[str]:
    """The transitions of the round and the difference that they made."""
    if not data["transitions"]:
        yield "this round changes nothing"
        return
    for one in data["transitions"]:
        text = f"this round: {one['number']} {one['operator']}"
        if one["wraps"]:
            event = _EVENTS[one["event"]]
            text += f" {event} {one['wraps']}"
            text += f" of {one['of_round']}" if one["of_round"] else ""
        text += f", brings {one['artifact']}" if one["artifact"] else ""
        text += f" of {one['context']}" if one["context"] else ""
        text += f": {one['reason']}" if one["reason"] else ""
        yield from line(text)
    changes = [one for one in data["changes"] if one["sheet"] != "authority"]
    if not changes:
        yield "  no value changes"
        return
    for cause in ("direct", "dependent"):
        rows = [
            (_owner(one), _field(one), one["sheet"], *_pair(one, names))
            for one in changes
            if one["cause"] == cause
        ]
        if rows:
            yield f"{cause} changes"
            columns = ["<of", "<field", "<in", "<before", "<", "<after"]
            yield from table(columns, rows, indent=2)


def _cells(cells: Sequence[Json], names: Names) -> Iterator[str]:
    """Every component; visual and shown values only where they differ from the one before."""
    if not cells:
        yield "no cell to show"
        return
    rows = []
    previous = None
    for one in cells:
        if _is_long(one) or (one["part"] == "member" and _is_usual(one)):
            continue
        owner = _owner(one)
        rows.append(
            (
                owner if owner != previous else "",
                _field(one),
                _shown(one, "accepted", names),
                _differing(one, "visual", "accepted", names),
                _differing(one, "shown", "visual", names),
                _AUTHORITY.get(one["authority"], ""),
                one["source_round"],
                one["changed"],
            )
        )
        previous = owner
    if rows:
        columns = [
            "<of",
            "<field",
            "<accepted",
            "<visual",
            "<shown",
            "<authority",
            "<since",
            "<now",
        ]
        yield from table(columns, rows)
    for one in filter(_is_long, cells):
        yield from _long(one, names)
    yield ""
    yield from line(
        f"{_SAME} as in the column before, {_BLANK} blank, ∅ not there; since: the round that the "
        "authority is of; now: how this round changed it"
    )


def _is_long(one: Json) -> bool:
    """Whether it holds a list or a rule in words, which a column has no room for."""
    return any(isinstance(one[name], list | dict) for name in ("accepted", "visual", "shown"))


def _long(one: Json, names: Names) -> Iterator[str]:
    said = (_AUTHORITY.get(one["authority"], ""), one["source_round"], one["changed"])
    note = "  ".join(filter(None, said))
    yield from line(f"{_owner(one)} {_field(one)}  {note}".rstrip())
    yield from line(f"accepted  {_shown(one, 'accepted', names)}", indent=2)
    for name, other in (("visual", "accepted"), ("shown", "visual")):
        text = _differing(one, name, other, names)
        if text != _SAME:
            yield from line(f"{name:<8}  {text}", indent=2)


def _is_usual(one: Json) -> bool:
    """Whether a membership needs no line: it is the same everywhere, and not of this round.

    That of an artifact of another context is on nobody's authority.
    """
    return not one["changed"] and (not one["absent"] or one["authority"] is None)


def _owner(one: Json) -> str:
    if one["part"] in ("rule", "order"):
        return f"({one['part']})"
    return one["name"] or "(all)"


def _field(one: Json) -> str:
    if one["part"] == "member":
        return "member"
    return f"{one['heading']} style" if one["part"] == "cue" else str(one["heading"])


def _pair(one: Json, names: Names) -> tuple[str, str, str]:
    return _shown(one, "before", names), "→", _shown(one, "after", names)


def _differing(one: Json, name: str, other: str, names: Names) -> str:
    same = one[name] == one[other] and (name in one["absent"]) == (other in one["absent"])
    return _SAME if same else _shown(one, name, names)


def _shown(one: Json, name: str, names: Names) -> str:
    if name in one.get("absent", ()):
        return "∅"
    value = one[name]
    if one["part"] == "member" and value is not None:
        return "in"
    if value is None and "absent" not in one:
        return "∅" if one["part"] != "cell" else _BLANK
    text = _text(value, names)
    unit = one["unit"] if isinstance(value, int | float) and not isinstance(value, bool) else ""
    return f"{text} {unit}".rstrip()


# Any: a JSON value.
def _text(value: Any, names: Names) -> str:
    match value:
        case None:
            return _BLANK
        case bool():
            return "yes" if value else "no"
        case {"field": field, "descending": descending}:
            return f"{field}, {'largest' if descending else 'smallest'} first"
        case {"field": field, "comparison": comparison, "value": other}:
            return f"{field} {comparison.replace('_', ' ')} {_text(other, names)}"
        case list() if value and isinstance(value[0], dict):
            return " and ".join(_text(one, names) for one in value)
        case list():
            return ", ".join(names.get(one, one) for one in value)
    return str(value)
