"""A history, a session or a round, for people."""

import json
from collections.abc import Iterator

from mnemoscope.core.text import counted
from mnemoscope.tui.verbs.marks import sign
from mnemoscope.tui.verbs.tables import Json, block, line

__all__ = ["dialogue_lines"]


def dialogue_lines(data: Json) -> Iterator[str]:
    """The lines of what ``dialogue_info`` collects."""
    history, shown = data["history"], data["textualisation"]
    name = " ".join(dict.fromkeys((history["id"], history["name"])))
    facts = [
        name,
        counted(history["sessions"], "session"),
        counted(history["rounds"], "round"),
        counted(history["questions"], "question"),
    ]
    yield from line(" · ".join(facts))
    yield from line(f"captions: image={shown['image']}, audio={shown['audio']}")
    if data["runs"]:
        whole = {True: " (whole history sent)", False: ""}
        names = (
            f"{run['letter']} {run['name']}{whole[run['sends_whole_history']]}"
            for run in data["runs"]
        )
        yield from line(f"runs: {', '.join(names)}")
    yield from _evaluator_lines("history", data.get("evaluator"), 2)
    for session in data["sessions"]:
        yield ""
        yield from _session_lines(session)


def _session_lines(session: Json) -> Iterator[str]:
    facts = (session["id"], session["group"], session["date"] or "no date")
    head = " · ".join(dict.fromkeys(filter(None, facts)))
    yield from line(f"{head} · {counted(session['length'], 'round')}")
    if session["after_questions"]:
        yield from line(f"after {counted(session['after_questions'], 'question')}", indent=2)
    yield from _asked("clue, with the whole session,", session["questions"])
    yield from _evaluator_lines("session", session.get("evaluator"), 2)
    for one in session["rounds"]:
        yield ""
        yield from line(one["id"], indent=2)
        for message in one["messages"]:
            yield from _message_lines(message)
        yield from _asked("clue", one["questions"])
        yield from _retrieved(one["retrieved"])
        yield from _evaluator_lines("round", one.get("evaluator"), 4)


def _message_lines(message: Json) -> Iterator[str]:
    time = f"  {message['time'][11:16]}" if message["time"] else ""
    yield from line(f"{message['speaker']}{time}", indent=4)
    yield from block(message["text"] or "", indent=6)
    for one in message["attachments"]:
        state = one["state"] if one["state"] == "present" else f"{one['state']}: {one['note']}"
        said = message["spoken"] if one["kind"] == "audio" else None
        text = said or one["caption"] or "no caption in this variant"
        yield from line(f"[{one['kind']} {one['id']}, {state.rstrip(': ')}]", indent=6)
        yield from block(text, indent=8)


def _asked(what: str, questions: list[Json]) -> Iterator[str]:
    if not questions:
        return
    yield from line(f"● {what} of {counted(len(questions), 'question')}", indent=4)
    for question in questions:
        marks = " ".join(f"{letter}{sign(said)}" for letter, said in question["outcomes"].items())
        key = "  ".join(filter(None, (question["key"], marks)))
        yield from line(f"{key}  {question['stem']}", indent=6)


def _retrieved(runs: list[Json]) -> Iterator[str]:
    """Which runs retrieved a round; those that never did are named together."""
    if not runs:
        return
    said = [
        f"{run['letter']} {run['questions']}× best #{run['best_rank']}"
        for run in runs
        if run["questions"]
    ]
    for what, stored in (("never by", True), ("not stored by", False)):
        of = [run["letter"] for run in runs if run["stored"] is stored and not run["questions"]]
        if of:
            said.append(f"{what} {' '.join(of)}")
    yield from line(f"retrieved  {' · '.join(said)}", indent=4)


def _evaluator_lines(what: str, known: Json | None, indent: int) -> Iterator[str]:
    for name, value in (known or {}).items():
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield from block(f"◇ {what} {name}: {said}", indent=indent)
