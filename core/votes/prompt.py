"""The prompts that judge models get, from versioned files, filled in.

A prompt is changed by adding a file with the next number; the votes say which one asked for them.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

from mnemoscope.core.errors import UsageError
from mnemoscope.core.tags.taxonomy import Labels, Purpose, Tag, TargetKind, Taxonomy

__all__ = ["VotePrompt", "votable"]

_FILES = {Labels.ONE: "one-1", Labels.SEVERAL: "several-1"}
_SLOT = re.compile(r"\{(asks|tags|material)\}")
_PART = "\n---\n"


def votable(taxonomy: Taxonomy) -> tuple[Tag, ...]:
    """The tags that a model can give an answer: those about a question are people's to give.

    Raises:
        UsageError: The taxonomy is not about why answers are wrong.
    """
    if taxonomy.purpose is not Purpose.FAILURE or taxonomy.labels not in _FILES:
        raise UsageError(
            f"{taxonomy.name} reviews data; models vote under a taxonomy of failures",
            hint="choose one with --of, such as dsv_mem, cue_mem or general",
        )
    found = tuple(tag for tag in taxonomy.offered if taxonomy.target_of(tag) is TargetKind.RECORD)
    if not found:
        raise UsageError(f"{taxonomy.name} has no tag of a record, so there is nothing to vote on")
    return found


@dataclass(frozen=True, slots=True)
class VotePrompt:
    """What every model is asked under a taxonomy."""

    name: str
    """Name and version of the file, and the hash of it with the tags filled in."""
    system: str
    user: str
    """With a slot for the material."""

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> "VotePrompt":
        """The prompt for a taxonomy: for one label or for several.

        Raises:
            UsageError: See ``votable``.
        """
        tags = "\n".join(_tag_lines(taxonomy, votable(taxonomy)))
        file = _FILES[taxonomy.labels]
        source = resources.files(__package__) / "prompts" / f"{file}.md"
        text = source.read_text("utf-8").replace("\r\n", "\n")
        system, _, user = text.partition(_PART)
        system = _fill(system, {"asks": taxonomy.asks, "tags": tags})
        digest = hashlib.sha256(f"{system}{_PART}{user}".encode("utf-8", "replace")).hexdigest()
        return cls(f"{file} {digest[:12]}", system.strip(), user.strip())

    def messages(self, material: str) -> tuple[Mapping[str, str], ...]:
        """The messages for one answer."""
        return (
            {"role": "system", "content": _whole(self.system)},
            {"role": "user", "content": _whole(_fill(self.user, {"material": material}))},
        )


def _whole(text: str) -> str:
    """The text with half surrogate pairs, which no request can carry, replaced."""
    return text.encode("utf-8", "replace").decode()


def _fill(text: str, values: Mapping[str, str]) -> str:
    # In one pass: what is filled in may look like a slot.
    return _SLOT.sub(lambda found: values.get(found[1], found[0]), text)


def _tag_lines(taxonomy: Taxonomy, tags: tuple[Tag, ...]) -> Iterator[str]:
    stages = {stage.slug: stage for stage in taxonomy.stages}
    stage = ""
    for tag in tags:
        if tag.stage != stage and tag.stage in stages:
            stage = tag.stage
            yield f"{stages[stage].title}: {stages[stage].question}".rstrip(": ")
        kind = f", a kind of {tag.parent}" if tag.parent else ""
        yield f"- {tag.slug} ({tag.title}{kind}): {tag.help}".rstrip(": ")
