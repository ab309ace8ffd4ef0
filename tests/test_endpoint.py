"""The endpoint client against a server on this machine that fails in every way."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.backbones.batch import as_finished
from mnemoscope.core.backbones.endpoint import Endpoint, Patience
from mnemoscope.core.backbones.replies import Failure, FailureKind, Reply, Usage
from mnemoscope.core.backbones.request import Parameters
from mnemoscope.core.backbones.settings import EndpointSettings, Secret, choose_endpoint
from mnemoscope.core.errors import UsageError
from tests.fault_server import Act, FaultServer, completion, serving

pytest.importorskip("openai", reason="the extra llm is not installed")

KEY = "sk-very-secret-0123456789"
HELLO = ({"role": "user", "content": "hello"},)
FINE = Act(completion("fine"))


def ask(server: FaultServer, **how: Any) -> tuple[Reply | Failure, list[float]]:
    """Ask the server once; the answer, and the seconds slept between attempts."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    timeout = how.pop("timeout", 5.0)
    settings = EndpointSettings(how.pop("url", server.url), Secret(KEY), timeout)

    async def main() -> Reply | Failure:
        async with Endpoint(settings, patience=Patience(sleep=sleep), **how) as endpoint:
            return await endpoint.complete("m", HELLO)

    return asyncio.run(main()), slept


def failed(result: Reply | Failure) -> Failure:
    assert isinstance(result, Failure), result
    return result


def replied(result: Reply | Failure) -> Reply:
    assert isinstance(result, Reply), result
    return result


def test_a_reply_comes_with_its_usage_and_the_papers_parameters_are_sent() -> None:
    with serving(FINE) as server:
        result, slept = ask(server)
    assert result == Reply("fine", "served", "stop", Usage(11, 7))
    assert slept == []
    assert server.keys == [KEY]
    (body,) = server.asked
    assert body == {
        "model": "m",
        "messages": list(HELLO),
        "temperature": 0,
        "max_tokens": 1024,
        "seed": 42,
    }


@pytest.mark.parametrize(
    "act",
    [
        Act.error(429),
        Act.error(500),
        Act.error(503),
        Act(completion("fine"), cut="length"),
        Act(completion("fine"), cut="chunk"),
        Act(cut="head"),
        Act(b"<html>busy</html>"),
        Act(b'{"choices": []}'),
        Act(b'{"choices": [{"message": {"content": ["x"]}}]}'),
    ],
    ids=["429", "500", "503", "cut", "cut chunk", "no head", "html", "no choice", "odd content"],
)
def test_what_may_pass_is_tried_again_after_one_second_and_two(act: Act) -> None:
    with serving(act, act, FINE) as server:
        result, slept = ask(server)
    assert replied(result).attempts == 3
    assert slept == [1, 2]


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (Act.error(429, "slow down"), FailureKind.RATE_LIMITED),
        (Act.error(500), FailureKind.SERVER),
        (Act(completion("fine"), cut="length"), FailureKind.CUT),
        (Act(b"[" * 100_000), FailureKind.BAD_REPLY),
    ],
)
def test_after_five_attempts_there_is_a_failure_of_a_kind(act: Act, kind: FailureKind) -> None:
    with serving(act) as server:
        result, slept = ask(server)
    assert (failed(result).kind, failed(result).attempts) == (kind, 5)
    assert slept == [1, 2, 4, 8]
    assert len(server.asked) == 5


def test_an_endpoint_that_asks_to_wait_is_waited_for_but_not_for_ever() -> None:
    waits = [Act.error(429, wait=wait) for wait in ("7.5", "0.1", "9999", "Wed, 21 Oct 2026")]
    with serving(*waits, FINE) as server:
        result, slept = ask(server)
    assert replied(result).text == "fine"
    assert slept == [7.5, 2, 60, 8]


def test_a_slow_endpoint_times_out() -> None:
    with serving(Act(completion("late"), hold=True)) as server:
        result, _ = ask(server, timeout=0.05)
        server.let_go.set()
    assert failed(result).kind is FailureKind.TIMEOUT
    assert "no whole reply within 0.05 s, after 5 attempts" in str(result)


@pytest.mark.parametrize(
    ("act", "kind", "said"),
    [
        (Act.error(401, "bad key"), FailureKind.UNAUTHORISED, "HTTP 401"),
        (Act.error(403), FailureKind.UNAUTHORISED, "HTTP 403"),
        (Act.error(404, "no model m"), FailureKind.NOT_FOUND, "no model m"),
        (Act.error(429, "pay", code="insufficient_quota"), FailureKind.QUOTA, "pay"),
        (Act.error(400, "no such thing"), FailureKind.REFUSED, "no such thing"),
        (Act(completion("  ")), FailureKind.BLANK, "blank"),
        (Act(completion(None, finish_reason="length")), FailureKind.BLANK, "want of room"),
        (Act(completion(None, finish_reason="content_filter")), FailureKind.REFUSED, "filter"),
    ],
)
def test_what_does_not_pass_is_not_tried_again(act: Act, kind: FailureKind, said: str) -> None:
    with serving(act) as server:
        result, slept = ask(server)
    assert (failed(result).kind, failed(result).attempts, slept) == (kind, 1, [])
    assert said in str(result)


def test_nobody_at_the_url_is_unreachable() -> None:
    with serving(FINE) as server:
        url = server.url
    result, slept = ask(server, url=url)
    assert failed(result).kind is FailureKind.UNREACHABLE
    assert slept == [1, 2, 4, 8]


def test_room_for_the_reply_is_halved_where_the_prompt_leaves_too_little() -> None:
    full = Act.error(400, "This model's maximum context length is 4096 tokens", code="x")
    with serving(full, full, FINE) as server:
        result, slept = ask(server)
    assert [body["max_tokens"] for body in server.asked] == [1024, 512, 256]
    assert (replied(result).adapted, slept) == (("max_tokens 512", "max_tokens 256"), [])
    with serving(full) as server:
        result, _ = ask(server)
    assert failed(result).kind is FailureKind.TOO_LONG
    assert [body["max_tokens"] for body in server.asked] == [1024, 512, 256, 128]


def test_parameters_that_are_not_taken_are_left_out_and_that_is_said() -> None:
    acts = [
        Act.error(400, "Unsupported parameter: 'max_tokens'", param="max_tokens"),
        Act.error(400, "temperature does not support 0", param="temperature"),
        Act.error(422, "Unrecognized request argument: seed"),
    ]
    with serving(*acts, FINE) as server:
        result, slept = ask(server, parameters=Parameters(0.0, 300, 1))
    assert slept == []
    assert replied(result).adapted == ("without max_tokens", "without temperature", "without seed")
    last = server.asked[-1]
    assert last == {"model": "m", "messages": list(HELLO), "max_completion_tokens": 300}


def test_never_more_than_so_many_are_on_their_way() -> None:
    with serving(FINE) as server:

        async def main() -> list[int]:
            async with Endpoint(EndpointSettings(server.url)) as endpoint:

                async def one(_: int) -> Reply | Failure:
                    return await endpoint.complete("m", HELLO)

                found = as_finished(range(40), one, 4)
                return [job async for job, result in found if isinstance(result, Reply)]

        assert sorted(asyncio.run(main())) == list(range(40))
    assert server.most_at_once <= 4
    assert server.keys == ["none"] * 40


def test_who_stops_listening_cancels_what_is_on_its_way() -> None:
    cancelled: list[int] = []

    async def one(job: int) -> int:
        try:
            await asyncio.sleep(job and 60)
        except asyncio.CancelledError:
            cancelled.append(job)
            raise
        return job

    async def main() -> list[int]:
        found = as_finished(range(5), one, 3)
        first = [job async for job, _ in _one(found)]
        await found.aclose()
        return first

    async def _one(found: Any) -> Any:
        async for each in found:
            yield each
            return

    assert asyncio.run(main()) == [0]
    assert cancelled == [1, 2]


# The key


def test_a_key_is_shown_nowhere_even_where_the_endpoint_repeats_it() -> None:
    assert KEY not in repr(EndpointSettings("http://localhost:1/v1", Secret(KEY)))
    echoes: Sequence[Act] = [
        Act.error(401, f"Incorrect API key provided: {KEY}"),
        Act(f"you sent {KEY}".encode()),
    ]
    for act in echoes:
        with serving(act) as server:
            result, _ = ask(server)
        assert KEY not in str(failed(result))
        assert "[key]" in str(result)
    with serving(Act(completion(f"your key is {KEY}"))) as server:
        result, _ = ask(server)
    assert replied(result).text == "your key is [key]"


def test_the_library_logs_no_key_whatever_it_is_told_to_log() -> None:
    script = (
        "from tests.test_endpoint import ask\n"
        "from tests.fault_server import *\n"
        "with serving(Act.error(401, 'no'), Act(completion('x'))) as server:\n"
        "    print(ask(server)); print(ask(server))\n"
    )
    paths = [*sys.path, str(Path(__file__).parents[1])]
    environ = {**os.environ, "OPENAI_LOG": "debug", "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environ
    )
    assert done.returncode == 0, done.stderr
    assert "unauthorised" in done.stdout
    assert "DEBUG" in done.stderr
    assert KEY not in done.stdout + done.stderr


def test_a_key_goes_only_where_it_was_meant_to_go() -> None:
    here, openai = "http://localhost:8000/v1", "https://api.openai.com/v1"

    def chosen(environ: dict[str, str], **more: str) -> tuple[str, str]:
        found = choose_endpoint(environ, **more)  # type: ignore[arg-type]
        return found.url, found.key.reveal()

    assert chosen({"OPENAI_API_KEY": "o"}) == (openai, "o")
    assert chosen({"OPENAI_API_KEY": "o"}, url=here) == (here, "")
    assert chosen({"OPENAI_API_KEY": "o", "OPENAI_BASE_URL": here + "/"}) == (here, "o")
    assert chosen({"MNEMOSCOPE_API_KEY": "m ", "MNEMOSCOPE_ENDPOINT": here}) == (here, "m")
    assert chosen({}, config_url=here, config_key="c") == (here, "c")
    assert chosen({"MNEMOSCOPE_API_KEY": "m"}, config_url=here, config_key="c") == (here, "m")
    assert chosen({}, url=openai, config_url=here, config_key="c") == (openai, "")
    with pytest.raises(UsageError, match="no endpoint is named"):
        choose_endpoint({})


@pytest.mark.parametrize(
    "url",
    [
        f"https://me:{KEY}@host/v1",
        f"https://host/v1?api-key={KEY}",
        f"https://host/v1#{KEY}",
        f"ftp://{KEY}/v1",
        f"http://[{KEY}/v1",
        KEY,
    ],
)
def test_a_url_that_cannot_be_used_is_not_repeated_for_it_may_hold_a_key(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_endpoint({}, url=url)
    assert KEY not in str(caught.value)
    assert KEY not in caught.value.hint


def test_no_proxy_leads_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with serving(FINE) as server:
        assert replied(ask(server)[0]).text == "fine"
    assert EndpointSettings("http://localhost:1/v1").is_local
    assert EndpointSettings("http://[::1]:1/v1").is_local
    assert not EndpointSettings("https://api.openai.com/v1").is_local


def test_without_the_extra_one_is_told_what_to_install() -> None:
    script = (
        "import sys; sys.modules['openai'] = None\n"
        "from mnemoscope.core.backbones.endpoint import Endpoint\n"
        "from mnemoscope.core.backbones.settings import EndpointSettings\n"
        "try: Endpoint(EndpointSettings('http://localhost:1'))\n"
        "except Exception as error: print(type(error).__name__, error, error.hint)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True)
    assert "UsageError asking a model needs the extra llm: openai is not" in done.stdout
    assert "pip install 'mnemoscope[llm]'" in done.stdout


def test_messages_of_parts_go_out_as_they_are() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    messages = ({"role": "user", "content": [{"type": "text", "text": "what?"}, picture]},)
    with serving(FINE) as server:

        async def main() -> Reply | Failure:
            async with Endpoint(EndpointSettings(server.url)) as endpoint:
                return await endpoint.complete("m", messages)

        asyncio.run(main())
    assert server.asked[0]["messages"] == json.loads(json.dumps(messages))
