"""A question, its gold and its clues as JSON."""

from mnemoscope.core.clue_text import clue_session, clue_text
from mnemoscope.core.model import (
    Attachment,
    Clue,
    ClueProblem,
    ClueTarget,
    Kind,
    Option,
    Question,
    Release,
    Textualisation,
)
from mnemoscope.tui.verbs.tables import Json

__all__ = ["attachment_info", "clues_info", "gold_info", "question_info"]


_KINDS = {ClueTarget.IMAGE: Kind.IMAGE, ClueTarget.AUDIO: Kind.AUDIO}


def question_info(release: Release, question: Question, shown: Textualisation) -> Json:
    """A question without its gold."""
    history = release.histories.get(question.history_id)
    return {
        "key": question.key,
        "id": question.id,
        "history": question.history_id,
        "history_name": history.name if history else "",
        "task": question.task,
        "setting": question.setting,
        "form": question.form,
        "category": question.category,
        "labels": dict(question.labels),
        "text": question.text,
        "stem": question.stem,
        "options": [_option(option, shown) for option in question.options],
        "attachments": [attachment_info(one, shown) for one in question.attachments],
        "asked_at": question.asked_at.isoformat() if question.asked_at else None,
        "visible_until": question.visible_until,
        "answerable": question.answerable,
        "path": question.place,
    }


def _option(option: Option, shown: Textualisation) -> Json:
    return {
        "label": option.label,
        "text": option.text,
        "caption": option.describe(shown.image) if option.attachment else None,
        "attachment": attachment_info(option.attachment, shown) if option.attachment else None,
    }


def attachment_info(one: Attachment, shown: Textualisation) -> Json:
    """An attachment with the caption that is shown."""
    return {
        "kind": one.kind.value,
        "id": one.id,
        "written": one.written,
        "state": one.state.value,
        "note": one.note,
        "caption": one.caption(shown.of(one.kind)),
    }


def gold_info(question: Question) -> Json:
    """The right answer; ``text`` says it whatever its kind is."""
    gold = question.gold
    return {
        "kind": gold.kind.value,
        "option": gold.option,
        "texts": list(gold.texts),
        "value": gold.value,
        "text": str(gold),
    }


def clues_info(release: Release, question: Question, shown: Textualisation) -> list[Json]:
    """Clues with the text that stands for each."""
    return [_clue(release, question, clue, shown) for clue in question.clues]


def _clue(release: Release, question: Question, clue: Clue, shown: Textualisation) -> Json:
    history = release.histories.get(question.history_id)
    session = clue_session(release, question, clue)
    attachment = None
    kind = _KINDS.get(clue.target)
    if history is not None and kind is not None:
        attachment = history.attachment(kind, clue.id)
    resolved = clue.problem is ClueProblem.NONE
    return {
        "as_written": clue.written,
        "target": clue.target.value,
        "id": clue.id,
        "state": "resolved" if resolved else clue.problem.value,
        "text": clue_text(release, question, clue, shown),
        "round": clue.round_id,
        "session": clue.session_id,
        "date": session.date_text if session else "",
        "after_question": session is not None and question.before(session),
        "file_state": attachment.state.value if attachment else None,
        "path": clue.place,
    }
