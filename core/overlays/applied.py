"""A release with overlays on it: what they change, and what does not fit."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePath

from mnemoscope.core.defects import Defect, DefectLog, Described, describe
from mnemoscope.core.model import (
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    History,
    Kind,
    Question,
    Release,
)
from mnemoscope.core.overlays.overlay import (
    Overlay,
    OverlayEntry,
    question_hash,
    written_evidence,
)

__all__ = ["Correction", "Overlaid", "apply_overlays"]

_TARGETS = {Kind.IMAGE: ClueTarget.IMAGE, Kind.AUDIO: ClueTarget.AUDIO}


@dataclass(frozen=True, slots=True)
class Correction:
    """An entry of an overlay that fits a question of the release."""

    overlay: Overlay
    entry: OverlayEntry
    question: Question
    """The question as published."""
    clues: tuple[Clue, ...] | None
    """The corrected evidence; None where the published evidence stands."""

    @property
    def changes_answer(self) -> bool:
        """Whether the published answer is wrong."""
        return self.entry.answer_wrong

    @property
    def changes_evidence(self) -> bool:
        """Whether other rounds, sessions or attachments are gold evidence than published."""
        if self.clues is None:
            return False
        return {_leads_to(one) for one in self.clues} != {
            _leads_to(one) for one in self.question.clues
        }


def _leads_to(clue: Clue) -> tuple[str, str, str]:
    return (clue.session_id, clue.round_id, "" if clue.resolved else clue.id)


@dataclass(frozen=True)
class Overlaid:
    """A release with overlays on it."""

    overlays: tuple[Overlay, ...]
    """In the order given: of two that correct the same thing the later counts."""
    release: Release
    """The release with the corrections in it."""
    corrections: Mapping[str, tuple[Correction, ...]]
    """By question key, in release order."""
    defects: tuple[Defect, ...] = ()
    """Entries that fit no question, or another version of one."""

    @cached_property
    def answer_changed(self) -> frozenset[str]:
        """Keys of questions whose published answer is wrong."""
        return frozenset(
            key for key, of in self.corrections.items() if any(one.changes_answer for one in of)
        )

    @cached_property
    def evidence_only(self) -> frozenset[str]:
        """Keys of questions whose answer stands: only their evidence, or nothing, changes."""
        return frozenset(self.corrections) - self.answer_changed

    @cached_property
    def evidence_changed(self) -> frozenset[str]:
        """Keys of questions that have other gold evidence than published."""
        return frozenset(
            key for key, of in self.corrections.items() if any(one.changes_evidence for one in of)
        )

    @property
    def error_types(self) -> Mapping[str, int]:
        """How many questions there are of each error type, the most frequent first."""
        counts = Counter(
            name
            for of in self.corrections.values()
            for name in dict.fromkeys(one.entry.error_type for one in of)
        )
        return dict(counts.most_common())

    @property
    def label(self) -> str:
        """Names and versions of the overlays."""
        return ", ".join(one.label for one in self.overlays)


def apply_overlays(release: Release, overlays: Sequence[Overlay]) -> Overlaid:
    """Lay overlays over a release.

    An entry applies to a question that is as the overlay's maker had it; otherwise it changes
    nothing and is a defect that says what differs.
    """
    log = DefectLog()
    found: dict[str, list[Correction]] = {}
    for overlay in overlays:
        log.items += overlay.defects
        log.file = Path(overlay.file).name
        seen: set[str] = set()
        for entry in overlay.entries:
            question = _question_of(release, entry, log)
            if question is None or not _fits(question, entry, release, log):
                continue
            if question.key in seen:
                log.error("overlay_repeated", entry.place, entry.question, "each question once")
                continue
            seen.add(question.key)
            clues = _corrected_clues(release, question, entry, log)
            found.setdefault(question.key, []).append(Correction(overlay, entry, question, clues))
    questions = dict(release.questions)
    for key, corrections in found.items():
        questions[key] = _corrected(questions[key], corrections, log)
    in_order = {key: tuple(found[key]) for key in release.questions if key in found}
    overlaid = replace(release, questions=questions)
    return Overlaid(tuple(overlays), overlaid, in_order, tuple(log.items))


def _question_of(release: Release, entry: OverlayEntry, log: DefectLog) -> Question | None:
    question = release.questions.get(entry.key)
    if entry.history is not None and entry.history < len(release.histories):
        history_id = list(release.histories)[entry.history]
        listed = release.questions_by_history[history_id]
        question = next((one for one in listed if one.index == entry.index), None)
    if question is None:
        expected = f"a question of {release.name}"
        log.warning("overlay_question_absent", entry.place, entry.question, expected)
    return question


def _fits(question: Question, entry: OverlayEntry, release: Release, log: DefectLog) -> bool:
    differing = list(_differing(question, entry))
    for what, theirs, ours in differing[:1]:
        found = Described(f"{what} {theirs} for {entry.question}")
        log.error(
            "overlay_mismatch", entry.place, found, f"{what} {ours} of {release.name} as published"
        )
    return not differing


def _differing(question: Question, entry: OverlayEntry) -> Iterator[tuple[str, str, str]]:
    """What of the question is not as the overlay has it: its name, there, and here."""
    published = entry.published
    if published.hash is not None and published.hash != (ours := question_hash(question)):
        yield "hash", published.hash, ours
    if published.text is not None and published.text != question.text:
        yield "text", describe(published.text), describe(question.text)
    if published.answer is not None and published.answer != str(question.gold):
        yield "answer", describe(published.answer), describe(str(question.gold))
    if published.category is not None and published.category != question.category:
        yield "category", published.category, question.category or "none"
    written = written_evidence(question)
    if published.evidence is not None and set(published.evidence) != set(written):
        yield "evidence", ", ".join(published.evidence) or "none", ", ".join(written) or "none"


def _corrected(question: Question, corrections: Sequence[Correction], log: DefectLog) -> Question:
    for correction in corrections:
        entry = correction.entry
        log.file = Path(correction.overlay.file).name
        if correction.clues is not None:
            question = replace(question, clues=correction.clues)
        if entry.answer_wrong:
            question = replace(question, gold=_gold(question, entry, log))
    return question


def _gold(question: Question, entry: OverlayEntry, log: DefectLog) -> Gold:
    if entry.answer is None:
        return Gold.none()
    if not question.options:
        return Gold(GoldKind.TEXTS, texts=entry.answer)
    if len(entry.answer) == 1 and question.option(entry.answer[0]) is not None:
        return Gold(GoldKind.OPTION, option=entry.answer[0])
    labels = ", ".join(option.label for option in question.options)
    found = ", ".join(entry.answer)
    log.error("overlay_answer_not_an_option", entry.place, found, f"one of {labels}")
    return Gold.none()


def _corrected_clues(
    release: Release, question: Question, entry: OverlayEntry, log: DefectLog
) -> tuple[Clue, ...] | None:
    if entry.evidence is None:
        return None
    known: dict[str, list[Clue]] = {}
    for clue in question.clues:
        known.setdefault(clue.written, []).append(clue)
    clues: list[Clue] = []
    for written in entry.evidence:
        # A string that the release writes too leads where it leads there, or nowhere as there.
        clues += known.get(written) or [_clue(written, release.histories[question.history_id])]
        if not clues[-1].resolved and written not in known:
            expected = f"an id of the history {question.history_id}"
            log.warning("overlay_evidence_unresolved", entry.place, written, expected)
    return tuple(clues)


def _clue(written: str, history: History) -> Clue:
    one = history.round_by_id.get(written)
    if one is not None:
        return Clue(written, ClueTarget.ROUND, written, one.id, one.session_id)
    if written in history.session_by_id:
        return Clue(written, ClueTarget.SESSION, written, session_id=written)
    for name in dict.fromkeys((written, PurePath(written).stem)):
        kinds = [kind for kind in Kind if (kind, name) in history.round_of_attachment]
        if len(kinds) == 1:
            shown = history.round_of_attachment[kinds[0], name]
            return Clue(written, _TARGETS[kinds[0]], name, shown.id, shown.session_id)
    return Clue(written, ClueTarget.UNKNOWN, written, problem=ClueProblem.UNKNOWN_ID)
