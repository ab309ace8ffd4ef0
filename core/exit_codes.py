"""What the command's exit status means."""

from enum import IntEnum

__all__ = ["ExitCode"]


class ExitCode(IntEnum):
    """Exit codes of every verb."""

    OK = 0
    """Done."""
    DEFECTS = 1
    """Defects were found, or a gate was not met."""
    USAGE = 2
    """Usage, configuration, or unreadable input."""
    UNMEASURED = 3
    """Finished, with unmeasured records above the tolerance."""
    BUDGET = 4
    """A budget stopped the run; it can be resumed."""
    PROVIDER = 5
    """The provider is unreachable or refuses the key."""
    INTERRUPTED = 130
    """Interrupted by the user."""
