"""What looks wrong about runs, in the app."""

from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.screens.rows import RowsScreen
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.page import Page
from tests.app_driver import SMALL, WIDE, opened, press, screen_text
from tests.locomo_data import conversation, mempalace_rows, write


@pytest.fixture
def request_with_doubled_ids(tmp_path: Path) -> OpenRequest:
    rows = mempalace_rows()[:7]
    for row in rows:
        row["retrieved_ids"] = ["D1:D1:1", "D1:D1:2"]
    return OpenRequest(
        write(tmp_path / "locomo.json", [conversation()]),
        (write(tmp_path / "mempalace" / "results.json", rows),),
    )


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_the_overview_names_what_looks_wrong_and_enter_shows_examples(
    request_with_doubled_ids: OpenRequest, size: tuple[int, int]
) -> None:
    async with opened(request_with_doubled_ids, size=size) as (app, pilot):
        page = app.screen.query_one(Page)
        assert page.move_to(("suspicion", "doubled_prefix", "A mempalace"))
        await press(app, pilot)
        assert "14 of 14 retrieved ids" in screen_text(app)
        assert "--repair doubled-prefix" in " ".join(screen_text(app).split())
        await press(app, pilot, "enter")
        assert isinstance(app.screen, RowsScreen)
        text = screen_text(app)
        assert "Suspicious" in text
        assert "D1:D1:1" in text
        assert "3 rows" in text


async def test_what_is_repaired_is_not_suspicious_any_more(
    request_with_doubled_ids: OpenRequest,
) -> None:
    request = replace(request_with_doubled_ids, repairs=("doubled-prefix",))
    async with opened(request) as (app, _):
        targets = app.screen.query_one(Page).targets
        assert ("suspicion", "doubled_prefix", "A mempalace") not in targets
        assert ("defects", "repaired", "doubled_prefix") in targets
    assert "--repair=doubled-prefix" in twin_command("score", request)
    assert "--repair" not in twin_command("info", request, runs=False)
