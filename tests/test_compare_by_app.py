"""Comparing by a stored figure, and at session grain, in the app."""

from pathlib import Path

import pytest

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.compare import CompareScreen
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.question_rows import QuestionRows
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import SMALL, WIDE, opened, press, screen_text
from tests.locomo_data import conversation, mem0_rows, mempalace_rows, write
from tests.locomo_run_data import amb, smriti


@pytest.fixture
def figures(tmp_path: Path) -> OpenRequest:
    """Two runs with F1 and no verdict: B is higher on the first question, lower on the third."""
    data = smriti("one", "other")
    for row, f1 in zip(data["systems"]["other"]["questions"], (0.4, 0.1, 0.1, 0.3), strict=True):
        row["metrics"]["f1"] = f1
    release = write(tmp_path / "locomo.json", [conversation()])
    return OpenRequest(release, (write(tmp_path / "bench.json", data),))


@pytest.fixture
def grains(tmp_path: Path) -> OpenRequest:
    """A run of rounds and a run of sessions."""
    return OpenRequest(
        write(tmp_path / "locomo.json", [conversation()]),
        (
            write(tmp_path / "cognee" / "a.json", amb()),
            write(tmp_path / "mempalace" / "b.json", mempalace_rows()),
        ),
    )


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_a_figure_takes_the_place_of_verdicts_where_there_are_none(
    figures: OpenRequest, size: tuple[int, int]
) -> None:
    async with opened(figures, size=size) as (app, pilot):
        await press(app, pilot, "C")
        text = screen_text(app)
        assert "by f1, as stored  n 4   exact sign test p 1" in text
        assert "2 differing questions" in text
        assert "no pair is judged; b chooses what is compared" in text
        # The largest difference comes first.
        rows = app.screen.query_one("#differing", VirtualList).source
        assert isinstance(rows, QuestionRows)
        assert list(rows.keys) == ["conv-1/0", "conv-1/2"]
        assert [column.name for column in rows.shown][:2] == ["f1 of A", "f1 of B"]


async def test_lists_follow_whose_figure_is_higher(figures: OpenRequest) -> None:
    async with opened(figures) as (app, pilot):
        await press(app, pilot, "C", "3")
        assert "1 higher in B" in screen_text(app)
        assert "0.4" in screen_text(app)
        await press(app, pilot, "4")
        assert "1 higher in A" in screen_text(app)
        await press(app, pilot, "5")
        assert "2 equal" in screen_text(app)


async def test_what_is_compared_is_chosen_and_copied_with_the_command(
    figures: OpenRequest,
) -> None:
    async with opened(figures) as (app, pilot):
        await press(app, pilot, "C", "b")
        assert isinstance(app.screen, Chooser)
        await press(app, pilot, "down", "enter")
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        assert "by exact match, as stored" in screen_text(app)
        assert "'--by=exact match'" in dict(screen.copies())["command"]
        await press(app, pilot, "b", "up", "up", "enter")
        assert "n 0" in screen_text(app)
        assert "no answer is judged" in screen_text(app)
        assert "--by" not in dict(screen.copies())["command"]


async def test_judged_runs_are_compared_by_verdicts_until_a_figure_is_chosen(
    tmp_path: Path,
) -> None:
    runs = [write(tmp_path / name / "eval.json", mem0_rows()) for name in ("a", "b")]
    request = OpenRequest(write(tmp_path / "locomo.json", [conversation()]), tuple(runs))
    async with opened(request) as (app, pilot):
        await press(app, pilot, "C")
        assert "McNemar exact p" in screen_text(app)
        await press(app, pilot, "b", "down", "enter")
        assert "by bleu, as stored" in screen_text(app)
        assert "no pair is judged" not in screen_text(app)


async def test_runs_without_figures_in_common_say_so(grains: OpenRequest) -> None:
    async with opened(grains) as (app, pilot):
        await press(app, pilot, "C")
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        assert screen.why_not("by") == "A and B store no figure for each record that both have."
        await press(app, pilot, "b")
        assert app.screen is screen


async def test_the_screens_say_that_they_compare_by_session(grains: OpenRequest) -> None:
    async with opened(grains) as (app, pilot):
        await press(app, pilot, "C")
        text = screen_text(app)
        assert "recall of gold sessions among the items sent: A 1.000" in text
        assert "retrieval is compared at session grain: B names sessions only" in text
        await press(app, pilot, "L")
        assert screen_text(app).count("2/2 @") == 2
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionScreen)
        text = " ".join(screen_text(app).split())
        assert text.count("2 of 2 clue sessions") == 2
        assert "grain: B names sessions only" in text
