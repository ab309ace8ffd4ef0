"""The sample's evaluations and trackers are what plans and trackers give, on any machine."""

from pathlib import Path

import pytest

import mnemoscope.sample_data
from mnemoscope.core.opening import open_workspace
from mnemoscope.sample_data.make_runs import PLANS, TRACKERS, evaluate, track
from mnemoscope.tui.sample import SAMPLES, sample_request
from tests.app_driver import opened, press, screen_text

HOME = Path(mnemoscope.sample_data.__file__).resolve().parent


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_gives_the_run_that_comes_along(plan: str, tmp_path: Path) -> None:
    evaluate(plan, tmp_path / "run")
    made, kept = contents(tmp_path / "run"), contents(HOME / "evaluated" / PLANS[plan])
    # The manifest says where the run lies and how it was asked for.
    assert made.keys() == kept.keys()
    assert {name for name in made if made[name] != kept[name]} == {"manifest.json"}


def test_trackers_give_the_runs_that_come_along(tmp_path: Path) -> None:
    track(tmp_path)
    assert contents(tmp_path) == contents(HOME / "trackers")
    assert {path.name for path in (HOME / "trackers").iterdir()} == set(TRACKERS)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_row_of_the_runs_of_a_sample_joins(name: str) -> None:
    workspace = open_workspace(sample_request(name))
    assert not [one for one in workspace.release.defects if one.severity == "error"]
    for joined in workspace.runs:
        assert joined.join.matched == len(joined.run.records)


async def test_the_app_shows_what_the_memory_of_an_evaluation_held() -> None:
    async with opened(sample_request("dsv")) as (app, pilot):
        await press(app, pilot, "H", "full_stop", "enter", "end")
        text = screen_text(app)
    assert "memory after this round" in text
    assert "2 items  +1" in text
