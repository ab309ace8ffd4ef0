"""``mnemoscope run``: an evaluation, from the beginning or from where it stopped."""

import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.tui import console
from mnemoscope.tui.endpoint import chosen_endpoint
from mnemoscope.tui.verbs.options import (
    PATH,
    Flags,
    chosen_keys,
    chosen_textualisation,
    json_flag,
    reading,
)
from mnemoscope.tui.verbs.run_lines import (
    forecast_info,
    forecast_lines,
    outcome_info,
    outcome_lines,
)
from mnemoscope.tui.verbs.run_plan import RunFlags, planned, run_flags

if TYPE_CHECKING:
    from mnemoscope.core.backbones.settings import EndpointSettings
    from mnemoscope.core.evaluate.evaluation import Evaluation
    from mnemoscope.core.evaluate.pace import Pace
    from mnemoscope.core.evaluate.plan import Plan
    from mnemoscope.core.evaluate.session import Outcome
    from mnemoscope.core.runs.native.schema import Manifest
    from mnemoscope.tui.verbs.tables import Json

__all__ = ["command"]


@click.command("run")
@click.argument("plan_file", metavar="[PLAN.toml]", type=PATH, required=False)
@click.option(
    "--from",
    "source",
    metavar="MANIFEST",
    type=PATH,
    help="Run what a run's manifest says: into --out, else go on with that run.",
)
@run_flags
@click.option(
    "--dry-run", is_flag=True, help="Say what it would take: questions, calls, tokens, cost."
)
@reading("filter", "textualisation", "captions", "rule", "format", "media_root")
@json_flag
def command(
    plan_file: Path | None,
    source: Path | None,
    given: RunFlags,
    dry_run: bool,
    flags: Flags,
    as_json: bool,
) -> ExitCode:
    """Run an evaluation: a memory system and a backbone on a release, into a run.

    What is run is a plan as TOML, or the same as flags; flags hold over the plan. The same command
    again goes on where it was stopped, and asks again what failed. Keys of endpoints are read from
    MNEMOSCOPE_API_KEY or the configuration.
    """
    from mnemoscope.core.evaluate.preparing import require_complete

    base, stored = _base(plan_file, source)
    plan = planned(base, given, flags)
    require_complete(plan, out=not dry_run)
    with ExitStack() as stack:
        evaluation = _evaluation(plan, flags, stack)
        if dry_run:
            data = _forecast(evaluation, plan)
            if as_json:
                console.print_json(data)
            else:
                console.print_lines(forecast_lines(data))
            return ExitCode.OK
        manifest = _manifest(evaluation, plan)
        if stored is not None and source is not None and plan.same_records(base):
            _require_same(stored, manifest, source)
        outcome = _carry_out(evaluation, plan, manifest)
    data = outcome_info(outcome, evaluation)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(outcome_lines(data))
    return _exit_code(outcome, plan)


def _base(plan_file: Path | None, source: Path | None) -> "tuple[Plan, Manifest | None]":
    """What flags are laid over, and the manifest that it comes from."""
    from mnemoscope.core.evaluate.manifest import plan_of_manifest
    from mnemoscope.core.evaluate.plan import Plan, read_plan

    if plan_file is not None and source is not None:
        raise UsageError("a plan and --from name two configurations; give one of them")
    if source is not None:
        return plan_of_manifest(source)
    return (read_plan(plan_file) if plan_file is not None else Plan()), None


def _evaluation(plan: "Plan", flags: Flags, stack: ExitStack) -> "Evaluation":
    """What the plan names, opened."""
    from mnemoscope.core.evaluate.preparing import prepare
    from mnemoscope.tui.verbs.embedding import open_embedder

    captions = plan.textualisation
    flags = replace(
        flags,
        format=plan.format,
        media_root=tuple(map(Path, plan.media_roots)),
        captions=tuple(map(Path, plan.captions)),
        filter=plan.questions,
        textualisation=",".join(f"{kind}={name}" for kind, name in captions.as_json().items()),
        rule=None,
    )
    workspace = flags.open(Path(plan.release))
    release = workspace.release
    return prepare(
        plan,
        release,
        keys=chosen_keys(flags, workspace),
        textualisation=chosen_textualisation(flags, release),
        endpoint=lambda: _endpoint(plan),
        embedder=lambda name: open_embedder(
            name, stack, release, release.questions.values(), lambda: _endpoint(plan)
        ),
    )


def _endpoint(plan: "Plan") -> "EndpointSettings":
    return chosen_endpoint(plan.backbone.endpoint, plan.backbone.timeout)


def _manifest(evaluation: "Evaluation", plan: "Plan") -> "Manifest":
    from mnemoscope.core.evaluate.manifest import manifest_for
    from mnemoscope.core.evaluate.origin import Origin

    return manifest_for(evaluation, plan, Origin.here())


def _require_same(stored: "Manifest", manifest: "Manifest", source: Path) -> None:
    from mnemoscope.core.evaluate.manifest import require_same

    require_same(stored, manifest, source)


def _forecast(evaluation: "Evaluation", plan: "Plan") -> "Json":
    from mnemoscope.core.evaluate.forecast import forecast
    from mnemoscope.core.evaluate.runner import finished_rows

    done = finished_rows(Path(plan.out)) if plan.out else ()
    return forecast_info(forecast(evaluation, done, console.progress), evaluation)


def _carry_out(evaluation: "Evaluation", plan: "Plan", manifest: "Manifest") -> "Outcome":
    from mnemoscope.core.evaluate.session import carry_out

    watch = _Watch()
    try:
        return carry_out(evaluation, Path(plan.out), manifest, watch=watch.see)
    except BaseException:
        if watch.seen is not None:
            _tell_kept(watch.seen.done, watch.seen.total)
        raise


def _exit_code(outcome: "Outcome", plan: "Plan") -> ExitCode:
    from mnemoscope.core.evaluate.runner import End

    if outcome.ending.end is End.PROVIDER:
        console.talk(f"error: the endpoint cannot be used: {outcome.ending.said}")
    if outcome.ending.end is End.BUDGET:
        console.talk(f"note: stopped by the budget of {outcome.ending.said}")
    if outcome.ending.end is not End.FINISHED:
        _tell_kept(sum(outcome.counts.values()), outcome.total)
        return ExitCode.BUDGET if outcome.ending.end is End.BUDGET else ExitCode.PROVIDER
    if outcome.unmeasured > plan.tolerance * outcome.total:
        console.talk(
            f"note: {outcome.unmeasured:,} of {outcome.total:,} records have no answer; "
            "the same command asks again"
        )
        return ExitCode.UNMEASURED
    return ExitCode.OK


def _tell_kept(done: int, total: int) -> None:
    console.talk(
        f"note: {done:,} of {total:,} records are kept; the same command goes on from there"
    )


class _Watch:
    """Tells how far a run is: in one line for whoever watches, else in a line now and then."""

    _FAST, _SLOW = 0.2, 10.0

    def __init__(self) -> None:
        self.seen: Pace | None = None
        self._told = time.monotonic()

    def see(self, pace: "Pace") -> None:
        self.seen = pace
        watched = console.is_watched()
        now = time.monotonic()
        if now - self._told < (self._FAST if watched else self._SLOW):
            return
        self._told = now
        if watched:
            console.progress(str(pace))
        else:
            console.talk(str(pace))
