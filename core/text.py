"""Text from data, made safe to draw.

Benchmarks and model outputs are untrusted: an answer may hold an escape sequence that moves the
terminal's cursor, an override that reverses the line it stands in, or half a surrogate pair that
cannot be encoded. Everything that reaches a screen or stdout goes through here first; what is
stored, compared and copied stays as it was.
"""

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
TAB_STOP = 4

# A joiner makes one picture of two. Between anything else Rich takes the character after it for
# part of the one before it and counts its width as nothing, so it may stay only between pictures.
_PICTURE = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINER = "\u200d"
_STRAY_JOINER = rf"(?<![{_PICTURE}\ufe0f])\u200d|\u200d(?![{_PICTURE}])"

# Marks (U+061C, U+200E, U+200F) go with the overrides and isolates: they are as invisible, and one
# at the end of a cell moves the digits of the next column. The soft hyphen goes because Rich counts
# a cell for it where terminals draw none.
_INVISIBLE = "\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff"

# One search decides whether a text needs work at all: a single character class, because that is
# ten times as fast (3 ns a character) as the same class with an alternative beside it.
_SUSPECT = re.compile(rf"[\x00-\x09\x0b-\x1f\x7f-\x9f{_INVISIBLE}\u2028\u2029\ud800-\udfff]")

# The body of an unended string command stops at the end of its line: a terminal would wait for the
# rest of the stream, but here that would be the rest of somebody's answer. Bodies exclude every
# introducer, which keeps the search linear. A C1 introducer counts only where its sequence is
# complete: in mis-decoded Windows text the same codes are quotation marks.
_BODY = r"[^\x07\x1b\x80-\x9f\n\r]*"
_END = r"(?:\x07|\x1b\\|\x9c)"
_CSI_BODY = r"[0-?]*[ -/]*"
_DIRTY = re.compile(
    r"(?P<newline>\r\n?|[\x0b\x0c\x85\u2028\u2029])"
    r"|(?P<surrogate>[\ud800-\udfff])"
    rf"|\x1b\[{_CSI_BODY}[@-~]?"
    rf"|\x1b[\]PX^_]{_BODY}{_END}?"
    rf"|\x9b{_CSI_BODY}[@-~]"
    rf"|[\x90\x98\x9d-\x9f]{_BODY}{_END}"
    r"|\x1b[ -/]*[0-~]?"
    rf"|[\x00-\x08\x0e-\x1f\x7f-\x9f{_INVISIBLE}]"
    rf"|{_STRAY_JOINER}"
)


def clean(text: str, *, keep_newlines: bool = True) -> str:
    """Return ``text`` without anything a terminal would obey instead of draw.

    Escape sequences go whole, other control and bidirectional characters one by one; tabs become
    spaces, every kind of line break becomes a newline, and a lone surrogate becomes U+FFFD.

    Args:
        text: Text from data.
        keep_newlines: Whether line breaks stay; otherwise each becomes a space.

    Returns:
        The cleaned text; the same object if there was nothing to do.
    """
    if _JOINER in text or _SUSPECT.search(text) is not None:
        text = _DIRTY.sub(_harmless, text)
        if "\t" in text:
            text = text.expandtabs(TAB_STOP)
    if not keep_newlines and "\n" in text:
        text = text.replace("\n", " ")
    return text


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as ``1 round`` and ``1,540 rows``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def for_spreadsheet(text: str) -> str:
    """Text for a cell of CSV that no spreadsheet takes for a formula.

    What begins like one gets an apostrophe before it, by which spreadsheets know text.
    """
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def one_line(text: str) -> str:
    """Return ``text`` cleaned, on one line, with every run of whitespace as a single space."""
    return " ".join(clean(text).split())


def _harmless(match: re.Match[str]) -> str:
    if match.lastgroup == "newline":
        return "\n"
    return REPLACEMENT if match.lastgroup == "surrogate" else ""
