"""The bundled sample: an invented release and a generated scenario, each with runs."""

from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path

from mnemoscope.core.opening import OpenRequest

__all__ = ["SAMPLES", "sample_folder", "sample_request"]

SAMPLES = {"cue": ("runs",), "dsv": ("evaluated/dsv-bm25", "trackers")}
"""The releases of the sample, and the runs that are opened with each."""

_KEEP = ExitStack()


def sample_folder() -> Path:
    """The folder of the sample; unpacked for as long as the process lives if it lies in a zip."""
    return _KEEP.enter_context(as_file(files("mnemoscope").joinpath("sample_data")))


def sample_request(name: str = "cue") -> OpenRequest:
    """One of the sample's releases with its runs."""
    folder = sample_folder()
    return OpenRequest(folder / name, tuple(folder / run for run in SAMPLES[name]))
