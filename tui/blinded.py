"""What an annotator who is to be blind may see of a question, a run and an answer."""

from dataclasses import replace

from mnemoscope.core.model import Gold, Question, Value
from mnemoscope.core.scoring.judging import Judgement
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["blinded_entry", "blinded_question", "blinded_run"]


def blinded_question(question: Question) -> Question:
    """The question without its gold, its clues, and labels that give either away."""
    bare = replace(question, gold=Gold.none(), clues=(), answerable=True)
    return replace(bare, setting="", form="", category="", labels={})


def blinded_run(run: JoinedRun) -> JoinedRun:
    """The run under a name that does not give the system away."""
    return replace(run, name="a system")


def blinded_entry(entry: Entry) -> Entry:
    """The entry without what anybody says of its answer."""
    judgement = Judgement(entry.judgement.status, entry.judgement.parsed, Value.NOT_JUDGED)
    return replace(
        entry, record=replace(entry.record, verdicts=(), metrics=()), judgement=judgement
    )
