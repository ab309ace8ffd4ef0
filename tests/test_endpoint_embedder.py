"""Vectors from an endpoint: batches, retries, what is kept, what is refused."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemoscope.core.backbones.endpoint import Patience
from mnemoscope.core.backbones.settings import EndpointSettings, Secret
from mnemoscope.core.embedders.cache import CachedEmbedder
from mnemoscope.core.embedders.embedder import language_warning
from mnemoscope.core.embedders.endpoint import BATCH, EndpointEmbedder
from mnemoscope.core.embedders.registry import make_embedder
from mnemoscope.core.errors import ProviderError, UsageError
from tests.fault_server import Act, FaultServer, serving

pytest.importorskip("openai", reason="the extra llm is not installed")

KEY = "sk-very-secret-0123456789"


def vectors(body: dict[str, Any]) -> Act:
    """What an endpoint answers: a vector that depends on the text, out of order."""
    rows = [
        {"index": at, "embedding": [len(text), 1.0, 2.0], "object": "embedding"}
        for at, text in enumerate(body["input"])
    ]
    return Act(json.dumps({"object": "list", "data": rows[::-1], "model": "m"}).encode())


def encode(server: FaultServer, texts: Sequence[str]) -> np.ndarray[Any, Any]:
    async def sleep(_: float) -> None:
        return None

    settings = EndpointSettings(server.url, Secret(KEY), 5)
    embedder = EndpointEmbedder("m", settings, Patience(sleep=sleep))
    try:
        return embedder.encode(texts)
    finally:
        embedder.close()


def test_texts_are_sent_in_batches_and_their_vectors_come_back_in_order() -> None:
    texts = ["x" * (at + 1) for at in range(BATCH + 6)]
    with serving(vectors) as server:
        found = encode(server, texts)
    assert [len(body["input"]) for body in server.asked] == [BATCH, 6]
    assert server.asked[0]["encoding_format"] == "float"
    assert found.shape == (len(texts), 3)
    expected = np.array([[len(text), 1, 2] for text in texts], np.float32)
    assert np.allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert found.dtype == np.float32


def test_faults_are_tried_again_and_every_vector_arrives() -> None:
    with serving(Act.error(500), Act.error(429), Act(b"{}"), vectors) as server:
        assert encode(server, ["a", "bb"]).shape == (2, 3)
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (Act.error(401, f"bad key {KEY}"), "unauthorised"),
        (Act.error(404), "not found"),
        (Act.error(400, "no"), "refused"),
        (Act(b'{"data": []}'), "found 0 embeddings, expected one for each of 2 texts"),
        (Act(b'{"data": [{"index": 0, "embedding": ["x"]}]}'), "expected embeddings"),
        (
            Act(b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}'),
            "several lengths",
        ),
        (
            Act(b'{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}'),
            "not of numbers",
        ),
    ],
)
def test_what_gives_no_vectors_is_one_line_without_the_key(act: Act, said: str) -> None:
    with serving(act) as server, pytest.raises(ProviderError, match=said) as caught:
        encode(server, ["a", "b"])
    assert KEY not in str(caught.value)
    assert str(caught.value).startswith("endpoint:m: ")


def test_empty_and_odd_texts_are_made_such_as_endpoints_take() -> None:
    with serving(vectors) as server:
        assert encode(server, ["", "half \ud83d"]).shape == (2, 3)
        assert encode(server, []).shape == (0, 3)
    assert server.asked[0]["input"] == [" ", "half ?"]


def test_vectors_are_kept_by_the_models_name_since_nobody_knows_its_weights(tmp_path: Path) -> None:
    with serving(vectors) as server:
        settings = EndpointSettings(server.url)
        first = EndpointEmbedder("m", settings)
        with CachedEmbedder(first, tmp_path / "vectors") as cache:
            one = cache.encode(["a", "bb", "a"])
            assert cache.computed == 2
        again = EndpointEmbedder("m", settings)
        with CachedEmbedder(again, tmp_path / "vectors") as cache:
            assert (cache.encode(["a", "bb", "a"]) == one).all()
            assert cache.computed == 0
            assert cache.id == "endpoint:m"
            assert language_warning(cache, ["中文"]) is None
        other = EndpointEmbedder("n", settings)
        assert other.weights_hash != again.weights_hash
        other.close()
    assert len(server.asked) == 1


def test_it_can_be_asked_while_a_loop_is_running() -> None:
    async def main() -> int:
        return len(encode(server, ["a"]))

    with serving(vectors) as server:
        assert asyncio.run(main()) == 1


def test_it_goes_by_its_name_and_needs_an_endpoint_to_be_named() -> None:
    settings = EndpointSettings("http://localhost:1/v1")
    embedder = make_embedder("endpoint:bge-m3", lambda: settings)
    assert embedder.id == "endpoint:bge-m3"
    assert isinstance(embedder, EndpointEmbedder)
    embedder.close()
    with pytest.raises(UsageError, match="no endpoint is named"):
        make_embedder("endpoint:bge-m3")
    with pytest.raises(UsageError, match="there are: lite, st:NAME_OR_FOLDER, endpoint:MODEL"):
        make_embedder("endpoint:")


def test_a_process_that_forgets_to_close_it_ends_all_the_same() -> None:
    with serving(vectors) as server:
        script = (
            "from mnemoscope.core.embedders.registry import make_embedder\n"
            "from mnemoscope.core.backbones.settings import EndpointSettings\n"
            f"found = make_embedder('endpoint:m', lambda: EndpointSettings({server.url!r}))\n"
            "print(found.encode(['a']).shape)"
        )
        done = subprocess.run(
            [sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=60
        )
    assert (done.returncode, done.stdout.strip()) == (0, "(1, 3)"), done.stderr
