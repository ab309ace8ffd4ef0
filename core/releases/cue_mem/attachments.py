"""The attachments of CUE-Mem rounds and options, with their captions in every variant."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.media_files import MediaFiles, normalise
from mnemoscope.core.model import Attachment, AttachmentState, Kind, Textualisation
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.cue_mem.variants import Counterpart, Variant, report_caption
from mnemoscope.core.releases.media import OddMedia

__all__ = [
    "ATTACHMENT_KEYS",
    "HistoryReading",
    "kind_of_extension",
    "read_attachments",
    "read_media_keys",
]

_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("png", "jpg", "jpeg", "webp", "bmp", "gif"), Kind.IMAGE),
    **dict.fromkeys(("wav", "mp3", "flac", "m4a", "ogg", "aac"), Kind.AUDIO),
}
_PRESENT = AttachmentState.PRESENT
_MEDIA_KEY = re.compile(r"(.+)\.(\w+)")


def kind_of_extension(extension: str) -> Kind | None:
    """What a file extension in a clue or a key stands for."""
    return _KINDS.get(extension.lower())


@dataclass(slots=True)
class HistoryReading:
    """What reading one history needs and gathers."""

    history_id: str
    levels: Textualisation
    """The caption levels of the file that is read first."""
    media: MediaFiles
    log: DefectLog
    variants: Sequence[Variant] = ()
    odd_media: list[OddMedia] = field(default_factory=list)
    media_ids: dict[str, list[Kind]] = field(default_factory=dict)
    """The ids of the rounds' attachments so far, each with the kinds that have it."""
    session_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    round_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    question_notes: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def attachment(
        self,
        kind: Kind,
        attachment_id: str,
        written: str,
        captions: Mapping[str, str],
        node: Node,
        key: str,
        index: int | None = None,
    ) -> Attachment:
        """An attachment with the file that its path leads to.

        Args:
            kind: What it is.
            attachment_id: Its id.
            written: Its path.
            captions: Its captions by level.
            node: The object that holds the path,
            key: the path's key in it,
            index: and the path's place in the list at that key.
        """
        found = self.media.find(written)
        if found.outside or (written and found.state is not _PRESENT):
            place = _element(node, key, index)
            self.odd_media.append(OddMedia(node.log.file, place, written, found))
        if "\\" in written:
            place, repair = _element(node, key, index), normalise(written)
            node.log.repaired("backslash_path", place, written, "forward slashes", repair)
        return Attachment(
            kind, attachment_id, written, captions, found.state, found.file, found.note
        )

    def claim(self, kind: Kind, attachment_id: str) -> bool:
        """Take an id for an attachment of a round; False when another of its kind has it."""
        kinds = self.media_ids.setdefault(attachment_id, [])
        if kind in kinds:
            return False
        kinds.append(kind)
        return True


class _Fields(NamedTuple):
    """The keys of a round's parallel lists for one kind of attachment."""

    kind: Kind
    paths: str
    captions: str
    ids: str


_FIELDS = (
    _Fields(Kind.IMAGE, "input_image", "image_caption", "image_id"),
    _Fields(Kind.AUDIO, "input_voice_message", "voice_caption", "voice_id"),
)
ATTACHMENT_KEYS = frozenset(key for fields in _FIELDS for key in fields[1:])
"""The keys of a round that describe its attachments."""


def read_attachments(
    node: Node, round_id: str, others: Sequence[Counterpart], reading: HistoryReading
) -> list[Attachment]:
    """The attachments in a round's parallel lists, images first."""
    data = node.data
    attachments: list[Attachment] = []
    for fields in _FIELDS:
        if fields.paths in data or fields.ids in data or fields.captions in data:
            attachments += _read_lists(node, fields, round_id, others, reading)
    return attachments


def _read_lists(
    node: Node,
    fields: _Fields,
    round_id: str,
    others: Sequence[Counterpart],
    reading: HistoryReading,
) -> list[Attachment]:
    kind = fields.kind
    paths, captions, ids = [node.texts(key) for key in fields[1:]]
    level = reading.levels.of(kind)
    by_level = [{level: text} for text in captions]
    if not len(paths) == len(captions) == len(ids) or "" in ids:
        _report_lists(node, fields, paths, captions, ids)
        count = max(len(paths), len(captions), len(ids))
        by_level += [{} for _ in range(count - len(captions))]
        paths = paths + [""] * (count - len(paths))
        ids = ids + [""] * (count - len(ids))
    for variant, other in others:
        _add_captions(by_level, variant.levels.of(kind), other, fields.captions)
    result = []
    for index, texts in enumerate(by_level):
        # Without an id no clue can point at it, but it must go by something.
        attachment_id = ids[index] or f"{round_id}#{kind}{index + 1}"
        if not reading.claim(kind, attachment_id):
            place = _element(node, fields.ids, index)
            node.log.error("duplicate_media_id", place, attachment_id, f"a new {kind} id")
        attachment = reading.attachment(
            kind, attachment_id, paths[index], texts, node, fields.paths, index
        )
        result.append(attachment)
    return result


def _report_lists(
    node: Node, fields: _Fields, paths: list[str], captions: list[str], ids: list[str]
) -> None:
    """Record lists that are not parallel, and ids that are empty."""
    lengths = zip(fields[1:], map(len, (paths, captions, ids)), strict=True)
    found = Described(", ".join(f"{length} in {key}" for key, length in lengths))
    if paths and ids and len(paths) != len(ids):
        # Nothing says which file belongs to which id.
        node.log.error("parallel_lists", node.place, found, "lists of equal length")
    elif len(paths) != len(ids) or len(captions) not in (0, len(ids)):
        node.log.warning("parallel_lists", node.place, found, "lists of equal length")
    for index, written in enumerate(ids):
        if not written:
            node.log.warning("no_media_id", _element(node, fields.ids, index), written, "an id")


def _element(node: Node, key: str, index: int | None) -> str:
    """The JSON path of a value, of a list's element, or of the bare text that stands for a list."""
    bare = index is None or type(node.data.get(key)) is str
    return node.at(key) if bare else f"{node.at(key)}[{index}]"


def _add_captions(by_level: Sequence[dict[str, str]], level: str, other: Node, key: str) -> None:
    """Add a variant's captions to those of the same attachments."""
    captions = other.texts(key)
    if len(captions) != len(by_level):
        found = Described("1 caption" if len(captions) == 1 else f"{len(captions)} captions")
        expected = f"{len(by_level)}, as in the other files"
        other.log.warning("variants_differ", other.at(key), found, expected)
    for index, (texts, caption) in enumerate(zip(by_level, captions, strict=False)):
        known = texts.setdefault(level, caption)
        if known != caption:
            report_caption(other.log, _element(other, key, index), level, caption, known)


def read_media_keys(
    node: Node,
    rest: dict[str, Any],
    carried: Sequence[Attachment],
    others: Sequence[Counterpart],
    reading: HistoryReading,
) -> list[Attachment]:
    """The attachments of an older dialect: a key is a file's name, its value a caption or a path.

    Args:
        node: The round.
        rest: What nothing else has read of it; keys that are attachments are taken out.
        carried: Attachments of the round that were read already. Their file names are left.
        others: The round in other variants.
        reading: Where things go.
    """
    attachments = []
    known = {(item.kind, item.id) for item in carried}
    for key in list(rest):
        name = _MEDIA_KEY.fullmatch(key)
        kind = kind_of_extension(name[2]) if name else None
        if name is None or kind is None or (kind, name[1]) in known:
            continue
        del rest[key]
        text = node.text(key)
        captions = {} if _is_media_path(text) else {reading.levels.of(kind): text}
        for variant, other in others:
            caption = other.text(key)
            if caption and not _is_media_path(caption):
                level = variant.levels.of(kind)
                agreed = captions.setdefault(level, caption)
                if agreed != caption:
                    report_caption(other.log, other.at(key), level, caption, agreed)
        written = text if _is_media_path(text) else key
        if not reading.claim(kind, name[1]):
            node.log.error("duplicate_media_id", node.at(key), name[1], f"a new {kind} id")
        attachments.append(reading.attachment(kind, name[1], written, captions, node, key))
    return attachments


def _is_media_path(text: str) -> bool:
    path = normalise(text)
    return "/" in path and kind_of_extension(path.rpartition(".")[2]) is not None
