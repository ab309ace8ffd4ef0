"""A system's cells beside the truth, and where the two part first."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.core.memory.cells import CellStep, HeldCell, HeldValue, cell_attributes, cell_of
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.runs.native.schema import HeldItemForm, HeldLine
from mnemoscope.core.runs.native.states import HeldStates
from mnemoscope.core.state.component import ABSENT, Component, Part, cell
from mnemoscope.core.truth.book import Book
from mnemoscope.core.truth.causes import Cause
from mnemoscope.core.truth.divergence import Divergence, Kind, beside, kept_fields
from mnemoscope.core.truth.scan import first_divergences
from mnemoscope.core.truth.system import SystemLedger
from tests.cli_data import Mnemoscope
from tests.ledger_run_data import accepted, held_lines, newest_image, write_run
from tests.truth_data import HISTORY, history, release, truth

# Any: JSON documents.
Json = dict[str, Any]
ROOT = Path(__file__).parents[1]
BOOK = Book(truth(), history())


def states(lines: Iterable[Mapping[str, Any]]) -> HeldStates:
    return HeldStates(HISTORY, tuple(HeldLine.model_validate(line) for line in lines))


def system(lines: Iterable[Mapping[str, Any]]) -> SystemLedger:
    return SystemLedger(BOOK, states(lines))


def index(round_id: str) -> int:
    return BOOK.history.round_by_id[round_id].index


def one(
    entity: str, field: str, value: HeldValue, round_id: str = "r1", **more: Any
) -> SystemLedger:
    """A system that holds one cell from a round on."""
    said = cell_attributes(entity, field, value, **more)
    item = {"id": "c", "kind": "cell", "attributes": said, "rounds": [round_id]}
    first = {"history": HISTORY, "round": round_id, "index": index(round_id), "added": [item]}
    return system([first, {"history": HISTORY, "round": "r71", "index": index("r71")}])


def parted(found: SystemLedger, round_id: str, kind: Kind = Kind.DIFFERS) -> list[Divergence]:
    at = found.beside(index(round_id))
    return [each for each in at.divergences if each.kind is kind]


def causes(found: SystemLedger, divergence: Divergence) -> list[tuple[Cause, str, str]]:
    return [(why.cause, why.round, why.of) for why in found.why(divergence)]


@pytest.fixture(scope="module")
def careful() -> SystemLedger:
    return system(held_lines(truth(), history(), accepted))


@pytest.fixture(scope="module")
def hasty() -> SystemLedger:
    return system(held_lines(truth(), history(), newest_image))


def test_a_system_that_holds_what_is_accepted_never_parts_from_the_truth(
    careful: SystemLedger,
) -> None:
    assert careful.firsts == {}
    for at in range(len(BOOK.history.rounds)):
        found = careful.beside(at)
        assert found.divergences == () and found.unplaced == () and found.agreeing


def test_a_system_that_believes_images_alone_parts_at_the_first_text(hasty: SystemLedger) -> None:
    first = next(iter(hasty.firsts.values()))
    assert (hasty.round_of(first), first.kind) == ("r5", Kind.DIFFERS)
    assert (first.component, first.said, first.truth) == (cell("a1", "acc"), 74.3, 85.7)
    assert causes(hasty, first) == [(Cause.SUPERSEDED, "r3", "")]


def test_what_an_artifact_shows_against_a_text_is_said_to_be_overruled(hasty: SystemLedger) -> None:
    found = next(each for each in parted(hasty, "r7") if each.component == cell("a1", "acc"))
    assert (found.said, found.truth) == (84.9, 85.7)
    assert causes(hasty, found)[0] == (Cause.OVERRULED, "r7", "")


def test_a_value_of_a_withdrawn_upload_is_said_to_be_withdrawn(hasty: SystemLedger) -> None:
    found = next(each for each in parted(hasty, "r71") if each.component == cell("a7", "acc"))
    assert (found.said, found.truth) == (99.0, 80.5)
    assert causes(hasty, found)[0] == (Cause.WITHDRAWN, "r69", "")


def test_what_a_text_removed_and_an_image_still_shows_is_extra(hasty: SystemLedger) -> None:
    found = parted(hasty, "r33", Kind.EXTRA)
    assert {each.component.entity for each in found} == {"a6"}
    assert {each.truth for each in found} == {ABSENT}


def test_what_a_text_added_and_no_image_shows_is_missing(hasty: SystemLedger) -> None:
    found = parted(hasty, "r31", Kind.MISSING)
    assert {each.component for each in found} == {cell("a8", name) for name in ("track", "acc")}
    assert all(hasty.why(each) == () for each in found)


def test_a_field_that_a_system_never_holds_is_not_missing() -> None:
    found = one("CoAct", "acc", 71)
    assert {each.component.field for each in parted(found, "r1", Kind.MISSING)} == {"acc"}


def test_a_value_of_another_context_or_entity_is_said_to_be_that() -> None:
    found = one("Munch", "Acc.", 63.0, "r23")
    assert (Cause.OTHER_CONTEXT, "", "2025-Q4") in causes(found, parted(found, "r23")[0])
    found = one("CoAct", "acc", 72)
    assert causes(found, parted(found, "r1")[0]) == [(Cause.OTHER_ENTITY, "", "a2")]
    found = one("CoAct", "acc", 1)
    assert causes(found, parted(found, "r1")[0]) == [(Cause.NEVER, "", "")]


SAME: list[tuple[str, str, HeldValue]] = [
    ("CoAct", "acc", 71),
    ("a1", "Acc.", 71.0),
    (" coact ", "ACC.", "71"),
    ("CoAct", "acc", "71.0 %"),
    ("CoAct", "cost", "$0.5"),
    ("CoAct", "public", "no"),
    ("CoAct", "track", "Web"),
    ("", "mean acc.", 73.5),
    ("", "mean", 73.501),
    ("web", "spent", 5),
    ("CoAct", "rank", 6),
    ("", "bar to pass", "73 %"),
    ("", "queue", ("CoAct", "Munch", "Redict", "Pundel", "Fennel", "Orrery")),
]


@pytest.mark.parametrize(("entity", "field", "value"), SAME)
def test_the_same_value_said_otherwise_agrees(entity: str, field: str, value: HeldValue) -> None:
    found = one(entity, field, value).beside(0)
    if field == "queue":
        assert len(found.agreeing) + len(found.divergences) > 0
        found = one(entity, field, _queue()).beside(0)
    assert len(found.agreeing) == 1, found
    assert not [each for each in found.divergences if each.kind is not Kind.MISSING]


def _queue() -> tuple[str, ...]:
    initial = truth().trajectory.initial.accepted
    found = initial[Component(Part.DEPENDENT, "", "queue")]
    assert isinstance(found, tuple)
    return tuple(str(initial[cell(str(key), "name")]) for key in found)


@pytest.mark.parametrize("value", ["71 $", "about 71", "", True, None, ["71"]])
def test_what_is_not_the_same_value_differs(value: object) -> None:
    said = {"entity": "CoAct", "field": "acc", "accepted": value}
    item = HeldItemForm.model_validate({"id": "c", "kind": "cell", "attributes": said})
    assert cell_of(item) is not None
    line = {"history": HISTORY, "index": 0, "added": [item.model_dump(mode="json")]}
    assert len(parted(system([line]), "r1")) == 1


def test_an_entity_under_an_old_name_is_still_that_entity() -> None:
    found = one("Pundel", "acc", 74, "r17")
    assert parted(found, "r17") == []
    at = found.beside(index("r17"))
    assert [where for where, _ in at.agreeing] == [cell("a4", "acc")]
    assert parted(one("Pundel", "acc", 1, "r17"), "r17")[0].called == "Pundel"


def test_what_the_truth_does_not_know_and_other_contexts_are_set_apart() -> None:
    found = one("Nobody", "acc", 1).beside(0)
    assert [each.entity for each in found.unplaced] == ["Nobody"]
    assert not one("Nobody", "acc", 1).firsts.get(Kind.EXTRA)
    found = one("CoAct", "acc", 62, "r23", context="2025-Q4").beside(index("r23"))
    assert [each.context for each in found.elsewhere] == ["2025-Q4"]


def test_shown_and_visual_values_are_compared_where_a_system_keeps_them() -> None:
    found = one("a1", "acc", 85.7, "r5", visual=74.3, shown=85.7)
    assert [(each.sheet, each.truth) for each in parted(found, "r5")] == [("shown", 74.3)]


def test_items_that_say_no_cell_are_counted_and_other_kinds_left_alone() -> None:
    items = [
        {"id": "a", "kind": "cell", "attributes": {"entity": "CoAct", "accepted": 1}},
        {"id": "b", "kind": "cell", "attributes": {"field": "acc", "accepted": {"of": 1}}},
        {"id": "c", "kind": "fact", "text": "CoAct has 71"},
    ]
    found = system([{"history": HISTORY, "index": 0, "added": items}])
    assert (found.unreadable, found.has_cells) == (2, False)


def test_rounds_that_a_memory_was_not_handed_are_not_held_against_it() -> None:
    lines = list(held_lines(truth(), history(), accepted))[: index("r9")]
    found = system(lines)
    assert (found.last_round, found.firsts) == ("r8", {})
    assert found.beside(index("r71")).index == index("r8")


CHOICES = st.tuples(
    st.sampled_from(["CoAct", "Munch", "a7", "Quill", "Sable", "Pundel 2", "Tern", "Nobody"]),
    st.sampled_from(["acc", "cost", "Acc.", "track", "rank", "odd"]),
    st.sampled_from([71, 85.7, 84.9, 99.0, 80.5, 64.0, 0.5, "web", 1, None]),
)


@given(st.dictionaries(st.integers(0, 70), st.lists(CHOICES, max_size=4), max_size=12))
def test_the_first_divergences_are_those_of_a_comparison_round_by_round(
    said: dict[int, list[tuple[str, str, HeldValue]]],
) -> None:
    steps = [
        CellStep(
            at,
            tuple(
                HeldCell(f"i{number % 5}", entity, field, {"accepted": value})
                for number, (entity, field, value) in enumerate(cells)
            ),
            (f"i{at % 7}",) if at % 3 == 0 else (),
        )
        for at, cells in sorted(said.items())
    ]
    fields = kept_fields(BOOK.scrubber, steps)
    wanted: dict[Kind, tuple[int, set[Component]]] = {}
    held: dict[str, HeldCell] = {}
    by_index = {step.index: step for step in steps}
    for at in range(71):
        step = by_index.get(at)
        if step is not None:
            held.update({each.item: each for each in step.put})
            for item in step.gone:
                held.pop(item, None)
        names = BOOK.naming.at(BOOK.scrubber.count_at(at))
        for each in beside(BOOK.scrubber, held, at, names, fields).divergences:
            where = wanted.setdefault(each.kind, (at, set()))
            if where[0] == at:
                where[1].add(each.component)
    found = first_divergences(BOOK.scrubber, steps, 70)
    assert {kind: each.index for kind, each in found.items()} == {
        kind: at for kind, (at, _) in wanted.items()
    }
    for kind, each in found.items():
        assert each.component in wanted[kind][1]


# On the command line


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_release(release(), tmp_path / "boards")
    write_run(tmp_path / "hasty", held_lines(truth(), history(), newest_image), "hasty")
    write_run(tmp_path / "careful", held_lines(truth(), history(), accepted), "careful")
    write_run(tmp_path / "silent", iter(()), "silent")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_sets_runs_beside_the_truth(boards: Path, mnemoscope: Mnemoscope) -> None:
    arguments = ("ledger", "boards", HISTORY, "hasty", "careful", "silent")
    code, out, err = mnemoscope(*arguments, "--json")
    assert (code, err) == (0, "")
    hasty, careful, silent = json.loads(out)["runs"]
    first = hasty["first"]
    assert (first["round"], first["name"], first["field"], first["kind"]) == (
        "r5",
        "CoAct",
        "acc",
        "differs",
    )
    assert (first["value"], first["truth"]) == (74.3, 85.7)
    assert first["why"] == [{"cause": "superseded", "round": "r3", "of": None}]
    now = next(each for each in hasty["divergences"] if each["entity"] == "a7")
    assert (now["value"], now["truth"], now["why"][0]["cause"]) == (99.0, 80.5, "withdrawn")
    assert (careful["first"], careful["divergences"]) == (None, [])
    assert careful["agree"] == careful["cells"] > 0
    assert silent == {"run": "silent", "letter": "C", "stored": False}
    code, out, _ = mnemoscope(*arguments)
    assert code == 0
    assert (
        "first divergence: r5 CoAct Acc.: 74.3 %, truth 85.7 % (the superseded value of r3" in out
    )
    assert "B careful: 30 cells, 30 as the truth" in out
    assert "it never parts from the truth" in out
    assert "C silent: what its memory held is not stored" in out


def test_a_run_without_cells_says_so(boards: Path, mnemoscope: Mnemoscope) -> None:
    line = {"history": HISTORY, "index": 0, "added": [{"id": "a", "text": "hello"}]}
    write_run(boards / "notes", iter([line]), "notes")
    code, out, _ = mnemoscope("ledger", "boards", HISTORY, "notes")
    assert code == 0
    assert "A notes: its memory holds no cells" in out


def test_the_first_divergence_is_the_same_in_every_process() -> None:
    """Nothing may follow the order of a set: that of strings differs between processes."""
    script = (
        "from tests.test_divergence import *\n"
        "found = system(held_lines(truth(), history(), newest_image)).firsts\n"
        "print([(kind.value, one.index, str(one.component)) for kind, one in found.items()])\n"
    )
    said = set()
    for seed in ("1", "2", "3"):
        ran = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        said.add(ran.stdout)
    assert len(said) == 1
