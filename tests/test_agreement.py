"""Agreement figures against hand computations and maintained libraries."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.analyses.agreement import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    majority,
    measure,
    percent_agreement,
    unanimity,
)
from mnemoscope.analyses.figure import FigureStatus

# Two annotators on ten records, labels m(iss) and n(oise); worked out by hand:
# they agree on 7 of 10; shares m: 6/10 and 5/10, so chance is .6*.5 + .4*.5 = .5.
FIRST = "mmmmmmnnnn"
SECOND = "mmmmnnnnnm"
BOTH = list(zip(FIRST, SECOND, strict=True))

LABELS = st.sampled_from("abc")
FULL = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.lists(LABELS, min_size=width, max_size=width), min_size=2, max_size=20
    )
)
GAPPED = st.integers(2, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.none() | LABELS, min_size=width, max_size=width), min_size=2, max_size=20
    )
)


def test_the_figures_of_two_annotators_are_those_worked_out_by_hand() -> None:
    found = measure("overall", BOTH)
    assert (found.percent.value, found.percent.n) == (0.7, 10)
    assert (found.unanimous.value, found.unanimous.n) == (0.7, 10)
    assert found.cohen.value == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    # Fleiss: shares of both together are 11/20 and 9/20.
    chance = (11 / 20) ** 2 + (9 / 20) ** 2
    assert found.fleiss.value == pytest.approx((0.7 - chance) / (1 - chance))
    # Alpha: 6 disagreeing ordered pairs; 2 * 11 * 9 / 19 are expected.
    assert found.alpha.value == pytest.approx(1 - 6 / (2 * 11 * 9 / 19))


@settings(max_examples=80, deadline=None)
@given(FULL)
def test_cohens_and_fleiss_kappa_equal_those_of_maintained_libraries(
    ratings: list[list[str]],
) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    agreement = pytest.importorskip(
        "statsmodels.stats.inter_rater", reason="statsmodels is not installed"
    )
    first, second = ([row[place] for row in ratings] for place in (0, 1))
    found = cohen_kappa(first, second)
    if found.measured:
        assert found.value == pytest.approx(metrics.cohen_kappa_score(first, second))
    found = fleiss_kappa(ratings)
    if found.measured:
        counts = [[Counter(row)[label] for label in "abc"] for row in ratings]
        assert found.value == pytest.approx(agreement.fleiss_kappa(counts, method="fleiss"))


@settings(max_examples=80, deadline=None)
@given(GAPPED)
def test_krippendorffs_alpha_equals_that_of_a_maintained_library(
    ratings: list[list[str | None]],
) -> None:
    library = pytest.importorskip("krippendorff", reason="krippendorff is not installed")
    found = krippendorff_alpha(ratings)
    if found.measured:
        table = [[np.nan if one is None else ord(one) for one in row] for row in ratings]
        expected = library.alpha(np.array(table, float).T, level_of_measurement="nominal")
        assert found.value == pytest.approx(expected)


@given(GAPPED)
def test_the_order_of_units_and_of_annotators_changes_nothing(
    ratings: list[list[str | None]],
) -> None:
    turned = [row[::-1] for row in reversed(ratings)]
    for name, figure in measure("x", ratings).figures.items():
        other = measure("x", turned).figures[name]
        assert (figure.status, figure.n) == (other.status, other.n)
        assert figure.value == pytest.approx(other.value)


def test_units_that_one_annotator_rated_count_in_nothing() -> None:
    gapped = [*BOTH, ("m", None), (None, "n"), (None, None)]
    assert measure("x", gapped) == measure("x", BOTH)


def test_one_label_everywhere_is_agreement_whose_kappa_cannot_be_measured() -> None:
    found = measure("x", [("a", "a")] * 5)
    assert found.percent.value == 1
    for figure in (found.cohen, found.fleiss, found.alpha):
        assert figure.status is FigureStatus.NOT_MEASURABLE
        assert figure.n == 5
        assert "only one label" in figure.note


def test_nothing_rated_twice_is_empty() -> None:
    for ratings in ([], [("a", None)], [("a",)], [()]):
        for figure in measure("x", ratings).figures.values():
            assert (figure.status, figure.n) == (FigureStatus.EMPTY, 0)


def test_three_annotators_have_the_mean_of_their_pairs_and_fewer_pairs_are_said() -> None:
    rows = [("a", "a", "b"), ("b", "b", "b"), ("a", "b", "a"), ("b", "b", "a")]
    pairs = [
        cohen_kappa(*zip(*((row[i], row[j]) for row in rows), strict=True))
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    found = measure("x", rows)
    assert found.cohen.value == pytest.approx(np.mean([one.value for one in pairs]))
    lonely = measure("x", [(*row[:2], None) for row in rows])
    assert lonely.cohen.note == "1 of 3 pairs"
    assert lonely.cohen.status is FigureStatus.PARTIAL


def test_a_majority_is_more_than_half_of_those_who_said_something() -> None:
    assert majority(["a", "a", "b"]) == "a"
    assert majority(["a", "b"]) is None
    assert majority(["a", None, None]) == "a"
    assert majority([None]) is None
    assert majority(["a", "b", "c"]) is None
    assert unanimity([("a", "a", "b"), ("a", "a", "a")]).value == 0.5
    assert percent_agreement([("a", "a", "b")]).value == pytest.approx(1 / 3)
