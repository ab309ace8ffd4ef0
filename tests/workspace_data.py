"""Small invented workspaces, built straight from the model."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from mnemoscope.core.model import (
    Attachment,
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    History,
    Kind,
    Message,
    Option,
    Question,
    QuestionRef,
    Record,
    RecordStatus,
    Release,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    Role,
    Round,
    RoundKind,
    Run,
    Session,
    SourceRef,
    StoredMetric,
    TaskLabel,
    Textualisation,
    Value,
    Verdict,
)
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.workspace import JoinedRun, Workspace, join_run

SHARED = Path(__file__).parents[1].parent / "shared"
MINI = "reference/cue-mem-mini"
LOCOMO = "data/locomo/locomo10.json"

CUE_TASKS = (
    TaskLabel("entity_recall", "Entity recall", in_average=True),
    TaskLabel("long_pattern", "Long pattern", in_average=True),
    TaskLabel("personalized_rec", "Personalized recommendation", in_average=True),
    TaskLabel("answer_refusal", "Answer refusal"),
)
CUE_SETTINGS = ("explicit", "implicit")


def a_round(round_id: str, text: str = "hello", *attachments: Attachment) -> Round:
    """A user message and a reply; the index is set when the history is built."""
    messages = (
        Message("user", Role.USER, text or None, attachments),
        Message("assistant", Role.ASSISTANT, f"reply to {text}"),
    )
    return Round(round_id, round_id.partition(":")[0], 0, messages, "$")


def a_history(history_id: str = "p0", rounds: Sequence[Round] = (), name: str = "") -> History:
    """A history whose sessions are what stands before the colon of the round ids."""
    by_session: dict[str, list[Round]] = {}
    for index, one in enumerate(rounds):
        placed = Round(one.id, one.session_id, index, one.messages, one.place)
        by_session.setdefault(one.session_id, []).append(placed)
    sessions = tuple(
        Session(session_id, None, "", tuple(listed), "$")
        for session_id, listed in by_session.items()
    )
    return History(history_id, name or f"name of {history_id}", sessions, f"{history_id}.json")


def plain_history(history_id: str = "p0", sessions: int = 4, rounds: int = 5) -> History:
    """Rounds ``D00:00`` to ``D03:04``."""
    ids = [f"D{s:02}:{r:02}" for s in range(sessions) for r in range(rounds)]
    return a_history(history_id, [a_round(one, f"text of {one}") for one in ids])


def picture(attachment_id: str, **captions: str) -> Attachment:
    return Attachment(Kind.IMAGE, attachment_id, f"{attachment_id}.png", captions)


def clip(attachment_id: str, **captions: str) -> Attachment:
    return Attachment(Kind.AUDIO, attachment_id, f"{attachment_id}.wav", captions)


def round_clue(round_id: str) -> Clue:
    return Clue(round_id, ClueTarget.ROUND, round_id, round_id, round_id.partition(":")[0])


def session_clue(session_id: str) -> Clue:
    return Clue(session_id, ClueTarget.SESSION, session_id, session_id=session_id)


def media_clue(kind: Kind, attachment_id: str, round_id: str) -> Clue:
    target = ClueTarget.IMAGE if kind is Kind.IMAGE else ClueTarget.AUDIO
    return Clue(attachment_id, target, attachment_id, round_id, round_id.partition(":")[0])


def lost_clue(written: str = "D99:99") -> Clue:
    return Clue(written, ClueTarget.ROUND, written, problem=ClueProblem.UNKNOWN_ID)


def a_question(
    key: str,
    task: str = "entity_recall",
    setting: str = "explicit",
    *,
    clues: Iterable[Clue | str] = (),
    text: str = "",
    options: Sequence[Option] = (),
    gold: Gold | None = None,
    category: str = "",
    form: str = "",
) -> Question:
    """A question with options A to D whose gold is A; clues may be round ids."""
    history_id, _, question_id = key.rpartition("/")
    return Question(
        key=key,
        id=question_id,
        history_id=history_id.partition("/")[0] or "p0",
        index=0,
        task=task,
        setting=setting,
        text=text or f"question {key}",
        stem=text or f"question {key}",
        gold=gold or Gold(GoldKind.OPTION, option="A"),
        clues=tuple(round_clue(one) if isinstance(one, str) else one for one in clues),
        place="$",
        form=form,
        category=category,
        options=tuple(options) or tuple(Option(label, f"choice {label}") for label in "ABCD"),
    )


def a_release(
    questions: Iterable[Question],
    histories: Iterable[History] = (),
    *,
    tasks: Sequence[TaskLabel] = CUE_TASKS,
    settings: Sequence[str] = CUE_SETTINGS,
    textualisation: Textualisation | None = None,
) -> Release:
    """A release; histories that are not given but asked about are plain ones."""
    listed = {question.key: question for question in questions}
    by_id = {one.id: one for one in histories}
    for question in listed.values():
        if question.history_id not in by_id:
            by_id[question.history_id] = plain_history(question.history_id)
    return Release(
        name="invented",
        format="cue-mem",
        root=Path(),
        files=(),
        round_kind=RoundKind.EXCHANGE,
        histories=by_id,
        questions=listed,
        tasks=tuple(tasks),
        settings=tuple(settings),
        textualisation=textualisation or Textualisation("medium", "hint"),
    )


def rounds_retrieved(*round_ids: str, used: Sequence[bool] | None = None) -> Retrieval:
    """Items that name one round each, best first; an empty id is an item without a source."""
    items = tuple(
        RetrievedItem(
            rank,
            (SourceRef(round_id.partition(":")[0], round_id),) if round_id else (),
            used=None if used is None else used[rank - 1],
        )
        for rank, round_id in enumerate(round_ids, start=1)
    )
    return Retrieval(RetrievalState.IDS, "round", items)


def sessions_retrieved(*session_ids: str) -> Retrieval:
    items = tuple(
        RetrievedItem(rank, (SourceRef(session_id),))
        for rank, session_id in enumerate(session_ids, start=1)
    )
    return Retrieval(RetrievalState.IDS, "session", items)


def a_record(
    key: str,
    value: Value | bool | None = True,
    *,
    repeat: int = 0,
    status: RecordStatus = RecordStatus.OK,
    retrieval: Retrieval | None = None,
    answer: str = "A",
    reasoning: str = "",
    metrics: Mapping[str, float] | None = None,
    usage: Mapping[str, float] | None = None,
) -> Record:
    """A record with a stored verdict: right, wrong, any other value, or none at all."""
    if isinstance(value, bool):
        value = Value.RIGHT if value else Value.WRONG
    return Record(
        ref=QuestionRef(key=key),
        status=status,
        answer=answer,
        file="run.json",
        place="$",
        repeat=repeat,
        reasoning=reasoning,
        verdicts=() if value is None else (Verdict("stored", value),),
        retrieval=retrieval or Retrieval(),
        metrics=tuple(StoredMetric(name, one) for name, one in (metrics or {}).items()),
        usage=usage or {},
    )


def a_run(
    name: str,
    records: Iterable[Record],
    *,
    system: str = "",
    backbone: str = "",
    parameters: Mapping[str, object] | None = None,
    textualisation: Textualisation | None = None,
    rule: str = "stored",
    used_depth: int | None = None,
) -> Run:
    return Run(
        name=name,
        format="invented",
        root=Path(),
        files=("run.json",),
        records=tuple(records),
        system=system or name,
        backbone=backbone,
        textualisation=textualisation,
        parameters=parameters or {},
        rule=rule,
        used_depth=used_depth,
    )


def joined(
    release: Release,
    records: Iterable[Record],
    *,
    used_depth: int | None = None,
    rule: str = "stored",
) -> JoinedRun:
    """A run named ``one``, joined and judged."""
    return join_run(release, a_run("one", records, used_depth=used_depth), rule=rule)


def a_workspace(release: Release, *runs: Run) -> Workspace:
    return Workspace.build(release, runs)


def outcomes_workspace(table: Mapping[str, Sequence[Value | bool | None]]) -> Workspace:
    """One question per key and one run per column of outcomes."""
    release = a_release(a_question(key) for key in table)
    width = len(next(iter(table.values()), ()))
    runs = [
        a_run(f"run{place}", [a_record(key, row[place]) for key, row in table.items()])
        for place in range(width)
    ]
    return a_workspace(release, *runs)


@cache
def shared_workspace(release: str, *runs: str) -> Workspace:
    """A release and runs from the folder of public data beside this checkout; read once."""
    paths = [SHARED / one for one in (release, *runs)]
    for path in paths:
        if not path.exists():
            pytest.skip(f"public data is not there: {path}")
    opened = [run for path in paths[1:] for run in open_runs(path).runs]
    return Workspace.build(open_release(paths[0]), opened)


def locomo_runs() -> Workspace:
    """LoCoMo and the eight runs that answer all of its questions but the adversarial ones."""
    folder = "data/locomo-runs"
    names = ("zep/zep_locomo_grades.json", "memobase", "agentmem-mem0/eval.json", "full-context")
    return shared_workspace(LOCOMO, *(f"{folder}/{name}" for name in names))
