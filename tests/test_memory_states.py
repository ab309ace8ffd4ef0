"""What memories held after each round: written beside a run, read, on the screen and without it."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.memory.building import build
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.runs.native.states import HeldStates, read_states
from tests.app_driver import SMALL, act, opened, press, screen_text
from tests.cli_data import Mnemoscope
from tests.memory_data import SUMMARY, diary, handed, run_with_states, steps_of
from tests.workspace_data import a_history, a_question, a_release, plain_history

HISTORY = plain_history("p0", sessions=2, rounds=3)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return run_with_states(tmp_path / "run", [HISTORY])


@pytest.fixture
def release(tmp_path: Path) -> Path:
    out = tmp_path / "release"
    write_release(a_release([a_question("p0/0", clues=["D00:00"])], [HISTORY]), out)
    return out


def states(run: Path, history: str = "p0") -> HeldStates:
    found = read_states(run, history)
    assert found is not None
    return found


def test_what_a_memory_held_is_known_after_every_round(run: Path) -> None:
    found = states(run)
    assert list(found.after(1).items) == ["diary:S1:1", "diary:S1:2"]
    third = found.after(2)
    assert list(third.items) == ["diary:S1:2", "diary:S1:3", SUMMARY]
    assert [one.rounds for one in third.removed] == [("D00:00",)]
    fourth = found.after(3)
    assert [one.text for one in fourth.changed] == ["2 older rounds"]
    assert fourth.before[SUMMARY].text == "1 older rounds"
    assert [one.rounds for one in fourth.added] == [("D01:00",)]


def test_ids_in_states_are_those_of_the_release_and_never_the_neutral_ones(run: Path) -> None:
    known = set(HISTORY.round_by_id)
    for line in states(run).lines:
        assert line.round in known
        for item in (*line.added, *line.changed):
            assert set(item.rounds) <= known


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 3), st.integers(1, 4))
def test_states_carried_out_are_what_a_memory_of_that_prefix_holds(
    tmp_path_factory: pytest.TempPathFactory, sessions: int, rounds: int
) -> None:
    history = plain_history("p0", sessions=sessions, rounds=rounds)
    found = states(run_with_states(tmp_path_factory.mktemp("run") / "run", [history]))
    for index in range(len(history.rounds)):
        memory = diary()
        build(memory, handed(history).view.first(index + 1))
        texts = {one.id: one.text for one in memory.items()}
        assert {name: one.text for name, one in found.after(index).items.items()} == texts


def test_what_was_done_after_the_last_round_counts_to_it(run: Path) -> None:
    path = next((run / "states").glob("*.jsonl"))
    line = {"history": "p0", "index": 5, "removed": [SUMMARY]}
    path.write_text(path.read_text() + json.dumps(line) + "\n")
    last = states(run).after(5)
    assert SUMMARY not in last.items
    assert [one.rounds for one in last.added] == [("D01:02",)]
    assert last.removed[-1].text == "3 older rounds"


def test_after_the_last_round_handed_over_the_memory_stays_as_it_was(run: Path) -> None:
    found = states(run)
    assert found.last == 5
    assert found.after(9).items == found.after(5).items
    assert found.after(9).step is None


def test_histories_whose_names_make_the_same_file_name_are_kept_apart(tmp_path: Path) -> None:
    names = ("conv/1", "conv-1", "张三", "李四")
    histories = [plain_history(name, sessions=1, rounds=at + 1) for at, name in enumerate(names)]
    run = run_with_states(tmp_path / "run", histories)
    for at, name in enumerate(names):
        assert states(run, name).last == at
    assert read_states(run, "somebody else") is None


def test_states_in_a_file_of_another_name_are_found_by_their_first_line(run: Path) -> None:
    path = next((run / "states").glob("*.jsonl"))
    path.rename(path.with_name("somebody-elses-name.jsonl"))
    assert states(run).last == 5


def test_writing_states_again_replaces_those_of_the_same_history(tmp_path: Path) -> None:
    run = run_with_states(tmp_path / "run", [HISTORY, HISTORY])
    assert len(list((run / "states").iterdir())) == 1
    assert len(states(run).lines) == len(steps_of(handed(HISTORY)))


def test_broken_and_foreign_lines_of_states_are_defects_and_the_rest_is_read(run: Path) -> None:
    path = next((run / "states").glob("*.jsonl"))
    lines = path.read_text().splitlines()
    odd = ['{"history": "p7", "index": 0}', '{"history": "p0"}', "{"]
    path.write_text("\n".join([*lines, *odd[:2], "not json", *lines[:0], odd[2]]))
    found = states(run)
    assert len(found.lines) == len(lines)
    codes = [(one.severity.value, one.code) for one in found.defects]
    assert codes == [
        ("error", "other_history"),
        ("error", "missing_key"),
        ("error", "broken_line"),
        ("warning", "torn_line"),
    ]
    assert all(one.file == f"states/{path.name}" for one in found.defects)


# Without a screen


def test_the_command_says_what_a_memory_held_and_what_the_round_did(
    mnemoscope: Mnemoscope, release: Path, run: Path
) -> None:
    code, out, _ = mnemoscope("memory", release, "p0", run, "--at", "D01:00")
    assert code == 0
    assert "p0 · after round D01:00 (4)" in out
    assert "A diary: 3 held  +1 ~1 −1" in out
    assert "~ summary D00:00, D00:01\n    2 older rounds\n    was\n      1 older rounds" in out
    assert "− raw D00:01" in out
    assert "all it held" not in out
    assert "all it held" in mnemoscope("memory", release, "p0", run, "--items")[1]


def test_the_command_says_the_same_as_json(
    mnemoscope: Mnemoscope, release: Path, run: Path
) -> None:
    code, out, _ = mnemoscope("memory", release, "p0", run, "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["history"], data["round"], data["index"]) == ("p0", "D01:02", 5)
    (one,) = data["runs"]
    assert one["stored"] and one["held"] == len(one["items"]) == 3
    assert one["changed"][0]["was"] == "3 older rounds"
    assert one["added"][0]["rounds"] == ["D01:02"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["p9"], "no history 'p9'"), (["p0", "--at", "D9:9"], "no round 'D9:9'")],
)
def test_a_history_or_round_that_is_not_there_is_named(
    mnemoscope: Mnemoscope, release: Path, run: Path, arguments: list[str], said: str
) -> None:
    history, *rest = arguments
    code, _, err = mnemoscope("memory", release, history, run, *rest)
    assert code == 2 and said in err


def test_a_run_without_states_says_that_they_are_not_stored(
    mnemoscope: Mnemoscope, release: Path, tmp_path: Path
) -> None:
    run = run_with_states(tmp_path / "bare", [])
    code, out, _ = mnemoscope("memory", release, "p0", run)
    assert code == 0 and "not stored" in out


# On the screen


@pytest.mark.parametrize("size", [(120, 36), SMALL])
async def test_the_inspector_shows_what_a_memory_held_after_the_round(
    release: Path, run: Path, size: tuple[int, int]
) -> None:
    async with opened(OpenRequest(release, (run,)), size=size) as (app, pilot):
        await act(app, pilot, "app.history")
        for _ in range(3):
            await act(app, pilot, "history.next_round")
        await press(app, pilot, "enter")
        text = screen_text(app)
        assert "memory after this round" in text
        assert "3 items  +1 ~1 −1" in text
        assert "~ summary D00:00, D00:01  2 older" in text
        assert "all it held" not in text
        await press(app, pilot, "enter")
        assert "all it held" in screen_text(app)
        await press(app, pilot, "enter")
        assert "all it held" not in screen_text(app)


async def test_a_history_that_goes_on_after_the_memory_says_where_it_ended(
    tmp_path: Path, release: Path
) -> None:
    short = a_history("p0", HISTORY.rounds[:2])
    run = run_with_states(tmp_path / "short", [short])
    async with opened(OpenRequest(release, (run,))) as (app, pilot):
        await act(app, pilot, "app.history", *["history.next_round"] * 4)
        text = screen_text(app)
        assert "2 items" in text and "handed no round after D00:01" in text


async def test_of_a_large_memory_the_newest_items_are_listed(tmp_path: Path) -> None:
    history = plain_history("p0", sessions=2, rounds=80)
    out = tmp_path / "large"
    write_release(a_release([a_question("p0/0", clues=["D00:00"])], [history]), out)
    run = run_with_states(tmp_path / "run", [history], keep=200)
    async with opened(OpenRequest(out, (run,))) as (app, pilot):
        app.desk.round_id = "D01:79"  # type: ignore[union-attr]
        await act(app, pilot, "app.history")
        await press(app, pilot, "enter", "enter")
        text = screen_text(app)
        assert "160 items" in text and "the newest 100 of 160 items" in text


async def test_nothing_is_said_of_memories_where_no_run_keeps_what_it_held() -> None:
    async with opened() as (app, pilot):
        await act(app, pilot, "app.history")
        assert "memory after" not in screen_text(app)
