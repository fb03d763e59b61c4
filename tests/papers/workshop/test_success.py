"""The figures of the 2019 workshop paper on the authors' counts, predictions and curves."""

import numpy as np
import pytest
from scipy.stats import beta

import labelwise as lw
from labelwise.simulation import Scenario, success
from papers import Sources, Study
from papers.workshop import success as workshop
from papers.workshop.counts import counted_belief, counted_pool
from papers.workshop.ranks import as_coded
from papers.workshop.success import WORKSHOP, published_curve

_FOLD = "Dialogue (one fold)"


def test_the_published_code_takes_the_class_at_a_rank_for_the_rank_of_a_class():
    belief = lw.beliefs.BetaBelief.from_counts(hits=[1, 2, 3, 4], labels=[9, 9, 9, 9])
    low, high = as_coded(belief, np.array([[0.1, 0.4, 0.2, 0.3]]))  # ranks 1, 4, 2, 3
    assert low.tolist() == high.tolist() == [1, 3, 4, 2]


@pytest.mark.data
@pytest.mark.parametrize(
    ("data", "task", "method", "step"),
    [
        ("CIFAR-100", "least accurate", "active", 2_266),
        ("CIFAR-100", "least accurate", "random", 8_688),
        ("SVHN", "least accurate", "active", 8_386),
        ("SVHN", "least accurate", "random", 14_572),
    ],
)
def test_the_authors_curves_reach_95_percent_at_the_steps_that_are_known(data_folder, data, task, method, step):
    curve = published_curve(Sources(data_folder), data, task, method)
    assert len(curve) == {"CIFAR-100": 10_000, "SVHN": 26_032}[data]
    assert workshop._first(curve) == step + 1  # steps are counted from 0


@pytest.mark.data
@pytest.mark.parametrize("name", [name for name in WORKSHOP if name != "workshop-fig4"])
def test_nothing_is_left_unexplained(data_folder, name):
    found = WORKSHOP[name](Study(Sources(data_folder), 100, 0, 2))
    assert found.name == name
    assert found.unexplained == []
    assert found.frame is not None


@pytest.mark.data
def test_the_probability_that_lizard_is_least_accurate_is_that_of_quadrature(data_folder):
    belief = counted_belief(Sources(data_folder), "CIFAR-100")
    x = np.linspace(0.2, 0.8, 6_001)
    lizard = belief.names.index("lizard")
    above = np.prod(
        [beta.sf(x, a, b) for g, (a, b) in enumerate(zip(belief.a, belief.b, strict=True)) if g != lizard], 0
    )
    exact = np.trapezoid(beta.pdf(x, belief.a[lizard], belief.b[lizard]) * above, x)
    found = WORKSHOP["workshop-fig2"](Study(Sources(data_folder), 400))
    (row,) = found.rows
    assert exact == pytest.approx(0.6800, abs=0.00005)
    assert row.ours / 100 == pytest.approx(exact, abs=4 * row.error / 100)  # false alarm once in 16,000


@pytest.mark.data
def test_random_items_instead_of_random_classes_do_not_give_the_authors_curve(data_folder):
    groups = lw.by_prediction(counted_pool(Sources(data_folder), _FOLD))
    scenario = Scenario(groups, lw.Worst(lw.accuracy), lw.RandomItem(), lw.FlatPrior())
    found = lw.simulate(scenario, [success()], n_runs=100, at=[4_010])
    assert published_curve(Sources(data_folder), _FOLD, "least accurate", "random")[4_009] == pytest.approx(0.95)
    assert found.mean["success"][0] < 0.3
