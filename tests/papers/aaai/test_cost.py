"""Tables 10 and 11: costs from class names, and what they are played on."""

import numpy as np
import pytest

from papers import Sources, Study, human_costs, superclass_costs
from papers.aaai.cost import PEOPLE, table_10


def test_a_person_taken_for_anything_else_is_dearer():
    cost = human_costs(["boy", "girl", "shark"], dearer=5.0)
    assert cost.tolist() == [[0, 5, 5], [5, 0, 5], [1, 1, 0]]


def test_another_superclass_is_dearer():
    assert superclass_costs(["a", "b", "a"], dearer=3.0).tolist() == [[0, 3, 1], [3, 0, 3], [1, 3, 0]]


@pytest.mark.data
def test_cifar_100_has_five_classes_of_people_in_one_superclass(data_folder):
    rows = Sources(data_folder).rows("cifar100_classes.csv")
    names, superclasses = [row["class"] for row in rows], [row["superclass"] for row in rows]
    assert {superclass for name, superclass in zip(names, superclasses, strict=True) if name in PEOPLE} == {"people"}
    assert (human_costs(names).sum(axis=1) == 990).sum() == 5
    assert (superclass_costs(superclasses).sum(axis=1) == 4 + 95 * 10).all()


@pytest.mark.data
def test_thompson_sampling_finds_the_dearest_classes_first(data_folder):
    found = table_10(Study(Sources(data_folder), 20, 0, 2))
    assert [claim.holds for claim in found.claims] == [True, True]
    assert set(np.unique(found.frame["method"])) == {"UPrior", "IPrior", "IPrior+TS"}
