"""The taxonomies there are: bundled ones, the user's own, and those of installed packages."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.tags.taxonomy import Tag, Taxonomy

__all__ = ["Catalogue"]

_USUAL = {"cue-mem": "cue_mem", "dsv-mem": "dsv_mem"}
"""The taxonomy that goes with a format of release; ``general`` goes with all others."""


@dataclass(frozen=True)
class Catalogue:
    """Taxonomies by name."""

    taxonomies: Mapping[str, Taxonomy]
    files: Mapping[str, str]
    """The file that each comes from; empty for a bundled one."""
    defects: tuple[Defect, ...] = ()
    """Files that are no taxonomies."""

    @classmethod
    def load(cls, folder: Path | None = None, files: Iterable[Path] = ()) -> "Catalogue":
        """Read the bundled taxonomies, then every ``*.toml`` of a folder, then named files.

        A later one of the same name replaces an earlier one. A file of the folder that cannot be
        read is a defect; one that was named is an error.

        Args:
            folder: The user's folder of taxonomies; it need not exist.
            files: Files that the user named.

        Raises:
            InputError: A named file cannot be read or is no taxonomy.
        """
        log = DefectLog()
        found = {one.name: (one, "") for one in _bundled()}
        for path in sorted(folder.glob("*.toml")) if folder and folder.is_dir() else ():
            log.file = str(path)
            try:
                one = Taxonomy.load(path)
            except InputError as error:
                log.unreadable(error, path, "a taxonomy")
                continue
            found[one.name] = (one, str(path))
        for path in files:
            one = Taxonomy.load(path)
            found[one.name] = (one, str(path))
        return cls(
            {name: one for name, (one, _) in found.items()},
            {name: file for name, (_, file) in found.items()},
            tuple(log.items),
        )

    def __iter__(self) -> Iterator[Taxonomy]:
        return iter(self.taxonomies.values())

    def named(self, name: str) -> Taxonomy:
        """The taxonomy with a name.

        Raises:
            UsageError: There is none.
        """
        if name not in self.taxonomies:
            known = ", ".join(self.taxonomies)
            raise UsageError(f"no taxonomy {name!r}; there are {known}")
        return self.taxonomies[name]

    def usual(self, format: str) -> Taxonomy:
        """The taxonomy of failures that goes with a format of release."""
        return self.taxonomies[_USUAL.get(format, "general")]

    def tag(self, taxonomy: str, slug: str) -> Tag | None:
        """A tag, when its taxonomy still is there and still has it."""
        found = self.taxonomies.get(taxonomy)
        return found.by_slug.get(slug) if found else None

    def title(self, taxonomy: str, slug: str) -> str:
        """What people read for a tag; its slug, marked, when no taxonomy has it any more."""
        found = self.tag(taxonomy, slug)
        return self.taxonomies[taxonomy].full_title(found) if found else f"{slug} (former)"


def _bundled() -> Iterator[Taxonomy]:
    folder = resources.files(__package__) / "taxonomies"
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".toml"):
            yield Taxonomy.parse(file.read_bytes(), Path(file.name))
