"""Small assessments for tests of stores, and labellers in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

import labelwise as lw

LABELLER = Path(__file__).parent / "store" / "labeller.py"


def pool_of(n=60):
    return lw.pool_from_arrays(predicted=np.arange(n) % 3, ids=np.arange(n))


def assessment_of(store, name="main", pool=None, **options):
    pool = pool or pool_of()
    return lw.Assessment(
        pool, lw.by_prediction(pool), **{"question": lw.Worst(), "seed": 1, "journal": store.journal(name)} | options
    )


def labelled(store, n=20, name="main"):
    assessment = assessment_of(store, name)
    for ticket in assessment.ask(n):
        assessment.tell(ticket, ticket.item["id"] % 3, key=f"key-{ticket.number}")
    return assessment


def started(where, name, n_items, said=subprocess.PIPE, pause=0.0):
    """Start a labeller who labels all items of an assessment, and prints what was acknowledged."""
    command = [sys.executable, str(LABELLER), str(where), name, str(n_items), str(pause)]
    return subprocess.Popen(command, stdout=said, stderr=subprocess.PIPE, text=True)


def told_of(store, name):
    """Return (ticket, item, label) of every label in a store."""
    history = store.journal(name).events()
    items = {event.ticket: event.item for event in history if event.kind == "asked"}
    return [(event.ticket, items[event.ticket], event.label) for event in history if event.kind == "told"]


def rows_of(store, name):
    """Return every event of an assessment as it is kept: number, kind, text, key and hash."""
    return store.read(lambda tables: tables.all_rows(tables.head(name).id))


def events_of(groups):
    """Return the events of one labeller with leases that run out, skips, and labels that are taken back."""
    clock = iter(np.arange(0.0, 10_000.0, 3.0))
    assessment = lw.Assessment(
        groups.pool, groups, question=lw.Worst(), seed=1, lease=20, clock=lambda: float(next(clock))
    )
    rng = np.random.default_rng(2)
    for _ in range(25):
        for ticket in assessment.ask(2):
            if rng.uniform() < 0.6:
                assessment.tell(ticket, int(rng.integers(0, 3)))
            elif rng.uniform() < 0.5:
                assessment.skip(ticket)
    told = [e.ticket for e in assessment.history() if e.kind == "told"]
    for number in told[::4]:
        assessment.withdraw(number)
    return assessment.history()


def doubled_events(groups):
    """Events of three labellers with second opinions, some of them late, skipped or taken back, and settled items."""
    clock = iter(np.arange(0.0, 100_000.0, 3.0))
    assessment = lw.Assessment(
        groups.pool, groups, question=lw.Worst(), seed=1, lease=40, clock=lambda: float(next(clock))
    )
    rng = np.random.default_rng(3)
    ids = groups.pool.all_ids().tolist()
    for turn in range(60):
        if turn in (2, 30, 45):
            assessment.want_second_opinions({2: 0.4, 30: 0.9, 45: 0.6}[turn])
        for ticket in assessment.ask(2, labeller=("ann", "bob", "eve")[turn % 3]):
            act = rng.uniform()
            if act < 0.75:
                assessment.tell(ticket, int(rng.integers(0, 3)))
            elif act < 0.85:
                assessment.skip(ticket)
        if turn % 5 == 4:
            labelled = [item for item in assessment.ledger.label_of if item not in assessment.ledger.seconds.settled]
            assessment.settle(ids[labelled[0]], int(rng.integers(0, 3)))
            told = [slip for slip in assessment.ledger.slips if slip.status == "told"]
            left = [slip for slip in told if slip.is_second or slip.item not in assessment.ledger.seconds.settled]
            assessment.withdraw(left[int(rng.integers(len(left)))].ticket)
    return assessment.history()
