"""Specifications: which scenarios a generated release has."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field

from mnemoscope.core.defects import describe
from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.harness.inventory import default_inventory, needed_turns
from mnemoscope.core.harness.library import load_pack, pack_names, read_pack
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.schemas import Form, Text, Whole, required
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.toml_lines import read_toml_lines

__all__ = ["ScenarioSpec", "Spec", "chosen_spec", "read_spec", "spec_of_pack"]

SCHEMA_VERSION = 1
_LEAST_TURNS, _LEAST_VISUALS = 4, 2


class ScenarioSpec(Form):
    """One scenario to generate."""

    pack: Text
    """The name of a pack that comes along, or the file of one, relative to the specification."""
    seed: Whole = 1
    """Decides everything that is left to chance."""
    turns: Whole = 212
    """Messages of user and assistant together."""
    visuals: Whole = 24
    """Dense visuals, the initial one included; pictures by the way come on top."""
    questions: Whole = 100
    """How many are asked about it, in the paper's shares of the five categories."""
    inventory: dict[Operator, Whole] = Field(default_factory=dict)
    """How many transitions of each operator; empty for what fits the turns and visuals."""

    @property
    def counts(self) -> dict[Operator, int]:
        """How many transitions of each operator."""
        return dict(self.inventory) or default_inventory(self.turns, self.visuals)


class Spec(Form):
    """What a generated release is to be."""

    schema_version: Literal[1]
    """The version of this form."""
    name: Text
    """The name of the release."""
    licence: Text = ""
    """Under which terms it is published."""
    scenarios: tuple[ScenarioSpec, ...] = Field(min_length=1)
    """Its scenarios, a history each."""


def chosen_spec(what: str, numbers: Mapping[str, int]) -> tuple[Spec, dict[str, Pack]]:
    """A specification and its packs, by how it names them.

    Args:
        what: The file of a specification, or a pack: its name or its file.
        numbers: Of a pack's one scenario: seed, turns, visuals and questions, where given.

    Raises:
        UsageError: There is no such pack, the numbers do not go together, or a specification is
            given numbers besides its own.
        ReadError: A file is neither; file, line, place, found and expected.
        InputError: A file cannot be read.
    """
    path = Path(what)
    if what in pack_names() or not (path.suffix == ".toml" or path.exists()):
        return spec_of_pack(what, **numbers)
    if "dialogue" in read_toml_lines(path).data:
        return spec_of_pack(what, **numbers)
    if numbers:
        raise UsageError(f"{what} has its own {' and '.join(numbers)}: --{next(iter(numbers))}")
    return read_spec(path)


def read_spec(path: Path) -> tuple[Spec, dict[str, Pack]]:
    """Read a specification, and its packs by how it names them.

    Raises:
        ReadError: It is none; file, line, place, found and expected.
        InputError: A file cannot be read.
    """
    file = read_toml_lines(path)
    try:
        spec = required(Spec, file.data, path)
        packs = {one.pack: _pack(one.pack, path.parent) for one in spec.scenarios}
        _require_sound(spec, packs, path)
    except ReadError as error:
        if error.file != path:
            raise
        place = file.place(error.place)
        raise ReadError(path, place, error.found, error.expected, hint=error.hint) from None
    return spec, packs


def spec_of_pack(
    name: str, *, seed: int = 1, turns: int = 212, visuals: int = 24, questions: int = 100
) -> tuple[Spec, dict[str, Pack]]:
    """The specification of one scenario of a pack.

    Args:
        name: Of a pack that comes along, or a file.
        seed: See `ScenarioSpec`, like the rest.
        turns: Messages.
        visuals: Dense visuals.
        questions: Questions.

    Raises:
        UsageError: There is no such pack, or the numbers do not go together.
        ReadError: The file is no pack.
    """
    pack = _pack(name, Path())
    one = ScenarioSpec(pack=name, seed=seed, turns=turns, visuals=visuals, questions=questions)
    problem = _problem(one)
    if problem is not None:
        raise UsageError(f"{problem[0]}: found {problem[1]}, expected {problem[2]}")
    spec = Spec(schema_version=1, name=f"{pack.name}-{seed}", scenarios=(one,))
    return spec, {name: pack}


def _pack(name: str, folder: Path) -> Pack:
    if name in pack_names():
        return load_pack(name)
    path = folder / name
    if path.suffix == ".toml" or path.is_file():
        return read_pack(path)
    return load_pack(name)


def _require_sound(spec: Spec, packs: dict[str, Pack], path: Path) -> None:
    seen: set[tuple[str, int]] = set()
    for at, one in enumerate(spec.scenarios):
        place = f"$.scenarios[{at}]"
        problem = _problem(one)
        if problem is not None:
            name, found, expected = problem
            raise ReadError(path, f"{place}.{name}", describe(found), expected)
        key = packs[one.pack].name, one.seed
        if key in seen:
            expected = f"another seed: {key[0]} has this one already"
            raise ReadError(path, f"{place}.seed", describe(one.seed), expected)
        seen.add(key)


def _problem(one: ScenarioSpec) -> tuple[str, object, str] | None:
    """What is wrong in the numbers of a scenario: the key, what is found, what is expected."""
    if one.turns < _LEAST_TURNS or one.turns % 2:
        return "turns", one.turns, f"an even number of at least {_LEAST_TURNS}"
    if one.visuals < _LEAST_VISUALS:
        return "visuals", one.visuals, f"at least {_LEAST_VISUALS}"
    if one.questions < 0:
        return "questions", one.questions, "0 or more"
    for operator, count in one.inventory.items():
        if count < 0:
            return f"inventory.{operator}", count, "0 or more"
    least = needed_turns(one.counts)
    if one.turns < least:
        what = "its inventory" if one.inventory else f"{one.visuals} visuals"
        return "turns", one.turns, f"at least {least}, which {what} may take"
    return None
