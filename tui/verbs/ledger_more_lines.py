"""``mnemoscope ledger`` for people: a cell's history, two rounds, and runs beside the truth."""

from collections.abc import Iterator, Sequence

from mnemoscope.core.state.wording import ABSENT_SIGN, EVENTS, cause_text, content_text, with_unit
from mnemoscope.core.text import counted
from mnemoscope.tui.verbs.ledger_words import (
    AUTHORITY,
    SAME,
    Names,
    differing,
    field,
    owner,
    shown,
)
from mnemoscope.tui.verbs.tables import Json, line, table

__all__ = ["cell_lines", "pair_lines", "run_lines"]

_SAID = {"text": "● text", "visual": "■ visual", "both": "▲ both", "nothing": "○ no change"}
_LISTED = 20
"""Divergences that are listed; ``--json`` has all of them."""


def cell_lines(cell: Json, names: Names) -> Iterator[str]:
    """What happened to a cell, in order."""
    yield ""
    yield from line(f"history of {owner(cell)} {field(cell)}")
    events = [one | {key: cell[key] for key in ("part", "unit")} for one in cell["history"]]
    if not events:
        yield "  nothing up to this round"
        return
    rows = [
        (
            one["round"],
            _SAID[one["said"]],
            _what(one),
            shown(one, "accepted", names),
            differing(one, "visual", "accepted", names),
            differing(one, "shown", "visual", names),
            AUTHORITY.get(one["authority"], ""),
            one["status"] if one["status"] not in (None, "in_force") else "",
        )
        for one in events
    ]
    columns = ["<round", "<said", "<what", "<accepted", "<visual", "<shown", "<authority", "<now"]
    yield from table(columns, rows, indent=2)


def _what(event: Json) -> str:
    """What brought a change."""
    if event["operator"] is None:
        return "initial artifact"
    text = str(event["operator"])
    if event["wraps"]:
        text = f"{EVENTS[event['event']]} {event['wraps']}"
        text += f" of {event['of_round']}" if event["of_round"] else ""
    return f"{text} (dependent)" if event["cause"] == "dependent" else text


def pair_lines(beside: Json, now: str, names: Names) -> Iterator[str]:
    """What differs between two rounds."""
    cells = beside["cells"]
    yield from line(f"from {beside['round']} to {now}: {counted(len(cells), 'cell')} differ")
    rows = [
        (
            owner(one),
            field(one),
            sheet,
            _at(one, "then", sheet, names),
            "→",
            _at(one, "now", sheet, names),
        )
        for one in cells
        for sheet in ("accepted", "visual", "shown", "authority")
        if _at(one, "then", sheet, names) != _at(one, "now", sheet, names)
    ]
    if rows:
        yield from table(["<of", "<field", "<in", "<then", "<", "<now"], rows, indent=2)


def _at(pair: Json, when: str, sheet: str, names: Names) -> str:
    found = pair[when]
    if found is None:
        return ABSENT_SIGN
    if sheet == "authority":
        return AUTHORITY.get(found["authority"], SAME)
    return shown(found | {"part": pair["part"], "unit": pair["unit"]}, sheet, names)


def run_lines(run: Json, now: str, names: Names) -> Iterator[str]:
    """What a run's memory holds of the cells, beside the truth."""
    yield ""
    name = f"{run['letter']} {run['run']}"
    if not run["stored"]:
        yield from line(f"{name}: what its memory held is not stored")
        return
    if run["cells"] is None:
        yield from line(f"{name}: its memory holds no cells, so it cannot be set beside the truth")
        return
    parted = run["divergences"]
    text = f"{name}: {counted(run['cells'], 'cell')}, {run['agree']:,} as the truth"
    for kind, said in (("differs", "differ"), ("extra", "extra"), ("missing", "missing")):
        count = sum(one["kind"] == kind for one in parted)
        text += f", {count:,} {said}" if count else ""
    text += f", {len(run['unplaced']):,} of no known cell" if run["unplaced"] else ""
    text += f", {run['unreadable']:,} unreadable" if run["unreadable"] else ""
    yield from line(text)
    if run["last_round"] != now:
        yield from line(f"the last round that it was handed is {run['last_round']}", indent=2)
    if run["first"] is None:
        yield from line("it never parts from the truth", indent=2)
        return
    for place, one in enumerate(run["first_by_kind"].values()):
        which = "first divergence" if not place else f"first {_KINDS[one['kind']]}"
        yield from line(f"{which}: {one['round']} {_divergence(one, names)}", indent=2)
    yield from _listed(parted, names)


_KINDS = {"differs": "that differs", "extra": "extra", "missing": "missing"}


def _listed(parted: Sequence[Json], names: Names) -> Iterator[str]:
    if parted:
        yield from line("at this round", indent=2)
    for one in parted[:_LISTED]:
        yield from line(_divergence(one, names), indent=4)
    if len(parted) > _LISTED:
        yield from line(f"… {len(parted) - _LISTED:,} more; --json has all", indent=4)


def _divergence(one: Json, names: Names) -> str:
    """A divergence in one line, such as ``Munch Acc.: 82.9 %, truth 79.6 % (why)``."""
    sheet = "" if one["sheet"] == "accepted" else f" {one['sheet']}"
    value = with_unit(one["value"], content_text(one["value"], names), one["unit"])
    truth = with_unit(one["truth"], content_text(one["truth"], names), one["unit"])
    place = f"{owner(one)} {field(one)}{sheet}"
    if one["kind"] == "missing":
        return f"{place}: not held, truth {truth}"
    text = f"{place}: {value}, " + (
        "truth has none" if one["kind"] == "extra" else f"truth {truth}"
    )
    if one["called"] not in (None, one["name"], one["entity"]):
        text += f", called {one['called']}"
    why = [cause_text(each["cause"], each["round"], each["of"], names) for each in one["why"]]
    return f"{text} ({'; '.join(why)})" if why else text
