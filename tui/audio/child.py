"""The process that plays sound: ``python -m mnemoscope.tui.audio.child``.

It reads commands and writes events as lines of JSON, and ends when its stdin does, which is when
the app has gone, in whatever way.

Commands: ``{"do": "load", "clip": 1, "file": …, "at": 0.0, "order": ["miniaudio", …]}``, and with
the number of the clip they mean ``play``, ``pause`` and ``seek`` (``to``), each with the number of
the ``control``, and ``stop``.
Events, each with ``event``, ``clip`` and ``control``: ``started`` (backend, pause, seek, seconds,
note, details), ``position``, ``paused``, ``ended`` (reason), ``failed`` (reason, details, seconds).
"""

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

from mnemoscope.tui.audio.deck import Deck

_WATCH_SECONDS = 0.1
_GRACE_SECONDS = 1.0

Commands = queue.SimpleQueue[Mapping[str, Any] | None]


def main() -> None:
    """Obey until stdin ends."""
    # Libraries that print on stdout must not print between the events.
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)

    def emit(event: Mapping[str, Any]) -> None:
        out.write(json.dumps(event) + "\n")
        out.flush()

    commands: Commands = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(commands,), daemon=True).start()
    deck = Deck(emit)
    try:
        _work(deck, commands)
    except BrokenPipeError:
        deck.obey({"do": "stop"})
    # Without the interpreter's farewell: threads of sound libraries may hold it up.
    os._exit(0)


def _work(deck: Deck, commands: Commands) -> None:
    while True:
        try:
            command = commands.get(timeout=_WATCH_SECONDS if deck.is_busy else None)
        except queue.Empty:
            deck.watch()
            continue
        if command is None:
            deck.obey({"do": "stop"})
            return
        deck.obey(command)
        deck.watch()


def _listen(commands: Commands) -> None:
    for line in sys.stdin.buffer:
        try:
            command = json.loads(line)
        except ValueError:
            continue
        if isinstance(command, dict):
            commands.put(command)
    commands.put(None)
    # A library that hangs must not keep the process, and with it a sound, alive.
    time.sleep(_GRACE_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
