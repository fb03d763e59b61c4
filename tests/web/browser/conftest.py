"""What every test of a page leaves behind: nothing open, and no error of a script."""

import pytest


@pytest.fixture(autouse=True)
def _tidy(request):
    house = request.getfixturevalue("house") if "house" in request.fixturenames else None
    yield
    if house is not None:
        house.leave()
        errors, house.errors[:] = list(house.errors), []
        assert errors == []
