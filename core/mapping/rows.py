"""The rows of a file by a map, whatever kind of file it is."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.errors import ReadError
from mnemoscope.core.mapping.paths import MISSING, Row, rows_at, value_at
from mnemoscope.core.mapping.schema import MapFile
from mnemoscope.core.reading import json_lines, step
from mnemoscope.core.sources import SourceFile
from mnemoscope.core.tables import is_table, read_table

__all__ = ["mapped_paths", "read_rows"]

_COLUMNS_SHOWN = 12
_NOT_PATHS = frozenset(
    ("gold_separator", "options_separator", "evidence_separator", "separator", "grain", "rule")
)


def mapped_paths(form: MapFile) -> dict[str, str]:
    """Every column that a map names, by the key of the map that names it."""
    found: dict[str, str] = {}
    parts: tuple[tuple[str, BaseModel | None], ...] = (
        ("question", form.question),
        ("answer", form.answer),
        ("verdict", form.verdict),
        ("retrieved", form.retrieved),
    )
    for part, fields in parts:
        for key, value in vars(fields).items() if fields else ():
            if isinstance(value, str) and value and key not in _NOT_PATHS:
                found[f"{part}.{key}"] = value
    for key in ("name", "system", "backbone", "repeat"):
        value = getattr(form.run, key)
        if isinstance(value, str):
            found[f"run.{key}"] = value
    for part, columns in (
        ("metrics", form.metrics),
        ("usage", form.usage),
        ("question.labels", form.question.labels),
        ("question.options", form.question.options),
    ):
        if isinstance(columns, dict):
            found |= {f"{part}.{key}": value for key, value in columns.items()}
    return found


def read_rows(file: SourceFile, form: MapFile, log: DefectLog, *, alone: bool) -> list[Row] | None:
    """The rows of a file; None when it holds none where the map says.

    Args:
        file: The file.
        form: The map.
        log: Where defects of rows are recorded.
        alone: Whether a file that has no column of the map is an error; otherwise it has no rows.

    Rows that are no objects, and lines of a table with too few or too many cells, are recorded as
    errors and left out.

    Raises:
        ReadError: A column that the map names is in no row.
        InputError: The file cannot be read.
    """
    is_cells = is_table(file.path)
    rows = list(_table_rows(file, form, log) if is_cells else _json_rows(file, form, log))
    paths = mapped_paths(form)
    absent = [
        key for key, path in paths.items() if all(value_at(row, path) is MISSING for row in rows)
    ]
    if not rows and log.items:
        first = log.items[0]
        raise ReadError(file.path, first.path, first.found, first.expected)
    if not rows or (len(absent) == len(paths) and not alone):
        return None
    if absent:
        key = absent[0]
        columns = ", ".join(map(repr, list(rows[0].data)[:_COLUMNS_SHOWN]))
        more = ", …" if len(rows[0].data) > _COLUMNS_SHOWN else ""
        where = "line 1" if is_cells else form.rows
        expected = f"{paths[key]!r}, which the map names as {key}"
        found = f"columns {columns}{more}"
        raise ReadError(file.path, where, found, expected, hint=_where_rows_are(rows))
    return rows


def _where_rows_are(rows: list[Row]) -> str:
    """What the map may lack where the only row is an object around the rows; else empty."""
    data = rows[0].data
    listed = [
        key
        for key, value in data.items()
        if type(value) is list and value and type(value[0]) is dict
    ]
    if len(rows) > 1 or rows[0].place != "$" or len(listed) != 1:
        return ""
    rows_at_key = f"rows = '{step('$', listed[0])}[*]'"
    return f"if the rows are those at {listed[0]!r}, say so at the top of the map: {rows_at_key}"


def _table_rows(file: SourceFile, form: MapFile, log: DefectLog) -> Iterator[Row]:
    encoding = "utf-8-sig" if form.encoding == "utf-8" else form.encoding
    table = read_table(file.path, delimiter=form.delimiter, encoding=encoding)
    for index, (line, cells) in enumerate(table.rows):
        if len(cells) != len(table.columns):
            expected = f"{len(table.columns)}, as there are column names"
            log.error("row_width", f"line {line}", Described(f"{len(cells)} cells"), expected)
            continue
        data = dict(zip(table.columns, cells, strict=True))
        yield Row(data, f"$[{index}]", line, is_cells=True)


def _json_rows(file: SourceFile, form: MapFile, log: DefectLog) -> Iterator[Row]:
    if not file.is_lines:
        yield from _objects(rows_at(file.data, form.rows), log)
        return
    for place, value in json_lines(file.path, log, may_be_torn=True):
        line = int(place[2:-1]) + 1
        for item, row in rows_at(value, form.rows):
            shown = f"{place}{row.place.removeprefix('$')}"
            if type(item) is not dict:
                log.error("wrong_type", f"line {line} {shown}", item, "an object")
                continue
            yield Row(row.data, shown, line, row.above, keys=row.keys)


def _objects(found: Iterator[tuple[Any, Row]], log: DefectLog) -> Iterator[Row]:
    for item, row in found:
        if type(item) is dict:
            yield row
        else:
            log.error("wrong_type", row.place, item, "an object")
