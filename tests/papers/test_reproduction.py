"""When a row agrees, and why not."""

from papers import Claim, Reproduction, Row


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


def test_few_runs_behind_the_published_value_widen_the_bound():
    assert not Row(("a",), "as printed", 10.0, 11.0, 0.0).agrees
    assert Row(("a",), "as printed", 10.0, 11.0, 0.0, chance=0.3).agrees


def test_a_slip_explains_a_row_as_printed_if_the_row_as_coded_agrees():
    printed, coded = Row(("a",), "as printed", 5.0, 9.0, 0.1), Row(("a",), "as coded", 5.0, 5.0, 0.1)
    found = Reproduction("3", "RMSE", ("data",), (printed, coded))
    assert found.cause_of(printed) == "the published code does otherwise: as coded it agrees"
    assert (found.cause_of(coded), found.unexplained) == ("", [])


def test_what_has_no_cause_is_unexplained():
    row, claim = Row(("a",), "as coded", 5.0, 9.0, 0.1), Claim("SVHN", "up", "down", holds=False)
    known = Row(("b",), "as coded", 5.0, 9.0, 0.1, cause="another bin width")
    assert Reproduction("3", "RMSE", ("data",), (row, known), claims=(claim,)).unexplained == [row, claim]
