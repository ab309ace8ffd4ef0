"""What the rules suggest, what they leave alone, and how good they are on controlled change."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.analyses.suggestion_check import check_suggestions, controls
from mnemoscope.core.model import (
    Gold,
    GoldKind,
    History,
    Kind,
    Option,
    Question,
    Record,
    RecordStatus,
    Release,
    Retrieval,
    RetrievalState,
    Run,
    Textualisation,
    Value,
    Verdict,
)
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.suggestions.rules import RULES, Suggestion, suggest, suggest_all
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.terms import terms
from mnemoscope.core.workspace import Workspace
from mnemoscope.sample_data._maker.memory import System
from mnemoscope.sample_data._maker.runs import Plan, run_files
from mnemoscope.tui.cli import run as run_command
from mnemoscope.tui.sample import sample_folder
from tests.workspace_data import (
    LOCOMO,
    SHARED,
    a_history,
    a_question,
    a_record,
    a_release,
    a_round,
    a_run,
    a_workspace,
    clip,
    lost_clue,
    media_clue,
    picture,
    round_clue,
    rounds_retrieved,
)

TITLES = ("brass lamp", "red kite", "old piano", "the history does not mention it")
OPTIONS = [Option(label, text) for label, text in zip("ABCD", TITLES, strict=True)]
LAMP = picture("D00-001", brief="a desk", medium="a tidy desk", detailed="a desk, a brass lamp")
RAIN = clip("D01-001", asr="good night", split="good night\nbackground: rain on a tin roof")


def history() -> History:
    rounds = [
        a_round("D00:00", "look at my desk", LAMP),
        a_round("D00:01", "nothing much"),
        a_round("D01:00", "good night", RAIN),
        a_round("D01:01", "the kite was a red one"),
        a_round("D02:00", "I tuned it"),
    ]
    return a_history("p0", rounds)


def question(**changes: object) -> Question:
    made = a_question("p0/q/1", clues=["D00:00", "D01:00"], text="what is it?", options=OPTIONS)
    return replace(made, **changes)  # type: ignore[arg-type]


def release(asked: Question) -> Release:
    made = a_release([asked], [history()], textualisation=Textualisation("brief", "asr"))
    return replace(
        made, image_variants=("brief", "medium", "detailed"), audio_variants=("asr", "split")
    )


def wrong(answer: str = "B", **changes: object) -> Record:
    made = a_record("p0/q/1", False, answer=answer)
    return replace(made, **changes)  # type: ignore[arg-type]


def found(record: Record, asked: Question | None = None, *others: Run) -> list[Suggestion]:
    mine = replace(a_run("mine", [record]), textualisation=Textualisation("brief", "asr"))
    space = Workspace.build(release(asked or question()), [mine, *others], rule="rq1")
    run = next(one for one in space.runs if one.name == "mine")
    return suggest(space, run, run.entries[0])


def evidence(tag: str, record: Record, asked: Question | None = None, *others: Run) -> str:
    """What was seen for a tag; empty when the tag is not suggested."""
    said = [one.evidence for one in found(record, asked, *others) if one.tag == tag]
    return said[0] if said else ""


def test_a_right_answer_is_left_alone() -> None:
    assert found(replace(wrong("A"), retrieval=rounds_retrieved("D02:00"))) == []


def test_too_few_clues_sent_are_a_retrieval_miss_and_half_of_them_are_not() -> None:
    missed = wrong(retrieval=rounds_retrieved("D02:00", "D00:01"))
    assert evidence("retrieval_miss", missed) == "0 of 2 clue rounds among the 2 items sent"
    assert not evidence("retrieval_miss", wrong(retrieval=rounds_retrieved("D00:00", "D00:01")))
    whole = Retrieval(RetrievalState.WHOLE_HISTORY)
    for unknown in (whole, Retrieval(), Retrieval(RetrievalState.TEXT)):
        assert not evidence("retrieval_miss", wrong(retrieval=unknown))
    unanswerable = question(answerable=False, gold=Gold(GoldKind.OPTION, option="D"))
    assert not evidence("retrieval_miss", missed, unanswerable)


def test_words_of_the_gold_that_only_a_richer_caption_has_are_a_textualisation_miss() -> None:
    said = evidence("textualization_miss", wrong())
    assert said == (
        "“brass lamp” stands in the detailed caption of D00:00, not in the brief one that was sent"
    )
    by_image = question(clues=(media_clue(Kind.IMAGE, "D00-001", "D00:00"),))
    assert "caption of D00-001" in evidence("textualization_miss", wrong(), by_image)
    told = question(clues=(round_clue("D01:01"),), gold=Gold(GoldKind.OPTION, option="B"))
    assert not evidence("textualization_miss", wrong("A"), told)


def test_a_background_sound_that_was_not_sent_is_a_textualisation_miss_of_implicit_questions() -> (
    None
):
    heard = question(clues=(media_clue(Kind.AUDIO, "D01-001", "D01:00"),), setting="implicit")
    said = evidence("textualization_miss", wrong(), heard)
    assert said == "the asr text of D01-001 has no background sound, the split one has"
    assert not evidence("textualization_miss", wrong(), replace(heard, setting="explicit"))


def test_an_answer_that_names_one_of_the_sessions_sent_is_an_association_failure() -> None:
    both = rounds_retrieved("D00:00", "D01:00")
    said = evidence("association_failure", wrong(retrieval=both, reasoning="as D01 shows"))
    assert said.startswith("clues of 2 sessions were sent (D00, D01), and only D01 is named")
    for reasoning in ("D00 and D01", "nothing", "in D011 and XD01"):
        assert not evidence("association_failure", wrong(retrieval=both, reasoning=reasoning))


def test_reasoning_on_other_sessions_or_words_of_the_answer_in_extras_are_a_distractor() -> None:
    sent = rounds_retrieved("D00:00", "D01:01", "D02:00")
    said = evidence("distractor_dominance", wrong(retrieval=sent, reasoning="see D02"))
    assert said == "clues were sent, and the reasoning names D02, none of them a clue"
    said = evidence("distractor_dominance", wrong("B", retrieval=sent))
    assert said == "words of the chosen answer stand in D01:01, which no clue names"
    assert not evidence("distractor_dominance", wrong("C", retrieval=sent))
    assert not evidence("distractor_dominance", wrong("B", retrieval=rounds_retrieved("D01:01")))


def test_all_clues_sent_in_words_that_say_it_are_an_evidence_use_failure() -> None:
    told = question(clues=(round_clue("D01:01"),), gold=Gold(GoldKind.OPTION, option="B"))
    sent = rounds_retrieved("D01:01", "D02:00")
    said = evidence("evidence_use_failure", wrong("A", retrieval=sent), told)
    assert said == "the only clue round was sent"
    both = rounds_retrieved("D00:00", "D01:00")
    assert not evidence("evidence_use_failure", wrong(retrieval=both)), "the lamp is not named"


def test_declining_what_can_be_answered_and_claiming_what_cannot_are_told_apart() -> None:
    said = evidence("unwarranted_refusal", wrong("D"))
    assert (
        said == "the question can be answered, and the answer is “the history does not mention it”"
    )
    unanswerable = question(answerable=False, gold=Gold(GoldKind.OPTION, option="D"))
    said = evidence("unsupported_claim", wrong("B"), unanswerable)
    assert said == "the history does not say, and the answer claims “red kite”"
    false = {"type": "refusal", "problem": "superseded", "premise": "It was the lamp until May."}
    gold = Gold(GoldKind.OPTION, option="D", value=false)
    said = evidence("unsupported_claim", wrong("B"), question(answerable=False, gold=gold))
    assert said == "what the question takes for granted is not so, and the answer claims “red kite”"
    assert not evidence("unsupported_claim", wrong("B"))
    assert found(wrong("D"), unanswerable) == []


@pytest.mark.parametrize(
    "text",
    [
        *("I don't know", "Not mentioned.", "There is no information about it", "无法判断"),
        *("历史中没有说明", "She does not say.", "It cannot be determined", "未提及"),
    ],
)
def test_an_open_answer_that_declines_is_seen(text: str) -> None:
    open_question = question(options=(), gold=Gold(GoldKind.TEXTS, texts=("a lamp",)))
    record = wrong(text)
    space = a_workspace(release(open_question), a_run("mine", [record]))
    tags = {one.tag for one in suggest(space, space.runs[0], space.runs[0].entries[0])}
    assert "unwarranted_refusal" in tags


def test_failed_records_and_answers_that_read_like_errors_are_run_errors_and_nothing_else() -> None:
    failed = wrong("HTTP 500", status=RecordStatus.ERROR, retrieval=rounds_retrieved("D02:00"))
    (one,) = found(failed)
    assert (one.tag, one.evidence) == ("run_error", "the record is error: “HTTP 500”")
    stored = wrong("Error code: 429 - too many requests")
    assert evidence("run_error", stored).startswith("the answer reads like an error")
    assert not evidence("run_error", wrong("B, the error was mine"))


def test_a_gold_that_every_other_system_contradicts_or_whose_clues_are_lost_looks_suspect() -> None:
    others = [a_run(name, [wrong("B")]) for name in ("two", "three", "four")]
    said = evidence("gold_error", wrong("B"), None, *others)
    assert said == "all 3 other systems answer B too, gold is A"
    assert not evidence("gold_error", wrong("B"), None, *others[:2])
    assert not evidence("gold_error", wrong("B"), None, *others, a_run("five", [wrong("C")]))
    lost = question(clues=(lost_clue("D99:99"),))
    assert evidence("gold_error", wrong(), lost) == "no clue leads anywhere: D99:99"


def test_every_tag_that_is_suggested_is_in_the_taxonomy_and_every_rule_says_its_limits() -> None:
    known = [Catalogue.load().named(name).by_slug.keys() for name in ("cue_mem", "dsv_mem")]
    for rule in RULES:
        assert rule.looks_at
        assert rule.cannot_see
        assert any(set(rule.tags) <= slugs for slugs in known)
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_terms_are_words_numbers_and_pairs_of_han_characters() -> None:
    assert terms("The Lamp of 1999, a lamp's") == {"lamp", "1999", "lamp's"}
    assert terms("黄铜灯 lamp") == {"黄铜", "铜灯", "lamp"}
    assert terms("a an it \x1b[31m") == {"31m"}


# On controlled change


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sample's own system, answering the sample with every variant of the captions."""
    out = tmp_path_factory.mktemp("variants") / "result_debug"
    trees = sample_folder() / "cue" / "data" / "dialog"
    for tree in ("brief", "base", "detailed", "audio_caption/asr", "audio_caption/asr_bg_split"):
        plan = Plan(tree, System("LTMemory", "tfidf", top=8), 0.001, 0.001)
        for path in sorted((trees / tree).glob("*.json")):
            files = run_files(plan, json.loads(path.read_text("utf-8")))
            for suffix, value in files.items():
                file = out / tree / "lexical-scorer" / "LTMemory" / f"{path.stem}_{suffix}.json"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    yield out


def test_textualisation_misses_are_suggested_better_than_by_guessing(variants: Path) -> None:
    workspace = open_workspace(OpenRequest(sample_folder() / "cue", (variants,)))
    checks = {one.control.change: one for one in check_suggestions(workspace)}
    assert all(one.control.tag == "textualization_miss" for one in checks.values())
    brief = checks["image captions brief → detailed"]
    assert (brief.wrong, brief.mended, brief.suggested, brief.both) == (26, 14, 9, 7)
    for change in ("image captions brief → detailed", "audio captions asr → split"):
        one = checks[change]
        assert one.precision.value is not None
        assert one.base_rate.value is not None
        assert one.precision.value > one.base_rate.value * 1.3
        assert one.recall.value is not None
        assert one.recall.value >= 0.5


def test_an_oracle_of_the_same_backbone_shows_what_retrieval_missed() -> None:
    asked = question()
    missed = rounds_retrieved("D02:00")
    poor = replace(a_run("poor", [wrong(retrieval=missed)]), backbone="b")
    oracle = replace(a_run("oracle text", [replace(wrong("A"), verdicts=_right())]), backbone="b")
    other = replace(a_run("else", [wrong()]), backbone="c")
    space = Workspace.build(release(asked), [poor, oracle, other])
    assert [(one.poorer.name, one.richer.name) for one in controls(space)] == [
        ("poor", "oracle text")
    ]
    (check,) = check_suggestions(space)
    assert (check.wrong, check.mended, check.suggested, check.both) == (1, 1, 1, 1)


def test_on_locomo_an_oracle_shows_how_good_retrieval_misses_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What systems of ours retrieve and what an oracle is handed, answered by one backbone."""
    if not (SHARED / LOCOMO).exists():
        pytest.skip("LoCoMo is not there: ../shared/data")
    release_path = str(SHARED / LOCOMO)
    runs = [str(tmp_path / name) for name in ("bm25", "oracle")]
    for system, out in zip(("bm25,k=5", "oracle_text,scope=round"), runs, strict=True):
        asked = ("--system", system, "--backbone", "embedded", "--filter", "history:conv-26")
        assert run_command(["run", "--release", release_path, *asked, "--out", out]) == 0
    capsys.readouterr()
    check = ["tags", "suggest", release_path, *runs, "--rule", "contains", "--check"]
    assert run_command([*check, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["check"]
    counts = [found[key] for key in ("wrong", "mended", "suggested", "both")]
    assert counts == [147, 6, 82, 5]
    assert found["recall"]["value"] == pytest.approx(5 / 6)
    assert found["precision"]["value"] > found["base_rate"]["value"]
    assert run_command(check) == 0
    assert "6.1 %  83.3 %      4.1 %" in capsys.readouterr().out


def _right() -> tuple[Verdict, ...]:
    return (Verdict("stored", Value.RIGHT),)


def test_the_verb_says_what_the_rules_saw_and_how_good_they_are(
    variants: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release_path = str(sample_folder() / "cue")
    code = run_command(["tags", "suggest", release_path, str(variants), "--check", "--rules"])
    out = capsys.readouterr().out
    assert code == 0
    assert "precision" in out
    assert "cannot see" in out
    asked = ("--json", "--run", "A", "--filter", "setting:implicit")
    assert run_command(["tags", "suggest", release_path, str(variants), *asked]) == 0
    (one,) = json.loads(capsys.readouterr().out)["runs"]
    workspace = open_workspace(OpenRequest(sample_folder() / "cue", (variants,)))
    expected = [
        entry.question.key
        for entry, _ in suggest_all(workspace, workspace.runs[0])
        if entry.question.setting == "implicit"
    ]
    assert [record["key"] for record in one["records"]] == expected
    assert one["with_suggestions"] == len(expected)


def test_a_pair_that_differs_in_nothing_or_both_ways_is_no_control(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = question()
    one, two = (replace(a_run(name, [wrong()], system="s"), backbone="b") for name in "ab")
    both_ways = (Textualisation("brief", "split"), Textualisation("detailed", "asr"))
    runs = [replace(run, textualisation=t) for run, t in zip((one, two), both_ways, strict=True)]
    assert list(controls(Workspace.build(release(asked), runs))) == []
    assert list(controls(Workspace.build(release(asked), [one, two]))) == []
