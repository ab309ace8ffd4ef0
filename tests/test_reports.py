"""The screens that report on what is open: joins, defects, configurations."""

import json
import shutil

import pytest

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.sample import sample_folder, sample_request
from mnemoscope.tui.screens.configuration import ConfigurationScreen
from mnemoscope.tui.screens.defects import DefectsScreen
from mnemoscope.tui.screens.joins import JoinsScreen
from mnemoscope.tui.screens.overview import OverviewScreen
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.raw import RawScreen
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import SMALL, WIDE, opened, press, screen_text

Request = OpenRequest


@pytest.fixture(scope="module")
def odd_runs(tmp_path_factory: pytest.TempPathFactory) -> Request:
    """The sample, with rows of run A that join to nothing."""
    (runs,) = sample_request().runs
    folder = tmp_path_factory.mktemp("odd")
    shutil.copytree(runs, folder / "runs")
    (file,) = folder.rglob("LTMemory/history_with_qa_p0_results.json")
    data = json.loads(file.read_text(encoding="utf-8"))
    data[0]["qa_id"] = "nothing"
    data[2]["question"] = "Was steht hier?"
    data.append(data[5])
    del data[7]
    file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return Request(sample_request().release, (folder / "runs",))


async def test_the_join_report_counts_each_run_and_says_why_rows_stay_alone(
    odd_runs: Request,
) -> None:
    for size in (SMALL, WIDE):
        async with opened(odd_runs, size=size) as (app, pilot):
            await press(app, pilot, "u")
            assert isinstance(app.screen, JoinsScreen)
            text = screen_text(app)
            line = next(row for row in text.splitlines() if row.startswith("▌ A"))
            assert line.split()[:7] == ["▌", "A", "LTMemory", "59", "56", "3", "–"]
            for said in ("no such question", "text differs", "answered twice", "no record"):
                assert said in text
            assert "History p0 has no question 'entity_text/nothing'" in text
            assert "6 that stay alone" in text


async def test_a_row_that_joins_to_nothing_opens_as_raw_json(odd_runs: Request) -> None:
    async with opened(odd_runs) as (app, pilot):
        await press(app, pilot, "u", "enter", "enter")
        assert isinstance(app.screen, RawScreen)
        assert '"qa_id": "nothing"' in screen_text(app)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, JoinsScreen)


async def test_what_a_row_was_compared_with_stands_beside_it_and_opens(odd_runs: Request) -> None:
    async with opened(odd_runs) as (app, pilot):
        await press(app, pilot, "u", "enter", "down")
        text = screen_text(app)
        for said in ("the question with this id", "Was steht hier?", "asks something else there"):
            assert said in text
        detail = app.screen.query_one("#detail", Page)
        (target,) = {one for one in detail.targets if isinstance(one, tuple)}
        await press(app, pilot, "tab", "enter")
        assert isinstance(app.screen, QuestionScreen)
        assert ("question", app.opened_desk.walk.key) == target


async def test_a_question_without_a_record_opens_and_the_next_one_follows(
    odd_runs: Request,
) -> None:
    async with opened(odd_runs) as (app, pilot):
        await press(app, pilot, "u", "4", "tab")
        rows = app.screen.query_one("#rows", VirtualList)
        assert rows.source.row_count == 3
        assert "1 of 2 runs: B" in screen_text(app)
        await press(app, pilot, "enter", "right_square_bracket")
        assert isinstance(app.screen, QuestionScreen)
        keys = app.opened_desk.workspace.runs[0].join.without_record
        assert app.opened_desk.walk.key == keys[1]
        await press(app, pilot, "left_parenthesis")
        assert isinstance(app.screen, JoinsScreen)
        assert "3 questions without a row" in screen_text(app)


async def test_lists_without_rows_say_why_and_which_key_helps(odd_runs: Request) -> None:
    async with opened(odd_runs) as (app, pilot):
        await press(app, pilot, "u", "3")
        rows = app.screen.query_one("#rows", VirtualList)
        assert "nothing of this kind in A LTMemory: 1 lists all" in rows.empty_text
        assert "There is nothing" in screen_text(app)
        await press(app, pilot, "down")
        assert rows.empty_text.startswith("Every row of B BM25RecencyMemory joins")


async def test_a_line_of_the_overview_opens_the_report_at_its_run(odd_runs: Request) -> None:
    async with opened(odd_runs) as (app, pilot):
        page = app.screen.query_one(Page)
        page.move_to(("joins", "BM25RecencyMemory"))
        await press(app, pilot, "enter")
        assert isinstance(app.screen, JoinsScreen)
        assert app.screen.query_one("#runs", VirtualList).cursor == 1
        assert "B BM25RecencyMemory" in screen_text(app).splitlines()[0]


async def test_rows_can_be_clicked_in_the_join_report(odd_runs: Request) -> None:
    async with opened(odd_runs) as (app, pilot):
        await press(app, pilot, "u")
        runs = app.screen.query_one("#runs", VirtualList)
        await pilot.click(runs, offset=(10, 2))
        await press(app, pilot)
        assert "B BM25RecencyMemory" in screen_text(app).splitlines()[0]


async def test_defects_are_narrowed_by_severity_and_shown_in_their_file() -> None:
    async with opened(OpenRequest(sample_folder() / "broken")) as (app, pilot):
        await press(app, pilot, "d")
        assert isinstance(app.screen, DefectsScreen)
        counts = []
        for key in ("2", "3", "4", "1"):
            await press(app, pilot, key)
            counts.append(app.screen.query_one(VirtualList).source.row_count)
        assert counts == [4, 25, 3, 32]
        await press(app, pilot, "enter")
        assert isinstance(app.screen, RawScreen)
        assert "broken" not in screen_text(app).splitlines()[1]
        await press(app, pilot, "O", "left_parenthesis")
        assert isinstance(app.screen, DefectsScreen)


async def test_a_kind_of_defects_on_the_overview_opens_that_kind_alone() -> None:
    async with opened(OpenRequest(sample_folder() / "broken")) as (app, pilot):
        page = app.screen.query_one(Page)
        kind = next(one for one in page.targets if isinstance(one, tuple) and one[0] == "defects")
        page.move_to(kind)
        await press(app, pilot, "enter")
        assert str(kind[2]).replace("_", " ") in screen_text(app).splitlines()[0]


async def test_the_configurations_of_all_runs_stand_side_by_side() -> None:
    async with opened(size=SMALL) as (app, pilot):
        await press(app, pilot, "p")
        assert isinstance(app.screen, ConfigurationScreen)
        differing = app.screen.query_one(VirtualList).source.row_count
        assert "A LTMemory" in screen_text(app)
        await press(app, pilot, "2")
        assert app.screen.query_one(VirtualList).source.row_count > differing
        await press(app, pilot, "M", "p")
        assert isinstance(app.screen, ConfigurationScreen)


async def test_one_run_alone_differs_from_nothing_and_the_list_says_what_to_press() -> None:
    (runs,) = sample_request().runs
    alone = next(runs.rglob("LTMemory"))
    async with opened(Request(sample_request().release, (alone,))) as (app, pilot):
        await press(app, pilot, "p")
        assert "Only one run is open: 2 lists what it says." in screen_text(app)
    async with opened(Request(sample_request().release)) as (app, pilot):
        await press(app, pilot, "p", "u")
        assert isinstance(app.screen, OverviewScreen)
