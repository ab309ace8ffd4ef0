"""Stories: the hand-written content of one invented user, read from two TOML files.

`p<N>_sessions.toml` holds the user, the targets and the dialogue; `p<N>_questions.toml` the
questions. Nothing here knows the release format; `release` turns a story into it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CONTENT = Path(__file__).parent / "content"
LETTERS = ("A", "B", "C", "D")


@dataclass(frozen=True)
class Target:
    """A preference, person or pet that questions are about."""

    key: str
    subcategory: str
    content: str
    expression: str
    """`explicit` (said in so many words) or `implicit` (only seen or heard at the edge)."""
    sources: tuple[str, ...]
    anchors: tuple[str, ...] = ()
    rationale: str = ""
    words: tuple[str, ...] = ()
    """Words that give an implicit target away; dialogue never says them."""


@dataclass(frozen=True)
class Cue:
    """A peripheral object or sound that belongs to an implicit target."""

    target: str
    hidden: tuple[str, ...]
    """Caption forms that leave the cue out; every other form names it."""


@dataclass(frozen=True)
class Picture:
    """The photograph of a session, with its three captions."""

    draw: str
    brief: str
    medium: str
    detailed: str
    cue: Cue | None = None


@dataclass(frozen=True)
class Voice:
    """A voice message: what lies under the speech, and how the captions put it."""

    sound: str
    gold: str
    hint: str = ""
    split: str = ""
    cue: Cue | None = None


@dataclass(frozen=True)
class Round:
    """One exchange. With a voice, `user` is what was spoken."""

    user: str
    assistant: str
    picture: bool = False
    voice: Voice | None = None


@dataclass(frozen=True)
class Session:
    """One day's conversation."""

    date: str
    task: str
    place: str
    scene: str
    explicit: tuple[str, ...]
    implicit: tuple[str, ...]
    rounds: tuple[Round, ...]
    picture: Picture | None = None


@dataclass(frozen=True)
class Entity:
    """A person, pet or thing that entity questions name."""

    key: str
    name: str
    explicitness: str
    target: str = ""


@dataclass(frozen=True)
class ImageOption:
    """One option image and its captions."""

    draw: str
    brief: str
    medium: str
    detailed: str
    portrait: bool = False
    """The user's own pet or thing, kept among the profile's portraits."""


@dataclass(frozen=True)
class Question:
    """One multiple-choice question."""

    point: str
    stem: str
    answer: str
    clue: tuple[str, ...]
    target: str = ""
    entity: str = ""
    suffix: str = ""
    dimension: str = ""
    options: tuple[str, ...] = ()
    images: dict[str, ImageOption] = field(default_factory=dict)
    kind: str = ""
    lure: str = ""
    rationale: str = ""


@dataclass(frozen=True)
class Story:
    """Everything invented about one user."""

    number: int
    name: str
    portrait: str
    targets: dict[str, Target]
    sessions: tuple[Session, ...]
    entities: dict[str, Entity]
    questions: tuple[Question, ...]


# A TOML table holds values of many types; each builder below names the ones it takes.
Table = dict[str, Any]


def read_story(number: int) -> Story:
    """Read user `number` from the content folder."""
    told = _table(f"p{number}_sessions.toml")
    asked = _table(f"p{number}_questions.toml")
    profile = told["profile"]
    targets = [Target(**_frozen(t)) for t in told["target"]]
    entities = [Entity(**e) for e in asked["entity"]]
    return Story(
        number=profile["number"],
        name=profile["name"],
        portrait=profile["portrait"].strip(),
        targets={t.key: t for t in targets},
        sessions=tuple(_session(s) for s in told["session"]),
        entities={e.key: e for e in entities},
        questions=tuple(_question(q) for q in asked["question"]),
    )


def _table(name: str) -> Table:
    return tomllib.loads((CONTENT / name).read_text(encoding="utf-8"))


def _frozen(table: Table) -> Table:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}


def _cue(table: Table) -> Table:
    """The same table with its `cue`, if any, made a `Cue`."""
    cue = table.get("cue")
    return {**table, "cue": Cue(**_frozen(cue)) if cue else None}


def _session(table: Table) -> Session:
    picture = table.get("picture")
    rest = {k: v for k, v in table.items() if k not in ("picture", "round")}
    return Session(
        **_frozen(rest),
        picture=Picture(**_cue(picture)) if picture else None,
        rounds=tuple(_round(r) for r in table["round"]),
    )


def _round(table: Table) -> Round:
    voice = table.get("voice")
    return Round(**{**table, "voice": Voice(**_cue(voice)) if voice else None})


def _question(table: Table) -> Question:
    images = {k: ImageOption(**v) for k, v in table.get("images", {}).items()}
    return Question(**{**_frozen(table), "images": images})
