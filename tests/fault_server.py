"""A chat endpoint on this machine that answers, and fails, as it is told."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Act", "FaultServer", "completion", "serving"]

# Any: bodies are JSON.
Json = dict[str, Any]


def completion(text: str | None, **choice: Any) -> bytes:
    """A chat completion that says something."""
    message = {"role": "assistant", "content": text}
    data = {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "served",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }
    return json.dumps(data).encode()


@dataclass(frozen=True)
class Act:
    """What the server does with one request."""

    body: bytes = b""
    status: int = 200
    headers: Sequence[tuple[str, str]] = ()
    cut: str = ""
    """``length``: fewer bytes than announced; ``chunk``: no last chunk; ``head``: nothing."""
    hold: bool = False
    """Answer only when the server is let go."""

    @classmethod
    def error(cls, status: int, message: str = "no", *, wait: str = "", **more: Any) -> "Act":
        headers = [("retry-after", wait)] if wait else []
        error = {"message": message, "type": "invalid", **more}
        return cls(json.dumps({"error": error}).encode(), status, headers)


Script = Callable[[Json], Act]


@dataclass
class FaultServer:
    """What the server was asked, and how it answers."""

    script: Script
    url: str = ""
    asked: list[Json] = field(default_factory=list)
    """Bodies of the requests, in the order in which they came."""
    keys: list[str] = field(default_factory=list)
    """What each request was authorised with."""
    most_at_once: int = 0
    let_go: threading.Event = field(default_factory=threading.Event)
    _now: int = 0
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def act(self, body: Json, key: str) -> Act:
        with self._guard:
            self.asked.append(body)
            self.keys.append(key)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        return self.script(body)

    def done(self) -> None:
        with self._guard:
            self._now -= 1


@contextmanager
def serving(*acts: Act | Script) -> Iterator[FaultServer]:
    """A server that does one act after the other, the last one from then on."""
    (*first, last) = acts
    left = iter(first)

    def script(body: Json) -> Act:
        one = next(left, last)
        return one if isinstance(one, Act) else one(body)

    server = FaultServer(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Every keep-alive exchange takes 40 ms longer with it.
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            body = json.loads(self.rfile.read(length))
            key = self.headers.get("authorization", "").removeprefix("Bearer ")
            act = server.act(body, key)
            try:
                if act.hold:
                    server.let_go.wait(30)
                self._play(act)
            except OSError:  # the client has gone
                self.close_connection = True
            finally:
                server.done()

        def _play(self, act: Act) -> None:
            if act.cut == "head":
                self.close_connection = True
                return
            self.send_response(act.status)
            self.send_header("content-type", "application/json")
            for name, value in act.headers:
                self.send_header(name, value)
            if act.cut == "chunk":
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                half = act.body[: len(act.body) // 2]
                self.wfile.write(b"%x\r\n%b\r\n" % (len(half), half))
                self.close_connection = True
                return
            self.send_header("content-length", str(len(act.body)))
            self.end_headers()
            if act.cut == "length":
                self.wfile.write(act.body[: len(act.body) // 2])
                self.close_connection = True
                return
            self.wfile.write(act.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.let_go.set()
        http.shutdown()
        http.server_close()
        thread.join()
