"""Who decides what is right, chosen in the app: the choice, and every screen that names it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.core.judges.said import VERIFIES
from mnemoscope.core.judges.shelf import Shelf
from mnemoscope.core.model import Value, Verdict
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.runs.native.writer import verdict_line
from mnemoscope.core.tags.fingerprint import answer_hash
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import Config
from mnemoscope.tui.recent import RecentStore
from tests.app_driver import WIDE, AppPilot, act, notices, opened, press, screen_text, settled
from tests.cli_data import write_all

JUDGE, VERIFIER = "endpoint:strict@11111111", "endpoint:kind@22222222"
PAIR = f"{JUDGE}+{VERIFIER}"


@pytest.fixture
def request_here(tmp_path: Path) -> OpenRequest:
    """A release with three runs, all of whose answers two judges have judged.

    The judge calls every second answer right, the verifier every third of the others.
    """
    cue, runs = write_all(tmp_path / "data-set")
    request = OpenRequest(cue, (runs,))
    workspace = open_workspace(request)
    shelf = Shelf.of(workspace)
    for judge, stage, every in ((JUDGE, "", 2), (VERIFIER, f"{VERIFIES}{JUDGE}", 3)):
        pen = shelf.pen(judge)
        for run in workspace.runs:
            for place, entry in enumerate(run.entries):
                value = Value.WRONG if place % every else Value.RIGHT
                hash = answer_hash(entry.record)
                verdict = Verdict(judge, value, stage, f"number {place}", None, hash)
                line = verdict_line(entry.question.key, entry.record.repeat, verdict)
                pen.append(shelf.folders[run.name], line.as_json())
        pen.close()
    return request


@pytest.fixture
async def app_here(request_here: OpenRequest) -> AsyncIterator[tuple[MnemoscopeApp, AppPilot]]:
    async with opened(request_here) as (app, pilot):
        yield app, pilot


async def choose(app: MnemoscopeApp, pilot: AppPilot, typed: str) -> None:
    """Choose who decides by a part of the name."""
    await act(app, pilot, "app.decide")
    await press(app, pilot, *typed, "enter")


async def test_the_choice_offers_rule_people_and_every_judge(
    app_here: tuple[MnemoscopeApp, AppPilot],
) -> None:
    app, pilot = app_here
    await press(app, pilot, "Y")
    text = screen_text(app)
    for row in ("each run's own rule", "people, else each run's rule", JUDGE, "one judge"):
        assert row in text
    assert "judge+verifier, one-sided" in text
    assert "18" in next(line for line in text.splitlines() if "one judge" in line)
    await press(app, pilot, "escape")
    assert app.opened_desk.decider == "rule"
    assert "decided by" not in screen_text(app).splitlines()[0]


async def test_whoever_is_chosen_decides_on_every_screen_which_says_so(
    app_here: tuple[MnemoscopeApp, AppPilot],
) -> None:
    app, pilot = app_here
    before = app.opened_desk.workspace.runs[0].entries
    await choose(app, pilot, "one judge")
    assert app.opened_desk.decider == JUDGE
    assert "decides 6 of 6 records" in notices(app)
    run = app.opened_desk.workspace.run("LTMemory")
    assert [one.judgement.right for one in run.entries] == [True, False] * 3
    header, *rest = screen_text(app).splitlines()
    assert f"decided by {JUDGE}" in header
    # The table of runs has it, too.
    assert any("endpoint:str" in line for line in rest)
    for actions in (
        ("app.questions",),
        ("app.questions", "list.open"),
        ("app.compare",),
        ("app.matrix",),
        ("app.history",),
    ):
        await act(app, pilot, "app.overview", *actions)
        assert "decided by endpoint:strict" in screen_text(app).splitlines()[0], actions
    await act(app, pilot, "app.overview", "app.compare")
    assert f"A is decided by {JUDGE}" in screen_text(app)
    await act(app, pilot, "app.overview", "app.questions", "list.open")
    text = screen_text(app)
    assert "number 0" in text
    assert "--verdicts=endpoint:strict" in app.screen.copies()[-1][1]  # type: ignore[attr-defined]
    desk = app.opened_desk
    await act(app, pilot, "app.overview")
    await choose(app, pilot, "own")
    assert desk.decider == "rule"
    assert "Each run's own rule decides." in notices(app)
    assert [one.judgement for one in desk.workspace.runs[0].entries] == [
        one.judgement for one in before
    ]


async def test_the_symmetric_figure_stands_beside_the_one_sided_rule(
    app_here: tuple[MnemoscopeApp, AppPilot],
) -> None:
    app, pilot = app_here
    await choose(app, pilot, "one-sided")
    assert app.opened_desk.decider == PAIR
    # Right by the judge 0 2 4, by the verifier 0 3: of six 4 one-sided, the mean of 3 and 2.
    assert "one-sided; symmetric 41.7 %" in notices(app)
    for screen in ("app.compare", "app.overview", "app.matrix"):
        await act(app, pilot, screen)
        text = " ".join(screen_text(app).split())
        assert "symmetric 41.7 %" in text, screen


async def test_people_decide_and_what_they_say_later_counts_on_the_next_screen(
    app_here: tuple[MnemoscopeApp, AppPilot],
) -> None:
    app, pilot = app_here
    await choose(app, pilot, "people")
    desk = app.opened_desk
    assert desk.decider == "person"
    assert "decided by people" in screen_text(app).splitlines()[0]
    assert desk.a is not None
    assert desk.a.people is not None
    assert desk.a.people.decided == 0
    key = next(iter(desk.workspace.release.questions))
    was = desk.a.entry(key)
    assert was is not None
    name = desk.a.name
    app.show_question(key)
    await settled(app, pilot)
    await act(app, pilot, "app.tag", "tag.verdict")
    await press(app, pilot, *("wrong" if was.judgement.right else "right"), "enter")
    await press(app, pilot, "enter")
    await press(app, pilot, "escape")
    run = desk.workspace.run(name)
    assert run.people is not None
    assert (run.people.decided, run.people.changed) == (1, 1)
    entry = run.entry(key)
    assert entry is not None
    assert entry.judgement.right is not was.judgement.right


async def test_the_choice_outlives_reading_again_and_the_session(
    request_here: OpenRequest, tmp_path: Path
) -> None:
    store = RecentStore()
    app = MnemoscopeApp(request_here, recent=store, config=Config(annotator="ann"))
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        await choose(app, pilot, "one judge")
        await act(app, pilot, "app.reload")
        assert app.opened_desk.decider == JUDGE
        assert app.opened_desk.workspace.runs[0].deciding is not None
    again = MnemoscopeApp(request_here, recent=store, config=Config(annotator="ann"))
    async with again.run_test(size=WIDE) as pilot:
        await settled(again, pilot)
        assert again.opened_desk.decider == JUDGE
        assert "decided by endpoint:strict" in screen_text(again).splitlines()[0]


async def test_a_decider_that_is_named_decides_at_once_and_an_unknown_one_is_told(
    request_here: OpenRequest,
) -> None:
    app = MnemoscopeApp(request_here, remember=False, config=Config(), verdicts="strict")
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        assert app.opened_desk.workspace.runs[0].deciding is not None
    app = MnemoscopeApp(request_here, remember=False, config=Config(), verdicts="nobody")
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        assert "judge 'nobody' is none of those who judged" in notices(app)
        assert app.opened_desk.decider == "rule"


async def test_verdicts_elsewhere_are_read_from_there_and_the_twin_command_says_so(
    request_here: OpenRequest, tmp_path: Path
) -> None:
    kept = tmp_path / "data" / "verdicts"
    kept.rename(tmp_path / "elsewhere")
    request = replace(request_here, judged=tmp_path / "elsewhere")
    app = MnemoscopeApp(request, remember=False, config=Config(), verdicts="strict")
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        assert app.opened_desk.decider == JUDGE
        command = dict(app.screen.copies())["command: score"]  # type: ignore[attr-defined]
    assert f"--judged={tmp_path / 'elsewhere'} --verdicts={JUDGE}" in command


async def test_where_there_is_no_run_there_is_nobody_to_choose(request_here: OpenRequest) -> None:
    async with opened(OpenRequest(request_here.release)) as (app, pilot):
        await press(app, pilot, "Y")
        assert "A run is needed" in notices(app)


async def test_the_name_of_a_judge_from_a_file_is_drawn_clean(tmp_path: Path) -> None:
    cue, runs = write_all(tmp_path / "data-set")
    request = OpenRequest(cue, (runs,))
    workspace = open_workspace(request)
    shelf = Shelf.of(workspace)
    name = "endpoint:\x1b[31mred[bold]\u202e@1"
    pen = shelf.pen(name)
    for run in workspace.runs:
        for entry in run.entries:
            line = verdict_line(entry.question.key, 0, Verdict(name, Value.RIGHT))
            pen.append(shelf.folders[run.name], line.as_json())
    pen.close()
    async with opened(request) as (app, pilot):
        await choose(app, pilot, "one judge")
        assert app.opened_desk.decider == name
        shown = notices(app)
        for actions in ((), ("app.compare",), ("app.questions", "list.open"), ("app.decide",)):
            await act(app, pilot, *actions)
            shown += screen_text(app)
        assert "red[bold]@1" in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown
