"""The cyclic garbage collector, where it only costs time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collector_paused"]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector where many objects are made, as when a release is read.

    Reading makes hundreds of thousands of objects, none of them garbage and none in a cycle. Each
    time their number has grown by a quarter the collector would walk through all of them in vain:
    a third of the time that reading takes.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        # Freezing and thawing moves the new objects to the oldest generation. As young ones they
        # would all be walked through as soon as the collector is back.
        gc.freeze()
        gc.unfreeze()
        gc.enable()
