"""Invented LoCoMo runs in the forms that came later, over the conversations of ``locomo_data``."""

from typing import Any

from tests.locomo_data import asked

CATEGORY_NAMES = {1: "single-hop", 2: "temporal", 3: "multi-hop", 4: "open-domain"}
"""As AMB names them: not as LoCoMo's paper does."""


def memorylake(number: int = 1) -> list[dict[str, Any]]:
    """One conversation's file: every question but the second, so that indexes skip."""
    return [
        {
            "question_index": index,
            "question": qa["question"],
            "ground_truth": str(qa["answer"]),
            "predicted": f"{qa['answer']} in file {number}",
            "score": index % 2,
            "judge_reasoning": f"because of {index}",
            "category": qa["category"],
            "error": None,
        }
        for index, qa in enumerate(asked())
        if index != 1
    ]


def openclaw() -> list[dict[str, Any]]:
    """Every question of two conversations; in each one answer is Chinese and one judge failed."""
    labels = ["CORRECT", "WRONG", "ERROR", "CORRECT", "WRONG", "CORRECT", "CORRECT"]
    return [
        {
            "question": qa["question"],
            "context": "",
            "context_ids": [],
            "user_id": f"locomo_user_{number}",
            "answer": "他们都做碗" if index == 0 else f"answer {index}",
            "judge_result": {
                "label": labels[index],
                "reasoning": f"reason {index}",
                "score": float(labels[index] == "CORRECT"),
            },
        }
        for number in (0, 1)
        for index, qa in enumerate(asked(category_five=True))
    ]


def smriti(*systems: str) -> dict[str, Any]:
    """The first four questions of one conversation, answered by each system."""
    names = ["single_hop", "temporal", "multi_hop", "open_domain"]
    return {
        "dataset": "LoCoMo",
        "timestamp": "2026-02-26T14:01:36",
        "systems": {
            system: {
                "ingest_time_seconds": 1.5,
                "questions": [
                    {
                        "question_id": f"conv-1_q{index}",
                        "question": qa["question"],
                        "reference": str(qa["answer"]),
                        "prediction": f"{system} says {index}",
                        "category": names[index],
                        "confidence": 0.25,
                        "metrics": {
                            "f1": index / 10,
                            "exact_match": 0.0,
                            "latency_ms": 100.0 + index,
                            "tokens_used": 20,
                            "answer_length": 12,
                        },
                    }
                    for index, qa in enumerate(asked()[:4])
                ],
                "aggregate": {"f1_mean": 0.15, "f1_max": 0.3, "total_questions": 4},
            }
            for system in systems or ("NaiveRAG",)
        },
        "comparison": {"NaiveRAG": {"f1_mean": 0.15}},
    }


def automem() -> dict[str, Any]:
    """Every question of two conversations; the expected answer of category 5 is empty."""
    conversations = [
        {
            "sample_id": sample_id,
            "total_questions": 7,
            "correct": 5,
            "qa_results": [
                {
                    "question": qa["question"],
                    "expected_answer": "" if qa["category"] == 5 else qa["answer"],
                    "category": qa["category"],
                    "is_correct": index > 1,
                    "confidence": 0.5,
                    "recalled_count": 50,
                    "explanation": f"words of row {index}",
                }
                for index, qa in enumerate(asked(category_five=True))
            ],
        }
        for sample_id in ("conv-1", "conv-2")
    ]
    return {
        "overall": {"accuracy": 10 / 14, "correct": 10, "total": 14, "elapsed_time": 2.5},
        "categories": {"5": {"name": "Complex Reasoning", "accuracy": 1.0, "correct": 4}},
        "conversations": conversations,
    }


def amb() -> dict[str, Any]:
    """Five questions of one conversation, each with a context of three slices."""
    context = (
        '## Memory 1\n"}, {"speaker": "Ada", "dia_id": "D1:1", "text": "I bought a kiln"}, '
        '{"speaker": "Bo", "dia_id": "D1:2", "te\n\n'
        '## Memory 2\n{"dia_id": "D2:1", "text": "Look"}, {"dia_id": "D1:1", "text": "again"}\n\n'
        "## Memory 3\nMine, of which no id is left"
    )
    rows = [
        {
            "query_id": f"conv-1_q{index}",
            "query": qa["question"],
            "answer": f"perhaps {index}",
            "reasoning": "it says so",
            "context": context,
            "context_tokens": 60,
            "retrieve_time_ms": 12.5,
            "gold_answers": [qa["answer"]],
            "correct": index != 1,
            "judge_reason": "the same thing",
            "meta": {"sample_id": "conv-1", "category": CATEGORY_NAMES[qa["category"]]},
        }
        for index, qa in enumerate(asked())
    ]
    return {
        "dataset": "locomo",
        "split": "locomo10",
        "memory_provider": "somemem",
        "mode": "rag",
        "total_queries": 5,
        "correct": 4,
        "accuracy": 0.8,
        "answer_llm": "some-model",
        "judge_llm": "other-model",
        "results": rows,
    }


def mem0_searched() -> dict[str, Any]:
    """Two conversations in mem0's form before it is evaluated, category 5 included."""
    return {
        str(number): [
            {
                "question": qa["question"],
                "answer": str(qa.get("answer", "")),
                "category": str(qa["category"]),
                "evidence": qa["evidence"],
                "response": f"answer {index}",
                "adversarial_answer": qa.get("adversarial_answer", ""),
                "speaker_1_memories": [
                    {"memory": "Ada owns a kiln", "timestamp": "8 May", "score": 0.75},
                    {"memory": "Ada glazes", "timestamp": "", "score": 0.5},
                ],
                "speaker_2_memories": [{"memory": "Bo throws bowls", "timestamp": "9 May"}],
                "num_speaker_1_memories": 2,
                "num_speaker_2_memories": 1,
                "speaker_1_memory_time": 0.5,
                "speaker_2_memory_time": 0.25,
                "speaker_1_graph_memories": [
                    {"source": "Ada", "relationship": "owns", "target": "kiln"}
                ],
                "speaker_2_graph_memories": None,
                "response_time": 1.5,
            }
            for index, qa in enumerate(asked(category_five=True))
        ]
        for number in (1, 0)
    }


def memobase_searched() -> dict[str, Any]:
    """The same as memobase writes it: one text for each speaker, and its length."""
    rows = mem0_searched()
    for row in (row for of_one in rows.values() for row in of_one):
        row["speaker_1_memories"] = "## Ada\n- owns a kiln\n- glazes"
        row["speaker_2_memories"] = "## Bo\n- throws bowls"
        row["num_speaker_1_memories"], row["num_speaker_2_memories"] = 30, 21
        del row["speaker_1_graph_memories"], row["speaker_2_graph_memories"]
    return rows
