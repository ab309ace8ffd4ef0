"""Actions of the screens about questions: lists of them, one in full, two runs, all runs."""

from mnemoscope.tui.action import Action

__all__ = ["QUESTIONS"]

QUESTIONS: tuple[Action, ...] = (
    # Questions
    Action(
        "questions.filter",
        ("slash",),
        "filter",
        "Type a filter, in words or in its fields.",
        1,
    ),
    Action("questions.fields", ("F",), "filter fields", "List what a filter understands.", 10),
    Action("questions.sort", ("S",), "sort", "Choose what the list is sorted by.", 2),
    Action(
        "questions.columns", ("c",), "columns", "Choose the columns of the list and their order.", 3
    ),
    Action("questions.saved", ("w",), "saved", "Choose a saved filter, with counts.", 4),
    Action("questions.save_filter", ("W",), "save", "Save the filter under a name.", 5),
    Action("questions.export", ("E",), "export", "Write the list to a CSV or JSON file.", 6),
    # The presets have a line of their own, so they are not in the footer.
    Action("questions.all", ("1",), "all", "Show all questions."),
    Action("questions.failures", ("2",), "failures", "Show what run A answered wrong."),
    Action("questions.only_b", ("3",), "A✗ B✓", "Show what B got right and A did not."),
    Action("questions.only_a", ("4",), "A✓ B✗", "Show what A got right and B did not."),
    Action("questions.neither", ("5",), "both ✗", "Show what neither got right."),
    Action(
        "questions.errors",
        ("6",),
        "errors",
        "Show records of A that failed or hold no readable answer.",
    ),
    Action("questions.untagged", ("7",), "untagged", "Show what nobody has tagged.", 15),
    Action("questions.flagged", ("8",), "flagged", "Show what somebody flagged.", 16),
    Action("questions.choose_a", ("A",), "choose A", "Choose which run is A.", 8),
    Action("questions.choose_b", ("B",), "choose B", "Choose which run is B.", 9),
    # Columns
    Action("columns.switch", ("space",), "show, hide", "Show or hide the column.", 1),
    Action(
        "columns.earlier",
        ("left_square_bracket", "shift+up"),
        "earlier",
        "Move the column towards the left.",
        2,
    ),
    Action(
        "columns.later",
        ("right_square_bracket", "shift+down"),
        "later",
        "Move the column towards the right.",
        3,
    ),
    Action("columns.usual", ("u",), "usual columns", "Go back to the usual columns.", 4),
    # Question
    Action(
        "question.next_question",
        ("right_square_bracket",),
        "next",
        "Go to the next question of the list.",
        1,
    ),
    Action(
        "question.previous_question",
        ("left_square_bracket",),
        "previous",
        "Go to the question before.",
        2,
    ),
    Action(
        "question.diff",
        ("x",),
        "diff A|B",
        "Show the answers and reasons of A and B word by word.",
        3,
    ),
    Action("question.next_pane", ("tab",), "pane", "Go to the next pane.", 1),
    Action("question.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."),
    Action("question.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action("question.smaller", ("minus",), "smaller", "Give the pane with the focus less room."),
    Action(
        "question.first_sizes", ("equals_sign",), "first sizes", "Give all panes their first size."
    ),
    Action("question.choose_a", ("A",), "choose A", "Choose which run is A.", 5),
    Action("question.choose_b", ("B",), "choose B", "Choose which run is B.", 6),
    Action("question.play", ("space",), "play", "Play or pause the sound under the cursor.", 15),
    Action("question.forward", ("right",), "5 s on", "Go five seconds on in the sound."),
    Action("question.backward", ("left",), "5 s back", "Go five seconds back in the sound."),
    Action("question.restart", ("backspace",), "restart", "Play the sound from its start."),
    Action("question.next_clip", ("m",), "next sound", "Turn to the next sound under the cursor."),
    Action("question.zoom", ("z",), "zoom", "Show the option pictures large.", 11),
    Action("question.outside", ("o",), "outside", "Open the first picture elsewhere.", 12),
    Action("question.swap", ("s",), "swap", "Swap A and B.", 10),
    Action("question.variant", ("v",), "captions", "Show the captions of another variant.", 7),
    Action(
        "question.evaluator",
        ("a",),
        "evaluator-only",
        "Show or hide what only the evaluator may see.",
        8,
    ),
    Action(
        "question.context",
        ("e",),
        "context",
        "Show what was sent to the backbone, of B in B's pane.",
        9,
    ),
    Action("question.find", ("slash",), "search", "Find text on this page.", 13),
    Action("question.next_match", ("n",), "next match", "Go to the next match of the search."),
    Action("question.previous_match", ("N",), "previous match", "Go to the match before."),
    # Compare
    Action(
        "compare.all", ("1",), "all differing", "List every question on which A and B differ.", 1
    ),
    Action(
        "compare.only_b",
        ("3",),
        "A✗ B✓",
        "List what only B got right, or has the higher figure on.",
        2,
    ),
    Action(
        "compare.only_a",
        ("4",),
        "A✓ B✗",
        "List what only A got right, or has the higher figure on.",
        3,
    ),
    Action(
        "compare.neither",
        ("5",),
        "both ✗",
        "List what neither got right, or has an equal figure.",
        4,
    ),
    Action(
        "compare.configuration",
        ("p",),
        "configuration",
        "Show how the two configurations differ.",
        5,
    ),
    Action(
        "compare.by",
        ("b",),
        "compare by",
        "Choose whether verdicts or a stored figure, such as f1, are compared.",
        6,
    ),
    Action("compare.next_pane", ("tab",), "pane", "Go to the next pane.", 1),
    Action("compare.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."),
    Action("compare.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action("compare.smaller", ("minus",), "smaller", "Give the pane with the focus less room."),
    Action(
        "compare.first_sizes", ("equals_sign",), "first sizes", "Give all panes their first size."
    ),
    Action("compare.choose_a", ("A",), "choose A", "Choose which run is A.", 7),
    Action("compare.choose_b", ("B",), "choose B", "Choose which run is B.", 8),
    Action("compare.swap", ("s",), "swap", "Swap A and B.", 9),
    Action("compare.find", ("slash",), "search", "Find text on this page.", 6),
    Action("compare.next_match", ("n",), "next match", "Go to the next match of the search."),
    Action("compare.previous_match", ("N",), "previous match", "Go to the match before."),
    Action(
        "compare.columns", ("c",), "columns", "Choose the columns of the list and their order.", 10
    ),
    # Matrix
    Action("matrix.all", ("1",), "all", "List every question that each run is judged on.", 1),
    Action("matrix.all_right", ("4",), "all right", "List what every run gets right.", 2),
    Action("matrix.all_wrong", ("5",), "all wrong", "List what no run gets right.", 3),
    Action("matrix.mixed", ("2",), "mixed", "List what some runs get right and others do not.", 4),
    Action(
        "matrix.configuration",
        ("p",),
        "configuration",
        "Show how the configurations of all runs differ.",
        5,
    ),
)
"""What can be done with questions and answers."""
