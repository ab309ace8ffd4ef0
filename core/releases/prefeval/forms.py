"""PrefEval's four forms: how a preference is given, and how its keeping is asked for.

Each topic is a file in every form; the files are parallel, row by row.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from mnemoscope.core.errors import InputError
from mnemoscope.core.files import open_file
from mnemoscope.core.model import TaskLabel
from mnemoscope.core.sources import SourceFile

__all__ = ["FORMS", "Form", "FormFacts", "form_of", "may_hold_rows"]

_LOOKED_AT = 10
_SNIFFED = 512
_FIRST_KEY = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"'
    rb"(?:preference|question|explanation|implicit_query|options|conversation|aligned_op"
    rb'|persona|fix|classification_task_options|violation_probability)"'
)
_ANSWERED = "response_to_q"
"""A key of run output, which repeats the release's rows."""


class Form(StrEnum):
    """How a row gives its preference and asks; the name is part of the history's id."""

    EXPLICIT = "explicit"
    CHOICE = "choice"
    PERSONA = "persona"
    MCQ = "mcq"


@dataclass(frozen=True, slots=True)
class FormFacts:
    """What a form is called, and what of its rows a system may see."""

    label: TaskLabel
    setting: str
    told: str
    """The key of what was said before the question."""


FORMS: Mapping[Form, FormFacts] = {
    Form.EXPLICIT: FormFacts(
        TaskLabel("explicit_preference", "Explicit preference"), "explicit", "preference"
    ),
    Form.CHOICE: FormFacts(
        TaskLabel("implicit_choice", "Preference shown by a choice"), "implicit", "conversation"
    ),
    Form.PERSONA: FormFacts(
        TaskLabel("implicit_persona", "Preference in a conversation"), "implicit", "conversation"
    ),
    Form.MCQ: FormFacts(TaskLabel("multiple_choice", "Multiple choice"), "explicit", "preference"),
}
"""In the order in which the forms are read; the whole release has 20 topics, counts unknown."""


def may_hold_rows(file: SourceFile) -> bool:
    """Whether the beginning of a file looks like rows; reads no more than that."""
    if file.is_lines:
        return False
    try:
        with open_file(file.path) as stream:
            return _FIRST_KEY.match(stream.read(_SNIFFED)) is not None
    except InputError:
        return False


def form_of(data: Any) -> Form | None:
    """The form of a file's rows; None when it holds none."""
    if type(data) is not list:
        return None
    rows = [row for row in islice(data, _LOOKED_AT) if _is_row(row)]
    if not rows or any(_ANSWERED in row for row in rows):
        return None
    if any("classification_task_options" in row for row in rows):
        return Form.MCQ
    if any("implicit_query" in row or "aligned_op" in row for row in rows):
        return Form.CHOICE
    if any("conversation" in row for row in rows):
        return Form.PERSONA
    # Preferences and questions are in files of other kinds too; nothing else has all three.
    return Form.EXPLICIT if any("explanation" in row for row in rows) else None


def _is_row(row: Any) -> bool:
    return type(row) is dict and "preference" in row and "question" in row
