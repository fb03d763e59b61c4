"""`labelwise measure`, every option, in the process of the test."""

import json
import shlex

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import labelwise as lw
from labelwise.cli.main import app
from labelwise.cli.measure import measure


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    n = 400
    labels = rng.integers(0, 3, n)
    columns = {"id": np.arange(n), "label": labels, "region": rng.choice(["north", "south"], n)}
    for name, weight in (("s", 1.0), ("t_", 0.6)):
        scores = rng.dirichlet([0.4] * 3, n) + weight * np.eye(3)[labels]
        scores /= scores.sum(axis=1, keepdims=True)
        columns |= {f"{name}{k}": scores[:, k].astype(np.float32) for k in range(3)}
    table = pa.table(columns)
    pq.write_table(table, tmp_path / "new.parquet")
    other = table.drop_columns([f"s{k}" for k in range(3)]).rename_columns(
        [c.replace("t_", "s") for c in table.drop_columns([f"s{k}" for k in range(3)]).column_names]
    )
    pq.write_table(other, tmp_path / "old.parquet")
    (tmp_path / "map.csv").write_text("class,group\n0,low\n1,low\n2,high\n")
    (tmp_path / "cost.csv").write_text("0,1,5\n1,0,1\n5,1,0\n")
    (tmp_path / "names.csv").write_text("true,2,1,0\n0,5,1,0\n1,1,0,1\n2,0,1,5\n")
    (tmp_path / "mine.py").write_text("def off_diagonal(joint):\n    return 1 - joint.trace(axis1=-2, axis2=-1)\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, ["measure", *words], catch_exceptions=False)


def document(*words):
    done = run("new.parquet", "--scores", "s*", *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_json_document_has_the_librarys_numbers(folder):
    found = document()
    pool = lw.read_pool("new.parquet", scores="s*", label="label")
    assert found["pool"]["fingerprint"] == lw.read_pool("new.parquet", scores="s*", label="label").fingerprint
    overall = {row["metric"]: row["known"] for row in found["overall"]}
    assert overall["accuracy"] == pytest.approx(lw.metrics.known_value(lw.accuracy, pool))
    assert overall["ece"] == pytest.approx(lw.metrics.known_value(lw.ece, pool))
    belief = lw.belief_from_labels(lw.accuracy, lw.by_prediction(pool))
    by_name = {row["group"]: row["accuracy"]["mean"] for row in found["groups"]}
    assert [by_name[name] for name in belief.names] == pytest.approx(belief.mean().tolist())


def test_the_table_is_printed_worst_first(folder):
    done = run("new.parquet", "--scores", "s*", "--label", "label")
    assert done.exit_code == 0
    assert "By prediction, worst accuracy first" in done.stdout


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        (["--by", "region"], {"north", "south"}),
        (["--by", "nothing"], {"all items"}),
        (["--by", "score", "--bins", "2"], {"0-0.5", "0.5-1"}),
        (["--by", "region", "--by", "prediction"], {f"{r} × {k}" for r in ("north", "south") for k in range(3)}),
        (["--map", "map.csv"], {"low", "high"}),
        (["--map", "map.csv:class:group"], {"low", "high"}),
    ],
)
def test_groupings(folder, words, groups):
    assert {row["group"] for row in document(*words)["groups"]} == groups


def test_equal_mass_bins(folder):
    sizes = [row["items"] for row in document("--by", "score", "--bins", "3", "--equal-mass")["groups"]]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("metric", ["accuracy", "bias", "ece", "mce", "recall", "precision", "f1", "fpr"])
def test_every_metric_by_prediction(folder, metric):
    assert metric in document("--metric", metric)["groups"][0]


@pytest.mark.parametrize("metric", ["recall", "fpr"])
def test_rates_of_a_positive_class_by_column(folder, metric):
    found = document("--metric", metric, "--positive", "2", "--by", "region")
    assert {row["group"] for row in found["groups"]} == {"north", "south"}


def test_balanced_accuracy_and_a_function_of_ones_own_by_column(folder):
    assert "balanced-accuracy" in document("--metric", "balanced-accuracy", "--by", "region")["groups"][0]
    found = document("--metric", "mine:off_diagonal", "--by", "nothing")["groups"][0]["off-diagonal"]["mean"]
    pool = lw.read_pool("new.parquet", scores="s*", label="label")
    assert found == pytest.approx(1 - pool.hits.mean(), abs=0.01)


@pytest.mark.parametrize("file", ["cost.csv", "names.csv"])
def test_cost_with_and_without_names_is_the_same(folder, file):
    found = document("--cost", file)
    assert "cost" in found["groups"][0]
    matrix = [[0, 1, 5], [1, 0, 1], [5, 1, 0]]
    pool = lw.read_pool("new.parquet", scores="s*", label="label")
    overall = {row["metric"]: row["known"] for row in found["overall"]}
    assert overall["cost"] == pytest.approx(lw.metrics.known_value(lw.ExpectedCost(matrix), pool))


def test_priors(folder):
    def first(*words):
        rows = {row["group"]: row["accuracy"]["mean"] for row in document("--by", "nothing", *words)["groups"]}
        return rows["all items"]

    pool = lw.read_pool("new.parquet", scores="s*", label="label")
    hits, n = int(pool.hits.sum()), 400
    assert first() == pytest.approx((hits + 1) / (n + 2))
    assert first("--prior", "flat", "--strength", "10") == pytest.approx((hits + 5) / (n + 10))
    assert first("--prior", "informed", "--strength", "100") == pytest.approx(
        (hits + 100 * pool.confidence.mean()) / (n + 100)
    )
    assert first("--prior", "30,10") == pytest.approx((hits + 30) / (n + 40))
    old = lw.read_pool("old.parquet", scores="s*", label="label")
    carried = first("--prior-from", "old.parquet", "--discount", "0.5", "--metric", "accuracy")
    assert carried == pytest.approx((hits + 1 + 0.5 * old.hits.sum()) / (n + 2 + 200))


def test_target_level_interval_and_seed(folder):
    found = document("--target", "pool", "--level", "0.8", "--interval", "highest-density", "--seed", "5")
    assert found["settings"]["target"] == "pool"
    assert found["settings"]["level"] == 0.8
    assert found["settings"]["kind"] == "highest-density"
    assert all(row["accuracy"]["low"] == row["accuracy"]["high"] for row in found["groups"])


def test_questions(folder):
    found = document("--compare", "0", "1", "--margin", "0.02", "--hand-off", "1", "--person", "0.9", "--worst", "2")
    assert found["comparison"]["margin"] == 0.02
    assert found["hand_off"]["share"] > 0
    assert "p_among_2_worst" in found["groups"][0]


def test_against_another_file_and_against_other_columns_is_the_same(folder):
    one = document("--id", "id", "--against", "old.parquet")["against"]
    other = document("--id", "id", "--against-scores", "t_*")["against"]
    assert one["n_only_one"] == other["n_only_one"] > 0
    assert one["difference"]["mean"] == other["difference"]["mean"] > 0


def test_ensembles_by_file_and_by_columns(folder):
    for words in (["--member", "old.parquet"], ["--member-scores", "t_*"]):
        found = document(*words, "--by", "disagreement", "--bins", "2")
        assert found["pool"]["source"] == "average of 2 members"
        assert len(found["groups"]) == 2


def test_tables(folder):
    done = run("new.parquet", "--scores", "s*", "--table", "confusion", "--table", "reliability", "--rows", "3")
    assert "Confusion\n" in done.stdout
    assert "Reliability\n" in done.stdout


def test_the_calibration_curve_as_text_and_json(folder):
    done = run("new.parquet", "--scores", "s*", "--table", "curve")
    assert "Curve\n  confidence  items below  accuracy" in done.stdout
    assert "Surely under-confident: from confidence" in done.stdout
    rows = document("--table", "curve")["tables"]["curve"]
    assert len(rows) == 20
    assert all(row["low"] < row["accuracy"] < row["high"] for row in rows)
    assert {row["scores"] for row in rows} <= {"", "over-confident", "under-confident"}


@pytest.mark.parametrize("by", [[], ["--by", "region", "--positive", "1"]])
def test_confusion_with_the_learned_prior(folder, by):
    words = ("--metric", "recall", "--prior", "learned", *by)
    assert all(0 < row["recall"]["mean"] < 1 for row in document(*words)["groups"])
    assert "Confusion\n" in run("new.parquet", "--scores", "s*", *words, "--table", "confusion").stdout


def test_predictions_without_scores_and_a_comma_list_of_scores(folder):
    found = document()["overall"][0]["known"]
    done = run("new.parquet", "--scores", "s0,s1,s2", "--json")
    assert json.loads(done.stdout)["overall"][0]["known"] == found
    done = run("new.parquet", "--predicted", "label", "--label", "label", "--json")
    assert json.loads(done.stdout)["overall"][0]["known"] == 1.0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--by", "disagreement"], "`--by disagreement` needs an ensemble; name its --member or --member-scores."),
        (["--metric", "cost"], "`--metric cost` needs a cost matrix; give it with --cost FILE."),
        (["--prior", "high"], "`--prior` must be flat, informed, learned, or two numbers such as 9,1; not 'high'."),
        (["--by", "regoin"], "The pool has no column 'regoin'. Did you mean 'region'?"),
        (["--metric", "mine:nothing"], "There is no function 'nothing' in a module 'mine'"),
        (["--compare", "0", "7"], "Group '7' does not exist. Available: '0', '1', '2'."),
    ],
)
def test_wrong_words_get_one_sentence(folder, words, sentence):
    with pytest.raises(lw.LabelwiseError) as refusal:
        run("new.parquet", "--scores", "s*", *words)
    assert str(refusal.value).startswith(sentence)


def test_every_example_of_the_help_runs(folder):
    """The examples name files and columns of their own; here they are."""
    table = pq.read_table("new.parquet")
    for name, label in (("predictions.parquet", "label"), ("old.parquet", "label")):
        pq.write_table(table.rename_columns([c.replace("label", label) for c in table.column_names]), name)
    (folder / "predictions.csv").write_text("pred,conf,label,region\n1,0.9,1,north\n0,0.8,1,south\n")
    words = [line.strip() for line in measure.__doc__.splitlines() if line.strip().startswith("labelwise measure")]
    assert len(words) >= 4
    for line in words:
        done = run(*shlex.split(line)[2:])
        assert done.exit_code == 0, line
