import gzip
import json
from collections import Counter
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Defect, Severity, count_by_severity
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import GoldKind, Release, Role, RoundKind
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.raw import raw_question, raw_round
from mnemoscope.core.releases.memorybank.reader import MemoryBankReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.sources import Source
from tests.app_driver import act, opened, screen_text
from tests.locomo_data import COUNTS, DATA, broken_copies, leads_somewhere, source_of, write

FOLDER = DATA / "memorybank"
OPTIONS = ReadOptions()

needs_data = pytest.mark.skipif(
    not (COUNTS.is_file() and FOLDER.is_dir()), reason=f"the public data is not in {DATA}"
)


def bank() -> dict[str, Any]:
    """Two users with two days and three exchanges; the second's key is padded."""
    return {
        "Ada": user("Ada"),
        " Bo ": user("Bo") | {"overall_history": "Bo sails.", "summary": {"2023-04-27": "wind"}},
    }


def user(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "summary": {},
        "personality": {},
        "overall_history": "",
        "history": {
            "2023-04-27": [
                {"query": f"I am {name}.", "response": "Hello!"},
                {"query": "I read Dune.", "response": "A classic."},
            ],
            "2023-04-28": [{"query": "It rains.", "response": "Stay in."}],
        },
        "meta_information": {"hobbies": "kites"},
    }


PROBES = [{"Ada": ["What did I read?", "Who am I?"]}, {"Bo": ["What did I read?"]}]


def write_pair(folder: Path, users: Any = None, probes: Any = PROBES, language: str = "en") -> Path:
    write(folder / f"memory_bank_{language}.json", bank() if users is None else users)
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in probes)
    (folder / f"probing_questions_{language}.jsonl").write_text(lines)
    return folder


def read(path: Path) -> Release:
    return MemoryBankReader().read(Source(path), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return read(write_pair(tmp_path / "memorybank"))


def test_a_release_says_what_it_is(release: Release) -> None:
    assert (release.name, release.format, release.licence) == ("memorybank", "memorybank", "MIT")
    assert release.round_kind is RoundKind.EXCHANGE
    assert release.files == ("memory_bank_en.json", "probing_questions_en.jsonl")
    assert release.counts == {
        **{"histories": 2, "sessions": 4, "rounds": 6, "questions": 3},
        **{"images": 0, "audio": 0},
    }


def test_a_day_is_a_session_and_a_pair_a_round(release: Release) -> None:
    history = release.histories["Ada"]
    assert [one.id for one in history.sessions] == ["2023-04-27", "2023-04-28"]
    assert history.sessions[0].date == datetime(2023, 4, 27)
    rounds = history.rounds
    assert [one.id for one in rounds] == ["2023-04-27:0", "2023-04-27:1", "2023-04-28:0"]
    assert [one.index for one in rounds] == [0, 1, 2]
    assert [(one.speaker, one.role, one.text) for one in rounds[1].messages] == [
        ("Ada", Role.USER, "I read Dune."),
        ("assistant", Role.ASSISTANT, "A classic."),
    ]
    assert rounds[1].place == '$.Ada.history["2023-04-27"][1]'


def test_blanks_around_a_name_are_taken_off_and_recorded(release: Release) -> None:
    assert list(release.histories) == ["Ada", "Bo"]
    assert release.questions["Bo/0"].text == "What did I read?"
    (defect,) = of_code(release, "padded_name")
    assert (defect.severity, defect.path) == (Severity.REPAIRED, '$[" Bo "]')


def test_probing_questions_have_neither_gold_nor_evidence(release: Release) -> None:
    assert list(release.questions) == ["Ada/0", "Ada/1", "Bo/0"]
    question = release.questions["Ada/1"]
    assert (question.gold.kind, question.clues, question.task) == (GoldKind.NONE, (), "probing_en")
    assert (question.file, question.place) == ("probing_questions_en.jsonl", "$[0].Ada[1]")


def test_what_is_known_about_users_is_for_the_evaluator_alone(release: Release) -> None:
    assert release.evaluator.histories["Bo"] == {
        "overall_history": "Bo sails.",
        "meta_information": {"hobbies": "kites"},
    }
    assert release.evaluator.sessions == {("Bo", "2023-04-27"): {"summary": "wind"}}
    shown = repr((release.histories, release.questions))
    for hidden in ("kites", "sails", "wind"):
        assert hidden not in shown


def test_both_languages_of_a_folder_are_one_release_with_a_task_each(tmp_path: Path) -> None:
    write_pair(tmp_path)
    write_pair(tmp_path, {"王峰": user("王峰")}, [{"王峰": ["我是谁？"]}], "cn")
    release = read(tmp_path)
    assert list(release.histories) == ["王峰", "Ada", "Bo"]
    assert Counter(one.task for one in release.questions.values()) == {
        "probing_cn": 1,
        "probing_en": 3,
    }
    assert [(label.task, label.expected) for label in release.tasks] == [
        ("probing_cn", 100),
        ("probing_en", 100),
    ]


def test_a_user_of_both_languages_is_two_histories(tmp_path: Path) -> None:
    write_pair(tmp_path)
    write_pair(tmp_path, {"Ada": user("Ada")}, [{"Ada": ["?"]}], "cn")
    release = read(tmp_path)
    assert list(release.histories) == ["Ada", "Ada#2", "Bo"]
    assert release.questions["Ada#2/1"].text == "Who am I?"
    assert of_code(release, "duplicate_id")[0].file == "memory_bank_en.json"


def test_either_file_of_the_pair_brings_the_other(tmp_path: Path) -> None:
    write_pair(tmp_path)
    for name in ("memory_bank_en.json", "probing_questions_en.jsonl"):
        assert format_of(tmp_path / name) == "memorybank"
        release = open_release(tmp_path / name)
        assert (release.name, len(release.questions)) == ("memory_bank_en", 3)


def test_users_without_questions_are_read_and_that_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "others.json", bank())
    release = open_release(path)
    assert (release.counts["rounds"], release.counts["questions"]) == (6, 0)
    assert of_code(release, "questions_missing")
    assert [label.task for label in release.tasks] == ["probing"]


def test_packed_files_are_read(tmp_path: Path) -> None:
    write_pair(tmp_path)
    for name in ("memory_bank_en.json", "probing_questions_en.jsonl"):
        data = (tmp_path / name).read_bytes()
        (tmp_path / name).unlink()
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
    assert open_release(tmp_path).counts["questions"] == 3


def test_questions_about_nobody_are_an_error(tmp_path: Path) -> None:
    release = read(write_pair(tmp_path, probes=[*PROBES, {"Cy": ["?"]}, 7]))
    assert len(release.questions) == 3
    assert [(one.code, one.path) for one in release.defects if one.severity == "error"] == [
        ("unknown_user", "$[2].Cy"),
        ("wrong_type", "$[3]"),
    ]


def test_a_question_that_cannot_be_used_moves_no_other(tmp_path: Path) -> None:
    release = read(
        write_pair(tmp_path, probes=[{"Ada": ["One?", 3, " ", "Four?"]}, {"Ada": "Five?"}])
    )
    assert list(release.questions) == ["Ada/0", "Ada/3", "Ada/4"]
    assert [one.path for one in of_code(release, "wrong_type")] == ["$[0].Ada[1]", "$[0].Ada[2]"]


def test_days_out_of_order_or_without_a_date_are_warnings(tmp_path: Path) -> None:
    users = bank()
    days = users["Ada"]["history"]
    users["Ada"]["history"] = {"2023-05-01": [], **days, "some day": []}
    release = read(write_pair(tmp_path, users))
    assert [one.date is None for one in release.histories["Ada"].sessions] == [
        *(False, False, False, True)
    ]
    codes = [one.code for one in release.defects if one.severity == "warning"]
    assert codes == ["dates_out_of_order", "date_unreadable"]


def test_the_raw_view_finds_rounds_and_questions(tmp_path: Path) -> None:
    release = read(write_pair(tmp_path))
    history = release.histories["Bo"]
    assert raw_round(release, history, history.rounds[2]).value()["query"] == "It rains."
    assert raw_question(release, release.questions["Bo/0"]).value() == "What did I read?"


def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path) -> None:
    for what, broken in broken_copies(bank()):
        source = source_of(tmp_path / "x.json", broken)
        try:
            release = MemoryBankReader().read(source, OPTIONS)
        except InputError:
            continue
        for history in release.histories.values():
            assert len(history.round_by_id) == len(history.rounds), what
            assert [one.index for one in history.rounds] == list(range(len(history.rounds)))
        for defect in release.defects:
            assert leads_somewhere(defect, broken), (what, defect)


def test_no_wrong_type_in_questions_stops_the_reading(tmp_path: Path) -> None:
    write_pair(tmp_path)
    path = tmp_path / "probing_questions_en.jsonl"
    for what, broken in broken_copies(PROBES):
        if any(isinstance(one, int) and one > 10**300 for one in broken):
            continue
        path.write_text("".join(json.dumps(one) + "\n" for one in broken))
        release = read(tmp_path)
        for defect in release.defects:
            if defect.file == path.name and defect.code != "broken_line":
                assert leads_somewhere(defect, broken), (what, defect)


def test_a_string_of_ten_megabytes_and_escape_codes_are_read(tmp_path: Path) -> None:
    long = "\x1b[31mx" * 1_500_000
    users = bank()
    users[f" {long}"] = user(long)
    users["Ada"]["history"][long] = users["Ada"]["history"]["2023-04-27"]
    release = read(write_pair(tmp_path, users, [{"Ada": [long]}, {long: [3]}]))
    assert release.questions["Ada/0"].text == long
    lines = [defect.line() for defect in release.defects]
    assert max(map(len, lines)) < 12_000
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize("length", [1, 60, 300])
def test_a_cut_file_is_an_error_with_its_place(tmp_path: Path, length: int) -> None:
    path = write(tmp_path / "memory_bank_en.json", bank())
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        open_release(path)


def test_a_cut_line_of_questions_leaves_the_others(tmp_path: Path) -> None:
    write_pair(tmp_path)
    path = tmp_path / "probing_questions_en.jsonl"
    path.write_text(path.read_text()[:-5])
    release = read(tmp_path)
    assert list(release.questions) == ["Ada/0", "Ada/1"]
    assert of_code(release, "broken_line")[0].path.startswith("line 2")


@pytest.mark.parametrize(
    "data",
    [
        *(None, 1, "x", [], {}, {"a": 1}, {"a": {}}, {"a": {"name": "a"}}, [bank()]),
        {"a": {"name": "a", "history": []}},
    ],
)
def test_foreign_shapes_are_not_recognised(tmp_path: Path, data: Any) -> None:
    path = write(tmp_path / "x.json", data)
    (tmp_path / "probing_questions_x.jsonl").write_text('{"Ada": ["?"]}\n')
    assert not MemoryBankReader().recognises(Source(path))
    assert not MemoryBankReader().recognises(Source(tmp_path))
    assert not MemoryBankReader().recognises(Source(tmp_path / "probing_questions_x.jsonl"))


def test_another_kind_of_file_is_an_error_that_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="MemoryBank users, each with a name"):
        open_release(write(tmp_path / "x.json", {}), format="memorybank")
    with pytest.raises(InputError, match="no MemoryBank user in it"):
        open_release(tmp_path, format="memorybank")


async def test_a_question_without_gold_says_so_in_the_app(tmp_path: Path) -> None:
    async with opened(OpenRequest(write_pair(tmp_path))) as (app, pilot):
        await act(app, pilot, "app.history")
        text = screen_text(app)
        assert "2023-04-27 · 2 rounds" in text
        assert "I am Ada." in text
        await act(app, pilot, "app.questions", "list.open")
        text = screen_text(app)
        assert "no gold" in text
        assert "the release names no gold evidence" in text


# --- The published files


@cache
def published() -> Release:
    return open_release(FOLDER)


@needs_data
@pytest.mark.parametrize("language", ["en", "cn"])
def test_every_published_language_has_the_measured_counts(language: str) -> None:
    known = json.loads(COUNTS.read_text())["memorybank"][language]
    release = open_release(FOLDER / f"memory_bank_{language}.json")
    assert {
        "users": release.counts["histories"],
        "days": release.counts["sessions"],
        "turns": release.counts["rounds"],
        "probing_users": len({one.history_id for one in release.questions.values()}),
        "probing_questions": release.counts["questions"],
        "probing_user_names_not_matching_until_stripped": len(of_code(release, "padded_name")),
    } == known
    assert [label.expected for label in release.tasks] == [known["probing_questions"]]


@needs_data
def test_both_published_languages_are_read_without_error_and_every_day_has_its_date() -> None:
    release = published()
    assert release.counts["histories"] == 30
    assert count_by_severity(release.defects) == {"errors": 0, "repaired": 4, "warnings": 0}
    for history in release.histories.values():
        days = [one.date for one in history.sessions]
        assert days == [datetime(2023, 4, 27 + n) for n in range(4)] + [
            datetime(2023, 5, n) for n in range(1, 7)
        ]
