"""What trackers hold after each round, beside the truth that they are handed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemoscope.core.harness.trackers.runs import write_tracker_run
from mnemoscope.core.harness.trackers.tracker import TRACKERS
from mnemoscope.core.model import Release
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.runs.native.states import read_states
from mnemoscope.core.truth.book import Book
from mnemoscope.core.truth.causes import Cause
from mnemoscope.core.truth.divergence import Kind
from mnemoscope.core.truth.system import SystemLedger
from mnemoscope.tui.sample import sample_folder
from mnemoscope.tui.screens.ledger import LedgerScreen
from tests.app_driver import act, opened
from tests.test_ledger_screen import text_of

System = Callable[[str], SystemLedger]


@pytest.fixture(scope="module")
def release() -> Release:
    return open_workspace(OpenRequest(sample_folder() / "dsv")).release


@pytest.fixture(scope="module")
def system(release: Release, tmp_path_factory: pytest.TempPathFactory) -> System:
    (history,) = release.histories.values()
    book = Book(release.evaluator.truths[history.id], history)

    def of(name: str) -> SystemLedger:
        folder = tmp_path_factory.mktemp("runs") / name
        write_tracker_run(release, TRACKERS[name], folder)
        states = read_states(folder, history.id)
        assert states is not None and not states.defects
        return SystemLedger(book, states)

    return of


def causes(system: SystemLedger) -> set[Cause]:
    """What the wrong values are that a system holds at its end."""
    found = system.beside(system.last).divergences
    return {system.why(one)[0].cause for one in found if one.kind is Kind.DIFFERS}


def test_the_honest_tracker_holds_what_is_accepted_after_every_round(system: System) -> None:
    honest = system("honest")
    assert honest.has_cells and honest.firsts == {}
    for index in range(honest.last + 1):
        at = honest.beside(index)
        assert at.agreeing and not at.divergences and not at.unplaced


def test_a_tracker_of_images_holds_what_a_text_has_governed_or_replaced(system: System) -> None:
    newest = system("newest_image_wins")
    assert next(iter(newest.firsts)) is Kind.DIFFERS
    assert causes(newest) <= {Cause.OVERRULED, Cause.SUPERSEDED}
    assert Cause.OVERRULED in causes(newest)


def test_a_tracker_that_ignores_withdrawals_parts_with_a_withdrawn_value(system: System) -> None:
    found = system("withdrawals_ignored")
    first = next(iter(found.firsts.values()))
    assert found.why(first)[0].cause is Cause.WITHDRAWN


def test_a_tracker_that_stops_early_holds_what_was_superseded(system: System) -> None:
    late = system("late_updates_missed")
    assert causes(late) == {Cause.SUPERSEDED}
    first = next(iter(late.firsts.values()))
    assert first.index >= late.last // 2


@pytest.mark.parametrize("name", [one for one in TRACKERS if one != "honest"])
def test_every_fault_shows_as_a_divergence(system: System, name: str) -> None:
    assert system(name).firsts


async def test_a_tracker_is_set_beside_the_truth_on_the_screen(
    release: Release, tmp_path: Path
) -> None:
    write_tracker_run(release, TRACKERS["withdrawals_ignored"], tmp_path / "run")
    request = OpenRequest(sample_folder() / "dsv", (tmp_path / "run",))
    async with opened(request) as (app, pilot):
        await act(app, pilot, "app.ledger", "ledger.divergence")
        assert isinstance(app.screen, LedgerScreen)
        assert "the withdrawn value of" in text_of(app, "cell")
