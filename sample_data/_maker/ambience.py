"""Ambience: what can be heard under the speech. Each sound is a function of (rng, samples)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mnemoscope.sample_data._maker.speech import RATE, Wave, noise

Sound = Callable[[np.random.Generator, int], Wave]


def ping(n: int, hz: float, decay: float) -> Wave:
    """A tone that dies away."""
    t = np.arange(n) / RATE
    wave: Wave = np.sin(2 * np.pi * hz * t) * np.exp(-t / decay)
    return wave


def put(wave: Wave, at: float, piece: Wave, gain: float = 1.0) -> None:
    """Add a piece at a time in seconds, cut off at the end."""
    start = int(at * RATE)
    size = min(len(piece), len(wave) - start)
    if size > 0:
        wave[start : start + size] += gain * piece[:size]


def clock(rng: np.random.Generator, n: int) -> Wave:
    """Tick and tock, a little over four in two seconds, and one small metal part."""
    wave = np.zeros(n)
    for i in range(8):
        knock = ping(700, 1500 if i % 2 else 1900, 0.012) + 0.6 * ping(700, 620, 0.02)
        put(wave, 0.1 + 0.42 * i, knock + 0.5 * np.pad(noise(rng, 60, 1500, 3900), (0, 640)))
    put(wave, 1.22, ping(1600, 3300, 0.05), 0.35)
    return wave


def birds(rng: np.random.Generator, n: int) -> Wave:
    """Sparrows: short sweeps between two and four kilohertz."""
    wave = np.zeros(n)
    at = 0.03
    while at < n / RATE:
        long = int(RATE * rng.uniform(0.05, 0.11))
        t = np.arange(long) / RATE
        start = rng.uniform(2300, 3300)
        sweep = start + rng.uniform(-6000, 4500) * t + 260 * np.sin(2 * np.pi * 45 * t)
        chirp = np.sin(2 * np.pi * np.cumsum(sweep) / RATE) * np.hanning(long)
        put(wave, at, chirp, rng.uniform(0.4, 1.0))
        at += rng.uniform(0.06, 0.2)
    return wave


def pour(rng: np.random.Generator, n: int) -> Wave:
    """Hot water into a deep vessel: a rising wash with bubbles."""
    t = np.arange(n) / n
    wave = noise(rng, n, 260, 900) * (1 - 0.5 * t) + 0.7 * noise(rng, n, 800, 1800) * t
    wave *= 0.7 + 0.3 * np.sin(2 * np.pi * 5 * t)
    for _ in range(46):
        tone = rng.uniform(380, 1000)
        put(wave, rng.uniform(0, n / RATE), ping(420, tone, 0.016), rng.uniform(0.2, 0.7))
    return wave


def rain(rng: np.random.Generator, n: int) -> Wave:
    """Steady rain with single drops."""
    wave = 0.55 * noise(rng, n, 900, 3900)
    for _ in range(60):
        drop = noise(rng, 70, 1200, 3900) * np.exp(-np.arange(70) / 14)
        put(wave, rng.uniform(0, n / RATE), drop, rng.uniform(0.2, 0.8))
    return wave


def train(rng: np.random.Generator, n: int) -> Wave:
    """A rumble with the double knock of rail joints."""
    wave = 0.8 * noise(rng, n, 30, 260)
    for i in range(5):
        for dx in (0.0, 0.11):
            knock = ping(900, 210, 0.03) + 0.4 * ping(900, 1150, 0.01)
            put(wave, 0.12 + 0.56 * i + dx, knock)
    return wave


def waves(rng: np.random.Generator, n: int) -> Wave:
    """A wave that comes in and runs out."""
    t = np.arange(n) / RATE
    swell = 0.25 + 0.75 * np.sin(np.pi * ((t / 1.5) % 1)) ** 2
    wash: Wave = noise(rng, n, 120, 2200) * swell
    return wash


def street(rng: np.random.Generator, n: int) -> Wave:
    """A murmur of people and the clink of bowls."""
    t = np.arange(n) / RATE
    wave: Wave = 0.6 * noise(rng, n, 180, 900) * (0.6 + 0.4 * np.sin(2 * np.pi * 3.7 * t))
    for at in (0.3, 0.38, 1.02, 1.6):
        put(wave, at, ping(1200, 2750, 0.035) + 0.6 * ping(1200, 3500, 0.02), 0.8)
    return wave


def hall(rng: np.random.Generator, n: int) -> Wave:
    """The air of a large room and one far door."""
    wave = 0.35 * noise(rng, n, 60, 420)
    boom = ping(5000, 88, 0.16) + 0.4 * np.pad(noise(rng, 900, 100, 900), (0, 4100))
    for i, gain in enumerate((1.0, 0.5, 0.28, 0.15)):
        put(wave, 0.5 + 0.17 * i, boom, gain)
    return wave


def kettle(rng: np.random.Generator, n: int) -> Wave:
    """Steam that grows into a shrill tone."""
    t = np.arange(n) / n
    tone = 1900 + 700 * t + 14 * np.sin(2 * np.pi * 14 * t)
    shrill = np.sin(2 * np.pi * np.cumsum(tone) / RATE)
    wave: Wave = 0.5 * noise(rng, n, 1400, 3900) * (0.4 + 0.6 * t) + 0.8 * shrill * t**2
    return wave


def typewriter(rng: np.random.Generator, n: int) -> Wave:
    """Bursts of type bars, a bell and the carriage."""
    wave = np.zeros(n)
    at, count = 0.05, 0
    while at < n / RATE - 0.1:
        clack = np.pad(noise(rng, 150, 700, 3900) * np.exp(-np.arange(150) / 22), (0, 250))
        put(wave, at, clack + 0.5 * ping(400, 320, 0.012), rng.uniform(0.6, 1.0))
        count += 1
        at += 0.34 if count == 7 else rng.uniform(0.09, 0.15)
    put(wave, 1.0, ping(4200, 2640, 0.16), 0.8)
    for i in range(8):
        tooth = noise(rng, 60, 900, 3600) * np.exp(-np.arange(60) / 12)
        put(wave, 1.12 + 0.022 * i, tooth, 0.5)
    return wave


def stove(rng: np.random.Generator, n: int) -> Wave:
    """A low fire with irregular cracks."""
    wave = 0.25 * noise(rng, n, 40, 320)
    for _ in range(34):
        snap = noise(rng, 90, 900, 3900) * np.exp(-np.arange(90) / rng.uniform(4, 18))
        put(wave, rng.uniform(0, n / RATE), snap, rng.uniform(0.15, 1.0))
    return wave


def pool(rng: np.random.Generator, n: int) -> Wave:
    """Strokes in water and a far voice."""
    t = np.arange(n) / RATE
    stroke = np.clip(np.sin(2 * np.pi * 1.3 * t), 0, 1) ** 2
    wave: Wave = noise(rng, n, 500, 3200) * (0.15 + 0.85 * stroke)
    return wave + 0.15 * np.sin(2 * np.pi * (330 + 40 * np.sin(2 * np.pi * 0.9 * t)) * t)


def garden(rng: np.random.Generator, n: int) -> Wave:
    """Birds at a distance and a breeze in leaves."""
    return 0.5 * birds(rng, n) + 0.35 * noise(rng, n, 500, 2600)


def both(one: Sound, other: Sound) -> Sound:
    """Two sounds at once, the second closer."""
    return lambda rng, n: 0.6 * one(rng, n) + other(rng, n)


SOUNDS: dict[str, Sound] = {
    "birds": birds,
    "clock": clock,
    "garden": garden,
    "hall": hall,
    "kettle": kettle,
    "pool": pool,
    "pour": pour,
    "rain_pour": both(rain, pour),
    "rain_typewriter": both(rain, typewriter),
    "stove": stove,
    "street": street,
    "train": train,
    "typewriter": typewriter,
    "waves": waves,
}
