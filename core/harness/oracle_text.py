"""Oracle text: everything that an artifact shows, in words, and reading it back.

For the evaluator only, and for systems that are given oracle text in place of images.
"""

import re
from collections.abc import Iterator, Sequence

from mnemoscope.core.harness.exhibit import Exhibit, Grid, Shown
from mnemoscope.core.harness.pack import ArtifactKind

__all__ = ["oracle_text", "read_oracle_text"]

_HEAD = re.compile(r"(?P<kind>\w+): (?P<title>.*)")
_PICTURE = "picture"
_CELL = re.compile(r"((?:[^|\\]|\\.)*)\|")
_STYLE = re.compile(r"row (\d+), (\d+): (.+)")


def oracle_text(exhibit: Exhibit) -> str:
    """An exhibit as text; :func:`read_oracle_text` gives the exhibit as seen back."""
    return "\n".join(_lines(exhibit)) + "\n"


def _lines(exhibit: Exhibit) -> Iterator[str]:
    yield f"{exhibit.kind or _PICTURE}: {_escaped(exhibit.title)}"
    yield f"context: {_escaped(exhibit.context)}"
    yield f"revision: {exhibit.revision}, {_escaped(exhibit.date)}"
    if exhibit.groups:
        yield f"groups: {_row(exhibit.groups)}"
    for grid in exhibit.grids:
        yield ""
        yield f"## {_escaped(grid.title)}"
        yield _row(grid.headings)
        for row in grid.rows:
            yield _row([one.text for one in row])
        for at, row in enumerate(grid.rows, 1):
            for nth, one in enumerate(row, 1):
                marks = [one.cue] if one.cue else []
                marks += ["changed"] if one.changed else []
                if marks:
                    yield f"row {at}, {nth}: {', '.join(marks)}"
    if exhibit.notes:
        yield ""
        yield from (f"note: {_escaped(one.text)}" for one in exhibit.notes)


def _row(texts: Sequence[str]) -> str:
    return "|" + "".join(f" {_escaped(one)} |" for one in texts)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n").replace("\r", "\\r")


_PLAIN = {"n": "\n", "r": "\r"}


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _PLAIN.get(found[1], found[1]), text)


def read_oracle_text(text: str) -> Exhibit:
    """The exhibit that a text tells of, as seen.

    Raises:
        ValueError: It is no oracle text.
    """
    lines = text.split("\n")
    head = _HEAD.fullmatch(lines[0])
    if head is None or len(lines) < 4:
        raise ValueError(f"no oracle text: {lines[0]!r}")
    context = lines[1].removeprefix("context: ")
    revision, _, date = lines[2].removeprefix("revision: ").partition(", ")
    grids: list[Grid] = []
    groups: list[str] = []
    notes: list[Shown] = []
    for line in lines[3:]:
        if line.startswith("## "):
            grids.append(Grid(_plain(line[3:]), (), ()))
        elif line.startswith("groups: |"):
            groups = _cells(line.removeprefix("groups: "))
        elif line.startswith("|"):
            grids[-1] = _with_row(grids[-1], _cells(line))
        elif style := _STYLE.fullmatch(line):
            grids[-1] = _styled(grids[-1], int(style[1]) - 1, int(style[2]) - 1, style[3])
        elif line.startswith("note: "):
            notes.append(Shown(_plain(line[6:])))
        elif line:
            raise ValueError(f"no line of an oracle text: {line!r}")
    kind = None if head["kind"] == _PICTURE else ArtifactKind(head["kind"])
    title = _plain(head["title"])
    made = int(revision), _plain(date)
    return Exhibit(kind, title, _plain(context), *made, tuple(grids), tuple(notes), tuple(groups))


def _cells(line: str) -> list[str]:
    return [_plain(one[1:-1]) for one in _CELL.findall(line[1:])]


def _with_row(grid: Grid, texts: Sequence[str]) -> Grid:
    if not grid.headings:
        return Grid(grid.title, tuple(texts), ())
    return Grid(grid.title, grid.headings, (*grid.rows, tuple(map(Shown, texts))))


def _styled(grid: Grid, row: int, column: int, marks: str) -> Grid:
    words = marks.split(", ")
    cue = next((one for one in words if one != "changed"), "")
    rows = [list(one) for one in grid.rows]
    rows[row][column] = Shown(rows[row][column].text, cue=cue, changed="changed" in words)
    return Grid(grid.title, grid.headings, tuple(map(tuple, rows)))
