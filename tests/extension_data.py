"""Packages that are installed without an installer: a folder with a hand-made dist-info."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

__all__ = ["EXAMPLE", "install", "install_example"]

EXAMPLE = Path(__file__).parents[1] / "docs" / "extend"


def install(
    site: Path, name: str, version: str, added: Mapping[str, Mapping[str, str]], code: str
) -> None:
    """Put a package of one module into a folder.

    Args:
        site: The folder, which is to be on ``sys.path``.
        name: The package's name; its module has the same.
        version: Its version.
        added: Entry points: by group, the object of each name.
        code: The module's source.
    """
    site.mkdir(parents=True, exist_ok=True)
    (site / f"{name}.py").write_text(code, "utf-8")
    _declare(site, name, version, added)


def install_example(site: Path) -> None:
    """Put the manual's example package into a folder, as pip would."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    for path in (EXAMPLE / "mnemoscope_last").iterdir():
        if path.is_file():
            target = site / "mnemoscope_last" / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    _declare(site, project["name"], project["version"], project["entry-points"])


def _declare(site: Path, name: str, version: str, added: Mapping[str, Mapping[str, str]]) -> None:
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [
        line
        for group, names in added.items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in names.items()), "")
    ]
    (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")
