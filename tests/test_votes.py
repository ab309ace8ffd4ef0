"""Judge models that vote on answers: what they are told, what counts as a vote, and the verb."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from mnemoscope.core.backbones import endpoint as endpoint_module
from mnemoscope.core.backbones.endpoint import Endpoint, Patience
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Value
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.events import Action, Target, read_events
from mnemoscope.core.tags.reading import with_tags
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.tokens import count_tokens
from mnemoscope.core.votes.prompt import VotePrompt, votable
from mnemoscope.core.votes.reply import Unusable, Vote, read_vote
from mnemoscope.core.votes.voting import Poll
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.cli import run
from tests.cli_data import write_all
from tests.fault_server import Act, completion, serving

KEY = "sk-very-secret-0123456789"
VARIABLES = ("MNEMOSCOPE_ENDPOINT", "OPENAI_BASE_URL", "OPENAI_API_KEY")
ONE = Catalogue.load().named("dsv_mem")
SEVERAL = Catalogue.load().named("cue_mem")

needs_llm = pytest.mark.skipif(find_spec("openai") is None, reason="the extra llm is not installed")


# Replies


@pytest.mark.parametrize(
    "text",
    [
        '{"tag": "stale_value", "reason": "old"}',
        '  {"reason": "old", "tag": "stale_value"}\n',
        '```json\n{"tag": "stale_value", "reason": "old"}\n```',
        '```\n{"tag": "stale_value", "reason": "old"}\n```',
    ],
)
def test_a_vote_is_one_json_object_in_a_fence_or_not(text: str) -> None:
    assert read_vote(text, ONE) == Vote(("stale_value",), "old")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("stale_value", "expected one JSON object"),
        ('Sure! {"tag": "stale_value"}', "expected one JSON object"),
        ('{"tag": "stale_value"} {"tag": "other"}', "expected one JSON object"),
        ('["stale_value"]', "expected a JSON object"),
        ('{"tags": ["stale_value"]}', "found 'tags', expected tag and reason"),
        ('{"tag": "stale_value", "why": ""}', "expected tag and reason"),
        ('{"tag": "stale_value", "tag": "other"}', "expected one JSON object"),
        ('{"tag": ["stale_value", "other"]}', "the tag is no text"),
        ('{"tag": "Stale value"}', "'Stale value' is none of the labels"),
        ('{"tag": "gold_error"}', "'gold_error' is none of the labels"),
        ('{"tag": ""}', "is none of the labels"),
        ('{"tag": "other", "reason": 3}', "the reason is no text"),
        ("[" * 100_000, "expected one JSON object"),
        ("", "expected one JSON object"),
    ],
)
def test_anything_else_is_no_vote(text: str, why: str) -> None:
    found = read_vote(text, ONE)
    assert isinstance(found, Unusable)
    assert why in found.why


def test_several_labels_may_be_none_and_one_label_none_of_these() -> None:
    text = '{"tags": ["retrieval_miss", "unsupported_claim", "retrieval_miss"], "reason": "r"}'
    assert read_vote(text, SEVERAL) == Vote(("retrieval_miss", "unsupported_claim"), "r")
    assert read_vote('{"tags": [], "reason": ""}', SEVERAL) == Vote((), "")
    assert read_vote('{"tag": "none"}', ONE) == Vote((), "")
    assert isinstance(read_vote('{"tags": ["none"]}', SEVERAL), Unusable)
    assert isinstance(read_vote('{"tags": "retrieval_miss"}', SEVERAL), Unusable)


# Prompts


def test_the_prompt_offers_every_tag_of_a_record_in_order_and_names_itself() -> None:
    prompt = VotePrompt.of(ONE)
    offered = [line.split()[1] for line in prompt.system.splitlines() if line.startswith("- ")]
    assert offered == [*(tag.slug for tag in votable(ONE)), "none:"]
    assert "gold_error" not in prompt.system
    assert "Which stage failed first?" in prompt.system
    name, digest = prompt.name.split()
    assert (name, len(digest)) == ("one-1", 12)
    assert VotePrompt.of(SEVERAL).name.startswith("several-1 ")
    with pytest.raises(UsageError, match="cue_review reviews data"):
        VotePrompt.of(Catalogue.load().named("cue_review"))


def test_a_slot_in_the_material_is_not_filled_in_again() -> None:
    _, user = VotePrompt.of(ONE).messages("{tags} {material} \ud800 \\1")
    assert "{tags} {material} ? \\1" in user["content"]


def test_tokens_are_counted_as_tiktoken_does_without_a_network() -> None:
    assert count_tokens("hello world 西湖划船") == 10
    assert count_tokens("<|endoftext|> \ud800") == count_tokens("<|endoftext|> ?")
    assert count_tokens("") == 0


# The verb


Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMOSCOPE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MNEMOSCOPE_CONFIG", str(tmp_path / "config" / "config.toml"))
    monkeypatch.setenv("MNEMOSCOPE_API_KEY", KEY)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)

    async def sleep(_: float) -> None:
        pass

    patient = partial(Endpoint, patience=Patience(sleep=sleep))
    monkeypatch.setattr(endpoint_module, "Endpoint", patient)
    return tmp_path


@pytest.fixture
def tags(capsys: pytest.CaptureFixture[str]) -> Call:
    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["tags", *arguments])
        return code, *capsys.readouterr()

    return call


def opened(folder: Path | None = None) -> tuple[Workspace, WorkspaceTags]:
    workspace = with_tags(open_workspace(OpenRequest(Path("cue"), (Path("runs"),))), folder=folder)
    assert workspace.tags is not None
    return workspace, workspace.tags


def says(*slugs: str, reason: str = "seen") -> Act:
    return Act(completion(json.dumps({"tags": slugs, "reason": reason})))


def voted(model: str) -> list[tuple[Target, tuple[str, ...]]]:
    _, tags = opened()
    return [(s.target, s.marks.slugs("cue_mem")) for s in tags.statements(f"model:{model}")]


VOTE = ("vote", "cue", "runs", "--model", "a", "--model", "b")


@needs_llm
def test_every_model_votes_on_every_answer_that_is_not_right(here: Path, tags: Call) -> None:
    with serving(says("retrieval_miss", "unsupported_claim")) as server:
        code, out, err = tags(*VOTE, "--endpoint", server.url, "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert [(one["model"], one["voted"], one["failed"]) for one in data["models"]] == [
        ("a", 7, 0),
        ("b", 7, 0),
    ]
    assert data["models"][0]["prompt_tokens_used"] == 77
    assert {body["model"] for body in server.asked} == {"a", "b"}
    assert set(server.keys) == {KEY}
    assert [slugs for _, slugs in voted("a")] == [("retrieval_miss", "unsupported_claim")] * 7
    (path,) = (here / "data").rglob("model-a.jsonl")
    events, defects = read_events(path)
    assert (len(events), defects) == (14, [])
    assert {event.prompt for event in events} == {data["prompt"]}
    assert {event.text for event in events} == {"seen"}
    assert all(event.answer for event in events)
    code, out, _ = tags("agree", "cue", "runs", "--json")
    (found,) = json.loads(out)["taxonomies"]
    assert found["reviewed"] == {"model:a": 7, "model:b": 7}
    assert (found["models_unanimous"]["value"], found["models_unanimous"]["n"]) == (1, 7)
    assert "all models agree                         7  100.0 %" in tags("agree", "cue", "runs")[1]
    assert json.loads(tags("export", "cue", "runs", "--json")[1])["rows"][0]["reason"] == "seen"


@needs_llm
def test_what_a_model_has_voted_on_is_not_asked_again(here: Path, tags: Call) -> None:
    with serving(says("retrieval_miss")) as server:
        assert tags(*VOTE, "--endpoint", server.url, "--filter", "id:Hobby-4")[0] == 0
        assert len(server.asked) == 4
        assert tags(*VOTE, "--model", "c", "--endpoint", server.url)[0] == 0
        assert len(server.asked) == 21
        assert tags(*VOTE, "--endpoint", server.url)[0] == 0
        assert len(server.asked) == 21


@needs_llm
def test_a_reply_that_cannot_be_used_is_a_failure_and_asked_again(here: Path, tags: Call) -> None:
    bad = Act(completion("I think it is a retrieval miss."))
    arguments = ("vote", "cue", "runs", "--model", "a", "--at-once", "1")
    with serving(bad, Act.error(400, "no"), says("run_error")) as server:
        code, out, err = tags(*arguments, "--endpoint", server.url, "--json")
        assert code == 3
        data = json.loads(out)
        assert [one["kind"] for one in data["failures"]] == ["unusable", "refused"]
        assert "expected one JSON object" in err
        assert len(voted("a")) == 5
        code, out, err = tags(*arguments, "--endpoint", server.url)
        assert (code, err) == (0, "")
    assert len(server.asked) == 9
    assert len(voted("a")) == 7


@needs_llm
@pytest.mark.parametrize(
    ("act", "said"),
    [
        (Act.error(401, f"bad key {KEY}"), "unauthorised: HTTP 401"),
        (Act.error(404, "no model a"), "no model a"),
        (Act.error(429, "pay", code="insufficient_quota"), "quota"),
    ],
)
def test_where_asking_on_does_not_help_one_stops_with_exit_code_5(
    here: Path, tags: Call, act: Act, said: str
) -> None:
    arguments = ("vote", "cue", "runs", "--model", "a", "--at-once", "1")
    with serving(says(), says("run_error"), act) as server:
        code, out, err = tags(*arguments, "--endpoint", server.url)
    assert (code, out) == (5, "")
    assert said in err
    assert "note: 2 votes are kept" in err
    assert len(server.asked) == 3
    assert [slugs for _, slugs in voted("a")] == [(), ("run_error",)]
    code, _, err = tags(*arguments, "--endpoint", server.url)
    assert code == 5
    assert "unreachable" in err


def test_a_dry_run_says_what_would_be_asked_and_asks_nothing(here: Path, tags: Call) -> None:
    code, out, err = tags(*VOTE, "--of", "dsv_mem", "--dry-run", "--json")
    assert (code, err) == (0, "")
    one, other = json.loads(out)["models"]
    assert (one["answers"], one["voted_before"], one["calls"]) == (7, 0, 7)
    assert one["reply_tokens_at_most"] == 7 * 1024
    workspace, found = opened()
    poll = Poll(workspace, found, ONE, ("a",), workspace.runs)
    texts = [m["content"] for case, _ in poll.cases for m in poll.messages(case)]
    assert one["prompt_tokens"] == other["prompt_tokens"] == sum(map(count_tokens, texts))
    assert "nothing was asked" in tags(*VOTE, "--dry-run")[1]
    assert not (here / "data").exists()
    assert "no endpoint is named" in tags(*VOTE)[2]
    assert "reviews data" in tags(*VOTE, "--of", "cue_review")[2]


def test_a_judge_is_told_gold_evidence_and_answer_and_not_the_system(
    here: Path, tags: Call
) -> None:
    workspace, found = opened()
    poll = Poll(workspace, found, SEVERAL, ("a",), [workspace.run("LTMemory")])
    case, _ = poll.cases[0]
    assert case.question.id == "Hobby-4"
    _, user = poll.messages(case)
    text = user["content"]
    for part in (
        "A. choice a of Hobby-4",
        "# Right answer\nA. choice a of Hobby-4",
        "why Hobby-4 is A",
        "## D01-001.wav",
        "a sewing machine",
        "## 1 D00:00 (01/12/2025)\nuser: I water the ferns at seven.",
        "# The assistant's answer, which was judged wrong\nB",
        "## Its reasoning\nIt was said.",
    ):
        assert part in text
    assert "LTMemory" not in text
    case, _ = poll.cases[1]
    assert case.question.id == "Food-5"
    text = poll.messages(case)[1]["content"]
    evidence = text.partition("# Evidence")[2].partition("# What the memory")[0]
    assert evidence.count("晚上只喝冷泡乌龙茶。") == 1, "a clue that is a round stands there once"


@needs_llm
def test_votes_that_were_written_outlive_the_process(here: Path, tags: Call) -> None:
    release = [says("run_error") for _ in range(6)]
    held = Act(completion("late"), hold=True)
    with serving(*release, held) as server:
        script = "from mnemoscope.tui.cli import main; main()"
        command = (*VOTE, "--endpoint", server.url, "--at-once", "2")
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        child = subprocess.Popen(
            [sys.executable, "-P", "-c", script, "tags", *command],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        until = time.monotonic() + 60
        while len(server.asked) < 8 and time.monotonic() < until:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        server.let_go.set()
    kept = len(voted("a")) + len(voted("b"))
    assert kept == 6
    with serving(says("run_error")) as server:
        assert tags(*VOTE, "--endpoint", server.url)[0] == 0
    assert len(server.asked) == 8
    assert (len(voted("a")), len(voted("b"))) == (7, 7)


@needs_llm
def test_the_key_is_in_no_file_and_no_output(here: Path, tags: Call) -> None:
    config = here / "config" / "config.toml"
    outputs: list[str] = []
    acts = (says(reason=f"{KEY} it was"), Act.error(400, KEY), Act(completion(KEY)), says())
    with serving(*acts) as server:
        arguments = (*VOTE, "--endpoint", server.url, "--at-once", "1")
        outputs += tags(*arguments, "--json")[1:]
    with serving(Act.error(401, KEY)) as server:
        refused = ("vote", "cue", "runs", "--model", "c", "--endpoint", server.url)
        outputs += tags(*refused)[1:]
        outputs += tags(*refused, "--debug")[1:]
    outputs += tags(*VOTE, "--endpoint", f"http://{KEY}@h/v1")[1:]
    outputs += tags(*VOTE, "--dry-run")[1:]
    outputs += tags("export", "cue", "runs")[1:]
    assert not [one for one in outputs if KEY in one]
    written = [path for path in here.rglob("*") if path.is_file() and path != config]
    assert len(written) > 5
    assert not [path for path in written if KEY.encode() in path.read_bytes()]


@needs_llm
def test_votes_are_undone_and_asked_for_anew(here: Path, tags: Call) -> None:
    vote = ("vote", "cue", "runs", "--model", "a")
    undo = ("undo", "cue", "runs", "--annotator", "model:a")
    with serving(says("retrieval_miss", "run_error")) as server:
        assert tags(*vote, "--endpoint", server.url)[0] == 0
        code, out, err = tags(*undo, "--all", "--json")
        assert (code, err) == (0, "")
        assert json.loads(out) == {
            "annotator": "model:a",
            "what": "undo",
            "count": 14,
            "actions": {"add": 14},
        }
        assert voted("a") == []
        assert tags(*undo, "--last", "3", "--redo")[1] == "model:a: 3 things done again (add 3)\n"
        assert len(voted("a")) == 2
        assert tags(*undo, "--last", "9")[1] == "model:a: 3 things taken back (add 3)\n"
        assert tags(*undo)[1] == "model:a: 0 things taken back\n"
        assert tags(*vote, "--endpoint", server.url)[0] == 0
    assert len(server.asked) == 14
    assert len(voted("a")) == 7
    assert "'model:b' has said nothing here; model:a has" in tags(*undo[:-1], "model:b")[2]


@needs_llm
def test_nothing_is_asked_where_the_votes_could_not_be_written(here: Path, tags: Call) -> None:
    _, other = opened(here / "tags")
    other.journal("model:b").note(Target.of_question("q"), "x")
    (here / "file").write_text("in the way")
    with serving(says("run_error")) as server:
        more = ("--endpoint", server.url, "--tags")
        code, _, err = tags(*VOTE, *more, "tags")
        assert code == 2
        assert "is being written by process" in err
        assert tags(*VOTE, *more, str(here / "file" / "tags"))[0] == 2
        other.close()
        assert server.asked == []
        assert tags(*VOTE, *more, "tags")[0] == 0


# Writing


def test_a_new_vote_takes_the_place_of_the_one_before_and_is_undone_whole(here: Path) -> None:
    workspace, found = opened(here / "tags")
    target = found.record(workspace.runs[0], workspace.runs[0].entries[0].question.key)
    journal = found.journal("model:a")
    journal.settle(target, SEVERAL, ["retrieval_miss", "run_error"], reason="r", prompt="p 1")
    journal.settle(target, SEVERAL, ["run_error", "unsupported_claim"])
    assert journal.marks(target).slugs("cue_mem") == ("run_error", "unsupported_claim")
    journal.settle(target, SEVERAL, [])
    assert journal.marks(target).slugs("cue_mem") == ()
    assert journal.marks(target).reviewed("cue_mem")
    journal.undo()
    assert journal.marks(target).slugs("cue_mem") == ("run_error", "unsupported_claim")
    with pytest.raises(UsageError, match="gold_error is a tag of a question"):
        journal.settle(target, SEVERAL, ["run_error", "gold_error"])
    found.close()
    events, _ = read_events(here / "tags" / "model-a.jsonl")
    assert [event.action for event in events] == [*[Action.ADD] * 4, Action.NONE, Action.UNDO]
    assert [event.prompt for event in events[:3]] == ["p 1", "p 1", ""]


def test_an_answer_that_changed_is_voted_on_anew(here: Path) -> None:
    workspace, found = opened(here / "tags")
    poll = Poll(workspace, found, SEVERAL, ("a",), workspace.runs)
    first, second, third = poll.ballots("a")[:3]
    journal = found.journal("model:a")
    journal.settle(first.target, SEVERAL, ["run_error"], answer="0" * 16)
    journal.settle(second.target, SEVERAL, ["run_error"])
    journal.verdict(third.target, Value.WRONG)
    left = {ballot.target for ballot in poll.ballots("a")}
    assert {first.target, third.target} <= left
    assert second.target not in left
    found.close()
