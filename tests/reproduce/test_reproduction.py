"""When a row agrees."""

from labelwise.reproduce import Reproduction, Row


def test_a_row_agrees_within_chance_and_three_percent():
    assert Row(("a",), "as printed", 10.0, 10.34, 0.0).agrees
    assert not Row(("a",), "as printed", 10.0, 10.36, 0.0).agrees
    assert Row(("a",), "as printed", 10.0, 9.36, 0.1).agrees


def test_everything_is_in_the_data():
    found = Reproduction("3", "RMSE", ("data",), (Row(("SVHN",), "as coded", 5.0, 5.1, 0.01),), 100, ("a note",))
    data = found.to_data()
    assert data["rows"][0]["data"] == "SVHN"
    assert data["rows"][0]["agrees"] is True
    assert (data["notes"], data["runs"]) == (["a note"], 100)
