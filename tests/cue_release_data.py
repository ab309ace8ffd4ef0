"""An invented CUE-Mem history small enough to read, and what the tests of its reader share."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.media_files import normalise
from mnemoscope.core.model import Release
from mnemoscope.core.releases.cue_mem.reader import CueMemReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source

# Any: history files are JSON.
Json = dict[str, Any]

SHARED = Path(__file__).parents[1].parent / "shared"
QUESTIONS = "human-annotated QAs"
SESSIONS = "multi_session_dialogues"
CLOSING = "请在 A/B/C/D 中选择最符合的选项。"
OPTIONS = "A. 陶笛\nB. 口琴\nC. 二胡\nD. 木吉他"
# Whatever only the evaluator may see holds this word, and nothing else does.
SECRET = "秘密"


def mini() -> Path:
    """The miniature release."""
    path = SHARED / "reference" / "cue-mem-mini"
    if not path.is_dir():
        pytest.skip("the miniature release is not beside this checkout")
    return path


def generate(out: Path, *options: str) -> Path:
    """A full-size release of a few invented users."""
    tool = SHARED / "tools" / "make_cue_release.py"
    if not tool.is_file():
        pytest.skip("the tool that makes releases is not beside this checkout")
    command = [sys.executable, str(tool), "--out", str(out), *options]
    subprocess.run(command, check=True, capture_output=True)
    return out


def text_round(round_id: str, user: str, assistant: str = "") -> Json:
    """A round without media."""
    reply = {"assistant": assistant} if assistant else {}
    return {"round": round_id, "user": user, **reply}


def image(media_id: str, caption: str = "窗台上有一盆薄荷。") -> Json:
    """The fields of an image; a round is ``text_round(…) | image(…)``."""
    return {
        "input_image": [f"data/event/images/{media_id}.png"],
        "image_caption": [caption],
        "image_id": [media_id],
    }


def voice(media_id: str, caption: str = "人声：刚到车站。\n背景音：雨声。") -> Json:
    """The fields of a clip, which take the place of the user's text."""
    return {
        "input_voice_message": [f"data/event/voice_mixed/0-{media_id}/{media_id}_turn0.wav"],
        "voice_caption": [caption],
        "voice_id": [media_id],
        "user_voice_message_caption": caption,
    }


def session(number: int, rounds: Sequence[Json]) -> Json:
    """A session with everything that only the evaluator may see."""
    preference = {"category": "Pets-0", "content": f"{SECRET}喜好", "rationale": f"{SECRET}理由"}
    return {
        "session_id": f"D{number:02}",
        "date": f"{number + 1:02}/09/2025",
        "dialogues": list(rounds),
        "task_id": f"0-{number}-0",
        "scene_description": f"{SECRET}场景",
        "user_shared_image_description": f"{SECRET}图片",
        "background_audio_info": f"{SECRET}声音",
        "human_speech_content": f"{SECRET}话语",
        "explicit_preferences": [preference],
        "implicit_preferences": [preference],
        "_p_id": 0,
        "_profile_str": f"{SECRET}画像",
    }


def question(point: str, qa_id: str, qa_type: str, clue: list[str], **more: Any) -> Json:
    """A question; one with pictures for a point that ends in ``_img``."""
    pictured = point.endswith("_img")
    common = {
        "qa_id": qa_id,
        "question": f"用户常听哪种乐器？\n{'' if pictured else OPTIONS + chr(10)}{CLOSING}",
        "answer": "B",
        "point": point,
        "qa_type": qa_type,
        "session_id": "D00",
        "clue": clue,
        "p_id": 0,
    }
    if pictured:
        common["option_images"] = {
            x: f"data/qa/{point[:-4]}_images/{qa_id}_{x}.png" for x in "ABCD"
        }
        common["option_captions"] = {x: f"图里是{x}。" for x in "ABCD"}
        common["question_image_descriptions"] = {x: f"{SECRET}提示{x}" for x in "ABCD"}
    return common | more


def history() -> Json:
    """A whole history file: three sessions, seven rounds, six questions, no defect."""
    refusal = {
        "question": f"顾客常听什么？\nA. 陶笛\nB. 历史中没有说明\nC. 二胡\nD. 木吉他\n{CLOSING}",
        "adversarial_answer": f"{SECRET}诱饵",
        "adversarial_type": f"{SECRET}类型",
        "rationale": f"{SECRET}原因",
    }
    entity = {"entity_name": f"{SECRET}名字", "entity_source_refs": [{"category": SECRET}]}
    return {
        "character_profile": {"name": "沈渡", "description": f"{SECRET} user (p_id=0)"},
        SESSIONS: [
            session(
                0,
                [
                    text_round("D00:00", "昨晚又听了口琴。", "是独奏吗？"),
                    text_round("D00:01", "看看我的窗台。", "长得真好。") | image("D00-001"),
                    text_round("D00:02", "改天再聊。"),
                ],
            ),
            session(
                1,
                [
                    text_round("D01:00", "今天下雨。", "记得带伞。"),
                    {"round": "D01:01", "assistant": "路上小心。"} | voice("D01-001"),
                    {"round": "D01:02"} | image("D01-001", "") | voice("D01-002", "人声：你看。"),
                ],
            ),
            session(2, [text_round("D02:00", "口琴修好了。", "恭喜。")]),
        ],
        QUESTIONS: [
            question("pref_img", "0-Pets-0", "implicit", ["D00-001.png", "D01-001.wav"]),
            question("entity_img", "0-Items-0-img_identify", "Items", ["D00-001.png"])
            | {"entity_explicitness": "implicit", "dimension": "identify_item"}
            | entity,
            question("pref_text", "0-Pets-0", "explicit", ["D00:00", "D02:00"], category="Pets"),
            question("rec_text", "0-Pets-0", "implicit", ["D01-001.wav", "D01-002.wav"]),
            question("entity_text", "0-Pets-1-0", "Pets", ["D00:01", "D00-001.png"]) | entity,
            question("adversarial_text", "0-Pets-0-adv0", "explicit", ["D02:00"]) | refusal,
        ],
    }


def write(root: Path, data: Any, *, variant: str = "base", p: int = 0) -> Path:
    """Write a history file where a release has it."""
    file = root / "data" / "dialog" / variant / f"history_with_qa_p{p}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return file


def write_media(root: Path, data: Any) -> None:
    """Write a file for every media path in a history."""
    for _, value in leaves(data):
        if isinstance(value, str) and normalise(value).startswith("data/"):
            file = root / normalise(value)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"media")


def release_of(root: Path, data: Any | None = None) -> Release:
    """The release that has one history, with all its media."""
    data = history() if data is None else data
    write_media(root, data)
    return read(write(root, data))


def read(path: Path, *media_roots: Path) -> Release:
    """Read a release."""
    return CueMemReader().read(Source(path), ReadOptions(media_roots=media_roots))


def faults(release: Release) -> list[tuple[str, str, str]]:
    """Severity, code and path of every defect."""
    return [(str(defect.severity), defect.code, defect.path) for defect in release.defects]


def leaves(
    data: Any, place: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value in JSON, containers included, with the keys that lead to it."""
    if place:
        yield place, data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(value, (*place, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from leaves(value, (*place, index))


def with_value(data: Json, place: Sequence[str | int], value: Any) -> Json:
    """A copy with another value at a place."""
    changed = copy.deepcopy(data)
    holder: Any = changed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return changed


def without(data: Json, place: Sequence[str | int]) -> Json:
    """A copy without a key or an element."""
    changed = copy.deepcopy(data)
    holder: Any = changed
    for key in place[:-1]:
        holder = holder[key]
    del holder[place[-1]]
    return changed
