"""The measurement as text: legible at every width, and nothing left out silently."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.report.measurement import measure
from labelwise.report.settings import Settings
from labelwise.report.text import render_text


def result_of(n_classes=3, **options):
    rng = np.random.default_rng(1)
    scores = rng.dirichlet([0.5] * n_classes, 400)
    labels = [int(rng.choice(n_classes, p=p)) for p in scores]
    classes = [f"class {k}" for k in range(n_classes)]
    return measure(lw.by_prediction(lw.pool_from_arrays(scores=scores, labels=labels, classes=classes)), **options)


@pytest.mark.parametrize("width", [60, 80, 120, 160])
def test_group_lines_fit_the_terminal_as_far_as_columns_can_go(width):
    text = render_text(result_of(), width=width)
    table = text.split("worst accuracy first\n")[1].split("\n\n")[0].splitlines()
    least = 70  # group, items, one metric with its interval, P(worst), rank, tied
    assert max(map(len, table)) <= max(width, least)


def test_target_level_and_kind_are_always_named():
    text = render_text(result_of(settings=Settings(target="pool", level=0.9, kind="highest-density")))
    assert "0.9 highest-density credible intervals; target: pool" in text
    assert "Note: Every item is labelled, so the pool target is known exactly." in text


def test_what_is_not_shown_is_counted():
    text = render_text(result_of(30), rows=5)
    assert "... and 25 more" in text
    assert "... and" not in render_text(result_of(30), rows=0)


def test_the_verdict_names_the_worst_and_those_tied_with_it():
    pool = lw.pool_from_arrays(
        predicted=[0] * 50 + [1] * 50 + [2] * 50, labels=[0] * 45 + [1] * 5 + [0] * 50 + [0] * 49 + [2]
    )
    text = render_text(measure(lw.by_prediction(pool)))
    assert "'1' looks worst in accuracy" in text
    assert "but is not distinguishable from: 2." in text


def test_a_terminal_without_unicode_gets_plain_marks():
    assert render_text(result_of(), unicode=False).isascii()
    assert "●" in render_text(result_of())


def test_all_questions_are_answered_in_sentences():
    result = result_of(
        compare=("class 0", "class 1"), hand_off_groups=1, tables=["ranking", "reliability", "confusion"]
    )
    text = render_text(result)
    assert "P(accuracy of 'class 0' is" in text
    assert "handed to a person" in text
    for title in ("Ranking", "Reliability", "Confusion"):
        assert f"\n{title}\n" in text
