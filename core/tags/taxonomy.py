"""Taxonomies: the tags to choose from, as data that a user can edit."""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, model_validator

from mnemoscope.core.errors import InputError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.schemas import Flag, Form, Text, Whole, required
from mnemoscope.core.toml_files import parse_toml

__all__ = [
    "SCHEMA_VERSION",
    "Labels",
    "Outcome",
    "Purpose",
    "Stage",
    "Tag",
    "TargetKind",
    "Taxonomy",
]

SCHEMA_VERSION = 1
_KEYS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NONE_FITS = "0"


class TargetKind(StrEnum):
    """What a tag is a statement about."""

    RECORD = "record"
    """One answer of one run."""
    QUESTION = "question"
    """The question itself, whatever the run: a gold error is tagged once for all systems."""
    SESSION = "session"
    """A session of a history."""


class Purpose(StrEnum):
    """What a taxonomy is for."""

    FAILURE = "failure"
    """Why an answer is wrong."""
    REVIEW = "review"
    """Whether the benchmark's own data are good."""


class Outcome(StrEnum):
    """What a choice of a review means for what is reviewed."""

    ACCEPT = "accept"
    """It is good."""
    REPAIR = "repair"
    """It can be mended."""
    REJECT = "reject"
    """It is to be taken out."""


class Labels(StrEnum):
    """How many tags of a taxonomy one target may carry."""

    ONE = "one"
    """One: a further tag replaces it."""
    SEVERAL = "several"
    """Any number."""
    ONE_PER_STAGE = "one_per_stage"
    """One of each stage: the stages are questions of their own."""


Slug = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z][a-z0-9_]{0,59}$")]
"""A name in a file: a lower-case letter, then letters, digits and underscores."""
Key = Annotated[str, StringConstraints(strict=True, pattern=r"^[!-~]?$")]
"""One printable key, or none."""


class Stage(Form):
    """A step of the pipeline, or a dimension of a review, asked about in the order given."""

    slug: Slug
    """Its name in files."""
    title: Text
    """Its name for people."""
    question: Text = ""
    """What the annotator is asked."""


class Tag(Form):
    """One tag to choose."""

    slug: Slug
    """Its name in files and filters."""
    title: Text
    """Its name for people."""
    help: Text = ""
    """What it means, and how it is told from its neighbours."""
    stage: Text = ""
    """Slug of the stage it belongs to."""
    parent: Text = ""
    """Slug of the tag that it is a kind of; counting the parent counts it too."""
    target: TargetKind | None = None
    """What it is about, when that differs from the taxonomy's target."""
    key: Key = ""
    """The key that sets it; one is given out when it names none."""
    outcome: Outcome | None = None
    """In a review: what choosing it means for what is reviewed."""
    retired: Flag = False
    """Whether it is no longer offered; what was tagged with it stays and is shown."""


class Taxonomy(Form):
    """The tags to choose from."""

    schema_version: Whole
    """Version of this format."""
    name: Slug
    """Its name in files."""
    version: Whole = Field(ge=1)
    """Raised with every change of meaning; each tag set is stored with it."""
    title: Text
    """Its name for people."""
    about: Text = ""
    """What it is for and where it comes from."""
    purpose: Purpose = Purpose.FAILURE
    """Whether answers or data are looked at."""
    target: TargetKind = TargetKind.RECORD
    """What its tags are about, unless a tag says otherwise."""
    labels: Labels = Labels.SEVERAL
    """How many tags one target may carry."""
    asks: Text = ""
    """What the annotator is asked above the tags."""
    stages: tuple[Stage, ...] = ()
    """Stages in the order in which they are asked about."""
    tags: tuple[Tag, ...] = Field(min_length=1)
    """The tags, in the order shown."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for problem in _problems(self):
            raise ValueError(problem)
        return self

    @cached_property
    def by_slug(self) -> Mapping[str, Tag]:
        """Tags by slug, retired ones included."""
        return {tag.slug: tag for tag in self.tags}

    @cached_property
    def offered(self) -> tuple[Tag, ...]:
        """The tags to choose from: those that are not retired."""
        return tuple(tag for tag in self.tags if not tag.retired)

    def keys(self, reserved: Collection[str] = ()) -> Mapping[str, str]:
        """Give every tag offered a key.

        A tag keeps its own key unless that is reserved. The others get the digits from ``1``, then
        letters; with more tags than keys the last ones have none and are chosen from the list.

        Args:
            reserved: Keys that mean something else where the tags are chosen.

        Returns:
            Slug by key.
        """
        taken = {tag.key for tag in self.offered if tag.key} | set(reserved)
        free = (key for key in _KEYS if key not in taken)
        found = {}
        for tag in self.offered:
            key = tag.key if tag.key and tag.key not in reserved else next(free, "")
            if key:
                found[key] = tag.slug
        return found

    def target_of(self, tag: Tag) -> TargetKind:
        """What a tag is about."""
        return tag.target or self.target

    def full_title(self, tag: Tag) -> str:
        """A tag's title where its stage is not seen beside it.

        Where each stage is a question of its own, the same choices stand under all of them.
        """
        stage = next((one.title for one in self.stages if one.slug == tag.stage), "")
        apart = self.labels is Labels.ONE_PER_STAGE and stage
        return f"{stage}: {tag.title}" if apart else tag.title

    def lineage(self, slug: str) -> Iterator[str]:
        """The slug, then its parents upwards; a slug the taxonomy does not know is alone."""
        while slug:
            yield slug
            tag = self.by_slug.get(slug)
            slug = tag.parent if tag else ""

    def rivals(self, slug: str) -> frozenset[str]:
        """The slugs that setting a tag takes away from the same target."""
        tag = self.by_slug.get(slug)
        if tag is None or self.labels is Labels.SEVERAL:
            return frozenset()
        return frozenset(
            other.slug
            for other in self.tags
            if other.slug != slug
            and self.target_of(other) is self.target_of(tag)
            and (self.labels is Labels.ONE or other.stage == tag.stage)
        )

    @classmethod
    def load(cls, path: Path) -> "Taxonomy":
        """Read a taxonomy from a TOML file.

        Raises:
            ReadError: The file is not TOML, or not a taxonomy; names the place.
            InputError: It cannot be read.
        """
        return cls.parse(read_bytes(path), path)

    @classmethod
    def parse(cls, data: bytes, path: Path) -> "Taxonomy":
        """Read a taxonomy from the bytes of a TOML file.

        Raises:
            ReadError: They are not TOML, or not a taxonomy; names the place.
            InputError: They are written by a later version.
        """
        content = parse_toml(data, path)
        version = content.get("schema_version")
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise InputError(
                f"{path}: has schema_version {version}; this mnemoscope reads up to "
                f"{SCHEMA_VERSION}"
            )
        return required(cls, _listed(content), path)


def _listed(content: dict[str, Any]) -> dict[str, Any]:
    """TOML writes one ``[[tags]]`` table after another; the keys are named in the singular too."""
    renamed = {"tag": "tags", "stage": "stages"}
    return {renamed.get(key, key): value for key, value in content.items()}


def _problems(taxonomy: Taxonomy) -> Iterator[str]:
    stages = [stage.slug for stage in taxonomy.stages]
    slugs = [tag.slug for tag in taxonomy.tags]
    keys = [tag.key for tag in taxonomy.tags if tag.key and not tag.retired]
    for name, values in (("stage", stages), ("tag", slugs), ("key", keys)):
        for value in _repeated(values):
            yield f"{name}s that differ ({value!r} stands twice)"
    for tag in taxonomy.tags:
        if tag.stage and tag.stage not in stages:
            yield f"a stage of the taxonomy ({tag.slug} names {tag.stage!r})"
        if tag.key == _NONE_FITS:
            yield f"a key other than 0 ({tag.slug}), which says that none of the tags fits"
        if taxonomy.labels is Labels.ONE_PER_STAGE and not tag.stage:
            yield f"a stage for every tag ({tag.slug} has none)"
        yield from _parent_problems(tag, {one.slug: one for one in taxonomy.tags})


def _parent_problems(tag: Tag, by_slug: Mapping[str, Tag]) -> Iterator[str]:
    seen = {tag.slug}
    parent = tag.parent
    while parent:
        if parent not in by_slug:
            yield f"a tag of the taxonomy as parent ({tag.slug} names {parent!r})"
            return
        if parent in seen:
            yield f"parents that end somewhere ({tag.slug} is its own)"
            return
        seen.add(parent)
        parent = by_slug[parent].parent


def _repeated(values: list[str]) -> list[str]:
    return [value for place, value in enumerate(values) if value in values[:place]]
