"""The same CUE-Mem history in other caption variants: what they add, and where they disagree.

What a variant lacks, adds or says differently is a defect of its own file; the file that was read
first says how it should be.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mnemoscope.core.contrast import contrast, first_difference
from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import Textualisation
from mnemoscope.core.reading import Node

__all__ = [
    "QUESTION_KEYS",
    "SESSIONS_KEY",
    "Counterpart",
    "QuestionKeys",
    "Variant",
    "counterparts",
    "index_variant",
    "question_nodes",
    "report_caption",
    "round_nodes",
    "session_nodes",
]

SESSIONS_KEY = "multi_session_dialogues"
"""The key under which a history file holds its sessions."""
QUESTION_KEYS = ("human-annotated QAs", "human_annotated_QAs")
"""The keys under which it may hold its questions."""
_ROUND_KEYS = ("dialogues", "dialog_list")

Counterpart = tuple["Variant", Node]
"""Another variant, and what stands there for the same round or question."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A history's file of another caption variant, its parts by what they go by."""

    name: str
    levels: Textualisation
    root: Node
    rounds: dict[str, Node] = field(default_factory=dict)
    questions: dict[str, Node] = field(default_factory=dict)
    """By question key."""

    def report_extra(self, rounds: Container[str], questions: Container[str]) -> None:
        """Record what the file that was read first does not have."""
        log = self.root.log
        for round_id, node in self.rounds.items():
            if round_id not in rounds:
                expected = "a round that every variant has"
                log.warning("variant_extra_round", node.place, round_id, expected)
        for key, node in self.questions.items():
            if key not in questions:
                expected = "a question that every variant has"
                log.warning("variant_extra_question", node.place, key, expected)


class QuestionKeys:
    """Gives each question of a history the key it goes by."""

    def __init__(self, history_id: str) -> None:
        self._history_id = history_id
        self._given: dict[str, int] = {}

    def new(self, point: str, question_id: str) -> tuple[str, bool]:
        """The key of the next question with a point and an id, and whether it is the first."""
        first = f"{self._history_id}/{point}/{question_id}"
        key = first
        while key in self._given:
            self._given[first] += 1
            key = f"{first}#{self._given[first]}"
        self._given[key] = 1
        return key, key == first


def index_variant(name: str, levels: Textualisation, root: Node, keys: QuestionKeys) -> Variant:
    """Index the file of a variant that is not the first to be read."""
    variant = Variant(name, levels, root)
    for session in session_nodes(root):
        for node in round_nodes(session):
            round_id = node.data.get("round")
            if type(round_id) is str:
                variant.rounds.setdefault(round_id, node)
    for _, node in question_nodes(root):
        point, question_id = node.data.get("point"), node.data.get("qa_id")
        if type(point) is str and type(question_id) is str:
            variant.questions[keys.new(point, question_id)[0]] = node
    return variant


def session_nodes(root: Node) -> Iterator[Node]:
    """The sessions of a history file."""
    return root.nodes(_present(root, (SESSIONS_KEY,)))


def round_nodes(session: Node) -> Iterator[Node]:
    """The rounds of a session."""
    return session.nodes(_present(session, _ROUND_KEYS))


def question_nodes(root: Node) -> Iterator[tuple[int, Node]]:
    """The questions of a history file, with their places in the list."""
    return root.numbered_nodes(_present(root, QUESTION_KEYS))


def _present(node: Node, keys: Sequence[str]) -> str:
    """The first of the keys that is there; an error is recorded when none is."""
    for key in keys:
        if node.data.get(key) is not None:
            return key
    node.wrong(keys[0], "a list")
    return keys[0]


def counterparts(
    node: Node, found: Iterable[tuple[Variant, Node | None]], name: str, keys: Iterable[str]
) -> list[Counterpart]:
    """What stands in other variants for a round or a question.

    Args:
        node: The round or question in the file that was read first.
        found: The variants, each with what it has.
        name: What to call the round or question in a defect of a variant that lacks it.
        keys: What captions have no part in and should be the same everywhere.
    """
    result = []
    for variant, other in found:
        if other is None:
            expected = f"what {node.log.file} has at {node.place}"
            log = variant.root.log
            log.warning("variant_lacks", "$", Described(f"no {name}"), expected)
            continue
        if other.data != node.data:
            for key in keys:
                if other.data.get(key) != node.data.get(key):
                    place, *values = first_difference(other.found(key), node.found(key))
                    shown, expected = contrast(*values)
                    expected = f"{expected}, as in {node.log.file}"
                    other.log.warning(
                        "variants_differ", other.at(key) + place, Described(shown), expected
                    )
        result.append((variant, other))
    return result


def report_caption(log: DefectLog, place: str, level: str, text: str, known: str) -> None:
    """Record a variant's caption that differs from another file's for the same level."""
    said, other = contrast(text, known)
    expected = f"the {level} caption of the other files: {other}"
    log.warning("captions_differ", place, Described(said), expected)
