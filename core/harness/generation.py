"""Generation: the six stages of DSV-Mem (appendix B.2), from a specification to a release.

Stage-specific checks govern progression: what fails one is an error that says which, and nothing is
written.
"""

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import mnemoscope
from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.harness.beginning import first_state
from mnemoscope.core.harness.dialogue.conformity import dialogue_findings
from mnemoscope.core.harness.dialogue.realisation import realise
from mnemoscope.core.harness.dialogue.turn import Turn
from mnemoscope.core.harness.dialogue.voice import FORMS, Voice, said_by
from mnemoscope.core.harness.drawing.draw import drawn
from mnemoscope.core.harness.exhibit import Edition
from mnemoscope.core.harness.exhibition import exhibit_of
from mnemoscope.core.harness.expert import Expert
from mnemoscope.core.harness.figures import Figures, figures_of
from mnemoscope.core.harness.oracle_text import oracle_text, read_oracle_text
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.proposing import Refusal
from mnemoscope.core.harness.publication import Told, draw_pictures, history_of, release_of
from mnemoscope.core.harness.questions.category import counts_for
from mnemoscope.core.harness.questions.mining import mine
from mnemoscope.core.harness.questions.release import TASKS, evaluator_data, model_questions
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.harness.spec import ScenarioSpec, Spec
from mnemoscope.core.harness.task import Proposer
from mnemoscope.core.harness.trajectory import TRIES, generate_trajectory
from mnemoscope.core.model import Role
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.state import Upload
from mnemoscope.core.truth.audit import audit, audit_release
from mnemoscope.core.writing import json_bytes

__all__ = ["Generated", "GenerationError", "ProposedBy", "Stage", "generate"]


class Stage(StrEnum):
    """The stages, as the paper names them."""

    SPECIFICATION = "scenario specification"
    RENDERING = "artifact rendering"
    TRAJECTORY = "state trajectory"
    VALIDATION = "truth-graph validation"
    DIALOGUE = "dialogue realization"
    QUESTIONS = "QA mining and verification"


class GenerationError(MnemoscopeError):
    """A stage's check has failed.

    Attributes:
        defects: What the check found.
    """

    def __init__(self, message: str, defects: Sequence[Defect] = ()) -> None:
        super().__init__(message)
        self.defects = tuple(defects)


@dataclass(frozen=True)
class ProposedBy:
    """Who proposes updates."""

    name: str
    """``expert`` or ``agent``."""
    opened: Callable[[Pack, int], AbstractContextManager[Proposer]]
    """Opens the proposer of a pack and seed."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What else a release should say of it, such as the model, as JSON."""
    tries: int = TRIES
    """How often it may revise a proposal."""


EXPERT = ProposedBy("expert", lambda pack, seed: nullcontext(Expert(pack, seed)))
"""The seeded expert."""


@dataclass(frozen=True)
class Generated:
    """What came of a specification."""

    out: Path
    name: str
    figures: tuple[Figures, ...]
    refused: Mapping[str, Counter[Operator]]
    """By history: how many proposals of each operator were not valid."""
    given_up: Mapping[str, tuple[Refusal, ...]]
    """By history: the operators that were given up for a turn."""
    missing: Mapping[str, int]
    """By history: how many questions were not found."""
    in_own_words: Mapping[str, int]
    """By history: how many turns are in a model's words."""
    defects: tuple[Defect, ...]
    """What reading the release again found, and auditing it."""


def generate(
    spec: Spec,
    packs: Mapping[str, Pack],
    out: Path,
    *,
    by: ProposedBy = EXPERT,
    voice: Voice = FORMS,
    small: bool = False,
    progress: Callable[[str], None] = lambda text: None,
) -> Generated:
    """Generate a release; the same bytes for the same specification by the expert.

    Args:
        spec: What it is to be.
        packs: The packs, as the specification names them.
        out: A new or empty folder.
        by: Who proposes updates.
        voice: In whose words the two speak.
        small: Whether pictures have few colours, and a third of the size.
        progress: Is told of every stage.

    Raises:
        GenerationError: The audit of a trajectory, of an artifact or of a dialogue has failed.
        MnemoscopeError: A stage cannot be done, or the folder cannot be written.
    """
    made: list[_Made] = []
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for at, one in enumerate(spec.scenarios, 1):
            label = f"{packs[one.pack].name}-{one.seed} ({at}/{len(spec.scenarios)})"
            folder = root / str(at)
            making = _Making(packs[one.pack], one, by, voice, folder, small, label, progress)
            made.append(making.made())
        told = [one.told for one in made]
        progress(f"writing {out.name}")
        write_release(release_of(spec.name, spec.licence, told, TASKS, root), out)
    progress(f"reading {out.name} again")
    release = open_release(out)
    defects = (*release.defects, *audit_release(release))
    return Generated(
        out,
        spec.name,
        tuple(one.figures for one in made),
        {one.told.id: one.refused for one in made},
        {one.told.id: one.given_up for one in made},
        {one.told.id: one.missing for one in made if one.missing},
        {one.told.id: one.in_own_words for one in made},
        defects,
    )


@dataclass(frozen=True)
class _Made:
    told: Told
    figures: Figures
    refused: Counter[Operator]
    given_up: tuple[Refusal, ...]
    missing: int
    in_own_words: int


@dataclass(frozen=True)
class _Making:
    """One scenario, stage by stage."""

    pack: Pack
    spec: ScenarioSpec
    by: ProposedBy
    voice: Voice
    folder: Path
    small: bool
    label: str
    progress: Callable[[str], None]

    def made(self) -> _Made:
        refused: list[Refusal] = []
        self._says(Stage.SPECIFICATION)
        counts = self.spec.counts
        self._says(Stage.RENDERING)
        require_drawable(self.pack, self.spec.seed)
        self._says(Stage.TRAJECTORY)
        with self.by.opened(self.pack, self.spec.seed) as proposer:
            scenario = generate_trajectory(
                self.pack,
                self.spec.seed,
                proposer,
                counts,
                turns=self.spec.turns,
                tries=self.by.tries,
                refused=refused.append,
            )
        files = draw_pictures(scenario, self.folder, small=self.small)
        self._says(Stage.VALIDATION)
        require_sound(scenario)
        self._says(Stage.DIALOGUE)
        said = self.voice.speak(realise(scenario), scenario)
        turns = [one.turn for one in said]
        require_told(scenario, turns)
        self._says(Stage.QUESTIONS)
        mined = mine(scenario, counts_for(self.spec.questions))
        history = scenario.truth.history_id
        told = Told(
            scenario,
            turns,
            files,
            {**self._provenance(), "dialogue": said_by(self.voice, said)},
            model_questions(history, mined, scenario),
            evaluator_data(history, mined, scenario),
        )
        return _Made(
            told,
            figures_of(scenario, turns, mined),
            Counter(one.operator for one in refused if not one.final),
            tuple(one for one in refused if one.final),
            self.spec.questions - len(mined),
            sum(bool(one.model) for one in said),
        )

    def _says(self, stage: Stage) -> None:
        self.progress(f"{self.label}: {stage}")

    def _provenance(self) -> dict[str, Any]:
        """How a scenario was made: enough to make it again."""
        return {
            "tool": f"mnemoscope {mnemoscope.__version__}",
            "pack": self.pack.name,
            "pack_sha256": hashlib.sha256(json_bytes(self.pack.as_json())).hexdigest(),
            "seed": self.spec.seed,
            "turns": self.spec.turns,
            "visuals": self.spec.visuals,
            "questions": self.spec.questions,
            "inventory": {one.value: count for one, count in self.spec.counts.items()},
            "proposer": {"name": self.by.name, "tries": self.by.tries, **self.by.about},
        }


def require_drawable(pack: Pack, seed: int) -> None:
    """Check that every artifact of a pack can be drawn, and that its oracle text tells all of it.

    Raises:
        GenerationError: One of them cannot, or reads back as something else.
    """
    state = first_state(pack, seed, Upload("T001", "V01"))
    edition = Edition(1, "2026-01-01")
    for artifact in pack.artifacts:
        exhibit = exhibit_of(pack, artifact, state.visual, state.context, edition)
        try:
            drawn(pack, artifact, exhibit)
        except ValueError as error:
            raise GenerationError(f"{pack.name}: {artifact.key} cannot be drawn: {error}") from None
        if read_oracle_text(oracle_text(exhibit)) != exhibit.as_seen:
            raise GenerationError(f"{pack.name}: the text of {artifact.key} says something else")


def require_sound(scenario: Scenario) -> None:
    """Check the whole trajectory: the paper's truth-graph validation.

    Raises:
        GenerationError: The audit names a defect.
    """
    log = DefectLog()
    audit(scenario.truth, history_of(_silent(scenario)), log)
    if log.items:
        first = log.items[0]
        raise GenerationError(
            f"the audit of {scenario.truth.history_id}: {first.line()}", log.items
        )


def require_told(scenario: Scenario, turns: Sequence[Turn]) -> None:
    """Check what is said: that it is all there, and that nothing leaks.

    Raises:
        GenerationError: A turn says too much, too little, or what was said before.
    """
    found = dialogue_findings(turns, scenario)
    if found:
        history = scenario.truth.history_id
        raise GenerationError(f"the dialogue of {history}: {found[0]}, and {len(found) - 1} more")


def _silent(scenario: Scenario) -> Told:
    """The rounds and pictures of a scenario before a word is said."""
    turns = [
        Turn(key, role, "", picture)
        for one in scenario.blocks
        for key, role, picture in (
            (one.round, Role.USER, one.picture),
            (one.reply, Role.ASSISTANT, ""),
        )
    ]
    return Told(scenario, turns, dict.fromkeys(scenario.pictures, Path()))
