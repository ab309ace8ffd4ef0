"""Files of lines that only grow, and a lock on the folder they are in."""

import errno
import json
import os
import socket
import sys
import threading
import time
from pathlib import Path
from types import TracebackType

from mnemoscope.core.errors import UsageError
from mnemoscope.core.writing import cannot_write

__all__ = ["LineFile", "WriterLock", "is_being_written"]

_TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
_LOOKS = 5

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    _look = _take
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _look(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


class LineFile:
    """A file of JSON lines that is only appended to, from any thread.

    A line is there whole or not at all: a write that fails is taken back, and the half line of a
    writer that was killed is cut off and kept beside the file, under the suffix ``.torn``.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        """Open a file, making it if need be.

        Args:
            path: The file.
            durable: Whether every line is forced to the disk when it is written, so that it
                outlives a power cut, or only when the file is closed.

        Raises:
            InputError: The file system refuses.
        """
        self.path = path
        self._durable = durable
        self._guard = threading.Lock()
        try:
            _mend(path)
            self._file = path.open("ab", buffering=0)
            self._end = path.stat().st_size
        except OSError as error:
            raise cannot_write(path, error) from error

    def append(self, line: bytes) -> None:
        """Write one line, or several at once, newlines included.

        Raises:
            InputError: The file system refuses; the file is as before.
        """
        with self._guard:
            try:
                self._write(line)
            except OSError as error:
                raise cannot_write(self.path, error) from error

    def _write(self, line: bytes) -> None:
        descriptor = self._file.fileno()
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            if self._durable:
                os.fsync(descriptor)
        except BaseException:
            os.ftruncate(descriptor, self._end)
            raise
        self._end += len(line)

    def sync(self) -> None:
        """Force everything to the disk.

        Raises:
            InputError: The file system refuses.
        """
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def close(self) -> None:
        """Force everything to the disk and close the file."""
        if not self._file.closed:
            self.sync()
            self._file.close()


def _mend(path: Path) -> None:
    """Make a file end with a whole line."""
    if not path.exists():
        return
    data = path.read_bytes()
    start = data.rfind(b"\n") + 1
    tail = data[start:]
    if not tail:
        return
    with path.open("r+b") as file:
        if _is_whole(tail):
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        else:
            # Kept before it is cut, so that no moment exists in which it is in neither file.
            with path.with_suffix(".torn").open("ab") as aside:
                aside.write(tail + b"\n")
                aside.flush()
                os.fsync(aside.fileno())
            file.truncate(start)
        file.flush()
        os.fsync(file.fileno())


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


class WriterLock:
    """Makes this process the only writer of a folder.

    The operating system drops the lock when the process ends, however it ends, so a lock is never
    left behind. The file stays: removing it would let two processes lock two files of one name.
    """

    def __init__(self, folder: Path, name: str = ".lock") -> None:
        """Take the lock.

        Args:
            folder: The folder.
            name: The lock's file, where a folder has a writer for each of several files.

        Raises:
            UsageError: Another writer holds it.
            InputError: The file system refuses.
        """
        path = folder / name
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise cannot_write(path, error) from error
        try:
            self._take()
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode())
        except OSError as error:
            holder = _read(path)
            os.close(self._descriptor)
            if error.errno not in _TAKEN:
                raise cannot_write(path, error) from error
            raise UsageError(
                f"{folder}: is being written by {holder or 'another process'}",
                hint="wait for it, or name another folder",
            ) from None

    def _take(self) -> None:
        for _ in range(_LOOKS):
            try:
                return _take(self._descriptor)
            except OSError as error:
                if error.errno not in _TAKEN:
                    raise
            # Somebody who only looks whether it is taken holds it for a moment.
            time.sleep(0.01)
        return _take(self._descriptor)

    def release(self) -> None:
        """Let others write."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> "WriterLock":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def is_being_written(folder: Path, name: str = ".lock") -> bool:
    """Whether a writer holds the lock of a folder now; nothing is written to find out.

    Where the file system keeps no locks, nobody does.
    """
    try:
        descriptor = os.open(folder / name, os.O_RDONLY)
    except OSError:
        return False
    try:
        _look(descriptor)
    except OSError as error:
        return error.errno in _TAKEN
    finally:
        os.close(descriptor)
    return False


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
