"""A comparison for people."""

from collections.abc import Iterator

from mnemoscope.tui.verbs.marks import LEGEND, sign
from mnemoscope.tui.verbs.overlay_info import overlay_lines
from mnemoscope.tui.verbs.people_info import verified_lines
from mnemoscope.tui.verbs.tables import (
    Json,
    line,
    number,
    p_value,
    percent,
    signed_number,
    table,
)

__all__ = [
    "SHOWN",
    "configuration_lines",
    "heading_lines",
    "lines",
    "question_lines",
    "retrieval_lines",
]

SHOWN = 20
"""How many differing questions are listed unless all are asked for."""


def lines(data: Json, *, every: bool = False) -> Iterator[str]:
    """The lines of what ``compare`` collects.

    Args:
        data: The comparison.
        every: Whether to list all differing questions.
    """
    yield from heading_lines(data)
    yield ""
    yield from _totals(data)
    yield from retrieval_lines(data["retrieval"])
    if "overlaid" in data:
        yield ""
        yield from _overlaid(data["overlaid"])
    for what in ("task", "setting"):
        if data[f"by_{what}"]:
            yield ""
            overlaid = data["overlaid"][f"by_{what}"] if "overlaid" in data else []
            yield from _groups(data[f"by_{what}"], overlaid, what)
    yield ""
    yield from configuration_lines(data["config_diff"])
    yield ""
    yield from question_lines(data["differing"], every=every)


def heading_lines(data: Json) -> Iterator[str]:
    """What is compared: release, filter, the two runs."""
    yield from line(f"release  {data['release']}")
    if data["filter"]:
        yield from line(f"filter   {data['filter']}")
    for run in data["runs"]:
        facts = " · ".join(filter(None, (run["backbone"], f"rule {run['rule']}")))
        yield from line(f"{run['letter']}        {run['name']}  {facts}")
        yield from verified_lines(run)
    yield from overlay_lines(data.get("overlay"))


def retrieval_lines(found: Json) -> Iterator[str]:
    """Recall of both runs at the grain that both allow; nothing where it is not measurable."""
    if not found["n"]:
        return
    recalls = ", ".join(f"{run} {number(found[f'recall_{run.lower()}'])}" for run in "AB")
    yield from line(
        f"recall of gold {found['grain']}s among the items sent: {recalls}, "
        f"B − A {signed_number(found['difference'])} (n {found['n']})"
    )
    if found["note"]:
        yield from line(f"note: {found['note']}")


def _overlaid(data: Json) -> Iterator[str]:
    out = data["taken_out"]
    yield from line(
        f"as the overlay has it (records taken out until judged anew: A {out['a']}, B {out['b']})"
    )
    yield from _totals(data)
    yield from retrieval_lines(data["retrieval"])


def _totals(data: Json) -> Iterator[str]:
    names = {
        "both": "both right",
        "only_a": "only A right",
        "only_b": "only B right",
        "neither": "neither right",
    }
    n = data["n"]
    rows = [[name, data[key], percent(data[key] / n if n else None)] for key, name in names.items()]
    yield from table(["<", f"of {n}", "share"], rows)
    why = data["unpaired_by_reason"]
    yield from line(
        f"pairs: {n} by {data['pairing']}; unpaired: {data['unpaired']} "
        f"(only in A {why['only_in_a']}, only in B {why['only_in_b']}, "
        f"not judged {why['not_judged']})"
    )
    differing = data["only_a"] + data["only_b"]
    yield from line(
        f"accuracy: A {percent(data['accuracy_a'])}, B {percent(data['accuracy_b'])}, "
        f"B − A {_points(data['difference'])} (n {n})"
    )
    yield from line(
        f"McNemar exact p: {p_value(data['p_mcnemar'])} (n {differing} pairs that differ)"
    )
    for note in data["notes"]:
        yield from line(f"note: {note}")


def _points(difference: float | None) -> str:
    return "–" if difference is None else f"{100 * difference:+.1f}"


def _groups(rows: list[Json], overlaid: list[Json], what: str) -> Iterator[str]:
    """A line for each group, and below it what overlays make of it where they change it."""
    columns = [f"<{what}", "n", "both", "only A", "only B", "neither", "A", "B", "B − A", "p"]
    others = {row[what]: row for row in overlaid}
    lines = []
    for row in rows:
        lines.append([row[what] or "–", *_cells(row)])
        other = others.get(row[what], row)
        if other != row:
            lines.append(["⚑ overlaid", *_cells(other)])
    yield from table(columns, lines)


def _cells(row: Json) -> list[object]:
    counts = [row[key] for key in ("n", "both", "only_a", "only_b", "neither")]
    shares = [percent(row["accuracy_a"]), percent(row["accuracy_b"]), _points(row["difference"])]
    return [*counts, *shares, p_value(row["p_mcnemar"])]


def configuration_lines(settings: list[Json]) -> Iterator[str]:
    """The settings in which the two runs differ."""
    yield f"settings that differ: {len(settings)}"
    if settings:
        absent = {"only_a": ("", "not stated"), "only_b": ("not stated", "")}
        rows = []
        for one in settings:
            in_a, in_b = absent.get(one["relation"], ("", ""))
            rows.append([one["name"], one["shown_a"] or in_a, one["shown_b"] or in_b])
        yield from table(["<setting", "<A", "<B"], rows)


def question_lines(differing: list[Json], *, every: bool) -> Iterator[str]:
    """The questions that only one of two runs is right on: the first, or all."""
    shown = differing if every else differing[:SHOWN]
    more = "" if len(shown) == len(differing) else f", the first {SHOWN} (--questions lists all)"
    yield from line(f"questions that differ: {len(differing)}{more}")
    if not shown:
        return
    yield from line(LEGEND)
    yield from table(
        ["<question", "<task", "<setting", "A", "B", "<stem"],
        [
            [one["key"], one["task"], one["setting"], sign(one["a"]), sign(one["b"]), one["stem"]]
            for one in shown
        ],
    )
