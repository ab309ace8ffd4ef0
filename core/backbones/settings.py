"""Which endpoint is asked and with which key; the key is never shown.

A key goes nowhere but to the endpoint it was given for: ``OPENAI_API_KEY`` to OpenAI or to
``OPENAI_BASE_URL``, the configuration's key to the configuration's URL, ``MNEMOSCOPE_API_KEY`` to
whatever is asked.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import urlsplit

from mnemoscope.core.errors import UsageError

__all__ = [
    "KEY_VARIABLE",
    "URL_VARIABLE",
    "EndpointSettings",
    "Secret",
    "choose_endpoint",
    "no_endpoint",
]

URL_VARIABLE = "MNEMOSCOPE_ENDPOINT"
KEY_VARIABLE = "MNEMOSCOPE_API_KEY"
_OPENAI = "https://api.openai.com/v1"
_SHORTEST = 6
"""A key of fewer characters may be part of any word, and cannot be told from one."""


class Secret:
    """A key: it is shown nowhere, and taken out of texts that repeat it."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __bool__(self) -> bool:
        return bool(self._text)

    def reveal(self) -> str:
        """The key itself, for the request that needs it."""
        return self._text

    def hide(self, text: str) -> str:
        """A text without the key: an endpoint may repeat it in what it says."""
        return text.replace(self._text, "[key]") if len(self._text) >= _SHORTEST else text


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where to ask."""

    url: str
    """The base URL, such as ``http://localhost:8000/v1``."""
    key: Secret = field(default_factory=Secret)
    """Empty for an endpoint that wants none."""
    timeout: float = 120.0
    """Seconds that one attempt may take, from sending to the last byte."""

    def __post_init__(self) -> None:
        problem = _problem(self.url)
        if problem:
            # The URL itself is not repeated: somebody may have put a key into it.
            raise UsageError(f"the URL of the endpoint cannot be used: {problem}")

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine, which no proxy leads to."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")


def _problem(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "it is no URL"
    if parts.scheme not in ("http", "https") or not host:
        return "expected one such as http://localhost:8000/v1"
    if parts.username is not None or parts.password is not None:
        return f"it holds a name or password; a key belongs in {KEY_VARIABLE}"
    if parts.query or parts.fragment:
        return f"it goes on after a ? or #; a key belongs in {KEY_VARIABLE}"
    return ""


def no_endpoint() -> NoReturn:
    """Say that an endpoint is needed and none is named.

    Raises:
        UsageError: Always.
    """
    raise UsageError(
        "no endpoint is named",
        hint=f"give --endpoint URL, or set {URL_VARIABLE} and, if it wants one, {KEY_VARIABLE}",
    )


def choose_endpoint(
    environ: Mapping[str, str],
    *,
    url: str = "",
    config_url: str = "",
    config_key: str = "",
    timeout: float = 120.0,
) -> EndpointSettings:
    """The endpoint to ask: what was named, then the environment, then the configuration.

    Args:
        environ: The environment.
        url: The URL that the user named just now.
        config_url: The URL in the configuration.
        config_key: The key in the configuration, which is for that URL alone.
        timeout: Seconds that one attempt may take.

    Raises:
        UsageError: No endpoint is named anywhere, or its URL cannot be used.
    """
    openai_url, openai_key = environ.get("OPENAI_BASE_URL", ""), environ.get("OPENAI_API_KEY", "")
    chosen = url or environ.get(URL_VARIABLE, "") or config_url or openai_url
    if not chosen and openai_key:
        chosen = _OPENAI
    if not chosen:
        no_endpoint()
    chosen = chosen.rstrip("/")
    key = environ.get(KEY_VARIABLE, "")
    if not key and config_url and chosen == config_url.rstrip("/"):
        key = config_key
    if not key and chosen in (_OPENAI, openai_url.rstrip("/")):
        key = openai_key
    return EndpointSettings(chosen, Secret(key.strip()), timeout)
