"""PersonaMem's questions: a message, four replies to choose from, and how much was said before."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mnemoscope.core.defects import Described
from mnemoscope.core.model import (
    Clue,
    Gold,
    GoldKind,
    Option,
    Question,
    Session,
    TaskLabel,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.amb.documents import session_name
from mnemoscope.core.releases.amb.reading import AmbBenchmark, Query, gold_sessions
from mnemoscope.core.releases.answers import text_gold

__all__ = ["PERSONAMEM", "TYPES"]

TYPES: Mapping[str, TaskLabel] = {
    label.task: label
    for label in (
        TaskLabel("recall_user_shared_facts", "Recall shared facts", expected=129),
        TaskLabel("recalling_facts_mentioned_by_the_user", "Recall mentioned facts", expected=17),
        TaskLabel("track_full_preference_evolution", "Preference evolution", expected=139),
        TaskLabel(
            "recalling_the_reasons_behind_previous_updates", "Reasons of updates", expected=99
        ),
        TaskLabel(
            "provide_preference_aligned_recommendations", "Aligned recommendations", expected=55
        ),
        TaskLabel("suggest_new_ideas", "New ideas", expected=93),
        TaskLabel("generalizing_to_new_scenarios", "New scenarios", expected=57),
    )
}
"""Tasks by question type; as many as the 32k release has of each."""

_LETTER = re.compile(r"\(?([a-z])\)?")
_PERSONA = re.compile(r"^Current user persona:\s*Name:[ \t]*([^\n]{1,80})")
_UNKNOWN_TASK = "unknown"
_GOLD = "gold_answers"
_GOLD_IDS = "gold_ids"


def _read_query(query: Query) -> Question:
    node, meta = query.node, query.meta
    stem, options = split_options(query.text)
    if not options:
        expected = "lines that begin (a), (b) and so on"
        node.log.warning("options_missing", node.at("query"), query.text, expected)
    visible_until, clues = _read_scope(query)
    return Question(
        key=query.key,
        id=query.id,
        history_id=query.history.id,
        index=query.index,
        task=_task(meta),
        setting="",
        text=query.text,
        stem=stem,
        gold=_read_gold(node, options),
        clues=clues,
        place=node.place,
        category=meta.text("topic"),
        options=options,
        visible_until=visible_until,
        file=node.log.file,
    )


def _task(meta: Node) -> str:
    written = meta.data.get("question_type")
    if type(written) is str and written in TYPES:
        return written
    found = meta.found("question_type")
    meta.log.warning("unknown_type", meta.at("question_type"), found, "a known question type")
    return _UNKNOWN_TASK


def split_options(text: str) -> tuple[str, tuple[Option, ...]]:
    """A query's message, and the options in the lines after it.

    Letters count from ``a``, so that a line of an option that begins with another one is part of
    its text.
    """
    stem: list[str] = []
    options: list[list[str]] = []
    for piece in f"\n{text}".split("\n("):
        label = chr(ord("a") + len(options))
        if piece.startswith(f"{label})"):
            options.append([piece.removeprefix(f"{label})")])
        else:
            (options[-1] if options else stem).append(piece)
    if len(options) < 2:
        return text, ()
    said = [
        Option(chr(ord("a") + place), "\n(".join(parts).strip())
        for place, parts in enumerate(options)
    ]
    return "\n(".join(stem).removeprefix("\n").rstrip(), tuple(said)


def _read_gold(node: Node, options: Sequence[Option]) -> Gold:
    """The option that the answers name; ``gold_answers`` holds its full text and its letter."""
    written: Any = node.data.get(_GOLD)
    answers = [one for one in written if type(one) is str] if type(written) is list else []
    by_label = {option.label: option for option in options}
    letters = [match[1] for match in map(_LETTER.fullmatch, answers) if match]
    label = next((one for one in letters if one in by_label), "")
    if not label:
        if options:
            expected = "the text and the letter of an option"
            node.log.warning("gold_no_option", node.at(_GOLD), node.found(_GOLD), expected)
        return text_gold(node.found(_GOLD), node.at(_GOLD), node.log)
    full = f"({label}) {by_label[label].text}"
    for at, answer in enumerate(written):
        if type(answer) is not str or not (_LETTER.fullmatch(answer) or answer.strip() == full):
            expected = f"the text of option {label}"
            node.log.warning("gold_differs", node.at_item(_GOLD, at), answer, expected)
    return Gold(GoldKind.OPTION, option=label)


def _read_scope(query: Query) -> tuple[str, tuple[Clue, ...]]:
    """How far the history may be used, and clues where the ids mean something else.

    ``gold_ids`` names all documents up to the question: everything so far, and no evidence.
    """
    written = query.node.data.get(_GOLD_IDS)
    sessions = query.history.sessions
    if type(written) is list and all(type(one) is str for one in written):
        names = [session_name(one, query.history.id) for one in written]
        if names and names == [session.id for session in sessions[: len(names)]]:
            return (names[-1] if len(names) < len(sessions) else ""), ()
        if not query.documents:
            return "", ()
    clues = tuple(gold_sessions(query))
    if clues:
        found = Described(f"{len(clues)} ids")
        expected = "the user's documents from the first to the last before the question"
        query.node.log.warning("scope_broken", query.node.at(_GOLD_IDS), found, expected)
    return "", clues


def _name_history(sessions: Sequence[Session], meta: Mapping[str, Any]) -> str:
    """The persona's name where its text begins with one, and its number."""
    first = sessions[0].rounds[:1] if sessions else ()
    text = first[0].messages[0].text if first else None
    match = _PERSONA.match(text or "")
    number = meta.get("persona_id")
    persona = f"persona {number}" if type(number) is str and 0 < len(number) < 20 else ""
    if match:
        return f"{match[1].strip()} ({persona})" if persona else match[1].strip()
    return persona


PERSONAMEM = AmbBenchmark(
    name="personamem",
    title="PersonaMem",
    licence="",
    tasks=tuple(TYPES.values()),
    read_query=_read_query,
    name_history=_name_history,
)
