"""What comes in: nothing that is not named, and nothing of another kind."""

import pytest
from pydantic import BaseModel, ValidationError

from labelwise.web import schemas

REQUESTS = [kind for kind in vars(schemas).values() if isinstance(kind, type) and issubclass(kind, schemas.Body)]


@pytest.mark.parametrize("kind", [kind for kind in REQUESTS if kind is not schemas.Body])
def test_a_request_has_nothing_that_is_not_named(kind):
    assert issubclass(kind, BaseModel)
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        kind.model_validate({"surprise": 1})


def test_a_label_is_a_text_or_a_whole_number():
    for label in ("cat", 7):
        assert schemas.Telling.model_validate({"ticket": 0, "item": "i0", "label": label}).label == label
    for label in (True, 1.5, None, ["cat"], {"a": 1}):
        with pytest.raises(ValidationError):
            schemas.Telling.model_validate({"ticket": 0, "item": "i0", "label": label})


def test_many_unknown_fields_are_one_error():
    with pytest.raises(ValidationError) as error:
        schemas.Asking.model_validate({str(k): 1 for k in range(100_000)})
    assert error.value.error_count() == 1
    assert "100,000 fields are more than any request has" in str(error.value)
