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
from mnemoscope.core.releases.cue_mem.attachments import kind_of_extension

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
        # What has no defect to record: the same rounds are evidence for many questions.
        self._sound: dict[str, _Resolution] = {}

    def clues(self, node: Node) -> tuple[Clue, ...]:
        """The clues of a question."""
        listed = node.data.get("clue")
        base = f"{node.place}.clue"
        if type(listed) is str:
            return tuple([self._checked(one, base, node) for one in node.texts("clue")])
        clues = []
        known = self._sound
        for index, written in enumerate(node.items("clue")):
            place = f"{base}[{index}]"
            resolution = known.get(written) if type(written) is str else None
            clues.append(
                Clue(*resolution, place) if resolution else self._checked(written, place, node)
            )
        return tuple(clues)

    def resolve(self, written: str, place: str = "") -> Clue:
        """What a clue leads to.

        A round, a media id with its extension, or a session. A bare media id is read only when
        one kind of attachment alone has it.
        """
        return Clue(*self._resolve(written), place)

    def _checked(self, written: object, place: str, node: Node) -> Clue:
        """A clue, with a defect recorded unless it is sound."""
        malformed = ClueProblem.MALFORMED
        if type(written) is not str:
            node.log.warning("clue_malformed", place, written, _EXPECTED[malformed])
            shown = describe(written)
            return Clue(shown, ClueTarget.UNKNOWN, "", problem=malformed, place=place)
        resolution = self._resolve(written)
        clue = Clue(*resolution, place)
        if clue.problem in _EXPECTED:
            expected = _EXPECTED[clue.problem]
            if self._kinds(written):
                expected = "an extension, since an image and an audio clip both have this id"
            node.log.warning(f"clue_{clue.problem}", place, written, expected)
        elif clue.id == written and clue.target in _TARGETS.values():
            repair = Described(f"the {clue.target} id {written}")
            node.log.repaired("bare_media_id", place, written, "an extension", repair)
        else:
            self._sound[written] = resolution
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
