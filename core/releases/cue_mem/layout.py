"""Where the files of a CUE-Mem release lie, and which caption variant each folder stands for."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Textualisation
from mnemoscope.core.sources import DATA_SUFFIXES, Source, SourceFile, natural_key

__all__ = ["AUDIO_LEVELS", "IMAGE_LEVELS", "VARIANT_LEVELS", "Layout", "find_layout", "levels_of"]

IMAGE_LEVELS = ("brief", "medium", "detailed")
"""Image caption levels, poorest first."""
AUDIO_LEVELS = ("asr", "hint", "split")
"""Audio caption levels, poorest first."""

# By the paper, the base tree has medium image captions and hint audio captions.
VARIANT_LEVELS: Mapping[str, Textualisation] = {
    "base": Textualisation("medium", "hint"),
    "brief": Textualisation("brief", "hint"),
    "medium": Textualisation("medium", "hint"),
    "detailed": Textualisation("detailed", "hint"),
    "audio_caption/asr": Textualisation("medium", "asr"),
    "audio_caption/hint": Textualisation("medium", "hint"),
    "audio_caption/asr_bg_split": Textualisation("medium", "split"),
}
"""The caption levels of each folder below ``data/dialog``."""
_HISTORY_NAMES = "history_with_qa_"


def levels_of(variant: str) -> Textualisation | None:
    """The caption levels of a variant folder; None for a folder that is no known variant.

    Folders of other audio captioners below ``audio_caption`` are variants under their own names.
    """
    known = VARIANT_LEVELS.get(variant)
    if known is None and variant.startswith("audio_caption/"):
        return Textualisation("medium", variant.removeprefix("audio_caption/"))
    return known


@dataclass(frozen=True, slots=True)
class Layout:
    """The dialogue files of a release, by variant."""

    root: Path
    """The folder that media paths are relative to."""
    files: Mapping[str, tuple[SourceFile, ...]]
    """Files by variant; the first variant is the one that the others are merged into."""
    unknown_variants: tuple[str, ...] = ()
    """Folders with dialogue files that stand for no known variant; they are not read."""


def find_layout(source: Source) -> Layout | None:
    """Find the dialogue files of a path: a file, a variant's folder, or a whole tree.

    Raises:
        InputError: A folder cannot be listed.
    """
    try:
        return _find_layout(source)
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror or error}") from None


def _find_layout(source: Source) -> Layout | None:
    if not source.is_folder:
        variant, root = _place_of(source.path.parent)
        one = source.path.name.endswith(DATA_SUFFIXES)
        return Layout(root, {variant: (source.at(source.path, root),)}) if one else None
    dialog = _dialog_folder(source.path)
    if dialog is not None:
        return _tree(source, dialog)
    variant, root = _place_of(source.path)
    files = _dialogue_files(source, source.path, root)
    # Outside data/dialog, a folder may hold other things than histories.
    histories = tuple(file for file in files if file.path.name.startswith(_HISTORY_NAMES))
    return Layout(root, {variant: histories or files}) if files else None


def _dialog_folder(path: Path) -> Path | None:
    if path.name == "dialog":
        return path
    folders = (path / "data" / "dialog", path / "dialog")
    return next((folder for folder in folders if folder.is_dir()), None)


def _place_of(folder: Path) -> tuple[str, Path]:
    """The variant that a folder stands for, and the dataset root above ``data/dialog``."""
    parts = folder.parts
    for index in range(len(parts) - 1, 0, -1):
        if parts[index - 1 : index + 1] == ("data", "dialog"):
            variant = "/".join(parts[index + 1 :])
            return variant if levels_of(variant) else "base", Path(*parts[: index - 1])
    return "base", folder


def _tree(source: Source, dialog: Path) -> Layout:
    root = dialog.parent.parent if dialog.parent.name == "data" else dialog.parent
    found: dict[str, tuple[SourceFile, ...]] = {}
    unknown = []
    for folder in (*_subfolders(dialog), *_subfolders(dialog / "audio_caption")):
        files = _dialogue_files(source, folder, root)
        variant = folder.relative_to(dialog).as_posix()
        if files and levels_of(variant):
            found[variant] = files
        elif files:
            unknown.append(variant)
    if not found:
        files = _dialogue_files(source, dialog, root)
        found = {"base": files} if files else {}
    order = dict.fromkeys((*VARIANT_LEVELS, *found))
    return Layout(root, {name: found[name] for name in order if name in found}, tuple(unknown))


def _subfolders(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_dir())


def _dialogue_files(source: Source, folder: Path, root: Path) -> tuple[SourceFile, ...]:
    names = (
        path.name
        for path in folder.iterdir()
        if path.suffix == ".json"
        # RQ1 writes its results beside dialogue files in some trees.
        and "_results" not in path.name
        and path.name != "dataset_preparation.json"
        and not path.is_dir()
    )
    return tuple(source.at(folder / name, root) for name in sorted(names, key=natural_key))
