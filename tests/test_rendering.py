"""Artifacts: drawn whole, readable and alike every time, and told in words that read back."""

import io
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from mnemoscope.core.harness.drawing.axis import Axis
from mnemoscope.core.harness.drawing.canvas import Canvas, Drawing, Label
from mnemoscope.core.harness.drawing.draw import drawn
from mnemoscope.core.harness.exhibit import Edition, Exhibit, Grid, Shown
from mnemoscope.core.harness.exhibition import exhibit_of, unrelated_exhibit
from mnemoscope.core.harness.front import pareto_front
from mnemoscope.core.harness.lettering import LETTERING
from mnemoscope.core.harness.oracle_text import oracle_text, read_oracle_text
from mnemoscope.core.harness.pack import ArtifactKind
from mnemoscope.core.state.component import (
    ENTITIES,
    Component,
    Layer,
    Part,
    cell,
    cue,
    members,
    order,
    sequence,
    with_contents,
)
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.mutation import CellValue, Mutation, RuleContent
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.transition import Transition
from tests.pack_data import ARTIFACTS, PACKS, beginning, crowded

NOTHING: frozenset[Component] = frozenset()
ROOT = Path(__file__).parent.parent
READABLE = 10.5
"""The least size of letters, in pixels of a picture 1024 wide; numbers in marks are smaller."""
each_artifact = pytest.mark.parametrize(("name", "key"), ARTIFACTS)


def an_exhibit(
    name: str, key: str, layer: Layer | None = None, changed: frozenset[Component] = NOTHING
) -> Exhibit:
    pack = PACKS[name]
    shown = beginning(name).shown if layer is None else layer
    edition = Edition(3, "2026-04-12", changed)
    return exhibit_of(pack, pack.artifact_by_key[key], shown, pack.contexts[0], edition)


def a_drawing(name: str, key: str, exhibit: Exhibit) -> Drawing:
    return drawn(PACKS[name], PACKS[name].artifact_by_key[key], exhibit)


@cache
def first_drawing(name: str, key: str) -> Drawing:
    return a_drawing(name, key, an_exhibit(name, key))


def overlapping(labels: tuple[Label, ...]) -> list[tuple[str, str]]:
    return [
        (one.text, other.text)
        for one, other in combinations(labels, 2)
        if one.left < other.right - 0.5
        and other.left < one.right - 0.5
        and one.top < other.bottom - 0.5
        and other.top < one.bottom - 0.5
    ]


def outside(drawing: Drawing) -> list[str]:
    width, height = drawing.sheet
    return [
        one.text
        for one in drawing.labels
        if one.left < 0 or one.top < 0 or one.right > width or one.bottom > height
    ]


@each_artifact
def test_an_artifact_is_a_png_of_the_size_it_says_and_wide_enough(name: str, key: str) -> None:
    drawing = first_drawing(name, key)
    with Image.open(io.BytesIO(drawing.png)) as picture:
        assert picture.format == "PNG"
        assert picture.size == (drawing.width, drawing.height)
    assert drawing.width == 1.5 * 1024
    assert drawing.height < 2000


@each_artifact
@pytest.mark.parametrize("is_crowded", [False, True])
def test_no_text_is_cut_and_no_two_overlap(name: str, key: str, is_crowded: bool) -> None:
    layer = crowded(PACKS[name], 27) if is_crowded else beginning(name, 2).shown
    drawing = a_drawing(name, key, an_exhibit(name, key, layer))
    assert not outside(drawing)
    is_scatter = PACKS[name].artifact_by_key[key].kind is ArtifactKind.SCATTER
    if not (is_scatter and is_crowded):
        assert not overlapping(drawing.labels)


@each_artifact
def test_every_text_is_large_enough_to_read_at_1024_pixels(name: str, key: str) -> None:
    drawing = first_drawing(name, key)
    assert min(one.size for one in drawing.labels) >= READABLE


def test_a_table_that_is_too_wide_grows_instead_of_being_cut() -> None:
    name, key = "ml_agent_research", "results_table"
    layer = crowded(PACKS[name])
    names = {cell(one, "system_name"): f"{one} " + "long " * 8 for one in members(layer)}
    drawing = a_drawing(name, key, an_exhibit(name, key, with_contents(layer, names.items())))
    assert drawing.width > 1.5 * 1024
    assert not outside(drawing)
    assert not overlapping(drawing.labels)


@each_artifact
def test_the_same_exhibit_has_the_same_bytes(name: str, key: str) -> None:
    assert a_drawing(name, key, an_exhibit(name, key)).png == first_drawing(name, key).png


def test_another_process_draws_the_same_bytes() -> None:
    code = (
        "import hashlib, json\n"
        "from tests.pack_data import ARTIFACTS\n"
        "from tests.test_rendering import a_drawing, an_exhibit\n"
        "found = [a_drawing(*one, an_exhibit(*one)).png for one in ARTIFACTS]\n"
        "print(json.dumps([hashlib.sha256(one).hexdigest() for one in found]))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": ".", "PYTHONSAFEPATH": ""},
        )
        for seed in ("1", "2")
    ]
    assert json.loads(runs[0].stdout) == json.loads(runs[1].stdout)


@each_artifact
def test_every_cell_is_lettered_on_the_artifact(name: str, key: str) -> None:
    exhibit = an_exhibit(name, key)
    lettered = Counter(one.text for one in first_drawing(name, key).labels)
    wanted = Counter(one.text for one in exhibit.cells if one.text)
    group = PACKS[name].artifact_by_key[key].group
    if exhibit.kind is ArtifactKind.BARS and group is not None:
        # The colour of a bar says its group; the legend letters each once.
        wanted -= Counter(
            one.text for one in exhibit.cells if one.where and one.where.field == group
        )
        assert lettered >= Counter(exhibit.groups)
    assert lettered >= wanted


@each_artifact
def test_the_oracle_text_tells_all_that_is_shown_and_reads_back(name: str, key: str) -> None:
    shown = beginning(name).shown
    styled = with_contents(shown, [(cue(members(shown)[1], PACKS[name].fields[0].key), "italic")])
    exhibit = an_exhibit(name, key, styled)
    text = oracle_text(exhibit)
    assert read_oracle_text(text) == exhibit.as_seen
    for one in exhibit.cells:
        assert one.text in text
    names = PACKS[name].state_schema.name_field
    assert names is not None
    for entity in members(shown):
        assert f"| {shown[cell(entity, names.key)]} |" in text
    for note in exhibit.notes:
        assert note.text in text
    assert exhibit.context in text
    assert "italic" in text


@pytest.mark.parametrize("name", list(PACKS))
def test_one_artifact_shows_all_that_a_layer_holds_besides_dependents(name: str) -> None:
    shown = beginning(name).shown
    styled = with_contents(shown, [(cue(members(shown)[0], PACKS[name].fields[1].key), "bold")])
    displayed = [an_exhibit(name, key, styled).displayed for pack, key in ARTIFACTS if pack == name]
    primary = {one for one in styled if one.part is not Part.DEPENDENT}
    assert any(primary <= one for one in displayed)
    for one in displayed:
        assert one <= set(styled)


def test_a_plan_does_not_show_the_order_of_stands_in_different_halls() -> None:
    name = "expo_floor_plan_revision"
    assert order() not in an_exhibit(name, "floor_plan").displayed
    assert order() in an_exhibit(name, "stand_schedule").displayed


texts = st.text(alphabet=st.sampled_from("aB1 |\\:#-\n\rn"), max_size=12)
shown_cells = st.builds(
    Shown,
    texts,
    cue=st.sampled_from(["", "bold", "italic", "bold italic"]),
    changed=st.booleans(),
)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    headings = draw(st.lists(texts, min_size=1, max_size=3))
    row = st.tuples(*(shown_cells for _ in headings))
    rows = draw(st.lists(row, max_size=3))
    return Grid(draw(texts), tuple(headings), tuple(rows))


@given(
    st.builds(
        Exhibit,
        st.none() | st.sampled_from(ArtifactKind),
        texts,
        texts,
        st.integers(0, 99),
        texts,
        st.lists(grids(), max_size=3).map(tuple),
        st.lists(texts.map(Shown), max_size=2).map(tuple),
        st.lists(texts, max_size=3).map(tuple),
    )
)
def test_any_exhibit_reads_back_from_its_oracle_text(exhibit: Exhibit) -> None:
    assert read_oracle_text(oracle_text(exhibit)) == exhibit


@pytest.mark.parametrize(
    "text", ["", "table", "table: a\nb", "table: a\ncontext: \nrevision: 1, \nx"]
)
def test_what_is_no_oracle_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="oracle text"):
        read_oracle_text(text)


@pytest.mark.parametrize("name", list(PACKS))
def test_an_artifact_shows_what_is_shown_and_never_what_is_accepted(name: str) -> None:
    pack, state = PACKS[name], beginning(name)
    entity = members(state.visual)[0]
    field = next(one for one in pack.fields if one.unit and one.role == "value")
    edit = Mutation((CellValue(entity, field.key, delta=1),))
    rule = pack.rules[0]
    change = Mutation(rules=(RuleContent(rule.key, rule.contents[1]),))
    for operator, mutation in (
        (Operator.TEXT_CELL_EDIT, edit),
        (Operator.TEXT_RULE_CHANGE, change),
    ):
        transition = Transition("t1", operator, "r2", mutation)
        after = execute(pack.state_schema, state, transition).after
        for pack_name, key in ARTIFACTS:
            if pack_name == name:
                assert an_exhibit(name, key, after.shown) == an_exhibit(name, key, state.shown)
                assert after.accepted != state.accepted


@pytest.mark.parametrize("name", list(PACKS))
def test_orderings_of_entities_columns_and_groups_are_seen(name: str) -> None:
    pack, shown = PACKS[name], beginning(name).shown
    whole = next(one for one in pack.artifacts if one.kind is ArtifactKind.TABLE)
    before = an_exhibit(name, whole.key)
    for key in (ENTITIES, whole.columns, whole.legend):
        assert key is not None
        turned = with_contents(shown, [(order(key), tuple(reversed(sequence(shown, key))))])
        after = an_exhibit(name, whole.key, turned)
        assert oracle_text(after) != oracle_text(before)
        assert Counter(one.text for one in after.cells) == Counter(one.text for one in before.cells)


def test_changes_are_marked_where_the_pack_says_so_and_nowhere_else() -> None:
    name = "expo_floor_plan_revision"
    entity = members(beginning(name).shown)[0]
    changed = frozenset({cell(entity, "power_load")})
    plan, table = (an_exhibit(name, key, None, changed) for key in ("floor_plan", "stand_schedule"))
    assert [one.where for one in plan.cells if one.changed] == list(changed)
    assert not [one for one in table.cells if one.changed]
    marks = [one for one in a_drawing(name, "floor_plan", plan).labels if one.text == "3"]
    unmarked = a_drawing(name, "floor_plan", an_exhibit(name, "floor_plan")).labels
    assert len(marks) == len([one for one in unmarked if one.text == "3"]) + 1


@each_artifact
@pytest.mark.parametrize("styling", ["bold", "italic"])
def test_styling_is_seen(name: str, key: str, styling: str) -> None:
    shown = beginning(name).shown
    names = PACKS[name].state_schema.name_field
    assert names is not None
    styled = with_contents(shown, [(cue(members(shown)[0], names.key), styling)])
    drawing = a_drawing(name, key, an_exhibit(name, key, styled))
    assert drawing.png != first_drawing(name, key).png


def test_bold_is_heavier_and_italic_leans() -> None:
    ink = {}
    for bold, italic in ((False, False), (True, False), (False, True)):
        canvas = Canvas(200)
        canvas.text((20, 10), "Illill", 30, bold=bold, italic=italic, colour="#000000")
        with Image.open(io.BytesIO(canvas.drawing(60).png)) as picture:
            grey = picture.convert("L")
        box = grey.point(lambda one: 255 - one).getbbox()
        assert box is not None
        ink[bold, italic] = sum(255 - one for one in grey.tobytes()), box[2] - box[0]
    assert ink[True, False][0] > 1.15 * ink[False, False][0]
    assert ink[False, True][1] > ink[False, False][1] + 4
    assert abs(ink[False, True][0] / ink[False, False][0] - 1) < 0.1


@pytest.mark.parametrize("name", list(PACKS))
def test_an_unrelated_picture_names_nothing_of_the_task(name: str) -> None:
    pack = PACKS[name]
    for one in pack.unrelated:
        exhibit = unrelated_exhibit(one, Edition(1, "2026-04-12"))
        drawing = drawn(pack, None, exhibit)
        assert not outside(drawing)
        assert not overlapping(drawing.labels)
        text = oracle_text(exhibit)
        assert read_oracle_text(text) == exhibit
        assert not [entity for entity in pack.names if entity in text]
        assert not exhibit.displayed


def test_a_text_that_the_typeface_lacks_is_refused_before_it_is_drawn_as_boxes() -> None:
    name, key = "ml_agent_research", "cost_pareto"
    exhibit = replace(an_exhibit(name, key), context="Sweep 七")
    with pytest.raises(ValueError, match="the typeface of artifacts has no '七'"):
        a_drawing(name, key, exhibit)


def test_the_typeface_has_every_character_that_packs_may_use() -> None:
    font = ImageFont.load_default(size=40)
    missing = font.getmask("\uffff")
    box = (missing.size, bytes(missing))
    masks = {one: font.getmask(one) for one in LETTERING}
    assert not [one for one, mask in masks.items() if (mask.size, bytes(mask)) == box]
    digits = {font.getlength(one) for one in "0123456789"}
    assert len(digits) == 1


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12),
    st.tuples(st.booleans(), st.booleans()),
)
def test_a_point_is_on_the_front_when_no_other_is_better(
    points: list[tuple[int, int]], lower: tuple[bool, bool]
) -> None:
    def beats(one: tuple[int, int], other: tuple[int, int]) -> bool:
        signed = [
            (-a, -b) if less else (a, b) for a, b, less in zip(one, other, lower, strict=True)
        ]
        return all(a >= b for a, b in signed) and any(a > b for a, b in signed)

    front = pareto_front(points, lower)
    for at, point in enumerate(points):
        assert (at in front) is not any(beats(other, point) for other in points)


def test_a_point_with_a_blank_coordinate_is_on_no_front() -> None:
    assert pareto_front([(1, None), (2, 3)], (True, False)) == [1]


@given(
    st.lists(st.floats(-1e6, 1e6).map(lambda one: round(one, 3)), max_size=8),
    st.integers(3, 10),
    st.booleans(),
)
def test_an_axis_holds_its_values_between_round_ticks(
    values: list[float], most: int, zero: bool
) -> None:
    axis = Axis.over(values, most, zero=zero)
    ticks = [value for value, _ in axis.ticks]
    assert 2 <= len(ticks) <= most + 2
    for value in [*values, *([0.0] if zero else [])]:
        assert ticks[0] - 1e-6 <= value <= ticks[-1] + 1e-6
        assert 9.99 <= axis.place(value, 10, 20) <= 20.01
    assert len({text for _, text in axis.ticks}) == len(ticks)


@each_artifact
@pytest.mark.parametrize("count", [0, 1])
def test_an_artifact_of_hardly_anything_is_drawn(name: str, key: str, count: int) -> None:
    exhibit = an_exhibit(name, key, crowded(PACKS[name], count))
    drawing = a_drawing(name, key, exhibit)
    assert not outside(drawing)
    assert not overlapping(drawing.labels)
    assert read_oracle_text(oracle_text(exhibit)) == exhibit.as_seen


@each_artifact
def test_an_artifact_with_blank_cells_alone_is_drawn(name: str, key: str) -> None:
    layer = crowded(PACKS[name])
    fields = [one.key for one in PACKS[name].state_schema.fields if not one.required]
    blank = [(cell(one, field), None) for one in members(layer) for field in fields]
    drawing = a_drawing(name, key, an_exhibit(name, key, with_contents(layer, blank)))
    assert not outside(drawing)
    assert not overlapping(drawing.labels)
