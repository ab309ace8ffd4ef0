"""Invented LoCoMo data in every form, and where the real data is."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Defect
from mnemoscope.core.reading import at_path
from mnemoscope.core.sources import Source, SourceFile

SHARED = Path(__file__).parents[1].parent / "shared"
DATA = SHARED / "data"
COUNTS = SHARED / "reference" / "other-releases-counts.json"
LOCOMO = DATA / "locomo" / "locomo10.json"
FLAT = DATA / "locomo" / "flat-v2" / "30.json"
RUNS = DATA / "locomo-runs"

needs_data = pytest.mark.skipif(
    not (COUNTS.is_file() and LOCOMO.is_file() and FLAT.is_file() and RUNS.is_dir()),
    reason=f"the public data is not in {DATA}",
)

WRONG_VALUES: tuple[Any, ...] = (
    *(None, True, 0, 7, -1.5, "", "x", "\x1b[31mred", [], [None], [[1, 2]], {}),
    *({"a": [1]}, ["D1:1"], 10**400, float("nan"), "\ud800"),
)


def conversation(sample_id: str = "conv-1") -> dict[str, Any]:
    """Two potters: 2 sessions, 5 turns, 7 questions, one image with and one without address."""
    return {
        "qa": [
            {
                "question": "What do Ada and Bo both make?",
                "answer": "bowls",
                "evidence": ["D1:1; D2:02", "D1:2"],
                "category": 1,
            },
            {
                "question": "In which year did Ada buy her kiln?",
                "answer": 2021,
                "evidence": ["D1:1"],
                "category": 2,
            },
            {
                "question": "Would Bo enjoy a glazing course?",
                "answer": "Likely yes",
                "evidence": [],
                "category": 3,
            },
            {
                "question": "What colour is the glaze?",
                "answer": "green",
                "evidence": ["D1:3"],
                "category": 4,
            },
            {
                "question": "What do Ada and Bo both make?",
                "answer": "bowls",
                "evidence": ["D1:3", "D9:9", "D:1:1"],
                "category": 4,
            },
            {
                "question": "Where did Bo buy his kiln?",
                "evidence": ["D1:1"],
                "category": 5,
                "adversarial_answer": "at the fair",
            },
            {
                "question": "Did Bo sell the green bowl?",
                "answer": "No",
                "evidence": ["D2:2"],
                "category": 5,
                "adversarial_answer": "Yes",
            },
        ],
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I bought a kiln for my bowls!"},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "I throw bowls too."},
                {
                    "speaker": "Ada",
                    "dia_id": "D1:3",
                    "text": "This is my new glaze.",
                    "img_url": ["https://example.org/glaze.jpg"],
                    "blip_caption": "a photo of a green bowl",
                    "query": "green glaze bowl",
                    "re-download": True,
                },
            ],
            "session_2_date_time": "12:05 am on 20 May, 2023",
            "session_2": [
                {
                    "speaker": "Bo",
                    "dia_id": "D2:1",
                    "text": "Look at mine.",
                    "blip_caption": "a photo of a shelf",
                },
                {
                    "speaker": "Bo",
                    "dia_id": "D2:2",
                    "text": "The bowl on the left is not for sale.",
                },
            ],
            "session_3_date_time": "9:00 am on 2 June, 2023",
            "session_4_date_time": "9:30 am on 9 June, 2023",
        },
        "event_summary": {
            "events_session_1": {"Ada": ["Ada buys a kiln."], "Bo": [], "date": "8 May, 2023"},
            "events_session_2": {"Ada": [], "Bo": ["Bo shows a shelf."], "date": "20 May, 2023"},
        },
        "observation": {
            "session_1_observation": {
                "Ada": [["Ada owns a kiln.", "D1:1"], ["Ada glazes.", ["D1:1", "D1:3"]]],
                "Bo": [["Bo throws bowls.", "D1:2"]],
            },
            "session_2_observation": {"Ada": [], "Bo": [["Bo keeps a bowl.", "D2:1, D2:2"]]},
        },
        "session_summary": {
            "session_1_summary": "Ada and Bo talk about kilns.",
            "session_2_summary": "Bo shows a shelf.",
        },
        "sample_id": sample_id,
    }


def flat(nested: dict[str, Any] | None = None) -> dict[str, Any]:
    """The same conversation in the older form, which has no id."""
    nested = nested or conversation()
    return {
        **nested["conversation"],
        "qa": nested["qa"],
        **nested["observation"],
        **nested["session_summary"],
        **nested["event_summary"],
    }


def asked(category_five: bool = False) -> list[dict[str, Any]]:
    """The questions that a run answers, in release order."""
    return [qa for qa in conversation()["qa"] if category_five or qa["category"] != 5]


def zep_grades() -> dict[str, Any]:
    """Two conversations; the answer is the system's."""
    return {
        f"locomo_experiment_user_{number}": [
            {
                "question": qa["question"],
                "answer": f"I think {qa['answer']}",
                "golden_answer": qa["answer"],
                "grade": index != 1,
                "category": qa["category"],
            }
            for index, qa in enumerate(asked())
        ]
        for number in (0, 1)
    }


def zep_responses() -> dict[str, Any]:
    """The same rows with a duration and no grade."""
    return {
        key: [
            {
                **{name: row[name] for name in ("question", "answer", "golden_answer")},
                "duration_ms": 100.5 + index,
            }
            for index, row in enumerate(rows)
        ]
        for key, rows in zep_grades().items()
    }


def mem0_rows() -> dict[str, Any]:
    """Eleven conversations in no order; the answer is the gold."""
    return {
        str(number): [
            {
                "question": qa["question"],
                "answer": str(qa["answer"]),
                "response": f"{qa['answer']} in {number}",
                "category": str(qa["category"]),
                "bleu_score": 0,
                "f1_score": 0.5,
                "llm_score": index % 2,
            }
            for index, qa in enumerate(asked())
        ]
        for number in (1, 10, 0, 2)
    }


def full_context() -> dict[str, Any]:
    """Two conversations, three judgments a row; conversation 1 is split 2 to 1 throughout."""
    questions = asked()
    return {
        "total_questions": 2 * len(questions),
        "correct": len(questions),
        "accuracy": 0.6,
        "detailed_results": {
            f"locomo_exp_user_{number}": [
                {
                    "question_id": f"locomo_{number}_qa{index}",
                    "question": qa["question"],
                    "golden_answer": str(qa["answer"]),
                    "generated_answer": f"{qa['answer']}.",
                    "llm_judgments": {
                        "judgment_1": number == 0,
                        "judgment_2": number == 0,
                        "judgment_3": True,
                    },
                    "category": str(qa["category"]),
                }
                for index, qa in enumerate(questions)
            ]
            for number in (0, 1)
        },
        "metadata": {
            "answer_model": "some-model",
            "judge_model": "other-model",
            "num_runs": 3,
            "mean_accuracy": 0.6,
            "std_accuracy": 0.1,
            "run_scores": [0.5, 0.5, 0.8],
            "category_accuracies": {"1": {"mean": 0.5, "std": 0.0}},
            "majority_vote_accuracy": 0.5,
            "mean_context_words": 16_000.5,
            "answer_prompt": "short",
        },
    }


def mempalace_rows() -> list[dict[str, Any]]:
    """Every question of two conversations, two sessions retrieved for each."""
    return [
        {
            "sample_id": sample_id,
            "question": qa["question"],
            "answer": qa.get("answer", qa.get("adversarial_answer")),
            "category": qa["category"],
            "evidence": qa["evidence"],
            "retrieved_ids": ["session_2", "session_1"],
            "recall": 1.0,
        }
        for sample_id in ("conv-1", "conv-2")
        for qa in asked(category_five=True)
    ]


def ironmem() -> dict[str, Any]:
    """Every question of one conversation, two items of text for each."""
    rows = [
        {
            "conversation_id": "conv-1",
            "question_id": f"conv-1_q{index}",
            "category": "some_name",
            "category_int": qa["category"],
            "question": qa["question"],
            "ground_truth": str(qa.get("adversarial_answer", qa.get("answer"))),
            "retrieved_context": "[1] Ada owns a kiln.\n- fired twice\n[2] Bo: see [3] there",
            "num_retrieved": 2,
            "generated_answer": "perhaps",
            "score": None if qa["category"] == 5 else index % 2,
            "error": None,
        }
        for index, qa in enumerate(asked(category_five=True))
    ]
    return {
        "system": "IronTest v1",
        "benchmark": "LoCoMo",
        "answerer_model": "some-model",
        "judge_model": "other-model",
        "question_count": len(rows),
        "error_count": 0,
        "category_counts": {"some_name": len(rows)},
        "results": {"overall": 0.4},
        "per_question": rows,
    }


def write(path: Path, data: Any) -> Path:
    """Write a value as JSON, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    return path


def source_of(path: Path, data: Any) -> Source:
    """A source of one file that already holds a value, so that thousands of them are cheap."""
    path.touch()
    source = Source(path)
    source.files[0].__dict__["data"] = data
    return source


def file_of(path: Path, data: Any) -> SourceFile:
    """A file that already holds a value."""
    path.touch()
    file = SourceFile(path, path.parent)
    file.__dict__["data"] = data
    return file


def broken_copies(data: Any) -> Iterator[tuple[str, Any]]:
    """Every copy of a value with one part of it replaced by something of the wrong kind."""
    for path in _paths(data):
        for value in WRONG_VALUES:
            broken = copy.deepcopy(data)
            inner = broken
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = copy.deepcopy(value)
            yield f"{path} = {value!r:.40}", broken
        lacking = copy.deepcopy(data)
        inner = lacking
        for step in path[:-1]:
            inner = inner[step]
        del inner[path[-1]]
        yield f"{path} gone", lacking


def _paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(data, dict):
        items: Any = data.items()
    else:
        items = enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from _paths(value, (*path, key))


def leads_somewhere(defect: Defect, data: Any) -> bool:
    """Whether a defect's path leads to a value, or to where one is missing."""
    try:
        at_path(data, defect.path)
    except KeyError:
        if defect.found != "nothing":
            return False
        holder = at_path(data, defect.path.rpartition(".")[0])
        return isinstance(holder, dict)
    return True
