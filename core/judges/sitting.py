"""Putting stored answers to judges, and writing down what they say."""

from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from mnemoscope.core.backbones.batch import as_finished
from mnemoscope.core.backbones.endpoint import Endpoint
from mnemoscope.core.backbones.replies import Failure, Reply
from mnemoscope.core.errors import ProviderError
from mnemoscope.core.judges.asking import Budget, ask, has_gold, question_messages
from mnemoscope.core.judges.judge import ModelJudge, RuleJudge
from mnemoscope.core.judges.prompt import category_of, prompt_of
from mnemoscope.core.judges.reply import Said
from mnemoscope.core.judges.said import VERIFIES, Voice, current
from mnemoscope.core.judges.shelf import Row, Shelf, with_verdicts
from mnemoscope.core.model import Textualisation, Value, Verdict
from mnemoscope.core.outcomes import FAILED
from mnemoscope.core.person_files import PersonFiles
from mnemoscope.core.scoring.judging import judge as judge_by_rule
from mnemoscope.core.tags.fingerprint import answer_hash
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

__all__ = ["Case", "Judged", "Seat", "Sitting"]


@dataclass(frozen=True, slots=True)
class Case:
    """An answer that can be judged."""

    run: JoinedRun
    entry: Entry

    @property
    def row(self) -> Row:
        """Question and repeat."""
        return self.entry.question.key, self.entry.record.repeat

    @property
    def label(self) -> str:
        """Run and question."""
        return f"{self.run.label} {self.entry.question.key}"


@dataclass(frozen=True, slots=True)
class Seat:
    """A model that judges, for itself or to verify another."""

    judge: ModelJudge
    verifies: str = ""
    """The judge whose verdicts it verifies; empty for its own."""

    @property
    def stage(self) -> str:
        """The stage of its verdicts."""
        return f"{VERIFIES}{self.verifies}" if self.verifies else ""

    @property
    def voice(self) -> Voice:
        """Whose verdicts these are, at which stage."""
        return self.judge.id, self.stage


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of asking a judge about an answer."""

    seat: Seat
    case: Case
    verdict: Verdict
    failure: Failure | None = None
    """Why there is no verdict, where the endpoint failed."""
    replies: Sequence[Reply] = ()
    """What the model said, each time that it was asked."""


class Sitting:
    """Judges at work on the answers of some runs. Verdicts are on the disk when given back.

    Verdicts are added beside those that there are. What a judge has said of an answer as it stands
    is not asked again, unless the judge failed.
    """

    def __init__(
        self,
        workspace: Workspace,
        shelf: Shelf,
        *,
        keys: Collection[str] | None = None,
        limit: int | None = None,
    ) -> None:
        """Open the sitting; nothing is asked yet.

        Args:
            workspace: The release and the runs.
            shelf: Where verdicts are kept.
            keys: The questions; all when None.
            limit: The most answers of each run, in its order.
        """
        self._opened = workspace
        self._shelf = shelf
        self._keys = None if keys is None else frozenset(keys)
        self._limit = limit
        self._fresh: dict[str, dict[Row, list[Verdict]]] = {}
        self._said: dict[tuple[str, Row], dict[Voice, Verdict]] = {}
        self._pens: dict[str, PersonFiles] = {}

    @cached_property
    def cases(self) -> Sequence[Case]:
        """The answers to judge: not failed ones, nor those to questions without a gold."""
        return list(self._cases())

    def _cases(self) -> Iterator[Case]:
        for run in self._opened.runs:
            listed = 0
            for entry in run.entries:
                wanted = self._keys is None or entry.question.key in self._keys
                if not wanted or entry.judgement.status in FAILED or not has_gold(entry.question):
                    continue
                listed += 1
                if self._limit is not None and listed > self._limit:
                    break
                yield Case(run, entry)

    def said(self, case: Case) -> Mapping[Voice, Verdict]:
        """What judges say of an answer, this sitting's verdicts included."""
        at = (case.run.name, case.row)
        if at not in self._said:
            self._said[at] = dict(current(case.entry.record))
        return self._said[at]

    def pending(self, seat: Seat, *, only_wrong: bool = False) -> list[Case]:
        """The answers that a judge is still to be asked about.

        Args:
            seat: The judge. Of a verifier, those that the judge whom it verifies has judged.
            only_wrong: Whether a verifier is asked only about what was first judged wrong.
        """
        return [case for case in self.cases if self._is_pending(case, seat, only_wrong)]

    def _is_pending(self, case: Case, seat: Seat, only_wrong: bool) -> bool:
        said = self.said(case)
        if seat.verifies:
            first = said.get((seat.verifies, ""))
            wanted = (Value.WRONG,) if only_wrong else (Value.WRONG, Value.RIGHT)
            if first is None or first.value not in wanted:
                return False
        own = said.get(seat.voice)
        return own is None or own.value is Value.JUDGE_FAILED

    def by_rule(self, judge: RuleJudge) -> int:
        """Let a rule judge what it has not judged; how many verdicts it gave is returned.

        Answers to questions whose gold it cannot use get none.

        Raises:
            InputError: A verdict could not be written.
        """
        count = 0
        lines: dict[str, list[tuple[Case, Verdict]]] = {}
        for case in self.cases:
            if (judge.id, "") in self.said(case):
                continue
            found = judge_by_rule(case.entry.record, case.entry.question, judge.rule)
            if found.judged:
                verdict = _verdict(judge.id, "", found.value, found.reason, case.entry)
                lines.setdefault(case.run.name, []).append((case, verdict))
                count += 1
        for of_run in lines.values():
            self._write(judge.id, of_run, prompt=lambda _: judge.prompt)
        return count

    def messages(self, case: Case) -> Sequence[Mapping[str, str]]:
        """What a model is told of an answer."""
        return question_messages(case.entry.question, case.entry.record.answer, self._shown(case))

    def _shown(self, case: Case) -> Textualisation:
        return case.run.run.textualisation or self._opened.release.textualisation

    def reserve(self, seats: Iterable[Seat]) -> None:
        """Open the files of judges before anything is asked: calls cost money.

        Raises:
            UsageError: Another process judges as one of them.
            InputError: The verdicts cannot be written there.
        """
        runs = {case.run.name for case in self.cases}
        for seat in seats:
            for name in runs:
                self._pen(seat.judge.id).open(self._shelf.folders[name])

    async def hold(
        self,
        endpoints: Mapping[ModelJudge, Endpoint],
        seats: Sequence[Seat],
        at_once: int,
        budget: Budget,
        *,
        only_wrong: bool = False,
    ) -> AsyncGenerator[Judged, None]:
        """Ask judges what they are still to be asked, taking turns.

        Args:
            endpoints: Who is asked for each judge.
            seats: The judges; verifiers come in a sitting after those whom they verify.
            at_once: How many calls may be on their way.
            budget: What may be used; when it is spent, nothing more is asked.
            only_wrong: See ``pending``.

        Raises:
            ProviderError: Asking on would not help. What has been judged stays.
            UsageError: See ``reserve``.
            InputError: A verdict could not be written.
        """
        self.reserve(seats)
        by_seat = [self.pending(seat, only_wrong=only_wrong) for seat in seats]
        longest = max(map(len, by_seat), default=0)
        jobs = (
            (seat, of[place])
            for place in range(longest)
            for seat, of in zip(seats, by_seat, strict=True)
            if place < len(of)
        )

        def affordable() -> Iterator[tuple[Seat, Case]]:
            for job in jobs:
                # A blank answer costs nothing.
                if job[1].entry.record.answer.strip() and not budget.take():
                    return
                yield job

        async def judged(job: tuple[Seat, Case]) -> Judged:
            seat, case = job
            if not case.entry.record.answer.strip():
                verdict = _verdict(*seat.voice, Value.WRONG, "says nothing", case.entry)
                return Judged(seat, case, verdict)
            endpoint, messages = endpoints[seat.judge], self.messages(case)
            said, replies = await ask(endpoint, seat.judge.model, messages, budget)
            if isinstance(said, Said):
                verdict = _verdict(*seat.voice, said.value, said.reason, case.entry)
                return Judged(seat, case, verdict, replies=replies)
            why, failure = (str(said), said) if isinstance(said, Failure) else (said, None)
            verdict = _verdict(*seat.voice, Value.JUDGE_FAILED, why, case.entry)
            return Judged(seat, case, verdict, failure, replies)

        async with aclosing(as_finished(affordable(), judged, at_once)) as finished:
            async for _, one in finished:
                if one.failure is not None and one.failure.kind.is_final:
                    raise ProviderError(f"{one.seat.judge.model}: {one.failure}")
                served = one.replies[-1].model if one.replies else ""
                self._write(
                    one.seat.judge.id,
                    [(one.case, one.verdict)],
                    prompt=lambda case: prompt_of(category_of(case.entry.question)).name,
                    served=served,
                )
                yield one

    def result(self) -> Workspace:
        """The workspace with all that was said in this sitting."""
        return with_verdicts(self._opened, self._fresh)

    def close(self) -> None:
        """Close every file."""
        for pen in self._pens.values():
            pen.close()

    def _pen(self, judge: str) -> PersonFiles:
        if judge not in self._pens:
            self._pens[judge] = self._shelf.pen(judge)
        return self._pens[judge]

    def _write(
        self,
        judge: str,
        verdicts: Sequence[tuple[Case, Verdict]],
        *,
        prompt: Callable[[Case], str],
        served: str = "",
    ) -> None:
        """Write verdicts of a judge on one run, and take them in."""
        from mnemoscope.core.runs.native.writer import verdict_line

        at = datetime.now(UTC).replace(microsecond=0)
        lines = []
        for case, verdict in verdicts:
            more = {"prompt": prompt(case), "served": served, "at": at}
            lines.append(verdict_line(*case.row, verdict).model_copy(update=more).as_json())
        folder = self._shelf.folders[verdicts[0][0].run.name]
        self._pen(judge).append(folder, *lines)
        for case, verdict in verdicts:
            self.said(case)
            self._said[case.run.name, case.row][verdict.judge, verdict.stage] = verdict
            self._fresh.setdefault(case.run.name, {}).setdefault(case.row, []).append(verdict)


def _verdict(judge: str, stage: str, value: Value, reason: str, entry: Entry) -> Verdict:
    return Verdict(judge, value, stage, reason, None, answer_hash(entry.record))
