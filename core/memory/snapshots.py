"""Frozen memories on disk, found again by everything that shaped them."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError, ReadError, UsageError
from mnemoscope.core.memory.building import Receipt, Step, build
from mnemoscope.core.memory.frozen import FrozenMemory
from mnemoscope.core.memory.items import Delta, item_json, item_of
from mnemoscope.core.memory.state import MemoryState, arrays_of, npz_bytes
from mnemoscope.core.memory.system import MemorySystem, SystemSpec
from mnemoscope.core.memory.view import HistoryView
from mnemoscope.core.reading import read_json
from mnemoscope.core.writing import json_bytes, new_folder

__all__ = ["SnapshotKey", "SnapshotStore"]

_KIND = "mnemoscope-snapshot"
_VERSION = 1
_FILE = "snapshot.json"
_ARRAYS = "arrays.npz"


@dataclass(frozen=True)
class SnapshotKey:
    """Everything that shapes a memory: two memories with the same key are the same."""

    spec: SystemSpec
    textualisation: str
    history: str
    """The hash of the rounds; see ``HistoryView.chain``."""
    rounds: int
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Hash of each prompt that building uses, by name."""
    model: Mapping[str, Any] = field(default_factory=dict)
    """Id and parameters of the chat model that building uses."""
    embedder: Mapping[str, str] = field(default_factory=dict)
    """Id and hash of the weights of what makes vectors."""

    @classmethod
    def of(cls, system: MemorySystem, view: HistoryView) -> "SnapshotKey":
        """The key of the memory that a system would have of a view."""
        embedder = system.context.embedder if system.NEEDS_EMBEDDER else None
        return cls(
            system.spec,
            str(view.textualisation),
            view.chain[-1],
            len(view.rounds),
            embedder={"id": embedder.id, "weights": embedder.weights_hash} if embedder else {},
        )

    def as_json(self) -> dict[str, Any]:
        """The key's parts as JSON."""
        return {
            "system": self.spec.as_json(),
            "textualisation": self.textualisation,
            "history": self.history,
            "rounds": self.rounds,
            "prompts": dict(sorted(self.prompts.items())),
            "model": dict(sorted(self.model.items())),
            "embedder": dict(sorted(self.embedder.items())),
        }

    @property
    def hash(self) -> str:
        """The name that the memory is kept under."""
        return hashlib.sha256(json_bytes(self.as_json())).hexdigest()


class SnapshotStore:
    """A folder of frozen memories: a folder each, named by its key's hash; JSON and npz only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def memory(
        self,
        make: Callable[[], MemorySystem],
        view: HistoryView,
        progress: Callable[[int], None] = lambda _: None,
    ) -> FrozenMemory:
        """The memory of a view: the one that is kept, else a new one that is kept from now on.

        Args:
            make: Makes an empty memory.
            view: The rounds.
            progress: Called with the number of rounds taken in while it is built.

        Raises:
            MnemoscopeError: A round cannot be taken in, what is kept cannot be used, or the file
                system refuses.
        """
        system = make()
        key = SnapshotKey.of(system, view)
        kept = self.folder / key.hash
        if kept.is_dir():
            return _read(kept, system, key)
        receipt, steps = build(system, view, progress)
        memory = FrozenMemory(system, key.hash, receipt, steps)
        try:
            self._keep(memory, key)
        except UsageError:
            # Another process built the same one meanwhile; content that is the same has one name.
            if not (kept / _FILE).exists():
                raise
        return memory

    def _keep(self, memory: FrozenMemory, key: SnapshotKey) -> None:
        state = memory.state
        data = {
            "kind": _KIND,
            "schema_version": _VERSION,
            "key": key.as_json(),
            "state_hash": memory.hash,
            "state": state.json,
            "receipt": memory.receipt.as_json(),
            "steps": [_step_json(step) for step in memory.steps],
        }
        with new_folder(self.folder / key.hash) as folder:
            if state.arrays:
                (folder / _ARRAYS).write_bytes(npz_bytes(state.arrays))
            (folder / _FILE).write_bytes(json_bytes(data))


_HINT = "remove the folder, and it is built again"


def _read(folder: Path, system: MemorySystem, key: SnapshotKey) -> FrozenMemory:
    path = folder / _FILE
    data = read_json(path)
    if not isinstance(data, dict) or data.get("kind") != _KIND:
        raise ReadError(path, "$.kind", "something else", repr(_KIND), hint=_HINT)
    if data.get("schema_version") != _VERSION:
        found = repr(data.get("schema_version"))
        raise ReadError(path, "$.schema_version", found, f"version {_VERSION}", hint=_HINT)
    if data.get("key") != key.as_json():
        raise ReadError(path, "$.key", "another key", "what its folder is named after", hint=_HINT)
    arrays = arrays_of(folder / _ARRAYS) if (folder / _ARRAYS).exists() else {}
    try:
        system.import_state(MemoryState(data["state"], arrays))
        receipt = _receipt(data["receipt"])
        steps = tuple(_step(one) for one in data["steps"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"{path}: cannot be used: {error!r}", hint=_HINT) from None
    memory = FrozenMemory(system, key.hash, receipt, steps)
    if memory.hash != data.get("state_hash"):
        raise ReadError(path, "$.state", "another state", "what its hash says", hint=_HINT)
    return memory


def _receipt(data: Mapping[str, Any]) -> Receipt:
    return Receipt(
        data["offered"],
        data["taken_in"],
        tuple(data["unheard"]),
        tuple(data["messages"].items()),
        tuple(data["media"].items()),
        data["without_text"],
        tuple(data["warnings"]),
    )


def _step_json(step: Step) -> dict[str, Any]:
    delta = step.delta
    found: dict[str, Any] = {"index": step.index, "round": step.round}
    found["added"] = [item_json(one) for one in delta.added]
    found["changed"] = [item_json(one) for one in delta.changed]
    found["removed"] = list(delta.removed)
    found["absorbed"] = delta.absorbed
    found["warnings"] = list(delta.warnings)
    return found


def _step(data: Mapping[str, Any]) -> Step:
    delta = Delta(
        tuple(map(item_of, data["added"])),
        tuple(map(item_of, data["changed"])),
        tuple(data["removed"]),
        data["absorbed"],
        tuple(data["warnings"]),
    )
    return Step(data["index"], data["round"], delta)
