"""Which columns the user has chosen for a list, kept for all releases."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from mnemoscope.core.question_columns import QuestionColumn, is_column_name
from mnemoscope.tui.recent import state_folder
from mnemoscope.tui.state_file import StateFile

__all__ = ["ColumnChoice", "ColumnStore"]

ColumnChoice = tuple[str, ...]
"""Names of columns in order; empty for the usual ones."""


class ColumnStore:
    """Chosen columns by list. What cannot be used is said once and counts as not chosen."""

    def __init__(self, folder: Path | None = None) -> None:
        self.file = (folder or state_folder()) / "columns.json"
        self._problem = ""
        self._choices: dict[str, ColumnChoice] | None = None

    def take_problem(self) -> str:
        """What was wrong with the file when it was read, told once; empty for nothing."""
        problem, self._problem = self._problem, ""
        return problem

    def choice(self, of_list: str) -> ColumnChoice:
        """The columns chosen for a list; empty for the usual ones."""
        return self._read().get(of_list, ())

    def shown(self, of_list: str, columns: Sequence[QuestionColumn]) -> tuple[QuestionColumn, ...]:
        """The chosen ones of the columns there are; none when the usual ones are to be shown."""
        by_name = {column.name: column for column in columns}
        return tuple(by_name[name] for name in self.choice(of_list) if name in by_name)

    def choose(self, of_list: str, names: ColumnChoice) -> str:
        """Take another choice and keep it.

        Returns:
            Why it cannot be kept beyond this session, in a sentence; empty when it is kept.
        """
        choices = self._read()
        choices.pop(of_list, None)
        if names:
            choices[of_list] = names
        problem = StateFile("columns", self.file.parent).save(choices)
        return f"The choice holds until you leave: {problem}" if problem else ""

    def _read(self) -> dict[str, ColumnChoice]:
        if self._choices is None:
            self._choices = {}
            try:
                self._choices |= _choices(json.loads(self.file.read_text(encoding="utf-8")))
            except FileNotFoundError:
                pass
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                self._problem = f"{self.file}: {reason}; the usual columns are shown."
        return self._choices


def _choices(found: object) -> Mapping[str, ColumnChoice]:
    """The choices that a file holds.

    Raises:
        ValueError: It holds something else.
    """
    if not isinstance(found, dict):
        raise ValueError("expected an object of lists of column names")
    for of_list, names in found.items():
        if not isinstance(names, list) or not names:
            raise ValueError(f"{of_list}: expected a list of column names")
        for name in names:
            if not isinstance(name, str) or not is_column_name(name):
                raise ValueError(f"{of_list}: there is no column {name!r}")
    return {of_list: tuple(dict.fromkeys(names)) for of_list, names in found.items()}
