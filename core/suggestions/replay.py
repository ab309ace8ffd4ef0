"""Suggestions by replay: which wrong state of a generated scenario leads to a wrong answer.

The plan of a question is carried out again on states that are wrong in one way each; where that
gives the answer, the way is an explanation. Several may fit: all are said, and name each other.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from mnemoscope.core.harness.questions.plan import At, Plan, Values
from mnemoscope.core.harness.questions.plan_history import ChangeCount
from mnemoscope.core.harness.questions.reading import Faults, UnreadError
from mnemoscope.core.harness.questions.view import Look, Looking
from mnemoscope.core.harness.trackers.answering import typed_answer
from mnemoscope.core.harness.trackers.material import Material, material_of
from mnemoscope.core.harness.trackers.runs import plan_of
from mnemoscope.core.harness.trackers.tracker import TRACKERS, Cause, PlanSort, sort_of
from mnemoscope.core.harness.trackers.view import TrackerView
from mnemoscope.core.model import Question, Release
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.declining import declines
from mnemoscope.core.scoring.said import asserted, numbers, parts
from mnemoscope.core.scoring.typed_answers import judge_typed
from mnemoscope.core.scoring.typed_gold import (
    CountGold,
    ListGold,
    PremiseProblem,
    RefusalGold,
    TypedGold,
    in_words,
    read_typed_gold,
)
from mnemoscope.core.state.component import Component, Part

__all__ = ["TAGS", "Explanation", "Replay", "replay_of"]

TAGS = (*(one.value for one in Cause), "decision_response")
_HONEST = Faults(trusting=True)
_STALE = {
    PlanSort.READ: Cause.STALE,
    PlanSort.COMPUTED: Cause.COMPUTED,
    PlanSort.HISTORY: Cause.LOST,
}
_CLAIMED: Mapping[PremiseProblem, str] = {
    PremiseProblem.WITHDRAWN: Cause.WITHDRAWN,
    PremiseProblem.SUPERSEDED: Cause.STALE,
    PremiseProblem.NOT_ACCEPTED: Cause.AUTHORITY,
    PremiseProblem.RENAMED: Cause.ENTITY,
    PremiseProblem.NEVER_HAPPENED: Cause.LOST,
}


_KEPT: "list[Replay]" = []
"""The replays of the releases asked about last: the states of a history take a second to read."""
_MOST_KEPT = 2


@value
class Explanation:
    """A way to go wrong that leads to an answer."""

    tag: str
    words: str
    last_resort: bool = False
    """Whether it counts only where nothing more particular explains an answer."""


@dataclass
class Replay:
    """Replays the questions of one release; what it has found once it keeps."""

    release: Release
    _materials: dict[str, Material | None] = field(default_factory=dict)
    _wrong: dict[str, list[tuple[Explanation, TypedGold]]] = field(default_factory=dict)

    def explanations(self, question: Question, answer: str) -> list[Explanation]:
        """The ways to go wrong that lead to an answer; none for one that declines."""
        gold = read_typed_gold(question.gold.value)
        plan = plan_of(self.release, question)
        material = self._material(question.history_id)
        if gold is None or plan is None or material is None or not answer.strip():
            return []
        if declines(answer):
            return []
        one = _Question(question, plan, gold, material)
        if question.key not in self._wrong:
            self._wrong[question.key] = list(one.wrong_answers())
        found: dict[str, Explanation] = {}
        for explanation in one.of_lists(answer):
            found.setdefault(explanation.tag, explanation)
        for explanation, wrong in self._wrong[question.key]:
            # Forgetting leads to many answers: it explains what nothing more particular does.
            if explanation.last_resort and found:
                break
            if explanation.tag not in found and one.is_same(answer, wrong):
                found[explanation.tag] = explanation
        return list(_with_ties(found))

    def _material(self, history_id: str) -> Material | None:
        if history_id not in self._materials:
            self._materials[history_id] = material_of(self.release, history_id)
        return self._materials[history_id]


def replay_of(release: Release) -> Replay:
    """The replay of a release, which knows what it has found before."""
    for one in _KEPT:
        if one.release is release:
            return one
    _KEPT.insert(0, Replay(release))
    del _KEPT[_MOST_KEPT:]
    return _KEPT[0]


def _with_ties(found: Mapping[str, Explanation]) -> Iterator[Explanation]:
    for tag, one in found.items():
        others = [other for other in found if other != tag]
        tie = f"; {' and '.join(others)} would give it as well" if others else ""
        yield Explanation(tag, one.words + tie)


@dataclass
class _Question:
    """One question and its wrong states."""

    question: Question
    plan: Plan
    gold: TypedGold
    material: Material

    def is_same(self, answer: str, wrong: TypedGold) -> bool:
        """Whether an answer is that of a wrong state."""
        if isinstance(wrong, RefusalGold):
            if wrong.actual is None:
                return False
            wrong = wrong.actual
        return judge_typed(answer, wrong, self.question.stem).right

    def wrong_answers(self) -> Iterator[tuple[Explanation, TypedGold]]:
        """The answers of states that are wrong in one way each, where they are wrong."""
        right = typed_answer(self.plan, TrackerView(self.material, _HONEST))
        for explanation, wrong in self._all():
            if wrong is not None and wrong != right:
                yield explanation, wrong

    def _all(self) -> Iterator[tuple[Explanation, TypedGold | None]]:
        sort = sort_of(self.plan)
        if isinstance(self.gold, RefusalGold) and self.gold.claimed is not None:
            tag = _CLAIMED.get(self.gold.problem, "decision_response")
            claimed = in_words(self.gold.claimed)
            words = f"{claimed} is what the question takes for granted; {self.gold.premise}"
            yield Explanation(tag, words), self.gold.claimed
        for name in ("newest_image_wins", "withdrawals_ignored"):
            yield self._tracked(name)
        if sort is not PlanSort.READ:
            yield self._tracked("text_ignored")
        for place in reversed(self._places):
            view = TrackerView(self.material, _HONEST, stop=place - 1)
            found = typed_answer(self.plan, view)
            if found is not None:
                here = self.material.rounds[place]
                words = f"{_short(found)} is right for the state before round {here}"
                yield Explanation(_STALE[sort], words), found
        yield from self._of_others()
        yield self._tracked("names_not_merged", last_resort=True)
        yield self._tracked("history_truncated", last_resort=True)
        for place in self._places:
            view = TrackerView(self.material, _HONEST, start=place)
            found = typed_answer(self.plan, view)
            if found is not None:
                here = self.material.rounds[place]
                words = f"{_short(found)} is what comes out where nothing before {here} is kept"
                yield Explanation(Cause.LOST, words, last_resort=True), found

    def _tracked(
        self, name: str, *, last_resort: bool = False
    ) -> tuple[Explanation, TypedGold | None]:
        """What a tracker answers."""
        tracker = TRACKERS[name]
        found = typed_answer(self.plan, tracker.view(self.material))
        told = "nothing" if found is None else _short(found)
        words = f"{told} is what comes out where {tracker.fault}"
        return Explanation(tracker.causes[sort_of(self.plan)], words, last_resort), found

    @cached_property
    def _looks(self) -> tuple[Look, ...]:
        view = TrackerView(self.material, _HONEST)
        with suppress(UnreadError):  # what was looked at until then is known all the same
            self.plan.answer(view)
        return tuple(view.looks)

    @cached_property
    def _places(self) -> list[int]:
        """Where something that the answer looks at has changed."""
        reader, found = self.material.reader, set[int]()
        for look in self._looks:
            if look.how is not Looking.NAME:
                steps = reader.standings(look.where, reader.all, _HONEST)
                found.update(at for at, _ in steps if 0 < at <= look.place)
        return sorted(found)

    def _of_others(self) -> Iterator[tuple[Explanation, TypedGold | None]]:
        """The same value of other entities."""
        if not isinstance(self.plan, Values) or len(self.plan.reads) != 1:
            return
        (read,) = self.plan.reads
        for entity, label in self.material.labels.items():
            if entity != read.where.entity and read.where.part is Part.CELL:
                where = Component(read.where.part, entity, read.where.field)
                plan = Values((At(where, read.place, read.shown, read.context),))
                words = f"it is the value of {label}"
                found = typed_answer(plan, TrackerView(self.material, _HONEST))
                yield Explanation(Cause.ENTITY, words), found

    def of_lists(self, answer: str) -> Iterator[Explanation]:
        """What is missing or too much where changes are told or counted."""
        if sort_of(self.plan) is not PlanSort.HISTORY:
            return
        if isinstance(self.gold, CountGold) and isinstance(self.plan, ChangeCount):
            said = numbers(asserted(answer))
            if len(said) == 1 and said[0].value != self.gold.count:
                fewer = said[0].value < self.gold.count
                words = f"{said[0].value} changes instead of {self.gold.count}"
                yield Explanation(Cause.LOST if fewer else Cause.MIS_INTEGRATED, words)
        if isinstance(self.gold, ListGold) and self.gold.ordered:
            wanted = [in_words(one) for one in self.gold.items]
            given = [one.strip() for one in parts(asserted(answer), wanted)]
            if len(given) < len(wanted) and _is_within(given, wanted):
                missing = ", ".join(one for one in wanted if one not in given) or "a repetition"
                yield Explanation(Cause.LOST, f"the list lacks {missing}")
            if len(given) > len(wanted) and _is_within(wanted, given):
                more = ", ".join(one for one in given if one not in wanted) or "a repetition"
                yield Explanation(Cause.MIS_INTEGRATED, f"the list has {more} too much")


def _is_within(fewer: list[str], more: list[str]) -> bool:
    """Whether the ones stand among the others in the same order."""
    left = iter(more)
    return all(one in left for one in fewer)


def _short(found: TypedGold) -> str:
    if isinstance(found, RefusalGold):
        return "a correction" if found.actual is None else in_words(found.actual)
    return in_words(found)
