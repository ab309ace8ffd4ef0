"""Joining a run's rows to the questions of a release: by id, or by position checked by text.

Text alone is never a key: releases repeat questions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mnemoscope.core.model import Question, QuestionRef, Record, Release, Run

__all__ = [
    *("JoinReport", "Unjoined", "UnjoinedReason", "align_in_order", "join"),
    *("folded", "history_names", "in_prompt", "same_text"),
]


class UnjoinedReason(StrEnum):
    """Why a record joins to no question."""

    NO_HISTORY = "no_history"
    NO_QUESTION = "no_question"
    TEXT_DIFFERS = "text_differs"
    AMBIGUOUS = "ambiguous"
    REPEATED = "repeated"
    """Another row already answers the same question in the same repeat."""


@dataclass(frozen=True, slots=True)
class Unjoined:
    """A record that joins to no question."""

    record: int
    """Its index among the run's records."""
    reason: UnjoinedReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class JoinReport:
    """How a run's records join to a release."""

    keys: tuple[str | None, ...]
    """The question key of each record, None for one that joins to none."""
    unjoined: tuple[Unjoined, ...]
    without_record: tuple[str, ...]
    """Keys of questions that no record answers, in release order."""

    @property
    def matched(self) -> int:
        """How many records join."""
        return len(self.keys) - len(self.unjoined)

    @property
    def ambiguous(self) -> int:
        """How many records could join to several questions."""
        return sum(one.reason is UnjoinedReason.AMBIGUOUS for one in self.unjoined)

    @property
    def unmatched(self) -> int:
        """How many records join to no question for another reason than ambiguity."""
        return len(self.unjoined) - self.ambiguous


def join(release: Release, run: Run) -> JoinReport:
    """Find the question that each record answers."""
    names = history_names(release)
    keys: list[str | None] = [None] * len(run.records)
    unjoined: dict[int, Unjoined] = {}
    by_position: dict[str, list[int]] = {}
    by_id = _questions_by_id(release)
    by_bare_id: dict[str, list[Question]] = {}
    for question in release.questions.values():
        by_bare_id.setdefault(question.id, []).append(question)
    occurrences: dict[tuple[str, str, str, int], int] = {}
    for index, record in enumerate(run.records):
        ref = record.ref
        if ref.key:
            if ref.key in release.questions:
                keys[index] = ref.key
            else:
                unjoined[index] = Unjoined(index, UnjoinedReason.NO_QUESTION, ref.key)
            continue
        if ref.question and not ref.history:
            found = _by_id_alone(release, by_bare_id.get(ref.question, ()), record)
            if isinstance(found, Question):
                keys[index] = found.key
            else:
                unjoined[index] = Unjoined(index, *found)
            continue
        if ref.text and not ref.history:
            by_position.setdefault("", []).append(index)
            continue
        history_id = names.get(ref.history)
        if history_id is None:
            detail = ref.history or "the row names none"
            unjoined[index] = Unjoined(index, UnjoinedReason.NO_HISTORY, detail)
        elif ref.question:
            row = (history_id, ref.form, ref.question, record.repeat)
            nth = occurrences[row] = occurrences.get(row, 0) + 1
            found = _by_id(by_id.get(row[:3], ()), record, nth)
            if isinstance(found, Question):
                keys[index] = found.key
            else:
                unjoined[index] = Unjoined(index, *found)
        else:
            by_position.setdefault(history_id, []).append(index)
    for history_id, indexes in by_position.items():
        # Rows that name no history stand among the questions of all.
        listed = [*release.questions.values()]
        if history_id:
            listed = [*release.questions_by_history[history_id]]
        _join_by_position(listed, run, indexes, keys, unjoined)
    _drop_repeats(run, keys, unjoined)
    answered = set(keys)
    without = tuple(key for key in release.questions if key not in answered)
    ordered = tuple(unjoined[index] for index in sorted(unjoined))
    return JoinReport(tuple(keys), ordered, without)


def history_names(release: Release) -> dict[str, str]:
    """Every way to name a history: its place (``#0``), its name where unique, its id."""
    names = {f"#{place}": history_id for place, history_id in enumerate(release.histories)}
    by_name: dict[str, list[str]] = {}
    for history in release.histories.values():
        by_name.setdefault(history.name, []).append(history.id)
    names.update({name: ids[0] for name, ids in by_name.items() if len(ids) == 1})
    names.update({history_id: history_id for history_id in release.histories})
    return names


def _questions_by_id(release: Release) -> Mapping[tuple[str, str, str], list[Question]]:
    table: dict[tuple[str, str, str], list[Question]] = {}
    for question in release.questions.values():
        table.setdefault((question.history_id, question.form, question.id), []).append(question)
        if question.form:
            table.setdefault((question.history_id, "", question.id), []).append(question)
        # A row may count the questions of a history: ``#0`` is the first.
        place = (question.history_id, "", f"#{question.index}")
        table.setdefault(place, []).append(question)
    return table


def _by_id(
    candidates: Sequence[Question], record: Record, nth: int
) -> Question | tuple[UnjoinedReason, str]:
    ref = record.ref
    named = "/".join(filter(None, (ref.history, ref.form, ref.question)))
    if not candidates:
        return UnjoinedReason.NO_QUESTION, named
    same = [question for question in candidates if same_text(question, record)]
    if not same:
        return UnjoinedReason.TEXT_DIFFERS, named
    if len(same) == 1:
        return same[0]
    # An id that the release itself repeats: rows keep the release's order among the equal ones.
    if ref.form or len({question.form for question in same}) == 1:
        return same[nth - 1] if nth <= len(same) else (UnjoinedReason.REPEATED, named)
    return UnjoinedReason.AMBIGUOUS, named


def _by_id_alone(
    release: Release, candidates: Sequence[Question], record: Record
) -> Question | tuple[UnjoinedReason, str]:
    """The question of a row that names its question and no history: by key, else by a unique id."""
    named = record.ref.question
    if named in release.questions:
        candidates = [release.questions[named]]
    if not candidates:
        return UnjoinedReason.NO_QUESTION, named
    # Rows of this kind may hold the whole prompt, with the question somewhere in it.
    same = [one for one in candidates if same_text(one, record) or in_prompt(one, record)]
    if not same:
        return UnjoinedReason.TEXT_DIFFERS, named
    return same[0] if len(same) == 1 else (UnjoinedReason.AMBIGUOUS, named)


def in_prompt(question: Question, record: Record) -> bool:
    """Whether a row's text holds the question, as a whole prompt does."""
    stem = folded(question.stem)
    return bool(stem) and stem in folded(record.ref.text)


def same_text(question: Question, record: Record) -> bool:
    """Whether a row's text is the question's, spaces and case aside; one without text has any."""
    text = record.ref.text
    return (
        not text
        or text in (question.stem, question.text)
        or folded(text) in (folded(question.stem), folded(question.text))
    )


def folded(text: str) -> str:
    """A text without spaces and case."""
    return "".join(text.split()).casefold()


def _join_by_position(
    questions: Sequence[Question],
    run: Run,
    indexes: list[int],
    keys: list[str | None],
    unjoined: dict[int, Unjoined],
) -> None:
    by_text: dict[str, list[int]] = {}
    for place, question in enumerate(questions):
        for text in {folded(question.stem), folded(question.text)}:
            by_text.setdefault(text, []).append(place)
    by_repeat: dict[int, list[int]] = {}
    for index in indexes:
        by_repeat.setdefault(run.records[index].repeat, []).append(index)
    for rows in by_repeat.values():
        refs = [run.records[index].ref for index in rows]
        candidates = [
            [
                place
                for place in by_text.get(folded(ref.text), ())
                if ref.category in ("", questions[place].category)
            ]
            for ref in refs
        ]
        matches = _by_position(refs, candidates) or align_in_order(candidates)
        for index, ref, match in zip(rows, refs, matches, strict=True):
            if isinstance(match, UnjoinedReason):
                unjoined[index] = Unjoined(index, match, ref.text[:80])
            else:
                keys[index] = questions[match].key


def _by_position(
    refs: Sequence[QuestionRef], candidates: Sequence[Sequence[int]]
) -> list[int | UnjoinedReason] | None:
    """Match rows to the questions at their own places, where every row with a known text agrees.

    Then the rows left out no question, and even questions of equal text are told apart. None when
    a row's text belongs to another place.
    """
    matches: list[int | UnjoinedReason] = []
    for ref, places in zip(refs, candidates, strict=True):
        if places and ref.position not in places:
            return None
        match = ref.position if places else None
        matches.append(UnjoinedReason.NO_QUESTION if match is None else match)
    return matches


def align_in_order(candidates: Sequence[Sequence[int]]) -> list[int | UnjoinedReason]:
    """Match rows to items when rows keep the items' order and may leave some out.

    Args:
        candidates: For each row the places of the items that equal it, ascending.

    A row that equals one item is matched to it. A row that equals several must stand between its
    neighbours' matches; it is ambiguous when more than one place is left there.
    """
    fixed = [row[0] if len(row) == 1 else None for row in candidates]
    low = _running(fixed, max)
    high = _running(fixed[::-1], min)[::-1]
    result: list[int | UnjoinedReason] = []
    for row, match, after, before in zip(candidates, fixed, low, high, strict=True):
        if match is not None:
            result.append(match)
            continue
        left = [
            place
            for place in row
            if (after is None or place > after) and (before is None or place < before)
        ]
        if len(left) == 1:
            result.append(left[0])
        else:
            result.append(UnjoinedReason.AMBIGUOUS if row else UnjoinedReason.NO_QUESTION)
    return result


def _running(fixed: Sequence[int | None], pick: Callable[[int, int], int]) -> list[int | None]:
    """For each row the bound that the fixed rows before it set."""
    bounds: list[int | None] = []
    bound: int | None = None
    for match in fixed:
        bounds.append(bound)
        if match is not None:
            bound = match if bound is None else pick(bound, match)
    return bounds


def _drop_repeats(run: Run, keys: list[str | None], unjoined: dict[int, Unjoined]) -> None:
    seen: set[tuple[str, int]] = set()
    for index, key in enumerate(keys):
        if key is None:
            continue
        row = (key, run.records[index].repeat)
        if row in seen:
            keys[index] = None
            unjoined[index] = Unjoined(index, UnjoinedReason.REPEATED, key)
        seen.add(row)
