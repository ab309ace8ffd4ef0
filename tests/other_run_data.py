"""Invented run outputs of all benchmarks but CUE-Mem and LoCoMo, and logs of inspect_ai."""

import json
import zipfile
from pathlib import Path
from typing import Any

from tests.gallery_data import QUESTIONS, gallery

ROSES = "Which roses did I plant?"
QUESTION_IDS = ("ab12", "cd34", "ef56_abs")


def lines(path: Path, rows: list[Any]) -> Path:
    """Write rows as JSON, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def answers() -> list[dict[str, Any]]:
    """Official answers of LongMemEval."""
    return [{"question_id": one, "hypothesis": f"roses, {one}"} for one in QUESTION_IDS]


def judge_log() -> list[dict[str, Any]]:
    """The same with the judge's labels: right, wrong, and one that it failed to give."""
    labels: list[bool | None] = [True, False, None]
    return [
        {**row, "autoeval_label": {"model": "gpt-4o-2024-08-06", "label": label}}
        for row, label in zip(answers(), labels, strict=True)
    ]


def retrieval_log(*ids: str, text: str = "I planted Damask roses today.") -> list[dict[str, Any]]:
    """The official log of retrieval for one question, as MemPalace writes it."""
    found = ids or ("answer_77", "85a1be56_1")
    return [
        {
            "question_id": "ab12",
            "question_type": "single-session-user",
            "question": ROSES,
            "answer": "Damask roses",
            "retrieval_results": {
                "query": ROSES,
                "ranked_items": [
                    {"corpus_id": one, "text": text, "timestamp": "2023/05/21 (Sun) 10:00"}
                    for one in found
                ],
                "metrics": {
                    "session": {"recall_any@1": 1.0, "ndcg_any@1": 1.0},
                    "turn": {"recall_any@1": 0.0},
                },
            },
        }
    ]


def automem() -> dict[str, Any]:
    """Three questions: right with a hit, wrong with a hit, wrong without."""
    outcomes = [(True, True), (False, True), (False, False)]
    details = [
        {
            "question_id": question,
            "question_type": "single-session-user",
            "question": f"{ROSES} ({question})" if question != "ab12" else ROSES,
            "reference": "Damask roses",
            "hypothesis": f"roses, {question}",
            "is_correct": right,
            "confidence": 0.9,
            "explanation": f"because {right}",
            "recalled_count": 10,
            "memories_stored": 53,
            "is_abstention": question.endswith("_abs"),
            "question_date": "2023/05/30 (Tue) 23:40",
            "answer_session_ids": ["answer_77"],
            "retrieved_session_ids": ["answer_77" if hit else "sharegpt_q1_0", "85a1be56_1"],
            "recall_hit_at_5": hit,
        }
        for question, (right, hit) in zip(QUESTION_IDS, outcomes, strict=True)
    ]
    return {
        "overall": {"accuracy": 1 / 3, "correct": 1, "total": 3},
        "retrieval": {"recall_any_at_5": 2 / 3, "hits": 2, "total": 3},
        "by_type": {"single-session-user": {"correct": 1, "total": 3, "accuracy": 1 / 3}},
        "elapsed_time": 12.5,
        "backend": "automem",
        "config": {"backend": "automem", "llm_model": "some-model", "recall_limit": 10},
        "details": details,
    }


def smriti() -> dict[str, Any]:
    """Three cases, two right."""
    return {
        "summary": {"method": "SMRITI", "total_cases": 3, "accuracy": 2 / 3, "latency": 0.5},
        "cases": [
            {
                "question_id": question,
                "question_type": "single-session-user",
                "accuracy": float(at != 1),
                "latency": 0.25 * at,
                "prediction": f"roses, {question}",
                "ground_truth": "Damask roses",
            }
            for at, question in enumerate(QUESTION_IDS)
        ],
    }


def gallery_results(**more: Any) -> list[dict[str, Any]]:
    """A row for every question of the invented dialogue, in its order."""
    return [
        {
            "sample_id": "Ada",
            "session_id": qa["session_id"][0],
            "speaker_a": "user (Ada)",
            "speaker_b": "assistant",
            "question": qa["question"],
            "system_answer": f"answer {at}",
            "original_answer": qa["answer"],
            "category": qa["point"],
            "timestamp": f"2026-05-21 14:40:{at:02}",
            **more,
        }
        for at, qa in enumerate(gallery()[QUESTIONS])
    ]


def gallery_figures(rows: int = 6) -> dict[str, Any]:
    """An evaluation: F1 and exact match by row, and averages."""
    return {
        "avg_overall_metrics_final": {"F1": 0.25, "EM": 0.5},
        "avg_category_metrics_final": {"FR": [{"F1": 0.5}, {"EM": 1}]},
        "category_f1": {"FR": [0.5]},
        "overall_f1": [at / 10 for at in range(rows)],
        "overall_em": [at % 2 == 0 for at in range(rows)],
        "dataset_name": "Bees",
    }


def gallery_retrieval() -> dict[str, Any]:
    """What Mem-Gallery claims of retrieval."""
    return {
        "avg_overall_metrics_final": {"Eval@K": 5, "Recall@K": 0.5},
        "avg_category_metrics_final": {"FR": {"Recall@K": 1.0}},
        "sample_count": 6,
    }


def gallery_times() -> dict[str, Any]:
    """What Mem-Gallery measured, in the form that CUE-Mem's runner writes too."""
    return {
        "sample_id": "Ada",
        "llm_name": "tiny-llm",
        "memory_name": "FUMemory",
        "is_multimodal": False,
        "conversation_turns": 4,
        "qa_count": 6,
        "memory_time_seconds": 0.5,
        "qa_time_seconds": 3.0,
        "total_time_seconds": 3.5,
    }


def hyperbinder(*, leaked: bool = True) -> dict[str, Any]:
    """Two questions of PersonaMem."""
    details = [
        {
            "question_id": f"0000-{at}",
            "question": f"What would I like, {at}?",
            "ground_truth": "(c)",
            "retrieved": "(c)" if at == 0 else "(b)",
            "retrieved_question_id": f"0000-{at}" if leaked else "1111-9",
            "retrieved_question": "User: what would I like?",
            "same_row": leaked,
            "question_type": "suggest_new_ideas",
            "topic": "books",
            "distance_prop": "92.67%",
            "confidence": 0.75,
            "correct": at == 0,
        }
        for at in range(2)
    ]
    return {"benchmark": "PersonaMem", "results": [{"split": "32k", "details": details}]}


def amb() -> dict[str, Any]:
    """Two questions of LongMemEval in AMB's form."""
    rows = [
        {
            "query_id": question,
            "query": "Which roses did I plant?",
            "answer": f"Damask, says {question}",
            "reasoning": "it is said",
            "context": "## Memory 1\nDamask roses\n\n## Memory 2\nBees",
            "context_tokens": 12,
            "retrieve_time_ms": 3.5,
            "gold_answers": ["Damask", 2],
            "correct": at == 0,
            "judge_reason": "the same rose",
            "meta": {"question_type": "multi-session", "query_timestamp": "2023-05-30"},
        }
        for at, question in enumerate(("ab12", "cd34"))
    ]
    return {
        "dataset": "longmemeval",
        "split": "s",
        "memory_provider": "somemem",
        "mode": "rag",
        "total_queries": 2,
        "correct": 1,
        "accuracy": 0.5,
        "answer_llm": "some-model",
        "judge_llm": "other-model",
        "results": rows,
    }


def prefeval() -> list[dict[str, Any]]:
    """Two rows of a topic, with what the model said."""
    return [
        {
            "preference": f"I avoid noise, {at}.",
            "question": f"Which hotel, {at}?",
            "explanation": "it is loud there",
            "response_to_pref": "Noted.",
            "response_to_q": f"A quiet one, {at}.",
        }
        for at in range(2)
    ]


def memlens() -> dict[str, Any]:
    """Two predictions, as the runner writes them."""
    return {
        "args": {"model_name_or_path": "lab/some-vlm", "input_max_length": 32_768},
        "data": [
            {
                "question_id": f"lens{at}",
                "question": f"What hangs there, {at}?",
                "question_type": "information_extraction",
                "question_subtype": "count",
                "reference_answer": at,
                "raw_prediction": f"<think>well</think> {at}",
                "prediction": f"it is {at}",
                "parsed_output": f"{at}",
                "input_len": 30_000,
                "output_len": 12,
                "sub_em": 1.0,
                "f1": 0.5,
            }
            for at in range(1, 3)
        ],
    }


def sample(sample_id: int | str, epoch: int = 1, value: Any = "C", **more: Any) -> dict[str, Any]:
    """A sample of an inspect_ai log."""
    return {
        "id": sample_id,
        "epoch": epoch,
        "input": [
            {"role": "system", "content": "Answer from the history."},
            {"role": "user", "content": [{"type": "text", "text": f"…history…\n\n{ROSES}"}]},
        ],
        "target": "Damask roses",
        "output": {
            "model": "lab/some-model",
            "choices": [
                {
                    "message": {"role": "assistant", "content": f"Damask, {sample_id} {epoch}"},
                    "stop_reason": "stop",
                }
            ],
            "completion": f"Damask, {sample_id} {epoch}",
        },
        "scores": {"includes": {"value": value, "answer": "Damask", "explanation": "it says so"}},
        "metadata": {},
        "model_usage": {
            "lab/some-model": {"input_tokens": 100, "output_tokens": 5, "total_tokens": 105},
            "lab/judge": {"input_tokens": 9, "output_tokens": 1, "total_tokens": 10},
        },
        "total_time": 1.5,
        "working_time": 1.25,
        **more,
    }


def inspect_log(*samples: dict[str, Any]) -> dict[str, Any]:
    """An inspect_ai log as one JSON value."""
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "created": "2026-11-30T13:37:41+00:00",
            "task": "roses",
            "solver": "memory_agent",
            "model": "lab/some-model",
            "config": {"epochs": 2},
            "scorers": [{"name": "pkg/includes"}, {"name": "f1"}],
        },
        "results": {
            "scores": [{"name": "includes", "metrics": {"accuracy": {"value": 0.5}}}],
        },
        "samples": list(samples) or [sample("ab12"), sample("ab12", 2, "I"), sample(2)],
    }


def eval_archive(path: Path, log: dict[str, Any]) -> Path:
    """The same log as an ``.eval`` archive."""
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {key: value for key, value in log.items() if key != "samples"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"]}))
        for one in log["samples"]:
            name = f"samples/{one['id']}_epoch_{one['epoch']}.json"
            archive.writestr(name, json.dumps(one))
        archive.writestr("summaries.json", "[]")
        archive.writestr("header.json", json.dumps(header))
    return path
