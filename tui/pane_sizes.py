"""How large the user has made panes, by the name of a border."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.writing import replace_file
from mnemoscope.tui.recent import state_folder

__all__ = ["PaneSizes"]


class PaneSizes:
    """Shares of the panes' containers, from 0 to 1. What cannot be read or written is no error."""

    def __init__(self, folder: Path | None = None, *, remember: bool = True) -> None:
        """Look for what was kept.

        Args:
            folder: Where it is kept; the state folder when None.
            remember: Whether anything is read and written at all.
        """
        self.file = (folder or state_folder()) / "panes.json"
        self._remember = remember
        self._shares = dict(self._read())

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
            self._write()

    def _read(self) -> Mapping[str, float]:
        if not self._remember:
            return {}
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {
            str(name): float(share)
            for name, share in found.items()
            if isinstance(share, int | float) and 0 < share < 1
        }

    def _write(self) -> None:
        if not self._remember:
            return
        with suppress(OSError, MnemoscopeError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            data = json.dumps(self._shares, indent=1, sort_keys=True).encode()
            replace_file(self.file, data)
