"""The built-in memory systems, with ranks, scores and cuts worked out by hand."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.embedders.embedder import Vectors, normalised
from mnemoscope.core.errors import UsageError
from mnemoscope.core.memory.budget import cut_text
from mnemoscope.core.memory.building import build
from mnemoscope.core.memory.items import Recall
from mnemoscope.core.memory.query import Evidence, OptionView, Query, evidence_of, query_of
from mnemoscope.core.memory.registry import SYSTEMS, make_system, system_class, system_spec
from mnemoscope.core.memory.retrieval import retrieval_of
from mnemoscope.core.memory.snapshots import SnapshotStore
from mnemoscope.core.memory.system import MemorySystem, SystemContext
from mnemoscope.core.memory.systems.always_refuse import REFUSAL, declining_option
from mnemoscope.core.memory.systems.bm25 import bm25_scores
from mnemoscope.core.memory.view import HandedHistory, MediumView
from mnemoscope.core.model import (
    History,
    Kind,
    Message,
    RetrievalState,
    Role,
    Round,
    Session,
    Textualisation,
)
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.tokens import count_tokens, first_tokens, last_tokens
from mnemoscope.core.words import words
from tests.cli_data import Mnemoscope
from tests.memory_data import handed
from tests.workspace_data import a_history, a_question, clip, picture, plain_history

ROOT = Path(__file__).parents[1]
MEDIA = Textualisation("brief", "hint")


class Axes:
    """An embedder whose vectors count the letters a, b and c."""

    id = "axes"
    weights_hash = "0" * 64
    dimensions = 3

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = [[text.count(letter) for letter in "abc"] for text in texts]
        return normalised(np.array(rows, np.float32).reshape(-1, 3))

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        return None


def ask(text: str, *options: str) -> Query:
    views = tuple(OptionView("ABCD"[at], one) for at, one in enumerate(options))
    lines = [f"{one.label}. {one.text}" for one in views]
    return Query("\n".join([text, *lines]), text, text, views)


def said(*texts: str, dates: str = "") -> History:
    """One utterance a round, so that a round's text is ``u: `` and what is said."""
    rounds = [
        Round(f"D00:{at:02}", "D00", at, (Message("u", Role.USER, text),), "$")
        for at, text in enumerate(texts)
    ]
    return History("p0", "p0", (Session("D00", None, dates, tuple(rounds), "$"),), "p0.json")


def memory_of(
    name: str,
    given_: HandedHistory,
    profile: str = "intended",
    **parameters: Any,
) -> MemorySystem:
    context = SystemContext(embedder=Axes(), files=given_.files)
    memory = make_system(system_spec(name, profile, parameters), context)
    build(memory, given_.view)
    return memory


def recalled(
    name: str, history: History, asked: Query, profile: str = "intended", /, **parameters: Any
) -> Recall:
    return memory_of(name, handed(history), profile, **parameters).recall(asked)


def ranking(recall: Recall) -> list[tuple[str, float | None]]:
    return [(one.item.rounds[0], one.score) for one in recall.items]


# Full memory and its budget


def test_full_memory_sends_every_round_in_order_under_its_date() -> None:
    found = recalled("full_memory", said("tea", "milk", dates="1 May"), ask("?"))
    assert found.text == "[1 May]\nu: tea\n\n[1 May]\nu: milk"
    assert found.whole_history and ranking(found) == [("S1:1", None), ("S1:2", None)]


def test_a_token_budget_keeps_the_newest_and_lists_only_what_survives() -> None:
    history = said(*(f"fact number {number} of many" for number in range(50)))
    found = recalled("full_memory", history, ask("?"), budget=30)
    assert found.cut is not None and not found.whole_history
    assert (found.cut.unit, found.cut.budget, found.cut.kept) == ("tokens", 30, 30)
    assert found.cut.total == count_tokens(
        "\n\n".join(f"u: fact number {n} of many" for n in range(50))
    )
    assert count_tokens(found.text) == 30 and found.text.endswith("fact number 49 of many")
    names = [one.item.rounds[0] for one in found.items]
    assert names == [f"S1:{number}" for number in range(51 - len(names), 51)]
    assert [one.partial for one in found.items] == [True] + [False] * (len(names) - 1)


def test_published_full_memory_counts_by_single_spaces_and_cuts_the_start() -> None:
    found = recalled("full_memory", said("a b c", "d e f"), ask("?"), "as_published", budget=5)
    # Seventeen pieces; the last five begin within the second round.
    assert found.text == "(u): d e f\n[Memory End]"
    assert found.cut is not None and (found.cut.total, found.cut.kept) == (17, 5)
    assert ranking(found) == [("S1:2", None)] and found.items[0].partial


def test_the_published_budget_hardly_cuts_chinese() -> None:
    history = said(*("我今天在码头看见一条白色的船。" * 40 for _ in range(40)))
    published = recalled("full_memory", history, ask("?"), "as_published")
    assert published.whole_history and published.cut is not None and not published.cut.dropped
    intended = recalled("full_memory", history, ask("?"))
    assert intended.cut is not None and intended.cut.total > 4 * intended.cut.kept


def test_mem_engine_keeps_the_start_where_cue_mem_keeps_the_end() -> None:
    found = recalled("full_memory", said("a b c", "d e f"), ask("?"), "mem_engine", budget=5)
    assert found.text.startswith("[Memory Start]") and ranking(found) == [("S1:1", None)]


def test_a_published_round_is_written_as_cue_mem_stores_it() -> None:
    voice = clip("D00-001", hint="tea please")
    rounds = [
        Round(
            "D00:00",
            "D00",
            0,
            (
                Message("Ann", Role.USER, "look", (picture("D00-001", brief="a cup"),)),
                Message("assistant", Role.ASSISTANT, "nice"),
            ),
            "$",
        ),
        Round("D00:01", "D00", 1, (Message("Ann", Role.USER, None, (voice,)),), "$"),
    ]
    history = History("p0", "p0", (Session("D00", None, "1 May", tuple(rounds), "$"),), "f")
    found = memory_of("full_memory", handed(history, MEDIA), "as_published").recall(ask("?"))
    assert found.text == (
        "[Memory Start]\n"
        "[Memory 1] timestamp: 1 May\nuser (Ann): look\nassistant: nice\n"
        "image:\nimage_id: image 1\nimage_caption: a cup\n"
        "[Memory 2] timestamp: 1 May\nuser_voice_message_caption: tea please\n"
        "[Memory End]"
    )


def test_an_empty_published_memory_reads_none() -> None:
    found = recalled("full_memory", a_history("p0"), ask("?"), "as_published")
    assert found.text == "None" and not found.items
    assert recalled("full_memory", a_history("p0"), ask("?")).text == ""


texts = st.text(st.sampled_from("ab 茶\n👩\ud83d"), max_size=30)


@settings(deadline=None)
@given(texts, st.integers(0, 12), st.sampled_from(["tokens", "space_words"]), st.booleans())
def test_a_cut_keeps_one_end_and_says_how_much(
    text: str, budget: int, unit: str, first: bool
) -> None:
    start, end, cut = cut_text(text, budget, unit, "first" if first else "last")
    assert (start == 0) if first else (end == len(text))
    assert cut.kept + cut.dropped == cut.total
    if not budget or cut.total <= budget:
        assert (start, end) == (0, len(text))
    elif unit == "space_words":
        assert len(text[start:end].split(" ")) == budget
    else:
        kept = first_tokens(text, budget) if first else last_tokens(text, budget)
        assert kept == (text[start:end], cut.total)


# Naive RAG


def test_naive_rag_ranks_by_cosine_and_breaks_ties_by_the_earlier_round() -> None:
    history = said("aab", "b", "ab", "ba", "c")
    found = recalled("naive_rag", history, ask("a"), query="stem", k=4)
    assert ranking(found) == [
        ("S1:1", pytest.approx(2 / math.sqrt(5), abs=1e-6)),
        ("S1:3", pytest.approx(1 / math.sqrt(2), abs=1e-6)),
        ("S1:4", pytest.approx(1 / math.sqrt(2), abs=1e-6)),
        ("S1:2", 0.0),
    ]
    assert [one.rank for one in found.items] == [1, 2, 3, 4]
    assert found.text.startswith("u: aab\n\nu: ab")


def test_chronological_rag_is_read_in_order_and_keeps_its_ranks() -> None:
    found = recalled(
        "naive_rag", said("b", "ab", "a"), ask("a"), query="stem", k=2, order="chronological"
    )
    assert found.text == "u: ab\n\nu: a"
    assert [(one.rank, one.item.rounds[0]) for one in found.items] == [(1, "S1:3"), (2, "S1:2")]


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.text("abc", min_size=1, max_size=6), min_size=1, max_size=8),
    st.text("abc", min_size=1, max_size=6),
)
def test_naive_rag_scores_are_scikit_learns_cosines(said_: list[str], query: str) -> None:
    pairwise = pytest.importorskip("sklearn.metrics.pairwise", reason="not installed")
    found = recalled("naive_rag", said(*said_), ask(query), query="stem", k=20, budget=0)
    rows = [[text.count(letter) for letter in "abc"] for text in [*said_, query]]
    expected = pairwise.cosine_similarity(np.array(rows[:-1], float), np.array(rows[-1:], float))[
        :, 0
    ]
    for one in found.items:
        place = int(one.item.rounds[0].partition(":")[2]) - 1
        assert one.score == pytest.approx(expected[place], abs=2e-6)
    scores = [one.score or 0 for one in found.items]
    assert scores == sorted(scores, reverse=True)


def test_the_query_is_the_question_with_options_without_them_or_as_written() -> None:
    history = said("a", "b", "c")
    query = replace(ask("a", "bbb"), written="c")
    best = {
        how: ranking(recalled("naive_rag", history, query, query=how))[0][0]
        for how in ("stem", "full", "written")
    }
    assert best == {"stem": "S1:1", "full": "S1:2", "written": "S1:3"}


# BM25


def test_bm25_scores_are_those_worked_out_by_hand() -> None:
    said_ = (["red", "tea"], ["red", "red", "wine", "glass"], ["milk"])
    texts = [Counter(one) for one in said_]
    # N = 3, mean length 7/3; "red" stands in 2 texts, "tea" in 1.
    red, tea = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    first = 1.2 * (0.25 + 0.75 * 2 / (7 / 3))
    second = 1.2 * (0.25 + 0.75 * 4 / (7 / 3))
    expected = [red / (1 + first) + tea / (1 + first), red * 2 / (2 + second), 0]
    found = bm25_scores(texts, Counter(["red", "tea"]), 1.2, 0.75)
    assert found == pytest.approx(expected, abs=1e-6)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from("pqrs"), min_size=1, max_size=6), min_size=2, max_size=8),
    st.lists(st.sampled_from("pqrsx"), min_size=1, max_size=4, unique=True),
)
def test_bm25_scores_are_those_of_bm25s(corpus: list[list[str]], query: list[str]) -> None:
    bm25s = pytest.importorskip("bm25s", reason="the dependency group dev has it")
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(corpus, show_progress=False)
    known = {word for text in corpus for word in text}
    asked = [word for word in query if word in known]
    expected = index.get_scores(asked) if asked else np.zeros(len(corpus))
    found = bm25_scores([Counter(text) for text in corpus], Counter(query), 1.2, 0.75)
    assert found == pytest.approx(expected, abs=1e-5)


def test_bm25_never_brings_back_a_round_without_a_word_in_common() -> None:
    found = recalled("bm25", said("red tea", "milk", "tea"), ask("tea?"), query="stem")
    assert [name for name, _ in ranking(found)] == ["S1:3", "S1:1"]
    assert recalled("bm25", said("milk"), ask("tea?")).context == ()


def test_bm25_finds_chinese_by_pairs_of_characters() -> None:
    found = recalled("bm25", said("我去西湖划船", "我去东山"), ask("西湖"), query="stem")
    assert [name for name, _ in ranking(found)] == ["S1:1"]
    assert words("我去西湖, Ann's tea 茶") == ["我去", "去西", "西湖", "ann's", "tea", "茶"]


# Oracles


def sessions_of(count: int) -> History:
    return plain_history("p0", sessions=count, rounds=2)


def oracle(name: str, scope: str) -> list[str]:
    given_ = handed(sessions_of(3))
    evidence = evidence_of(a_question("p0/0", clues=["D02:01", "D00:00"]), given_)
    found = memory_of(name, given_, scope=scope).recall(ask("?"), evidence)
    return [given_.round_ids[one.item.rounds[0]] for one in found.items]


@pytest.mark.parametrize("name", ["oracle_text", "oracle_multimodal"])
def test_an_oracle_hands_over_the_sessions_of_the_clues_or_their_rounds_in_order(name: str) -> None:
    assert oracle(name, "session") == ["D00:00", "D00:01", "D02:00", "D02:01"]
    assert oracle(name, "round") == ["D00:00", "D02:01"]


def test_an_oracle_says_how_many_clues_lead_nowhere() -> None:
    memory = memory_of("oracle_text", handed(sessions_of(1)))
    found = memory.recall(ask("?"), Evidence(("S1:1",), ("S1",), 2))
    assert found.notes == ("2 clues lead nowhere",)


def test_an_oracle_without_evidence_is_an_error() -> None:
    with pytest.raises(ValueError, match="evidence"):
        memory_of("oracle_text", handed(sessions_of(1))).recall(ask("?"))


def media_history() -> HandedHistory:
    shown = replace(picture("D00-001", brief="a red cup"), file="cup.png")
    lost = picture("D00-002", brief="a blue cup")
    voice = replace(clip("D00-001", hint="tea please, a kettle hums"), file="tea.wav")
    rounds = [
        Round("D00:00", "D00", 0, (Message("Ann", Role.USER, "look", (shown, lost)),), "$"),
        Round("D00:01", "D00", 1, (Message("Ann", Role.USER, None, (voice,)),), "$"),
    ]
    history = History("p0", "p0", (Session("D00", None, "1 May", tuple(rounds), "$"),), "f")
    return handed(history, MEDIA)


def test_the_multimodal_oracle_sends_files_and_the_captions_of_files_that_are_not_there() -> None:
    given_ = media_history()
    evidence = Evidence(("S1:1", "S1:2"), ("S1",))
    found = memory_of("oracle_multimodal", given_).recall(ask("?"), evidence)
    assert found.context == (
        "[1 May]\nAnn: look",
        MediumView(Kind.IMAGE, "image 1", "a red cup"),
        "a blue cup\n[1 May]\nAnn:",
        MediumView(Kind.AUDIO, "audio 1", "tea please, a kettle hums"),
    )
    assert found.notes == ("1 image without a file, caption sent",)
    text = memory_of("oracle_text", given_).recall(ask("?"), evidence)
    assert (
        text.text
        == "[1 May]\nAnn: look\na red cup\na blue cup\n\n[1 May]\nAnn: tea please, a kettle hums"
    )


def test_the_multimodal_oracle_sends_captions_beyond_its_limits() -> None:
    shown = [replace(picture(f"i{n}", brief=f"cup {n}"), file=f"{n}.png") for n in range(3)]
    rounds = [Round("D00:00", "D00", 0, (Message("Ann", Role.USER, "", tuple(shown)),), "$")]
    history = History("p0", "p0", (Session("D00", None, "", tuple(rounds), "$"),), "f")
    memory = memory_of("oracle_multimodal", handed(history, MEDIA), max_images=2)
    found = memory.recall(ask("?"), Evidence(("S1:1",), ("S1",)))
    assert [one.id for one in found.context if isinstance(one, MediumView)] == [
        "image 1",
        "image 2",
    ]
    assert found.text.endswith("cup 2")
    assert found.notes == ("1 image beyond the limit, caption sent",)


# Floors


def test_no_context_brings_nothing() -> None:
    found = recalled("no_context", sessions_of(1), ask("?"))
    assert (found.context, found.items, found.answer) == ((), (), None)


@pytest.mark.parametrize(
    ("options", "label"),
    [
        (("a cat", "It was never mentioned", "a dog"), "B"),
        (("一只猫", "一只狗", "对话中未提及"), "C"),
        (("没有提到这件事", "一只狗"), "A"),
        (("a cat", "Cannot be determined."), "B"),
    ],
)
def test_always_refuse_chooses_the_one_option_that_declines(
    options: tuple[str, ...], label: str
) -> None:
    assert recalled("always_refuse", sessions_of(1), ask("?", *options)).answer == label


@pytest.mark.parametrize("options", [(), ("a cat", "a dog"), ("not mentioned", "unknown")])
def test_always_refuse_says_so_where_no_option_or_several_decline(options: tuple[str, ...]) -> None:
    views = ask("?", *options).options
    assert declining_option(views) is None
    assert recalled("always_refuse", sessions_of(1), ask("?", *options)).answer == REFUSAL


def test_always_refuse_declines_every_refusal_question_of_the_sample() -> None:
    release = open_release(ROOT / "sample_data" / "cue")
    asked = [one for one in release.questions.values() if one.task == "answer_refusal"]
    assert asked and {one.gold.option for one in asked} == {
        found.label
        for one in asked
        if (found := declining_option(query_of(one, MEDIA).options)) is not None
    }


# All of them


ASK = ask("text of D01:01", "reply", "other")
ORACLE = Evidence(("S2:1",), ("S2",))


def every() -> Mapping[str, tuple[str, str]]:
    return {
        f"{name}@{profile}": (name, profile)
        for name in SYSTEMS
        for profile in system_class(name).PROFILES
    }


@pytest.mark.parametrize(("name", "profile"), every().values(), ids=every())
def test_every_system_comes_back_from_its_snapshot_and_asking_leaves_it_alone(
    tmp_path: Path, name: str, profile: str
) -> None:
    given_ = handed(plain_history())
    spec = system_spec(name, profile)

    def make() -> MemorySystem:
        return make_system(spec, SystemContext(embedder=Axes(), files=given_.files))

    evidence = ORACLE if system_class(name).IS_ORACLE else None
    asked = [(f"p0/{number}", ASK, evidence) for number in range(3)]
    store = SnapshotStore(tmp_path)
    first, again = store.memory(make, given_.view), store.memory(make, given_.view)
    assert first.recall_all(asked) == again.recall_all(asked)
    assert first.hash == again.hash
    assert first.system.items() == again.system.items()
    assert not first.receipt.unheard


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_remembers_a_prefix_as_if_there_were_no_more(name: str) -> None:
    given_ = handed(plain_history())
    context = SystemContext(embedder=Axes(), files=given_.files)
    alone, whole = (make_system(system_spec(name), context) for _ in range(2))
    build(alone, given_.view.first(7))
    for one in given_.view.rounds[:7]:
        whole.observe(one)
    assert whole.export_state().hash == alone.export_state().hash


def test_the_summary_profiles_and_parameters_of_systems_can_be_shown() -> None:
    for name in SYSTEMS:
        kind = system_class(name)
        assert name == kind.NAME and kind.SUMMARY and "intended" in kind.PROFILES
        assert set(kind.PROFILE_NOTES) <= set(kind.PROFILES)
        assert set(kind.PROFILES) - {"intended"} <= set(kind.PROFILE_NOTES)
        assert all(parameter.help for parameter in kind.PARAMETERS.values())


@pytest.mark.parametrize(
    ("name", "profile", "parameters", "message"),
    [
        ("rag", "intended", {}, "no memory system 'rag'"),
        ("bm25", "as_published", {}, "no profile 'as_published'"),
        ("bm25", "intended", {"top": 3}, "no parameter 'top'"),
        ("bm25", "intended", {"k": "3"}, "k: found '3', expected a whole number"),
        ("bm25", "intended", {"k": True}, "expected a whole number"),
        ("bm25", "intended", {"k": 0}, "at least 1"),
        ("bm25", "intended", {"unit": "words"}, "one of tokens, space_words"),
    ],
)
def test_a_configuration_that_cannot_be_says_why(
    name: str, profile: str, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        system_spec(name, profile, parameters)


def test_a_whole_number_will_do_for_a_number() -> None:
    assert system_spec("bm25", parameters={"k1": 2}).parameters["k1"] == 2.0


def test_a_system_that_needs_an_embedder_says_so() -> None:
    with pytest.raises(UsageError, match="naive_rag: needs an embedder"):
        make_system(system_spec("naive_rag"), SystemContext())


# As a record says it


def test_what_is_brought_back_is_recorded_under_the_ids_of_the_release() -> None:
    given_ = handed(said("red tea", "milk", "tea"))
    memory = memory_of("bm25", given_, query="stem")
    found = retrieval_of(memory, memory.recall(ask("tea")), given_)
    assert found.state is RetrievalState.IDS and found.grain == "round"
    (source,) = found.items[0].sources
    assert (source.session_id, source.round_id) == ("D00", "D00:02")
    assert found.items[0].score_kind == "bm25" and found.items[0].used


def test_a_whole_history_and_a_cut_one_are_recorded_as_what_they_are() -> None:
    given_ = handed(said(*("tea and milk" for _ in range(30))))
    whole = memory_of("full_memory", given_)
    state = retrieval_of(whole, whole.recall(ask("?")), given_).state
    assert state is RetrievalState.WHOLE_HISTORY
    cut = memory_of("full_memory", given_, budget=20)
    found = retrieval_of(cut, cut.recall(ask("?")), given_)
    assert found.state is RetrievalState.IDS and "tokens cut off" in found.note


@pytest.mark.parametrize("name", ["no_context", "always_refuse"])
def test_what_retrieves_nothing_is_not_measured_as_a_miss(name: str) -> None:
    given_ = handed(sessions_of(1))
    memory = memory_of(name, given_)
    found = retrieval_of(memory, memory.recall(ask("?")), given_)
    assert found.state is RetrievalState.NOT_STORED and name in found.note


# The manual


def test_the_manual_has_every_system_profile_and_parameter() -> None:
    text = (ROOT / "docs" / "systems.md").read_text("utf-8")
    for name in SYSTEMS:
        kind = system_class(name)
        assert f"| `{name}` | {kind.SUMMARY} |" in text
        rows = [line for line in text.splitlines() if line.startswith(f"| `{name}` `")]
        for key, parameter in kind.PARAMETERS.items():
            (row,) = (line for line in rows if line.startswith(f"| `{name}` `{key}` "))
            assert f"| `{parameter.default}` | {parameter.help} |" in row
        for profile in set(kind.PROFILES) - {"intended"}:
            assert f"| `{name}` `{profile}` | {kind.PROFILE_NOTES[profile]} |" in text


def examples() -> list[str]:
    text = (ROOT / "docs" / "systems.md").read_text("utf-8")
    return [part.partition("```")[0] for part in text.split("```python\n")[1:]]


def test_the_example_of_the_manual_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / "systems.md").read_text("utf-8")
    printed = text.partition("```text\n")[2].partition("```")[0]
    monkeypatch.chdir(ROOT)
    exec(examples()[0], {})  # the manual is ours
    assert capsys.readouterr().out == printed


def test_the_run_of_the_manual_is_scored_and_says_what_its_memory_held(
    mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    run = tmp_path / "bm25-run"
    exec(examples()[1].replace('Path("bm25-run")', f"Path({str(run)!r})"), {})
    code, out, err = mnemoscope("score", "sample_data/cue", run, "--json")
    (found,) = json.loads(out)["runs"]
    assert (code, err) == (0, "")
    assert (found["n_release"], found["accuracy"]) == (59, None)
    recall = {(one["metric"], one["grain"], one["k"]): one["value"] for one in found["retrieval"]}
    assert recall["recall", "round", 10] > recall["recall", "round", 1] > 0
    assert mnemoscope("validate", "sample_data/cue", run)[0] == 0
    held = json.loads(mnemoscope("memory", "sample_data/cue", "p1", run, "--json")[1])["runs"][0]
    assert held["held"] == 65 and held["said"]
