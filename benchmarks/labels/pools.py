"""The labelled pools that labels are counted on."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from labelwise.groups import Grouping, by_column, by_prediction, crossed
from labelwise.pool import Pool, pool_from_arrays, read_pool

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
_RIVALS = {"RTE": "rte", "SST-2": "sst2", "QNLI": "qnli", "MRPC": "mrpc", "Domain drift": "domain_drift"}
GROUPED = {
    "COMPAS, by race": ("race",),
    "Adult, naive Bayes": ("race", "sex"),
    "Adult, random forest": ("race", "sex"),
    "LLMBar, a judge": ("subset",),
    "ImageNet, environments": ("environment",),
}
"""Pools that are asked by columns instead of predicted classes, and by which."""
AGAINST = [*_RIVALS, "LLMBar, a judge"]
"""Pools that keep the predictions of a second classifier, in the column `rival`."""


def grouped(name: str) -> Grouping:
    """Read a pool, in the groups that are asked about: predicted classes, or those of its columns."""
    read = pool(name)
    if name not in GROUPED:
        return by_prediction(read)
    first, *others = (by_column(read, column) for column in GROUPED[name])
    return crossed(first, *others) if others else first


def pool(name: str) -> Pool:
    """Read a pool from the folder that LABELWISE_DATA names."""
    folder = Path(os.environ.get("LABELWISE_DATA", "../shared/data"))
    if name in _RIVALS:
        return _paired(folder / "many" / f"{_RIVALS[name]}.parquet", "m000", "m001")
    if name == "LLMBar, a judge":
        return _paired(folder / "judges" / "llmbar.parquet", "j00", "j02", "subset")
    if name == "COMPAS, by race":
        return read_pool(folder / "compas_two_years.parquet", predicted="pred", label="label", columns=["race"])
    if name.startswith("Adult,"):
        return _adult(
            folder / "adult_5models.parquet", {"naive Bayes": "GaussianNB", "random forest": "RandomForest"}[name[7:]]
        )
    if name == "ImageNet, environments":
        path = folder / "imagenet_environments_5models.parquet"
        return read_pool(path, predicted="pred_resnet152", label="label", columns=["environment"])
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


def _paired(path: Path, predicted: str, rival: str, *columns: str) -> Pool:
    """Read a pool that keeps a second classifier's predictions as `rival`."""
    table = pq.read_table(path)
    kept = {name: table[name].to_numpy(zero_copy_only=False) for name in columns}
    return pool_from_arrays(
        predicted=table[predicted].to_numpy(),
        labels=table["label"].to_numpy(),
        columns={"rival": table[rival].to_numpy(), **kept},
    )


def _adult(path: Path, model: str) -> Pool:
    """Read a classifier of two classes from its probabilities of the second."""
    table = pq.read_table(path)
    positive = table[f"p1_{model}"].to_numpy().astype(float)
    return pool_from_arrays(
        scores=np.stack([1 - positive, positive], axis=1),
        labels=table["label"].to_numpy(),
        columns={name: table[name].to_numpy(zero_copy_only=False) for name in ("race", "sex")},
    )
