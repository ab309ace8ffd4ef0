"""A release: a benchmark as published."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemoscope.core.defects import Defect
from mnemoscope.core.model.history import History, RoundKind
from mnemoscope.core.model.media import Kind, Textualisation
from mnemoscope.core.model.question import Question
from mnemoscope.core.model.values import value

if TYPE_CHECKING:
    from mnemoscope.core.truth.truth import Truth

__all__ = ["EvaluatorData", "Release", "TaskLabel"]


@value
class TaskLabel:
    """A row of a reader's label table."""

    task: str
    """The slug."""
    title: str
    """The name for people."""
    number: str = ""
    """The release's own number or category for it, where it has one."""
    expected: int | None = None
    """How many questions the whole published release has."""
    in_average: bool = False
    """Whether the benchmark's own average over tasks counts it."""


@value
class EvaluatorData:
    """What only the evaluator may see: never handed to a system, never shown before asked for.

    The values are JSON as the release writes it.
    """

    histories: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By history id: profiles, summaries, observations."""
    sessions: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    """By (history id, session id): scene text, preferences, event summaries."""
    rounds: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    """By (history id, round id): construction traces such as image search words."""
    questions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By question key: rationales, lures, prompts of option images."""
    truths: Mapping[str, "Truth"] = field(default_factory=dict)
    """By history id: the state trajectory that it was generated from."""


@dataclass(frozen=True)
class Release:
    """Histories and questions of one benchmark, with what is wrong in them."""

    name: str
    format: str
    """The reader's name, such as ``cue-mem``."""
    root: Path
    """The folder that relative files and media are below."""
    files: tuple[str, ...]
    """Every file that was read, relative to the root."""
    round_kind: RoundKind
    histories: Mapping[str, History]
    """By history id, in the release's order."""
    questions: Mapping[str, Question]
    """By key, in the release's order."""
    tasks: tuple[TaskLabel, ...]
    settings: tuple[str, ...] = ()
    """Evidence settings in display order; empty when the release has none."""
    image_variants: tuple[str, ...] = ()
    """Caption variants of images, poorest first."""
    audio_variants: tuple[str, ...] = ()
    """Caption variants of audio, poorest first."""
    textualisation: Textualisation = field(default_factory=Textualisation)
    """The variants that the release itself treats as usual."""
    media_roots: tuple[Path, ...] = ()
    """Folders that media may be read from: the root, and those the user named."""
    evaluator: EvaluatorData = field(default_factory=EvaluatorData)
    defects: tuple[Defect, ...] = ()
    licence: str = ""

    @cached_property
    def questions_by_history(self) -> Mapping[str, tuple[Question, ...]]:
        """Questions of each history, in order."""
        lists: dict[str, list[Question]] = {history_id: [] for history_id in self.histories}
        for question in self.questions.values():
            lists[question.history_id].append(question)
        return {history_id: tuple(questions) for history_id, questions in lists.items()}

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many histories, sessions, rounds, questions, images and audio clips it holds."""
        counts = dict.fromkeys(("sessions", "rounds", "images", "audio"), 0)
        for history in self.histories.values():
            counts["sessions"] += len(history.sessions)
            counts["rounds"] += len(history.rounds)
            for one in history.rounds:
                for attachment in one.attachments:
                    counts["images" if attachment.kind is Kind.IMAGE else "audio"] += 1
        return {
            "histories": len(self.histories),
            "sessions": counts["sessions"],
            "rounds": counts["rounds"],
            "questions": len(self.questions),
            "images": counts["images"],
            "audio": counts["audio"],
        }

    def variants(self, kind: Kind) -> tuple[str, ...]:
        """Caption variants of a kind of attachment, poorest first."""
        return self.image_variants if kind is Kind.IMAGE else self.audio_variants

    def task_label(self, task: str) -> TaskLabel:
        """The label table's row of a task; a plain one for a task it does not know."""
        return next((label for label in self.tasks if label.task == task), TaskLabel(task, task))
