"""The taxonomies there are: bundled ones, the user's own, and those of installed packages."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.extensions import Extension, Group, extensions
from mnemoscope.core.model import Release
from mnemoscope.core.tags.taxonomy import Tag, Taxonomy

__all__ = ["Catalogue", "kind_of"]

_USUAL = {"cue-mem": "cue_mem", "dsv-mem": "dsv_mem"}
"""The taxonomy that goes with a kind of release; ``general`` goes with all others."""


def kind_of(release: Release) -> str:
    """What a taxonomy of failures goes by: the format, or DSV-Mem's where states are known."""
    return "dsv-mem" if release.evaluator.truths else release.format


@dataclass(frozen=True)
class Catalogue:
    """Taxonomies by name."""

    taxonomies: Mapping[str, Taxonomy]
    files: Mapping[str, str]
    """The file or package that each comes from; empty for a bundled one."""
    defects: tuple[Defect, ...] = ()
    """Files that are no taxonomies."""
    broken: Mapping[str, str] = field(default_factory=dict)
    """Why taxonomies that packages add cannot be used, by name."""

    @classmethod
    def load(cls, folder: Path | None = None, files: Iterable[Path] = ()) -> "Catalogue":
        """Read the bundled taxonomies, those of packages, a folder's ``*.toml``, then named files.

        A later one of the same name replaces an earlier one, but a package's never one of ours. A
        package or a file of the folder that cannot be read is a defect; a named file is an error.

        Args:
            folder: The user's folder of taxonomies; it need not exist.
            files: Files that the user named.

        Raises:
            InputError: A named file cannot be read or is no taxonomy.
        """
        log = DefectLog()
        found = {one.name: (one, "") for one in _bundled()}
        broken: dict[str, str] = {}
        for extension in extensions(Group.TAXONOMIES).values():
            try:
                one = _added(extension)
            except (UsageError, InputError) as error:
                broken[extension.name] = str(error)
                log.file = extension.package
                told = error if isinstance(error, InputError) else InputError(str(error))
                log.unreadable(told, Path(extension.package), "a taxonomy")
                continue
            found.setdefault(one.name, (one, extension.package))
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
            broken,
        )

    def __iter__(self) -> Iterator[Taxonomy]:
        return iter(self.taxonomies.values())

    def named(self, name: str) -> Taxonomy:
        """The taxonomy with a name.

        Raises:
            UsageError: There is none, or the package that adds it is broken.
        """
        if name in self.broken and name not in self.taxonomies:
            raise UsageError(self.broken[name])
        if name not in self.taxonomies:
            known = ", ".join(self.taxonomies)
            raise UsageError(f"no taxonomy {name!r}; there are {known}")
        return self.taxonomies[name]

    def usual(self, kind: str) -> Taxonomy:
        """The taxonomy of failures that goes with a kind of release (``kind_of``)."""
        return self.taxonomies[_USUAL.get(kind, "general")]

    def tag(self, taxonomy: str, slug: str) -> Tag | None:
        """A tag, when its taxonomy still is there and still has it."""
        found = self.taxonomies.get(taxonomy)
        return found.by_slug.get(slug) if found else None

    def title(self, taxonomy: str, slug: str) -> str:
        """What people read for a tag; its slug, marked, when no taxonomy has it any more."""
        found = self.tag(taxonomy, slug)
        return self.taxonomies[taxonomy].full_title(found) if found else f"{slug} (former)"


def _added(extension: Extension) -> Taxonomy:
    """The taxonomy that a package adds: a function that gives the path of its TOML file."""
    file = extension.call(extension.load())
    try:
        data = file.read_bytes()
    except (OSError, AttributeError) as error:
        raise extension.broken(f"{type(error).__name__}: {error}") from None
    found = Taxonomy.parse(data, Path(file.name))
    if found.name != extension.name:
        raise extension.broken(f"the taxonomy is called {found.name!r}")
    return found


def _bundled() -> Iterator[Taxonomy]:
    folder = resources.files(__package__) / "taxonomies"
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".toml"):
            yield Taxonomy.parse(file.read_bytes(), Path(file.name))
