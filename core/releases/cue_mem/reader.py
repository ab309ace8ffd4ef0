"""The reader of CUE-Mem releases: published and prepared dialect, one file or a whole tree.

Trees of other caption variants hold the same dialogue with other captions. They are merged into
one history whose attachments carry every variant's caption; where they disagree in anything else,
that is a defect.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import Defect, DefectLog, Described, Severity, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.media_files import MediaFiles
from mnemoscope.core.model import (
    EvaluatorData,
    History,
    Question,
    Release,
    RoundKind,
    Textualisation,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.cue_mem.attachments import HistoryReading
from mnemoscope.core.releases.cue_mem.history import read_sessions
from mnemoscope.core.releases.cue_mem.layout import (
    AUDIO_LEVELS,
    IMAGE_LEVELS,
    VARIANT_LEVELS,
    Layout,
    find_layout,
    levels_of,
)
from mnemoscope.core.releases.cue_mem.questions import TASKS, read_questions
from mnemoscope.core.releases.cue_mem.variants import (
    QUESTION_KEYS,
    SESSIONS_KEY,
    QuestionKeys,
    index_variant,
)
from mnemoscope.core.releases.media import OddMedia, media_defects
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile

__all__ = ["CueMemReader"]

_STEM_NUMBER = re.compile(r"p(\d{1,9})$")
_DESCRIPTION_NUMBER = re.compile(r"\(p_id=(\d{1,9})\)")
_MOST_LOOKED_AT = 5
_KEYS_OF_OTHERS = ("human_annotated_qas", "qas")


class CueMemReader:
    """Reads CUE-Mem releases (cue-mem.md 1 and 2)."""

    name = "cue-mem"

    def recognises(self, source: Source) -> bool:
        """Whether the path holds CUE-Mem dialogue files."""
        layout = find_layout(source)
        files = (file for group in layout.files.values() for file in group) if layout else ()
        # Several are looked at, since a cut or foreign one must not hide the release.
        return any(map(_is_dialogue, islice(files, _MOST_LOOKED_AT)))

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: No dialogue file can be used.
        """
        layout = find_layout(source)
        if layout is None or not layout.files:
            raise InputError(f"{source.path}: no CUE-Mem dialogue files below data/dialog")
        with collector_paused():
            return _Reading(layout, options).release(source)


def _is_dialogue(file: SourceFile) -> bool:
    try:
        data = file.data
    except InputError:
        return False
    if not isinstance(data, dict) or not isinstance(data.get(SESSIONS_KEY), list):
        return False
    questions = next((data[key] for key in QUESTION_KEYS if key in data), None)
    rows = (
        [row for row in questions if isinstance(row, dict)] if isinstance(questions, list) else ()
    )
    # Mem-Gallery and MemEye have the same top-level keys. Their questions carry no id, and MemEye
    # may call the list of questions otherwise.
    if rows:
        return any("qa_id" in row for row in rows)
    return "character_profile" in data and not any(key in data for key in _KEYS_OF_OTHERS)


class _Reading:
    """One pass over the files of a release."""

    def __init__(self, layout: Layout, options: ReadOptions) -> None:
        self.layout = layout
        self.media = MediaFiles(layout.root, options.media_roots)
        self.histories: dict[str, History] = {}
        self.questions: dict[str, Question] = {}
        self.defects: list[Defect] = []
        self.odd_media: list[OddMedia] = []
        self.profiles: dict[str, Mapping[str, Any]] = {}
        self.session_notes: dict[tuple[str, str], Mapping[str, Any]] = {}
        self.round_notes: dict[tuple[str, str], Mapping[str, Any]] = {}
        self.question_notes: dict[str, Mapping[str, Any]] = {}
        self.first_error: InputError | None = None

    def release(self, source: Source) -> Release:
        """Read every history with its variants and put the release together."""
        files = self.layout.files
        by_stem: dict[str, dict[str, SourceFile]] = {}
        for variant, group in files.items():
            for file in group:
                by_stem.setdefault(file.stem, {})[variant] = file
        for variants in by_stem.values():
            self._read_history(variants)
        if not self.histories:
            raise self.first_error or InputError(f"{source.path}: no history in any file")
        self.defects += media_defects(self.odd_media, self.media)
        self.defects += map(_unknown_variant, self.layout.unknown_variants)
        levels = [levels_of(variant) or Textualisation() for variant in files]
        return Release(
            name=self.layout.root.name if source.is_folder else source.path.name,
            format=CueMemReader.name,
            root=self.layout.root,
            files=tuple(file.name for group in files.values() for file in group),
            round_kind=RoundKind.EXCHANGE,
            histories=self.histories,
            questions=self.questions,
            tasks=TASKS,
            settings=("explicit", "implicit"),
            image_variants=_ordered(IMAGE_LEVELS, [one.image for one in levels]),
            audio_variants=_ordered(AUDIO_LEVELS, [one.audio for one in levels]),
            textualisation=levels[0],
            media_roots=self.media.roots,
            evaluator=EvaluatorData(
                self.profiles, self.session_notes, self.round_notes, self.question_notes
            ),
            defects=tuple(self.defects),
        )

    def _read_history(self, files: Mapping[str, SourceFile]) -> None:
        """Read a history's file of the first variant, and merge the others into it."""
        roots = {variant: root for variant, file in files.items() if (root := self._load(file))}
        if not roots:
            return
        first, root = next(iter(roots.items()))
        history_id = _history_id(files[first].stem, root)
        if history_id in self.histories:
            root.log.error("duplicate_history", "$", Described(history_id), "a new profile number")
        else:
            self._merge(history_id, first, files[first].name, roots)
        for variant in self.layout.files:
            if variant not in files:
                expected = "the history in every variant"
                root.log.warning("variant_lacks", "$", Described(f"no file in {variant}"), expected)
        for node in roots.values():
            self.defects += node.log.items

    def _load(self, file: SourceFile) -> Node | None:
        log = DefectLog(file=file.name)
        try:
            root = Node.root(file.data, log, file=file.path)
            if not any(key in root.data for key in (SESSIONS_KEY, *QUESTION_KEYS)):
                raise ReadError(file.path, "$", describe(root.data), f"{SESSIONS_KEY} in it")
            return root
        except InputError as error:
            self.first_error = self.first_error or error
            log.unreadable(error, file.path, "a dialogue file")
            self.defects += log.items
            return None
        finally:
            file.release()

    def _merge(self, history_id: str, first: str, file: str, roots: Mapping[str, Node]) -> None:
        root = roots[first]
        others = [
            index_variant(name, levels_of(name) or Textualisation(), node, QuestionKeys(history_id))
            for name, node in roots.items()
            if name != first
        ]
        levels = levels_of(first) or VARIANT_LEVELS["base"]
        reading = HistoryReading(history_id, levels, self.media, root.log, others)
        profile = root.mapping("character_profile")
        name = profile.get("name")
        sessions = read_sessions(root, reading)
        history = History(
            history_id, name if isinstance(name, str) and name else history_id, sessions, file
        )
        questions = read_questions(root, history, reading)
        for variant in others:
            variant.report_extra(history.round_by_id, questions)
        self.histories[history_id] = history
        self.questions.update(questions)
        self.odd_media += reading.odd_media
        self.profiles[history_id] = {
            key: value
            for key, value in root.data.items()
            if key not in (SESSIONS_KEY, *QUESTION_KEYS)
        }
        self.session_notes.update(reading.session_notes)
        self.round_notes.update(reading.round_notes)
        self.question_notes.update(reading.question_notes)


def _history_id(stem: str, root: Node) -> str:
    """``p`` and the profile number: of the file's name, else of the profile, else of a question."""
    number = _STEM_NUMBER.search(stem)
    if number:
        return f"p{int(number[1])}"
    profile = _object(root.data.get("character_profile"))
    description = profile.get("description")
    described = isinstance(description, str) and _DESCRIPTION_NUMBER.search(description)
    if described and type(profile.get("p_id")) is not int:
        return f"p{int(described[1])}"
    questions = next((root.data[key] for key in QUESTION_KEYS if key in root.data), None)
    for holder in (profile, *map(_object, questions if isinstance(questions, list) else ())):
        if type(holder.get("p_id")) is int:
            return f"p{holder['p_id']}"
    return stem


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _unknown_variant(variant: str) -> Defect:
    found = "a folder of dialogue files that is no known caption variant"
    expected = f"base, {', '.join(IMAGE_LEVELS)} or audio_caption/NAME"
    file = f"data/dialog/{variant}"
    return Defect(Severity.WARNING, "unknown_variant", file, "$", found, expected)


def _ordered(known: Sequence[str], found: Sequence[str]) -> tuple[str, ...]:
    """The levels found, each once: the known ones poorest first, then the others."""
    names = dict.fromkeys((*(name for name in known if name in found), *found))
    return tuple(name for name in names if name != "none")
