"""Invented releases of the size of published ones whose data is not at hand."""

import datetime
import json
import random
from pathlib import Path
from typing import Any

__all__ = ["make_group_chats", "make_people", "make_texts"]

_WORDS = [f"word{number}" for number in range(500)]


def _say(count: int) -> str:
    return " ".join(random.choices(_WORDS, k=count))


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def make_group_chats(folder: Path) -> Path:
    """EverMemBench: one user, three groups over 250 days, 10,500 messages, 600 questions."""
    random.seed(1)
    days: dict[str, dict[str, Any]] = {}
    for number in range(250):
        day = (datetime.date(2025, 1, 9) + datetime.timedelta(number)).isoformat()
        days[day] = {
            f"Group {group}": [
                {
                    "speaker": f"Person {random.randint(0, 30)}",
                    "time": f"{day} {9 + at // 6:02d}:{at % 6 * 9:02d}:00",
                    "dialogue": _say(35),
                    "task_ids": ["T1"],
                }
                for at in range(14)
            ]
            for group in (1, 2, 3)
        }
    questions = [
        {
            "id": f"F_SH_Top004_{number:03d}",
            "Q": _say(20),
            "A": "B",
            "options": {letter: _say(10) for letter in "ABCD"},
        }
        for number in range(600)
    ]
    _write(folder / "004" / "dialogue.json", {"dialogues": days})
    _write(folder / "004" / "qa_004.json", {"qars": questions})
    return folder


def make_people(folder: Path) -> Path:
    """H2HMem: 20 dialogues of 14 sessions in 560 small files, 5,320 turns, 1,960 questions."""
    random.seed(2)
    for dialogue in range(20):
        for session in range(1, 15):
            scene = folder / "dyadic" / f"dialogue{dialogue}" / "scenes" / f"session{session}"
            turns = [
                {
                    "role": random.choice(("Ada", "Bo")),
                    "content": {"image": "" if at % 6 else f"{at}.png", "text": _say(30)},
                }
                for at in range(19)
            ]
            day = f"2024-{session:02d}-01" if session < 13 else f"2024-12-{session}"
            _write(scene / "session.json", {"dialogue": turns, "timeline_date": day})
            question = {
                "question": {"image": "", "text": _say(15)},
                "original_answer": _say(5),
                "answer_session": [f"session{session}"],
                "answer_dialogue": f"dialogue{dialogue}",
                "question_type": {"main_type": "Memory Recall", "sub_type": "Answer Refusal"},
                "difficulty": "easy",
                "validation_notes": _say(10),
            }
            _write(scene / "questions.json", {"questions": [question] * 7})
    return folder


def make_texts(folder: Path) -> Path:
    """MemoryAgentBench: eight texts of 60,000 words with 100 questions each."""
    random.seed(3)
    rows = [
        {
            "context": _say(60_000),
            "questions": [_say(12) for _ in range(100)],
            "answers": [[_say(3)] for _ in range(100)],
            "metadata": {"source": "ruler_qa1"},
        }
        for _ in range(8)
    ]
    _write(folder / "Accurate_Retrieval.json", rows)
    return folder
