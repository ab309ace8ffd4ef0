"""A full scenario of each pack: seconds by stage, and in all with the audit of what was written."""

import time
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from mnemoscope.core.harness.generation import generate
from mnemoscope.core.harness.library import pack_names
from mnemoscope.core.harness.spec import spec_of_pack

__all__ = ["main"]


def main() -> None:
    """Measure and print."""
    for name in pack_names():
        told: list[tuple[float, str]] = []

        def tell(text: str, told: list[tuple[float, str]] = told) -> None:
            told.append((time.perf_counter(), text.rpartition(": ")[2]))

        spec, packs = spec_of_pack(name)
        with TemporaryDirectory() as folder:
            generate(spec, packs, Path(folder) / "out", progress=tell)
        tell("")
        print(f"{name}: {told[-1][0] - told[0][0]:.1f} s")
        for (start, stage), (end, _) in pairwise(told):
            print(f"  {end - start:5.1f} s  {stage}")


if __name__ == "__main__":
    main()
