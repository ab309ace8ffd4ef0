"""What the panes of the tally mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import DETAIL, PaneHelp

__all__ = ["TALLY_HELP"]

TALLY_HELP: Mapping[str, PaneHelp] = {
    "tags": PaneHelp(
        "How often each tag of the taxonomy stands; opening one lists what carries it. "
        "{tally.taxonomy} turns to another taxonomy, {tally.only} counts a part.",
        figures={
            "reviewed": "answers, questions or sessions that carry a tag of the taxonomy, or were "
            "said to fit none (n)",
            "since a new tag": "targets tagged since a tag came up for the first time: after about "
            "twenty, more reading seldom finds another",
        },
        cannot="How often a failure happens in all answers, unless those tagged were drawn by "
        "chance: a queue of chosen failures is no sample.",
    ),
    "pivot": PaneHelp(
        "Targets by two of stage, tag, task, setting, category, history, run and annotator; "
        "{tally.rows} and {tally.across} choose. The sign after a count is the higher the larger "
        "it is against the largest. Opening a cell lists what is behind it.",
        figures={"all": "targets of the row: one in several columns counts once"},
        cannot="Shares of all answers: a count says how many were tagged so, not how many could "
        "have been.",
    ),
    "groups": PaneHelp(
        "Saved filters, with what is right and wrong in each beside what is tagged in it; of a "
        "review also what it came to. Opening a filter lists its questions, opening a decision "
        "what it is about. {questions.save_filter} on the questions list saves a filter.",
        marks=("right", "wrong", "error", "unparsed"),
        figures={
            "accepted": "samples of which all annotators accept every dimension",
            "to adjudicate": "samples on which they differ; the adjudicator's choice decides",
            "waiting": "samples that not all of them have judged in every dimension",
            "kappa": "Fleiss' kappa of each dimension, before adjudication (n is its samples)",
        },
        cannot="That a group causes its failures: its passes stand beside them for that reason.",
    ),
    "detail": DETAIL,
}
