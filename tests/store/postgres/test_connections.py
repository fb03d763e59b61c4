"""Connections that are lent, kept and closed, and how long one waits for another."""

import time

import pytest

import labelwise as lw
from assessed import assessment_of
from labelwise.store.postgres import connections as module
from labelwise.store.postgres.address import Address
from labelwise.store.postgres.connections import _KEPT, Connections, Waits
from patience import limit


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


def test_a_server_that_is_frozen_is_a_sentence_and_what_was_told_counts_once(postgres, monkeypatch):
    monkeypatch.setattr(module, "_SILENCE", 0.5)
    monkeypatch.setattr(module, "_PROBE", 1)
    url = f"{postgres.fresh()}&connect_timeout=2"
    with lw.PostgresStore(url, patience=1.0) as store:
        assessment = assessment_of(store)
        first, second = assessment.ask(2)
        with postgres.frozen():
            begun = time.monotonic()
            with pytest.raises(lw.LabelwiseError) as refusal:
                assessment.tell(first, 0, key="k")
            took = time.monotonic() - begun
        assert refusal.value.is_of_store
        assert took < limit(20), "it would wait for as long as the server is frozen"
        assessment.tell(first, 0, key="k")
        assessment.tell(second, 0)
        assert assessment.answer().n_labels == 2
        assert store.verify("main") == []


def test_a_statement_that_takes_long_is_waited_for(url, monkeypatch):
    monkeypatch.setattr(module, "_SILENCE", 0.3)
    with lw.PostgresStore(url) as store:
        assert store.read(lambda tables: tables.run("SELECT 7 FROM pg_sleep(2)")) == [(7,)]
