"""Changes of accounts and trail over connections that are lost: each is made once, or refused in a sentence."""

import threading
import time

import psycopg
import pytest

import labelwise as lw
from assessed import labelled
from labelwise.accounts.audit import drafted, hold, noted


def test_a_change_goes_on_over_a_new_connection(store, cut):
    trail = lw.accounts.Audit(store)
    for number in range(3):
        cut()
        assert trail.note("ann", "signed in") == number + 1
    assert trail.problems() == []


def test_a_change_whose_connection_is_lost_in_the_middle_is_made_anew(store, cut):
    n_calls = []

    def call(tables):
        n_calls.append(1)
        number = noted(tables, 1.0, drafted("ann", "signed in", {}))
        if len(n_calls) < 3:
            cut()
        return number

    assert store.change(call) == 1
    assert len(n_calls) == 3
    assert len(lw.accounts.Audit(store).entries()) == 1


class Silent:
    """A connection that commits, or is cut before it can, and loses the answer either way, the first time."""

    def __init__(self, monkeypatch, *, is_kept, meanwhile=lambda: None):
        self.n_lost = 0
        whole = psycopg.Connection.execute

        def execute(connection, query, *args, **options):
            if query != "COMMIT" or self.n_lost:
                return whole(connection, query, *args, **options)
            self.n_lost += 1
            if is_kept:
                whole(connection, query)
            connection.close()
            meanwhile()
            raise psycopg.OperationalError("consuming input failed: server closed the connection unexpectedly")

        monkeypatch.setattr(psycopg.Connection, "execute", execute)


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_change_whose_answer_is_lost_is_kept_once(store, monkeypatch, is_kept):
    trail, accounts = lw.accounts.Audit(store), lw.accounts.Accounts(store)
    silent = Silent(monkeypatch, is_kept=is_kept)
    assert trail.note("ann", "signed in") == 1
    assert silent.n_lost == 1
    silent.n_lost = 0
    link = accounts.begin("bob", "labeller", seconds=60, kind="link")
    silent.n_lost = 0
    assert accounts.spend(link).name == "bob"
    assert accounts.spend(link) is None
    assert [entry.what for entry in trail.entries()] == ["signed in", "link made"]
    assert trail.problems() == []


def test_a_change_of_which_nobody_can_say_how_it_ended_is_not_made_again(postgres, monkeypatch, refusal):
    with lw.PostgresStore(postgres.fresh(), patience=0.5) as store:
        trail = lw.accounts.Audit(store)
        trail.note("ann", "signed in")
        with monkeypatch.context() as patch:
            Silent(patch, is_kept=True, meanwhile=postgres.stop)
            try:
                sentence = refusal(lw.LabelwiseError, trail.note, "bob", "signed in")
            finally:
                postgres.start()
        assert sentence == (
            f"The connection to '{store.label}' was lost during a write and could not be restored. Check with "
            f"`labelwise "
            "status` or `labelwise store audit` whether the write succeeded before you try again."
        )
        assert [entry.who for entry in trail.entries()] == ["ann", "bob"]


def test_a_change_waits_for_a_server_that_restarts(postgres, store):
    trail = lw.accounts.Audit(store)
    trail.note("ann", "signed in")
    postgres.stop()
    writer = threading.Thread(target=trail.note, args=("bob", "signed in"))
    writer.start()
    time.sleep(0.5)
    assert writer.is_alive()
    postgres.start()
    writer.join(60)
    assert [entry.who for entry in trail.entries()] == ["ann", "bob"]


def test_a_change_that_waits_too_long_is_told_so(url, store, refusal):
    with lw.PostgresStore(url, patience=0.2) as other, store.whole() as tables:
        hold(tables)
        assert refusal(lw.ConflictError, lw.accounts.Audit(other).note, "ann", "x") == (
            f"Another writer has locked '{other.label}' for too long; nothing was changed. Try again."
        )


def test_tables_of_form_1_are_brought_to_the_newest(postgres, url):
    with lw.PostgresStore(url) as old:
        labelled(old)
    schema = url.rsplit("schema=", 1)[1]
    newer = ("accounts", "sessions", "audit", "audit_head", "snapshots")
    postgres.run(f"DROP TABLE {', '.join(f'{schema}.{name}' for name in newer)}")
    postgres.run(f"DELETE FROM {schema}.form WHERE number > 1")
    with lw.PostgresStore(url) as store:
        assert store.verify("main") == []
        lw.accounts.Accounts(store).add("ann", "owner", "correct horse")
        assert lw.accounts.Audit(store).problems() == []
        assert store.open().answer().n_labels == 20
