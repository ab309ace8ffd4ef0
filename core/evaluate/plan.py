"""The plan of an evaluation: a TOML file, or the same things as flags."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from mnemoscope.core.errors import ReadError
from mnemoscope.core.schemas import Form, Number, Text, Whole, required
from mnemoscope.core.toml_lines import read_toml_lines

__all__ = [
    "FIRST_SEED",
    "MOST_REPEATS",
    "BackbonePlan",
    "BudgetPlan",
    "CaptionPlan",
    "Plan",
    "PricePlan",
    "SystemPlan",
    "moved",
    "place_beside",
    "read_plan",
    "seeds_of",
]

FIRST_SEED = 42
"""The papers' first seed; further repeats count up from it."""
MOST_REPEATS = 10_000
"""How often a question may be asked: more is a slip, and a seed is kept for each."""

Count = Annotated[Whole, Field(ge=1)]
Repeats = Annotated[Whole, Field(ge=1, le=MOST_REPEATS)]
Limit = Annotated[Number, Field(gt=0)]
Price = Annotated[Number, Field(ge=0)]


def _path(text: str) -> str:
    # No file system has such a name, and Python raises what is no OSError.
    if "\0" in text:
        raise ValueError("a path without NUL")
    return text


PathText = Annotated[Text, AfterValidator(_path)]


class SystemPlan(Form):
    """The memory system."""

    id: Text = ""
    """Its slug, such as `bm25`."""
    profile: Text = "intended"
    """One of its profiles, such as `as_published`."""
    parameters: dict[Text, Any] = Field(default_factory=dict)
    """What differs from the profile."""
    embedder: Text = "lite"
    """What makes vectors, for systems that need them."""


class CaptionPlan(Form):
    """The captions that stand for media."""

    image: Text = ""
    """Those that stand for images, such as `brief` or `none`; the release's usual ones when left
    out."""
    audio: Text = ""
    """Those that stand for audio clips, such as `asr` or `none`; the release's usual ones when left
    out."""


class BackbonePlan(Form):
    """The model that answers."""

    id: Text = ""
    """`embedded`, or `endpoint:MODEL`. Systems that answer by themselves need none."""
    endpoint: Text = ""
    """The base URL of an OpenAI-compatible endpoint; that of the environment or the configuration
    when left out. Keys never stand in a plan."""
    timeout: Limit = 120.0
    """Seconds that one attempt may take."""
    parameters: dict[Text, Any] = Field(default_factory=dict)
    """How the model is to answer, where that differs from the papers' protocol."""


class BudgetPlan(Form):
    """Limits of the whole run. One that is reached stops the run, which can be resumed."""

    tokens: Limit | None = None
    """Tokens of prompts and replies together."""
    calls: Limit | None = None
    """Requests to the endpoint, those that are tried again included."""
    seconds: Limit | None = None
    """Seconds by the clock, counted anew when the run is resumed."""
    cost: Limit | None = None
    """Cost in the currency of the prices, which must be given."""


class PricePlan(Form):
    """What the model costs; nothing is assumed where a price is not given."""

    prompt: Price
    """Price of a million tokens that are sent."""
    completion: Price
    """Price of a million tokens that come back."""


class Plan(Form):
    """What is to be run."""

    release: PathText = ""
    """The release; paths are relative to the plan's folder."""
    format: Text | None = None
    """Its format, when its content does not tell."""
    media_roots: tuple[PathText, ...] = ()
    """Folders outside the release that media may be read from."""
    out: PathText = ""
    """The folder of the run. One that holds a part of this run is gone on with."""
    name: Text = ""
    """A name for people; the folder's when left out."""
    questions: Text = ""
    """A filter such as `task:entity_recall sample:200 seed:1`; all questions when left out."""
    rewrites: PathText = ""
    """A file of other wordings of the questions."""
    rewrite: Count = 1
    """Which of its wordings."""
    textualisation: CaptionPlan = CaptionPlan()
    """The captions that stand for images and audio."""
    captions: tuple[PathText, ...] = ()
    """Files of captions that models made: variants beside the release's own."""
    repeats: Repeats = 1
    """How often every question is asked."""
    seeds: tuple[Whole, ...] = ()
    """The seed of each repeat; 42, 43, … when left out."""
    workers: Count = 16
    """How many questions are on their way at a time."""
    rule: Literal["rq1", "rq3", "open", "exact", "contains", "f1", "stored"] | None = None
    """What decides right and wrong; when left out `rq1` for options, `open` for typed values, and
    for texts `stored`, which leaves them to a judge."""
    tolerance: Annotated[Number, Field(ge=0, le=1)] = 0.0
    """Which share of the records may be without an answer before the exit code is 3."""
    snapshots: PathText = ""
    """A folder of memories that several runs share; the run's own when left out."""
    system: SystemPlan = SystemPlan()
    """The memory system."""
    backbone: BackbonePlan = BackbonePlan()
    """The model that answers."""
    budgets: BudgetPlan = BudgetPlan()
    """Limits of the whole run."""
    prices: PricePlan | None = None
    """What the model costs."""

    def same_records(self, other: "Plan") -> bool:
        """Whether another plan asks for the same records, wherever and within whatever budget."""
        aside = {"out": "", "name": "", "workers": 1, "tolerance": 0.0, "snapshots": ""}
        aside |= {"budgets": BudgetPlan(), "prices": None}
        one, two = (
            plan.model_copy(
                update={**aside, "backbone": plan.backbone.model_copy(update={"endpoint": ""})}
            )
            for plan in (self, other)
        )
        return one == two


def read_plan(path: Path) -> Plan:
    """The plan in a TOML file; its paths are made relative to where we are.

    Raises:
        ReadError: It is no plan; file, line, place, found and expected of the first problem.
        InputError: It cannot be read.
    """
    file = read_toml_lines(path)
    try:
        plan = required(Plan, file.data, path)
    except ReadError as error:
        place = file.place(error.place)
        raise ReadError(path, place, error.found, error.expected, hint=error.hint) from None

    return moved(plan, lambda name: place_beside(path, name))


def place_beside(file: Path, name: str) -> str:
    """The path that a file names, without ``..`` where that leads to the same place.

    Args:
        file: The file that names it.
        name: As it stands there; an empty one stays empty.
    """
    if not name:
        return ""
    path = str(file.parent / name)
    plain = os.path.normpath(path)
    # Behind a link to a folder, ".." is another place.
    return plain if os.path.realpath(plain) == os.path.realpath(path) else path


def moved(plan: Plan, place: Callable[[str], str]) -> Plan:
    """The plan with other paths.

    Args:
        plan: The plan.
        place: Makes the new path of an old one; empty ones stay empty.
    """
    update = {
        "release": place(plan.release),
        "out": place(plan.out),
        "snapshots": place(plan.snapshots),
        "rewrites": place(plan.rewrites),
        "media_roots": tuple(map(place, plan.media_roots)),
        "captions": tuple(map(place, plan.captions)),
    }
    return plan.model_copy(update=update)


def seeds_of(plan: Plan) -> tuple[int, ...]:
    """The seed of each repeat."""
    return plan.seeds or tuple(range(FIRST_SEED, FIRST_SEED + plan.repeats))
