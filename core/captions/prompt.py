"""The prompts that captions are asked for with, from versioned files."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.core.model import Kind
from mnemoscope.core.toml_files import read_toml

__all__ = ["GRANULARITIES", "CaptionPrompt"]

GRANULARITIES = ("brief", "medium", "detailed")
"""How much a caption tells, least first."""
_VERSIONS = {Kind.IMAGE: "image-1", Kind.AUDIO: "audio-1"}
_FOLDER = Path(__file__).parent / "prompts"


@dataclass(frozen=True, slots=True)
class CaptionPrompt:
    """What a model is told and asked."""

    name: str
    """The file's name with its version, and the granularity."""
    system: str
    user: str

    @classmethod
    def of(cls, kind: Kind, granularity: str, language: str) -> "CaptionPrompt":
        """The newest prompt for a kind of media.

        Args:
            kind: What is described.
            granularity: One of ``GRANULARITIES``.
            language: The language's name in English.
        """
        version = _VERSIONS[kind]
        data = read_toml(_FOLDER / f"{version}.toml")
        system = data["system"].replace("{language}", language)
        return cls(f"{version}/{granularity}", system.strip(), data[granularity].strip())

    @property
    def sha256(self) -> str:
        """The hash of what is sent beside the file."""
        return hashlib.sha256(f"{self.system}\n---\n{self.user}".encode()).hexdigest()
