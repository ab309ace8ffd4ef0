"""From the model to the files of a release in our own format."""

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Attachment, AttachmentState, EvaluatorData, Release
from mnemoscope.core.releases.native.reader import (
    QUESTIONS,
    RELEASE,
    RELEASE_KIND,
    SCHEMA_VERSION,
    MediaMode,
)
from mnemoscope.core.releases.native.schema import (
    EvaluatorFile,
    HistoryFile,
    QuestionLine,
    ReleaseFile,
)
from mnemoscope.core.writing import json_bytes, new_folder, sha256_of, slug

__all__ = ["write"]

_LEFT_OUT = "left out when the release was written"
_HINTS = (
    "the file was there when the release was read",
    "a file can be linked on its own disk only, and by its owner; copy instead",
)


def write(release: Release, out: Path, *, media: MediaMode) -> None:
    """Write a release; see ``native.write_release``."""
    with new_folder(out) as folder:
        _Writing(release, folder, media=media).run()


class _Writing:
    """One release while it is being written."""

    def __init__(self, release: Release, folder: Path, *, media: MediaMode) -> None:
        self.release = release
        self.folder = folder
        self.hashes: dict[str, str] = {}
        self.store = _Store(release, folder / "media", media=media)
        taken: set[str] = set()
        self.slugs = {one: slug(one, taken, fallback="history") for one in release.histories}
        self.taken = taken

    def run(self) -> None:
        """Write every file; ``release.json`` last, since it holds the hashes of the others."""
        histories = tuple(self._histories())
        self._save(QUESTIONS, b"".join(self._questions()))
        evaluator = tuple(self._evaluator(self.release.evaluator))
        truth = tuple(self._truths(self.release.evaluator))
        release = self.release
        form = ReleaseFile.model_validate(
            {
                "kind": RELEASE_KIND,
                "schema_version": SCHEMA_VERSION,
                "name": release.name,
                "licence": release.licence,
                "format": release.format,
                "round_kind": release.round_kind,
                "tasks": release.tasks,
                "settings": release.settings,
                "variants": {"image": release.image_variants, "audio": release.audio_variants},
                "textualisation": release.textualisation,
                "histories": histories,
                "evaluator": evaluator,
                "truth": truth,
                "files": self.hashes,
            },
            from_attributes=True,
        )
        (self.folder / RELEASE).write_bytes(json_bytes(form.as_json(), indent=1))

    def _save(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        self.hashes[name] = hashlib.sha256(data).hexdigest()
        return name

    def _histories(self) -> Iterable[str]:
        for key, history in self.release.histories.items():
            form = HistoryFile.model_validate(history, from_attributes=True, context=self.store)
            data = json_bytes(form.as_json(), indent=1)
            yield self._save(f"histories/{self.slugs[key]}.json", data)

    def _questions(self) -> Iterable[bytes]:
        asked: Counter[str] = Counter()
        for question in self.release.questions.values():
            form = QuestionLine.model_validate(
                question, from_attributes=True, context=self.store
            ).as_json()
            if form["text"] == form["stem"]:
                del form["text"]
            if form["index"] == asked[question.history_id]:
                del form["index"]
            asked[question.history_id] += 1
            yield json_bytes(form)

    def _evaluator(self, data: EvaluatorData) -> Iterable[str]:
        files: dict[str | None, dict[str, Any]] = {}

        def of(history_id: str | None, part: str) -> dict[str, Any]:
            file = files.setdefault(history_id, {"history_id": history_id})
            found: dict[str, Any] = file.setdefault(part, {})
            return found

        for history_id, value in data.histories.items():
            of(history_id, "history").update(value)
        for (history_id, session_id), value in data.sessions.items():
            of(history_id, "sessions")[session_id] = value
        for (history_id, round_id), value in data.rounds.items():
            of(history_id, "rounds")[round_id] = value
        for key, value in data.questions.items():
            question = self.release.questions.get(key)
            of(question.history_id if question else None, "questions")[key] = value
        for owner, file in files.items():
            name = self._name_of(owner, "questions")
            form = EvaluatorFile.model_validate(file).as_json()
            yield self._save(f"evaluator/{name}.json", json_bytes(form, indent=1))

    def _truths(self, data: EvaluatorData) -> Iterable[str]:
        if not data.truths:
            return
        from mnemoscope.core.truth.writing import form_of

        for owner, truth in data.truths.items():
            name = f"truth/{self._name_of(owner, 'truth')}.json"
            yield self._save(name, json_bytes(form_of(truth).as_json(), indent=1))

    def _name_of(self, owner: str | None, fallback: str) -> str:
        """The file name of what belongs to a history, also of one that is not there."""
        if owner is not None and owner in self.slugs:
            return self.slugs[owner]
        return slug(owner or fallback, self.taken, fallback="history")


class _Store:
    """Takes media into the release, named by the hash of their content.

    Paths of origin can be absolute, lead out of the release, differ only in case or mean different
    files in different histories. A hash is safe on every file system, stores equal files once, and
    is its own check.
    """

    def __init__(self, release: Release, folder: Path, *, media: MediaMode) -> None:
        self.roots = (release.root, *release.media_roots)
        self.folder = folder
        self.media = media
        self.names: dict[str, str] = {}

    def __call__(self, attachment: Attachment) -> tuple[str, str]:
        """Take one attachment's file in; its path in the release, and the note on it."""
        if not attachment.file or attachment.state is AttachmentState.MISSING:
            return "", attachment.note
        if self.media is MediaMode.NONE:
            return "", attachment.note or _LEFT_OUT
        name = self.names.get(attachment.file)
        if name is None:
            try:
                name = self._take(attachment.file)
            except OSError as error:
                if attachment.state is AttachmentState.PRESENT:
                    problem = error.strerror or error
                    linked = self.media is MediaMode.LINK
                    done, hint = ("linked", _HINTS[1]) if linked else ("copied", _HINTS[0])
                    raise InputError(
                        f"{attachment.file}: cannot be {done} into the release: {problem}",
                        hint=hint,
                    ) from error
                name = ""
            self.names[attachment.file] = name
        return name, attachment.note

    def _take(self, file: str) -> str:
        places = [root / file for root in self.roots]
        source = next((place for place in places if place.is_file()), places[0])
        suffix = source.suffix.lower()
        safe = suffix if suffix[1:].isascii() and suffix[1:].isalnum() else ""
        target = self.folder / f"{sha256_of(source)}{safe}"
        if not target.exists():
            self.folder.mkdir(exist_ok=True)
            if self.media is MediaMode.LINK:
                target.hardlink_to(source.resolve())
            else:
                shutil.copyfile(source, target)
        return f"{self.folder.name}/{target.name}"
