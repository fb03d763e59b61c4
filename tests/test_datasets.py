"""The frozen digits: what is in them, that they are stored exactly, and that their images can be read."""

import struct
import zlib

import numpy as np

import labelwise as lw
from labelwise.datasets import png


def test_digits_are_the_predictions_of_a_classifier_whose_worst_digit_stands_out():
    digits = lw.datasets.digits()
    pool = digits.labelled()
    groups = lw.by_prediction(pool)
    accuracy = dict(zip(groups.names, np.bincount(groups.of_item, pool.hits) / groups.n_items, strict=True))
    assert pool.hits.sum() == 1_529  # counts of integers: the same on every machine
    assert sorted(accuracy, key=accuracy.get)[:2] == ["8", "1"]
    assert accuracy["1"] - accuracy["8"] > 0.05
    assert digits.pool.labels is None  # they stay with the labeller


def test_scores_are_millionths_that_add_up_to_one():
    scores = np.asarray(lw.datasets.digits().pool.scores) * 1_000_000
    np.testing.assert_allclose(scores, scores.round(), atol=1e-6)
    assert (scores.round().sum(axis=1) == 1_000_000).all()


def test_every_item_has_an_image_a_truth_and_a_second_prediction():
    digits = lw.datasets.digits()
    assert digits.images.shape == (1_697, 8, 8)
    assert digits.images.max() == 16
    assert len(digits.truth) == digits.pool.n_items == 1_697
    neighbours = digits.pool.column("neighbours")
    assert (
        0.8 < np.mean([digits.truth[str(k)] == n for k, n in zip(digits.pool.all_ids(), neighbours, strict=True)]) < 0.9
    )


def test_what_is_written_can_be_read_and_shown(tmp_path):
    digits = lw.datasets.digits()
    digits.write(tmp_path)
    pool = lw.read_pool(tmp_path / "digits.csv", id="id", scores="p_*", label="label")
    assert (pool.prediction == digits.pool.prediction).all()
    assert pool.hits.sum() == 1_529
    assert all((tmp_path / path).read_bytes().startswith(b"\x89PNG") for path in digits.pool.column("image"))


def test_an_image_can_be_read_back():
    image = np.arange(64).reshape(8, 8) % 17
    data = png(image)
    length = struct.unpack(">I", data[33:37])[0]
    lines = np.frombuffer(zlib.decompress(data[41 : 41 + length]), np.uint8).reshape(96, 97)
    assert (lines[:, 0] == 0).all()
    assert np.array_equal(lines[::12, 1::12], np.maximum(255 - image * 16, 0))
