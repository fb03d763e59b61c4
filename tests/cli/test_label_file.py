"""Files of labels as they come back: what is understood, and how a problem is named."""

import json

import pytest

import labelwise as lw
from labelwise.assessment import Said
from labelwise.cli.label_file import class_of, read_labelled, records

CLASSES = ["cat", "dog"]


def read(text, **options):
    return read_labelled(text, "x.csv", CLASSES, **options)


def test_rows_are_counted_without_the_header_and_empty_ones_are_left_for_later():
    found = read("ticket,label,skip\n3,cat,\n4,,\n5,,dark\n6,,Unknown\n")
    assert found.said == [Said(3, "cat"), Said(5, None, "dark"), Said(6, None, "", is_unknown=True)]
    assert found.rows == [1, 3, 4]
    assert found.n_empty == 1


@pytest.mark.parametrize(
    "text",
    [
        "ticket,label\n3,cat\n4,dog\n",
        "ticket;label\r\n3;cat\r\n4;dog\r\n",
        "ticket\tlabel\n3\tcat\n4\tdog\n",
        "\n\nticket,label\n3,cat\n4,dog\n\n",
        " \n" + json.dumps([{"ticket": 3, "label": "cat"}, {"ticket": "4", "label": " dog "}]),
        '{"ticket": 3, "label": "cat"}\n\n{"ticket": 4, "label": "dog"}\n',
        json.dumps({"tickets": [{"ticket": 3, "label": "cat"}, {"ticket": 4, "label": "dog"}]}),
        json.dumps({"classes": CLASSES, "tickets": [{"ticket": 3, "label": "cat"}, {"ticket": 4, "label": "dog"}]}),
        json.dumps({"done": [], "labels": [{"ticket": 3, "label": "cat"}, {"ticket": 4, "label": "dog"}]}),
    ],
    ids=["commas", "semicolons", "tabs", "blank lines", "list", "lines", "document", "as asked", "empty list first"],
)
def test_tables_lists_documents_and_lines_say_the_same(text):
    assert read(text).said == [Said(3, "cat"), Said(4, "dog")]


def test_one_object_is_one_row():
    assert read('{"ticket": 3, "label": "cat", "key": "k", "labeller": "ann"}').said == [
        Said(3, "cat", labeller="ann", key="k")
    ]


@pytest.mark.parametrize("text", ['{"classes": ["cat", "dog"], "tickets": []}', "[]", "ticket,label\n"])
def test_nothing_to_say_is_nothing_said(text):
    assert read(text).said == []


def test_missing_values_are_empty_cells():
    found = read('[{"ticket": 3, "label": null, "skip": null}, {"ticket": 4}, {"ticket": 5, "skip": "dark"}]')
    assert (found.n_empty, found.rows) == (2, [3])


def test_numbers_name_classes_that_are_numbers():
    found = read_labelled('[{"ticket": 0, "label": 0}, {"ticket": 1, "label": "1"}]', "x", [0, 1])
    assert [entry.label for entry in found.said] == [0, 1]


def test_the_labeller_of_a_row_comes_first():
    found = read("ticket,label,labeller\n3,cat,bob\n4,dog,\n", labeller="ann")
    assert [entry.labeller for entry in found.said] == ["bob", "ann"]


@pytest.mark.parametrize("name", ["=cat", "\tcat", "\rcat", "'cat", " cat", "cat"])
def test_a_class_is_found_as_it_is_and_behind_an_apostrophe(name):
    known = {name: name, "dog": "dog"}
    assert class_of(name, known, 1) == name
    assert class_of(f"'{name}", known, 1) == name
    for text in (name, f"'{name}"):
        assert read_labelled(json.dumps([{"ticket": 0, "label": text}]), "x", [name, "dog"]).said[0].label == name


def test_a_class_with_an_apostrophe_of_its_own_is_not_mistaken():
    assert class_of("'=a", {"=a": "=a", "'=a": "'=a"}, 1) == "'=a"


def test_line_ends_that_only_python_knows_end_no_row():
    lines = [
        json.dumps({"ticket": k, "text": "a\u2028b\x85\x0c\x1c", "label": "cat"}, ensure_ascii=False) for k in (3, 4)
    ]
    assert read("\n".join(lines)).said == [Said(3, "cat"), Said(4, "cat")]


def test_a_cell_may_be_as_long_as_a_document():
    assert read(f"ticket,text,label\n3,{'x' * 1_000_000},cat\n").said == [Said(3, "cat")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ticket,label\n3,cat\n4\n", "Row 2 of 'x.csv' does not have 2 cells as the header has. Complete it."),
        ("ticket,label\n3,cat,dog\n", "Row 1 of 'x.csv' does not have 2 cells as the header has. Complete it."),
        ("label\ncat\n", "Row 1 of 'x.csv' has no 'ticket'. It has: 'label'."),
        ('[{"ticket": 3}, {"label": "cat"}]', "Row 2 of 'x.csv' has no 'ticket'. It has: 'label'."),
        ("ticket,label\n-3,cat\n", "Row 1: the ticket must be a whole number, but is '-3'. Nothing was told."),
        ("ticket,label\n,cat\n", "Row 1: the ticket must be a whole number, but is ''. Nothing was told."),
        ("[3, 4]", "Row 1 of 'x.csv' is not a JSON object. Write one object a label."),
        ('{"ticket": 3}\n{"ticket" 4}\n', "Row 2 of 'x.csv' is not JSON: Expecting ':' delimiter at character 11."),
        ("   \n ", "'x.csv' is empty. Check that it was written completely."),
    ],
)
def test_problems_are_named_by_their_row(refusal, text, sentence):
    assert refusal(lw.DataError, read, text) == sentence


@pytest.mark.parametrize("text", ['ticket,label\n3,"cat\n4,dog\n', "ticket,label\n3,c\x00at\n"])
def test_a_quote_that_never_ends_and_a_null_byte_are_named_by_their_row(refusal, text):
    assert refusal(lw.DataError, read, text).startswith("Row 1")


def test_other_columns_can_be_needed(refusal):
    assert records("id,label\na,cat\n", "x.csv", ["id", "label"]) == [{"id": "a", "label": "cat"}]
    sentence = refusal(lw.DataError, records, "id\na\n", "x.csv", ["id", "label"])
    assert sentence == "Row 1 of 'x.csv' has no 'label'. It has: 'id'."
