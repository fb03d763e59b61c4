"""The demo's classifier, trained on the spot: what holds on every machine."""

import sys

import numpy as np
import pytest

import labelwise as lw
from labelwise.cli.demo_classifier import trained


def test_the_classifier_errs_on_some_digits_it_has_not_seen():
    digits, frozen = trained(), lw.datasets.digits()
    assert digits.n_trained == 100
    assert digits.pool.all_ids().tolist() == frozen.pool.all_ids().tolist()
    assert digits.truth == frozen.truth
    assert np.array_equal(digits.images, frozen.images)
    assert 0.85 < digits.labelled().hits.mean() < 0.95  # 0.901 where the frozen digits were made


def test_without_scikit_learn_the_way_out_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(lw.UnanswerableError, match=r"Install it with `pip install 'labelwise\[demo\]'`"):
        trained()
