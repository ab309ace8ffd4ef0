"""Which questions of a workspace a filter selects."""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters.language import parse_expression
from mnemoscope.core.filters.search import text_search
from mnemoscope.core.filters.terms import (
    Expression,
    FieldTerm,
    FigureTerm,
    OutcomeTerm,
    SearchTerm,
    Term,
    fail,
)
from mnemoscope.core.filters.values import chosen, field_test
from mnemoscope.core.model import Question, RecordStatus, Value
from mnemoscope.core.scoring.judging import Judgement, judge
from mnemoscope.core.scoring.retrieval_hits import count_hits, k_used
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

__all__ = ["Filter", "parse"]

Predicate = Callable[[Question], bool]

_COST = {FieldTerm: 0, OutcomeTerm: 1, FigureTerm: 2, SearchTerm: 3}
_FAILED = frozenset(RecordStatus) - {RecordStatus.OK, RecordStatus.UNPARSED}
_OUTCOME_TESTS: Mapping[str, Callable[[Judgement | None], bool]] = {
    "right": lambda one: one is not None and one.right,
    "wrong": lambda one: one is not None and one.judged and not one.right,
    "unparsed": lambda one: one is not None and one.status is RecordStatus.UNPARSED,
    "error": lambda one: one is not None and one.status in _FAILED,
    "not_judged": lambda one: one is not None and not one.judged,
    "missing": lambda one: one is None,
}
_TAG_WORDS = ("any", "none", "flagged")
_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}


def parse(text: str) -> "Filter":
    """Read a filter; an empty one selects everything.

    Raises:
        UsageError: It is not a filter; the message names the column and what is known.
    """
    return Filter(parse_expression(text))


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter that can be asked about any workspace."""

    expression: Expression

    @property
    def about_tags(self) -> bool:
        """Whether it asks for tags, which have to be read first."""
        return any(
            isinstance(term, FieldTerm) and term.field == "tag" for term in self.expression.terms
        )

    def select(self, workspace: Workspace, keys: Iterable[str] | None = None) -> list[str]:
        """The keys of the questions that it selects, in release order.

        ``sample:`` draws from what the other terms leave, and from ``keys``. The draw looks at
        keys alone: the order of histories and questions does not change it, and a question that
        is added or taken away changes it by at most one question.

        Args:
            workspace: The release and its runs.
            keys: The questions to choose from; all when None.

        Raises:
            UsageError: It names a run, a task, … that the workspace does not have.
        """
        questions = workspace.release.questions
        if keys is None:
            left = list(questions.values())
        else:
            wanted = set(keys)
            left = [question for key, question in questions.items() if key in wanted]
        for predicate in self._predicates(workspace):
            left = [question for question in left if predicate(question)]
        found = [question.key for question in left]
        if self.expression.sample is None or self.expression.sample >= len(found):
            return found
        drawn = set(sorted(found, key=self._lot)[: self.expression.sample])
        return [key for key in found if key in drawn]

    @property
    def words(self) -> tuple[re.Pattern[str], ...]:
        """What it searches for in texts; what must not be there is not among it."""
        terms = self.expression.terms
        found = [one.pattern for one in terms if isinstance(one, SearchTerm) and not one.negated]
        return tuple(found)

    def matches(self, workspace: Workspace, key: str) -> bool:
        """Whether it selects one question. For many questions ``select`` is far quicker.

        Raises:
            UsageError: See ``select``.
        """
        question = workspace.release.questions.get(key)
        if question is None or self.expression.sample is not None:
            return key in self.select(workspace)
        return all(predicate(question) for predicate in self._predicates(workspace))

    def _lot(self, key: str) -> bytes:
        return blake2b(f"{self.expression.seed}:{key}".encode("utf-8", "surrogatepass")).digest()

    def _predicates(self, workspace: Workspace) -> list[Predicate]:
        """What each term demands, the quickest to answer first."""
        terms = sorted(self.expression.terms, key=lambda term: _COST[type(term)])
        predicates = [(term, self._predicate(term, workspace)) for term in terms]
        return [_negation(of) if term.negated else of for term, of in predicates]

    def _predicate(self, term: Term, workspace: Workspace) -> Predicate:
        match term:
            case OutcomeTerm():
                return self._outcome(term, workspace)
            case FigureTerm():
                return _figure(term, workspace)
            case SearchTerm():
                return text_search(term.pattern, workspace)
        if term.field == "status":
            return self._status(term, workspace)
        if term.field == "overlay":
            return _corrected(term, workspace)
        if term.field == "tag":
            return _tagged(term, workspace)
        return field_test(term, workspace.release)

    def _judgement(self, entry: Entry) -> Judgement:
        rule = self.expression.judge
        # Only the stored rule leaves records unjudged, and a record alone does not say why.
        if not rule or (rule == "stored" and entry.judgement.value is Value.NOT_JUDGED):
            return entry.judgement
        return judge(entry.record, entry.question, rule)

    def _status(self, term: FieldTerm, workspace: Workspace) -> Predicate:
        wanted = chosen(term, {status: (status.value,) for status in RecordStatus})
        keys = {
            entry.question.key
            for run in workspace.runs
            for entry in run.entries
            if self._judgement(entry).status in wanted
        }
        return lambda question: question.key in keys

    def _outcome(self, term: OutcomeTerm, workspace: Workspace) -> Predicate:
        tests: dict[str, tuple[JoinedRun, list[Callable[[Judgement | None], bool]]]] = {}
        for choice in term.choices:
            run = _run(workspace, choice.run, choice.column)
            tests.setdefault(run.letter, (run, []))[1].append(_OUTCOME_TESTS[choice.outcome])

        def holds(question: Question) -> bool:
            for run, of_run in tests.values():
                entries = run.by_question.get(question.key)
                judgement = self._judgement(entries[0]) if entries else None
                if any(test(judgement) for test in of_run):
                    return True
            return False

        return holds


def _negation(predicate: Predicate) -> Predicate:
    return lambda question: not predicate(question)


def _run(workspace: Workspace, name: str, column: int) -> JoinedRun:
    try:
        return workspace.run(name)
    except UsageError as error:
        fail(column, str(error))


def _corrected(term: FieldTerm, workspace: Workspace) -> Predicate:
    overlay = workspace.overlay
    if overlay is None:
        fail(term.column, "no overlay is open; --overlay FILE lays one over the release")
    names = {"any": ("any",), **{name: (name,) for name in overlay.error_types}}
    wanted = chosen(term, names)
    keys = {
        key
        for key, corrections in overlay.corrections.items()
        if "any" in wanted or any(one.entry.error_type in wanted for one in corrections)
    }
    return lambda question: question.key in keys


def _tagged(term: FieldTerm, workspace: Workspace) -> Predicate:
    tags = workspace.tags
    if tags is None:
        fail(term.column, "tag: has nothing to look at, since no tags have been read")
    known = tags.used_slugs.union(tag.slug for one in tags.catalogue for tag in one.tags)
    wanted = chosen(term, {slug: (slug,) for slug in (*_TAG_WORDS, *sorted(known))})

    def holds(question: Question) -> bool:
        slugs = tags.slugs(question.key)
        words = {"any"} if slugs else {"none"}
        if tags.flagged(question.key):
            words.add("flagged")
        return not wanted.isdisjoint(slugs | words)

    return holds


def _figure(term: FigureTerm, workspace: Workspace) -> Predicate:
    run = _run(workspace, term.run, term.column)
    compares, number = _OPERATORS[term.operator], term.number
    depth, histories = run.run.used_depth, workspace.release.histories
    grain = workspace.common_grain

    def holds(question: Question) -> bool:
        entries = run.by_question.get(question.key)
        if not entries:
            return False
        record = entries[0].record
        if term.figure == "k":
            value: float | None = k_used(record.retrieval, depth)
        else:
            history = histories.get(question.history_id)
            counts = count_hits(question, record, used_depth=depth, history=history, grain=grain)
            counts = counts if term.at is None else counts.first(term.at)
            value = getattr(counts, term.figure)
        return value is not None and compares(value, number)

    return holds
