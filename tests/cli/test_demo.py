"""`labelwise demo`: what it says, what it leaves, and what it refuses."""

import re
import subprocess

import numpy as np
import pytest
from tests.cli.conftest import SCRIPT

import labelwise as lw


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The folder of one demo, and what it said: `labelwise demo` as its help has it, with nobody to ask."""
    folder = tmp_path_factory.mktemp("demo")
    nobody = subprocess.DEVNULL
    done = subprocess.run([SCRIPT, "demo"], cwd=folder, stdin=nobody, capture_output=True, text=True, check=True)
    return folder, done.stdout


@pytest.fixture(scope="module")
def pool(shown):
    """The predictions and labels that the demo has left; the classifier is another one on another machine."""
    return lw.read_pool(shown[0] / "digits.csv", id="id", scores="p_*", label="label")


def test_it_tells_the_whole_story(shown, pool):
    text = shown[1]
    assert text.startswith("A classifier, trained on 100 handwritten digits, has read 1,697 others.")
    after, named, error = re.search(
        r"After ([\d,]+) labels: stop: (\d) is the worst in accuracy: guaranteed with P\(error\) <= (\d\.\d+)", text
    ).groups()
    assert float(error) <= 0.05
    assert int(named) in pool.classes
    at_random = re.search(r"the same certainty took ([\d,]+) labels", text)[1]
    assert int(after.replace(",", "")) < int(at_random.replace(",", "")) <= pool.n_items
    groups = lw.by_prediction(pool)
    accuracy = np.bincount(groups.of_item, pool.hits) / groups.n_items
    worst = int(accuracy.argmin())
    truth = f"the worst is {groups.names[worst]} (accuracy {accuracy[worst]:.2f}), and the whole {pool.hits.mean():.3f}"
    assert truth in text
    assert re.search(r"All of it took \d+ seconds\.", text)


def test_it_leaves_an_assessment_that_goes_on(shown, command):
    folder, text = shown
    done = command("answer", folder / "demo.lw", "--json")
    assert done.code == 0
    assert done.document["stop"]["is_met"] is True
    assert f"After {done.document['labels']['told']} labels" in text


def test_it_leaves_a_report_that_says_the_same(shown):
    folder, text = shown
    page = (folder / "report.html").read_text(encoding="utf-8")
    named, probability = re.search(r"Believed: P\((\d) is the worst in accuracy\) = ([01]\.\d+)\.", text).groups()
    assert f"&#x27;{named}&#x27; is the worst of 10 groups in accuracy, with probability" in page
    assert f"Believed: P({named} is the worst in accuracy) = {probability}." in page
    assert f"Guaranteed: {named} is the worst in accuracy, wrong with probability at most 0.0" in page


def test_it_leaves_a_table_that_can_be_measured(pool):
    assert 0.85 < pool.hits.mean() < 0.95


def test_every_item_has_its_image(shown):
    images = list((shown[0] / "images").glob("*.png"))
    assert len(images) == 1_697
    assert all(image.read_bytes().startswith(b"\x89PNG") for image in images)


def test_it_never_writes_over_an_assessment(shown, command):
    before = (shown[0] / "demo.lw").read_bytes()
    done = command("demo", "--out", shown[0], "--no-open")
    assert (done.code, done.out) == (4, "")
    assert done.err.endswith("demo.lw' is there already. Remove it, or give another folder with --out.\n")
    assert (shown[0] / "demo.lw").read_bytes() == before
