"""A fresh schema of the tests' own server, a store in it, and a way to cut its connections."""

import pytest

import labelwise as lw


@pytest.fixture
def url(postgres):
    return postgres.fresh()


@pytest.fixture
def store(url):
    with lw.PostgresStore(url) as opened:
        yield opened


@pytest.fixture
def cut(postgres):
    """Ends every session of the server but our own."""
    return lambda: postgres.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                                "AND application_name = 'labelwise'")  # fmt: skip
