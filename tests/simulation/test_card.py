"""The coverage card: cells against exact sums and known rates, and what it is made of."""

import numpy as np
import pytest
from scipy import stats

import labelwise as lw
from labelwise.simulation.card import ACCURACIES, COLUMNS, EQUAL, FIXED, ROWS, Cell, coverage_card, mixture_interval
from strength import sized

N_RUNS = sized(full=600, quick=200)


@pytest.fixture(scope="module")
def card():
    return coverage_card(n_runs=N_RUNS, seed=3)


def exact_coverage(ends, accuracy):
    x = np.arange(FIXED + 1)
    low, high = ends(x)
    return float(stats.binom.pmf(x, FIXED, accuracy)[(low <= accuracy) & (accuracy <= high)].sum())


def flat(x):
    return lw.beliefs.beta_interval(x + 1.0, FIXED - x + 1.0, 0.95)


@pytest.mark.parametrize(
    ("column", "ends"), [("flat prior", flat), ("always valid", lambda x: lw.beliefs.always_valid(x, FIXED))]
)
def test_one_look_covers_as_often_as_the_binomial_says(card, column, ends):
    """To four standard errors."""
    expected = np.mean([exact_coverage(ends, accuracy) for accuracy in ACCURACIES])
    cell = card.cells["fixed", column]
    assert abs(cell.share - expected) < 4 * cell.error


def test_the_worst_of_equal_groups_covers_as_often_as_the_least_of_five_binomials_does(card):
    """The distribution of the least of five, exactly; to four standard errors."""
    x = np.arange(FIXED + 1)
    above = stats.binom.sf(x - 1, FIXED, EQUAL) ** len(ACCURACIES)
    mass = above - np.append(above[1:], 0.0)
    low, high = flat(x)
    expected = mass[(low <= EQUAL) & (high >= EQUAL)].sum()
    cell = card.cells["worst", "flat prior"]
    assert abs(cell.share - expected) < 4 * cell.error
    assert expected < 0.9  # what choosing by the same labels does


def test_always_valid_intervals_keep_their_level_however_one_looks_and_credible_ones_do_not(card):
    for row in ROWS:
        cell = card.cells[row, "always valid"]
        assert cell.share > 0.95 - 2 * cell.error
    assert card.cells["every", "flat prior"].share < 0.65
    assert card.cells["looks", "flat prior"].share < 0.85
    assert card.cells["fixed", "informed prior"].share < 0.9  # it believes an over-confident classifier


def test_the_learned_prior_is_played_in_a_fifth_of_the_runs_and_not_at_every_label(card):
    assert card.cells["every", "learned prior"] is None
    assert card.cells["fixed", "learned prior"].n_runs == N_RUNS // 5
    assert card.cells["fixed", "flat prior"].n_runs == N_RUNS
    assert card.cells["worst", "learned prior"].share > 0.9


def test_the_table_has_a_row_a_cell(card):
    frame = card.frame()
    assert len(frame["covered"]) == len(ROWS) * len(COLUMNS) - 1
    assert set(frame["interval"]) == set(COLUMNS)
    assert ((frame["covered"] >= 0) & (frame["covered"] <= 1)).all()


def test_a_seed_gives_the_same_card_and_another_seed_another():
    cards = [coverage_card(n_runs=sized(full=40, quick=10), seed=seed).cells for seed in (1, 1, 2)]
    assert cards[0] == cards[1]
    assert cards[0] != cards[2]


@pytest.mark.slow  # plays a whole card
def test_a_lower_level_covers_less():
    half = coverage_card(n_runs=200, level=0.5, seed=1).cells["fixed", "flat prior"]
    assert abs(half.share - 0.5) < 5 * half.error


def test_errors_are_never_zero_and_words_say_how_far_it_is():
    assert Cell(10, 10).error > 0
    said = []
    coverage_card(n_runs=10, step=said.append)
    assert said[0] == "0 of 10 runs"
    assert said[-1] == "0 of 10 runs, 1 of 2 with the learned prior"


def test_the_interval_of_a_mixture_is_that_of_its_draws():
    """20,000 draws: quantiles within 0.006, five of their standard errors."""
    pool = lw.pool_from_arrays(predicted=[0] * 60 + [1] * 60, confidence=[0.9] * 60 + [0.7] * 60)
    belief = lw.beliefs.LearnedAccuracy.start(lw.by_prediction(pool)).add([20, 35], [30, 40])
    low, high = belief.interval(0.95)
    for g in range(2):
        assert mixture_interval(belief, g, 0.95) == pytest.approx([low[g], high[g]], abs=0.006)


def test_what_makes_no_card_is_refused():
    for wrong in ({"n_runs": 1}, {"level": 95}, {"seed": -1}):
        with pytest.raises(lw.ArgumentError, match=next(iter(wrong))):
            coverage_card(**wrong)
