"""Synthetic labelled pools of the sizes of CIFAR-100 and ImageNet, some classes harder than others; no data needed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import labelwise as lw

_SEED = 21
_SPREAD, _TEMPERATURE = 2.0, 1.3  # as in sample.py: labels follow a softmax this much flatter than the scores
_BY_CLASS, _BY_ITEM = 1.4, 1.5  # how unequal classes and items are; accuracies of classes deviate by about 0.12
_BLOCK = 5_000  # items; bounds the memory of a thousand scores each


def like_cifar100() -> lw.Pool:
    """Return 10,000 items of 100 classes, with all their scores."""
    scores, labels = zip(*_blocks(10_000, 100, lift=10.2), strict=True)
    return lw.pool_from_arrays(scores=np.concatenate(scores), labels=np.concatenate(labels))


def like_imagenet() -> lw.Pool:
    """Return 50,000 items of 1,000 classes, with the predicted class and its score alone."""
    looks = ((s.argmax(axis=1), s.max(axis=1), labels) for s, labels in _blocks(50_000, 1_000, lift=13.1))
    predicted, confidence, labels = (np.concatenate(part) for part in zip(*looks, strict=True))
    return lw.pool_from_arrays(predicted=predicted, confidence=confidence, labels=labels, classes=range(1_000))


def _blocks(n_items: int, n_classes: int, lift: float) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int64]]]:
    """Draw scores and labels, some thousand items at a time."""
    rng = np.random.default_rng(_SEED)
    of_class = lift + _BY_CLASS * rng.standard_normal(n_classes)
    for _ in range(n_items // _BLOCK):
        logits = _SPREAD * rng.standard_normal((_BLOCK, n_classes), dtype=np.float32)
        looks_like = rng.integers(n_classes, size=_BLOCK)
        logits[np.arange(_BLOCK), looks_like] += of_class[looks_like] + _BY_ITEM * rng.standard_normal(_BLOCK)
        logits -= logits.max(axis=1, keepdims=True)
        flatter = np.exp(logits / _TEMPERATURE).cumsum(axis=1)
        labels = (flatter[:, :-1] <= rng.random((_BLOCK, 1)) * flatter[:, -1:]).sum(axis=1)
        scores = np.exp(logits)
        yield scores / scores.sum(axis=1, keepdims=True), labels
