"""Realisation: from a scenario to what its two say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.dialogue.leakage import LeakCheck
from mnemoscope.core.harness.dialogue.phrasebook import Phrasebook, UnsaidError
from mnemoscope.core.harness.dialogue.reference import is_later, is_of_picture, reference_to
from mnemoscope.core.harness.dialogue.repetition import plain
from mnemoscope.core.harness.dialogue.scene import Scene, scenes_of
from mnemoscope.core.harness.dialogue.small_talk import Question, SmallTalk
from mnemoscope.core.harness.dialogue.speech import (
    artifact_title,
    context_of,
    joined,
    quoted,
    revision_of,
)
from mnemoscope.core.harness.dialogue.telling import Telling
from mnemoscope.core.harness.dialogue.turn import Finding, Turn
from mnemoscope.core.harness.pack import Topic
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model.history import Role
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.transition import Step

__all__ = ["RealisationError", "realise"]

_TRIES = 60
"""How many wordings of a turn are tried."""


class RealisationError(MnemoscopeError):
    """A turn for which no wording passes the check.

    Attributes:
        findings: What is wrong in the last one.
    """

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


def realise(scenario: Scenario) -> tuple[Turn, ...]:
    """What the two say in a scenario; the same for the same scenario.

    Every turn is one that the leakage check has nothing against, and none is said twice.

    Raises:
        RealisationError: There is a turn for which no such wording is found.
        TransitionError: The trajectory cannot be carried out.
    """
    return tuple(_Realisation(scenario).turns())


@dataclass
class _Realisation:
    scenario: Scenario
    said: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.pack = self.scenario.pack
        chance = Chance(self.pack.name, "dialogue", self.scenario.seed)
        openings = self.pack.dialogue.openings
        self.book = Phrasebook(chance, {"open_own": openings} if openings else {})
        self.scenes = scenes_of(self.scenario)
        self.check = LeakCheck(self.scenario, self.scenes)
        self.small_talk = SmallTalk(chance, self.book)
        self.question: Question | None = None
        """What a turn without an update asks; None elsewhere."""
        self.reasons = True
        """Whether turns with pictures give their reason: not where it gives a value away."""

    def turns(self) -> Iterator[Turn]:
        """One turn after the other."""
        for scene in self.scenes:
            self.question = self._question(scene)
            block = scene.block
            yield self._turn(scene, block.round, Role.USER, partial(self._user, scene))
            yield self._turn(scene, block.reply, Role.ASSISTANT, partial(self._reply, scene))

    def _turn(self, scene: Scene, key: str, role: Role, words: Callable[[], str]) -> Turn:
        findings: list[Finding] = []
        for attempt in range(_TRIES):
            self.reasons = attempt < _TRIES // 2
            try:
                text = words()
            except UnsaidError as error:
                raise RealisationError(f"round {key}: no form to say {error} with") from None
            if plain(text) in self.said:
                continue
            picture = scene.block.picture if role is Role.USER else ""
            turn = Turn(key, role, text, picture)
            findings = self.check.of(turn)
            if not findings:
                self.said.add(plain(text))
                return turn
        last = f", such as {findings[0]}" if findings else ", all were said before"
        raise RealisationError(f"round {key}: {_TRIES} wordings fail{last}", findings)

    def _question(self, scene: Scene) -> Question | None:
        if scene.step is not None or not scene.number:
            return None
        topic = self._topic(scene)
        if topic is None:
            raise RealisationError(f"round {scene.block.round}: neither an update nor a topic")
        return self.small_talk.next(topic)

    def _topic(self, scene: Scene) -> Topic | None:
        topics = self.pack.dialogue.topics
        return next((one for one in topics if one.key == scene.block.topic), None)

    def _slots(self, scene: Scene) -> dict[str, str]:
        pack, picture = self.pack, scene.picture
        own = self.scenario.truth.trajectory.initial.context
        slots = {
            "entity": pack.entity.replace("_", " "),
            "plural": pack.plural,
            "user": pack.dialogue.user,
            "goal": pack.dialogue.goal,
            "own": quoted(own),
            "context": quoted(own),
        }
        if picture is not None:
            slots["picture"] = artifact_title(pack, picture)
            slots["edition"] = f"revision {picture.edition.revision}"
            if picture.artifact:
                slots["revision"] = revision_of(self.scenario, picture)
                slots["context"] = quoted(context_of(self.scenario, picture))
        topic = self._topic(scene)
        if topic is not None:
            slots["about"] = topic.about
            headings = list(dict.fromkeys(map(scene.schema.heading, topic.fields)))
            if headings:
                noun = "column" if len(headings) == 1 else "columns"
                slots["columns"] = f"the {noun} {joined(headings)}"
        return slots

    def _user(self, scene: Scene) -> str:
        slots = self._slots(scene)
        if scene.step is None:
            if self.question is None:
                return self.book.say("user_first", slots)
            slots["asked"] = self.book.say_one(self.question.ask, slots)
            kind = "request" if self.question.is_request else "topic"
            return self.book.say(f"user_{kind}", slots)
        one = scene.step.transition
        if is_later(scene):
            return self._later(scene, slots)
        telling = Telling.of(scene, self.book)
        slots["reason"] = one.mutation.reason if self.reasons else ""
        match OPERATORS[one.atomic].origin:
            case Origin.TEXT:
                return self._text(telling, scene.step, slots, "user")
            case Origin.DECLARED:
                slots["scope"] = telling.scope(scene.declared)
            case Origin.MIXED:
                slots["body"] = "\n\n".join(self._parts(scene, telling, slots))
        return self._with_reason(f"user_{one.atomic}", slots)

    def _text(self, telling: Telling, step: Step, slots: dict[str, str], kind: str) -> str:
        """What states one text update, with what introduces it where it is a list."""
        one = step.transition
        lead = _lead(one.atomic, one.mutation)
        slots = {**slots, "reason": one.mutation.reason, "body": telling.body(step)}
        if not lead:
            return self._with_reason(f"{kind}_text", slots)
        return self._with_reason(f"{kind}_list", {**slots, "lead": self.book.say(lead, slots)})

    def _with_reason(self, name: str, slots: dict[str, str]) -> str:
        if not slots["reason"]:
            return self.book.say(name, slots)
        adverbial = slots["reason"].split()[0].lower() in _ADVERBS
        said = self.book.say("because" if adverbial else "reasons", slots)
        return self.book.say(f"{name}_reason", {**slots, "because": said})

    def _parts(self, scene: Scene, telling: Telling, slots: dict[str, str]) -> Iterator[str]:
        """The parts of a composite that are said, a paragraph each."""
        if scene.declared:
            scope = telling.scope(scene.declared)
            yield self.book.say("also_grant", {**slots, "scope": scope})
        for step in scene.texts:
            yield self._text(telling, step, slots, "part")

    def _later(self, scene: Scene, slots: dict[str, str]) -> str:
        assert scene.transition is not None
        event = "disregard" if scene.transition.event is Event.DISREGARD else "reinstate"
        if is_of_picture(scene):
            applied = next(
                one
                for one in self.scenes
                if one.transition is not None and one.transition.id == scene.transition.of
            )
            assert applied.picture is not None
            slots["revision"] = revision_of(self.scenario, applied.picture)
            return self.book.say(f"user_{event}_visual", slots)
        slots["reference"] = reference_to(self.scenes, scene)
        return self.book.say(f"user_{event}_text", slots)

    def _reply(self, scene: Scene) -> str:
        slots = self._slots(scene)
        if scene.step is None:
            if self.question is None:
                return self.book.say("reply_first", slots)
            slots["answered"] = self.book.say_one(self.question.answer, slots)
            kind = "request" if self.question.is_request else "topic"
            return self.book.say(f"reply_{kind}", slots)
        one = scene.step.transition
        if is_later(scene):
            return self.book.say(f"reply_{one.event}", slots)
        name = _REPLIES.get(one.operator)
        if name is None:
            name = f"reply_{OPERATORS[one.atomic].origin}"
            if scene.texts:
                slots["echoed"] = self._echo(scene)
        return self.book.say(name, slots)

    def _echo(self, scene: Scene) -> str:
        """One changed cell in other words; empty for larger updates."""
        (step,) = scene.texts
        mutation = step.transition.mutation
        if len(mutation.cells) != 1 or step.transition.atomic is Operator.TEXT_ENTITY_RENAME:
            return ""
        return Telling.of(scene, self.book).echo(mutation.cells[0])


def _lead(operator: Operator, mutation: Mutation) -> str:
    """What introduces a list; empty for an update that a sentence or two state."""
    holds = OPERATORS[operator].holds
    many = {"cells": mutation.cells, "blocks": mutation.blocks, "added": mutation.added}
    several = len(many.get(holds, mutation.rules)) > 1
    shared = {(one.field, one.value) for one in mutation.cells}
    if not several or (operator is Operator.TEXT_STATUS_CHANGE and len(shared) == 1):
        return ""
    if operator is Operator.TEXT_ENTITY_RENAME:
        return "lead_rename"
    leads = {"blocks": "lead_blocks", "added": "lead_add", "rules": "lead_rules"}
    return leads.get(holds, "lead_cells")


_ADVERBS = frozenset(
    (
        "after",
        "as",
        "because",
        "before",
        "by",
        "for",
        "following",
        "on",
        "since",
        "so",
        "to",
        "with",
    )
)
"""Words that a reason begins with which goes on a sentence; others are stated by themselves."""
_REPLIES = {
    Operator.WRONG_CONTEXT_ARTIFACT: "reply_foreign",
    Operator.UNRELATED_VISUAL: "reply_unrelated",
    Operator.COMPOSITE: "reply_composite",
    Operator.TEXT_RULE_CHANGE: "reply_rule",
}
