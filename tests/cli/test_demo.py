"""`labelwise demo`: what it says, what it leaves, and what it refuses."""

import re
import subprocess

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


def test_it_tells_the_whole_story(shown):
    text = shown[1]
    assert text.startswith("A classifier, trained on 100 handwritten digits, has read 1,697 others.")
    after = int(re.search(r"After (\d+) labels: stop: P\(8 is the worst in accuracy\) = 0\.9", text)[1])
    at_random = int(re.search(r"the same certainty took ([\d,]+) labels", text)[1].replace(",", ""))
    assert after < 500 < at_random
    assert "the worst is 8 (accuracy 0.72), and the whole 0.901" in text
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
    probability = re.search(r"P\(8 is the worst in accuracy\) = (0\.\d+)", text)[1]
    assert f"&#x27;8&#x27; is the worst of 10 groups in accuracy, with probability {probability}." in page


def test_it_leaves_a_table_that_can_be_measured(shown):
    pool = lw.read_pool(shown[0] / "digits.csv", id="id", scores="p_*", label="label")
    assert pool.hits.mean() == pytest.approx(0.901, abs=0.001)


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
