"""Signs for what became of a question, the same as the app draws."""

__all__ = ["LEGEND", "sign"]

_SIGNS = {
    "right": "✓",
    "wrong": "✗",
    "failed": "!",
    "unparsed": "~",
    "not_judged": "?",
    "no_record": "–",
}

LEGEND = "  ".join(f"{sign} {name.replace('_', ' ')}" for name, sign in _SIGNS.items())
"""What the signs mean, on one line."""


def sign(name: str) -> str:
    """The sign of an outcome."""
    return _SIGNS[name]
