"""What judges made of answers, for people."""

from collections.abc import Iterator

from mnemoscope.core.text import counted
from mnemoscope.core.tokens import TOKENIZER
from mnemoscope.tui.verbs.tables import Json, line, percent, table

__all__ = ["plan", "report"]


def plan(data: Json) -> Iterator[str]:
    """What would be asked."""
    yield from _head(data)
    yield ""
    if not data["calls"]:
        yield "no model would be asked"
        return
    keys = ("calls_at_most", "prompt_tokens_at_most", "reply_tokens_at_most")
    rows = [
        [f"{one['judge']} {one['stage']}".strip(), *(f"{one[key]:,}" for key in keys)]
        for one in data["calls"]
    ]
    yield from table(["<judge", *(key.replace("_", " ") for key in keys)], rows)
    yield ""
    yield from line(f"tokens of prompts as {TOKENIZER} counts them; nothing was asked")


def report(data: Json) -> Iterator[str]:
    """What came of it."""
    yield from _head(data)
    for run in data["runs"]:
        yield ""
        yield from _run(run)
    if data["calibration"]:
        yield ""
        yield from _calibration(data)
    if data["used"]["calls"]:
        yield ""
        used = data["used"]
        yield from line(f"used  {counted(used['calls'], 'call')}, {used['tokens']:,} tokens")
    if data["failures"]:
        failed = counted(len(data["failures"]), "verdict")
        yield from line(f"{failed} failed and in no mean; the same command asks again")


def _head(data: Json) -> Iterator[str]:
    yield from line(f"release   {data['release']}")
    yield from line(f"judges    {', '.join(one['judge'] for one in data['judges'])}")
    if data["verifier"]:
        yield from line(f"verifier  {data['verifier']['judge']}")
    yield from line(f"prompts   {data['prompts'][:12]}")


def _run(run: Json) -> Iterator[str]:
    left = [
        f"{run[key]} {words}"
        for key, words in (("failed", "failed"), ("no_gold", "without a gold"))
        if run[key]
    ]
    head = f"{run['letter']} {run['name']}: {counted(run['answers'], 'answer')} to judge"
    yield from line(", ".join([head, *left]))
    rows = [
        [one["judge"], one["right"]["n"], percent(one["right"]["value"]), one["judge_failed"]]
        for one in run["judges"]
    ]
    yield from table(["<judge", "n", "right", "judge failed"], rows, indent=2)
    for one in run["verified"]:
        yield ""
        yield from _verified(one)
    if run["panel"]:
        yield ""
        yield from _panel(run["panel"])


def _verified(one: Json) -> Iterator[str]:
    yield from line(f"judge+verifier  {one['judge']} + {one['verifier']}", indent=2)
    names = (
        ("judge_alone", "judge alone"),
        ("one_sided", "judge+verifier, one-sided"),
        ("symmetric", "symmetric"),
    )
    rows = [
        [name, one[key]["n"], percent(one[key]["value"], one[key]["status"]), one[key].get("note")]
        for key, name in names
    ]
    rows = [[*row[:3], row[3] or ""] for row in rows]
    yield from table(["<figure", "n", "right", "<"], rows, indent=2)
    said = f"{counted(one['changed'], 'answer')} first judged wrong that the verifier calls right"
    yield from line(f"{said}; failed records are wrong in every row", indent=2)


def _panel(one: Json) -> Iterator[str]:
    majority = one["majority"]
    tied = f", {one['tied']} tied and not judged" if one["tied"] else ""
    said = f"panel  majority right {percent(majority['value'])} of {majority['n']}{tied}"
    yield from line(said, indent=2)
    rows = [
        ["unanimous", one["unanimous"]["n"], percent(one["unanimous"]["value"])],
        ["pairs agree", one["percent"]["n"], percent(one["percent"]["value"])],
        ["Fleiss' kappa", one["fleiss_kappa"]["n"], _number(one["fleiss_kappa"])],
        [
            "Krippendorff's alpha",
            one["krippendorff_alpha"]["n"],
            _number(one["krippendorff_alpha"]),
        ],
    ]
    rows += [
        [
            f"Cohen  {' / '.join(pair['judges'])}",
            pair["cohen_kappa"]["n"],
            _number(pair["cohen_kappa"]),
        ]
        for pair in one["pairs"]
    ]
    yield from table(["<agreement", "n", "value"], rows, indent=2)


def _number(figure: Json) -> str:
    return "–" if figure["value"] is None else f"{figure['value']:.2f}"


def _calibration(data: Json) -> Iterator[str]:
    yield from line(f"calibration on {data['made_up']} made-up answers: share of wrong verdicts")
    kinds = list(data["calibration"][0]["errors"])
    heads = ["<judge", *(kind.replace("_", " ") for kind in kinds)]
    heads += ["false right", "false wrong", "judge failed", "not judged"]
    rows = [
        [
            one["judge"],
            *(_share(one["errors"][kind]) for kind in kinds),
            _share(one["false_right"]),
            _share(one["false_wrong"]),
            one["judge_failed"],
            one["silent"],
        ]
        for one in data["calibration"]
    ]
    yield from table(heads, rows, indent=2)


def _share(figure: Json) -> str:
    if figure["value"] is None:
        return "–"
    return f"{percent(figure['value'])} of {figure['n']}"
