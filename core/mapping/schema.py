"""The file of a map, as a pydantic model."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from mnemoscope.core.model import RecordStatus
from mnemoscope.core.schemas import Extra, Flag, Form, Number, Text, TextualisationForm, Whole

__all__ = [
    "AnswerMap",
    "ConstantForm",
    "MapFile",
    "QuestionMap",
    "RetrievedMap",
    "RunMap",
    "VerdictMap",
]

Column = Annotated[Text, Field(min_length=1)]
"""The name of a column, or the path of a value in a row: ``meta.user``, ``items[*].id``; ``^name``
is of the object around the list of rows, ``*`` the key that the list stands under."""
Words = tuple[bool | int | float | str | None, ...]


class ConstantForm(Form):
    """A value that is the same for every row."""

    value: Text
    """The value."""


class QuestionMap(Form):
    """Which question a row is about, or in a release: the question."""

    key: Column | None = None
    """The question's key here, such as `conv-26/4`."""
    id: Column | None = None
    """Its id in the benchmark."""
    history: Column | None = None
    """The history's id or name."""
    history_from: Whole | None = None
    """The number of the first history, where the column counts histories."""
    index: Column | None = None
    """Its place among the questions of its history."""
    index_from: Whole = 0
    """The number of the first question, where they are counted."""
    text: Column | None = None
    """What is asked."""
    form: Column | None = None
    """The benchmark's own name for the kind of question."""
    category: Column | None = None
    """The benchmark's own category."""
    gold: Column | None = None
    """The right answer; in a release with options the label or the text of the right one."""
    gold_separator: Text = ""
    """What divides several accepted answers in one text."""
    task: Column | None = None
    """In a release: the task."""
    setting: Column | None = None
    """In a release: the evidence setting."""
    answerable: Column | None = None
    """In a release: whether there is an answer, `true` or `false`."""
    options: dict[Text, Column] | Column | None = None
    """In a release: columns by label, or one value that holds them all."""
    options_separator: Text = ""
    """What divides the options in one text; they are labelled A, B, C, …"""
    evidence: Column | None = None
    """In a release: ids that the answer rests on."""
    evidence_separator: Text = ""
    """What divides several of them in one text; `json` for a JSON list."""
    labels: dict[Text, Column] = Field(default_factory=dict)
    """In a release: further labels that do not give the answer away."""

    @model_validator(mode="after")
    def _names_a_question(self) -> "QuestionMap":
        if not (self.key or self.id or self.index or self.text):
            raise ValueError("a key, an id, an index or a text")
        if self.index and not (self.history or self.id):
            raise ValueError("a history beside index")
        return self


class AnswerMap(Form):
    """What the system answered."""

    text: Column | None = None
    """The raw answer."""
    parsed: Column | None = None
    """The option read from it."""
    reasoning: Column | None = None
    """What was written beside the answer."""
    error: Column | None = None
    """The text of an error; a row that has one failed."""
    status: Column | None = None
    """What became of the question."""
    status_words: dict[RecordStatus, Words] = Field(default_factory=dict)
    """The words for each status; its own name is always one."""


class VerdictMap(Form):
    """What the file says of right and wrong."""

    value: Column
    """The verdict."""
    right: Words | None = None
    """Words for right: true, 1, yes, right, correct unless said."""
    wrong: Words | None = None
    """Words for wrong: false, 0, no, wrong, incorrect unless said."""
    not_judged: Words | None = None
    """Words for not judged: null and the empty text unless said."""
    judge_failed: Words = ()
    """Words for a judge that gave no verdict."""
    right_from: Number | None = None
    """The least score that is right, where the verdict is a number."""
    reason: Column | None = None
    """Why."""


class RetrievedMap(Form):
    """What was brought back, best first."""

    ids: Column | None = None
    """Ids of rounds or sessions."""
    separator: Text = ""
    """What divides them in one text; `json` for a JSON list."""
    grain: Literal["round", "session"] = "round"
    """What the ids name."""
    scores: Column | None = None
    """Scores, as many as ids, divided alike."""
    texts: Column | None = None
    """Texts, as many as ids; a list."""

    @model_validator(mode="after")
    def _names_items(self) -> "RetrievedMap":
        if not (self.ids or self.texts):
            raise ValueError("ids or texts")
        return self


class RunMap(Form):
    """Which run a row belongs to; rows that differ in a column here are of different runs."""

    name: Column | ConstantForm | None = None
    """A name for people."""
    system: Column | ConstantForm | None = None
    """The memory system; the file's name when nothing is said."""
    backbone: Column | ConstantForm | None = None
    """The model that answers."""
    repeat: Column | None = None
    """Which repeat, as a whole number."""
    rule: Literal["stored", "rq1", "rq3", "open", "exact", "contains", "f1"] = "stored"
    """What decides right and wrong."""
    used_depth: Whole | None = None
    """How many retrieved items were sent to the backbone, when that is fixed."""
    textualisation: TextualisationForm | None = None
    """What stood for images and audio."""
    together: Flag = False
    """Whether several files are parts of the same runs; otherwise each file has its own."""
    parameters: dict[Text, Any] = Field(default_factory=dict)
    """The configuration, as free values."""


class MapFile(Form):
    """A map: where in the rows of a table-shaped file things stand."""

    kind: Literal["mnemoscope-map"]
    """Marks the file as ours."""
    schema_version: Whole
    """Version of this format."""
    reads: Literal["run", "release"] = "run"
    """What the mapped files are."""
    name: Text = ""
    """What a release is called; its file's name when left out."""
    rows: Text = "$"
    """Where the rows are in a JSON file: `$.results[*].details[*]`, `$.*[*]`."""
    delimiter: Text = ""
    """What divides cells; a comma in `.csv`, a tab in `.tsv` unless said."""
    encoding: Literal["utf-8", "utf-16", "latin-1", "cp1252", "gb18030"] = "utf-8"
    """How the text of a table is stored."""
    question: QuestionMap
    """The question."""
    answer: AnswerMap = AnswerMap()
    """The answer."""
    verdict: VerdictMap | None = None
    """Right and wrong."""
    retrieved: RetrievedMap | None = None
    """What was brought back."""
    metrics: dict[Text, Column] = Field(default_factory=dict)
    """Figures of a row by name."""
    usage: dict[Text, Column] = Field(default_factory=dict)
    """Tokens, seconds and the like by name."""
    run: RunMap = RunMap()
    """Which run a row belongs to."""
    extra: Extra
    """Anything else about the map."""

    @model_validator(mode="after")
    def _reads_something(self) -> "MapFile":
        if len(self.delimiter) > 1:
            raise ValueError("a delimiter of one character")
        if self.reads == "release" and not self.question.text:
            raise ValueError("question.text for a release")
        if self.reads == "release" and (self.answer != AnswerMap() or self.verdict):
            raise ValueError("only question in a map of a release; answers are of runs")
        measured = self.answer.text or self.verdict or self.retrieved or self.metrics
        if self.reads == "run" and not measured:
            raise ValueError("answer.text, verdict, retrieved or metrics for a run")
        return self
