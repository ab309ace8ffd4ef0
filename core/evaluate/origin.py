"""Where a run comes from: version, checkout, machine, command line."""

import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import mnemoscope
from mnemoscope import core
from mnemoscope.core.runs.native.schema import GitForm

__all__ = ["Origin", "checkout"]

_SECONDS = 10
_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_SHORTEST = 6
"""A secret of fewer characters may be part of any word."""


@dataclass(frozen=True)
class Origin:
    """What made a run."""

    version: str
    git: GitForm | None
    platform: str
    argv: tuple[str, ...]

    @classmethod
    def here(
        cls, argv: Sequence[str] | None = None, environ: Mapping[str, str] | None = None
    ) -> "Origin":
        """This process.

        Args:
            argv: The command line; that of the process when None.
            environ: The environment, whose secrets the command line must not repeat.
        """
        given = sys.argv if argv is None else argv
        secrets = _secrets(os.environ if environ is None else environ)
        name = Path(given[0]).name if given else ""
        line = (name, *(_hidden(one, secrets) for one in given[1:]))
        machine = f"{platform.platform()}; Python {platform.python_version()}"
        return cls(mnemoscope.__version__, checkout(), machine, line)


def _secrets(environ: Mapping[str, str]) -> list[str]:
    named = (text for name, text in environ.items() if name.upper().endswith(_SECRET))
    return sorted((text for text in named if len(text) >= _SHORTEST), key=len, reverse=True)


def _hidden(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "[secret]")
    return text


def checkout(folder: Path | None = None) -> GitForm | None:
    """The checkout that mnemoscope runs from; None when it was installed, or there is no git.

    Args:
        folder: The folder that would be the checkout's; that of the package when None.
    """
    root = folder or Path(core.__file__ or "").resolve().parent.parent
    if not (root / ".git").exists() or not (root / "pyproject.toml").exists():
        return None
    commit, status = _git(root, "rev-parse", "HEAD"), _git(root, "status", "--porcelain")
    return None if commit is None or status is None else GitForm(commit=commit, dirty=bool(status))


def _git(root: Path, *command: str) -> str | None:
    try:
        found = subprocess.run(
            ["git", "-C", str(root), *command],
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()
