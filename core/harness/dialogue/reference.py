"""References: how an earlier update is pointed at, and which ones such words can mean.

An update that came with a picture is pointed at by the picture's revision. One in words is pointed
at by what kind it is, which columns it is about, and between which pictures it was written.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mnemoscope.core.harness.dialogue.scene import Scene
from mnemoscope.core.harness.dialogue.speech import joined, quoted, revision_of
from mnemoscope.core.harness.scenario import Picture
from mnemoscope.core.state.component import Part
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.transition import Step

__all__ = ["Pointed", "matching", "reference_to", "uploads_before"]

_ENTRIES, _ADDED, _REMOVED, _NAMES = "entries", "added", "removed", "names"
_KINDS = {
    Operator.TEXT_CELL_EDIT: _ENTRIES,
    Operator.TEXT_BLOCK_EDIT: _ENTRIES,
    Operator.TEXT_GROUP_REASSIGN: _ENTRIES,
    Operator.TEXT_STATUS_CHANGE: _ENTRIES,
    Operator.TEXT_ENTITY_ADD: _ADDED,
    Operator.TEXT_ENTITY_REMOVE: _REMOVED,
    Operator.TEXT_ENTITY_RENAME: _NAMES,
}
_NOUNS = {_ENTRIES: "correction", _ADDED: "addition", _REMOVED: "removal", _NAMES: "renaming"}
_WORDS = {
    _ENTRIES: re.compile(r"\b(?:correction|amendment)s?\b"),
    _ADDED: re.compile(r"\b(?:addition|newcomer)s?\b"),
    _REMOVED: re.compile(r"\b(?:removal|deletion)s?\b"),
    _NAMES: re.compile(r"\b(?:renam\w+|new names?)\b"),
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_WRITTEN = re.compile(r"\b(?:in writing|wrote|written|message)\b", re.IGNORECASE)
_REVISION = re.compile(r"\brevision (\d+) of “([^”]+)”(?: for “([^”]+)”)?", re.IGNORECASE)


@dataclass(frozen=True)
class Pointed:
    """What the words of a turn say about the update that they point at."""

    kind: str
    """Of an update in words; empty for what a picture brought."""
    columns: frozenset[str]
    pictures: tuple[str, ...]
    """The revisions that it names, as they are called."""
    ordinal: int
    """Which of several it is, from 0; -1 where it does not say."""


def uploads_before(scenes: Sequence[Scene], number: int) -> list[tuple[int, Picture]]:
    """The pictures before a turn that have a revision, each with its place."""
    return [
        (one.number, one.picture)
        for one in scenes[:number]
        if one.picture is not None and one.picture.artifact
    ]


def reference_to(scenes: Sequence[Scene], scene: Scene, ordinal_always: bool = False) -> str:
    """Words that point at the update in words that a later event is about.

    Args:
        scenes: The conversation.
        scene: The turn of the later event.
        ordinal_always: Whether to say which of several it is even where only one fits.
    """
    applied = _applied(scenes, scene)
    (step,) = applied.updates
    kind = _KINDS[step.transition.atomic]
    columns = _columns(applied, step) if kind == _ENTRIES else ()
    labels = _between(scenes, scene, applied)
    pointed = Pointed(kind, frozenset(columns), labels, -1)
    several = _fitting(scenes, scene.number, pointed)
    nth = ""
    if len(several) > 1 or ordinal_always:
        nth = f"{_ORDINALS[several.index(applied)]} "
    about = f" of {joined(map(applied.schema.heading, columns))}" if columns else ""
    where = f"after {labels[0]}"
    if len(labels) > 1:
        where += f" and before {labels[1]}"
    return f"the {nth}{_NOUNS[kind]}{about} that I wrote {where}"


def _applied(scenes: Sequence[Scene], scene: Scene) -> Scene:
    """The turn that brought the update that a later event is about."""
    assert scene.transition is not None
    wanted = scene.transition.of
    return next(one for one in scenes if one.transition is not None and one.transition.id == wanted)


def _columns(scene: Scene, step: Step) -> tuple[str, ...]:
    """The columns of the cells that an update changes, as the sheet has them."""
    touched = {one.field for one in step.scope if one.part is Part.CELL}
    return tuple(one.key for one in scene.schema.fields if one.key in touched)


def _between(scenes: Sequence[Scene], scene: Scene, applied: Scene) -> tuple[str, ...]:
    uploads = uploads_before(scenes, scene.number)
    before = [one for at, one in uploads if at < applied.number]
    after = [one for at, one in uploads if at > applied.number]
    return tuple(revision_of(scene.scenario, one) for one in (*before[-1:], *after[:1]))


def pointed_at(scene: Scene, text: str) -> Pointed:
    """What a text says about the update that it points at."""
    labels = tuple(
        f"revision {number} of {quoted(title)}" + (f" for {quoted(context)}" if context else "")
        for number, title, context in _REVISION.findall(text)
    )
    plain = _REVISION.sub(" ", text)
    kinds = [kind for kind, words in _WORDS.items() if words.search(plain)]
    kind = kinds[0] if kinds and _WRITTEN.search(plain) else ""
    words = _WORDS.get(kind)
    columns = frozenset(
        one.key
        for one in scene.schema.fields
        if re.search(rf"(?<!\w){re.escape(one.name or one.key)}(?!\w)", plain)
    )
    first = re.search(rf"\b({'|'.join(_ORDINALS)})\s+{words.pattern}", plain) if words else None
    nth = _ORDINALS.index(first[1]) if first else -1
    return Pointed(kind, columns, tuple(dict.fromkeys(labels)), nth)


def matching(scenes: Sequence[Scene], scene: Scene, text: str) -> list[Scene]:
    """The earlier turns whose update a text can mean."""
    pointed = pointed_at(scene, text)
    if not pointed.kind:
        return [
            scenes[at]
            for at, one in uploads_before(scenes, scene.number)
            if revision_of(scene.scenario, one) in pointed.pictures
        ]
    several = _fitting(scenes, scene.number, pointed)
    if pointed.ordinal < 0:
        return several
    return several[pointed.ordinal : pointed.ordinal + 1]


def _fitting(scenes: Sequence[Scene], number: int, pointed: Pointed) -> list[Scene]:
    """The turns with an update in words of that kind, on all those columns, between pictures."""
    places = {
        revision_of(scenes[0].scenario, one): at for at, one in uploads_before(scenes, number)
    }
    named = [places[one] for one in pointed.pictures if one in places]
    if not named:
        return []
    first = named[0]
    last = named[1] if len(named) > 1 else number
    found = []
    for scene in scenes[first + 1 : last]:
        for step in scene.texts:
            kind = _KINDS.get(step.transition.atomic, "")
            columns = frozenset(_columns(scene, step))
            fits = pointed.columns <= columns
            if kind == pointed.kind and fits:
                found.append(scene)
                break
    return found


def is_later(scene: Scene) -> bool:
    """Whether a turn withdraws or reinstates an earlier update."""
    return scene.transition is not None and scene.transition.event is not Event.APPLY


def is_of_picture(scene: Scene) -> bool:
    """Whether the update that a later event is about came with a picture."""
    assert scene.transition is not None
    return OPERATORS[scene.transition.atomic].origin is not Origin.TEXT
