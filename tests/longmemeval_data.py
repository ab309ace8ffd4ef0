"""Invented LongMemEval and MemLens instances, AMB files, and where the real data is."""

from typing import Any

import pytest

from tests.locomo_data import COUNTS, DATA

FOLDER = DATA / "longmemeval"
SINGLE = FOLDER / "longmemeval_s_single.json"
ORACLE = FOLDER / "longmemeval_oracle_sample.json"
AMB = FOLDER / "amb"
QUERIES = AMB / "s_queries.json"

needs_data = pytest.mark.skipif(
    not (COUNTS.is_file() and SINGLE.is_file() and ORACLE.is_file() and QUERIES.is_file()),
    reason=f"the public data is not in {DATA}",
)


def turn(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def instance(question_id: str = "ab12", **more: Any) -> dict[str, Any]:
    """A gardener's 3 sessions of 2, 3 and 2 turns; the second begins with the assistant."""
    return {
        "question_id": question_id,
        "question_type": "single-session-user",
        "question": "Which roses did I plant?",
        "answer": "Damask roses",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["sharegpt_q1_0", "answer_77", "85a1be56_1"],
        "haystack_dates": [
            "2023/05/20 (Sat) 02:21",
            "2023/05/21 (Sun) 10:00",
            "2023/05/29 (Mon) 18:05",
        ],
        "haystack_sessions": [
            [turn("user", "How do bees fly?"), turn("assistant", "With four wings.")],
            [
                turn("assistant", "…and water them at dawn."),
                turn("user", "I planted Damask roses today.", has_answer=True),
                turn("assistant", "Lovely!", has_answer=False),
            ],
            [turn("user", "Name a river."), turn("assistant", "The Loire.")],
        ],
        "answer_session_ids": ["answer_77"],
        **more,
    }


def abstention() -> dict[str, Any]:
    """Two evidence sessions, the later of which follows the question; one true turn."""
    return {
        "question_id": "gpt4_c0de_abs",
        "question_type": "temporal-reasoning",
        "question": "Which did I do first, prune the roses or buy a spade?",
        "answer": "The information provided is not enough. You did not mention a spade.",
        "question_date": "2023/05/30 (Tue) 08:08",
        "haystack_dates": ["2023/05/30 (Tue) 04:10", "2023/05/30 (Tue) 08:29"],
        "haystack_session_ids": ["answer_31_abs_1", "answer_31_abs_2"],
        "haystack_sessions": [
            [turn("user", "I pruned the roses.", has_answer=True), turn("assistant", "Good.")],
            [turn("user", "What about mulch?", has_answer=False), turn("assistant", "Yes.")],
        ],
        "answer_session_ids": ["answer_31_abs_1", "answer_31_abs_2"],
    }


def query(question_id: str = "ab12", **more: Any) -> dict[str, Any]:
    return {
        "id": question_id,
        "query": "Which roses did I plant?",
        "gold_answers": ["Damask roses"],
        "gold_ids": [f"{question_id}_answer_77"],
        "user_id": question_id,
        "meta": {
            "question_type": "single-session-user",
            "query_timestamp": "2023-05-30T00:00:00+00:00",
        },
        **more,
    }


def document(session_id: str, content: str, user_id: str = "ab12", **more: Any) -> dict[str, Any]:
    return {
        "id": f"{user_id}_{session_id}",
        "content": content,
        "user_id": user_id,
        "timestamp": "2023-05-21T10:00:00+00:00",
        **more,
    }


def lens_instance(question_id: str = "lens1", **more: Any) -> dict[str, Any]:
    """Two sessions in MemLens's two forms; a turn with two pictures and one with one."""
    return {
        "question_id": question_id,
        "question_type": "knowledge_update",
        "question_subtype": "single_hop",
        "question": "What colour is my door now?",
        "answer": "green",
        "old_answer": "red",
        "question_date": "2024/02/01 (Thu) 09:00",
        "haystack_dates": ["2024/01/03 (Wed) 08:00", "2024/01/20 (Sat) 08:00"],
        "haystack_sessions": [
            [
                turn("user", "My door: <image> and my gate: <image>", images=_pictures()),
                turn("assistant", "Both are red."),
            ],
            {
                "date": "2024/01/20 (Sat) 08:00",
                "session": [turn("user", "Painted it! <image>", images="img/door2.png")],
            },
        ],
        **more,
    }


def _pictures() -> list[Any]:
    return [
        {"file": "img/door.png", "image_url": "https://example.org/door.png"},
        {"image_hf_url": "https://example.org/gate.png"},
    ]
