"""Going to ids, raw JSON, copying, exporting, reading again."""

import base64
import csv
import json
import shutil
from pathlib import Path

import pytest
from textual.widgets import Input

from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.export import export_questions
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.places import Place, example_ids, find_place
from mnemoscope.core.question_columns import question_columns
from mnemoscope.core.raw import raw_part, raw_question, raw_record, raw_round
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.sorting import orders, sort_questions
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui import clipboard
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.recent import RecentStore
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.saved_filters import SavedFilters
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.overview import OverviewScreen
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.raw import RawScreen
from mnemoscope.tui.twins import twin_command
from mnemoscope.tui.watch import fingerprint
from tests.app_driver import WIDE, opened, press, screen_text, settled
from tests.workspace_data import a_history, a_release, a_round


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return open_workspace(sample_request())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("D02:03", Place("p0", "D02", "D02:03")),
        ("D02", Place("p0", "D02")),
        ("p1", Place("p1")),
        ("p1 D02:01", Place("p1", "D02", "D02:01")),
        ("p1/D02:01", Place("p1", "D02", "D02:01")),
        (" p1  D02 ", Place("p1", "D02")),
    ],
)
def test_an_id_is_looked_for_in_the_history_in_focus_first(
    workspace: Workspace, text: str, place: Place
) -> None:
    assert find_place(workspace, text, focus="p0") == place


def test_without_a_history_in_focus_an_id_of_several_histories_says_which(
    workspace: Workspace,
) -> None:
    with pytest.raises(UsageError, match="2 histories have 'D02:01': “p0 D02:01”, “p1 D02:01”"):
        find_place(workspace, "D02:01")


def test_ids_of_histories_may_hold_slashes_and_spaces() -> None:
    rounds = [a_round("s4:1"), a_round("s4:2")]
    histories = [a_history(name, rounds) for name in ("two/one", "John Zhang")]
    workspace = Workspace.build(a_release([], histories), [])
    assert find_place(workspace, "two/one") == Place("two/one")
    assert find_place(workspace, "two/one/s4:2") == Place("two/one", "s4", "s4:2")
    assert find_place(workspace, "John Zhang s4") == Place("John Zhang", "s4")


def test_a_question_is_found_by_its_key_and_by_a_part_only_it_has(workspace: Workspace) -> None:
    key = next(iter(workspace.release.questions))
    assert find_place(workspace, key, focus="p0").question == key
    assert find_place(workspace, "0-MobilityAndTravel-0-adv0").question.endswith("-adv0")


@pytest.mark.parametrize("text", ["D99", "p1 D99:01", "nothing at all", "p0/", ""])
def test_what_no_one_thing_goes_by_is_said(workspace: Workspace, text: str) -> None:
    with pytest.raises(UsageError):
        find_place(workspace, text, focus="p0")


def test_examples_of_ids_are_of_what_is_open_and_lead_there(workspace: Workspace) -> None:
    examples = example_ids(workspace.release, "p1")
    assert examples[:2] == ["D00:01", "p1 D00"]
    assert len(examples) == 3
    for one in examples:
        find_place(workspace, one, focus="p1")


async def test_the_prompt_for_an_id_gives_examples_of_what_is_open() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "ctrl+g")
        example = next(iter(app.opened_desk.workspace.release.questions))
        assert "such as D00:01, p0 D00, " in screen_text(app)
        assert app.screen.query_one(Input).placeholder.endswith(example)


async def test_going_to_an_id_leads_to_its_screen() -> None:
    async with opened() as (app, pilot):
        for text, screen in (("p1 D02", HistoryScreen), ("1-Items-1-0", QuestionScreen)):
            await pilot.press("ctrl+g")
            for char in text:
                await pilot.press("space" if char == " " else char)
            await press(app, pilot, "enter")
            assert isinstance(app.screen, screen)


def test_the_source_of_everything_is_found_again(workspace: Workspace, tmp_path: Path) -> None:
    release = workspace.release
    question = next(iter(release.questions.values()))
    assert raw_question(release, question).value()["qa_id"] == question.id
    history = release.histories["p0"]
    assert raw_round(release, history, history.rounds[5]).value()["round"] == history.rounds[5].id
    session = history.sessions[2]
    assert raw_round(release, history, session).value()["session_id"] == session.id
    run = workspace.runs[0]
    record = run.entries[3].record
    assert raw_record(run.run, record).value()["system_answer"] == record.answer
    write_release(release, tmp_path / "native")
    native = open_release(tmp_path / "native")
    other = native.questions[question.key]
    assert raw_question(native, other).value()["key"] == question.key


def test_a_source_that_is_gone_is_said_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.jsonl").write_text("{}\n")
    for file, place in (("a.json", "$.qa[3]"), ("b.jsonl", "$[7].key"), ("c.json", "$")):
        with pytest.raises(InputError, match=file):
            raw_part(tmp_path, file, place).value()


async def test_the_raw_view_shows_the_source_and_copies_it() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "J")
        assert isinstance(app.screen, RawScreen)
        assert '"round": "D00:00"' in screen_text(app)
        await press(app, pilot, "escape", "O", "J")
        assert isinstance(app.screen, OverviewScreen)


def test_helpers_of_this_machine_copy_and_not_those_over_ssh(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert clipboard.helper({"DISPLAY": ":0"}) == ("xclip", "-selection", "clipboard")
    assert clipboard.helper({"WAYLAND_DISPLAY": "w"}) == ("wl-copy",)
    assert clipboard.helper({"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"}) is None


@pytest.mark.parametrize("environ", [{"SSH_TTY": "x"}, {"SSH_TTY": "x", "TMUX": "/tmp/t"}])
def test_the_terminal_is_asked_to_copy_and_nothing_more_is_claimed(environ: dict[str, str]) -> None:
    written: list[str] = []
    said = clipboard.copy_text("茶 tea", written.append, environ)
    assert "does not say whether it did" in said
    assert base64.b64encode("茶 tea".encode()).decode() in written[0]
    assert written[0].startswith("\x1bPtmux;") == ("TMUX" in environ)


def test_what_is_too_long_for_the_terminal_is_written_to_a_file() -> None:
    said = clipboard.copy_text("x" * 100_000, lambda _: pytest.fail("asked"), {"SSH_TTY": "x"})
    path = Path(said.removesuffix(".").rpartition(" ")[2])
    assert path.read_text() == "x" * 100_000
    path.unlink()


async def test_the_copy_menu_names_what_there_is() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter", "y")
        text = screen_text(app)
        for said in ("question key", "answer of A", "reasoning of B", "command"):
            assert said in text


def test_a_twin_command_quotes_what_needs_it() -> None:
    request = OpenRequest(Path("a b"), (Path("r"),), rule="rq3", media_roots=(Path("m"),))
    command = twin_command("show", request, ["p0/x y", "--json"])
    assert command == "mnemoscope show 'a b' 'p0/x y' r --media-root=m --rule=rq3 --json"


@pytest.mark.parametrize("name", ["out.csv", "out.json"])
def test_a_list_is_exported_whole(workspace: Workspace, tmp_path: Path, name: str) -> None:
    keys = list(workspace.release.questions)[:7]
    export_questions(workspace, keys, question_columns(workspace), tmp_path / name)
    text = (tmp_path / name).read_text(encoding="utf-8")
    is_csv = name.endswith(".csv")
    rows = list(csv.DictReader(text.splitlines(True))) if is_csv else json.loads(text)
    assert [row["key"] for row in rows] == keys
    assert rows[0]["LTMemory verdict"] in ("right", "wrong")


def test_an_export_overwrites_nothing_and_needs_a_known_suffix(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "out.csv").write_text("mine")
    for name in ("out.csv", "out.txt"):
        with pytest.raises(UsageError):
            export_questions(workspace, [], (), tmp_path / name)
    assert (tmp_path / "out.csv").read_text() == "mine"


async def test_a_list_is_exported_from_the_app(tmp_path: Path) -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "2", "E", "enter")
        for char in str(tmp_path / "failures.json"):
            await pilot.press(char)
        await press(app, pilot, "enter")
        assert len(json.loads((tmp_path / "failures.json").read_text())) == 24


async def test_reading_again_comes_back_to_the_overview() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "ctrl+r")
        assert isinstance(app.screen, OverviewScreen)
        assert "118 rows" in screen_text(app)


async def test_the_last_position_is_restored_when_the_same_is_opened_again(tmp_path: Path) -> None:
    store = RecentStore(tmp_path)
    for first in (True, False):
        app = MnemoscopeApp(sample_request(), recent=store)
        async with app.run_test(size=WIDE) as pilot:
            await settled(app, pilot)
            if first:
                await press(app, pilot, "L", "2", "down", "down", "O")
                app.show_round("p1", "D03:02")
                await settled(app, pilot)
            else:
                await press(app, pilot, "H")
                assert "p1 Nora" in screen_text(app)
                assert app.opened_desk.round_id == "D03:02"
                await press(app, pilot, "L")
                assert "24 of 59" in screen_text(app)
                assert app.opened_desk.selection.cursor == 2


async def test_a_file_that_changes_is_noticed_and_read_again_on_request(tmp_path: Path) -> None:
    shutil.copytree(sample_request().release, tmp_path / "cue")
    async with opened(OpenRequest(tmp_path / "cue")) as (app, pilot):
        file = tmp_path / "cue" / app.opened_desk.workspace.release.files[0]
        file.write_text(file.read_text(encoding="utf-8").replace("许汀", "许丁"), encoding="utf-8")
        app._watch()
        await settled(app, pilot)
        assert "files changed, ctrl+r" in screen_text(app)
        await press(app, pilot, "ctrl+r")
        assert "files changed" not in screen_text(app)
        assert app.opened_desk.workspace.release.histories["p0"].name == "许丁"


def test_files_look_the_same_whichever_run_is_a() -> None:
    workspace = open_workspace(sample_request())
    assert fingerprint(workspace.exchanged(0, 1)) == fingerprint(workspace)


def test_questions_are_sorted_stably_with_missing_values_last(workspace: Workspace) -> None:
    keys = list(workspace.release.questions)
    assert sort_questions(workspace, keys, "") == keys
    assert sort_questions(workspace, keys, "no such order") == keys
    for order in orders(workspace):
        for descending in (False, True):
            found = sort_questions(workspace, keys, order, descending=descending)
            assert sorted(found) == sorted(keys)
    clues = [
        len(workspace.release.questions[key].clues)
        for key in sort_questions(workspace, keys, "clues")
    ]
    assert clues == sorted(clues)


async def test_a_list_is_sorted_and_turned_round() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "S")
        for char in "clues":
            await pilot.press(char)
        await press(app, pilot, "enter")
        assert "by clues ↑ (hidden)" in screen_text(app)
        first = app.opened_desk.selection.keys[0]
        await press(app, pilot, "S", "enter")
        assert "by clues ↓ (hidden)" in screen_text(app)
        assert app.opened_desk.selection.keys[0] != first


async def test_a_filter_is_saved_shown_with_its_counts_and_chosen() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "w", "2", "W")
        for char in "mine":
            await pilot.press(char)
        await press(app, pilot, "enter", "1", "w")
        assert "0 ✓ 24 ✗" in screen_text(app)
        await press(app, pilot, "enter")
        assert "24 of 59" in screen_text(app)
        assert SavedFilters().load() == {"mine": "sys:A.wrong !sys:A.unparsed|error"}


def test_a_saved_filter_file_that_is_damaged_is_an_empty_list(tmp_path: Path) -> None:
    store = SavedFilters(tmp_path)
    store.file.write_text("[1]")
    assert store.load() == {}
    assert store.try_save("a", "task:x") == "Saved as “a”."
    assert store.try_save("a", "") == "“a” is forgotten."
    assert store.load() == {}
