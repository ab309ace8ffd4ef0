"""What the child process does: it plays one clip with the first backend that can."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mnemoscope.core.audio import Capabilities, Clip, Phase, Problem, probe
from mnemoscope.core.audio.decoder import answer
from mnemoscope.tui.audio.backends import Backend, Report, SoundError, make_backend

__all__ = ["Deck", "Emit"]

Emit = Callable[[Mapping[str, Any]], None]
"""Sends an event: a dict with ``event``, ``clip``, the number of the request, and
``control``, the number of the last command about it that was heard."""

_NOTHING = "Nothing here can play this: install mnemoscope[audio], or a player such as mpv."


class Deck:
    """Obeys commands about one clip at a time and says what becomes of it."""

    def __init__(self, emit: Emit, *, make: Callable[[str], Backend] = make_backend) -> None:
        self._emit = emit
        self._make = make
        self._made: dict[str, Backend] = {}
        self._number = 0
        self._controls = 0
        self._clip: Clip | None = None
        self._at = 0.0
        self._order: list[str] = []
        self._refusals: list[tuple[str, SoundError]] = []
        self._backend: Backend | None = None
        self._name = ""
        self._is_told = False

    @property
    def is_busy(self) -> bool:
        """Whether there is something to watch."""
        return self._backend is not None

    def obey(self, command: Mapping[str, Any]) -> None:
        """Carry out a command; one about another clip than the present one is too late."""
        action = command.get("do")
        if action == "load":
            self._load(command)
        elif action == "stop":
            self._leave()
        elif command.get("clip") == self._number and self._backend is not None:
            self._controls = int(command["control"])
            try:
                self._control(str(action), self._backend, command)
            except SoundError as error:
                self._fail(error)

    def watch(self) -> None:
        """Say how far the clip has come."""
        if self._backend is None:
            return
        try:
            report = self._backend.poll()
        except SoundError as error:
            if self._is_told:
                self._fail(error)
            else:
                self._refuse(error)
            return
        if report.phase is Phase.ENDED:
            self._tell_started()
            self._say("ended", position=report.position, reason=report.reason)
            self._leave()
        elif report.phase is Phase.PLAYING:
            self._tell_started()
            self._say("position", position=report.position)

    def _load(self, command: Mapping[str, Any]) -> None:
        self._leave()
        self._number = int(command["clip"])
        self._controls = 0
        self._at = float(command.get("at", 0.0))
        clip = probe(str(command["file"]), decode=answer)
        if isinstance(clip, Problem):
            self._clip = None
            self._say_failed(clip.reason, [])
            return
        self._clip = clip
        self._order = [str(name) for name in command["order"]]
        self._refusals = []
        self._try_next()

    def _try_next(self) -> None:
        """Start the clip with the next backend; say so when there is none left."""
        assert self._clip is not None
        self._is_told = False
        while self._order:
            name = self._order.pop(0)
            try:
                backend = self._made.get(name) or self._make(name)
                self._made[name] = backend
                backend.start(self._clip, self._at if backend.capabilities.seek else 0.0)
            except SoundError as error:
                self._refusals.append((name, error))
                continue
            self._backend, self._name = backend, name
            return
        self._say_failed(self._main_reason(), self._details())

    def _refuse(self, error: SoundError) -> None:
        assert self._backend is not None
        self._refusals.append((self._name, error))
        self._backend.stop()
        self._backend = None
        self._try_next()

    def _main_reason(self) -> str:
        """What was tried and failed says more than what is not installed."""
        errors = [error for _, error in self._refusals]
        failed = [error.reason for error in errors if not error.absent]
        if failed:
            return failed[0]
        return errors[0].reason if len(errors) == 1 else _NOTHING

    def _details(self) -> Sequence[str]:
        return [f"{name}: {error.reason}" for name, error in self._refusals]

    def _control(self, action: str, backend: Backend, command: Mapping[str, Any]) -> None:
        if action == "pause":
            backend.pause()
            self._say("paused", position=backend.poll().position)
        elif action == "play":
            backend.resume()
        elif action == "seek":
            backend.seek(float(command["to"]))
            self._report(backend.poll())

    def _report(self, report: Report) -> None:
        paused = report.phase is Phase.PAUSED
        self._say("paused" if paused else "position", position=report.position)

    def _tell_started(self) -> None:
        if self._is_told or self._backend is None or self._clip is None:
            return
        self._is_told = True
        capabilities: Capabilities = self._backend.capabilities
        self._say(
            "started",
            backend=self._backend.label,
            pause=capabilities.pause,
            seek=capabilities.seek,
            seconds=self._clip.seconds,
            note=self._clip.note,
            details=self._details(),
        )

    def _fail(self, error: SoundError) -> None:
        details = [*self._details(), f"{self._name}: {error.reason}"]
        self._say_failed(error.reason, details)
        self._leave()

    def _say_failed(self, reason: str, details: Sequence[str]) -> None:
        seconds = self._clip.seconds if self._clip else None
        self._say("failed", reason=reason, details=details, seconds=seconds)

    def _leave(self) -> None:
        backend, self._backend = self._backend, None
        if backend is not None:
            backend.stop()

    def _say(self, event: str, **more: Any) -> None:
        self._emit({"event": event, "clip": self._number, "control": self._controls, **more})
