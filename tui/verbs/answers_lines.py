"""Answers of people, for people: who answered what, what was written, what is shown."""

from collections.abc import Iterator

from mnemoscope.tui.verbs.tables import Json, block, line, percent, table

__all__ = ["exported", "listed", "sheet"]


def listed(data: Json) -> Iterator[str]:
    """Coverage and time, then accuracy where it is to be seen."""
    yield from line(f"release  {data['release']}")
    yield from line(f"answers  {data['folder']}")
    yield ""
    if not data["answers"]:
        yield "nobody has answered anything here"
        return
    heads = ["<who", "<view", "<history", "answered", "of", "median s", "mean s", "<", "accuracy"]
    yield from table(heads, [_row(one) for one in data["answers"]])
    for one in data["answers"]:
        if one["results"]:
            yield ""
            yield from line(f"{one['participant']}  {one['view']}  {one['history']}")
            rows = [
                [cell["task"], cell["setting"], cell["n"], percent(cell["value"])]
                for cell in one["results"]["cells"]
            ]
            yield from table(["<task", "<setting", "n", "accuracy"], rows, indent=2)


def _row(one: Json) -> list[object]:
    results = one["results"]
    return [
        *(one[key] for key in ("participant", "view", "history", "answered", "total")),
        _seconds(one["median_seconds"]["value"]),
        _seconds(one["mean_seconds"]["value"]),
        "finished" if one["finished"] else "going on",
        percent(results["accuracy"]["value"]) if results else None,
    ]


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def exported(data: Json) -> Iterator[str]:
    """What is there now."""
    if not data["submissions"]:
        yield "nobody has answered anything here; nothing is written"
        return
    rows = [
        [
            *(one[key] for key in ("path", "form", "answered", "total")),
            "was there" if one["was_there"] else "",
        ]
        for one in data["submissions"]
    ]
    yield from table(["<submission", "<form", "answered", "of", "<"], rows)


def sheet(data: Json) -> Iterator[str]:
    """The question, its options, and the dialogue or the clues."""
    yield from line(f"{data['view']}  question {data['number']} of {data['of']}")
    yield ""
    yield from block(data["question"])
    if data["asked_at"]:
        yield from line(f"asked {data['asked_at'].replace('T', ' ')}", indent=2)
    for item in data["attachments"]:
        yield from line(_attachment(item), indent=2)
    for option in data["options"]:
        shown = option["text"] or (
            _attachment(option["attachment"]) if option["attachment"] else ""
        )
        yield from line(f"{option['label']}  {shown}", indent=2)
    for session in data["sessions"]:
        yield ""
        yield from line(f"{session['id']}  {session['date']}".rstrip())
        for one in session["rounds"]:
            yield from _round(one)
    for clue in data["clues"]:
        yield ""
        yield from line(f"clue  {clue['title']}")
        for one in clue["rounds"]:
            yield from _round(one)


def _round(one: Json) -> Iterator[str]:
    yield from line(one["id"], indent=2)
    for message in one["messages"]:
        said = message["text"] or message["spoken"]
        yield from block(f"{message['speaker']}: {said}" if said else message["speaker"], indent=4)
        for item in message["attachments"]:
            yield from block(_attachment(item), indent=6)


def _attachment(item: Json) -> str:
    shown = item["caption"]
    if shown is None:
        shown = "" if item["state"] == "present" else item["state"]
    return f"[{item['name']}] {shown}".rstrip()
