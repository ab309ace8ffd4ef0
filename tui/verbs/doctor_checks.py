"""What works on this machine and why something does not, found without trying anything out.

Nothing is opened, played, drawn or imported: programs are looked for on the path, libraries in the
import system, and terminals by what they leave in the environment.
"""

import locale
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import mnemoscope
from mnemoscope.core.extensions import Group, extensions
from mnemoscope.tui.config import Config, Problem, config_file
from mnemoscope.tui.recent import state_folder

__all__ = ["Check", "Machine", "State", "checks"]


class State(StrEnum):
    """What a check came to."""

    WORKS = "works"
    ABSENT = "absent"
    """It is not here, or does not work here, and nobody has asked for it."""
    BROKEN = "broken"
    """It has been asked for, by configuration or variable, and does not work."""
    FACT = "fact"
    """It is as it is."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    topic: str
    name: str
    state: State
    found: str
    """What there is, or why not."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the checks ask of the machine; tests give another one."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    system: str = sys.platform
    which: Callable[[str], str | None] = shutil.which
    has_module: Callable[[str], bool] = lambda name: find_spec(name) is not None
    version: Callable[[str], str] = metadata.version
    size: tuple[int, int] | None = None
    """Columns and lines; None when there is no terminal."""
    encoding: str = field(
        default_factory=lambda: getattr(sys.stdout, "encoding", "") or locale.getencoding()
    )

    @property
    def is_remote(self) -> bool:
        """Whether the person sits at another machine."""
        return "SSH_CONNECTION" in self.environ or "SSH_TTY" in self.environ


def checks(config: Config, problems: list[Problem], machine: Machine) -> Iterator[Check]:
    """Everything that is checked, topic by topic."""
    yield from _terminal(machine)
    yield from _drawing(config, machine)
    yield from _desktop(machine)
    yield from _sound(config, machine)
    yield from _extras(machine)
    yield from _extensions()
    yield from _system(machine)
    yield from _folders()
    yield from _configuration(problems)


def _terminal(machine: Machine) -> Iterator[Check]:
    topic, environ = "terminal", machine.environ
    term = environ.get("TERM", "")
    if machine.system == "win32":
        yield Check(topic, "TERM", State.FACT, term or "not set, as is usual on Windows")
    elif term in ("", "dumb"):
        said = f"TERM is {term or 'not set'}: the app cannot draw, other verbs work"
        yield Check(topic, "TERM", State.ABSENT, said)
    else:
        yield Check(topic, "TERM", State.WORKS, term)
    if machine.size is None:
        yield Check(topic, "size", State.FACT, "stdout is no terminal")
    else:
        columns, lines = machine.size
        enough = columns >= 60 and lines >= 15
        said = f"{columns} × {lines}" + ("" if enough else "; the app needs 60 × 15")
        yield Check(topic, "size", State.WORKS if enough else State.ABSENT, said)
    yield Check(topic, "colours", State.FACT, _colours(machine))
    is_utf8 = machine.encoding.lower().replace("-", "") == "utf8"
    said = machine.encoding + ("" if is_utf8 else "; ascii = true draws signs that it has")
    yield Check(topic, "encoding", State.WORKS if is_utf8 else State.ABSENT, said)
    widths = environ.get("UNICODE_VERSION") or "the latest Unicode"
    yield Check(topic, "widths", State.FACT, f"wide characters as {widths} has them")
    names = {"TMUX": "tmux", "STY": "screen", "ZELLIJ": "Zellij", "SSH_CONNECTION": "SSH"}
    between = [name for variable, name in names.items() if environ.get(variable)]
    yield Check(topic, "in between", State.FACT, ", ".join(between) or "nothing known")


def _colours(machine: Machine) -> str:
    environ = machine.environ
    if environ.get("NO_COLOR"):
        return "none: NO_COLOR is set"
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "WT_SESSION" in environ:
        return "16 million"
    if "256color" in environ.get("TERM", ""):
        return "256, by TERM; more if COLORTERM said so"
    return "16, as far as is known; the theme mnemoscope-ansi is made for that"


def _drawing(config: Config, machine: Machine) -> Iterator[Check]:
    from mnemoscope.tui.images.protocol import Protocol, choose

    choice = choose(config.images, machine.environ, ascii_only=config.ascii)
    said = f"{choice.protocol}: {choice.reason.replace('--images', 'images =')}"
    if config.images not in ("auto", choice.protocol.value):
        said = f"{config.images} is asked for; {said}"
        state = State.BROKEN
    elif config.images == "off":
        state = State.FACT
    else:
        state = State.ABSENT if choice.protocol is Protocol.OFF else State.WORKS
    yield Check("pictures", "drawn as", state, said)


def _desktop(machine: Machine) -> Iterator[Check]:
    from mnemoscope.tui.clipboard import helper

    command = helper(machine.environ)
    if command is not None:
        yield Check("desktop", "copying", State.WORKS, f"with {command[0]}")
    else:
        why = "over SSH" if machine.is_remote else "no wl-copy, xclip, xsel, pbcopy or clip.exe"
        said = f"{why}: the terminal is asked (OSC 52), and does not say whether it copies"
        yield Check("desktop", "copying", State.FACT, said)
    yield Check("desktop", "opening files", *_opener(machine))


def _opener(machine: Machine) -> tuple[State, str]:
    if machine.is_remote:
        return State.ABSENT, "not over SSH: the path is shown instead"
    if machine.system == "win32":
        return State.WORKS, "by Windows"
    name = "open" if machine.system == "darwin" else "xdg-open"
    if name == "xdg-open" and not {"DISPLAY", "WAYLAND_DISPLAY"} & machine.environ.keys():
        return State.ABSENT, "there is no display: the path is shown instead"
    if machine.which(name) is None:
        return State.ABSENT, f"{name} is not installed: the path is shown instead"
    return State.WORKS, f"with {name}"


def _sound(config: Config, machine: Machine) -> Iterator[Check]:
    from mnemoscope.tui.audio.backends import SoundError, chosen_setting
    from mnemoscope.tui.audio.system_backend import PROGRAMS

    topic = "sound"
    try:
        setting = chosen_setting(config.audio, machine.environ)
    except SoundError as error:
        yield Check(topic, "asked for", State.BROKEN, str(error))
        setting = "auto"
    programs = [one.name for one in PROGRAMS if machine.which(one.name)]
    found = {
        "miniaudio": _library("miniaudio", "audio", machine),
        "simpleaudio": _library("simpleaudio", "simpleaudio", machine),
        "system": (bool(programs), ", ".join(programs) or "no player that is known"),
    }
    for name, (works, said) in found.items():
        state = State.WORKS if works else State.BROKEN if name == setting else State.ABSENT
        yield Check(topic, name, state, said)
    usable = [name for name, (works, _) in found.items() if works and setting in ("auto", name)]
    said = f"{setting}: " + (f"{usable[0]} is tried first" if usable else "nothing plays")
    yield Check(topic, "setting", State.FACT if usable or setting == "off" else State.ABSENT, said)
    yield Check(topic, "device", *_device(machine))


def _library(module: str, extra: str, machine: Machine) -> tuple[bool, str]:
    if not machine.has_module(module):
        return False, f"not installed; pip install 'mnemoscope[{extra}]'"
    limits = "; no pause and no seeking" if module == "simpleaudio" else ""
    return True, f"{_version(module, machine) or 'of an unknown version'}{limits}"


def _device(machine: Machine) -> tuple[State, str]:
    if machine.system != "linux":
        return State.FACT, "not looked for on this system"
    environ, found = machine.environ, []
    runtime = Path(environ.get("XDG_RUNTIME_DIR") or "/nonexistent")
    if environ.get("PULSE_SERVER"):
        found.append(f"PulseAudio at {environ['PULSE_SERVER']}")
    elif (runtime / "pulse" / "native").exists():
        found.append("PulseAudio")
    if (runtime / "pipewire-0").exists():
        found.append("PipeWire")
    cards = _first_line(Path("/proc/asound/cards"))
    if cards and "no soundcards" not in cards:
        found.append(f"ALSA: {cards}")
    where = "; over SSH the sound comes out of the other machine" if machine.is_remote else ""
    if not found:
        return State.ABSENT, "neither a sound card nor a sound server is known" + where
    return State.FACT, ", ".join(found) + where


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").partition("\n")[0].strip()
    except OSError:
        return ""


def _extras(machine: Machine) -> Iterator[Check]:
    try:
        requirements = metadata.requires("mnemoscope") or []
    except metadata.PackageNotFoundError:
        yield Check("extras", "all", State.FACT, "mnemoscope is not installed as a package")
        return
    extras: dict[str, list[str]] = {}
    for requirement in requirements:
        name, of = re.match(r"[\w.-]+", requirement), re.search(r"extra == .([\w-]+)", requirement)
        if name and of:
            extras.setdefault(of[1], []).append(name[0])
    for extra, packages in sorted(extras.items()):
        versions = {name: _version(name, machine) for name in packages}
        said = ", ".join(f"{name} {version or 'absent'}" for name, version in versions.items())
        state = State.WORKS if all(versions.values()) else State.ABSENT
        yield Check("extras", extra, state, said)


def _extensions() -> Iterator[Check]:
    """What packages add, by name; nothing of it is imported, so nothing is said of its working."""
    for group in Group:
        for name, one in extensions(group).items():
            yield Check("extensions", f"{group} {name}", State.FACT, one.package)


def _version(package: str, machine: Machine) -> str:
    try:
        return machine.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _system(machine: Machine) -> Iterator[Check]:
    topic = "system"
    yield Check(topic, "mnemoscope", State.FACT, mnemoscope.__version__)
    python = f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    yield Check(topic, "Python", State.FACT, python)
    yield Check(topic, "platform", State.FACT, platform.platform())
    for name in ("textual", "rich", "pillow", "polars", "numpy", "pydantic"):
        version = _version(name, machine)
        yield Check(topic, name, State.FACT if version else State.BROKEN, version or "absent")


def _folders() -> Iterator[Check]:
    for name, path in (("state", state_folder()), ("temporary", Path(tempfile.gettempdir()))):
        nearest = next((one for one in (path, *path.parents) if one.exists()), path)
        can = nearest.is_dir() and os.access(nearest, os.W_OK)
        said = str(path) if can else f"{path} cannot be written: nothing is remembered there"
        yield Check("folders", name, State.WORKS if can else State.BROKEN, said)


def _configuration(problems: list[Problem]) -> Iterator[Check]:
    file = config_file()
    said = str(file) if file.exists() else f"{file} is not there: everything is as it comes"
    yield Check("configuration", "file", State.FACT, said)
    for problem in problems:
        name = problem.name or "file"
        place = f"line {problem.line}: " if problem.line else ""
        yield Check("configuration", name, State.BROKEN, place + problem.message)
