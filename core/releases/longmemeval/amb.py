"""LongMemEval in AMB's form: all questions, and histories only where documents come with them."""

from mnemoscope.core.model import Question
from mnemoscope.core.releases.amb.documents import read_time
from mnemoscope.core.releases.amb.reading import AmbBenchmark, Query, gold_sessions
from mnemoscope.core.releases.answers import text_gold
from mnemoscope.core.releases.longmemeval.dialects import LONGMEMEVAL
from mnemoscope.core.releases.longmemeval.questions import ABSTENTION, task_of_type

__all__ = ["LONGMEMEVAL_AMB"]


def _read_query(query: Query) -> Question:
    node = query.node
    return Question(
        key=query.key,
        id=query.id,
        history_id=query.history.id,
        index=query.index,
        task=task_of_type(query.meta, LONGMEMEVAL.types),
        setting="",
        text=query.text,
        stem=query.text,
        gold=text_gold(node.found("gold_answers"), node.at("gold_answers"), node.log),
        clues=tuple(gold_sessions(query)),
        place=node.place,
        category=query.meta.text("question_type"),
        # The form keeps the day only, at midnight.
        asked_at=read_time(query.meta, "query_timestamp"),
        answerable=not query.id.endswith(ABSTENTION),
        file=node.log.file,
    )


LONGMEMEVAL_AMB = AmbBenchmark(
    name=LONGMEMEVAL.name,
    title=LONGMEMEVAL.title,
    licence=LONGMEMEVAL.licence,
    tasks=LONGMEMEVAL.tasks,
    read_query=_read_query,
    name_history=lambda sessions, meta: "",
)
