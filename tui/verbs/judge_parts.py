"""What judges made of answers, as JSON."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from mnemoscope.analyses.calibration import JudgeErrors, judge_errors
from mnemoscope.analyses.judges import alone, chosen_entries, panel, verified
from mnemoscope.core.judges.asking import Budget, has_gold
from mnemoscope.core.judges.deciders import OneSided
from mnemoscope.core.judges.judge import Judge, ModelJudge
from mnemoscope.core.judges.prompt import prompts_hash
from mnemoscope.core.judges.sitting import Seat
from mnemoscope.core.outcomes import FAILED
from mnemoscope.core.tokens import count_tokens
from mnemoscope.core.workspace import Entry, JoinedRun
from mnemoscope.tui.verbs.judge import Work
from mnemoscope.tui.verbs.tables import Json

__all__ = ["planned", "reported"]


def planned(work: Work) -> Json:
    """What would be asked: calls and tokens of every judge, of a verifier at most."""
    seats = [_plan(work, seat) for seat in work.seats]
    seats += [_plan(work, seat) for seat in work.verifying]
    calibration = work.calibration
    made: list[Json] = []
    if calibration is not None:
        for judge in work.models:
            places = calibration.pending(judge)
            tokens = sum(_tokens(calibration.messages(place)) for place in places)
            made.append(_calls(judge, "calibration", len(places), tokens))
    return _head(work) | {"calls": [*made, *seats]}


def _plan(work: Work, seat: Seat) -> Json:
    # What a judge is going to say is not known: its verifier may be asked about all of it.
    first = Seat(seat.judge) if not seat.verifies else None
    cases = work.sitting.pending(first) if first is not None else list(work.sitting.cases)
    if first is None:
        cases = [case for case in cases if seat.voice not in work.sitting.said(case)]
    cases = [case for case in cases if case.entry.record.answer.strip()]
    tokens = sum(_tokens(work.sitting.messages(case)) for case in cases)
    return _calls(seat.judge, seat.stage, len(cases), tokens)


def _tokens(messages: Sequence[object]) -> int:
    contents = (one["content"] for one in messages if isinstance(one, dict))
    return sum(count_tokens(str(content)) for content in contents)


def _calls(judge: ModelJudge, stage: str, calls: int, tokens: int) -> Json:
    return {
        "judge": judge.id,
        "stage": stage,
        "calls_at_most": calls,
        "prompt_tokens_at_most": tokens,
        "reply_tokens_at_most": calls * judge.parameters.max_tokens,
    }


def reported(work: Work, budget: Budget) -> Json:
    """What came of it: every judge by itself, together, verified and on made-up answers."""
    work.workspace = work.sitting.result()
    calibration = work.calibration
    errors = []
    if calibration is not None:
        errors = [
            judge_errors(judge.id, calibration.made, calibration.said) for judge in work.judges
        ]
    return _head(work) | {
        "runs": [_run(work, run) for run in work.workspace.runs],
        "calibration": [_errors(one) for one in errors],
        "used": {"calls": budget.used["calls"], "tokens": budget.used["tokens"]},
        "failures": work.failures,
        "stopped": work.stopped,
    }


def _head(work: Work) -> Json:
    return {
        "release": work.workspace.release.name,
        "judges": [_judge(one) for one in work.judges],
        "verifier": _judge(work.verifier) if work.verifier is not None else None,
        "prompts": prompts_hash(),
        "made_up": len(work.calibration.made) if work.calibration is not None else 0,
    }


def _judge(one: Judge) -> Json:
    if isinstance(one, ModelJudge):
        return {"judge": one.id, "model": one.model, "parameters": asdict(one.parameters)}
    return {"judge": one.id, "model": None, "parameters": {}}


def _run(work: Work, run: JoinedRun) -> Json:
    entries = chosen_entries(run, work.keys)
    voices = [(one.id, "") for one in work.judges]
    data: Json = {
        "name": run.name,
        "letter": run.letter,
        "records": len(entries),
        **_left_out(entries),
        "judges": [_alone(entries, voice) for voice in voices],
        "verified": [],
        "panel": None,
    }
    for seat in work.verifying:
        found = verified(entries, OneSided(seat.verifies, seat.judge.id))
        data["verified"].append(
            {
                "judge": seat.verifies,
                "verifier": seat.judge.id,
                "rule": "judge+verifier",
                "judge_alone": found.judge.as_json(),
                "one_sided": found.one_sided.as_json(),
                "symmetric": found.symmetric.as_json(),
                "changed": found.changed,
                "unverified": found.unverified,
            }
        )
    if len(voices) > 1:
        together = panel(entries, voices)
        figures = together.agreement.figures
        data["panel"] = {
            "majority": together.majority.as_json(),
            "tied": together.tied,
            **{name: figure.as_json() for name, figure in figures.items()},
            "pairs": [
                {"judges": list(pair), "cohen_kappa": kappa.as_json()}
                for pair, kappa in together.pairs.items()
            ],
        }
    return data


def _left_out(entries: Sequence[Entry]) -> Json:
    counts = Counter(
        "failed"
        if entry.judgement.status in FAILED
        else "no_gold"
        if not has_gold(entry.question)
        else "answers"
        for entry in entries
    )
    return {name: counts[name] for name in ("answers", "failed", "no_gold")}


def _alone(entries: Sequence[Entry], voice: tuple[str, str]) -> Json:
    found = alone(entries, voice)
    return {"judge": voice[0], "right": found.right.as_json(), "judge_failed": found.failed}


def _errors(one: JudgeErrors) -> Json:
    return {
        "judge": one.judge,
        "errors": {kind.value: figure.as_json() for kind, figure in one.by_kind.items()},
        "false_right": one.false_right.as_json(),
        "false_wrong": one.false_wrong.as_json(),
        "judge_failed": one.failed,
        "silent": one.silent,
    }
