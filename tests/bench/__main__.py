"""Every measurement, one after the other: ``python -m tests.bench [NAME …]``."""

import sys
from importlib import import_module

NAMES = (
    "bench_paint",
    "bench_read",
    "bench_list",
    "bench_questions",
    "bench_keys",
    "bench_tags",
    "bench_score",
    "bench_ledger",
    "bench_ledger_keys",
    "bench_run",
    "bench_generate",
)


def main(names: list[str]) -> None:
    """Run the measurements named, or all."""
    for name in names or NAMES:
        print(f"── {name.removeprefix('bench_')}")
        import_module(f"tests.bench.{name}").main()


if __name__ == "__main__":
    main([f"bench_{name}" for name in sys.argv[1:]])
