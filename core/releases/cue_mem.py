"""The reader of CUE-Mem releases: published and prepared dialect, one file or a whole tree.

Trees of other caption variants hold the same dialogue with other captions. They are merged into
one history whose attachments carry every variant's caption; where they disagree in anything else,
that is a defect.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemoscope.core.defects import Defect, DefectLog, Described, Severity
from mnemoscope.core.errors import InputError
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
from mnemoscope.core.releases.cue_mem_history import (
    HistoryReading,
    VariantRounds,
    read_sessions,
)
from mnemoscope.core.releases.cue_mem_layout import (
    AUDIO_LEVELS,
    IMAGE_LEVELS,
    Layout,
    find_layout,
    levels_of,
)
from mnemoscope.core.releases.cue_mem_questions import (
    QUESTION_KEYS,
    TASKS,
    VariantQuestions,
    read_questions,
)
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile

__all__ = ["CueMemReader"]

_STEM_NUMBER = re.compile(r"p(\d+)$")
_DESCRIPTION_NUMBER = re.compile(r"\(p_id=(\d+)\)")


class CueMemReader:
    """Reads CUE-Mem releases (cue-mem.md 1 and 2)."""

    name = "cue-mem"

    def recognises(self, source: Source) -> bool:
        """Whether the path holds CUE-Mem dialogue files."""
        layout = find_layout(source)
        if layout is None:
            return False
        files = [file for group in layout.files.values() for file in group]
        # The first readable file decides; a cut one among them must not hide the release.
        for file in files[:5]:
            try:
                data = file.data
            except InputError:
                continue
            return _is_dialogue(data)
        return False

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: No dialogue file can be used.
        """
        layout = find_layout(source)
        if layout is None or not layout.files:
            raise InputError(f"{source.path}: no CUE-Mem dialogue files below data/dialog")
        return _Reading(layout, options).release(source.path)


def _is_dialogue(data: object) -> bool:
    if not isinstance(data, dict) or not isinstance(data.get("multi_session_dialogues"), list):
        return False
    key = next((name for name in QUESTION_KEYS if name in data), None)
    questions = data.get(key) if key else None
    if isinstance(questions, list) and questions and isinstance(questions[0], dict):
        # Mem-Gallery has the same top-level keys; its questions carry no id.
        return "qa_id" in questions[0]
    return "character_profile" in data


@dataclass(slots=True)
class _Merged:
    """What all histories together have given so far."""

    histories: dict[str, History] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)
    missing: list[tuple[str, str, str, str]] = field(default_factory=list)
    profiles: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    sessions: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    rounds: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    notes: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class _Reading:
    """One pass over the files of a release."""

    def __init__(self, layout: Layout, options: ReadOptions) -> None:
        self.layout = layout
        self.media = MediaFiles(layout.root, options.media_roots)
        self.merged = _Merged()
        self.first_error: InputError | None = None

    def release(self, path: Path) -> Release:
        """Read every history with its variants and put the release together."""
        by_stem: dict[str, list[tuple[str, SourceFile]]] = {}
        for variant, files in self.layout.files.items():
            for file in files:
                by_stem.setdefault(file.stem, []).append((variant, file))
        for group in by_stem.values():
            self._read_history(group)
        merged = self.merged
        if not merged.histories:
            raise self.first_error or InputError(f"{path}: no history in any file")
        self._report_media()
        self._report_layout()
        levels = [levels_of(variant) for variant in self.layout.files]
        return Release(
            name=self.layout.root.name if path.is_dir() else path.name,
            format=CueMemReader.name,
            root=self.layout.root,
            files=tuple(f.name for files in self.layout.files.values() for f in files),
            round_kind=RoundKind.EXCHANGE,
            histories=merged.histories,
            questions=merged.questions,
            tasks=TASKS,
            settings=("explicit", "implicit"),
            image_variants=_ordered(IMAGE_LEVELS, [one.image for one in levels if one]),
            audio_variants=_ordered(AUDIO_LEVELS, [one.audio for one in levels if one]),
            textualisation=next(filter(None, levels), Textualisation()),
            media_roots=self.media.roots,
            evaluator=EvaluatorData(merged.profiles, merged.sessions, merged.rounds, merged.notes),
            defects=tuple(merged.defects),
        )

    def _read_history(self, group: Sequence[tuple[str, SourceFile]]) -> None:
        loaded = list(self._load(group))
        if not loaded:
            return
        variant, file, root = loaded[0]
        log = root.log
        levels = levels_of(variant) or Textualisation("medium", "hint")
        history_id = _history_id(file.stem, root)
        if history_id in self.merged.histories:
            log.error("duplicate_history", "$", Described(history_id), "a new profile number")
            self.merged.defects += log.items
            return
        reading = HistoryReading(
            history_id,
            levels,
            self.media,
            log,
            tuple(_variant_rounds(name, node) for name, _, node in loaded[1:]),
        )
        profile = root.mapping("character_profile")
        name = profile.get("name")
        sessions = read_sessions(root, reading)
        history = History(
            history_id, name if isinstance(name, str) else history_id, sessions, file.name
        )
        others = [_variant_questions(name, node) for name, _, node in loaded[1:]]
        questions = read_questions(root, history, reading, others, self.merged.notes)
        self._report_variants(history, reading, questions, others)
        self.merged.histories[history_id] = history
        self.merged.questions.update((question.key, question) for question in questions)
        self.merged.profiles[history_id] = {
            key: value
            for key, value in root.data.items()
            if key != "multi_session_dialogues" and key not in QUESTION_KEYS
        }
        self.merged.sessions.update(reading.session_notes)
        self.merged.rounds.update(reading.round_notes)
        self.merged.missing += reading.missing
        for _, _, node in loaded:
            self.merged.defects += node.log.items

    def _load(
        self, group: Sequence[tuple[str, SourceFile]]
    ) -> Iterator[tuple[str, SourceFile, Node]]:
        for variant, file in group:
            log = DefectLog(file=file.name)
            try:
                yield variant, file, Node.root(file.data, log, file=file.path)
            except InputError as error:
                self.first_error = self.first_error or error
                message = str(error).removeprefix(f"{file.path}: ")
                log.error("unreadable_file", "$", Described(message), "a dialogue file")
                self.merged.defects += log.items
            finally:
                file.release()

    def _report_variants(
        self,
        history: History,
        reading: HistoryReading,
        questions: Sequence[Question],
        others: Sequence[VariantQuestions],
    ) -> None:
        log = reading.log
        for variant in reading.variants:
            extra = [one for one in variant.rounds if one not in history.round_by_id]
            for round_id in extra:
                log.warning(
                    "variant_extra_round", "$", round_id, f"no round that only {variant.name} has"
                )
        for name, _, rows in others:
            if len(rows) != len(questions):
                found = Described(f"{len(rows)} questions in {name}")
                log.warning("variants_differ", "$", found, f"{len(questions)}")

    def _report_media(self) -> None:
        """One defect per missing file; a single one when no media is there at all."""
        missing = self.merged.missing
        if not missing:
            return
        log = DefectLog()
        distinct: dict[str, tuple[str, str, str]] = {}
        for file, place, written, note in missing:
            distinct.setdefault(written, (file, place, note))
        foreign = self.media.foreign_roots
        if foreign:
            roots = ", ".join(f"{root} ({count} files)" for root, count in foreign.items())
            log.file = "."
            log.warning(
                "media_outside",
                "$",
                Described(f"absolute media paths below {roots}"),
                "paths below the release; name the folder with --media-root to read there",
            )
        elif not self.media.any_present:
            log.file = "."
            found = Described(f"none of {len(distinct):,} media files")
            log.warning("media_absent", "$", found, "the media files beside the dialogue")
        else:
            for written, (file, place, note) in distinct.items():
                log.file = file
                log.warning("media_missing", place, written, f"a file that is there: {note}")
        self.merged.defects += log.items

    def _report_layout(self) -> None:
        for variant in self.layout.unknown_variants:
            self.merged.defects.append(
                Defect(
                    Severity.WARNING,
                    "unknown_variant",
                    f"data/dialog/{variant}",
                    "$",
                    "a folder of dialogue files that is no known caption variant",
                    f"base, {', '.join(IMAGE_LEVELS)} or audio_caption/NAME",
                )
            )


def _history_id(stem: str, root: Node) -> str:
    """``p`` and the profile number: of the file's name, else of the profile, else of a question."""
    number = _STEM_NUMBER.search(stem)
    if number:
        return f"p{int(number[1])}"
    profile = root.data.get("character_profile")
    if isinstance(profile, dict):
        if isinstance(profile.get("p_id"), int):
            return f"p{profile['p_id']}"
        described = _DESCRIPTION_NUMBER.search(str(profile.get("description", "")))
        if described:
            return f"p{int(described[1])}"
    return stem


def _variant_rounds(variant: str, node: Node) -> VariantRounds:
    rounds: dict[str, dict[str, Any]] = {}
    sessions = node.data.get("multi_session_dialogues")
    for session in sessions if isinstance(sessions, list) else ():
        if not isinstance(session, dict):
            continue
        listed = session.get("dialogues", session.get("dialog_list"))
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict) and isinstance(one.get("round"), str):
                rounds.setdefault(one["round"], one)
    return VariantRounds(variant, levels_of(variant) or Textualisation(), rounds)


def _variant_questions(variant: str, node: Node) -> VariantQuestions:
    rows: dict[tuple[str, str, int], dict[str, Any]] = {}
    counts: dict[tuple[str, str], int] = {}
    key = next((name for name in QUESTION_KEYS if name in node.data), "")
    listed = node.data.get(key)
    for row in listed if isinstance(listed, list) else ():
        if isinstance(row, dict):
            identity = (str(row.get("point")), str(row.get("qa_id")))
            counts[identity] = counts.get(identity, 0) + 1
            rows[(*identity, counts[identity])] = row
    levels = levels_of(variant) or Textualisation()
    return variant, levels.image, rows


def _ordered(known: Sequence[str], found: Sequence[str]) -> tuple[str, ...]:
    names = dict.fromkeys(found)
    return tuple(
        dict.fromkeys([name for name in known if name in names] + [n for n in names if n != "none"])
    )
