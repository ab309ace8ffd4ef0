"""Asking an OpenAI-compatible endpoint, patiently.

Whatever goes wrong comes back as a ``Failure``. The libraries (extra ``llm``) are imported when an
endpoint is first opened.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from mnemoscope.core.backbones.bodies import read_completion, read_vectors
from mnemoscope.core.backbones.objections import TURNS, objection, takes_no_media
from mnemoscope.core.backbones.replies import Embedded, Failure, FailureKind, Reply
from mnemoscope.core.backbones.request import (
    PAPER,
    Message,
    Parameters,
    Request,
)
from mnemoscope.core.backbones.settings import EndpointSettings
from mnemoscope.core.errors import UsageError
from mnemoscope.core.text import one_line

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI
    from tenacity import RetryCallState

__all__ = ["PATIENCE", "Endpoint", "Patience"]

_LONGEST_MESSAGE = 300
_NO_KEY = "none"
"""What endpoints without keys are sent: the library insists on one."""
_TOO_LONG = (
    "context length",
    "context_length",
    "maximum context",
    "too many tokens",
    "too long",
    "context size",
)
_QUOTA = ("insufficient_quota", "billing_hard_limit_reached")
_OF_STATUS = {
    401: FailureKind.UNAUTHORISED,
    403: FailureKind.UNAUTHORISED,
    404: FailureKind.NOT_FOUND,
    408: FailureKind.TIMEOUT,
    409: FailureKind.SERVER,
    425: FailureKind.SERVER,
    429: FailureKind.RATE_LIMITED,
}


R = TypeVar("R", Reply, Embedded)


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to wait: ``first`` seconds, then twice as long each time."""

    attempts: int = 5
    first: float = 1.0
    longest: float = 60.0
    """The longest wait in seconds, also where the endpoint asks for more."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """What waits; tests put a clock of their own here."""

    def wait(self, attempt: int, asked: float) -> float:
        """Seconds to wait after an attempt (counted from 1), at least what the endpoint asks."""
        return min(self.longest, max(asked, self.first * 2.0 ** (attempt - 1)))


PATIENCE = Patience()
"""CUE-Mem's: five attempts, waiting from one second on."""


class Endpoint:
    """An endpoint that is open for asking: ``async with Endpoint(settings) as endpoint``."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        parameters: Parameters = PAPER,
        patience: Patience = PATIENCE,
    ) -> None:
        """Get ready; nothing is sent yet.

        Args:
            settings: URL, key and timeout.
            parameters: How models are to answer.
            patience: When to give up.

        Raises:
            UsageError: The extra ``llm`` is not installed.
        """
        self._settings = settings
        self._parameters = parameters
        self._patience = patience
        self._client = _client(settings)

    async def __aenter__(self) -> "Endpoint":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._client.close()

    async def complete(
        self, model: str, messages: Sequence[Message], parameters: Parameters | None = None
    ) -> Reply | Failure:
        """Ask a model, again and again while that may help.

        Args:
            model: The model's name at the endpoint.
            messages: What it is told, in the API's own form; content may be text, images, audio.
            parameters: How it is to answer, where that differs from the endpoint's own.
        """
        request = Request(model, messages, parameters or self._parameters)

        async def attempt() -> Reply | Failure:
            return await self._attempt(request)

        result, attempts = await self._patiently(attempt)
        return replace(result, attempts=attempts)

    async def embed(self, model: str, texts: Sequence[str]) -> Embedded | Failure:
        """Ask a model for the vectors of some texts, again and again while that may help.

        Args:
            model: The model's name at the endpoint.
            texts: What it is given together; none of them is empty.
        """

        async def attempt() -> Embedded | Failure:
            # base64, the library's default, is not known everywhere.
            body = {"model": model, "input": list(texts), "encoding_format": "float"}
            text, _ = await self._exchange("/embeddings", body, has_media=False)
            return text if isinstance(text, Failure) else read_vectors(text, len(texts), self._said)

        result, attempts = await self._patiently(attempt)
        return replace(result, attempts=attempts)

    async def _patiently(
        self, attempt: Callable[[], Awaitable[R | Failure]]
    ) -> tuple[R | Failure, int]:
        """What comes of attempts, and how many there were."""
        from tenacity import AsyncRetrying, retry_if_result, stop_after_attempt

        retrying = AsyncRetrying(
            sleep=self._patience.sleep,
            stop=stop_after_attempt(self._patience.attempts),
            wait=self._wait,
            retry=retry_if_result(_may_pass),
            retry_error_callback=_last_result,
        )
        result: R | Failure = await retrying(attempt)
        return result, retrying.statistics["attempt_number"]

    def _wait(self, state: "RetryCallState") -> float:
        failure = _last_result(state)
        asked = failure.wait if isinstance(failure, Failure) else 0.0
        return self._patience.wait(state.attempt_number, asked)

    async def _attempt(self, request: Request) -> Reply | Failure:
        """Send a request, changed at once wherever the endpoint says what it does not take."""
        while True:
            result, said = await self._send(request)
            if isinstance(result, Failure):
                shortened = result.kind is FailureKind.TOO_LONG and request.shorten()
                if shortened or _yield_to(said, request):
                    continue
                return result
            return replace(result, adapted=tuple(request.adapted))

    async def _send(self, request: Request) -> tuple[Reply | Failure, str]:
        """One exchange; with the parameter that the endpoint objects to, if it names one."""
        text, objected = await self._exchange(
            "/chat/completions", request.body, has_media=request.has_media
        )
        if isinstance(text, Failure):
            return text, objected
        return read_completion(text, self._said, self._settings.key), ""

    async def _exchange(
        self, path: str, body: Mapping[str, Any], *, has_media: bool
    ) -> tuple[str | Failure, str]:
        """The body of what an endpoint answers; with what it objects to, where it does.

        The library's own functions for a path check every part of the body against its types, which
        takes as long as all else that a request costs here.
        """
        import httpx2
        import openai

        try:
            async with asyncio.timeout(self._settings.timeout):
                response = await self._client.post(path, cast_to=httpx2.Response, body=body)
            return response.text, ""
        except openai.APIStatusError as error:
            return self._refusal(error, has_media), objection(error)
        except (TimeoutError, openai.APITimeoutError):
            said = f"no whole reply within {self._settings.timeout:g} s"
            return Failure(FailureKind.TIMEOUT, said), ""
        except (openai.APIConnectionError, httpx2.TransportError) as error:
            cause = error.__cause__ or error
            lost = isinstance(cause, (httpx2.ConnectError, httpx2.ConnectTimeout))
            kind = FailureKind.UNREACHABLE if lost else FailureKind.CUT
            return Failure(kind, self._said(str(cause) or type(cause).__name__)), ""
        except (openai.OpenAIError, httpx2.HTTPError, UnicodeError) as error:
            return Failure(FailureKind.BAD_REPLY, self._said(str(error))), ""

    def _said(self, text: str) -> str:
        text = one_line(self._settings.key.hide(text))
        return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}…"

    def _refusal(self, error: "APIStatusError", has_media: bool) -> Failure:
        status, said = error.status_code, f"HTTP {error.status_code}: {error.message}"
        text = f"{error.code} {error.message}".casefold()
        kind = _OF_STATUS.get(status)
        if kind is FailureKind.RATE_LIMITED and any(sign in text for sign in _QUOTA):
            kind = FailureKind.QUOTA
        if has_media and takes_no_media(text):
            # Some say so with 404 or 500, which would be something else without media.
            kind = FailureKind.NO_MEDIA
        if kind is None:
            too_long = status in (400, 413, 422) and any(sign in text for sign in _TOO_LONG)
            refused = FailureKind.TOO_LONG if too_long else FailureKind.REFUSED
            kind = FailureKind.SERVER if status >= 500 else refused
        return Failure(kind, self._said(said), wait=_asked_wait(error))


def _client(settings: EndpointSettings) -> "AsyncOpenAI":
    try:
        import openai
        import tenacity  # noqa: F401 - missed here rather than at the first question
    except ImportError as error:
        raise UsageError(
            f"asking a model needs the extra llm: {error.name} is not installed",
            hint="pip install 'mnemoscope[llm]'",
        ) from None
    return openai.AsyncOpenAI(
        api_key=settings.key.reveal() or _NO_KEY,
        base_url=settings.url,
        timeout=settings.timeout,
        max_retries=0,  # patience is ours, and counted
        # A proxy of the environment cannot lead to this machine.
        http_client=openai.DefaultAsyncHttpxClient(trust_env=not settings.is_local),
    )


def _may_pass(result: Reply | Failure) -> bool:
    return isinstance(result, Failure) and result.kind.passes


def _last_result(state: "RetryCallState") -> Any:
    return state.outcome.result() if state.outcome is not None else None


def _yield_to(said: str, request: Request) -> bool:
    if said == TURNS:
        return request.join_turns()
    return bool(said) and request.leave_out(said)


def _asked_wait(error: "APIStatusError") -> float:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "0")))
    except ValueError:  # a date, which needs a clock that both agree on
        return 0.0
