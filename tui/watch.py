"""Noticing that files have changed since they were read."""

from collections.abc import Iterator
from pathlib import Path

from mnemoscope.core.workspace import Workspace

__all__ = ["Fingerprint", "fingerprint"]

Fingerprint = tuple[tuple[float, int], ...]
"""Time and size of each file; a file that is gone has neither."""


def fingerprint(workspace: Workspace) -> Fingerprint:
    """What the files of a release and its runs look like now, without reading them.

    In the order of their paths: runs trade their places when another one becomes A.
    """
    return tuple(_state(path) for path in sorted(_files(workspace)))


def _files(workspace: Workspace) -> Iterator[Path]:
    for root, files in (
        (workspace.release.root, workspace.release.files),
        *((run.run.root, run.run.files) for run in workspace.runs),
    ):
        for file in files:
            yield root / file
    if workspace.overlay is not None:
        yield from (Path(overlay.file) for overlay in workspace.overlay.overlays)


def _state(path: Path) -> tuple[float, int]:
    try:
        status = path.stat()
    except OSError:
        return 0.0, -1
    return status.st_mtime, status.st_size
