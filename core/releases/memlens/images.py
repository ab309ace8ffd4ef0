"""The pictures of MemLens turns: paths or addresses, placed by ``<image>`` in the text."""

from typing import Any

from mnemoscope.core.defects import Described
from mnemoscope.core.model import Attachment, Kind
from mnemoscope.core.reading import Node, step
from mnemoscope.core.releases.media import ReleaseMedia

__all__ = ["PLACEHOLDER", "TurnImages"]

PLACEHOLDER = "<image>"
_FILE_KEYS = ("file", "path", "file_path", "img_file")
_ADDRESS_KEYS = ("image_url", "image_hf_url")


class TurnImages:
    """Reads the pictures of turns."""

    __slots__ = ("_media",)

    def __init__(self, media: ReleaseMedia) -> None:
        self._media = media

    def __call__(self, turn: Node, round_id: str) -> tuple[Attachment, ...]:
        """The pictures of a turn; they have no ids, so the round's stands for the first."""
        value = turn.data.get("images")
        written = value if type(value) is list else [value]
        images = []
        for at, item in enumerate(written):
            place = turn.at_item("images", at)
            if item is None and value is None:
                continue
            path, where = _path(item, place)
            if not path:
                expected = "a path, or an object with one"
                turn.log.error("wrong_type", place, item, expected)
            number = f"#{at + 1}" if at else ""
            images.append(
                self._media.attachment(Kind.IMAGE, f"{round_id}{number}", path, {}, where, turn.log)
            )
        _check_places(turn, len(images))
        return tuple(images)


def _path(item: Any, place: str) -> tuple[str, str]:
    """The path or address of a picture and where it stands; a file goes before an address."""
    if type(item) is dict:
        for key in (*_FILE_KEYS, *_ADDRESS_KEYS):
            if type(item.get(key)) is str and item[key]:
                return item[key], step(place, key)
    return (item, place) if type(item) is str else ("", place)


def _check_places(turn: Node, images: int) -> None:
    text = turn.data.get("content")
    placed = text.count(PLACEHOLDER) if type(text) is str else 0
    if placed and placed != images:
        found = Described(f"{placed} × {PLACEHOLDER} for {images} images")
        expected = f"{PLACEHOLDER} once for each of the images"
        turn.log.warning("image_places", turn.at("content"), found, expected)
