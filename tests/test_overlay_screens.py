"""What overlays change, on the screens of the app."""

from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.core.model import Record, StoredMetric
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.screens.compared import compare_all, totals_page
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.styles import DARK
from tests import cli_data
from tests.app_driver import SMALL, WIDE, act, opened, press, screen_text
from tests.overlay_data import correction, write_overlay


@pytest.fixture
def request_with_overlay(tmp_path: Path) -> OpenRequest:
    """The invented CUE-Mem release with two runs, and an overlay of two of its questions.

    With the rule ``stored`` only MM is judged, so the runs are judged by ``rq1``.
    """
    cue, runs = cli_data.write_all(tmp_path)
    first, second = list(open_release(cue).questions.values())[:2]
    entries = [
        correction(first, "KEY", answer="B", reasoning="the page says \x1b[31mB"),
        correction(second, "CITE", evidence=["D01:00"]),
    ]
    overlay = write_overlay(tmp_path / "fix.json", entries)
    memories = tuple(sorted(runs.glob("result_debug/base/tiny-7b/*")))
    return OpenRequest(cue, memories, rule="rq1", overlays=(overlay,))


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_the_overview_sets_overlaid_figures_beside_those_published(
    request_with_overlay: OpenRequest, size: tuple[int, int]
) -> None:
    async with opened(request_with_overlay, size=size) as (app, _):
        text = screen_text(app)
        assert "⚑ overlaid" in text
        page = app.screen.query_one(Page)
        page.focus()
        assert ("overlay", "KEY") in page.targets
        if size == WIDE:
            assert "house rules 1  2 of 2 entries fit" in text
            assert "overlaid: without records whose" in text


async def test_an_error_type_on_the_overview_leads_to_its_questions(
    request_with_overlay: OpenRequest,
) -> None:
    async with opened(request_with_overlay) as (app, pilot):
        page = app.screen.query_one(Page)
        page.post_message(Page.Opened(page, ("overlay", "CITE")))
        await press(app, pilot)
        await pilot.pause()
        assert isinstance(app.screen, QuestionsScreen)
        assert len(app.opened_desk.selection.keys) == 1


async def test_the_question_screen_shows_answer_evidence_and_reason(
    request_with_overlay: OpenRequest,
) -> None:
    async with opened(request_with_overlay) as (app, pilot):
        await act(app, pilot, "app.questions", "list.open")
        text = screen_text(app)
        assert "⚑ overlay KEY" in text
        assert "✗ published answer wrong" in text
        assert "corrected  B" in text
        assert "the page says" in text
        assert "\x1b" not in text
        await act(app, pilot, "question.next_question")
        text = screen_text(app)
        assert "⚑ overlay CITE" in text
        assert "evidence  D01:00" in text
        assert "Clues as the overlay has them" in text


async def test_the_comparison_has_overlaid_totals_of_all_and_of_each_task_it_changes(
    request_with_overlay: OpenRequest,
) -> None:
    async with opened(request_with_overlay, size=WIDE) as (app, pilot):
        await act(app, pilot, "app.compare")
        text = screen_text(app)
        rows = [line.strip("▌ ").split("  ")[0] for line in text.split("\n")]
        start = rows.index("all")
        assert rows[start + 1 : start + 5] == [
            *("⚑ overlaid", "Entity recall", "⚑ overlaid", "Long pattern"),
        ]
        # One of the two is judged anew, and only one of B's answers is right then.
        entity, overlaid = text.split("\n")[start + 2 : start + 4]
        assert entity.split()[-7:] == ["50.0", "100.0", "+50.0", "0", "1", "1", "0"]
        assert overlaid.split()[-7:] == ["0.0", "50.0", "+50.0", "0", "1", "0", "1"]
        assert rows.count("⚑ overlaid") == 2
        assert "⚑ overlaid: without judged records whose published answer is wrong" in text
        assert "judged anew by the run's rule: A 1, B 1" in text
        differing = [line for line in text.split("\n") if "What goes with" in line]
        assert any("⚑ " in line for line in differing)


async def test_the_comparison_holds_what_was_retrieved_against_the_evidence_of_both(
    request_with_overlay: OpenRequest,
) -> None:
    async with opened(request_with_overlay, size=(120, 44)) as (app, pilot):
        await act(app, pilot, "app.compare")
        text = screen_text(app)
        assert "1 of 1 clue rounds  ⚑ 1 of 1 clue rounds" in text
        assert "clue D00:01  ⚑ only as published" in text
        assert "clue D01:00  ⚑ only as the overlay has it" in text
        await press(app, pilot, "down")
        assert "⚑ only as" not in screen_text(app)


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_the_matrix_has_overlaid_figures_beside_those_published(
    request_with_overlay: OpenRequest, size: tuple[int, int]
) -> None:
    async with opened(request_with_overlay, size=size) as (app, pilot):
        await act(app, pilot, "app.matrix")
        text = screen_text(app)
        assert "⚑ overlaid  n 6   all ✓ 0   all ✗ 2   any ✓ 4" in text
        (row,) = (line.split() for line in text.split("\n") if "FUMemory" in line)
        assert row[2:] == ["2", "33.3", "1", "1", "16.7", "1"]


async def test_the_overview_has_overlaid_accuracy_by_task(
    request_with_overlay: OpenRequest,
) -> None:
    async with opened(request_with_overlay, size=WIDE) as (app, _):
        lines = screen_text(app).split("\n")
        (at,) = (n for n, line in enumerate(lines) if line.strip().startswith("A FUMemory"))
        assert lines[at].split()[2:4] == ["100.0", "0.0"]
        assert lines[at + 1].split()[:4] == ["⚑", "overlaid", "0.0", "0.0"]


async def test_a_comparison_by_a_figure_has_overlaid_totals(
    request_with_overlay: OpenRequest,
) -> None:
    workspace = open_workspace(request_with_overlay)
    a, b = workspace.runs
    scored = [
        replace(run.run, records=tuple(_with_f1(one, at) for at, one in enumerate(run.run.records)))
        for run in (a, b)
    ]
    built = Workspace.build(workspace.release, scored, rule="rq1")
    found = compare_all(replace(built, overlay=workspace.overlay), "f1")
    assert found.figures is not None
    assert found.overlaid_figures is not None
    assert (found.figures.total.n, found.overlaid_figures.total.n) == (6, 5)
    blocks = totals_page(found, DARK, "", width=100)
    page = "\n".join(block.text.plain for block in blocks if isinstance(block, Paragraph))
    assert page.count("⚑ overlaid ") == 2
    assert "⚑ overlaid: without questions whose published answer is wrong" in page


def _with_f1(record: Record, at: int) -> Record:
    return replace(record, metrics=(StoredMetric("f1", at / 10),))


async def test_without_an_overlay_nothing_speaks_of_one(request_with_overlay: OpenRequest) -> None:
    plain = OpenRequest(request_with_overlay.release, request_with_overlay.runs)
    async with opened(plain) as (app, pilot):
        for actions in ((), ("app.questions", "list.open"), ("app.compare",)):
            await act(app, pilot, *actions)
            assert "overlaid" not in screen_text(app)
            assert "⚑" not in screen_text(app)


async def test_an_overlay_that_cannot_be_read_is_said_on_opening(tmp_path: Path) -> None:
    cue, _ = cli_data.write_all(tmp_path)
    async with opened(OpenRequest(cue, overlays=(tmp_path / "none.toml",))) as (app, _):
        assert "no such file" in screen_text(app)
