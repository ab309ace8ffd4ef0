"""Asking an OpenAI-compatible endpoint, patiently.

Whatever goes wrong comes back as a ``Failure``. The libraries (extra ``llm``) are imported when an
endpoint is first opened.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any

from mnemoscope.core.backbones.objections import TURNS, objection, takes_no_media
from mnemoscope.core.backbones.replies import Failure, FailureKind, Reply, Usage
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
_TOO_LONG = ("context length", "context_length", "maximum context", "too many tokens", "too long")
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
        from tenacity import AsyncRetrying, retry_if_result, stop_after_attempt

        request = Request(model, messages, parameters or self._parameters)
        retrying = AsyncRetrying(
            sleep=self._patience.sleep,
            stop=stop_after_attempt(self._patience.attempts),
            wait=self._wait,
            retry=retry_if_result(_may_pass),
            retry_error_callback=_last_result,
        )
        result: Reply | Failure = await retrying(self._attempt, request)
        attempts = retrying.statistics["attempt_number"]
        return replace(result, attempts=attempts)

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
        import httpx2
        import openai

        try:
            async with asyncio.timeout(self._settings.timeout):
                raw = await self._client.chat.completions.with_raw_response.create(**request.body)
            return self._reply(raw.http_response.text), ""
        except openai.APIStatusError as error:
            return self._refusal(error, request), objection(error)
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

    def _refusal(self, error: "APIStatusError", request: Request) -> Failure:
        status, said = error.status_code, f"HTTP {error.status_code}: {error.message}"
        text = f"{error.code} {error.message}".casefold()
        kind = _OF_STATUS.get(status)
        if kind is FailureKind.RATE_LIMITED and any(sign in text for sign in _QUOTA):
            kind = FailureKind.QUOTA
        if request.has_media and takes_no_media(text):
            # Some say so with 404 or 500, which would be something else without media.
            kind = FailureKind.NO_MEDIA
        if kind is None:
            too_long = status in (400, 413, 422) and any(sign in text for sign in _TOO_LONG)
            refused = FailureKind.TOO_LONG if too_long else FailureKind.REFUSED
            kind = FailureKind.SERVER if status >= 500 else refused
        return Failure(kind, self._said(said), wait=_asked_wait(error))

    def _reply(self, text: str) -> Reply | Failure:
        try:
            data = json.loads(text)
            choice = data["choices"][0]
            message = choice["message"]
            content, finish = message.get("content"), choice.get("finish_reason")
            usage, model = data.get("usage"), data.get("model")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            said = f"found {text[:80]!r}, expected a chat completion"
            return Failure(FailureKind.BAD_REPLY, self._said(said))
        if finish == "content_filter" or message.get("refusal"):
            said = message.get("refusal") or "the content filter stopped it"
            return Failure(FailureKind.REFUSED, self._said(str(said)))
        if content is not None and not isinstance(content, str):
            said = f"found {type(content).__name__} as content, expected text"
            return Failure(FailureKind.BAD_REPLY, said)
        if not content or not content.strip():
            cut = ", cut for want of room" if finish == "length" else ""
            return Failure(FailureKind.BLANK, f"the reply is blank{cut}")
        return Reply(
            self._settings.key.hide(content),
            model if isinstance(model, str) else "",
            finish if isinstance(finish, str) else "",
            _usage(usage),
        )


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


def _usage(data: object) -> Usage:
    if not isinstance(data, dict):
        return Usage()
    counts = (data.get("prompt_tokens"), data.get("completion_tokens"))
    return Usage(*(count if type(count) is int else None for count in counts))
