"""How far an annotator has come, told after every event without counting anew."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.tags.book import Book, Marks
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.events import Action, Target
from mnemoscope.core.tags.journal import Journal
from mnemoscope.core.tags.progress import Progress
from mnemoscope.core.tags.store import Places

RUN, OTHER_RUN, RELEASE = "a" * 64, "b" * 64, "c" * 64
KEYS = ("p0/1", "p0/2", "p0/3")

TAXONOMY = Catalogue.load().named("cue_mem")

said = st.tuples(
    st.sampled_from(
        ["add", "add", "add", "remove", "none", "gold", "undo", "undo", "redo", "other"]
    ),
    st.sampled_from([*KEYS, "p9/not-in-the-list"]),
    st.sampled_from(["retrieval_miss", "association_failure", "distractor_dominance"]),
    st.sampled_from([RUN, OTHER_RUN]),
)


def concerns(target: Target) -> bool:
    return target.run in ("", RUN)


def say(journal: Journal, what: str, key: str, tag: str, run: str) -> None:
    record = Target.of_record(key, run)
    acts: dict[str, Callable[[], object]] = {
        "add": lambda: journal.add(record, TAXONOMY, tag),
        "remove": lambda: journal.remove(record, TAXONOMY, tag),
        "none": lambda: journal.none_fits(record, TAXONOMY),
        "gold": lambda: journal.add(Target.of_question(key), TAXONOMY, "gold_error"),
        "other": lambda: journal.note(record, "seen"),
        "undo": journal.undo,
        "redo": journal.redo,
    }
    acts[what]()


def counted(book: Book) -> tuple[int, int]:
    """The same, counted from nothing."""
    reviewed = {
        target.question for target, marks in book if concerns(target) and marks.reviewed("cue_mem")
    }
    seen: set[str] = set()
    targets: set[Target] = set()
    for event in book.standing().values():
        if event.action is Action.ADD and event.taxonomy == "cue_mem":
            if event.tag in seen:
                targets.add(event.target)
            else:
                seen.add(event.tag)
                targets.clear()
    return len(reviewed.intersection(KEYS)), len(targets)


@settings(deadline=None)
@given(st.lists(said, max_size=25), st.integers(1, 3))
def test_progress_is_what_counting_anew_would_say_after_every_event(
    events: Sequence[tuple[str, str, str, str]], asked_every: int
) -> None:
    with TemporaryDirectory() as folder:
        book = Book("ann")
        progress = Progress(book, "cue_mem", KEYS, concerns)
        with Journal(book, Places(Path(folder)), RELEASE) as journal:
            for number, event in enumerate(events):
                say(journal, *event)
                if number % asked_every == 0:
                    assert (progress.done, progress.since_new) == counted(book)
        assert (progress.done, progress.since_new) == counted(book)


def test_one_more_event_is_one_more_question_to_look_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Book("ann")
    keys = [f"p0/{number}" for number in range(50)]
    with Journal(book, Places(tmp_path), RELEASE) as journal:
        for key in keys:
            journal.add(Target.of_record(key, RUN), TAXONOMY, "retrieval_miss")
        progress = Progress(book, "cue_mem", keys, concerns)
        assert (progress.done, progress.since_new) == (50, 49)
        looked_at: list[Target] = []
        marks = Book.marks

        def watched(self: Book, target: Target) -> Marks:
            looked_at.append(target)
            return marks(self, target)

        monkeypatch.setattr(Book, "marks", watched)
        journal.undo()
        assert (progress.done, progress.since_new) == (49, 48)
        journal.redo()
        journal.add(Target.of_record("p0/7", RUN), TAXONOMY, "association_failure")
        assert (progress.done, progress.since_new) == (50, 0)
    assert {one.question for one in looked_at} == {"p0/49", "p0/7"}
