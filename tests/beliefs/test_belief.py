"""The contract, over every belief that is exported."""

import inspect

import numpy as np
import pytest

import labelwise as lw
from labelwise import beliefs
from labelwise.testing import check_belief
from labelwise.testing.worlds import small_pool

BELIEFS = [c for _, c in inspect.getmembers(beliefs, inspect.isclass) if hasattr(c, "start") and hasattr(c, "update")]
PRIORS = [None, lw.FlatPrior(5), lw.InformedPrior(), lw.CustomPrior(3, 2)]


def test_all_beliefs_are_found():
    assert {c.__name__ for c in BELIEFS} >= {"BetaBelief", "DirichletBelief", "CellBelief"}


@pytest.mark.parametrize("prior", PRIORS, ids=repr)
@pytest.mark.parametrize("kind", BELIEFS, ids=lambda c: c.__name__)
def test_every_belief_keeps_the_contract(kind, prior):
    pool = small_pool()
    labels = np.random.default_rng(4).integers(0, pool.n_classes, pool.n_items)
    check_belief(kind.start(lw.by_prediction(pool), prior), labels)
