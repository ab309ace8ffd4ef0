"""What tells one release, and one run, from another: hashes of what tags are statements about.

A tag says something about a question, or about what a run answered to it. So the hash of a release
covers its questions and sessions, and that of a run its answers, not the files they came in: the
same release in another dialect, with further caption variants or converted keeps its tags.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from mnemoscope.core.model import Question, Record, Release, Run
from mnemoscope.core.reading import read_json
from mnemoscope.core.runs.native.reader import MANIFEST
from mnemoscope.core.runs.native.reading import manifest_of

__all__ = ["answer_hash", "is_native", "release_hash", "run_hash"]

_OF_THE_END = {"ended_at", "counts"}
"""Keys of a manifest that change while its run goes on."""


def release_hash(release: Release) -> str:
    """The hash of a release's questions and sessions, as 64 hexadecimal digits."""
    sessions = (
        (history.id, session.id, len(session.rounds))
        for history in release.histories.values()
        for session in history.sessions
    )
    return _hash([*map(_asked, release.questions.values()), *sessions])


def _asked(question: Question) -> tuple[Any, ...]:
    options = [(option.label, option.text) for option in question.options]
    clues = [clue.written for clue in question.clues]
    return (question.key, question.stem, options, str(question.gold), clues)


def run_hash(run: Run) -> str:
    """The hash of a run, as 64 hexadecimal digits.

    For a native run it is that of the manifest, which does not change while records are added; for
    any other it is that of what was configured and answered.

    Raises:
        InputError: The manifest of a native run cannot be read any more.
    """
    path = run.root / MANIFEST
    if is_native(run):
        manifest = manifest_of(read_json(path), path).as_json()
        return _hash([{key: manifest[key] for key in sorted(manifest) if key not in _OF_THE_END}])
    # Two systems may answer alike: what was configured tells them apart.
    configured = (run.system, run.backbone, str(run.textualisation or ""))
    answers = (
        (one.ref.key, one.ref.history, one.ref.question, one.ref.form, one.repeat, one.answer)
        for one in run.records
    )
    return _hash([configured, *answers])


def is_native(run: Run) -> bool:
    """Whether a run is stored in our own format, whatever the format of its origin."""
    return (run.root / MANIFEST).is_file()


def answer_hash(record: Record) -> str:
    """The hash of an answer, as 16 hexadecimal digits: enough to see that it has changed."""
    return _hash([record.answer])[:16]


_ENCODER = json.JSONEncoder(default=str)


def _hash(parts: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{_ENCODER.encode(part)}\n".encode())
    return digest.hexdigest()
