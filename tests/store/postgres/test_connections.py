"""Connections that are lent, kept and closed, and how long one waits for another."""

import pytest

import labelwise as lw
from labelwise.store.postgres.address import Address
from labelwise.store.postgres.connections import _KEPT, Connections, Waits


@pytest.fixture
def connections(url):
    made = Connections(Address.of(url), 1.0)
    yield made
    made.close()


def test_a_connection_is_lent_to_one_and_kept_for_the_next(connections):
    first, second = connections.take(), connections.take()
    assert first is not second
    connections.give(first)
    again = connections.take()
    assert again is first
    for connection in (again, second):
        connections.give(connection)


def test_what_was_begun_is_taken_back(connections):
    connection = connections.take()
    connection.execute("BEGIN")
    connections.give(connection)
    again = connections.take()
    assert again is connection
    assert again.info.transaction_status.name == "IDLE"
    connections.give(again)


def test_only_a_few_are_kept(connections):
    lent = [connections.take() for _ in range(_KEPT + 2)]
    for connection in lent:
        connections.give(connection)
    assert sum(connection.closed for connection in lent) == 2


def test_after_the_end_none_is_lent_and_those_that_come_back_are_closed(connections, refusal):
    connection = connections.take()
    connections.close()
    connections.give(connection)
    assert connection.closed
    assert "was closed. Open it again." in refusal(lw.LabelwiseError, connections.take)


def test_patience_ends():
    assert not Waits(0.0).another()
    assert Waits(5.0).another()
