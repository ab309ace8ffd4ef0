"""Scenarios with their questions, for tests: made once."""

from functools import cache
from pathlib import Path

from mnemoscope.core.harness.oracle_text import oracle_text
from mnemoscope.core.harness.questions.category import COUNTS, counts_for
from mnemoscope.core.harness.questions.desk import Desk
from mnemoscope.core.harness.questions.mined import MinedQuestion
from mnemoscope.core.harness.questions.mining import mine
from mnemoscope.core.harness.questions.release import TASKS, evaluator_data, model_questions
from mnemoscope.core.harness.scenario import Block, Scenario
from mnemoscope.core.harness.trajectory import expert_scenario
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    EvaluatorData,
    History,
    Kind,
    Message,
    Release,
    Role,
    Round,
    RoundKind,
    Session,
)
from tests.pack_data import PACKS

FULL = [(name, 1) for name in PACKS]
SMALL = [(name, seed) for name in PACKS for seed in (2, 3)]


@cache
def scenario(name: str, seed: int) -> Scenario:
    return expert_scenario(PACKS[name], seed)


@cache
def desk(name: str, seed: int) -> Desk:
    return Desk(scenario(name, seed))


@cache
def release(name: str, seed: int) -> Release:
    """A release of one history that says nothing: what messages mean is in its truth."""
    known, mined = scenario(name, seed), questions(name, seed)
    history_id = known.truth.history_id
    rounds = [
        Round(block.round, "S1", at, (Message("User", Role.USER, None, _shown(known, block)),), "")
        for at, block in enumerate(known.blocks)
    ]
    history = History(history_id, "", (Session("S1", None, "", tuple(rounds), ""),), "")
    asked = model_questions(history_id, mined, known)
    return Release(
        name=f"{name} {seed}",
        format="native",
        root=Path(),
        files=(),
        round_kind=RoundKind.UTTERANCE,
        histories={history_id: history},
        questions={one.key: one for one in asked},
        tasks=TASKS,
        image_variants=("oracle",),
        evaluator=EvaluatorData(
            questions=evaluator_data(history_id, mined, known), truths={history_id: known.truth}
        ),
    )


def _shown(known: Scenario, block: Block) -> tuple[Attachment, ...]:
    if not block.picture:
        return ()
    captions = {"oracle": oracle_text(known.exhibit(block.picture))}
    return (Attachment(Kind.IMAGE, block.picture, "", captions, AttachmentState.MISSING),)


@cache
def questions(name: str, seed: int) -> tuple[MinedQuestion, ...]:
    """All hundred of a full scenario, fewer of the others."""
    counts = COUNTS if (name, seed) in FULL else counts_for(16)
    return mine(scenario(name, seed), counts)
