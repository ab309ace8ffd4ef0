"""Which sessions an annotator can work through."""

from collections.abc import Iterator, Sequence
from random import Random

from mnemoscope.core.model import Release
from mnemoscope.core.tags.book import Marks
from mnemoscope.tui.desk import Desk
from mnemoscope.tui.tagging import SessionItem, Tagging

__all__ = ["every_session", "session_queues"]

SAMPLE = 50
SEED = 42

Sessions = Sequence[tuple[str, str]]


def every_session(release: Release) -> Sessions:
    """History and id of every session that has rounds, in the release's order."""
    return tuple(
        (history.id, session.id)
        for history in release.histories.values()
        for session in history.sessions
        if session.rounds
    )


def session_queues(
    desk: Desk, tagging: Tagging, adjudicator: str = ""
) -> list[tuple[str, Sessions]]:
    """Every queue of sessions there is now, by its title."""
    return list(_queues(desk, tagging, adjudicator))


def _queues(desk: Desk, tagging: Tagging, adjudicator: str) -> Iterator[tuple[str, Sessions]]:
    every = every_session(desk.workspace.release)
    here = desk.history_id
    yield "all sessions", every
    yield f"the sessions of {here}", tuple(one for one in every if one[0] == here)
    left = tuple(one for one in every if not tagging.is_done(SessionItem(*one)))
    yield "sessions that you have not reviewed", left
    if len(every) > SAMPLE:
        drawn = set(Random(SEED).sample(every, SAMPLE))
        yield f"{SAMPLE} sessions, drawn with seed {SEED}", _in_order(every, drawn)
    mine = {one: tagging.marks(SessionItem(*one)) for one in every}
    yield "what you flagged", _in_order(every, _chosen(mine, flagged=True))
    yield "what you skipped", _in_order(every, _chosen(mine, flagged=False))
    for other in tagging.tags.tags.books:
        if other != tagging.annotator:
            found = {
                (one.target.history, one.target.session)
                for one in tagging.tags.statements(other)
                if one.target.session and one.marks.reviewed(tagging.taxonomy.name)
            }
            yield f"second pass: what {other} reviewed", _in_order(every, found)
    yield "to adjudicate: annotators differ", _in_order(every, _differing(tagging, adjudicator))


def _in_order(every: Sessions, found: set[tuple[str, str]]) -> Sessions:
    return tuple(one for one in every if one in found)


def _chosen(marks: dict[tuple[str, str], Marks], *, flagged: bool) -> set[tuple[str, str]]:
    return {one for one, of in marks.items() if (of.flagged if flagged else of.skipped)}


def _differing(tagging: Tagging, adjudicator: str) -> set[tuple[str, str]]:
    from mnemoscope.analyses.tag_agreement import disagreements

    everybody = tuple(tagging.tags.tags.books)
    found = disagreements(tagging.tags, tagging.taxonomy, everybody, adjudicator)
    return {(target.history, target.session) for target in found}
