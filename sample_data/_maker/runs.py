"""Runs: two small systems really answer the sample, written in the RQ1 output form."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from mnemoscope.sample_data._maker.answerer import reply
from mnemoscope.sample_data._maker.lexical import Index
from mnemoscope.sample_data._maker.memory import Json, System, context, store
from mnemoscope.sample_data._maker.release import CLOSING

BACKBONE = "lexical-scorer"
STARTED = datetime(2026, 1, 15, 9, 0, 0)
"""Runs carry a made-up clock, so that remaking them gives the same bytes."""


@dataclass(frozen=True)
class Plan:
    """One run: a system on one tree of the release."""

    config: str
    system: System
    seconds_per_round: float
    seconds_per_question: float


PLANS = (
    Plan("base", System("LTMemory", "tfidf", top=5), 0.0021, 0.0130),
    Plan(
        "detailed",
        System("BM25RecencyMemory", "bm25", top=6, recency=1.5),
        0.0034,
        0.0210,
    ),
)


def run_files(plan: Plan, history: Json) -> dict[str, Any]:
    """The three files of a run over one user: suffix to JSON value."""
    rows = _rows(plan, history)
    rounds = len(store(history))
    taken = round(rounds * plan.seconds_per_round, 6)
    answering = round(len(rows) * plan.seconds_per_question, 6)
    efficiency = {
        "sample_id": history["character_profile"]["name"],
        "llm_name": BACKBONE,
        "memory_name": plan.system.name,
        "is_multimodal": False,
        "conversation_turns": rounds,
        "qa_count": len(rows),
        "qa_completed": len(rows),
        "max_workers": 1,
        "memory_time_seconds": taken,
        "qa_time_seconds": answering,
        "total_time_seconds": round(taken + answering, 6),
        "recorded_at": (STARTED + timedelta(seconds=len(rows) + 1)).isoformat(sep=" "),
    }
    return {"results": rows, "accuracy": accuracy(rows), "efficiency": efficiency}


def parsed(answer: str) -> str:
    """The letter of an answer by the benchmark's rule."""
    text = answer.strip().upper()
    if text[:1] in ("A", "B", "C", "D"):
        return text[:1]
    found = re.search(r"\b[A-D]\b", text)
    return found.group() if found else text


def accuracy(rows: list[Json]) -> Json:
    """Counts by point and split, as the benchmark's accuracy file has them."""
    cells: dict[str, dict[str, list[bool]]] = {}
    for row in rows:
        right = parsed(row["system_answer"]) == parsed(row["original_answer"])
        split = row["entity_explicitness"] or row["qa_type"]
        for name in ("overall", split):
            cells.setdefault(row["category"], {}).setdefault(name, []).append(right)
    every = [right for splits in cells.values() for right in splits["overall"]]
    names = ("overall", "explicit", "implicit")
    table: Json = {
        point: {name: _cell(splits[name]) for name in names if name in splits}
        for point, splits in sorted(cells.items())
    }
    return {**table, "__overall__": {"overall": _cell(every)}}


def _cell(rights: list[bool]) -> Json:
    return {
        "correct": sum(rights),
        "total": len(rights),
        "accuracy": round(100 * sum(rights) / len(rights), 2),
    }


def _rows(plan: Plan, history: Json) -> list[Json]:
    """One row a question, in an order that only looks like that of parallel workers."""
    stored = store(history)
    index = Index.of([m.text for m in stored])
    name = history["character_profile"]["name"]
    questions = sorted(history["human-annotated QAs"], key=lambda q: _shuffle(plan, q))
    rows = []
    for number, question in enumerate(questions):
        sent, stem, options = _asked(question)
        recalled = plan.system.recall(stored, index, sent)
        given = reply(stem, options, recalled, index)
        rows.append(
            {
                "qa_id": question["qa_id"],
                "sample_id": name,
                "session_id": question["session_id"],
                "speaker_a": f"user ({name})",
                "speaker_b": "assistant",
                "question": sent,
                "system_answer": given.answer,
                "original_answer": question["answer"],
                "category": question["point"],
                "qa_type": question["qa_type"],
                "entity_explicitness": question.get("entity_explicitness", ""),
                "entity_source_refs": question.get("entity_source_refs", []),
                "entity_name": question.get("entity_name", ""),
                "entity_anchor_lookup_name": question.get("entity_anchor_lookup_name", ""),
                "timestamp": (STARTED + timedelta(seconds=number)).isoformat(sep=" "),
                "reasoning": given.reasoning,
                "reasoning_sessions": list(given.dates),
                "retrieved_ids": [m.round_id for m in recalled],
                "clue": question["clue"],
                "memory_context": context(recalled),
            }
        )
    return rows


def _shuffle(plan: Plan, question: Json) -> str:
    key = f"{plan.system.name}|{question['point']}|{question['qa_id']}"
    return hashlib.sha256(key.encode()).hexdigest()


def _asked(question: Json) -> tuple[str, str, dict[str, str]]:
    """The question as sent, its stem and its options by letter."""
    text: str = question["question"]
    captions: dict[str, str] = question.get("option_captions", {})
    if captions:
        shown = "\n".join(f"{letter}. {caption}" for letter, caption in captions.items())
        stem = text.removesuffix(CLOSING).rstrip("\n")
        return f"{stem}\n\n{shown}\n\n{CLOSING}", stem, captions
    first, *lines, _ = text.split("\n")
    return text, first, {line[0]: line[3:] for line in lines}
