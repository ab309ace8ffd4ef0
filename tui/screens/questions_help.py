"""What the panes of the questions screen mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import OUTCOMES, PaneHelp

__all__ = ["QUESTIONS_HELP"]

QUESTIONS_HELP: Mapping[str, PaneHelp] = {
    "questions": PaneHelp(
        "The questions that pass the filter, in columns of your choice. {questions.filter} types a "
        "filter, {questions.fields} lists what it understands, {questions.columns} chooses them.",
        marks=OUTCOMES,
        figures={
            "n of m": "questions that pass the filter, of all in the release",
            "✓ ✗": "of those that pass: records of the run that are right and wrong; errors and "
            "answers nobody judged are counted beside them, never among the wrong",
            "2/5 @10": "gold evidence that the run used, of all the question has, and @k the "
            "depth; a dash where nothing can be measured",
        },
        cannot="A run with repeats is shown by its first repeat. Columns that do not fit the width "
        "are left out, and the first line says how many.",
    ),
    "detail": PaneHelp(
        "The key and the whole text of the question under the cursor, and where the search is "
        "matched when that is not in the row.",
    ),
}
