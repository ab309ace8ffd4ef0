"""The table of the filter language: every field, outcome and figure, with its help text."""

from collections.abc import Mapping
from dataclasses import dataclass

from mnemoscope.core.choices import RULE_NAMES
from mnemoscope.core.model import RecordStatus

__all__ = ["FIELDS", "FIGURES", "OUTCOMES", "Field", "help_rows"]


@dataclass(frozen=True, slots=True)
class Field:
    """A word that can stand before a colon."""

    name: str
    help: str
    """What it selects, in one line."""
    example: str
    values: tuple[str, ...] = ()
    """All values it takes, where they are the same for every release."""
    whole: bool = False
    """Whether it says something about the filter as a whole: given once, never negated."""


_FIELDS = (
    Field("task", "the question's task", "task:entity_recall"),
    Field("setting", "the evidence setting; none for unlabelled questions", "setting:implicit"),
    Field("history", "the history, by id or name", "history:p0,p3"),
    Field("session", "questions with a clue in the session", "session:D02"),
    Field("category", "the release's category; none for questions without", "category:Pets"),
    Field("id", "the question's key or id", "id:conv-26/4"),
    Field(
        "status",
        "questions with a record of this status in any open run",
        "status:error",
        tuple(status.value for status in RecordStatus),
    ),
    Field(
        "tag",
        "a tag on the question or on an answer to it; any, none, flagged",
        "tag:retrieval_miss",
    ),
    Field("sys", "what became of the question in a run", "sys:A.wrong"),
    Field(
        "overlay",
        "questions that an overlay corrects, by error type; any for all of them",
        "overlay:any",
    ),
    Field(
        "judge",
        "the rule by which sys: and status: tell right from wrong",
        "judge:rq1",
        RULE_NAMES,
        whole=True,
    ),
    Field("sample", "that many of the questions, drawn at random", "sample:200", whole=True),
    Field("seed", "the number that decides the draw; 0 if not given", "seed:42", whole=True),
)
FIELDS: Mapping[str, Field] = {field.name: field for field in _FIELDS}
"""Fields by name."""

OUTCOMES: Mapping[str, str] = {
    "right": "judged right",
    "wrong": "judged wrong; unparsed and failed records are",
    "unparsed": "an answer that no option can be read from",
    "error": "no answer: an error, a timeout, a refusal, a spent budget, not run",
    "not_judged": "there is a record without a verdict, or without gold",
    "missing": "there is no record",
}
"""What ``sys:RUN.`` takes. With repeats, the first one counts."""

FIGURES: Mapping[str, str] = {
    "recall": "share of the gold rounds among those sent, from 0 to 1 "
    "(of sessions, if a run names only those)",
    "precision": "gold rounds (or sessions) among those sent / k, from 0 to 1",
    "hit": "1 when at least one gold round (or session) was sent, else 0",
    "k": "how many retrieved items were sent",
}
"""What ``RUN.`` compares with a number; ``@k`` after it cuts the list at k."""

_OTHER_TERMS = (
    ("A.recall<0.5", "a figure of a run; questions that lack it do not match"),
    ("A.recall@5>=1", "the same with the list cut after five"),
    ("/lamp|light/", "a regular expression over question, options, gold, answers and clue text"),
    ("/Lamp/c", "the same, upper and lower case told apart"),
    ("lamp", "the text itself, in the same places"),
    ('"desk lamp"', "a text with spaces"),
    ("!task:entity", "not that"),
    ("task:a,b", "any of several"),
    ("history:p1*", "a beginning, even when it is a whole name itself"),
)


def help_rows() -> list[tuple[str, str]]:
    """Example and meaning of everything that the language knows, for people."""
    rows = [(field.example, field.help) for field in FIELDS.values()]
    rows += [(f"sys:A.{name}", text) for name, text in OUTCOMES.items()]
    rows += [(f"A.{name}", text) for name, text in FIGURES.items()]
    return rows + list(_OTHER_TERMS)
