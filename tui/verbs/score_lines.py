"""Scores for people."""

from collections.abc import Iterator

from mnemoscope.tui.verbs.overlay_info import overlay_lines
from mnemoscope.tui.verbs.people_info import verified_lines
from mnemoscope.tui.verbs.tables import Json, counted, line, number, percent, table

__all__ = ["lines", "overview"]


def lines(data: Json) -> Iterator[str]:
    """The lines of what ``score`` collects."""
    runs = data["runs"]
    yield from line(f"release  {data['release']}")
    if data["filter"]:
        yield from line(f"filter   {data['filter']}")
    if data["subset"]:
        yield from line(f"subset   questions with an {data['subset']} clue")
    yield from overlay_lines(data.get("overlay"))
    yield ""
    yield from overview(runs)
    for run in runs:
        yield ""
        yield from _run_lines(run)


def overview(runs: list[Json]) -> Iterator[str]:
    differs = any(run["accuracy"] != run["accuracy_ok"] for run in runs)
    columns = ["<", "<run", "<backbone", "<captions", "<rule", "correct", "n", "accuracy"]
    columns += ["n ok", "accuracy_ok"] if differs else []
    overlaid = any("overlaid" in run for run in runs)
    columns += ["overlaid correct", "overlaid n", "overlaid"] if overlaid else []
    yield from table(
        columns,
        [
            [
                *(run[key] for key in ("letter", "name", "backbone", "textualisation", "rule")),
                run["correct"],
                run["n"],
                _accuracy(run),
                *([run["n_ok"], percent(run["accuracy_ok"])] if differs else []),
                *(_overlaid_cells(run["overlaid"]) if overlaid else []),
            ]
            for run in runs
        ],
    )


def _overlaid_cells(row: Json) -> list[object]:
    return [row["correct"], row["n"], _accuracy(row)]


def _run_lines(run: Json) -> Iterator[str]:
    yield from line(f"{run['letter']} {run['name']}  rule {run['rule']}")
    yield from verified_lines(run)
    yield from _records(run)
    yield ""
    yield from _cells(run)
    yield ""
    yield from _averages(run["averages"])
    yield from _refusal(run["refusal"])
    if "overlaid" in run and run["overlaid"]["n"]:
        yield from line("as the overlay has it", indent=2)
        yield from _averages(run["overlaid"]["averages"])
    if run["repeat_sd"]:
        repeats = ", ".join(percent(one["value"]) for one in run["repeats"].values())
        spread = percent(run["repeat_sd"]["value"])
        yield from line(f"repeats  {repeats} (n {len(run['repeats'])}, sd {spread})", indent=2)
    yield ""
    yield from _retrieval(run)
    for note in run["notes"]:
        yield from line(f"note: {note}", indent=2)


def _cells(run: Json) -> Iterator[str]:
    """Accuracy by task and setting, or by what was asked for."""
    by = run["by"]
    rows = _groups(run)
    other = run.get("overlaid")
    overlaid = {_name(row): row for row in _groups(other)} if other else {}
    heads = [f"<{by['dimension']}"] if by else ["<task", "<setting"]
    differs = any(row["accuracy"] != row["accuracy_ok"] for row in rows)
    heads += ["correct", "n", "accuracy", *(["n ok", "accuracy_ok"] if differs else [])]
    heads += ["overlaid correct", "overlaid n", "overlaid"] if other else []
    cells = []
    for row in rows:
        names = [row["name"] or "none"] if by else [row["task"], row["setting"]]
        counts = [row["correct"], row["n"], _accuracy(row)]
        counts += [row["n_ok"], percent(row["accuracy_ok"])] if differs else []
        counts += _overlaid_cells(overlaid[_name(row)]) if other else []
        cells.append([*names, *counts, row["n_release"]])
    yield from table([*heads, "in release"], cells, indent=2)


def _groups(run: Json) -> list[Json]:
    groups: list[Json] = run["by"]["groups"] if run["by"] else run["cells"]
    return groups


def _name(row: Json) -> tuple[object, ...]:
    return (row.get("name"), row.get("task"), row.get("setting"))


def _accuracy(row: Json) -> str:
    # A figure without records is absent; one whose records nobody judged says so.
    absent = row["accuracy_status"] if row["accuracy_status"] != "empty" else "–"
    return percent(row["accuracy"], absent)


def _records(run: Json) -> Iterator[str]:
    joined = f"{run['rows_joined']} of {run['rows']} rows join to the release"
    without = f"{run['without_record']} of {run['n_release']} questions without a record"
    yield from line(f"records  {joined}; {without}", indent=2)
    yield from line(f"status   {counted(run['statuses'])}", indent=2)
    if run["parse"]:
        rest = sum(n for how, n in run["parse"].items() if how not in ("leading", "none"))
        look = f"; {rest} whose letter does not lead are worth a look" if rest else ""
        yield from line(f"options  {counted(run['parse'])}{look}", indent=2)
    for key, words in _LEFT_OUT.items():
        if run[key]:
            yield from line(f"note: {words}: {run[key]}", indent=2)
    other = run.get("overlaid")
    if other and other["taken_out"]:
        text = f"{other['taken_out']} judged records answer questions whose published answer is"
        text += " wrong: out of overlaid means until somebody judges them anew"
        yield from line(f"overlaid {text}", indent=2)
    if other and other["rejudged"]:
        text = f"{other['rejudged']} such records judged anew by the rule {run['rule']}"
        yield from line(f"overlaid {text}", indent=2)


_LEFT_OUT = {
    "not_judged": "records without a verdict, in no figure",
    "judge_failed": "records whose judge failed, in no figure",
    "no_gold": "records without a gold that the rule can use, in no figure",
    "stored_right_on_failure": "stored right on failed records (not counted)",
}


def _averages(means: Json) -> Iterator[str]:
    named = [
        (f"memory average {setting}".rstrip(), figure)
        for setting, figure in means["memory"].items()
    ]
    if means["gap"]:
        named.append(("EI-gap (points)", means["gap"]))
    named += [("mean over tasks", means["macro"]), ("mean over records", means["micro"])]
    rows = [
        [name, _average(figure, name), figure["n"], figure.get("note", "")]
        for name, figure in named
    ]
    yield from table(["<average", "value", "n", "<"], rows, indent=2)


def _refusal(found: Json | None) -> Iterator[str]:
    """How the run declines, apart from accuracy; the baselines are what that is worth."""
    if found is None:
        return
    names = {
        "recall": "declines where it should",
        "false_refusals": "declines where it should not",
        "precision": "right to decline",
        "balanced": "balanced (either baseline 50 %)",
        "always": "baseline: always decline, of all",
        "never": "baseline: never decline, at most",
    }
    rows = [[words, percent(found[key]["value"]), found[key]["n"]] for key, words in names.items()]
    yield ""
    yield from table(["<refusal by itself", "value", "n"], rows, indent=2)


def _average(figure: Json, name: str) -> str:
    value = figure["value"]
    if value is None:
        return str(figure["status"])
    return f"{100 * value:+.1f}" if name.endswith("(points)") else percent(value)


def _retrieval(run: Json) -> Iterator[str]:
    states = counted(run["retrieval_states"])
    yield from line(f"retrieval  {states}; at most {run['retrieval_depth']} items stored", indent=2)
    if run["retrieval_unsourced"]:
        yield from line(f"note: {run['retrieval_unsourced']} items name no source", indent=2)
    if run["retrieval_grain"] == "session":
        yield from line(
            "note: measured at session grain, since the run names sessions only; other runs "
            "compare with it in their session rows",
            indent=2,
        )
    yield from _metric_table(run["retrieval"])
    other = run.get("overlaid")
    if other and other["retrieval"]:
        yield from line("with the overlay's evidence", indent=2)
        yield from _metric_table(other["retrieval"])
    if any(row not in run["retrieval"] for row in run["retrieval_as_in_paper"]):
        yield from line(
            "with records without gold evidence counted 0, as CUE-Mem's paper does", indent=2
        )
        yield from _metric_table(run["retrieval_as_in_paper"])
    if run["retrieval_as_stored"]:
        yield from line("as stored in the run's files, not recomputed", indent=2)
        rows = [[one["name"], number(one["value"]), one["n"]] for one in run["retrieval_as_stored"]]
        yield from table(["<name", "mean", "n"], rows, indent=2)


def _metric_table(rows: list[Json]) -> Iterator[str]:
    """One line for each grain and cut-off, one column for each metric."""
    if not rows:
        return
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    places: dict[tuple[str, int], dict[str, Json]] = {}
    for row in rows:
        places.setdefault((row["grain"], row["k"]), {})[row["metric"]] = row
    listed = [
        [grain, k, *(number(found[name]["value"]) for name in metrics), found[metrics[0]]["n"]]
        for (grain, k), found in places.items()
    ]
    columns = ["<grain", "k", *(f"{name}@k" for name in metrics), "n"]
    yield from table(columns, listed, indent=2)
