"""A history, a session or a round as JSON: what is said, who asks about it, who retrieved it."""

from collections.abc import Mapping, Sequence

from mnemoscope.core.citations import (
    retrieved_rounds,
    round_citations,
    sends_whole_history,
    session_citations,
)
from mnemoscope.core.model import History, Message, Round, Session, Textualisation
from mnemoscope.core.outcomes import outcome
from mnemoscope.core.places import Place
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.verbs.show_question import attachment_info
from mnemoscope.tui.verbs.tables import Json

__all__ = ["dialogue_info"]


def dialogue_info(
    workspace: Workspace, place: Place, shown: Textualisation, *, evaluator: bool = False
) -> Json:
    """The dialogue of a place that is no question.

    Args:
        workspace: What is open.
        place: A history, a session of it, or a round of it.
        shown: The captions that stand for images and audio.
        evaluator: Whether what only an evaluator may see is told too.
    """
    return _Dialogue(workspace, place, shown, evaluator).info()


class _Dialogue:
    """What is looked up once for all rounds of a place."""

    def __init__(
        self, workspace: Workspace, place: Place, shown: Textualisation, evaluator: bool
    ) -> None:
        release = workspace.release
        self._workspace = workspace
        self._place = place
        self._shown = shown
        self._evaluator = evaluator
        self._history: History = release.histories[place.history_id]
        self._cited = round_citations(release)
        self._cited_sessions = session_citations(release)
        self._retrieved = [(run, retrieved_rounds(run)) for run in workspace.runs]

    def info(self) -> Json:
        history, place, release = self._history, self._place, self._workspace.release
        data: Json = {
            "place": {
                "history": history.id,
                "session": place.session_id or None,
                "round": place.round_id or None,
            },
            "textualisation": {"image": self._shown.image, "audio": self._shown.audio},
            "history": {
                "id": history.id,
                "name": history.name,
                "sessions": len(history.sessions),
                "rounds": len(history.rounds),
                "questions": len(release.questions_by_history[history.id]),
                "file": history.file,
                "path": history.place,
            },
            "runs": [
                {
                    "letter": run.letter,
                    "name": run.name,
                    "rule": run.rule,
                    "sends_whole_history": sends_whole_history(run),
                }
                for run in self._workspace.runs
            ],
            "sessions": [self._session(one) for one in self._sessions()],
        }
        if self._evaluator:
            data["evaluator"] = release.evaluator.histories.get(history.id, {})
        return data

    def _sessions(self) -> Sequence[Session]:
        if not self._place.session_id:
            return self._history.sessions
        return (self._history.session_by_id[self._place.session_id],)

    def _session(self, session: Session) -> Json:
        release, history = self._workspace.release, self._history
        asked = release.questions_by_history[history.id]
        rounds = session.rounds
        if self._place.round_id:
            rounds = (history.round_by_id[self._place.round_id],)
        data: Json = {
            "id": session.id,
            "group": session.group,
            "date": session.date_text,
            "length": len(session.rounds),
            "after_questions": sum(one.before(session) for one in asked),
            "questions": self._questions(self._cited_sessions, session.id),
            "rounds": [self._round(one) for one in rounds],
            "file": session.file or history.file,
            "path": session.place,
        }
        if self._evaluator:
            data["evaluator"] = release.evaluator.sessions.get((history.id, session.id), {})
        return data

    def _round(self, one: Round) -> Json:
        data: Json = {
            "id": one.id,
            "messages": [self._message(message) for message in one.messages],
            "questions": self._questions(self._cited, one.id),
            "retrieved": [
                {"letter": run.letter, "name": run.name, "stored": bool(table)}
                | _times(table.get((self._history.id, one.id)), stored=bool(table))
                for run, table in self._retrieved
            ],
            "path": one.place,
        }
        if self._evaluator:
            known = self._workspace.release.evaluator.rounds
            data["evaluator"] = known.get((self._history.id, one.id), {})
        return data

    def _message(self, message: Message) -> Json:
        return {
            "speaker": message.speaker,
            "role": message.role.value,
            "time": message.time.isoformat() if message.time else None,
            "text": message.text,
            "spoken": message.spoken.get(self._shown.audio),
            "attachments": [
                attachment_info(one, self._shown) | {"captions": dict(one.captions)}
                for one in message.attachments
            ],
        }

    def _questions(
        self, citations: Mapping[tuple[str, str], Sequence[str]], name: str
    ) -> list[Json]:
        questions = self._workspace.release.questions
        return [
            {
                "key": key,
                "stem": questions[key].stem,
                "outcomes": {run.letter: outcome(run.entry(key)) for run in self._workspace.runs},
            }
            for key in citations.get((self._history.id, name), ())
        ]


def _times(found: tuple[int, int] | None, *, stored: bool) -> Json:
    """For how many questions a run retrieved a round, and the best rank; null is not known."""
    count, rank = found or (0, None)
    return {"questions": count if stored else None, "best_rank": rank}
