"""Ids of histories that go by the file they are read from."""

from collections import Counter
from collections.abc import Sequence

from mnemoscope.core.sources import SourceFile

__all__ = ["history_ids"]


def history_ids(files: Sequence[SourceFile]) -> list[str]:
    """An id for the history of each file, each once.

    Its name without its ending, also with its folders where names repeat, and with its ending
    where one folder holds several of that name.
    """
    stems = [file.stem for file in files]
    paths = [file.name.removesuffix(file.path.name) + file.stem for file in files]
    by_stem, by_path = Counter(stems), Counter(paths)
    return [
        stem if by_stem[stem] == 1 else path if by_path[path] == 1 else file.name
        for file, stem, path in zip(files, stems, paths, strict=True)
    ]
