import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Defect, Severity
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import ClueProblem, GoldKind, Release, Role, RoundKind
from mnemoscope.core.releases.personamem.questions import split_options
from mnemoscope.core.releases.personamem.reader import PersonaMemReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.releases.registry import format_of, open_release
from mnemoscope.core.sources import Source
from tests.locomo_data import COUNTS, DATA, broken_copies, leads_somewhere, source_of, write

AMB = DATA / "personamem" / "amb"
DOCUMENTS = AMB / "32k_documents.json.gz"
QUERIES = AMB / "32k_queries.json"
OPTIONS = ReadOptions()
PERSONA = "[SYSTEM] Current user persona: Name: Ida Berg   \nShe bakes.\n\n"
OPTION_LINES = "(a) Buy a loaf.\n(b) Bake it\n(a) and eat it.\n(c) Skip it.\n(d) Ask Bo."

needs_data = pytest.mark.skipif(
    not (COUNTS.is_file() and DOCUMENTS.is_file() and QUERIES.is_file()),
    reason=f"the public data is not in {DATA}",
)


def document(number: int, user_id: str = "cafe01", **more: Any) -> dict[str, Any]:
    turns = "[USER] User: I bake rye.\n\n[USER] User: Daily.\n\n[ASSISTANT] Assistant: Nice!\n\n"
    return {
        "id": f"{user_id}_{number}",
        "content": PERSONA + turns,
        "user_id": user_id,
        "timestamp": None,
        **more,
    }


def query(query_id: str = "11-22", **more: Any) -> dict[str, Any]:
    return {
        "id": query_id,
        "query": f"User: I want bread.\n\n{OPTION_LINES}",
        "gold_answers": ["(b) Bake it\n(a) and eat it.", "b"],
        "gold_ids": ["cafe01_0", "cafe01_1"],
        "user_id": "cafe01",
        "meta": {
            "persona_id": "3",
            "question_type": "suggest_new_ideas",
            "topic": "foodRecommendation",
            "retrieval_query": "User: I want bread.",
        },
        **more,
    }


DOCUMENT_PAIR = (document(0), document(1))


def read(tmp_path: Path, queries: Any = None, documents: Any = DOCUMENT_PAIR) -> Release:
    write(tmp_path / "32k_queries.json", [query()] if queries is None else queries)
    if documents is not None:
        path = tmp_path / "32k_documents.json.gz"
        path.write_bytes(gzip.compress(json.dumps(documents).encode()))
    return PersonaMemReader().read(Source(tmp_path), OPTIONS)


def of_code(release: Release, code: str) -> list[Defect]:
    return [defect for defect in release.defects if defect.code == code]


def test_a_release_says_what_it_is(tmp_path: Path) -> None:
    release = read(tmp_path)
    assert (release.name, release.format) == ("PersonaMem 32k", "personamem")
    assert release.round_kind is RoundKind.UTTERANCE
    assert release.files == ("32k_documents.json.gz", "32k_queries.json")
    assert release.counts["rounds"] == 8
    assert release.defects == ()


def test_a_shared_context_is_a_history_and_its_documents_are_sessions_without_date(
    tmp_path: Path,
) -> None:
    history = read(tmp_path).histories["cafe01"]
    assert [one.id for one in history.sessions] == ["0", "1"]
    assert [one.date for one in history.sessions] == [None, None]
    assert [one.date_text for one in history.sessions] == ["", ""]
    assert history.file == "32k_documents.json.gz"


def test_turns_are_told_by_marks_at_line_starts_and_may_follow_each_other(tmp_path: Path) -> None:
    release = read(tmp_path)
    rounds = release.histories["cafe01"].sessions[1].rounds
    assert [(one.id, one.messages[0].speaker, one.messages[0].role) for one in rounds] == [
        ("1:0", "system", Role.OTHER),
        ("1:1", "user", Role.USER),
        ("1:2", "user", Role.USER),
        ("1:3", "assistant", Role.ASSISTANT),
    ]
    assert rounds[1].messages[0].text == "User: I bake rye."
    assert [one.index for one in rounds] == [4, 5, 6, 7]


def test_a_mark_inside_a_line_parts_no_turns(tmp_path: Path) -> None:
    one = document(0, content="[USER] He said [ASSISTANT] to me.\n[ASSISTANT] Did he?")
    release = read(tmp_path, documents=[one])
    texts = [one.messages[0].text for one in release.histories["cafe01"].rounds]
    assert texts == ["He said [ASSISTANT] to me.", "Did he?"]


def test_the_persona_that_every_document_repeats_stays_in_each_session(tmp_path: Path) -> None:
    sessions = read(tmp_path).histories["cafe01"].sessions
    firsts = [one.rounds[0].messages[0].text for one in sessions]
    assert firsts == ["Current user persona: Name: Ida Berg   \nShe bakes."] * 2


def test_a_history_is_called_by_its_persona(tmp_path: Path) -> None:
    assert read(tmp_path).histories["cafe01"].name == "Ida Berg (persona 3)"
    nameless = [document(0, content="[SYSTEM] x\n[USER] y")]
    assert read(tmp_path, documents=nameless).histories["cafe01"].name == "persona 3"


def test_a_question_is_known_by_its_place_and_keeps_its_id(tmp_path: Path) -> None:
    release = read(tmp_path, [query(), query("33-44")])
    assert list(release.questions) == ["cafe01/0", "cafe01/1"]
    question = release.questions["cafe01/1"]
    assert (question.id, question.task, question.category) == (
        *("33-44", "suggest_new_ideas", "foodRecommendation"),
    )
    assert question.file == "32k_queries.json"


def test_options_are_the_lettered_lines_and_the_stem_is_what_stands_before(tmp_path: Path) -> None:
    question = read(tmp_path).questions["cafe01/0"]
    assert question.stem == "User: I want bread."
    assert question.text.endswith("(d) Ask Bo.")
    assert [(one.label, one.text) for one in question.options] == [
        ("a", "Buy a loaf."),
        ("b", "Bake it\n(a) and eat it."),
        ("c", "Skip it."),
        ("d", "Ask Bo."),
    ]
    assert question.gold.kind is GoldKind.OPTION
    assert question.gold.option == "b"


@pytest.mark.parametrize("text", ["no options", "x\n(a) only one", "x\n(b) y\n(c) z", ""])
def test_text_without_lettered_lines_has_no_options(text: str) -> None:
    assert split_options(text) == (text, ())


def test_a_query_without_options_keeps_its_answers_as_texts(tmp_path: Path) -> None:
    release = read(tmp_path, [query(query="Say something.", gold_answers=["Bake it."])])
    question = release.questions["cafe01/0"]
    assert (question.options, question.gold.texts) == ((), ("Bake it.",))
    assert of_code(release, "options_missing")[0].path == "$[0].query"


@pytest.mark.parametrize("answers", [["b"], ["(b)"]])
def test_a_letter_alone_names_the_gold(tmp_path: Path, answers: list[str]) -> None:
    release = read(tmp_path, [query(gold_answers=answers)])
    assert release.questions["cafe01/0"].gold.option == "b"
    assert release.defects == ()


def test_a_gold_text_that_is_not_its_letters_option_is_reported(tmp_path: Path) -> None:
    release = read(tmp_path, [query(gold_answers=["(c) Skip it.", "b"])])
    assert release.questions["cafe01/0"].gold.option == "b"
    assert of_code(release, "gold_differs")[0].path == "$[0].gold_answers[0]"


def test_a_letter_of_no_option_is_no_gold_option(tmp_path: Path) -> None:
    release = read(tmp_path, [query(gold_answers=["(e) Sleep.", "e"])])
    assert release.questions["cafe01/0"].gold.kind is GoldKind.TEXTS
    assert of_code(release, "gold_no_option")[0].path == "$[0].gold_answers"


def test_ids_of_everything_so_far_are_no_evidence(tmp_path: Path) -> None:
    question = read(tmp_path).questions["cafe01/0"]
    assert (question.clues, question.visible_until) == ((), "")


def test_ids_of_the_first_documents_alone_limit_what_may_be_used(tmp_path: Path) -> None:
    question = read(tmp_path, [query(gold_ids=["cafe01_0"])]).questions["cafe01/0"]
    assert (question.clues, question.visible_until) == ((), "0")


def test_ids_that_are_no_beginning_are_clues_and_reported(tmp_path: Path) -> None:
    release = read(tmp_path, [query(gold_ids=["cafe01_1", "cafe01_9"])])
    clues = release.questions["cafe01/0"].clues
    assert [(one.id, one.session_id, one.problem) for one in clues] == [
        ("1", "1", ClueProblem.NONE),
        ("9", "", ClueProblem.UNKNOWN_ID),
    ]
    assert [one.code for one in release.defects] == ["clue_unknown_id", "scope_broken"]


def test_queries_without_documents_are_read(tmp_path: Path) -> None:
    release = read(tmp_path, documents=None)
    assert release.questions["cafe01/0"].clues == ()
    assert release.histories["cafe01"].sessions == ()
    assert [one.code for one in release.defects] == ["documents_missing"]


def test_a_repeated_document_is_an_error_and_the_first_one_wins(tmp_path: Path) -> None:
    release = read(tmp_path, documents=[document(0), document(0, content="[USER] x"), document(1)])
    assert len(release.histories["cafe01"].sessions[0].rounds) == 4
    (defect,) = of_code(release, "duplicate_id")
    assert (defect.severity, defect.path) == (Severity.ERROR, "$[1].id")


def test_no_wrong_type_anywhere_stops_the_reading(tmp_path: Path) -> None:
    for what, broken in broken_copies([query(), query("33-44", gold_ids=["cafe01_0"])]):
        source = source_of(tmp_path / "32k_queries.json", broken)
        try:
            release = PersonaMemReader().read(source, OPTIONS)
        except InputError:
            continue
        for defect in release.defects:
            assert leads_somewhere(defect, broken), (what, defect)


def test_a_string_of_ten_megabytes_is_read_like_any_other(tmp_path: Path) -> None:
    long = "(a) [USER] " * 1_000_000
    queries = [query(query=long), query(gold_answers=[long]), query(gold_ids=[long], user_id=long)]
    release = read(tmp_path, queries, [document(0, content=long), document(1)])
    assert release.questions["cafe01/0"].text == long
    assert max(len(defect.line()) for defect in release.defects) < 1_000


@pytest.mark.parametrize("length", [1, 40, 300])
def test_a_cut_file_is_an_error_with_its_place(tmp_path: Path, length: int) -> None:
    path = write(tmp_path / "32k_queries.json", [query()])
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        open_release(path)


def test_a_folder_without_queries_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "x.json", [])
    with pytest.raises(InputError, match="no PersonaMem queries in it"):
        open_release(tmp_path, format="personamem")


@cache
def published() -> Release:
    return open_release(AMB)


def counts() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(COUNTS.read_text())["personamem_32k"]
    return known


@needs_data
def test_the_published_release_is_recognised_by_either_file_and_the_folder() -> None:
    assert {format_of(path) for path in (AMB, DOCUMENTS, QUERIES)} == {"personamem"}


@needs_data
def test_the_published_release_has_the_measured_counts() -> None:
    known = counts()
    release = published()
    questions = list(release.questions.values())
    said = Counter(
        one.messages[0].speaker.upper()
        for history in release.histories.values()
        for one in history.rounds
    )
    asked = Counter(str(len(release.histories[one.history_id].sessions)) for one in questions)
    assert {
        "documents": release.counts["sessions"],
        "users": len(release.histories),
        "personas": len({one.name.rpartition("persona ")[2] for one in release.histories.values()}),
        "docs_per_user_histogram": Counter(
            str(len(one.sessions)) for one in release.histories.values()
        ),
        "queries": len(questions),
        "by_type": Counter(one.task for one in questions),
        "by_topic": Counter(one.category for one in questions),
        "gold_letter": Counter(one.gold.option for one in questions),
        # All of a user's documents are named by each of their queries.
        "gold_ids_histogram": asked,
        "gold_ids_unresolved": len(of_code(release, "clue_unknown_id")),
        "turn_tags": said,
    } == known
    assert not any(one.clues or one.visible_until for one in questions)
    assert known["by_type"] == {label.task: label.expected for label in release.tasks}


@needs_data
def test_the_published_release_has_four_options_everywhere_and_no_defect() -> None:
    release = published()
    assert release.defects == ()
    assert {len(one.options) for one in release.questions.values()} == {4}
    assert sum(one.stem.startswith("User: ") for one in release.questions.values()) == 516


@needs_data
def test_the_published_personas_repeat_in_every_document_of_a_user() -> None:
    for history in published().histories.values():
        firsts = {one.rounds[0].messages[0].text for one in history.sessions}
        assert len(firsts) == 1
        assert all(not one.date_text for one in history.sessions)
