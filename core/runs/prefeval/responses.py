"""PrefEval's outputs: what a model answers after a preference and so many turns of other talk."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import QuestionRef, Record, Value, Verdict
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.prefeval.forms import Form
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.runs.rows import any_row_has, first_rows, identity_of, read_answer, row_nodes
from mnemoscope.core.sources import SourceFile

__all__ = ["FileName", "PrefEvalOutputs", "read_name"]

_ROW_KEYS = ("preference", "question", "response_to_q")
_TOPICS = (
    *("education_learning_styles", "education_resources"),
    *("entertain_games", "entertain_music_book", "entertain_shows", "entertain_sports"),
    *("lifestyle_beauty", "lifestyle_dietary", "lifestyle_fit", "lifestyle_health"),
    *("pet_ownership", "professional_work_location_style"),
    *("shop_fashion", "shop_home", "shop_motors", "shop_technology"),
    *("travel_activities", "travel_hotel", "travel_restaurant", "travel_transportation"),
)
_NAME = re.compile(
    rf"(?:(?P<model>.+?)_)?(?P<topic>{'|'.join(_TOPICS)})(?:_(?P<turns>[0-9]{{1,5}})_?(?:inter)?turns?)?"
    r"(?:_(?P<rest>.+))?",
    re.DOTALL | re.IGNORECASE,
)
_FORM_KEYS = {
    "classification_task_options": Form.MCQ,
    "implicit_query": Form.CHOICE,
    "aligned_op": Form.CHOICE,
    "conversation": Form.PERSONA,
}
_UNJUDGED = (
    "whether an answer follows the preference is for a judge to say; answers alone say nothing"
)
_JUDGED = (
    "right is what follows the preference: the benchmark's judge says that it is helpful and does "
    "not violate it"
)
_NOTE = (
    "the answer is response_to_q; what the model said to the preference itself is in the raw view"
)
_ANALYSIS = "evaluation_error_analysis"
"""Where PrefEval's judge writes, into the rows themselves, what it says to four questions."""
_JUDGED_FILE = "error_"


@dataclass(frozen=True, slots=True)
class FileName:
    """What a name such as ``mistral8x7b_travel_hotel_2turn`` says."""

    topic: str
    model: str = ""
    turns: str = ""
    """How many turns of other talk stand between preference and question."""
    rest: str = ""


class PrefEvalOutputs:
    """Reads PrefEval's outputs (other-releases.md 2.9): the topic's rows with two responses.

    Files of one model and number of turns are one run, whatever their topics. A row's place among
    the topic's rows is the place of its question in the release.
    """

    name = "prefeval"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """What the file adds to its run."""
        if file.is_archive or not any_row_has(first_rows(file), *_ROW_KEYS):
            return None
        log = DefectLog(file.name)
        judged = any_row_has(first_rows(file), _ANALYSIS)
        # The judge's copy of a file is a half of the run that the file is of.
        stem = file.stem.removeprefix(_JUDGED_FILE) if judged else file.stem
        name = read_name(stem)
        topic = name.topic if name else file.stem
        records = []
        for position, row in row_nodes(file, log):
            record = _record(row, topic, position)
            if record is not None:
                records.append(record)
        identity, notes = _identity(file, name)
        parameters = {"turns_between": int(name.turns)} if name and name.turns else {}
        return [
            RunPart(
                identity,
                tuple(records),
                parameters=parameters,
                defects=tuple(log.items),
                notes=(_JUDGED if judged else _UNJUDGED, _NOTE, *notes),
            )
        ]


def read_name(stem: str) -> FileName | None:
    """Read a file name without its extension; None when it holds no topic of PrefEval."""
    match = _NAME.fullmatch(stem) if len(stem) < 300 else None
    if match is None:
        return None
    found = match.groupdict("")
    return FileName(found["topic"].lower(), found["model"], found["turns"], found["rest"])


def _identity(file: SourceFile, name: FileName | None) -> tuple[RunIdentity, tuple[str, ...]]:
    if name is None or not name.model:
        return identity_of(file, PrefEvalOutputs.name)
    words = [name.model, *([f"{name.turns}turn"] if name.turns else []), name.rest]
    group = file.path.parent.relative_to(file.root).as_posix()
    identity = RunIdentity(
        format=PrefEvalOutputs.name,
        group=f"{group}/{'/'.join(words)}",
        system=name.model,
        backbone=name.model,
        names=tuple(filter(None, words)),
    )
    return identity, (f"{name.model!r} and the topic are read from the name of the file",)


def _form(row: Node) -> Form:
    """Which of the release's forms a row repeats; the plain one has no key of its own."""
    return next((form for key, form in _FORM_KEYS.items() if key in row.data), Form.EXPLICIT)


def _record(row: Node, topic: str, position: int) -> Record | None:
    text = row.required_text("question")
    if text is None:
        return None
    answer = read_answer(row, "response_to_q")
    return Record(
        ref=QuestionRef(
            history=f"{topic}-{position}-{_form(row)}", question=str(position), text=text
        ),
        status=answer.status,
        answer=answer.text,
        file=row.log.file,
        place=row.place,
        detail=answer.detail,
        verdicts=(_verdict(row),) if _ANALYSIS in row.data else (),
    )


def _verdict(row: Node) -> Verdict:
    """Whether the answer follows the preference, and which of the benchmark's errors it is."""
    found = Node(row.mapping(_ANALYSIS), row.at(_ANALYSIS), row.log)
    said = {}
    for key in ("acknow", "hallucinate", "violate", "helpful"):
        value = found.mapping(key).get("answer")
        said[key] = value.casefold() if type(value) is str else ""
    violates, unhelpful = "yes" in said["violate"], "no" in said["helpful"]
    if not violates and not unhelpful and not (said["violate"] and said["helpful"]):
        expected = "the judge's answers on violate and helpful"
        row.log.warning("judge_failed", row.at(_ANALYSIS), row.found(_ANALYSIS), expected)
        return Verdict("stored", Value.JUDGE_FAILED, reason="the judge's answers are not whole")
    if unhelpful:
        return Verdict("stored", Value.WRONG, reason="unhelpful")
    if not violates:
        return Verdict("stored", Value.RIGHT)
    if "yes" not in said["acknow"]:
        return Verdict("stored", Value.WRONG, reason="violation, unaware of the preference")
    if "yes" in said["hallucinate"]:
        return Verdict("stored", Value.WRONG, reason="violation, of a preference made up")
    return Verdict("stored", Value.WRONG, reason="violation, inconsistent with what it says")
