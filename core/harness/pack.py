"""Packs: everything that a scenario is declared to consist of, as data."""

from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from mnemoscope.core.schemas import Flag, Form, Number, Text, Whole
from mnemoscope.core.state.component import Content
from mnemoscope.core.state.dependency import Dependency
from mnemoscope.core.state.field import Field as StateField
from mnemoscope.core.state.rule import Clause, Rule, RuleKind
from mnemoscope.core.state.schema import Ordering, Schema
from mnemoscope.core.truth.schema import DependencyForm, FieldForm, OrderingForm
from mnemoscope.core.truth.schema_values import ContentValue

__all__ = [
    *("Artifact", "ArtifactKind", "Combination", "Dialogue", "Draw", "Pack", "PackRule", "Topic"),
    *("SCHEMA_VERSION", "Unrelated"),
]

SCHEMA_VERSION = 1
LEAST_ENTITIES, LEAST_FIELDS = 12, 8
"""How dense a scenario is at its start."""

Slug = Annotated[str, StringConstraints(strict=True, pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Line = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=200)]
Speech = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=400)]
Colour = Annotated[str, StringConstraints(strict=True, pattern=r"^#[0-9a-f]{6}$")]


class Combination(StrEnum):
    """How a drawn number is combined with another field of its entity."""

    PLUS = "plus"
    TIMES = "times"


class Draw(Form):
    """How plausible values of a field are drawn."""

    low: Number | Whole | None = None
    """Of a number: the least."""
    high: Number | Whole | None = None
    """Of a number: the most."""
    step: Number | Whole | None = None
    """Of a number: what it is a multiple of, such as 0.5."""
    of: Slug | None = None
    """A field of numbers declared before, that the drawn number is combined with."""
    by: Combination = Combination.PLUS
    """How it is."""
    weights: dict[Text, Number | Whole] = Field(default_factory=dict)
    """Of a choice, or of a flag as `true` and `false`: how likely each is; others do not occur."""
    texts: tuple[Line, ...] = ()
    """Of a text: what to choose from."""


class PackRule(Form):
    """A rule, and the contents that it may have."""

    key: Slug
    """Unique among fields, rules, dependencies and orderings."""
    kind: RuleKind
    """What its content is."""
    name: Line
    """As artifacts state it."""
    unit: Text = ""
    """Of a threshold."""
    contents: tuple[ContentValue, ...] = Field(min_length=2)
    """The first is the initial one; rule changes choose from the others."""


class ArtifactKind(StrEnum):
    """How an artifact looks."""

    TABLE = "table"
    """A row for each entity, with totals."""
    BARS = "bars"
    """A horizontal bar for each entity and field, one or two fields."""
    LINES = "lines"
    """A line for each entity over three fields or more, with the table of its points."""
    SCATTER = "scatter"
    """A point for each entity over two fields, with the Pareto front."""
    PLAN = "plan"
    """Entities as stands along the aisles of the halls that their groups are."""


class Artifact(Form):
    """A kind of artifact: what it shows of a state, and how."""

    key: Slug
    """Its name in the pack."""
    kind: ArtifactKind
    """How it looks."""
    title: Line
    """Its heading."""
    fields: tuple[Slug, ...] = Field(min_length=1)
    """Fields, and dependencies with a value for each entity; names are always shown."""
    group: Slug | None = None
    """The field of choices that colours, or on a plan the halls, stand for."""
    summary: tuple[Slug, ...] = ()
    """Dependencies of the whole, and of each group."""
    rules: tuple[Slug, ...] = ()
    """Rules that it states."""
    columns: Slug | None = None
    """The ordering of fields that its columns follow."""
    legend: Slug | None = None
    """The ordering of groups that its groups follow."""
    lower_is_better: tuple[Slug, ...] = ()
    """Of a scatter plot: the axes on which less is better."""
    footprint: tuple[Slug, Slug] | None = None
    """Of a plan: the fields of area and frontage that a stand is drawn with."""
    tint: Slug | None = None
    """Of a plan: the field of choices that stands are tinted by."""
    marks_changes: Flag = False
    """Whether what differs from the artifact before is marked, as on plans."""


class Unrelated(Form):
    """A picture that has nothing to do with the task."""

    title: Line
    """Its heading."""
    headings: tuple[Line, ...] = Field(min_length=2)
    """Of its columns."""
    rows: tuple[tuple[Line, ...], ...] = Field(min_length=3)
    """Its cells."""


class Topic(Form):
    """Something that the two speak about besides updates."""

    key: Slug
    """Its name in the pack."""
    about: Line
    """What, as a noun phrase."""
    fields: tuple[Slug, ...] = ()
    """The fields and dependencies that it is about."""
    talk: tuple[tuple[Speech, Speech], ...] = ()
    """What the user can ask about it, each with what the assistant answers: matters of the trade,
    never of the entries, and no figures."""


class Dialogue(Form):
    """What the conversation is about."""

    goal: Line
    """What the user is working towards."""
    user: Line
    """Who the user is."""
    openings: tuple[Line, ...] = ()
    """How messages of somebody in that place begin, besides the usual ways."""
    topics: tuple[Topic, ...] = Field(min_length=6)
    """What the two speak about besides updates."""


class Pack(Form):
    """A scenario that can be generated."""

    schema_version: Literal[1]
    """The version of this form."""
    name: Slug
    """Its name, also on the command line."""
    title: Line
    """Its name for people."""
    entity: Slug
    """What an entity is called; its stable keys are made of it."""
    plural: Line
    """What several are called."""
    accent: Colour
    """The colour of headers."""
    entities: tuple[Whole, Whole]
    """The least and the most entities of an initial state."""
    contexts: tuple[Line, ...] = Field(min_length=2)
    """Periods, regions, runs; a scenario is about one, and wrong-context artifacts about others."""
    names: tuple[Line, ...] = Field(min_length=2)
    """Displayed names to choose from."""
    renames: tuple[Line, ...] = Field(min_length=2)
    """Other forms of a name, such as `{name} v2`."""
    fields: tuple[FieldForm, ...]
    """The columns of its table."""
    draws: dict[Slug, Draw]
    """How values are drawn, by field; that of names is left out."""
    rules: tuple[PackRule, ...]
    """Thresholds, predicates and priorities."""
    dependencies: tuple[DependencyForm, ...]
    """What is computed, each from fields and from dependencies before it."""
    orderings: tuple[OrderingForm, ...]
    """Stored orderings besides that of the entities."""
    artifacts: tuple[Artifact, ...] = Field(min_length=1)
    """What its user uploads."""
    unrelated: tuple[Unrelated, ...] = Field(min_length=1)
    """What its user uploads by the way."""
    dialogue: Dialogue
    """What the conversation is about."""

    @cached_property
    def state_schema(self) -> Schema:
        """What its states consist of."""
        return Schema(
            tuple(StateField(**vars(one)) for one in self.fields),
            tuple(Rule(one.key, one.kind, one.name, one.unit) for one in self.rules),
            tuple(map(_dependency, self.dependencies)),
            tuple(Ordering(**vars(one)) for one in self.orderings),
        )

    @cached_property
    def initial_rules(self) -> dict[str, Content]:
        """What its rules hold at the start."""
        return {one.key: one.contents[0] for one in self.rules}

    @cached_property
    def artifact_by_key(self) -> dict[str, Artifact]:
        """Artifacts by key."""
        return {one.key: one for one in self.artifacts}


def _dependency(form: DependencyForm) -> Dependency:
    where = tuple(Clause(**vars(one)) for one in form.where)
    return Dependency(**{**vars(form), "where": where})
