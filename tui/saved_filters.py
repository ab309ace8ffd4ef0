"""Filters that the user has given names: groups of questions to come back to."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.writing import replace_file
from mnemoscope.tui.recent import state_folder

__all__ = ["SavedFilters"]


class SavedFilters:
    """Named filters, kept for all releases. A file that cannot be read is an empty list."""

    def __init__(self, folder: Path | None = None) -> None:
        self.file = (folder or state_folder()) / "filters.json"

    def load(self) -> Mapping[str, str]:
        """Filter text by name, in the order saved."""
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {str(name): text for name, text in found.items() if isinstance(text, str)}

    def save(self, name: str, text: str) -> None:
        """Keep a filter under a name; an empty text forgets the name.

        Raises:
            InputError: The file cannot be written.
        """
        filters = dict(self.load())
        filters.pop(name, None)
        if text:
            filters[name] = text
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
        data = json.dumps(filters, ensure_ascii=False, indent=1).encode("utf-8", "replace")
        replace_file(self.file, data)

    def try_save(self, name: str, text: str) -> str:
        """Save, and say in a sentence what came of it."""
        try:
            self.save(name, text)
        except MnemoscopeError as error:
            return str(error)
        return f"Saved as “{name}”." if text else f"“{name}” is forgotten."
