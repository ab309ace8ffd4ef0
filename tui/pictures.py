"""Drawing picture files for pages, off the UI thread, each size of each file once."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from textual.cache import LRUCache
from textual.strip import Strip

from mnemoscope.viewers.halfblock import Picture, Problem, load, render

__all__ = ["PictureDrawer"]


class PictureDrawer:
    """Loads and draws pictures; it may be called from several threads."""

    def __init__(self, background: str) -> None:
        self._background = background
        self._loaded: LRUCache[str, Picture | Problem] = LRUCache(64)
        self._lock = Lock()

    def __call__(self, file: str, columns: int, rows: int) -> Sequence[Strip] | str:
        """The lines of a picture, or why it cannot be drawn."""
        with self._lock:
            loaded = self._loaded.get(file)
        if loaded is None:
            loaded = load(Path(file))
            with self._lock:
                self._loaded[file] = loaded
        if isinstance(loaded, Problem):
            return loaded.reason
        return render(loaded.image, columns, rows, background=self._background)
