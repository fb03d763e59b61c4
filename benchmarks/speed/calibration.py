"""Calibration of one large pool: labelwise against netcal and torchmetrics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import labelwise as lw
from benchmarks.speed.clock import in_turns, medians, verdict
from benchmarks.speed.rivals import BINS, Netcal, Torchmetrics
from benchmarks.speed.sample import scores_and_labels

_REPEATS = 5
_PARTS = {
    "from_scores": "ECE and MCE, rivals from scores",
    "overall": "ECE and MCE, rivals from confidences",
    "by_prediction": "ECE of every predicted class",
    "bias": "bias of every predicted class (*)",
    "against_all": "one-against-all ECE of every class",
    "brier": "Brier score (*)",
}
_TOTAL = [part for part in _PARTS if part != "from_scores"]  # the same numbers twice; the rivals' faster way counts


class Ours:
    """The same measures from a pool. With all labels known, the target "pool" makes them plain frequencies."""

    def __init__(self, pool: lw.Pool) -> None:
        self._pool = pool

    @property
    def fresh(self) -> lw.Pool:
        """The pool without anything that an earlier call has kept in it."""
        return replace(self._pool)

    def overall(self) -> list[float]:
        pool = self.fresh
        return [lw.metrics.known_value(metric, pool) for metric in (lw.metrics.ECE(BINS), lw.metrics.MCE(BINS))]

    from_scores = overall

    def by_prediction(self) -> Any:
        metric = lw.metrics.ECE(BINS)
        return metric.plug_in(lw.belief_from_labels(metric, lw.by_prediction(self.fresh)), target="pool")

    def bias(self) -> Any:
        belief = lw.belief_from_labels(lw.calibration_bias, lw.by_prediction(self.fresh))
        return lw.calibration_bias.mean(belief, target="pool")

    def against_all(self) -> Any:
        return lw.metrics.classwise_ece(self.fresh, bins=BINS)

    def brier(self) -> float:
        return lw.metrics.known_value(lw.metrics.brier, self.fresh)


def run(rows: int, folder: Path) -> None:
    """Time part by part in turns and print medians."""
    scores, labels = scores_and_labels(rows)
    make = partial(lw.pool_from_arrays, scores=scores, labels=labels)
    pool = make()
    print(f"{rows:,} x {scores.shape[1]} float32, accuracy {pool.hits.mean():.3f}, {BINS} bins of equal width")
    rivals = {"netcal": Netcal(scores, labels), "torchmetrics": Torchmetrics(scores, labels)}
    contestants = {"labelwise": Ours(pool)} | rivals
    seconds, far = {}, dict.fromkeys(rivals, 0.0)
    print(f"median of {_REPEATS}, in turns       {'labelwise':>20} {'netcal':>18} {'torchmetrics':>18}")
    for part, title in _PARTS.items():
        times, values = in_turns({name: getattr(one, part) for name, one in contestants.items()}, _REPEATS)
        seconds[part] = medians(times)
        _print_row(title, seconds[part])
        for name in far:
            gap = np.abs(np.asarray(values[name]) - np.asarray(values["labelwise"]))
            far[name] = max(far[name], float(np.nanmax(gap)))
    total = {name: sum(seconds[part][name] for part in _TOTAL) for name in contestants}
    _print_row("all of it (without the first row)", total)
    _print_row("... and without one-against-all", {n: total[n] - seconds["against_all"][n] for n in total})
    making = medians(in_turns({"labelwise": make}, _REPEATS)[0])["labelwise"]
    _print_row("all of it, making the pool included", total | {"labelwise": total["labelwise"] + making})
    print("(*) neither rival has it; theirs is the plain line of NumPy or torch")
    print(f"largest difference of any value: netcal {far['netcal']:.1e}, torchmetrics {far['torchmetrics']:.1e}")
    print("  netcal moves scores at least 1.2e-07 away from 0 and 1; torchmetrics adds up in float32, we in float64:")
    exact = abs(rivals["torchmetrics"].overall_in_float64() - lw.metrics.known_value(lw.metrics.ECE(BINS), pool))
    print(f"  its overall ECE differs by {exact:.1e} when it is given float64. All three close bins on the left.")
    verdict("all of it at least 5 times as fast as netcal", total["netcal"] / total["labelwise"], at_least=5)


def _print_row(title: str, seconds: dict[str, float]) -> None:
    ours = seconds["labelwise"]
    theirs = " ".join(f"{s:8.3f} s {s / ours:6.1f} x" for name, s in seconds.items() if name != "labelwise")
    print(f"{title:<38} {ours:8.3f} s {theirs}", flush=True)
