"""Logs of inspect_ai evaluations: an ``.eval`` archive, or the same as one JSON file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.archives import Archive, member_place
from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import Record
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.inspect_ai.samples import SampleReading
from mnemoscope.core.runs.inspect_ai.scores import read_results
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.sources import SourceFile

__all__ = ["InspectRuns"]

_HEADER = "header.json"
_START = "_journal/start.json"
_SAMPLES = "samples/"
_CONFIGURATION = (
    *("task", "task_version", "task_args", "solver", "solver_args", "model_generate_config"),
    *("model_args", "model_base_url", "model_roles", "config", "revision", "metadata", "created"),
    *("dataset", "tags", "packages"),
)
_ID_NOTE = (
    "samples are known by question_id, qa_id or query_id of their metadata, else by their id; one "
    "with a number for an id joins only where its prompt holds the question"
)


class InspectRuns:
    """Reads inspect_ai's logs: a sample and epoch is a record, the epoch its repeat."""

    name = "inspect-ai"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the log holds.

        Raises:
            InputError: The archive cannot be read, or is no log.
        """
        if file.is_archive:
            with Archive(file.path) as archive:
                return [_read_archive(file, archive)]
        if file.is_lines or not _is_log(file.data):
            return None
        log = DefectLog(file.name)
        root = Node(file.data, "$", log)
        samples = ((node, node.place) for node in root.nodes("samples"))
        return [_part(file, root, samples)]


def _is_log(data: Any) -> bool:
    if type(data) is not dict or not {"status", "eval"} <= data.keys():
        return False
    spec = data["eval"]
    return type(spec) is dict and "task" in spec and "model" in spec


def _read_archive(file: SourceFile, archive: Archive) -> RunPart:
    log = DefectLog(file.name)
    name = _HEADER if _HEADER in archive.members else _START
    if name not in archive.members:
        raise ReadError(file.path, "", f"an archive without {_HEADER}", "a log of inspect_ai")
    data = archive.json(name)
    if name == _START and type(data) is dict:
        data = {"status": "started", **data}
    if not _is_log(data):
        raise ReadError(file.path, name, "other JSON", "the header of a log, with eval and status")
    return _part(file, Node(data, member_place(name), log), _members(archive, log))


def _members(archive: Archive, log: DefectLog) -> Iterator[tuple[Node, str]]:
    """The samples of an archive, one at a time: together they may be larger than the memory."""
    for name in archive.members:
        if not name.startswith(_SAMPLES) or not name.endswith(".json"):
            continue
        place = member_place(name)
        try:
            sample = archive.json(name)
        except InputError as error:
            found = error.found if isinstance(error, ReadError) else str(error)
            expected = error.expected if isinstance(error, ReadError) else "a sample"
            log.error("unreadable_sample", place, Described(found), expected)
            continue
        if type(sample) is dict:
            yield Node(sample, place, log), place
        else:
            log.error("wrong_type", place, sample, "an object")


def _part(file: SourceFile, root: Node, samples: Iterator[tuple[Node, str]]) -> RunPart:
    spec = Node(root.mapping("eval"), root.at("eval"), root.log)
    model = spec.text("model")
    reading = SampleReading(file.name, model, _scorers(spec))
    records = [
        record for node, place in samples if (record := reading.record(node, place)) is not None
    ]
    if not records and not root.log.items:
        found = Described("no samples")
        root.log.error("no_samples", root.place, found, "a log that was written with its samples")
    records.sort(key=lambda record: record.repeat)
    return RunPart(
        _identity(file, spec),
        tuple(records),
        parameters=_parameters(root, spec),
        metrics=tuple(read_results(root)),
        defects=tuple(root.log.items),
        notes=tuple(_notes(root, reading, records)),
    )


def _identity(file: SourceFile, spec: Node) -> RunIdentity:
    task, solver, model = spec.text("task"), spec.text("solver"), spec.text("model")
    short = model.rpartition("/")[2]
    # Names of runs are put together from words: a time is to be one of them.
    created = spec.text("created")[:19].replace("-", "").replace(":", "")
    group = file.path.parent.relative_to(file.root).as_posix()
    return RunIdentity(
        format=InspectRuns.name,
        group=f"{group}/{file.path.name}",
        system=solver or task or file.stem,
        backbone=model,
        names=tuple(filter(None, (task, solver, short, created))),
    )


def _scorers(spec: Node) -> list[str]:
    names = [node.text("name") for node in spec.nodes("scorers")]
    # The log names scorers of packages with the package, their scores without it.
    return [name.rpartition("/")[2] for name in names if name]


def _parameters(root: Node, spec: Node) -> Mapping[str, Any]:
    said = {key: spec.data[key] for key in _CONFIGURATION if spec.data.get(key)}
    return {**said, "status": root.text("status")} if root.data.get("status") else said


def _notes(root: Node, reading: SampleReading, records: Sequence[Record]) -> Iterator[str]:
    yield _ID_NOTE
    stages = list(dict.fromkeys(one.stage for record in records for one in record.verdicts))
    if len(stages) > 1:
        yield f"right and wrong go by the scorer {stages[0]!r}; the others stand beside it"
    yield from reading.notes
    status = root.text("status")
    if status and status != "success":
        yield f"the evaluation ended as {status!r}: samples may be missing"
    if root.data.get("invalidated") is True:
        yield "the log is marked as invalidated"
