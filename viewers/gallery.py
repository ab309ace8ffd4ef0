"""The options of a question as pictures side by side."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from mnemoscope.core.model import AttachmentState, Option
from mnemoscope.core.text import one_line
from mnemoscope.viewers.dialogue import DialogueLook, highlighted
from mnemoscope.viewers.page_blocks import Block, PictureCell, PictureRow, Target
from mnemoscope.viewers.styles import MARKS, style, styled

__all__ = ["gallery_blocks", "has_pictures"]

_SHORT = 300
"""Characters of a caption that are laid out; the page cuts it to a few lines."""


def has_pictures(options: Sequence[Option]) -> bool:
    """Whether options are pictures, which are better seen side by side than one by one."""
    return any(option.attachment is not None for option in options)


def gallery_blocks(
    options: Sequence[Option],
    gold: str | None,
    look: DialogueLook,
    *,
    target: Target | None = None,
) -> Iterator[Block]:
    """Lay options out side by side.

    Args:
        options: The options.
        gold: The label of the right one; None or empty when it is not to be seen.
        look: How they are drawn; without captions an option shows only its own text.
        target: What standing on them means.
    """
    cells = tuple(_cell(one, bool(gold) and one.label == gold, look) for one in options)
    yield PictureRow(cells, look.picture_rows, target=target)


def _cell(option: Option, gold: bool, look: DialogueLook) -> PictureCell:
    palette = look.palette
    if gold:
        label = MARKS["gold"].label(palette, word=f"{one_line(option.label)} gold")
    else:
        label = styled(one_line(option.label), style("focus", palette))
    image = option.attachment
    if image is None:
        note = styled("no picture", style("rest", palette))
        return PictureCell(label, _caption(option.text, look), note=note)
    text = option.describe(look.textualisation.image) if look.captions else option.text
    if image.state is AttachmentState.PRESENT:
        return PictureCell(label, _caption(text, look), image.file)
    note = MARKS["missing"].label(palette, word=f"image {image.state.value}")
    if image.note:
        note.append(f"  {one_line(image.note)}", style("dim", palette))
    return PictureCell(label, _caption(text, look), note=note)


def _caption(text: str, look: DialogueLook) -> Text:
    return highlighted(one_line(text)[:_SHORT], look)
