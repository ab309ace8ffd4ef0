"""What a review came to: the rule of acceptance, kappas, and an adjudicator's word."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from mnemoscope.analyses.tag_agreement import disagreements, tag_agreement
from mnemoscope.analyses.tag_frame import decided, frequencies, tag_frame
from mnemoscope.analyses.tag_review import Decision, TagReview, is_review, review
from mnemoscope.core.errors import UsageError
from mnemoscope.core.tags.events import Target
from mnemoscope.core.tags.reading import with_tags
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Workspace
from tests.workspace_data import a_question, a_record, a_release, a_run, a_workspace

KEYS = [f"p0/q/{number}" for number in range(6)]
CHOICES = {"a": "accept", "r": "repair", "x": "reject"}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    run = a_run("one", [a_record(key, False) for key in KEYS])
    release = a_release([a_question(key) for key in KEYS])
    opened = with_tags(a_workspace(release, run), folder=tmp_path / "tags")
    yield opened
    tags_of(opened).close()


def tags_of(workspace: Workspace) -> WorkspaceTags:
    assert workspace.tags is not None
    return workspace.tags


def reviewed(workspace: Workspace, annotator: str, said: Mapping[int, str]) -> None:
    """Judge naturalness, coherence and validity of questions by a letter each; a dot is nothing."""
    tags = tags_of(workspace)
    taxonomy = tags.catalogue.named("cue_review")
    for number, letters in said.items():
        for dimension, letter in zip(
            ("naturalness", "coherence", "validity"), letters, strict=True
        ):
            if letter != ".":
                slug = f"{dimension}_{CHOICES[letter]}"
                target = Target.of_question(KEYS[number])
                tags.journal(annotator).add(target, taxonomy, slug)
    tags.changed()


def came_to(workspace: Workspace, adjudicator: str = "", least: int = 0) -> TagReview:
    tags = tags_of(workspace)
    return review(tags, tags.catalogue.named("cue_review"), adjudicator, least)


def decisions(found: TagReview) -> dict[int, Decision]:
    return {KEYS.index(one.target.question): one.decision for one in found.reviewed}


def test_a_sample_stands_when_all_accept_all_dimensions_and_any_difference_is_adjudicated(
    workspace: Workspace,
) -> None:
    reviewed(workspace, "a1", {0: "aaa", 1: "aaa", 2: "ara", 3: "rax", 4: "aaa", 5: "aa."})
    reviewed(workspace, "a2", {0: "aaa", 1: "aar", 2: "ara", 3: "rax", 5: "aaa"})
    assert decisions(came_to(workspace)) == {
        0: Decision.ACCEPTED,
        1: Decision.ADJUDICATE,
        2: Decision.REPAIR,
        3: Decision.REJECTED,
        4: Decision.WAITING,
        5: Decision.WAITING,
    }


def test_fewer_annotators_are_enough_when_that_is_said_and_a_difference_never_waits(
    workspace: Workspace,
) -> None:
    reviewed(workspace, "a1", {0: "aaa", 1: "aaa"})
    reviewed(workspace, "a2", {1: "r.."})
    reviewed(workspace, "a3", {2: "aaa"})
    assert decisions(came_to(workspace)) == {
        0: Decision.WAITING,
        1: Decision.ADJUDICATE,
        2: Decision.WAITING,
    }
    assert decisions(came_to(workspace, least=1)) == {
        0: Decision.ACCEPTED,
        1: Decision.ADJUDICATE,
        2: Decision.ACCEPTED,
    }


def test_the_kappa_of_each_dimension_and_their_mean_are_those_worked_out_by_hand(
    workspace: Workspace,
) -> None:
    reviewed(workspace, "a1", {0: "aaa", 1: "aaa", 2: "raa", 3: "ara"})
    reviewed(workspace, "a2", {0: "aaa", 1: "raa", 2: "raa", 3: "aaa"})
    found = came_to(workspace)
    by_dimension = {one.what: one.fleiss for one in found.by_dimension}
    # Naturalness: 3 of 4 agree; of 8 labels 5 accept, 3 repair.
    chance = (5 / 8) ** 2 + (3 / 8) ** 2
    natural = (3 / 4 - chance) / (1 - chance)
    assert by_dimension["dialogue_naturalness"].value == pytest.approx(natural)
    # Coherence: 3 of 4 agree; 7 accept, 1 repair.
    chance = (7 / 8) ** 2 + (1 / 8) ** 2
    coherent = (3 / 4 - chance) / (1 - chance)
    assert by_dimension["multimodal_coherence"].value == pytest.approx(coherent)
    assert by_dimension["evidence_validity"].value is None, "one label only has no kappa"
    assert found.mean_kappa.value == pytest.approx((natural + coherent) / 2)
    assert (found.mean_kappa.n, found.mean_kappa.note) == (4, "2 of 3 dimensions")


def test_the_word_of_the_adjudicator_decides_and_is_no_part_of_the_agreement(
    workspace: Workspace,
) -> None:
    reviewed(workspace, "a1", {0: "aaa", 1: "aax", 2: "arr"})
    reviewed(workspace, "a2", {0: "aar", 1: "aar", 2: "aaa"})
    before = came_to(workspace)
    # Only the dimension in dispute of the first, only one of two of the last.
    reviewed(workspace, "eve", {0: "..a", 1: "aax", 2: ".a."})
    found = came_to(workspace, "eve")
    assert decisions(found) == {
        0: Decision.ACCEPTED,
        1: Decision.REJECTED,
        2: Decision.ADJUDICATE,
    }
    assert found.annotators == ("a1", "a2")
    assert [one.fleiss for one in found.by_dimension] == [one.fleiss for one in before.by_dimension]
    assert [one.by_adjudicator for one in found.reviewed] == [True, True, False]


def test_the_queue_of_disputes_of_a_review_is_what_goes_to_adjudication(
    workspace: Workspace,
) -> None:
    reviewed(workspace, "a1", {0: "aaa", 1: "aax", 2: "arr", 3: "a.."})
    reviewed(workspace, "a2", {0: "aar", 1: "aax", 2: "aaa", 3: ".ra"})
    reviewed(workspace, "eve", {0: "..a", 2: ".a."})
    tags = tags_of(workspace)
    taxonomy = tags.catalogue.named("cue_review")
    for adjudicator, expected in (("", {0, 2}), ("eve", {2})):
        asked = ("a1", "a2") if not adjudicator else ("a1", "a2", "eve")
        queue = disagreements(tags, taxonomy, asked, adjudicator)
        assert {KEYS.index(target.question) for target in queue} == expected
        found = came_to(workspace, adjudicator or "nobody", least=1)
        if adjudicator:
            assert set(queue) == set(found.of(Decision.ADJUDICATE)), "the word of one is enough"
            assert tag_agreement(tags, taxonomy, adjudicator=adjudicator).disagreements == queue


def test_an_adjudicated_failure_leaves_the_queue_and_counts_as_the_adjudicator_says(
    workspace: Workspace,
) -> None:
    tags = tags_of(workspace)
    taxonomy = tags.catalogue.named("dsv_mem")
    run = workspace.runs[0]
    for name, slugs in (("a1", "ss"), ("a2", "ww"), ("eve", "e")):
        full = {"s": "stale_value", "w": "withdrawn_value", "e": "evidence_acquisition"}
        for number, letter in enumerate(slugs):
            tags.journal(name).add(tags.record(run, KEYS[number]), taxonomy, full[letter])
    tags.changed()
    found = tag_agreement(tags, taxonomy, adjudicator="eve")
    assert found.annotators == ("a1", "a2")
    assert [target.question for target in found.disagreements] == [KEYS[1]]
    assert found.adjudicated == 1
    frame = tag_frame(workspace, tags)
    counted = {slug: n for slug, n, _ in frequencies(decided(frame, "eve"), taxonomy) if n}
    assert counted == {
        "evidence_acquisition": 1,
        "state_reconstruction": 1,
        "stale_value": 1,
        "withdrawn_value": 1,
    }
    assert decided(frame, "").equals(frame)


def test_every_bundled_review_has_an_outcome_for_each_choice_and_no_failure_has(
    workspace: Workspace,
) -> None:
    catalogue = tags_of(workspace).catalogue
    assert [one.name for one in catalogue if is_review(one)] == [
        "cue_review",
        "dsv_audit",
        "session_review",
    ]
    with pytest.raises(UsageError, match="dsv_mem is no review"):
        review(tags_of(workspace), catalogue.named("dsv_mem"))
