"""``mnemoscope demo``: the bundled sample, in the app or as text."""

import click

from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.tui import console, sample
from mnemoscope.tui.verbs.open import images_flag, run_app
from mnemoscope.tui.verbs.options import Flags, json_flag, reading

__all__ = ["command"]


@click.command("demo")
@click.argument("name", type=click.Choice(list(sample.SAMPLES)), default="cue", metavar="[cue|dsv]")
@click.option("--plain", is_flag=True, help="Print instead of opening the app.")
@reading("textualisation")
@json_flag
@images_flag
def command(name: str, plain: bool, flags: Flags, as_json: bool, images: str) -> ExitCode:
    """Open the bundled sample: an invented release with two runs.

    With dsv a generated scenario, whose state is known at each round, with two trackers that err in
    known ways and an evaluation. Without a terminal, or with --plain, prints an overview, one
    question and one comparison.
    """
    request = sample.sample_request(name)
    if not (plain or as_json) and console.has_terminal():
        return run_app(request, images=images, remember=False)
    # The text is made by all other verbs together: they are imported when it is wanted.
    from mnemoscope.core.opening import open_workspace
    from mnemoscope.tui.verbs import demo_text

    data = demo_text.collect(open_workspace(request, console.progress), flags)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(demo_text.lines(data))
    return ExitCode.OK
