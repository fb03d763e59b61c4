"""The labelled pools that labels are counted on."""

from __future__ import annotations

import os
from pathlib import Path

from labelwise.pool import Pool, read_pool

_FILES: dict[str, dict[str, str]] = {
    "cifar100_resnet110_authors_top1": {"predicted": "pred", "confidence": "conf"},
    "svhn_resnet152_authors": {},
    "cifar100_densenetbc100": {},
    "newsgroups20_cleanlab": {},
    "dbpedia_bert_top1conf": {"predicted": "pred", "confidence": "conf"},
    "mnist_cleanlab": {},
    "imagenet_val_67models_top1": {"predicted": "pred_resnet152"},
}
NAMES = {
    "CIFAR-100": "cifar100_resnet110_authors_top1",
    "SVHN": "svhn_resnet152_authors",
    "CIFAR-100, DenseNet": "cifar100_densenetbc100",
    "20 Newsgroups": "newsgroups20_cleanlab",
    "DBpedia": "dbpedia_bert_top1conf",
    "MNIST": "mnist_cleanlab",
    "ImageNet": "imagenet_val_67models_top1",
    "CIFAR-10, cross-validated": "cifar10_7models_scores",
}
SCORED = [name for name in NAMES if name != "ImageNet"]
"""The pools that have scores."""
_NETS = ("resnet110", "preresnet110", "densenetbc190", "lenet5", "wrn16_4", "vgg16")
EVERY = [*NAMES, *(f"CIFAR-10, {net}" for net in _NETS), "COMPAS"]
"""All pools: six more nets on CIFAR-10, and one of two classes."""


def pool(name: str) -> Pool:
    """Read a pool from the folder that LABELWISE_DATA names."""
    folder = Path(os.environ.get("LABELWISE_DATA", "../shared/data"))
    if name.startswith("CIFAR-10,"):
        net = name.removeprefix("CIFAR-10, ").replace("cross-validated", "cleanlab_cv")
        path = folder / "cifar10_7models_scores.parquet"
        columns = [f"{net}_s{k}" for k in range(10)]
        return read_pool(path, scores=columns, label="label", classes=list(range(10)), columns=[])
    if name == "COMPAS":
        return read_pool(folder / "compas_two_years.parquet", predicted="pred", label="label", columns=[])
    path = folder / f"{NAMES[name]}.parquet"
    columns = _FILES[NAMES[name]]
    return read_pool(
        path, predicted=columns.get("predicted"), confidence=columns.get("confidence"), label="label", columns=[]
    )
