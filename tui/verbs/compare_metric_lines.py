"""A comparison by a stored figure, for people."""

from collections.abc import Iterator

from mnemoscope.tui.verbs.compare_lines import (
    SHOWN,
    configuration_lines,
    heading_lines,
    retrieval_lines,
)
from mnemoscope.tui.verbs.tables import Json, line, number, p_value, signed_number, table

__all__ = ["lines"]


def lines(data: Json, *, every: bool = False) -> Iterator[str]:
    """The lines of what ``compare --by`` collects.

    Args:
        data: The comparison.
        every: Whether to list all questions whose figures differ.
    """
    yield from heading_lines(data)
    yield ""
    yield from _totals(data)
    yield from retrieval_lines(data["retrieval"])
    if "overlaid" in data:
        yield ""
        out = data["overlaid"]["taken_out"]
        yield from line(f"as the overlay has it (questions with a wrong answer left out: {out})")
        yield from _totals(data["overlaid"])
        yield from retrieval_lines(data["overlaid"]["retrieval"])
    if data["by_task"]:
        yield ""
        yield from _tasks(data["by_task"])
    yield ""
    yield from configuration_lines(data["config_diff"])
    yield ""
    yield from _questions(data["differing"], every=every)


def _totals(data: Json) -> Iterator[str]:
    n, why = data["n"], data["unpaired_by_reason"]
    yield from line(f"by {data['by']}, as stored: not a judgement of right and wrong")
    yield from line(
        f"pairs: {n} by {data['pairing']}; unpaired: {data['unpaired']} "
        f"(only in A {why['only_in_a']}, only in B {why['only_in_b']}, "
        f"without the figure {why['without_figure']})"
    )
    yield from line(
        f"mean: A {number(data['mean_a'])}, B {number(data['mean_b'])}, "
        f"B − A {signed_number(data['difference'])} (n {n})"
    )
    interval = data["interval"]
    if interval is not None:
        low, high = signed_number(interval["low"]), signed_number(interval["high"])
        yield from line(f"interval of B − A: {low} to {high} ({interval['method']})")
    yield from line(
        f"questions: higher in A {data['higher_a']}, higher in B {data['higher_b']}, "
        f"equal {data['equal']}"
    )
    differing = data["higher_a"] + data["higher_b"]
    yield from line(f"{data['test']} p: {p_value(data['p_sign'])} (n {differing} that differ)")
    for note in data["notes"]:
        yield from line(f"note: {note}")


def _tasks(rows: list[Json]) -> Iterator[str]:
    yield from table(
        ["<task", "n", "A", "B", "B − A", "higher in A", "higher in B", "equal", "p"],
        [
            [
                row["task"] or "–",
                row["n"],
                number(row["mean_a"]),
                number(row["mean_b"]),
                signed_number(row["difference"]),
                *(row[key] for key in ("higher_a", "higher_b", "equal")),
                p_value(row["p_sign"]),
            ]
            for row in rows
        ],
    )


def _questions(differing: list[Json], *, every: bool) -> Iterator[str]:
    shown = differing if every else differing[:SHOWN]
    more = "" if len(shown) == len(differing) else f", the first {SHOWN} (--questions lists all)"
    yield from line(f"questions that differ, most first: {len(differing)}{more}")
    if shown:
        yield from table(
            ["<question", "<task", "<setting", "A", "B", "<stem"],
            [
                [
                    *(one[key] for key in ("key", "task", "setting")),
                    number(one["a"], 3),
                    number(one["b"], 3),
                    one["stem"],
                ]
                for one in shown
            ],
        )
