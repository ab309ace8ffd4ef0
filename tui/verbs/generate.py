"""``mnemoscope generate``: a new release from the harness."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, endpoint_flag, json_flag, timeout_flag
from mnemoscope.tui.verbs.tables import Json, counted, line, number, table

if TYPE_CHECKING:
    from mnemoscope.core.backbones.endpoint import Endpoint
    from mnemoscope.core.harness.dialogue.voice import Voice
    from mnemoscope.core.harness.generation import Generated, ProposedBy

__all__ = ["collect", "command", "lines"]

_TRIES = 6
"""How often a model may revise a proposal before another operator is sampled."""
_TEMPERATURE = 0.7
_TOLD = 10
"""How many things are named one by one on stderr."""


@click.command("generate")
@click.argument("what", metavar="SPEC|PACK")
@click.option("--out", metavar="DIR", type=PATH, required=True, help="A new folder to write into.")
@click.option("--seed", metavar="N", type=int, help="Decides all that is left to chance; 1.")
@click.option("--turns", metavar="N", type=int, help="Messages of both; 212.")
@click.option("--visuals", metavar="N", type=int, help="Dense visuals, the first included; 24.")
@click.option("--questions", metavar="N", type=int, help="Questions in all; 100.")
@click.option(
    "--proposer",
    type=click.Choice(("expert", "agent")),
    default="expert",
    show_default=True,
    help="Who proposes updates: seeded code, or a model at an endpoint.",
)
@click.option("--model", metavar="NAME", default="", help="Of the agent: the model's name.")
@click.option(
    "--reword",
    metavar="NAME",
    default="",
    help="A model at the endpoint that puts what is said in its own words, checked turn by turn.",
)
@endpoint_flag
@timeout_flag
@json_flag
def command(
    what: str,
    out: Path,
    seed: int | None,
    turns: int | None,
    visuals: int | None,
    questions: int | None,
    proposer: str,
    model: str,
    reword: str,
    url: str,
    timeout: float,
    as_json: bool,
) -> ExitCode:
    """Generate a release of scenarios, from packs and a seed.

    A scenario is a conversation over pictures that are revised again and again, whose state is
    known throughout. SPEC is a TOML file that names scenarios; PACK is one scenario's pack, by name
    or file. The same seed by the expert gives the same bytes. What is written is read again and
    audited.
    """
    from mnemoscope.core.harness.generation import GenerationError

    given = {"seed": seed, "turns": turns, "visuals": visuals, "questions": questions}
    numbers = {name: one for name, one in given.items() if one is not None}
    try:
        if url and proposer == "expert" and not reword:
            raise UsageError("--endpoint is for --proposer agent and --reword")
        by, voice = _proposed_by(proposer, model, url, timeout), _voice(reword, url, timeout)
        made = collect(what, out, numbers, by, voice)
    except GenerationError as error:
        console.report(str(error))
        for one in error.defects[1:_TOLD]:
            console.talk(one.line())
        return ExitCode.DEFECTS
    _talk(made)
    if as_json:
        console.print_json(made)
    else:
        console.print_lines(lines(made))
    return ExitCode.DEFECTS if made["defects"] or made["missing"] else ExitCode.OK


def _proposed_by(name: str, model: str, url: str, timeout: float) -> "ProposedBy":
    from mnemoscope.core.harness.generation import EXPERT

    if name == "expert":
        if model:
            raise UsageError("--model is for --proposer agent")
        return EXPERT
    if not model:
        raise UsageError("--proposer agent needs --model NAME")
    from mnemoscope.core.harness.agent import Agent
    from mnemoscope.core.harness.agent_prompt import prompt_id
    from mnemoscope.core.harness.generation import ProposedBy

    opened = _endpoint(url, timeout)
    about = {"model": model, "prompt": prompt_id(), "temperature": _TEMPERATURE}
    return ProposedBy(
        "agent",
        lambda pack, seed: Agent(pack, seed, opened(seed), model),
        about,
        _TRIES,
    )


def _voice(model: str, url: str, timeout: float) -> "Voice":
    from mnemoscope.core.harness.dialogue.voice import FORMS, model_voice

    if not model:
        return FORMS
    opened = _endpoint(url, timeout)
    return model_voice(partial(opened, 1), model, about={"temperature": _TEMPERATURE})


def _endpoint(url: str, timeout: float) -> "Callable[[int], Endpoint]":
    """What opens the endpoint for a seed.

    Raises:
        UsageError: No endpoint is named.
    """
    from mnemoscope.core.backbones.endpoint import Endpoint
    from mnemoscope.core.backbones.request import Parameters
    from mnemoscope.tui.endpoint import chosen_endpoint

    settings = chosen_endpoint(url, timeout)

    def opened(seed: int) -> Endpoint:
        parameters = Parameters(temperature=_TEMPERATURE, seed=seed)
        return Endpoint(settings, parameters=parameters)

    return opened


def collect(
    what: str, out: Path, numbers: dict[str, int], by: "ProposedBy", voice: "Voice"
) -> Json:
    """Generate, and say as JSON what was written.

    Raises:
        MnemoscopeError: The specification is off, a stage fails, or the folder cannot be written.
    """
    from mnemoscope.core.harness.generation import generate
    from mnemoscope.core.harness.spec import chosen_spec
    from mnemoscope.core.writing import refuse_occupied

    refuse_occupied(out)
    spec, packs = chosen_spec(what, numbers)
    made = generate(spec, packs, out, by=by, voice=voice, progress=console.progress)
    return _info(made, by, voice)


def _info(made: "Generated", by: "ProposedBy", voice: "Voice") -> Json:
    from mnemoscope.core.harness.figures import MOST_TOKENS, averages

    rows = [one.row for one in made.figures]
    totals = {
        "histories": len(rows),
        "rounds": sum(one.turns for one in made.figures),
        "questions": sum(sum(one.questions.values()) for one in made.figures),
        "images": sum(one.pictures for one in made.figures),
    }
    return {
        "kind": "release",
        "name": made.name,
        "format": "native",
        "out": str(made.out),
        "counts": totals,
        "proposer": {"name": by.name, **by.about},
        "voice": {"name": voice.name, **voice.about},
        "scenarios": [
            {
                "history": one.history_id,
                "figures": one.row,
                "in_own_words": made.in_own_words[one.history_id],
                "refused": {
                    operator.value: count
                    for operator, count in made.refused[one.history_id].items()
                },
                "given_up": [
                    {"operator": each.operator.value, "reason": each.reason}
                    for each in made.given_up[one.history_id]
                ],
            }
            for one in made.figures
        ],
        "averages": [
            {"name": one.name, "mean": one.mean, "n": one.n, "paper": one.paper}
            for one in averages(made.figures)
        ],
        "paper_most_tokens": MOST_TOKENS,
        "missing": dict(made.missing),
        "defects": [one.line() for one in made.defects],
    }


def _talk(data: Json) -> None:
    for one in data["scenarios"]:
        for each in one["given_up"][:_TOLD]:
            reason = f"{each['operator']} was given up for a turn: {each['reason']}"
            console.talk(f"{one['history']}: {reason}")
    for history, count in data["missing"].items():
        console.talk(f"{history}: {count} questions fewer than wanted")
    for text in data["defects"][:_TOLD]:
        console.talk(text)


def lines(data: Json) -> Iterator[str]:
    """The same for people."""
    yield from line(f"{data['kind']}  {data['name']}  ({data['format']})")
    yield from line(f"written to {data['out']}: {counted(data['counts'])}")
    yield ""
    rows = [
        (one["name"], _figure(one["mean"]), one["n"], _figure(one["paper"]))
        for one in data["averages"]
    ]
    yield from table(("<per scenario", "mean", "n", "paper"), rows)
    yield from line(
        "candidates are 2^mean(H0) over all questions; tokens are those of the dialogue: "
        f"with pictures the paper's scenarios have up to {data['paper_most_tokens']:,}"
    )
    for one in data["scenarios"]:
        if one["refused"]:
            yield from line(f"{one['history']}: refused proposals: {counted(one['refused'])}")
        if data["voice"]["name"] == "model":
            turns, own = one["figures"]["turns"], one["in_own_words"]
            said = f"{own} of {turns} turns in the words of {data['voice']['model']}"
            yield from line(f"{one['history']}: {said}, the others as the forms have them")
    found = len(data["defects"])
    yield "read again and audited: no defects" if not found else f"{found} defects"


def _figure(value: float | None) -> str:
    """A figure with as many digits as it needs."""
    if value is None:
        return "–"
    if float(value).is_integer():
        return f"{value:,.0f}"
    return number(value, 3 if abs(value) < 1 else 2)
