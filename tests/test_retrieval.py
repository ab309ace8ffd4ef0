import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.analyses.retrieval import RetrievalScore, clue_hits, retrieval
from mnemoscope.core.model import (
    Clue,
    Kind,
    Question,
    Record,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
)
from mnemoscope.core.scoring.retrieval_hits import Grain, HitState, Ranking, count_hits
from tests.workspace_data import (
    LOCOMO,
    MINI,
    a_history,
    a_question,
    a_record,
    a_release,
    a_round,
    joined,
    lost_clue,
    media_clue,
    picture,
    plain_history,
    round_clue,
    rounds_retrieved,
    session_clue,
    sessions_retrieved,
    shared_workspace,
)

WHOLE = Retrieval(RetrievalState.WHOLE_HISTORY)
TEXT = Retrieval(
    RetrievalState.TEXT, items=(RetrievedItem(1, text="a"), RetrievedItem(2, text="b"))
)


def measured(
    questions: list[Question], retrievals: list[Retrieval], *, used_depth: int | None = None
) -> RetrievalScore:
    release = a_release(questions)
    records = [
        a_record(question.key, retrieval=one)
        for question, one in zip(questions, retrievals, strict=True)
    ]
    return retrieval(joined(release, records, used_depth=used_depth), release)


def one_measured(clues: list[Clue | str], found: Retrieval) -> RetrievalScore:
    return measured([a_question("p0/0", clues=clues)], [found])


def value(scored: RetrievalScore, metric: str, k: int, grain: Grain = Grain.ROUND) -> float | None:
    return scored.figure(metric, k, grain).value


# Metrics of a run


def test_recall_precision_f1_and_hit_are_those_of_the_first_k_rounds() -> None:
    scored = one_measured(
        ["D00:00", "D01:00"], rounds_retrieved("D00:01", "D00:00", "D02:00", "D01:00", "D03:00")
    )
    assert [value(scored, "recall", k) for k in (1, 3, 5)] == [0.0, 0.5, 1.0]
    assert [value(scored, "precision", k) for k in (1, 3, 5)] == [0.0, 1 / 3, 2 / 5]
    assert [value(scored, "hit", k) for k in (1, 3, 5)] == [0.0, 1.0, 1.0]
    assert value(scored, "f1", 3) == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert value(scored, "f1", 1) == 0.0


def test_figures_are_plain_means_over_questions() -> None:
    scored = measured(
        [a_question("p0/0", clues=["D00:00"]), a_question("p0/1", clues=["D00:00", "D01:00"])],
        [rounds_retrieved("D00:00"), rounds_retrieved("D01:00")],
    )
    assert scored.figure("recall", 1) == Figure(0.75, 2, "mean over records with gold evidence")
    assert value(scored, "precision", 1) == 1.0


def test_precision_divides_by_k_even_when_fewer_came_back() -> None:
    scored = measured(
        [a_question("p0/0", clues=["D00:00"]), a_question("p0/1", clues=["D00:00"])],
        [rounds_retrieved("D00:00"), rounds_retrieved("D01:00", "D02:00", "D00:00")],
    )
    assert value(scored, "precision", 3) == pytest.approx(1 / 3)
    assert value(scored, "recall", 3) == 1.0


def test_several_clues_of_one_round_are_one_piece_of_evidence() -> None:
    image = media_clue(Kind.IMAGE, "D00-001", "D00:00")
    scored = one_measured(["D00:00", image, "D01:00"], rounds_retrieved("D00:00"))
    assert value(scored, "recall", 1) == 0.5


def test_items_of_one_round_take_one_place_and_an_item_without_a_source_takes_its_own() -> None:
    scored = one_measured(["D01:00"], rounds_retrieved("D00:00", "D00:00", "", "D01:00"))
    assert [value(scored, "recall", k) for k in (1, 3)] == [0.0, 1.0]
    assert scored.unsourced == 1
    assert scored.depth == 4


def test_items_count_in_order_of_rank_whatever_their_order_in_the_file() -> None:
    items = rounds_retrieved("D00:00", "D01:00").items
    scored = one_measured(["D00:00"], Retrieval(RetrievalState.IDS, "round", items[::-1]))
    assert value(scored, "recall", 1) == 1.0


def test_cutoffs_go_up_to_the_depth_stored_and_name_the_used_depth_too() -> None:
    rounds = [f"D{s:02}:{r:02}" for s in range(4) for r in range(3)]
    questions = [a_question("p0/0", clues=["D00:00"])]
    scored = measured(questions, [rounds_retrieved(*rounds)], used_depth=8)
    assert sorted({one.k for one in scored.rows if one.grain is Grain.ROUND}) == [
        1,
        3,
        5,
        8,
        10,
        12,
    ]
    assert scored.figure("recall", 25).status is FigureStatus.NOT_MEASURABLE
    assert scored.figure("recall", 25).note == "deeper than stored"
    labels = [one.label for one in scored.rows]
    assert labels[:4] == ["recall@1 round", "precision@1 round", "f1@1 round", "hit@1 round"]


def test_a_run_that_retrieved_nothing_for_anyone_missed_everything() -> None:
    empty = Retrieval(RetrievalState.IDS, "round")
    scored = measured([a_question("p0/0", clues=["D00:00"])], [empty], used_depth=5)
    assert scored.state is HitState.MEASURED
    assert value(scored, "recall", 5) == 0.0


# Grains


def test_a_run_of_rounds_is_measured_at_both_grains() -> None:
    scored = one_measured(
        ["D01:04", "D02:00"], rounds_retrieved("D00:00", "D00:01", "D01:00", "D02:00")
    )
    assert value(scored, "recall", 3, Grain.SESSION) == 1.0
    assert value(scored, "recall", 1, Grain.SESSION) == 0.0
    assert value(scored, "recall", 4) == 0.5


def test_a_run_of_sessions_is_measured_at_the_session_grain_only() -> None:
    scored = one_measured(["D01:04", "D02:00"], sessions_retrieved("D02", "D00"))
    assert {one.grain for one in scored.rows} == {Grain.SESSION}
    assert value(scored, "recall", 1, Grain.SESSION) == 0.5
    assert scored.figure("recall", 1).status is FigureStatus.NOT_MEASURABLE


def test_sources_that_name_only_a_round_or_an_attachment_are_looked_up_in_the_history() -> None:
    history = a_history(
        "p0", [a_round("r1"), a_round("D07:01", "x", picture("pic", brief="a cat"))]
    )
    question = a_question("p0/0", clues=["D07:01"])
    release = a_release([question], [history])
    sources = (SourceRef(round_id="r1"), SourceRef(kind=Kind.IMAGE, attachment_id="pic"))
    items = tuple(RetrievedItem(rank, (one,)) for rank, one in enumerate(sources, start=1))
    record = a_record("p0/0", retrieval=Retrieval(RetrievalState.IDS, "", items))
    scored = retrieval(joined(release, [record]), release)
    assert [value(scored, "recall", k) for k in (1, 2)] == [0.0, 1.0]
    assert value(scored, "recall", 2, Grain.SESSION) == 1.0


def test_a_source_that_the_history_does_not_know_takes_a_place_and_hits_nothing() -> None:
    unknown = RetrievedItem(1, (SourceRef(attachment_id="x", kind=Kind.AUDIO),))
    known = rounds_retrieved("D01:00", "D00:00").items[1]
    scored = one_measured(["D00:00"], Retrieval(RetrievalState.IDS, "round", (unknown, known)))
    assert [value(scored, "recall", k) for k in (1, 2)] == [0.0, 1.0]


# What cannot be measured


def test_questions_without_gold_evidence_are_left_out_and_the_paper_counts_them_zero() -> None:
    scored = measured(
        [
            a_question("p0/0", clues=["D00:00"]),
            a_question("p0/1"),
            a_question("p0/2", clues=[lost_clue()]),
            a_question("p0/3", clues=["D00:00"], setting=""),
            a_question("p0/4", clues=["D00:00"], form="refusal_text"),
        ],
        [rounds_retrieved("D00:00")] * 5,
    )
    assert scored.no_gold_evidence == 2
    assert (value(scored, "recall", 1), scored.figure("recall", 1).n) == (1.0, 3)
    paper = {one.label: one.figure for one in scored.as_in_paper}
    assert list(paper) == ["recall@1 round", "precision@1 round"]
    assert (paper["recall@1 round"].value, paper["recall@1 round"].n) == (1 / 3, 3)
    assert "as in the paper" in paper["recall@1 round"].estimand


@pytest.mark.parametrize(
    ("found", "state"),
    [
        (WHOLE, HitState.WHOLE_HISTORY),
        (TEXT, HitState.NOT_MEASURABLE),
        (Retrieval(), HitState.NOT_MEASURABLE),
        (Retrieval(RetrievalState.IDS, "round", TEXT.items), HitState.NOT_MEASURABLE),
    ],
)
def test_what_names_no_sources_is_not_measurable_and_not_a_miss(
    found: Retrieval, state: HitState
) -> None:
    scored = one_measured(["D00:00"], found)
    assert (scored.rows, scored.as_in_paper, scored.state) == ((), (), state)
    figure = scored.figure("recall", 5)
    assert (figure.value, figure.status) == (None, FigureStatus.NOT_MEASURABLE)
    assert figure.note == str(state)


def test_a_run_whose_questions_all_lack_evidence_says_so() -> None:
    scored = one_measured([], rounds_retrieved("D00:00"))
    assert scored.state is HitState.NO_GOLD_EVIDENCE
    assert scored.figure("recall", 1).status is FigureStatus.NO_GOLD_EVIDENCE


def test_failed_records_without_retrieval_are_counted_apart_and_in_no_mean() -> None:
    scored = measured(
        [a_question("p0/0", clues=["D00:00"]), a_question("p0/1", clues=["D00:00"])],
        [rounds_retrieved("D00:00"), Retrieval()],
    )
    assert scored.states == {HitState.MEASURED: 1, HitState.NOT_MEASURABLE: 1}
    assert scored.figure("recall", 1).n == 1


def test_what_the_rows_claim_is_averaged_as_stored_over_the_rows_that_have_it() -> None:
    release = a_release([a_question("p0/0"), a_question("p0/1")])
    records = [
        a_record("p0/0", metrics={"recall@10": 0.5, "f1": 1.0}),
        a_record("p0/1", metrics={"recall@10": 1.0}),
    ]
    stored = retrieval(joined(release, records), release).as_stored
    assert [(one.name, one.figure.value, one.figure.n) for one in stored] == [
        ("recall@10", 0.75, 2),
        ("f1", 1.0, 1),
    ]
    assert stored[0].figure.estimand == "mean over the rows that have it, as stored"


def test_a_metric_that_is_no_number_is_one_the_row_does_not_have() -> None:
    release = a_release([a_question(f"p0/{i}") for i in range(4)])
    values = (0.5, float("nan"), float("inf"), 1.0)
    records = [a_record(f"p0/{i}", metrics={"recall": one}) for i, one in enumerate(values)]
    (stored,) = retrieval(joined(release, records), release).as_stored
    assert (stored.figure.value, stored.figure.n) == (0.75, 2)
    huge = [a_record(f"p0/{i}", metrics={"recall": 1e308}) for i in range(4)]
    (stored,) = retrieval(joined(release, huge), release).as_stored
    assert stored.figure.value == pytest.approx(1e308)


def test_only_chosen_questions_are_measured() -> None:
    questions = [a_question("p0/0", clues=["D00:00"]), a_question("p0/1", clues=["D01:00"])]
    release = a_release(questions)
    run = joined(
        release, [a_record(q.key, retrieval=rounds_retrieved("D00:00")) for q in questions]
    )
    assert value(retrieval(run, release, keys={"p0/1"}), "recall", 1) == 0.0


# One question


def test_clues_are_hits_or_misses_with_rank_and_items_are_clues_or_extras() -> None:
    image = media_clue(Kind.IMAGE, "D01-001", "D01:00")
    question = a_question("p0/0", clues=["D00:00", image, lost_clue(), "D02:00"])
    record = a_record("p0/0", retrieval=rounds_retrieved("D03:00", "D01:00", "D01:00", "D02:00"))
    compared = clue_hits(question, record, used_depth=3)
    assert (compared.state, compared.grain, compared.k) == (HitState.MEASURED, Grain.ROUND, 3)
    assert [(one.unit, one.rank, one.hit) for one in compared.clues] == [
        ("D00:00", None, False),
        ("D01:00", 2, True),
        ("", None, False),
        ("D02:00", 4, False),
    ]
    assert [(one.clue, one.used) for one in compared.items] == [
        (False, True),
        (True, True),
        (True, True),
        (True, False),
    ]
    assert compared.recall == pytest.approx(1 / 3)
    assert compared.counts.precision == pytest.approx(1 / 3)
    assert compared.counts.first(4).recall == pytest.approx(2 / 3)
    assert compared.counts.first(1).hit is False


def test_items_marked_as_used_are_the_used_ones_whatever_their_rank() -> None:
    question = a_question("p0/0", clues=["D01:00"])
    found = rounds_retrieved("D00:00", "D01:00", "D02:00", used=[False, True, False])
    compared = clue_hits(question, a_record("p0/0", retrieval=found))
    assert (compared.k, compared.recall, compared.counts.precision) == (1, 1.0, 1.0)
    assert [one.used for one in compared.items] == [False, True, False]


def test_sessions_are_compared_when_run_or_clues_name_nothing_finer() -> None:
    of_run = clue_hits(
        a_question("p0/0", clues=["D01:00"]),
        a_record("p0/0", retrieval=sessions_retrieved("D00", "D01")),
    )
    assert (of_run.grain, of_run.clues[0].unit, of_run.clues[0].rank) == (Grain.SESSION, "D01", 2)
    of_clues = clue_hits(
        a_question("p0/0", clues=[session_clue("D01")]),
        a_record("p0/0", retrieval=rounds_retrieved("D01:03")),
    )
    assert (of_clues.grain, of_clues.recall) == (Grain.SESSION, 1.0)


def test_among_rounds_a_clue_to_a_whole_session_is_hit_by_any_of_its_rounds() -> None:
    question = a_question("p0/0", clues=[session_clue("D01"), "D01:02", session_clue("D03")])
    record = a_record("p0/0", retrieval=rounds_retrieved("D00:00", "D01:00"))
    compared = clue_hits(question, record)
    assert [(one.unit, one.rank, one.hit) for one in compared.clues] == [
        ("D01", 2, True),
        ("D01:02", None, False),
        ("D03", None, False),
    ]
    assert (compared.grain, compared.recall) == (Grain.ROUND, 0.0)


@pytest.mark.parametrize(("found", "k"), [(WHOLE, None), (TEXT, 2), (Retrieval(), None)])
def test_a_question_whose_retrieval_cannot_be_compared_has_no_recall(
    found: Retrieval, k: int | None
) -> None:
    compared = clue_hits(a_question("p0/0", clues=["D00:00"]), a_record("p0/0", retrieval=found))
    assert (compared.recall, compared.counts.precision, compared.counts.hit) == (None, None, None)
    assert compared.k == k
    assert [one.hit for one in compared.clues] == [False]


def test_a_context_stored_as_one_text_does_not_say_how_many_items_it_is() -> None:
    stored = Retrieval(RetrievalState.TEXT)
    assert clue_hits(a_question("p0/0"), a_record("p0/0", retrieval=stored)).k is None


def test_an_item_may_stand_for_several_rounds() -> None:
    sources = (SourceRef("D00", "D00:00"), SourceRef("D01", "D01:00"), SourceRef("D00", "D00:00"))
    found = Retrieval(RetrievalState.IDS, "round", (RetrievedItem(1, sources),))
    question = a_question("p0/0", clues=["D01:00"])
    compared = clue_hits(question, a_record("p0/0", retrieval=found))
    assert compared.items[0].units == ("D00:00", "D01:00")
    assert (compared.recall, compared.counts.precision) == (1.0, 0.5)


# Real runs


@pytest.mark.parametrize(
    ("run", "recall", "precision"), [("TT", 0.8333, 0.2667), ("MM", 0.9167, 0.3)]
)
def test_the_miniature_runs_recall_what_their_readme_says(
    run: str, recall: float, precision: float
) -> None:
    workspace = shared_workspace(MINI, f"{MINI}/RQ3")
    scored = retrieval(workspace.run(run), workspace.release)
    assert scored.figure("recall", 5).value == pytest.approx(recall, abs=5e-5)
    assert scored.figure("precision", 5).value == pytest.approx(precision, abs=5e-5)
    assert {one.name for one in scored.as_stored} >= {"recall@10", "precision@10"}
    assert scored.figure("recall", 10).status is FigureStatus.NOT_MEASURABLE


def test_recomputed_recall_agrees_with_what_real_rows_claim() -> None:
    workspace = shared_workspace(LOCOMO, "data/locomo-runs/mempalace")
    differing = set()
    for run in workspace.runs:
        scored = retrieval(run, workspace.release)
        assert (scored.state, scored.no_gold_evidence) == (HitState.MEASURED, 4)
        for entry in run.entries:
            counts = count_hits(entry.question, entry.record)
            (stored,) = [one.value for one in entry.record.metrics if one.name == "recall"]
            if counts.recall is not None and counts.recall != pytest.approx(stored):
                differing.add(entry.question.key)
    # The first names several turns in one string, of which the run reads one; the second names a
    # turn that is not in its session.
    assert differing <= {"conv-49/46", "conv-47/38"}
    assert "conv-49/46" in differing


# Bounds

_rounds = st.sampled_from([f"D{s:02}:{r:02}" for s in range(3) for r in range(3)])
_retrieved = st.lists(st.one_of(_rounds, st.just("")), max_size=12)
_clues = st.lists(st.one_of(_rounds.map(round_clue), st.just(lost_clue())), max_size=6)


@settings(max_examples=120, deadline=None)
@given(_clues, _retrieved, st.one_of(st.none(), st.integers(1, 15)), st.integers(1, 15))
def test_metrics_stay_in_bounds_and_recall_never_falls_with_k(
    clues: list[Clue], retrieved: list[str], used_depth: int | None, k: int
) -> None:
    question = a_question("p0/0", clues=clues)
    record: Record = a_record("p0/0", retrieval=rounds_retrieved(*retrieved))
    counts = count_hits(question, record, used_depth=used_depth, history=plain_history())
    compared = clue_hits(question, record, used_depth=used_depth, history=plain_history())
    assert compared.counts == counts
    if counts.state is not HitState.MEASURED:
        assert counts.recall is None
        assert counts.first(k).recall is None
        return
    cut, deeper = counts.first(k), counts.first(k + 1)
    for one in (counts, cut, deeper):
        assert one.recall is not None
        assert one.precision is not None
        assert 0 <= one.recall <= 1
        assert 0 <= one.precision <= 1
        assert one.hit is (one.recall > 0)
    assert (cut.recall or 0) <= (deeper.recall or 0)
    gold = set(question.evidence_rounds)
    assert counts.found == len({one.unit for one in compared.clues if one.hit})
    distinct = list(dict.fromkeys(one for one in retrieved if one))
    if "" not in retrieved:
        assert cut.recall == len(gold & set(distinct[:k])) / len(gold)
        assert cut.precision == len(gold & set(distinct[:k])) / k


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_clues, _retrieved), min_size=1, max_size=6))
def test_figures_of_a_run_are_the_means_of_its_questions(
    rows: list[tuple[list[Clue], list[str]]],
) -> None:
    questions = [a_question(f"p0/{i}", clues=clues) for i, (clues, _) in enumerate(rows)]
    found = [rounds_retrieved(*retrieved) for _, retrieved in rows]
    scored = measured(questions, found)
    for row in scored.rows:
        singles = [
            Ranking(one, None, None).against(question, row.grain)
            for question, one in zip(questions, found, strict=True)
        ]
        values = [
            {"recall": one.recall, "precision": one.precision, "hit": one.hit}
            for one in (single.first(row.k) for single in singles)
            if one.state is HitState.MEASURED
        ]
        assert row.figure.n == len(values)
        if row.metric != "f1":
            mean = sum(float(one[row.metric] or 0) for one in values) / len(values)
            assert row.figure.value == pytest.approx(mean)
        else:
            assert row.figure.value is not None
            assert 0 <= row.figure.value <= 1
