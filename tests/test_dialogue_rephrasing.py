"""Turns in a model's words: used where the check has nothing against them, and else not."""

import asyncio
import re
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import pytest

from mnemoscope.core.backbones.endpoint import Endpoint, Patience
from mnemoscope.core.backbones.settings import EndpointSettings
from mnemoscope.core.errors import ProviderError
from mnemoscope.core.harness.dialogue.conformity import dialogue_findings
from mnemoscope.core.harness.dialogue.rephrasing import Rephrased, prompt_id, rephrase
from mnemoscope.core.harness.dialogue.turn import Turn
from tests.dialogue_data import NAMES, dialogue_of, scenario_of
from tests.fault_server import Act, FaultServer, Json, completion, serving

pytestmark = pytest.mark.skipif(find_spec("openai") is None, reason="no extra llm")
NAME = NAMES[0]
_DRAFT = re.compile(r"BEGIN DRAFT\n(.*)\nEND DRAFT", re.DOTALL)


def draft_in(body: Json) -> str:
    found = _DRAFT.search(body["messages"][1]["content"])
    assert found
    return found[1]


def put_into(form: str, body: Json) -> str:
    return form.format(draft_in(body))


def is_again(body: Json) -> bool:
    return len(body["messages"]) > 2


def saying(words: Callable[[Json], str]) -> Callable[[Json], Act]:
    return lambda body: Act(completion(words(body)))


def asked(server: FaultServer, turns: tuple[Turn, ...], tries: int = 3) -> list[Rephrased]:
    async def ask() -> list[Rephrased]:
        patience = Patience(attempts=1)
        async with Endpoint(EndpointSettings(server.url), patience=patience) as endpoint:
            return await rephrase(turns, scenario_of(NAME), endpoint, "m", tries=tries)

    return asyncio.run(ask())


def test_rewordings_that_state_the_same_are_used() -> None:
    turns = dialogue_of(NAME)
    with serving(saying(lambda body: f"Well then. {draft_in(body)}")) as server:
        found = asked(server, turns)
    assert [one.turn.text for one in found] == [f"Well then. {one.text}" for one in turns]
    assert {one.model for one in found} == {"m"}
    assert {one.attempts for one in found} == {1}
    assert [one.turn.picture for one in found] == [one.picture for one in turns]
    assert dialogue_findings([one.turn for one in found], scenario_of(NAME)) == []


def test_a_model_is_told_what_was_wrong_and_asked_again() -> None:
    def words(body: Json) -> str:
        return draft_in(body) + (" Gladly." if is_again(body) else " It is 4711 now, T014.")

    turns = dialogue_of(NAME)[:6]
    with serving(saying(words)) as server:
        found = asked(server, turns)
    for draft, one in zip(turns, found, strict=True):
        assert one.turn.text == f"{draft.text} Gladly."
        assert one.attempts == 2
        assert "'4711'" in one.problems[0]
        assert "'T014'" in one.problems[0]
    again = [body["messages"] for body in server.asked if is_again(body)]
    assert all(
        "- found '4711', expected no number that is not its own" in one[-1]["content"]
        for one in again
    )
    assert all(one[-2]["role"] == "assistant" for one in again)


def test_what_fails_again_and_again_leaves_the_template_and_is_recorded() -> None:
    turns = dialogue_of(NAME)[:8]
    with serving(saying(lambda body: "There are 4711 of them.")) as server:
        found = asked(server, turns, tries=2)
    assert [one.turn for one in found] == list(turns)
    assert {one.model for one in found} == {""}
    assert {one.attempts for one in found} == {2}
    assert all(len(one.problems) == 2 for one in found)
    assert len(server.asked) == 16


def test_a_value_that_is_lost_or_changed_is_refused() -> None:
    turns = dialogue_of(NAME)
    with_values = tuple(
        one for one in turns if re.search(r"(?m)^- .*\d", one.text) and not one.picture
    )
    assert len(with_values) > 3
    lose = serving(saying(lambda body: re.sub(r"(?m)^- .*$", "", draft_in(body), count=1)))
    change = serving(saying(lambda body: re.sub(r"(?m)(^- .*)\d", r"\g<1>77", draft_in(body))))
    for fault in (lose, change):
        with fault as server:
            found = asked(server, with_values, tries=1)
        assert [one.turn for one in found] == list(with_values)
        assert all(one.problems for one in found)


def test_a_model_never_sees_what_only_a_picture_shows() -> None:
    """The draft, and what was said before it, is all that it gets of the scenario."""
    turns = dialogue_of(NAME)
    with serving(saying(draft_in)) as server:
        asked(server, turns)
    prompts = "\n".join(one["content"] for body in server.asked for one in body["messages"])
    rest = prompts
    for one in sorted((one.text for one in turns), key=len, reverse=True):
        rest = rest.replace(one, "")
    assert not re.search(r"\d", rest)


def test_endless_and_repeated_rewordings_are_refused() -> None:
    turns = dialogue_of(NAME)[1:8:2]
    with serving(saying(lambda body: draft_in(body) + " indeed" * 200)) as server:
        found = asked(server, turns, tries=1)
    assert all("words, expected at most" in one.problems[0] for one in found)
    with serving(saying(lambda body: "As you wish.")) as server:
        found = asked(server, turns, tries=1)
    assert [one.turn.text for one in found] == ["As you wish.", *(one.text for one in turns[1:])]
    assert found[1].problems == ("it was said before in the same words",)


def test_what_models_put_around_a_message_is_taken_off() -> None:
    turns = dialogue_of(NAME)[1:2]
    for around in ('"{}"', "```\n{}\n```", "```text\n{}\n```", "\n\n{}\n"):
        with serving(saying(partial(put_into, around))) as server:
            (found,) = asked(server, turns)
        assert found.turn.text == turns[0].text


def test_a_reply_that_fails_leaves_the_template_and_a_refused_key_ends_it() -> None:
    turns = dialogue_of(NAME)[:2]
    with serving(Act.error(500, "no luck")) as server:
        found = asked(server, turns)
    assert [one.turn for one in found] == list(turns)
    assert all("no luck" in one.problems[0] for one in found)
    with serving(Act.error(401, "who are you")) as server, pytest.raises(ProviderError) as caught:
        asked(server, turns)
    assert "who are you" in str(caught.value)


def test_the_prompt_has_a_version_and_a_hash() -> None:
    assert re.fullmatch(r"rephrase-1 [0-9a-f]{12}", prompt_id())
