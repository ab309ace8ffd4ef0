"""Tagging at the keyboard."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import pytest

from mnemoscope.analyses.tag_agreement import tag_agreement
from mnemoscope.core.model import Value
from mnemoscope.core.tags.taxonomy import TargetKind
from mnemoscope.tui.actions import action_by_id, actions_of
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.recent import RecentStore
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.tui.screens.tag import TagScreen
from mnemoscope.tui.tagging import Item, Tagging
from mnemoscope.viewers.tag_view import TagRows
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import SMALL, WIDE, AppPilot, notices, press, screen_text, settled

NEXT, BACK = "right_square_bracket", "left_square_bracket"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("MNEMOSCOPE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MNEMOSCOPE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("MNEMOSCOPE_CONFIG", str(tmp_path / "config" / "config.toml"))
    yield tmp_path


@asynccontextmanager
async def tagging(
    folder: Path, annotator: str = "ann", *, size: tuple[int, int] = WIDE
) -> AsyncIterator[tuple[MnemoscopeApp, AppPilot]]:
    """The sample, at the first failure of A, with somebody about to tag it.

    The tags that come with the sample are left aside by naming a folder.
    """
    app = sample_app(folder)
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        await press(app, pilot, "L", "2", "home", "t")
        if isinstance(app.screen, Prompt):
            await press(app, pilot, *annotator, "enter")
        elif app.tagging is not None and app.tagging.annotator != annotator:
            await press(app, pilot, "I", "ctrl+u", *annotator, "enter")
        assert isinstance(app.screen, TagScreen)
        yield app, pilot


def sample_app(folder: Path) -> MnemoscopeApp:
    recent = RecentStore(folder / "state")
    return MnemoscopeApp(sample_request(), recent=recent, tags_folder=folder / "tags")


def work_of(app: MnemoscopeApp) -> Tagging:
    assert app.tagging is not None
    return app.tagging


def item_of(app: MnemoscopeApp) -> Item:
    assert isinstance(app.screen, TagScreen)
    assert app.screen.item is not None
    return app.screen.item


def set_here(app: MnemoscopeApp) -> tuple[str, ...]:
    work = work_of(app)
    return work.marks(item_of(app)).slugs(work.taxonomy.name)


async def test_the_key_that_is_shown_sets_the_tag_and_takes_it_away(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        source = app.screen.query_one("#tags", VirtualList).source
        assert isinstance(source, TagRows)
        assert len(source.rows) == 11
        reserved = {
            key
            for scope in ("tag", "app", "list", "page")
            for action in actions_of(scope)
            for key in app.effective_keys.label(action).split()
        }
        for row in source.rows:
            assert row.key
            assert row.key not in reserved
            question = row.title == "gold error"
            await press(app, pilot, row.key)
            slugs = {
                slug
                for statement in work_of(app).tags.about(item_of(app).question.key)
                for slug in statement.marks.slugs("cue_mem")
            }
            assert row.title.replace(" ", "_").replace("-", "_") in slugs
            kinds = {one.target.kind for one in work_of(app).tags.statements() if one.marks.tags}
            assert (TargetKind.QUESTION in kinds) == question
            await press(app, pilot, row.key)
            assert set_here(app) == ()


async def test_a_click_or_enter_on_a_tag_does_the_same(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "down", "enter")
        assert set_here(app) == ("association_failure",)
        shown = app.screen.query_one("#tags", VirtualList)
        await pilot.click(shown, offset=(10, 4))
        await pilot.click(shown, offset=(10, 4))
        await settled(app, pilot)
        assert "distractor_dominance" in set_here(app)


async def test_suggestions_stand_beside_their_tags_and_are_never_set(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        assert "▸ 2 of 6 clue rounds among the 5 items sent" in screen_text(app)
        assert set_here(app) == ()
        await press(app, pilot, "3")
        (tag,) = work_of(app).marks(item_of(app)).tags
        assert (tag.slug, tag.suggested) == ("retrieval_miss", "retrieval")


async def test_note_flag_none_and_skip_say_what_they_say(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        first = item_of(app)
        await press(app, pilot, "3", "c", *"look", "enter", "f")
        marks = work_of(app).marks(first)
        assert (marks.note, marks.flagged) == ("look", True)
        assert "⚑ flagged" in screen_text(app)
        assert "note look" in screen_text(app)
        await press(app, pilot, "0")
        assert set_here(app) == ()
        assert "none of these" in screen_text(app)
        await press(app, pilot, "s")
        assert item_of(app).question.key != first.question.key
        assert work_of(app).marks(first).skipped


async def test_undo_goes_back_over_questions_and_a_restart_and_shows_what_it_undid(
    folder: Path,
) -> None:
    async with tagging(folder) as (app, pilot):
        first = item_of(app).question.key
        await press(app, pilot, "3", NEXT, "5")
    async with tagging(folder) as (app, pilot):
        assert item_of(app).question.key == first
        assert set_here(app) == ("retrieval_miss",)
        await press(app, pilot, "u")
        assert item_of(app).question.key != first
        assert "undone: evidence use failure" in notices(app)
        await press(app, pilot, "u")
        assert (item_of(app).question.key, set_here(app)) == (first, ())
        await press(app, pilot, "u")
        assert "There is nothing to undo." in notices(app)
        await press(app, pilot, "U", "U", "U")
        assert "There is nothing to do again." in notices(app)
        assert work_of(app).progress(app.opened_desk.walk.keys).done == 2


async def test_blind_mode_hides_gold_clues_system_verdicts_and_others_until_asked(
    folder: Path,
) -> None:
    async with tagging(folder, "other") as (app, pilot):
        await press(app, pilot, "3")
    async with tagging(folder) as (app, pilot):
        before = screen_text(app)
        assert "gold D" in before
        assert "LTMemory" in before
        await press(app, pilot, "b", "v")
        assert "Blind mode hides others' tags" in notices(app)
        text = screen_text(app)
        for hidden in ("gold D", "LTMemory", "✗", "▸ 2 of 6", "● hit", "other runs", "+ extra"):
            assert hidden not in text, hidden
        await press(app, pilot, "tab", "end")
        assert "gold and clues are hidden" in screen_text(app)
        await press(app, pilot, "home", "shift+tab")
        await press(app, pilot, "1")
        (tag,) = work_of(app).marks(item_of(app)).tags
        assert tag.blind
        await press(app, pilot, "r", "v")
        text = screen_text(app)
        assert "gold D" in text
        assert "other" in text
        assert "retrieval miss" in text
        await press(app, pilot, NEXT)
        assert "LTMemory" not in screen_text(app), "the next question is blind again"


async def test_while_tags_are_read_the_header_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    app = sample_app(folder)
    read = app.with_tags
    monkeypatch.setattr(app, "with_tags", lambda of: (go_on.wait(30), read(of))[1])
    async with app.run_test(size=SMALL) as pilot:
        await settled(app, pilot)
        for key in ("L", "t"):
            await pilot.press(key)
            await pilot.pause()
        assert "reading tags …" in screen_text(app)
        go_on.set()
        await settled(app, pilot)
        await press(app, pilot, *"ann", "enter")
        assert isinstance(app.screen, TagScreen)
        assert "reading tags" not in screen_text(app)


async def test_a_verdict_of_ones_own_stands_over_rule_and_judge(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "V", "enter", *"fits", "enter")
        marks = work_of(app).marks(item_of(app))
        assert (marks.verdict, marks.reason) == (Value.RIGHT, "fits")
        assert "your verdict ✓ right fits" in screen_text(app)
        await press(app, pilot, "V", "down", "down", "enter")
        assert work_of(app).marks(item_of(app)).verdict is None


async def test_a_verdict_stands_beside_the_stored_ones_and_is_read_when_a_question_opens(
    folder: Path,
) -> None:
    async with tagging(folder, "other") as (app, pilot):
        await press(app, pilot, "V", "enter", *"fits", "enter")
        key = item_of(app).question.key
        await press(app, pilot, "Q", *_typed("without your verdict"), "enter")
        assert len(app.opened_desk.walk.keys) == 58
        assert key not in app.opened_desk.walk.keys
    async with tagging(folder) as (app, pilot):
        assert "other, a person" not in screen_text(app), (
            "others stay out of sight unless asked for"
        )
    app = sample_app(folder)
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        await press(app, pilot, "L", "2", "home", "enter")
        await settled(app, pilot)
        assert app.opened_desk.walk.key == key
        assert app.opened_desk.workspace.tags is not None
        assert "other, a person  ✓ right  fits" in screen_text(app)


async def test_a_taxonomy_with_one_label_goes_on_by_itself_when_told_to(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        first = item_of(app).question.key
        await press(app, pilot, "T", *"dsv_mem", "enter", "w", "1")
        assert item_of(app).question.key != first
        await press(app, pilot, BACK, "2")
        assert item_of(app).question.key != first
        await press(app, pilot, BACK)
        assert set_here(app) == ("state_reconstruction",)
    async with tagging(folder) as (app, _):
        assert work_of(app).taxonomy.name == "dsv_mem", "the choice is remembered"
        assert work_of(app).auto_advance


async def test_tags_are_written_to_a_file_from_where_they_are_set(folder: Path) -> None:
    async with tagging(folder, "other") as (app, pilot):
        await press(app, pilot, "3", NEXT, "5")
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "3", "Q", *_typed("flagged"), "escape")
        rows = {}
        for name, choice in (("mine.csv", ()), ("all.jsonl", ("down",)), ("all.md", ("down",))):
            await press(app, pilot, "E", *choice, "enter", "ctrl+u")
            for letter in str(folder / name):
                await pilot.press("slash" if letter == "/" else letter)
            await press(app, pilot, "enter")
            assert "rows written to" in notices(app)
            rows[name] = (folder / name).read_text(encoding="utf-8")
        assert rows["mine.csv"].count("\n") == 2, "a heading and one tag"
        assert rows["all.jsonl"].count("\n") == 3
        assert "retrieval miss | 1 | 50.0%" in rows["all.md"]
        assert "### Agreement" in rows["all.md"]
        await press(app, pilot, "b", "E")
        assert "everybody" not in screen_text(app), "what is hidden is not written either"
        await press(app, pilot, "escape", "u", "E", "enter", "ctrl+u", *"x.md", "enter")
        assert "There is no tag to write." in notices(app)


async def test_a_review_of_the_data_tags_the_question(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "T", *"cue_review", "enter", "1", "5", "9", "7")
        assert set(set_here(app)) == {"naturalness_accept", "coherence_repair", "validity_accept"}
        target = work_of(app).target(item_of(app))
        assert target is not None
        assert target.kind is TargetKind.QUESTION


async def test_queues_are_what_is_left_flagged_of_others_and_in_dispute(folder: Path) -> None:
    async with tagging(folder, "other") as (app, pilot):
        await press(app, pilot, "3", NEXT, "5")
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "3", "f", NEXT, "4")
        for typed, count in (
            ("have not tagged", 23),
            ("flagged", 1),
            ("second pass", 2),
            ("adjudicate", 1),
            ("failures of A, 200 at most", 25),
            ("right or wrong", 59),
            ("without your verdict", 59),
        ):
            await press(app, pilot, "Q", *typed.replace(" ", ""), "enter")
            await press(app, pilot, *(["escape"] if not isinstance(app.screen, TagScreen) else []))
            await press(app, pilot, "Q", *_typed(typed), "enter")
            assert len(app.opened_desk.walk.keys) == count, typed


async def test_models_that_differ_are_adjudicated_too_and_each_run_shows_its_own_answers(
    folder: Path,
) -> None:
    async with tagging(folder) as (app, _):
        work, runs = work_of(app), app.opened_desk.workspace.runs
        keys = app.opened_desk.walk.keys
        votes = {
            "model:one": ("retrieval_miss", "retrieval_miss"),
            "model:two": ("retrieval_miss", "association_failure"),
        }
        for model, slugs in votes.items():
            for run, slug in zip(runs, slugs, strict=True):
                for key in keys[:3] if run is runs[1] else keys[3:4]:
                    work.tags.journal(model).add(work.tags.record(run, key), work.taxonomy, slug)
        b = runs[1]
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "Q", *_typed("adjudicate"))
        text = screen_text(app)
        for said in ("annotators differ ", "people differ ", f"models differ, of {b.label}"):
            assert said in text
        await press(app, pilot, "escape", "Q", *_typed("models differ, of"), "enter")
        assert app.opened_desk.walk.keys == keys[:3]
        assert app.opened_desk.a is not None
        assert app.opened_desk.a.name == b.name, "what they differ on is this run's answer"
        assert f"{b.name} is run A now." in notices(app)
        assert "model:two" in screen_text(app), "who decides sees what there is to decide on"


def _typed(text: str) -> Sequence[str]:
    return ["space" if letter == " " else letter for letter in text]


async def test_a_run_is_tagged_by_two_annotators_and_their_agreement_is_that_worked_out_by_hand(
    folder: Path,
) -> None:
    said = {"ann": "3345345345", "bob": "3345355344"}
    for annotator, keys in said.items():
        async with tagging(folder, annotator) as (app, pilot):
            for key in keys:
                await press(app, pilot, key, NEXT)
    async with tagging(folder) as (app, _):
        work = work_of(app)
        found = tag_agreement(work.tags, work.taxonomy)
    assert found.reviewed == {"ann": 10, "bob": 10}
    # They differ on the 7th (4 and 5... see the keys) and the 10th question: 8 of 10 agree.
    pairs = list(zip(said["ann"], said["bob"], strict=True))
    agreed = sum(a == b for a, b in pairs) / 10
    assert agreed == 0.8
    chance = sum(said["ann"].count(one) * said["bob"].count(one) for one in "345") / 100
    assert chance == (4 * 4 + 3 * 2 + 3 * 4) / 100
    assert found.overall.percent.value == pytest.approx(agreed)
    assert found.overall.cohen.value == pytest.approx((agreed - chance) / (1 - chance))
    assert len(found.disagreements) == 2


async def test_a_folder_that_cannot_be_written_is_said_and_another_takes_everything(
    folder: Path,
) -> None:
    (folder / "tags").write_text("in the way")
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "3")
        assert isinstance(app.screen, Prompt)
        assert "kept in memory" in notices(app)
        await press(app, pilot, "escape", "f")
        assert "2 NOT WRITTEN" in screen_text(app) or isinstance(app.screen, Prompt)
        if isinstance(app.screen, TagScreen):
            await press(app, pilot, "f")
        for letter in str(folder / "else"):
            await pilot.press("slash" if letter == "/" else letter)
        await press(app, pilot, "enter")
        assert "Everything is written there." in notices(app)
        assert set_here(app) == ("retrieval_miss",)
    (path,) = (folder / "else").glob("*.jsonl")
    assert path.read_text().count("\n") >= 2


async def test_nobody_quits_over_what_is_not_written_without_being_asked(folder: Path) -> None:
    (folder / "tags").write_text("in the way")
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "3", "escape", "f", "escape", "ctrl+q")
        text = screen_text(app)
        assert "2 things done could not be written yet" in text
        assert "2 things done would be lost" in text
        await press(app, pilot, "escape")
        assert isinstance(app.screen, TagScreen)
        await press(app, pilot, "ctrl+q", "enter")
        for letter in str(folder / "else"):
            await pilot.press("slash" if letter == "/" else letter)
        await pilot.press("enter")
        await pilot.pause()
        assert app._exit
    (path,) = (folder / "else").glob("*.jsonl")
    assert path.read_text().count("\n") == 2
    (folder / "tags").unlink()
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "3")
        await pilot.press("ctrl+q")
        assert app._exit, "what is on the disk needs no question"


async def test_a_second_window_of_the_same_annotator_writes_once_the_first_has_ended(
    folder: Path,
) -> None:
    async with tagging(folder) as (first, first_pilot):
        await press(first, first_pilot, "3")
        key = item_of(first).question.key
        async with tagging(folder) as (second, pilot):
            await press(second, pilot, "4")
            assert "It is kept here and written once that has ended; I tags as somebody" in (
                notices(second).replace("\n", " ")
            )
            assert "1 NOT WRITTEN" in screen_text(second)
            work_of(first).tags.close()
            await press(second, pilot, "f")
            assert "NOT WRITTEN" not in screen_text(second)
    async with tagging(folder) as (app, _):
        marks = work_of(app).marks(item_of(app))
        assert (item_of(app).question.key, marks.flagged) == (key, True)
        assert set(marks.slugs("cue_mem")) == {"retrieval_miss", "distractor_dominance"}


async def test_the_whole_text_of_a_tag_is_shown_once_one_goes_to_it(folder: Path) -> None:
    async with tagging(folder, size=SMALL) as (app, pilot):
        whole = "2 of 6 clue rounds among the 5 items sent"
        assert whole not in screen_text(app)
        await press(app, pilot, "down", "down")
        assert f"retrieval miss: {whole}" in screen_text(app)


async def test_the_presets_and_the_filter_know_tags(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        await press(app, pilot, "3", NEXT, "f", "L", "7")
        total = len(app.opened_desk.workspace.release.questions)
        assert len(app.opened_desk.selection.keys) == total - 1
        await press(app, pilot, "8")
        assert len(app.opened_desk.selection.keys) == 1
        assert "untagged 58" in screen_text(app)
    app = sample_app(folder)
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        await press(app, pilot, "L", "slash", *"tag", "colon", *"any", "enter")
        assert len(app.opened_desk.selection.keys) == 1, "tags are read when a filter asks"


async def test_nobody_tags_without_a_name(folder: Path) -> None:
    app = MnemoscopeApp(sample_request(), recent=RecentStore(folder / "state"))
    async with app.run_test(size=SMALL) as pilot:
        await settled(app, pilot)
        await press(app, pilot, "t", "escape")
        assert not isinstance(app.screen, TagScreen)
        assert app.tagging is None


@pytest.mark.parametrize("size", [SMALL, WIDE, (60, 20), (250, 60)])
async def test_question_answer_and_tags_are_on_one_screen_at_every_size(
    folder: Path, size: tuple[int, int]
) -> None:
    async with tagging(folder, size=size) as (app, _):
        text = screen_text(app)
        assert "retrieval miss" in text
        assert "难得连休的时候" in text
        if size[0] >= 80:
            assert "answer  B" in text
        lines = text.splitlines()
        assert all(len(line) <= size[0] for line in lines)


async def test_every_action_of_the_screen_can_be_run_from_the_key_list(folder: Path) -> None:
    async with tagging(folder) as (app, pilot):
        for action in actions_of("tag"):
            assert app.screen.get_child_by_id is not None
            assert hasattr(app.screen, f"action_{action.method}"), action.id
        await app.run_registered(action_by_id("tag.flag"))
        await settled(app, pilot)
        assert work_of(app).marks(item_of(app)).flagged
