"""Filters that the user has given names: groups of questions to come back to."""

from collections.abc import Mapping
from pathlib import Path

from mnemoscope.tui.state_file import StateFile

__all__ = ["SavedFilters"]


class SavedFilters:
    """Named filters, kept for all releases. A file that cannot be read is an empty list."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = StateFile("filters", folder)

    @property
    def file(self) -> Path:
        """Where they are kept."""
        return self._file.path

    def load(self) -> Mapping[str, str]:
        """Filter text by name, in the order saved."""
        return {name: text for name, text in self._file.load().items() if isinstance(text, str)}

    def try_save(self, name: str, text: str) -> str:
        """Keep a filter under a name, or forget the name with an empty text.

        Returns:
            What came of it, in a sentence.
        """
        filters = dict(self.load())
        filters.pop(name, None)
        if text:
            filters[name] = text
        said = f"Saved as “{name}”." if text else f"“{name}” is forgotten."
        return self._file.save(filters) or said
