"""Publication: from scenarios that are told and asked about to a release."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from mnemoscope.core.harness.dialogue.turn import Turn
from mnemoscope.core.harness.drawing.colours import with_few_colours
from mnemoscope.core.harness.drawing.draw import drawn
from mnemoscope.core.harness.oracle_text import oracle_text
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    EvaluatorData,
    History,
    Kind,
    Message,
    Question,
    Release,
    Role,
    Round,
    RoundKind,
    Session,
    TaskLabel,
)
from mnemoscope.core.writing import cannot_write

__all__ = ["ORACLE", "Told", "draw_pictures", "history_of", "release_of"]

ORACLE = "oracle"
"""The caption variant that tells all that an image shows. Captions reach a system only where a run
names their variant, and the release names none as usual."""
SPEAKERS: Mapping[Role, str] = {Role.USER: "User", Role.ASSISTANT: "Assistant"}


@dataclass(frozen=True)
class Told:
    """A scenario with all that is published of it."""

    scenario: Scenario
    turns: Sequence[Turn]
    files: Mapping[str, Path]
    """The drawn image of each picture."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """How it was made, as JSON. Evaluator-only."""
    questions: Sequence[Question] = ()
    asked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By key of the question, what only the evaluator may know of it."""

    @property
    def id(self) -> str:
        """The id of its history."""
        return self.scenario.truth.history_id


def draw_pictures(scenario: Scenario, folder: Path, *, small: bool = False) -> dict[str, Path]:
    """Draw every picture of a scenario into a folder; their files by id.

    Args:
        scenario: The scenario.
        folder: Is made.
        small: Whether they have few colours, and a third of the size.

    Raises:
        ValueError: A text has characters that the typeface lacks.
        InputError: A picture cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for key, picture in scenario.pictures.items():
        artifact = scenario.pack.artifact_by_key.get(picture.artifact)
        found[key] = folder / f"{key}.png"
        png = drawn(scenario.pack, artifact, scenario.exhibit(key)).png
        try:
            found[key].write_bytes(with_few_colours(png) if small else png)
        except OSError as error:
            raise cannot_write(found[key], error) from error
    return found


def history_of(told: Told) -> History:
    """The visible conversation: a session a day, a round a turn."""
    scenario = told.scenario
    dates = {key: one.date for one in scenario.blocks for key in (one.round, one.reply)}
    sessions = []
    count = 0
    for nth, (date, turns) in enumerate(groupby(told.turns, lambda one: dates[one.round])):
        place = f"$.sessions[{nth}]"
        rounds = []
        for at, turn in enumerate(turns):
            session = scenario.session_by_round[turn.round]
            where = f"{place}.rounds[{at}]"
            rounds.append(Round(turn.round, session, count, (_message(told, turn),), where))
            count += 1
        moment = datetime.fromisoformat(date)
        sessions.append(Session(rounds[0].session_id, moment, date, tuple(rounds), place))
    return History(told.id, scenario.pack.title, tuple(sessions), "")


def _message(told: Told, turn: Turn) -> Message:
    shown = (_attachment(told, turn.picture),) if turn.picture else ()
    return Message(SPEAKERS[turn.role], turn.role, turn.text, shown)


def _attachment(told: Told, key: str) -> Attachment:
    captions = {ORACLE: oracle_text(told.scenario.exhibit(key))}
    file = str(told.files[key])
    return Attachment(Kind.IMAGE, key, "", captions, AttachmentState.PRESENT, file)


def release_of(
    name: str, licence: str, told: Iterable[Told], tasks: Sequence[TaskLabel], root: Path
) -> Release:
    """The release of some scenarios.

    Args:
        name: Its name.
        licence: Under which terms it is published.
        told: Its scenarios.
        tasks: The label table of its questions.
        root: The folder that holds the drawn images.
    """
    every = list(told)
    return Release(
        name=name,
        format="native",
        root=root,
        files=(),
        round_kind=RoundKind.UTTERANCE,
        histories={one.id: history_of(one) for one in every},
        questions={question.key: question for one in every for question in one.questions},
        tasks=tuple(tasks),
        image_variants=(ORACLE,),
        evaluator=EvaluatorData(
            histories={one.id: {"generation": one.made} for one in every},
            questions={key: asked for one in every for key, asked in one.asked.items()},
            truths={one.id: one.scenario.truth for one in every},
        ),
        licence=licence,
    )
