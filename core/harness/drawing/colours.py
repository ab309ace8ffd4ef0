"""Pictures with few colours: a third of the size, for releases that are carried about."""

import io

__all__ = ["with_few_colours"]

_COLOURS = 256


def with_few_colours(png: bytes) -> bytes:
    """The picture in its commonest 256 colours; others take the nearest of them.

    Areas and letters keep theirs: what gives way is how letters shade into the paper.
    """
    from PIL import Image

    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    counted = picture.getcolors(picture.width * picture.height) or []
    commonest = sorted(counted, key=lambda one: (-one[0], one[1]))[:_COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in commonest for part in _triple(colour)])
    few = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    data = io.BytesIO()
    few.save(data, "PNG", optimize=True)
    return data.getvalue()


def _triple(colour: object) -> tuple[int, int, int]:
    """A colour of a picture in RGB, as Pillow counts them."""
    assert isinstance(colour, tuple)
    red, green, blue = colour
    return red, green, blue
