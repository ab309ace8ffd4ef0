"""Captions that a model makes: asked for once, kept apart, laid over a release as a variant."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.captions.applied import add_captions
from mnemoscope.core.captions.book import CaptionWriter, read_captions
from mnemoscope.core.captions.making import captions_head
from mnemoscope.core.captions.media import attachments, distinct, text_language
from mnemoscope.core.captions.prompt import GRANULARITIES, CaptionPrompt
from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.memory.query import query_of
from mnemoscope.core.memory.view import hand_over
from mnemoscope.core.model import Kind, Release, Textualisation
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.writing import sha256_of
from mnemoscope.tui.recent import RecentOpening
from mnemoscope.tui.sample import sample_folder
from mnemoscope.tui.twins import twin_command
from tests.app_driver import opened, screen_text
from tests.cli_data import Mnemoscope
from tests.fault_server import Act, FaultServer, completion, serving

pytest.importorskip("openai", reason="the extra llm is not installed")

CUE = sample_folder() / "cue"
SEEN = "a lamp that a model saw"


@pytest.fixture(scope="module")
def release() -> Release:
    return open_release(CUE)


@pytest.fixture
def seeing() -> Iterator[FaultServer]:
    with serving(Act(completion(SEEN))) as server:
        yield server


def make(
    mnemoscope: Mnemoscope, server: FaultServer, out: Path, *more: str
) -> tuple[int, dict[str, Any], str]:
    code, said, err = mnemoscope(
        *("captions", CUE, "--model", "org/eye-1", "--out", out, "--endpoint", server.url),
        *("--json", *more),
    )
    return code, json.loads(said) if said else {}, err


def test_every_picture_is_asked_about_once_and_the_release_stays_as_it_is(
    mnemoscope: Mnemoscope, seeing: FaultServer, tmp_path: Path, release: Release
) -> None:
    out = tmp_path / "made" / "seen.jsonl"
    before = {path: sha256_of(path) for path in CUE.rglob("*") if path.is_file()}
    code, data, _ = make(mnemoscope, seeing, out)
    assert code == 0
    files = distinct(release, Kind.IMAGE)
    assert data["files"] == data["calls"] == data["made"] == len(files) == len(seeing.asked)
    assert (data["name"], data["captioned_before"], data["failures"]) == ("eye-1-medium", 0, [])
    assert before == {path: sha256_of(path) for path in CUE.rglob("*") if path.is_file()}
    book = read_captions(out)
    assert book.captions == {one.sha256: SEEN for one in files}
    assert (book.head.model, book.head.medium, book.head.prompt) == (
        "org/eye-1",
        Kind.IMAGE,
        "image-1/medium",
    )
    system, user = seeing.asked[0]["messages"]
    assert "Write in Chinese" in system["content"] or "Write in English" in system["content"]
    assert [part["type"] for part in user["content"]] == ["text", "image_url"]
    assert seeing.asked[0]["max_tokens"] == 512


def test_the_same_command_asks_only_for_what_is_left(
    mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    out = tmp_path / "seen.jsonl"
    acts = [Act(completion(SEEN)), Act.error(400, "odd picture"), Act(completion(SEEN))]
    with serving(*acts) as server:
        code, data, err = make(mnemoscope, server, out, "--at-once", "1")
    assert code == 3
    assert len(data["failures"]) == 1
    assert "odd picture" in err
    with out.open("ab") as file:
        file.write(b'{"sha256": "torn')
    with serving(Act(completion("again"))) as server:
        code, data, _ = make(mnemoscope, server, out, "--at-once", "1")
        assert (code, data["calls"], len(server.asked)) == (0, 1, 1)
        code, data, _ = make(mnemoscope, server, out)
        assert (code, data["calls"], len(server.asked)) == (0, 0, 1)
        code, _, err = make(
            mnemoscope, server, out, "--granularity", "brief", "--name", data["name"]
        )
        assert (code, len(server.asked)) == (2, 1)
        assert "were made with granularity medium, not brief" in err


def test_a_model_that_does_not_see_stops_it_at_once(mnemoscope: Mnemoscope, tmp_path: Path) -> None:
    with serving(Act.error(500, "image input is not supported")) as server:
        code, _, err = make(mnemoscope, server, tmp_path / "x.jsonl", "--at-once", "1")
    assert code == 5
    assert "takes no image" in err
    assert len(server.asked) == 1


def test_what_would_be_asked_is_told_without_asking(
    mnemoscope: Mnemoscope, seeing: FaultServer, tmp_path: Path
) -> None:
    out = tmp_path / "x.jsonl"
    code, data, _ = make(mnemoscope, seeing, out, "--of", "audio", "--dry-run")
    assert (code, data["of"], data["prompt"].split()[0]) == (0, "audio", "audio-1/medium")
    assert data["calls"] > 0
    assert seeing.asked == []
    assert not out.exists()
    code, text, _ = mnemoscope("captions", CUE, "--model", "m", "--out", out, "--dry-run")
    assert code == 0 and "nothing was asked" in text


def test_a_made_variant_stands_beside_the_releases_own(
    mnemoscope: Mnemoscope, seeing: FaultServer, tmp_path: Path, release: Release
) -> None:
    pictures, clips = tmp_path / "seen.jsonl", tmp_path / "heard.jsonl"
    make(mnemoscope, seeing, pictures, "--name", "seen")
    make(mnemoscope, seeing, clips, "--of", "audio", "--name", "heard", "--granularity", "brief")
    request = OpenRequest(CUE, captions=(pictures, clips))
    captioned = open_workspace(request).release
    assert captioned.image_variants == (*release.image_variants, "seen")
    assert captioned.audio_variants == (*release.audio_variants, "heard")
    for new, old in zip(attachments(captioned), attachments(release), strict=True):
        made = "seen" if new.kind is Kind.IMAGE else "heard"
        assert {name: text for name, text in new.captions.items() if name != made} == old.captions
        assert new.captions[made] == SEEN
    chosen = Textualisation("seen", "heard")
    history = next(iter(captioned.histories.values()))
    told = "\n".join(one.text for one in hand_over(history, chosen).view.rounds)
    assert told.count(SEEN) == sum(1 for one in history.rounds for item in one.attachments)
    picked = next(q for q in captioned.questions.values() if q.options[0].attachment)
    assert query_of(picked, chosen).options[0].text == SEEN
    assert captioned.textualisation == release.textualisation


def test_show_and_tokens_take_made_captions(
    mnemoscope: Mnemoscope, seeing: FaultServer, tmp_path: Path, release: Release
) -> None:
    out = tmp_path / "seen.jsonl"
    make(mnemoscope, seeing, out, "--name", "seen")
    place = next(
        f"{key}/{one.id}"
        for key, history in release.histories.items()
        for one in history.rounds
        if any(item.kind is Kind.IMAGE for item in one.attachments)
    )
    flags = ("--captions", out, "--textualisation", "image=seen")
    code, said, err = mnemoscope("show", CUE, place, *flags)
    assert code == 0 and SEEN in said, err
    assert mnemoscope("tokens", CUE, *flags)[0] == 0
    code, _, err = mnemoscope("show", CUE, place, *flags[2:])
    assert code == 2 and "no image captions named 'seen'" in err


@pytest.fixture
def seen(mnemoscope: Mnemoscope, seeing: FaultServer, tmp_path: Path) -> Path:
    """A file of captions of every picture of the sample, as the variant ``seen``."""
    make(mnemoscope, seeing, tmp_path / "seen.jsonl", "--name", "seen")
    return tmp_path / "seen.jsonl"


async def test_the_app_turns_to_made_captions_with_the_others(seen: Path) -> None:
    async with opened(OpenRequest(CUE, captions=(seen,))) as (app, _):
        assert "seen" in screen_text(app)
        desk = app.desk
        assert desk is not None
        labels = {desk.next_variant() for _ in range(12)}
        assert any("image seen" in label for label in labels)


def test_what_was_open_with_captions_is_opened_with_them_again(seen: Path) -> None:
    request = OpenRequest(CUE, captions=(seen,))
    assert RecentOpening.of(request, "", {}).request().captions == (seen.resolve(),)
    assert f"--captions={seen}" in twin_command("show", request, ("D00",))
    assert "--captions" not in twin_command("score", request)


def test_a_run_reads_made_captions_and_says_which_file_they_are_from(
    mnemoscope: Mnemoscope, seen: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    command = ("run", "--release", CUE, "--system", "full_memory", "--backbone", "embedded")
    flags = ("--captions", seen, "--textualisation", "image=seen", "--filter", "sample:3 seed:1")
    code, _, err = mnemoscope(*command, *flags, "--out", out)
    assert code == 0, err
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["textualisation"]["image"] == "seen"
    assert manifest["parameters"]["captions"] == {"seen.jsonl": sha256_of(seen)}
    assert all(SEEN in blob.read_text() for blob in (out / "blobs").iterdir())
    again = tmp_path / "again"
    code, _, err = mnemoscope("run", "--from", out, "--out", again)
    assert code == 0, err
    with CaptionWriter(seen, read_captions(seen).head) as writer:
        writer.add("0" * 64, 1, "of something else")
    code, _, err = mnemoscope(*command, *flags, "--out", out)
    assert code == 2 and "parameters.captions.seen.jsonl" in err


def test_captions_that_do_not_go_with_a_release_are_refused(
    tmp_path: Path, release: Release
) -> None:
    head = captions_head(release, Kind.IMAGE, "brief", "m", "English", "x")
    path = tmp_path / "x.jsonl"
    with CaptionWriter(path, head) as writer:
        writer.add("0" * 64, 1, "of something else")
    with pytest.raises(UsageError, match="none of its captions is of a file"):
        add_captions(release, [read_captions(path)])
    taken = release.image_variants[0]
    with pytest.raises(UsageError, match="give another --name"):
        captions_head(release, Kind.IMAGE, "brief", "m", "English", taken)
    with pytest.raises(UsageError, match="is being written by"), CaptionWriter(path, head):
        CaptionWriter(path, head)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: found nothing"),
        ("{}\n", "line 1: found another head"),
        ('{"kind": "mnemoscope-captions"}\n', r"line 1 \$.schema_version"),
        ("HEAD\n{}\n", r"line 2 \$.sha256"),
        ("HEAD\nnope\n", "line 2 column 1"),
        ("NEWER\n", "found version 2, expected version 1"),
    ],
)
def test_a_file_that_holds_no_captions_says_where(
    tmp_path: Path, release: Release, text: str, said: str
) -> None:
    head = captions_head(release, Kind.IMAGE, "brief", "m", "English", "x").model_dump(mode="json")
    text = text.replace("HEAD", json.dumps(head))
    text = text.replace("NEWER", json.dumps(head | {"schema_version": 2}))
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(ReadError, match=said):
        read_captions(path)


PROMPT_HASHES = {
    "audio-1/brief": "be05582a585f",
    "audio-1/detailed": "38b47adc5042",
    "audio-1/medium": "6871f6dbebe9",
    "image-1/brief": "683182041230",
    "image-1/detailed": "9f25c6e5329e",
    "image-1/medium": "38522b4cbe2d",
}
"""A prompt is not changed: it gets a next number."""


def test_prompts_of_captions_are_not_changed_and_differ_by_granularity() -> None:
    found = {
        prompt.name: prompt.sha256[:12]
        for kind in Kind
        for granularity in GRANULARITIES
        for prompt in [CaptionPrompt.of(kind, granularity, "English")]
    }
    assert found == PROMPT_HASHES
    assert len(set(found.values())) == 6


def test_captions_are_asked_for_in_the_releases_language() -> None:
    assert text_language(open_release(CUE)) in ("English", "Chinese")
