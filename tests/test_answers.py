"""People who answer: what they are shown, what is kept, what is handed in."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.analyses.answer_summary import answer_summary
from mnemoscope.core.answers.events import AnswerAction, AnswerEvent
from mnemoscope.core.answers.sheet import SheetMaker, sheet_json
from mnemoscope.core.answers.store import AnswerJournal, load_answers
from mnemoscope.core.answers.submission import write_submissions
from mnemoscope.core.answers.views import View, files_missing, why_not
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import (
    History,
    Question,
    RecordStatus,
    Release,
    Textualisation,
)
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.tags.journal import NotWrittenError
from mnemoscope.tui.sample import sample_folder
from tests.answer_data import CAPTION, GOLD, HIDDEN, joined, opened_release
from tests.cli_data import Mnemoscope
from tests.workspace_data import SHARED, a_history, a_question, a_release, a_round

TEXT = Textualisation("none", "none")


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return opened_release(tmp_path / "release")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "answers"


@pytest.fixture
def journal(release: Release, folder: Path) -> Iterator[AnswerJournal]:
    made = load_answers(release, folder).journal("an na")
    yield made
    made.close()


def questions_of(release: Release) -> tuple[Question, ...]:
    return release.questions_by_history["p0"]


def shown(release: Release, view: View, number: int = 0) -> str:
    maker = SheetMaker(release, view, release.textualisation)
    return json.dumps(sheet_json(maker, questions_of(release)[number]), ensure_ascii=False)


# What is shown


@pytest.mark.parametrize("view", View)
def test_no_view_shows_anything_that_tells_the_answer(release: Release, view: View) -> None:
    for number in range(3):
        text = shown(release, view, number)
        assert not [word for word in HIDDEN if word in text]
        assert (CAPTION in text) <= view.is_text


def test_the_hidden_is_there_to_be_hidden(release: Release) -> None:
    written = (release.root / release.files[0]).read_text(encoding="utf-8")
    assert written.count("ZZ") > 20
    assert release.evaluator.sessions["p0", "D00"]["background_audio_info"] == "ZZbackground"


def test_a_full_view_shows_the_whole_dialogue_and_an_oracle_view_only_its_clues(
    release: Release,
) -> None:
    assert "I water the ferns" in shown(release, View.FULL_TEXT)
    assert "YYdesk" in shown(release, View.FULL_TEXT)
    oracle = json.loads(shown(release, View.ORACLE_TEXT))
    assert oracle["sessions"] == []
    titles = [clue["title"] for clue in oracle["clues"]]
    assert titles == ["S1:2 · 01/12/2025 · picture 1", "S2:1 · 02/01/2025 · sound 1"]
    said = json.dumps(oracle["clues"], ensure_ascii=False)
    assert "YYdesk" in said
    assert "YYgood night" in said
    assert "Look at my desk" not in said
    assert json.loads(shown(release, View.ORACLE_TEXT, 2))["clues"] == []


def test_a_multimodal_view_shows_files_in_the_place_of_captions(release: Release) -> None:
    maker = SheetMaker(release, View.FULL_MULTIMODAL, release.textualisation)
    history = maker.history(questions_of(release)[0])
    files = [item for one in history.rounds for item in one.attachments]
    assert [(item.id, Path(item.file).name) for item in files] == [
        ("picture 1", "ZZdesk.png"),
        ("sound 1", "ZZevening.wav"),
    ]
    assert not any(item.captions for item in files)
    assert history.round_by_id["S2:1"].messages[0].text is None
    options = maker.asked(questions_of(release)[0]).options
    assert [(one.label, one.text) for one in options] == [(one, "") for one in "ABCD"]
    assert all(one.attachment is not None and one.attachment.file for one in options)


def test_the_caption_that_stands_for_a_picture_is_the_one_that_is_chosen(release: Release) -> None:
    maker = SheetMaker(release, View.FULL_TEXT, TEXT)
    assert "YYdesk" not in json.dumps(sheet_json(maker, questions_of(release)[0]))


def test_a_history_ends_where_the_question_may_look_no_further() -> None:
    history = a_history("p0", [a_round(one) for one in ("D01:01", "D01:02", "D02:01")])
    for last, rounds in (("D01:01", 1), ("D01", 2), ("", 3)):
        question = replace(a_question("q"), visible_until=last)
        maker = SheetMaker(a_release([question], histories=[history]), View.FULL_TEXT, TEXT)
        assert len(maker.history(question).rounds) == rounds


def test_ids_of_sessions_that_give_the_evidence_away_are_not_shown() -> None:
    path = SHARED / "data/longmemeval/longmemeval_oracle_sample.json"
    if not path.exists():
        pytest.skip("needs the shared LongMemEval data")
    release = open_release(path)
    question = next(iter(release.questions.values()))
    text = json.dumps(sheet_json(SheetMaker(release, View.ORACLE_TEXT, TEXT), question))
    assert "answer_" not in text


# Which views make sense


def test_every_view_makes_sense_where_there_are_clues_pictures_and_sounds(release: Release) -> None:
    assert not any(why_not(release, view, ["p0"]) for view in View)
    assert files_missing(release, ["p0"]) == (0, 6)


def test_without_pictures_the_multimodal_view_equals_text_and_without_clues_there_is_no_oracle(
    release: Release,
) -> None:
    plain = _without(release)
    assert "would equal full text" in why_not(plain, View.FULL_MULTIMODAL, ["p0"])
    assert "no clue" in why_not(plain, View.ORACLE_TEXT, ["p0"])
    assert why_not(plain, View.FULL_TEXT, ["p0"]) == ""


def test_with_no_picture_there_the_multimodal_view_is_refused(release: Release) -> None:
    for path in release.root.rglob("ZZ*"):
        path.unlink()
    found = why_not(open_release(release.root), View.FULL_MULTIMODAL, ["p0"])
    assert found == "none of the 6 pictures and sounds is there to be shown"


def _without(release: Release) -> Release:
    """The release without attachments and clues."""
    history = release.histories["p0"]
    sessions = [
        replace(
            session,
            rounds=tuple(
                replace(one, messages=tuple(replace(m, attachments=()) for m in one.messages))
                for one in session.rounds
            ),
        )
        for session in history.sessions
    ]
    questions = {
        key: replace(
            one, clues=(), options=tuple(replace(option, attachment=None) for option in one.options)
        )
        for key, one in release.questions.items()
    }
    bare = History("p0", "p0", tuple(sessions), history.file)
    return replace(release, histories={"p0": bare}, questions=questions)


# What is kept


def test_an_answer_is_there_again_and_a_later_one_counts(
    release: Release, journal: AnswerJournal, folder: Path
) -> None:
    question = questions_of(release)[0]
    for answer, seconds in (("A", 4.0), ("", 1.0), ("C", 2.5)):
        journal.answer(View.FULL_TEXT, question, answer, seconds, release.textualisation)
    journal.leave(View.FULL_TEXT, question, 1.5)
    again = load_answers(release, folder).books["an na"]
    given = again.given(View.FULL_TEXT, question.key)
    assert (given.answer, given.seconds) == ("C", 9.0)
    assert given.textualisation == release.textualisation
    assert again.given(View.ORACLE_TEXT, question.key).answer == ""


def test_an_option_that_is_not_there_and_a_finished_history_are_refused(
    release: Release, journal: AnswerJournal
) -> None:
    first, second, _ = questions_of(release)
    with pytest.raises(UsageError, match="no option 'E'"):
        journal.answer(View.FULL_TEXT, first, "E", 1.0, TEXT)
    journal.answer(View.FULL_TEXT, first, "A", 1.0, TEXT)
    journal.finish(View.FULL_TEXT, ["p0"])
    with pytest.raises(UsageError, match="finished"):
        journal.answer(View.FULL_TEXT, second, "A", 1.0, TEXT)
    journal.answer(View.ORACLE_TEXT, second, "A", 1.0, TEXT)


def test_nothing_after_the_end_of_a_history_changes_its_answers(
    release: Release, journal: AnswerJournal
) -> None:
    question = questions_of(release)[0]
    journal.answer(View.FULL_TEXT, question, "A", 1.0, TEXT)
    journal.finish(View.FULL_TEXT, ["p0"])
    last = journal.book.last
    assert last is not None
    late = last.model_copy(
        update={"action": AnswerAction.ANSWER, "question": question.key, "answer": "C"}
    )
    assert isinstance(late, AnswerEvent)
    journal.book.take(late)
    assert journal.book.given(View.FULL_TEXT, question.key).answer == "A"


def test_two_people_write_beside_each_other_and_one_person_not_twice(
    release: Release, journal: AnswerJournal, folder: Path
) -> None:
    question = questions_of(release)[0]
    journal.answer(View.FULL_TEXT, question, "A", 1.0, TEXT)
    other = load_answers(release, folder).journal("bo")
    other.answer(View.FULL_TEXT, question, "B", 1.0, TEXT)
    other.close()
    twin = load_answers(release, folder).journal("an na")
    with pytest.raises(UsageError, match="is being written by"):
        twin.answer(View.FULL_TEXT, question, "C", 1.0, TEXT)
    found = load_answers(release, folder).books
    assert {
        name: book.given(View.FULL_TEXT, question.key).answer for name, book in found.items()
    } == {
        "an na": "A",
        "bo": "B",
    }


def test_an_answer_that_cannot_be_written_counts_and_is_written_elsewhere(
    release: Release, tmp_path: Path
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    journal = load_answers(release, blocked).journal("an na")
    question = questions_of(release)[0]
    with pytest.raises(NotWrittenError, match="kept in memory"):
        journal.answer(View.FULL_TEXT, question, "A", 1.0, TEXT)
    assert journal.book.given(View.FULL_TEXT, question.key).answer == "A"
    journal.write_to(tmp_path / "other")
    journal.close()
    again = load_answers(release, tmp_path / "other").books["an na"]
    assert again.given(View.FULL_TEXT, question.key).answer == "A"


WRITER = """
import sys
from pathlib import Path
from mnemoscope.core.answers.store import load_answers
from mnemoscope.core.answers.views import View
from mnemoscope.core.releases.registry import open_release

release = open_release(Path(sys.argv[1]))
journal = load_answers(release, Path(sys.argv[2])).journal("an na")
question = next(iter(release.questions.values()))
for number in range(100_000):
    letter = "ABCD"[number % 4]
    journal.answer(View.FULL_TEXT, question, letter, 1.0, release.textualisation)
    print(number, flush=True)
"""


def test_whoever_is_killed_loses_no_answer(release: Release, folder: Path) -> None:
    command = [sys.executable, "-P", "-c", WRITER, str(release.root), str(folder)]
    before = 0.0
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            said = [child.stdout.readline() for _ in range(15)]
            os.kill(child.pid, signal.SIGKILL)
            said += child.stdout.readlines()
        done = int(said[-1] if said[-1].endswith("\n") else said[-2]) + 1
        answers = load_answers(release, folder)
        given = answers.books["an na"].given(View.FULL_TEXT, questions_of(release)[0].key)
        assert given.seconds - before in (done, done + 1)
        assert given.answer == "ABCD"[int(given.seconds - before - 1) % 4]
        assert {defect.code for defect in answers.defects} <= {"torn_line"}
        before = given.seconds


# What is handed in


def test_a_submission_is_of_the_benchmarks_form_and_opens_as_a_run(
    release: Release, journal: AnswerJournal, tmp_path: Path
) -> None:
    view = View.ORACLE_MULTIMODAL
    first, second, _ = questions_of(release)
    journal.answer(view, first, GOLD[0], 20.0, TEXT)
    journal.answer(view, second, "D", 10.0, TEXT)
    journal.finish(view, ["p0"])
    (written,) = write_submissions(release, journal.book, view, ["p0"], tmp_path / "out")
    assert written.path.parent == tmp_path / "out" / "p0" / "oracle_multimodal"
    assert written.path.name.endswith("_an_na.json")
    data = json.loads(written.path.read_bytes())
    assert {key: data[key] for key in ("variant", "profile", "total", "answered", "correct")} == {
        "variant": "oracle_multimodal",
        "profile": "p0",
        "total": 3,
        "answered": 2,
        "correct": 1,
    }
    assert (data["accuracy"], data["answered_accuracy"]) == (33.33, 50.0)
    assert data["data_file"] == "history_with_qa_p0.json"
    assert data["details"][0] == {
        "key": "ZZpicture::pref_img::implicit",
        "qa_id": "ZZpicture",
        "point": "pref_img",
        "qa_type": "implicit",
        "category": "ZZcategory",
        "gold": "C",
        "answer": "C",
        "answered": True,
        "correct": True,
        "seconds": 20.0,
    }
    (run,) = joined(release, tmp_path / "out")
    assert (run.run.format, run.join.matched) == ("cue-mem-human", 3)
    assert [entry.judgement.right for entry in run.entries] == [True, False, False]
    assert [entry.record.usage.get("seconds") for entry in run.entries] == [20.0, 10.0, 0.0]
    assert run.entries[2].record.status is RecordStatus.NOT_RUN
    assert run.run.notes == ()
    assert run.run.defects == ()


def test_the_same_answers_are_handed_in_once(
    release: Release, journal: AnswerJournal, tmp_path: Path
) -> None:
    journal.answer(View.FULL_TEXT, questions_of(release)[0], "A", 1.0, TEXT)
    out = tmp_path / "out"
    first = write_submissions(release, journal.book, View.FULL_TEXT, ["p0"], out)
    second = write_submissions(release, journal.book, View.FULL_TEXT, ["p0"], out)
    assert [one.was_there for one in (*first, *second)] == [False, True]
    assert first[0].path == second[0].path


def test_open_answers_are_handed_in_as_a_native_run_that_is_not_judged(tmp_path: Path) -> None:
    path = SHARED / "data/locomo/locomo10.json"
    if not path.exists():
        pytest.skip("needs the shared LoCoMo data")
    release = open_release(path)
    journal = load_answers(release, tmp_path / "answers").journal("林")
    questions = release.questions_by_history["conv-26"]
    journal.answer(View.FULL_TEXT, questions[0], "on 7 May 2023", 3.0, release.textualisation)
    journal.finish(View.FULL_TEXT, ["conv-26"])
    journal.close()
    summary = answer_summary(release, journal.book, View.FULL_TEXT, ["conv-26"])
    assert (summary.answered, summary.total) == (1, len(questions))
    assert summary.score is not None
    assert summary.score.accuracy.value is None
    (written,) = write_submissions(
        release, journal.book, View.FULL_TEXT, ["conv-26"], tmp_path / "out"
    )
    assert written.form == "native"
    (run,) = joined(release, tmp_path / "out")
    assert run.join.matched == len(questions)
    assert run.entries[0].record.answer == "on 7 May 2023"
    assert run.run.textualisation == release.textualisation


def test_accuracy_is_worked_out_only_at_the_end_or_when_asked_for(
    release: Release, journal: AnswerJournal
) -> None:
    journal.answer(View.FULL_TEXT, questions_of(release)[0], "C", 8.0, TEXT)
    journal.answer(View.FULL_TEXT, questions_of(release)[1], "A", 2.0, TEXT)
    before = answer_summary(release, journal.book, View.FULL_TEXT, ["p0"])
    assert before.score is None
    assert (before.answered, before.total, before.finished) == (2, 3, False)
    assert (before.median_seconds.value, before.mean_seconds.n) == (5.0, 2)
    asked = answer_summary(release, journal.book, View.FULL_TEXT, ["p0"], results=True)
    assert asked.score is not None
    journal.finish(View.FULL_TEXT, ["p0"])
    after = answer_summary(release, journal.book, View.FULL_TEXT, ["p0"])
    assert after.score is not None
    assert (after.score.tally.correct, after.score.accuracy.n) == (1, 3)


# Without a screen


def test_the_command_lists_shows_and_hands_in_what_was_answered(
    release: Release, journal: AnswerJournal, folder: Path, mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    journal.answer(View.FULL_TEXT, questions_of(release)[0], "C", 8.0, TEXT)
    journal.close()
    place = ("--answers", folder)
    code, out, _ = mnemoscope("answers", "list", release.root, *place, "--json")
    (one,) = json.loads(out)["answers"]
    assert code == 0
    assert (one["answered"], one["total"], one["results"]) == (1, 3, None)
    _, out, _ = mnemoscope("answers", "list", release.root, *place, "--results")
    assert "33.3 %" in out
    _, out, _ = mnemoscope("answers", "export", release.root, "--out", tmp_path / "out", *place)
    assert "1_an_na.json" in out or "_an_na.json" in out
    code, out, _ = mnemoscope("score", release.root, tmp_path / "out")
    assert code == 0
    assert "human full_text" in out
    code, out, _ = mnemoscope("answers", "show", release.root, "--view", "full_multimodal")
    assert "[picture 1]" in out
    assert not [word for word in (*HIDDEN, CAPTION) if word in out]


def test_the_command_says_what_it_cannot_find(
    release: Release, journal: AnswerJournal, folder: Path, mnemoscope: Mnemoscope
) -> None:
    for arguments, said in (
        (("list", "--answers", folder, "--participant", "bo"), "'bo' has answered nothing here"),
        (("list", "--answers", folder, "--history", "p9"), "no history 'p9'; there are: p0"),
        (("show", "--number", "4"), "p0 has 3 questions"),
    ):
        verb, *rest = arguments
        code, _, err = mnemoscope("answers", verb, release.root, *rest)
        assert code == 2
        assert said in err


def test_the_sample_has_all_four_views() -> None:
    release = open_release(sample_folder() / "cue")
    for history in release.histories:
        assert not any(why_not(release, view, [history]) for view in View)
