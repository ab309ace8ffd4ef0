"""Reading: what a text states about cells, found without knowing how it was worded.

The reader knows the names, columns and values that there are, and no template. It goes through a
text from left to right: a value is stated of the entities and columns that were named last.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from mnemoscope.core.harness.dialogue.coverage import group_members
from mnemoscope.core.harness.dialogue.scene import Scene
from mnemoscope.core.harness.dialogue.speech import BLANK, POINTS
from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import Layer, members
from mnemoscope.core.state.field import FieldKind
from mnemoscope.core.state.mutation import Transform
from mnemoscope.core.state.values import Scalar

__all__ = ["Mark", "Reader", "Said", "Sort"]


@value
class Said:
    """One thing that a text states: what is done to one cell."""

    entity: str
    field: str
    transform: Transform
    amount: Scalar


class Sort(StrEnum):
    """What a piece of text is."""

    ENTITY = "entity"
    COVER = "cover"
    FIELD = "field"
    NUMBER = "number"
    QUOTED = "quoted"
    LABEL = "label"


@value
class Mark:
    """A piece of a text that means something."""

    sort: Sort
    start: int
    end: int
    text: str
    key: str = ""
    """The entity, field or group that it names."""


_NUMBER = re.compile(r"(?<![\w.])[+-]?\$?\d[\d,]*(?:\.\d+)?")
_QUOTED = re.compile(r"“([^”]*)”")
_COVER = (
    r"\b(?:every|each|all)\s+(?:the\s+)?(?:{nouns})(?:\s+(?:under|in|of)\s+“(?P<group>[^”]+)”)?"
)
_SCALE = re.compile(r"\b(?:multipl\w+|factor|scale\w*)\b", re.IGNORECASE)
_BY = re.compile(r"\bby\s*\$?$", re.IGNORECASE)
_WAY = re.compile(r"\b(up|rais\w+|increas\w+|higher|down|lower\w*|reduc\w+|decreas\w+)\b", re.I)
_DOWN = re.compile(r"down|lower|reduc|decreas", re.IGNORECASE)


@dataclass
class Reader:
    """Reads the texts of one turn."""

    scene: Scene
    names: Mapping[str, str]
    """Entities by the names that may be used here."""
    base: Layer
    """What `every` is about."""
    labels: Sequence[str] = ()
    """Titles, contexts and the like: no part of a statement."""
    _pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        schema = self.scene.schema
        self.fields = {one.name or one.key: one.key for one in schema.fields}
        self.headings = {schema.heading(one.key): one.key for one in schema.dependencies}
        self._choices = {choice for one in schema.fields for choice in one.choices}
        phrases = {*self.labels, *self.names, *self.fields, *self.headings}
        self._pattern = phrase_pattern(phrases)
        nouns = sorted({self.scene.pack.entity.replace("_", " "), self.scene.pack.plural}, key=len)
        self._cover = re.compile(_COVER.format(nouns="|".join(map(re.escape, reversed(nouns)))))

    def marks(self, text: str) -> list[Mark]:
        """The pieces of a text that mean something, from left to right."""
        found = list(self._covers(text))
        taken = [(one.start, one.end) for one in found]
        for match in _QUOTED.finditer(text):
            if match[1] in self._choices and _is_free(match.span(), taken):
                found.append(Mark(Sort.QUOTED, *match.span(), match[1]))
                taken.append(match.span())
        found += [one for one in self._phrases(text) if _is_free((one.start, one.end), taken)]
        taken = [(one.start, one.end) for one in found]
        for match in _QUOTED.finditer(text):
            if _is_free(match.span(), taken):
                found.append(Mark(Sort.QUOTED, *match.span(), match[1]))
                taken.append(match.span())
        numbers = (one for one in _NUMBER.finditer(text) if _is_free(one.span(), taken))
        found += [Mark(Sort.NUMBER, *one.span(), one[0]) for one in numbers]
        return sorted(found, key=lambda one: one.start)

    def _covers(self, text: str) -> Iterator[Mark]:
        for match in self._cover.finditer(text):
            yield Mark(Sort.COVER, *match.span(), match[0], match["group"] or "")

    def _phrases(self, text: str) -> Iterator[Mark]:
        for match in self._pattern.finditer(text):
            phrase, span = match[0], match.span()
            if text[span[0] - 1 : span[0]] == "“" and text[span[1] : span[1] + 1] == "”":
                span = span[0] - 1, span[1] + 1
            if phrase in self.labels:
                yield Mark(Sort.LABEL, *span, phrase)
            elif phrase in self.names:
                yield Mark(Sort.ENTITY, *span, phrase, self.names[phrase])
            elif phrase in self.fields:
                yield Mark(Sort.FIELD, *span, phrase, self.fields[phrase])
            else:
                yield Mark(Sort.LABEL, *span, phrase, self.headings[phrase])

    def entities(self, mark: Mark) -> tuple[str, ...]:
        """The entities that a piece of text names."""
        if mark.sort is Sort.ENTITY:
            return (mark.key,)
        return group_members(self.scene, self.base, mark.key) if mark.key else members(self.base)

    def said(self, text: str) -> set[Said]:
        """What a text states; nothing goes from one paragraph into the next."""
        return {one for part in text.split("\n\n") for one in self._paragraph(part)}

    def _paragraph(self, text: str) -> Iterator[Said]:
        entities: list[str] = []
        fields: list[str] = []
        open_entities = open_fields = False
        last = 0
        for mark in self.marks(text):
            match mark.sort:
                case Sort.ENTITY | Sort.COVER:
                    entities = [*(entities if open_entities else ()), *self.entities(mark)]
                    open_entities = True
                case Sort.FIELD:
                    fields = [*(fields if open_fields else ()), mark.key]
                    open_fields = True
                case Sort.NUMBER:
                    back = text[max(last, _sentence(text, mark.start)) : mark.start]
                    for key in fields:
                        transform, amount = self._number(key, mark, back, text[mark.end :])
                        if amount is not None:
                            yield from (Said(one, key, transform, amount) for one in entities)
                    last, open_entities, open_fields = mark.end, False, False
                case Sort.QUOTED:
                    keys, content = self._choice(mark.text, fields if open_fields else ())
                    if keys:
                        for key in keys:
                            set_to = Transform.SET, content
                            yield from (Said(one, key, *set_to) for one in entities)
                        last, open_entities, open_fields = mark.end, False, False

    def _number(
        self, key: str, mark: Mark, back: str, rest: str
    ) -> tuple[Transform, int | float | None]:
        """What a number says of a column; None where its unit is another or is left out."""
        schema = self.scene.schema
        amount = number_of(mark.text)
        if _SCALE.search(back):
            return Transform.SCALE, amount
        ways = _WAY.findall(back)
        shifts = bool(ways) and (_BY.search(back) is not None)
        if schema.field_by_key[key].kind is not FieldKind.NUMBER:
            return Transform.SET, None
        unit = POINTS if shifts and schema.unit(key) == "%" else schema.unit(key)
        if not _has_unit(unit, mark.text, rest, needed=not shifts):
            return Transform.SET, None
        if shifts:
            return Transform.SHIFT, -amount if _DOWN.match(ways[-1]) else amount
        return Transform.SET, amount

    def _choice(self, text: str, fields: Iterable[str]) -> tuple[list[str], Scalar]:
        """The columns that a value in quotes can be of, those that were just named if any."""
        schema = self.scene.schema
        named = [schema.field_by_key[one] for one in fields]
        if text == BLANK:
            return [one.key for one in named], None
        if text in ("yes", "no"):
            return [one.key for one in named if one.kind is FieldKind.FLAG], text == "yes"
        can = [
            one.key
            for one in named or schema.fields
            if text in one.choices or (named and one.kind is FieldKind.TEXT)
        ]
        return (can if named or len(can) == 1 else []), text


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of some phrases as whole words, the longest first."""
    ordered = sorted(filter(None, phrases), key=lambda one: (-len(one), one))
    if not ordered:
        return re.compile(r"(?!)")
    body = "|".join(map(re.escape, ordered))
    return re.compile(rf"(?<!\w)(?<!\w[-+])(?:{body})(?!\w)(?![-+]\w)")


def number_of(text: str) -> int | float:
    """The number that a text writes out."""
    plain = text.replace("$", "").replace(",", "").lstrip("+")
    return float(plain) if "." in plain else int(plain)


def _has_unit(unit: str, number: str, rest: str, *, needed: bool) -> bool:
    """Whether a number is followed by its unit, or in front of it has its sign."""
    if not unit:
        return True
    if unit.startswith("$"):
        return "$" in number and rest.startswith(unit[1:])
    there = rest.lstrip(" ").startswith(unit)
    return there or (not needed and not re.match(r" ?[A-Za-z%$/]+\b", rest))


def _sentence(text: str, at: int) -> int:
    """Where the sentence or line around a place begins."""
    return max(text.rfind("\n", 0, at), text.rfind(". ", 0, at), text.rfind("; ", 0, at)) + 1


def _is_free(span: tuple[int, int], taken: Iterable[tuple[int, int]]) -> bool:
    return all(span[1] <= start or end <= span[0] for start, end in taken)
