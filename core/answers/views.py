"""The four views in which a person answers, as in CUE-Mem's human baseline (appendix C.1)."""

from collections.abc import Collection, Iterator
from enum import StrEnum

from mnemoscope.core.model import Attachment, AttachmentState, Question, Release

__all__ = ["View", "files_missing", "view_named", "why_not"]


class View(StrEnum):
    """What of a history is shown, and how: the benchmark's own names of its variants."""

    FULL_MULTIMODAL = "full_multimodal"
    FULL_TEXT = "full_text"
    ORACLE_MULTIMODAL = "oracle_multimodal"
    ORACLE_TEXT = "oracle_text"

    @property
    def is_oracle(self) -> bool:
        """Whether only what the clues name is shown, instead of the whole history."""
        return self in (View.ORACLE_MULTIMODAL, View.ORACLE_TEXT)

    @property
    def is_text(self) -> bool:
        """Whether captions stand for pictures and sounds, instead of the files themselves."""
        return self in (View.FULL_TEXT, View.ORACLE_TEXT)

    @property
    def label(self) -> str:
        """Its name for people."""
        return (
            f"{'oracle' if self.is_oracle else 'full'} {'text' if self.is_text else 'multimodal'}"
        )

    @property
    def about(self) -> str:
        """What it shows, in a few words."""
        shown = "captions stand for pictures and sounds" if self.is_text else "pictures and sounds"
        what = "only what the clues name" if self.is_oracle else "the whole history"
        return f"{what}; {shown}"


def view_named(name: str) -> View | None:
    """The view with a name such as ``full_text``; None for any other text."""
    return next((view for view in View if view.value == name), None)


def why_not(release: Release, view: View, histories: Collection[str]) -> str:
    """Why answering in a view makes no sense for some histories; empty when it does.

    Args:
        release: The release.
        view: The view.
        histories: Ids of the histories whose questions are to be answered.
    """
    questions = [one for id in histories for one in release.questions_by_history[id]]
    if not questions:
        return "there are no questions"
    if view.is_oracle and not any(clue.resolved for one in questions for clue in one.clues):
        return "no clue of these questions leads anywhere, so there is no oracle evidence to show"
    if not view.is_oracle and not any(release.histories[id].rounds for id in histories):
        return "the release does not have these dialogues"
    if not view.is_text:
        files = list(_attachments(release, histories, questions))
        if not files:
            text = View.ORACLE_TEXT if view.is_oracle else View.FULL_TEXT
            return f"there are no pictures or sounds, so it would equal {text.label}"
        if all(one.state is not AttachmentState.PRESENT for one in files):
            return f"none of the {len(files):,} pictures and sounds is there to be shown"
    return ""


def files_missing(release: Release, histories: Collection[str]) -> tuple[int, int]:
    """How many pictures and sounds of histories and their questions are missing, and of how many.

    A multimodal view shows nothing in their place.
    """
    questions = [one for id in histories for one in release.questions_by_history[id]]
    files = list(_attachments(release, histories, questions))
    return sum(one.state is not AttachmentState.PRESENT for one in files), len(files)


def _attachments(
    release: Release, histories: Collection[str], questions: Collection[Question]
) -> Iterator[Attachment]:
    for id in histories:
        for one in release.histories[id].rounds:
            yield from one.attachments
    for question in questions:
        yield from question.attachments
        yield from (option.attachment for option in question.options if option.attachment)
