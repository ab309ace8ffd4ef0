"""Actions of the app, of kinds of panes, of the start screen and of the large picture."""

from mnemoscope.tui.action import Action

__all__ = ["EVERYWHERE"]

EVERYWHERE: tuple[Action, ...] = (
    # Everywhere
    Action(
        "app.help", ("question_mark",), "keys", "List the keys of this screen, and run one.", 90
    ),
    Action("app.pane_help", ("f1", "K"), "about this pane", "Say what the focused pane means.", 79),
    Action("app.command_palette", ("ctrl+p",), "palette", "Search everything that works now."),
    Action("app.back", ("escape",), "back", "Go back one screen.", 80),
    Action("app.leave", ("q",), "leave", "Go back one screen, and quit at the first one."),
    Action("app.quit", ("ctrl+q",), "quit", "Quit at once, from anywhere.", priority=True),
    Action("app.next_theme", ("ctrl+t",), "theme", "Switch to the next theme."),
    Action("app.overview", ("O",), "overview", "Go to the overview of what is open.", 71),
    Action("app.history", ("H",), "history", "Go to the dialogue of the history in focus.", 72),
    Action("app.ledger", ("D",), "ledger", "Go to the scenario's state at the round in focus.", 73),
    Action("app.questions", ("L",), "questions", "Go to the list of questions.", 73),
    Action("app.compare", ("C",), "compare", "Compare the runs A and B.", 74),
    Action("app.matrix", ("M",), "matrix", "Set all runs side by side on every question.", 75),
    Action("app.tag", ("t",), "tag", "Tag the question in focus, and go on through its list.", 76),
    Action("app.answer", ("R",), "answer", "Let a person answer the questions, without the gold."),
    Action(
        "app.tally", ("number_sign",), "tally", "Count tags, and set them against task and run.", 78
    ),
    Action(
        "app.decide",
        ("Y",),
        "who decides",
        "Choose who decides what is right: rule, people, judge.",
    ),
    Action("app.go_to", ("ctrl+g",), "go to", "Go to a question, round or session by its id."),
    Action(
        "app.earlier",
        ("left_parenthesis", "alt+left"),
        "place before",
        "Go back to the place where you were before.",
        76,
    ),
    Action(
        "app.later",
        ("right_parenthesis", "alt+right"),
        "place after",
        "Go forward again to where you came back from.",
        77,
    ),
    Action("app.places", ("P",), "places …", "Choose from the places where you have been."),
    Action(
        "app.copy_menu", ("y",), "copy …", "Choose what to copy: the item, its list, a command."
    ),
    Action("app.raw", ("J",), "raw JSON", "Show the source JSON of what the cursor stands on."),
    Action("app.reload", ("ctrl+r",), "reload", "Read the open files again."),
    # Kinds of panes
    Action("list.up", ("up", "k"), "up", "Move the cursor up."),
    Action("list.down", ("down", "j"), "down", "Move the cursor down."),
    Action("list.top", ("home", "g"), "top", "Go to the first row."),
    Action("list.bottom", ("end", "G"), "bottom", "Go to the last row."),
    Action("list.page_up", ("pageup",), "page up", "Move a page up."),
    Action("list.page_down", ("pagedown",), "page down", "Move a page down."),
    Action("list.half_up", ("ctrl+u",), "half page up", "Move half a page up."),
    Action("list.half_down", ("ctrl+d",), "half page down", "Move half a page down."),
    Action("list.open", ("enter",), "open", "Open the row under the cursor."),
    Action("page.up", ("up", "k"), "up", "Move to the part above, or scroll."),
    Action("page.down", ("down", "j"), "down", "Move to the part below, or scroll."),
    Action("page.top", ("home", "g"), "top", "Go to the top."),
    Action("page.bottom", ("end", "G"), "bottom", "Go to the bottom."),
    Action("page.page_up", ("pageup",), "page up", "Scroll a page up."),
    Action("page.page_down", ("pagedown",), "page down", "Scroll a page down."),
    Action("page.half_up", ("ctrl+u",), "half page up", "Scroll half a page up."),
    Action("page.half_down", ("ctrl+d",), "half page down", "Scroll half a page down."),
    Action("page.open", ("enter",), "open", "Follow what the cursor stands on."),
    # Start
    Action("start.open_path", ("o",), "open a path", "Type the path of a release, and of runs.", 1),
    Action("start.demo", ("d",), "demo", "Open the bundled sample with its two runs.", 2),
    Action(
        "start.scenario",
        ("s",),
        "scenario",
        "Open the bundled scenario, whose state is known at each round.",
        3,
    ),
    Action(
        "start.forget", ("delete",), "forget", "Take the release under the cursor off the list.", 4
    ),
    # Large picture
    Action("zoom.close", ("escape", "z", "q"), "close", "Go back to the page."),
    Action("zoom.outside", ("o",), "open outside", "Open the picture's file elsewhere."),
    Action("zoom.previous", ("left_square_bracket",), "previous", "Show the picture before."),
    Action("zoom.next", ("right_square_bracket",), "next", "Show the next picture."),
)
"""What can be done wherever one is."""
