"""What runs' memories hold of a ledger, beside the truth, as JSON."""

from typing import TYPE_CHECKING

from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui import console
from mnemoscope.tui.verbs.ledger_parts import Infos
from mnemoscope.tui.verbs.tables import Json

if TYPE_CHECKING:
    from mnemoscope.core.memory.cells import HeldCell
    from mnemoscope.core.truth.book import Book
    from mnemoscope.core.truth.divergence import Divergence
    from mnemoscope.core.truth.system import SystemLedger

__all__ = ["run_info"]


def run_info(run: JoinedRun, book: "Book", index: int, infos: Infos) -> Json:
    """A run's cells beside the truth at a round, and where the two part first.

    Raises:
        InputError: A file of the run cannot be read.
    """
    from mnemoscope.core.runs.native.states import states_of
    from mnemoscope.core.truth.system import SystemLedger

    states = states_of(run.run, book.history.id)
    found: Json = {"run": run.name, "letter": run.letter, "stored": states is not None}
    if states is None:
        return found
    for defect in states.defects:
        console.talk(defect.line())
    system = SystemLedger(book, states)
    found |= {"last_round": system.last_round or None, "cells": None}
    if not system.has_cells:
        return found
    at = system.beside(index)
    firsts = {kind.value: _divergence(one, system, infos) for kind, one in system.firsts.items()}
    return found | {
        "cells": len(at.agreeing) + len({one.item for one in at.divergences if one.item}),
        "agree": len(at.agreeing),
        "divergences": [_divergence(one, system, infos) for one in at.divergences],
        "unplaced": [_held(one) for one in at.unplaced],
        "elsewhere": [_held(one) for one in at.elsewhere],
        "unreadable": system.unreadable,
        "first": next(iter(firsts.values()), None),
        "first_by_kind": firsts,
    }


def _held(one: "HeldCell") -> Json:
    values = {name: list(v) if isinstance(v, tuple) else v for name, v in one.values.items()}
    place = {"item": one.item, "entity": one.entity, "field": one.field}
    return place | values | {"context": one.context or None}


def _divergence(one: "Divergence", system: "SystemLedger", infos: Infos) -> Json:
    return {
        "round": system.round_of(one),
        "kind": one.kind,
        "sheet": one.sheet,
        **infos.place(one.component),
        "value": list(one.said) if isinstance(one.said, tuple) else one.said,
        "truth": infos.value(one.truth),
        "item": one.item or None,
        "called": one.called or None,
        "why": [
            {"cause": why.cause, "round": why.round or None, "of": why.of or None}
            for why in system.why(one)
        ],
    }
