"""What judges say of the answers of runs as they stand, by judge and stage."""

from collections import Counter
from collections.abc import Iterable, Mapping

from mnemoscope.core.model import Record, Value, Verdict
from mnemoscope.core.tags.fingerprint import answer_hash
from mnemoscope.core.workspace import JoinedRun

__all__ = ["STORED", "VERIFIES", "Voice", "current", "is_current", "voice_label", "voices"]

STORED = "stored"
"""The judge of what a run's own file says."""
VERIFIES = "verifier of "
"""How the stage begins of a verdict that was asked for to verify another judge's."""
Voice = tuple[str, str]
"""A judge and the stage of its verdict."""
_SAYS = frozenset((Value.RIGHT, Value.WRONG, Value.JUDGE_FAILED))


def is_current(verdict: Verdict, record: Record) -> bool:
    """Whether a verdict is about the answer as it stands, as far as it says."""
    return not verdict.answer or verdict.answer == answer_hash(record)


def current(record: Record) -> Mapping[Voice, Verdict]:
    """What each judge says of a record's answer; of several verdicts the last."""
    return {
        (one.judge, one.stage): one
        for one in record.verdicts
        if one.value in _SAYS and is_current(one, record)
    }


def voices(runs: Iterable[JoinedRun]) -> Counter[Voice]:
    """How many answers each judge calls right or wrong, in the order met."""
    found: Counter[Voice] = Counter()
    for run in runs:
        for entry in run.entries:
            for voice, verdict in current(entry.record).items():
                found[voice] += verdict.value is not Value.JUDGE_FAILED
    return found


def voice_label(voice: Voice) -> str:
    """Judge and stage as one name."""
    return f"{voice[0]} {voice[1]}".strip()
