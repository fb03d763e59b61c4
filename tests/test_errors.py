import pickle

import pytest

from labelwise import errors

CLASSES = [errors.ArgumentError, errors.DataError, errors.UnanswerableError, errors.NotFoundError]


@pytest.mark.parametrize("error", CLASSES)
def test_catching_the_base_class_catches_every_error(error):
    with pytest.raises(errors.LabelwiseError, match=r"^Ticket 12 was already told 'cat'\.$"):
        raise error("Ticket 12 was already told 'cat'.")


@pytest.mark.parametrize("error", CLASSES[:3])
def test_wrong_values_are_value_errors_for_those_who_do_not_know_labelwise(error):
    assert issubclass(error, ValueError)


def test_what_is_not_found_is_a_lookup_error_whose_message_stands_without_quotes():
    error = errors.NotFoundError("Group 'emu' does not exist.")
    assert isinstance(error, LookupError)
    assert str(error) == "Group 'emu' does not exist."


@pytest.mark.parametrize("error", CLASSES)
def test_an_error_comes_back_whole_from_another_process(error):
    again = pickle.loads(pickle.dumps(error("Row 3 has no id.")))
    assert type(again) is error
    assert str(again) == "Row 3 has no id."
