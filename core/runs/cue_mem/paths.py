"""What the names of folders and files say about a CUE-Mem run."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from mnemoscope.core.model import Textualisation
from mnemoscope.core.releases.cue_mem.layout import VARIANT_LEVELS, levels_of
from mnemoscope.core.sources import SourceFile

__all__ = [
    "DataName",
    "TreePlace",
    "group_of",
    "history_in",
    "profile_id",
    "read_data_name",
    "tree_place",
]

_SUFFIXES = ("_results", "_accuracy", "_efficiency")
_DATA_NAME = re.compile(r"(?:.*[^A-Za-z0-9])?p(\d+)(?:_sample(\d+))?(?:_(.+))?", re.DOTALL)
_MENTION = re.compile(r"(?<![A-Za-z0-9])p(?:rofile_)?(\d+)(?![A-Za-z0-9])")
_RETENTION = re.compile(r"_retention.*", re.DOTALL)
_AUDIO = "audio_caption"
_USUAL_ROOTS = ("", "result_debug", "result_question_only", "result_oracle_evidence")


@dataclass(frozen=True, slots=True)
class DataName:
    """What a file name such as ``history_with_qa_p0_sample5_pref_results`` says."""

    history: str = ""
    """``p0``; empty when the name holds no profile number."""
    sample: int | None = None
    """How many questions were asked of each kind, when not all were."""
    category: str = ""
    """The start of the ``point`` values that were asked, when not all were."""

    @property
    def suffix(self) -> str:
        """What tells runs in one folder apart: a sample of a run is another run."""
        sample = "" if self.sample is None else f"_sample{self.sample}"
        return f"{sample}_{self.category}" if self.category else sample

    @property
    def words(self) -> tuple[str, ...]:
        """The same for people."""
        sample = () if self.sample is None else (f"sample {self.sample}",)
        return (*sample, self.category) if self.category else sample


def read_data_name(stem: str) -> DataName:
    """Read a file name without its extension.

    Any text after the profile number is the category: the benchmark's own aggregation knows a
    fixed list and counts ``p0_adversarial_text`` as another person.
    """
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    found = _DATA_NAME.fullmatch(stem)
    if found is None:
        return DataName()
    number, sample, category = found.groups()
    return DataName(profile_id(number), int(sample) if sample else None, category or "")


def profile_id(number: str) -> str:
    """The history's id for a profile number that may be written with zeros before it."""
    return f"p{number.lstrip('0') or '0'}"


def history_in(text: str) -> str:
    """The history that a text such as ``profile_3`` or ``history_with_qa_p3.json`` names."""
    found = _MENTION.search(text)
    return profile_id(found[1]) if found else ""


def group_of(file: SourceFile, suffix: str = "", *, up: int = 0) -> str:
    """The folder of a file below the root of what was opened, with a suffix."""
    folder = PurePosixPath(file.name).parent
    for _ in range(up):
        folder = folder.parent
    return ("" if str(folder) == "." else str(folder)) + suffix


@dataclass(frozen=True, slots=True)
class TreePlace:
    """Where a file lies in a result tree of RQ1: ``ROOT/[CONFIG/]LLM/…``."""

    root: str
    """The result root, such as ``result_debug``; empty when none is above the file."""
    config: str
    """``base``, ``audio_caption/asr`` and the like; empty when no folder says it."""
    tail: tuple[str, ...]
    """The folders after it: backbone, then memory or run."""

    @property
    def textualisation(self) -> Textualisation | None:
        """What the configuration's name stands for; None for a name that stands for nothing known.

        A pruned copy of a variant keeps the variant's captions.
        """
        return levels_of(_RETENTION.sub("", self.config))

    @property
    def words(self) -> tuple[str, ...]:
        """Configuration and, where it is not the usual one, result root, for people."""
        root = () if self.root in _USUAL_ROOTS else (self.root,)
        return (self.config, *root) if self.config else root


def tree_place(file: SourceFile, *, tail: int) -> TreePlace:
    """Find a file's place in a result tree.

    Args:
        file: The file.
        tail: How many folders usually follow the configuration.

    Folders above what was opened count only from a known root or configuration on: what lies
    further up is the user's own order.
    """
    folders = file.folders
    root = _last(folders, tail + 3, lambda at: folders[at].lower().startswith("result"))
    config = _last(folders, tail + 2, lambda at: _config_at(folders, at) != "")
    root_name = folders[root] if root is not None else ""
    if config is not None and (root is None or config > root):
        name = _config_at(folders, config)
        return TreePlace(root_name, name, folders[config + 1 + name.count("/") :])
    if root is None:
        return TreePlace("", "", PurePosixPath(file.name).parent.parts)
    rest = folders[root + 1 :]
    extra = max(0, len(rest) - tail)
    return TreePlace(root_name, "/".join(rest[:extra]), rest[extra:])


def _config_at(folders: tuple[str, ...], at: int) -> str:
    """The configuration whose folder, or first folder of two, is at a place."""
    name = folders[at]
    if name == _AUDIO:
        return "/".join(folders[at : at + 2]) if at + 1 < len(folders) else ""
    if at and folders[at - 1] == _AUDIO:
        return ""
    return name if _RETENTION.sub("", name) in VARIANT_LEVELS else ""


def _last(folders: tuple[str, ...], within: int, wanted: Callable[[int], bool]) -> int | None:
    places = range(len(folders) - 1, max(-1, len(folders) - 1 - within), -1)
    return next((at for at in places if wanted(at)), None)
