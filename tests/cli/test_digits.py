"""The demo's classifier and images."""

import struct
import sys
import zlib

import numpy as np
import pytest

import labelwise as lw
from labelwise.cli.digits import png, trained


def test_the_classifier_errs_and_its_worst_digit_stands_out():
    digits = trained()
    groups = lw.by_prediction(digits.pool)
    told = np.array([digits.truth[name] for name in digits.pool.all_ids()])
    hit = np.asarray(digits.pool.classes)[digits.pool.prediction] == told
    accuracy = np.sort(np.bincount(groups.of_item, hit) / groups.n_items)
    assert 0.85 < hit.mean() < 0.95
    assert accuracy[1] - accuracy[0] > 0.05
    assert digits.pool.labels is None  # they stay with the labeller


def test_an_image_can_be_read_back():
    image = np.arange(64).reshape(8, 8) % 17
    data = png(image)
    length = struct.unpack(">I", data[33:37])[0]
    lines = np.frombuffer(zlib.decompress(data[41 : 41 + length]), np.uint8).reshape(96, 97)
    assert (lines[:, 0] == 0).all()
    assert np.array_equal(lines[::12, 1::12], np.maximum(255 - image * 16, 0))


def test_without_scikit_learn_the_way_out_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(lw.UnanswerableError, match=r"Install it with `pip install 'labelwise\[demo\]'`"):
        trained()
