"""Small files beside a pool: class names, maps, costs, priors."""

import pytest

import labelwise as lw
from labelwise.cli.tables import class_map, class_names, cost_matrix, prior_numbers


def pool():
    return lw.pool_from_arrays(predicted=["cat", "dog"])


def test_class_names_from_a_list_a_file_and_a_column(tmp_path):
    (tmp_path / "names.txt").write_text("cat\ndog\n\n")
    (tmp_path / "names.csv").write_text("nr,name\n1,cat\n2,dog\n")
    assert class_names("cat,dog") == ["cat", "dog"]
    assert class_names(str(tmp_path / "names.txt")) == ["cat", "dog"]
    assert class_names(f"{tmp_path / 'names.csv'}:name") == ["cat", "dog"]
    assert class_names(f"{tmp_path / 'names.csv'}:nr") == [1, 2]
    assert class_names(None) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'cost.csv' is empty; a cost matrix has one row and one column a class."),
        ("0,1\n1,x\n", "The cost 'x' in row 2 of 'cost.csv' is not a number. Correct it."),
        (
            "true,cat,dgo\ncat,0,1\ndog,1,0\n",
            "The cost matrix 'cost.csv' has no column for class 'dog'. Did you mean 'dgo'?",
        ),
    ],
)
def test_cost_files_that_do_not_fit_are_refused(tmp_path, text, sentence):
    (tmp_path / "cost.csv").write_text(text)
    with pytest.raises(lw.DataError) as refusal:
        cost_matrix(tmp_path / "cost.csv", pool())
    assert str(refusal.value) == sentence


def test_a_map_that_leaves_a_class_out_is_refused(tmp_path):
    (tmp_path / "map.csv").write_text("class,group\ncat,pet\n")
    with pytest.raises(lw.DataError) as refusal:
        class_map(str(tmp_path / "map.csv"), pool())
    assert str(refusal.value).endswith("has no group for these classes: 'dog'. Give every class a group.")


def test_a_prior_is_two_numbers():
    assert prior_numbers("9,1") == (9.0, 1.0)
    with pytest.raises(lw.ArgumentError):
        prior_numbers("9")
