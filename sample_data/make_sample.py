"""Make the bundled sample: `python sample_data/make_sample.py [--out DIR]`.

Writes an invented CUE-Mem release with tags, two runs over it and a small broken copy. The same
bytes come out each time; nothing is fetched and nothing is random.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from mnemoscope.sample_data._maker.broken import broken_files
from mnemoscope.sample_data._maker.clip import record
from mnemoscope.sample_data._maker.gallery import paint
from mnemoscope.sample_data._maker.release import VARIANTS, history, media, voice_path
from mnemoscope.sample_data._maker.runs import BACKBONE, PLANS, run_files
from mnemoscope.sample_data._maker.story import Story, read_story
from mnemoscope.sample_data._maker.tags import tag_files

HERE = Path(__file__).resolve().parent
MADE = ("cue", "broken", "runs")
"""The folders that are rewritten as a whole."""


def make(out: Path) -> None:
    """Write the three folders below `out`, replacing what is there."""
    for name in MADE:
        shutil.rmtree(out / name, ignore_errors=True)
    stories = [read_story(0), read_story(1)]
    release: dict[str, bytes] = {}
    for story in stories:
        release |= release_files(story)
    for path, content in release.items():
        write(out / "cue" / path, content)
    for path, content in broken_files(stories[1]).items():
        write(out / "broken" / path, content)
    for path, content in result_files(release).items():
        write(out / "runs" / path, content)
    for path, content in tag_files(out / "cue", out / "runs").items():
        write(out / "cue" / "tags" / path, content)


def release_files(story: Story) -> dict[str, bytes]:
    """Every file of one user's part of the release: path to bytes."""
    files = {path: paint(draw) for path, draw in media(story).items()}
    for session in story.sessions:
        for index, told in enumerate(session.rounds):
            if told.voice:
                path = voice_path(story.number, session, index)
                files[path] = record(story.number, told.user, told.voice.sound)
    for variant in VARIANTS:
        path = f"data/dialog/{variant.folder}/history_with_qa_p{story.number}.json"
        files[path] = as_json(history(story, variant))
    return files


def result_files(release: dict[str, bytes]) -> dict[str, bytes]:
    """Every file of the two runs: path to bytes."""
    files = {}
    for plan in PLANS:
        for number in (0, 1):
            stem = f"history_with_qa_p{number}"
            told = json.loads(release[f"data/dialog/{plan.config}/{stem}.json"])
            folder = f"result_debug/{plan.config}/{BACKBONE}/{plan.system.name}"
            for suffix, value in run_files(plan, told).items():
                files[f"{folder}/{stem}_{suffix}.json"] = as_json(value)
    return files


def as_json(value: object) -> bytes:
    """JSON with a line for each value, Chinese as it is, and a newline at the end."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def write(path: Path, content: bytes) -> None:
    """Write one file, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make the bundled sample again.")
    parser.add_argument("--out", type=Path, default=HERE, help="where to write (default: here)")
    make(parser.parse_args().out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
