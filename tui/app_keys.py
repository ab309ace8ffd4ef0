"""The part of the app that takes keys one after the other, however fast they come."""

from collections import deque
from typing import Any

from textual.events import Event, Key, Paste
from textual.message import Message
from textual.screen import Screen

from mnemoscope.viewers.themes import ThemedApp

__all__ = ["KeysApp"]

_SECONDS_AT_MOST = 0.5
"""How long a key is waited for that has got lost with the widget it went to."""
_SECONDS_BETWEEN_LOOKS = 0.01


class KeysApp(ThemedApp[None]):
    """An app in which each key finds what the key before it has led to.

    Keys that come in one piece, as over a slow line, would otherwise all go to what has the focus
    when the first of them comes: what is typed after a key that opens a line to type in would be
    taken for actions.
    """

    class KeyHandled(Message):
        """Takes the way that a key has taken, behind it."""

        def __init__(self, key: Key | Paste) -> None:
            super().__init__()
            self.key = key

    def __init__(self) -> None:
        super().__init__()
        self._waiting_keys: deque[Key | Paste] = deque()
        self._key_at_work: Key | Paste | None = None
        self._ready_screen: Screen[Any] | None = None

    async def on_event(self, event: Event) -> None:
        """Let a key wait for the one before it."""
        if not isinstance(event, Key | Paste):
            await super().on_event(event)
        elif event.is_forwarded:
            # It has come back from what had the focus, and does now what it does.
            await super().on_event(event)
            self._key_handled(event)
        else:
            self._waiting_keys.append(event)
            if self._key_at_work is None:
                await self._take_key()
            else:
                late = self._key_at_work
                self.set_timer(_SECONDS_AT_MOST, lambda: self._key_handled(late))

    async def _take_key(self) -> None:
        key = self._waiting_keys.popleft()
        self._key_at_work = key
        target = self.focused or self.screen
        await super().on_event(key)
        if not (key.is_forwarded and target.post_message(self.KeyHandled(key))):
            self._key_handled(key)

    def on_keys_app_key_handled(self, message: KeyHandled) -> None:
        self._key_handled(message.key)

    def _key_handled(self, key: Key | Paste) -> None:
        if key is self._key_at_work:
            # Behind what the key has put off, such as moving the focus.
            self.call_later(self._go_on, key)

    async def _go_on(self, key: Key | Paste) -> None:
        """Take the next key once a screen that the last one has led to is there."""
        if key is not self._key_at_work:
            return
        screen = self.screen
        if self.is_running and not screen.is_mounted:
            self.set_timer(_SECONDS_BETWEEN_LOOKS, lambda: self._key_handled(key))
        elif screen is not self._ready_screen:
            # What gets the focus there first is settled behind this.
            self._ready_screen = screen
            self._key_handled(key)
        else:
            self._key_at_work = None
            if self._waiting_keys:
                await self._take_key()
