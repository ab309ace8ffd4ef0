"""From a history to what a backbone is asked: memories are built, frozen and asked."""

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from mnemoscope.core.backbones.backbone import Ask
from mnemoscope.core.evaluate.evaluation import Evaluation, Row
from mnemoscope.core.memory.building import build
from mnemoscope.core.memory.frozen import FrozenMemory
from mnemoscope.core.memory.query import evidence_of, query_of, question_files
from mnemoscope.core.memory.registry import make_system
from mnemoscope.core.memory.retrieval import retrieval_of
from mnemoscope.core.memory.snapshots import SnapshotStore
from mnemoscope.core.memory.system import MemorySystem, SystemContext
from mnemoscope.core.memory.view import HandedHistory, hand_over
from mnemoscope.core.model import Question, Retrieval
from mnemoscope.core.runs.native.states import write_states

__all__ = ["Asked", "Job", "Recaller", "StoppedError"]


class StoppedError(Exception):
    """Somebody wants the building of memories to stop."""


@dataclass(frozen=True)
class Job:
    """One answer that is to be had."""

    question: Question
    repeat: int
    ask: Ask
    retrieval: Retrieval

    @property
    def context(self) -> str | None:
        """What the memory brought back, as text; None for a system that answers by itself."""
        return self.ask.recall.text if self.ask.recall.answer is None else None


@dataclass(frozen=True)
class Asked:
    """What memories of one history brought back."""

    history: str
    jobs: tuple[Job, ...]
    snapshots: tuple[str, ...]
    """The key of each memory: one for every prefix that questions may see."""
    rounds: int
    """How many rounds the longest of them was handed."""
    unheard: int
    """How many of those it neither has an item for nor says that it absorbed."""
    built_seconds: float
    recalled_seconds: float


@dataclass(frozen=True)
class Recaller:
    """Asks the memories of an evaluation."""

    evaluation: Evaluation
    folder: Path | None = None
    """The run's folder, which what memories held is written into; None to write nothing."""
    stopped: Callable[[], bool] = field(default=lambda: False)
    """Whether somebody wants this to stop."""

    def ask(self, history_id: str, wanted: Collection[Row] | None = None) -> Asked:
        """What the memories of a history bring back for its questions.

        Args:
            history_id: The history.
            wanted: The records that are to be made; all when None.

        Raises:
            MnemoscopeError: A memory cannot be built or asked, or the file system refuses.
            StoppedError: It was stopped.
        """
        release, captions = self.evaluation.release, self.evaluation.textualisation
        questions = self.evaluation.by_history[history_id]
        repeats = range(len(self.evaluation.seeds))
        if wanted is not None:
            questions = tuple(
                one for one in questions if any((one.key, repeat) in wanted for repeat in repeats)
            )
        handed = hand_over(release.histories[history_id], captions)
        prefixes: dict[int, list[Question]] = {}
        for one in questions:
            prefixes.setdefault(handed.visible_rounds(one), []).append(one)
        begun = time.monotonic()
        memories = {rounds: self._memory(handed, rounds) for rounds in sorted(prefixes)}
        longest = memories[max(memories)]
        if self.folder is not None:
            write_states(self.folder, handed.history, longest.steps, handed.round_ids)
        built = time.monotonic()
        jobs = [
            job
            for rounds, group in prefixes.items()
            for job in self._jobs(memories[rounds], handed, group)
            if wanted is None or (job.question.key, job.repeat) in wanted
        ]
        order = {one.key: place for place, one in enumerate(questions)}
        jobs.sort(key=lambda job: (order[job.question.key], job.repeat))
        return Asked(
            history_id,
            tuple(jobs),
            tuple(one.key for one in memories.values()),
            max(memories),
            len(longest.receipt.unheard),
            built - begun,
            time.monotonic() - built,
        )

    def _memory(self, handed: HandedHistory, rounds: int) -> FrozenMemory:
        view = handed.view.first(rounds)
        context = SystemContext(self.evaluation.embedder, handed.files)

        def make() -> MemorySystem:
            return make_system(self.evaluation.system, context)

        shared = self.evaluation.snapshots
        if shared is None and self.folder is not None:
            shared = self.folder / "snapshots"
        if self.folder is not None and shared is not None:
            return SnapshotStore(shared).memory(make, view, self._pause)
        system = make()
        receipt, steps = build(system, view, self._pause)
        return FrozenMemory(system, "", receipt, steps)

    def _pause(self, _: int) -> None:
        if self.stopped():
            raise StoppedError

    def _jobs(
        self, memory: FrozenMemory, handed: HandedHistory, questions: list[Question]
    ) -> Iterator[Job]:
        captions = self.evaluation.textualisation
        is_oracle = memory.system.IS_ORACLE
        queries = {one.key: query_of(one, captions) for one in questions}
        found = memory.recall_all(
            (one.key, queries[one.key], evidence_of(one, handed) if is_oracle else None)
            for one in questions
        )
        for one in questions:
            recall = found[one.key]
            files = {**handed.files, **question_files(one)}
            retrieval = retrieval_of(memory.system, recall, handed)
            plain = Ask(queries[one.key], recall, files, self.evaluation.release.media_roots)
            for repeat, seed in enumerate(self.evaluation.seeds):
                yield Job(one, repeat, replace(plain, repeat=repeat, seed=seed), retrieval)
