"""Putting made-up answers to judges; what they say is kept, and not asked for again."""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

from mnemoscope.core.backbones.batch import as_finished
from mnemoscope.core.backbones.endpoint import Endpoint
from mnemoscope.core.backbones.replies import Failure
from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import ProviderError
from mnemoscope.core.judges.asking import Budget, ask, question_messages
from mnemoscope.core.judges.calibration import MadeUp
from mnemoscope.core.judges.judge import Judge, ModelJudge, RuleJudge
from mnemoscope.core.judges.prompt import category_of, prompt_of
from mnemoscope.core.judges.reply import Said
from mnemoscope.core.judges.shelf import JUDGE, Row, judged_folder, read_verdicts
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    RecordStatus,
    Textualisation,
    Value,
    Verdict,
)
from mnemoscope.core.person_files import PersonFiles
from mnemoscope.core.scoring.judging import judge as judge_by_rule
from mnemoscope.core.tags.fingerprint import answer_hash

__all__ = ["Calibration", "calibration_folder"]

_CALIBRATION = "calibration"


def calibration_folder(release: str, chosen: Path | None = None) -> Path:
    """Where judges' verdicts on made-up answers are kept.

    Args:
        release: The release's hash.
        chosen: The one folder for verdicts that the user named.
    """
    return judged_folder(chosen) / release[:16] / _CALIBRATION


@dataclass
class Calibration:
    """Made-up answers, and what judges say of them."""

    made: Sequence[MadeUp]
    shown: Textualisation
    """The captions that stand for pictures among options."""
    folder: Path
    said: dict[tuple[str, int], Verdict] = field(default_factory=dict)
    """By judge and place of the answer."""

    def __post_init__(self) -> None:
        found: dict[Row, list[Verdict]] = {}
        for path in sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else ():
            read_verdicts(path, found, DefectLog(str(path)))
        for place, one in enumerate(self.made):
            hash = answer_hash(_record(one))
            for verdict in found.get((one.question.key, 0), ()):
                if verdict.answer == hash and verdict.stage == one.kind:
                    self.said[verdict.judge, place] = verdict

    def pending(self, judge: Judge) -> list[int]:
        """Places of the answers that a judge has not judged, or failed on."""
        known = {Value.RIGHT, Value.WRONG}
        return [
            place
            for place in range(len(self.made))
            if (found := self.said.get((judge.id, place))) is None or found.value not in known
        ]

    def messages(self, place: int) -> Sequence[Mapping[str, str]]:
        """What a model is told of an answer."""
        one = self.made[place]
        return question_messages(one.question, one.answer, self.shown)

    def by_rule(self, judge: RuleJudge) -> None:
        """Let a rule judge; it is computed whenever it is asked for, and not kept."""
        for place, one in enumerate(self.made):
            found = judge_by_rule(_record(one), one.question, judge.rule)
            if found.judged:
                self.said[judge.id, place] = Verdict(judge.id, found.value, one.kind, found.reason)

    async def hold(
        self, judge: ModelJudge, endpoint: Endpoint, at_once: int, budget: Budget
    ) -> AsyncGenerator[Verdict, None]:
        """Ask a judge about what is pending; each verdict is on the disk when given back.

        Raises:
            ProviderError: Asking on would not help. What has been judged stays.
            UsageError: Another process calibrates the same judge.
            InputError: A verdict could not be written.
        """
        pen = PersonFiles(judge.id, JUDGE)
        pen.open(self.folder)

        def affordable() -> Iterator[int]:
            for place in self.pending(judge):
                if not budget.take():
                    return
                yield place

        async def judged(place: int) -> Said | Failure | str:
            said, _ = await ask(endpoint, judge.model, self.messages(place), budget)
            return said

        try:
            async with aclosing(as_finished(affordable(), judged, at_once)) as finished:
                async for place, said in finished:
                    if isinstance(said, Failure) and said.kind.is_final:
                        raise ProviderError(f"{judge.model}: {said}")
                    yield self._keep(pen, judge, place, said)
        finally:
            pen.close()

    def _keep(
        self, pen: PersonFiles, judge: ModelJudge, place: int, said: Said | Failure | str
    ) -> Verdict:
        from mnemoscope.core.runs.native.writer import verdict_line

        one = self.made[place]
        value = said.value if isinstance(said, Said) else Value.JUDGE_FAILED
        reason = said.reason if isinstance(said, Said) else str(said)
        verdict = Verdict(judge.id, value, one.kind, reason, None, answer_hash(_record(one)))
        prompt = prompt_of(category_of(one.question)).name
        line = verdict_line(one.question.key, 0, verdict).model_copy(update={"prompt": prompt})
        pen.append(self.folder, line.as_json())
        self.said[judge.id, place] = verdict
        return verdict


def _record(one: MadeUp) -> Record:
    return Record(QuestionRef(key=one.question.key), RecordStatus.OK, one.answer, "", "$")
