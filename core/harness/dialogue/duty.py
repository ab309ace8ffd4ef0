"""Duties: what a turn has to state, and what it must not say."""

from collections.abc import Iterator
from dataclasses import dataclass

from mnemoscope.core.harness.dialogue.reading import Said
from mnemoscope.core.harness.dialogue.scene import Scene
from mnemoscope.core.harness.dialogue.speech import BLANK
from mnemoscope.core.state.component import Absent, Content, Maybe, Part, members, rule, sequence
from mnemoscope.core.state.field import FieldKind, FieldRole
from mnemoscope.core.state.mutation import Block, Transform
from mnemoscope.core.state.operators import OPERATORS, Operator
from mnemoscope.core.state.rule import Clause
from mnemoscope.core.state.transition import Cause, Step
from mnemoscope.core.state.values import Scalar

__all__ = ["Duty", "Reorder", "Rewording", "duty_of", "hidden_in"]

_COUNTED = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)


@dataclass(frozen=True)
class Reorder:
    """An order that a text replaces."""

    key: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True)
class Rewording:
    """A rule that a text replaces."""

    key: str
    old: Content
    new: Content


@dataclass
class Duty:
    """What the user's text of one turn has to state, no less and no more."""

    said: set[Said]
    """What is done to cells."""
    scope: set[tuple[str, str]]
    """The cells that a picture is authorised for: entities and fields."""
    known: set[Said]
    """What it may say besides, since it holds already: the group of those who are removed."""
    added: set[str]
    removed: list[set[str]]
    """Of each removal, who goes."""
    renamed: set[tuple[str, str]]
    """Old and new names."""
    reorders: list[Reorder]
    rewordings: list[Rewording]
    names: dict[str, str]
    """What entities may be called in it, and which they are."""

    @property
    def numbers(self) -> set[float]:
        """The numbers that it states."""
        found = {float(abs(one)) for one in map(_number, self.said) if one is not None}
        for one in self.rewordings:
            found |= {float(abs(n)) for n in (*_numbers(one.old), *_numbers(one.new))}
        return found

    @property
    def quotes(self) -> set[str]:
        """The values in quotes that it states."""
        found = [one.amount for one in self.said | self.known if not _is_number(one.amount)]
        for one in self.rewordings:
            for content in (one.old, one.new):
                clauses = content if isinstance(content, tuple) else ()
                found += [each.value for each in clauses if isinstance(each, Clause)]
        return {_in_quotes(one) for one in found}

    @property
    def entities(self) -> set[str]:
        """Whom it is about."""
        named = {one.entity for one in self.said} | {entity for entity, _ in self.scope}
        moved = {one for each in self.reorders if each.key == "entities" for one in each.new}
        return named.union(moved, self.added, *self.removed)


def _in_quotes(content: Scalar) -> str:
    if isinstance(content, bool):
        return "yes" if content else "no"
    return BLANK if content is None else str(content)


def _number(said: Said) -> int | float | None:
    amount = said.amount
    return None if isinstance(amount, bool | str | None) else amount


def _is_number(content: object) -> bool:
    return isinstance(content, int | float) and not isinstance(content, bool)


def _numbers(content: Content) -> Iterator[int | float]:
    if isinstance(content, tuple):
        for one in content:
            if isinstance(one, Clause) and isinstance(one.value, int | float):
                yield one.value
    elif isinstance(content, int | float):
        yield content


def duty_of(scene: Scene) -> Duty:
    """What the user has to state in a scene."""
    duty = Duty(set(), set(), set(), set(), [], set(), [], [], {})
    names = dict(scene.names)
    for step in scene.texts:
        _add_text(duty, scene, step, names)
    for step in scene.declared:
        duty.scope |= set(_scope(scene, step))
    about = duty.entities
    for entity, name in (*scene.shown_names.items(), *names.items(), *scene.names.items()):
        shown_only = entity in scene.shown_names and name == scene.shown_names[entity]
        if entity in about and (not shown_only or scene.declared or name == names.get(entity)):
            duty.names[name] = entity
    for old, new in duty.renamed:
        entity = next(one for one, name in names.items() if name == new)
        duty.names |= {old: entity, new: entity}
    return duty


def _add_text(duty: Duty, scene: Scene, step: Step, names: dict[str, str]) -> None:
    mutation, accepted = step.transition.mutation, step.before.accepted
    if step.transition.atomic is Operator.TEXT_ENTITY_RENAME:
        for one in mutation.cells:
            duty.renamed.add((names[one.entity], str(one.value)))
            names[one.entity] = str(one.value)
        return
    for one in mutation.cells:
        delta = one.delta is not None
        amount = one.delta if delta else one.value
        assert not isinstance(amount, Absent)
        transform = Transform.SHIFT if delta else Transform.SET
        duty.said.add(Said(one.entity, one.field, transform, amount))
    for block in mutation.blocks:
        for entity, key in _cells(scene, step, block):
            duty.said.add(Said(entity, key, block.transform, block.amount))
    name_field = scene.schema.name_field
    for new in mutation.added:
        duty.added.add(new.key)
        for key, content in new.values.items():
            if name_field is not None and key == name_field.key:
                names[new.key] = str(content)
            else:
                duty.said.add(Said(new.key, key, Transform.SET, content))
    if mutation.removed:
        duty.removed.append(set(mutation.removed))
        for key in scene.schema.of_role(FieldRole.GROUP) if mutation.block else ():
            for entity in mutation.removed:
                duty.known.add(Said(entity, key, Transform.SET, mutation.block))
    if mutation.order:
        old = sequence(accepted, mutation.order)
        duty.reorders.append(Reorder(mutation.order, old, mutation.sequence))
    for changed in mutation.rules:
        old_content = accepted[rule(changed.key)]
        duty.rewordings.append(Rewording(changed.key, old_content, changed.content))


def _scope(scene: Scene, step: Step) -> Iterator[tuple[str, str]]:
    mutation = step.transition.mutation
    yield from ((one.entity, one.field) for one in mutation.cells)
    for block in mutation.blocks:
        yield from _cells(scene, step, block)


def _cells(scene: Scene, step: Step, block: Block) -> Iterator[tuple[str, str]]:
    """The cells of a block as it is worded: blank ones are covered, too."""
    declared = bool(scene.declared) and step in scene.declared
    base = step.before.visual if declared else step.before.accepted
    roles = OPERATORS[step.transition.atomic].roles
    numeric = block.transform is not Transform.SET
    fields = block.fields or tuple(
        one.key
        for one in scene.schema.fields
        if one.role in roles and (not numeric or one.kind is FieldKind.NUMBER)
    )
    for entity in block.entities or members(base):
        yield from ((entity, key) for key in fields)


def hidden_in(scene: Scene) -> set[str]:
    """The words for what a picture alone shows, or what a withdrawn update holds.

    Of changed cells the contents before and after; small numbers as they are spelled. Numbers in
    digits are not among them: a turn may have none but its own.
    """
    steps = [*scene.visuals, *scene.declared]
    if not scene.updates and scene.step is not None:
        steps = [scene.step]
    found: set[str] = set()
    for step in steps:
        for change in step.changes:
            if change.cause is Cause.DIRECT and change.component.part is Part.CELL:
                for content in (change.before, change.after):
                    found |= set(_words(content))
        found |= {step.transition.mutation.block} - {""}
    return found


def _words(content: Maybe) -> Iterator[str]:
    if isinstance(content, bool):
        yield "yes" if content else "no"
    elif isinstance(content, str):
        yield content
    elif isinstance(content, int | float):
        yield from (word for number, word in enumerate(_COUNTED, 2) if number == content)
