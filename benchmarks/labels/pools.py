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


def pool(name: str) -> Pool:
    """Read a pool from the folder that LABELWISE_DATA names."""
    folder = Path(os.environ.get("LABELWISE_DATA", "../shared/data"))
    path = folder / f"{NAMES[name]}.parquet"
    if name.startswith("CIFAR-10,"):
        return read_pool(path, scores=[f"cleanlab_cv_s{k}" for k in range(10)], label="label", columns=[])
    columns = _FILES[NAMES[name]]
    return read_pool(
        path, predicted=columns.get("predicted"), confidence=columns.get("confidence"), label="label", columns=[]
    )
