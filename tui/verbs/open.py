"""``mnemoscope open``: a release, with runs, in the app. The only verb here that needs Textual."""

import os
from pathlib import Path

import click

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.errors import UsageError
from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui import console
from mnemoscope.tui.config import config_file, load_config
from mnemoscope.tui.images.protocol import SETTINGS
from mnemoscope.tui.images.start import asking
from mnemoscope.tui.verbs.options import PATH, Flags, reading

__all__ = ["command", "images_flag", "run_app"]

images_flag = click.option(
    "--images",
    type=click.Choice(SETTINGS),
    default="auto",
    show_default=True,
    help="How pictures are drawn; auto asks the terminal when there are any.",
)


@click.command("open")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@reading(
    *("format", "overlay", "captions", "run_format", "media_root", "rule", "verdicts", "repair"),
    *("tags", "taxonomy", "answers"),
)
@images_flag
def command(release: Path, runs: tuple[Path, ...], flags: Flags, images: str) -> ExitCode:
    """Open a release, with runs if given, in the app."""
    for path in (release, *runs):
        if not os.path.exists(path):  # noqa: PTH110 - Path.exists fails where one may not look
            # It says what is wrong with the path; until then it need not be imported.
            from mnemoscope.core.sources import Source

            Source(path)
    if not console.has_terminal():
        raise UsageError(
            "the app needs a terminal that can be drawn on",
            hint=f"without one: mnemoscope info {release}, or show, score, compare, matrix",
        )
    return run_app(flags.request(release, runs), images=images, flags=flags)


def run_app(
    request: OpenRequest | None,
    *,
    images: str = "auto",
    remember: bool = True,
    flags: Flags | None = None,
) -> ExitCode:
    """Run the app until the user leaves it.

    Args:
        request: What to open at once; the start screen is shown when None.
        images: How pictures are to be drawn.
        remember: Whether to add what is opened to the recent openings.
        flags: Where tags, taxonomies and answers are, when the user has named that.
    """
    config, problems = load_config(config_file())
    setting = config.images if images == "auto" else images
    # The terminal is asked what it can draw while the app is imported. Importing makes many objects
    # and no garbage.
    with collector_paused(), asking(setting, request, ascii_only=config.ascii) as settle:
        from mnemoscope.tui.app import MnemoscopeApp

        app = MnemoscopeApp(
            request,
            remember=remember,
            images=settle(),
            config=config,
            problems=problems,
            tags_folder=flags.tags if flags else None,
            taxonomies=flags.taxonomy if flags else (),
            answers_folder=flags.answers if flags else None,
            verdicts="" if flags is None or flags.verdicts == "rule" else flags.verdicts,
        )
    app.run()
    return ExitCode.USAGE if app.return_code else ExitCode.OK
