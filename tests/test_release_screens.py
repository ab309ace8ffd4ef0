"""What other benchmarks look like in the app: group chats, no assistant, long texts."""

from pathlib import Path
from typing import Any

from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.registry import open_release
from mnemoscope.tui.screens.stretches import stretch_around
from tests.app_driver import SMALL, act, opened, press, screen_text
from tests.gallery_data import gallery, memeye
from tests.locomo_data import write
from tests.test_evermembench_release import dialogue
from tests.test_h2hmem_release import tree as h2hmem_tree
from tests.test_memoryagentbench_release import row


async def test_a_group_chat_lists_its_groups_by_day_and_says_when_each_message_was_sent(
    tmp_path: Path,
) -> None:
    write(tmp_path / "004" / "dialogue.json", dialogue())
    async with opened(OpenRequest(tmp_path), size=SMALL) as (app, pilot):
        await act(app, pilot, "app.history")
        text = screen_text(app)
        assert "Group 1 · 2025-01-09 · 2 rounds" in text
        assert "Ada  09:32" in text
        listed = [line.partition("│")[0].split() for line in text.splitlines()[3:6]]
        assert [one[-3:] for one in listed] == [
            ["Group", "1", "25-01-09"],
            ["Group", "2", "25-01-09"],
            ["Group", "1", "25-01-10"],
        ]


async def test_people_without_captions_are_shown_without_a_word_on_captions(tmp_path: Path) -> None:
    async with opened(OpenRequest(h2hmem_tree(tmp_path))) as (app, pilot):
        await act(app, pilot, "app.history")
        text = screen_text(app)
        assert "session1/1.png  ∅ missing" in text
        assert "no caption" not in text.replace("no captions", "")
        await act(app, pilot, "history.choose")
        await press(app, pilot, "down", "enter")
        assert "session1 · G01_Gardeners · 2024-06-05" in screen_text(app)


async def test_the_only_session_keeps_its_whole_name(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.json", [row()])
    async with opened(OpenRequest(path), size=SMALL) as (app, pilot):
        await act(app, pilot, "app.history")
        assert "▌ document" in screen_text(app)


async def test_all_pictures_of_a_round_stand_in_it_with_their_captions(tmp_path: Path) -> None:
    path = write(tmp_path / "Task.json", memeye())
    async with opened(OpenRequest(path)) as (app, pilot):
        await act(app, pilot, "app.history")
        text = screen_text(app)
        assert "▣ caption  two green hives" in text
        assert "▣ caption  a smoker" in text


async def test_a_question_shows_its_own_picture_with_its_caption(tmp_path: Path) -> None:
    path = write(tmp_path / "Bees.json", gallery())
    async with opened(OpenRequest(path)) as (app, pilot):
        await act(app, pilot, "app.questions")
        await press(app, pilot, *["down"] * 4, "enter")
        text = screen_text(app)
        assert "▣ question_image  ∅ missing" in text
        assert "a dark cluster on a branch" in text


def long_row(pieces: int) -> dict[str, Any]:
    lines = [
        f"Line {number} of a long text about bread and ovens." for number in range(80 * pieces)
    ]
    return row() | {"context": "\n".join(lines)}


def test_a_session_is_parted_into_stretches_that_do_not_overlap(tmp_path: Path) -> None:
    release = open_release(write(tmp_path / "rows.json", [long_row(60)]))
    (session,) = release.histories["rows/0"].sessions
    stretches = {stretch_around(session, one).first: one for one in session.rounds}
    found = [stretch_around(session, one) for one in stretches.values()]
    assert len(found) > 3
    assert [one for stretch in found for one in stretch.rounds] == list(session.rounds)
    assert all(one in stretch_around(session, one) for one in session.rounds)
    assert found[0].beside(1) is found[1].rounds[0]
    assert found[1].beside(-1) is found[0].rounds[-1]
    assert (found[0].beside(-1), found[-1].beside(1)) == (None, None)


def test_a_session_of_usual_length_is_one_stretch(tmp_path: Path) -> None:
    release = open_release(write(tmp_path / "Bees.json", gallery()))
    session = release.histories["Bees"].sessions[0]
    stretch = stretch_around(session, session.rounds[1])
    assert stretch.whole
    assert stretch.rounds == session.rounds


async def test_a_long_text_is_read_on_over_the_end_of_a_stretch_and_back(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.json", [long_row(60)])
    async with opened(OpenRequest(path)) as (app, pilot):
        await act(app, pilot, "app.history")
        assert "round 1 of" in screen_text(app)
        await press(app, pilot, "end")
        last = screen_text(app)
        assert "round 1 of" not in last
        await press(app, pilot, "down")
        assert "· rounds " in screen_text(app).replace("\n", " ")
        await press(app, pilot, "up")
        assert screen_text(app) == last
        await press(app, pilot, "home", "up")
        assert "round 1 of" in screen_text(app)


async def test_a_search_finds_what_another_stretch_says(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.json", [long_row(60)])
    async with opened(OpenRequest(path)) as (app, pilot):
        await act(app, pilot, "app.history", "history.find")
        await press(app, pilot, *"Line 4700", "enter")
        assert "Line 4700 of" in screen_text(app)
