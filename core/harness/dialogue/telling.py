"""Telling: text updates in words, with every value that they bring."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from mnemoscope.core.harness.dialogue.coverage import coverage_of
from mnemoscope.core.harness.dialogue.moves import moves_between
from mnemoscope.core.harness.dialogue.phrasebook import Phrasebook
from mnemoscope.core.harness.dialogue.scene import Scene
from mnemoscope.core.harness.dialogue.speech import (
    amount_in_words,
    factor_in_words,
    joined,
    quoted,
    rule_in_words,
    size_in_words,
)
from mnemoscope.core.state.component import rule, sequence
from mnemoscope.core.state.field import FieldKind
from mnemoscope.core.state.mutation import Block, CellValue, Mutation, NewEntity, Transform
from mnemoscope.core.state.operators import OPERATORS, Operator
from mnemoscope.core.state.schema import Axis
from mnemoscope.core.state.transition import Step

__all__ = ["Telling", "block_fields"]

_FEW_MOVES = 2
"""How many moves a reordering is told as; beyond that it is told in full."""


def block_fields(scene: Scene, block: Block, roles: Iterable[str]) -> tuple[str, ...]:
    """The columns that a block is about."""
    numeric = block.transform is not Transform.SET
    return block.fields or tuple(
        one.key
        for one in scene.schema.fields
        if one.role in roles and (not numeric or one.kind is FieldKind.NUMBER)
    )


@dataclass(frozen=True)
class Telling:
    """Tells the updates of one scene."""

    scene: Scene
    book: Phrasebook
    names: dict[str, str]
    """What entities are called as the telling goes on: renames and additions count from there."""

    @classmethod
    def of(cls, scene: Scene, book: Phrasebook) -> "Telling":
        """A telling that starts with the names that are accepted."""
        return cls(scene, book, dict(scene.names))

    def body(self, step: Step) -> str:
        """What one text update changes, in full."""
        operator, mutation = step.transition.atomic, step.transition.mutation
        ways: Mapping[str, Callable[[Step, Mutation], str]] = {
            "cells": self._cells,
            "blocks": self._blocks,
            "added": self._added,
            "removed": self._removed,
            "order": self._order,
            "rules": self._rules,
        }
        if operator is Operator.TEXT_ENTITY_RENAME:
            return self._renames(mutation)
        if operator is Operator.TEXT_STATUS_CHANGE and self._is_shared(mutation):
            return self._status(mutation)
        return ways[OPERATORS[operator].holds](step, mutation)

    def echo(self, one: CellValue) -> str:
        """One changed cell, as the assistant repeats it in the middle of a sentence."""
        name = f"echo_{_change(one)}"
        return _possessive(self.book.say(name, self._slots(one), capital=False))

    def scope(self, steps: Iterable[Step]) -> str:
        """The cells that a declaration authorises, without their values."""
        parts: list[str] = []
        for step in steps:
            mutation = step.transition.mutation
            by_fields: dict[tuple[str, ...], list[str]] = {}
            for entity in dict.fromkeys(one.entity for one in mutation.cells):
                keys = tuple(one.field for one in mutation.cells if one.entity == entity)
                by_fields.setdefault(keys, []).append(self._shown(entity))
            parts += [f"{self._headings(keys)} of {joined(es)}" for keys, es in by_fields.items()]
            for block in mutation.blocks:
                fields = block_fields(self.scene, block, OPERATORS[step.transition.atomic].roles)
                cover = coverage_of(self.scene, step, block, self.names)
                parts.append(f"{self._headings(fields)} of {cover}")
        return "; ".join(parts)

    def _say(self, name: str, **slots: str) -> str:
        words = {
            "entity": self.scene.pack.entity.replace("_", " "),
            "plural": self.scene.pack.plural,
        }
        return self.book.say(name, {**words, **slots})

    def _shown(self, entity: str) -> str:
        """An entity by name, with the one on the picture where that differs."""
        said, shown = self.names[entity], self.scene.shown_names.get(entity)
        if shown in (None, said) or self.scene.declared != self.scene.updates:
            return said
        return f"{said} (“{shown}” on the picture)"

    def _headings(self, keys: Iterable[str]) -> str:
        return joined(map(self.scene.schema.heading, keys))

    def _cells(self, step: Step, mutation: Mutation) -> str:
        group = step.transition.atomic is Operator.TEXT_GROUP_REASSIGN
        if len(mutation.cells) == 1:
            (one,) = mutation.cells
            return self._cell(one, "regroup" if group else f"cell_{_change(one)}")
        # A list keeps to one style.
        if group:
            form = self.book.draw("regroup_item")
            items = [self.book.say_one([form], self._slots(one)) for one in mutation.cells]
        else:
            style = self.book.draw("item_styles")
            items = [self._cell(one, f"{style}_{_change(one)}") for one in mutation.cells]
        return "\n".join(f"- {one}" for one in items)

    def _cell(self, one: CellValue, name: str) -> str:
        return _possessive(self.book.say(name, self._slots(one)))

    def _slots(self, one: CellValue) -> dict[str, str]:
        schema = self.scene.schema
        slots = {"e": self.names[one.entity], "f": schema.heading(one.field)}
        if one.delta is None:
            return {**slots, "v": amount_in_words(schema, one.field, one.value)}
        size = size_in_words(schema, [one.field], one.delta)
        return {**slots, "v": size, "way": "up" if one.delta > 0 else "down"}

    def _is_shared(self, mutation: Mutation) -> bool:
        return len({(one.field, one.value) for one in mutation.cells}) == 1

    def _status(self, mutation: Mutation) -> str:
        first = mutation.cells[0]
        schema = self.scene.schema
        text = self._say(
            "restatus",
            es=joined(self.names[one.entity] for one in mutation.cells),
            f=schema.heading(first.field),
            v=amount_in_words(schema, first.field, first.value),
        )
        return text if len(mutation.cells) > 1 else f"{text} {self._say('restatus_after')}"

    def _blocks(self, step: Step, mutation: Mutation) -> str:
        said = [self._block(step, one) for one in mutation.blocks]
        return said[0] if len(said) == 1 else "\n".join(f"- {one}" for one in said)

    def _block(self, step: Step, block: Block) -> str:
        schema = self.scene.schema
        fields = block_fields(self.scene, block, OPERATORS[step.transition.atomic].roles)
        one = len(fields) == 1
        amount = block.amount
        slots = {
            "fs": self._headings(fields),
            "cover": coverage_of(self.scene, step, block, self.names),
            "goes": "goes" if one else "go",
            "has": "has" if one else "have",
            "is": "is" if one else "are",
        }
        match block.transform:
            case Transform.SET:
                said = amount_in_words(schema, fields[0], amount)
                return self._say("block_set_text", v=said, **slots)
            case Transform.SCALE:
                return self._say("block_scale_text", v=factor_in_words(amount), **slots)
        assert isinstance(amount, int | float)
        way = "up" if amount > 0 else "down"
        size = size_in_words(schema, fields, amount)
        return self._say("block_shift_text", v=size, way=way, **slots)

    def _added(self, step: Step, mutation: Mutation) -> str:
        for one in mutation.added:
            self.names[one.key] = self._new_name(one)
        if len(mutation.added) == 1:
            (one,) = mutation.added
            text = self._say("add_one", e=self.names[one.key], facts=self._facts(one))
            return f"{text} {self._say('add_after')}" if self._has_gaps(one) else text
        items = [
            self._say("add_item", e=self.names[one.key], facts=self._facts(one))
            for one in mutation.added
        ]
        return "\n".join(f"- {one}" for one in items)

    def _new_name(self, one: NewEntity) -> str:
        names = self.scene.schema.name_field
        return str(one.values[names.key]) if names else one.key

    def _facts(self, one: NewEntity) -> str:
        schema = self.scene.schema
        names = schema.name_field
        return ", ".join(
            f"{schema.heading(key)} {amount_in_words(schema, key, content)}"
            for key, content in one.values.items()
            if names is None or key != names.key
        )

    def _has_gaps(self, one: NewEntity) -> bool:
        return len(one.values) < len(self.scene.schema.fields)

    def _removed(self, step: Step, mutation: Mutation) -> str:
        text = self._say("remove_all", es=joined(self.names[one] for one in mutation.removed))
        if not mutation.block or len(mutation.removed) == 1:
            return text
        return f"{text} {self._say('remove_block', block=quoted(mutation.block))}"

    def _renames(self, mutation: Mutation) -> str:
        several = len(mutation.cells) > 1
        form = self.book.draw("rename_item" if several else "rename_one")
        said = []
        for one in mutation.cells:
            slots = {"e": self.names[one.entity], "n": str(one.value)}
            said.append(self.book.say_one([form], slots))
            self.names[one.entity] = str(one.value)
        if not several:
            return f"{said[0]} {self._say('rename_after')}"
        return "\n".join(f"- {one}" for one in said)

    def _order(self, step: Step, mutation: Mutation) -> str:
        if mutation.rules:
            return self._rules(step, mutation)
        axis = self.scene.schema.ordering_by_key[mutation.order]
        label = {
            Axis.ENTITIES: f"the order of the {self.scene.pack.plural}",
            Axis.FIELDS: "the order of the columns",
            Axis.GROUPS: f"the order of {quoted(self.scene.schema.heading(axis.field))}",
        }[axis.axis]
        old = sequence(step.before.accepted, mutation.order)
        moves = moves_between(old, mutation.sequence)
        if len(moves) > _FEW_MOVES:
            listed = ", ".join(self._in_order(axis.axis, one) for one in mutation.sequence)
            return self._say("order_all", axis=label, list=listed)
        said = []
        for one, after in moves:
            slots = {"e": self._in_order(axis.axis, one)}
            if after:
                slots["p"] = self._in_order(axis.axis, after)
            form = "move_one" if after else "move_top"
            said.append(self.book.say(form, slots, capital=False))
        after_note = self._say("order_after")
        return f"{self._say('order_moves', axis=label, moves=', then '.join(said))} {after_note}"

    def _in_order(self, axis: Axis, key: str) -> str:
        if axis is Axis.ENTITIES:
            return self.names[key]
        return self.scene.schema.heading(key) if axis is Axis.FIELDS else quoted(key)

    def _rules(self, step: Step, mutation: Mutation) -> str:
        schema = self.scene.schema
        said = [
            self._say(
                "rule_one",
                r=quoted(schema.heading(one.key)),
                old=rule_in_words(schema, one.key, step.before.accepted[rule(one.key)]),
                new=rule_in_words(schema, one.key, one.content),
            )
            for one in mutation.rules
        ]
        text = said[0] if len(said) == 1 else "\n".join(f"- {one}" for one in said)
        return text if len(said) > 1 else f"{text} {self._say('rule_after')}"


def _change(one: CellValue) -> str:
    return "set" if one.delta is None else "shift"


def _possessive(text: str) -> str:
    """A text in which names that end in s have their own genitive."""
    return text.replace("s's ", "s' ")
