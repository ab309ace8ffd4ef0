"""Broken copies of published files: they are read for the rest, or refused in one clear line."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.errors import InputError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.model import Release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import open_release, release_readers
from mnemoscope.core.sources import Source
from tests.locomo_data import DATA, broken_copies, leads_somewhere, source_of

LONG = "\x1b[2J\u202e" + "x" * 10_000_000
FILES = {
    "longmemeval": [
        DATA / "longmemeval" / "longmemeval_s_single.json",
        DATA / "longmemeval" / "longmemeval_oracle_sample.json",
        DATA / "longmemeval" / "amb" / "s_queries.json",
    ],
    "personamem": [
        DATA / "personamem" / "amb" / "32k_queries.json",
        DATA / "personamem" / "amb" / "32k_documents.json.gz",
    ],
    "prefeval": [
        DATA / "prefeval" / folder / "travel_hotel.json"
        for folder in (
            "explicit_preference",
            "implicit_preference/choice-based",
            "implicit_preference/persona-driven",
            "mcq_options",
        )
    ],
    "memorybank": [
        DATA / "memorybank" / "memory_bank_en.json",
        DATA / "memorybank" / "memory_bank_cn.json",
    ],
}
CASES = [
    pytest.param(
        name,
        path,
        id=path.relative_to(DATA).as_posix(),
        marks=[pytest.mark.skipif(not path.is_file(), reason=f"the public data is not in {DATA}")],
    )
    for name, paths in FILES.items()
    for path in paths
]


def few(data: Any) -> Any:
    """The beginning of every list and of every object of many keys; texts as they are."""
    if isinstance(data, list):
        return [few(item) for item in data[:2]]
    if isinstance(data, dict):
        items = list(data.items())
        return {key: few(value) for key, value in (items if len(items) < 12 else items[:2])}
    return data


def read(name: str, path: Path, data: Any) -> Release | None:
    """The release of a file that holds a value; None when it is refused in one line."""
    source: Source = source_of(path, data)
    reader = next(one for one in release_readers() if one.name == name)
    try:
        return reader.read(source, ReadOptions())
    except InputError as error:
        assert path.name in str(error)
        assert "\n" not in str(error)
        return None


def longest(data: Any) -> Iterator[tuple[str, Any]]:
    """Copies with one text after another made very long, each key once."""
    seen = set()
    for steps, value in leaves(data):
        key = tuple(step for step in steps if isinstance(step, str))[-1:]
        if isinstance(value, str) and key not in seen:
            seen.add(key)
            broken = copy.deepcopy(data)
            holder = broken
            for step in steps[:-1]:
                holder = holder[step]
            holder[steps[-1]] = LONG
            yield str(steps), broken


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    items: Any = ()
    if isinstance(data, dict):
        items = data.items()
    elif isinstance(data, list):
        items = enumerate(data)
    else:
        yield path, data
    for key, value in items:
        yield from leaves(value, (*path, key))


@pytest.mark.parametrize(("name", "path"), CASES)
def test_wrong_types_and_missing_keys_anywhere_are_defects_with_their_place(
    tmp_path: Path, name: str, path: Path
) -> None:
    data = few(json.loads(read_bytes(path)))
    for what, broken in broken_copies(data):
        release = read(name, tmp_path / path.name, broken)
        for defect in release.defects if release else ():
            if defect.file == path.name:
                assert leads_somewhere(defect, broken), (what, defect)
            assert "\x1b" not in defect.line()


@pytest.mark.parametrize(("name", "path"), CASES)
def test_a_very_long_text_with_escape_codes_anywhere_is_read(
    tmp_path: Path, name: str, path: Path
) -> None:
    data = few(json.loads(read_bytes(path)))
    for what, broken in longest(data):
        release = read(name, tmp_path / path.name, broken)
        for defect in release.defects if release else ():
            assert len(defect.line()) < 12_000, what
            assert "\x1b" not in defect.line(), what


@pytest.mark.parametrize("share", [0.01, 0.5, 0.999])
@pytest.mark.parametrize(("name", "path"), CASES)
def test_a_cut_copy_is_refused_in_one_line_that_names_the_file(
    tmp_path: Path, name: str, path: Path, share: float
) -> None:
    data = path.read_bytes()
    copied = tmp_path / path.name
    copied.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(InputError) as caught:
        open_release(copied)
    assert path.name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(
    not all(path.is_file() for path in FILES["personamem"]),
    reason=f"the public data is not in {DATA}",
)
def test_queries_beside_cut_documents_are_read_without_them(tmp_path: Path) -> None:
    queries, documents = FILES["personamem"]
    (tmp_path / queries.name).write_bytes(queries.read_bytes())
    (tmp_path / documents.name).write_bytes(documents.read_bytes()[:1_000_000])
    release = open_release(tmp_path)
    assert (release.counts["questions"], release.counts["sessions"]) == (589, 0)
    assert [one.code for one in release.defects] == ["unreadable_file"]
