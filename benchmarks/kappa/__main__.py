"""Six intervals of Cohen's kappa, and how often each covers in worlds whose kappa is known."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from labelwise.metrics.kappa import cohen_kappa, kappa_draws

RUNS, DRAWS, LEVEL = 1_000, 1_000, 0.95
SIZES, KAPPAS, CLASSES = (20, 50, 200), (0.4, 0.8, 0.95), (3, 10)
_Floats = NDArray[np.float64]
_Ends = tuple[float, float]
_Method = Callable[[_Floats, np.random.Generator], _Ends]


def world(kappa: float, n_classes: int, is_even: bool) -> _Floats:
    """Return the joint table of two labellers with this kappa; uneven: seven of ten items are of the first class."""
    rest = 0.3 / (n_classes - 1)
    shares = np.full(n_classes, 1 / n_classes) if is_even else np.array([0.7] + [rest] * (n_classes - 1))
    return kappa * np.diag(shares) + (1 - kappa) * np.outer(shares, shares)


def kappas(tables: _Floats) -> _Floats:
    """Return Cohen's kappa of each table (n, k, k)."""
    parts = tables / tables.sum(axis=(1, 2), keepdims=True)
    agreed, chance = np.einsum("nkk->n", parts), (parts.sum(axis=2) * parts.sum(axis=1)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(chance < 1, (agreed - chance) / (1 - chance), np.nan)


def ends(draws: _Floats, table: _Floats) -> _Ends:
    low, high = np.nanquantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    point = cohen_kappa(table)
    return (low, high) if np.isnan(point) else (min(low, point), max(high, point))


def delta(table: _Floats, rng: np.random.Generator) -> _Ends:
    """Fleiss, Cohen and Everitt (1969): the large-sample variance."""
    n = table.sum()
    p = table / n
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    agreed, chance = np.trace(p), float(rows @ columns)
    if chance == 1:
        return np.nan, np.nan
    kappa = (agreed - chance) / (1 - chance)
    one = (np.diag(p) * (1 - (rows + columns) * (1 - kappa)) ** 2).sum()
    others = p * (rows[None, :] + columns[:, None]) ** 2
    two = (1 - kappa) ** 2 * (others.sum() - np.trace(others))
    variance = (one + two - (kappa - chance * (1 - kappa)) ** 2) / (n * (1 - chance) ** 2)
    half = 1.959964 * np.sqrt(max(variance, 0.0))
    return kappa - half, kappa + half


def bootstrap(table: _Floats, rng: np.random.Generator) -> _Ends:
    k, n = len(table), int(table.sum())
    again = rng.multinomial(n, (table / n).ravel(), DRAWS).reshape(-1, k, k).astype(float)
    draws = kappas(again)
    return ends(draws, table) if not np.isnan(draws).all() else (np.nan, np.nan)


def dirichlet(weight: float) -> _Method:
    def interval(table: _Floats, rng: np.random.Generator) -> _Ends:
        k = len(table)
        alpha = table.ravel() + (weight if weight > 0 else 1 / k**2)
        return ends(kappas(rng.dirichlet(alpha, DRAWS).reshape(-1, k, k)), table)

    return interval


def split(prior: float) -> _Method:
    def interval(table: _Floats, rng: np.random.Generator) -> _Ends:
        draws = kappa_draws(table, is_ordered=True, n_draws=DRAWS, prior=prior, rng=rng)
        return (np.nan, np.nan) if np.isnan(draws).all() else ends(draws, table)

    return interval


METHODS = {
    "delta": delta,
    "bootstrap": bootstrap,
    "dirichlet 1/2": dirichlet(0.5),
    "dirichlet 1/cells": dirichlet(0.0),
    "split 1": split(1.0),
    "split 1/2": split(0.5),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--seed", type=int, default=1)
    said = options.parse_args()
    names = list(METHODS)
    print("| classes | shares | items | kappa | " + " | ".join(f"{name} | width" for name in names) + " |")
    print("|---" * (4 + 2 * len(names)) + "|")
    for k in CLASSES:
        for is_even in (True, False):
            for n in SIZES:
                for kappa in KAPPAS:
                    rng = np.random.default_rng([said.seed, k, is_even, n, int(100 * kappa)])
                    truth = world(kappa, k, is_even)
                    tables = rng.multinomial(n, truth.ravel(), said.runs).reshape(-1, k, k).astype(float)
                    cells = []
                    for method in METHODS.values():
                        found = np.array([method(table, rng) for table in tables])
                        covered = (found[:, 0] <= kappa) & (kappa <= found[:, 1])
                        cells += [f"{covered.mean():.3f}", f"{np.nanmean(found[:, 1] - found[:, 0]):.2f}"]
                    shares = "even" if is_even else "uneven"
                    print(f"| {k} | {shares} | {n} | {kappa} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
