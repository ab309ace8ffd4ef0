"""LoCoMo's categories by the names that one family of systems gives them.

The same number has different names in different systems, and the same name different numbers:
LoCoMo's paper calls number 1 multi-hop, this family calls number 3 that. A table therefore belongs
to the forms that use it, and to no other.
"""

from mnemoscope.core.reading import Node

__all__ = ["read_named_category"]

_NUMBERS = {
    "single hop": "1",
    "temporal": "2",
    "multi hop": "3",
    "open domain": "4",
    "adversarial": "5",
}
"""The names in AMB's and smriti's files (other-releases.md, rule 2)."""


def read_named_category(row: Node, key: str = "category") -> str:
    """LoCoMo's number of a category that AMB or smriti names; a number stays as it is."""
    value = row.data.get(key)
    if type(value) is str:
        name = value.strip().casefold().replace("-", " ").replace("_", " ")
        if name in _NUMBERS:
            return _NUMBERS[name]
    text = str(value) if type(value) is int else value
    if type(text) is str and text in _NUMBERS.values():
        return text
    if value is not None:
        row.wrong(key, f"one of {', '.join(_NUMBERS)}")
    return ""
