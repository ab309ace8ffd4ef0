"""The broken copy: four of Nora's sessions with planted defects, and the list of what was planted.

Every defect is data: where it goes (a JSON path), what is put there, and how bad we think it is.
The same list becomes `expected.json` and the table in the folder's README.
"""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass, replace
from typing import Any

from mnemoscope.sample_data._maker.clip import record
from mnemoscope.sample_data._maker.gallery import paint
from mnemoscope.sample_data._maker.release import VARIANTS, history, media, voice_path
from mnemoscope.sample_data._maker.story import Question, Story

BASE = "data/dialog/base/history_with_qa_p0.json"
DETAILED = "data/dialog/detailed/history_with_qa_p0.json"
CUT = "data/dialog/base/history_with_qa_p9.json"
KEPT = (0, 1, 2, 5)
"""Positions of the sessions that the broken copy keeps."""

SESSIONS, QUESTIONS = "$.multi_session_dialogues", '$["human-annotated QAs"]'
NO_PICTURE = "data/event/images/pid_0000_task_0-0-0.png"
NO_VOICE = "data/event/voice_mixed/0-0-2-0/0-2-0_turn4.wav"

HOSTILE = (
    "With the geranium. Then the moths. \x1b[31mNot red\x1b[0m, \x1b[2J not cleared, "
    "[red]not markup[/red] [link=file:///nowhere]not a link[/link], "
    "\u202enot reversed\u202c, \u2066not isolated\u2069, and a tab\there."
)

# Values at JSON paths are of many types.
Json = Any


@dataclass(frozen=True)
class Defect:
    """One planted defect."""

    what: str
    file: str
    path: str
    severity: str
    """Our guess: `error` (the item cannot be used), `warning` or `repaired`."""
    value: Json = None
    """What stands at the path; for a missing file the path is only pointed at."""
    plant: str = "put"
    """`put` the value, `append` it, `drop` what is there, or `none`."""


def defects() -> list[Defect]:
    """Everything that is planted, in the order of the files."""
    return [
        Defect(
            "text with ANSI escapes, Rich markup and bidi overrides",
            BASE,
            f"{SESSIONS}[0].dialogues[5].user",
            "warning",
            HOSTILE,
        ),
        Defect(
            "number where text is expected",
            BASE,
            f"{SESSIONS}[0].dialogues[4].assistant",
            "error",
            42,
        ),
        Defect(
            "media path that escapes the release with ..",
            BASE,
            f"{SESSIONS}[0].dialogues[0].input_image[0]",
            "warning",
            "data/event/../../../outside/photo.png",
        ),
        Defect(
            "missing voice file",
            BASE,
            f"{SESSIONS}[0].dialogues[2].input_voice_message[0]",
            "warning",
            plant="none",
        ),
        Defect(
            "missing image file",
            BASE,
            f"{SESSIONS}[1].dialogues[0].input_image[0]",
            "warning",
            plant="none",
        ),
        Defect(
            "scalar where a list is expected",
            BASE,
            f"{SESSIONS}[1].dialogues[3].voice_id",
            "repaired",
            "D01-001",
        ),
        Defect(
            "date earlier than the session before",
            BASE,
            f"{SESSIONS}[2].date",
            "warning",
            "02/01/2025",
        ),
        Defect(
            "parallel media lists of different length",
            BASE,
            f"{SESSIONS}[2].dialogues[1].image_caption",
            "warning",
            "A caption without an image.",
            "append",
        ),
        Defect(
            "duplicate round id",
            BASE,
            f"{SESSIONS}[2].dialogues[4].round",
            "error",
            "D02:03",
        ),
        Defect("date that cannot be read", BASE, f"{SESSIONS}[3].date", "warning", "28th of June"),
        Defect(
            "absolute media path",
            BASE,
            f"{SESSIONS}[3].dialogues[1].input_image[0]",
            "repaired",
            "/nowhere/cue/data/event/images/pid_0000_task_0-7-0.png",
        ),
        Defect(
            "media path with backslashes",
            BASE,
            f"{QUESTIONS}[0].option_images.B",
            "repaired",
            "data\\qa\\entity_images\\0-Pets-0-img_identify_B.png",
        ),
        Defect("clue with an unknown id", BASE, f"{QUESTIONS}[1].clue[1]", "warning", "D09:02"),
        Defect("malformed clue", BASE, f"{QUESTIONS}[2].clue[0]", "warning", "D0:3 maybe"),
        Defect("gold letter outside the options", BASE, f"{QUESTIONS}[3].answer", "error", "E"),
        Defect("duplicate question key", BASE, f"{QUESTIONS}[6]", "warning", 4, "repeat"),
        Defect(
            "dialogue text that differs from base",
            DETAILED,
            f"{SESSIONS}[0].dialogues[3].user",
            "warning",
            "If I do it in the mornings, yes. I've opened a card for it already.",
        ),
        Defect(
            "round that base has and this file lacks",
            DETAILED,
            f"{SESSIONS}[1].dialogues[5]",
            "warning",
            plant="drop",
        ),
        Defect("file that ends in the middle", CUT, "$", "error", plant="none"),
    ]


def broken_files(nora: Story) -> dict[str, bytes]:
    """Every file of the broken copy: path to bytes."""
    story = shortened(nora)
    base, detailed = (history(story, v) for v in VARIANTS if v.folder in ("base", "detailed"))
    files = _media(story)
    for name, told in ((BASE, base), (DETAILED, detailed)):
        planted = copy.deepcopy(told)
        for defect in defects():
            if defect.file == name:
                plant(planted, defect)
        files[name] = _safe_json(planted)
    whole = _safe_json(base)
    files[CUT] = whole[: whole.index(b'"D00:03"') + 60]
    files["expected.json"] = _safe_json(
        [
            {"what": d.what, "file": d.file, "path": d.path, "severity": d.severity}
            for d in defects()
        ]
    )
    files["README.md"] = readme().encode()
    return files


def shortened(story: Story) -> Story:
    """Nora as user 0 with four sessions and the questions that these can answer."""
    ids = {f"D{old:02d}": f"D{new:02d}" for new, old in enumerate(KEPT)}
    chosen = {
        ("entity_img", "Pets-0"),
        ("pref_text", "FoodAndDrink-0"),
        ("pref_text", "WorkAndLearning-0"),
        ("rec_text", "FoodAndDrink-0"),
        ("entity_text", "Pets-0"),
        ("entity_text", "Items-2"),
    }
    asked = [q for q in story.questions if (q.point, q.entity or q.target) in chosen]
    return replace(
        story,
        number=0,
        sessions=tuple(
            replace(s, task="0" + s.task[1:]) for i, s in enumerate(story.sessions) if i in KEPT
        ),
        questions=tuple(_renumbered(q, ids) for q in asked),
    )


def _renumbered(question: Question, ids: dict[str, str]) -> Question:
    clue = [ids[c[:3]] + c[3:] for c in question.clue if c[:3] in ids]
    return replace(question, clue=tuple(clue))


def steps(path: str) -> list[str | int]:
    """The keys and positions of a JSON path."""
    found = re.findall(r'\.([A-Za-z_]+)|\["([^"]+)"\]|\[(\d+)\]', path)
    return [int(number) if number else name or quoted for name, quoted, number in found]


def plant(told: Json, defect: Defect) -> None:
    """Put one defect into a history."""
    if defect.plant == "none":
        return
    *way, last = steps(defect.path)
    place = told
    for step in way:
        place = place[step]
    if defect.plant == "append":
        place[last].append(defect.value)
    elif defect.plant == "drop":
        del place[last]
    elif defect.plant == "repeat":
        place.append(copy.deepcopy(place[defect.value]))
    else:
        place[last] = defect.value


def readme() -> str:
    """The README of the broken copy."""
    rows = "\n".join(
        f"| {d.what} | `{d.file.removeprefix('data/dialog/')}` | `{d.path}` | {d.severity} |"
        for d in defects()
    )
    return f"""# A release with defects

Four sessions of the sample's Nora Veitch, renumbered to user 0, with defects planted on purpose.
Nothing else is wrong, except that the variant file, being whole where base is broken, disagrees
with base at those places too, and that it points at the same two missing files. `expected.json`
holds the same list for tests. The severity is a guess: *error*, the item cannot be used;
*warning*, a pointer does not resolve or a value is odd; *repaired*, the meaning is plain.

Do not print this folder's text to a terminal without a reader that escapes it: one message holds
terminal control codes. The path that begins with `/nowhere` exists on no machine.

| what | file below `data/dialog/` | where | severity |
|---|---|---|---|
{rows}

Made by `sample_data/make_sample.py`, which also writes this page.
"""


def _media(story: Story) -> dict[str, bytes]:
    files = {path: paint(draw) for path, draw in media(story).items()}
    for session in story.sessions:
        for index, told in enumerate(session.rounds):
            if told.voice:
                path = voice_path(story.number, session, index)
                files[path] = record(1, told.user, told.voice.sound)
    return {path: content for path, content in files.items() if path not in (NO_PICTURE, NO_VOICE)}


def _safe_json(value: Json) -> bytes:
    """JSON whose bidi controls are escaped, so that an editor shows the file as it is."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    hidden = re.sub(r"[\u202a-\u202e\u2066-\u2069]", lambda m: f"\\u{ord(m.group()):04x}", text)
    return (hidden + "\n").encode()
