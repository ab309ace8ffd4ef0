"""The colours of artifacts: plain on white, told apart also by people who see fewer colours."""

__all__ = [
    "AXIS",
    "CHANGED",
    "FAINT",
    "GROUPS",
    "INK",
    "LINES",
    "PAPER",
    "QUIET",
    "TINTS",
    "ZEBRA",
    "lighter",
]

INK, QUIET, FAINT = "#1b1f24", "#57606a", "#d0d7de"
PAPER, ZEBRA, AXIS = "#ffffff", "#f3f6f9", "#8c959f"
CHANGED = "#c0262d"
GROUPS = ("#2f6fab", "#d07a1f", "#3c8d5a", "#8a5aa8", "#b8474d", "#4b5560")
"""Of groups, in the order that the schema lists them."""
TINTS = ("#dcebdf", "#fbeccb", "#e3e6ea", "#f6dcd6", "#dfe6f5", "#ece0f0")
"""Of what stands on plans, light enough to be lettered on."""
LINES = (
    *("#2f6fab", "#d07a1f", "#3c8d5a", "#b8474d", "#8a5aa8", "#6b4c3b"),
    *("#c25b97", "#5d6770", "#a39a1e", "#2397a6", "#173f63", "#7d4209"),
)
"""Of lines; with the shapes of their markers they tell many apart."""


def lighter(colour: str, share: float) -> str:
    """A colour mixed with white; a share of 1 is white."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (255 - one) * share):02x}" for one in parts)
