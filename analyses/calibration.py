"""How often a judge is wrong about made-up answers whose verdict is known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.core.judges.calibration import Kind, MadeUp
from mnemoscope.core.model import Value, Verdict

__all__ = ["JudgeErrors", "judge_errors"]

_JUDGED = (Value.RIGHT, Value.WRONG)


@dataclass(frozen=True, slots=True)
class JudgeErrors:
    """The errors of one judge on made-up answers."""

    judge: str
    by_kind: Mapping[Kind, Figure]
    """Verdicts that are wrong / verdicts given, for answers of each kind."""
    false_right: Figure
    """Answers made to be wrong that it calls right."""
    false_wrong: Figure
    """Answers made to be right that it calls wrong."""
    failed: int
    """Answers on which it gave no usable verdict."""
    silent: int
    """Answers that it has not judged, or cannot judge."""


def judge_errors(
    judge: str, made: Sequence[MadeUp], said: Mapping[tuple[str, int], Verdict]
) -> JudgeErrors:
    """Count a judge's errors.

    Args:
        judge: The judge.
        made: The made-up answers.
        said: What judges say, by judge and place of the answer.
    """
    rows = [(one, said.get((judge, place))) for place, one in enumerate(made)]
    given = [(one, verdict.value) for one, verdict in rows if verdict is not None]
    judged = [(one, value) for one, value in given if value in _JUDGED]
    return JudgeErrors(
        judge,
        {kind: _errors((row for row in judged if row[0].kind is kind), kind) for kind in Kind},
        _errors((row for row in judged if row[0].expected is Value.WRONG), "made to be wrong"),
        _errors((row for row in judged if row[0].expected is Value.RIGHT), "made to be right"),
        len(given) - len(judged),
        len(rows) - len(given),
    )


def _errors(rows: Iterable[tuple[MadeUp, Value]], what: str) -> Figure:
    listed = list(rows)
    errors = sum(value is not one.expected for one, value in listed)
    estimand = f"wrong verdicts / verdicts on made-up answers ({what})"
    return Figure.share(errors, len(listed), estimand, FigureStatus.NOT_JUDGED)
