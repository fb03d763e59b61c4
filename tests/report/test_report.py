"""Reports as a whole: the same bytes for the same input, three formats that say the same."""

import json
import os
import subprocess
import sys
import time

import pytest

import labelwise as lw
from labelwise.errors import ArgumentError, NotFoundError
from labelwise.report.report import FORMATS, format_of


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_assessment_gives_the_same_bytes(animals, animal_report, format):
    again = lw.report_of(animals, title="Animals", source="spring.lw")
    assert again.write(format) == animal_report.write(format)


@pytest.mark.slow  # starts two processes
def test_another_process_on_another_day_gives_the_same_bytes(tmp_path, pool_of, make_assessment):
    pool = pool_of(["cat", "dog"])
    store = lw.SqliteStore(tmp_path / "a.lw")
    make_assessment(pool, lw.Worst(lw.accuracy), 12, journal=store.journal("main")).ask(3)  # three are still out
    store.close()
    code = (
        "import time, sys, labelwise as lw; now, shift = time.time, float(sys.argv[2])\n"
        "time.time = lambda: now() + shift\n"
        "sys.stdout.write(lw.report_of(lw.SqliteStore(sys.argv[1]).open()).html())"
    )
    pages = []
    for shift, seed in ((-time.time() + 1_780_000_100, "1"), (1e7, "2")):
        env = os.environ | {"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo" if seed == "1" else "UTC"}
        done = subprocess.run([sys.executable, "-c", code, tmp_path / "a.lw", str(shift)], capture_output=True, env=env,
                              check=True)  # fmt: skip
        pages.append(done.stdout)
    assert pages[0] == pages[1]
    assert b"3 still with labellers" in pages[0]


def test_json_is_the_document_and_everything_of_it(animal_report):
    document = json.loads(animal_report.json())
    assert document == json.loads(json.dumps(animal_report.document))
    assert {"question", "headline", "stop", "groups", "guarantees", "settings", "labellers", "reproduce"} <= set(
        document
    )
    assert [chart["kind"] for chart in document["charts"]][:3] == ["groups", "progress", "allocation"]
    assert len(document["charts"]) == len(animal_report.charts)


def test_page_and_markdown_say_what_the_document_says(animal_report):
    document, page, text = animal_report.document, animal_report.html(), animal_report.markdown()
    for said in (
        document["question"],
        document["reproduce"]["fingerprint"],
        "2026-",
        "labelwise store verify spring.lw",
    ):
        assert said in page
        assert said in text
    for row in document["groups"]:
        assert f"{row['mean']:.4f}" in page
        assert f"{row['mean']:.4f}" in text


def test_reading_does_not_change_an_assessment(animals):
    before = animals.history()
    lw.report_of(animals)
    assert animals.history() == before


def test_no_label_at_all_is_said(pool_of, make_assessment):
    report = lw.report_of(make_assessment(pool_of(["cat", "dog"]), lw.Worst(lw.accuracy), 0))
    assert report.document["headline"].startswith("By the prior alone, without any label: ")
    assert "Nobody yet." in report.html()


@pytest.mark.parametrize(
    "question",
    [lw.Estimate(lw.accuracy), lw.Best(lw.accuracy, m=2), lw.Overall(lw.accuracy), lw.Compare("cat", "dog"),
     lw.Worst(lw.recall), lw.Estimate(lw.ece), lw.Worst(lw.calibration_bias)],
    ids=str,
)  # fmt: skip
def test_every_question_has_a_report(pool_of, make_assessment, question):
    stop = lw.Budget(20)
    assessment = make_assessment(pool_of(["cat", "dog", "emu"], 120), question, 30, stop=stop)
    report = lw.report_of(assessment)
    assert report.html().count("<figure>") == len(report.charts) >= 3
    assert "The stopping rule is met." in report.markdown()


def test_two_classifiers_are_reported_by_their_difference(pool_of, make_assessment):
    pool = pool_of(["cat", "dog", "emu"], 200)
    names = list(pool.classes)
    rival = [names[(k + j % 2) % 3] for j, k in enumerate(pool.prediction)]
    pool = lw.metrics.with_rival(pool, lw.pool_from_arrays(predicted=rival, classes=names), "old")
    report = lw.report_of(make_assessment(pool, lw.Versus("old"), 30, groups=lw.everything(pool)))
    kinds = [chart["kind"] for chart in report.document["charts"]]
    assert kinds[0] == "difference"
    assert not {"reliability", "curve", "ece", "confusion"} & set(kinds)  # labels only where they differ
    assert "this classifier less old" in report.html()


@pytest.mark.slow  # draws a report four times
def test_save_goes_by_the_name(animal_report, tmp_path, refusal):
    for name in ("r.html", "r.md", "r.json"):
        animal_report.save(tmp_path / name)
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == animal_report.html()
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert "A report is written as one of" in refusal(ArgumentError, format_of, "r.pdf")
    assert "cannot be written" in refusal(NotFoundError, animal_report.save, tmp_path / "no" / "r.md")
    assert refusal(ArgumentError, animal_report.write, "pdf").startswith("`format` must be one of")
