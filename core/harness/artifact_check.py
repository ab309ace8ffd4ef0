"""What is wrong in the artifacts that a pack declares."""

from collections import Counter
from collections.abc import Iterator

from mnemoscope.core.harness.pack import Artifact, ArtifactKind, Pack
from mnemoscope.core.state.field import FieldKind, FieldRole
from mnemoscope.core.state.schema import Axis

__all__ = ["artifact_problems"]

Problem = tuple[str, object, str]
_NUMBERS = {ArtifactKind.BARS: (1, 2), ArtifactKind.LINES: (3, 8), ArtifactKind.SCATTER: (2, 2)}
"""How many fields of numbers a plot takes."""
_OPTIONS = {
    ArtifactKind.TABLE: {"columns", "group", "legend", "summary", "rules", "marks_changes"},
    ArtifactKind.BARS: {"group", "legend", "summary", "rules", "marks_changes"},
    ArtifactKind.LINES: {"summary", "rules", "marks_changes"},
    ArtifactKind.SCATTER: {"group", "legend", "summary", "rules", "lower_is_better"},
    ArtifactKind.PLAN: {
        *("group", "legend", "summary", "rules", "marks_changes"),
        *("footprint", "tint"),
    },
}
"""What can be said of an artifact of each kind, besides key, kind, title and fields."""


def artifact_problems(pack: Pack) -> Iterator[Problem]:
    """What is wrong in the artifacts: where, what is found, what is expected."""
    counts = Counter(one.key for one in pack.artifacts)
    for at, one in enumerate(pack.artifacts):
        place = f"$.artifacts[{at}]"
        if counts[one.key] > 1:
            yield f"{place}.key", one.key, "a key of no other artifact"
        for part, found, expected in (*_known(pack, one), *_shape(pack, one)):
            yield f"{place}.{part}", found, expected
    if not any(_is_whole(pack, one) for one in pack.artifacts):
        yield "$.artifacts", "none", "a table with all fields, rules and orderings"


def _is_whole(pack: Pack, one: Artifact) -> bool:
    """Whether an artifact shows the whole primary content of a layer."""
    fields = {field.key for field in pack.fields if field.role is not FieldRole.NAME}
    stated = {rule.key for rule in pack.rules}
    orders = {order.key for order in pack.orderings}
    return (
        one.kind is ArtifactKind.TABLE
        and fields <= set(one.fields)
        and stated <= set(one.rules)
        and orders <= {one.columns, one.legend}
    )


def _known(pack: Pack, one: Artifact) -> Iterator[Problem]:
    schema = pack.state_schema
    for nth, key in enumerate(one.fields):
        field = schema.field_by_key.get(key)
        if field is not None and field.role is FieldRole.NAME:
            yield f"fields[{nth}]", key, "another field; the name is always shown"
        elif not schema.is_of_entities(key):
            yield f"fields[{nth}]", key, "a field, or a dependency of entities"
        elif key in one.fields[:nth]:
            yield f"fields[{nth}]", key, "a field that is not named before"
    for nth, key in enumerate(one.summary):
        if key not in schema.dependency_by_key or schema.is_of_entities(key):
            yield f"summary[{nth}]", key, "a dependency of the whole or of groups"
        elif schema.dependency_by_key[key].by not in ("", one.group):
            yield f"summary[{nth}]", key, "a dependency of the groups that the artifact shows"
    for nth, key in enumerate(one.rules):
        if key not in schema.rule_by_key:
            yield f"rules[{nth}]", key, "a rule"
    yield from _roles_of_options(pack, one)


def _roles_of_options(pack: Pack, one: Artifact) -> Iterator[Problem]:
    schema = pack.state_schema
    for name, order, axis in (
        ("columns", one.columns, Axis.FIELDS),
        ("legend", one.legend, Axis.GROUPS),
    ):
        ordering = schema.ordering_by_key.get(order or "")
        if order is not None and (ordering is None or ordering.axis is not axis):
            yield name, order, f"an ordering of {axis}"
        elif ordering is not None and axis is Axis.GROUPS and ordering.field != one.group:
            yield name, order, "an ordering of the groups that the artifact shows"
    for name, key in (("group", one.group), ("tint", one.tint)):
        known = schema.field_by_key.get(key or "")
        if key is not None and (known is None or not known.choices):
            yield name, key, "a field of choices"


def _shape(pack: Pack, one: Artifact) -> Iterator[Problem]:
    named = one.model_fields_set - {"key", "kind", "title", "fields"}
    for name in sorted(named - _OPTIONS[one.kind]):
        yield name, name, f"nothing; a {one.kind} has no {name}"
    schema = pack.state_schema
    numbers = [
        key
        for key in one.fields
        if key in schema.field_by_key and schema.field_by_key[key].kind is FieldKind.NUMBER
    ]
    if one.kind in _NUMBERS:
        least, most = _NUMBERS[one.kind]
        if len(numbers) != len(one.fields) or not least <= len(numbers) <= most:
            yield "fields", len(numbers), f"{least} to {most} fields of numbers, nothing else"
    units = {schema.unit(key) for key in numbers}
    if one.kind is ArtifactKind.LINES and len(units) > 1:
        yield "fields", ", ".join(sorted(units)), "fields of one unit"
    for nth, key in enumerate(one.lower_is_better):
        if key not in one.fields:
            yield f"lower_is_better[{nth}]", key, "one of its fields"
    if one.kind is ArtifactKind.PLAN:
        hall = schema.field_by_key.get(one.group or "")
        if hall is None or not hall.required:
            yield "group", one.group, "a required field that says in which hall a stand is"
        if one.footprint is None or not set(one.footprint) <= set(numbers):
            yield "footprint", one.footprint, "two of its fields of numbers: area and frontage"
        if one.tint is None or one.tint not in one.fields:
            yield "tint", one.tint, "one of its fields of choices"
