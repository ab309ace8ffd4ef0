"""An invented memory system that adds, changes and removes, and histories to hand it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from mnemoscope.core.memory.building import Step, build
from mnemoscope.core.memory.items import (
    Delta,
    ItemKind,
    MemoryItem,
    Provenance,
    Recall,
    item_json,
    item_of,
)
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.state import MemoryState
from mnemoscope.core.memory.system import (
    INTENDED,
    MemorySystem,
    Parameter,
    SystemContext,
    SystemSpec,
)
from mnemoscope.core.memory.view import HandedHistory, RoundView, hand_over
from mnemoscope.core.model import History, Textualisation
from mnemoscope.core.runs.native.schema import Manifest
from mnemoscope.core.runs.native.states import write_states
from mnemoscope.core.runs.native.store import RunStore

PLAIN = Textualisation()
SUMMARY = "diary:summary"


class Diary(MemorySystem):
    """Keeps the newest rounds word by word and counts the older ones in a summary."""

    NAME: ClassVar[str] = "diary"
    SUMMARY: ClassVar[str] = "Keeps the newest rounds."
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {"keep": Parameter(2, "How many.", least=1)}

    def __init__(self, spec: SystemSpec, context: SystemContext) -> None:
        super().__init__(spec, context)
        self._items: list[MemoryItem] = []
        self._told: list[str] = []

    def _observe(self, one: RoundView) -> Delta:
        item = MemoryItem(f"diary:{one.id}", ItemKind.RAW, one.text, (one.id,), one.date)
        self._items.append(item)
        keep = int(self.spec.parameters["keep"])
        if len(self._items) <= keep:
            return Delta(added=(item,))
        gone = self._items.pop(0)
        first = not self._told
        self._told += gone.rounds
        summary = self._summary()
        return Delta(
            added=(item, summary) if first else (item,),
            changed=() if first else (summary,),
            removed=(gone.id,),
        )

    def _summary(self) -> MemoryItem:
        text = f"{len(self._told)} older rounds"
        return MemoryItem(
            SUMMARY, ItemKind.SUMMARY, text, tuple(self._told), provenance=Provenance.DERIVED
        )

    def items(self) -> tuple[MemoryItem, ...]:
        return (*([self._summary()] if self._told else []), *self._items)

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        return Recall(context=tuple(item.text for item in self.items()))

    def export_state(self) -> MemoryState:
        json = {
            "observed": self.observed,
            "items": [item_json(item) for item in self._items],
            "told": list(self._told),
        }
        return MemoryState(json, {"count": np.array([[self.observed]], np.float32)})

    def import_state(self, state: MemoryState) -> None:
        self.observed = state.json["observed"]
        self._items = [item_of(one) for one in state.json["items"]]
        self._told = list(state.json["told"])


class Scribbler(Diary):
    """Writes down every question it is asked, which no memory may."""

    NAME: ClassVar[str] = "scribbler"

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        self._told.append(query.stem)
        return Recall()


def diary(keep: int = 2, kind: type[Diary] = Diary) -> Diary:
    return kind(SystemSpec(kind.NAME, 1, INTENDED, {"keep": keep}), SystemContext())


def handed(history: History, textualisation: Textualisation = PLAIN) -> HandedHistory:
    return hand_over(history, textualisation)


def run_with_states(
    folder: Path, histories: Sequence[History], name: str = "diary", keep: int = 2
) -> Path:
    """A native run without records that keeps what a diary held of some histories."""
    manifest = Manifest.model_validate(
        {"kind": "mnemoscope-run", "schema_version": 1, "name": name, "system": {"id": "diary"}}
    )
    with RunStore.create(folder, manifest, durable=False) as store:
        store.finish()
    for history in histories:
        given = handed(history)
        write_states(folder, history, steps_of(given, keep), given.round_ids)
    return folder


def steps_of(given: HandedHistory, keep: int = 2) -> tuple[Step, ...]:
    _, steps = build(diary(keep), given.view)
    return steps
