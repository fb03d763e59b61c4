"""Small tables for notebooks."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.pool.html_table import facts_table, group_rows, html_table

NASTY = "<script>alert(1)</script>\"'&"


@pytest.fixture(scope="module")
def assessment():
    pool = lw.pool_from_arrays(predicted=[NASTY, "dog"] * 20, confidence=[0.9, 0.7] * 20, labels=["dog"] * 40)
    made = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=1)
    for ticket in made.ask(10):
        made.tell(ticket, "dog")
    return made


def test_what_a_notebook_shows_is_text(assessment):
    pool, groups, result = assessment.pool, assessment.groups, assessment.answer()
    shown = [pool, groups, assessment, result, result.answer, result.answer.posterior, result.answer.frame()]
    shown += [lw.belief_from_labels(metric, groups) for metric in (lw.accuracy, lw.recall, lw.ece)]
    shown += [lw.belief_from_labels(metric, groups, lw.LearnedPrior()) for metric in (lw.accuracy, lw.recall)]
    for one in shown:
        html = one._repr_html_()
        assert "<script" not in html, type(one)
        assert html.count("<table>") == html.count("</table>") == 1
    assert "&lt;script&gt;" in groups._repr_html_()


def test_long_tables_are_cut_and_say_so():
    html = html_table([{"n": k} for k in range(25)])
    assert html.count("<tr>") == 21
    assert html.endswith("<p>and 5 more</p>")
    assert "<p>" not in html_table([{"n": 1}])
    assert html_table([]) == "<table><thead><tr></tr></thead><tbody></tbody></table>"


def test_values_are_plain():
    assert group_rows(a=np.array([1, 2]), b=("x", "y")) == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    assert "<td>yes</td>" in facts_table({"is": True})
