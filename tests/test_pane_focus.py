"""A pane has the focus, also where only one of them is shown at a time."""

import pytest
from textual.events import Hide

from tests.app_driver import act, opened, settled


@pytest.mark.parametrize("where", ["app.history", "app.compare"])
async def test_a_pane_that_hears_late_that_it_had_no_place_keeps_the_focus(where: str) -> None:
    async with opened(size=(60, 20)) as (app, pilot):
        await act(app, pilot, where)
        pane = app.screen.focused
        assert pane is not None
        # On a busy machine what a layout hides is told so behind its getting the focus.
        pane.post_message(Hide())
        await settled(app, pilot)
        assert app.screen.focused is pane
