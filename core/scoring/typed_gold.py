"""Typed gold: what ``gold.value`` says where a rule is to judge answers.

The form is for questions whose answer is computed, as those of the harness are. Other releases may
put any JSON value there: :func:`read_typed_gold` says so of theirs.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, RootModel, TypeAdapter, ValidationError, model_serializer

from mnemoscope.core.schemas import Flag, Form, Number, Text, Whole

__all__ = [
    *("CountGold", "FlagGold", "ListGold", "NameGold", "NumberGold", "PremiseProblem"),
    *("RefusalGold", "SimpleGold", "TextGold", "TypedGold", "TypedGoldValue", "in_words"),
    "read_typed_gold",
]


class _Typed(Form):
    """A gold that is written with its type first."""

    @model_serializer(mode="wrap")
    def _with_type(self, rest: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        # Any: pydantic hands itself over and gets JSON back.
        return {"type": getattr(self, "type"), **rest(self)}  # noqa: B009  each class declares it


class NumberGold(_Typed):
    """A number with its unit."""

    type: Literal["number"] = "number"
    """Says which form it is."""
    number: Whole | Number
    """The right number."""
    unit: Text = ""
    """Its unit; an answer may leave it out, and may not give another."""
    also_units: tuple[Text, ...] = ()
    """Other units that say the same here: between two percentages, percentage points and %."""
    decimals: Whole | None = None
    """How many digits after the point the source has; none for any number."""
    tolerance: Whole | Number = 0
    """The largest absolute difference from it that is still right."""


class CountGold(_Typed):
    """How many there are."""

    type: Literal["count"] = "count"
    """Says which form it is."""
    count: Whole
    """The right count; no other is."""


class TextGold(_Typed):
    """A choice or a short text, as artifacts write it."""

    type: Literal["text"] = "text"
    """Says which form it is."""
    text: Text
    """The right text."""
    also: tuple[Text, ...] = ()
    """Other ways to say it."""


class NameGold(_Typed):
    """What somebody or something is called."""

    type: Literal["name"] = "name"
    """Says which form it is."""
    name: Text
    """The name that it has."""
    also: tuple[Text, ...] = ()
    """Other names that mean the same entity and no other, and are as good here."""


class FlagGold(_Typed):
    """Yes or no."""

    type: Literal["yes_no"] = "yes_no"
    """Says which form it is."""
    yes: Flag
    """Whether yes is right."""


SimpleGold = Annotated[
    NumberGold | CountGold | TextGold | NameGold | FlagGold, Field(discriminator="type")
]
"""A gold that is one value."""


class ListGold(_Typed):
    """Several values, all of them and no others."""

    type: Literal["list"] = "list"
    """Says which form it is."""
    ordered: Flag
    """Whether their order counts; where it does, a value may occur twice."""
    items: tuple[SimpleGold, ...]
    """The values; none when the right answer is that there are none."""


class PremiseProblem(StrEnum):
    """What is false about what a question takes for granted."""

    WITHDRAWN = "withdrawn"
    """It rests on an update that was withdrawn."""
    SUPERSEDED = "superseded"
    """It was accepted once, and something else is now."""
    NOT_ACCEPTED = "not_accepted"
    """An artifact displays it; it was never accepted."""
    REMOVED = "removed"
    """It is about an entity that was removed."""
    RENAMED = "renamed"
    """It takes two names of one entity for two entities."""
    WRONG_CONTEXT = "wrong_context"
    """It belongs to another period, region or run."""
    NEVER_SHOWN = "never_shown"
    """Nothing in the conversation says it."""
    NEVER_HAPPENED = "never_happened"
    """It is about a change that did not take place, or not in this direction."""


class RefusalGold(_Typed):
    """The right answer corrects what the question takes for granted, or declines."""

    type: Literal["refusal"] = "refusal"
    """Says which form it is."""
    problem: PremiseProblem
    """What kind of falsehood it is."""
    premise: Text
    """What is false, and what is the case, in a sentence."""
    claimed: SimpleGold | None = None
    """What the question takes for granted; an answer that gives it as the case is wrong."""
    actual: SimpleGold | ListGold | None = None
    """What is the case; an answer that gives it has corrected the premise. None where there is
    nothing to give, and only declining is right."""


TypedGold = Annotated[
    NumberGold | CountGold | TextGold | NameGold | FlagGold | ListGold | RefusalGold,
    Field(discriminator="type"),
]


class TypedGoldValue(RootModel[TypedGold]):
    """``gold.value`` of a question whose ``gold.kind`` is ``value``."""


_ADAPTER: TypeAdapter[TypedGold] = TypeAdapter(TypedGold)


def read_typed_gold(value: object) -> TypedGold | None:
    """The typed gold that a JSON value is; None when it is not of this form."""
    try:
        return _ADAPTER.validate_python(value)
    except ValidationError:
        return None


def in_words(gold: TypedGold) -> str:
    """A gold as one would say it."""
    match gold:
        case NumberGold():
            digits = "" if gold.decimals is None else f".{gold.decimals}f"
            return _with_unit(f"{gold.number:,{digits}}", gold.unit)
        case CountGold():
            return str(gold.count)
        case TextGold():
            return gold.text
        case NameGold():
            return gold.name
        case FlagGold():
            return "yes" if gold.yes else "no"
        case ListGold():
            return ("; " if gold.ordered else ", ").join(map(in_words, gold.items)) or "none"
        case RefusalGold():
            return gold.premise


def _with_unit(number: str, unit: str) -> str:
    """A number with its unit, as tables have it: ``$0.320/task``, ``61.5%``, ``34.1 s``."""
    if unit.startswith("$"):
        return f"{'-' if number.startswith('-') else ''}${number.removeprefix('-')}{unit[1:]}"
    return f"{number}{unit}" if unit.startswith(("%", "/")) else f"{number} {unit}".strip()
