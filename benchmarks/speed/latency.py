"""Asking and telling on disk, one label at a time: labelwise against Optuna, both on SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from optuna.samplers import RandomSampler, TPESampler

import labelwise as lw
from benchmarks.speed.clock import verdict
from benchmarks.speed.studies import Optuna

_N_GROUPS = 1_000
_SIZES = 10_000, 1_000_000  # items
_WARM_UP, _ROUNDS = 50, 400
_SLOW = 2.0  # milliseconds; beyond it, waiting for disk or scheduler hides what either program does
_COMMIT = "limit: one bare commit of SQLite, WAL"
_BODY = '{"at":1700000000.0,"label":123,"labeller":"","ticket":1234}'  # of the size of an event
_Times = dict[str, NDArray[np.float64]]  # milliseconds of every counted round


class Ours:
    """An assessment in a file: which of the classes is predicted worst?"""

    def __init__(self, path: Path, n_items: int, accuracy: NDArray[np.float64], prior: lw.beliefs.Prior | None) -> None:
        rng = np.random.default_rng(n_items)
        prediction = rng.integers(_N_GROUPS, size=n_items)
        hit = rng.random(n_items) < accuracy[prediction]
        self._labels = np.where(hit, prediction, (prediction + 1) % _N_GROUPS)
        claimed = rng.beta(8 * accuracy[prediction] + 1, 8 * (1 - accuracy[prediction]) + 0.5)
        pool = lw.pool_from_arrays(predicted=prediction, confidence=np.clip(claimed, 0, 1), classes=range(_N_GROUPS))
        self.store = lw.SqliteStore(path)
        self._assessment = lw.Assessment(
            pool,
            lw.by_prediction(pool),
            question=lw.Worst(lw.accuracy),
            policy=lw.Thompson(),
            prior=prior,
            seed=1,
            journal=self.store.journal(),
        )

    def ask_and_tell(self) -> None:
        """Ask for one item, and tell its label."""
        (ticket,) = self._assessment.ask()
        self._assessment.tell(ticket, int(self._labels[ticket.item["id"]]))

    def close(self) -> None:
        """Let go of the file."""
        self.store.close()


def run(rows: int, folder: Path) -> None:
    """Take turns label by label, and print percentiles; the sizes are those of the goals, whatever `rows` says."""
    accuracy = np.random.default_rng(3).beta(4, 1, _N_GROUPS)
    ours = {
        f"labelwise, {name} prior, {n:,} items": Ours(folder / f"latency-{name}-{n}.lw", n, accuracy, prior)
        for name, prior in (("flat", None), ("learned", lw.LearnedPrior()))
        for n in _SIZES
    }
    rivals = _rivals(folder, accuracy)
    with ExitStack() as stack:
        for one in (ours | rivals).values():
            stack.enter_context(closing(one))
        bare = stack.enter_context(closing(_bare(folder / "latency-bare.db")))
        calls: dict[str, Callable[[], object]] = {
            _COMMIT: lambda: bare.execute("INSERT INTO events VALUES (?)", (_BODY,))
        }
        calls |= {name: one.ask_and_tell for name, one in (ours | rivals).items()}
        times = _in_random_turns(calls)
        settings = {name: one.settings() for name, one in rivals.items()}
    print(f"one question about {_N_GROUPS:,} groups, ask + tell; {_ROUNDS} rounds after {_WARM_UP}, in turns")
    for kind, words in (("WAL", "as labelwise, set on every connection of Optuna's engine"), ("default", "untouched")):
        found = {text for name, text in settings.items() if name.endswith(kind)}
        print(f"{kind}: {', '.join(found)} (2 is FULL), {words}")
    _report(times, list(ours), list(rivals))


def _rivals(folder: Path, accuracy: NDArray[np.float64]) -> dict[str, Optuna]:
    rng = np.random.default_rng(4)

    def truth(group: int) -> bool:
        return bool(rng.random() < accuracy[group])

    rivals = {}
    for is_safe, end in ((True, "WAL"), (False, "default")):
        for sampler, is_number in ((TPESampler, False), (RandomSampler, False), (RandomSampler, True)):
            shape = "a whole number" if is_number else f"{_N_GROUPS:,} choices"
            path = folder / f"latency-{len(rivals)}.db"
            rivals[f"Optuna, {sampler.__name__}, {shape}, {end}"] = Optuna(
                path, sampler(seed=1), truth, _N_GROUPS, is_safe=is_safe, is_number=is_number
            )
    return rivals


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE events (body TEXT)")
    return connection


def _in_random_turns(calls: Mapping[str, Callable[[], object]]) -> _Times:
    """Time calls in a new order every round: what one leaves in caches and on the disk falls on all of them."""
    rng = np.random.default_rng(5)
    names, rounds = list(calls), []
    for _ in range(_WARM_UP + _ROUNDS):
        times = np.empty(len(names))
        for i in rng.permutation(len(names)):
            start = perf_counter()
            calls[names[i]]()
            times[i] = perf_counter() - start
        rounds.append(times)
    return dict(zip(names, 1000 * np.array(rounds[_WARM_UP:]).T, strict=True))


def _report(times: _Times, ours: list[str], rivals: list[str]) -> None:
    p50, p99 = ({name: float(np.percentile(values, q)) for name, values in times.items()} for q in (50, 99))
    small, large = ours[-2:]  # of the learned prior, which is the default of the command line
    print(f"{'':<50} {'p50':>8} {'p99':>11}    p50 / {large}")
    for name in times:
        print(f"{name:<50} {p50[name]:8.3f} ms {p99[name]:8.3f} ms {p50[name] / p50[large]:8.2f} x")
    fastest = min(rivals, key=lambda name: p50[name])
    print(f"ask + tell is two commits: {large}, takes {p50[large] / (2 * p50[_COMMIT]):.2f} times two bare ones")
    if p50[_COMMIT] > _SLOW:
        print(f"a bare commit takes more than {_SLOW:g} ms: a slow disk, or other work on the cores; judge elsewhere")
    print(f"the fastest rival at p50: {fastest}")
    verdict("at least 10 times as fast as the fastest rival (p50)", p50[fastest] / p50[large], at_least=10)
    growth = f"from {_SIZES[0]:,} to {_SIZES[1]:,} items"
    verdict(f"{growth} at most 1.5 times the time (p50)", p50[large] / p50[small], at_most=1.5)
