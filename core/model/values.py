"""How the model's values are declared."""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

__all__ = ["value"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """Declare a value: a dataclass with slots that nothing may change once it is made.

    The type checker holds that nothing does. A dataclass frozen at run time sets every field
    through ``object.__setattr__``, which is four to seven times as slow as an assignment; reading a
    release makes tens of thousands of values, and that was a third of the time it took.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
