"""The leakage check: what turns say that they must not, and leave unsaid that they must say.

It reads texts without knowing how they came about, so that it holds for templates and for what a
model has made of them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from mnemoscope.core.harness.dialogue.duty import Duty, duty_of, hidden_in
from mnemoscope.core.harness.dialogue.fulfilment import said_in_words, unfulfilled
from mnemoscope.core.harness.dialogue.internals import internal_pattern
from mnemoscope.core.harness.dialogue.reading import Mark, Reader, Sort, number_of
from mnemoscope.core.harness.dialogue.reference import is_later, matching
from mnemoscope.core.harness.dialogue.scene import Scene, names_in, scenes_of
from mnemoscope.core.harness.dialogue.speech import context_of, revision_of
from mnemoscope.core.harness.dialogue.turn import Finding, Slip, Turn
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model.history import Role
from mnemoscope.core.state.component import Part
from mnemoscope.core.state.operators import Event

__all__ = ["LeakCheck", "leaks"]

_WITHDRAWN = re.compile(
    r"\b(?:disregard|withdr[ae]w\w*|ignor\w+|retract\w*|take back|no longer appl\w+|not in force|"
    r"undo|reject|not to count|do not use|off the table)\b",
    re.IGNORECASE,
)
_RESTORED = re.compile(
    r"\b(?:reinstat\w+|restor\w+|back into force|in force again|appl\w+ again|counts again|"
    r"bring back|use [^.]* again)\b",
    re.IGNORECASE,
)


def leaks(turn: Turn, scenario: Scenario) -> list[Finding]:
    """Everything that a turn gives away, and all that it fails to state."""
    return LeakCheck(scenario).of(turn)


class LeakCheck:
    """Checks the turns of one scenario."""

    def __init__(self, scenario: Scenario, scenes: Sequence[Scene] | None = None) -> None:
        self.scenario = scenario
        self.scenes = scenes_of(scenario) if scenes is None else scenes
        self._by_round = {
            key: scene for scene in self.scenes for key in (scene.block.round, scene.block.reply)
        }
        self._vocabulary = _vocabulary(scenario)
        self._internal = internal_pattern(scenario)

    def of(self, turn: Turn) -> list[Finding]:
        """What is wrong in a turn."""
        scene = self._by_round.get(turn.round)
        if scene is None:
            return [Finding(turn.round, Slip.STRUCTURE, "a round of no block", "one of a block")]
        found = [
            Finding(turn.round, Slip.INTERNAL, repr(one[0]), "no key, id or slug")
            for one in self._internal.finditer(turn.text)
        ]
        duty = duty_of(scene)
        reader = self._reader(scene, duty)
        marks = reader.marks(turn.text)
        found += self._names(turn, marks, duty)
        found += _numbers(turn, marks, duty)
        found += _hidden(turn, scene, marks, duty)
        found += _derived(turn, scene, marks)
        if turn.role is Role.USER:
            found += self._required(turn, scene, duty, reader)
        else:
            more = reader.said(turn.text) - duty.said
            for one in sorted(more, key=repr):
                stated = said_in_words(scene, duty, one)
                found.append(Finding(turn.round, Slip.MORE, stated, "what the user has said"))
        return found

    def _reader(self, scene: Scene, duty: Duty) -> Reader:
        names = dict.fromkeys(self._vocabulary, "") | duty.names
        declared = scene.declared and not scene.texts
        base = scene.state.visual if declared else scene.state.accepted
        return Reader(scene, names, base, self._labels(scene))

    def _labels(self, scene: Scene) -> list[str]:
        """What may be said with numbers in it: revisions so far, titles, contexts, topics."""
        pack = self.scenario.pack
        revisions = []
        for one in self.scenes[: scene.number + 1]:
            if one.picture is not None and one.picture.artifact:
                label = revision_of(self.scenario, one.picture)
                edition = f"revision {one.picture.edition.revision}"
                revisions += [label, label.capitalize()[:1] + label[1:], edition]
        titles = [one.title for one in pack.artifacts] + [one.title for one in pack.unrelated]
        rules = [one.name for one in pack.rules]
        talk = pack.dialogue
        about = [one.about for one in talk.topics]
        about += [one.transition.mutation.reason for one in scene.texts]
        return [*revisions, *titles, *rules, *pack.contexts, talk.goal, talk.user, *about]

    def _names(self, turn: Turn, marks: Iterable[Mark], duty: Duty) -> Iterator[Finding]:
        for one in marks:
            if one.sort is Sort.ENTITY and one.text not in duty.names:
                yield Finding(turn.round, Slip.NAME, repr(one.text), "no name that is not its own")

    def _required(self, turn: Turn, scene: Scene, duty: Duty, reader: Reader) -> Iterator[Finding]:
        for slip, found, expected in unfulfilled(turn.text, scene, duty, reader):
            yield Finding(turn.round, slip, found, expected)
        for phrase in _phrases(scene):
            if phrase.lower() not in turn.text.lower():
                yield Finding(turn.round, Slip.MISSING, "no mention", repr(phrase))
        if is_later(scene):
            yield from self._reference(turn, scene)

    def _reference(self, turn: Turn, scene: Scene) -> Iterator[Finding]:
        assert scene.transition is not None
        wanted = scene.transition.of
        meant = [
            one.transition.id
            for one in matching(self.scenes, scene, turn.text)
            if one.transition is not None
        ]
        if meant != [wanted]:
            what = f"words that fit {len(meant)} updates" if len(meant) != 1 else "another update"
            yield Finding(turn.round, Slip.REFERENCE, what, "words that fit the one meant")
        restored = bool(_RESTORED.search(turn.text))
        if restored is not (scene.transition.event is Event.REINSTATE):
            yield Finding(
                turn.round, Slip.MISSING, "other words", f"that it is a {scene.transition.event}"
            )
        elif not restored and not _WITHDRAWN.search(turn.text):
            yield Finding(turn.round, Slip.MISSING, "no such word", "that it is a disregard")


def _finding(turn: Turn, slip: Slip, found: object, expected: str) -> Finding:
    return Finding(turn.round, slip, str(found), expected)


def _numbers(turn: Turn, marks: Iterable[Mark], duty: Duty) -> Iterator[Finding]:
    """Numbers that nothing asks for."""
    for one in marks:
        if one.sort is Sort.NUMBER and abs(number_of(one.text)) not in duty.numbers:
            yield _finding(turn, Slip.NUMBER, repr(one.text), "no number that is not its own")
        elif one.sort is Sort.QUOTED and re.search(r"\d", one.text) and one.text not in duty.quotes:
            yield _finding(turn, Slip.NUMBER, repr(one.text), "no value that is not its own")


def _hidden(turn: Turn, scene: Scene, marks: Sequence[Mark], duty: Duty) -> Iterator[Finding]:
    """Values of what the picture alone shows, or of what was withdrawn, in words."""
    free = [
        (one.start, one.end)
        for one in marks
        if one.sort in _NAMED or (one.sort is Sort.QUOTED and one.text in duty.quotes)
    ]
    for word in sorted(hidden_in(scene)):
        found = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", turn.text, re.IGNORECASE)
        if any(not _is_inside(one.span(), free) for one in found):
            yield _finding(turn, Slip.VALUE, repr(word), "no value of what it is about")


def _is_inside(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


_NAMED = (Sort.ENTITY, Sort.COVER, Sort.FIELD, Sort.LABEL)


def _derived(turn: Turn, scene: Scene, marks: Sequence[Mark]) -> Iterator[Finding]:
    """What follows from the entries, said of somebody by name."""
    derived = {scene.schema.heading(one.key) for one in scene.schema.dependencies}
    fields = {one.name for one in scene.schema.fields}
    for one in marks:
        if one.sort is Sort.LABEL and one.text in derived - fields:
            start = max(turn.text.rfind(end, 0, one.start) for end in (". ", "\n"))
            stop = re.search(r"\. |\n|$", turn.text[one.end :])
            assert stop is not None
            end = one.end + stop.start()
            if any(x.sort in (Sort.ENTITY, Sort.COVER) and start < x.start < end for x in marks):
                yield _finding(
                    turn, Slip.VALUE, repr(one.text), "nothing that follows from entries"
                )


def _phrases(scene: Scene) -> Iterator[str]:
    """What a turn of the user has to mention besides its update."""
    scenario, picture = scene.scenario, scene.picture
    if picture is not None and picture.artifact:
        context = context_of(scenario, picture)
        if context == scenario.truth.trajectory.initial.context and scene.number:
            yield revision_of(scenario, picture)
        else:
            yield context
            yield scenario.pack.artifact_by_key[picture.artifact].title
    yield from filter(None, (one.transition.mutation.reason for one in scene.texts))
    if not scene.number:
        yield scene.pack.dialogue.goal


def _vocabulary(scenario: Scenario) -> set[str]:
    """Every name that an entity has or could have."""
    schema = scenario.truth.trajectory.schema
    found = set(scenario.pack.names)
    for artifact in scenario.truth.artifacts:
        found |= set(names_in(schema, artifact.shows).values())
    key = schema.name_field.key if schema.name_field else ""
    for record in scenario.truth.trajectory.records:
        for change in record.changes:
            where = change.component
            if where.part is Part.CELL and where.field == key:
                found |= {x for x in (change.before, change.after) if isinstance(x, str)}
    return found
