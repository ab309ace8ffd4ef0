"""Reading a release and checking it ÷ ``json.loads`` of the same bytes.

Both keep what they made until they are done, as a program that opens a release does; the last
figure is against a ``json.loads`` whose values are let go one by one.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mnemoscope.core.releases.cue_mem.reader import CueMemReader
from mnemoscope.core.releases.evermembench.reader import EverMemBenchReader
from mnemoscope.core.releases.h2hmem.reader import H2HMemReader
from mnemoscope.core.releases.locomo.reader import LocomoReader
from mnemoscope.core.releases.longmemeval.reader import LongMemEvalReader
from mnemoscope.core.releases.mem_gallery.reader import MemGalleryReader
from mnemoscope.core.releases.memoryagentbench.reader import MemoryAgentBenchReader
from mnemoscope.core.releases.reader import ReadOptions, ReleaseReader
from mnemoscope.core.sources import Source
from tests.bench.invented import make_group_chats, make_people, make_texts

SHARED = Path(__file__).parents[2].parent / "shared"
GENERATOR = SHARED / "tools" / "make_cue_release.py"
LOCOMO = SHARED / "data" / "locomo" / "locomo10.json"
LONGMEMEVAL = SHARED / "data" / "longmemeval" / "longmemeval_s_single.json"
GALLERY = SHARED / "data" / "mem-gallery"
ROUNDS = 9
_LARGE = 100_000_000
"""Bytes from which three rounds have to do."""
_CUE_MEM: dict[str, tuple[str, ...]] = {
    "base": ("--variants", "base"),
    "all variants": (),
    "20 times, base": ("--scale", "20", "--variants", "base"),
}
"""What the generator of releases of CUE-Mem's size is asked for."""


def _read(reader: ReleaseReader, path: Path) -> object:
    source = Source(path)
    assert reader.recognises(source)
    return reader.read(source, ReadOptions())


def _drop(blobs: list[bytes]) -> None:
    for blob in blobs:
        json.loads(blob)


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    made = work()
    took = (time.perf_counter() - start) * 1000
    del made
    return took


def _measure(name: str, reader: ReleaseReader, path: Path) -> None:
    files = [path] if path.is_file() else sorted(path.rglob("*.json"))
    blobs = [file.read_bytes() for file in files]
    rounds = 3 if sum(map(len, blobs)) > _LARGE else ROUNDS
    reading, keeping, dropping = [], [], []
    for _ in range(rounds):
        # In turn, so that whatever else the machine does slows all of them down.
        reading.append(_milliseconds(lambda: _read(reader, path)))
        keeping.append(_milliseconds(lambda: [json.loads(blob) for blob in blobs]))
        dropping.append(_milliseconds(lambda: _drop(blobs)))
    read, kept, dropped = map(statistics.median, (reading, keeping, dropping))
    size = sum(map(len, blobs)) / 1_000_000
    print(
        f"{name}: {len(files)} files, {size:.1f} MB: read and checked in {read:.0f} ms, "
        f"json.loads {kept:.0f} ms, ratio {read / kept:.2f} ({read / dropped:.2f})"
    )


def main() -> None:
    """Print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        for name, options in _CUE_MEM.items():
            out = Path(folder) / name.replace(" ", "-")
            if not GENERATOR.is_file():
                print(f"CUE-Mem, {name}: left out, {GENERATOR} is not there")
                continue
            command = [sys.executable, str(GENERATOR), "--out", str(out), *options]
            subprocess.run(command, check=True, capture_output=True)
            _measure(f"CUE-Mem, {name}", CueMemReader(), out)
        invented: tuple[tuple[str, ReleaseReader, Callable[[Path], Path]], ...] = (
            ("EverMemBench", EverMemBenchReader(), make_group_chats),
            ("H2HMem", H2HMemReader(), make_people),
            ("MemoryAgentBench", MemoryAgentBenchReader(), make_texts),
        )
        for name, reader, make in invented:
            _measure(f"{name}, invented", reader, make(Path(folder) / name))
    published: tuple[tuple[str, ReleaseReader, Path], ...] = (
        ("LoCoMo", LocomoReader(), LOCOMO),
        ("Mem-Gallery", MemGalleryReader(), GALLERY),
        ("LongMemEval", LongMemEvalReader(), LONGMEMEVAL),
    )
    for name, reader, path in published:
        if path.exists():
            _measure(name, reader, path)
        else:
            print(f"{name}: left out, {path} is not there")


if __name__ == "__main__":
    main()
