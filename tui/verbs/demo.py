"""``mnemoscope demo``: the bundled sample, in the app or as text."""

from collections.abc import Iterator

import click

from mnemoscope.analyses.paired import Pair
from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.core.opening import open_workspace
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui import console, sample
from mnemoscope.tui.verbs import (
    compare,
    compare_lines,
    info,
    info_lines,
    score,
    score_lines,
    show,
    show_lines,
)
from mnemoscope.tui.verbs.options import Flags, json_flag, reading
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect", "command", "lines"]


@click.command("demo")
@click.option("--plain", is_flag=True, help="Print instead of opening the app.")
@reading("textualisation")
@json_flag
def command(plain: bool, flags: Flags, as_json: bool) -> ExitCode:
    """Open the bundled sample: an invented release with two runs.

    Without a terminal, or with --plain, prints an overview, one question and one comparison.
    """
    if not (plain or as_json) and console.has_terminal():
        from mnemoscope.tui.verbs.open import run_app

        return run_app(sample.sample_request(), remember=False)
    data = collect(open_workspace(sample.sample_request(), console.progress), flags)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data))
    return ExitCode.OK


def collect(workspace: Workspace, flags: Flags) -> Json:
    """Overview, one question and one comparison as JSON."""
    two = compare.pair(workspace, "A", "B")
    comparison = compare.collect(two, flags)
    key = _telling_question(comparison, workspace)
    question = show.collect(two, workspace.release.questions[key], flags)
    overview = info.release_info(workspace.release) | score.collect(workspace, flags)
    return {"overview": overview, "question": question, "comparison": comparison}


def _telling_question(comparison: Json, workspace: Workspace) -> str:
    """A question that one run is right on and the other is not, or the first."""
    for outcome in (Pair.ONLY_B, Pair.ONLY_A):
        keys: list[str] = comparison["questions"][outcome.value]
        if keys:
            return keys[0]
    return next(iter(workspace.release.questions))


def lines(data: Json) -> Iterator[str]:
    """The same for people."""
    yield "═══ overview: mnemoscope info, mnemoscope score"
    yield ""
    yield from info_lines.lines(data["overview"])
    yield ""
    yield from score_lines.overview(data["overview"]["runs"])
    yield ""
    yield "═══ one question: mnemoscope show"
    yield ""
    yield from show_lines.lines(data["question"])
    yield ""
    yield "═══ one comparison: mnemoscope compare"
    yield ""
    yield from compare_lines.lines(data["comparison"])
