"""Make the sample's evaluations again: `python sample_data/make_runs.py [--out DIR]`.

Runs each of `plans/` by `mnemoscope run`, and lets two trackers answer the scenario. What differs
from machine to machine (times, commit, platform) is left out of what is kept, and so are snapshots,
which are made again by running a plan.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PLANS = {"cue_bm25": "cue-bm25", "dsv_bm25": "dsv-bm25"}
"""Plans, and the folders in `evaluated/` that they fill."""
TRACKERS = ("newest_image_wins", "late_updates_missed")
"""The trackers in `trackers/`."""
MOMENT = "2026-11-30T00:00:00+00:00"
"""When runs that are kept are said to have begun and ended."""

# Manifests and records are JSON.
Json = Any


def make(out: Path) -> None:
    """Write `evaluated/` and `trackers/` below `out`, replacing what is there."""
    for folder in ("evaluated", "trackers"):
        shutil.rmtree(out / folder, ignore_errors=True)
    for plan, folder in PLANS.items():
        evaluate(plan, out / "evaluated" / folder)
    track(out / "trackers")


def evaluate(plan: str, folder: Path) -> None:
    """Carry out a plan into a folder, and leave out what differs from machine to machine."""
    elsewhere = [] if folder == HERE / "evaluated" / PLANS[plan] else ["--out", str(folder)]
    mnemoscope("run", f"plans/{plan}.toml", *elsewhere)
    settle(folder)


def track(folder: Path) -> None:
    """Let the trackers answer the scenario, each into a folder of its name."""
    chosen = [word for name in TRACKERS for word in ("--tracker", name)]
    mnemoscope("track", "dsv", "--out", str(folder), *chosen)
    for name in TRACKERS:
        settle(folder / name)


def mnemoscope(*words: str) -> None:
    """Run the command line in this folder, so that what it notes down is relative to it."""
    code = "import sys; sys.argv[0] = 'mnemoscope'; from mnemoscope.tui.cli import main; main()"
    subprocess.run([sys.executable, "-P", "-c", code, *words], cwd=HERE, check=True)


def settle(folder: Path) -> None:
    """Take out of a run what differs from machine to machine and from time to time."""
    shutil.rmtree(folder / "snapshots", ignore_errors=True)
    for name in ("events.jsonl", ".lock"):
        (folder / name).unlink(missing_ok=True)
    file = folder / "manifest.json"
    manifest: Json = json.loads(file.read_text(encoding="utf-8"))
    for key in ("git", "platform"):
        manifest.pop(key, None)
    manifest |= {"started_at": MOMENT, "ended_at": MOMENT}
    file.write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    lines = (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()
    records = sorted(map(untimed, lines), key=lambda one: (one["key"], one.get("repeat", 0)))
    written = [json.dumps(one, ensure_ascii=False) + "\n" for one in records]
    (folder / "records.jsonl").write_text("".join(written), encoding="utf-8")


def untimed(line: str) -> Json:
    """A record without how long it took."""
    record: Json = json.loads(line)
    usage = record.get("usage", {})
    kept = {key: one for key, one in usage.items() if not key.endswith(("seconds", "_ms"))}
    return record | {"usage": kept} if usage else record


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make the sample's evaluations again.")
    parser.add_argument("--out", type=Path, default=HERE, help="where to write (default: here)")
    make(parser.parse_args().out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
