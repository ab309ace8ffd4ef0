"""Whether an answer declines: says that the history does not say."""

import re

__all__ = ["declines"]

_DECLINES = re.compile(
    r"历史中没有说明|未(?:提到|提及|说明)|没有?提[及到过]|从未提|没有(?:说明|足够|相关)|没有?说[过明]"
    r"|无法(?:确定|判断|得知)|不(?:确定|知道|清楚)"
    r"|\b(?:not|never) (?:been |was |were )?(?:mentioned|specified|stated|said|given|discussed"
    r"|known|provided|recorded|shown)\b|\bnever came up\b"
    r"|\b(?:do(?:n['’]?t| not)|did(?:n['’]?t| not)|does(?:n['’]?t| not)) (?:know|mention|say"
    r"|specify|state|have (?:enough|any|that))\b"
    r"|\b(?:cannot|can['’]?t|could not|couldn['’]?t|unable to) (?:be )?(?:determined?|answer(?:ed)?"
    r"|find|found|tell|told|say|known)\b"
    r"|\bnothing (?:\w+ ){0,5}(?:shows|says|mentions|states|tells)\b"
    r"|\b(?:no|not enough|insufficient) (?:record|mention|evidence|information|data)\b"
    r"|\bunanswerable\b|\bunknown\b|\bi (?:have )?no idea\b",
    re.IGNORECASE,
)
_LOOKED_AT = 200
"""Characters in which an answer that declines says so; later it may speak of details."""


def declines(answer: str) -> bool:
    """Whether an answer says, near its beginning, that what is asked cannot be known.

    It is read by its words alone. An answer that declines and then guesses counts as declining,
    and one in words that are not listed here does not.
    """
    return _DECLINES.search(answer.strip()[:_LOOKED_AT]) is not None
