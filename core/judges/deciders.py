"""Who can decide in the place of a run's rule: a judge, a judge with its verifier, a panel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mnemoscope.core.errors import UsageError
from mnemoscope.core.judges.said import STORED, VERIFIES, Voice, voice_label, voices
from mnemoscope.core.model import Value, Verdict
from mnemoscope.core.workspace import JoinedRun, Workspace

__all__ = ["Decider", "OneJudge", "OneSided", "Panel", "decider_named", "deciders_of", "pair_of"]

_JUDGED = (Value.RIGHT, Value.WRONG)
_PANEL, _VERIFIED = "panel", "judge+verifier"


class Decider(Protocol):
    """Makes one verdict of what judges say of an answer."""

    @property
    def name(self) -> str:
        """Its name, as ``--verdicts`` takes it."""
        ...

    @property
    def words(self) -> str:
        """How it decides, in a few words."""
        ...

    def value(self, said: Mapping[Voice, Verdict]) -> Value:
        """The verdict; ``not_judged`` where somebody who is needed says nothing."""
        ...


@dataclass(frozen=True, slots=True)
class OneJudge:
    """One judge alone."""

    voice: Voice

    @property
    def name(self) -> str:
        """Judge and stage."""
        return voice_label(self.voice)

    @property
    def words(self) -> str:
        """The judge."""
        return "one judge"

    def value(self, said: Mapping[Voice, Verdict]) -> Value:
        """What the judge says."""
        verdict = said.get(self.voice)
        return Value.NOT_JUDGED if verdict is None else verdict.value


@dataclass(frozen=True, slots=True)
class OneSided:
    """DSV-Mem's judge and verifier: who is first judged wrong gets a second verdict.

    One right verdict of the two suffices. What was first judged right is never looked at again, so
    the rule can only raise accuracy above the judge's.
    """

    judge: str
    verifier: str

    @property
    def name(self) -> str:
        """Both, the judge first."""
        return f"{self.judge}+{self.verifier}"

    @property
    def words(self) -> str:
        """The rule's name."""
        return f"{_VERIFIED}, one-sided"

    @property
    def second(self) -> Voice:
        """The verifier's voice."""
        return (self.verifier, f"{VERIFIES}{self.judge}")

    def value(self, said: Mapping[Voice, Verdict]) -> Value:
        """The judge's verdict if right, else the verifier's."""
        first = OneJudge((self.judge, "")).value(said)
        return OneJudge(self.second).value(said) if first is Value.WRONG else first


@dataclass(frozen=True, slots=True)
class Panel:
    """Several judges: the majority of those who gave a verdict."""

    judges: tuple[str, ...]

    @property
    def name(self) -> str:
        """All of them."""
        return f"{_PANEL}:{','.join(self.judges)}"

    @property
    def words(self) -> str:
        """How many they are."""
        return f"majority of {len(self.judges)} judges"

    def value(self, said: Mapping[Voice, Verdict]) -> Value:
        """What more than half say; a tie is not judged."""
        values = [OneJudge((judge, "")).value(said) for judge in self.judges]
        given = [value for value in values if value in _JUDGED]
        if not given:
            return Value.JUDGE_FAILED if Value.JUDGE_FAILED in values else Value.NOT_JUDGED
        right = given.count(Value.RIGHT)
        if right * 2 == len(given):
            return Value.NOT_JUDGED
        return Value.RIGHT if right * 2 > len(given) else Value.WRONG


def deciders_of(workspace: Workspace) -> list[tuple[Decider, int]]:
    """Everything that could decide here, with the number of answers that it has verdicts on."""
    counts = voices(workspace.runs)
    found: list[tuple[Decider, int]] = []
    for voice, n in counts.items():
        if voice != (STORED, "") and not voice[1].startswith(VERIFIES):
            found.append((OneJudge(voice), n))
    found += [(pair, counts[pair.second]) for pair in _pairs(counts)]
    models = _panel_of(counts)
    if len(models) > 1:
        found.append((Panel(models), min(counts[judge, ""] for judge in models)))
    return found


def decider_named(name: str, workspace: Workspace) -> Decider:
    """The decider with a name.

    That is a judge, which may be cut short while it stays unique and may lack ``endpoint:``;
    ``JUDGE+VERIFIER``, or ``judge+verifier`` where there is one such pair; ``panel:JUDGE,JUDGE``,
    or ``panel`` for all models that have judged.

    Raises:
        UsageError: Nobody of that name has judged an answer, or several have.
    """
    counts = voices(workspace.runs)
    exact = [pair for pair in _pairs(counts) if pair.name == name]
    if exact:
        return exact[0]
    if name == _VERIFIED:
        return _only_pair(_pairs(counts))
    kind, colon, rest = name.partition(":")
    if kind == _PANEL:
        judges = tuple(_judge(one, counts) for one in rest.split(",")) if colon else ()
        judges = tuple(dict.fromkeys(judges)) or _panel_of(counts)
        if len(judges) < 2:
            raise UsageError(f"a panel needs two judges or more; {_known(counts)}")
        return Panel(judges)
    first, plus, second = name.partition("+")
    if plus:
        found = [
            pair
            for pair in _pairs(counts)
            if _goes_by(pair.judge, first) and _goes_by(pair.verifier, second)
        ]
        if found:
            return _only_pair(found)
    labels = {voice_label(voice): voice for voice in counts if voice != (STORED, "")}
    if name in labels:
        return OneJudge(labels[name])
    return OneJudge((_judge(name, counts), ""))


def pair_of(run: JoinedRun) -> OneSided | None:
    """The judge and verifier that decide in a run, if such do."""
    if run.deciding is None or not run.deciding.one_sided:
        return None
    pairs = _pairs(voices([run]))
    return next((pair for pair in pairs if pair.name == run.deciding.name), None)


def _pairs(counts: Mapping[Voice, int]) -> list[OneSided]:
    return [
        OneSided(stage.removeprefix(VERIFIES), judge)
        for judge, stage in counts
        if stage.startswith(VERIFIES)
    ]


def _only_pair(pairs: Sequence[OneSided]) -> OneSided:
    if len(pairs) == 1:
        return pairs[0]
    if not pairs:
        raise UsageError(
            "no verifier has judged an answer of these runs",
            hint="mnemoscope judge RELEASE RUN --judge endpoint:MODEL --verifier endpoint:MODEL",
        )
    raise UsageError(f"which verifier? There are: {', '.join(pair.name for pair in pairs)}")


def _panel_of(counts: Mapping[Voice, int]) -> tuple[str, ...]:
    """The models that have judged answers by themselves."""
    return tuple(judge for judge, stage in counts if not stage and judge.startswith("endpoint:"))


def _judge(name: str, counts: Mapping[Voice, int]) -> str:
    plain = [judge for judge, stage in counts if not stage and judge != STORED]
    if name in plain:
        return name
    found = [judge for judge in plain if _goes_by(judge, name)]
    if len(found) == 1:
        return found[0]
    problem = "goes by several" if found else "is none"
    raise UsageError(f"judge {name!r} {problem} of those who judged; {_known(counts)}")


def _goes_by(judge: str, name: str) -> bool:
    """Whether a judge is meant by a name: the beginning of its own, or of its model's."""
    name = name.strip()
    return bool(name) and (
        judge.startswith(name) or judge.removeprefix("endpoint:").startswith(name)
    )


def _known(counts: Mapping[Voice, int]) -> str:
    labels = [voice_label(voice) for voice in counts if voice != (STORED, "")]
    return f"there are: {', '.join(labels)}" if labels else "nobody has judged these runs"
