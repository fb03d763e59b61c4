import numpy as np
import pytest

from labelwise.errors import ArgumentError, DataError, NotFoundError
from labelwise.pool.layout import Layout, roles_of


def roles(*names, lists=(), **said):
    return roles_of(Layout(**said), names, lists, "pool.csv")


@pytest.mark.parametrize("names", [("s0", "s1"), ("p0", "p1"), ("s_0", "s_1"), ("p_0", "p_1"), ("score_0", "score_1"),
                                   ("prob_0", "prob_1", "prob_2")])  # fmt: skip
def test_numbered_columns_are_taken_for_scores(names):
    found = roles("id", *names, "label")
    assert found.score_columns == names
    assert found.classes == tuple(range(len(names)))
    assert found.id == "id"
    assert found.columns == ("label",)


@pytest.mark.parametrize("names", [("s1", "s2"), ("s0",), ("s0", "s2"), ("q0", "q1")])
def test_columns_that_are_not_numbered_from_zero_are_not_taken_for_scores(names, refusal):
    listed = ", ".join(repr(name) for name in names)
    assert refusal(NotFoundError, roles, *names) == (
        f"No column of 'pool.csv' looks like scores or predictions. Its columns are: {listed}. "
        "Specify them with `scores` or `predicted`."
    )


def test_a_list_column_called_scores_is_taken_for_scores():
    found = roles("scores", "s0", "s1", lists=("scores",))
    assert found.score_list == "scores"
    assert found.classes is None


def test_a_column_called_scores_that_holds_no_lists_is_not_taken_for_scores():
    assert roles("scores", "pred").predicted == "pred"


@pytest.mark.parametrize("name", ["prediction", "predicted", "pred"])
@pytest.mark.parametrize("confidence", ["confidence", "conf", None])
def test_the_usual_names_are_taken_for_predictions_and_confidences(name, confidence):
    names = [name, "age"] if confidence is None else [name, "age", confidence]
    found = roles(*names)
    assert (found.predicted, found.confidence) == (name, confidence)
    assert found.columns == ("age",)


def test_scores_go_before_predictions():
    found = roles("pred", "conf", "s0", "s1")
    assert found.has_scores
    assert found.predicted is None
    assert found.columns == ("pred", "conf")


def test_a_confidence_is_not_guessed_for_a_named_prediction():
    found = roles("mine", "conf", predicted="mine")
    assert found.confidence is None
    assert found.columns == ("conf",)


def test_a_label_is_never_guessed():
    assert roles("pred", "label").label is None


def test_an_id_is_not_guessed_where_the_column_has_another_part():
    assert roles("id", "pred", label="id").id is None


def test_what_the_star_stands_for_names_the_classes():
    assert roles("p_cat", "p_dog", "x", scores="p_*").classes == ("cat", "dog")
    assert roles("cat_prob", "dog_prob", scores="*_prob").classes == ("cat", "dog")
    assert roles("m_cat_p", "m_dog_p", scores="m_*_p").classes == ("cat", "dog")
    assert roles("s1", "s0", scores="s?").classes == (1, 0)
    assert roles("p_3", "p_10", scores="p_*").classes == (3, 10)


def test_classes_that_read_as_the_same_number_stay_text():
    assert roles("p_1", "p_01", scores="p_*").classes == ("1", "01")


def test_a_list_of_columns_names_the_classes_by_number_or_in_full():
    assert roles("s0", "s1", "s2", scores=["s2", "s0"]).classes == (2, 0)
    assert roles("cat", "dog", scores=["cat", "dog"]).classes == ("cat", "dog")


def test_a_wildcard_leaves_out_the_id_and_the_label():
    found = roles("id", "truth", "cat", "dog", scores="*", label="truth")
    assert found.score_columns == ("cat", "dog")
    assert found.id == "id"


def test_a_list_column_may_be_named_alone_or_in_a_list():
    assert roles("p", lists=("p",), scores="p").score_list == "p"
    assert roles("p", lists=("p",), scores=["p"]).score_list == "p"


def test_named_classes_replace_those_of_the_columns():
    assert roles("s0", "s1", classes=["cat", "dog"]).classes == ("cat", "dog")


def test_classes_may_come_as_an_array_and_become_plain_values():
    found = roles("s0", "s1", classes=np.array([5, 7]))
    assert found.classes == (5, 7)
    assert [type(name) for name in found.classes] == [int, int]


def test_a_column_is_kept_once():
    assert roles("pred", "text", columns=["text"], content=["text"]).columns == ("text",)


def test_every_column_with_a_part_is_read_once():
    found = roles("id", "pred", "conf", "label", "age", "text", label="label", content=["text"])
    assert found.used == ["id", "pred", "conf", "label", "age", "text"]


@pytest.mark.parametrize("option", ["id", "predicted", "label"])
def test_a_column_that_is_not_there_is_refused(option, refusal):
    assert refusal(NotFoundError, roles, "pred", "conf", **{option: "zzz"}) == (
        "Column 'zzz' is not in 'pool.csv'. Available: 'pred', 'conf'."
    )


@pytest.mark.parametrize("option", ["scores", "columns", "content"])
def test_a_column_of_a_list_that_is_not_there_is_refused(option, refusal):
    assert refusal(NotFoundError, roles, "pred", "conf", **{option: ["conf", "zzz"]}) == (
        "Column 'zzz' is not in 'pool.csv'. Available: 'pred', 'conf'."
    )


def test_a_wildcard_that_matches_nothing_is_refused(refusal):
    assert refusal(NotFoundError, roles, "pred", "conf", scores="p_*") == (
        "No column of 'pool.csv' matches 'p_*'. Its columns are: 'pred', 'conf'."
    )


@pytest.mark.parametrize("scores", ["p_*", "p_cat", ["p_cat"]])
def test_one_score_column_is_refused(scores, refusal):
    assert refusal(DataError, roles, "p_cat", "x", scores=scores) == (
        "Only column 'p_cat' of 'pool.csv' has scores, so there is only one class; a "
        "classifier needs at least two. Specify one score column per class."
    )


def test_a_score_column_that_comes_twice_is_refused(refusal):
    assert refusal(ArgumentError, roles, "s0", "s1", scores=["s0", "s1", "s0"]) == (
        "Column 's0' appears twice in `scores`. List one column per class."
    )


@pytest.mark.parametrize("more", [{"predicted": "pred"}, {"confidence": "conf"}])
def test_scores_beside_predictions_are_refused(more, refusal):
    assert refusal(ArgumentError, roles, "s0", "s1", "pred", "conf", scores="s*", **more) == (
        "Use either `scores` or `predicted` (with `confidence`), not both."
    )


def test_a_confidence_without_a_prediction_is_refused(refusal):
    assert refusal(ArgumentError, roles, "pred", "conf", confidence="conf") == (
        "`confidence` ('conf') requires `predicted`. Add it, or use `scores`."
    )


def test_logits_that_are_to_be_normalised_are_refused(refusal):
    assert refusal(ArgumentError, roles, "s0", "s1", logits=True, normalise=True) == (
        "Use `logits` if the scores are logits, or `normalise` if they are unscaled, not both."
    )


@pytest.mark.parametrize("classes", [[], ["cat"]])
def test_fewer_than_two_classes_are_refused(classes, refusal):
    assert refusal(ArgumentError, roles, "pred", classes=classes) == (
        f"`classes` must have at least two classes, but is {classes}. List all of them."
    )


def test_a_class_that_is_neither_text_nor_a_whole_number_is_refused(refusal):
    assert refusal(ArgumentError, roles, "pred", classes=["cat", 0.5]) == (
        "Class 0.5 in `classes` must be text or a whole number. Convert it."
    )


def test_a_class_that_comes_twice_is_refused(refusal):
    assert refusal(ArgumentError, roles, "pred", classes=np.array([3, 1, 3])) == (
        "Class 3 appears twice in `classes`. Class names must be unique."
    )


def test_classes_that_do_not_fit_the_score_columns_are_refused(refusal):
    assert refusal(ArgumentError, roles, "s0", "s1", "s2", classes=["cat", "dog"]) == (
        "There are 3 score columns ('s0', 's1', 's2'), but `classes` has 2: 'cat', 'dog'. List one class per column."
    )


@pytest.mark.parametrize("option", ["columns", "content", "classes"])
def test_a_name_where_a_list_of_names_belongs_is_refused(option, refusal):
    assert refusal(ArgumentError, roles, "pred", "age", **{option: "age"}) == (
        f"`{option}` must be a list of names, but is 'age'. Write ['age']."
    )
