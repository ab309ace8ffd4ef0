"""A player that the app can hold: it never blocks, writes nothing, and says what it is doing."""

import atexit
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mnemoscope.core.audio import Capabilities, Phase, Playback
from mnemoscope.tui.audio.backends import (
    SETTING_VARIABLE,
    SoundError,
    chosen_setting,
    order_of,
)
from mnemoscope.tui.audio.process import AudioProcess

__all__ = ["STEP", "Player"]

STEP = 5.0
"""Seconds that a step forward or back goes."""

OnChange = Callable[[Playback], None]
StartProcess = Callable[
    [Callable[[Mapping[str, Any]], None], Callable[[str], None]],
    AudioProcess,
]

_REMOTE = "You are connected by SSH: the sound comes out of the other machine."


class Player:
    """Plays one clip at a time in a child process, which is started when it is first needed."""

    def __init__(
        self,
        on_change: OnChange | None = None,
        *,
        setting: str = "",
        start_process: StartProcess = AudioProcess,
    ) -> None:
        """Make a player.

        Args:
            on_change: Takes the state after each change, several times a second while something
                plays. It is called from other threads too: post a message from it, no more.
            setting: ``auto``, ``miniaudio``, ``simpleaudio``, ``system`` or ``off``; the
                environment's ``MNEMOSCOPE_AUDIO`` comes before it.
            start_process: Starts the child.
        """
        self._on_change = on_change
        self._setting = setting
        self._start_process = start_process
        self._process: AudioProcess | None = None
        self._number = 0
        self._controls = 0
        self._state = Playback()
        self._lock = threading.RLock()

    @property
    def state(self) -> Playback:
        """What it is doing now."""
        return self._state

    @property
    def log(self) -> Sequence[str]:
        """What sound libraries wrote lately, for a report; the screen never gets it."""
        return self._process.log if self._process else ()

    @property
    def child_pid(self) -> int | None:
        """The process id of the child, when there is one."""
        return self._process.pid if self._process else None

    # What a person does

    def play(self, file: Path | str, *, seconds: float | None = None, at: float = 0.0) -> None:
        """Play a clip; whatever plays stops.

        Args:
            file: Its file.
            seconds: Its length, when known already; until it has started nobody else says it.
            at: Where to begin, in seconds.
        """
        with self._lock:
            self._number += 1
            self._controls = 0
            state = Playback(Phase.STARTING, str(file), position=at, seconds=seconds)
            try:
                order = order_of(chosen_setting(self._setting))
            except SoundError as error:
                self._refuse(state, error.reason)
                return
            if not order:
                how = SETTING_VARIABLE if os.environ.get(SETTING_VARIABLE) else "audio setting"
                self._refuse(state, f"Sound is switched off ({how}: off).")
                return
            self._tell(state)
            path = str(Path(file).absolute())
            self._send({"do": "load", "file": path, "at": at, "order": list(order)})

    def toggle(self) -> None:
        """Pause or go on; stop what cannot be paused; play again what has ended."""
        with self._lock:
            state = self._state
            if state.phase is Phase.PAUSED:
                self._control("play", replace(state, phase=Phase.PLAYING))
            elif state.phase is Phase.PLAYING and state.capabilities.pause:
                self._control("pause", replace(state, phase=Phase.PAUSED))
            elif state.is_active:
                self._halt()
            elif state.file:
                self.play(state.file, seconds=state.seconds)

    def seek(self, by: float) -> bool:
        """Go forward, or back, by so many seconds; after the end it plays the end again.

        Returns:
            Whether that is possible with what plays and what it plays with.
        """
        with self._lock:
            state = self._state
            if not state.capabilities.seek or state.seconds is None:
                return False
            to = min(max(0.0, state.position + by), state.seconds)
            if state.phase is Phase.ENDED:
                if by < 0:
                    self.play(state.file, seconds=state.seconds, at=to)
                return by < 0
            if state.phase not in (Phase.PLAYING, Phase.PAUSED):
                return False
            self._control("seek", replace(state, position=to), to=to)
            return True

    def restart(self) -> None:
        """Play the clip from its start."""
        with self._lock:
            if self._state.file:
                self.play(self._state.file, seconds=self._state.seconds)

    def stop(self) -> None:
        """Be silent and forget the clip, as when its place is left."""
        with self._lock:
            if self._state.phase is not Phase.IDLE or self._state.file:
                self._halt(forget=True)

    def close(self) -> None:
        """End the child process; a later ``play`` starts another."""
        with self._lock:
            process, self._process = self._process, None
            self._number += 1
            self._state = Playback()
        atexit.unregister(self.close)
        if process is not None:
            process.close()

    # What becomes of it

    def _halt(self, *, forget: bool = False) -> None:
        self._number += 1
        if self._process is not None and self._process.is_alive:
            self._process.send({"do": "stop"})
        state = self._state
        kept = Playback(file=state.file, seconds=state.seconds, note=state.note)
        self._tell(Playback() if forget else kept)

    def _control(self, action: str, expected: Playback, **more: float) -> None:
        """Have the child do something, and show at once what will come of it.

        The next key then goes from there, even when it comes before the child has answered.
        """
        self._controls += 1
        self._send({"do": action, "control": self._controls, **more})
        self._tell(expected)

    def _send(self, command: Mapping[str, Any]) -> None:
        process = self._process
        if process is None or not process.is_alive:
            process = self._process = self._start_process(self._hear, self._mourn)
            atexit.register(self.close)
        process.send({**command, "clip": self._number})

    def _refuse(self, state: Playback, reason: str) -> None:
        if self._process is not None and self._process.is_alive:
            self._process.send({"do": "stop"})
        self._tell(replace(state, phase=Phase.FAILED, reason=reason))

    def _tell(self, state: Playback) -> None:
        self._state = state
        if self._on_change is not None:
            self._on_change(state)

    def _hear(self, event: Mapping[str, Any]) -> None:
        with self._lock:
            if event.get("clip") != self._number:
                return
            # What it did before it heard of the last command is past.
            is_late = event.get("control") != self._controls
            if is_late and event.get("event") in ("position", "paused"):
                return
            state = _after(self._state, event)
            if state != self._state:
                self._tell(state)

    def _mourn(self, reason: str) -> None:
        with self._lock:
            if self._state.is_active:
                self._number += 1
                self._tell(replace(self._state, phase=Phase.FAILED, reason=reason))


def _after(state: Playback, event: Mapping[str, Any]) -> Playback:
    """The state after an event of the child."""
    position = float(event.get("position", state.position))
    match event["event"]:
        case "started":
            notes = [event["note"], _REMOTE if _is_remote() else ""]
            return replace(
                state,
                phase=Phase.PLAYING,
                seconds=event["seconds"],
                capabilities=Capabilities(event["pause"], event["seek"]),
                backend=event["backend"],
                note=" ".join(filter(None, notes)),
                details=tuple(event["details"]),
            )
        case "position":
            return replace(state, phase=Phase.PLAYING, position=position)
        case "paused":
            return replace(state, phase=Phase.PAUSED, position=position)
        case "ended":
            return replace(state, phase=Phase.ENDED, position=position, reason=event["reason"])
        case "failed":
            return replace(
                state,
                phase=Phase.FAILED,
                seconds=event["seconds"] or state.seconds,
                reason=event["reason"],
                details=tuple(event["details"]),
            )
    return state


def _is_remote() -> bool:
    """Whether the sound would come out of a machine that the listener does not sit at."""
    return bool(os.environ.get("SSH_CONNECTION")) and not os.environ.get("PULSE_SERVER")
