"""Tags for people: what was imported, counted, and how far annotators agree."""

from collections.abc import Iterator, Sequence

from mnemoscope.tui.verbs.tables import Json, line, percent, table

_OUTCOMES = ("right", "wrong", "unparsed", "failed", "not_judged", "no_record")

__all__ = ["agreement", "counts", "imported"]


def imported(data: Json) -> Iterator[str]:
    """What became of each file."""
    keys = ("new", "known", "of_another_release", "unreadable")
    heads = ["<file", *(key.replace("_", " ") for key in keys)]
    yield from table(heads, [[one["file"], *(one[key] for key in keys)] for one in data["files"]])


def agreement(data: Json, *, majorities: bool = False) -> Iterator[str]:
    """The figures of every taxonomy.

    Args:
        data: What ``agree`` collects.
        majorities: Whether to list what most people and most models say.
    """
    if not data["taxonomies"]:
        yield "no two annotators have reviewed anything under one taxonomy"
    for place, one in enumerate(data["taxonomies"]):
        if place:
            yield ""
        said = ", ".join(f"{name} {count}" for name, count in one["reviewed"].items())
        yield from line(f"{one['name']}: targets reviewed by {said or 'nobody'}")
        yield ""
        yield from table(
            ["<", "n", "all agree", "percent", "Cohen", "Fleiss", "alpha"],
            [_row("overall", one["overall"]), *(_row(row["tag"], row) for row in one["by_tag"])],
        )
        if len(one["pairs"]) > 1:
            yield ""
            rows = [
                [
                    f"{pair['a']} × {pair['b']}",
                    pair["cohen_kappa"]["n"],
                    _value(pair["cohen_kappa"]),
                ]
                for pair in one["pairs"]
            ]
            yield from table(["<pair", "n", "Cohen"], rows)
        yield from _models(one)
        if majorities and one["majorities"]:
            yield ""
            yield from _majorities(one["majorities"])
        if one["adjudicated"]:
            yield ""
            yield f"{one['adjudicated']} adjudicated"
        if one["disagreements"]:
            yield ""
            yield f"{len(one['disagreements'])} to adjudicate"
            rows = [[row["target"], row["id"], row["run"]] for row in one["disagreements"]]
            yield from table(["<target", "<id", "<run"], rows, indent=2)


def _models(one: Json) -> Iterator[str]:
    """How far models agree with each other, and their majority with that of people."""
    if not one["models_unanimous"]["n"] and not one["people_and_models"]["n"]:
        return
    rows = [
        ["all people agree", one["people_unanimous"]["n"], _share(one["people_unanimous"])],
        ["all models agree", one["models_unanimous"]["n"], _share(one["models_unanimous"])],
        [
            "majority of models = majority of people",
            one["people_and_models"]["n"],
            _share(one["people_and_models"]),
        ],
        [
            "the same beyond chance (Cohen)",
            one["majority_kappa"]["n"],
            _value(one["majority_kappa"]),
        ],
    ]
    yield ""
    yield from table(["<people and models", "n", "value"], rows)


def _majorities(majorities: list[Json]) -> Iterator[str]:
    heads = ["<id", "<run", "<most people", "of", "<most models", "of", "<"]
    rows = [
        [
            one["id"],
            one["run"],
            _labels(one["people"], one["n_people"]),
            one["n_people"],
            _labels(one["models"], one["n_models"]),
            one["n_models"],
            "unanimous" if one["models_agree"] else "",
        ]
        for one in majorities
    ]
    yield from table(heads, rows)


def _labels(labels: Sequence[str] | None, n: int) -> str:
    return ", ".join(labels) if labels is not None else "no majority" if n else "–"


def _share(figure: Json) -> str:
    return percent(figure["value"])


def _row(name: str, figures: Json) -> Sequence[object]:
    kappas = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha")
    shares = ("unanimous", "percent")
    return [
        name,
        figures["percent"]["n"],
        *(percent(figures[key]["value"]) for key in shares),
        *(_value(figures[key]) for key in kappas),
    ]


def _value(figure: Json) -> str:
    return "–" if figure["value"] is None else f"{figure['value']:.2f}"


def counts(data: Json) -> Iterator[str]:
    """The tags of every taxonomy, and the pivot."""
    yield from line(f"release     {data['release']}")
    if data["filter"]:
        yield from line(f"filter      {data['filter']}")
    if data["only"]:
        said = ", ".join(f"{axis}={value}" for axis, value in data["only"].items())
        yield from line(f"only        {said}")
    if data["adjudicator"]:
        yield from line(f"decides     {data['adjudicator']}")
    yield from line(f"annotators  {', '.join(data['annotators']) or 'nobody has tagged anything'}")
    questions = data["outcomes"]["questions"]
    for run in data["outcomes"]["runs"]:
        counts = [f"{run[key]} {key.replace('_', ' ')}" for key in _OUTCOMES if run.get(key)]
        said = ", ".join(counts) or "no record"
        yield from line(f"{run['letter']} {run['name']}: of {questions} questions {said}")
    for one in data["taxonomies"]:
        yield ""
        n = one["tags"][0]["of"]
        new = one["since_new"]
        yield from line(f"{one['name']}: {n} targets reviewed, {new} since a tag was new")
        yield ""
        rows = [
            [row["title"], row["n"], percent(row["n"] / n if n else None)]
            for row in one["tags"]
            if row["n"]
        ]
        yield from table(["<tag", "n", f"of {n}"], rows)
        yield ""
        yield from _pivot(one["pivot"])


def _pivot(pivot: Json) -> Iterator[str]:
    heads = [f"<{pivot['down']}", *(str(one) or "–" for one in pivot["columns"]), "all"]
    rows: list[Sequence[object]] = [
        [name or "–", *row, total]
        for name, row, total in zip(
            pivot["rows"], pivot["counts"], pivot["row_totals"], strict=True
        )
    ]
    rows.append(["all", *pivot["column_totals"], pivot["n"]])
    yield from table(heads, rows)
