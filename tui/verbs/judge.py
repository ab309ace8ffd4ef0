"""``mnemoscope judge``: rules and models judge stored answers; verdicts stand beside each other."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.core.exit_codes import ExitCode
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
from mnemoscope.tui.verbs.tables import Json

if TYPE_CHECKING:
    from mnemoscope.core.backbones.settings import EndpointSettings
    from mnemoscope.core.judges.asking import Budget
    from mnemoscope.core.judges.calibrating import Calibration
    from mnemoscope.core.judges.judge import Judge, ModelJudge, RuleJudge
    from mnemoscope.core.judges.sitting import Judged, Seat, Sitting
    from mnemoscope.core.workspace import Workspace

__all__ = ["Work", "command"]

_TOLD = 10
"""How many failures are named one by one."""


@click.command("judge")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN...]", type=PATH, nargs=-1)
@click.option(
    "--judge",
    "names",
    metavar="NAME",
    multiple=True,
    help="rule, rule:NAME or endpoint:MODEL; may be repeated. The rule judge if none is named.",
)
@click.option(
    "--panel", metavar="NAMES", default="", help="Several judges at once, with commas between them."
)
@click.option(
    "--verifier",
    metavar="NAME",
    default="",
    help="endpoint:MODEL: gives a second verdict on what each model has judged.",
)
@click.option(
    "--verify",
    type=click.Choice(("all", "wrong")),
    default="all",
    show_default=True,
    help="What gets a second verdict; only with all can the symmetric figure be measured.",
)
@click.option("--calibrate", is_flag=True, help="Also judge made-up answers, and count errors.")
@click.option(
    "--calibration-size",
    "size",
    type=click.IntRange(1),
    default=25,
    show_default=True,
    help="Questions that answers are made up for.",
)
@click.option("--seed", type=int, default=42, show_default=True, help="Draws those questions.")
@endpoint_flag
@click.option("--limit", type=click.IntRange(1), help="At most so many answers of each run.")
@click.option("--max-calls", type=click.IntRange(0), help="Stop after so many calls.")
@click.option("--max-tokens", type=click.IntRange(0), help="Stop when so many tokens are used.")
@click.option("--dry-run", is_flag=True, help="Say what would be asked, in calls and tokens.")
@at_once_flag
@timeout_flag
@click.option(
    "--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="--judged DIR."
)
@reading("judged", "filter", "format", "run_format", "rule", "media_root")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    names: tuple[str, ...],
    panel: str,
    verifier: str,
    verify: str,
    calibrate: bool,
    size: int,
    seed: int,
    url: str,
    limit: int | None,
    max_calls: int | None,
    max_tokens: int | None,
    dry_run: bool,
    at_once: int,
    timeout: float,
    out: Path | None,
    flags: Flags,
    as_json: bool,
) -> ExitCode:
    """Let rules and models judge stored answers; no verdict is ever overwritten.

    Verdicts stand in verdicts/JUDGE.jsonl beside a native run, and in the user's data folder for
    any other. What a judge has said of an answer as it stands is not asked again; where it failed,
    it is. --verdicts NAME of score, compare, matrix, show and open lets a judge decide.

    Questions, right answers and what the run answered are sent to the endpoint, whose key is read
    from MNEMOSCOPE_API_KEY or the configuration.
    """
    from mnemoscope.core.judges.asking import Budget
    from mnemoscope.tui.endpoint import chosen_endpoint
    from mnemoscope.tui.verbs import judge_lines
    from mnemoscope.tui.verbs.judge_parts import planned, reported

    if not runs and not calibrate:
        raise UsageError("name a run whose answers are to be judged, or give --calibrate")
    flags = replace(flags, judged=out or flags.judged)
    workspace = flags.open(release, runs)
    work = _work(workspace, flags, names, panel, verifier, verify, limit)
    if calibrate:
        work.calibration = _calibration(workspace, flags, size, seed)
    if dry_run:
        _show(planned(work), as_json, judge_lines.plan)
        return ExitCode.OK
    budget = Budget(max_calls, max_tokens)
    settings = chosen_endpoint(url, timeout) if work.models else None
    try:
        for judge in work.rules:
            work.by_rule(judge)
        if settings is not None:
            asyncio.run(_hold(work, settings, at_once, budget))
    except BaseException:
        if work.count:
            console.talk(f"note: {work.count} verdicts are kept; the same command goes on")
        raise
    finally:
        work.sitting.close()
    _show(reported(work, budget), as_json, judge_lines.report)
    if work.stopped:
        console.talk(f"stopped: {work.stopped}; the same command goes on from there")
        return ExitCode.BUDGET
    return ExitCode.UNMEASURED if work.failures else ExitCode.OK


@dataclass
class Work:
    """What a command is to judge, and what came of it."""

    workspace: "Workspace"
    sitting: "Sitting"
    judges: Sequence["Judge"]
    verifier: "ModelJudge | None" = None
    only_wrong: bool = False
    keys: Sequence[str] | None = None
    calibration: "Calibration | None" = None
    failures: list[Json] = field(default_factory=list)
    count: int = 0
    stopped: str = ""

    @property
    def rules(self) -> "list[RuleJudge]":
        """The judges that are rules."""
        from mnemoscope.core.judges.judge import RuleJudge

        return [one for one in self.judges if isinstance(one, RuleJudge)]

    @property
    def models(self) -> "list[ModelJudge]":
        """The judges that are models."""
        from mnemoscope.core.judges.judge import ModelJudge

        return [one for one in self.judges if isinstance(one, ModelJudge)]

    @property
    def seats(self) -> "list[Seat]":
        """Models that judge for themselves."""
        from mnemoscope.core.judges.sitting import Seat

        return [Seat(one) for one in self.models] if self.workspace.runs else []

    @property
    def verifying(self) -> "list[Seat]":
        """The verifier, once for each model that it verifies."""
        from mnemoscope.core.judges.sitting import Seat

        if self.verifier is None or not self.workspace.runs:
            return []
        return [Seat(self.verifier, one.id) for one in self.models]

    def by_rule(self, judge: "RuleJudge") -> None:
        """Let a rule judge answers and made-up answers."""
        self.count += self.sitting.by_rule(judge)
        if self.calibration is not None:
            self.calibration.by_rule(judge)

    def take(self, judged: "Judged") -> None:
        """Count a verdict; a failure is told of."""
        from mnemoscope.core.model import Value

        self.count += 1
        verdict = judged.verdict
        if verdict.value is not Value.JUDGE_FAILED:
            return
        key, repeat = judged.case.row
        self.failures.append(
            {
                "judge": verdict.judge,
                "stage": verdict.stage,
                "run": judged.case.run.name,
                "key": key,
                "repeat": repeat,
                "message": verdict.reason,
            }
        )
        if len(self.failures) <= _TOLD:
            label = f"{judged.seat.judge.model}: {judged.case.label}"
            console.talk(f"note: {label}: {verdict.reason}")


def _work(
    workspace: "Workspace",
    flags: Flags,
    names: Sequence[str],
    panel: str,
    verifier: str,
    verify: str,
    limit: int | None,
) -> Work:
    from mnemoscope.core.judges.judge import judges_named, verifier_named
    from mnemoscope.core.judges.shelf import Shelf
    from mnemoscope.core.judges.sitting import Sitting

    judges = judges_named([*names, panel] if names or panel else ["rule"])
    keys = chosen_keys(flags, workspace)
    shelf = Shelf.of(workspace, flags.judged)
    sitting = Sitting(workspace, shelf, keys=keys, limit=limit)
    second = verifier_named(verifier) if verifier else None
    work = Work(workspace, sitting, judges, second, verify == "wrong", keys)
    if second is not None and not work.models:
        raise UsageError("a verifier gives second verdicts; name a model to judge first")
    return work


def _calibration(workspace: "Workspace", flags: Flags, size: int, seed: int) -> "Calibration":
    from mnemoscope.core.judges.calibrating import Calibration, calibration_folder
    from mnemoscope.core.judges.calibration import calibration_set
    from mnemoscope.core.tags.fingerprint import release_hash

    release = workspace.release
    folder = calibration_folder(release_hash(release), flags.judged)
    return Calibration(calibration_set(release, size, seed), release.textualisation, folder)


async def _hold(work: Work, settings: "EndpointSettings", at_once: int, budget: "Budget") -> None:
    from mnemoscope.core.backbones.endpoint import Endpoint

    async with AsyncExitStack() as stack:
        endpoints = {
            judge: await stack.enter_async_context(Endpoint(settings, parameters=judge.parameters))
            for judge in dict.fromkeys(
                [*work.models, *([work.verifier] if work.verifier is not None else [])]
            )
        }
        calibration = work.calibration
        if calibration is not None:
            for judge in work.models:
                held = calibration.hold(judge, endpoints[judge], at_once, budget)
                async with aclosing(held) as verdicts:
                    async for _ in verdicts:
                        console.progress(f"calibrating {judge.model}")
        # A verifier looks at what the judges have said.
        for seats, only_wrong in ((work.seats, False), (work.verifying, work.only_wrong)):
            pending = [work.sitting.pending(seat, only_wrong=only_wrong) for seat in seats]
            calls, done = sum(map(len, pending)), 0
            sitting = work.sitting.hold(endpoints, seats, at_once, budget, only_wrong=only_wrong)
            async with aclosing(sitting) as judged:
                async for one in judged:
                    work.take(one)
                    done += 1
                    console.progress(f"{done:,} of {calls:,} judged")
            if done < calls:
                work.stopped = budget.spent
    if calibration is not None and any(map(calibration.pending, work.models)):
        work.stopped = work.stopped or budget.spent


def _show(data: Json, as_json: bool, lines: Callable[[Json], Iterator[str]]) -> None:
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data))
