"""``mnemoscope doctor``: what works here, and why something does not."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.tui import console
from mnemoscope.tui.verbs import tables
from mnemoscope.tui.verbs.options import json_flag, reading

if TYPE_CHECKING:
    from mnemoscope.tui.verbs.doctor_checks import Check, Machine

__all__ = ["command", "lines", "this_machine"]

_SIGNS = {"works": "✓", "absent": "–", "broken": "✗", "fact": " "}


@click.command("doctor")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 when something that is asked for does not work."
)
@reading()
@json_flag
def command(strict: bool, as_json: bool, **_: object) -> ExitCode:
    """Say what works here and why not: terminal, pictures, sound, extras, configuration.

    Nothing is tried out: programs and libraries are looked for, and the terminal is judged by the
    environment. What is absent is only a fault when the configuration asks for it.
    """
    from mnemoscope.tui.config import config_file, load_config
    from mnemoscope.tui.verbs.doctor_checks import State, checks

    config, problems = load_config(config_file())
    found = list(checks(config, problems, this_machine()))
    broken = sum(one.state is State.BROKEN for one in found)
    if as_json:
        rows = [
            {"topic": one.topic, "name": one.name, "state": one.state.value, "found": one.found}
            for one in found
        ]
        console.print_json({"checks": rows, "broken": broken})
    else:
        console.print_lines(lines(found))
    return ExitCode.DEFECTS if strict and broken else ExitCode.OK


def this_machine() -> "Machine":
    """The machine that the command runs on."""
    from mnemoscope.tui.verbs.doctor_checks import Machine

    if sys.stdout is None or not sys.stdout.isatty():
        return Machine()
    columns, rows = shutil.get_terminal_size()
    return Machine(size=(columns, rows))


def lines(found: "Sequence[Check]") -> Iterator[str]:
    """The checks for people, a block to a topic."""
    broken = sum(one.state == "broken" for one in found)
    for topic, group in groupby(found, lambda one: one.topic):
        yield topic
        for one in group:
            yield from tables.line(f"{_SIGNS[one.state]} {one.name}: {one.found}", indent=2)
        yield ""
    yield f"{broken} broken" if broken else "nothing that is asked for is broken"
