"""Actions of the screens about a release: overview, history, ledger, and the lists behind them."""

from mnemoscope.tui.action import Action

__all__ = ["HISTORY", "RELEASE"]

HISTORY: tuple[Action, ...] = (
    Action("history.next_round", ("full_stop",), "next round", "Go to the next round.", 2),
    Action("history.previous_round", ("comma",), "previous round", "Go to the round before.", 3),
    Action(
        "history.next_session",
        ("right_curly_bracket",),
        "next session",
        "Go to the next session.",
        4,
    ),
    Action(
        "history.previous_session",
        ("left_curly_bracket",),
        "previous session",
        "Go to the session before.",
        5,
    ),
    Action("history.next_pane", ("tab",), "pane", "Go to the next pane.", 1),
    Action("history.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."),
    Action("history.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action("history.smaller", ("minus",), "smaller", "Give the pane with the focus less room."),
    Action(
        "history.first_sizes", ("equals_sign",), "first sizes", "Give all panes their first size."
    ),
    Action("history.play", ("space",), "play", "Play or pause the sound under the cursor.", 15),
    Action("history.forward", ("right",), "5 s on", "Go five seconds on in the sound."),
    Action("history.backward", ("left",), "5 s back", "Go five seconds back in the sound."),
    Action("history.restart", ("backspace",), "restart", "Play the sound from its start."),
    Action("history.next_clip", ("m",), "next sound", "Turn to the next sound under the cursor."),
    Action("history.zoom", ("z",), "zoom", "Show the pictures under the cursor large.", 12),
    Action(
        "history.outside", ("o",), "open outside", "Open the file under the cursor elsewhere.", 13
    ),
    Action("history.choose", ("h",), "choose history", "Choose another history.", 7),
    Action("history.variant", ("v",), "captions", "Show the captions of another variant.", 8),
    Action(
        "history.evaluator",
        ("a",),
        "evaluator-only",
        "Show or hide what only the evaluator may see.",
        9,
    ),
    Action("history.find", ("slash",), "search", "Find text in this history.", 10),
    Action("history.next_match", ("n",), "next match", "Go to the next match of the search."),
    Action("history.previous_match", ("N",), "previous match", "Go to the match before."),
)
"""What can be done on a history; sessions are reviewed on it, too."""

RELEASE: tuple[Action, ...] = (
    # Overview
    Action(
        "overview.defects", ("d",), "defects", "List every defect of the release and the runs.", 3
    ),
    Action(
        "overview.joins", ("u",), "joins", "See how the rows of each run join to the questions.", 4
    ),
    Action(
        "overview.configuration",
        ("p",),
        "configuration",
        "Show how the configurations of all runs differ.",
        78,
    ),
    # History
    *HISTORY,
    # Ledger
    Action("ledger.next_pane", ("tab",), "pane", "Go to the next pane.", 1),
    Action("ledger.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."),
    Action("ledger.next_round", ("full_stop",), "next round", "Go to the next round.", 11),
    Action("ledger.previous_round", ("comma",), "previous round", "Go to the round before.", 12),
    Action(
        "ledger.next_change",
        ("greater_than_sign",),
        "next change",
        "Go to the next round that brings a transition.",
        2,
    ),
    Action(
        "ledger.previous_change",
        ("less_than_sign",),
        "previous change",
        "Go to the round before that brings a transition.",
        3,
    ),
    Action(
        "ledger.next_of_entity",
        ("right_square_bracket",),
        "next of entity",
        "Go to the next round that says something of this entity.",
        4,
    ),
    Action(
        "ledger.previous_of_entity",
        ("left_square_bracket",),
        "previous of entity",
        "Go to the round before that says something of this entity.",
        5,
    ),
    Action(
        "ledger.next_session", ("right_curly_bracket",), "next session", "Go to the next session."
    ),
    Action(
        "ledger.previous_session",
        ("left_curly_bracket",),
        "previous session",
        "Go to the session before.",
    ),
    Action(
        "ledger.side_by_side",
        ("w",),
        "side by side",
        "Keep this round in view beside the one you go on to, or end that.",
        6,
    ),
    Action(
        "ledger.sheet",
        ("v",),
        "values",
        "Show accepted, visual or shown values, authority, or a system's.",
        7,
    ),
    Action("ledger.context", ("x",), "context", "Show the artifact of another context.", 9),
    Action("ledger.find", ("slash",), "find a cell", "Choose a cell by entity and field.", 10),
    Action(
        "ledger.divergence",
        ("d",),
        "divergence",
        "Go to the first round and cell where a system parts from the truth.",
        8,
    ),
    Action("ledger.column_before", ("left",), "column before", "Go to the column to the left."),
    Action("ledger.column_after", ("right",), "column after", "Go to the column to the right."),
    Action("ledger.choose", ("h",), "choose history", "Choose another history.", 13),
    Action("ledger.choose_a", ("A",), "choose A", "Choose which run is A."),
    Action("ledger.choose_b", ("B",), "choose B", "Choose which run is B."),
    Action("ledger.zoom", ("z",), "zoom", "Show the last upload large.", 14),
    Action("ledger.outside", ("o",), "open outside", "Open the last upload elsewhere.", 15),
    Action("ledger.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action("ledger.smaller", ("minus",), "smaller", "Give the pane with the focus less room."),
    Action(
        "ledger.first_sizes", ("equals_sign",), "first sizes", "Give all panes their first size."
    ),
    # Defects
    Action("defects.all", ("1",), "all", "List every defect.", 1),
    Action("defects.errors", ("2",), "errors", "List what cannot be used.", 2),
    Action("defects.warnings", ("3",), "warnings", "List what is odd or leads nowhere.", 3),
    Action("defects.repaired", ("4",), "repaired", "List what was read differently.", 4),
    # Joins
    Action("joins.all", ("1",), "all", "List every row and question that stays alone.", 2),
    Action("joins.unmatched", ("2",), "unmatched", "List rows that no question fits.", 3),
    Action("joins.ambiguous", ("3",), "ambiguous", "List rows that several questions fit.", 4),
    Action(
        "joins.without_record", ("4",), "no record", "List questions that no row of the run has.", 5
    ),
    Action("joins.next_pane", ("tab",), "pane", "Go to the next pane.", 1),
    Action("joins.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."),
    Action("joins.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action("joins.smaller", ("minus",), "smaller", "Give the pane with the focus less room."),
    Action(
        "joins.first_sizes", ("equals_sign",), "first sizes", "Give all panes their first size."
    ),
    # Configuration
    Action("configuration.differing", ("1",), "differing", "List settings that differ.", 2),
    Action("configuration.all", ("2",), "all", "List every setting that a run states.", 3),
    Action("configuration.next_pane", ("tab",), "pane", "Go to the next pane.", 1),
    Action(
        "configuration.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."
    ),
    Action("configuration.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action(
        "configuration.smaller", ("minus",), "smaller", "Give the pane with the focus less room."
    ),
    Action(
        "configuration.first_sizes",
        ("equals_sign",),
        "first sizes",
        "Give all panes their first size.",
    ),
    # Raw
    Action("raw.copy", ("c",), "copy", "Copy the JSON.", 1),
)
"""What can be done with a release, and with what is known of its runs as a whole."""
