"""Cells in pixels, and how large a picture becomes in them."""

import os
import sys
from dataclasses import dataclass

__all__ = ["DEFAULT_CELL", "Cell", "Fit", "cell_size", "fit"]


@dataclass(frozen=True, slots=True)
class Cell:
    """The size of a character cell in pixels."""

    width: int
    height: int


DEFAULT_CELL = Cell(10, 20)
"""What is taken for a cell where the terminal does not say; also what sixel was made for."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How large a picture is drawn."""

    columns: int
    rows: int
    width: int
    """Pixels; at most those of the cells."""
    height: int


def cell_size(handle: int | None = None) -> Cell:
    """Return the size of a cell, from the window's size in pixels and in cells (TIOCGWINSZ).

    Args:
        handle: The terminal; by default the one that the app draws on, standard error.
    """
    if sys.platform == "win32":
        return DEFAULT_CELL
    import fcntl
    import struct
    import termios

    try:
        if handle is None:
            handle = 2 if os.isatty(2) else 1
        data = fcntl.ioctl(handle, termios.TIOCGWINSZ, bytes(8))
    except OSError:
        return DEFAULT_CELL
    rows, columns, width, height = struct.unpack("HHHH", data)
    # Many terminals leave the pixels at zero, and some give the size of a cell for the window's.
    if rows < 1 or columns < 1 or width < 2 * columns or height < 4 * rows:
        return DEFAULT_CELL
    return Cell(width // columns, height // rows)


def fit(width: int, height: int, columns: int, rows: int, cell: Cell) -> Fit:
    """Fit a picture into cells, keeping its shape.

    It is enlarged at most until a pixel is as wide as a cell, as half blocks do.

    Args:
        width: The picture's pixels.
        height: The picture's pixels.
        columns: The cells there are in width.
        rows: The cells there are in height.
        cell: The size of a cell.
    """
    if min(width, height, columns, rows) < 1:
        return Fit(0, 0, 0, 0)
    scale = min(columns * cell.width / width, rows * cell.height / height, cell.width)
    wide = min(max(1, round(width * scale)), columns * cell.width)
    high = min(max(1, round(height * scale)), rows * cell.height)
    return Fit(-(-wide // cell.width), -(-high // cell.height), wide, high)
