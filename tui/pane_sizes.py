"""How large the user has made panes, by the name of a border."""

from pathlib import Path

from mnemoscope.tui.state_file import StateFile

__all__ = ["PaneSizes"]


class PaneSizes:
    """Shares of the panes' containers, from 0 to 1. What cannot be read or written is no error."""

    def __init__(self, folder: Path | None = None, *, remember: bool = True) -> None:
        """Look for what was kept.

        Args:
            folder: Where it is kept; the state folder when None.
            remember: Whether anything is read and written at all.
        """
        self._file = StateFile("panes", folder, remember=remember)
        self._shares = {
            name: float(share)
            for name, share in self._file.load().items()
            if isinstance(share, int | float) and 0 < share < 1
        }

    @property
    def file(self) -> Path:
        """Where they are kept."""
        return self._file.path

    def get(self, name: str) -> float | None:
        """The share of a border's sized pane; None while the user has said nothing."""
        return self._shares.get(name)

    def put(self, name: str, share: float | None, *, keep: bool = True) -> None:
        """Set a share, or forget it with None.

        Args:
            name: The border's name.
            share: The share.
            keep: Whether it is written at once; not while a border is still on its way.
        """
        if share is None:
            self._shares.pop(name, None)
        else:
            self._shares[name] = round(share, 6)
        if keep:
            self._file.save(dict(sorted(self._shares.items())))
