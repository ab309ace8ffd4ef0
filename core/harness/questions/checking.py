"""Checking drafts: one answer, the same by two ways, two images at least, minimal evidence."""

from collections.abc import Iterable, Iterator
from typing import Any

from mnemoscope.core.harness.questions.desk import Desk, Draft
from mnemoscope.core.harness.questions.evidence import (
    Witness,
    hartley,
    minimal_evidence,
    needs_two_images,
)
from mnemoscope.core.harness.questions.mined import Governing, MinedQuestion, Step
from mnemoscope.core.harness.questions.plan_history import Renamed
from mnemoscope.core.harness.questions.plan_premise import FalseInput
from mnemoscope.core.harness.questions.reading import Faults, UnreadError
from mnemoscope.core.harness.questions.source import Source
from mnemoscope.core.harness.questions.view import Look, Looking, TruthView, View, needs
from mnemoscope.core.harness.wording import rule_text
from mnemoscope.core.scoring.typed_gold import (
    ListGold,
    NameGold,
    RefusalGold,
    TypedGold,
    in_words,
)
from mnemoscope.core.state.component import ABSENT, Maybe, Part
from mnemoscope.core.state.field import FieldRole
from mnemoscope.core.state.rule import Clause, Priority
from mnemoscope.core.state.values import is_number

__all__ = ["Checker"]

_NEWEST = Faults(newest_image=True, no_texts=True)
_TRUSTING = Faults(trusting=True)


class Checker:
    """Turns drafts over one scenario into questions."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.disagreements: list[Draft] = []
        """Drafts whose answer is another one when it is read from what is visible."""

    def question(self, draft: Draft) -> MinedQuestion | None:
        """The question of a draft; None when it fails a check."""
        desk = self.desk
        truth = TruthView(desk.truths)
        try:
            gold = draft.plan.answer(truth)
        except UnreadError:
            return None
        witness = Witness(desk.reader, desk.last, draft.plan, desk.names.label)
        read, looks = witness.answer(desk.reader.all)
        if read != gold:
            self.disagreements.append(draft)
            return None
        found = hartley(desk.reader, looks)
        relevant = self._relevant(looks)
        if found.candidates < 2 or not needs_two_images(witness, relevant, gold):
            return None
        evidence = minimal_evidence(witness, relevant, gold)
        if not evidence:
            return None
        return MinedQuestion(
            draft.category,
            draft.family,
            draft.text,
            self._finished(draft, gold),
            self._texts(draft, gold),
            draft.plan,
            tuple(self._step(truth, one) for one in truth.looks),
            evidence,
            found,
            self._governing(looks),
            tuple(self._naive(witness, gold)),
        )

    def _naive(self, witness: Witness, gold: TypedGold) -> Iterator[str]:
        """The readings without memory that happen to give the answer."""
        reader = self.desk.reader
        if isinstance(gold, RefusalGold):
            return  # the naive reading goes along with what is claimed
        if witness.answer(reader.all, _NEWEST)[0] == gold:
            yield "newest_image"
        if witness.answer(frozenset(reader.images[:1]), _TRUSTING)[0] == gold:
            yield "first_image"

    def _relevant(self, looks: Iterable[Look]) -> frozenset[Source]:
        """Every source that says anything of what an answer looks at, up to its time."""
        reader = self.desk.reader
        found: set[Source] = set()
        for one in looks:
            sources = set(reader.sources(one.where))
            if one.how is Looking.SHOWN:
                sources = set(reader.displays(one.where, one.context))
            elif one.how is Looking.EVERYWHERE:
                contexts = {item.context for item in reader.items}
                sources.update(
                    image for each in contexts for image in reader.displays(one.where, each)
                )
            found |= {each for each in sources if each.place <= one.place}
        return frozenset(found)

    def _finished(self, draft: Draft, gold: TypedGold) -> TypedGold:
        """The gold with its premise in words, and with other names of those that it names."""
        if isinstance(gold, RefusalGold):
            return gold.model_copy(update={"premise": draft.premise})
        if isinstance(draft.plan, Renamed) or self._is_of_names(draft):
            return gold
        if isinstance(gold, ListGold):
            items = tuple(
                self._with_others(one) if isinstance(one, NameGold) else one for one in gold.items
            )
            return gold.model_copy(update={"items": items})
        return self._with_others(gold) if isinstance(gold, NameGold) else gold

    def _is_of_names(self, draft: Draft) -> bool:
        where = getattr(draft.plan, "where", None)
        field = self.desk.schema.field_by_key.get(where.field) if where else None
        return field is not None and field.role is FieldRole.NAME

    def _with_others(self, gold: NameGold) -> NameGold:
        return NameGold(name=gold.name, also=self.desk.names.also(gold.name))

    def _texts(self, draft: Draft, gold: TypedGold) -> tuple[str, ...]:
        if not isinstance(gold, RefusalGold):
            return (in_words(gold),)
        if not isinstance(draft.plan, FalseInput) or gold.actual is None:
            return (draft.premise,)
        return (f"{draft.premise} With what is accepted, the answer is {in_words(gold.actual)}.",)

    def _governing(self, looks: Iterable[Look]) -> Governing:
        known = tuple(looks)
        cells = set(needs(known))
        until: dict[Any, int] = {}
        for one in known:
            if one.where in cells:
                until[one.where] = max(until.get(one.where, 0), one.place)
        places = sorted(
            {
                at
                for where, limit in until.items()
                for at, _ in self.desk.truths.changes.get(where, ())
                if at <= limit
            }
        )
        blocks = self.desk.scenario.blocks
        records = self.desk.scenario.truth.trajectory.record_by_id
        transitions = tuple(blocks[at].transition for at in places)
        return Governing(
            transitions,
            tuple(records[one].transition.operator for one in transitions),
            self.desk.last - (places[-1] if places else 0),
        )

    def _step(self, truth: View, look: Look) -> Step:
        """What a look finds in the truth, in JSON and in words."""
        round_id = self.desk.scenario.blocks[look.place].round
        thing = self._thing(look)
        match look.how:
            case Looking.NAME:
                name = truth.name(look.where.entity)
                return Step(look, name, f"Name now: {name}.")
            case Looking.EVERYWHERE:
                return Step(look, None, f"Every image that shows {thing} was looked at.")
            case Looking.CHANGES:
                steps = truth.changes(look.where, look.first, look.place)
                values = [_json(content) for _, content in steps]
                told = ", ".join(self._told(look, content) for _, content in steps)
                start = self.desk.scenario.blocks[look.first].round
                words = f"Accepted of {thing} from round {start} to round {round_id}: {told}."
                return Step(look, values, words)
            case Looking.SHOWN:
                content = truth.shown(look.where, look.place, look.context)
                shown = self._told(look, content)
                words = f"Shown of {thing} on the last image up to round {round_id}: {shown}."
                return Step(look, _json(content), words)
        content = truth.accepted(look.where, look.place)
        words = f"Accepted of {thing} after round {round_id}: {self._told(look, content)}."
        return Step(look, _json(content), words)

    def _thing(self, look: Look) -> str:
        where, desk = look.where, self.desk
        name = desk.names.label.get(where.entity, where.entity)
        if where.part is Part.MEMBER:
            return f"whether {name} is there"
        if where.part is Part.ORDER:
            return f"the order {where.field}"
        if where.part is Part.CUE:
            return f"the styling of the {desk.column(where.field)} of {name}"
        if where.part is Part.RULE:
            return f"the rule {desk.schema.heading(where.field)}"
        return f"the {desk.column(where.field)} of {name}"

    def _told(self, look: Look, content: Maybe) -> str:
        if look.where.part is Part.MEMBER:
            return "no" if content is ABSENT else "yes"
        if look.where.part is Part.RULE:
            return rule_text(self.desk.schema, look.where.field, content)
        if look.where.part in (Part.CUE, Part.ORDER):
            words = content if isinstance(content, tuple) else (content,)
            return "none" if content is ABSENT else ", ".join(map(str, words))
        return "nothing" if content is ABSENT else self.desk.amount(look.where, content)


def _json(content: Maybe) -> Any:
    # Any: JSON.
    if isinstance(content, Priority):
        return [content.field, content.descending]
    if isinstance(content, tuple):
        return [_clause(one) if isinstance(one, Clause) else one for one in content]
    if content is None or isinstance(content, bool | str) or is_number(content):
        return content
    return None


def _clause(one: Clause) -> list[Any]:
    return [one.field, str(one.comparison), one.value]
