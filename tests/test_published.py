"""Facts that were published, from the papers' own predictions and from ProPublica's."""

import csv

import numpy as np
import pytest

import labelwise as lw

pytestmark = pytest.mark.data


def rows_of(path):
    with path.open() as file:
        return list(csv.DictReader(file))


def authors_pool(data_folder, name):
    if name == "svhn":
        return lw.read_pool(data_folder / "svhn_resnet152_authors.parquet", scores="s*", label="label")
    classes = [row["class"] for row in rows_of(data_folder / "cifar100_classes.csv")]
    path = data_folder / "cifar100_resnet110_authors_top1.parquet"
    return lw.read_pool(path, predicted="pred", confidence="conf", label="label", classes=classes)


@pytest.mark.parametrize(("name", "error"), [("cifar100", 0.0987), ("svhn", 0.0109)])
def test_the_calibration_error_of_the_authors_pools(data_folder, name, error):
    assert lw.metrics.known_value(lw.metrics.ECE(bins=15), authors_pool(data_folder, name)) == pytest.approx(
        error, abs=0.00005
    )


@pytest.mark.parametrize("name", ["cifar100", "svhn"])
def test_the_authors_statistics_of_every_class(data_folder, name):
    groups = lw.by_prediction(authors_pool(data_folder, name))
    published = {row["Predicted_Class_k"]: row for row in rows_of(data_folder / f"authors_perclass_{name}.csv")}
    assert set(published) == set(groups.names)

    def column(key):
        return np.array([float(published[group][key]) for group in groups.names])

    belief = lw.belief_from_labels(lw.calibration_bias, groups)
    assert np.array_equal(belief.hits, column("R_k"))
    assert np.array_equal(groups.n_items, column("N_k"))
    # the files keep confidences in single precision
    assert np.allclose(lw.accuracy.mean(belief, target="pool"), column("Acc_k"), atol=1e-12)
    assert np.allclose(groups.mean_confidence, column("Conf_k"), atol=1e-7)
    assert np.allclose(lw.calibration_bias.mean(belief, target="pool"), column("Calibration_Bias_k"), atol=1e-7)
    metric = lw.metrics.ECE(bins=10)  # what the authors used here
    assert np.allclose(metric.mean(lw.belief_from_labels(metric, groups), target="pool"), column("ECE_k"), atol=1e-7)


def test_false_positive_rates_of_compas_by_race(data_folder):
    pool = lw.read_pool(data_folder / "compas_two_years.parquet", predicted="pred", label="label")
    groups = lw.by_column(pool, "race")
    metric = lw.metrics.FalsePositiveRate(positive=1)
    belief = lw.belief_from_labels(metric, groups)
    rates = dict(zip(groups.names, metric.draw(belief, 1, target="pool", rng=np.random.default_rng(1))[0], strict=True))
    assert rates["African-American"] == pytest.approx(0.448, abs=0.0005)
    assert rates["Caucasian"] == pytest.approx(0.235, abs=0.0005)
    gap = lw.difference(metric, belief, "African-American", "Caucasian", rng=np.random.default_rng(2))
    assert gap.p_higher > 0.999
    recall = lw.metrics.Recall(positive=1)
    found = recall.draw(lw.belief_from_labels(recall, groups), 1, target="pool", rng=np.random.default_rng(3))[0]
    missed = dict(zip(groups.names, 1 - found, strict=True))
    assert missed["African-American"] == pytest.approx(0.280, abs=0.0005)
    assert missed["Caucasian"] == pytest.approx(0.477, abs=0.0005)


def test_informed_priors_of_the_papers(data_folder):
    """An over-confident classifier's informed prior starts too high: 0.84 believed, 0.74 true."""
    pool = authors_pool(data_folder, "cifar100")
    belief = lw.beliefs.BetaBelief.start(lw.everything(pool), lw.InformedPrior())
    assert belief.mean()[0] == pytest.approx(0.8401, abs=0.00005)
    assert lw.metrics.known_value(lw.accuracy, pool) == pytest.approx(0.7414)
