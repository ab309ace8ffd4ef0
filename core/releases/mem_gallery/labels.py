"""What the questions of Mem-Gallery and of MemEye are about: their label tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from mnemoscope.core.model import Question, TaskLabel
from mnemoscope.core.reading import Node

__all__ = ["GALLERY_TASKS", "MEMEYE_TASKS", "Point", "is_coordinates", "read_point", "settings_of"]

GALLERY_TASKS = (
    TaskLabel("factual_retrieval", "Factual retrieval", number="FR", expected=219),
    TaskLabel("multi_entity_reasoning", "Multi-entity reasoning", number="MR", expected=206),
    TaskLabel("temporal_reasoning", "Temporal reasoning", number="TR", expected=123),
    TaskLabel("visual_centric_reasoning", "Visual-centric reasoning", number="VR", expected=174),
    TaskLabel("visual_centric_search", "Visual-centric search", number="VS", expected=306),
    TaskLabel("test_time_learning", "Test-time learning", number="TTL", expected=337),
    TaskLabel("knowledge_resolution", "Knowledge resolution", number="KR", expected=81),
    TaskLabel("conflict_detection", "Conflict detection", number="CD", expected=81),
    TaskLabel("answer_refusal", "Answer refusal", number="AR", expected=184),
)
MEMEYE_TASKS = (
    TaskLabel("depth_1", "Reasoning depth Y1", number="Y1"),
    TaskLabel("depth_2", "Reasoning depth Y2", number="Y2"),
    TaskLabel("depth_3", "Reasoning depth Y3", number="Y3"),
)
_TASK_OF: Mapping[str, str] = {
    label.number: label.task for label in (*GALLERY_TASKS, *MEMEYE_TASKS)
}
_GRAINS = ("X0", "X1", "X2", "X3", "X4")
_UNKNOWN = "unknown"
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Point:
    """What one question is about."""

    task: str
    setting: str
    """MemEye: how fine the picture has to be seen, ``X1`` (coarsest) to ``X4``; else empty."""
    category: str
    """Mem-Gallery: the point as it is written; task and setting say all of MemEye's."""


_POINTS: Mapping[str, Point] = {
    label.number: Point(label.task, "", label.number) for label in GALLERY_TASKS
}


def is_coordinates(point: Any) -> TypeGuard[list[list[str]]]:
    """Whether a point is MemEye's: a list of visual grains and a list of reasoning depths."""
    return (
        type(point) is list
        and len(point) == 2
        and all(type(part) is list and part for part in point)
        and all(type(label) is str and label for part in point for label in part)
    )


def read_point(node: Node) -> Point:
    """The point of a question; a point of neither benchmark is a warning.

    A question of several grains or depths is one of their own kind (``X0+X4``), so that it is
    counted once.
    """
    point = node.data.get("point")
    if type(point) is str:
        known = _POINTS.get(point)
        if known is not None:
            return known
    elif is_coordinates(point):
        grain, depth = ("+".join(labels)[:_LONGEST] for labels in point)
        if not all(one in _TASK_OF for one in point[1]) or not set(point[0]) <= {*_GRAINS}:
            node.log.warning("unknown_point", node.at("point"), f"{grain} {depth}", "X0-X4, Y1-Y3")
        return Point(_TASK_OF.get(depth, depth.lower()), grain, "")
    expected = "FR, MR, TR, VR, VS, TTL, KR, CD or AR, or lists of X and Y labels"
    node.log.warning("unknown_point", node.at("point"), node.found("point"), expected)
    return Point(_UNKNOWN, "", point[:_LONGEST] if type(point) is str else "")


def settings_of(questions: Iterable[Question]) -> tuple[str, ...]:
    """The settings that questions have, the coarsest grain first."""
    return tuple(sorted({one.setting for one in questions} - {""}))
