"""The ledger screen: scrubbing, cells, two rounds, contexts, systems, and who may see it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.core.model import EvaluatorData
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.state.component import Part
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.ledger import Effect
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import Upload, initial_layer, initial_state
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.state.values import Scalar
from mnemoscope.core.truth.truth import Truth
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.desk import Desk
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.ledger import LedgerScreen
from mnemoscope.tui.screens.overview import OverviewScreen
from mnemoscope.tui.screens.raw import RawScreen
from mnemoscope.tui.screens.tag import TagScreen
from mnemoscope.tui.screens.zoom import ZoomScreen
from mnemoscope.viewers.ledger_rows import LedgerRows
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.timeline_strip import TimelineStrip, index_of, place_of
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import (
    SMALL,
    WIDE,
    AppPilot,
    act,
    notices,
    opened,
    press,
    screen_text,
    settled,
)
from tests.bench.bench_ledger_keys import large_release
from tests.ledger_run_data import boards, boards_request
from tests.truth_data import HISTORY, release
from tests.workspace_data import plain_history

NEXT, BEFORE = "ledger.next_change", "ledger.previous_change"


async def at(app: MnemoscopeApp, pilot: AppPilot, round_id: str) -> LedgerScreen:
    """The ledger of the leaderboard at a round."""
    app.opened_desk.history_id, app.opened_desk.round_id = HISTORY, round_id
    await act(app, pilot, "app.ledger")
    screen = app.screen
    assert isinstance(screen, LedgerScreen)
    return screen


def line_of(app: MnemoscopeApp, word: str) -> str:
    return next(one for one in screen_text(app).splitlines() if word in one)


def text_of(app: MnemoscopeApp, pane: str) -> str:
    page = app.screen.query_one(f"#{pane}", Page)
    return "\n".join(str(getattr(one, "text", "")) for one in page._plain)


async def find(app: MnemoscopeApp, pilot: AppPilot, words: str) -> None:
    """Put the cursor on a cell by its name."""
    await act(app, pilot, "ledger.find")
    for char in words:
        await pilot.press("space" if char == " " else "full_stop" if char == "." else char)
    await press(app, pilot, "enter")


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_one_sees_what_is_accepted_shown_and_on_whose_word(size: tuple[int, int]) -> None:
    async with opened(boards_request(), size=size) as (app, pilot):
        await at(app, pilot, "r7")
        await find(app, pilot, "coact acc")
        row = line_of(app, "CoAct  ")
        assert "85.7●≠" in row
        detail = " ".join(text_of(app, "detail").split())
        assert detail == ("CoAct Acc. accepted 85.7 % ● text since r5 visual 84.9 % shown 84.9 %")
        assert "evaluator-only" in screen_text(app).splitlines()[0]


async def test_the_values_can_be_turned_to_visual_shown_and_authority_in_words() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r71")
        assert "Δ80.5 ↶" in line_of(app, "Quill  ")
        await act(app, pilot, "ledger.sheet", "ledger.sheet")
        assert "99.0 ↶" in line_of(app, "Quill  ")
        await act(app, pilot, "ledger.sheet")
        assert "▲ both r57" in line_of(app, "CoAct  ")
        assert "● text r67" in line_of(app, "Munch XL")


async def test_one_scrubs_by_round_by_change_by_entity_and_by_session() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r4")
        desk = app.opened_desk
        steps = [
            ("ledger.next_round", "r5"),
            ("ledger.next_change", "r7"),
            ("ledger.next_change", "r9"),
            ("ledger.previous_change", "r7"),
            ("ledger.previous_round", "r6"),
            ("ledger.previous_session", "r6"),
            ("ledger.next_session", "r6"),
        ]
        for action, round_id in steps:
            await act(app, pilot, action)
            assert desk.round_id == round_id, action
        await find(app, pilot, "pundel cost")
        for round_id in ("r17", "r29", "r47"):
            await act(app, pilot, "ledger.next_of_entity")
            assert desk.round_id == round_id
        await act(app, pilot, "ledger.previous_of_entity")
        assert desk.round_id == "r29"


async def test_the_cursor_stays_on_its_entity_when_the_order_changes() -> None:
    async with opened(boards_request()) as (app, pilot):
        screen = await at(app, pilot, "r17")
        await find(app, pilot, "munch cost")
        before = screen.where
        row = screen.table("table").cursor
        await act(app, pilot, NEXT)
        assert app.opened_desk.round_id == "r19"
        assert screen.where == before
        assert screen.table("table").cursor != row


async def test_the_ends_of_scrubbing_are_said() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r71")
        await act(app, pilot, NEXT, "ledger.next_round", "ledger.next_of_entity")
        said = notices(app)
        assert "Nothing changes after this round." in said
        assert "This is the last round." in said
        assert "No round after this one says anything of Quill." in said


async def test_what_a_round_changed_directly_and_what_follows_stand_apart() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r71")
        text = text_of(app, "round")
        direct, _, follows = text.partition("what follows")
        assert "24 visual update disregarded  withdraws a visual cell edit of r69" in direct
        assert "Quill Acc.  99.0 → 80.5 %" in direct
        assert "Quill rank  1 → 2" in follows
        assert "↶ withdrawn  visual cell edit of r69" in text
        assert "↷ reinstated  visual entity add of r59" in text
        assert "last upload img34 of r69  ↶ withdrawn" in text


async def test_a_round_without_a_transition_says_so() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r4")
        assert "This round changes nothing." in text_of(app, "round")


async def test_a_cell_has_its_history_and_leads_to_the_round_that_said_so() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r9")
        await find(app, pilot, "coact acc")
        text = text_of(app, "cell")
        assert "3 later changes beyond this round" in text or "later change" in text
        assert "85.7 % accepted  84.9 % shown" in text
        page = app.screen.query_one("#cell", Page)
        rounds = [one[1] for one in page.targets if isinstance(one, tuple)]
        assert rounds == ["r7", "r5", "r3", "r1"]
        page.focus()
        page.move_to(("round", "r5"))
        await press(app, pilot, "enter")
        assert isinstance(app.screen, HistoryScreen)
        assert app.opened_desk.round_id == "r5"
        await press(app, pilot, "escape")
        assert isinstance(app.screen, LedgerScreen)


async def test_the_history_of_a_cell_names_what_was_withdrawn() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r71")
        await find(app, pilot, "quill acc")
        text = text_of(app, "cell")
        assert "withdraws what r69 said" in text
        assert "99.0 % shown and accepted  24 visual update disregarded, img34  ↶ withdrawn" in text


async def test_the_last_upload_is_drawn_and_shown_large() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r9")
        assert "▀▀▀" in screen_text(app)
        await act(app, pilot, "ledger.zoom")
        assert isinstance(app.screen, ZoomScreen)
        assert "img4" in screen_text(app)


async def test_an_artifact_of_another_context_stands_in_its_own_scope() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r23")
        assert "72.0" in line_of(app, "Munch  ")
        assert "9 wrong context artifact  brings img11 of 2025-Q4" in text_of(app, "round")
        assert [one.id for _, one in app.screen.attachments()] == [  # type: ignore[attr-defined]
            "img11",
            "img10",
        ]
        await act(app, pilot, "ledger.context")
        assert "63.0" in line_of(app, "Munch  ")
        assert "context 2025-Q4, by itself" in screen_text(app).splitlines()[0]
        assert "shown in this context only" in text_of(app, "detail")
        assert app.screen.pane_title("table").startswith("shown")  # type: ignore[attr-defined]
        assert "last upload img11 of r23" in text_of(app, "round")
        await press(app, pilot, "escape")
        assert "72.0" in line_of(app, "Munch  ")
        await act(app, pilot, BEFORE, "ledger.context")
        assert "no artifact of another context" in notices(app)


async def test_a_context_named_in_the_round_can_be_opened() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r23")
        page = app.screen.query_one("#round", Page)
        page.focus()
        page.move_to(("context", "2025-Q4"))
        await press(app, pilot, "enter")
        assert "63.0" in line_of(app, "Munch  ")


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_two_rounds_stand_side_by_side(size: tuple[int, int]) -> None:
    async with opened(boards_request(), size=size) as (app, pilot):
        screen = await at(app, pilot, "r3")
        await find(app, pilot, "coact acc")
        await act(app, pilot, "ledger.side_by_side", NEXT)
        row = line_of(app, "CoAct  ")
        assert "74.3" in row and "85.7" in row and row.count("≠") >= 2
        assert row.index("74.3") < row.index("85.7")
        assert "beside r3" in screen_text(app)
        text = text_of(app, "round")
        assert "differ  r3 → r5" in text
        assert "CoAct Acc.  74.3 % → 85.7 %" in text
        await press(app, pilot, "down")
        assert screen.table("then").cursor == screen.table("table").cursor == 1
        await act(app, pilot, *[NEXT] * 4)
        lines = screen_text(app).splitlines()
        # What one of the two rounds has not keeps its row in both.
        assert next(one for one in lines if "Quill" in one).count("Quill") >= 2
        await press(app, pilot, "escape")
        assert isinstance(app.screen, LedgerScreen)
        assert "beside r3" not in screen_text(app)


async def test_totals_and_rules_stand_apart_with_a_history_of_their_own() -> None:
    async with opened(boards_request()) as (app, pilot):
        screen = await at(app, pilot, "r71")
        screen.go_to_pane("totals")
        await settled(app, pilot)
        assert "mean acc.  accepted 76.37 %  follows from others" in text_of(app, "detail")
        assert "follows from" in text_of(app, "cell")
        await press(app, pilot, "end")
        assert "order of tracks" in text_of(app, "detail")
        await act(app, pilot, "ledger.previous_of_entity")
        assert app.opened_desk.round_id == "r37"


async def test_a_system_stands_beside_the_truth_with_its_first_divergence() -> None:
    async with opened(boards_request()) as (app, pilot):
        screen = await at(app, pilot, "r71")
        text = text_of(app, "systems")
        assert "A hasty" in text and "5 differ" in text and "B careful" in text
        assert "first divergence r5 CoAct Acc. ✗ 74.3 %, truth 85.7 %" in text
        assert "the superseded value of r3" in text
        assert "✓ never parts from the truth" in text
        await act(app, pilot, "ledger.divergence")
        assert app.opened_desk.round_id == "r5"
        assert screen.where is not None and str(screen.where) == "a1.acc"
        assert "A hasty  ✗ 74.3 %, truth 85.7 %" in text_of(app, "cell")
        assert "✓ as the truth: B careful" in text_of(app, "cell")
        await act(app, pilot, "ledger.divergence")
        assert app.opened_desk.round_id == "r31"


async def test_the_table_shows_what_a_system_holds() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r71")
        await act(app, pilot, *["ledger.sheet"] * 4)
        assert "as A hasty holds it" in screen_text(app).splitlines()[0]
        assert "99.0 ✗" in line_of(app, "Quill  ")
        await act(app, pilot, "ledger.sheet")
        assert "80.5 ✓" in line_of(app, "Quill  ")
        await act(app, pilot, "ledger.choose_a")
        await press(app, pilot, "down", "enter")
        assert "as B hasty holds it" in screen_text(app)


async def test_without_runs_that_keep_cells_there_is_no_pane_of_systems() -> None:
    async with opened(OpenRequest(boards_request().release)) as (app, pilot):
        screen = await at(app, pilot, "r5")
        assert not screen.pane_is_there("systems")
        await act(app, pilot, "ledger.divergence")
        assert "No run that is open keeps cells" in notices(app)


async def test_a_click_on_the_timeline_goes_to_the_round_that_changes_something() -> None:
    async with opened(boards_request()) as (app, pilot):
        await at(app, pilot, "r71")
        strip = app.screen.query_one(TimelineStrip)
        cells = strip.size.width - 4
        await pilot.click(strip, offset=(2 + place_of(8, 71, cells), 0))
        await settled(app, pilot)
        assert app.opened_desk.round_id == "r9"


@pytest.mark.parametrize(("count", "cells"), [(1, 10), (7, 100), (10_000, 76), (5, 1)])
def test_every_cell_of_the_timeline_stands_for_a_round(count: int, cells: int) -> None:
    for place in range(cells):
        assert 0 <= index_of(place, count, cells) < count
    for index in range(min(count, 500)):
        assert 0 <= place_of(index, count, cells) < cells
    assert place_of(count - 1, count, cells) == (cells - 1 if count > 1 else 0)


# Ways here


async def test_the_ledger_is_opened_from_the_dialogue_at_the_round_under_the_cursor() -> None:
    async with opened(boards_request()) as (app, pilot):
        await act(app, pilot, "app.history")
        await act(app, pilot, *["history.next_round"] * 4)
        await act(app, pilot, "app.ledger")
        assert isinstance(app.screen, LedgerScreen)
        assert app.opened_desk.round_id == "r5"
        await act(app, pilot, NEXT, "app.history")
        assert app.opened_desk.round_id == "r7"


async def test_the_ledger_of_a_question_is_at_what_the_question_may_use() -> None:
    async with opened(boards_request()) as (app, pilot):
        await act(app, pilot, "app.questions", "list.open", "app.ledger")
        assert isinstance(app.screen, LedgerScreen)
        assert app.opened_desk.round_id == "r9"


async def test_the_overview_and_the_palette_lead_to_the_ledger_where_there_is_one() -> None:
    async with opened(boards_request()) as (app, pilot):
        titles = [one.title for one in app.get_system_commands(app.screen)]
        assert "app: ledger" in titles
        page = app.screen.query_one(Page)
        assert page.move_to(("ledger", HISTORY))
        await press(app, pilot, "enter")
        assert isinstance(app.screen, LedgerScreen)
        assert app.opened_desk.round_id == "r71"
    async with opened() as (app, pilot):
        titles = [one.title for one in app.get_system_commands(app.screen)]
        assert "app: ledger" not in titles
        await act(app, pilot, "app.ledger")
        assert isinstance(app.screen, OverviewScreen)
        assert "The release has no truth files" in notices(app)


async def test_the_trail_brings_the_ledger_back_as_it_was_left() -> None:
    async with opened(boards_request()) as (app, pilot):
        screen = await at(app, pilot, "r7")
        await find(app, pilot, "munch cost")
        await act(app, pilot, "ledger.side_by_side", NEXT, "ledger.sheet")
        where = screen.where
        await act(app, pilot, "app.overview", "app.earlier")
        back = app.screen
        assert isinstance(back, LedgerScreen)
        assert app.opened_desk.round_id == "r9"
        assert (back.sheet, back.beside, back.where) == ("visual", "r7", where)
        await act(app, pilot, "app.places")
        assert "Ledger" in screen_text(app) and "leaderboard r9" in screen_text(app)


async def test_copies_and_the_raw_view_are_about_the_round_and_the_cell() -> None:
    async with opened(boards_request()) as (app, pilot):
        screen = await at(app, pilot, "r7")
        await find(app, pilot, "coact acc")
        await act(app, pilot, "ledger.side_by_side", NEXT)
        copies = dict(screen.copies())
        assert copies["command"].endswith("--at=r9")
        assert "--cell=a1.acc" in copies["command, this cell"]
        assert "--beside=r7" in copies["command, both rounds"]
        assert copies["cell"].startswith("CoAct Acc.  accepted 85.7 %")
        await act(app, pilot, "app.raw")
        assert isinstance(app.screen, RawScreen)
        assert '"visual_block_edit"' in screen_text(app)


# What there is not


def written(folder: Path, *, truths: bool, plain: bool) -> OpenRequest:
    """The leaderboard, with a history that has no truth, or without any truth."""
    whole = release()
    if plain:
        histories = {**whole.histories, "p0": plain_history("p0", sessions=1, rounds=2)}
        whole = replace(whole, histories=histories)
    if not truths:
        whole = replace(whole, evaluator=type(whole.evaluator)())
    write_release(whole, folder / "boards")
    return OpenRequest(folder / "boards")


async def test_a_history_without_truth_says_so_and_which_has_one(tmp_path: Path) -> None:
    async with opened(written(tmp_path, truths=True, plain=True)) as (app, pilot):
        app.opened_desk.history_id = "p0"
        await act(app, pilot, "app.ledger")
        assert isinstance(app.screen, LedgerScreen)
        shown = app.screen.query_one("#table", VirtualList)
        assert "There is no truth of this history" in shown.empty_text
        assert shown.empty_text.endswith("with one are leaderboard.")
        for action in (NEXT, "ledger.next_of_entity", "ledger.next_session", "ledger.sheet"):
            await act(app, pilot, action)
        assert "not known" in notices(app)
        await act(app, pilot, "ledger.choose")
        assert "no truth" in screen_text(app) and "35 transitions" in screen_text(app)
        for char in "leader":
            await pilot.press(char)
        await press(app, pilot, "enter")
        assert "Quill" in screen_text(app)


async def test_a_release_that_lost_its_truth_says_so(tmp_path: Path) -> None:
    async with opened(written(tmp_path, truths=False, plain=False)) as (app, pilot):
        app.show_ledger(HISTORY)
        await settled(app, pilot)
        shown = app.screen.query_one("#table", VirtualList)
        assert shown.empty_text.startswith("This release has no truth files")


async def test_a_truth_that_cannot_be_used_says_what_is_wrong(tmp_path: Path) -> None:
    request = written(tmp_path, truths=True, plain=False)
    file = request.release / "truth" / f"{HISTORY}.json"
    data = json.loads(file.read_bytes())
    data["dependencies"][0] |= {"kind": "difference", "of": ["mean", "mean"]}
    file.write_text(json.dumps(data))
    manifest = json.loads((request.release / "release.json").read_bytes())
    del manifest["files"]
    (request.release / "release.json").write_text(json.dumps(manifest))
    async with opened(request) as (app, pilot):
        await act(app, pilot, "app.ledger")
        shown = app.screen.query_one("#table", VirtualList)
        assert "$.dependencies[0].of[0]: found mean" in shown.empty_text


async def test_an_artifact_that_is_missing_says_so(tmp_path: Path) -> None:
    async with opened(written(tmp_path, truths=True, plain=False)) as (app, pilot):
        await at(app, pilot, "r9")
        assert "missing" in line_of(app, "∅ missing")


# Who may see it


async def test_whoever_answers_does_not_get_to_the_ledger(tmp_path: Path) -> None:
    async with opened(boards(tmp_path)) as (app, pilot):
        await at(app, pilot, "r9")
        await act(app, pilot, "app.overview", "app.answer")
        assert app.screen.SCOPE == "answer"  # type: ignore[attr-defined]
        await act(app, pilot, "app.ledger", "app.earlier")
        assert app.screen.SCOPE == "answer"  # type: ignore[attr-defined]
        assert "must not see that" in notices(app)
        titles = [one.title for one in app.get_system_commands(app.screen)]
        assert "app: ledger" not in titles


async def test_where_states_are_known_tags_are_those_that_replay_suggests(tmp_path: Path) -> None:
    async with opened(boards(tmp_path)) as (app, pilot):
        await act(app, pilot, "app.tag")
        assert app.tagging is not None and app.tagging.taxonomy.name == "dsv_mem"


async def test_blind_tagging_hides_the_ledger_until_it_is_revealed(tmp_path: Path) -> None:
    # Tags stand beside a native run: the one that all tests share stays as it is.
    async with opened(boards(tmp_path)) as (app, pilot):
        await at(app, pilot, "r9")
        await act(app, pilot, "app.tag", "tag.blind")
        assert isinstance(app.screen, TagScreen)
        await act(app, pilot, "app.ledger", "app.earlier")
        assert isinstance(app.screen, TagScreen)
        assert "Blind mode hides what is true" in notices(app)
        await act(app, pilot, "app.history", "app.ledger")
        assert isinstance(app.screen, HistoryScreen)
        await act(app, pilot, "app.earlier", "tag.reveal", "app.ledger")
        assert isinstance(app.screen, LedgerScreen)


async def test_names_from_a_truth_file_are_never_markup_nor_obeyed(tmp_path: Path) -> None:
    request = written(tmp_path, truths=True, plain=False)
    file = request.release / "truth" / f"{HISTORY}.json"
    data = json.loads(file.read_bytes())
    for one in data["initial"]["entities"].values():
        one["name"] = f"[bold]\x1b[31m{one['name']}\u202e"
    file.write_text(json.dumps(data))
    manifest = json.loads((request.release / "release.json").read_bytes())
    del manifest["files"]
    (request.release / "release.json").write_text(json.dumps(manifest))
    async with opened(request) as (app, pilot):
        await at(app, pilot, "r1")
        text = screen_text(app)
        assert "[bold]CoAct" in text
        assert "\x1b" not in text and "\u202e" not in text


# Sizes


@pytest.mark.parametrize("size", [(60, 15), (60, 20), (79, 24)])
async def test_on_a_narrow_terminal_panes_come_one_at_a_time(size: tuple[int, int]) -> None:
    async with opened(boards_request(), size=size) as (app, pilot):
        screen = await at(app, pilot, "r71")
        seen = []
        for _ in range(5):
            focused = screen.focused
            assert focused is not None and focused.region.height > 3
            assert focused.region.width > size[0] - 4
            seen.append(focused.id)
            await press(app, pilot, "tab")
        assert seen == ["table", "totals", "cell", "round", "systems"]


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_forty_entities_with_twenty_fields_stay_readable(size: tuple[int, int]) -> None:
    app = MnemoscopeApp(remember=False)
    app._desk = Desk(Workspace(large_release(30)))
    async with app.run_test(size=size) as pilot:
        app.show_ledger("h")
        await settled(app, pilot)
        screen = app.screen
        assert isinstance(screen, LedgerScreen) and screen.grid is not None
        grid = screen.grid
        assert (len(grid.entities), len(grid.columns)) == (40, 20)
        seen = set()
        table = screen.table("table")
        for column, key in enumerate(grid.columns):
            top, count = table.region.y, table.region.height
            head, *rows = screen_text(app).splitlines()[top : top + count]
            assert grid.title(key, unit=False) in head
            source = table.source
            assert isinstance(source, LedgerRows)
            names = {one[2 : 2 + source.columns[0].width] for one in rows}
            assert len(names) == len(rows) >= 8
            for row, line in enumerate(rows):
                cell = grid.at(row, column)
                assert cell is not None
                text = grid.text(cell.component, cell.accepted, unit=False)
                assert text in line, (key, text)
            seen.add(screen.pane_title("table"))
            await act(app, pilot, "ledger.column_after")
        assert len(seen) > 2 and all("of 20" in one for one in seen)


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_a_jump_to_a_change_shows_which_rows_it_changed(size: tuple[int, int]) -> None:
    app = MnemoscopeApp(remember=False)
    app._desk = Desk(Workspace(large_release(60)))
    async with app.run_test(size=size) as pilot:
        app.show_ledger("h")
        await settled(app, pilot)
        screen = app.screen
        assert isinstance(screen, LedgerScreen)
        before, out_of_view = screen.where, 0
        for _ in range(12):
            await act(app, pilot, BEFORE)
            grid, table = screen.grid, screen.table("table")
            assert grid is not None and screen.where == before
            changed = [one for one in grid.entities if grid.effects.get(one) is Effect.DIRECT]
            rows = screen_text(app).splitlines()[table.region.y + 1 : table.region.bottom]
            signs = [one[2] for one in rows]
            assert ("Δ" in signs) == bool(changed)
            out_of_view += not 0 <= table.cursor - table.scroll_offset.y < table.page
        assert out_of_view
        await press(app, pilot, "down")
        assert 0 <= table.cursor - table.scroll_offset.y < table.page


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_columns_are_as_wide_as_what_stands_in_them(size: tuple[int, int]) -> None:
    app = MnemoscopeApp(remember=False)
    app._desk = Desk(Workspace(large_release(3)))
    async with app.run_test(size=size) as pilot:
        app.show_ledger("h")
        await settled(app, pilot)
        screen = app.screen
        assert isinstance(screen, LedgerScreen)
        source = screen.table("table").source
        assert isinstance(source, LedgerRows)
        # A heading ends where the signs of its values do: no more cells than it has itself.
        assert all("…" not in one.title for one in source.columns)
        assert [one.width for one in source.columns[1:3]] == [len("Score f0")] * 2


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_names_of_totals_are_whole_in_a_generated_scenario(size: tuple[int, int]) -> None:
    async with opened(sample_request("dsv"), size=size) as (app, pilot):
        await act(app, pilot, "app.ledger", "ledger.next_pane")
        text = screen_text(app)
        assert "Shortlisted systems" in text and "Final evaluations" in text


async def test_rules_name_fields_by_their_headings() -> None:
    async with opened(boards_request()) as (app, pilot):
        screen = await at(app, pilot, "r71")
        assert screen.grid is not None
        rules = [one for one in screen.grid.totals if one.component.part is Part.RULE]
        said = " ".join(screen.grid.text(one.component, one.accepted) for one in rules)
        assert "Acc." in said and "acc " not in said


BARE = Schema((Field("mark", FieldKind.FLAG, FieldRole.ANNOTATION),))


@pytest.mark.parametrize(
    ("schema", "rows"), [(BARE, {"e1": {"mark": True}}), (BARE, {}), (Schema(()), {"e1": {}})]
)
async def test_scenarios_without_names_fields_or_entities_are_shown_too(
    schema: Schema, rows: dict[str, dict[str, Scalar]]
) -> None:
    initial = initial_state("now", initial_layer(schema, rows), Upload("D00:00", "a0"))
    # A round that the history does not have is taken to be the first one.
    elsewhere = Transition("t1", Operator.UNRELATED_VISUAL, "nowhere", artifact="a1")
    made = Truth.of("p0", schema, initial, [elsewhere])
    histories = {"p0": plain_history("p0", sessions=1, rounds=2)}
    whole = replace(release(), histories=histories, evaluator=EvaluatorData(truths={"p0": made}))
    app = MnemoscopeApp(remember=False)
    app._desk = Desk(Workspace(whole))
    async with app.run_test(size=SMALL) as pilot:
        app.show_ledger("p0")
        await settled(app, pilot)
        assert isinstance(app.screen, LedgerScreen)
        await press(app, pilot, "tab", "tab", "tab", "tab", "down", "enter")
        for name in ("previous_change", "next_of_entity", "column_after", "sheet", "side_by_side"):
            await act(app, pilot, f"ledger.{name}")
        assert ("e1" in screen_text(app)) == bool(rows)
