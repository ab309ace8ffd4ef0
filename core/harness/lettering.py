"""The characters that artifacts can be lettered with."""

import string

__all__ = ["LETTERING", "undrawable"]

LETTERING = frozenset(string.ascii_letters + string.digits + string.punctuation + " °±·…’“”")
"""Those of the typeface that Pillow brings along: no other font has to be installed, and the bytes
of an artifact are the same on every machine with the same Pillow."""


def undrawable(text: str) -> str:
    """The characters of a text that the typeface lacks, each once."""
    return "".join(dict.fromkeys(one for one in text if one not in LETTERING))
