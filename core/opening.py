"""Opening a release and runs together, step by step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.core.defects import Defect
from mnemoscope.core.model import Run
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.workspace import Workspace

__all__ = ["OpenRequest", "open_workspace"]


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


def open_workspace(
    request: OpenRequest, progress: Callable[[str], None] = lambda _: None
) -> Workspace:
    """Read a release and runs, join and judge them.

    Args:
        request: What to open.
        progress: Called with a few words before each step.

    Raises:
        MnemoscopeError: The release or a run cannot be read.
    """
    progress(f"reading {request.release.name}")
    release = open_release(request.release, format=request.format, media_roots=request.media_roots)
    runs: list[Run] = []
    skipped: list[str] = []
    defects: list[Defect] = []
    for path in request.runs:
        progress(f"reading runs in {path.name}")
        opened = open_runs(path, format=request.run_format)
        runs += opened.runs
        skipped += (f"{path.name}/{name}" for name in opened.skipped)
        defects += opened.defects
    if runs:
        progress(f"joining {len(runs)} runs")
    workspace = Workspace.build(release, runs, rule=request.rule)
    return Workspace(release, workspace.runs, tuple(skipped), tuple(defects))
