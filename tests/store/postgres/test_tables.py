"""Connections that are lost and servers that restart: every label is kept once, or refused in a sentence."""

import signal
import threading
import time

import psycopg
import pytest

import labelwise as lw
from assessed import assessment_of, labelled, rows_of, started, told_of
from labelwise.assessment.events import Told
from labelwise.store.postgres.tables import HeldTables
from patience import limit


def test_reading_goes_on_over_a_new_connection(store, cut):
    labelled(store)
    cut()
    assert len(store.journal().events()) == 41
    cut()
    assert store.verify("main") == []


def test_telling_goes_on_over_a_new_connection(store, cut):
    assessment = assessment_of(store)
    for ticket in assessment.ask(5):
        cut()
        assessment.tell(ticket, 0, key=f"k{ticket.number}")
    assert assessment.answer().n_labels == 5
    assert store.verify("main") == []


def test_a_page_outlives_its_connection(store, cut):
    labelled(store)
    with store.journal().writing() as page:
        cut()
        assert len(page.events(0)) == 41
        cut()
        assert page.keyed("key-3").ticket == 3
        page.append(Told(1.0, 0, 0, "ann"), key="new")
        page.append(Told(2.0, 0, 0, "ann"))
        cut()
    assert [event.at for event in store.journal().events(41)] == [1.0, 2.0]
    assert store.verify("main") == []


def test_a_page_of_a_new_assessment_outlives_its_connection(store, cut):
    with store.journal("new").writing() as page:
        page.keep(b"piece")
        page.append(Told(1.0, 0, 0, "ann"))
        cut()
    assert len(store.journal("new").events()) == 1
    assert store.verify("new") == []


def test_others_who_write_meanwhile_are_not_overwritten(store, cut, refusal):
    labelled(store)

    def write():
        with store.journal().writing() as page:
            cut()
            with store.journal().writing() as other:
                other.append(Told(1.0, 0, 0, "bob"))
            page.append(Told(2.0, 0, 0, "ann"))

    sentence = refusal(lw.ConflictError, _as_conflict, write)
    assert sentence == (
        f"Another writer changed '{store.label}' while the connection was lost; nothing was written. Try again."
    )
    assert [event.labeller for event in store.journal().events(41)] == ["bob"]
    assert store.verify("main") == []


def _as_conflict(call):
    try:
        call()
    except lw.ConflictError as error:
        raise lw.ConflictError(str(error)) from None


class Flaky:
    """Sends as the store does, and loses the connection before or after, the first few times."""

    def __init__(self, monkeypatch, *moments, meanwhile=lambda: None):
        self.moments, self.meanwhile, self.n_sent = list(moments), meanwhile, 0
        whole = HeldTables._send

        def send(tables):
            self.n_sent += 1
            moment = self.moments.pop(0) if self.moments else None
            if moment == "before":
                tables._connection.close()
                self.meanwhile()
            whole(tables)
            if moment == "after":
                tables._connection.close()
                self.meanwhile()
                raise psycopg.OperationalError("consuming input failed: server closed the connection unexpectedly")

        monkeypatch.setattr(HeldTables, "_send", send)


@pytest.mark.parametrize("moments", [["before"], ["after"], ["before"] * 3, ["before", "after"]], ids=str)
def test_a_commit_whose_answer_is_lost_counts_once(store, monkeypatch, moments):
    assessment = assessment_of(store)
    [ticket] = assessment.ask()
    flaky = Flaky(monkeypatch, *moments)
    assessment.tell(ticket, 0)
    assert flaky.n_sent == (1 if moments == ["after"] else len(moments) + (moments[-1] == "before"))
    assert [event.kind for event in assessment.history()] == ["opened", "asked", "told"]
    assert store.verify("main") == []


def test_a_commit_that_landed_is_known_even_if_others_wrote_since(store, monkeypatch):
    assessment, other = assessment_of(store), assessment_of(store)
    [ticket] = assessment.ask()
    Flaky(monkeypatch, "after", meanwhile=lambda: other.ask(2))
    assessment.tell(ticket, 0)
    assert [event.kind for event in assessment.history()] == ["opened", "asked", "told", "asked", "asked"]
    assert assessment.answer().n_labels == 1
    assert store.verify("main") == []


def test_what_did_not_land_is_decided_anew_if_others_wrote_since(store, monkeypatch):
    assessment, other = assessment_of(store), assessment_of(store)
    Flaky(monkeypatch, "before", meanwhile=lambda: other.ask())
    [mine] = assessment.ask()
    asked = [event for event in assessment.history() if event.kind == "asked"]
    assert [event.ticket for event in asked] == [0, 1]
    assert mine.number == 1
    assert len({event.item for event in asked}) == 2
    assert store.verify("main") == []


def test_a_server_that_does_not_come_back_is_a_sentence(postgres):
    with lw.PostgresStore(postgres.fresh(), patience=0.5) as store:
        assessment = assessment_of(store)
        [ticket] = assessment.ask()
        postgres.stop()
        try:
            with pytest.raises(lw.LabelwiseError) as refusal:
                store.names()
            assert (
                str(refusal.value)
                == f"No PostgreSQL server answers at '{store.label}'. Start it, or correct the address."
            )
            with pytest.raises(lw.LabelwiseError):
                assessment.tell(ticket, 0)
        finally:
            postgres.start()
        assessment.tell(ticket, 0)
        assert assessment.answer().n_labels == 1


def test_a_server_that_restarts_is_waited_for(postgres, store):
    assessment = labelled(store)
    postgres.stop()

    def label():
        [ticket] = assessment.ask()
        assessment.tell(ticket, 0)

    labeller = threading.Thread(target=label)
    labeller.start()
    time.sleep(0.5)
    assert labeller.is_alive()
    postgres.start()  # by this thread: the server ends with the one that started it
    labeller.join(60)
    assert assessment.answer().n_labels == 21


def test_a_copy_whose_connection_is_lost_leaves_nothing(store, cut, tmp_path):
    with lw.SqliteStore(tmp_path / "a.lw") as source:
        labelled(source)
        with pytest.raises(lw.LabelwiseError, match="was lost; nothing was changed"):
            lw.store.copy_assessment(source, store, step=lambda done, total: cut())
        assert store.names() == []
        lw.store.copy_assessment(source, store)
        assert rows_of(store, "main") == rows_of(source, "main")


def test_a_server_restarted_in_the_middle_of_four_writers_loses_and_doubles_nothing(postgres, url, tmp_path):
    """Ended in good order and crashed in turns, with the disk synchronised as it is in life."""
    postgres.run("ALTER SYSTEM SET fsync = on")
    postgres.run("ALTER SYSTEM SET full_page_writes = on")
    postgres.restart()
    assert postgres.run("SHOW fsync") == [("on",)]
    running = []
    for number in range(4):
        said = tmp_path / f"said-{number}.txt"
        with said.open("w") as file:
            running.append((started(url, "shared", 100_000, file, pause=0.002), said))
    try:
        for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGQUIT, signal.SIGINT):
            _await_more(running)
            postgres.restart(how, pause=0.2)
        _await_more(running)
    finally:
        for labeller, _ in running:
            labeller.send_signal(signal.SIGKILL)
            labeller.wait()
            labeller.stderr.close()
    lines = [line.split() for _, said in running for line in said.read_text().splitlines(True) if line.endswith("\n")]
    acknowledged = {tuple(map(int, line)) for line in lines}
    with lw.PostgresStore(url) as store:
        told = told_of(store, "shared")
        asked = [event for event in store.journal("shared").events() if event.kind == "asked"]
        assert len(acknowledged) == len(lines) > 20
        assert acknowledged <= set(told)
        assert len(told) == len({ticket for ticket, _, _ in told}) == len({item for _, item, _ in told})
        assert len(asked) == len({event.item for event in asked})
        assert len(asked) - len(told) <= 4  # no ticket was asked twice over: each labeller has one at most
        assert store.verify("shared") == []


def _await_more(running):
    """Wait until every labeller was acknowledged another few labels."""
    goals = [(labeller, said, said.stat().st_size + 20) for labeller, said in running]
    deadline = time.monotonic() + limit(60)
    while any(said.stat().st_size < size for _, said, size in goals):
        for labeller, _, _ in goals:
            assert labeller.poll() is None, labeller.stderr.read()
        assert time.monotonic() < deadline, "a labeller does not go on"
        time.sleep(0.02)
