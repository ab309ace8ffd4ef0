"""What a memory held after each round of a history: written with a run, read for people.

``states/NAME.jsonl`` holds a history's steps in order; a line says which items a round added,
changed and removed, and what was held at any round is those lines carried out up to it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.memory.building import Step
from mnemoscope.core.memory.items import MemoryItem
from mnemoscope.core.model import History, Run
from mnemoscope.core.reading import json_lines
from mnemoscope.core.runs.native.schema import HeldItemForm, HeldLine
from mnemoscope.core.runs.native.writer import own_folder
from mnemoscope.core.schemas import checked
from mnemoscope.core.writing import cannot_write, json_bytes, replace_file, slug

__all__ = ["STATES", "Held", "HeldStates", "read_states", "states_of", "write_states"]

STATES = "states"


@dataclass(frozen=True)
class Held:
    """What a memory held after a round."""

    items: Mapping[str, HeldItemForm] = field(default_factory=dict)
    """By id, in the order in which they came in."""
    before: Mapping[str, HeldItemForm] = field(default_factory=dict)
    """Those that this round changed or removed, as they were before it."""
    step: HeldLine | None = None
    """What this round did; None when no line says anything of it."""

    @property
    def added(self) -> tuple[HeldItemForm, ...]:
        """Items that came in with this round."""
        return self.step.added if self.step else ()

    @property
    def changed(self) -> tuple[HeldItemForm, ...]:
        """Items that this round changed, as they are after it."""
        return self.step.changed if self.step else ()

    @property
    def removed(self) -> tuple[HeldItemForm, ...]:
        """Items that this round removed, as they were."""
        ids = self.step.removed if self.step else ()
        return tuple(self.before[one] for one in ids if one in self.before)


@dataclass(frozen=True)
class HeldStates:
    """The steps of one history's memory, in order."""

    history: str
    lines: tuple[HeldLine, ...]
    defects: tuple[Defect, ...] = ()
    """What of the file could not be read."""

    @property
    def last(self) -> int:
        """The position of the last round that the memory was handed; -1 when it saw none."""
        return max((line.index for line in self.lines), default=-1)

    def after(self, index: int) -> Held:
        """What the memory held after the round at a position, and what that round did.

        What was done after the last round counts to the last round.
        """
        items: dict[str, HeldItemForm] = {}
        before: dict[str, HeldItemForm] = {}
        own: list[HeldLine] = []
        for line in self.lines:
            if line.index > index:
                break
            if line.index == index:
                own.append(line)
                touched = (*(one.id for one in line.changed), *line.removed)
                before = {one: items[one] for one in touched if one in items} | before
            items.update({one.id: one for one in (*line.added, *line.changed)})
            for one in line.removed:
                items.pop(one, None)
        return Held(items, before, _joined(own))


def _joined(lines: list[HeldLine]) -> HeldLine | None:
    """The line of a round, with what was done after it where it was the last."""
    if len(lines) < 2:
        return lines[0] if lines else None
    first = lines[0]
    return first.model_copy(
        update={
            "added": tuple(item for line in lines for item in line.added),
            "changed": tuple(item for line in lines for item in line.changed),
            "removed": tuple(item for line in lines for item in line.removed),
            "warnings": tuple(item for line in lines for item in line.warnings),
        }
    )


def write_states(
    folder: Path, history: History, steps: Iterable[Step], round_ids: Mapping[str, str]
) -> Path:
    """Write what a memory held of a history beside a run, whole or not at all.

    Args:
        folder: The run's folder.
        history: The history.
        steps: What each round did.
        round_ids: The release's id of each round, by the id that the system was handed.

    Returns:
        The file; that of an earlier writing is replaced.

    Raises:
        InputError: The file system refuses.
    """
    states = folder / STATES
    try:
        states.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(states, error) from error
    path = _own_path(states, history.id)
    lines = (_line(history.id, step, round_ids) for step in steps)
    replace_file(path, b"".join(json_bytes(line.as_json()) for line in lines))
    return path


def _line(history_id: str, step: Step, round_ids: Mapping[str, str]) -> HeldLine:
    delta = step.delta
    return HeldLine(
        history=history_id,
        round=round_ids.get(step.round, ""),
        index=step.index,
        added=tuple(_item(one, round_ids) for one in delta.added),
        changed=tuple(_item(one, round_ids) for one in delta.changed),
        removed=delta.removed,
        absorbed=delta.absorbed,
        warnings=delta.warnings,
        extra={},
    )


def _item(item: MemoryItem, round_ids: Mapping[str, str]) -> HeldItemForm:
    return HeldItemForm(
        id=item.id,
        kind=item.kind.value,
        text=item.text,
        rounds=tuple(round_ids[one] for one in item.rounds),
        date=item.date,
        provenance=item.provenance.value,
        attributes=dict(item.attributes),
    )


def states_of(run: Run, history_id: str) -> HeldStates | None:
    """What a run's memory held of a history; None when the run does not say.

    Raises:
        InputError: A file cannot be read.
    """
    folder = own_folder(run)
    return None if folder is None else read_states(folder, history_id)


def read_states(folder: Path, history_id: str) -> HeldStates | None:
    """What the memory of the run in a folder held of a history; None when no file says.

    A line that cannot be used is a defect; a torn last line only a warning.

    Raises:
        InputError: A file cannot be read.
    """
    path = _file_of(folder / STATES, history_id)
    if path is None:
        return None
    log = DefectLog(path.relative_to(folder).as_posix())
    found = []
    for place, data in json_lines(path, log, may_be_torn=True):
        line = checked(HeldLine, data, log, place)
        if line is not None and line.history != history_id:
            log.error("other_history", f"{place}.history", line.history, repr(history_id))
        elif line is not None:
            found.append(line)
    # Sorting keeps what was done after the last round behind it.
    return HeldStates(
        history_id, tuple(sorted(found, key=lambda line: line.index)), tuple(log.items)
    )


def _file_of(states: Path, history_id: str) -> Path | None:
    """The file about a history: where we would have written it, else any whose first line says."""
    path = _own_path(states, history_id)
    if path.exists():
        return path
    return next((one for one in sorted(states.glob("*.jsonl")) if _names(one) == history_id), None)


def _own_path(states: Path, history_id: str) -> Path:
    """The file that a history has, or would get: names of others are passed over."""
    taken: set[str] = set()
    while True:
        path = states / f"{slug(history_id, taken, fallback='history')}.jsonl"
        if not path.exists() or _names(path) == history_id:
            return path


def _names(path: Path) -> str | None:
    """The history that a file's first line names; None when it names none."""
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline())
        return str(first["history"])
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return None
