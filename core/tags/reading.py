"""Reading the tags of a workspace when something asks for them."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Workspace

__all__ = ["with_tags"]


def with_tags(
    workspace: Workspace,
    *,
    folder: Path | None = None,
    own: Path | None = None,
    taxonomies: Iterable[Path] = (),
) -> Workspace:
    """The workspace with everybody's tags; the same one when they have been read already.

    Args:
        workspace: A release and its runs.
        folder: The one folder for tags that the user named; the usual ones when None.
        own: The user's folder of taxonomies.
        taxonomies: Files of taxonomies that the user named.

    Raises:
        InputError: A named taxonomy, or the manifest of a native run, cannot be read.
    """
    if workspace.tags is not None:
        return workspace
    catalogue = Catalogue.load(own, taxonomies)
    with collector_paused():
        return replace(workspace, tags=WorkspaceTags(workspace, catalogue, folder=folder))
