"""Appending, reading and verifying events: SQLite against PostgreSQL, side by side."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import numpy as np

import labelwise as lw
from labelwise.assessment.events import Told

_N_EVENTS = 10_000
_PAGE = 100  # events of a batch, as `labelwise tell` writes a file of labels
_N_ALONE = 1_000  # events that are committed one by one, as the labelling page does
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))


def run(rows: int, folder: Path) -> None:
    """Write and read the same events in both stores in turns; the size is fixed, whatever `rows` says."""
    import postgres

    with ExitStack() as stack:
        stores: dict[str, lw.store.Store] = {"SQLite": stack.enter_context(lw.SqliteStore(folder / "storing.lw"))}
        reason = postgres.why_not()
        if reason is None:
            server = postgres.Server(is_safe=True)
            stack.callback(server.remove)
            server.start()
            stores["PostgreSQL"] = stack.enter_context(lw.PostgresStore(server.fresh()))
        else:
            print(f"without PostgreSQL: {reason}")
        jobs: dict[str, Callable[[lw.store.Store], int]] = {
            "one label a commit": _alone,
            f"{_PAGE} labels a commit": _in_pages,
            "reading back": _read,
            "verifying the chain": _verified,
        }
        print(f"{_N_EVENTS:,} events ({_N_ALONE:,} one by one), synchronised to disk; in turns, both on this machine")
        print(f"{'':<24}" + "".join(f"{name + ', events/s':>24}" for name in stores))
        for words, job in jobs.items():
            print(f"{words:<24}" + "".join(f"{_rate(job, store):>24,.0f}" for store in stores.values()), flush=True)
        print(f"{'one commit, p50 / p99':<24}" + "".join(f"{_latency(store):>24}" for store in stores.values()))


def _rate(job: Callable[[lw.store.Store], int], store: lw.store.Store) -> float:
    start = perf_counter()
    n_events = job(store)
    return n_events / (perf_counter() - start)


def _event(number: int) -> Told:
    return Told(1.7e9 + number, number, number % 10, "ann")


def _alone(store: lw.store.Store) -> int:
    journal = store.journal("alone")
    for number in range(_N_ALONE):
        with journal.writing() as page:
            page.append(_event(number), f"key-{number}")
    return _N_ALONE


def _in_pages(store: lw.store.Store) -> int:
    journal = store.journal("pages")
    for first in range(0, _N_EVENTS, _PAGE):
        with journal.writing() as page:
            for number in range(first, first + _PAGE):
                page.append(_event(number), f"key-{number}")
    return _N_EVENTS


def _read(store: lw.store.Store) -> int:
    return len(store.journal("pages").events())


def _verified(store: lw.store.Store) -> int:
    if store.verify("pages"):
        raise AssertionError("the events are not what was written")
    return _N_EVENTS


def _latency(store: lw.store.Store) -> str:
    journal = store.journal("latency")
    times = []
    for number in range(300):
        start = perf_counter()
        with journal.writing() as page:
            page.append(_event(number))
        times.append(1000 * (perf_counter() - start))
    p50, p99 = np.percentile(times, [50, 99])
    return f"{p50:.2f} / {p99:.2f} ms"
