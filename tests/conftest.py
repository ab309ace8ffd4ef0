"""Fixtures that keep the machine's own state and settings out of every test."""

from pathlib import Path

import pytest

from mnemoscope.tui import cli
from tests.cli_data import Mnemoscope


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recent openings and settings live in a folder of the test."""
    monkeypatch.setenv("MNEMOSCOPE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("MNEMOSCOPE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MNEMOSCOPE_CONFIG", str(tmp_path / "config.toml"))
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def mnemoscope(capsys: pytest.CaptureFixture[str]) -> Mnemoscope:
    """Runs the command in this process; returns exit code, stdout and stderr."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = cli.run([str(one) for one in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
