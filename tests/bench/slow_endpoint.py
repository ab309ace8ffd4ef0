"""An endpoint that takes its time, in a process of its own."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.fault_server import completion

__all__ = ["SECONDS", "slow_endpoint"]

SECONDS = 0.05
"""How long every answer takes."""

_BODY = completion("B")
_REPLY = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (
    len(_BODY),
    _BODY,
)


class _Endpoint(asyncio.Protocol):
    """As little of a server as answers a client that keeps its connections."""

    def __init__(self) -> None:
        self._read = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, end, body = bytes(self._read).partition(b"\r\n\r\n")
        if not end:
            return
        length = next(
            int(line.partition(b":")[2])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        )
        if len(body) >= length:
            self._read.clear()
            asyncio.get_running_loop().call_later(SECONDS, self._transport.write, _REPLY)


@contextmanager
def slow_endpoint() -> Iterator[str]:
    """The base URL of such an endpoint."""
    command = [sys.executable, "-m", "tests.bench.slow_endpoint"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Endpoint, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    print(f"http://{host}:{port}/v1", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
