"""Settling how pictures are drawn before the app starts."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.images.protocol import Choice, Protocol, choose, must_ask
from mnemoscope.tui.images.query import ask

__all__ = ["asking", "may_have_images"]

_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
_MOST_FOLDERS = 2_000


@contextmanager
def asking(
    setting: str, request: OpenRequest | None, *, ascii_only: bool = False
) -> Iterator[Callable[[], Choice]]:
    """Ask the terminal what it can draw, if that matters; the answer is read when it is wanted.

    What is imported between asking and wanting the answer costs nothing. The terminal is asked
    only when there is something to draw: what is opened later, from within the app, is drawn by
    what the environment says.

    Args:
        setting: What the user asked for.
        request: What is going to be opened.
        ascii_only: Whether signs are drawn in ASCII.

    Yields:
        A function that says how pictures are drawn.
    """
    in_doubt = must_ask(setting, os.environ, ascii_only=ascii_only)
    wanted = in_doubt and request is not None and may_have_images(request)
    question = ask(os.environ) if wanted else None

    def settle() -> Choice:
        query = question.answer if question is not None else None
        choice = choose(setting, os.environ, query, ascii_only=ascii_only)
        if choice.protocol is Protocol.KITTY:
            # Pictures are told apart by 24-bit colours. ssh does not pass on that there are such.
            os.environ.setdefault("COLORTERM", "truecolor")
        return choice

    try:
        yield settle
    finally:
        if question is not None:
            question.close()


def may_have_images(request: OpenRequest) -> bool:
    """Whether an image file lies where the pictures of a release are looked for.

    Only names are read, and of a very large tree only a part.
    """
    for root in (request.release, *request.media_roots):
        top = root if root.is_dir() else root.parent
        for seen, (_, _, files) in enumerate(os.walk(top)):
            if any(Path(name).suffix.lower() in _SUFFIXES for name in files):
                return True
            if seen >= _MOST_FOLDERS:
                break
    return False
