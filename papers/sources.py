"""The prediction sets in a folder, the authors' own and stand-ins, and the methods that the tables compare."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from labelwise.beliefs import CustomPrior, FlatPrior, InformedPrior, Prior
from labelwise.errors import NotFoundError
from labelwise.policies import Policy, RandomItem, Thompson
from labelwise.pool import Pool, read_pool
from papers.reproduction import CODED

_FILES: dict[str, tuple[str, dict[str, str]]] = {
    "CIFAR-100": ("cifar100_resnet110_authors_top1.parquet", {"predicted": "pred", "confidence": "conf"}),
    "SVHN": ("svhn_resnet152_authors.parquet", {}),
    "CIFAR-100 (DenseNet)": ("cifar100_densenetbc100.parquet", {}),
    "20 Newsgroups (other net)": ("newsgroups20_cleanlab.parquet", {}),
    "DBpedia (part)": ("dbpedia_bert_top1conf.parquet", {"predicted": "pred", "confidence": "conf"}),
    "ImageNet (no scores)": ("imagenet_val_67models_top1.parquet", {"predicted": "pred_resnet152"}),
}
STAND_INS = {
    "CIFAR-100 (DenseNet)": "CIFAR-100 predictions of a DenseNet, since the authors' file has no full scores",
    "20 Newsgroups (other net)": "20 Newsgroups predictions of another, under-confident classifier than their BERT",
    "DBpedia (part)": "10,000 of the 70,000 DBpedia items, by another BERT",
    "ImageNet (no scores)": "the predicted classes of a ResNet-152 on ImageNet, without scores",
}
"""What stands in where the authors' predictions are not to be had."""


@dataclass(frozen=True)
class Sources:
    """The folder of prediction sets."""

    folder: Path

    def pool(self, data: str) -> Pool:
        """Return a prediction set by the name that tables call it."""
        name, columns = _FILES[data]
        return _read(self.path(name), columns.get("predicted"), columns.get("confidence"))

    def rows(self, name: str) -> list[dict[str, str]]:
        """Return the rows of a CSV file."""
        with self.path(name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def path(self, name: str) -> Path:
        """Return the path of a file that is there."""
        path = self.folder / name
        if not path.is_file():
            raise NotFoundError(f"'{name}' is not in '{self.folder}'. Name the folder of prediction sets with --data.")
        return path


@cache
def _read(path: Path, predicted: str | None, confidence: str | None) -> Pool:
    return read_pool(path, predicted=predicted, confidence=confidence, label="label", columns=[])


def flat_prior(protocol: str) -> Prior:
    """Return the papers' UPrior: Beta(1, 1) as printed, next to nothing as coded."""
    return CustomPrior(5e-7, 5e-7) if protocol == CODED else FlatPrior()


def method_prior(method: str, protocol: str) -> Prior:
    """Return the prior of UPrior, IPrior or IPrior+TS."""
    return flat_prior(protocol) if method == "UPrior" else InformedPrior()


def method_policy(method: str) -> Policy:
    """Return the policy of UPrior, IPrior or IPrior+TS."""
    return Thompson() if method.endswith("TS") else RandomItem()
