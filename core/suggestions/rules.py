"""The rules. Each names a tag, says in words what it saw, and knows what it cannot see.

A suggestion is never a tag: somebody has to set it. Several may hold for one record.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mnemoscope.core.model import ClueProblem, ClueTarget, Kind, RecordStatus
from mnemoscope.core.scoring.retrieval_hits import HitState
from mnemoscope.core.suggestions.case import Case
from mnemoscope.core.terms import terms
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

__all__ = ["RULES", "Rule", "Suggestion", "suggest", "suggest_all"]

_FAILED = frozenset(RecordStatus) - {RecordStatus.OK, RecordStatus.UNPARSED}
_ENOUGH = 0.5
"""Share of the clues that must have been sent for an answer to have had enough to go on."""
_AGREEING = 3
"""How many other systems must share a wrong answer before the gold looks suspect."""
_SHOWN = 3
_ERROR_TEXT = re.compile(
    r"traceback \(most recent|\b(?:api|http|connection|timeout|rate.?limit|server|value|key)"
    r"[ _]?error\b|\berror(?: code)?: ?\d{3}|exceeded (?:your|the) (?:current )?(?:quota|limit)"
    r"|maximum context length|\b(?:429|50[0234])\b.{0,30}\b(?:error|unavailable|too many)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A tag that a rule would set, and why."""

    tag: str
    """The tag's slug; taxonomies that have no such tag do not offer it."""
    rule: str
    evidence: str
    """What the rule saw, in a sentence."""
    about: Kind | None = None
    """The kind of attachment whose text is at fault, where one is."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, and what should be known about it."""

    name: str
    tags: tuple[str, ...]
    """The tags it may suggest."""
    looks_at: str
    cannot_see: str
    find: Callable[[Case], Iterable[Suggestion]]


def _misled(case: Case) -> bool:
    """Whether an answer was given, is wrong, and evidence could have made it right."""
    failed = case.entry.judgement.status in _FAILED
    return case.wrong and case.question.answerable and not failed


def _textualization_miss(case: Case) -> Iterator[Suggestion]:
    if not _misled(case) or not case.target_terms:
        return
    clues = [clue for clue in case.question.clues if clue.resolved]
    told = terms(" ".join(case.clue_text(clue, case.sent) for clue in clues))
    missing = case.target_terms - told
    for clue in clues:
        for kind in case.media_kinds(clue):
            for richer in case.richer(kind):
                found = missing & terms(case.clue_text(clue, richer))
                # One shared term of many is chance; a name is often one term.
                if found and len(found) * 3 >= len(case.target_terms):
                    yield Suggestion(
                        "textualization_miss",
                        "textualization",
                        f"{_quoted(found, case.gold_text)} stands in the {richer.of(kind)} caption "
                        f"of {clue.id}, not in the {case.sent.of(kind)} one that was sent",
                        kind,
                    )
                    return
    yield from _background_missing(case)


_BACKGROUND = re.compile(r"背景|background", re.IGNORECASE)


def _background_missing(case: Case) -> Iterator[Suggestion]:
    silent = case.question.setting == "implicit"
    for clue in case.question.clues if silent else ():
        if clue.target is not ClueTarget.AUDIO or not clue.resolved:
            continue
        if _BACKGROUND.search(case.clue_text(clue, case.sent)):
            return
        for richer in case.richer(Kind.AUDIO):
            if _BACKGROUND.search(case.clue_text(clue, richer)):
                yield Suggestion(
                    "textualization_miss",
                    "textualization",
                    f"the {case.sent.audio} text of {clue.id} has no background sound, "
                    f"the {richer.audio} one has",
                    Kind.AUDIO,
                )
                return


def _retrieval_miss(case: Case) -> Iterator[Suggestion]:
    found = case.retrieval
    if _misled(case) and found.recall is not None and found.recall < _ENOUGH:
        gold, hits = found.counts.gold, found.counts.found
        yield Suggestion(
            "retrieval_miss",
            "retrieval",
            f"{hits} of {gold} {_units(found.grain, gold)} among the {found.k} items sent",
        )


def _association_failure(case: Case) -> Iterator[Suggestion]:
    sent = case.clue_sessions_sent
    if not _misled(case) or len(sent) < 2:
        return
    named = [session for session in case.cited_sessions if session in sent]
    if len(named) == 1:
        yield Suggestion(
            "association_failure",
            "association",
            f"clues of {len(sent)} sessions were sent ({_listed(sent)}), and only {named[0]} is "
            "named in the answer or its reasoning",
        )


def _distractor_dominance(case: Case) -> Iterator[Suggestion]:
    if not _misled(case) or not case.retrieval.counts.found:
        return
    clue_sessions = {clue.session_id for clue in case.question.clues}
    named = case.cited_sessions
    if named and clue_sessions.isdisjoint(named):
        yield Suggestion(
            "distractor_dominance",
            "distractor",
            f"clues were sent, and the reasoning names {_listed(named)}, none of them a clue",
        )
        return
    support = [one for one, text in case.text_of_extras() if _speaks_for(case, text)]
    if support:
        yield Suggestion(
            "distractor_dominance",
            "distractor",
            f"words of the chosen answer stand in {_listed(support)}, which no clue names",
        )


def _speaks_for(case: Case, text: str) -> bool:
    shared = case.rival_terms & terms(text)
    return bool(shared) and len(shared) * 2 >= len(case.rival_terms)


def _evidence_use_failure(case: Case) -> Iterator[Suggestion]:
    found = case.retrieval
    if not _misled(case):
        return
    if found.state is HitState.MEASURED and found.recall == 1:
        gold = found.counts.gold
        if case.target_terms and not any(
            case.target_terms & terms(case.clue_text(clue, case.sent))
            for clue in case.question.clues
        ):
            return
        yield Suggestion(
            "evidence_use_failure",
            "evidence use",
            f"all {gold} {_units(found.grain, gold)} were sent"
            if gold > 1
            else f"the only {_units(found.grain, 1)} was sent",
        )


def _refusal_errors(case: Case) -> Iterator[Suggestion]:
    if not case.wrong or case.entry.judgement.status in _FAILED:
        return
    if case.question.answerable and case.declines:
        yield Suggestion(
            "unwarranted_refusal",
            "refusal",
            f"the question can be answered, and the answer is {_short(case.answer_text)}",
        )
    elif not case.question.answerable and not case.declines and case.answer_text:
        why = "the history does not say"
        if case.question.has_false_premise:
            why = "what the question takes for granted is not so"
        yield Suggestion(
            "unsupported_claim",
            "refusal",
            f"{why}, and the answer claims {_short(case.answer_text)}",
        )


def _run_error(case: Case) -> Iterator[Suggestion]:
    status, record = case.entry.judgement.status, case.record
    if status in _FAILED:
        yield Suggestion(
            "run_error", "run", f"the record is {status.value}: {_short(record.answer)}"
        )
    elif _ERROR_TEXT.search(record.answer[:2000]):
        yield Suggestion(
            "run_error", "run", f"the answer reads like an error: {_short(record.answer)}"
        )


def _gold_error(case: Case) -> Iterator[Suggestion]:
    overlay = case.workspace.overlay
    for correction in overlay.corrections.get(case.question.key, ()) if overlay else ():
        entry = correction.entry
        yield Suggestion("gold_error", "gold", f"an overlay says {entry.error_type}")
    if not case.wrong:
        return
    lost = [clue.written for clue in case.question.clues if clue.problem in _LOST]
    if lost and len(lost) == len(case.question.clues):
        yield Suggestion("gold_error", "gold", f"no clue leads anywhere: {_listed(lost)}")
    if case.chosen:
        rivals = Counter(_system(run) for run in _others(case) if _answer(run, case) == case.chosen)
        if len(rivals) >= _AGREEING and len(rivals) == len({_system(one) for one in _others(case)}):
            yield Suggestion(
                "gold_error",
                "gold",
                f"all {len(rivals)} other systems answer {case.chosen} too, gold is "
                f"{case.question.gold}",
            )


_LOST = (ClueProblem.UNKNOWN_ID, ClueProblem.MALFORMED)


def _others(case: Case) -> list[JoinedRun]:
    mine = _system(case.run)
    return [run for run in case.workspace.runs if _system(run) != mine and _answer(run, case)]


def _system(run: JoinedRun) -> str:
    return run.run.system or run.name


def _answer(run: JoinedRun, case: Case) -> str:
    entry = run.entry(case.question.key)
    return entry.judgement.parsed if entry else ""


def _replay(case: Case) -> Iterator[Suggestion]:
    release, failed = case.workspace.release, case.entry.judgement.status in _FAILED
    if failed or not case.wrong or case.question.history_id not in release.evaluator.truths:
        return
    # Only generated releases have anything to replay, and the harness takes a moment to import.
    from mnemoscope.core.suggestions.replay import replay_of

    for one in replay_of(release).explanations(case.question, case.record.answer):
        yield Suggestion(one.tag, "replay", one.words)


RULES: tuple[Rule, ...] = (
    Rule(
        "textualization",
        ("textualization_miss",),
        "words of the right answer, in the captions of the clues as sent and in richer ones; "
        "background sound, in the texts of audio clues",
        "releases opened with one caption variant; words said in another way; pictures and clips "
        "themselves; runs that do not say which captions they sent count as the usual ones",
        _textualization_miss,
    ),
    Rule(
        "association",
        ("association_failure",),
        "clues of two or more sessions that were sent, of which the answer names one",
        "answers without reasoning, and reasoning that names no session or date",
        _association_failure,
    ),
    Rule(
        "retrieval",
        ("retrieval_miss",),
        f"fewer than {_ENOUGH:.0%} of the clues among what was sent",
        "runs that store no ids of what they sent; what the memory rewrote; evidence outside the "
        "clues; a context that was cut before it was sent",
        _retrieval_miss,
    ),
    Rule(
        "distractor",
        ("distractor_dominance",),
        "reasoning that names other sessions than the clues'; words of the chosen answer in what "
        "was sent beside the clues",
        "reasoning without sessions; extras that persuade in other words than the answer's",
        _distractor_dominance,
    ),
    Rule(
        "evidence use",
        ("evidence_use_failure",),
        "all clues among what was sent, in captions that hold a word of the right answer",
        "whether the backbone could make out what was sent; whole histories; evidence that takes "
        "more than the clues",
        _evidence_use_failure,
    ),
    Rule(
        "refusal",
        ("unsupported_claim", "unwarranted_refusal"),
        "whether the question can be answered, and whether the answer declines",
        "claims hidden in an answer that also declines; phrases of declining that it does not know",
        _refusal_errors,
    ),
    Rule(
        "replay",
        (
            *("stale_value", "withdrawn_value", "wrong_authority", "wrong_entity"),
            *("lost_or_collapsed_update", "mis_integrated_update", "compute_on_wrong_state"),
            "decision_response",
        ),
        "of generated releases: whether the answer is that of a state that is wrong in one way, "
        "such as an earlier one, one with what was withdrawn, or one that the images show",
        "answers that decline, or are wrong in two ways at once; slips of reading or arithmetic; "
        "which of several ways it was, where they lead to one answer",
        _replay,
    ),
    Rule(
        "run",
        ("run_error",),
        "failed records, and answers that read like an error",
        "wrong settings; answers cut in the middle",
        _run_error,
    ),
    Rule(
        "gold",
        ("gold_error",),
        "overlays; clues that all lead nowhere; all of three or more other systems with the same "
        "wrong option",
        "open answers, and wrong golds on which systems disagree; systems that share one backbone "
        "also share its mistakes",
        _gold_error,
    ),
)
"""All rules, in the order of the stages."""


def suggest(workspace: Workspace, run: JoinedRun, entry: Entry) -> list[Suggestion]:
    """What the rules say about one record, in the order of the stages."""
    case = Case(workspace, run, entry)
    return [found for rule in RULES for found in rule.find(case)]


def suggest_all(
    workspace: Workspace, run: JoinedRun, keys: Iterable[str] | None = None
) -> Iterator[tuple[Entry, list[Suggestion]]]:
    """Every record of a run about which some rule says something.

    Args:
        workspace: The release and all its runs.
        run: The run.
        keys: Only these questions; all when None.
    """
    wanted = None if keys is None else set(keys)
    for entry in run.entries:
        if wanted is None or entry.question.key in wanted:
            found = suggest(workspace, run, entry)
            if found:
                yield entry, found


def _units(grain: str, count: int) -> str:
    return f"clue {grain}" + ("" if count == 1 else "s")


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _quoted(found: frozenset[str], text: str) -> str:
    """The stretch of a text that is made of terms, or the longest of them."""
    folded = text.casefold()
    places = sorted((folded.find(one), one) for one in found if one in folded)
    if not places:
        return f"“{max(found, key=len)}”"
    start, first = places[0]
    end = start + len(first)
    for place, one in places[1:]:
        if not text[end:place].strip():
            end = max(end, place + len(one))
    return f"“{text[start:end]}”"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return f"“{text[:60]}{'…' if len(text) > 60 else ''}”"
