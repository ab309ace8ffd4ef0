"""The ledger of a scenario: the core's and the command's."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.state.authority import AuthorityKind
from mnemoscope.core.state.chronicle import Chronicle, Said
from mnemoscope.core.state.component import ABSENT, Component, Part, cell, member
from mnemoscope.core.state.ledger import Effect, Ledger, LedgerCell, Scrubber, differing
from mnemoscope.core.state.operators import Event
from mnemoscope.core.state.timeline import Timeline
from mnemoscope.core.state.trajectory import Trajectory
from mnemoscope.core.truth.book import Book
from mnemoscope.tui import console
from mnemoscope.viewers.cells import cell_width
from tests.cli_data import Mnemoscope
from tests.truth_data import HISTORY, history, release, truth

GOLDEN = Path(__file__).parent / "golden" / "cli-ledger.txt"

# Any: JSON documents.
Json = dict[str, Any]


@pytest.fixture(scope="module")
def scrubber() -> Scrubber:
    return Scrubber(Timeline(truth().trajectory), [one.id for one in history().rounds])


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A release with a truth file, ``boards`` in the folder that we are in."""
    write_release(release(), tmp_path / "boards")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def of(ledger: Ledger, where: Component) -> LedgerCell:
    return next(one for one in ledger.cells if one.component == where)


def test_a_correction_by_text_is_accepted_and_neither_visual_nor_shown(scrubber: Scrubber) -> None:
    one = of(scrubber.at("r5"), cell("a1", "acc"))
    assert (one.accepted, one.visual, one.shown) == (85.7, 74.3, 74.3)
    assert (one.authority, one.source_round) == (AuthorityKind.TEXT_BACKED, "r5")
    assert one.effect is Effect.DIRECT


def test_the_next_artifact_shows_its_own_value_beside_the_accepted_one(scrubber: Scrubber) -> None:
    one = of(scrubber.at("r7"), cell("a1", "acc"))
    assert (one.accepted, one.visual, one.shown) == (85.7, 84.9, 84.9)
    assert (one.authority, one.source_round) == (AuthorityKind.TEXT_BACKED, "r5")


def test_a_declared_artifact_takes_over_and_says_so(scrubber: Scrubber) -> None:
    one = of(scrubber.at("r57"), cell("a1", "acc"))
    assert (one.accepted, one.visual, one.shown) == (86.0, 86.0, 86.0)
    assert (one.authority, one.source_round) == (AuthorityKind.VISUAL_DECLARED, "r57")


def test_a_withdrawn_upload_goes_on_showing_what_it_showed(scrubber: Scrubber) -> None:
    before, after = scrubber.at("r69"), scrubber.at("r71")
    assert not before.is_withdrawn and after.is_withdrawn
    assert after.upload == before.upload
    one = of(after, cell("a7", "acc"))
    assert (one.accepted, one.visual, one.shown) == (80.5, 80.5, 99.0)
    assert (one.effect, one.source_round) == (Effect.DIRECT, "r13")
    assert of(after, Component(Part.DEPENDENT, "a7", "rank")).effect is Effect.DEPENDENT


def test_what_a_text_removed_is_still_on_the_artifact(scrubber: Scrubber) -> None:
    ledger = scrubber.at("r33")
    one = of(ledger, member("a6"))
    assert (one.accepted, one.visual, one.shown) == (ABSENT, True, True)
    assert (one.authority, one.source_round) == (AuthorityKind.TEXT_BACKED, "r33")
    assert of(ledger, cell("a6", "acc")).accepted is ABSENT


def test_a_round_without_a_transition_changes_nothing(scrubber: Scrubber) -> None:
    quiet = scrubber.at("r4")
    assert not list(quiet.changes)
    assert {one.effect for one in quiet.cells} == {None}
    assert [one.accepted for one in quiet.cells] == [
        one.accepted for one in scrubber.at("r3").cells
    ]


def test_an_artifact_of_another_context_stands_in_its_own_scope(scrubber: Scrubber) -> None:
    here, there = scrubber.at("r23"), scrubber.at("r23", "2025-Q4")
    assert here.contexts == ("2025-Q4",)
    assert of(here, cell("a2", "acc")).accepted == 72.0
    one = of(there, cell("a2", "acc"))
    assert (one.accepted, one.visual, one.shown) == (ABSENT, 63.0, 63.0)
    assert (there.upload.round, there.upload.artifact) == ("r23", "img11")
    with pytest.raises(KeyError):
        scrubber.at("r22", "2025-Q4")


def test_going_back_and_forth_shows_the_same(scrubber: Scrubber) -> None:
    rounds = scrubber.rounds_of_changes()
    assert len(rounds) == 35
    forward = [scrubber.at(one) for one in rounds]
    fresh = Scrubber(Timeline(truth().trajectory), scrubber.rounds)
    assert [fresh.at(one) for one in reversed(rounds)] == forward[::-1]


def test_snapshots_make_no_difference_to_what_is_shown(
    scrubber: Scrubber, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemoscope.core.state.timeline._EVERY", 4)
    often = Timeline(truth().trajectory)
    for count in (35, 3, 4, 5, 0, 34, 8):
        assert often.at(count) == scrubber.timeline.at(count)


def test_a_point_beyond_the_last_transition_is_refused() -> None:
    whole = truth().trajectory
    timeline = Timeline(Trajectory(whole.schema, whole.initial))
    assert len(timeline) == 0
    with pytest.raises(IndexError, match="1 of 0 transitions"):
        timeline.at(1)


def test_the_chronicle_of_a_cell_says_what_each_round_made_of_it(scrubber: Scrubber) -> None:
    chronicle = Chronicle(scrubber.timeline)
    found = chronicle.events(cell("a1", "acc"), 35)
    said = [(one.round, one.said, one.accepted, one.visual, one.shown) for one in found]
    assert said[:4] == [
        ("r1", Said.VISUAL, 71.0, 71.0, 71.0),
        ("r3", Said.VISUAL, 74.3, 74.3, 74.3),
        ("r5", Said.TEXT, 85.7, 74.3, 74.3),
        ("r7", Said.VISUAL, 85.7, 84.9, 84.9),
    ]
    assert (said[-1][1], said[-1][2]) == (Said.BOTH, 86.0)
    assert [one.changed for one in found[1:4]] == [
        ("accepted", "visual", "shown", "authority"),
        ("accepted", "authority"),
        ("visual", "shown"),
    ]


def test_the_chronicle_tells_a_withdrawn_value_from_one_in_force(scrubber: Scrubber) -> None:
    applied, withdrawn = Chronicle(scrubber.timeline).events(cell("a7", "acc"), 35)[-2:]
    assert (applied.round, applied.accepted, applied.status) == ("r69", 99.0, "withdrawn")
    assert (withdrawn.event, withdrawn.of_round) == (Event.DISREGARD, "r69")
    assert (withdrawn.accepted, withdrawn.shown) == (80.5, 99.0)
    before = Chronicle(scrubber.timeline).events(cell("a7", "acc"), 34)
    assert before[-1].status == "in_force"


@given(st.data())
def test_the_last_event_of_every_cell_holds_what_the_ledger_says(data: st.DataObject) -> None:
    whole = truth().trajectory
    places = Scrubber(Timeline(whole), [one.id for one in history().rounds])
    chronicle = Chronicle(places.timeline)
    ledger = places.at(data.draw(st.sampled_from(places.rounds)))
    one = data.draw(st.sampled_from(ledger.cells))
    events = chronicle.events(one.component, ledger.count)
    last = events[-1] if events else None
    held = (ABSENT, ABSENT, ABSENT) if last is None else (last.accepted, last.visual, last.shown)
    assert held == (one.accepted, one.visual, one.shown)
    assert (last.authority if last else None) == one.authority


def test_the_chronicle_of_another_context_has_its_own_artifacts(scrubber: Scrubber) -> None:
    chronicle = Chronicle(scrubber.timeline)
    (found,) = chronicle.events_elsewhere(cell("a2", "acc"), "2025-Q4", 35)
    assert (found.round, found.shown, found.accepted, found.said) == (
        "r23",
        63.0,
        ABSENT,
        Said.NOTHING,
    )


def test_rounds_about_an_entity_leave_out_what_merely_follows() -> None:
    book = Book(truth(), history())
    rounds = [book.history.rounds[at].id for at in book.rounds_about(cell("a4", "cost"))]
    assert rounds == ["r17", "r29", "r47", "r49", "r51", "r53", "r55"]
    ranked = book.rounds_about(Component(Part.DEPENDENT, "a4", "rank"))
    assert len(ranked) > len(rounds)


def test_two_rounds_differ_in_what_happened_between_them(scrubber: Scrubber) -> None:
    one, other = scrubber.at("r3"), scrubber.at("r5")
    pairs = differing(one, other)
    assert not differing(one, scrubber.at("r4"))
    then, now = pairs[cell("a1", "acc")]
    assert then is not None and now is not None
    assert (then.accepted, now.accepted) == (74.3, 85.7)
    assert cell("a2", "acc") not in pairs
    added, _ = differing(scrubber.at("r15"), scrubber.at("r9"))[cell("a7", "acc")]
    assert added is not None


def document(mnemoscope: Mnemoscope, *arguments: str) -> Json:
    code, out, err = mnemoscope("ledger", "boards", HISTORY, "--json", *arguments)
    assert (code, err) == (0, "")
    found: Json = json.loads(out)
    return found


def test_the_ledger_has_the_keys_that_scripts_rely_on(boards: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope)
    assert (found["history"], found["round"], found["context"]) == (HISTORY, "r71", "2026-Q1")
    wanted = [
        "entity",
        "field",
        "shown",
        "visual",
        "accepted",
        "authority",
        "changed",
        "source_round",
    ]
    assert all(set(wanted) <= set(one) for one in found["cells"])
    one = next(one for one in found["cells"] if (one["entity"], one["field"]) == ("a7", "acc"))
    assert [one[key] for key in wanted[2:]] == [99.0, 80.5, 80.5, "visual", "direct", "r13"]
    assert (one["name"], one["heading"], one["unit"], one["absent"]) == ("Quill", "Acc.", "%", [])
    change = next(one for one in found["changes"] if one["sheet"] == "visual")
    assert (change["before"], change["after"], change["cause"]) == (99.0, 80.5, "direct")
    assert found["upload"] == {"artifact": "img34", "round": "r69", "withdrawn": True}
    assert [one["status"] for one in found["updates"]] == [
        "withdrawn",
        "reinstated",
        "reinstated",
        "withdrawn",
    ]


def test_info_counts_the_histories_whose_state_is_known(
    boards: Path, mnemoscope: Mnemoscope
) -> None:
    code, out, _ = mnemoscope("info", "boards", "--json")
    assert (code, json.loads(out)["counts"]["truths"]) == (0, 1)


def test_a_round_says_which_operator_it_brings_and_what_for(
    boards: Path, mnemoscope: Mnemoscope
) -> None:
    (one,) = document(mnemoscope, "--at", "r25")["transitions"]
    assert (one["number"], one["operator"], one["reason"]) == (10, "visual_status_edit", "checked")
    (one,) = document(mnemoscope, "--at", "r71")["transitions"]
    assert (one["number"], one["event"], one["of_round"]) == (24, "disregard", "r69")


def test_only_one_entity_or_only_changes_can_be_asked_for(
    boards: Path, mnemoscope: Mnemoscope
) -> None:
    by_name = document(mnemoscope, "--entity", "Quill")["cells"]
    assert by_name == document(mnemoscope, "--entity", "a7")["cells"]
    assert {one["entity"] for one in by_name} == {"a7"}
    assert all(one["changed"] for one in document(mnemoscope, "--changed")["cells"])


def test_the_ledger_is_printed_as_a_table(boards: Path, mnemoscope: Mnemoscope) -> None:
    code, out, err = mnemoscope("ledger", "boards", HISTORY)
    assert (code, err) == (0, "")
    if os.environ.get("MNEMOSCOPE_UPDATE_GOLDEN"):
        GOLDEN.write_text(out, encoding="utf-8")
    assert out == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("more", [[], ["--at", "r67", "--changed"], ["--context", "2025-Q4"]])
def test_a_terminal_of_80_columns_gets_lines_that_fit_and_values_uncut(
    boards: Path, more: list[str], mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "width", lambda: 80)
    code, out, _ = mnemoscope("ledger", "boards", HISTORY, *more)
    assert code == 0
    assert max(map(cell_width, out.splitlines())) <= 80
    assert "…" not in out.partition("accepted  visual")[2]


def test_a_cell_has_its_history(boards: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "--at", "r9", "--cell", "CoAct.Acc.")
    assert [one["field"] for one in found["cells"]] == ["acc"]
    history = found["cell"]["history"]
    assert [(one["round"], one["said"], one["accepted"]) for one in history] == [
        ("r1", "visual", 71.0),
        ("r3", "visual", 74.3),
        ("r5", "text", 85.7),
        ("r7", "visual", 85.7),
    ]
    by_key = document(mnemoscope, "--at", "r9", "--cell", "a1.acc")
    assert by_key == found
    code, out, _ = mnemoscope("ledger", "boards", HISTORY, "--cell", "Quill.acc")
    assert code == 0
    assert "withdraws visual_cell_edit of r69" in out


@pytest.mark.parametrize("name", ["mean acc.", "web.spent", "CoAct.rank", "Munch.Acc."])
def test_totals_and_dependents_have_a_history_too(
    boards: Path, mnemoscope: Mnemoscope, name: str
) -> None:
    assert document(mnemoscope, "--cell", name)["cell"]["history"]


def test_a_cell_of_another_context_has_the_history_of_its_artifacts(
    boards: Path, mnemoscope: Mnemoscope
) -> None:
    found = document(mnemoscope, "--context", "2025-Q4", "--cell", "a2.acc")
    assert [(one["round"], one["shown"]) for one in found["cell"]["history"]] == [("r23", 63.0)]


def test_two_rounds_stand_side_by_side(boards: Path, mnemoscope: Mnemoscope) -> None:
    found = document(mnemoscope, "--at", "r7", "--beside", "r3")["beside"]
    assert (found["round"], found["index"]) == ("r3", 2)
    one = next(one for one in found["cells"] if (one["entity"], one["field"]) == ("a1", "acc"))
    assert (one["then"]["accepted"], one["now"]["accepted"]) == (74.3, 85.7)
    assert (one["then"]["authority"], one["now"]["authority"]) == ("visual", "text_backed")
    code, out, _ = mnemoscope("ledger", "boards", HISTORY, "--at", "r7", "--beside", "r3")
    assert code == 0
    assert "from r3 to r7: " in out


def test_a_truth_file_that_cannot_be_used_is_named_with_what_is_wrong(
    boards: Path, mnemoscope: Mnemoscope
) -> None:
    (path,) = (boards / "boards" / "truth").iterdir()
    whole = path.read_text()
    parts = json.loads(whole)
    del parts["initial"]
    path.write_text(json.dumps(parts))
    code, out, err = mnemoscope("ledger", "boards", HISTORY)
    assert (code, out) == (2, "")
    assert f"{Path('boards', 'truth', path.name)}: $.initial: found nothing" in err
    assert "mnemoscope validate lists every defect" in err
    path.write_text(whole[:2000])
    code, _, err = mnemoscope("ledger", "boards", HISTORY)
    assert code == 2
    assert f"{path.name}: line " in err
    path.unlink()
    code, _, err = mnemoscope("ledger", "boards", HISTORY)
    assert code == 2
    assert path.name in err


REFUSED = [
    (["boards", "x"], "error: no history 'x'; the release has leaderboard\n"),
    (["boards", HISTORY, "--at", "r99"], "error: no round 'r99' in history 'leaderboard'; they go"),
    (["boards", HISTORY, "--context", "x"], "error: no artifact of context 'x' up to r71; so far"),
    (["boards", HISTORY, "--cell", "x.y"], "error: no cell 'x.y' up to r71\n"),
    (["boards", HISTORY, "--beside", "r99"], "error: no round 'r99' in history 'leaderboard'"),
    (["boards", HISTORY, "--entity", "x"], "error: no entity 'x' here; there are a7, a1, a2"),
    (["plain", HISTORY], "error: history 'leaderboard' has no truth file, so its state is not"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED)
def test_what_cannot_be_shown_says_why(
    boards: Path, mnemoscope: Mnemoscope, arguments: list[str], said: str
) -> None:
    plain = replace(release(), evaluator=type(release().evaluator)())
    write_release(plain, boards / "plain")
    code, out, err = mnemoscope("ledger", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(said)


@contextmanager
def damaged(boards: Path) -> Iterator[Json]:
    """The truth file, written back without hashes after it was changed."""
    file = boards / "boards" / "truth" / f"{HISTORY}.json"
    data = json.loads(file.read_bytes())
    yield data
    file.write_text(json.dumps(data))
    manifest = json.loads((boards / "boards" / "release.json").read_bytes())
    del manifest["files"]
    (boards / "boards" / "release.json").write_text(json.dumps(manifest))


def test_names_from_a_release_do_not_reach_the_terminal_as_they_are(
    boards: Path, mnemoscope: Mnemoscope
) -> None:
    with damaged(boards) as data:
        for change in data["initial"]["entities"].values():
            change["name"] = f"\x1b[31m{change['name']}\u202e"
    code, out, _ = mnemoscope("ledger", "boards", HISTORY, "--at", "r1")
    assert code == 0
    assert "\x1b" not in out and "\u202e" not in out
    assert "CoAct" in out


def test_an_unsound_schema_is_named_and_nothing_is_shown(
    boards: Path, mnemoscope: Mnemoscope
) -> None:
    with damaged(boards) as data:
        data["dependencies"][0] |= {"kind": "difference", "of": ["mean", "mean"]}
    code, out, err = mnemoscope("ledger", "boards", HISTORY)
    assert (code, out) == (2, "")
    assert "$.dependencies[0].of[0]: found mean, expected a field, or a dependency" in err
