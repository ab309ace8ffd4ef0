"""Submissions of CUE-Mem's human study: one person's letters for one history."""

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import Record, RecordStatus
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.companions import numbers
from mnemoscope.core.runs.cue_mem.paths import history_in
from mnemoscope.core.runs.cue_mem.rows import (
    BLANK,
    number_at,
    question_ref,
    read_answer,
    stored_verdict,
)
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.scoring.parsing import parse_rq1
from mnemoscope.core.sources import SourceFile

__all__ = ["HumanRuns"]

_KEYS = frozenset(("participant", "variant", "profile", "details"))
_SUBMISSION = re.compile(r"(\d+)_(.+)\.json(?:\.gz)?", re.DOTALL)
_NOTE = (
    "A person answered in a web page that also showed the list of clue ids, the question's kind, "
    "category and session; the text views showed scene descriptions as well."
)


class HumanRuns:
    """What one person answered in one view, over all histories that the person did."""

    name = "cue-mem-human"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The answers of one submission; a person's later submissions are repeats."""
        if file.is_lines:
            return None
        data = file.data
        if type(data) is not dict or not data.keys() >= _KEYS:
            return None
        log = DefectLog(file.name)
        root = Node(data, "$", log)
        history = _history(root, file)
        repeat = _earlier_submissions(file.path)
        rows = root.nodes("details")
        records = [_record(row, history, file.name, repeat) for row in rows]
        metrics = numbers(root, ("total", "answered", "correct"), history)
        metrics += numbers(root, ("accuracy", "answered_accuracy"), history, unit="%")
        return [
            RunPart(
                self._identity(file, root, history),
                tuple(record for record in records if record is not None),
                _parameters(root),
                tuple(metrics),
                tuple(log.items),
                () if root.text("tool") else (_NOTE,),
            )
        ]

    def _identity(self, file: SourceFile, root: Node, history: str) -> RunIdentity:
        participant = root.text("participant")
        system = f"human {root.text('variant')}".strip()
        # One folder per history: a person's answers about all of them are one run.
        folders = [part for part in PurePosixPath(file.name).parent.parts if part != history]
        return RunIdentity(
            self.name,
            "/".join((*folders, participant)),
            system,
            rule="rq1",
            names=tuple(filter(None, (system, participant))),
        )


def _history(root: Node, file: SourceFile) -> str:
    """The history: ``profile`` says ``pN``, or ``default`` when the server had only one file."""
    places = (root.text("profile"), root.text("data_file"), *reversed(file.folders[-2:]))
    return next(filter(None, map(history_in, places)), root.text("profile"))


def _parameters(root: Node) -> dict[str, str]:
    keys = ("participant", "variant", "submitted_at", "tool")
    said = {key: root.text(key) for key in keys}
    return {key: value for key, value in said.items() if value}


def _earlier_submissions(path: Path) -> int:
    """How often the same person had submitted before: the name is the time and the person."""
    own = _SUBMISSION.fullmatch(path.name)
    if own is None:
        return 0
    names = (_SUBMISSION.fullmatch(one.name) for one in path.parent.iterdir())
    same = [name for name in names if name is not None and name[2] == own[2]]
    return sum(int(name[1]) < int(own[1]) for name in same)


def _record(row: Node, history: str, file: str, repeat: int) -> Record | None:
    ref = question_ref(row, history, form="point", gold="gold", category="category")
    if ref is None:
        return None
    answer = row.text("answer")
    status, detail, parsed = read_answer(answer, parse_rq1)
    # Mnemoscope's submissions say how long a question was shown; the web page's do not.
    seconds = number_at(row, "seconds")
    if detail == BLANK:
        status, detail = RecordStatus.NOT_RUN, "unanswered"
    return Record(
        ref,
        status,
        answer,
        file,
        row.place,
        repeat,
        detail,
        parsed,
        verdicts=stored_verdict(row, status),
        usage={} if seconds is None else {"seconds": seconds},
    )
