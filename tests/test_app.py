"""The app at the keyboard and with the mouse, on the bundled sample."""

from pathlib import Path

import pytest

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.recent import RecentOpening, RecentStore
from mnemoscope.tui.sample import sample_folder, sample_request
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.compare import CompareScreen
from mnemoscope.tui.screens.defects import DefectsScreen
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.opening import OpeningScreen
from mnemoscope.tui.screens.overview import OverviewScreen
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.tui.screens.start import StartScreen
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import SMALL, WIDE, opened, press, screen_text, settled


async def test_without_a_release_the_start_screen_says_what_to_do() -> None:
    app = MnemoscopeApp(remember=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        assert "Nothing was opened yet" in screen_text(app)
        await press(app, pilot, "d")
        assert isinstance(app.screen, OverviewScreen)


async def test_a_typed_path_opens_and_is_listed_next_time(tmp_path: Path) -> None:
    store = RecentStore(tmp_path)
    app = MnemoscopeApp(recent=store)
    async with app.run_test(size=WIDE) as pilot:
        await press(app, pilot, "o")
        for char in str(sample_folder() / "cue"):
            await pilot.press(char)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, OverviewScreen)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, StartScreen)
        assert "2 histories" in screen_text(app)
        await press(app, pilot, "delete")
        assert store.load() == []


def test_a_damaged_list_of_recent_openings_is_an_empty_one(tmp_path: Path) -> None:
    store = RecentStore(tmp_path)
    store.file.write_text('[{"release": 3}, "x", {"release": "/r", "runs": ["/a"]}]')
    assert store.load() == [RecentOpening("/r", ("/a",))]
    store.file.write_text("{cut")
    assert store.load() == []


def test_a_recent_opening_is_opened_as_it_was(tmp_path: Path) -> None:
    request = OpenRequest(
        tmp_path / "q.csv",
        (tmp_path / "a.csv",),
        format="mapping",
        overlays=(tmp_path / "o.toml",),
        release_map=tmp_path / "q.toml",
        run_map=tmp_path / "a.toml",
    )
    store = RecentStore(tmp_path)
    store.add(RecentOpening.of(request, "two", {"filter": "x"}))
    (kept,) = store.load()
    assert kept.request() == request
    assert (kept.summary, kept.position) == ("two", {"filter": "x"})


async def test_the_overview_shows_counts_runs_joins_and_histories() -> None:
    async with opened() as (app, _):
        text = screen_text(app)
        for said in ("2 histories", "59 questions", "A LTMemory", "57.6", "62.7", "118 rows"):
            assert said in text


async def test_a_path_that_cannot_be_opened_leaves_a_message_and_a_way_back() -> None:
    async with opened(OpenRequest(Path("no/such/place"))) as (app, pilot):
        assert isinstance(app.screen, OpeningScreen)
        assert "no such file or folder" in screen_text(app)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, StartScreen)


async def test_a_run_on_the_overview_leads_to_what_it_got_wrong() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionsScreen)
        assert "25 of 59" in screen_text(app)


async def test_rounds_and_sessions_are_stepped_through_across_their_ends() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H")
        desk = app.opened_desk
        assert isinstance(app.screen, HistoryScreen)
        assert desk.round_id == "D00:00"
        rounds = desk.workspace.release.histories["p0"].rounds
        first_session = [one for one in rounds if one.session_id == "D00"]
        await press(app, pilot, *["full_stop"] * len(first_session))
        assert desk.round_id == "D01:00"
        await press(app, pilot, "comma")
        assert desk.round_id == first_session[-1].id
        await press(app, pilot, "right_curly_bracket", "right_curly_bracket")
        assert desk.round_id == "D02:00"
        await press(app, pilot, "left_curly_bracket")
        assert desk.round_id == "D01:00"


async def test_a_late_word_of_where_the_cursor_stood_does_not_move_it_back() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "right_curly_bracket")
        dialogue = app.screen.query_one("#dialogue", Page)
        dialogue.post_message(Page.Highlighted(dialogue, "D00:00"))
        await settled(app, pilot)
        assert app.opened_desk.round_id == "D01:00"


async def test_the_inspector_follows_the_round_and_leads_to_its_questions() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H")
        desk = app.opened_desk
        history_id, round_id = next(iter(desk.citations))
        app.show_round(history_id, round_id)
        await settled(app, pilot)
        inspector = app.screen.query_one("#inspector", Page)
        keys = desk.citations[history_id, round_id]
        assert inspector.targets == [("question", key) for key in keys]
        inspector.focus()
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionScreen)
        assert desk.selection.key == keys[0]


async def test_evaluator_only_data_stays_hidden_until_asked_for() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H")
        release = app.opened_desk.workspace.release
        scene = str(release.evaluator.sessions["p0", "D00"]["scene_description"])[:12]
        page = app.screen.query_one("#dialogue", Page)
        assert scene not in "".join(screen_text(app).split())
        await press(app, pilot, "a")
        page.action_cursor_top()
        await settled(app, pilot)
        assert "evaluator-only" in screen_text(app)


async def test_captions_turn_through_the_variants() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H")
        seen = set()
        for _ in range(9):
            seen.add(app.opened_desk.variant_label)
            await press(app, pilot, "v")
        assert len(seen) == 9
        assert "image medium · audio hint" in seen


async def test_search_in_a_history_marks_and_steps_through_matches() -> None:
    async with opened() as (app, pilot):
        app.opened_desk.history_id = "p1"
        await press(app, pilot, "H", "slash", "t", "h", "e", "enter")
        assert "rounds “the”" in screen_text(app)
        first = app.opened_desk.round_id
        await press(app, pilot, "n")
        assert app.opened_desk.round_id != first
        await press(app, pilot, "N")
        assert app.opened_desk.round_id == first


async def test_a_history_is_chosen_from_a_list_narrowed_by_typing() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "h")
        assert isinstance(app.screen, Chooser)
        await press(app, pilot, "p", "1", "enter")
        assert app.opened_desk.history_id == "p1"
        assert "p1 Nora" in screen_text(app)


async def test_presets_narrow_the_list_and_the_header_says_so() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L")
        for key, count in (("2", 24), ("3", 11), ("4", 8), ("5", 14), ("1", 59)):
            await press(app, pilot, key)
            assert f"{count} of 59" in screen_text(app)


async def test_a_filter_that_cannot_be_read_is_explained_and_changes_nothing() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "slash")
        for char in "taks:x":
            await pilot.press(char)
        await press(app, pilot, "enter")
        assert len(app.opened_desk.selection.keys) == 59
        assert "no field 'taks'" in screen_text(app)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, QuestionsScreen)
        assert "no field" not in screen_text(app)


async def test_a_filter_without_matches_explains_the_empty_list() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "slash")
        for char in "zzzz":
            await pilot.press(char)
        await press(app, pilot, "enter")
        assert "No question passes the filter" in screen_text(app)


async def test_a_clue_that_is_a_picture_says_so_where_no_caption_stands_for_it() -> None:
    async with opened(sample_request("dsv")) as (app, pilot):
        await press(app, pilot, "L", "enter")
        assert "▣ image  no caption in this variant" in screen_text(app)
        await press(app, pilot, "v")
        assert "no caption in this variant" not in screen_text(app)


async def test_a_question_with_a_false_premise_is_not_said_to_be_beyond_the_history() -> None:
    async with opened(sample_request("dsv")) as (app, pilot):
        await press(app, pilot, "L", "end", "enter")
        text = " ".join(screen_text(app).replace("│", " ").split())
        assert "what the question takes for granted" in text
        assert "the history does not say" not in text


async def test_a_question_shows_gold_clues_and_both_runs_and_leads_to_rounds() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        text = screen_text(app)
        assert "A LTMemory" in text
        assert "B BM25RecencyMemory" in text
        assert "◆" in text
        question = app.opened_desk.selection.key
        await press(app, pilot, "right_square_bracket")
        assert app.opened_desk.selection.key != question
        await press(app, pilot, "left_square_bracket")
        assert app.opened_desk.selection.key == question
        page = app.screen.query_one("#question", Page)
        page.move_to(page.targets[0])
        page.focus()
        await press(app, pilot, "enter")
        assert isinstance(app.screen, HistoryScreen)
        assert ("round", app.opened_desk.round_id) == page.targets[0]
        await press(app, pilot, "escape")
        assert isinstance(app.screen, QuestionScreen)


async def test_the_diff_and_the_context_open_beside_the_question_and_close() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter", "x")
        other = app.screen.query_one("#other", Page)
        assert other.display
        assert "reasoning" in screen_text(app)
        await press(app, pilot, "e")
        assert "context as sent" in screen_text(app)
        await press(app, pilot, "x", "x")
        assert not app.screen.has_class("-other")


async def test_choosing_a_run_trades_letters_everywhere() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "A", "down", "enter")
        assert [run.label for run in app.opened_desk.pair] == ["A BM25RecencyMemory", "B LTMemory"]
        await press(app, pilot, "2")
        assert "20 of 59" in screen_text(app)


async def test_comparing_counts_lists_and_explains_the_differences() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "C")
        assert isinstance(app.screen, CompareScreen)
        text = screen_text(app)
        for said in ("n 59", "McNemar exact p", "19 differing questions"):
            assert said in text
        for key, count in (("4", 8), ("3", 11), ("5", 14), ("1", 19)):
            await press(app, pilot, key)
            assert app.screen.query_one(VirtualList).source.row_count == count
        await press(app, pilot, "p")
        assert "Configuration" in screen_text(app)
        await press(app, pilot, "p", "s", "4")
        assert "11 only A right" in screen_text(app)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionScreen)


async def test_defects_and_unjoined_rows_have_lists_that_explain_their_emptiness() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "d")
        assert isinstance(app.screen, DefectsScreen)
        assert "No defects" in screen_text(app)
        await press(app, pilot, "escape", "u")
        assert "Every row of A LTMemory joins" in screen_text(app)


async def test_a_broken_release_opens_and_lists_its_defects() -> None:
    request = OpenRequest(sample_folder() / "broken")
    async with opened(request, size=SMALL) as (app, pilot):
        await press(app, pilot, "d")
        rows = app.screen.query_one(VirtualList).source.row_count
        assert rows == len(app.opened_desk.workspace.defects) > 10
        await press(app, pilot, "escape", "H")
        for _ in range(8):
            await press(app, pilot, "right_curly_bracket")
        assert "\x1b" not in screen_text(app)


async def test_the_key_list_narrows_and_runs_what_is_chosen() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "question_mark")
        assert "Keys · Overview" in screen_text(app)
        for char in "compare the":
            await pilot.press("space" if char == " " else char)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, CompareScreen)


async def test_the_palette_lists_only_what_works_now() -> None:
    app = MnemoscopeApp(remember=False)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert "Start: demo" in titles
        assert "app: compare" not in titles
    async with opened() as (app, _):
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert "app: compare" in titles


async def test_escape_goes_back_screen_by_screen_and_q_quits_at_the_first() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "enter", "escape")
        assert isinstance(app.screen, QuestionsScreen)
        await press(app, pilot, "escape", "escape")
        assert isinstance(app.screen, StartScreen)
        await pilot.press("q")
        await pilot.pause()
        assert not app.is_running


async def test_keys_are_off_while_a_filter_is_typed() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "slash", "q", "H", "question_mark")
        assert isinstance(app.screen, QuestionsScreen)


async def test_footer_keys_can_be_clicked() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L")
        line = screen_text(app).splitlines()[-1]
        assert await pilot.click(offset=(line.index("sort"), WIDE[1] - 1))
        await settled(app, pilot)
        assert "Sort by" in screen_text(app)


async def test_a_row_opens_with_a_second_click() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L")
        rows = app.screen.query_one(VirtualList)
        await pilot.click(rows, offset=(20, 3))
        assert rows.cursor == 2
        await pilot.pause(0.6)
        await pilot.click(rows, offset=(20, 3))
        await settled(app, pilot)
        assert isinstance(app.screen, QuestionScreen)


@pytest.mark.parametrize("width", [60, 79, 80, 119, 120, 200])
async def test_every_screen_draws_at_every_width(width: int) -> None:
    async with opened(size=(width, 24)) as (app, pilot):
        for keys in (("H", "tab", "tab"), ("L",), ("enter", "tab", "tab"), ("C", "tab")):
            await press(app, pilot, *keys)
            lines = screen_text(app).splitlines()
            assert len(lines) == 24
            assert any(line.strip() for line in lines[1:-1])


async def test_resizing_back_and_forth_keeps_the_place() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "right_curly_bracket", "full_stop")
        place = app.opened_desk.round_id
        for width in (70, 100, 200, 61, 120):
            await pilot.resize_terminal(width, 24)
            await settled(app, pilot)
        assert app.opened_desk.round_id == place
        assert app.screen.query_one("#dialogue", Page).target == place


async def test_a_release_without_runs_has_no_way_into_what_needs_runs() -> None:
    async with opened(OpenRequest(sample_request().release)) as (app, pilot):
        assert "No runs are open" in screen_text(app)
        await press(app, pilot, "C")
        assert isinstance(app.screen, OverviewScreen)
        await press(app, pilot, "L", "2", "enter")
        assert isinstance(app.screen, QuestionScreen)
        assert app.screen.query_one("#question", Page).targets


async def test_escape_leaves_an_input_line_and_not_the_screen() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "slash", "x", "escape")
        assert isinstance(app.screen, HistoryScreen)
        await press(app, pilot, "L", "slash", "x", "escape")
        assert isinstance(app.screen, QuestionsScreen)
        assert len(app.opened_desk.selection.keys) == 59


async def test_the_errors_preset_lists_what_has_no_readable_answer() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "6")
        assert "1 of 59" in screen_text(app)


async def test_quitting_works_from_a_dialog() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "question_mark")
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert not app.is_running


async def test_a_filter_survives_a_walk_through_another_list() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "2", "C", "enter")
        assert "1 of 19 differing questions" in screen_text(app)
        await press(app, pilot, "L")
        assert "24 of 59" in screen_text(app)


async def test_a_run_looked_at_from_the_overview_becomes_a() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "down", "enter")
        assert app.opened_desk.pair[0].name == "BM25RecencyMemory"
        assert "22 of 59" in screen_text(app)


async def test_a_question_drawn_anew_keeps_its_place() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter", "tab", "j", "j")
        page = app.screen.query_one("#run-a", Page)
        target = page.target
        await press(app, pilot, "v")
        assert page.target == target


async def test_too_small_a_terminal_gets_one_sentence_with_a_way_out() -> None:
    async with opened(size=(50, 12)) as (app, pilot):
        text = screen_text(app)
        assert "60 × 15" in text
        assert "mnemoscope score" in text
        await pilot.resize_terminal(80, 24)
        await settled(app, pilot)
        assert "Runs 2" in screen_text(app)


async def test_the_matrix_counts_and_lists_what_all_and_none_get_right() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "M")
        assert "all ✓ 26" in screen_text(app)
        for key, count in (("4", 26), ("5", 14), ("2", 19), ("1", 59)):
            await press(app, pilot, key)
            assert f"{count} of 59" in screen_text(app)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionScreen)
