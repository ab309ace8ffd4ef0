"""Writing tags down, and reading them back."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Gold, QuestionRef, Record, RecordStatus, Run, Value
from mnemoscope.core.runs.native.schema import Manifest
from mnemoscope.core.runs.native.store import RunStore
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.tags import events as tag_events
from mnemoscope.core.tags.book import Book, Marks
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.events import Action, TagEvent, Target, read_events
from mnemoscope.core.tags.fingerprint import answer_hash, release_hash, run_hash
from mnemoscope.core.tags.journal import Journal, NotWrittenError
from mnemoscope.core.tags.store import Places, Tags, load_tags
from mnemoscope.core.tags.taxonomy import Labels
from tests.workspace_data import a_question, a_release

RELEASE, RUN, OTHER = "a" * 64, "b" * 64, "c" * 64
CATALOGUE = Catalogue.load()
CUE, DSV = CATALOGUE.named("cue_mem"), CATALOGUE.named("dsv_mem")
ONE, TWO = Target.of_record("p0/q/1", RUN), Target.of_record("p0/q/2", RUN)
QUESTION = Target.of_question("p0/q/1")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "tags")


@pytest.fixture
def journal(places: Places) -> Iterator[Journal]:
    with Journal(Book("a1"), places, RELEASE) as opened:
        yield opened


def reread(places: Places, annotator: str = "a1", release: str = RELEASE) -> Book:
    return load_tags(places, release).book(annotator)


def statements(book: Book) -> dict[str, Marks]:
    return {f"{target.kind} {target}": replace(marks, time=None) for target, marks in book}


def test_what_is_tagged_is_read_back_as_it_was(journal: Journal, places: Places) -> None:
    journal.add(
        ONE, CUE, "retrieval_miss", reason="0 of 5 clues", suggested="retrieval", blind=True
    )
    journal.add(ONE, CUE, "distractor_dominance", answer="0123456789abcdef")
    journal.add(QUESTION, CUE, "gold_error")
    journal.note(TWO, "看不清楚 \x1b[31m")
    journal.flag(TWO)
    journal.skip(TWO)
    journal.verdict(TWO, Value.RIGHT, reason="B is right too")
    journal.flag(Target.of_session("p0", "D01"))
    book = reread(places)
    assert statements(book) == statements(journal.book)
    first, second = book.marks(ONE).tags
    assert (first.slug, first.reason, first.suggested, first.blind, first.version) == (
        *("retrieval_miss", "0 of 5 clues", "retrieval", True, 1),
    )
    assert second.slug == "distractor_dominance"
    assert book.marks(ONE).answer == "0123456789abcdef"
    marks = book.marks(TWO)
    assert (marks.note, marks.flagged, marks.skipped) == ("看不清楚 \x1b[31m", True, True)
    assert (marks.verdict, marks.reason) == (Value.RIGHT, "B is right too")
    assert book.marks(QUESTION).slugs("cue_mem") == ("gold_error",)


def test_a_single_label_replaces_the_one_before_and_undo_brings_it_back(journal: Journal) -> None:
    journal.add(ONE, DSV, "evidence_acquisition")
    journal.add(ONE, DSV, "stale_value")
    assert journal.marks(ONE).slugs("dsv_mem") == ("stale_value",)
    journal.undo()
    assert journal.marks(ONE).slugs("dsv_mem") == ("evidence_acquisition",)
    journal.redo()
    assert journal.marks(ONE).slugs("dsv_mem") == ("stale_value",)


def test_saying_that_none_fits_takes_the_tags_away_and_a_tag_takes_that_back(
    journal: Journal,
) -> None:
    journal.add(ONE, CUE, "retrieval_miss")
    journal.add(ONE, DSV, "other")
    journal.none_fits(ONE, CUE)
    assert journal.marks(ONE).slugs("cue_mem") == ()
    assert journal.marks(ONE).slugs("dsv_mem") == ("other",)
    assert journal.marks(ONE).reviewed("cue_mem")
    journal.add(ONE, CUE, "evidence_use_failure")
    assert journal.marks(ONE).none_of == frozenset()
    journal.remove(ONE, CUE, "evidence_use_failure")
    assert not journal.marks(ONE).reviewed("cue_mem")


def test_a_tag_that_is_none_or_of_another_kind_of_target_is_refused(journal: Journal) -> None:
    with pytest.raises(UsageError, match="cue_mem has no tag 'sleepy'"):
        journal.add(ONE, CUE, "sleepy")
    with pytest.raises(UsageError, match="gold_error is a tag of a question, not of a record"):
        journal.add(ONE, CUE, "gold_error")
    assert list(journal.book) == []


def test_undo_and_redo_go_back_over_a_restart_without_limit(
    journal: Journal, places: Places
) -> None:
    for number in range(40):
        journal.add(Target.of_record(f"p0/q/{number}", RUN), CUE, "retrieval_miss")
    journal.close()
    with Journal(reread(places), places, RELEASE) as later:
        for _ in range(40):
            assert later.undo() is not None
        assert later.undo() is None
        assert list(later.book) == []
    with Journal(reread(places), places, RELEASE) as last:
        assert list(last.book) == []
        for _ in range(40):
            assert last.redo() is not None
        assert last.redo() is None
        assert len(list(last.book)) == 40
        last.undo()
        last.flag(ONE)
        assert last.redo() is None, "something new was done since"


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["add", "remove", "none", "note", "flag", "skip", "undo", "redo"]),
        st.sampled_from([ONE, TWO]),
        st.sampled_from(["retrieval_miss", "run_error"]),
    ),
    max_size=30,
)


def carry_out(journal: Journal, what: str, target: Target, slug: str) -> None:
    match what:
        case "add":
            journal.add(target, CUE, slug)
        case "remove":
            journal.remove(target, CUE, slug)
        case "none":
            journal.none_fits(target, CUE)
        case "note":
            journal.note(target, slug)
        case "flag":
            journal.flag(target)
        case "skip":
            journal.skip(target)
        case "undo":
            journal.undo()
        case "redo":
            journal.redo()


@settings(max_examples=60, deadline=None)
@given(ACTIONS)
def test_undoing_everything_says_nothing_and_redoing_it_all_says_it_again(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, Target, str]]
) -> None:
    places = Places(tmp_path_factory.mktemp("tags"))
    with Journal(Book("a1"), places, RELEASE) as journal:
        for action in actions:
            carry_out(journal, *action)
        said = statements(journal.book)
        assert statements(reread(places)) == said
        count = 0
        while journal.undo():
            count += 1
        assert statements(journal.book) == {}
        for _ in range(count):
            journal.redo()
        assert statements(journal.book) == said
        assert statements(reread(places)) == said


def test_two_annotators_write_beside_each_other_and_one_name_only_once(
    journal: Journal, places: Places
) -> None:
    journal.add(ONE, CUE, "retrieval_miss")
    with Journal(Book("a2"), places, RELEASE) as other:
        other.add(ONE, CUE, "run_error")
        journal.add(TWO, CUE, "run_error")
    with (
        Journal(Book("a1"), places, RELEASE) as twin,
        pytest.raises(UsageError, match="is being written by process"),
    ):
        twin.flag(ONE)
    tags = load_tags(places, RELEASE)
    assert [name for name, _ in tags.on(ONE)] == ["a1", "a2"]
    assert [name for name, _ in tags.on(TWO)] == ["a1"]


def test_names_that_make_the_same_file_name_keep_their_own_files(places: Places) -> None:
    names = ["林", "王", "A 1", "a-1", "../x", "con"]
    for name in names:
        with Journal(Book(name), places, RELEASE) as journal:
            journal.note(ONE, name)
    for name in names:
        with Journal(reread(places, name), places, RELEASE) as journal:
            journal.flag(ONE)
    tags = load_tags(places, RELEASE)
    assert {name: book.marks(ONE).note for name, book in tags.books.items()} == {
        name: name for name in names
    }
    assert len(list(places.common.glob("*.jsonl"))) == len(names)


def test_records_of_a_native_run_are_tagged_beside_it_and_undone_in_order(tmp_path: Path) -> None:
    places = Places(tmp_path / "common", {RUN: tmp_path / "run" / "tags"})
    foreign = Target.of_record("p0/q/1", OTHER)
    with Journal(Book("a1"), places, RELEASE) as journal:
        journal.add(ONE, CUE, "retrieval_miss")
        journal.add(QUESTION, CUE, "gold_error")
        journal.add(foreign, CUE, "run_error")
        journal.add(ONE, CUE, "run_error")
    kinds = [event.target.run for event in read_events(tmp_path / "common" / "a1.jsonl")[0]]
    assert kinds == ["", OTHER]
    assert len(read_events(tmp_path / "run" / "tags" / "a1.jsonl")[0]) == 2
    with Journal(reread(places), places, RELEASE) as journal:
        undone = [journal.undo() for _ in range(4)]
        assert [event.target for event in undone if event] == [ONE, foreign, QUESTION, ONE]


def test_a_folder_that_cannot_be_written_loses_nothing_and_another_takes_it_all(
    tmp_path: Path,
) -> None:
    (tmp_path / "tags").write_text("a file is in the way")
    with Journal(Book("a1"), Places(tmp_path / "tags"), RELEASE) as journal:
        with pytest.raises(NotWrittenError, match="it is kept in memory") as caught:
            journal.add(ONE, CUE, "retrieval_miss")
        assert "choose another folder" in caught.value.hint
        with pytest.raises(NotWrittenError, match="the last 2 things done are kept in memory"):
            journal.flag(ONE)
        assert journal.marks(ONE).flagged
        journal.write_to(tmp_path / "elsewhere")
        assert journal.pending == []
        journal.note(ONE, "and on")
    book = reread(Places(tmp_path / "elsewhere"))
    assert statements(book) == statements(journal.book)


WRITER = """
import sys
from pathlib import Path
from mnemoscope.core.tags.book import Book
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.events import Target
from mnemoscope.core.tags.journal import Journal
from mnemoscope.core.tags.store import Places, load_tags
places, release = Places(Path(sys.argv[1])), "a" * 64
cue = Catalogue.load().named("cue_mem")
with Journal(load_tags(places, release).book("a1"), places, release) as journal:
    for number in range(100000):
        journal.add(Target.of_record(f"p0/q/{number}", "b" * 64), cue, "retrieval_miss")
        print(number, flush=True)
"""


def test_an_annotator_who_is_killed_loses_nothing_that_was_tagged(places: Places) -> None:
    for _ in range(3):
        command = [sys.executable, "-P", "-c", WRITER, str(places.common)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            said = [child.stdout.readline() for _ in range(25)]
            os.kill(child.pid, signal.SIGKILL)
            said += child.stdout.readlines()
        done = int(said[-1] if said[-1].endswith("\n") else said[-2])
        tags = load_tags(places, RELEASE)
        assert len(list(tags.book("a1"))) >= done + 1
        assert {defect.code for defect in tags.defects} <= {"torn_line"}


@pytest.mark.parametrize("cut", range(0, 330, 7))
def test_a_file_cut_at_any_byte_keeps_every_whole_line_and_is_written_on(
    places: Places, cut: int
) -> None:
    with Journal(Book("a1"), places, RELEASE) as journal:
        for target in (ONE, TWO, QUESTION):
            journal.note(target, "说明")
    (path,) = places.common.glob("*.jsonl")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - cut])
    whole = (len(data) - cut and data[: len(data) - cut].count(b"\n")) or 0
    with Journal(reread(places), places, RELEASE) as journal:
        assert whole <= len(list(journal.book)) <= whole + 1
        journal.flag(ONE)
        said = statements(journal.book)
    tags = load_tags(places, RELEASE)
    assert statements(tags.book("a1")) == said
    assert tags.defects == ()


def test_lines_that_are_no_events_are_named_and_stay_in_the_file(
    journal: Journal, places: Places
) -> None:
    journal.flag(ONE)
    journal.close()
    (path,) = places.common.glob("*.jsonl")
    good = json.loads(path.read_text())
    bad = [{**good, "action": "shout"}, {**good, "colour": "red"}, [], "x", {**good, "time": 3}]
    with path.open("a") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in bad)
        file.write("no json\n")
    (places.common / "b.jsonl").mkdir()
    tags = load_tags(places, RELEASE)
    assert list(tags.books) == ["a1"]
    assert [defect.path for defect in tags.defects] == [
        *("$[1].action", "$[2].colour", "$[3]", "$[4]", "$[5].time", "line 7 column 1"),
    ]
    assert all(defect.file == str(path) for defect in tags.defects)


def test_tags_of_another_version_of_the_release_are_kept_counted_and_not_shown(
    journal: Journal, places: Places
) -> None:
    journal.flag(ONE)
    journal.flag(TWO)
    tags = load_tags(places, OTHER)
    assert (tags.books, tags.elsewhere) == ({}, 2)


def test_a_taxonomy_that_changed_keeps_what_was_tagged_before(
    journal: Journal, places: Places
) -> None:
    journal.add(ONE, CUE, "retrieval_miss")
    journal.add(ONE, CUE, "run_error")
    journal.close()
    poorer = CUE.model_copy(update={"tags": CUE.tags[:1], "version": 2, "labels": Labels.ONE})
    with Journal(reread(places), places, RELEASE) as later:
        later.add(ONE, poorer, "textualization_miss")
        tags = later.marks(ONE).tags
        assert [(tag.slug, tag.version) for tag in tags] == [
            *(("retrieval_miss", 1), ("run_error", 1), ("textualization_miss", 2)),
        ]
    assert CATALOGUE.title("cue_mem", "retrieval_miss") == "retrieval miss"


def test_events_keep_their_order_when_the_clock_goes_back(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = journal.flag(ONE)

    class Earlier(datetime):
        @classmethod
        def now(cls, tz: object = None) -> "Earlier":
            return cls.fromtimestamp(0, UTC)

    monkeypatch.setattr(tag_events, "datetime", Earlier)
    second = journal.flag(ONE, on=False)
    assert second.time == first.time + timedelta(microseconds=1)


def test_an_event_stands_in_one_line_of_plain_json(journal: Journal, places: Places) -> None:
    event = journal.add(ONE, CUE, "retrieval_miss")
    (path,) = places.common.glob("*.jsonl")
    assert json.loads(path.read_text()) == {
        "id": event.id,
        "time": event.time.isoformat(),
        "annotator": "a1",
        "action": "add",
        "target": {"kind": "record", "question": "p0/q/1", "run": RUN},
        "release": RELEASE,
        "taxonomy": "cue_mem",
        "version": 1,
        "tag": "retrieval_miss",
        "tool": event.tool,
    }
    assert read_events(path) == ([event], [])


def test_an_event_twice_or_one_that_undoes_nothing_changes_nothing() -> None:
    flag = TagEvent(
        id="1",
        time=datetime.now(UTC),
        annotator="a",
        action=Action.FLAG,
        target=ONE,
        release=RELEASE,
    )
    book = Book("a", [flag, flag, flag.model_copy(update={"id": "2", "action": Action.UNDO})])
    assert book.marks(ONE).flagged
    undo = flag.model_copy(update={"id": "3", "action": Action.UNDO, "of": "1"})
    again = undo.model_copy(update={"id": "4"})
    book = Book("a", [flag, undo, again])
    assert book.marks(ONE).empty
    assert Tags({"a": book}).book("a") is book


def test_the_hash_of_a_release_stays_when_files_move_and_changes_with_a_question() -> None:
    release = a_release([a_question("p0/q/1")])
    moved = replace(release, root=Path("elsewhere"), files=(), image_variants=())
    assert release_hash(moved) == release_hash(release)
    key, question = next(iter(release.questions.items()))
    for change in ({"stem": "anders"}, {"gold": Gold.none()}):
        questions = {**release.questions, key: replace(question, **change)}
        assert release_hash(replace(release, questions=questions)) != release_hash(release)


def test_the_hash_of_a_foreign_run_is_that_of_its_answers(tmp_path: Path) -> None:
    record = Record(QuestionRef("p0/q/1"), RecordStatus.OK, "A", "runs.json", "$[0]")
    run = Run("r", "mine", tmp_path, (), (record,))
    again = replace(run, name="other", records=(replace(record, file="moved.json"),))
    assert run_hash(run) == run_hash(again)
    assert run_hash(run) != run_hash(replace(run, records=(replace(record, answer="B"),)))
    assert run_hash(run) != run_hash(replace(run, system="another"))
    assert answer_hash(record) == answer_hash(replace(record, usage={"seconds": 1.0}))
    assert len(answer_hash(record)) == 16


def test_a_native_run_keeps_its_hash_and_its_tags_while_it_goes_on(tmp_path: Path) -> None:
    manifest = Manifest(kind="mnemoscope-run", schema_version=1, name="live", extra={})
    record = Record(QuestionRef("p0/q/1"), RecordStatus.OK, "A", "", "")
    with RunStore.create(tmp_path / "run", manifest) as store:
        store.append(record)
        (early,) = open_runs(tmp_path / "run").runs
        before = run_hash(early)
        store.append(replace(record, ref=QuestionRef("p0/q/2")))
        store.finish()
    (run,) = open_runs(tmp_path / "run").runs
    assert run_hash(run) == before
    places = Places.usual(RELEASE, {before: run, OTHER: replace(run, root=tmp_path)})
    assert places.folder(Target.of_record("p0/q/1", before)) == tmp_path / "run" / "tags"
    assert places.folder(Target.of_record("p0/q/1", OTHER)) == places.common
    assert places.common.name == RELEASE[:16]
    assert Places.usual(RELEASE, {before: run}, tmp_path).folders == (tmp_path,)
    with Journal(Book("a1"), places, RELEASE) as journal:
        journal.flag(Target.of_record("p0/q/1", before))
    assert len(open_runs(tmp_path / "run").runs) == 1, "tags are no run output"
