"""Where the taxonomy is."""

from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["path"]


def path() -> Traversable:
    """The taxonomy's file."""
    return files(__package__) / "reading.toml"
