"""How far rule and judges agree with people about right and wrong."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.agreement import Agreement, cohen_kappa, measure
from mnemoscope.analyses.figure import Figure
from mnemoscope.core.judges.said import is_current
from mnemoscope.core.model import Value
from mnemoscope.core.tags.verdicts import current_verdicts, most
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["JudgeAgreement", "VerdictAgreement", "verdict_agreement"]

_JUDGED = (Value.RIGHT, Value.WRONG)
Pair = tuple[Value, Value]


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """One judge, or the rule, against the majority of people."""

    judge: str
    """The rule that decides, or a stored verdict's judge and stage."""
    agree: Figure
    """Records on which the two agree."""
    kappa: Figure
    """Cohen's kappa of the two."""
    counts: Mapping[Pair, int]
    """How many records have what people and what the judge say, in this order."""
    silent: int
    """Records that people judged and the judge did not."""


@dataclass(frozen=True)
class VerdictAgreement:
    """People against judges, on the records of a run or of several."""

    annotators: Mapping[str, int]
    """How many records each person judged."""
    records: int
    """Records that somebody judged, as their answer stands now."""
    tied: int
    """Records on which as many people say right as wrong; they are in no figure below."""
    people: Agreement
    """People among themselves."""
    judges: tuple[JudgeAgreement, ...]


def verdict_agreement(runs: Iterable[JoinedRun], tags: WorkspaceTags) -> VerdictAgreement:
    """Hold what people say of answers against what the rule and each stored verdict say.

    Args:
        runs: The runs, with their rules' own judgements.
        tags: What people say, among all that is said.
    """
    found = [(run, entry, said) for run in runs for entry, said in current_verdicts(tags, run)]
    names = sorted({name for _, _, said in found for name in said})
    decided = [(run, entry, most(said)) for run, entry, said in found]
    pairs: dict[str, list[Pair]] = {}
    for run, entry, value in decided:
        if value is not None:
            for judge, of_judge in _judges(run, entry):
                pairs.setdefault(judge, []).append((value, of_judge))
    return VerdictAgreement(
        {name: sum(name in said for _, _, said in found) for name in names},
        len(found),
        sum(value is None for _, _, value in decided),
        measure("people", [[said.get(name) for name in names] for _, _, said in found]),
        tuple(_against(judge, of) for judge, of in pairs.items()),
    )


def _judges(run: JoinedRun, entry: Entry) -> Iterator[tuple[str, Value]]:
    yield f"{run.rule} (decides)", entry.judgement.value
    # Of several verdicts of a judge on an answer the last counts, and none on one replaced since.
    last = {
        f"{one.judge} {one.stage}".strip(): one.value
        for one in entry.record.verdicts
        if is_current(one, entry.record)
    }
    yield from last.items()


def _against(judge: str, pairs: Sequence[Pair]) -> JudgeAgreement:
    judged = [(person, said) for person, said in pairs if said in _JUDGED]
    same = sum(person is said for person, said in judged)
    return JudgeAgreement(
        judge,
        Figure.share(same, len(judged), "records on which people and judge agree / judged by both"),
        cohen_kappa([person for person, _ in judged], [said for _, said in judged]),
        Counter(judged),
        len(pairs) - len(judged),
    )
