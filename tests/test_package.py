"""The wheel holds the package and nothing else, and works without what development needs."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, **env: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **env},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-P", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", out, ROOT)
    return next(out.glob("*.whl"))


@pytest.mark.xdist_group("package")
def test_the_wheel_holds_only_the_package_and_its_metadata(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"mnemoscope"}
    for wanted in ("core/workspace.py", "tui/app.tcss", "py.typed", "sample_data/cue/data"):
        assert any(name.startswith(f"mnemoscope/{wanted}") for name in names), wanted
    assert len(names) == len(set(names))


@pytest.mark.xdist_group("package")
def test_the_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-P", "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path)
    path = next(tmp_path.glob("*.tar.gz"))
    with tarfile.open(path) as packed:
        names = {"/".join(name.split("/")[1:]) for name in packed.getnames()}
    assert {"core/workspace.py", "tests/test_package.py", "LICENSE"} <= names
    run(sys.executable, "-P", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp_path, path)
    again = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    assert sorted(again) == sorted(zipfile.ZipFile(wheel).namelist())


@pytest.mark.xdist_group("package")
def test_info_and_demo_run_from_the_wheel_in_an_empty_environment(
    wheel: Path, tmp_path: Path
) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel)
    command = tmp_path / "env" / "bin" / "mnemoscope"
    state = str(tmp_path / "state")
    assert "57.6 %" in run(command, "demo", "--plain", MNEMOSCOPE_STATE_DIR=state)
    site = run(python, "-c", "import mnemoscope; print(mnemoscope.__path__[0])").strip()
    out = run(command, "info", Path(site) / "sample_data" / "cue", "--json")
    assert '"questions": 59' in out
