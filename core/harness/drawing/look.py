"""What a drawing needs to know of a pack besides the exhibit: colours, and the parts of fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mnemoscope.core.harness.drawing.palette import GROUPS, TINTS
from mnemoscope.core.harness.exhibit import Exhibit
from mnemoscope.core.harness.pack import Artifact, ArtifactKind, Pack
from mnemoscope.core.harness.wording import heading_of

__all__ = ["Look", "look_of"]


@dataclass(frozen=True, slots=True)
class Look:
    """How an artifact is drawn."""

    accent: str
    groups: tuple[str, ...] = ()
    """Groups in the order of the legend."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Of groups."""
    tints: Mapping[str, str] = field(default_factory=dict)
    """Of the values that stands are tinted by, in the order of the schema."""
    tint: str = ""
    """The heading of that field."""
    footprint: tuple[str, str] = ("", "")
    """The headings of area and frontage."""


def look_of(pack: Pack, artifact: Artifact | None, exhibit: Exhibit) -> Look:
    """How one of a pack's artifacts is drawn."""
    if artifact is None or artifact.group is None:
        return Look(pack.accent)
    schema = pack.state_schema
    choices = schema.field_by_key[artifact.group].choices
    colours = dict(zip(choices, GROUPS, strict=False))
    if artifact.kind is ArtifactKind.PLAN:
        assert artifact.tint is not None
        assert artifact.footprint is not None
        tints = dict(zip(schema.field_by_key[artifact.tint].choices, TINTS, strict=False))
        area, front = (heading_of(schema, one) for one in artifact.footprint)
        heading = heading_of(schema, artifact.tint)
        return Look(pack.accent, exhibit.groups, colours, tints, heading, (area, front))
    return Look(pack.accent, exhibit.groups, colours)
