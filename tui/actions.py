"""The one registry of actions: bindings, footers, key list, palette and docs come from it.

An action belongs to a scope: ``app`` (everywhere), a kind of pane (``list``, ``page``), or a
screen. Its id is ``scope.name``; the screen, pane or app that carries it has a method
``action_<name>``. A test holds the two together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.binding import Binding

__all__ = [
    "ACTIONS",
    "DIALOGS",
    "SCREENS",
    "Action",
    "action_by_id",
    "actions_of",
    "bindings_of",
    "key_label",
]


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person can do."""

    id: str
    keys: tuple[str, ...]
    """Keys as Textual names them; the first is shown."""
    label: str
    """Two or three words, for the footer and the palette."""
    help: str
    """One sentence, for the key list and the docs."""
    footer: int = 0
    """Its place in the footer, 1 first; 0 keeps it out. What does not fit is left out."""
    priority: bool = False
    """Whether it comes before what has the focus: also from dialogs and while typing."""

    @property
    def scope(self) -> str:
        """What it belongs to."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """What it is called in its scope."""
        return self.id.partition(".")[2]

    @property
    def method(self) -> str:
        """The method's name without ``action_``: panes move a cursor."""
        is_move = self.scope in ("list", "page") and self.name != "open"
        return f"cursor_{self.name}" if is_move else self.name


SCREENS = {
    "start": "Start",
    "overview": "Overview",
    "history": "History",
    "ledger": "Ledger",
    "questions": "Questions",
    "question": "Question",
    "compare": "Compare",
    "tag": "Tag",
    "answer": "Answer",
    "review": "Review",
    "matrix": "Matrix",
    "tally": "Tally",
    "tagged": "Tagged",
    "columns": "Columns",
    "rows": "Rows",
    "defects": "Defects",
    "joins": "Joins",
    "configuration": "Configuration",
    "raw": "Raw",
}
"""Scopes that are screens, with their titles."""

DIALOGS = {"zoom": "Large picture"}
"""Scopes that lie over a screen, whose keys are off meanwhile, with their titles."""


_HISTORY: tuple[Action, ...] = (
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


def _as_in_history() -> Iterator[Action]:
    """The actions of the history under another scope; its footer belongs to other ones."""
    for action in _HISTORY:
        place = 15 if action.name == "next_pane" else 0
        yield replace(action, id=f"review.{action.name}", footer=place)


ACTIONS: tuple[Action, ...] = (
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
        "start.forget", ("delete",), "forget", "Take the release under the cursor off the list.", 3
    ),
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
    *_HISTORY,
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
    # Tag
    Action(
        "tag.next_question",
        ("right_square_bracket",),
        "next",
        "Go to the next question of the queue.",
        1,
    ),
    Action(
        "tag.previous_question",
        ("left_square_bracket",),
        "previous",
        "Go to the question before.",
        2,
    ),
    Action("tag.none", ("0",), "none fits", "Say that no tag of the taxonomy fits.", 3),
    Action("tag.note", ("c",), "note", "Write a note.", 4),
    Action("tag.flag", ("f",), "flag", "Mark this to come back to, or take the mark away.", 5),
    Action("tag.skip", ("s",), "skip", "Go on without saying anything.", 6),
    Action("tag.undo", ("u",), "undo", "Take back the last thing done, however long ago.", 7),
    Action("tag.redo", ("U",), "redo", "Do again what was taken back last.", 16),
    Action("tag.queue", ("Q",), "queue", "Choose what to work through.", 8),
    Action("tag.taxonomy", ("T",), "taxonomy", "Choose another taxonomy.", 9),
    Action(
        "tag.verdict", ("V",), "verdict", "Call the answer right or wrong, over rule and judge.", 10
    ),
    Action("tag.others", ("v",), "others", "Show or hide what others say.", 11),
    Action(
        "tag.blind", ("b",), "blind", "Hide gold, system, verdicts and others' tags, or not.", 12
    ),
    Action("tag.reveal", ("r",), "reveal", "Reveal what blind mode hides of this question.", 13),
    Action("tag.advance", ("w",), "go on", "Go on by itself once all is chosen, or wait.", 18),
    Action("tag.annotator", ("I",), "annotator", "Say who tags.", 19),
    Action("tag.export", ("E",), "export", "Write tags to a file, or a summary of them.", 20),
    Action("tag.context", ("e",), "context", "Show what was sent to the backbone.", 14),
    Action("tag.next_pane", ("tab",), "pane", "Go to the next pane.", 15),
    Action("tag.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."),
    Action("tag.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action("tag.smaller", ("minus",), "smaller", "Give the pane with the focus less room."),
    Action("tag.first_sizes", ("equals_sign",), "first sizes", "Give all panes their first size."),
    Action("tag.find", ("slash",), "search", "Find text in what is shown."),
    Action("tag.next_match", ("n",), "next match", "Go to the next match of the search."),
    Action("tag.previous_match", ("N",), "previous match", "Go to the match before."),
    Action("tag.play", ("space",), "play", "Play or pause the sound under the cursor.", 17),
    Action("tag.forward", ("right",), "5 s on", "Go five seconds on in the sound."),
    Action("tag.backward", ("left",), "5 s back", "Go five seconds back in the sound."),
    Action("tag.restart", ("backspace",), "restart", "Play the sound from its start."),
    Action("tag.next_clip", ("m",), "next sound", "Turn to the next sound under the cursor."),
    Action("tag.zoom", ("z",), "zoom", "Show the pictures under the cursor large."),
    Action("tag.outside", ("o",), "outside", "Open the first picture elsewhere."),
    # Answer
    *(
        Action(
            f"answer.choose_{letter}",
            (letter,),
            f"choose {letter.upper()}",
            f"Choose option {letter.upper()}.",
        )
        for letter in "abcdef"
    ),
    Action("answer.type", ("i",), "type", "Type the answer to a question without options.", 1),
    Action("answer.clear", ("x",), "take back", "Take the answer back."),
    Action(
        "answer.next_question", ("right_square_bracket",), "next", "Go to the next question.", 2
    ),
    Action(
        "answer.previous_question",
        ("left_square_bracket",),
        "previous",
        "Go to the question before.",
        3,
    ),
    Action("answer.next_open", ("u",), "next open", "Go to the next question without answer.", 4),
    Action(
        "answer.next_session",
        ("right_curly_bracket",),
        "next session",
        "Go to the next session.",
        9,
    ),
    Action(
        "answer.previous_session",
        ("left_curly_bracket",),
        "previous session",
        "Go to the session before.",
        10,
    ),
    Action("answer.next_round", ("full_stop",), "next round", "Go to the next round."),
    Action("answer.previous_round", ("comma",), "previous round", "Go to the round before."),
    Action("answer.sessions", ("s",), "sessions", "Choose a session to read.", 6),
    Action("answer.find", ("slash",), "search", "Find text in the dialogue.", 7),
    Action("answer.next_match", ("n",), "next match", "Go to the next match of the search."),
    Action("answer.previous_match", ("N",), "previous match", "Go to the match before."),
    Action("answer.unfold", ("w",), "open clues", "Open or fold all clues, in an oracle view.", 1),
    Action("answer.summary", ("p",), "progress", "Show how far it has come, and how fast.", 8),
    Action("answer.finish", ("F",), "finish", "End it, show results, hand the answers in.", 5),
    Action("answer.choose_view", ("V",), "view", "Choose another view.", 12),
    Action("answer.choose_history", ("h",), "history", "Choose whose questions are answered.", 13),
    Action("answer.participant", ("I",), "who", "Say who answers.", 14),
    Action("answer.variant", ("v",), "captions", "Show other captions, in a text view."),
    Action("answer.next_pane", ("tab",), "pane", "Go to the next pane.", 1),
    Action("answer.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."),
    Action("answer.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action("answer.smaller", ("minus",), "smaller", "Give the pane with the focus less room."),
    Action(
        "answer.first_sizes", ("equals_sign",), "first sizes", "Give all panes their first size."
    ),
    Action("answer.play", ("space",), "play", "Play or pause the sound under the cursor.", 15),
    Action("answer.forward", ("right",), "5 s on", "Go five seconds on in the sound."),
    Action("answer.backward", ("left",), "5 s back", "Go five seconds back in the sound."),
    Action("answer.restart", ("backspace",), "restart", "Play the sound from its start."),
    Action("answer.next_clip", ("m",), "next sound", "Turn to the next sound under the cursor."),
    Action("answer.zoom", ("z",), "zoom", "Show the pictures under the cursor large.", 16),
    # Review: the history with tags beneath
    *_as_in_history(),
    Action(
        "review.next_in_queue",
        ("right_square_bracket",),
        "next",
        "Go to the next session of the queue.",
        1,
    ),
    Action(
        "review.previous_in_queue",
        ("left_square_bracket",),
        "previous",
        "Go to the session before in the queue.",
        2,
    ),
    Action("review.none", ("0",), "none fits", "Say that no tag of the taxonomy fits.", 3),
    Action("review.note", ("c",), "note", "Write a note.", 4),
    Action("review.flag", ("f",), "flag", "Mark this to come back to, or take the mark away.", 5),
    Action("review.skip", ("s",), "skip", "Go on without saying anything.", 6),
    Action("review.undo", ("u",), "undo", "Take back the last thing done, however long ago.", 7),
    Action("review.redo", ("U",), "redo", "Do again what was taken back last.", 16),
    Action("review.queue", ("Q",), "queue", "Choose which sessions to work through.", 8),
    Action("review.taxonomy", ("T",), "taxonomy", "Choose another taxonomy.", 9),
    Action("review.others", ("x",), "others", "Show or hide what others say.", 10),
    Action("review.blind", ("b",), "blind", "Hide what others say, also when asked, or not.", 17),
    Action("review.advance", ("w",), "go on", "Go on by itself once all is chosen, or wait.", 18),
    Action("review.annotator", ("I",), "annotator", "Say who tags.", 19),
    # Tally
    Action("tally.rows", ("r",), "rows", "Choose what the pivot has as rows.", 2),
    Action("tally.across", ("c",), "columns", "Choose what the pivot has as columns.", 3),
    Action("tally.only", ("s",), "only", "Count only a run, an annotator, a task …, or all.", 4),
    Action("tally.taxonomy", ("T",), "taxonomy", "Count the tags of another taxonomy.", 5),
    Action("tagged.export", ("E",), "export", "Write the tags of the list to a file.", 1),
    Action("tally.export", ("E",), "export", "Write the tags to a file, or a summary of them.", 6),
    Action("tally.reread", ("v",), "read again", "Take in what others have tagged since.", 8),
    Action("tally.column_before", ("left",), "column before", "Go to the column to the left."),
    Action("tally.column_after", ("right",), "column after", "Go to the column to the right.", 7),
    Action("tally.next_pane", ("tab",), "pane", "Go to the next pane.", 1),
    Action("tally.previous_pane", ("shift+tab",), "previous pane", "Go to the pane before."),
    Action("tally.larger", ("plus",), "larger", "Give the pane with the focus more room."),
    Action("tally.smaller", ("minus",), "smaller", "Give the pane with the focus less room."),
    Action(
        "tally.first_sizes", ("equals_sign",), "first sizes", "Give all panes their first size."
    ),
    # Large picture
    Action("zoom.close", ("escape", "z", "q"), "close", "Go back to the page."),
    Action("zoom.outside", ("o",), "open outside", "Open the picture's file elsewhere."),
    Action("zoom.previous", ("left_square_bracket",), "previous", "Show the picture before."),
    Action("zoom.next", ("right_square_bracket",), "next", "Show the next picture."),
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

_BY_ID = {action.id: action for action in ACTIONS}
_SIGNS = {
    "question_mark": "?",
    "slash": "/",
    "full_stop": ".",
    "comma": ",",
    "right_curly_bracket": "}",
    "left_curly_bracket": "{",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "delete": "del",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "backspace": "⌫",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "number_sign": "#",
    "greater_than_sign": ">",
    "less_than_sign": "<",
}


def actions_of(scope: str) -> Iterator[Action]:
    """The actions of a scope, in the registry's order."""
    return (action for action in ACTIONS if action.scope == scope)


def action_by_id(action_id: str) -> Action:
    """The action with an id.

    Raises:
        KeyError: There is none.
    """
    return _BY_ID[action_id]


def bindings_of(scope: str) -> "list[Binding]":
    """The bindings of a scope; every one can be remapped by its action's id."""
    # The configuration is checked against the registry, and that needs no Textual.
    from textual.binding import Binding

    return [
        Binding(
            ",".join(action.keys),
            action.method,
            action.label,
            show=False,
            id=action.id,
            priority=action.priority,
        )
        for action in actions_of(scope)
    ]


def key_label(keys: Sequence[str]) -> str:
    """Keys as a person reads them."""
    return " ".join(_SIGNS.get(key, key) for key in keys)
