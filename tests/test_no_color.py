"""With NO_COLOR not one colour code reaches a real terminal, and what matters can still be told."""

import re
from collections.abc import Iterator

import pytest
from rich.cells import cell_len

from tests.terminal import Terminal, running

SGR = re.compile(rb"\x1b\[([0-9;:]*)m")


def attributes(written: bytes) -> set[str]:
    """Every attribute that was asked for; colours of more than one part as their first."""
    found = set()
    for code in SGR.findall(written):
        parts = [part or "0" for part in re.split("[;:]", code.decode())]
        while parts:
            part = parts.pop(0)
            found.add(part)
            if part in ("38", "48", "58"):
                del parts[: 4 if parts[:1] == ["2"] else 2]
    return found


def colours(written: bytes) -> set[str]:
    """Attributes that are colours."""
    return {
        one
        for one in attributes(written)
        if 30 <= int(one) <= 49 or int(one) in (58, 59) or 90 <= int(one) <= 107
    }


def lines(terminal: Terminal) -> list[str]:
    """The screen, line by line. pyte cannot show one where a dialog cuts a wide character."""
    screen = terminal.screen
    return [
        "".join(screen.buffer[y][x].data for x in range(screen.columns)).rstrip()
        for y in range(screen.lines)
    ]


@pytest.fixture(autouse=True)
def screen_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let terminals read their screens so."""
    monkeypatch.setattr(Terminal, "text", property(lambda self: "\n".join(lines(self))))


def reversed_line(terminal: Terminal, text: str) -> bool:
    """Whether the line with a text is drawn in reverse where the text stands."""
    for y, line in enumerate(lines(terminal)):
        if text in line:
            start = cell_len(line[: line.index(text)])
            cells = terminal.screen.buffer[y]
            return all(cells[start + at].reverse for at in range(cell_len(text)))
    raise AssertionError(f"{text!r} is not there:\n{terminal.text}")


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with running("demo", size=(100, 32), env=[("NO_COLOR", "1")]) as terminal:
        terminal.wait_for("118 rows")
        yield terminal


def walk(terminal: Terminal) -> None:
    """Through what has most colours: lists, a filter, pictures, a diff, a dialog, a message."""
    for keys, text in (
        ("L", "59 of 59"),
        ("3", "11 of 59"),
        ("\r", "gold D"),
        ("x", "answer"),
        ("\x1b", "11 of 59"),
        ("H", "D00 of 11"),
        ("}", "D01 of 11"),
        ("/", "find in this history"),
        ("\x1b", "D01 of 11"),
        ("?", "type to narrow"),
        ("\x1b", "D01 of 11"),
        ("C", "McNemar exact p"),
        ("C", "This is it."),
        ("\x10", "Search for commands"),
        ("\x1b", "McNemar exact p"),
        ("\x14", "McNemar exact p"),
    ):
        terminal.press(keys)
        # Escape is only a key by itself when nothing follows it at once.
        terminal.pump(0.4)
        terminal.wait_for(text)


def test_no_colour_code_is_ever_sent(terminal: Terminal) -> None:
    walk(terminal)
    terminal.press("\x11")
    assert terminal.wait_for_end() == 0
    assert colours(terminal.written) == set()
    assert {"1", "2", "7"} <= attributes(terminal.written)


def test_the_cursor_is_reversed_and_states_are_signs_and_words(terminal: Terminal) -> None:
    terminal.press("L")
    terminal.wait_for("59 of 59")
    terminal.press("3")
    terminal.wait_for("11 of 59")
    terminal.pump(0.3)
    first, second = "✗ B           ✓ D", "✗ A           ✓ B"
    assert reversed_line(terminal, first)
    assert not reversed_line(terminal, second)
    terminal.press("j")
    terminal.pump(0.5)
    assert not reversed_line(terminal, first)
    terminal.press("H")
    terminal.wait_for("clue of")


def test_matches_are_underlined_or_reversed_and_the_current_one_has_a_sign(
    terminal: Terminal,
) -> None:
    for keys, text in (
        ("L", "59 of 59"),
        ("/", "59 of 59"),
        ("kettle\r", "2 of 59"),
        ("\r", "gold C"),
        ("/", "find here"),
        ("kettle\r", "match 1 of"),
        ("n", "match 2 of"),
    ):
        terminal.press(keys)
        terminal.pump(0.4)
        terminal.wait_for(text)
    line = next(y for y, text in enumerate(lines(terminal)) if "▶" in text)
    found = lines(terminal)[line]
    cells = terminal.screen.buffer[line]
    start = cell_len(found[: found.index("kettle", found.index("▶"))])
    assert all(cells[start + at].reverse and cells[start + at].bold for at in range(6))
    others = [
        cell
        for y, row in enumerate(lines(terminal))
        for at in range(len(row))
        if y and (cell := terminal.screen.buffer[y][at]).underscore
    ]
    assert "".join(cell.data for cell in others).count("kettle") >= 1


def test_an_empty_no_color_means_nothing() -> None:
    with running("demo", size=(80, 24), env=[("NO_COLOR", "")]) as terminal:
        terminal.wait_for("2 histories")
        assert {"38", "48"} <= colours(terminal.written)


def test_the_ansi_theme_sends_only_the_terminals_own_colours() -> None:
    env = [("TEXTUAL_THEME", "mnemoscope-ansi")]
    with running("demo", size=(100, 32), env=env) as terminal:
        terminal.wait_for("118 rows")
        terminal.press("L")
        terminal.wait_for("unparsed")
        terminal.press("\x11")
        terminal.wait_for_end()
    sent = colours(terminal.written)
    assert {"36", "33"} <= sent  # right and wrong
    assert "2" in attributes(terminal.written)
    # Neither true colours nor bright black, which some schemes make invisible.
    assert not sent & {"38", "48", "90", "100"}
