"""A clip: speech and ambience mixed into a small wave file."""

from __future__ import annotations

import io
import wave

import numpy as np

from mnemoscope.sample_data._maker.ambience import SOUNDS
from mnemoscope.sample_data._maker.speech import RATE, generator, length, speech

PITCH = (215.0, 178.0)
"""Speaking pitch of each user."""

SPEECH_LEVEL, AMBIENCE_LEVEL = 0.16, 0.085
"""Root mean square of the two parts: the ambience stays well audible between words."""


def record(number: int, spoken: str, sound: str) -> bytes:
    """The wave bytes of a user saying something with a sound in the background."""
    n = length(spoken)
    voice = speech(spoken, n, PITCH[number])
    under = SOUNDS[sound](generator(f"{sound}|{spoken}"), n)
    mixed = SPEECH_LEVEL * voice / _rms(voice) + AMBIENCE_LEVEL * under / _rms(under)
    edge = np.minimum(1, np.minimum(np.arange(n), np.arange(n)[::-1]) / (0.03 * RATE))
    samples = np.round(np.tanh(mixed) * edge * 30000).astype("<i2")
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return buffer.getvalue()


def _rms(samples: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    return max(1e-9, float(np.sqrt(np.mean(samples**2))))
