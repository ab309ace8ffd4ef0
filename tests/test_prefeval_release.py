import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Defect, Severity, count_by_severity
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import GoldKind, Release, Role, RoundKind
from mnemoscope.core.raw import raw_question, raw_round
from mnemoscope.core.releases.prefeval.reader import PrefEvalReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.sources import Source
from tests.locomo_data import COUNTS, DATA, broken_copies, leads_somewhere, source_of, write

FOLDER = DATA / "prefeval"
OPTIONS = ReadOptions()
FORMS = {
    "explicit": "explicit_preference",
    "choice": "implicit_preference/choice-based",
    "persona": "implicit_preference/persona-driven",
    "mcq": "mcq_options",
}

needs_data = pytest.mark.skipif(
    not (COUNTS.is_file() and FOLDER.is_dir()), reason=f"the public data is not in {DATA}"
)


def plain() -> dict[str, Any]:
    return {
        "preference": "I never eat mushrooms.",
        "question": "What should I cook tonight?",
        "explanation": "Many stews have mushrooms.",
    }


def rows(form: str) -> list[dict[str, Any]]:
    """Two rows of a form."""
    more: dict[str, Any] = {}
    if form == "choice":
        more = {
            "implicit_query": "Which pizza?",
            "options": ["Funghi", "Margherita", "Boscaiola", "Porcini"],
            "conversation": {
                "query": "Which pizza?",
                "assistant_options": "1. Funghi 2. Margherita",
                "user_selection": "The second.",
                "assistant_acknowledgment": "A good choice.",
            },
            "aligned_op": "Margherita",
        }
    elif form == "persona":
        more = {
            "persona": "A carpenter",
            "conversation": {
                "0": {"user": "Hi!", "assistant": "Hello."},
                "10": {"user": "Bye.", "assistant": "See you."},
                "2": {"user": "No mushrooms for me.", "assistant": "Noted."},
            },
        }
    elif form == "mcq":
        more = {
            "classification_task_options": ["A tomato soup.", "Risotto.", "A pie.", "Nothing."],
            "violation_probability": 0.5,
        }
    return [plain() | more, plain() | more | {"question": "And tomorrow?"}]


def all_forms(folder: Path) -> Path:
    for form, path in FORMS.items():
        write(folder / path / "food.json", rows(form))
    return folder


def read(path: Path) -> Release:
    return PrefEvalReader().read(Source(path), OPTIONS)


def read_value(tmp_path: Path, data: Any) -> Release:
    return PrefEvalReader().read(source_of(tmp_path / "food.json", data), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return read(all_forms(tmp_path / "prefeval"))


def said(release: Release, history_id: str) -> list[list[tuple[str, str | None]]]:
    return [
        [(message.speaker, message.text) for message in one.messages]
        for one in release.histories[history_id].rounds
    ]


def test_a_release_says_what_it_is(release: Release) -> None:
    assert (release.name, release.format) == ("prefeval", "prefeval")
    assert release.licence == "CC BY-NC 4.0"
    assert release.round_kind is RoundKind.EXCHANGE
    assert release.settings == ("explicit", "implicit")
    assert release.counts["histories"] == release.counts["questions"] == 8
    assert count_by_severity(release.defects) == {"errors": 0, "repaired": 1, "warnings": 0}


def test_rows_of_one_place_are_histories_that_differ_in_the_form_alone(release: Release) -> None:
    assert list(release.questions) == [
        f"food-{index}-{form}/0" for form in FORMS for index in (0, 1)
    ]
    assert {one.category for one in release.questions.values()} == {"food"}
    found = [(one.task, one.setting) for one in release.questions.values() if one.id == "0"]
    assert found == [
        ("explicit_preference", "explicit"),
        ("implicit_choice", "implicit"),
        ("implicit_persona", "implicit"),
        ("multiple_choice", "explicit"),
    ]


@pytest.mark.parametrize("form", ["explicit", "mcq"])
def test_an_explicit_preference_is_the_one_turn_of_its_history(release: Release, form: str) -> None:
    assert said(release, f"food-0-{form}") == [[("user", "I never eat mushrooms.")]]


def test_a_choice_is_two_exchanges(release: Release) -> None:
    assert said(release, "food-0-choice") == [
        [("user", "Which pizza?"), ("assistant", "1. Funghi 2. Margherita")],
        [("user", "The second."), ("assistant", "A good choice.")],
    ]
    roles = [message.role for message in release.histories["food-0-choice"].rounds[1].messages]
    assert roles == [Role.USER, Role.ASSISTANT]


def test_a_conversation_is_exchanges_in_order_of_their_numbers(release: Release) -> None:
    assert [one.id for one in release.histories["food-0-persona"].rounds] == ["0", "2", "10"]
    assert said(release, "food-0-persona")[1] == [
        *(("user", "No mushrooms for me."), ("assistant", "Noted."))
    ]


def test_what_an_implicit_form_hides_is_for_the_evaluator_alone(release: Release) -> None:
    assert release.evaluator.questions["food-0-choice/0"] == {
        "preference": "I never eat mushrooms.",
        "explanation": "Many stews have mushrooms.",
        "implicit_query": "Which pizza?",
        "options": ["Funghi", "Margherita", "Boscaiola", "Porcini"],
        "aligned_op": "Margherita",
    }
    assert release.evaluator.questions["food-0-persona/0"]["persona"] == "A carpenter"
    assert release.evaluator.questions["food-0-explicit/0"] == {
        "explanation": "Many stews have mushrooms."
    }
    assert release.evaluator.questions["food-0-mcq/0"] == {
        "explanation": "Many stews have mushrooms.",
        "violation_probability": 0.5,
    }
    for form in ("choice", "persona"):
        shown = repr((release.histories[f"food-0-{form}"], release.questions[f"food-0-{form}/0"]))
        for hidden in ("I never eat", "carpenter", "Many stews", "Boscaiola"):
            assert hidden not in shown


def test_an_open_question_has_no_gold_and_no_evidence(release: Release) -> None:
    question = release.questions["food-0-explicit/0"]
    assert (question.gold.kind, question.clues, question.options) == (GoldKind.NONE, (), ())


def test_the_first_of_the_options_is_the_right_one_and_that_is_said(release: Release) -> None:
    question = release.questions["food-0-mcq/0"]
    assert [(one.label, one.text) for one in question.options][:2] == [
        *(("A", "A tomato soup."), ("B", "Risotto."))
    ]
    assert question.gold.option == "A"
    (defect,) = of_code(release, "gold_by_place")
    assert (defect.severity, defect.file) == (Severity.REPAIRED, "mcq_options/food.json")


def test_options_without_a_violation_probability_are_read(tmp_path: Path) -> None:
    data = rows("mcq")
    del data[0]["violation_probability"]
    release = read_value(tmp_path, data)
    assert release.questions["food-0-mcq/0"].gold.option == "A"
    assert [one.code for one in release.defects] == ["gold_by_place"]


def test_an_explanation_that_is_missing_is_a_warning(tmp_path: Path) -> None:
    data = rows("explicit")
    del data[1]["explanation"]
    (defect,) = read_value(tmp_path, data).defects
    assert (defect.code, defect.path) == ("explanation_missing", "$[1].explanation")


def test_an_aligned_option_that_is_none_of_the_options_is_a_warning(tmp_path: Path) -> None:
    data = rows("choice")
    data[0]["aligned_op"] = "Quattro"
    (defect,) = read_value(tmp_path, data).defects
    assert (defect.code, defect.path) == ("aligned_elsewhere", "$[0].aligned_op")


def test_files_that_are_not_parallel_are_reported(tmp_path: Path) -> None:
    all_forms(tmp_path)
    data = rows("mcq")
    data[0]["question"] = "Something else?"
    write(tmp_path / FORMS["mcq"] / "food.json", [*data, plain()])
    release = read(tmp_path)
    assert [(one.file, one.path) for one in of_code(release, "forms_differ")] == [
        ("mcq_options/food.json", "$"),
        ("mcq_options/food.json", "$[0]"),
    ]


def test_a_second_file_of_a_topic_and_form_is_left_out(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(tmp_path / folder / "food.json", rows("explicit"))
    release = read(tmp_path)
    assert release.files == ("a/food.json",)
    assert of_code(release, "file_left_out")[0].file == "b/food.json"


def test_a_row_that_cannot_be_used_moves_no_other(tmp_path: Path) -> None:
    release = read_value(tmp_path, [3, *rows("explicit")])
    assert list(release.questions) == ["food-1-explicit/0", "food-2-explicit/0"]
    assert of_code(release, "wrong_type")[0].path == "$[0]"


@pytest.mark.parametrize("form", FORMS)
def test_one_file_alone_is_a_release_whatever_its_name(tmp_path: Path, form: str) -> None:
    path = tmp_path / "x.json.gz"
    path.write_bytes(gzip.compress(json.dumps(rows(form)).encode()))
    assert format_of(path) == "prefeval"
    assert list(open_release(path).questions) == [f"x-0-{form}/0", f"x-1-{form}/0"]


def test_the_raw_view_finds_rounds_and_questions(tmp_path: Path) -> None:
    release = read(all_forms(tmp_path))
    history = release.histories["food-1-persona"]
    assert raw_round(release, history, history.rounds[1]).value()["assistant"] == "Noted."
    question = release.questions["food-1-persona/0"]
    assert raw_question(release, question).value()["question"] == "And tomorrow?"


@pytest.mark.parametrize("form", FORMS)
def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path, form: str) -> None:
    for what, broken in broken_copies(rows(form)):
        source = source_of(tmp_path / "food.json", broken)
        try:
            release = PrefEvalReader().read(source, OPTIONS)
        except InputError:
            assert not PrefEvalReader().recognises(source)
            continue
        for history in release.histories.values():
            assert len(history.round_by_id) == len(history.rounds), what
        for defect in release.defects:
            assert leads_somewhere(defect, broken), (what, defect)
            assert len(defect.line()) < 1_000


def test_a_string_of_ten_megabytes_and_escape_codes_are_read(tmp_path: Path) -> None:
    long = "\x1b[31mx" * 1_500_000
    data = rows("choice")
    data[0] |= {"question": long, "aligned_op": long, "options": ["x", 3]}
    data[0]["conversation"]["query"] = long
    release = read_value(tmp_path, data)
    assert release.questions["food-0-choice/0"].text == long
    lines = [defect.line() for defect in release.defects]
    assert max(map(len, lines)) < 1_000
    assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize("length", [1, 60, 200])
def test_a_cut_file_is_an_error_with_its_place(tmp_path: Path, length: int) -> None:
    path = write(tmp_path / "food.json", rows("mcq"))
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        open_release(path)


def test_a_cut_file_in_a_folder_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    all_forms(tmp_path)
    path = tmp_path / FORMS["mcq"] / "food.json"
    path.write_bytes(path.read_bytes()[:-5])
    release = read(tmp_path)
    assert release.counts["questions"] == 6
    assert of_code(release, "unreadable_file")[0].file == "mcq_options/food.json"


@pytest.mark.parametrize(
    "data",
    [
        *(None, 1, "x", [], {}, [1], [[]], [{"preference": "x"}], {"preference": 1, "question": 2}),
        [plain() | {"response_to_pref": "Noted.", "response_to_q": "Stew."}],
        [{"preference": "x", "question": "y"}],
    ],
)
def test_foreign_shapes_and_run_output_are_not_recognised(tmp_path: Path, data: Any) -> None:
    path = write(tmp_path / "x.json", data)
    assert not PrefEvalReader().recognises(Source(path))
    assert not PrefEvalReader().recognises(Source(tmp_path))


def test_another_kind_of_file_is_an_error_that_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="PrefEval rows, each with preference"):
        open_release(write(tmp_path / "x.json", {}), format="prefeval")
    with pytest.raises(InputError, match="no PrefEval row in it"):
        open_release(tmp_path, format="prefeval")


# --- The published topics


@cache
def published() -> Release:
    return open_release(FOLDER)


@needs_data
def test_every_published_topic_has_the_measured_rows_in_every_form() -> None:
    known = json.loads(COUNTS.read_text())["prefeval"]
    counts = Counter((one.category, one.task) for one in published().questions.values())
    assert counts == {
        (topic, label.task): count for topic, count in known.items() for label in published().tasks
    }
    assert len(published().files) == 12


@needs_data
def test_published_forms_are_parallel_and_every_aligned_option_is_one() -> None:
    release = published()
    assert not of_code(release, "forms_differ")
    assert not of_code(release, "aligned_elsewhere")
    assert count_by_severity(release.defects)["errors"] == 0


@needs_data
def test_one_published_explanation_is_missing_in_all_forms_of_its_topic() -> None:
    missing = of_code(published(), "explanation_missing")
    assert len(missing) == 4
    assert {(one.file.rpartition("/")[2], one.path) for one in missing} == {
        ("travel_hotel.json", "$[52].explanation")
    }


@needs_data
def test_published_conversations_have_four_to_seven_pairs_and_choices_two() -> None:
    lengths: dict[str, Counter[int]] = {}
    for history in published().histories.values():
        form = history.id.rpartition("-")[2]
        lengths.setdefault(form, Counter())[len(history.rounds)] += 1
    assert lengths["explicit"] == lengths["mcq"] == {1: 142}
    assert lengths["choice"] == {2: 142}
    assert sorted(lengths["persona"]) == [4, 5, 6, 7]


@needs_data
def test_published_rows_keep_what_only_some_of_them_have() -> None:
    hidden = published().evaluator.questions
    fixed = Counter(key.rpartition("-")[2] for key, row in hidden.items() if "fix" in row)
    assert fixed == {"persona/0": 16}
    unsure = [
        key for key, row in hidden.items() if "-mcq" in key and "violation_probability" not in row
    ]
    assert len(unsure) == 16
    assert {len(one.options) for one in published().questions.values()} == {0, 4}


@needs_data
def test_published_run_output_is_not_taken_for_a_release() -> None:
    assert format_of(DATA / "prefeval-runs") == ""
