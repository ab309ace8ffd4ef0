from pathlib import Path

import pytest

from mnemoscope.core.errors import InputError, ReadError, UsageError
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.taxonomy import Labels, Purpose, TargetKind, Taxonomy

SMALL = """
schema_version = 1
name = "small"
version = 2
title = "Small"
labels = "one"

[[stages]]
slug = "early"
title = "Early"

[[tags]]
slug = "lost"
title = "lost"
stage = "early"

[[tags]]
slug = "lost_twice"
title = "lost twice"
parent = "lost"

[[tags]]
slug = "bad_gold"
title = "bad gold"
target = "question"

[[tags]]
slug = "old"
title = "old"
retired = true
"""


def taxonomy(text: str = SMALL) -> Taxonomy:
    return Taxonomy.parse(text.encode(), Path("small.toml"))


def refusal(text: str) -> str:
    with pytest.raises(ReadError) as caught:
        taxonomy(text)
    return str(caught.value)


def test_the_bundled_taxonomies_hold_the_tags_of_the_papers() -> None:
    catalogue = Catalogue.load()
    cue, dsv = catalogue.named("cue_mem"), catalogue.named("dsv_mem")
    assert [tag.slug for tag in cue.tags] == [
        *("textualization_miss", "association_failure", "retrieval_miss"),
        *("distractor_dominance", "evidence_use_failure", "unsupported_inference"),
        *("unsupported_claim", "unwarranted_refusal"),
        *("gold_error", "judge_error", "run_error"),
    ]
    assert cue.labels is Labels.SEVERAL
    assert list(cue.lineage("unwarranted_refusal")) == [
        "unwarranted_refusal",
        "unsupported_inference",
    ]
    assert dsv.labels is Labels.ONE
    kinds = [tag.slug for tag in dsv.tags if tag.parent == "state_reconstruction"]
    assert set(kinds) == {
        *("lost_or_collapsed_update", "stale_value", "mis_integrated_update", "wrong_entity"),
        *("wrong_authority", "withdrawn_value", "compute_on_wrong_state"),
    }
    top = [tag.slug for tag in dsv.tags if not tag.parent]
    assert top == [
        *("evidence_acquisition", "state_reconstruction", "downstream_computation"),
        *("decision_response", "other", "gold_error", "judge_error", "run_error"),
    ]
    assert catalogue.usual("cue-mem") is cue
    assert catalogue.usual("dsv-mem") is dsv
    assert catalogue.usual("locomo").name == "general"
    reviews = {one.name for one in catalogue if one.purpose is Purpose.REVIEW}
    assert reviews == {"cue_review", "dsv_audit", "session_review"}
    assert [len(one.tags) for one in (catalogue.named("cue_review"),)] == [9]


@pytest.mark.parametrize("name", list(Catalogue.load().taxonomies))
def test_every_bundled_tag_has_its_help_and_every_gold_error_is_of_the_question(name: str) -> None:
    found = Catalogue.load().named(name)
    assert found.about
    assert found.asks
    assert all(stage.question for stage in found.stages)
    for tag in found.tags:
        assert tag.help or found.purpose is Purpose.REVIEW
        if tag.slug == "gold_error":
            assert found.target_of(tag) is TargetKind.QUESTION


def test_keys_are_digits_then_letters_that_are_free() -> None:
    assert taxonomy().keys() == {"1": "lost", "2": "lost_twice", "3": "bad_gold"}
    keyed = SMALL.replace('title = "lost"\n', 'title = "lost"\nkey = "2"\n')
    assert taxonomy(keyed).keys() == {"2": "lost", "1": "lost_twice", "3": "bad_gold"}
    digits = "0123456789"
    assert taxonomy(keyed).keys(reserved=f"{digits}ac") == {
        "b": "lost",
        "d": "lost_twice",
        "e": "bad_gold",
    }


def test_one_label_rules_out_the_others_of_the_same_target() -> None:
    one = taxonomy()
    assert one.rivals("lost") == {"lost_twice", "old"}
    assert one.rivals("bad_gold") == frozenset()
    assert taxonomy(SMALL.replace('"one"', '"several"')).rivals("lost") == frozenset()
    review = Catalogue.load().named("cue_review")
    assert review.rivals("coherence_repair") == {"coherence_accept", "coherence_reject"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "small"', "name = 3", "$.name: found int 3, expected text"),
        ("version = 2", "version = 0", "$.version: found int 0"),
        ('title = "Small"\n', "", "$.title: found nothing, expected a value"),
        ('labels = "one"', 'labels = "lots"', "$.labels: found 'lots', expected 'one', 'several'"),
        ('slug = "old"', 'slug = "lost"', "tags that differ ('lost' stands twice)"),
        ('stage = "early"', 'stage = "late"', "a stage of the taxonomy (lost names 'late')"),
        ('parent = "lost"', 'parent = "gone"', "as parent (lost_twice names 'gone')"),
        ('parent = "lost"', 'parent = "lost_twice"', "parents that end somewhere (lost_twice"),
        ('slug = "old"', 'slug = "Old one"', "$.tags[3].slug: found 'Old one'"),
        ("retired = true", 'key = "0"', "a key other than 0 (old)"),
        ("retired = true", 'colour = "red"', "$.tags[3].colour: found 'red', expected no such key"),
        ('labels = "one"', 'labels = "one_per_stage"', "a stage for every tag (lost_twice"),
        ("[[tags]]", "[[tags", "line 12 column 7: found '[[tags', expected TOML (Expected"),
    ],
)
def test_a_broken_taxonomy_is_refused_with_its_place(old: str, new: str, said: str) -> None:
    assert old in SMALL
    message = refusal(SMALL.replace(old, new))
    assert message.startswith("small.toml: ")
    assert said in message, message
    assert "\n" not in message


def test_bytes_that_are_not_text_and_a_later_version_are_refused() -> None:
    with pytest.raises(ReadError, match="byte 1: found a byte that is not UTF-8"):
        Taxonomy.parse(b"a\xff", Path("x.toml"))
    with pytest.raises(InputError, match="has schema_version 2; this mnemoscope reads up to 1"):
        taxonomy(SMALL.replace("schema_version = 1", "schema_version = 2"))


def test_a_users_own_taxonomy_stands_beside_the_bundled_ones_or_replaces_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "broken.toml").write_text("name = ")
    (tmp_path / "cue.toml").write_text(SMALL.replace('"small"', '"cue_mem"'))
    catalogue = Catalogue.load(tmp_path)
    assert catalogue.named("small").version == 2
    assert catalogue.files["small"] == str(tmp_path / "small.toml")
    assert catalogue.named("cue_mem").tags[0].slug == "lost"
    (defect,) = catalogue.defects
    assert defect.code == "unreadable_file"
    assert defect.file.endswith("broken.toml")
    with pytest.raises(ReadError, match="broken"):
        Catalogue.load(files=[tmp_path / "broken.toml"])
    assert Catalogue.load(tmp_path / "absent").defects == ()
    with pytest.raises(UsageError, match="no taxonomy 'none'; there are cue_mem"):
        catalogue.named("none")


def test_a_tag_that_a_taxonomy_has_no_more_is_shown_by_its_slug() -> None:
    catalogue = Catalogue.load()
    assert catalogue.title("cue_mem", "retrieval_miss") == "retrieval miss"
    assert catalogue.title("cue_mem", "gone_now") == "gone_now (former)"
    assert catalogue.title("gone", "retrieval_miss") == "retrieval_miss (former)"
