"""Fulfilment: whether a text states what its turn has to state, no less and no more."""

import re
from collections.abc import Iterator, Sequence

from mnemoscope.core.harness.dialogue.duty import Duty, Reorder, Rewording
from mnemoscope.core.harness.dialogue.moves import moved
from mnemoscope.core.harness.dialogue.reading import Mark, Reader, Said, Sort
from mnemoscope.core.harness.dialogue.scene import Scene
from mnemoscope.core.harness.dialogue.speech import (
    amount_in_words,
    factor_in_words,
    rule_in_words,
    size_in_words,
)
from mnemoscope.core.harness.dialogue.turn import Slip
from mnemoscope.core.state.mutation import Transform
from mnemoscope.core.state.schema import Axis

__all__ = ["said_in_words", "unfulfilled"]

Fault = tuple[Slip, str, str]
_REMOVES = re.compile(r"\b(?:tak\w+ .* off|remov\w+|drop\w*|strike|delet\w+)\b", re.IGNORECASE)
_ADDS = re.compile(r"\b(?:add\w*|additions?|joins?|new|newcomers?|take up)\b", re.IGNORECASE)
_GRANTS = re.compile(
    r"\b(?:authoris\w+|overrul\w+|counts?|accept\w*|last word|take over|replace|rely|holds|"
    r"taken from the picture)\b",
    re.IGNORECASE,
)
_OLD = re.compile(r"\b(?:old|so far|used to|until now|instead of|was)\b", re.IGNORECASE)
_NEW = re.compile(r"\b(?:new|now|from here on|from now on|becomes|gives way to)\b", re.IGNORECASE)
_BEHIND = re.compile(r"\b(?:after|behind|below|follow)\b", re.IGNORECASE)
_TOP = re.compile(r"\b(?:top|first|open)\b", re.IGNORECASE)


def unfulfilled(text: str, scene: Scene, duty: Duty, reader: Reader) -> Iterator[Fault]:
    """What a text of the user leaves out, and what it states too much.

    Args:
        text: What the user says.
        scene: When.
        duty: What it has to state.
        reader: Reads it.
    """
    said = reader.said(text)
    for one in sorted(duty.said - said, key=repr):
        yield Slip.MISSING, "nothing that says so", said_in_words(scene, duty, one)
    for one in sorted(said - duty.said - duty.known, key=repr):
        yield Slip.MORE, said_in_words(scene, duty, one), "nothing of it"
    parts = [(part, reader.marks(part)) for part in text.split("\n\n")]
    if duty.added and not _ADDS.search(text):
        yield Slip.MISSING, "no such word", "that something is added"
    for gone in duty.removed:
        if not any(_removes(part, marks, gone) for part, marks in parts):
            yield Slip.MISSING, "no such sentence", f"the removal of {len(gone)} by name"
    pairs = [found for _, marks in parts if (found := _pairs(marks)) <= duty.renamed]
    if set().union(*pairs) != duty.renamed:
        yield Slip.MISSING, "other names", "each old name followed by its new one"
    if duty.scope and not any(
        _GRANTS.search(part) and _scope(reader, marks) == duty.scope for part, marks in parts
    ):
        yield Slip.MISSING, "another scope", f"{len(duty.scope)} cells for which the picture counts"
    for reorder in duty.reorders:
        if not any(_reorders(scene, part, marks, reorder) for part, marks in parts):
            yield Slip.MISSING, "another order", "the new order, or the moves that lead to it"
    for rule in duty.rewordings:
        if not _rewords(scene, text, rule):
            yield Slip.MISSING, "other wordings", f"old and new of {scene.schema.heading(rule.key)}"
    named = {
        key
        for _, marks in parts
        for one in marks
        if one.key and (key := one.key) and one.sort is Sort.ENTITY
    }
    known = duty.entities | {duty.names[new] for _, new in duty.renamed}
    yield from ((Slip.NAME, repr(one), "nobody else") for one in sorted(named - known))


def said_in_words(scene: Scene, duty: Duty, said: Said) -> str:
    """One thing that is stated of a cell, in words for people and models."""
    schema = scene.schema
    called = {entity: name for name, entity in duty.names.items()}
    who = called.get(said.entity) or scene.names.get(said.entity, "somebody")
    heading, amount = schema.heading(said.field), said.amount
    if said.transform is Transform.SET or not isinstance(amount, int | float):
        return f"{who}: {heading} {amount_in_words(schema, said.field, amount)}"
    if said.transform is Transform.SCALE:
        return f"{who}: {heading} multiplied by {factor_in_words(amount)}"
    way = "up" if amount > 0 else "down"
    return f"{who}: {heading} {way} by {size_in_words(schema, [said.field], amount)}"


def _entities(marks: Sequence[Mark]) -> list[Mark]:
    return [one for one in marks if one.sort is Sort.ENTITY]


def _removes(part: str, marks: Sequence[Mark], gone: set[str]) -> bool:
    return bool(_REMOVES.search(part)) and {one.key for one in _entities(marks)} == gone


def _pairs(marks: Sequence[Mark]) -> set[tuple[str, str]]:
    names = [one.text for one in _entities(marks)]
    return set(zip(names[::2], names[1::2], strict=False)) if len(names) % 2 == 0 else set()


def _scope(reader: Reader, marks: Sequence[Mark]) -> set[tuple[str, str]]:
    """Pairs of entities and fields: each run of the one sort with the run that follows."""
    kinds = {Sort.ENTITY: 0, Sort.COVER: 0, Sort.FIELD: 1}
    relevant = [(kinds[one.sort], one) for one in marks if one.sort in kinds]
    if not relevant:
        return set()
    first = relevant[0][0]
    found: set[tuple[str, str]] = set()
    group: tuple[list[str], list[str]] = [], []
    last = first
    for kind, one in (*relevant, (first, None)):
        if kind == first and last != first:
            found |= {(entity, key) for entity in group[0] for key in group[1]}
            group = [], []
        if one is not None:
            group[kind].extend(reader.entities(one) if kind == 0 else [one.key])
        last = kind
    return found


def _reorders(scene: Scene, part: str, marks: Sequence[Mark], wanted: Reorder) -> bool:
    """Whether a paragraph gives an order in full, or the moves that lead to it."""
    axis = scene.schema.ordering_by_key[wanted.key].axis
    found = [(one, key) for one in marks if (key := _in_order(axis, one, wanted))]
    if tuple(key for _, key in found) == wanted.new:
        return True
    order = wanted.old
    for start, end in _chunks(part):
        inside = [(one, key) for one, key in found if start <= one.start < end]
        chunk = part[start:end]
        match inside:
            case []:
                continue
            case [(first, key), (second, after)] if _BEHIND.search(part, first.end, second.start):
                order = moved(order, key, after)
            case [(_, key)] if _TOP.search(chunk):
                order = moved(order, key, "")
            case _:
                return False
    return order == wanted.new


def _in_order(axis: Axis, mark: Mark, wanted: Reorder) -> str:
    if axis is Axis.ENTITIES and mark.sort is Sort.ENTITY:
        return mark.key
    if axis is Axis.FIELDS and mark.sort is Sort.FIELD:
        return mark.key
    if axis is Axis.GROUPS and mark.sort is Sort.QUOTED and mark.text in wanted.old:
        return mark.text
    return ""


def _chunks(part: str) -> Iterator[tuple[int, int]]:
    ends = [match.start() for match in re.finditer(r", then |; |\. |\n", part)]
    yield from zip([0, *ends], [*ends, len(part)], strict=True)


def _rewords(scene: Scene, text: str, one: Rewording) -> bool:
    """Whether both wordings are there, each with a word before it that says which it is."""
    schema = scene.schema
    name = text.find(schema.heading(one.key))
    old, new = (text.find(rule_in_words(schema, one.key, each)) for each in (one.old, one.new))
    if min(name, old, new) < 0:
        return False
    return _marked(text, old, new) == (_OLD, _NEW)


def _marked(text: str, old: int, new: int) -> tuple[re.Pattern[str] | None, ...]:
    """Which of the two kinds of words comes last before each place."""

    def nearest(place: int) -> re.Pattern[str] | None:
        last = {
            words: max((match.end() for match in words.finditer(text, 0, place)), default=-1)
            for words in (_OLD, _NEW)
        }
        best = max(last, key=lambda one: last[one])
        return best if last[best] >= 0 else None

    return nearest(old), nearest(new)
