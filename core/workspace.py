"""A release with the runs opened beside it: joined, judged, named, lettered."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from mnemoscope.core.defects import Defect
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import (
    GoldKind,
    Question,
    Record,
    Release,
    RetrievalState,
    Run,
    Value,
)
from mnemoscope.core.names import short_names
from mnemoscope.core.overlays.applied import Overlaid
from mnemoscope.core.runs.join import JoinReport, join
from mnemoscope.core.scoring.judging import Judgement, is_judged, judge
from mnemoscope.core.scoring.open_rules import OPEN_RULES
from mnemoscope.core.scoring.parsing import RULES
from mnemoscope.core.scoring.retrieval_hits import Grain, names_only_sessions

if TYPE_CHECKING:
    from mnemoscope.core.tags.workspace_tags import WorkspaceTags

__all__ = [
    "Deciding",
    "Entry",
    "JoinedRun",
    "OverlaidCounts",
    "PeopleCounts",
    "Workspace",
    "join_run",
    "overlaid_run",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a run with the question it answers and what its rule says of it."""

    record: Record
    question: Question
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class PeopleCounts:
    """How far people's verdicts have taken the place of a run's rule."""

    decided: int = 0
    """Records that people decide."""
    changed: int = 0
    """Those of them on which they say something else than the rule."""
    tied: int = 0
    """Records on which as many people say right as wrong: not judged."""
    on_failed: int = 0
    """Failed records that people judged; they stay wrong."""
    outdated: int = 0
    """Records whose verdicts are about an answer that was replaced since; the rule decides."""


@dataclass(frozen=True, slots=True)
class Deciding:
    """A judge, or several, who decide in the place of a run's rule."""

    name: str
    """Who, as ``--verdicts`` takes it."""
    words: str
    """How they decide, in a few words."""
    decided: int
    """Records that they, or a failure, make right or wrong."""
    changed: int
    """Those of them of which the rule says something else."""
    silent: int
    """Records on which they say nothing, or are tied: not judged."""
    failed: int
    """Records on which the judge failed: in no mean."""
    one_sided: bool = False
    """Whether only what was first judged wrong got a second verdict."""
    symmetric: float | None = None
    """For a one-sided rule the mean of both judges' accuracies; None unless both judged all."""
    both: int = 0
    """For a one-sided rule the records that both judged."""

    def __str__(self) -> str:
        if not self.one_sided:
            return self.name if self.words == "one judge" else f"{self.name} ({self.words})"
        if self.symmetric is None:
            beside = f"symmetric not measurable: {self.both} of {self.decided} judged by both"
        else:
            beside = f"symmetric {100 * self.symmetric:.1f} %"
        return f"{self.name} ({self.words}; {beside})"


@dataclass(frozen=True)
class JoinedRun:
    """A run in the light of a release."""

    run: Run
    letter: str
    """``A``, ``B``, … in the order opened."""
    name: str
    """Short, and unique among the runs opened."""
    rule: str
    """The rule that decides right and wrong here."""
    join: JoinReport
    entries: tuple[Entry, ...]
    """The records that join, in the run's order."""
    people: PeopleCounts | None = None
    """How far people decide in the rule's place; None where they are not asked."""
    deciding: Deciding | None = None
    """Who else decides in the rule's place; None where the rule does."""

    @property
    def decided_by(self) -> str:
        """What decides right and wrong, in words: the rule, and how many records people do."""
        if self.deciding is not None:
            return str(self.deciding)
        if self.people is None:
            return self.rule
        return f"{self.rule}, {self.people.decided} by people"

    @cached_property
    def by_question(self) -> Mapping[str, tuple[Entry, ...]]:
        """Entries of each question key, in order of repeats."""
        table: dict[str, list[Entry]] = {}
        for entry in self.entries:
            table.setdefault(entry.question.key, []).append(entry)
        return {
            key: tuple(sorted(entries, key=lambda entry: entry.record.repeat))
            for key, entries in table.items()
        }

    @cached_property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the figures that its records store, in the order met."""
        found = {one.name: None for entry in self.entries for one in entry.record.metrics}
        return tuple(found)

    @cached_property
    def names_only_sessions(self) -> bool:
        """Whether the ids of what it retrieved name sessions and nothing finer."""
        return names_only_sessions(entry.record.retrieval for entry in self.entries)

    @cached_property
    def retrieval_states(self) -> frozenset[RetrievalState]:
        """What its records say of retrieval."""
        return frozenset(entry.record.retrieval.state for entry in self.entries)

    def entry(self, key: str, repeat: int | None = None) -> Entry | None:
        """The entry of a question: a given repeat, or the first there is."""
        for entry in self.by_question.get(key, ()):
            if repeat is None or entry.record.repeat == repeat:
                return entry
        return None

    def lettered(self, letter: str) -> "JoinedRun":
        """The same run under another letter."""
        if letter == self.letter:
            return self
        renamed = replace(self, letter=letter)
        # What has been worked out does not depend on the letter, and takes time for long runs.
        for name in ("by_question", "metric_names", "names_only_sessions", "retrieval_states"):
            if name in self.__dict__:
                renamed.__dict__[name] = self.__dict__[name]
        return renamed

    @property
    def label(self) -> str:
        """Letter and name, such as ``A LTMemory``."""
        return f"{self.letter} {self.name}"


def join_run(
    release: Release, run: Run, *, letter: str = "A", name: str = "", rule: str | None = None
) -> JoinedRun:
    """Join one run to a release and judge every record that joins."""
    report = join(release, run)
    chosen = rule or run.rule
    questions = release.questions
    judged = is_judged(run.records)
    entries = [
        Entry(record, questions[key], judge(record, questions[key], chosen, run_is_judged=judged))
        for record, key in zip(run.records, report.keys, strict=True)
        if key is not None
    ]
    return JoinedRun(run, letter, name or run.name, chosen, report, tuple(entries))


@dataclass(frozen=True, slots=True)
class OverlaidCounts:
    """What became of a run's judged records whose published answer an overlay calls wrong."""

    taken_out: int
    """Left out of overlaid means: their verdicts are about the published answer."""
    rejudged: int
    """Judged anew against the corrected option, by the run's own rule."""


def overlaid_run(run: JoinedRun, overlaid: Overlaid) -> JoinedRun:
    """A run in the light of a release with overlays on it.

    Where an overlay changes the answer, a rule that reads options judges anew. A stored verdict is
    about the published answer: such a record counts as not judged until somebody judges it anew.
    """
    questions, changed = overlaid.release.questions, overlaid.answer_changed
    entries: list[Entry] = []
    for entry in run.entries:
        key = entry.question.key
        if key not in overlaid.corrections:
            entries.append(entry)
            continue
        question, judgement = questions[key], entry.judgement
        if key in changed and judgement.judged:
            by_option = run.rule in RULES and question.gold.kind is GoldKind.OPTION
            by_rule = by_option or run.rule in OPEN_RULES
            if by_rule and run.deciding is None:
                judgement = judge(entry.record, question, run.rule)
            else:
                judgement = replace(judgement, value=Value.NOT_JUDGED)
        entries.append(Entry(entry.record, question, judgement))
    return replace(run, entries=tuple(entries))


@dataclass(frozen=True)
class Workspace:
    """What is open: one release, and runs lettered in the order opened."""

    release: Release
    runs: tuple[JoinedRun, ...] = ()
    skipped: tuple[str, ...] = ()
    """Data files beside the runs that no reader knows."""
    unreadable: tuple[Defect, ...] = ()
    """Run files that could not be read."""
    overlay: Overlaid | None = None
    """The release with overlays on it, when there are any; ``release`` is as published."""
    tags: "WorkspaceTags | None" = field(default=None, compare=False, repr=False)
    """What people, judges and rules say about it; None while that has not been read."""

    @cached_property
    def overlaid(self) -> "Workspace | None":
        """The workspace that the overlays make of this one; None without overlays."""
        if self.overlay is None:
            return None
        runs = tuple(overlaid_run(run, self.overlay) for run in self.runs)
        return replace(self, release=self.overlay.release, runs=runs, overlay=None)

    @cached_property
    def common_grain(self) -> Grain | None:
        """Sessions where a run names nothing finer, since all are then held against those.

        None where no run asks for it: each record is measured at its own grain.
        """
        return Grain.SESSION if any(run.names_only_sessions for run in self.runs) else None

    def overlaid_counts(self, keys: Collection[str] | None = None) -> tuple[OverlaidCounts, ...]:
        """For each run what overlays make of its verdicts; none without overlays.

        Args:
            keys: The questions to count on; all when None.
        """
        return self._all_overlaid_counts if keys is None else self._overlaid_counts(keys)

    @cached_property
    def _all_overlaid_counts(self) -> tuple[OverlaidCounts, ...]:
        return self._overlaid_counts(None)

    def _overlaid_counts(self, keys: Collection[str] | None) -> tuple[OverlaidCounts, ...]:
        if self.overlay is None or self.overlaid is None:
            return ()
        changed = self.overlay.answer_changed
        counts = []
        for published, overlaid in zip(self.runs, self.overlaid.runs, strict=True):
            judged = Counter(
                after.judgement.judged
                for before, after in zip(published.entries, overlaid.entries, strict=True)
                if before.judgement.judged
                and before.question.key in changed
                and (keys is None or before.question.key in keys)
            )
            counts.append(OverlaidCounts(judged[False], judged[True]))
        return tuple(counts)

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Every defect of release, overlays and runs, and of run files that could not be read."""
        of_runs = tuple(defect for run in self.runs for defect in run.run.defects)
        of_overlays = self.overlay.defects if self.overlay else ()
        return self.release.defects + of_overlays + self.unreadable + of_runs

    @classmethod
    def build(
        cls, release: Release, runs: Iterable[Run], *, rule: str | None = None
    ) -> "Workspace":
        """Join, judge and name runs."""
        opened = list(runs)
        names = short_names(opened)
        joined = [
            join_run(release, run, letter=letter(place), name=name, rule=rule)
            for place, (run, name) in enumerate(zip(opened, names, strict=True))
        ]
        return cls(release, tuple(joined))

    def exchanged(self, one: int, other: int) -> "Workspace":
        """The same workspace with two runs in each other's places, and so with their letters."""
        order = list(self.runs)
        order[one], order[other] = order[other], order[one]
        lettered = tuple(run.lettered(letter(place)) for place, run in enumerate(order))
        return replace(self, runs=lettered)

    def run(self, name: str) -> JoinedRun:
        """The run with a letter or a name; a name may be cut short while it stays unique.

        Raises:
            UsageError: No run, or more than one, goes by it.
        """
        for run in self.runs:
            if name in (run.letter, run.name):
                return run
        found = [run for run in self.runs if run.name.casefold().startswith(name.casefold())]
        if len(found) == 1:
            return found[0]
        known = ", ".join(run.label for run in self.runs) or "none"
        problem = "is ambiguous" if found else "is not open"
        raise UsageError(f"run {name!r} {problem}; open runs: {known}")

    def question(self, key: str) -> Question:
        """The question with a key, or with an id or a part of a key that only one question has.

        Raises:
            UsageError: No question, or more than one, goes by it.
        """
        questions = self.release.questions
        if key in questions:
            return questions[key]
        found = [
            one
            for one, question in questions.items()
            if one.endswith(f"/{key}") or one.startswith(key) or question.id == key
        ]
        if len(found) == 1:
            return questions[found[0]]
        if not found:
            example = next(iter(questions), "")
            raise UsageError(f"no question {key!r}; keys look like {example!r}")
        shown = ", ".join(found[:4]) + (", …" if len(found) > 4 else "")
        raise UsageError(f"{len(found)} questions go by {key!r}: {shown}")


def letter(place: int) -> str:
    """A, B, … Z, AA, AB, … for places from 0."""
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(65 + rest) + text
    return text
