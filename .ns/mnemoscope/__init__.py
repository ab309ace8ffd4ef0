"""A terminal workbench for people who build and evaluate long-term memory for agents.

The layers import downwards only: ``tui`` > ``viewers`` > ``analyses`` > ``core``.
"""

__all__ = ["__version__"]
__version__ = "0.1.0"
