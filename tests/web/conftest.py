"""An open house for the tests of the server."""

import pytest

from served import open_house


@pytest.fixture
def house(tmp_path):
    """An assessment of 60 items, its pictures and its application; nobody has an account."""
    yield from open_house(tmp_path)


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory):
    """The same for tests that leave it as it is."""
    yield from open_house(tmp_path_factory.mktemp("house"))
