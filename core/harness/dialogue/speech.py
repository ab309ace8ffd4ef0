"""How values, columns, lists and pictures are called in conversation."""

from collections.abc import Iterable, Sequence

from mnemoscope.core.harness.pack import ArtifactKind, Pack
from mnemoscope.core.harness.scenario import Picture, Scenario
from mnemoscope.core.harness.wording import text_of
from mnemoscope.core.state.component import ABSENT, Maybe
from mnemoscope.core.state.rule import Clause, Comparison, Priority
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.values import Number, Scalar

__all__ = [
    *("amount_in_words", "artifact_title", "context_of", "joined", "quoted", "revision_of"),
    *("rule_in_words", "size_in_words", "with_unit"),
]

BLANK, POINTS = "blank", "percentage points"
KINDS = {
    ArtifactKind.TABLE: "table",
    ArtifactKind.BARS: "bar chart",
    ArtifactKind.LINES: "line chart",
    ArtifactKind.SCATTER: "scatter plot",
    ArtifactKind.PLAN: "plan",
}
COMPARED = {
    Comparison.IS: "is",
    Comparison.IS_NOT: "is not",
    Comparison.LESS: "is below",
    Comparison.AT_MOST: "is at most",
    Comparison.AT_LEAST: "is at least",
    Comparison.GREATER: "is above",
}


def quoted(text: str) -> str:
    """A title, or a value that is no number, as it stands in a sentence."""
    return f"“{text}”"


def with_unit(number: str, unit: str) -> str:
    """A number with its unit: ``$0.320/task``, ``61.5%``, ``34.1 s``."""
    if unit.startswith("$"):
        sign = "-" if number.startswith("-") else ""
        return f"{sign}${number.removeprefix('-')}{unit[1:]}"
    if not unit or unit.startswith(("%", "/")):
        return f"{number}{unit}"
    return f"{number} {unit}"


def amount_in_words(schema: Schema, field: str, content: Maybe) -> str:
    """The content of a cell, as somebody writes it in a message."""
    if content is None or content is ABSENT:
        return quoted(BLANK)
    text = text_of(schema, field, content)
    if isinstance(content, bool) or not isinstance(content, int | float):
        return quoted(text)
    return with_unit(text, schema.unit(field))


def size_in_words(schema: Schema, fields: Sequence[str], amount: Scalar) -> str:
    """The size of a difference that one or more columns take, without its sign.

    The unit is left out where the columns have several.
    """
    assert isinstance(amount, int | float)
    units = {schema.unit(one) for one in fields}
    number = f"{abs(amount):,}"
    if len(fields) == 1:
        number = text_of(schema, fields[0], abs(amount))
    unit = next(iter(units)) if len(units) == 1 else ""
    # A difference of so many percent could be taken for a share of the value.
    return f"{number} {POINTS}" if unit == "%" else with_unit(number, unit)


def factor_in_words(amount: Scalar) -> str:
    """What a block is multiplied by."""
    assert isinstance(amount, int | float)
    return f"{amount:,}"


def rule_in_words(schema: Schema, key: str, content: Maybe) -> str:
    """The content of a rule, without its name."""
    if isinstance(content, Priority):
        way = "highest" if content.descending else "lowest"
        return f"{schema.heading(content.field)}, {way} first"
    if isinstance(content, tuple):
        return " and ".join(_clause(schema, one) for one in content if isinstance(one, Clause))
    number: Number = content if isinstance(content, int | float) else 0
    return with_unit(text_of(schema, key, number), schema.unit(key))


def _clause(schema: Schema, one: Clause) -> str:
    words = COMPARED[one.comparison]
    return f"{schema.heading(one.field)} {words} {amount_in_words(schema, one.field, one.value)}"


def joined(items: Iterable[str], last: str = "and") -> str:
    """Things in a row: ``a, b and c``."""
    *first, end = items
    return f"{', '.join(first)} {last} {end}" if first else end


def artifact_title(pack: Pack, picture: Picture) -> str:
    """An image by its heading: ``the table “Results by system”``."""
    if not picture.artifact:
        return quoted(pack.unrelated[picture.unrelated].title)
    artifact = pack.artifact_by_key[picture.artifact]
    kind = KINDS[artifact.kind]
    plain = artifact.title.lower().endswith(kind)
    return quoted(artifact.title) if plain else f"the {kind} {quoted(artifact.title)}"


def revision_of(scenario: Scenario, picture: Picture) -> str:
    """An image as both can point at it: its revision, heading and, of another one, context."""
    title = quoted(scenario.pack.artifact_by_key[picture.artifact].title)
    label = f"revision {picture.edition.revision} of {title}"
    context = context_of(scenario, picture)
    own = scenario.truth.trajectory.initial.context
    return label if context == own else f"{label} for {quoted(context)}"


def context_of(scenario: Scenario, picture: Picture) -> str:
    """The period, region or run that an image is about; empty for an unrelated one."""
    found = scenario.artifact_by_id.get(picture.id)
    return found.context if found else ""
