"""The real prediction sets read as their index says: same size, accuracy and mean confidence."""

import csv
from pathlib import Path

import numpy as np
import pytest

import labelwise as lw

pytestmark = pytest.mark.data

TOP1 = {"predicted": "pred", "confidence": "conf"}
FILES = [
    ("cifar100_resnet110_authors_top1", TOP1, 10_000, 100, ".7414", ".8401"),
    ("svhn_resnet152_authors", {}, 26_032, 10, ".9675", ".9784"),
    ("cifar100_densenetbc100", {}, 10_000, 100, ".7541", ".8963"),
    ("newsgroups20_cleanlab", {}, 7_532, 20, ".9234", ".7223"),
    ("dbpedia_bert_top1conf", TOP1, 10_000, 14, ".9947", ".9988"),
    ("imagenet_val_67models_top1", {"predicted": "pred_resnet152", "id": "val_id"}, 50_000, 1_000, ".7831", None),
    ("mnist_cleanlab", {}, 10_000, 10, ".9913", ".9925"),
    ("compas_two_years", {"predicted": "pred"}, 7_214, 2, ".6537", None),
]
MODELS = {
    "resnet110": ".939",
    "preresnet110": ".951",
    "densenetbc190": ".967",
    "lenet5": ".531",
    "wrn16_4": ".911",
    "vgg16": ".936",
    "cleanlab_cv": ".929",
}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def printed(value: float, decimals: int = 4) -> str:
    return f"{value:.{decimals}f}".lstrip("0")


@pytest.mark.parametrize(("name", "options", "n_items", "n_classes", "accuracy", "confidence"), FILES)
def test_a_file_reads_as_its_index_says(name, options, n_items, n_classes, accuracy, confidence, data_folder):
    pool = lw.read_pool(data_folder / f"{name}.parquet", label="label", **options)
    assert (pool.n_items, pool.n_classes, pool.n_labelled) == (n_items, n_classes, n_items)
    assert printed(pool.hits.mean()) == accuracy
    assert (None if pool.confidence is None else printed(pool.confidence.mean())) == confidence


@pytest.mark.parametrize(("model", "accuracy"), MODELS.items())
def test_each_of_seven_models_in_one_file_reads_as_the_index_says(model, accuracy, data_folder):
    path = data_folder / "cifar10_7models_scores.parquet"
    pool = lw.read_pool(path, scores=f"{model}_s*", label="label", columns=[])
    assert (pool.n_items, pool.classes) == (10_000, tuple(range(10)))
    assert printed(pool.hits.mean(), 3) == accuracy


@pytest.mark.parametrize(
    ("file", "table", "options"),
    [
        ("cifar100_resnet110_authors_top1", "authors_perclass_cifar100", TOP1),
        ("svhn_resnet152_authors", "authors_perclass_svhn", {}),
    ],
)
def test_groups_by_prediction_have_the_counts_that_the_authors_published(file, table, options, data_folder):
    pool = lw.read_pool(data_folder / f"{file}.parquet", label="label", **options)
    groups = lw.by_prediction(pool)
    rows = rows_of(data_folder / f"{table}.csv")
    if "cifar100" in file:
        number = {row["class"]: int(row["class_id"]) for row in rows_of(data_folder / "cifar100_classes.csv")}
        rows.sort(key=lambda row: number[row["Predicted_Class_k"]])
    assert groups.n_items.tolist() == [int(float(row["N_k"])) for row in rows]
    hits = np.bincount(groups.of_item, pool.hits, groups.n_groups)
    assert hits.tolist() == [int(float(row["R_k"])) for row in rows]
    np.testing.assert_allclose(groups.mean_confidence, [float(row["Conf_k"]) for row in rows], atol=1e-6)


def test_a_protected_attribute_gives_the_published_error_rates(data_folder):
    pool = lw.read_pool(data_folder / "compas_two_years.parquet", predicted="pred", label="label")
    races = lw.by_column(pool, "race")
    rates = {}
    for race in ("African-American", "Caucasian"):
        items = races.items_of(races.index(race))
        predicted, label = pool.prediction[items], pool.labels[items]
        rates[race] = (printed(predicted[label == 0].mean(), 3), printed((1 - predicted[label == 1]).mean(), 3))
    assert rates == {"African-American": (".448", ".280"), "Caucasian": (".235", ".477")}
