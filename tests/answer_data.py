"""A small release in which everything that must stay hidden says so: ``ZZ`` always, ``YY`` as a
caption.
"""

from pathlib import Path

from mnemoscope.core.model import Release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.workspace import JoinedRun, Workspace
from tests.cli_data import CLOSING, Json, write

HIDDEN = (
    "ZZ",
    "Long pattern",
    "long_pattern",
    "Answer refusal",
    "implicit",
    "pref_",
    "adversarial",
)
"""What no view may show before the end."""
CAPTION = "YY"
"""What only text views may show."""
GOLD = ("C", "B", "A")


def marked_release(folder: Path) -> Path:
    """Write the release; three questions about one user, of two sessions."""
    first: Json = {
        "session_id": "D00",
        "date": "01/12/2025",
        "task_id": "ZZtask",
        "scene_description": "01/12/2025;home;ZZscene",
        "user_shared_image_description": "ZZshared",
        "background_audio_info": "ZZbackground",
        "human_speech_content": "ZZspeech",
        "explicit_preferences": [{"category": "Food-0", "content": "ZZpreference"}],
        "dialogues": [
            {"round": "D00:00", "user": "I water the ferns at seven.", "assistant": "Every day?"},
            {
                "round": "D00:01",
                "user": "Look at my desk.",
                "assistant": "Tidy.",
                "input_image": ["data/event/images/ZZdesk.png"],
                "image_caption": ["YYdesk with a lamp"],
                "image_id": ["D00-001"],
            },
        ],
    }
    second: Json = {
        "session_id": "D01",
        "date": "02/01/2025",
        "dialogues": [
            {
                "round": "D01:00",
                "assistant": "Sleep well.",
                "input_voice_message": ["data/event/voice_mixed/ZZevening.wav"],
                "user_voice_message_caption": "YYgood night",
                "voice_caption": ["YYgood night"],
                "voice_id": ["D01-001"],
            },
            {"round": "D01:01", "user": "Tea, please.", "assistant": "At once."},
        ],
    }
    data: Json = {
        "character_profile": {"name": "ZZname", "description": "ZZabout (p_id=0)"},
        "multi_session_dialogues": [first, second],
        "human-annotated QAs": [
            _question("ZZpicture", "pref_img", "implicit", GOLD[0], ["D00-001", "D01-001"])
            | {
                "question": f"Which picture fits?\n{CLOSING}",
                "option_images": {
                    one: f"data/qa/pref_images/ZZ{'gold' if one == 'C' else one}.png"
                    for one in "ABCD"
                },
                "option_captions": {one: f"YYoption {one}" for one in "ABCD"},
            },
            _question("ZZtext", "pref_text", "explicit", GOLD[1], ["D01:01"]),
            _question("ZZrefusal", "adversarial_text", "explicit", GOLD[2], []),
        ],
    }
    for name in ("event/images/ZZdesk.png", "event/voice_mixed/ZZevening.wav"):
        _stand_in(folder / "data" / name)
    for name in ("ZZgold", "ZZA", "ZZB", "ZZD"):
        _stand_in(folder / "data" / "qa" / "pref_images" / f"{name}.png")
    write(folder / "history_with_qa_p0.json", data)
    return folder


def _question(qa_id: str, point: str, setting: str, answer: str, clues: list[str]) -> Json:
    options = "\n".join(f"{one}. choice {one.lower()}" for one in "ABCD")
    return {
        "qa_id": qa_id,
        "question": f"What goes with it?\n{options}\n{CLOSING}",
        "answer": answer,
        "point": point,
        "qa_type": setting,
        "category": "ZZcategory",
        "subcategory": "ZZsubcategory",
        "clue": clues,
        "rationale": "ZZrationale",
        "preference": "ZZpreference",
        "adversarial_answer": "ZZlure",
    }


def _stand_in(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"stand-in")


def opened_release(folder: Path) -> Release:
    """The release, read."""
    return open_release(marked_release(folder))


def joined(release: Release, submissions: Path) -> list[JoinedRun]:
    """What has been handed in, opened as runs beside the release."""
    return list(Workspace.build(release, open_runs(submissions).runs).runs)
