"""What overlays change, on the screens of the app."""

from pathlib import Path

import pytest

from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.registry import open_release
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.viewers.page import Page
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


async def test_the_comparison_has_a_line_of_overlaid_totals_and_flags_its_questions(
    request_with_overlay: OpenRequest,
) -> None:
    async with opened(request_with_overlay) as (app, pilot):
        await act(app, pilot, "app.compare")
        text = screen_text(app)
        assert "⚑ all, overlaid" in text
        assert "⚑ overlaid: without judged records whose published answer is wrong" in text
        assert "judged anew by the run's rule: A 1, B 1" in text
        differing = [line for line in text.split("\n") if "What goes with" in line]
        assert any("⚑ " in line for line in differing)


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
