"""The lines of a file of captions, as pydantic models."""

from typing import Any, Literal

from pydantic import Field

from mnemoscope.core.model import Kind
from mnemoscope.core.schemas import Extra, Form, Sha256, Text, Whole

__all__ = ["CaptionLine", "CaptionsHead"]


class CaptionsHead(Form):
    """The first line of ``NAME.jsonl``: what made the captions. It never changes."""

    kind: Literal["mnemoscope-captions"]
    """Marks the file as ours."""
    schema_version: Whole
    """Version of this format."""
    name: Text = Field(min_length=1)
    """The variant that the captions are."""
    medium: Kind
    """What they are of."""
    granularity: Text
    """How much they tell: `brief`, `medium` or `detailed`."""
    language: Text
    """The language that they were asked for in."""
    model: Text
    """The model, by its name at the endpoint."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Temperature, limit and seed."""
    prompt: Text
    """Name and version of the prompt."""
    prompt_sha256: Sha256
    """Hash of the prompt as it was sent."""
    release: Text = ""
    """The release that they were first made for, for people; hashes decide."""
    tool_version: Text = ""
    """Version of mnemoscope."""
    extra: Extra
    """Anything else about the captions."""


class CaptionLine(Form):
    """Every other line: the caption of one file."""

    sha256: Sha256
    """Hash of the picture's or clip's file."""
    size: Whole
    """Its bytes."""
    caption: Text = Field(min_length=1)
    """What the model says of it."""
    extra: Extra
    """Anything else about the caption."""
