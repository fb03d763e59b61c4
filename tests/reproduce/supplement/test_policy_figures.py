"""The supplement's curves of policies: the published rules are played, and directions hold with few runs already."""

import math

import numpy as np
import pytest

import labelwise as lw
from labelwise.policies.policy import leader
from labelwise.reproduce import Sources, Study
from labelwise.reproduce.supplement.flat_informed import PUBLISHED, flat_informed, logged_share
from labelwise.reproduce.supplement.policy_figures import POLICY_FIGURES
from labelwise.reproduce.supplement.success_counts import success_rows
from labelwise.reproduce.supplement.variance_bound import play_variance_bound
from labelwise.simulation import Scenario
from labelwise.simulation.exact import play_exactly

QUICK = 20


class MeanLessVariance:
    """The published Bayesian UCB as a policy that an assessment can follow."""

    name = "mean-less-variance"

    def choose(self, belief, question, n_open, *, target="population", rng):
        open_groups = np.flatnonzero(n_open)
        return (leader(belief.variance() - belief.mean(), open_groups),) if len(open_groups) else ()


def three_groups():
    rng = np.random.default_rng(5)
    predicted = np.repeat([0, 1, 2], [20, 12, 7])
    labels = np.where(rng.uniform(size=39) < 0.7, predicted, (predicted + 1) % 3)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, labels=labels))


def test_the_published_upper_bound_is_played_as_an_assessment_would_play_it():
    """Mean labels of each group after 10: 200 assessments and 4,000 runs, within 5 standard errors."""
    scenario = Scenario(three_groups(), lw.Worst(), MeanLessVariance(), lw.CustomPrior(0.5, 0.5))
    at = np.array([10])
    exact = play_exactly(scenario, range(200), at)
    fast = play_variance_bound(scenario, 4_000, at, rng=np.random.default_rng(2))
    for name in ("hits", "labels"):
        one, two = exact[name][:, 0], fast[name][:, 0]
        error = np.sqrt(one.var(axis=0) / 200 + two.var(axis=0) / 4_000)
        assert (np.abs(one.mean(axis=0) - two.mean(axis=0)) <= 5 * error + 1e-12).all(), name


def test_the_published_upper_bound_ends_with_every_item_labelled():
    scenario = Scenario(three_groups(), lw.Worst(), lw.Greedy())
    found = play_variance_bound(scenario, 3, np.array([1, 20, 39]), rng=np.random.default_rng(2))
    assert found["labels"].sum(axis=2).tolist() == [[1, 20, 39]] * 3
    assert (found["labels"][:, -1] == scenario.groups.n_items).all()
    assert (found["hits"][:, -1] == scenario.known.hits).all()


def test_the_published_log_counts_hundreds_and_passes_its_first_five_entries_over():
    curve = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.2, 0.98, 0.995, 1.0])
    assert logged_share(curve, 10_000) == 0.08
    assert logged_share(0.9 * curve, 10_000) == 0.08  # 0.99 of the highest, where that is lower


@pytest.mark.data
@pytest.mark.parametrize("name", POLICY_FIGURES)
def test_every_figure_has_claims_and_curves_between_0_and_1(data_folder, name):
    found = POLICY_FIGURES[name](Study(Sources(data_folder), QUICK, 0, 2))
    assert found.name == name
    assert found.claims
    frame = found.frame
    assert list(frame) == ["data", "method", "labels", "share", "mean", "error"]
    assert ((frame["mean"] >= 0) & (frame["mean"] <= 1) & (frame["error"] >= 0)).all()
    size = {"CIFAR-100": 10_000, "SVHN": 26_032, "20 Newsgroups (other net)": 7_532, "DBpedia (part)": 10_000}
    for data in set(frame["data"]):
        here = frame["data"] == data
        assert np.allclose(frame["share"][here], frame["labels"][here] / size[data])
    stand_ins = {row.where[0] for row in found.rows} - {"CIFAR-100", "SVHN"}
    assert not stand_ins  # they get directions, never rows


@pytest.mark.data
def test_the_published_upper_bound_needs_the_published_labels_and_a_quantile_far_fewer(data_folder):
    printed, coded = success_rows(Study(Sources(data_folder), 300, 0, 2), ("Bayesian UCB",))
    assert (printed.protocol, coded.protocol) == ("as printed", "as coded")
    assert printed.published == coded.published == 5_207
    assert coded.agrees
    assert printed.ours < 3_500 < 4_000 < coded.ours


@pytest.mark.data
def test_a_flat_prior_finds_the_worst_class_of_svhn_sooner(data_folder, monkeypatch):
    monkeypatch.setattr("labelwise.reproduce.supplement.flat_informed.DATA", ("SVHN",))
    found = flat_informed(Study(Sources(data_folder), 100, 0, 2))
    assert [(row.where, row.published) for row in found.rows if row.protocol == "as coded"] == [
        (("SVHN", method, f"{m}"), value) for m, values in PUBLISHED["SVHN"].items() for method, value in values.items()
    ]
    assert all(claim.holds for claim in found.claims)
    ours = {row.where: row.ours for row in found.rows if row.protocol == "as printed"}
    assert all(math.isfinite(value) for value in ours.values())
    assert ours["SVHN", "UPrior+TS", "1"] < ours["SVHN", "IPrior+TS", "1"]
