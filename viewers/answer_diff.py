"""Two texts side by side in time: A's words and B's, with what differs marked."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from mnemoscope.core.text import clean
from mnemoscope.core.worddiff import Segment, diff
from mnemoscope.viewers.matches import Words, marked
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import Palette, style, styled

__all__ = ["diff_blocks"]

_LOOKS = {"same": "text", "only": "diff", "rest": "rest"}


def diff_blocks(
    title: str,
    labels: tuple[Text, Text],
    texts: tuple[str, str],
    palette: Palette,
    words: Words = (),
) -> Iterator[Block]:
    """The two texts under each other, word by word; Han text character by character.

    Args:
        title: What the texts are, such as ``answer``.
        labels: What stands before each.
        texts: A's and B's text.
        palette: The colours.
        words: What is marked in both.
    """
    a, b = clean(texts[0]), clean(texts[1])
    found = diff(a, b)
    head = styled(title, style("heading", palette))
    if a == b and a:
        head.append("  the same in both", style("dim", palette))
    if found.capped:
        compared = " and ".join(
            f"{n:,} of {of:,}" for n, of in zip(found.compared, found.tokens, strict=True)
        )
        head.append(f"  long texts: {compared} words compared", style("rest", palette))
    yield Paragraph(head)
    yield Paragraph(_side(labels[0], found.a, palette, words), indent=1)
    if a != b:
        yield Paragraph(_side(labels[1], found.b, palette, words), indent=1)


def _side(label: Text, segments: Sequence[Segment], palette: Palette, words: Words) -> Text:
    line = label.copy().append("  ")
    start = len(line)
    for segment in segments:
        line.append(segment.text, style(_LOOKS[segment.kind], palette))
    if not segments:
        return line.append("nothing", style("rest", palette))
    return marked(line, words, palette, after=start)
