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
    """Give (ticket, item, label) of every label in a store."""
    history = store.journal(name).events()
    items = {event.ticket: event.item for event in history if event.kind == "asked"}
    return [(event.ticket, items[event.ticket], event.label) for event in history if event.kind == "told"]


def rows_of(store, name):
    """Give every event of an assessment as it is kept: number, kind, text, key and hash."""
    return store.read(lambda tables: tables.all_rows(tables.head(name).id))
