"""The calibration measures as users of netcal and of torchmetrics compute them today.

Both get every array ready, also the ones that a pool makes when it is read (predicted class, confidence), and the
fastest of their documented calls. What they do not have at all (bias, Brier) is the plain line of NumPy or torch.
"""

from __future__ import annotations

import numpy as np
import torch
from netcal.metrics import ECE, MCE
from numpy.typing import NDArray
from torchmetrics.functional.classification import binary_calibration_error, multiclass_calibration_error

BINS = 15


class Netcal:
    """netcal: one number a call, so classes are a loop."""

    def __init__(self, scores: NDArray[np.float32], labels: NDArray[np.int64]) -> None:
        self.scores, self.labels = scores, labels
        self.predicted, self.confidence = scores.argmax(axis=1), scores.max(axis=1)
        self.hit = self.predicted == labels

    def from_scores(self) -> list[float]:
        return [metric(BINS).measure(self.scores, self.labels) for metric in (ECE, MCE)]

    def overall(self) -> list[float]:
        return [metric(BINS).measure(self.confidence, self.hit) for metric in (ECE, MCE)]

    def by_prediction(self) -> list[float]:
        order = np.argsort(self.predicted)  # faster than a mask a class
        ends = np.bincount(self.predicted, minlength=self.scores.shape[1]).cumsum()[:-1]
        parts = zip(np.split(self.confidence[order], ends), np.split(self.hit[order], ends), strict=True)
        return [ECE(BINS).measure(confidence, hit) if len(hit) else 0.0 for confidence, hit in parts]

    def bias(self) -> NDArray[np.float64]:
        n = np.bincount(self.predicted, minlength=self.scores.shape[1])
        total = np.bincount(self.predicted, self.confidence.astype(float) - self.hit, self.scores.shape[1])
        return np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)

    def against_all(self) -> list[float]:
        return [ECE(BINS).measure(self.scores[:, k], self.labels == k) for k in range(self.scores.shape[1])]

    def brier(self) -> float:
        true = self.scores[np.arange(len(self.scores)), self.labels].astype(float)
        return float((np.einsum("ij,ij->i", self.scores, self.scores).astype(float) - 2 * true + 1).mean())


class Torchmetrics:
    """torchmetrics, without its checks of arguments, as its manual recommends for speed.

    On one thread, as the others: beside other work its threads wait for each other, and it gets many times slower.
    """

    def __init__(self, scores: NDArray[np.float32], labels: NDArray[np.int64]) -> None:
        torch.set_num_threads(1)
        self.scores, self.labels = torch.from_numpy(scores), torch.from_numpy(labels)
        self.confidence, self.predicted = self.scores.max(dim=1)
        self.hit = (self.predicted == self.labels).long()
        self.n_classes = scores.shape[1]

    def from_scores(self) -> list[float]:
        both = [
            multiclass_calibration_error(self.scores, self.labels, self.n_classes, BINS, norm, validate_args=False)
            for norm in ("l1", "max")
        ]
        return [float(value) for value in both]

    def overall(self) -> list[float]:
        return [self._error(self.confidence, self.hit, norm) for norm in ("l1", "max")]

    def overall_in_float64(self) -> float:
        return self._error(self.confidence.double(), self.hit)

    def by_prediction(self) -> list[float]:
        order = self.predicted.argsort()
        sizes = torch.bincount(self.predicted, minlength=self.n_classes).tolist()
        parts = zip(self.confidence[order].split(sizes), self.hit[order].split(sizes), strict=True)
        return [self._error(confidence, hit) if len(hit) else 0.0 for confidence, hit in parts]

    def bias(self) -> NDArray[np.float64]:
        n = torch.bincount(self.predicted, minlength=self.n_classes)
        total = torch.bincount(self.predicted, self.confidence.double() - self.hit, self.n_classes)
        return (total / n).numpy()  # 0/0 is NaN, as in ours

    def against_all(self) -> list[float]:
        # one column at a time is not contiguous; copying it first is what torch itself recommends
        columns = (self.scores[:, k].contiguous() for k in range(self.n_classes))
        return [self._error(column, (self.labels == k).long()) for k, column in enumerate(columns)]

    def brier(self) -> float:
        true = self.scores.gather(1, self.labels[:, None])[:, 0].double()
        return float(((self.scores * self.scores).sum(dim=1).double() - 2 * true + 1).mean())

    @staticmethod
    def _error(confidence: torch.Tensor, hit: torch.Tensor, norm: str = "l1") -> float:
        return float(binary_calibration_error(confidence, hit, BINS, norm, validate_args=False))
