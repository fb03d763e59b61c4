"""The reference of Python names: every public one is in it, once, with its words."""

import labelwise
from website.names import TITLES, names_of, pages, rendered


def test_every_public_name_is_on_the_page_of_its_package():
    assert set(TITLES) == set(labelwise._HOME)
    found = pages()
    for package in TITLES:
        for name in names_of(package):
            assert found[f"reference/{package}.md"].count(f"\n## lw.{name} ") == 1
            assert f"[`{name}`]({package}.md#lw.{name})" in found["reference/index.md"]


def test_an_entry_has_signature_words_parameters_and_example():
    text = pages()["reference/assessment.md"]
    entry = text[text.index("## lw.Assessment ") :].partition("\n## ")[0]
    assert "lw.Assessment(pool, groups=None, *, question, seed=None, journal=None" in entry
    assert "An ongoing question to a pool whose labels are not known." in entry
    assert "- `question`: what is to be found out." in entry
    assert ">>> import labelwise as lw" in entry
    assert "**`.ask(" in entry


def test_no_entry_is_empty():
    for address, text in pages().items():
        for entry in text.split("\n## ")[1:]:
            assert len(entry.split()) > 5, f"{address}: {entry}"


def test_entries_that_go_on_keep_their_lines_together():
    [*_, parameters] = rendered("A thing.\n\nParameters\n----------\nx, y : two numbers, the\n    second larger.")
    assert parameters == "- `x, y`: two numbers, the\n  second larger."
