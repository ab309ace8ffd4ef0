"""Opening a release and runs together, step by step.

The readers are imported when something is opened: an app that only wants to say what it is going to
open paints its first screen without them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mnemoscope.core.errors import InputError, UnknownFormatError

if TYPE_CHECKING:
    from mnemoscope.core.model import Release
    from mnemoscope.core.overlays.applied import Overlaid
    from mnemoscope.core.runs.registry import OpenedRuns
    from mnemoscope.core.workspace import Workspace

__all__ = ["OpenRequest", "lay_over", "open_workspace", "read_runs", "with_captions"]

_ORDER = "the release comes first, then its runs"


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """What the user asked to open."""

    release: Path
    runs: Sequence[Path] = ()
    """Files and folders; each may hold several runs."""
    format: str | None = None
    """The release's format, when it is not to be told from the content."""
    run_format: str | None = None
    media_roots: Sequence[Path] = ()
    rule: str | None = None
    """The rule that decides right and wrong in every run; each run's own when None."""
    overlays: Sequence[Path] = ()
    """Files of corrections to lay over the release, in this order."""
    repairs: Sequence[str] = ()
    """Names of repairs to make in every run; nothing is repaired unasked."""
    release_map: Path | None = None
    """The map by which a release with the format ``mapping`` is read."""
    run_map: Path | None = None
    """The map by which runs of no known form are read."""
    judged: Path | None = None
    """The folder that holds verdicts of judges; the user's data folder when None."""
    captions: Sequence[Path] = ()
    """Files of captions that models made: variants beside the release's own."""


def open_workspace(
    request: OpenRequest,
    progress: Callable[[str], None] = lambda _: None,
    release_read: Callable[["Workspace"], None] = lambda _: None,
) -> "Workspace":
    """Read a release and runs, join and judge them.

    Args:
        request: What to open.
        progress: Called with a few words as each step begins or has come further.
        release_read: Called with the release alone, before any run is read.

    Raises:
        MnemoscopeError: The release or a run cannot be read.
    """
    from mnemoscope.core.workspace import Workspace

    progress(f"reading {request.release.name}")
    release = _read_release(request)
    if request.captions:
        release = with_captions(release, request.captions, progress)
    overlay = lay_over(release, request.overlays)
    if request.runs:
        release_read(Workspace(release, overlay=overlay))
    opened = [
        read_runs(path, format=request.run_format, map=request.run_map, progress=progress)
        for path in request.runs
    ]
    runs = [run for one in opened for run in one.runs]
    if request.repairs:
        from mnemoscope.core.runs.repair import repair_run

        runs = [repair_run(release, run, request.repairs) for run in runs]
    if runs:
        progress(f"joining {len(runs)} runs")
    workspace = Workspace.build(release, runs, rule=request.rule)
    skipped = [f"{one.path.name}/{name}" for one in opened for name in one.skipped]
    unreadable = [defect for one in opened for defect in one.defects]
    read = Workspace(release, workspace.runs, tuple(skipped), tuple(unreadable), overlay)
    if not runs:
        return read
    from mnemoscope.core.judges.shelf import with_kept

    return with_kept(read, request.judged)


def with_captions(
    release: "Release",
    captions: Sequence[Path],
    progress: Callable[[str], None] = lambda _: None,
) -> "Release":
    """The release with the captions in some files as variants of their own.

    Raises:
        UsageError: A file does not go with the release.
        InputError: A file holds no captions.
    """
    from mnemoscope.core.captions.applied import add_captions
    from mnemoscope.core.captions.book import read_captions

    progress("hashing pictures and clips")
    captioned, counts = add_captions(release, [read_captions(path) for path in captions])
    progress("; ".join(map(str, counts)))
    return captioned


def lay_over(release: "Release", overlays: Sequence[Path]) -> "Overlaid | None":
    """Lay the overlays in some files over a release; None when there are no files.

    Raises:
        InputError: A file is no overlay.
    """
    if not overlays:
        return None
    from mnemoscope.core.overlays.applied import apply_overlays
    from mnemoscope.core.overlays.reader import read_overlay

    return apply_overlays(release, [read_overlay(path) for path in overlays])


def _read_release(request: OpenRequest) -> "Release":
    from mnemoscope.core.releases.registry import open_release
    from mnemoscope.core.runs.registry import is_run_output

    path = request.release
    try:
        return open_release(
            path,
            format=request.format,
            media_roots=request.media_roots,
            map=request.release_map,
        )
    except UnknownFormatError:
        if not is_run_output(path):
            raise
        raise InputError(f"{path}: is run output, expected a release", hint=_ORDER) from None


def read_runs(
    path: Path,
    *,
    format: str | None = None,
    map: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> "OpenedRuns":
    """Read every run below a path that should hold runs; see ``open_runs``.

    Raises:
        UsageError: No reader has the name.
        InputError: There is no run there; where there is a release instead, it says so.
    """
    from mnemoscope.core.releases.registry import format_of
    from mnemoscope.core.runs.registry import open_runs

    try:
        return open_runs(path, format=format, map=map, progress=progress)
    except UnknownFormatError:
        found = format_of(path)
        if not found:
            raise
        said = f"{path}: is a release ({found}), expected run output"
        raise InputError(said, hint=_ORDER) from None
