"""Make the small scenario of the sample: `python sample_data/make_dsv.py [--out DIR]`.

Writes `dsv/`, a native release by the generation harness. The same bytes come out each time on the
same Pillow; on another one pictures may differ, and with them their names.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from mnemoscope.core.harness.generation import generate
from mnemoscope.core.harness.spec import read_spec

HERE = Path(__file__).resolve().parent
SPEC = HERE / "_maker" / "content" / "dsv.toml"


def make(out: Path) -> None:
    """Write `dsv/` below `out`, replacing what is there."""
    spec, packs = read_spec(SPEC)
    shutil.rmtree(out / "dsv", ignore_errors=True)
    made = generate(spec, packs, out / "dsv", small=True)
    assert not made.defects
    assert not made.missing


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make the sample's scenario again.")
    parser.add_argument("--out", type=Path, default=HERE, help="where to write (default: here)")
    make(parser.parse_args().out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
