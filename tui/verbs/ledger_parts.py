"""The pieces of a ledger as JSON: components, cells, transitions, changes, events."""

from typing import TYPE_CHECKING, Any

from mnemoscope.tui.verbs.tables import Json

if TYPE_CHECKING:
    from mnemoscope.core.state.chronicle import CellEvent
    from mnemoscope.core.state.component import Component
    from mnemoscope.core.state.ledger import LedgerCell
    from mnemoscope.core.state.transition import Change, Record
    from mnemoscope.core.truth.book import Book

__all__ = ["Infos"]

_SHEETS = ("shown", "visual", "accepted")


class Infos:
    """Makes JSON of what a book says, with the names of a round."""

    def __init__(self, book: "Book", names: dict[str, str]) -> None:
        self._book = book
        self._names = names

    def place(self, where: "Component") -> Json:
        """Where a component stands."""
        schema = self._book.schema
        return {
            "part": where.part,
            "entity": where.entity,
            "name": self._names.get(where.entity, where.entity),
            "field": where.field,
            "heading": schema.heading(where.field),
            "unit": schema.unit(where.field),
        }

    # Any: JSON values.
    def value(self, content: object) -> Any:
        """A content; what is not there is null, as a blank cell is."""
        from mnemoscope.core.state.component import Absent
        from mnemoscope.core.truth.schema_values import content_json

        return None if isinstance(content, Absent) else content_json(content)

    def values(self, one: "LedgerCell | CellEvent") -> Json:
        """Three values, and in which of them it is not there."""
        from mnemoscope.core.state.component import Absent

        values = {name: getattr(one, name) for name in _SHEETS}
        return {
            **{name: self.value(content) for name, content in values.items()},
            "absent": [name for name, content in values.items() if isinstance(content, Absent)],
            "authority": one.authority,
        }

    def cell(self, one: "LedgerCell") -> Json:
        """A cell with where it stands and what the round did to it."""
        return {
            **self.place(one.component),
            **self.values(one),
            "changed": one.effect,
            "source_round": one.source_round or None,
        }

    def pair(self, where: "Component", then: "LedgerCell | None", now: "LedgerCell | None") -> Json:
        """A cell at two rounds."""
        return {
            **self.place(where),
            "then": None if then is None else self.values(then),
            "now": None if now is None else self.values(now),
        }

    def transition(self, record: "Record") -> Json:
        """A transition without its changes."""
        from mnemoscope.core.state.operators import OPERATORS

        one = record.transition
        about = self._book.truth.trajectory.record_by_id.get(one.of)
        return {
            "id": one.id,
            "operator": one.operator,
            "number": OPERATORS[one.operator].number,
            "event": one.event,
            "wraps": one.wraps,
            "of": one.of or None,
            "of_round": about.transition.round if about else None,
            "artifact": one.artifact or None,
            "context": one.mutation.context or None,
            "reason": one.mutation.reason or None,
        }

    def changes(self, record: "Record") -> list[Json]:
        """What a transition changed, assignments of authority last."""
        return [
            *(self._change(one, record) for one in record.changes),
            *(
                {
                    "transition": record.transition.id,
                    "sheet": "authority",
                    **self.place(one.component),
                    "before": one.before.kind if one.before else None,
                    "after": one.after.kind if one.after else None,
                    "cause": "direct",
                }
                for one in record.assignments
            ),
        ]

    def _change(self, one: "Change", record: "Record") -> Json:
        return {
            "transition": record.transition.id,
            "sheet": one.sheet,
            **self.place(one.component),
            "before": self.value(one.before),
            "after": self.value(one.after),
            "cause": one.cause,
        }

    def event(self, one: "CellEvent") -> Json:
        """One thing that happened to a cell."""
        from mnemoscope.core.state.operators import OPERATORS

        return {
            "round": one.round,
            "transition": one.transition or None,
            "operator": one.operator,
            "number": OPERATORS[one.operator].number if one.operator else None,
            "said": one.said,
            "event": one.event,
            "wraps": one.wraps,
            "of_round": one.of_round or None,
            "artifact": one.artifact or None,
            **self.values(one),
            "changed": list(one.changed),
            "cause": one.cause,
            "status": one.status,
        }
