"""What is on the desk: the open release and runs, which two are A and B, and what is selected."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from mnemoscope.core.citations import retrieved_rounds, round_citations, session_citations
from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.filters import parse
from mnemoscope.core.model import Kind, Textualisation
from mnemoscope.core.question_columns import QuestionColumn, question_columns
from mnemoscope.core.scoring.retrieval_hits import coarse_note
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

if TYPE_CHECKING:
    from mnemoscope.core.runs.native.states import HeldStates
    from mnemoscope.core.truth.book import Book

__all__ = ["Desk", "Selection", "coarse_note_of"]


@dataclass(slots=True)
class Selection:
    """The list of questions being worked through."""

    title: str = ""
    """What the list is of, where no filter says so."""
    filter: str = ""
    order: str = ""
    """What the list is sorted by; empty for the release's order."""
    descending: bool = False
    keys: Sequence[str] = ()
    cursor: int = 0

    @property
    def key(self) -> str | None:
        """The question under the cursor."""
        return self.keys[self.cursor] if 0 <= self.cursor < len(self.keys) else None

    @property
    def words(self) -> tuple[re.Pattern[str], ...]:
        """What the filter searches for in texts."""
        try:
            return parse(self.filter).words
        except UsageError:
            return ()

    def go_to(self, key: str) -> None:
        """Put the cursor on a question, if the list has it."""
        if key in self.keys:
            self.cursor = self.keys.index(key)


@dataclass
class Desk:
    """One open release with its runs. Screens read it and change it; it never draws anything."""

    workspace: Workspace
    selection: Selection = field(default_factory=Selection)
    """The questions list with its filter."""
    textualisation: Textualisation = field(default_factory=Textualisation)
    show_evaluator: bool = False
    decider: str = "rule"
    """Who decides what is right, as ``--verdicts`` takes it."""
    decided_at: int = 0
    """The count of changes to tags when people decided last."""
    history_id: str = ""
    round_id: str = ""
    _retrieved: dict[str, Mapping[tuple[str, str], tuple[int, int]]] = field(default_factory=dict)
    _held: "dict[tuple[str, str], HeldStates | InputError | None]" = field(default_factory=dict)
    _books: "dict[str, Book | InputError | None]" = field(default_factory=dict)
    _columns: Sequence[QuestionColumn] = ()
    _columns_of: Workspace | None = None

    def __post_init__(self) -> None:
        release = self.workspace.release
        self.textualisation = release.textualisation
        self.history_id = next(iter(release.histories), "")
        self.selection.keys = tuple(release.questions)
        self.walk = self.selection
        """The list that next and previous question go through."""

    @property
    def position(self) -> dict[str, str]:
        """Where the user is, in words that can be kept."""
        found = {
            "history": self.history_id,
            "round": self.round_id,
            "question": self.selection.key or "",
            "filter": self.selection.filter,
            "verdicts": self.decider if self.decider != "rule" else "",
        }
        return {name: value for name, value in found.items() if value}

    def restore(self, position: Mapping[str, str]) -> None:
        """Go back to where the user was, as far as that is still there."""
        history = self.workspace.release.histories.get(position.get("history", ""))
        if history is not None:
            self.history_id = history.id
            round_id = position.get("round", "")
            self.round_id = round_id if round_id in history.round_by_id else ""
        self.selection.filter = position.get("filter", "")
        self.decider = position.get("verdicts", "rule")
        self.selection.go_to(position.get("question", ""))

    @property
    def words(self) -> tuple[re.Pattern[str], ...]:
        """What the filter of the questions list searches for in texts."""
        return self.selection.words

    @property
    def columns(self) -> Sequence[QuestionColumn]:
        """Every column that a list of questions can have."""
        if self._columns_of is not self.workspace:
            self._columns, self._columns_of = question_columns(self.workspace), self.workspace
        return self._columns

    def extend(self, workspace: Workspace) -> None:
        """Take the same release with runs that have been read since.

        Tags are let go: they are about the runs that were open.
        """
        self.close()
        self.workspace = workspace
        self._retrieved.clear()
        self._held.clear()

    @property
    def deciding_title(self) -> str:
        """Who decides, for a header; empty where each run's own rule does."""
        if self.decider == "rule":
            return ""
        return f"decided by {'people' if self.decider == 'person' else self.decider}"

    @property
    def deciding_flags(self) -> list[str]:
        """The flag by which a command lets the same decide; none where the rule does."""
        return [] if self.decider == "rule" else [f"--verdicts={self.decider}"]

    def take_decided(self, workspace: Workspace, decider: str) -> None:
        """Take the same runs with other verdicts, by whoever decides now."""
        self.workspace = workspace
        self.decider = decider
        if workspace.tags is not None:
            self.decided_at = workspace.tags.changes

    def close(self) -> None:
        """Close the files that tags are written to."""
        if self.workspace.tags is not None:
            self.workspace.tags.close()

    @property
    def a(self) -> JoinedRun | None:
        """The run that is A: the first."""
        return next(iter(self.workspace.runs), None)

    @property
    def b(self) -> JoinedRun | None:
        """The run that is B: the second."""
        return self.workspace.runs[1] if len(self.workspace.runs) > 1 else None

    @property
    def pair(self) -> tuple[JoinedRun, ...]:
        """The runs that are A and B, as far as there are such."""
        return self.workspace.runs[:2]

    def make(self, place: int, run: JoinedRun) -> None:
        """Make a run A (place 0) or B (place 1); it trades letters with the one it replaces.

        Letters so always mean the same in filters, lists and headers.
        """
        self.workspace = self.workspace.exchanged(place, self.workspace.runs.index(run))
        self._retrieved.clear()
        self._held.clear()

    def entries(self, key: str) -> list[tuple[JoinedRun, Entry | None]]:
        """What A and B have of a question."""
        return [(run, run.entry(key)) for run in self.pair]

    def next_variant(self) -> str:
        """Turn to the next captions: through the images' variants first, then the audio's.

        Returns:
            What is shown now, in words.
        """
        release = self.workspace.release
        images, audio = release.image_variants, release.audio_variants
        pairs = [(i, a) for a in audio or ("none",) for i in images or ("none",)]
        now = (self.textualisation.image, self.textualisation.audio)
        place = pairs.index(now) if now in pairs else -1
        self.textualisation = Textualisation(*pairs[(place + 1) % len(pairs)])
        return self.variant_label

    @property
    def variant_label(self) -> str:
        """The caption variants that are shown, such as ``image medium · audio hint``."""
        release = self.workspace.release
        shown = [
            f"{kind} {self.textualisation.of(kind)}" for kind in Kind if release.variants(kind)
        ]
        return " · ".join(shown) or "no captions"

    def times_retrieved(
        self, run: JoinedRun, history_id: str, round_id: str
    ) -> tuple[int, int] | None:
        """For how many questions a run retrieved a round, and at which rank at best.

        None when the run stores no source ids of rounds at all.
        """
        table = self._retrieved.get(run.letter)
        if table is None:
            table = self._retrieved[run.letter] = retrieved_rounds(run)
        return table.get((history_id, round_id), (0, 0)) if table else None

    def held(self, run: JoinedRun, history_id: str) -> "HeldStates | InputError | None":
        """What a run's memory held of a history after each round.

        None when the run does not say; the error when the file that says it cannot be read.
        """
        key = (run.letter, history_id)
        if key not in self._held:
            # Only a run of ours can say, and reading its files needs pydantic.
            from mnemoscope.core.runs.native.states import states_of

            try:
                self._held[key] = states_of(run.run, history_id)
            except InputError as error:
                self._held[key] = error
        return self._held[key]

    def book(self, history_id: str) -> "Book | InputError | None":
        """The state of a history's scenario, to be looked up. Evaluator-only.

        None when the release has no truth of the history; the error when it cannot be used.
        """
        if history_id not in self._books:
            release = self.workspace.release
            truth = release.evaluator.truths.get(history_id)
            self._books[history_id] = None
            if truth is not None:
                # Only releases with a truth need the state engine.
                from mnemoscope.core.truth.book import Book

                try:
                    self._books[history_id] = Book(truth, release.histories[history_id])
                except InputError as error:
                    self._books[history_id] = error
        return self._books[history_id]

    @cached_property
    def citations(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """Keys of the questions whose clues lead to a round, by history and round id."""
        return round_citations(self.workspace.release)

    @cached_property
    def session_citations(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """Keys of the questions with a clue to a whole session, by history and session id."""
        return session_citations(self.workspace.release)


def coarse_note_of(entries: Sequence[tuple[JoinedRun, Entry | None]]) -> str:
    """That what runs have of a question can only be compared at session grain; else empty."""
    found = {run.letter: [entry.record.retrieval] for run, entry in entries if entry is not None}
    return coarse_note(found)
