"""One value after another of a history is damaged: reading goes on, and says where."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Kind, Release, Round
from mnemoscope.core.reading import at_path
from tests.cue_release_data import (
    QUESTIONS,
    SESSIONS,
    Json,
    history,
    image,
    leaves,
    read,
    text_round,
    voice,
    with_value,
    write,
)

Place = tuple[str | int, ...]
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    7,
    "",
    "x",
    "\x1b[2J\x07\u202e\x00",
    "\ud800",
    [None, 3, ["x"], {}],
    {"A": None, "round": 3, "": [], "a.b[0]": 1},
)
LONG = "x" * 10_000_000


def rich() -> Json:
    """The history with everything that is not usual and still read."""
    data = history()
    data[SESSIONS][2]["dialogues"] += [
        text_round("D02:01", "看。") | {"D02-001.png": "说明。", "background_audio": "雨"},
        {"round": "D02:02"} | image("D02-002") | voice("D02-002"),
    ]
    data[QUESTIONS][3] |= {"question_audio": "data/q.wav", "question_audio_caption": "声。"}
    data["_audio_caption_study"] = {"mode": "hint"}
    # Damage to what only the evaluator may see is the same in every session.
    for one in data[SESSIONS][1:]:
        one |= {"explicit_preferences": [], "implicit_preferences": []}
    return data


def damaged() -> Iterator[tuple[Place, Json]]:
    """The history with each value in turn left out or replaced; it is mended in between."""
    data = rich()
    for place, _ in list(leaves(data)):
        holder: Any = data
        for key in place[:-1]:
            holder = holder[key]
        whole = copy.copy(holder)
        del holder[place[-1]]
        yield place, data
        for value in ODD_VALUES:
            mend(holder, whole)
            holder[place[-1]] = value
            yield place, data
        mend(holder, whole)


def mend(holder: Any, whole: Any) -> None:
    holder.clear()
    holder.update(whole) if isinstance(holder, dict) else holder.extend(whole)


def try_reading(folder: Path, data: Any, *, variant: Any = None) -> Release | None:
    write(folder, data)
    if variant is not None:
        write(folder, variant, variant="brief")
    try:
        return read(folder)
    except InputError:
        return None


def check_paths(release: Release, data: Any, *, of: str = "/") -> None:
    """Every defect's path, or at least its parent, can be followed."""
    for defect in release.defects:
        if of not in defect.file:
            continue
        try:
            at_path(data, defect.path)
        except KeyError:
            at_path(data, parent(defect.path))


def parent(path: str) -> str:
    if path.endswith('"]'):
        return path[: path.rindex('["')]
    return path[: max(path.rfind("."), path.rfind("["))]


def unplaced(one: Round) -> Any:
    return one.id, one.messages


def without_brief(release: Release) -> Any:
    """All that the history says but for the captions of the variant."""
    return [
        (one.id, message.text, item.id, item.written, item.captions["medium" if image else "hint"])
        for one in release.histories["p0"].rounds
        for message in one.messages
        for item in message.attachments
        for image in [item.kind is Kind.IMAGE]
    ]


def check_untouched(release: Release, whole: Release, place: Place) -> None:
    """Sessions and questions beside the damaged one are as they were."""
    part, index = place[0], place[1] if len(place) > 1 else None
    if part != QUESTIONS:
        assert len(release.questions) == len(whole.questions)
        for key, one in whole.questions.items():
            assert release.questions[key].text == one.text
    if part != SESSIONS:
        if part != "character_profile":
            assert release.histories["p0"] == whole.histories["p0"]
        others = {q.place: q for q in release.questions.values()}
        for position, one in enumerate(whole.questions.values()):
            if part != QUESTIONS or (index is not None and position < int(index)):
                assert others[one.place] == one
    elif index is not None:
        found = release.histories["p0"].sessions
        for position, session in enumerate(whole.histories["p0"].sessions):
            if position < int(index):
                assert found[position] == session
            elif position > int(index):
                later = found[position - len(whole.histories["p0"].sessions)]
                assert list(map(unplaced, later.rounds)) == list(map(unplaced, session.rounds))


def test_damage_to_any_value_leaves_the_rest_readable(tmp_path: Path) -> None:
    whole = try_reading(tmp_path, rich())
    assert whole is not None
    read_anyway = 0
    for place, data in damaged():
        release = try_reading(tmp_path, data)
        if release is None:
            assert place[0] in (SESSIONS, QUESTIONS)
            continue
        read_anyway += 1
        check_paths(release, data)
        check_untouched(release, whole, place)
    assert read_anyway > 2000


def test_damage_to_any_value_of_a_variant_leaves_the_base_as_it_is(tmp_path: Path) -> None:
    base = rich()
    whole = try_reading(tmp_path, base, variant=base)
    assert whole is not None
    assert [one.code for one in whole.defects] == ["media_absent"]
    for place, data in damaged():
        if len(place) > 1 and place[1] not in (2, "name"):
            continue
        release = try_reading(tmp_path, base, variant=data)
        assert release is not None
        assert list(release.questions) == list(whole.questions)
        for one, was in zip(
            release.histories["p0"].rounds, whole.histories["p0"].rounds, strict=True
        ):
            assert one.id == was.id
            for item, before in zip(one.attachments, was.attachments, strict=True):
                assert (
                    before.captions.items()
                    >= {
                        level: text for level, text in item.captions.items() if level != "brief"
                    }.items()
                )
        for defect in release.defects:
            if "/brief/" in defect.file:
                try:
                    at_path(data, defect.path)
                except KeyError:
                    at_path(data, parent(defect.path))


@pytest.mark.parametrize(
    "place",
    [
        ("character_profile", "name"),
        (SESSIONS, 0, "session_id"),
        (SESSIONS, 0, "date"),
        (SESSIONS, 0, "dialogues", 1, "round"),
        (SESSIONS, 0, "dialogues", 1, "user"),
        (SESSIONS, 0, "dialogues", 1, "input_image", 0),
        (SESSIONS, 0, "dialogues", 1, "image_id", 0),
        (QUESTIONS, 0, "option_images", "A"),
        (QUESTIONS, 2, "question"),
        (QUESTIONS, 2, "qa_id"),
        (QUESTIONS, 2, "answer"),
        (QUESTIONS, 2, "clue", 0),
    ],
)
def test_a_text_of_ten_million_characters_is_read_and_shown_shortened(
    tmp_path: Path, place: Place
) -> None:
    release = try_reading(tmp_path, with_value(history(), place, LONG))
    assert release is not None
    assert release.counts["rounds"] == 7
    assert all(len(one.line()) < 12_000 for one in release.defects)


def test_what_is_damaged_more_than_once_is_still_read(tmp_path: Path) -> None:
    data = rich()
    for one in data[SESSIONS]:
        one["dialogues"] = [*one["dialogues"], 3, None, {"round": 5}, {}]
    data[QUESTIONS] = [None, {}, *copy.deepcopy(data[QUESTIONS]), "x"]
    release = try_reading(tmp_path, data)
    assert release is not None
    assert (release.counts["rounds"], release.counts["questions"]) == (9, 6)
    check_paths(release, data)
