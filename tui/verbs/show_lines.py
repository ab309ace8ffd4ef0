"""One question in full, for people."""

import json
from collections.abc import Iterator

from mnemoscope.tui.verbs.marks import sign
from mnemoscope.tui.verbs.tables import Json, block, line, number, table

__all__ = ["lines"]

_SESSION_LINES = 6


def lines(data: Json) -> Iterator[str]:
    """The lines of what ``show`` collects."""
    yield from _question_lines(data["question"], data["gold"])
    yield ""
    yield from _clue_lines(data)
    for one in data.get("overlay", ()):
        yield ""
        yield from _correction_lines(one, data["overlaid"])
    for run in data["runs"]:
        yield ""
        yield from _run_lines(run)
    if "evaluator" in data:
        yield ""
        yield from _evaluator_lines(data["evaluator"])


def _question_lines(question: Json, gold: Json) -> Iterator[str]:
    yield from line(question["key"])
    facts = [question["task"], question["setting"], question["form"]]
    if question["category"].replace("-", "_") != question["task"]:
        facts.insert(2, question["category"])
    facts.append(" ".join(dict.fromkeys((question["history"], question["history_name"]))))
    if question["asked_at"]:
        facts.append(f"asked {question['asked_at']}")
    if question["visible_until"]:
        facts.append(f"sees up to {question['visible_until']}")
    if not question["answerable"]:
        facts.append("not answerable")
    yield from line(" · ".join(filter(None, facts)))
    yield ""
    yield from block(question["stem"])
    for one in question["attachments"]:
        yield from _attached(one)
    if question["options"]:
        yield ""
    for option in question["options"]:
        yield from _option_lines(option, gold["kind"] == "option" and gold["option"])
    if gold["kind"] != "option" or not question["options"]:
        yield ""
        yield from line(f"gold  {gold['text']}", indent=2)


def _option_lines(option: Json, gold: object) -> Iterator[str]:
    mark = "◆ gold" if option["label"] == gold else ""
    said = option["text"] or option["caption"] or ""
    attachment = option["attachment"]
    if attachment:
        state = "" if attachment["state"] == "present" else f" {attachment['state']}"
        said = f"[image{state}] {said}"
    yield from line(f"{option['label']}. {said}  {mark}".rstrip(), indent=2)


def _attached(one: Json) -> Iterator[str]:
    yield from line(f"[{one['kind']} {one['id']} {one['state']}] {one['caption'] or ''}", indent=2)


def _clue_lines(data: Json) -> Iterator[str]:
    shown = data["textualisation"]
    clues = data["clues"]
    captions = f"captions: image={shown['image']}, audio={shown['audio']}"
    yield from line(f"clues {len(clues)}  ({captions})")
    for clue in clues:
        where = clue["round"] or clue["session"]
        leads = f"{clue['target']} {clue['id']}"
        leads += f" in {where}" if where and where != clue["id"] else ""
        later = ", after the question" if clue["after_question"] else ""
        leads += f" ({clue['date']}{later})" if clue["date"] else ""
        state = clue["state"].replace("_", " ")
        missing = clue["file_state"] not in (None, "present") and state == "resolved"
        state += f", file {clue['file_state']}" if missing else ""
        yield from line(f"{clue['as_written']}  {leads}: {state}", indent=2)
        yield from _clue_text(clue)


def _clue_text(clue: Json) -> Iterator[str]:
    """What a clue says; of a whole session no more than how it begins."""
    lines = list(block(clue["text"], indent=6))
    shown = _SESSION_LINES if clue["target"] == "session" else len(lines)
    yield from lines[:shown]
    if len(lines) > shown:
        yield from line(f"… {len(lines) - shown:,} more lines", indent=6)


def _correction_lines(one: Json, overlaid: Json) -> Iterator[str]:
    yield from line(f"⚑ overlay {one['overlay']} {one['version']}  {one['error_type']}")
    said = "published answer wrong" if one["answer_wrong"] else "published answer right"
    yield from line(said, indent=2)
    if one["answer"] is not None:
        word = "corrected answer" if one["answer_wrong"] else "worded"
        yield from line(f"{word}  {' | '.join(one['answer'])}", indent=2)
    if one["evidence"] is not None:
        changes = "other than" if one["evidence_changed"] else "the same as"
        yield from line(f"evidence {len(one['evidence'])}, {changes} published", indent=2)
        for clue in one["evidence"]:
            yield from line(f"{clue['as_written']}  {clue['state'].replace('_', ' ')}", indent=4)
            yield from block(clue["text"], indent=8)
    if one["reasoning"]:
        yield from line("why", indent=2)
        yield from block(one["reasoning"], indent=6)
    for run in overlaid["runs"]:
        found = run.get("retrieval")
        if found and found["recall"] is not None:
            grain = f"{found['found']} of {found['gold']} corrected {found['grain']}s"
            yield from line(f"{run['letter']} {run['name']}  {grain} among those sent", indent=2)


def _run_lines(run: Json) -> Iterator[str]:
    repeat = f" repeat {run['repeat']}" if run["repeat"] else ""
    mark = f"{sign(run['outcome'])} {run['outcome'].replace('_', ' ')}"
    head = f"{run['letter']} {run['name']}{repeat}  {mark}"
    if run["answer"] is None:
        yield from line(head)
        return
    if run["parsed"]:
        head += f"  answered {run['parsed']}"
        # A letter that does not begin the answer may be none at all.
        head += f" ({run['parse']})" if run["parse"] not in ("", "leading") else ""
    detail = f" ({run['detail']})" if run["detail"] else ""
    yield from line(f"{head}  status {run['status']}{detail}  rule {run['rule']}")
    if run["reason"]:
        yield from line(f"rule {run['rule']}: {run['reason']}", indent=2)
    if run["stored_right_on_failure"]:
        yield from line("the run file calls this failed record right: not counted", indent=2)
    yield from _said("answer", run["answer"])
    yield from _said("reasoning", run["reasoning"])
    if run["reached_note"]:
        yield from line(f"reached: {run['reached_note']}", indent=2)
    if run["cited"]:
        yield from line(f"cites {', '.join(run['cited'])}", indent=2)
    for one in run["verdicts"]:
        value = one["value"].replace("_", " ")
        score = "" if one["score"] is None else f" (score {one['score']:g})"
        judge = " ".join(filter(None, (one["judge"], one["stage"])))
        yield from line(f"verdict  {judge}: {value}{score}", indent=2)
        yield from block(one["reason"], indent=6)
    if run["metrics"]:
        figures = " · ".join(f"{name} {value:.4g}" for name, value in run["metrics"].items())
        yield from line(f"stored figures  {figures}", indent=2)
    yield from _retrieval_lines(run)


def _said(what: str, text: str) -> Iterator[str]:
    if text:
        yield f"  {what}"
        yield from block(text, indent=6)


def _retrieval_lines(run: Json) -> Iterator[str]:
    summary = run["retrieval"]
    grain = summary["grain"]
    k = "" if summary["k"] is None else f" (k {summary['k']})"
    if summary["recall"] is None:
        yield from line(f"retrieval  {summary['state']}{k}", indent=2)
    else:
        found = f"{summary['found']} of {summary['gold']} gold {grain}s"
        yield from line(f"retrieval  {found} among those sent{k}", indent=2)
        for one in run["clue_hits"]:
            yield from _clue_hit(one)
    for note in filter(None, (summary["grain_note"], summary["note"])):
        yield from line(f"note: {note}", indent=4)
    rows = [
        [
            item["rank"],
            {True: "● clue", False: "+ extra", None: ""}[item["hit"]],
            ", ".join(item["source_ids"]) or "no source",
            "" if item["score"] is None else number(item["score"]),
            "not sent" if item["used"] is False else "leads nowhere" if item["lost"] else "",
            _found_by(item["parts"]),
            item["text"],
        ]
        for item in run["retrieved"]
    ]
    if rows:
        columns = ["rank", "<", "<source", "score", "<", "<found by", "<text"]
        yield from table(columns, rows, indent=4)


def _clue_hit(one: Json) -> Iterator[str]:
    if not one["unit"]:
        yield from line(f"◌ unresolved  {one['id']}", indent=4)
        return
    mark = "● hit" if one["hit"] else "○ missed"
    rank = f"#{one['rank']}" if one["rank"] is not None else "not retrieved"
    where = "" if one["unit"] == one["id"] else f"{one['unit']}  "
    yield from line(f"{mark}  {one['id']}  {where}{rank}", indent=4)


def _found_by(parts: list[Json]) -> str:
    """Which queries found an item: modality, and the options whose query it was."""
    options: dict[str, list[str]] = {}
    for part in parts:
        fallback = f" (fallback {part['fallback']})" if part["fallback"] else ""
        options.setdefault(f"{part['modality']}{fallback}", []).append(part["option"])
    return ", ".join(f"{how} {' '.join(letters)}".strip() for how, letters in options.items())


def _evaluator_lines(known: Json) -> Iterator[str]:
    yield "◇ evaluator-only"
    parts = [("question", known["question"])]
    parts += [(f"session {key}", value) for key, value in known["sessions"].items()]
    parts += [(f"round {key}", value) for key, value in known["rounds"].items()]
    parts.append(("history", known["history"]))
    for name, value in parts:
        if value:
            yield from line(name, indent=2)
        for key, inner in value.items():
            said = inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False)
            yield from block(f"{key}: {said}", indent=4)
