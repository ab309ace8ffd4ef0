"""``truth/NAME.json`` as pydantic models."""

from pydantic import Field as KeyField

from mnemoscope.core.schemas import Extra, Flag, Form, Text, Whole
from mnemoscope.core.state.authority import AuthorityKind
from mnemoscope.core.state.component import Part
from mnemoscope.core.state.dependency import DependencyKind
from mnemoscope.core.state.field import FieldKind, FieldRole
from mnemoscope.core.state.mutation import Transform
from mnemoscope.core.state.operators import Event, Operator
from mnemoscope.core.state.rule import Comparison, RuleKind
from mnemoscope.core.state.schema import Axis
from mnemoscope.core.state.transition import Cause, Sheet
from mnemoscope.core.truth.schema_values import ContentValue, NumberValue, ScalarValue, nothing

__all__ = ["LayerForm", "MutationForm", "TransitionForm", "TruthFile"]


class FieldForm(Form):
    """A column of the scenario's table."""

    key: Text
    """Unique among fields, rules, dependencies and orderings."""
    kind: FieldKind
    """The type of its values."""
    role: FieldRole = FieldRole.VALUE
    """What it says about an entity, and so which operators may change it."""
    name: Text = ""
    """The heading; the key when it is empty."""
    unit: Text = ""
    """Of a number."""
    decimals: Whole | None = None
    """How many digits after the point a number may have."""
    minimum: NumberValue = None
    """The least number."""
    maximum: NumberValue = None
    """The greatest number."""
    choices: tuple[Text, ...] = ()
    """The values to choose from."""
    required: Flag = False
    """Whether no entity may leave it blank."""


class RuleForm(Form):
    """A rule; its content is part of the state."""

    key: Text
    """Unique like a field's."""
    kind: RuleKind
    """What its content is."""
    name: Text = ""
    """For people."""
    unit: Text = ""
    """Of a threshold."""


class OrderingForm(Form):
    """A stored ordering besides that of the entities."""

    key: Text
    """Unique like a field's."""
    axis: Axis
    """What it orders."""
    field: Text = ""
    """Of groups: the field whose choices they are."""


class ClauseForm(Form):
    """One condition on an entity."""

    field: Text
    """A field, or a dependency of entities."""
    comparison: Comparison
    """How its value is compared."""
    value: ScalarValue
    """With what."""


class DependencyForm(Form):
    """A quantity that is recomputed, never edited."""

    key: Text
    """Unique like a field's."""
    kind: DependencyKind
    """How it follows from its sources."""
    of: tuple[Text, ...] = ()
    """Its sources: fields, or dependencies declared before it."""
    by: Text = ""
    """A field of groups, for one value per group."""
    where: tuple[ClauseForm, ...] = ()
    """Which entities it is about."""
    rule: Text = ""
    """The rule of a threshold, status or ordering."""
    comparison: Comparison = Comparison.AT_LEAST
    """Of a threshold: how the source is compared with it."""
    outcomes: tuple[ScalarValue, ScalarValue] = (True, False)
    """Of a threshold or status: when it holds, and when it does not."""
    descending: Flag = True
    """Of a rank: whether the largest value is first."""
    name: Text = ""
    """The heading; the key when it is empty."""
    unit: Text = ""
    """That of its source, for aggregates and differences."""
    decimals: Whole | None = None
    """To how many digits after the point it is rounded, halves away from zero."""


class LayerForm(Form):
    """The content of a whole artifact."""

    entities: dict[Text, dict[Text, ScalarValue]]
    """Values of fields by entity; a field that is left out is blank."""
    orders: dict[Text, tuple[Text, ...]]
    """Orderings by key; ``entities`` is that of the entities."""
    rules: dict[Text, ContentValue] = KeyField(default_factory=dict)
    """A number, clauses that must all hold, or a priority."""
    cues: dict[Text, dict[Text, Text]] = KeyField(default_factory=dict)
    """Whole-cell styling by entity and field: ``bold``, ``italic``, ``bold italic``."""
    dependents: dict[Text, dict[Text, ContentValue]] = KeyField(default_factory=dict)
    """Dependencies by entity or group and key; those of the whole under an empty key."""


class ComponentForm(Form):
    """The address of a piece of state."""

    part: Part = Part.CELL
    """What kind of piece."""
    entity: Text = ""
    """The entity's key; of a dependent also a group, or nothing for the whole."""
    field: Text = ""
    """The key of the field, ordering, rule or dependency."""


class CellForm(Form):
    """A cell to edit: its new value, or an exact difference."""

    entity: Text
    """The entity's key."""
    field: Text
    """The field's key."""
    value: ScalarValue = KeyField(default_factory=nothing)
    """The new value; null makes it blank."""
    delta: NumberValue = None
    """What is added to the value before."""


class BlockForm(Form):
    """One transformation of a region."""

    transform: Transform
    """What is done to each of its cells."""
    amount: ScalarValue
    """By how much, or to what."""
    entities: tuple[Text, ...] = ()
    """None named: all."""
    fields: tuple[Text, ...] = ()
    """None named: every substantive field that the transformation can be done to."""


class NewEntityForm(Form):
    """An entity to add."""

    key: Text
    """Its stable key."""
    values: dict[Text, ScalarValue]
    """Its attributes."""


class CueForm(Form):
    """A cell to style."""

    entity: Text
    """The entity's key."""
    field: Text
    """The field's key."""
    cue: Text
    """``bold``, ``italic``, ``bold italic``, or empty to take styling away."""


class RuleContentForm(Form):
    """A rule to replace."""

    key: Text
    """The rule's key."""
    content: ContentValue
    """Its new content."""


class PartForm(Form):
    """One atomic update of a composite."""

    operator: Operator
    """Its operator."""
    mutation: "MutationForm"
    """What it changes."""


class MutationForm(Form):
    """What a transition is to change; an operator fills the part that it changes."""

    cells: tuple[CellForm, ...] = ()
    """Values, names, groups, statuses and annotations to edit."""
    blocks: tuple[BlockForm, ...] = ()
    """Regions to transform."""
    added: tuple[NewEntityForm, ...] = ()
    """Entities to add."""
    removed: tuple[Text, ...] = ()
    """Entities to remove."""
    cues: tuple[CueForm, ...] = ()
    """Cells to style."""
    rules: tuple[RuleContentForm, ...] = ()
    """Rules to replace."""
    order: Text = ""
    """The ordering to change."""
    sequence: tuple[Text, ...] = ()
    """Its members in their new order."""
    context: Text = ""
    """The context of a wrong-context artifact."""
    content: LayerForm | None = None
    """What that artifact shows."""
    parts: tuple[PartForm, ...] = ()
    """The updates of a composite, in order."""
    reason: Text = ""
    """What things changed at once have in common, in words."""
    block: Text = ""
    """The group that entities removed at once are all in."""


class ChangeForm(ComponentForm):
    """One component of G or W before and after; what is not there is left out."""

    sheet: Sheet
    """Whether the accepted or the visual state changes."""
    before: ContentValue = KeyField(default_factory=nothing)
    """Its content in the parent state."""
    after: ContentValue = KeyField(default_factory=nothing)
    """Its content in the resulting state."""
    cause: Cause
    """Whether the transition changes it directly or it is recomputed."""


class AuthorityForm(Form):
    """Who says what a component holds."""

    kind: AuthorityKind
    """An artifact, a text, or an artifact that a text authorised."""
    round: Text
    """Since which round."""
    transition: Text = ""
    """By which transition; empty for the initial artifact."""


class AssignmentForm(ComponentForm):
    """The authority of one component before and after."""

    before: AuthorityForm | None = None
    """In the parent state."""
    after: AuthorityForm | None = None
    """In the resulting state."""


class TransitionForm(Form):
    """One update, or one event of an update's lifecycle, with all that it changed."""

    id: Text
    """Unique in the file."""
    operator: Operator
    """One of the 27."""
    round: Text
    """The id of the user's round that brings it."""
    artifact: Text = ""
    """The id of the image that comes with it."""
    parent: Text = ""
    """The transition before; empty for the first."""
    event: Event = Event.APPLY
    """Of a lifecycle: what happens to the update."""
    of: Text = ""
    """Of a later event: the transition that applied the update."""
    wraps: Operator | None = None
    """Of a lifecycle: the operator of the update itself."""
    mutation: MutationForm = MutationForm()
    """What it is to change."""
    scope: tuple[ComponentForm, ...] = ()
    """What it modifies directly."""
    changes: tuple[ChangeForm, ...] = ()
    """The whole difference of the accepted and the visual state."""
    authority: tuple[AssignmentForm, ...] = ()
    """The whole difference of source authority."""


class ArtifactForm(Form):
    """What an uploaded image shows."""

    id: Text
    """The id of the attachment."""
    round: Text
    """The round that it is uploaded in."""
    transition: Text = ""
    """The transition that it comes with; empty for the initial artifact."""
    context: Text
    """The context that it belongs to."""
    shows: LayerForm
    """Its content, as its renderer was given it."""


class TruthFile(Form):
    """``truth/NAME.json``: the state trajectory that a history was generated from."""

    history_id: Text
    """The history."""
    context: Text
    """The period, region, run or environment that the scenario is about."""
    round: Text
    """The round of the initial artifact."""
    artifact: Text
    """The id of the initial artifact."""
    fields: tuple[FieldForm, ...]
    """The columns, in order."""
    rules: tuple[RuleForm, ...] = ()
    """The rules."""
    dependencies: tuple[DependencyForm, ...] = ()
    """The dependent quantities, each after its sources."""
    orderings: tuple[OrderingForm, ...] = ()
    """Orderings besides that of the entities."""
    initial: LayerForm
    """What the initial artifact shows: both the accepted and the visual state at the start."""
    transitions: tuple[TransitionForm, ...] = ()
    """In order."""
    artifacts: tuple[ArtifactForm, ...] = ()
    """Every artifact of this and of other contexts, in order of upload."""
    inventory: dict[Operator, Whole] = KeyField(default_factory=dict)
    """How many transitions of each operator there are; a lifecycle counts once."""
    extra: Extra
    """Anything else about the trajectory."""
