"""Reopening a long assessment from its file, against bare SQLite and JSON reading the same rows."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np

import labelwise as lw
from benchmarks.speed.clock import in_turns
from labelwise.assessment import Journal
from labelwise.assessment.events import Told

_N_GROUPS, _N_ITEMS = 1_000, 100_000
_N_LABELS = 50_000  # two events each
_BATCH = 1_000
_REPEATS = 3
_NAME = "long"


def run(rows: int, folder: Path) -> None:
    """Write an assessment, reopen it in turns with the limit, and compare beliefs; the size is fixed."""
    path = folder / "reopening.lw"
    prediction = np.random.default_rng(6).integers(_N_GROUPS, size=_N_ITEMS)
    pool = lw.pool_from_arrays(predicted=prediction, classes=range(_N_GROUPS))
    groups = lw.by_prediction(pool)
    before = _write(path, groups)
    calls = {
        "limit: sqlite3 and json.loads": partial(_bare, path),
        "labelwise, nothing to replay": lambda: _assessment(groups, None).belief,
        "labelwise": partial(_reopen, path, groups),
    }
    times, results = in_turns(calls, _REPEATS)
    best = {name: min(values) for name, values in times.items()}
    limit, empty, ours = best.values()
    n_events = results["limit: sqlite3 and json.loads"]
    size = path.stat().st_size / 1e6
    print(f"{n_events:,} events, {size:.0f} MB on disk, in the cache of the operating system")
    print(f"{_N_ITEMS:,} items in {_N_GROUPS:,} groups; best of {_REPEATS}, in turns")
    for name, seconds in best.items():
        print(f"{name:<32} {seconds:8.3f} s  {seconds / limit:6.2f} x limit")
    replay, read = (1e6 * seconds / n_events for seconds in (ours - empty, limit))
    print(f"an event: {replay:.1f} us to replay, {read:.1f} us to read bare")
    same = _is_same(before, results["labelwise"])
    print(f"the reopened belief is {'the same to the last bit' if same else 'NOT THE SAME'}")


def _assessment(
    groups: lw.groups.Grouping, journal: Journal | None, clock: Callable[[], float] = time.time
) -> lw.Assessment:
    return lw.Assessment(groups.pool, groups, question=lw.Worst(lw.accuracy), seed=1, journal=journal, clock=clock)


def _write(path: Path, groups: lw.groups.Grouping) -> lw.beliefs.BetaBelief:
    """Ask in batches and tell a batch in one page, as another process could; a commit a label would take minutes."""
    rng = np.random.default_rng(7)
    accuracy = rng.beta(4, 1, _N_GROUPS)
    clock = partial(next, count(1.7e9, 0.1))  # long ago, a batch within a lease: leases run out as they do in life
    with closing(lw.SqliteStore(path)) as store:
        journal = store.journal(_NAME)
        assessment = _assessment(groups, journal, clock)
        for _ in range(_N_LABELS // _BATCH):
            tickets = assessment.ask(_BATCH)
            predicted = groups.pool.prediction[[ticket.item["id"] for ticket in tickets]]
            hit = rng.random(len(tickets)) < accuracy[predicted]
            labels = np.where(hit, predicted, (predicted + 1) % _N_GROUPS).tolist()
            with journal.writing() as page:
                for ticket, label in zip(tickets, labels, strict=True):
                    page.append(Told(clock(), ticket.number, label, ""))
            assessment.refresh()
        return assessment.belief


def _reopen(path: Path, groups: lw.groups.Grouping) -> lw.beliefs.BetaBelief:
    with closing(lw.SqliteStore(path)) as store:
        return _assessment(groups, store.journal(_NAME)).belief  # labels are learned when the belief is looked at


def _bare(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT kind, body FROM events ORDER BY assessment, number")
        return sum(1 for _, body in rows if json.loads(body))


def _is_same(one: lw.beliefs.BetaBelief, other: lw.beliefs.BetaBelief) -> bool:
    arrays = ("prior_a", "prior_b", "hits", "labels", "a", "b")
    pairs = [(getattr(one, name), getattr(other, name)) for name in arrays]
    return one.names == other.names and all(x.dtype == y.dtype and x.tobytes() == y.tobytes() for x, y in pairs)
