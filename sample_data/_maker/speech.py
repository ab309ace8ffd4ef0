"""Speech-like sound: voiced syllables with formants and soft consonants, in no language."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

RATE = 8000
Wave = npt.NDArray[np.float64]

VOWELS = (
    (730, 1090, 2440),
    (270, 2290, 3010),
    (300, 870, 2240),
    (530, 1840, 2480),
    (570, 840, 2410),
)
"""First three formants of five vowels."""


def generator(text: str) -> np.random.Generator:
    """A random generator that depends only on `text`."""
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))


def length(spoken: str) -> int:
    """Samples of a clip: longer sentences sound longer, between 1.5 and 1.7 seconds."""
    weight = sum(2 if ord(c) > 0x2E80 else 0.6 for c in spoken)
    return int(RATE * min(1.7, 1.5 + weight / 400))


def noise(rng: np.random.Generator, n: int, low: float, high: float) -> Wave:
    """Noise between two frequencies, with a peak of about one."""
    spectrum = np.fft.rfft(rng.uniform(-1, 1, n))
    hz = np.fft.rfftfreq(n, 1 / RATE)
    spectrum[(hz < low) | (hz > high)] = 0
    wave: Wave = np.fft.irfft(spectrum, n)
    return wave / max(1e-9, float(np.abs(wave).max()))


def speech(spoken: str, n: int, pitch: float) -> Wave:
    """Babble for a sentence: about five syllables a second and a pause in the middle."""
    rng = generator(spoken)
    wave = np.zeros(n)
    at, count = int(0.08 * RATE), 0
    while at < n - int(0.2 * RATE):
        long = int(RATE * rng.uniform(0.13, 0.22))
        size = min(long, n - at)
        fall = 1.1 - 0.25 * at / n
        wave[at : at + size] += syllable(rng, long, pitch * fall)[:size]
        count += 1
        at += long + int(RATE * (0.24 if count == 5 else rng.uniform(0.01, 0.04)))
    return wave / max(1e-9, float(np.abs(wave).max()))


def syllable(rng: np.random.Generator, n: int, pitch: float) -> Wave:
    """A breathy consonant and a vowel whose pitch bends."""
    t = np.arange(n) / RATE
    bend = pitch * (1 + rng.uniform(-0.12, 0.16) * t / t[-1])
    phase = 2 * np.pi * np.cumsum(bend) / RATE
    formants = VOWELS[int(rng.integers(len(VOWELS)))]
    wave = np.zeros(n)
    for h in range(1, int(3500 / pitch)):
        tone = h * pitch
        gain = sum(
            w / (1 + ((tone - f) / 110) ** 2) for f, w in zip(formants, (1, 0.6, 0.3), strict=True)
        )
        wave += (gain + 0.02) * np.sin(h * phase)
    swell = np.sin(np.pi * np.arange(n) / n) ** 0.7
    wave *= swell
    burst = int(0.03 * RATE)
    wave[:burst] += 0.5 * noise(rng, burst, 1500, 3900) * np.hanning(burst)
    return wave
