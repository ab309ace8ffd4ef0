"""Hypothesis strategies for releases, runs and their parts: small, with nasty texts."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from mnemoscope.core.choices import RULE_NAMES
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Clue,
    ClueProblem,
    ClueTarget,
    EvaluatorData,
    Gold,
    GoldKind,
    History,
    Kind,
    Message,
    Option,
    QueryPart,
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

NASTY = (
    "",
    " ",
    "\n",
    "two\r\nlines\u2028and\x85more",
    "\x1b[31mred\x1b]0;title\x07",
    "\x00\x01\x7f",
    "[bold]markup[/bold]",
    "张三说：你好，世界",
    "👩\u200d👩\u200d👧 \U0001f1e8\U0001f1f3",
    "\u202eright to left\u202c",
    "half a pair \ud83d",
    "\udc00 the other half",
    "e\u0301 \ufeff",
    '"quotes" \\ and / {braces} $.path[3]',
    "../../etc/passwd",
    "NaN",
    "null",
    "x" * 5_000,
)
"""Texts that have broken files, terminals or keys before."""

texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=8))
names = st.one_of(st.sampled_from(["conv-26", "p0", "CON", "张三", "../x", ""]), texts)
numbers = st.floats(width=32)
moments = st.datetimes(
    timezones=st.none()
    | st.integers(-23, 23).map(lambda hours: timezone(timedelta(hours=hours, minutes=30)))
)
captions = st.dictionaries(texts, texts, max_size=2)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
json_objects = st.dictionaries(texts, json_values, max_size=2)


def tuples_of(one: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(one, max_size=most).map(tuple)


def some_of(
    one: st.SearchStrategy[Any], most: int = 2, *, unique: bool = False
) -> st.SearchStrategy[list[Any]]:
    """Lists that are seldom empty: what hangs on their items would hardly ever be drawn."""
    least = st.sampled_from([1, 1, 1, 0])
    return least.flatmap(lambda size: st.lists(one, min_size=size, max_size=most, unique=unique))


def unique_names(most: int = 2) -> st.SearchStrategy[list[str]]:
    return some_of(names, most, unique=True)


@st.composite
def attachments(draw: st.DrawFn, media: Sequence[Path]) -> Attachment:
    """Attachments whose files, when they are present, are among ``media``."""
    state = draw(st.sampled_from(AttachmentState))
    file = ""
    if state is not AttachmentState.MISSING and media:
        file = str(draw(st.sampled_from(media)))
    elif state is AttachmentState.PRESENT:
        state = AttachmentState.MISSING
    return Attachment(
        kind=draw(st.sampled_from(Kind)),
        id=draw(names),
        written=draw(texts),
        captions=draw(captions),
        state=state,
        file=file,
        note="" if state is AttachmentState.PRESENT else draw(texts),
    )


def messages(media: Sequence[Path]) -> st.SearchStrategy[Message]:
    return st.builds(
        Message,
        speaker=texts,
        role=st.sampled_from(Role),
        text=st.none() | texts,
        attachments=some_of(attachments(media), 1).map(tuple),
        spoken=captions,
    )


@st.composite
def histories(draw: st.DrawFn, history_id: str, media: Sequence[Path] = ()) -> History:
    session_ids = draw(unique_names())
    round_ids = draw(unique_names(3))
    sessions = []
    count = 0
    for nth, session_id in enumerate(session_ids):
        rounds = []
        for one in round_ids[nth :: len(session_ids)]:
            said = tuple(draw(some_of(messages(media))))
            rounds.append(Round(one, session_id, count, said, f"$.r[{count}]"))
            count += 1
        sessions.append(
            Session(
                session_id,
                draw(st.none() | moments),
                draw(texts),
                tuple(rounds),
                f"$.s[{nth}]",
                draw(texts),
            )
        )
    return History(history_id, draw(texts), tuple(sessions), "somewhere.json", "$[0]")


@st.composite
def clues(draw: st.DrawFn, history: History) -> Clue:
    """Clues that lead where they say: the reader resolves none anew."""
    written = draw(texts)
    shown = [(one, item) for one in history.rounds for item in one.attachments]
    choices = ["nowhere", "malformed"]
    choices += ["round"] if history.rounds else []
    choices += ["session"] if history.sessions else []
    choices += ["attachment"] if shown else []
    match draw(st.sampled_from(choices)):
        case "round":
            one = draw(st.sampled_from(history.rounds))
            return Clue(written, ClueTarget.ROUND, one.id, one.id, one.session_id)
        case "session":
            session = draw(st.sampled_from(history.sessions))
            return Clue(written, ClueTarget.SESSION, session.id, "", session.id)
        case "attachment":
            one, item = draw(st.sampled_from(shown))
            found = history.attachment(item.kind, item.id)
            present = found is not None and found.state is AttachmentState.PRESENT
            problem = ClueProblem.NONE if present else ClueProblem.FILE_MISSING
            target = ClueTarget(item.kind.value)
            return Clue(written, target, item.id, one.id, one.session_id, problem)
        case "malformed":
            problem = ClueProblem.MALFORMED
            return Clue(written, ClueTarget.UNKNOWN, written, problem=problem)
    problem = draw(st.sampled_from([ClueProblem.UNKNOWN_ID, ClueProblem.HISTORY_ABSENT]))
    return Clue(written, draw(st.sampled_from(ClueTarget)), draw(texts), problem=problem)


golds = st.one_of(
    st.just(Gold.none()),
    st.builds(Gold, kind=st.just(GoldKind.OPTION), option=texts),
    st.builds(Gold, kind=st.just(GoldKind.TEXTS), texts=tuples_of(texts)),
    st.builds(Gold, kind=st.just(GoldKind.VALUE), value=json_values),
)


def options(media: Sequence[Path]) -> st.SearchStrategy[Option]:
    return st.builds(Option, label=texts, text=texts, attachment=st.none() | attachments(media))


@st.composite
def questions(draw: st.DrawFn, key: str, history: History, media: Sequence[Path] = ()) -> Question:
    stem = draw(texts)
    return Question(
        key=key,
        id=draw(names),
        history_id=history.id,
        index=draw(st.integers(0, 3)),
        task=draw(texts),
        setting=draw(texts),
        text=draw(st.just(stem) | texts),
        stem=stem,
        gold=draw(golds),
        clues=tuple(draw(some_of(clues(history)))),
        place="$.somewhere",
        form=draw(texts),
        category=draw(texts),
        labels=draw(captions),
        options=draw(tuples_of(options(media))),
        attachments=draw(tuples_of(attachments(media), 1)),
        asked_at=draw(st.none() | moments),
        visible_until=draw(texts),
        answerable=draw(st.booleans()),
    )


@st.composite
def evaluator_data(
    draw: st.DrawFn, histories: Mapping[str, History], questions: Sequence[str]
) -> EvaluatorData:
    known = [*histories, "a history that is not there"]
    keys = [*questions, "a question that is not there"]
    below = st.dictionaries(st.tuples(st.sampled_from(known), names), json_objects, max_size=2)
    return EvaluatorData(
        histories=draw(st.dictionaries(st.sampled_from(known), json_objects, max_size=2)),
        sessions=draw(below),
        rounds=draw(below),
        questions=draw(st.dictionaries(st.sampled_from(keys), json_objects, max_size=2)),
    )


task_labels = st.builds(
    TaskLabel,
    task=texts,
    title=texts,
    number=texts,
    expected=st.none() | st.integers(0, 9),
    in_average=st.booleans(),
)
textualisations = st.builds(Textualisation, image=texts, audio=texts)


@st.composite
def releases(draw: st.DrawFn, media: Sequence[Path] = (), root: Path = Path()) -> Release:
    """Releases that keep the model's promises: ids lead where they say, indexes count up."""
    found = {one: draw(histories(one, media)) for one in draw(unique_names())}
    asked: dict[str, Question] = {}
    for key in draw(unique_names(3)) if found else ():
        asked[key] = draw(questions(key, found[draw(st.sampled_from(list(found)))], media))
    return Release(
        name=draw(texts),
        format=draw(st.sampled_from(["cue-mem", "native", "locomo"])),
        root=root,
        files=("somewhere.json",),
        round_kind=draw(st.sampled_from(RoundKind)),
        histories=found,
        questions=asked,
        tasks=draw(tuples_of(task_labels)),
        settings=draw(tuples_of(texts)),
        image_variants=draw(tuples_of(texts)),
        audio_variants=draw(tuples_of(texts)),
        textualisation=draw(textualisations),
        evaluator=draw(evaluator_data(found, list(asked))),
        licence=draw(texts),
    )


sources = st.builds(
    SourceRef,
    session_id=texts,
    round_id=texts,
    kind=st.none() | st.sampled_from(Kind),
    attachment_id=texts,
)
query_parts = st.builds(
    QueryPart,
    item_id=texts,
    modality=texts,
    option=texts,
    score=st.none() | numbers,
    rank=st.none() | st.integers(),
    fallback=texts,
    method=texts,
)
retrieved_items = st.builds(
    RetrievedItem,
    rank=st.integers(),
    sources=tuples_of(sources, 1),
    score=st.none() | numbers,
    score_kind=texts,
    text=texts,
    used=st.none() | st.booleans(),
    parts=tuples_of(query_parts, 1),
)
retrievals = st.builds(
    Retrieval,
    state=st.sampled_from(RetrievalState),
    grain=texts,
    items=tuples_of(retrieved_items),
    note=texts,
)
verdicts = st.builds(
    Verdict,
    judge=texts,
    value=st.sampled_from(Value),
    stage=texts,
    reason=texts,
    score=st.none() | numbers,
)
stored_metrics = st.builds(StoredMetric, name=texts, value=numbers)
question_refs = st.builds(
    QuestionRef,
    history=texts,
    question=texts,
    form=texts,
    position=st.none() | st.integers(),
    text=texts,
    category=texts,
    gold=st.none() | texts,
)
records = st.builds(
    Record,
    ref=question_refs,
    status=st.sampled_from(RecordStatus),
    answer=texts,
    file=st.just("somewhere.json"),
    place=st.just("$[0]"),
    repeat=st.integers(0, 3),
    detail=texts,
    parsed=texts,
    reasoning=texts,
    cited=tuples_of(texts),
    verdicts=tuples_of(verdicts, 1),
    retrieval=retrievals,
    metrics=tuples_of(stored_metrics, 1),
    usage=st.dictionaries(texts, numbers, max_size=1),
)
runs = st.builds(
    Run,
    name=texts.filter(bool),
    format=st.sampled_from(["cue-mem-rq1", "native"]),
    root=st.just(Path()),
    files=st.just(("somewhere.json",)),
    records=st.lists(records, min_size=1, max_size=2).map(tuple),
    system=texts,
    backbone=texts,
    textualisation=st.none() | textualisations,
    parameters=json_objects,
    rule=st.sampled_from(RULE_NAMES),
    used_depth=st.none() | st.integers(),
    metrics=tuples_of(stored_metrics),
    notes=st.lists(texts, max_size=2, unique=True).map(tuple),
)


@st.composite
def damage(draw: st.DrawFn, content: bytes) -> bytes:
    """A file's content with bytes lost or replaced, or with one JSON value made another."""
    if draw(st.booleans()):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 40)))
        return content[:start] + draw(st.binary(max_size=6)) + content[end:]
    lines = content.splitlines(keepends=True)
    try:
        data = [json.loads(line) for line in lines]
    except ValueError:
        data, lines = [json.loads(content)], [content]
    nth = draw(st.integers(0, len(data) - 1))
    lines[nth] = json.dumps(draw(_changed(data[nth]))).encode() + b"\n"
    return b"".join(lines)


@st.composite
def _changed(draw: st.DrawFn, value: Any) -> Any:
    if value and isinstance(value, dict | list) and draw(st.integers(0, 5)):
        copy = value.copy()
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = draw(st.sampled_from(keys))
        copy[key] = draw(_changed(value[key]))
        return copy
    return draw(json_values | st.sampled_from([[], {}, [{}], {"a": [None]}, -1, 10**400]))


_OF_THE_DISK = {"place", "context_place", "files", "defects", "root", "media_roots"}


def comparable(value: Any) -> Any:
    """A value without where it was read from; attachments by content; NaN equal to itself."""
    if isinstance(value, Attachment):
        content = Path(value.file).read_bytes() if value.file else b""
        return {**_fields(value), "file": content}
    if is_dataclass(value) and not isinstance(value, type):
        dropped = {"file"} if isinstance(value, History | Question | Record) else set()
        return {key: one for key, one in _fields(value).items() if key not in dropped}
    if isinstance(value, Mapping):
        return {key: comparable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [comparable(one) for one in value]
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


def _fields(value: Any) -> dict[str, Any]:
    return {
        field.name: comparable(getattr(value, field.name))
        for field in fields(value)
        if field.name not in _OF_THE_DISK
    }
