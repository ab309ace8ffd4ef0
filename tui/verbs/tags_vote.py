"""``mnemoscope tags vote``: judge models label answers, as annotators of their own."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.core.tokens import TOKENIZER
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import (
    PATH,
    Flags,
    at_once_flag,
    chosen_keys,
    endpoint_flag,
    json_flag,
    reading,
    timeout_flag,
)
from mnemoscope.tui.verbs.tables import Json, line, table

if TYPE_CHECKING:
    from mnemoscope.core.backbones.settings import EndpointSettings
    from mnemoscope.core.votes.voting import Answered, Poll

__all__ = ["command"]

_TOLD = 10
"""How many failures are named one by one."""


@click.command("vote")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="RUN...", type=PATH, nargs=-1, required=True)
@click.option(
    "--model", "models", metavar="NAME", multiple=True, required=True, help="May be repeated."
)
@endpoint_flag
@click.option("--of", metavar="NAME", default="", help="The taxonomy; the release's usual one.")
@click.option("--run", "only", metavar="NAME", help="Only the answers of this run.")
@click.option("--dry-run", is_flag=True, help="Say what would be asked, in calls and tokens.")
@at_once_flag
@timeout_flag
@reading("filter", "format", "run_format", "rule", "overlay")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    models: tuple[str, ...],
    url: str,
    of: str,
    only: str | None,
    dry_run: bool,
    at_once: int,
    timeout: float,
    flags: Flags,
    as_json: bool,
) -> ExitCode:
    """Let judge models tag answers that are not right, each as the annotator model:NAME.

    What a model has voted on is not asked again. Questions, right answers, clues, what only the
    evaluator knows of a question, and what the run answered are sent to the endpoint. Its key is
    read from MNEMOSCOPE_API_KEY or the configuration.
    """
    from mnemoscope.core.tags.catalogue import kind_of
    from mnemoscope.core.votes.voting import Poll
    from mnemoscope.tui.endpoint import chosen_endpoint

    workspace = flags.with_tags(flags.open(release, runs))
    tags = workspace.tags
    assert tags is not None
    usual = tags.catalogue.usual(kind_of(workspace.release))
    poll = Poll(
        workspace,
        tags,
        tags.catalogue.named(of) if of else usual,
        tuple(dict.fromkeys(models)),
        [workspace.run(only)] if only is not None else workspace.runs,
        chosen_keys(flags, workspace),
    )
    data = _planned(poll)
    if dry_run:
        _weigh(poll, data["models"])
        _show(data, as_json)
        return ExitCode.OK
    count = _Count()
    try:
        asyncio.run(_hold(poll, chosen_endpoint(url, timeout), at_once, count))
    except BaseException:
        kept = sum(count.voted.values())
        if kept:
            console.talk(f"note: {kept} votes are kept; the same command goes on from there")
        raise
    finally:
        tags.close()
    data["models"] = [one | count.of(one["model"]) for one in data["models"]]
    _show(data | {"failures": count.failures}, as_json)
    return ExitCode.UNMEASURED if count.failures else ExitCode.OK


def _planned(poll: "Poll") -> Json:
    """What would be asked, for each model."""
    models: list[Json] = []
    for model in poll.models:
        calls = len(poll.ballots(model))
        answers = len(poll.cases)
        models.append(
            {
                "model": model,
                "answers": answers,
                "voted_before": answers - calls,
                "calls": calls,
            }
        )
    return {
        "release": poll.workspace.release.name,
        "taxonomy": poll.taxonomy.name,
        "prompt": poll.prompt.name,
        "models": models,
    }


def _weigh(poll: "Poll", models: list[Json]) -> None:
    """Add how many tokens the calls would take."""
    from mnemoscope.core.backbones.request import PAPER
    from mnemoscope.core.tokens import count_tokens

    sizes: dict[int, int] = {}
    for one in models:
        cases = [ballot.case for ballot in poll.ballots(one["model"])]
        for case in cases:
            if id(case) not in sizes:
                texts = (str(part["content"]) for part in poll.messages(case))
                sizes[id(case)] = sum(map(count_tokens, texts))
        one["prompt_tokens"] = sum(sizes[id(case)] for case in cases)
        one["reply_tokens_at_most"] = len(cases) * PAPER.max_tokens


@dataclass
class _Count:
    """What came of a vote."""

    voted: Counter[str] = field(default_factory=Counter)
    used: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Tokens that the endpoint counted, by model and ``prompt`` or ``completion``."""
    failures: list[Json] = field(default_factory=list)

    def take(self, answered: "Answered") -> None:
        from mnemoscope.core.votes.reply import Unusable, Vote

        ballot, vote, reply = answered.ballot, answered.vote, answered.reply
        if reply is not None:
            self.used[ballot.model, "prompt"] += reply.usage.prompt or 0
            self.used[ballot.model, "completion"] += reply.usage.completion or 0
        if isinstance(vote, Vote):
            self.voted[ballot.model] += 1
            return
        unusable = isinstance(vote, Unusable)
        said = f"unusable reply: {vote.why}" if isinstance(vote, Unusable) else str(vote)
        self.failures.append(
            {
                "model": ballot.model,
                "run": ballot.case.run.name,
                "key": ballot.case.question.key,
                "repeat": ballot.case.record.repeat,
                "kind": "unusable" if unusable else getattr(vote, "kind", ""),
                "message": said,
            }
        )
        if len(self.failures) <= _TOLD:
            console.talk(f"note: {ballot.label}: {said}")

    def of(self, model: str) -> Json:
        return {
            "voted": self.voted[model],
            "failed": sum(one["model"] == model for one in self.failures),
            "prompt_tokens_used": self.used[model, "prompt"],
            "completion_tokens_used": self.used[model, "completion"],
        }


async def _hold(poll: "Poll", settings: "EndpointSettings", at_once: int, count: _Count) -> None:
    from mnemoscope.core.backbones.endpoint import Endpoint

    calls = sum(len(poll.ballots(model)) for model in poll.models)
    if not calls:
        return
    async with Endpoint(settings) as endpoint, aclosing(poll.hold(endpoint, at_once)) as votes:
        done = 0
        async for answered in votes:
            count.take(answered)
            done += 1
            console.progress(f"{done:,} of {calls:,} asked")


def _show(data: Json, as_json: bool) -> None:
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(_lines(data))


def _lines(data: Json) -> Iterator[str]:
    asked = "failures" in data
    yield from line(f"release   {data['release']}")
    yield from line(f"taxonomy  {data['taxonomy']}")
    yield from line(f"prompt    {data['prompt']}")
    yield ""
    keys = ["answers", "voted_before", "calls"]
    if asked:
        keys += ["voted", "failed", "prompt_tokens_used", "completion_tokens_used"]
    else:
        keys += ["prompt_tokens", "reply_tokens_at_most"]
    heads = ["<model", *(key.replace("_", " ") for key in keys)]
    rows = [[one["model"], *(f"{one[key]:,}" for key in keys)] for one in data["models"]]
    yield from table(heads, rows)
    if not asked:
        yield ""
        yield from line(f"tokens of prompts as {TOKENIZER} counts them; nothing was asked")
    elif data["failures"]:
        yield ""
        yield from line(f"{len(data['failures'])} without a vote; the same command asks them again")
