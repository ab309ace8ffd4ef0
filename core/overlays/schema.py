"""The file of an overlay of ours, as a pydantic model."""

from typing import Literal

from pydantic import Field, model_validator

from mnemoscope.core.schemas import Extra, Form, Sha256, Text, Whole

__all__ = ["CorrectionForm", "OverlayFile"]


class CorrectionForm(Form):
    """What an overlay says about one question."""

    key: Text
    """The question's key."""
    hash: Sha256
    """Hash of the question as published: `show --json` prints it."""
    error_type: Text
    """What is wrong, in one word of the overlay's own vocabulary."""
    published_answer: Literal["right", "wrong"] | None = None
    """Whether the published answer is right; `wrong` where `answer` is given, unless said."""
    answer: Text | tuple[Text, ...] | None = None
    """The right answer, several that are accepted, or the label of the right option."""
    evidence: tuple[Text, ...] | None = None
    """All ids that the right answer rests on; left out where the published ones stand."""
    reasoning: Text = ""
    """Why."""
    extra: Extra
    """Anything else about the question."""

    @model_validator(mode="after")
    def _says_something(self) -> "CorrectionForm":
        if self.answer == ():
            raise ValueError("an answer; leave the key out where there is none")
        if self.answer is None and self.evidence is None and self.published_answer is None:
            raise ValueError("an answer, evidence or published_answer")
        return self


class OverlayFile(Form):
    """``NAME.toml`` or ``NAME.json``: corrections of a release's questions."""

    kind: Literal["mnemoscope-overlay"]
    """Marks the file as ours."""
    schema_version: Whole
    """Version of this format."""
    name: Text = Field(min_length=1)
    """What the overlay is called."""
    version: Text = Field(min_length=1)
    """Its version; a date will do."""
    release: Text = ""
    """The release that it corrects, for people; hashes decide."""
    source: Text = ""
    """Where it comes from."""
    licence: Text = ""
    """Under which terms it is published."""
    questions: tuple[CorrectionForm, ...]
    """One object a question."""
    extra: Extra
    """Anything else about the overlay."""
