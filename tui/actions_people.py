"""Actions of the screens on which people say something: tagging, answering, reviewing, counting."""

from collections.abc import Iterator
from dataclasses import replace

from mnemoscope.tui.action import Action
from mnemoscope.tui.actions_release import HISTORY

__all__ = ["PEOPLE"]


def _as_in_history() -> Iterator[Action]:
    """The actions of the history under another scope; its footer belongs to other ones."""
    for action in HISTORY:
        place = 15 if action.name == "next_pane" else 0
        yield replace(action, id=f"review.{action.name}", footer=place)


PEOPLE: tuple[Action, ...] = (
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
)
"""What people can say of answers, questions and sessions."""
