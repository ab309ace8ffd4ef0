"""Albums: which of a pack's artifacts each upload is, so that what changed can be seen on it."""

from collections import Counter

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.exhibit import Edition
from mnemoscope.core.harness.exhibition import exhibit_of
from mnemoscope.core.harness.pack import Artifact, Pack
from mnemoscope.core.harness.scenario import Picture
from mnemoscope.core.state.component import ABSENT, Component, Layer, Part, changed, member
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.state import State
from mnemoscope.core.state.transition import Cause, Record, Sheet

__all__ = ["Album"]

_WHOLE_WEIGHT, _OTHER_WEIGHT = 1, 2
"""How likely the table that shows everything is against each of the others."""
_NO_EDITION = Edition(0, "")


class Album:
    """The pictures of a scenario, in the order of upload."""

    def __init__(self, pack: Pack, seed: int) -> None:
        self.pack = pack
        self.pictures: dict[str, Picture] = {}
        self._chance = Chance(pack.name, "album", seed)
        self._editions: Counter[tuple[str, str]] = Counter()
        self._latest: dict[str, Layer] = {}
        """What each artifact of the scenario's own context last showed, by its key."""
        self._before = ""
        self._unrelated = self._chance.sample(range(len(pack.unrelated)), len(pack.unrelated))

    @property
    def next_id(self) -> str:
        """The id of the next image: says nothing but its place."""
        return f"V{len(self.pictures) + 1:02}"

    def first(self, state: State, date: str) -> None:
        """Take in the initial artifact: the whole table."""
        upload = state.upload
        key = next(one.key for one in self.pack.artifacts if self._shows_all(one, state.visual))
        self._take(upload.artifact, upload.round, key, state.context, state.shown, date)

    def add(self, record: Record, before: State, after: State, date: str) -> None:
        """Take in what a transition brings, if it brings an image."""
        one = record.transition
        if not one.is_upload:
            return
        if one.operator is Operator.UNRELATED_VISUAL:
            nth = self._unrelated[self._editions["", ""] % len(self._unrelated)]
            self._editions["", ""] += 1
            edition = Edition(1, date)
            self.pictures[one.artifact] = Picture(one.artifact, one.round, edition, unrelated=nth)
        elif one.operator is Operator.WRONG_CONTEXT_ARTIFACT:
            key = self._chance.pick(self.pack.artifacts).key
            context = one.mutation.context
            self._take(one.artifact, one.round, key, context, after.scopes[context], date)
        else:
            key = self._before
            if one.operator is not Operator.VISUAL_NOOP_REVISION:
                key = self._chosen(record, before.visual, after.visual)
            self._take(one.artifact, one.round, key, after.context, after.shown, date)

    def _take(
        self, key: str, round_id: str, artifact: str, context: str, layer: Layer, date: str
    ) -> None:
        own = context == self.pack.contexts[0]
        marked = frozenset[Component]()
        if own:
            marked = frozenset(changed(self._latest.get(artifact, layer), layer))
            self._latest[artifact] = layer
            self._before = artifact
        self._editions[artifact, context] += 1
        edition = Edition(self._editions[artifact, context], date, marked)
        self.pictures[key] = Picture(key, round_id, edition, artifact)

    def _chosen(self, record: Record, before: Layer, after: Layer) -> str:
        """An artifact on which the direct changes of a record are seen."""
        direct = [
            one for one in record.changes if one.sheet is Sheet.VISUAL and one.cause is Cause.DIRECT
        ]
        there = {one.component for one in direct if one.after is not ABSENT}
        gone = {
            one.component
            for one in direct
            if one.after is ABSENT and _is_missed(one.component, after)
        }
        fitting = [
            one
            for one in self.pack.artifacts
            if there <= self._displayed(one, after) and gone <= self._displayed(one, before)
        ]
        weights = [
            _WHOLE_WEIGHT if self._shows_all(one, after) else _OTHER_WEIGHT for one in fitting
        ]
        return self._chance.weighted(fitting, weights).key

    def _displayed(self, artifact: Artifact, layer: Layer) -> frozenset[Component]:
        context = self.pack.contexts[0]
        return exhibit_of(self.pack, artifact, layer, context, _NO_EDITION).displayed

    def _shows_all(self, artifact: Artifact, layer: Layer) -> bool:
        primary = {one for one in layer if one.part is not Part.DEPENDENT}
        return primary <= self._displayed(artifact, layer)


def _is_missed(where: Component, after: Layer) -> bool:
    """Whether it is seen by itself that a component has gone; cells go with their entity."""
    return where.part is Part.MEMBER or member(where.entity) in after
