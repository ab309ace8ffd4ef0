"""Runs whose memories keep cells, of the invented leaderboard: right, and with one fault each."""

import atexit
import functools
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from mnemoscope.core.memory.cells import cell_attributes
from mnemoscope.core.model import AttachmentState, History, Message, Round
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.runs.native.schema import Manifest
from mnemoscope.core.runs.native.store import RunStore
from mnemoscope.core.state.component import Layer, Part
from mnemoscope.core.state.ledger import Scrubber
from mnemoscope.core.state.timeline import Moment, Timeline
from mnemoscope.core.truth.truth import Truth
from tests.truth_data import HISTORY, history, release, truth
from tests.workspace_data import a_question

# Any: JSON documents.
Json = dict[str, Any]
Sheet = Callable[[Moment], Layer]


def accepted(moment: Moment) -> Layer:
    """What a system that makes no mistake holds."""
    return moment.accepted


def newest_image(moment: Moment) -> Layer:
    """What a system holds that believes the last upload of the context and nothing else."""
    return moment.shown


def held_lines(truth: Truth, history: History, sheet: Sheet) -> Iterator[Json]:
    """The lines of ``states/*.jsonl`` of a system that holds the cells of one sheet."""
    scrubber = Scrubber(Timeline(truth.trajectory), [one.id for one in history.rounds])
    field = truth.trajectory.schema.name_field
    key = field.key if field is not None else ""
    before: Mapping[str, Json] = {}
    for one in history.rounds:
        moment = scrubber.timeline.at(scrubber.count_at(one.index))
        items = {item["id"]: item for item in _items(sheet(moment), one.id, key)}
        yield {
            "history": history.id,
            "round": one.id,
            "index": one.index,
            "added": [item for key, item in items.items() if key not in before],
            "changed": [
                item
                for key, item in items.items()
                if key in before and item["attributes"] != before[key]["attributes"]
            ],
            "removed": [key for key in before if key not in items],
        }
        before = items


def _items(layer: Layer, round_id: str, name: str) -> Iterator[Json]:
    names = {
        where.entity: str(content)
        for where, content in layer.items()
        if where.part is Part.CELL and where.field == name
    }
    for where, content in layer.items():
        if where.part is not Part.CELL or where.field == name:
            continue
        assert content is None or isinstance(content, bool | int | float | str)
        yield {
            "id": f"ledger:cell:{where.entity}.{where.field}",
            "kind": "cell",
            "text": f"{names[where.entity]} {where.field} {content}",
            "rounds": [round_id],
            "attributes": cell_attributes(names[where.entity], where.field, content),
        }


def write_run(folder: Path, lines: Iterator[Json], name: str = "ledger") -> Path:
    """A native run without records that keeps states."""
    manifest = Manifest.model_validate(
        {"kind": "mnemoscope-run", "schema_version": 1, "name": name, "system": {"id": name}}
    )
    with RunStore.create(folder, manifest, durable=False) as store:
        store.finish()
    (folder / "states").mkdir()
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "states" / "history.jsonl").write_text(text, encoding="utf-8")
    return folder


def boards(folder: Path) -> OpenRequest:
    """The leaderboard with pictures, and a question, and two runs: one careful, one hasty."""
    media = folder / "drawn"
    media.mkdir(parents=True)
    plain = release()
    histories = {
        key: replace(
            one,
            sessions=tuple(
                replace(each, rounds=tuple(_drawn(r, media) for r in each.rounds))
                for each in one.sessions
            ),
        )
        for key, one in plain.histories.items()
    }
    question = replace(a_question(f"{HISTORY}/0", clues=["r5"]), visible_until="r9")
    whole = replace(plain, histories=histories, questions={question.key: question})
    write_release(whole, folder / "boards")
    careful = write_run(folder / "careful", held_lines(truth(), history(), accepted), "careful")
    hasty = write_run(folder / "hasty", held_lines(truth(), history(), newest_image), "hasty")
    return OpenRequest(folder / "boards", (hasty, careful))


def _drawn(one: Round, folder: Path) -> Round:
    return replace(one, messages=tuple(_with_pictures(each, folder) for each in one.messages))


def _with_pictures(message: Message, folder: Path) -> Message:
    found = []
    for image in message.attachments:
        file = folder / f"{image.id}.png"
        shade = 40 + 5 * int(image.id.removeprefix("img"))
        picture = Image.new("RGB", (96, 64), (shade, 90, 140))
        ImageDraw.Draw(picture).rectangle((8, 8, 88, 18), fill=(230, 230, 220))
        picture.save(file)
        state = AttachmentState.PRESENT
        found.append(replace(image, state=state, file=str(file), written=file.name))
    return replace(message, attachments=tuple(found))


@functools.cache
def boards_request() -> OpenRequest:
    """That release, written once for all tests of a process."""
    folder = Path(tempfile.mkdtemp(prefix="boards-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return boards(folder)
