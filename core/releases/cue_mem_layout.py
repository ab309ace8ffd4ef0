"""Where the files of a CUE-Mem release lie, and which caption variant each folder stands for."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.core.model import Textualisation
from mnemoscope.core.sources import Source, SourceFile, natural_key

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
    """Find the dialogue files of a path: a file, a variant's folder, or a whole tree."""
    if not source.is_folder:
        variant, root = _place_of(source.path.parent)
        file = SourceFile(source.path, root)
        return Layout(root, {variant: (file,)})
    dialog = _dialog_folder(source.path)
    if dialog is not None:
        return _tree(dialog)
    variant, root = _place_of(source.path)
    files = _dialogue_files(source.path, root)
    return Layout(root, {variant: files}) if files else None


def _dialog_folder(path: Path) -> Path | None:
    if path.name == "dialog" and path.is_dir():
        return path
    for below in ("data/dialog", "dialog"):
        if (path / below).is_dir():
            return path / below
    return None


def _place_of(folder: Path) -> tuple[str, Path]:
    """The variant that a folder stands for, and the dataset root above ``data/dialog``."""
    parts = folder.parts
    for index in range(len(parts) - 1, 0, -1):
        if parts[index] == "dialog" and parts[index - 1] == "data":
            variant = "/".join(parts[index + 1 :])
            known = variant if levels_of(variant) else "base"
            return known, Path(*parts[: index - 1])
    return "base", folder


def _tree(dialog: Path) -> Layout:
    root = dialog.parent.parent if dialog.parent.name == "data" else dialog.parent
    found: dict[str, tuple[SourceFile, ...]] = {}
    unknown = []
    folders = [folder for folder in sorted(dialog.iterdir()) if folder.is_dir()]
    folders += sorted(f for f in (dialog / "audio_caption").glob("*") if f.is_dir())
    for folder in folders:
        files = _dialogue_files(folder, root)
        variant = folder.relative_to(dialog).as_posix()
        if files and levels_of(variant):
            found[variant] = files
        elif files:
            unknown.append(variant)
    if not found:
        files = _dialogue_files(dialog, root)
        found = {"base": files} if files else {}
    order = [*VARIANT_LEVELS, *found]
    ordered = {variant: found[variant] for variant in order if variant in found}
    return Layout(root, ordered, tuple(unknown))


def _dialogue_files(folder: Path, root: Path) -> tuple[SourceFile, ...]:
    names = sorted((path.name for path in folder.glob("*.json")), key=natural_key)
    return tuple(
        SourceFile(folder / name, root)
        for name in names
        # RQ1 writes its results beside dialogue files in some trees.
        if "_results" not in name and name != "dataset_preparation.json"
    )
