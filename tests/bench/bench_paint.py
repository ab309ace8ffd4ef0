"""First paint of ``open`` on a CUE-Mem-sized release with runs ÷ a bare Textual app."""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.terminal import python, time_until

MAKER = Path(__file__).parents[2].parent / "shared" / "tools" / "make_cue_release.py"
BARE = """
from textual.app import App
from textual.widgets import DataTable, Footer, Header

class Bare(App[None]):
    def compose(self):
        yield Header()
        yield DataTable()
        yield Footer()

    def on_mount(self):
        table = self.query_one(DataTable)
        table.add_columns("history", "sessions")
        table.add_row("first-row", "36")

Bare().run()
"""
ROUNDS = 7


def main() -> None:
    """Print the ratio."""
    if not MAKER.exists():
        print("first paint: skipped, ../shared/tools/make_cue_release.py is not here")
        return
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "release"
        subprocess.run(
            [sys.executable, str(MAKER), "--out", str(out), "--runs", "10"],
            check=True,
            capture_output=True,
        )
        entry = "from mnemoscope.tui.cli import main; main()"
        command = python("-c", entry, "open", str(out), str(out / "result_debug"), str(out / "RQ3"))
        bare, first, whole = [], [], []
        for _ in range(ROUNDS):
            bare += time_until(python("-c", BARE), ["first-row"])
            paint, ready = time_until(command, ["opening", "histories"])
            first.append(paint)
            whole.append(ready)
    base = statistics.median(bare)
    print(f"bare Textual app with a table: {base * 1000:.0f} ms")
    for name, times in (("first paint of open", first), ("overview with counts", whole)):
        middle = statistics.median(times)
        print(f"{name}: {middle * 1000:.0f} ms, ratio {middle / base:.2f}")


if __name__ == "__main__":
    main()
