"""``mnemoscope tokens``: how many tokens a release holds and what is brought back per question."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Question, Release, Textualisation
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import (
    PATH,
    Flags,
    chosen_keys,
    chosen_textualisation,
    json_flag,
    reading,
)
from mnemoscope.tui.verbs.tables import Json, line, table

if TYPE_CHECKING:
    from mnemoscope.analyses.retrieved_tokens import RetrievedTokens
    from mnemoscope.analyses.tokens import StoredTokens
    from mnemoscope.core.memory.system import SystemSpec

__all__ = ["collect", "command", "lines"]


@click.command("tokens")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@click.option(
    "--system",
    "systems",
    metavar="NAME",
    multiple=True,
    help="Also what a memory system that runs here brings back, such as bm25 or "
    "full_memory@as_published; may be repeated.",
)
@click.option(
    "--embedder",
    metavar="NAME",
    default="lite",
    show_default=True,
    help="What makes vectors for naive_rag: lite, st:NAME_OR_FOLDER, or endpoint:MODEL.",
)
@reading("filter", "textualisation", "captions", "format", "run_format", "media_root")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    systems: tuple[str, ...],
    embedder: str,
    flags: Flags,
    as_json: bool,
) -> None:
    """Count tokens: histories by component, questions, what is brought back.

    Tokens are those of cl100k_base. Histories are counted, and systems run, with every choice of
    captions, or with the one that --textualisation names; --filter selects questions, not
    histories. What runs brought back is counted as they store it.
    """
    workspace = flags.open(release, runs)
    data = collect(workspace, flags, systems, embedder)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data))


def collect(
    workspace: Workspace, flags: Flags, systems: Sequence[str] = (), embedder: str = "lite"
) -> Json:
    """The counts as JSON.

    Raises:
        MnemoscopeError: A flag names what is not there, or a system cannot be run.
    """
    from mnemoscope.analyses.retrieved_tokens import run_tokens
    from mnemoscope.analyses.tokens import asked_tokens, stored_tokens, usual_textualisations
    from mnemoscope.core.tokens import TOKENIZER, TOKENIZER_SHA256

    release = workspace.release
    specs = [_spec(name) for name in systems]
    chosen = chosen_textualisation(flags, release)
    variants = (chosen,) if flags.textualisation else usual_textualisations(release)
    keys = chosen_keys(flags, workspace)
    asked = [one for one in release.questions.values() if keys is None or one.key in set(keys)]
    stored = stored_tokens(release, variants, lambda name: console.progress(f"counting {name}"))
    found = [(run_tokens(release, run, keys), "run") for run in workspace.runs]
    found += [(one, "system") for one in _systems(release, asked, specs, embedder, variants)]
    return {
        "tokenizer": {"name": TOKENIZER, "sha256": TOKENIZER_SHA256},
        "textualisation": {"image": chosen.image, "audio": chosen.audio},
        "stored": [_stored_info(one) for one in stored],
        "questions": [
            {"task": one.task or None, "mean": one.figure.as_json(), "total": one.total}
            for one in asked_tokens(release, asked, chosen)
        ],
        "retrieved": [_retrieved_info(one, kind) for one, kind in found],
    }


def _spec(name: str) -> "SystemSpec":
    from mnemoscope.core.memory.registry import system_spec

    slug, _, profile = name.partition("@")
    return system_spec(slug, profile or "intended")


def _systems(
    release: Release,
    asked: Sequence[Question],
    specs: "Sequence[SystemSpec]",
    embedder: str,
    variants: Sequence[Textualisation],
) -> "Iterator[RetrievedTokens]":
    """What each system brings back with each choice of captions.

    Vectors are kept in the state folder.
    """
    from mnemoscope.analyses.retrieved_tokens import system_tokens
    from mnemoscope.core.memory.registry import system_class
    from mnemoscope.core.memory.system import SystemContext
    from mnemoscope.tui.verbs.embedding import open_embedder

    with ExitStack() as stack:
        context = SystemContext()
        for spec in specs:
            kind = system_class(spec.name)
            if kind.ANSWERS:
                raise UsageError(f"{spec.name}: answers by itself and brings nothing back")
            if kind.NEEDS_EMBEDDER and context.embedder is None:
                context = SystemContext(open_embedder(embedder, stack, release, asked))
            for variant in variants:
                console.progress(f"{spec.name}: {variant}")
                yield system_tokens(release, asked, spec, context, variant)


def _stored_info(one: "StoredTokens") -> Json:
    return {
        "image": one.textualisation.image,
        "audio": one.textualisation.audio,
        "mean": {
            "text": one.mean(lambda row: row.text).as_json(),
            "image": one.mean(lambda row: row.image).as_json(),
            "audio": one.mean(lambda row: row.audio).as_json(),
            "components": one.mean(lambda row: row.components).as_json(),
            "handed": one.mean(lambda row: row.handed).as_json(),
        },
        "total": one.total,
        "histories": [
            {
                "history": row.history,
                "text": row.text,
                "image": row.image,
                "audio": row.audio,
                "components": row.components,
                "handed": row.handed,
            }
            for row in one.histories
        ],
    }


def _retrieved_info(one: "RetrievedTokens", kind: str) -> Json:
    return {
        "name": one.name,
        "kind": kind,
        "image": one.textualisation.image if one.textualisation else None,
        "audio": one.textualisation.audio if one.textualisation else None,
        "mean": one.figure.as_json(),
        "total": one.total,
        "left_out": dict(one.left_out),
        "rebuilt": one.rebuilt,
    }


def lines(data: Json) -> Iterator[str]:
    """The lines of what ``tokens`` collects."""
    n = data["stored"][0]["mean"]["handed"]["n"]
    yield from line(f"tokens of {data['tokenizer']['name']}")
    yield ""
    yield from line(f"per history, mean of {n}")
    yield from table(
        ["<image captions", "<audio captions", "text", "image", "audio", "sum", "handed", "total"],
        [[row["image"], row["audio"], *_means(row), f"{row['total']:,}"] for row in data["stored"]],
        indent=2,
    )
    yield ""
    chosen = data["textualisation"]
    yield from line(f"per question with its options, image captions {chosen['image']}")
    yield from table(
        ["<task", "mean", "n", "total"],
        [
            [row["task"] or "all", _mean(row["mean"]), row["mean"]["n"], f"{row['total']:,}"]
            for row in data["questions"]
        ],
        indent=2,
    )
    if data["retrieved"]:
        yield ""
        yield from line("brought back per question")
        yield from table(
            [
                "<by",
                "<image captions",
                "<audio captions",
                "mean",
                "n",
                "total",
                "<not counted",
                "<note",
            ],
            [_retrieved_row(row) for row in data["retrieved"]],
            indent=2,
        )


def _retrieved_row(row: Json) -> list[object]:
    left_out = ", ".join(f"{n} {why}" for why, n in row["left_out"].items())
    note = f"{row['rebuilt']} from the rounds named" if row["rebuilt"] else ""
    captions = [row["image"], row["audio"]]
    counts = [_mean(row["mean"]), row["mean"]["n"], f"{row['total']:,}"]
    return [row["name"], *captions, *counts, left_out, note]


def _means(row: Json) -> Iterator[str]:
    for part in ("text", "image", "audio", "components", "handed"):
        yield _mean(row["mean"][part])


def _mean(figure: Json) -> str:
    value = figure["value"]
    return "–" if value is None else f"{value:,.0f}"
