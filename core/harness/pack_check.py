"""What is wrong in a pack besides the form of its file."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mnemoscope.core.harness.artifact_check import artifact_problems
from mnemoscope.core.harness.lettering import undrawable
from mnemoscope.core.harness.pack import LEAST_ENTITIES, LEAST_FIELDS, Draw, Pack
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.schema import Axis
from mnemoscope.core.state.values import is_number

__all__ = ["Problem", "pack_problems"]

_FIGURES = re.compile(r"[\d_]\S*")
Problem = tuple[str, object, str]
"""A JSON path, what stands there, what should."""
SPARE_NAMES = 20
"""How many names are left for entities that come later."""
MOST_GROUPS = 6
"""How many groups an artifact can tell apart by colour."""


def pack_problems(pack: Pack) -> Iterator[Problem]:
    """What is wrong in a pack: where, what is found, what is expected."""
    for place, found, expected in pack.state_schema.problems():
        yield f"$.{place.removeprefix('.')}", found, expected
    yield from _density(pack)
    yield from _roles(pack)
    yield from _limits(pack)
    yield from _vocabulary(pack)
    yield from _draws(pack)
    yield from _rules(pack)
    yield from artifact_problems(pack)
    yield from _talk(pack)
    for place, text in _texts(pack.model_dump(mode="json"), "$"):
        wrong = undrawable(text)
        if wrong:
            yield place, wrong, "characters that the typeface of artifacts has"


def _density(pack: Pack) -> Iterator[Problem]:
    least, most = pack.entities
    if not LEAST_ENTITIES <= least <= most:
        yield "$.entities", f"{least} to {most}", f"at least {LEAST_ENTITIES}, the lesser first"
    substantive = [one for one in pack.state_schema.fields if one.role is not FieldRole.NAME]
    if len(substantive) < LEAST_FIELDS:
        yield "$.fields", len(substantive), f"at least {LEAST_FIELDS} besides the name"


def _roles(pack: Pack) -> Iterator[Problem]:
    """Every operator needs something that it can change."""
    roles = Counter(one.role for one in pack.state_schema.fields)
    for role in FieldRole:
        if not roles[role]:
            yield "$.fields", f"none of role {role}", f"a field of role {role}"
    for at, field in enumerate(pack.state_schema.fields):
        place = f"$.fields[{at}]"
        if field.role is FieldRole.NAME and field.kind is not FieldKind.TEXT:
            yield f"{place}.kind", field.kind, "text, since it holds names"
        if field.role is FieldRole.GROUP and not 1 < len(field.choices) <= MOST_GROUPS:
            yield f"{place}.choices", len(field.choices), f"2 to {MOST_GROUPS} groups"
        marker = field.role in (FieldRole.STATUS, FieldRole.ANNOTATION)
        if marker and field.kind not in (FieldKind.CHOICE, FieldKind.FLAG):
            yield f"{place}.kind", field.kind, "a choice or flag, since it is a marker"
    if not any(one.axis is Axis.GROUPS for one in pack.state_schema.orderings):
        yield "$.orderings", "none of groups", "an ordering of groups"


def _limits(pack: Pack) -> Iterator[Problem]:
    for at, field in enumerate(pack.fields):
        for name, end in (("minimum", field.minimum), ("maximum", field.maximum)):
            if end is not None and field.kind is not FieldKind.NUMBER:
                yield f"$.fields[{at}].{name}", end, "a limit of a field of numbers only"
        ends = field.minimum, field.maximum
        if None not in ends and ends[0] >= ends[1]:
            yield f"$.fields[{at}].maximum", ends[1], f"more than {ends[0]}"


def _vocabulary(pack: Pack) -> Iterator[Problem]:
    for name, texts in (("names", pack.names), ("contexts", pack.contexts)):
        counts = Counter(texts)
        for at, text in enumerate(texts):
            if counts[text] > 1:
                yield f"$.{name}[{at}]", text, "a text that stands there once"
    least = pack.entities[1] + SPARE_NAMES
    if len(pack.names) < least:
        yield "$.names", len(pack.names), f"at least {least}, {SPARE_NAMES} of them spare"
    for at, form in enumerate(pack.renames):
        rest = form.replace("{name}", "", 1)
        if "{name}" not in form or not rest.strip() or "{" in rest or "}" in rest:
            yield f"$.renames[{at}]", form, "{name} once, and something beside it"


def _draws(pack: Pack) -> Iterator[Problem]:
    known = [one.key for one in pack.state_schema.fields]
    for key in pack.draws:
        if key not in known:
            yield f"$.draws.{key}", key, "a field"
    for at, field in enumerate(pack.state_schema.fields):
        draw = pack.draws.get(field.key)
        if field.role is FieldRole.NAME:
            if draw is not None:
                yield f"$.draws.{field.key}", "a draw", "none, since names are drawn from names"
        elif draw is None:
            yield f"$.draws.{field.key}", None, f"how values of {field.key} are drawn"
        else:
            for part, found, expected in _draw_problems(draw, field, pack.state_schema.fields[:at]):
                yield f"$.draws.{field.key}{part}", found, expected


def _draw_problems(draw: Draw, field: Field, earlier: Sequence[Field]) -> Iterator[Problem]:
    match field.kind:
        case FieldKind.NUMBER:
            allowed = {"low", "high", "step", "of", "by"}
            if draw.low is None or draw.high is None or draw.low >= draw.high:
                yield "", f"{draw.low} to {draw.high}", "low and high, the lesser first"
            if draw.step is not None and draw.step <= 0:
                yield ".step", draw.step, "a step above 0"
            base = next((one for one in earlier if one.key == draw.of), None)
            if draw.of is not None and (base is None or base.kind is not FieldKind.NUMBER):
                yield ".of", draw.of, "a field of numbers declared before"
        case FieldKind.TEXT:
            allowed = {"texts"}
            if not draw.texts:
                yield ".texts", None, "texts to choose from"
        case FieldKind.CHOICE | FieldKind.FLAG:
            allowed = {"weights"}
            choices = field.choices or ("true", "false")
            for choice, weight in draw.weights.items():
                if choice not in choices or weight <= 0:
                    found = f"{choice} = {weight}"
                    yield ".weights", found, f"weights above 0 of {', '.join(choices)}"
            if not draw.weights:
                yield ".weights", None, "how likely each value is"
    for name in sorted(draw.model_fields_set - allowed):
        yield f".{name}", name, f"only {', '.join(sorted(allowed))} for a {field.kind}"


def _rules(pack: Pack) -> Iterator[Problem]:
    for at, one in enumerate(pack.rules):
        for nth, content in enumerate(one.contents):
            problem = pack.state_schema.rule_problem(one.key, content)
            place = f"$.rules[{at}].contents[{nth}]"
            if problem:
                yield place, content, problem
            elif content in one.contents[:nth]:
                yield place, content, "another content than those before"
            elif is_number(content) and isinstance(content, bool):
                yield place, content, "a number"


def _talk(pack: Pack) -> Iterator[Problem]:
    schema = pack.state_schema
    counts = Counter(one.key for one in pack.dialogue.topics)
    for at, topic in enumerate(pack.dialogue.topics):
        place = f"$.dialogue.topics[{at}]"
        if counts[topic.key] > 1:
            yield f"{place}.key", topic.key, "a key of no other topic"
        for nth, key in enumerate(topic.fields):
            if key not in schema.field_by_key and key not in schema.dependency_by_key:
                yield f"{place}.fields[{nth}]", key, "a field or a dependency"
        for nth, pair in enumerate(topic.talk):
            for which, text in enumerate(pair):
                if figures := _FIGURES.findall(text):
                    yield f"{place}.talk[{nth}][{which}]", figures[0], "a sentence without figures"
    for at, text in enumerate(pack.dialogue.openings):
        if figures := _FIGURES.findall(text):
            yield f"$.dialogue.openings[{at}]", figures[0], "a sentence without figures"
    for at, picture in enumerate(pack.unrelated):
        for nth, row in enumerate(picture.rows):
            if len(row) != len(picture.headings):
                wanted = f"{len(picture.headings)} cells, one for each heading"
                yield f"$.unrelated[{at}].rows[{nth}]", len(row), wanted


# Any: the whole file as JSON.
def _texts(data: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, str):
        yield place, data
    elif isinstance(data, dict):
        for key, one in data.items():
            yield from _texts(one, f"{place}.{key}")
    elif isinstance(data, list):
        items: Iterable[tuple[int, Any]] = enumerate(data)
        for at, one in items:
            yield from _texts(one, f"{place}[{at}]")
