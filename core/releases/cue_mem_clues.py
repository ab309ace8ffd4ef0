"""The clues of CUE-Mem questions: pointers to rounds, images and audio clips (cue-mem.md 2.7)."""

import re

from mnemoscope.core.defects import Described, describe
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Clue,
    ClueProblem,
    ClueTarget,
    History,
    Kind,
    Round,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.cue_mem_attachments import kind_of_extension

__all__ = ["ClueResolver"]

_FORMS = (
    (re.compile(r"[^:\s]+:\d+"), ClueTarget.ROUND),
    (re.compile(r"D\d+-\d+"), ClueTarget.UNKNOWN),
    (re.compile(r"D\d+"), ClueTarget.SESSION),
)
"""What an id that is not in the history looks like, and what it would be."""
_TARGETS = {Kind.IMAGE: ClueTarget.IMAGE, Kind.AUDIO: ClueTarget.AUDIO}
_EXPECTED = {
    ClueProblem.UNKNOWN_ID: "an id of this history",
    ClueProblem.MALFORMED: "the id of a round, or of an image or audio clip with its extension",
}

_Resolution = tuple[str, ClueTarget, str, str, str, ClueProblem]
"""The fields of a clue up to its place."""


class ClueResolver:
    """Resolves the clues of one history's questions."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._carriers: dict[Kind, dict[str, tuple[Round, Attachment]]] = {
            kind: {} for kind in Kind
        }
        for one in history.rounds:
            for item in one.attachments:
                self._carriers[item.kind].setdefault(item.id, (one, item))
        # The same rounds are evidence for many questions.
        self._resolved: dict[str, _Resolution] = {}

    def clues(self, node: Node) -> tuple[Clue, ...]:
        """The clues of a question."""
        if type(node.data.get("clue")) is str:
            return tuple(self._clue(one, node.at("clue"), node) for one in node.texts("clue"))
        base = f"{node.place}.clue"
        return tuple(
            self._clue(written, f"{base}[{index}]", node)
            for index, written in enumerate(node.items("clue"))
        )

    def resolve(self, written: str, place: str = "") -> Clue:
        """What a clue leads to.

        A round, a media id with its extension, or a session. A bare media id is read only when
        one kind of attachment alone has it.
        """
        resolution = self._resolved.get(written)
        if resolution is None:
            resolution = self._resolved[written] = self._resolve(written)
        return Clue(*resolution, place)

    def _clue(self, written: object, place: str, node: Node) -> Clue:
        if type(written) is not str:
            node.log.warning("clue_malformed", place, written, _EXPECTED[ClueProblem.MALFORMED])
            return Clue(
                describe(written),
                ClueTarget.UNKNOWN,
                "",
                problem=ClueProblem.MALFORMED,
                place=place,
            )
        clue = self.resolve(written, place)
        if clue.round_id:
            if clue.id == written and clue.target is not ClueTarget.ROUND:
                repair = Described(f"the {clue.target} id {written}")
                node.log.repaired("bare_media_id", place, written, "an extension", repair)
        elif clue.problem in _EXPECTED:
            expected = _EXPECTED[clue.problem]
            if self._kinds(written):
                expected = "an extension, since an image and an audio clip both have this id"
            node.log.warning(f"clue_{clue.problem}", place, written, expected)
        return clue

    def _kinds(self, media_id: str) -> list[Kind]:
        return [kind for kind, carriers in self._carriers.items() if media_id in carriers]

    def _resolve(self, written: str) -> _Resolution:
        history = self.history
        if not history.rounds:
            return _unresolved(written, ClueTarget.UNKNOWN, ClueProblem.HISTORY_ABSENT)
        found = history.round_by_id.get(written)
        if found is not None:
            return (
                written,
                ClueTarget.ROUND,
                found.id,
                found.id,
                found.session_id,
                ClueProblem.NONE,
            )
        media_id, _, extension = written.rpartition(".")
        kind = kind_of_extension(extension)
        if media_id and kind is not None:
            return self._media(written, kind, media_id)
        kinds = self._kinds(written)
        if len(kinds) == 1:
            return self._media(written, kinds[0], written)
        if not kinds and written in history.session_by_id:
            return (written, ClueTarget.SESSION, written, "", written, ClueProblem.NONE)
        for form, target in _FORMS if not kinds else ():
            if form.fullmatch(written):
                return _unresolved(written, target, ClueProblem.UNKNOWN_ID)
        return _unresolved(written, ClueTarget.UNKNOWN, ClueProblem.MALFORMED)

    def _media(self, written: str, kind: Kind, media_id: str) -> _Resolution:
        target = _TARGETS[kind]
        carrier = self._carriers[kind].get(media_id)
        if carrier is None:
            return (written, target, media_id, "", "", ClueProblem.UNKNOWN_ID)
        one, attachment = carrier
        present = attachment.state is AttachmentState.PRESENT
        problem = ClueProblem.NONE if present else ClueProblem.FILE_MISSING
        return (written, target, media_id, one.id, one.session_id, problem)


def _unresolved(written: str, target: ClueTarget, problem: ClueProblem) -> _Resolution:
    return (written, target, written, "", "", problem)
