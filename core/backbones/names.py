"""What backbones are called in files, and where figures stand."""

__all__ = ["EMBEDDED", "shown_name"]

EMBEDDED = "embedded"
"""The backbone that needs no model and no network."""
_FLOOR = "floor baseline"


def shown_name(id: str) -> str:
    """The name that stands beside a backbone's figures: that of ours says what it is."""
    return f"{id} ({_FLOOR})" if id == EMBEDDED else id
