"""The tally: counts, pivots, what is behind each figure, and the review of sessions."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import polars as pl
import pytest

from mnemoscope.analyses.tag_tally import tagged_rows, tally
from mnemoscope.core.opening import open_workspace
from mnemoscope.core.tags.reading import with_tags
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import Config
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.saved_filters import SavedFilters
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.tui.screens.review import ReviewScreen
from mnemoscope.tui.screens.tag import TagScreen
from mnemoscope.tui.screens.tagged import TaggedScreen
from mnemoscope.tui.screens.tally import TallyScreen
from mnemoscope.viewers.styles import DARK
from mnemoscope.viewers.tally_view import PivotRows, bar, heat
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import SMALL, WIDE, AppPilot, notices, press, screen_text, settled


@asynccontextmanager
async def sample(
    *, size: tuple[int, int] = WIDE, tags: Path | None = None, adjudicator: str = ""
) -> AsyncIterator[tuple[MnemoscopeApp, AppPilot]]:
    """The sample with the tags of its two annotators, or with those of a folder."""
    config = Config(annotator="ann", adjudicator=adjudicator)
    app = MnemoscopeApp(sample_request(), remember=False, config=config, tags_folder=tags)
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        yield app, pilot


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return open_workspace(sample_request())


# Figures


def test_a_cell_and_a_tag_lead_to_exactly_the_rows_that_they_count(workspace: Workspace) -> None:
    from mnemoscope.analyses.tag_frame import tag_frame

    opened = with_tags(workspace)
    assert opened.tags is not None
    frame = tag_frame(opened, opened.tags)
    taxonomy = opened.tags.catalogue.named("cue_mem")
    for down, across in (("stage", "task"), ("tag", "run"), ("annotator", "history")):
        found = tally(frame, taxonomy, down, across)
        table = found.pivot
        for row, counts in zip(table.rows, table.counts, strict=True):
            for column, count in zip(table.columns, counts, strict=True):
                rows = tagged_rows(found, {down: row, across: column})
                assert len(rows) == count
        assert len(tagged_rows(found)) == found.reviewed == 14
    narrowed = tally(frame, taxonomy, only={"run": "BM25RecencyMemory"})
    assert narrowed.reviewed == 3
    assert narrowed.values["run"] == {"BM25RecencyMemory": 3, "LTMemory": 11}
    with pytest.raises(ValueError, match="no axis 'weather'"):
        tally(frame, taxonomy, only={"weather": "rain"})


def test_a_cell_says_its_size_by_number_and_by_height_of_a_sign() -> None:
    assert [heat(count, 8) for count in (0, 1, 4, 8)] == ["", "▁", "▄", "█"]
    assert [bar(share, 4) for share in (0.0, 0.001, 0.5, 0.625, 1.0)] == [
        "",
        "▌",
        "██",
        "██▌",
        "████",
    ]


def test_columns_that_do_not_fit_come_into_view_with_the_cursor() -> None:
    heads = [f"column {number}" for number in range(12)]
    rows = [("row", list(range(12)), 66)]
    for chosen in range(-1, 12):
        source = PivotRows(rows, heads, (list(range(12)), 66), DARK, width=80, chosen=chosen)
        assert chosen == -1 or chosen in source.shown
        assert len(source.cells(0)) == len(source.columns) == 2 + len(source.shown)
    assert source.shown.stop == 12


# The screen


async def test_the_tally_shows_tags_a_pivot_and_groups_and_enter_leads_to_the_rows() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign")
        text = screen_text(app)
        assert "14 reviewed" in text
        assert "retrieval miss                    Retrieval" in text
        assert "6    42.9%  ████████████████████████" in text
        assert "all questions" in text
        assert "34 ✓ 24 ✗ 1 ~" in text
        await press(app, pilot, "down", "down", "enter")
        assert isinstance(app.screen, TaggedScreen)
        assert "6 rows" in screen_text(app)
        assert "retrieval miss  maya, tomas" in screen_text(app)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionScreen)
        assert len(app.opened_desk.walk.keys) == 6
        await press(app, pilot, "escape", "escape")
        assert isinstance(app.screen, TallyScreen)


async def test_a_cell_is_chosen_by_key_and_by_mouse_and_its_rows_are_tagged_in_a_queue() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign", "tab", "down", "down", "right", "right")
        assert "Retrieval × entity recall: 3 targets" in screen_text(app)
        assert "▸ 3" in screen_text(app)
        await press(app, pilot, "enter", "down", "t")
        assert isinstance(app.screen, TagScreen)
        # Two of the three are about answers of the same run, which is A now.
        assert len(app.opened_desk.walk.keys) == 2
        assert "of BM25RecencyMemory" in app.opened_desk.walk.title
        assert "BM25RecencyMemory is A now" in notices(app)
        assert app.opened_desk.a is not None
        assert app.opened_desk.a.name == "BM25RecencyMemory"
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign")
        pivot = app.screen.query_one("#pivot", VirtualList)
        lines = screen_text(app).splitlines()
        y = next(y for y in range(pivot.region.y, 36) if "Encoding" in lines[y])
        offset = (lines[y].index("1 ▂") - pivot.region.x, y - pivot.region.y)
        await pilot.click(pivot, offset=offset)
        await settled(app, pilot)
        assert "Encoding × entity recall: 1 target" in screen_text(app)
        await pilot.click(pivot, offset=offset)
        await settled(app, pilot)
        assert isinstance(app.screen, TaggedScreen)


def line_of(app: MnemoscopeApp, text: str) -> int:
    return next(y for y, line in enumerate(screen_text(app).splitlines()) if text in line)


async def test_an_empty_cell_says_so_and_leads_nowhere() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign", "tab", "right", "enter")
        assert isinstance(app.screen, TallyScreen)
        assert "There is nothing in that cell." in notices(app)


async def test_rows_columns_and_what_is_counted_are_chosen_and_kept_in_the_trail() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign", "r", *"task", "enter")
        assert "task × stage" in screen_text(app), "rows and columns change places"
        await press(app, pilot, "c", *"annotator", "enter", "s", *"LTMem", "enter")
        text = screen_text(app)
        assert "task × annotator" in text
        assert "11 reviewed  only run LTMemory" in text
        await press(app, pilot, "L", "left_parenthesis")
        assert isinstance(app.screen, TallyScreen)
        assert "11 reviewed  only run LTMemory" in screen_text(app)
        await press(app, pilot, "s", "enter")
        assert "14 reviewed" in screen_text(app)


async def test_groups_have_passes_and_failures_beside_tags_and_lead_to_their_questions() -> None:
    SavedFilters().try_save("pets", "/dog|greyhound|芋圆/")
    SavedFilters().try_save("odd", "task:nothing_such")
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign", "tab", "tab", "down")
        row = screen_text(app).splitlines()[line_of(app, "▌ pets")]
        assert "✓" in row
        assert "✗" in row
        assert "does not fit here" in screen_text(app)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionsScreen)
        assert app.opened_desk.selection.filter == "/dog|greyhound|芋圆/"


async def test_a_review_says_what_it_came_to_and_lists_what_is_behind_each_decision() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign", "T", *"cue_review", "enter", "tab", "tab")
        text = screen_text(app)
        for said in ("accepted  ", "to repair", "rejected", "to adjudicate", "waiting"):
            assert said in text
        assert "evidence validity 0.57 (n 5)" in text
        await press(app, pilot, "down", "down", "down", "enter")
        assert isinstance(app.screen, TaggedScreen)
        assert "1 row" in screen_text(app)
        assert "Evidence validity: repair  tomas" in screen_text(app)
        await press(app, pilot, "escape", "T", *"session", "enter", "tab", "tab", "enter", "enter")
        assert app.screen.query("#dialogue"), "a session opens as its dialogue"


async def test_an_adjudicator_decides_what_is_counted() -> None:
    async with sample(adjudicator="tomas") as (app, pilot):
        await press(app, pilot, "number_sign", "end")
        assert "tomas decides" in screen_text(app)
        assert "none of these" in screen_text(app)


async def test_an_untagged_release_says_how_to_begin(tmp_path: Path) -> None:
    async with sample(tags=tmp_path / "none") as (app, pilot):
        await press(app, pilot, "number_sign")
        assert "Nobody has tagged anything here under this taxonomy. L lists" in screen_text(app)
        await press(app, pilot, "enter", "tab", "enter", "right", "E")
        assert isinstance(app.screen, TallyScreen)
        assert "There is no tag to write." in notices(app)


async def test_what_is_tagged_in_between_is_counted_on_the_way_back() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign", "L", "2", "home", "down", "down", "down", "t", "3")
        await press(app, pilot, "number_sign")
        assert "14 reviewed" in screen_text(app) or "15 reviewed" in screen_text(app)
        assert "3 annotators" in screen_text(app)


async def test_blind_mode_counts_ones_own_tags_only() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "L", "2", "home", "t", "3", "b", "number_sign")
        assert "1 reviewed  only annotator ann" in screen_text(app)


async def write_to(app: MnemoscopeApp, pilot: AppPilot, path: Path) -> None:
    """Name a file in the dialog that asks for one."""
    await press(app, pilot, "ctrl+u")
    for letter in str(path):
        await pilot.press("slash" if letter == "/" else letter)
    await press(app, pilot, "enter")


async def test_what_is_counted_or_listed_is_written_alone(tmp_path: Path) -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign", "E", "enter")
        await write_to(app, pilot, tmp_path / "counted.csv")
        await press(app, pilot, "tab", "down", "down", "right", "right", "enter")
        assert isinstance(app.screen, TaggedScreen)
        await press(app, pilot, "E")
        await write_to(app, pilot, tmp_path / "cell.csv")
    counted = pl.read_csv(tmp_path / "counted.csv")
    assert set(counted["taxonomy"]) == {"cue_mem"}
    cell = pl.read_csv(tmp_path / "cell.csv")
    assert cell.select("key", "run").n_unique() == 3
    assert set(cell["task"]) == {"entity_recall"}


async def test_all_tags_are_written_to_a_file_from_the_tally(tmp_path: Path) -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "number_sign")
        for name, said in (
            ("tags.csv", "written to"),
            ("tags.csv", "is there already"),
            ("tags.md", "written to"),
            ("tags.jsonl", "written to"),
            ("tags.txt", "end the name in .jsonl, .csv or .md"),
        ):
            await press(app, pilot, "E", "down", "enter")
            await write_to(app, pilot, tmp_path / name)
            assert said in notices(app)
    assert (tmp_path / "tags.csv").read_text(encoding="utf-8").startswith("annotator,target,key")
    assert "### Agreement" in (tmp_path / "tags.md").read_text(encoding="utf-8")
    assert (tmp_path / "tags.jsonl").read_text(encoding="utf-8").count("\n") > 60


@pytest.mark.parametrize("size", [SMALL, WIDE, (60, 20), (250, 60)])
async def test_every_pane_of_the_tally_can_be_read_at_every_size(size: tuple[int, int]) -> None:
    async with sample(size=size) as (app, pilot):
        await press(app, pilot, "number_sign")
        assert "retrieval miss" in screen_text(app)
        await press(app, pilot, "tab")
        assert "Retrieval  " in screen_text(app)
        await press(app, pilot, "tab")
        assert "all questions" in screen_text(app)
        assert all(len(line) <= size[0] for line in screen_text(app).splitlines())


# Reviewing sessions


async def test_sessions_are_reviewed_one_after_the_other_with_the_dialogue_above() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "H", "right_curly_bracket", "t")
        assert isinstance(app.screen, ReviewScreen)
        assert "Would people talk like this?" in screen_text(app)
        await press(app, pilot, "1", "5", "c", *"odd", "enter", "f")
        text = screen_text(app)
        assert "⚑ flagged" in text
        assert "note odd" in text
        await press(app, pilot, "w", "right_square_bracket", "2", "6")
        work = app.tagging
        assert work is not None
        said = {
            (target.session, *marks.slugs("session_review")) for target, marks in work.journal.book
        }
        assert said == {
            ("D01", "naturalness_accept", "coherence_repair"),
            ("D02", "naturalness_repair", "coherence_reject"),
        }
        assert "p0 D03" in screen_text(app), "it goes on once every dimension has its choice"
        await press(app, pilot, "u")
        assert "p0 D02" in screen_text(app), "undo shows what it undid"


async def test_queues_of_sessions_are_what_is_left_flagged_of_others_and_in_dispute() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "H", "t", "1", "f", "x")
        assert "Dialogue naturalness: accept" in screen_text(app)
        for typed, count in (
            ("not", 21),
            ("flagged", 1),
            ("maya", 3),
            ("adjudicate", 1),
            ("sessionsof", 11),
        ):
            await press(app, pilot, "Q", *typed[:8], "enter")
            if typed == "sessionsof":
                await press(app, pilot, "Q", *"of", "space", *"p0", "enter")
            assert app.tagging is not None
            assert len(app.tagging.sessions) == count, typed


async def test_sessions_and_questions_each_keep_their_own_taxonomy() -> None:
    async with sample() as (app, pilot):
        await press(app, pilot, "H", "t", "T")
        assert "session_review" in screen_text(app)
        assert "cue_mem" not in screen_text(app)
        await press(app, pilot, "escape", "L", "2", "home", "t", "T")
        assert "cue_mem" in screen_text(app)
        assert "session_review" not in screen_text(app)
        await press(app, pilot, "escape", "H", "t")
        assert "Session review" in screen_text(app)
