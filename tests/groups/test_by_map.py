import labelwise as lw
from labelwise.errors import DataError


def test_items_are_grouped_by_the_superclass_of_their_prediction():
    pool = lw.pool_from_arrays(predicted=["oak", "elm", "trout", "oak"])
    groups = lw.by_map(pool, {"oak": "tree", "elm": "tree", "trout": "fish"})
    assert groups.names == ("fish", "tree")
    assert groups.of_item.tolist() == [1, 1, 0, 1]
    assert groups.n_items.tolist() == [1, 3]
    assert groups.rule == "map of classes"


def test_superclasses_that_are_numbers_are_sorted_as_numbers():
    pool = lw.pool_from_arrays(predicted=[0, 1, 2])
    assert lw.by_map(pool, {0: 10, 1: 2, 2: 10}).names == ("2", "10")


def test_superclasses_may_mix_numbers_and_texts():
    pool = lw.pool_from_arrays(predicted=[0, 1, 2])
    groups = lw.by_map(pool, {0: "1", 1: 1, 2: "other"})
    assert groups.names == ("1", "1 (2)", "other")
    assert groups.of_item.tolist() == [1, 0, 2]


def test_a_superclass_that_is_never_predicted_is_an_empty_group():
    pool = lw.pool_from_arrays(predicted=["oak", "oak"], classes=["oak", "trout"])
    assert lw.by_map(pool, {"oak": "tree", "trout": "fish"}).n_items.tolist() == [0, 2]


def test_entries_for_classes_that_do_not_exist_are_ignored():
    pool = lw.pool_from_arrays(predicted=["oak", "elm"])
    assert lw.by_map(pool, {"oak": "tree", "elm": "tree", "cod": "fish"}).names == ("tree",)


def test_a_class_without_a_group_is_refused(refusal):
    pool = lw.pool_from_arrays(predicted=["oak", "elm", "trout"])
    assert refusal(DataError, lw.by_map, pool, {"oak": "tree"}) == (
        "The map has no group for these classes: 'elm', 'trout'. Every class needs a group."
    )
