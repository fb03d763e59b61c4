"""The reference of Python names: every public one is in it, once, with its words."""

from importlib import import_module

import labelwise
from website.names import TITLES, pages, rendered, spelling_of


def test_every_public_name_of_every_package_is_on_the_page_of_its_package():
    assert set(TITLES) == {*labelwise._PACKAGES, "testing"}
    found = pages()
    for package in TITLES:
        for name in import_module(f"labelwise.{package}").__all__:
            spelled = spelling_of(package, name)
            assert found[f"reference/{package}.md"].count(f"\n## {spelled} ") == 1
            assert f"[`{spelled}`]({package}.md#{spelled})" in found["reference/index.md"]


def test_every_name_at_the_top_is_in_the_index_as_it_is_written():
    index = pages()["reference/index.md"]
    for name in set(labelwise.__all__) - {"__version__"}:
        assert f"[`lw.{name}`]" in index


def test_an_entry_has_signature_words_parameters_and_example():
    text = pages()["reference/assessment.md"]
    entry = text[text.index("## lw.Assessment ") :].partition("\n## ")[0]
    assert "lw.Assessment(pool, groups=None, *, question, seed=None, journal=None" in entry
    assert "An ongoing question to a pool whose labels are not known." in entry
    assert "- `question`: what is to be found out." in entry
    assert ">>> import labelwise as lw" in entry
    assert "**`.ask(" in entry


def test_what_is_no_class_and_no_function_is_explained_too():
    metrics, beliefs = pages()["reference/metrics.md"], pages()["reference/beliefs.md"]
    assert "The share of hits in each group" in metrics.partition("\n## lw.accuracy ")[2].partition("\n## ")[0]
    assert "see [`lw.metrics.ECE`](#lw.metrics.ECE)." in metrics.partition("\n## lw.ece ")[2].partition("\n## ")[0]
    assert "A new metric is registered here." in metrics.partition("\n## lw.metrics.METRICS ")[2].partition("\n## ")[0]
    assert "A type: one of `'pool'`, `'population'`." in beliefs


def test_no_entry_is_empty():
    for address, text in pages().items():
        for entry in text.split("\n## ")[1:]:
            assert len(entry.split()) > 5, f"{address}: {entry}"


def test_entries_that_go_on_keep_their_lines_together():
    [*_, parameters] = rendered("A thing.\n\nParameters\n----------\nx, y : two numbers, the\n    second larger.")
    assert parameters == "- `x, y`: two numbers, the\n  second larger."
