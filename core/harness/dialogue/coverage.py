"""Coverage: which entities a block is about, as short as it can be said."""

from collections.abc import Mapping

from mnemoscope.core.harness.dialogue.scene import Scene
from mnemoscope.core.harness.dialogue.speech import joined, quoted
from mnemoscope.core.state.component import Layer, cell, members
from mnemoscope.core.state.field import FieldRole
from mnemoscope.core.state.mutation import Block
from mnemoscope.core.state.operators import OPERATORS, Origin
from mnemoscope.core.state.transition import Step

__all__ = ["coverage_of", "group_members"]


def group_members(scene: Scene, layer: Layer, group: str) -> tuple[str, ...]:
    """The entities that a layer files under a group, by the first field that has it."""
    for key in scene.schema.of_role(FieldRole.GROUP):
        if group in scene.schema.field_by_key[key].choices:
            return tuple(one for one in members(layer) if layer.get(cell(one, key)) == group)
    return ()


def coverage_of(scene: Scene, step: Step, block: Block, names: Mapping[str, str]) -> str:
    """What a block covers: everything, a group, or the entities by name.

    A group is named only where the accepted state and the picture before have the same members in
    it, and a composite names them all: it may change who belongs to what.
    """
    declared = OPERATORS[step.transition.atomic].origin is Origin.DECLARED
    base = step.before.visual if declared else step.before.accepted
    entity = scene.pack.entity.replace("_", " ")
    alone = len(scene.updates) == 1
    if block.is_whole and alone:
        return f"every {entity} on the picture" if declared else f"every {entity} on our list"
    wanted = set(block.entities or members(base))
    if alone:
        for key in scene.schema.of_role(FieldRole.GROUP):
            for group in scene.schema.field_by_key[key].choices:
                both = [
                    set(group_members(scene, layer, group))
                    for layer in (step.before.visual, step.before.accepted)
                ]
                if both == [wanted, wanted]:
                    return f"every {entity} under {quoted(group)}"
    return joined(names[one] for one in block.entities or members(base))
