"""Invented dialogues in the form of Mem-Gallery and MemEye, and where the real data is."""

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[1].parent / "shared"
GALLERY = SHARED / "data" / "mem-gallery"
COUNTS = SHARED / "reference" / "other-releases-counts.json"
SESSIONS = "multi_session_dialogues"
QUESTIONS = "human-annotated QAs"

needs_gallery = pytest.mark.skipif(
    not (COUNTS.is_file() and (GALLERY / "dialog").is_dir()),
    reason=f"the public data is not in {GALLERY}",
)


def published_counts() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(COUNTS.read_text())["mem_gallery"]
    return known


def gallery(name: str = "Ada") -> dict[str, Any]:
    """A beekeeper: 2 sessions, 4 rounds, 2 pictures, 6 questions."""
    return {
        "character_profile": {
            "name": name,
            "persona_summary": "keeps bees on a roof",
            "traits": ["patient"],
            "conversation_style": "short",
        },
        SESSIONS: [
            {
                "session_id": "D1",
                "date": "2024-06-17",
                "dialogues": [
                    {"round": "D1:1", "user": "I keep bees.", "assistant": "How many hives?"},
                    {
                        "round": "D1:2",
                        "user": "Two, see here.",
                        "assistant": "They look calm.",
                        "image_id": ["D1:IMG_001"],
                        "input_image": ["../image/Bees/D1_IMG_001.jpg"],
                        "image_caption": ["two green hives"],
                    },
                ],
            },
            {
                "session_id": "D2",
                "date": "2024-07-01",
                "dialogues": [
                    {"round": "D2:1", "user": "One swarmed.", "assistant": "Oh no."},
                    {
                        "round": "D2:2",
                        "user": "Here it hangs.",
                        "assistant": "High up!",
                        "image_id": ["D2:IMG_001"],
                        "input_image": ["../image/Bees/D2_IMG_001.jpg"],
                        "image_caption": ["a swarm in a lime tree"],
                    },
                ],
            },
        ],
        QUESTIONS: [
            _qa("FR", "How many hives has Ada?", "Two.", ["D1"], ["D1:2"]),
            _qa("AR", "What is the beekeeper's shoe size?", "Not mentioned.", ["D2"], []),
            _qa(
                "VS", "Which pictures show bees' homes?", "D1:IMG_001, D2:IMG_001", ["D1", "D2"], []
            )
            | {"clue": ["D1:2", "D2:2"]},
            _qa("VS", "Which picture shows a queen?", "D2:IMG_006", ["D2"], ["D2:2"]),
            _qa("TTL", "What is in the picture?", "a swarm", ["D2"], ["D2:2"])
            | {
                "question_image": "../image/Bees/QA_IMG_001.jpg",
                "image_caption": "a dark cluster on a branch",
            },
            _qa("MR", "How many hives has Ada?", "One or two.", ["D1", "D2"], ["D1:2", "D2:1"]),
        ],
    }


def memeye() -> dict[str, Any]:
    """The same dialogue with a round of two pictures, and questions to choose from."""
    data = gallery()
    data[SESSIONS][0]["dialogues"][1] |= {
        "image_id": ["D1:IMG_001", "D1:IMG_002"],
        "input_image": ["../image/Bees/a.jpg", "file:///data/image/Bees/b.jpg"],
        "image_caption": ["two green hives", "a smoker"],
    }
    options = {"A": "one", "B": "two", "C": "three"}
    rotated = {"A": "two", "B": "three", "C": "one"}
    del data[QUESTIONS]
    data["human_annotated_qas"] = [
        _qa([["X2"], ["Y1"]], "How many hives?", "B", ["D1"], ["D1:2"]) | {"options": options},
        _qa([["X0", "X4"], ["Y3"]], "And now?", "A", ["D1"], ["D1:2"])
        | {"options": [options, rotated], "question_image": ["a.jpg", "b.jpg"]},
        _qa([["X1"], ["Y2"]], "What smokes?", "the smoker", ["D1"], ["D1:2"])
        | {"question_images": ["../image/Bees/q.jpg"]},
    ]
    return data


def _qa(
    point: Any, question: str, answer: str, session_id: list[str], clue: list[str]
) -> dict[str, Any]:
    return {
        "point": point,
        "question": question,
        "answer": answer,
        "session_id": session_id,
        "clue": clue,
    }
