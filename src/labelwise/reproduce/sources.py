"""The authors' predictions in a folder, and the methods that their tables compare."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from labelwise.beliefs import CustomPrior, FlatPrior, InformedPrior, Prior
from labelwise.errors import NotFoundError
from labelwise.pool import Pool, read_pool


@dataclass(frozen=True)
class Sources:
    """The folder of prediction sets."""

    folder: Path

    def cifar100(self) -> Pool:
        """CIFAR-100 by ResNet-110: predicted class and confidence."""
        path = self._path("cifar100_resnet110_authors_top1.parquet")
        return _read(path, predicted="pred", confidence="conf")

    def svhn(self) -> Pool:
        """SVHN by ResNet-152: all scores."""
        return _read(self._path("svhn_resnet152_authors.parquet"))

    def _path(self, name: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            raise NotFoundError(f"'{name}' is not in '{self.folder}'. Name the folder of prediction sets with --data.")
        return path


@cache
def _read(path: Path, predicted: str | None = None, confidence: str | None = None) -> Pool:
    return read_pool(path, predicted=predicted, confidence=confidence, label="label", columns=[])


def flat_prior(protocol: str) -> Prior:
    """Give the papers' UPrior: Beta(1, 1) as printed, next to nothing as coded."""
    return FlatPrior() if protocol == "as printed" else CustomPrior(5e-7, 5e-7)


def informed_prior() -> Prior:
    """Give the papers' IPrior."""
    return InformedPrior()
