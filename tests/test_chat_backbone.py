"""A model at an endpoint as a backbone: what it is sent, what reaches it, what goes wrong."""

import asyncio
import base64
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.backbones.backbone import Answered, Ask, Counted, Tokens
from mnemoscope.core.backbones.batch import as_finished
from mnemoscope.core.backbones.chat import BLANK
from mnemoscope.core.backbones.endpoint import Patience
from mnemoscope.core.backbones.media_parts import MOST_BYTES, UnsendableError, media_part
from mnemoscope.core.backbones.prompt_set import read_prompts
from mnemoscope.core.backbones.registry import backbone_parameters, make_backbone
from mnemoscope.core.backbones.settings import EndpointSettings
from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.memory.items import Recall
from mnemoscope.core.memory.query import OptionView, Query
from mnemoscope.core.memory.view import MediumView
from mnemoscope.core.model import Kind, RecordStatus
from mnemoscope.tui.sample import sample_folder
from tests.cli_data import Mnemoscope
from tests.fault_server import Act, FaultServer, completion, serving

pytest.importorskip("openai", reason="the extra llm is not installed")

OPTIONS = (OptionView("A", "a brass lamp"), OptionView("B", "a red kite"))
CHOICE = Query("", "What did Nora buy?", "", OPTIONS)
OPEN = Query("", "What did Nora buy?", "")
KEPT = Recall(context=("[2025-01-01]\nNora: I bought a lamp.",))
FINE = Act(completion("A"))
PICTURE = MediumView(Kind.IMAGE, "image 1", "a lamp of brass")
CLIP = MediumView(Kind.AUDIO, "audio 1", "somebody hums")


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return (
        b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    )


WAV = (
    b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0"
)


def ask_all(
    server: FaultServer, asks: Sequence[Ask], *, model: str = "m", at_once: int = 1, **how: Any
) -> list[Answered]:
    """Ask one backbone several questions; the answers in the questions' order."""

    async def sleep(_: float) -> None:
        return None

    async def main() -> list[Answered]:
        backbone = make_backbone(
            f"endpoint:{model}",
            how,
            lambda: EndpointSettings(server.url, timeout=5),
            Patience(sleep=sleep),
        )
        async with backbone:

            async def one(place: int) -> Answered:
                return await backbone.answer(asks[place])

            finished = as_finished(range(len(asks)), one, at_once)
            found = {place: answered async for place, answered in finished}
        return [found[place] for place in range(len(asks))]

    return asyncio.run(main())


def ask(server: FaultServer, query: Query = CHOICE, recall: Recall = KEPT, **how: Any) -> Answered:
    return ask_all(server, [Ask(query, recall)], **how)[0]


def turns(body: Mapping[str, Any]) -> list[Any]:
    return [one["content"] for one in body["messages"] if one["role"] == "user"]


def with_media(tmp_path: Path, query: Query = OPEN, *media: MediumView) -> Ask:
    """A question with a picture and a clip among what was recalled, and their files."""
    (tmp_path / "lamp.png").write_bytes(png())
    (tmp_path / "hum.wav").write_bytes(WAV)
    files = {
        (Kind.IMAGE, "image 1"): str(tmp_path / "lamp.png"),
        (Kind.AUDIO, "audio 1"): str(tmp_path / "hum.wav"),
        (Kind.IMAGE, "option A"): str(tmp_path / "lamp.png"),
    }
    context: tuple[str | MediumView, ...] = (
        "Nora: look",
        *(media or (PICTURE, CLIP)),
        "Nora: nice",
    )
    return Ask(query, Recall(context=context), files, (tmp_path,))


# What is sent


def test_the_papers_protocol_is_the_default() -> None:
    with serving(FINE) as server:
        found = ask(server)
    assert (found.status, found.text, found.finish) == (RecordStatus.OK, "A", "stop")
    assert found.tokens == Tokens(11, 7, Counted.PROVIDER)
    assert (found.model, found.prompt) == ("served", "plain-1/choice-en")
    (body,) = server.asked
    assert {name: body[name] for name in body if name != "messages"} == {
        "model": "m",
        "temperature": 0,
        "max_tokens": 1024,
        "seed": 42,
    }
    assert make_backbone("endpoint:m", {}, lambda: EndpointSettings("http://h/v1")).AT_ONCE == 16


def test_a_choice_is_asked_for_in_one_turn_with_the_options_after_the_question() -> None:
    with serving(FINE) as server:
        ask(server)
    (said,) = turns(server.asked[0])
    places = [
        said.index(one)
        for one in ("I bought a lamp.", "What did Nora buy?", "A. a brass lamp\nB. a red kite")
    ]
    assert places == sorted(places)
    assert "{" not in said
    assert "asked on" not in said


def test_an_open_question_is_the_last_turn_after_the_conversation() -> None:
    with serving(Act(completion("a lamp"))) as server:
        found = ask(server, OPEN)
    context, last = turns(server.asked[0])
    assert context == "[2025-01-01]\nNora: I bought a lamp."
    assert last == "What did Nora buy?"
    assert found.prompt == "plain-1/open-en"


def test_prompts_are_in_the_questions_language_and_give_the_date_that_is_known() -> None:
    chinese = Query("", "用户买了什么？", "", OPTIONS, asked_at=datetime(2025, 3, 4))
    with serving(FINE) as server:
        found = ask(server, chinese, Recall())
    (said,) = turns(server.asked[0])
    assert found.prompt == "plain-1/choice-zh"
    assert "今天是2025-03-04。" in said
    assert "（没有）" in said


def test_thinking_is_switched_off_where_the_paper_does_and_where_one_wants() -> None:
    with serving(FINE) as server:
        for model, how in (("Qwen3-8b", "auto"), ("m", "off"), ("m", "auto"), ("qwen3", "on")):
            ask(server, model=model, thinking=how)
    off = [body.get("chat_template_kwargs") for body in server.asked]
    assert off == [{"enable_thinking": False}, {"enable_thinking": False}, None, None]


def test_an_endpoint_that_knows_no_such_switch_is_asked_without_it() -> None:
    refusal = Act.error(400, "Unrecognized request argument supplied: chat_template_kwargs")
    with serving(refusal, FINE) as server:
        found = ask(server, model="qwen3")
    assert found.adapted == ("without chat_template_kwargs",)
    assert "chat_template_kwargs" not in server.asked[-1]


def test_what_a_model_thinks_aloud_is_no_part_of_its_answer() -> None:
    with serving(Act(completion("<think>A lamp? So A.</think>\n\nB"))) as server:
        found = ask(server)
    assert (found.text, found.reasoning) == ("B", "A lamp? So A.")
    with serving(Act(completion("<think>Hm.</think>"))) as server:
        found = ask(server)
    assert (found.status, found.detail) == (RecordStatus.ERROR, BLANK)


def test_turns_are_joined_for_a_model_that_wants_them_to_alternate() -> None:
    said = "Conversation roles must alternate user/assistant/user/assistant/..."
    with serving(Act.error(400, said), FINE) as server:
        found = ask(server, OPEN)
    assert found.adapted == ("turns joined",)
    (joined,) = turns(server.asked[-1])
    assert joined == "[2025-01-01]\nNora: I bought a lamp.\n\nWhat did Nora buy?"


def test_each_repeat_has_its_own_seed() -> None:
    with serving(FINE) as server:
        ask_all(server, [Ask(CHOICE, KEPT, repeat=at, seed=42 + at) for at in range(3)])
    assert [body["seed"] for body in server.asked] == [42, 43, 44]


def test_what_a_question_would_take_is_told_without_asking() -> None:
    with serving(FINE) as server:
        backbone = make_backbone("endpoint:m", {}, lambda: EndpointSettings(server.url))
        load = backbone.load(Ask(CHOICE, KEPT))
    assert (load.calls, load.completion_at_most) == (1, 1024)
    assert 100 < load.prompt < 250
    assert server.asked == []


def test_where_the_endpoint_counts_no_tokens_they_are_estimated() -> None:
    body = completion("a lamp").replace(b'"usage"', b'"other"')
    with serving(Act(body)) as server:
        found = ask(server)
    assert found.tokens.source is Counted.ESTIMATED
    assert found.tokens.completion == 2


# Pictures and sound


def test_pictures_and_clips_are_sent_where_they_stand_and_that_is_counted(tmp_path: Path) -> None:
    with serving(FINE) as server:
        (found,) = ask_all(server, [with_media(tmp_path)])
    parts, question = turns(server.asked[0])
    assert [part["type"] for part in parts] == ["text", "image_url", "input_audio", "text"]
    kind, _, data = parts[1]["image_url"]["url"].partition(",")
    assert (kind, base64.b64decode(data)) == ("data:image/png;base64", png())
    assert parts[2]["input_audio"]["format"] == "wav"
    assert [parts[0]["text"], parts[3]["text"]] == ["Nora: look", "Nora: nice"]
    assert question == "What did Nora buy?"
    assert found.reached.as_json() == {"text": True, "image": 1, "audio": 1, "fallbacks": {}}


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "Invalid content type. image_url is only supported by certain models."),
        (500, "image input is not supported - hint: you may need to provide the mmproj"),
        (404, "No endpoints found that support image input"),
        (400, "m is not a multimodal model: image_url"),
        (400, "At most 0 image(s) may be provided in one prompt."),
        (422, "messages[1]: unknown variant `image_url`, expected `text`"),
    ],
)
def test_a_model_without_eyes_gets_the_captions_at_once_and_from_then_on(
    tmp_path: Path, status: int, said: str
) -> None:
    with serving(Act.error(status, said), FINE) as server:
        found = ask_all(server, [with_media(tmp_path, OPEN, PICTURE)] * 2)
    assert len(server.asked) == 3
    for one in found:
        assert one.status is RecordStatus.OK
        assert one.reached.as_json()["fallbacks"] == {"image: the model takes none": 1}
        assert one.reached.sent == {}
    assert turns(server.asked[-1])[0] == "Nora: look\na lamp of brass\nNora: nice"


def test_a_model_without_ears_still_gets_the_pictures(tmp_path: Path) -> None:
    with serving(Act.error(400, "audio input is not supported by this model"), FINE) as server:
        (found,) = ask_all(server, [with_media(tmp_path)])
    assert found.reached.sent == {Kind.IMAGE: 1}
    assert found.reached.fallbacks == {"audio: the model takes none": 1}


def test_how_many_are_asked_at_a_time_changes_no_answer(tmp_path: Path) -> None:
    def deaf(body: dict[str, Any]) -> Act:
        refused = Act.error(400, "image input is not supported")
        return refused if "image_url" in str(body["messages"]) else FINE

    asks = [with_media(tmp_path, OPEN, PICTURE)] * 20
    with serving(deaf) as server:
        one = ask_all(server, asks, at_once=1)
    with serving(deaf) as server:
        many = ask_all(server, asks, at_once=16)
    assert one == many


def test_media_are_sent_as_far_as_one_wants(tmp_path: Path) -> None:
    shown = MediumView(Kind.IMAGE, "option A", "a brass lamp")
    query = Query("", "Which?", "", (OptionView("A", "a brass lamp", shown), OPTIONS[1]))
    asked = with_media(tmp_path, query, PICTURE)
    sent = {}
    for media in ("attached", "all", "none"):
        with serving(FINE) as server:
            (found,) = ask_all(server, [asked], media=media)
        sent[media] = found.reached.sent.get(Kind.IMAGE, 0)
        (content,) = turns(server.asked[0])
        texts = content if isinstance(content, str) else str(content)
        assert ("A. a brass lamp" in texts) is (media != "all")
    assert sent == {"attached": 1, "all": 2, "none": 0}
    assert found.reached.fallbacks == {"image: captions alone are sent": 1}


def test_no_file_outside_the_release_is_ever_sent(tmp_path: Path) -> None:
    inside = tmp_path / "release"
    inside.mkdir()
    secret = tmp_path / "secret.png"
    secret.write_bytes(png())
    (inside / "link.png").symlink_to(secret)
    reasons: list[str] = []
    for file in (secret, inside / "link.png", inside / ".." / "secret.png", inside / "none.png"):
        files = {(Kind.IMAGE, "image 1"): str(file)}
        with serving(FINE) as server:
            (found,) = ask_all(server, [Ask(OPEN, Recall(context=(PICTURE,)), files, (inside,))])
        assert found.reached.sent == {}
        reasons += found.reached.fallbacks
        assert turns(server.asked[0])[0] == "a lamp of brass"
    outside = "image: its file is outside the release"
    assert reasons == [outside, outside, outside, "image: its file cannot be read"]


def test_what_endpoints_do_not_take_is_not_sent(tmp_path: Path) -> None:
    asked = with_media(tmp_path, OPEN, PICTURE)
    (tmp_path / "lamp.png").write_bytes(b"BM not a png")
    with serving(FINE) as server:
        (found,) = ask_all(server, [asked])
        assert found.reached.fallbacks == {"image: its file is not PNG, JPEG, GIF or WebP": 1}
        with (tmp_path / "lamp.png").open("wb") as file:
            file.truncate(MOST_BYTES + 1)
        (found,) = ask_all(server, [asked])
        assert found.reached.fallbacks == {"image: its file is larger than 10 MB": 1}
        bare = Ask(OPEN, Recall(context=(PICTURE,)))
        (found,) = ask_all(server, [bare])
        assert found.reached.fallbacks == {"image: there is no file": 1}
    for kind, head, form in (
        (Kind.IMAGE, b"\xff\xd8\xff\xe0", "jpeg"),
        (Kind.IMAGE, b"GIF89a", "gif"),
        (Kind.IMAGE, b"RIFF....WEBP", "webp"),
        (Kind.AUDIO, b"ID3", "mp3"),
        (Kind.AUDIO, b"\xff\xfb", "mp3"),
    ):
        assert form in str(media_part(kind, head))
    with pytest.raises(UnsendableError, match="not WAV or MP3"):
        media_part(Kind.AUDIO, b"OggS")


# What goes wrong


@pytest.mark.parametrize(
    ("act", "status", "detail", "stops"),
    [
        (Act.error(500), RecordStatus.ERROR, "server error", False),
        (Act.error(429), RecordStatus.ERROR, "rate limited", False),
        (Act(completion("x"), cut="length"), RecordStatus.ERROR, "cut", False),
        (Act(b"<html>"), RecordStatus.ERROR, "bad reply", False),
        (Act(completion(" ")), RecordStatus.ERROR, "blank answer", False),
        (Act.error(400, "too many tokens"), RecordStatus.ERROR, "too long", False),
        (
            Act(completion("", finish_reason="content_filter")),
            RecordStatus.REFUSED,
            "refused",
            False,
        ),
        (Act.error(401), RecordStatus.NOT_RUN, "unauthorised", True),
        (Act.error(404), RecordStatus.NOT_RUN, "not found", True),
    ],
)
def test_every_failure_has_a_status_and_says_what_it_is(
    act: Act, status: RecordStatus, detail: str, stops: bool
) -> None:
    with serving(act) as server:
        found = ask(server)
    assert (found.status, found.detail, found.stops) == (status, detail, stops)
    assert found.text


def test_a_slow_endpoint_is_a_timeout_and_the_number_of_attempts_can_be_set() -> None:
    with serving(Act.error(503)) as server:
        assert ask(server, attempts=2).attempts == 2
    assert len(server.asked) == 2


def test_a_thousand_questions_with_faults_are_all_accounted_for() -> None:
    acts = [Act.error(500), Act.error(429), Act(b"no"), Act(completion(" ")), FINE, FINE, FINE]
    count = iter(range(10_000))

    def faulty(_: dict[str, Any]) -> Act:
        return acts[next(count) % len(acts)]

    with serving(faulty) as server:
        found = ask_all(server, [Ask(CHOICE, KEPT)] * 1000, at_once=16)
    assert len(found) == 1000
    assert {one.status for one in found} <= {RecordStatus.OK, RecordStatus.ERROR}
    assert all(one.text for one in found)
    assert server.most_at_once <= 16


# Configuration and prompts


def test_parameters_are_checked_and_named() -> None:
    settings = EndpointSettings("http://localhost:1/v1")
    for given, said in (
        ({"top_k": 1}, "no parameter 'top_k'; there are: temperature, max_tokens"),
        ({"max_tokens": 0}, "found 0, expected at least 1"),
        ({"media": "some"}, "expected one of attached, all, none"),
        ({"prompts": "fancy"}, "no prompts 'fancy'; there are: plain-1"),
    ):
        with pytest.raises(UsageError, match=said):
            make_backbone("endpoint:m", given, lambda: settings)
    with pytest.raises(UsageError, match="no endpoint is named"):
        make_backbone("endpoint:m")
    with pytest.raises(UsageError, match="embedded: no parameter 'seed'"):
        make_backbone("embedded", {"seed": 1})
    with pytest.raises(UsageError, match="there are: embedded, endpoint:MODEL"):
        make_backbone("endpoint:")


def test_a_configuration_says_everything_but_where_and_with_which_key() -> None:
    backbone = make_backbone(
        "endpoint:Qwen3-8b", {}, lambda: EndpointSettings("http://secret.host/v1")
    )
    spec = backbone.spec
    assert spec.is_chat
    assert spec.id == "Qwen3-8b"
    assert spec.parameters == {
        "temperature": 0.0,
        "max_tokens": 1024,
        "thinking": "off",
        "media": "attached",
        "prompts": "plain-1",
        "attempts": 5,
    }
    assert set(spec.prompts) == {
        f"plain-1/{form}-{language}" for form in ("choice", "open") for language in ("en", "zh")
    }
    assert "secret" not in str(spec.as_json())


PROMPT_HASHES = {
    "plain-1/choice-en": "24f37e8c4909",
    "plain-1/choice-zh": "c92e417fb3c3",
    "plain-1/open-en": "cd0006eae2c4",
    "plain-1/open-zh": "9ea9dec495a1",
    "question-only-1/choice-en": "3e9f8b59c320",
    "question-only-1/choice-zh": "44993227f5ba",
    "question-only-1/open-en": "7dd8a7df63e4",
    "question-only-1/open-zh": "aa3969a134b1",
    "state-1/choice-en": "9dd76f59b516",
    "state-1/choice-zh": "c7d4139a1d51",
    "state-1/open-en": "63e4ad8333e6",
    "state-1/open-zh": "172191db3170",
    "thought-1/choice-en": "6ee9ddd5137e",
    "thought-1/choice-zh": "8b5f37c62278",
    "thought-1/open-en": "102494e671f8",
    "thought-1/open-zh": "a6f80bd58362",
}
"""Prompts that came along are not changed: they get a next number."""


def test_prompts_that_came_along_are_not_changed() -> None:
    sets = ("plain-1", "question-only-1", "state-1", "thought-1")
    found = {name: one for of in sets for name, one in read_prompts(of).hashes.items()}
    assert {name: one[:12] for name, one in found.items()} == PROMPT_HASHES


def test_a_folder_of_prompts_can_be_named_and_what_is_wrong_in_it_is(tmp_path: Path) -> None:
    good = 'system = "Be short."\nturns = ["{context}|{question}|{options}"]\nnothing = "-"\n'
    for name in ("choice-en", "choice-zh", "open-en", "open-zh"):
        (tmp_path / f"{name}.toml").write_text(good)
    with serving(FINE) as server:
        found = ask(server, CHOICE, Recall(), prompts=str(tmp_path))
    assert found.prompt == f"{tmp_path.name}/choice-en"
    assert turns(server.asked[0]) == ["-|What did Nora buy?|A. a brass lamp\nB. a red kite"]
    for text, said in (
        ('turns = ["{context} {question}"]', r"no \{options\}"),
        ('turns = "x"', "texts, one for each turn"),
        ('turn = ["x"]', "an unknown key"),
        ('turns = ["{context} {question} {options}"]\nsystem = 3', r"\$.system: found 3"),
    ):
        (tmp_path / "choice-en.toml").write_text(text)
        with pytest.raises(ReadError, match=said):
            read_prompts(str(tmp_path))


def test_what_is_filled_in_is_never_taken_for_a_slot() -> None:
    tricky = Query("", "What is {context}?", "", (OptionView("A", "{question}"), OPTIONS[1]))
    with serving(FINE) as server:
        ask(server, tricky, Recall(context=("{options}",)))
    (said,) = turns(server.asked[0])
    assert "What is {context}?" in said
    assert "A. {question}" in said
    assert said.count("{options}") == 1


def test_the_manual_names_every_parameter() -> None:
    page = (Path(__file__).parents[1] / "docs" / "backbones.md").read_text("utf-8")
    for name, one in backbone_parameters("endpoint:m").items():
        assert f"| `{name}` | `{one.default}` | {one.help} |" in page


def test_a_model_that_calls_itself_by_a_path_is_called_by_its_file() -> None:
    for called, name in (
        ("/srv/models/x.gguf", "x.gguf"),
        ("C:\\models\\x.gguf", "x.gguf"),
        ("Qwen/Qwen3-8B", "Qwen/Qwen3-8B"),
    ):
        body = json.loads(completion("A")) | {"model": called}
        with serving(Act(json.dumps(body).encode())) as server:
            assert ask(server).model == name


def test_a_run_with_media_sends_them_and_its_records_say_what_reached_the_model(
    mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    def deaf(body: dict[str, Any]) -> Act:
        heard = "input_audio" in str(body["messages"])
        return Act.error(400, "audio input is not supported") if heard else FINE

    with serving(deaf) as server:
        code, _, err = mnemoscope(
            *("run", "--release", sample_folder() / "cue", "--system", "oracle_multimodal"),
            *("--backbone", "endpoint:m,media=all", "--endpoint", server.url),
            *("--filter", "sample:12 seed:1", "--out", tmp_path / "run"),
        )
    assert code == 0, err
    lines = (tmp_path / "run" / "records.jsonl").read_text().splitlines()
    reached = [json.loads(line)["extra"]["reached"] for line in lines]
    assert len(reached) == 12
    assert sum(one["image"] for one in reached) > 12
    assert {one["audio"] for one in reached} == {0}
    fallbacks = {reason for one in reached for reason in one["fallbacks"]}
    assert fallbacks == {"audio: the model takes none"}
    kept = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert not any(server.url.encode() in path.read_bytes() for path in kept)
