"""A small JSON file in the state folder. What cannot be read or written is no error."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.writing import json_bytes, replace_file
from mnemoscope.tui.recent import state_folder

__all__ = ["StateFile"]


class StateFile:
    """What the app remembers under one name, as a JSON object."""

    def __init__(self, name: str, folder: Path | None = None, *, remember: bool = True) -> None:
        """Name the file.

        Args:
            name: The file's name, without its suffix.
            folder: Where it is; the state folder when None.
            remember: Whether anything is read and written at all.
        """
        self.path = (folder or state_folder()) / f"{name}.json"
        self._remember = remember

    def load(self) -> dict[str, Any]:
        """What is remembered; an empty object when there is nothing that can be read."""
        if not self._remember:
            return {}
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def save(self, value: Mapping[str, Any]) -> str:
        """Remember something else.

        Returns:
            Why it cannot be kept, in a sentence; empty when it is.
        """
        if not self._remember:
            return ""
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            replace_file(self.path, json_bytes(dict(value), indent=1), durable=False)
        except MnemoscopeError as error:
            return str(error)
        return ""
