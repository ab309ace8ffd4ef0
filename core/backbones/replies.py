"""What comes of asking a model: a reply, or a failure of a kind. Neither is an exception."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Embedded", "Failure", "FailureKind", "Reply", "Usage"]


class FailureKind(StrEnum):
    """Why there is no reply."""

    UNREACHABLE = "unreachable"
    """Nobody answers at the URL."""
    UNAUTHORISED = "unauthorised"
    """The key is refused, or may not do this."""
    QUOTA = "quota"
    """The account has nothing left; waiting does not help."""
    NOT_FOUND = "not_found"
    """The endpoint has no such model, or there is no endpoint at the URL."""
    RATE_LIMITED = "rate_limited"
    SERVER = "server_error"
    TIMEOUT = "timeout"
    CUT = "cut"
    """The connection broke before the reply was whole."""
    BAD_REPLY = "bad_reply"
    """What came is no chat completion."""
    TOO_LONG = "too_long"
    """The model does not take as much, even with the smallest room for a reply."""
    NO_MEDIA = "no_media"
    """The model does not take the images, or the audio, in the request."""
    REFUSED = "refused"
    """The request, or the content, is refused."""
    BLANK = "blank"
    """A completion without a word in it."""

    @property
    def passes(self) -> bool:
        """Whether it may go well the next time."""
        return self in _PASSING

    @property
    def is_final(self) -> bool:
        """Whether nothing else that is asked of this model now would go better."""
        return self in _FINAL


_PASSING = frozenset(
    {
        FailureKind.UNREACHABLE,
        FailureKind.RATE_LIMITED,
        FailureKind.SERVER,
        FailureKind.TIMEOUT,
        FailureKind.CUT,
        FailureKind.BAD_REPLY,
    }
)
_FINAL = frozenset(
    {
        FailureKind.UNREACHABLE,
        FailureKind.UNAUTHORISED,
        FailureKind.QUOTA,
        FailureKind.NOT_FOUND,
    }
)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counts them; None where it does not say."""

    prompt: int | None = None
    completion: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said."""

    text: str
    model: str = ""
    """The model's name as the endpoint has it, which may be more exact than what was asked for."""
    finish: str = ""
    """Why it ended: ``stop``, or ``length`` when the reply was cut for want of room."""
    usage: Usage = Usage()
    attempts: int = 1
    adapted: tuple[str, ...] = ()
    """How the request was changed for the endpoint to take it, such as ``max_tokens 512``."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of texts."""

    vectors: tuple[tuple[float, ...], ...]
    """One a text, in the texts' order, all of one length."""
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a model said nothing."""

    kind: FailureKind
    message: str
    """What the endpoint or the connection said, in one line, without the key."""
    attempts: int = 1
    wait: float = 0.0
    """Seconds that the endpoint asks to wait before the next attempt."""

    def __str__(self) -> str:
        tried = f", after {self.attempts} attempts" if self.attempts > 1 else ""
        return f"{self.kind.replace('_', ' ')}: {self.message}{tried}"
