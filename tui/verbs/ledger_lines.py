"""``mnemoscope ledger`` for people: the round, what it changed, and every cell."""

from collections.abc import Iterator, Sequence

from mnemoscope.core.state.wording import ABSENT_SIGN, BLANK_SIGN, EVENTS
from mnemoscope.core.text import counted
from mnemoscope.tui.verbs.ledger_more_lines import cell_lines, pair_lines, run_lines
from mnemoscope.tui.verbs.ledger_words import (
    AUTHORITY,
    SAME,
    Names,
    differing,
    field,
    owner,
    pair,
    shown,
)
from mnemoscope.tui.verbs.tables import Json, line, table

__all__ = ["lines"]


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
    # Rules and orders speak of fields as well.
    names = {**data["headings"], **data["entities"]}
    yield from _round(data, names)
    yield ""
    if "beside" in data:
        yield from pair_lines(data["beside"], data["round"], names)
    else:
        yield from _cells(data["cells"], names)
    if "cell" in data:
        yield from cell_lines(data["cell"], names)
    for one in data.get("runs", ()):
        yield from run_lines(one, data["round"], names)


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
            event = EVENTS[one["event"]]
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
            (owner(one), field(one), one["sheet"], *pair(one, names))
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
        of = owner(one)
        rows.append(
            (
                of if of != previous else "",
                field(one),
                shown(one, "accepted", names),
                differing(one, "visual", "accepted", names),
                differing(one, "shown", "visual", names),
                AUTHORITY.get(one["authority"], ""),
                one["source_round"],
                one["changed"],
            )
        )
        previous = of
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
        f"{SAME} as in the column before, {BLANK_SIGN} blank, {ABSENT_SIGN} not there; "
        "since: the round that the "
        "authority is of; now: how this round changed it"
    )


def _is_long(one: Json) -> bool:
    """Whether it holds a list or a rule in words, which a column has no room for."""
    return any(isinstance(one[name], list | dict) for name in ("accepted", "visual", "shown"))


def _long(one: Json, names: Names) -> Iterator[str]:
    said = (AUTHORITY.get(one["authority"], ""), one["source_round"], one["changed"])
    note = "  ".join(filter(None, said))
    yield from line(f"{owner(one)} {field(one)}  {note}".rstrip())
    yield from line(f"accepted  {shown(one, 'accepted', names)}", indent=2)
    for name, other in (("visual", "accepted"), ("shown", "visual")):
        text = differing(one, name, other, names)
        if text != SAME:
            yield from line(f"{name:<8}  {text}", indent=2)


def _is_usual(one: Json) -> bool:
    """Whether a membership needs no line: it is the same everywhere, and not of this round.

    That of an artifact of another context is on nobody's authority.
    """
    return not one["changed"] and (not one["absent"] or one["authority"] is None)
