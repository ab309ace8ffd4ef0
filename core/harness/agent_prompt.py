"""What the agent proposer asks a model, from versioned files, filled in.

A prompt is changed by adding a file with the next number; a generated release says which one asked.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from mnemoscope.core.harness.beginning import spare_names
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.task import Task
from mnemoscope.core.harness.wording import rule_text
from mnemoscope.core.state.component import Layer, Part, cell, members, order, rule
from mnemoscope.core.state.field import Field
from mnemoscope.core.state.operators import OPERATORS, Origin
from mnemoscope.core.state.values import same_scalar
from mnemoscope.core.truth.schema_values import content_json
from mnemoscope.core.writing import json_bytes

__all__ = ["PROMPT", "complaint", "messages", "prompt_id"]

PROMPT, _OPERATORS = "proposer-1", "operators-1"
_PART = "\n---\n"
_SLOT = re.compile(r"\{(\w+)\}")
_NAMES = 8
"""How many names of the vocabulary are offered for new rows."""
_MOST_NAMED = 60
"""How many things that must stay are named one by one."""


@cache
def _files() -> tuple[str, Mapping[str, Any], str]:
    """The prompt, what it says of each operator, and the hash of both."""
    folder = resources.files(__package__) / "prompts"
    texts = [
        (folder / name).read_text("utf-8").replace("\r\n", "\n")
        for name in (f"{PROMPT}.md", f"{_OPERATORS}.toml")
    ]
    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()
    return texts[0], tomllib.loads(texts[1]), digest


def prompt_id() -> str:
    """Name and version of the prompt, and the start of the hash of its files."""
    return f"{PROMPT} {_files()[2][:12]}"


def messages(task: Task) -> list[Mapping[str, str]]:
    """What a model is told and asked for a task, before it has said anything."""
    text, operators, _ = _files()
    system, user, _ = text.split(_PART)
    asked = operators[task.operator.value]
    words = _operator_slots(task)
    slots = {
        **_pack_slots(task.pack),
        **words,
        "sheet": "The accepted sheet" if _is_text(task) else "The artifact",
        "state": "\n".join(_state(task.pack, task.base)),
        "differences": "\n".join(_differences(task)),
        "kept": _kept(task),
        "what": _filled(asked["what"], words),
        "form": _filled(asked["form"], words),
    }
    return [
        {"role": "system", "content": _filled(system, slots).strip()},
        {"role": "user", "content": _filled(user, slots).strip()},
    ]


def complaint(problem: str) -> Mapping[str, str]:
    """What a model is told of a proposal that is not valid."""
    return {"role": "user", "content": _filled(_files()[0].split(_PART)[2], {"problem": problem})}


def _filled(text: str, values: Mapping[str, str]) -> str:
    # In one pass: what is filled in may look like a slot.
    return _SLOT.sub(lambda found: values.get(found[1], found[0]), text)


def _is_text(task: Task) -> bool:
    return OPERATORS[task.operator].origin is Origin.TEXT


def _operator_slots(task: Task) -> dict[str, str]:
    name = task.pack.state_schema.name_field
    assert name is not None
    return {
        "names": ", ".join(spare_names(task.pack, task.names)[:_NAMES]) or "names of your own",
        "renames": ", ".join(one.format(name="NAME") for one in task.pack.renames),
        "name_field": name.key,
        "contexts": "; ".join(task.pack.contexts[1:]),
    }


def _pack_slots(pack: Pack) -> dict[str, str]:
    rules = [
        f"- {one.key} ({one.kind}): "
        + " or ".join(
            json_bytes(content_json(content)).decode().strip()
            + f" ({rule_text(pack.state_schema, one.key, content)})"
            for content in one.contents
        )
        for one in pack.rules
    ]
    return {
        "user": pack.dialogue.user,
        "goal": pack.dialogue.goal,
        "entity": pack.entity.replace("_", " "),
        "fields": "\n".join(f"- {_field(one)}" for one in pack.state_schema.fields),
        "rules": "\n".join(rules),
        "orderings": ", ".join(
            f"{key} (of {one.axis})" for key, one in pack.state_schema.ordering_by_key.items()
        ),
    }


def _field(one: Field) -> str:
    required = ", never blank" if one.required else ""
    return f"{one.key} (“{one.name or one.key}”, role {one.role}): {one.expected}{required}"


def _state(pack: Pack, layer: Layer) -> Iterator[str]:
    """A layer as JSON lines: rows, then orderings, rules and styling."""
    for entity in members(layer):
        row = {one.key: layer.get(cell(entity, one.key)) for one in pack.state_schema.fields}
        yield _json({"key": entity, **row})
    for key in pack.state_schema.ordering_by_key:
        yield _json({"order": key, "sequence": layer.get(order(key))})
    for declared in pack.rules:
        content = layer.get(rule(declared.key))
        yield _json({"rule": declared.key, "content": content_json(content)})
    for where, content in layer.items():
        if where.part is Part.CUE:
            yield _json({"styled": where.entity, "field": where.field, "cue": content})


def _json(data: Mapping[str, object]) -> str:
    return json_bytes(data).decode().strip()


def _differences(task: Task) -> Iterator[str]:
    """Where the two sheets differ: what a declaration, or a next picture, is most telling for."""
    visual, accepted = task.state.visual, task.state.accepted
    yield "Where the sheets differ (artifact, accepted):"
    entities = dict.fromkeys((*members(visual), *members(accepted)))
    found = False
    for entity in entities:
        for field in task.pack.state_schema.fields:
            where = cell(entity, field.key)
            shown, true = visual.get(where, "no such row"), accepted.get(where, "no such row")
            if not same_scalar(shown, true):
                found = True
                yield f"- {where}: {shown}, {true}"
    if not found:
        yield "- nowhere"


def _kept(task: Task) -> str:
    """What must stay, as keys."""
    whole = sorted({one.entity for one in task.taboo if one.part is Part.MEMBER})
    single = sorted(one for one in task.taboo if one.entity not in whole)
    named: Sequence[str] = [*(f"all of {one}" for one in whole), *map(str, single)]
    if len(named) > _MOST_NAMED:
        named = [*named[:_MOST_NAMED], f"and {len(named) - _MOST_NAMED} more"]
    return ", ".join(named) or "nothing"
