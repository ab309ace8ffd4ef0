"""Every memory system by its slug; a system is imported when it is used."""

from collections.abc import Mapping
from importlib import import_module

from mnemoscope.core.errors import UsageError
from mnemoscope.core.extensions import Group, known_names, load_named
from mnemoscope.core.memory.system import (
    INTENDED,
    MemorySystem,
    Setting,
    SystemContext,
    SystemSpec,
)

__all__ = ["SYSTEMS", "make_system", "system_class", "system_spec"]

SYSTEMS: Mapping[str, str] = {
    "no_context": "no_context:NoContext",
    "always_refuse": "always_refuse:AlwaysRefuse",
    "oracle_text": "oracle:OracleText",
    "oracle_multimodal": "oracle:OracleMultimodal",
    "full_memory": "full_memory:FullMemory",
    "bm25": "bm25:Bm25",
    "naive_rag": "naive_rag:NaiveRag",
}
"""Module and class of each system of ours, simplest first."""


def system_class(name: str) -> type[MemorySystem]:
    """The class of a system: one of ours, or one that a package adds.

    Raises:
        UsageError: There is no such system, or the package that adds it is broken.
    """
    if name not in SYSTEMS:
        return _added(name)
    module, _, kind = SYSTEMS[name].partition(":")
    found: type[MemorySystem] = getattr(
        import_module(f"mnemoscope.core.memory.systems.{module}"), kind
    )
    return found


def _added(name: str) -> type[MemorySystem]:
    found = load_named(Group.SYSTEMS, name)
    if found is None:
        known = known_names(SYSTEMS, Group.SYSTEMS)
        raise UsageError(f"no memory system {name!r}; there are: {known}")
    extension, kind = found
    if not isinstance(kind, type) or not issubclass(kind, MemorySystem):
        raise extension.broken("found no class of MemorySystem")
    if getattr(kind, "NAME", None) != name:
        raise extension.broken(f"its NAME is {getattr(kind, 'NAME', None)!r}")
    return kind


def system_spec(
    name: str, profile: str = INTENDED, parameters: Mapping[str, Setting] | None = None
) -> SystemSpec:
    """A system as configured.

    Args:
        name: Its slug.
        profile: One of its profiles.
        parameters: What differs from the profile.

    Raises:
        UsageError: There is no such system, profile or parameter, or a value cannot be.
    """
    kind = system_class(name)
    if profile not in kind.PROFILES:
        known = ", ".join(kind.PROFILES)
        raise UsageError(f"{name}: no profile {profile!r}; there are: {known}")
    chosen = {**kind.PROFILES[profile], **(parameters or {})}
    unknown = [key for key in chosen if key not in kind.PARAMETERS]
    if unknown:
        known = ", ".join(kind.PARAMETERS) or "none"
        raise UsageError(f"{name}: no parameter {unknown[0]!r}; there are: {known}")
    values = {
        key: parameter.check(f"{name}: {key}", chosen.get(key, parameter.default))
        for key, parameter in kind.PARAMETERS.items()
    }
    return SystemSpec(name, kind.VERSION, profile, values)


def make_system(spec: SystemSpec, context: SystemContext) -> MemorySystem:
    """An empty memory.

    Raises:
        UsageError: The system needs an embedder, and there is none.
    """
    kind = system_class(spec.name)
    if kind.NEEDS_EMBEDDER and context.embedder is None:
        raise UsageError(f"{spec.name}: needs an embedder")
    return kind(spec, context)
