"""The context that was sent to the backbone, read from the run's own files when asked for."""

from mnemoscope.core.model import Record, Run
from mnemoscope.core.reading import at_path, read_json
from mnemoscope.core.runs.native.reader import RECORDS, read_context

__all__ = ["sent_context"]


def sent_context(run: Run, record: Record) -> str | None:
    """The context as it was sent; None when the run does not store it.

    Contexts are most of a run's bytes, so they are not kept in memory.

    Raises:
        InputError: The file that holds it cannot be read.
        KeyError: The file has changed since it was read, and the context is not there any more.
    """
    if not record.context_place:
        return None
    path = run.root / record.file
    if path.name == RECORDS:
        return read_context(run.root, record)
    value = at_path(read_json(path), record.context_place)
    return value if isinstance(value, str) else str(value)
