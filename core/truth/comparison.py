"""Comparing a recorded transition with the same one carried out again."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.state.component import Component
from mnemoscope.core.state.transition import Assignment, Cause, Change, Record, Sheet, Step
from mnemoscope.core.state.values import same_scalar
from mnemoscope.core.truth.places import said

__all__ = ["compare_step"]

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def compare_step(place: str, record: Record, step: Step, log: DefectLog) -> None:
    """Record where the scope, the changes or the authority of a transition differ.

    Args:
        place: The JSON path of the transition.
        record: What the file says.
        step: What carrying it out gives.
        log: Takes the defects.
    """
    compare = _Comparison(place, log)
    compare.scope(record.scope, step.record.scope)
    compare.changes(record.changes, step.changes)
    compare.assignments(record.assignments, step.assignments)


class _Comparison:
    def __init__(self, place: str, log: DefectLog) -> None:
        self.place = place
        self.log = log

    def scope(self, recorded: Sequence[Component], right: Sequence[Component]) -> None:
        """The declared scope against what the mutation modifies."""

        def key(one: Component) -> Component:
            return one

        self._pairs("scope", recorded, right, key, "truth_scope")

    def changes(self, recorded: Sequence[Change], right: Sequence[Change]) -> None:
        """Before-images against the parent state, after-images against the resulting one."""

        def key(one: Change) -> tuple[Sheet, Component]:
            return one.sheet, one.component

        for at, found, wanted in self._pairs("changes", recorded, right, key, "truth_undeclared"):
            place = f"{self.place}.changes[{at}]"
            if not same_scalar(found.before, wanted.before):
                expected = f"{said(wanted.before)}, as in the parent state"
                self.log.error("truth_continuity", f"{place}.before", said(found.before), expected)
            if not same_scalar(found.after, wanted.after):
                computed = wanted.cause is Cause.DEPENDENT
                code = "truth_dependent" if computed else "truth_change"
                how = "as recomputed" if computed else "as the mutation says"
                expected = f"{said(wanted.after)}, {how}"
                self.log.error(code, f"{place}.after", said(found.after), expected)
            if found.cause is not wanted.cause:
                self.log.error("truth_cause", f"{place}.cause", found.cause.value, wanted.cause)

    def assignments(self, recorded: Sequence[Assignment], right: Sequence[Assignment]) -> None:
        """Source authority."""

        def key(one: Assignment) -> Component:
            return one.component

        for at, found, wanted in self._pairs("authority", recorded, right, key, "truth_authority"):
            place = f"{self.place}.authority[{at}]"
            for name in ("before", "after"):
                was, now = getattr(found, name), getattr(wanted, name)
                if was != now:
                    shown = Described("nothing") if was is None else said(was)
                    expected = "nothing" if now is None else said(now)
                    self.log.error("truth_authority", f"{place}.{name}", shown, expected)

    def _pairs(
        self,
        name: str,
        recorded: Sequence[T],
        right: Sequence[T],
        key: Callable[[T], K],
        code: str,
    ) -> list[tuple[int, T, T]]:
        """What both have; what only one has is a defect."""
        wanted = {key(one): one for one in right}
        pairs, seen = [], set[K]()
        for at, one in enumerate(recorded):
            own = key(one)
            if own in wanted and own not in seen:
                pairs.append((at, one, wanted[own]))
            else:
                again = "a second time" if own in seen else "which the transition does not change"
                found = Described(f"{_named(own)}, {again}")
                self.log.error(code, f"{self.place}.{name}[{at}]", found, "no such entry")
            seen.add(own)
        for own in wanted:
            if own not in seen:
                found = Described(f"no entry for {_named(own)}")
                self.log.error(code, f"{self.place}.{name}", found, "one, since it changes")
        return pairs


def _named(key: Hashable) -> str:
    if isinstance(key, Component):
        return str(key)
    return " ".join(str(one) for one in key) if isinstance(key, tuple) else str(key)
