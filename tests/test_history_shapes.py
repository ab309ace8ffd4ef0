"""Histories of other shapes than dated chats on the screens: long, undated, later."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.core.model import History, Retrieval, RetrievalState, Session
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.repeats import repeated_rounds
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.screens.session_rows import SessionRows, session_place
from mnemoscope.tui.verbs.options import Flags
from mnemoscope.tui.verbs.show import collect
from mnemoscope.tui.verbs.show_lines import lines
from mnemoscope.viewers.columns import column_widths
from mnemoscope.viewers.styles import DARK
from tests.app_driver import SMALL, act, opened, press, screen_text
from tests.longmemeval_data import abstention, document, instance, query, turn
from tests.test_longmemeval_release import read
from tests.workspace_data import (
    a_history,
    a_question,
    a_record,
    a_release,
    a_round,
    a_run,
    rounds_retrieved,
)

PERSONA = "[SYSTEM] " + "Ida bakes rye and sells it on the market. " * 10


def late(tmp_path: Path) -> OpenRequest:
    path = tmp_path / "s.json"
    path.write_text(json.dumps([abstention()]))
    return OpenRequest(path)


def undated(tmp_path: Path) -> OpenRequest:
    turns = "\n\n[USER] I bake.\n\n[ASSISTANT] Good."
    user_id = "cafe" * 16
    documents = [
        document(str(number), PERSONA + turns, user_id, timestamp=None) for number in range(3)
    ]
    (tmp_path / "s_documents.json").write_text(json.dumps(documents))
    (tmp_path / "s_queries.json").write_text(json.dumps([query(user_id)]))
    return OpenRequest(tmp_path / "s_queries.json")


async def test_a_session_after_the_question_is_marked_in_history_and_question(
    tmp_path: Path,
) -> None:
    async with opened(late(tmp_path)) as (app, pilot):
        await act(app, pilot, "app.history")
        assert "after the question" not in screen_text(app)
        await act(app, pilot, "history.next_session")
        assert "after the question" in screen_text(app)
        await act(app, pilot, "app.questions", "list.open")
        text = screen_text(app)
        assert "asked 2023-05-30 08:08" in text
        assert "2023/05/30 (Tue) 08:29  after the question" in text


async def test_a_clue_to_a_whole_session_is_marked_on_it_and_leads_to_its_question(
    tmp_path: Path,
) -> None:
    async with opened(late(tmp_path)) as (app, pilot):
        await act(app, pilot, "app.history", "history.next_session")
        text = screen_text(app)
        assert "● clue of 1 question, with the whole" in text
        assert "Which did I do first" in text
        assert "no question has a clue here" not in text


async def test_what_every_session_repeats_is_drawn_once_in_full(tmp_path: Path) -> None:
    async with opened(undated(tmp_path), size=SMALL) as (app, pilot):
        await act(app, pilot, "app.history")
        assert screen_text(app).count("rye") > 1
        await act(app, pilot, "history.next_session")
        text = screen_text(app)
        assert "the same 420 characters as in 0:0" in text
        assert text.count("Ida bakes") == 1
        await act(app, pilot, "history.find")
        await press(app, pilot, *"rye", "enter")
        assert screen_text(app).count("rye") > 1


async def test_sessions_without_dates_leave_no_column_for_them_and_a_long_id_leaves_room(
    tmp_path: Path,
) -> None:
    async with opened(undated(tmp_path), size=SMALL) as (app, pilot):
        await act(app, pilot, "app.history")
        text = screen_text(app)
        assert "date" not in text.splitlines()[2].partition("│")[0]
        assert "· 0 of 3 · round 1 of 3" in text.splitlines()[0]


async def test_sessions_that_are_called_by_their_day_show_it_once_and_in_full(
    tmp_path: Path,
) -> None:
    said = [{"query": "Hi", "response": "Hello"}]
    days = {f"2023-04-0{number}": said for number in (1, 2, 3)}
    users = {"Ada": {"name": "Ada", "history": days}}
    (tmp_path / "memory_bank_en.json").write_text(json.dumps(users))
    async with opened(OpenRequest(tmp_path), size=SMALL) as (app, pilot):
        await act(app, pilot, "app.history")
        column = [line.partition("│")[0] for line in screen_text(app).splitlines()]
        assert [line.split()[-2] for line in column[3:6]] == [
            *("2023-04-01", "2023-04-02", "2023-04-03"),
        ]
        assert "date" not in column[2]


def test_only_long_texts_count_as_repeated() -> None:
    long = "x" * 200
    texts = {"a": long, "b": "Yes.", "c": "Yes.", "d": long, "e": long}
    history = a_history("h", [a_round(name, text) for name, text in texts.items()])
    assert repeated_rounds(history) == {"d": "a", "e": "a"}


def test_show_prints_no_more_than_the_beginning_of_a_whole_session(tmp_path: Path) -> None:
    one = instance()
    one["haystack_sessions"][1] += [turn("user", f"line {number}") for number in range(40)]
    (tmp_path / "s.json").write_text(json.dumps([one]))
    workspace = Workspace.build(read(tmp_path / "s.json"), [])
    data = collect(workspace, workspace.question("ab12"), Flags())
    shown = "\n".join(lines(data))
    assert "more lines" in shown
    assert "line 39" not in shown
    assert "line 39" in data["clues"][0]["text"]


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (("D00", "D01"), "· D01 of 2 ·"),
        (("session_1", "session_2"), "· session_2 of 2 ·"),
        (("2024-01-09", "2024-01-30"), "· session 2 of 2 ·"),
        (("session3", "session9"), "· session 2 of 2 ·"),
        (("answer_a1f", "sharegpt_q_2"), "· session 2 of 2 ·"),
        (("2025-01-09/Group 1", "2025-01-09/Group 3"), "· session 2 of 2 ·"),
        (("0", "1"), "· 1 of 2 ·"),
    ],
)
def test_the_header_counts_sessions_whose_ids_do_not(ids: tuple[str, str], said: str) -> None:
    sessions = tuple(Session(one, None, "", (), "$") for one in ids)
    history = History("h", "h", sessions, "")
    assert f"· {session_place(history, sessions[1])} ·" == said


def test_ids_of_sessions_stay_legible_beside_the_figures() -> None:
    ids = ("sharegpt_yywfIrx_0", "answer_280352e9", "85a1be56_1")
    date = datetime(2023, 5, 20)
    sessions = tuple(Session(one, date, "", (), "$") for one in ids)
    rows = SessionRows(History("h", "h", sessions, ""), frozenset(), DARK)
    assert column_widths(rows.columns, 29)[0] >= 12


async def test_a_release_of_questions_alone_says_that_there_is_nothing_to_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / "s_queries.json"
    path.write_text(json.dumps([query("ab12"), query("cd34")]))
    async with opened(OpenRequest(path), size=SMALL) as (app, pilot):
        assert "0 images" not in screen_text(app)
        await act(app, pilot, "app.history")
        assert "The files hold questions and no dialogue" in screen_text(app)


async def test_the_inspector_says_that_a_run_sends_the_whole_history() -> None:
    release = a_release([a_question("p0/q", clues=["D00:00"])])
    whole = Retrieval(RetrievalState.WHOLE_HISTORY)
    records = [
        a_record("p0/q", retrieval=whole),
        a_record("p0/q", retrieval=rounds_retrieved("D00:00")),
    ]
    workspace = Workspace.build(release, [a_run(f"run{n}", [one]) for n, one in enumerate(records)])
    async with opened() as (app, pilot):
        app.opened_desk.workspace = workspace
        app.opened_desk.history_id, app.opened_desk.round_id = "p0", "D00:00"
        await press(app, pilot, "H")
        text = screen_text(app)
        assert "A run0  whole history sent" in text
        assert "B run1  1× best #1" in text
