"""Releases opened lately, with their runs."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mnemoscope.core.opening import OpenRequest

__all__ = ["RecentOpening", "RecentStore", "state_folder"]

_KEPT = 20
_FLAGS = ("format", "run_format", "release_map", "run_map")


def state_folder() -> Path:
    """The folder for what the app remembers; ``MNEMOSCOPE_STATE_DIR`` overrides it."""
    override = os.environ.get("MNEMOSCOPE_STATE_DIR")
    if override:
        return Path(override)
    from platformdirs import user_state_path

    return user_state_path("mnemoscope")


@dataclass(frozen=True, slots=True)
class RecentOpening:
    """One opening: a release and the runs beside it, as absolute paths."""

    release: str
    runs: tuple[str, ...] = ()
    summary: str = ""
    """What it holds, in a few words."""
    position: Mapping[str, str] = field(default_factory=dict)
    """Where the user was: history, round, question, filter."""
    format: str = ""
    run_format: str = ""
    release_map: str = ""
    run_map: str = ""
    overlays: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()

    @classmethod
    def of(cls, request: OpenRequest, summary: str, position: Mapping[str, str]) -> "RecentOpening":
        """What is kept of a request."""
        return cls(
            _absolute(request.release),
            tuple(map(_absolute, request.runs)),
            summary,
            dict(position),
            request.format or "",
            request.run_format or "",
            _absolute(request.release_map) if request.release_map else "",
            _absolute(request.run_map) if request.run_map else "",
            tuple(map(_absolute, request.overlays)),
            tuple(map(_absolute, request.captions)),
        )

    def request(self) -> OpenRequest:
        """The request to open the same again."""
        return OpenRequest(
            Path(self.release),
            tuple(map(Path, self.runs)),
            format=self.format or None,
            run_format=self.run_format or None,
            release_map=Path(self.release_map) if self.release_map else None,
            run_map=Path(self.run_map) if self.run_map else None,
            overlays=tuple(map(Path, self.overlays)),
            captions=tuple(map(Path, self.captions)),
        )


def _absolute(path: Path) -> str:
    return str(path.resolve())


class RecentStore:
    """The list of recent openings. A list that cannot be read or written is no error."""

    def __init__(self, folder: Path | None = None) -> None:
        self.file = (folder or state_folder()) / "recent.json"

    def load(self) -> list[RecentOpening]:
        """The openings, newest first."""
        try:
            rows = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        openings = [_opening(row) for row in rows] if isinstance(rows, list) else []
        return [one for one in openings if one is not None]

    def add(self, opening: RecentOpening) -> None:
        """Put an opening first."""
        rest = [one for one in self.load() if (one.release, one.runs) != _key(opening)]
        self._save([opening, *rest][:_KEPT])

    def find(self, release: str, runs: tuple[str, ...]) -> RecentOpening | None:
        """The opening of a release with the same runs, if it is on the list."""
        return next((one for one in self.load() if _key(one) == (release, runs)), None)

    def remove(self, opening: RecentOpening) -> None:
        """Take an opening off the list."""
        self._save([one for one in self.load() if _key(one) != _key(opening)])

    def _save(self, openings: list[RecentOpening]) -> None:
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            draft = self.file.with_suffix(".tmp")
            text = json.dumps([asdict(one) for one in openings], ensure_ascii=False, indent=1)
            draft.write_text(text, encoding="utf-8")
            draft.replace(self.file)


def _key(opening: RecentOpening) -> tuple[str, tuple[str, ...]]:
    return opening.release, opening.runs


def _opening(row: Any) -> RecentOpening | None:
    try:
        runs = tuple(str(run) for run in row["runs"])
        position = {str(name): str(value) for name, value in row.get("position", {}).items()}
        kept = {name: str(row.get(name, "")) for name in _FLAGS}
        overlays = tuple(str(one) for one in row.get("overlays", ()))
        captions = tuple(str(one) for one in row.get("captions", ()))
        summary = str(row.get("summary", ""))
        return RecentOpening(
            str(row["release"]),
            runs,
            summary,
            position,
            **kept,
            overlays=overlays,
            captions=captions,
        )
    except (KeyError, TypeError, AttributeError):
        return None
