"""What the panes of the ledger screen mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import PaneHelp

__all__ = ["LEDGER_HELP"]

_TABLE = ("direct", "follows", "on_record", "by_text", "by_both", "unequal", "withdrawn", "absent")
_SAID = ("by_text", "by_image", "by_both", "no_change", "withdrawn", "reinstated")

LEDGER_HELP: Mapping[str, PaneHelp] = {
    "table": PaneHelp(
        "The scenario at the end of this round: entities in rows, fields in columns, and behind "
        "them what follows from others for each entity. Before a value stands what this round did "
        "to it, behind it whose word it rests on and whether the visual or shown value is another. "
        "{ledger.sheet} turns to visual and shown values, to authority in words, and to what "
        "systems hold; {ledger.column_before} and {ledger.column_after} page through the columns. "
        "All of it is evaluator-only.",
        marks=(*_TABLE, "right", "wrong", "missed"),
        figures={
            "accepted": "what is true now",
            "visual": "the visual state in force, which the next artifact starts from",
            "shown": "what the last upload of this context displays, withdrawn or not",
        },
        cannot="Why a value rests on an artifact and not on a text: that is the usual case and has "
        "no sign of its own. Stylings and orderings of the artifact are in other panes.",
    ),
    "then": PaneHelp(
        "The round that was kept, in the same columns; what differs from it is marked in both. "
        "{ledger.side_by_side} ends it.",
        marks=("unequal", "by_text", "by_both", "absent"),
        cannot="More columns at once than fit beside each other: they are paged together.",
    ),
    "totals": PaneHelp(
        "What belongs to no entity: totals and other quantities that follow, by group where there "
        "are groups; rules; and the orderings of entities and groups.",
        marks=("direct", "follows", "on_record"),
        figures={"=": "as in the column before"},
    ),
    "round": PaneHelp(
        "What this round says and does: the operator, what it changes directly, what follows from "
        "that, on whose authority; the updates that are withdrawn or back in force; the last "
        "upload. {page.open} on a change goes to its cell, on a round to the dialogue, on another "
        "context to its artifact. With a second round in view, what differs between the two.",
        marks=(*_SAID, "direct", "follows", "on_record", "unequal", "missing"),
        figures={"n differ": "components whose values or authority differ between the two rounds"},
        cannot="Whether the dialogue says it clearly: {page.open} on the quotation reads it.",
    ),
    "cell": PaneHelp(
        "The cell under the cursor: what systems hold there, and everything that happened to it up "
        "to this round, the latest first, with the round that said so. {page.open} goes to that "
        "round in the dialogue; {ledger.next_of_entity} and {ledger.previous_of_entity} go from "
        "round to round of its entity.",
        marks=(*_SAID, "right", "wrong", "extra", "missed"),
        figures={"n later changes": "changes beyond this round, which are not listed"},
    ),
    "systems": PaneHelp(
        "What the memories of A and B hold of the cells after this round, beside the truth, and "
        "the first round and cell in which each parts from it; {ledger.divergence} goes there. A "
        "wrong value is said to be whatever else in the truth it is: withdrawn, governed by a "
        "text, superseded, of another context or entity.",
        marks=("right", "wrong", "extra", "missed"),
        figures={
            "n of m cells": "cells that say what the truth says, of those that can be compared",
            "missing": "accepted values in fields that the system holds of anybody, without a cell",
        },
        cannot="What a system knows without keeping it as cells. Only native runs that keep "
        "states with cells are compared.",
    ),
    "detail": PaneHelp(
        "The cell under the cursor in words: its accepted value, whose word it rests on and since "
        "which round, and the visual and shown values where they are others.",
        marks=("by_text", "by_image", "by_both", "withdrawn"),
    ),
}
