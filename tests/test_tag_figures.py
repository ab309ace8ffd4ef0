"""What tags add up to: filters, counts, pivots, agreement, reports, and their verbs."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from mnemoscope.analyses.tag_agreement import tag_agreement
from mnemoscope.analyses.tag_frame import COLUMNS, frequencies, pivot, since_new, tag_frame
from mnemoscope.analyses.tag_report import as_csv, as_jsonl, as_markdown
from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters import parse
from mnemoscope.core.model import Value
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.tags.events import Target
from mnemoscope.core.tags.reading import with_tags
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.cli import run
from tests.cli_data import write_all
from tests.workspace_data import a_question, a_record, a_release, a_run, a_workspace

KEYS = [f"p0/q/{number}" for number in range(6)]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """Six questions of two tasks, answered by two runs, tagged by nobody."""
    questions = [
        a_question(key, "long_pattern" if number > 3 else "entity_recall")
        for number, key in enumerate(KEYS)
    ]
    runs = [a_run(name, [a_record(key, False) for key in KEYS]) for name in ("one", "two")]
    opened = with_tags(a_workspace(a_release(questions), *runs), folder=tmp_path / "tags")
    yield opened
    tags_of(opened).close()


def tags_of(workspace: Workspace) -> WorkspaceTags:
    assert workspace.tags is not None
    return workspace.tags


def tagged(workspace: Workspace, annotator: str, said: str, taxonomy: str = "dsv_mem") -> None:
    """Tag the answers of the first run: a letter a question, a dot for nothing, 0 for none fits."""
    slugs = {"s": "stale_value", "w": "withdrawn_value", "e": "evidence_acquisition"}
    tags = tags_of(workspace)
    journal, found = tags.journal(annotator), tags.catalogue.named(taxonomy)
    for key, letter in zip(KEYS, said, strict=False):
        target = tags.record(workspace.runs[0], key)
        if letter == "0":
            journal.none_fits(target, found)
        elif letter != ".":
            journal.add(target, found, slugs[letter])
    tags.changed()


def selected(workspace: Workspace, text: str) -> list[str]:
    return [key.rpartition("/")[2] for key in parse(text).select(workspace)]


def test_a_filter_finds_tags_their_parents_flags_and_what_has_none(workspace: Workspace) -> None:
    tagged(workspace, "a1", "se.w")
    tags = tags_of(workspace)
    tags.journal("a2").add(
        Target.of_question(KEYS[4]), tags.catalogue.named("cue_mem"), "gold_error"
    )
    tags.journal("a2").flag(tags.record(workspace.runs[1], KEYS[5]))
    tags.changed()
    assert selected(workspace, "tag:stale_value") == ["0"]
    assert selected(workspace, "tag:state_reconstruction") == ["0", "3"]
    assert selected(workspace, "tag:stale,evid") == ["0", "1"]
    assert selected(workspace, "tag:any") == ["0", "1", "3", "4"]
    assert selected(workspace, "tag:none") == ["2", "5"]
    assert selected(workspace, "tag:flagged") == ["5"]
    assert selected(workspace, "!tag:any task:long_pattern") == ["5"]
    assert selected(workspace, "tag:gold_error") == ["4"]
    with pytest.raises(UsageError, match="no tag 'sleepy'; there are: any, none, flagged"):
        selected(workspace, "tag:sleepy")
    with pytest.raises(UsageError, match="column 1: tag: has nothing to look at"):
        selected(replace(workspace, tags=None), "tag:any")


def test_agreement_counts_what_both_reviewed_and_names_what_to_adjudicate(
    workspace: Workspace,
) -> None:
    tagged(workspace, "a1", "ssse0.")
    tagged(workspace, "a2", "sswe0s")
    tags = tags_of(workspace)
    tags.journal("a3").skip(tags.record(workspace.runs[0], KEYS[0]))
    found = tag_agreement(tags, tags.catalogue.named("dsv_mem"))
    assert found.reviewed == {"a1": 5, "a2": 6}
    assert (found.overall.percent.value, found.overall.percent.n) == (0.8, 5)
    # Shares of a1: s 3, e 1, none 1; of a2: s 2, w 1, e 1, none 1; of 5 each.
    chance = (3 * 2 + 1 + 1) / 25
    assert found.overall.cohen.value == pytest.approx((0.8 - chance) / (1 - chance))
    assert [str(target) for target in found.disagreements] == [KEYS[2]]
    by_tag = {one.what: one.percent.value for one in found.by_tag}
    assert by_tag == {
        "evidence_acquisition": 1,
        "state_reconstruction": 1,
        "stale_value": 0.8,
        "withdrawn_value": 0.8,
    }


def test_people_and_models_are_compared_by_their_majorities(workspace: Workspace) -> None:
    tagged(workspace, "a1", "ssee")
    tagged(workspace, "a2", "sswe")
    for place, said in enumerate(("sses", "swse", "sese")):
        tagged(workspace, f"model:m{place}", said)
    tags = tags_of(workspace)
    figure = tag_agreement(tags, tags.catalogue.named("dsv_mem")).people_and_models
    # People decide on 0, 1 and 3 (s, s, e); models on all: s, none of three, s, e.
    assert (figure.value, figure.n) == (1.0, 2)


def test_models_have_a_unanimity_and_a_majority_that_is_held_against_that_of_people(
    workspace: Workspace,
) -> None:
    for name, said in (("a1", "ssee0s"), ("a2", "sswe0e"), ("a3", "swwe0.")):
        tagged(workspace, name, said)
    for place, said in enumerate(("sses0.", "swse0w", "sesew.")):
        tagged(workspace, f"model:m{place}", said)
    tagged(workspace, "rule:r", "wwwwww")
    tags = tags_of(workspace)
    found = tag_agreement(tags, tags.catalogue.named("dsv_mem"))
    # Of the five that three models rated, they all agree on the first alone.
    assert (found.models_unanimous.value, found.models_unanimous.n) == (1 / 5, 5)
    # People rated six, two of them the last, and agree on 0, 3 and 4.
    assert (found.people_unanimous.value, found.people_unanimous.n) == (3 / 6, 6)
    rows = [(one.people, one.n_people, one.models, one.n_models) for one in found.majorities]
    s, w, e = ("stale_value",), ("withdrawn_value",), ("evidence_acquisition",)
    assert rows == [
        (s, 3, s, 3),
        (s, 3, None, 3),
        (w, 3, s, 3),
        (e, 3, e, 3),
        (("none",), 3, ("none",), 3),
        (None, 2, w, 1),
    ]
    assert [one.models_agree for one in found.majorities] == [True, *[False] * 5]
    # Both have a majority on 0, 2, 3 and 4 and agree on all but 2.
    assert (found.people_and_models.value, found.people_and_models.n) == (0.75, 4)
    # People: s w e 0; models: s s e 0. By chance (1*2 + 1*0 + 1*1 + 1*1) / 16.
    chance = 4 / 16
    assert found.majority_kappa.value == pytest.approx((0.75 - chance) / (1 - chance))


def test_of_several_labels_a_majority_is_one_of_each_label(workspace: Workspace) -> None:
    tags = tags_of(workspace)
    cue = tags.catalogue.named("cue_mem")
    said = {
        "model:a": (["retrieval_miss", "unsupported_claim"], ["run_error"]),
        "model:b": (["unsupported_claim"], []),
        "model:c": (["retrieval_miss"], []),
        "p1": (["retrieval_miss"], []),
        "p2": (["retrieval_miss", "unsupported_claim"], []),
    }
    for name, of_each in said.items():
        for key, slugs in zip(KEYS, of_each, strict=False):
            tags.journal(name).settle(tags.record(workspace.runs[0], key), cue, slugs)
    tags.changed()
    first, second = tag_agreement(tags, cue).majorities
    # Two of three models set each of the two; of two people one set the second of them.
    assert (first.models, first.people) == (("retrieval_miss", "unsupported_claim"), None)
    assert (second.models, second.people) == (("none",), ("none",))


def test_a_review_is_compared_dimension_by_dimension(workspace: Workspace) -> None:
    tags = tags_of(workspace)
    review = tags.catalogue.named("cue_review")
    target = Target.of_question(KEYS[0])
    for name, choice in (("a1", "accept"), ("a2", "repair")):
        tags.journal(name).add(target, review, "naturalness_accept")
        tags.journal(name).add(target, review, f"coherence_{choice}")
    tags.journal("a1").add(target, review, "validity_reject")
    tags.journal("a1").add(target, review, "validity_accept")
    tags.changed()
    found = tag_agreement(tags, review)
    figures = {one.what: (one.percent.value, one.percent.n) for one in found.by_tag}
    assert figures == {
        "dialogue_naturalness": (1.0, 1),
        "multimodal_coherence": (0.0, 1),
        "evidence_validity": (None, 0),
    }
    assert found.disagreements == (target,)


def test_counts_are_of_targets_and_a_kind_counts_for_what_it_is_a_kind_of(
    workspace: Workspace,
) -> None:
    tagged(workspace, "a1", "swes0")
    tagged(workspace, "a2", "ss")
    tags = tags_of(workspace)
    frame = tag_frame(workspace, tags)
    assert tuple(frame.columns) == COLUMNS
    counted = {slug: n for slug, n, _ in frequencies(frame, tags.catalogue.named("dsv_mem")) if n}
    assert counted == {
        "evidence_acquisition": 1,
        "state_reconstruction": 3,
        "stale_value": 3,
        "withdrawn_value": 1,
        "none": 1,
    }
    assert {of for _, _, of in frequencies(frame, tags.catalogue.named("dsv_mem"))} == {5}
    table = pivot(frame, "tag", "task", ["withdrawn_value"])
    assert table.rows == ("withdrawn_value", "evidence_acquisition", "none", "stale_value")
    assert table.columns == ("entity_recall", "long_pattern")
    assert table.counts == ((1, 0), (1, 0), (0, 1), (3, 0))
    assert (table.row_totals, table.column_totals, table.n) == ((1, 1, 1, 3), (4, 1), 5)
    with pytest.raises(ValueError, match="no column 'colour'"):
        pivot(frame, "colour", "task")
    assert tags.counts(tags.catalogue.named("dsv_mem"), "a2") == {
        "stale_value": 2,
        "state_reconstruction": 2,
    }


def test_the_saturation_counter_starts_anew_with_every_new_tag(workspace: Workspace) -> None:
    def count(said: str) -> int:
        tagged(workspace, "a1", said)
        return since_new(tag_frame(workspace, tags_of(workspace)), "dsv_mem")

    assert count("s") == 0
    assert count(".sss") == 3
    assert count("....w") == 0
    assert count(".....s") == 1
    assert since_new(tag_frame(workspace, tags_of(workspace)), "cue_mem") == 0


def test_a_row_says_what_was_said_and_survives_jsonl_and_csv(workspace: Workspace) -> None:
    tags = tags_of(workspace)
    target = tags.record(workspace.runs[1], KEYS[0])
    journal = tags.journal("林")
    journal.add(target, tags.catalogue.named("cue_mem"), "retrieval_miss", reason='a "b",\nc')
    journal.verdict(target, Value.WRONG, reason="no")
    journal.note(tags.record(workspace.runs[0], KEYS[1]), "look")
    frame = tag_frame(workspace, tags)
    first, second = frame.to_dicts()
    assert (first["run"], first["tag"], first["stage"]) == ("two", "retrieval_miss", "retrieval")
    assert (first["verdict"], first["verdict_reason"], first["repeat"]) == ("wrong", "no", 0)
    assert (second["run"], second["tag"], second["note"]) == ("one", "", "look")
    lines = [json.loads(line) for line in as_jsonl(frame).splitlines()]
    assert [line["annotator"] for line in lines] == ["林", "林"]
    assert lines[0]["reason"] == 'a "b",\nc'
    rows = list(csv.DictReader(io.StringIO(as_csv(frame))))
    assert rows[0]["reason"] == 'a "b",\nc'


def test_the_summary_draws_what_was_written_as_it_is(workspace: Workspace) -> None:
    tagged(workspace, "a1", "sse")
    tagged(workspace, "a2", "sw0")
    tags = tags_of(workspace)
    tags.journal("a1").note(tags.record(workspace.runs[0], KEYS[0]), "| <b> *x* \x1b[31m")
    text = as_markdown(workspace, tags, tag_frame(workspace, tags))
    assert "## DSV-Mem failures" in text
    assert "| state reconstruction | 2 | 66.7% |" in text
    assert "| state | 2 | 2 |" in text
    assert "### Agreement" in text
    assert "— \\| \\<b\\> \\*x\\*" in text
    assert "\x1b" not in text


def test_the_summary_of_some_tags_measures_agreement_on_these_alone(workspace: Workspace) -> None:
    tagged(workspace, "a1", "sse")
    tagged(workspace, "a2", "sws")
    tagged(workspace, "a3", "www")
    tags = tags_of(workspace)
    frame = tag_frame(workspace, tags)
    some = frame.filter(pl.col("annotator") != "a3", pl.col("key") != KEYS[2])
    assert "| overall | 2 | 0.50 |" in as_markdown(workspace, tags, some)
    mine = frame.filter(pl.col("annotator") == "a1")
    assert "### Agreement" not in as_markdown(workspace, tags, mine)


def test_a_verdict_of_a_person_stands_beside_others(workspace: Workspace) -> None:
    tags = tags_of(workspace)
    target = tags.record(workspace.runs[0], KEYS[0])
    tags.journal("a1").verdict(target, Value.RIGHT)
    tags.journal("a2").verdict(target, Value.WRONG)
    tags.journal("a2").verdict(target, None)
    assert tags.verdicts(workspace.runs[0], KEYS[0]) == {"a1": Value.RIGHT}
    assert tags.verdicts(workspace.runs[1], KEYS[0]) == {}


def test_others_tags_are_read_again_beside_ones_own(workspace: Workspace) -> None:
    tags = tags_of(workspace)
    tagged(workspace, "a1", "s")
    other = with_tags(replace(workspace, tags=None), folder=tags.places.common)
    tagged(other, "a2", ".w")
    tags_of(other).close()
    assert selected(workspace, "tag:any") == ["0"]
    tags.reread()
    assert selected(workspace, "tag:any") == ["0", "1"]
    tagged(workspace, "a1", "...e")
    assert selected(workspace, "tag:any") == ["0", "1", "3"]


# The verb


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MNEMOSCOPE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MNEMOSCOPE_CONFIG", str(tmp_path / "config" / "config.toml"))
    return tmp_path


@pytest.fixture
def tags(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["tags", *arguments])
        return code, *capsys.readouterr()

    return call


def tag_some(folder: Path | None = None) -> None:
    workspace = open_workspace(OpenRequest(Path("cue"), (Path("runs"),)))
    workspace = with_tags(workspace, folder=folder)
    found = tags_of(workspace)
    cue = found.catalogue.named("cue_mem")
    for annotator, slug in (("a1", "retrieval_miss"), ("a2", "run_error")):
        for entry in workspace.runs[0].entries[:2]:
            found.journal(annotator).add(
                found.record(workspace.runs[0], entry.question.key), cue, slug
            )
    found.close()


def test_the_verb_counts_exports_and_compares_what_is_in_the_data_folder(
    here: Path, tags: Callable[..., tuple[int, str, str]]
) -> None:
    tag_some()
    code, out, err = tags("counts", "cue", "runs")
    assert (code, err) == (0, "")
    assert "cue_mem: 2 targets reviewed" in out
    code, out, _ = tags("export", "cue", "runs", "--json")
    assert len(json.loads(out)["rows"]) == 4
    code, out, _ = tags("export", "cue", "runs", "--filter", "tag:run_error", "--as", "csv")
    assert out.count("\n") == 5
    assert tags("export", "cue", "runs", "--out", "tags.md")[0] == 0
    assert (here / "tags.md").read_text().startswith("# Tags: cue\n")
    assert "is there already" in tags("export", "cue", "runs", "--out", "tags.md")[2]
    assert "end the name in .jsonl" in tags("export", "cue", "runs", "--out", "tags.txt")[2]
    code, out, _ = tags("agree", "cue", "runs", "--json")
    (found,) = json.loads(out)["taxonomies"]
    assert (found["overall"]["percent"]["value"], len(found["disagreements"])) == (0, 2)
    assert [one["people"] for one in found["majorities"]] == [None, None]
    assert "no majority" in tags("agree", "cue", "runs", "--majorities")[1]
    assert (
        "'a9' has tagged nothing here; a1, a2 has"
        in tags(*("agree", "cue", "runs", "--annotator", "a9"))[2]
    )
    assert "no column 'colour'" in tags("counts", "cue", "runs", "--down", "colour")[2]
    assert "no taxonomy 'x'" in tags("counts", "cue", "runs", "--of", "x")[2]


def test_tags_of_another_machine_are_taken_over_once(
    here: Path, tags: Callable[..., tuple[int, str, str]]
) -> None:
    tag_some(here / "away")
    arguments = ("away/a1.jsonl", "away/a2.jsonl", "--into", "cue", "--run", "runs")
    code, out, _ = tags("import", *arguments, "--json")
    assert code == 0
    assert [one["new"] for one in json.loads(out)["files"]] == [2, 2]
    code, out, _ = tags("import", *arguments, "--json")
    assert [(one["new"], one["known"]) for one in json.loads(out)["files"]] == [(0, 2), (0, 2)]
    (here / "away" / "x.jsonl").write_text('{"a": 1}\n')
    code, _, err = tags("import", "away/x.jsonl", "--into", "cue")
    assert code == 2
    assert "found no tagging event, expected a file of tags" in err
    code, out, _ = tags("counts", "cue", "runs", "--tags", "away", "--json")
    assert code == 0
    assert json.loads(out)["annotators"] == ["a1", "a2"]


def test_a_filter_by_tag_works_in_every_verb_that_filters(here: Path) -> None:
    tag_some()
    for verb in ("score", "compare", "matrix"):
        assert run([verb, "cue", "runs", "--filter", "tag:any", *_two(verb)]) == 0


def _two(verb: str) -> list[str]:
    return ["--a", "LTMemory", "--b", "FUMemory"] if verb == "compare" else []


def test_a_broken_taxonomy_of_the_user_is_said_and_a_named_one_stops(
    here: Path, tags: Callable[..., tuple[int, str, str]]
) -> None:
    folder = here / "config" / "taxonomies"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text("name = ")
    code, _, err = tags("counts", "cue")
    assert code == 0
    assert "mine.toml: $: found the end of the file, expected TOML" in err
    assert tags("counts", "cue", "--taxonomy", str(folder / "mine.toml"))[0] == 2


def test_a_frame_of_nothing_has_its_columns(workspace: Workspace) -> None:
    frame = tag_frame(workspace, tags_of(workspace))
    assert frame.height == 0
    assert frame.schema["flagged"] == pl.Boolean
    assert pivot(frame, "tag", "task").n == 0
    assert as_csv(frame).strip() == ",".join(COLUMNS)
