"""Table 9 of the AAAI paper: labels until the classes of largest calibration error are found."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from numpy.typing import NDArray

from labelwise.groups import by_prediction
from labelwise.groups.by_score import width_bins
from labelwise.metrics import ECE
from labelwise.policies import MultiplePlay, Policy, RandomItem, Thompson
from labelwise.pool import Pool
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank
from papers.reproduction import CODED, PRINTED, Reproduction, Row
from papers.study import BATCHES, Study, crossing

TABLE_9 = {
    "CIFAR-100": {"random": {1: 88.0, 10: 90.0}, "TS": {1: 43.0, 10: 59.0}},
    "SVHN": {"random": {1: 58.8, 3: 88.4}, "TS": {1: 40.7, 3: 77.6}},
}
EVERY = 100  # labels between two looks
EARLY = 5  # looks that the published code leaves out
_BINS, _STRENGTH, _HELD_OUT = 10, 2.0, 0.1
_Floats = NDArray[np.float64]


def table_9(study: Study) -> Reproduction:
    """Return the share of the pool that must be labelled until the mean reciprocal rank exceeds 0.99."""
    rows = ece_rows(study)
    title = "Labels (% of the pool) until MRR > 0.99, largest classwise ECE"
    return Reproduction("9", title, ("data", "method", "m"), rows, study.n_runs, NOTES)


@cache
def ece_rows(study: Study) -> tuple[Row, ...]:
    """Return the rows of the search for the worst calibrated classes, as printed and as coded."""
    rows = []
    for data, methods in TABLE_9.items():
        pool = study.sources.pool(data)
        for protocol in (PRINTED, CODED):
            for method, values in methods.items():
                for m, value in values.items():
                    study.step(f"largest ECE: {data}, {method}, m = {m}, {protocol}")
                    play = _printed if protocol == PRINTED else _coded
                    ours, error, chance = (100 * part / pool.n_items for part in play(study, pool, method, m))
                    rows.append(Row((data, method, f"{m}"), protocol, value, ours, error, chance))
    return tuple(rows)


def _printed(study: Study, pool: Pool, method: str, m: int) -> tuple[float, float, float]:
    at = np.arange(EVERY, pool.n_items + 1, EVERY)
    policy: Policy = RandomItem() if method == "random" else MultiplePlay() if m > 1 else Thompson()
    scenario = Scenario(by_prediction(pool), Worst(ECE(_BINS), m=m), policy)
    return crossing(study.in_batches(scenario, reciprocal_rank(m), at), at)


def _coded(study: Study, pool: Pool, method: str, m: int) -> tuple[float, float, float]:
    """Play the published search on the nine tenths of the pool that its code keeps, and read its log as it does."""
    from papers.kernels.online import search_online

    kept = np.ones(pool.n_items, bool)
    kept[np.random.RandomState(0).permutation(pool.n_items)[: int(pool.n_items * _HELD_OUT)]] = False
    items = np.flatnonzero(kept)
    items = items[np.argsort(pool.prediction[items], kind="stable")]
    group, score = pool.prediction[items], np.asarray(pool.confidence, float)[items]
    hit = pool.hits[items]
    first = np.searchsorted(group, np.arange(pool.n_classes + 1)).astype(np.int64)
    bin_of = width_bins(score, _BINS).astype(np.int64)
    worst = np.argsort(-_true_errors(group, bin_of, score, hit, pool.n_classes), kind="stable")[:m]
    at = np.arange(1, len(items) + 1, EVERY)
    seeds = np.random.SeedSequence(study.seed).generate_state(study.n_runs, np.uint64)

    def batch(part: NDArray[np.uint64]) -> _Floats:
        out = np.zeros((len(part), len(at), pool.n_classes))
        search_online(method == "TS", first, bin_of, score, hit, _BINS, _STRENGTH, m, at, part, out)
        return _ranked(out, worst).mean(axis=0)

    with ThreadPoolExecutor(study.jobs) as threads:
        curves = np.stack(list(threads.map(batch, np.array_split(seeds, min(BATCHES, study.n_runs)))))
    # the published code takes the label after the look for the first of the next hundred
    return crossing(curves[:, EARLY:], at[EARLY:] + EVERY - 1)


def _true_errors(
    group: NDArray[np.int32], bin_of: NDArray[np.int64], score: _Floats, hit: NDArray[np.bool_], n: int
) -> _Floats:
    """Return the calibration error of each class on all labels."""
    cell = group * _BINS + bin_of
    gaps = np.bincount(cell, hit - score, minlength=n * _BINS).reshape(n, _BINS)
    return np.asarray(np.abs(gaps).sum(axis=1) / np.maximum(np.bincount(group, minlength=n), 1))


def _ranked(values: _Floats, worst: NDArray[np.int64]) -> _Floats:
    """Return the mean reciprocal rank of the true groups, the other true ones left out of each rank."""
    others = np.delete(values, worst, axis=-1)
    return np.asarray(np.mean([1 / (1 + (others > values[..., [g]]).sum(axis=-1)) for g in worst], axis=0))


NOTES = (
    "As coded, a tenth of the pool is held out but the share is of all of it, random means a random class, bins' "
    "weights and confidences come from labelled items alone, the prior has its mean in the middle of the bin, the log "
    "has one look every 100 labels, its first five are left out, and the look after 100 i + 1 labels counts as 100 i + "
    "100. As printed: random items of the whole pool, known weights and confidences. Published values come from 100 "
    "runs.",
)
