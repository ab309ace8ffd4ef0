"""The agent proposer on a loopback endpoint: asked, refused, asked again, never replaced."""

import json
from collections import Counter
from importlib.util import find_spec
from typing import Any

import pytest

from mnemoscope.core.backbones.endpoint import Endpoint, Patience
from mnemoscope.core.backbones.settings import EndpointSettings
from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import ProviderError
from mnemoscope.core.harness.agent import Agent, read_proposal
from mnemoscope.core.harness.agent_prompt import messages, prompt_id
from mnemoscope.core.harness.expert import Expert
from mnemoscope.core.harness.inventory import default_inventory
from mnemoscope.core.harness.proposing import Refusal
from mnemoscope.core.harness.task import Task, UnusableError
from mnemoscope.core.harness.trajectory import UngeneratedError, generate_trajectory
from mnemoscope.core.state.component import ABSENT, cell, member, members
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Operator
from mnemoscope.core.truth.audit import audit
from mnemoscope.core.truth.schema_values import content_json
from tests.fault_server import Act, FaultServer, completion, serving
from tests.pack_data import PACKS, beginning
from tests.test_scenarios import silent_history

NAMES = list(PACKS)
needs_llm = pytest.mark.skipif(find_spec("openai") is None, reason="the extra llm is not installed")

# Any: JSON.
Json = dict[str, Any]


def task(operator: Operator, name: str = NAMES[0], **more: Any) -> Task:
    return Task(PACKS[name], operator, beginning(name), next_key=40, **more)


def as_reply(mutation: Mutation) -> str:
    """What a model would say to propose a mutation."""
    data: Json = {
        "cells": [
            {"entity": one.entity, "field": one.field}
            | ({"delta": one.delta} if one.value is ABSENT else {"value": one.value})
            for one in mutation.cells
        ],
        "blocks": [
            {
                "transform": one.transform.value,
                "amount": one.amount,
                "entities": one.entities,
                "fields": one.fields,
            }
            for one in mutation.blocks
        ],
        "added": [{"values": one.values} for one in mutation.added],
        "removed": mutation.removed,
        "cues": [{"entity": c.entity, "field": c.field, "cue": c.cue} for c in mutation.cues],
        "rules": [{"key": one.key, "content": content_json(one.content)} for one in mutation.rules],
        "order": mutation.order,
        "sequence": mutation.sequence,
        "context": mutation.context,
        "reason": mutation.reason,
        "block": mutation.block,
    }
    return json.dumps({key: one for key, one in data.items() if one})


class Watched(Agent):
    """An agent that lets the test see what it was asked for."""

    task: Task

    def propose(self, task: Task) -> Mutation:
        self.task = task
        return super().propose(task)


async def at_once(seconds: float) -> None:
    pass


def agent_at(server: FaultServer, name: str, seed: int = 1) -> Watched:
    settings = EndpointSettings(server.url)
    return Watched(PACKS[name], seed, Endpoint(settings, patience=Patience(sleep=at_once)), "m")


@needs_llm
@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_is_proposed_by_a_model_with_every_operator(name: str) -> None:
    expert = Expert(PACKS[name], 5)
    agent: Watched

    def script(body: Json) -> Act:
        mutation = expert.propose(agent.task)
        return Act(completion(as_reply(mutation)))

    refused: list[Refusal] = []
    with serving(script) as server, agent_at(server, name) as agent:
        made = generate_trajectory(
            PACKS[name],
            1,
            agent,
            default_inventory(150, 18),
            turns=150,
            refused=refused.append,
        )
    assert set(made.truth.inventory) == set(Operator)
    log = DefectLog()
    audit(made.truth, silent_history(made), log)
    assert log.items == []
    asked = Counter(len(body["messages"]) for body in server.asked)
    assert asked[2] > 30


@needs_llm
def test_what_the_validator_says_goes_back_to_the_model() -> None:
    name = NAMES[0]
    good = Expert(PACKS[name], 5)
    agent: Watched
    said = iter(
        [
            "I would change a cell.",
            '{"cells": [{"entity": "nobody", "field": "sockets", "value": 3}]}',
            '{"cells": [{"entity": "stand_01", "field": "sockets", "value": "many"}]}',
        ]
    )

    def script(body: Json) -> Act:
        return Act(completion(next(said, "") or as_reply(good.propose(agent.task))))

    refused: list[Refusal] = []
    with serving(script) as server, agent_at(server, name) as agent:
        generate_trajectory(
            PACKS[name],
            1,
            agent,
            {Operator.TEXT_CELL_EDIT: 1},
            turns=8,
            refused=refused.append,
        )
    last = [one["content"] for one in server.asked[-1]["messages"] if one["role"] == "user"]
    assert len(last) == 4
    assert "expected one JSON object" in last[1]
    assert "target_exists: member nobody" in last[2]
    assert "value_fits: stand_01.sockets: found 'many', expected a number" in last[3]
    assert [one.final for one in refused] == [False, False, False]


@needs_llm
def test_an_operator_without_a_valid_proposal_is_named_and_another_is_sampled() -> None:
    name = NAMES[0]
    good = Expert(PACKS[name], 5)
    agent: Watched

    def script(body: Json) -> Act:
        if agent.task.operator is Operator.TEXT_ENTITY_ADD:
            return Act(completion("no idea"))
        return Act(completion(as_reply(good.propose(agent.task))))

    refused: list[Refusal] = []
    counts = {Operator.TEXT_CELL_EDIT: 3, Operator.TEXT_ENTITY_ADD: 1}
    with (
        serving(script) as server,
        agent_at(server, name) as agent,
        pytest.raises(UngeneratedError, match=r"text_entity_add: none of 3 proposals is valid"),
    ):
        generate_trajectory(
            PACKS[name], 1, agent, counts, turns=20, tries=3, refused=refused.append
        )
    given_up = [one for one in refused if one.final]
    assert given_up
    assert {one.operator for one in given_up} == {Operator.TEXT_ENTITY_ADD}


@needs_llm
def test_a_blank_reply_is_no_proposal_and_an_endpoint_that_refuses_ends_it() -> None:
    asked = task(Operator.TEXT_CELL_EDIT)
    blank, refused = Act(completion("")), Act.error(401)
    for act, error, said in (
        (blank, UnusableError, "blank"),
        (refused, ProviderError, "unauthorised"),
    ):
        with (
            serving(act) as server,
            agent_at(server, NAMES[0]) as agent,
            pytest.raises(error, match=said),
        ):
            agent.propose(asked)


@pytest.mark.parametrize(
    ("operator", "said", "problem"),
    [
        (Operator.TEXT_CELL_EDIT, "{", "expected one JSON object"),
        (Operator.TEXT_CELL_EDIT, '{"cells": [], "cells": []}', "expected one JSON object"),
        (Operator.TEXT_CELL_EDIT, '{"removed": ["stand_01"]}', "found removed, expected cells"),
        (Operator.TEXT_CELL_EDIT, '{"cells": [{"entity": "a"}]}', r"cells\[0\]\.field: found noth"),
        (Operator.TEXT_CELL_EDIT, '{"cells": [{"entity": "é", "field": "b"}]}', "plain ASCII"),
        (Operator.TEXT_ENTITY_ADD, '{"added": [{"key": "mine", "values": {}}]}', "the one key val"),
        (Operator.TEXT_RULE_CHANGE, '{"rules": [{"key": "x", "content": {"a": 1}}]}', "content"),
        (Operator.WRONG_CONTEXT_ARTIFACT, '{"content": {}}', "found content, expected context"),
    ],
)
def test_anything_but_the_form_is_refused(operator: Operator, said: str, problem: str) -> None:
    with pytest.raises(UnusableError, match=problem):
        read_proposal(task(operator), said)


def test_new_rows_get_their_keys_here() -> None:
    said = '```json\n{"added": [{"values": {"exhibitor": "A"}}, {"values": {}}]}\n```'
    found = read_proposal(task(Operator.TEXT_ENTITY_ADD), said)
    assert [one.key for one in found.added] == ["stand_40", "stand_41"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("operator", [one for one, spec in OPERATORS.items() if spec.holds])
def test_a_prompt_has_the_sheet_the_schema_and_what_must_stay(
    name: str, operator: Operator
) -> None:
    if OPERATORS[operator].wraps or operator is Operator.COMPOSITE:
        return
    first, second, *_ = members(beginning(name).visual)
    key = PACKS[name].fields[-1].key
    kept = frozenset({member(first), cell(first, key), cell(second, key)})
    system, user = messages(task(operator, name, taboo=kept))
    for field in PACKS[name].fields:
        assert field.key in system["content"]
    assert f"all of {first}, {second}.{key}" in user["content"]
    assert f'"key": "{second}"' in user["content"]
    slots = ("{what}", "{form}", "{names}", "{renames}", "{name_field}", "{contexts}", "{kept}")
    assert not any(slot in system["content"] + user["content"] for slot in slots)


def test_a_prompt_has_a_name_a_version_and_a_hash() -> None:
    assert prompt_id().startswith("proposer-1 ")
    assert len(prompt_id().split()[1]) == 12
