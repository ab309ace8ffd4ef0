"""What the files of our own formats share: strict models, plain error places, JSON schemas.

``python -m mnemoscope.core.schemas FOLDER`` writes the JSON schemas.
"""

import ast
import inspect
import json
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    Strict,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import ErrorDetails

from mnemoscope.core.defects import DefectLog, Described, describe
from mnemoscope.core.errors import ReadError
from mnemoscope.core.writing import json_bytes

__all__ = [
    "Extra",
    "Flag",
    "Form",
    "Moment",
    "Number",
    "Sha256",
    "Text",
    "TextualisationForm",
    "Whole",
    "checked",
    "required",
    "schemas",
    "write_schemas",
]

_NOT_FINITE = ("NaN", "Infinity", "-Infinity")


def _moment(value: object) -> datetime:
    if isinstance(value, datetime):
        return value
    try:
        return datetime.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError("a date and time such as 2026-01-31T09:30:00") from None


def _number(value: object) -> object:
    return float(value) if value in _NOT_FINITE and isinstance(value, str) else value


Text = Annotated[str, Strict()]
"""Text only: a number is not turned into one."""
Whole = Annotated[int, Strict()]
"""A whole number only: neither ``true`` nor ``"3"`` is one."""
Flag = Annotated[bool, Strict()]
"""``true`` or ``false`` only."""
Number = Annotated[
    float,
    Strict(),
    BeforeValidator(_number),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"enum": list(_NOT_FINITE)}]}),
]
"""A number; those that JSON cannot write stand there as text."""
Moment = Annotated[
    datetime,
    PlainValidator(_moment),
    PlainSerializer(lambda value: value.isoformat(), return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""An ISO 8601 date and time; without an offset it is local to whoever speaks."""
Sha256 = Annotated[str, StringConstraints(strict=True, pattern="^[0-9a-f]{64}$")]
"""A hash as 64 hexadecimal digits."""


class Form(BaseModel):
    """An object in a file of ours.

    Unknown keys are errors: a misspelt optional key (``answereable``) would otherwise fall back to
    its default in silence and change a score. What the format has no key for goes into ``extra``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def as_json(self) -> dict[str, Any]:
        """The object as it goes into a file; keys with their default are left out."""
        # Not mode="json": that turns half a surrogate pair in a key into question marks.
        return self.model_dump(exclude_defaults=True)


Extra = Annotated[dict[str, Any], Field(default_factory=dict)]
"""Free JSON."""


class TextualisationForm(Form):
    """Which caption variant stands for images and which for audio."""

    image: Text = "none"
    """Of images."""
    audio: Text = "none"
    """Of audio clips."""


F = TypeVar("F", bound=Form)


def checked(form: type[F], data: Any, log: DefectLog, place: str = "$") -> F | None:
    """Check a value; None, with every problem recorded as an error, when it is not of the form."""
    try:
        return form.model_validate(data)
    except ValidationError as error:
        for code, path, found, expected in _problems(error, place):
            log.error(code, path, Described(found), expected)
        return None


def required(form: type[F], data: Any, file: Path) -> F:
    """Check the value of a whole file.

    Raises:
        ReadError: It is not of the form; the first problem, and how many more there are.
    """
    try:
        return form.model_validate(data)
    except ValidationError as error:
        (code, place, found, expected), *others = _problems(error, "$")
        if code == "unknown_key" and "extra" not in form.model_fields:
            expected = _NO_SUCH_KEY
        hint = f"{len(others)} more problems in this file" if others else ""
        raise ReadError(file, place, found, expected, hint=hint) from None


_NO_SUCH_KEY = "no such key"
_EXPECTED = {
    "string_type": "text",
    "string_unicode": "text without half surrogate pairs",
    "int_type": "an integer",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "missing": "a value; the key is required",
    "extra_forbidden": f"{_NO_SUCH_KEY}; what the format has no key for goes into extra",
}
_CODES = {"missing": "missing_key", "extra_forbidden": "unknown_key"}


def _problems(error: ValidationError, base: str) -> list[tuple[str, str, str, str]]:
    """Code, JSON path, found and expected of each problem in pydantic's list."""
    return [
        (
            _CODES.get(one["type"], "wrong_type" if one["type"] in _EXPECTED else "wrong_value"),
            base + "".join(map(_step, one["loc"])),
            "nothing" if one["type"] == "missing" else describe(one["input"]),
            _expected(one),
        )
        for one in error.errors(include_url=False)
    ]


def _step(key: int | str) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.isidentifier() else f"[{json.dumps(key)}]"


def _expected(problem: ErrorDetails) -> str:
    context = problem.get("ctx", {})
    match problem["type"]:
        case "value_error":
            return str(context["error"])
        case "enum" | "literal_error":
            return str(context["expected"])
        case "string_pattern_mismatch":
            return f"text of the form {context['pattern']}"
    return _EXPECTED.get(problem["type"], problem["msg"].removeprefix("Input should be "))


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON schemas of our files by name; the docstrings of the keys describe them."""
    from mnemoscope.core.captions import schema as captions
    from mnemoscope.core.evaluate import plan
    from mnemoscope.core.harness import pack, spec
    from mnemoscope.core.mapping import schema as mapping
    from mnemoscope.core.overlays import schema as overlay
    from mnemoscope.core.releases.native import schema as release
    from mnemoscope.core.runs.native import schema as run
    from mnemoscope.core.scoring import typed_gold
    from mnemoscope.core.tags import events, taxonomy
    from mnemoscope.core.truth import schema as truth

    forms: Mapping[str, type[BaseModel]] = {
        "release": release.ReleaseFile,
        "history": release.HistoryFile,
        "question": release.QuestionLine,
        "evaluator": release.EvaluatorFile,
        "truth": truth.TruthFile,
        "manifest": run.Manifest,
        "record": run.RecordLine,
        "verdict": run.VerdictLine,
        "state": run.HeldLine,
        "event": run.EventLine,
        "tag": events.TagEvent,
        "taxonomy": taxonomy.Taxonomy,
        "overlay": overlay.OverlayFile,
        "captions": captions.CaptionsHead,
        "caption": captions.CaptionLine,
        "map": mapping.MapFile,
        "pack": pack.Pack,
        "spec": spec.Spec,
        "plan": plan.Plan,
        "typed_gold": typed_gold.TypedGoldValue,
    }
    modules = (
        *(release, truth, run, events, taxonomy, overlay, captions),
        *(mapping, pack, spec, plan, typed_gold),
    )
    files = [str(module.__file__) for module in modules]
    docs = {key: text for file in (__file__, *files) for key, text in _docstrings(file).items()}
    return {name: _schema(form, docs) for name, form in forms.items()}


def _schema(form: type[BaseModel], docs: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    schema = form.model_json_schema()
    for name, part in [(form.__name__, schema), *schema.get("$defs", {}).items()]:
        for key, value in part.get("properties", {}).items():
            value.pop("title", None)
            if (name, key) in docs:
                value["description"] = docs[name, key]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _docstrings(file: str) -> dict[tuple[str, str], str]:
    """The text under each field of each class, which pydantic would read at every import."""
    found: dict[tuple[str, str], str] = {}
    for node in ast.parse(Path(file).read_text("utf-8")).body:
        if not isinstance(node, ast.ClassDef):
            continue
        bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
        found.update({(node.name, key): doc for (base, key), doc in found.items() if base in bases})
        for field, text in zip(node.body, node.body[1:], strict=False):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(doc))),
                ):
                    found[node.name, name] = " ".join(inspect.cleandoc(doc).split())
    return found


def write_schemas(folder: Path) -> None:
    """Write ``NAME.schema.json`` for every file of ours."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        (folder / f"{name}.schema.json").write_bytes(json_bytes(schema, indent=2))


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
