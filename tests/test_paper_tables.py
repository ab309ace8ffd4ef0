"""The printed averages of the CUE-Mem paper, recomputed from its printed task columns."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.analyses.averages import (
    average_over_systems,
    average_tasks,
    ei_gap,
    memory_average,
)
from mnemoscope.core.model import Kind
from mnemoscope.core.releases.cue_mem.questions import TASKS

TABLES = Path(__file__).parents[1].parent / "shared" / "reference" / "paper-tables.json"
SETTINGS = ("explicit", "implicit")
# The printed figures are rounded to one decimal, and come from unrounded ones.
AVERAGE = 0.05 + 1e-9
GAP = 0.1 + 1e-9
CAPTIONS = {
    "cue_mem_table13_image_captions": (Kind.IMAGE, ("brief", "medium", "detailed")),
    "cue_mem_table14_audio_captions": (Kind.AUDIO, ("asr", "hint", "split")),
}

# Any: the tables are JSON.
Row = dict[str, Any]


@pytest.fixture(scope="module")
def tables() -> dict[str, list[Row]]:
    if not TABLES.is_file():
        pytest.skip(f"the paper's tables are not there: {TABLES}")
    read: dict[str, list[Row]] = json.loads(TABLES.read_text(encoding="utf-8"))
    return read


def columns(row: Row) -> list[dict[str, float]]:
    """The accuracies of a row by task: explicit, implicit."""
    return [
        {
            label.task: row[label.task][place]
            for label in TASKS
            if row[label.task][place] is not None
        }
        for place in range(2)
    ]


def captioned(row: Row, variant: str) -> list[dict[str, float]]:
    """The same for one caption variant of a table of variants."""
    found: list[dict[str, float]] = []
    for setting in SETTINGS:
        cells: Mapping[str, Mapping[str, float]] = {
            label.task: row[label.task].get(setting, {}) for label in TASKS
        }
        found.append({task: cell[variant] for task, cell in cells.items() if variant in cell})
    return found


@pytest.mark.parametrize("table", ["cue_mem_table2_textualized", "cue_mem_table3_multimodal_rag"])
def test_memory_average_and_gap_of_every_printed_row_recompute(
    tables: dict[str, list[Row]], table: str
) -> None:
    tasks = average_tasks(TASKS)
    assert len(tables[table]) >= 14
    for row in tables[table]:
        explicit, implicit = columns(row)
        for by_task, printed in zip((explicit, implicit), row["memory_avg"], strict=True):
            mean = memory_average(by_task, tasks)
            assert mean.complete
            assert mean.value == pytest.approx(printed, abs=AVERAGE), row
        assert ei_gap(explicit, implicit, tasks).value == pytest.approx(row["ei_gap"], abs=GAP), row


@pytest.mark.parametrize("table", CAPTIONS)
def test_averages_over_systems_of_the_caption_tables_recompute(
    tables: dict[str, list[Row]], table: str
) -> None:
    *systems, averages = tables[table]
    assert (len(systems), averages["method"]) == (7, "AVG.")
    distances = {}
    for label in TASKS:
        for setting, printed in averages[label.task].items():
            for variant, value in printed.items():
                mean = average_over_systems(row[label.task][setting][variant] for row in systems)
                assert mean is not None
                distances[label.task, setting, variant] = abs(mean - value)
    assert len(distances) == (24 if "13" in table else 21)
    # Rounding of the seven figures and of their mean allows 0.1; two of the 45 need it.
    assert max(distances.values()) <= GAP
    assert sum(distance > AVERAGE for distance in distances.values()) == (2 if "13" in table else 0)


def memory_averages(
    systems: Sequence[Row], variant: str, kind: Kind
) -> tuple[float | None, float | None, float | None]:
    """Explicit and implicit Memory Avg. and EI-Gap, averaged over systems."""
    tasks = average_tasks(TASKS, kind)
    rows = [captioned(row, variant) for row in systems]
    means = [
        average_over_systems(memory_average(row[place], tasks).value or 0.0 for row in rows)
        for place in range(2)
    ]
    gaps = average_over_systems(ei_gap(row[0], row[1], tasks).value or 0.0 for row in rows)
    return means[0], means[1], gaps


@pytest.mark.parametrize(
    ("variant", "implicit", "gap"), [("asr", 40.1, 29.4), ("split", 51.0, 19.4)]
)
def test_the_audio_averages_of_the_text_are_over_long_pattern_and_recommendation(
    tables: dict[str, list[Row]], variant: str, implicit: float, gap: float
) -> None:
    table = "cue_mem_table14_audio_captions"
    found = memory_averages(tables[table][:-1], variant, Kind.AUDIO)
    assert found[1] == pytest.approx(implicit, abs=0.1)
    assert found[2] == pytest.approx(gap, abs=GAP)


@pytest.mark.parametrize("table", CAPTIONS)
def test_the_gap_of_averages_is_the_average_of_gaps(
    tables: dict[str, list[Row]], table: str
) -> None:
    kind, variants = CAPTIONS[table]
    for variant in variants:
        explicit, implicit, gap = memory_averages(tables[table][:-1], variant, kind)
        assert explicit is not None
        assert implicit is not None
        assert gap == pytest.approx(explicit - implicit)


def test_the_audio_subset_has_no_implicit_entity_recall(tables: dict[str, list[Row]]) -> None:
    for row in tables["cue_mem_table14_audio_captions"]:
        _, implicit = captioned(row, "asr")
        assert "entity_recall" not in implicit
        mean = memory_average(implicit, average_tasks(TASKS))
        assert mean.missing == ("entity_recall",)
