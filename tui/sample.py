"""The bundled sample: an invented release with two runs."""

from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path

from mnemoscope.core.opening import OpenRequest

__all__ = ["sample_folder", "sample_request"]

_KEEP = ExitStack()


def sample_folder() -> Path:
    """The folder of the sample; unpacked for as long as the process lives if it lies in a zip."""
    return _KEEP.enter_context(as_file(files("mnemoscope").joinpath("sample_data")))


def sample_request() -> OpenRequest:
    """The sample release with its two runs."""
    folder = sample_folder()
    return OpenRequest(folder / "cue", (folder / "runs",))
