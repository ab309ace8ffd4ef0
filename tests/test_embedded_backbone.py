"""The backbone that needs no model: what it chooses, what it fills in, when it declines."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemoscope.core.backbones.backbone import Answered, Ask, Counted, Load
from mnemoscope.core.backbones.embedded.options import BACKED
from mnemoscope.core.backbones.embedded.passages import Passages, sentences
from mnemoscope.core.backbones.embedded.slots import Slot, slot_of
from mnemoscope.core.backbones.registry import make_backbone
from mnemoscope.core.errors import UsageError
from mnemoscope.core.memory.items import Recall
from mnemoscope.core.memory.query import OptionView, Query
from mnemoscope.core.memory.view import MediumView
from mnemoscope.core.model import Kind, RecordStatus
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.tui.sample import sample_folder
from tests.cli_data import Mnemoscope

REFUSAL = "The history does not mention it"


def asked(stem: str, *options: str, context: str = "", whole: bool = False) -> Answered:
    """What the backbone answers; options are labelled from A on."""
    views = tuple(OptionView(label, text) for label, text in zip("ABCDEF", options, strict=False))
    query = Query("\n".join([stem, *options]), stem, stem, views)
    recall = Recall(context=(context,) if context else (), whole_history=whole)
    return answered(query, recall)


def answered(query: Query, recall: Recall) -> Answered:
    return asyncio.run(make_backbone("embedded").answer(Ask(query, recall)))


def test_the_option_whose_words_one_passage_holds_is_chosen() -> None:
    context = "[2025-01-01]\nNora: I buy a brass lamp.\n\n[2025-01-02]\nNora: The kite is red."
    found = asked("What did Nora buy?", "red kite", "brass lamp", REFUSAL, context=context)
    assert (found.status, found.text, found.finish) == (RecordStatus.OK, "B", "stop")
    assert found.grounds["options"]["B"] == {"score": 1.139529, "share": 1.0, "passage": 1}
    assert "C" not in found.grounds["options"]
    assert found.tokens.source is Counted.NONE


def test_what_the_question_itself_says_backs_no_option() -> None:
    context = "[1]\nNora: The lamp of the house is old.\n\n[2]\nNora: My lamp is green."
    found = asked("What colour is the lamp?", "old brown lamp", "green lamp", context=context)
    assert found.text == "B"


def test_below_half_of_its_words_the_option_that_declines_is_chosen() -> None:
    context = "[1]\nNora: a brass lamp"
    options = ("brass lamp with silver chains and seven lights", "wooden stool", REFUSAL)
    declined = asked("What is it?", *options, context=context)
    assert declined.text == "C"
    assert declined.grounds["options"]["A"]["share"] < BACKED
    # Where none declines, little is more than nothing.
    assert asked("What is it?", *options[:2], context=context).text == "A"


def test_without_anything_to_go_by_it_declines_in_the_questions_language() -> None:
    assert asked("What is it?", "lamp", "kite", REFUSAL).text == "C"
    assert asked("What is it?", "lamp", "kite").text.startswith("I don't know")
    assert asked("What is it?").text.startswith("I don't know")
    assert asked("这是什么？").text.startswith("不知道")


def test_chinese_is_compared_by_pairs_of_characters() -> None:
    context = "[2025-01-01]\n用户: 我最近在修一只老座钟。\n\n[2025-01-02]\n用户: 今天下雨了。"
    found = asked("用户在做什么？", "画水彩", "修座钟", "历史中没有说明", context=context)
    assert found.text == "B"


@pytest.mark.parametrize(
    ("stem", "slot"),
    [
        ("When did she move?", Slot.DATE),
        ("他是什么时候搬家的？", Slot.DATE),
        ("How many chairs are left?", Slot.NUMBER),
        ("What is the total cost of the hall?", Slot.NUMBER),
        ("一共多少钱？", Slot.NUMBER),
        ("Is the hall booked?", Slot.YES_NO),
        ("会场订好了吗？", Slot.YES_NO),
        ("Who booked the hall?", Slot.PHRASE),
    ],
)
def test_the_kind_of_answer_is_read_from_the_question(stem: str, slot: Slot) -> None:
    assert slot_of(stem) is slot


@pytest.mark.parametrize(
    ("stem", "context", "answer"),
    [
        ("How many chairs did we order?", "[d]\nA: On 3 May 2024 we order 40 chairs.", "40 chairs"),
        ("How much is the deposit?", "[d]\nA: The deposit is €1,250.50 now.", "€1,250.50 now"),
        ("订了多少把椅子？", "[d]\n甲: 订了40把椅子。", "40把椅"),
        ("When was the hall booked?", "[d]\nA: The hall was booked on 3 May 2024.", "3 May 2024"),
        ("When was the hall booked?", "[7 July]\nA: The hall is booked today.", "7 July"),
        ("What is the venue?", "[d]\nVenue: Rose Hall.", "Rose Hall"),
        (
            "Who will paint the hall?",
            "[d]\nA: I asked and Mary Ann will paint it in the hall.",
            "Mary",
        ),
        ("Which song opens the show?", "[d]\nA: The show opens with the song “Blue”.", "Blue"),
        ("Is the hall booked?", "[d]\nA: The hall is not booked.", "No"),
        ("Is the hall booked?", "[d]\nA: Is the hall booked?\nB: The hall is booked.", "Yes"),
        ("会场订好了吗？", "[d]\n甲: 会场还没订好。", "否"),
    ],
)
def test_open_questions_are_filled_from_the_closest_sentence(
    stem: str, context: str, answer: str
) -> None:
    assert asked(stem, context=context).text.startswith(answer)


def test_a_subject_that_was_never_talked_about_is_declined() -> None:
    found = asked("How many horses did Peter sell?", context="[d]\nA: We have 40 chairs.")
    assert found.text.startswith("I don't know")
    assert found.grounds["sentence"] == ""


def test_of_equal_sentences_the_last_counts_where_the_whole_history_was_sent() -> None:
    context = "[1]\nA: The price is 10 EUR.\n\n[2]\nA: The price is 12 EUR."
    assert asked("How much is the price?", context=context).text == "10 EUR"
    assert asked("How much is the price?", context=context, whole=True).text == "12 EUR"


def test_contexts_are_cut_where_systems_put_dates() -> None:
    context = (
        "[Memory Start]\n[Memory 1] timestamp: 01/02/2025\nuser: a\nassistant: b\n"
        "[Memory 2] timestamp: 02/02/2025\nuser: c\n[Memory End]",
    )
    found = Passages.of(Recall(context=context)).all
    assert [(one.text, one.date) for one in found] == [
        ("user: a\nassistant: b", "01/02/2025"),
        ("user: c", "02/02/2025"),
    ]
    assert sentences("It is 3.5 m. 好。Yes!\nNo") == ["It is 3.5 m.", "好。", "Yes!", "No"]


def test_of_media_it_reads_the_captions_and_that_is_counted() -> None:
    picture = MediumView(Kind.IMAGE, "image 1", "a brass lamp")
    clip = MediumView(Kind.AUDIO, "audio 1", "")
    options = (OptionView("A", "red kite"), OptionView("B", "brass lamp", picture))
    found = answered(Query("What?", "What?", "What?", options), Recall(context=(picture, clip)))
    assert found.text == "B"
    assert found.reached.as_json() == {
        "text": True,
        "image": 0,
        "audio": 0,
        "fallbacks": {"audio: no caption to read": 1, "image: caption read": 2},
    }


def test_it_says_wherever_it_stands_that_it_is_a_floor_baseline() -> None:
    backbone = make_backbone("embedded")
    assert not backbone.spec.is_chat
    assert backbone.spec.note.startswith("floor baseline")
    assert asked("What?").as_json()["grounds"]["note"].startswith("floor baseline")
    assert backbone.load(Ask(Query("", "", ""), Recall())) == Load(0, 0, 0)
    with pytest.raises(UsageError, match="no backbone 'gpt'; there are: embedded, endpoint:MODEL"):
        make_backbone("gpt")


# Other tests on a small machine make it slow, not the texts.
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text(max_size=60), max_size=6), st.text(max_size=200), st.booleans())
def test_any_texts_get_an_answer_and_always_the_same(
    options: list[str], context: str, whole: bool
) -> None:
    first = asked("What is it?", *options, context=context, whole=whole)
    assert first.text.strip()
    assert first == asked("What is it?", *options, context=context, whole=whole)


def test_another_process_gives_the_same_bytes() -> None:
    script = (
        "from tests.test_embedded_backbone import asked\n"
        "from mnemoscope.core.writing import json_bytes\n"
        "c = '[1]\\nA: red kite, brass lamp, old piano, blue chair\\n\\n[2]\\nB: brass piano'\n"
        "print(json_bytes(asked('What?', 'red lamp', 'old blue piano', context=c).as_json()))\n"
    )
    root = str(Path(__file__).parents[1])

    def run(seed: str) -> str:
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        environ["PYTHONPATH"] = os.pathsep.join([*sys.path, root])
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=environ, check=True
        )
        return done.stdout

    assert run("1") == run("2")


def test_wherever_its_figures_stand_it_is_called_a_floor_baseline(
    mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    cue, out = sample_folder() / "cue", tmp_path / "run"
    command = ("run", "--release", cue, "--system", "bm25", "--backbone", "embedded", "--out", out)
    for verb in (command, ("score", cue, out), ("compare", cue, out, out), ("info", out)):
        code, text, err = mnemoscope(*verb)
        assert code == 0 and "floor baseline" in text, (verb, err)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["backbone"]["id"] == "embedded"
    assert manifest["notes"][0].startswith("floor baseline")
    (run,) = open_runs(out).runs
    assert run.backbone == "embedded (floor baseline)"
