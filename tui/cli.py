"""The command: its verbs are imported when they are used, so that help comes at once."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

import click

import mnemoscope
from mnemoscope.core.errors import MnemoscopeError, ProviderError
from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.tui import console

__all__ = ["VERBS", "cli", "main", "run"]

VERBS: Mapping[str, str] = {
    "open": "Open a release, with runs if given, in the app.",
    "demo": "Open the bundled sample: an invented release with two runs.",
    "info": "Say what a release or a run is, in counts.",
    "validate": "List every defect of a release and runs, how they join, and what looks wrong.",
    "show": "Show one question, or a dialogue, in full, with what runs made of it.",
    "judge": "Let rules and models judge stored answers; no verdict is ever overwritten.",
    "score": "Score runs: accuracy by task and setting, averages, retrieval.",
    "compare": "Compare two runs question by question.",
    "matrix": "Set all runs side by side: all right, all wrong, in between.",
    "tokens": "Count tokens: histories by component, questions, what is brought back.",
    "memory": "Show what runs' memories held after a round of a history.",
    "ledger": "Show the state of a scenario at a round: shown, visual, accepted.",
    "tags": "Tags and verdicts of people, rules and models: out, in, counted, compared, suggested.",
    "run": "Run an evaluation: a memory system and a backbone on a release, into a run.",
    "track": "Answer a generated release by trackers, each with one known fault.",
    "controls": "Find questions that are answered right without a history.",
    "answers": "List and hand in what people answered in the app, and show what they are shown.",
    "captions": "Have a model describe a release's pictures or clips, into a file of its own.",
    "generate": "Generate a release of scenarios, from packs and a seed.",
    "convert": "Write a release or runs in the native format, and say what does not go into it.",
    "locate": "Print the paths of the configuration, the state folder, the sample and the package.",
    "doctor": "Say what works here and why not: terminal, pictures, sound, extras, configuration.",
}
"""Every verb with its short help, in the order of the help page."""


class _Verbs(click.Group):
    """A group that imports ``mnemoscope.tui.verbs.VERB`` when the verb is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        verb = import_module(f"mnemoscope.tui.verbs.{cmd_name}").command
        assert isinstance(verb, click.Command)
        return verb

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            raise click.UsageError(f"no verb {name!r}{_suggestion(name)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _suggestion(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, VERBS, n=1)
    if close:
        return f"; did you mean {close[0]}?"
    return f"; did you mean: mnemoscope open {name}?" if Path(name).exists() else ""


@click.command(
    cls=_Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Without a verb, the start screen opens. Verbs other than open and demo need no "
    "terminal; all of those take --json.",
    subcommand_metavar="[VERB] [ARGUMENTS]...",
)
@click.version_option(mnemoscope.__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show tracebacks and details of errors.")
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> ExitCode | None:
    """Browse, diff and score long-term memory benchmarks for agents."""
    if debug:
        console.show_tracebacks(True)
    if ctx.invoked_subcommand is not None:
        return None
    if not console.has_terminal():
        raise click.UsageError("the start screen needs a terminal; name a verb", ctx)
    from mnemoscope.tui.verbs.open import run_app

    return run_app(None)


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Args:
        arguments: What stands after its name.

    Returns:
        The exit code. Errors have been reported.
    """
    console.show_tracebacks(False)
    try:
        return _run(arguments)
    finally:
        _tell_of_extensions()


def _tell_of_extensions() -> None:
    # Whoever has not looked for extensions need not import what does.
    module = sys.modules.get("mnemoscope.core.extensions")
    for warning in module.take_warnings() if module is not None else ():
        console.talk(f"warning: {warning}")


def _run(arguments: Sequence[str]) -> int:
    try:
        result = cli.main(list(arguments), prog_name="mnemoscope", standalone_mode=False)
        return int(result) if isinstance(result, int) else ExitCode.OK
    except MnemoscopeError as error:
        console.report(str(error), error.hint, error.details)
        if isinstance(error, ProviderError):
            return ExitCode.PROVIDER
    except click.UsageError as error:
        console.report(error.format_message(), _help_hint(error.ctx))
    except click.ClickException as error:
        console.report(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        console.talk("interrupted")
        return ExitCode.INTERRUPTED
    except SystemExit:  # how click ends when nobody reads its help page to the end
        console.close()
        return ExitCode.OK
    except OSError as error:
        reason = error.strerror or str(error)
        console.report(f"{error.filename}: {reason}" if error.filename else reason)
    except MemoryError:
        console.report("this machine has too little memory for that")
    except RecursionError:
        console.report("something in the data is nested too deep")
    except Exception as error:  # noqa: BLE001 - the last stop: a bug is one line, too
        hint = "this is a defect of mnemoscope; run again with --debug to see where"
        console.report(f"{type(error).__name__}: {error}", hint)
    return ExitCode.USAGE


def _help_hint(ctx: click.Context | None) -> str:
    return f"see {ctx.command_path} --help" if ctx is not None else ""


def main() -> None:
    """Entry point of the console script."""
    sys.exit(run(sys.argv[1:]))
