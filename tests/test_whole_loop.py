"""Two whole assessments on real predictions by commands, until the stopping rule says stop, against the known truth."""

import csv
import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from labelwise.cli.main import app

pytestmark = pytest.mark.data
MET, NOT_MET = 0, 5


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def looped(folder, predictions, a_round, *words):
    """Make an assessment and label from the truth, round by round; give the last answer and how many rounds it took."""
    truth = pq.read_table(predictions, columns=["label"])["label"].to_pylist()
    store, asked, told = folder / "x.lw", folder / "asked.csv", folder / "told.csv"
    assert run("new", store, predictions, "--predicted", "pred", "--seed", 7, *words).exit_code == 0
    for n_rounds in range(40):
        done = run("answer", store, "--no-forecast", "--json")
        if done.exit_code == MET:
            return json.loads(done.stdout), n_rounds
        assert done.exit_code == NOT_MET
        assert run("ask", store, "-n", a_round, "-o", asked).exit_code == 0
        rows = list(csv.DictReader(asked.read_text().splitlines()))
        assert set(rows[0]) == {"ticket", "id", "assessment", "label", "skip"}
        told.write_text("ticket,label\n" + "".join(f"{row['ticket']},{truth[int(row['id'])]}\n" for row in rows))
        assert run("tell", store, told).exit_code == 0
    raise AssertionError("the rule was never met")


def test_the_worst_of_100_classes_is_found_with_a_third_of_the_labels(data_folder, tmp_path):
    predictions = data_folder / "cifar100_resnet110_authors_top1.parquet"
    words = ["--confidence", "conf", "--question", "worst", "--stop", "believed", "--policy", "top-two"]
    words += ["--prior", "informed"]
    document, n_rounds = looped(tmp_path, predictions, 500, *words)
    table = pq.read_table(predictions, columns=["label", "pred"])
    label, predicted = (np.array(table[name]) for name in ("label", "pred"))
    accuracy = [(label == predicted)[predicted == k].mean() for k in range(100)]
    assert document["answer"]["named"] == [str(np.argmin(accuracy))]
    assert document["labels"]["told"] == 500 * n_rounds <= 3_500


def test_compas_accuracy_of_two_races_is_compared(data_folder, tmp_path):
    words = ["--by", "race", "--question", "compare", "--compare", "African-American", "Caucasian", "--sure", 0.9]
    words += ["--stop", "believed", "--target", "population"]
    document, n_rounds = looped(tmp_path, data_folder / "compas_two_years.parquet", 200, *words)
    # in truth accuracy is 0.638 and 0.670: closer than the margin of 0.05
    assert document["difference"]["p_equal"] >= 0.9
    assert document["labels"]["told"] == 200 * n_rounds < 6_150


def test_the_worst_of_100_classes_is_proven(data_folder, tmp_path):
    """With the informed prior in batches of 500; the guarantee costs about twice the labels of the believed stop."""
    predictions = data_folder / "cifar100_resnet110_authors_top1.parquet"
    document, n_rounds = looped(tmp_path, predictions, 500, "--confidence", "conf", "--prior", "informed")
    table = pq.read_table(predictions, columns=["label", "pred"])
    label, predicted = (np.array(table[name]) for name in ("label", "pred"))
    accuracy = [(label == predicted)[predicted == k].mean() for k in range(100)]
    assert document["answer"]["named"] == [str(np.argmin(accuracy))]
    assert document["answer"]["proof"]["error"] <= 0.05
    assert document["labels"]["told"] == 500 * n_rounds < 10_000
