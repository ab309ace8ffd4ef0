"""Make what the docs show of the app from the app itself: pictures, the keys page, the schemas.

Run by ``make docs``. The pictures show the bundled sample.
"""

import asyncio
import json
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from mnemoscope.core.harness.trackers.runs import write_tracker_run
from mnemoscope.core.harness.trackers.tracker import TRACKERS
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.schemas import schemas
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import Config
from mnemoscope.tui.keys_page import keys_page
from mnemoscope.tui.sample import sample_folder, sample_request
from mnemoscope.viewers.themes import MNEMOSCOPE_DARK, MNEMOSCOPE_LIGHT

DOCS = Path(__file__).parent
SIZE = (120, 34)
PICTURES = {
    "overview": (),
    "history": ("H", "}", "}", "full_stop"),
    "ledger": ("D", "d"),
    "questions": ("L", "3"),
    "question": ("L", "3", "enter"),
    "compare": ("C", "down"),
    "tag": ("L", "2", "home", "t", "3"),
    "tally": ("number_sign", "tab", "down", "down", "right", "right"),
}
"""Keys that lead from the overview to each picture."""


def request_for(name: str, folder: Path) -> OpenRequest:
    """What a picture shows: the sample's users, or its scenario with two runs of trackers."""
    if name != "ledger":
        return sample_request()
    scenario = OpenRequest(sample_folder() / "dsv")
    release = open_workspace(scenario).release
    runs = []
    for tracker in ("withdrawals_ignored", "newest_image_wins"):
        runs.append(folder / tracker)
        write_tracker_run(release, TRACKERS[tracker], runs[-1])
    return OpenRequest(scenario.release, tuple(runs))


async def screenshot(request: OpenRequest, keys: tuple[str, ...], theme: str) -> str:
    """The app as SVG after some keys."""
    config = Config(annotator="ann")
    app = MnemoscopeApp(request, remember=False, config=config)
    async with app.run_test(size=SIZE) as pilot:
        app.theme = theme
        while app.desk is None:
            await pilot.pause(0.05)
        await pilot.pause(1.0)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.4)
        await app.workers.wait_for_complete()
        await pilot.pause(0.4)
        return stable(app.export_screenshot(title="mnemoscope"))


def stable(svg: str) -> str:
    """The SVG with ids that do not change from run to run."""
    found = re.search(r"terminal-\d+", svg)
    return svg.replace(found[0], "terminal") if found else svg


def main() -> None:
    """Write everything."""
    (DOCS / "keys.md").write_text(keys_page(), encoding="utf-8")
    for name, schema in schemas().items():
        text = json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        (DOCS / "schemas" / f"{name}.schema.json").write_text(text, encoding="utf-8")
    images = DOCS / "images"
    images.mkdir(exist_ok=True)
    for name, keys in PICTURES.items():
        for theme, suffix in ((MNEMOSCOPE_DARK, "dark"), (MNEMOSCOPE_LIGHT, "light")):
            with TemporaryDirectory() as folder:
                # What is tagged for a picture is nobody's.
                os.environ["MNEMOSCOPE_DATA_DIR"] = folder
                request = request_for(name, Path(folder) / "runs")
                svg = asyncio.run(screenshot(request, keys, theme.name))
            (images / f"{name}-{suffix}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
