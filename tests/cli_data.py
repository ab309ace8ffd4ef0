"""An invented release of two sessions and six questions with three runs, for the command line."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

# Any: the files are JSON.
Json = dict[str, Any]

Mnemoscope = Callable[..., tuple[int, str, str]]
"""Runs the command in this process; returns exit code, stdout and stderr."""

CLOSING = "请在 A/B/C/D 中选择最符合的选项。"
REFUSAL = "历史中没有说明"
NAMES = ("A", "B", "C", "D")


def release(*, name: str = "Nour", stem: str = "", caption: str = "") -> Json:
    """A history file in the published CUE-Mem dialect.

    Args:
        name: The user's name.
        stem: What is added to the stem of the first question.
        caption: What is added to the caption of the image.
    """
    first: list[Json] = [
        {"round": "D00:00", "user": "I water the ferns at seven.", "assistant": "Every day?"},
        {
            "round": "D00:01",
            "user": "Look at my desk.",
            "assistant": "Tidy.",
            "input_image": ["data/event/images/desk.png"],
            "image_caption": [f"a desk with a brass lamp{caption}"],
            "image_id": ["D00-001"],
        },
    ]
    second: list[Json] = [
        {"round": "D01:00", "user": "晚上只喝冷泡乌龙茶。", "assistant": "好。"},
        {
            "round": "D01:01",
            "assistant": "Sleep well.",
            "input_voice_message": ["data/event/voice_mixed/evening.wav"],
            "voice_caption": ["voice: good night\nbackground: a sewing machine"],
            "voice_id": ["D01-001"],
        },
    ]
    return {
        "character_profile": {"name": name, "description": "Invented (p_id=0)"},
        "multi_session_dialogues": [
            {"session_id": "D00", "date": "01/12/2025", "dialogues": first},
            {"session_id": "D01", "date": "02/01/2025", "dialogues": second, "task_id": "0-1-0"},
        ],
        "human-annotated QAs": [
            question("Relationship-0", "entity_text", "explicit", "A", ["D00:00"], stem),
            question("Items-1", "entity_text", "implicit", "B", ["D00-001.png"]),
            question("Food-2", "pref_text", "explicit", "C", ["D01:00", "D00:00"]),
            question("Hobby-3", "pref_text", "implicit", "D", ["D01-001.wav", "D09:00"]),
            question("Hobby-4", "rec_text", "implicit", "A", ["D01-001.wav"]),
            question("Food-5", "adversarial_text", "explicit", "B", ["D01:00"]),
        ],
    }


def question(
    qa_id: str, point: str, setting: str, answer: str, clues: Sequence[str], stem: str = ""
) -> Json:
    """A question with four options in its text."""
    texts = {name: f"choice {name.lower()} of {qa_id}" for name in NAMES}
    if point.startswith("adversarial"):
        texts[answer] = REFUSAL
    options = "\n".join(f"{name}. {text}" for name, text in texts.items())
    entity = point.startswith("entity")
    return {
        "qa_id": qa_id,
        "question": f"What goes with {qa_id}?{stem}\n{options}\n{CLOSING}",
        "answer": answer,
        "point": point,
        "qa_type": qa_id.split("-")[0] if entity else setting,
        "clue": list(clues),
        "p_id": 0,
        "category": "" if entity else qa_id.split("-")[0],
        "rationale": f"why {qa_id} is {answer}",
        **({"entity_explicitness": setting} if entity else {}),
    }


def text_rows(
    data: Json, answers: Sequence[str], retrieved: Sequence[str] = (), reasoning: str = ""
) -> list[Json]:
    """Rows of a text memory; an empty answer is a blank one."""
    return [
        {
            "qa_id": asked["qa_id"],
            "sample_id": "p0",
            "session_id": "D00",
            "speaker_a": "user",
            "speaker_b": "assistant",
            "question": asked["question"],
            "system_answer": answer,
            "original_answer": asked["answer"],
            "category": asked["point"],
            "qa_type": asked["qa_type"],
            **({"retrieved_ids": list(retrieved)} if retrieved else {}),
            **({"reasoning": reasoning} if reasoning else {}),
        }
        for asked, answer in zip(data["human-annotated QAs"], answers, strict=True)
    ]


def fused_rows(data: Json, answers: Sequence[str], retrieved: Sequence[str]) -> list[Json]:
    """Rows of a multimodal index, which say themselves what is right; an error row says so too."""
    return [
        {
            "qa_uid": f"p0::{asked['point']}::{asked['qa_id']}",
            "qa_id": asked["qa_id"],
            "question": asked["question"],
            "answer": asked["answer"],
            "model_answer": answer[-1],
            "raw_response": answer,
            "correct": answer[-1] == asked["answer"],
            "point": asked["point"],
            "qa_type": asked["qa_type"],
            "category": asked["category"],
            "retrieved_turn_ids": list(retrieved),
            "retrieved_scores": [0.5 / rank for rank in range(1, len(retrieved) + 1)],
            "clue": asked["clue"],
        }
        for asked, answer in zip(data["human-annotated QAs"], answers, strict=True)
    ]


def write(path: Path, data: object) -> Path:
    """Write a JSON file, folders included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=True), encoding="utf-8")
    return path


def text_run(folder: Path, memory: str, rows: list[Json]) -> Path:
    """Write a run of a text memory; returns its folder."""
    place = folder / "result_debug" / "base" / "tiny-7b" / memory
    write(place / "history_with_qa_p0_results.json", rows)
    return place


def fused_run(folder: Path, variant: str, rows: list[Json]) -> Path:
    """Write a run of a multimodal index; returns its folder."""
    place = folder / "RQ3" / "results" / "tiny-omni" / variant
    write(place / "p0_results.json", rows)
    return place


def write_release(folder: Path, data: Json) -> Path:
    """Write a release, with stand-ins for its media files; returns its folder."""
    for name in ("images/desk.png", "voice_mixed/evening.wav"):
        media = folder / "data" / "event" / name
        media.parent.mkdir(parents=True, exist_ok=True)
        media.write_bytes(b"stand-in")
    write(folder / "history_with_qa_p0.json", data)
    return folder


def write_all(folder: Path) -> tuple[Path, Path]:
    """Write the release to ``cue`` and three runs to ``runs`` below a folder.

    LTMemory is right on the first four questions, FUMemory on the first and the last and fails on
    one and cannot be parsed on another; MM has an error that its file calls right.
    """
    data = release()
    write_release(folder / "cue", data)
    runs = folder / "runs"
    rows = text_rows(data, "ABCDBC", ["D00:00", "D00:01", "D01:00"], "It was said.")
    text_run(runs, "LTMemory", rows)
    text_run(runs, "FUMemory", text_rows(data, ["A", "", "选B", "C", "C", "B"]))
    answers = ["A", "B", "A", "[ERROR] input too long, not D", "A", "C"]
    fused_run(runs, "MM", fused_rows(data, answers, ["D01:00", "D00:01", "D01:01"]))
    return folder / "cue", runs
