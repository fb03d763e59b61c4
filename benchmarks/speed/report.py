"""Writing a report of a thousand groups: after ten times the labels, against after the first thousand."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter

import numpy as np

import labelwise as lw
from benchmarks.speed.clock import in_turns, verdict
from labelwise.assessment.events import Told

_N_GROUPS, _N_ITEMS = 1_000, 100_000
_N_LABELS = (1_000, 10_000)
_BATCH = 500
_REPEATS = 2


def run(rows: int, folder: Path) -> None:
    """Report two assessments in turns, page and JSON twin; the size is fixed."""
    made = {n_labels: _assessment(n_labels) for n_labels in _N_LABELS}
    calls = {f"{n_labels:,} labels": partial(_written, assessment) for n_labels, assessment in made.items()}
    times, results = in_turns(calls, _REPEATS)
    print(f"{_N_ITEMS:,} items in {_N_GROUPS:,} groups, learned prior; best of {_REPEATS}, in turns")
    for name, values in times.items():
        page, twin, drawing = results[name]
        print(
            f"{name:<14} {min(values):6.2f} s ({drawing:.2f} s of them drawing)  page {page / 1e6:.2f} MB, "
            f"JSON {twin / 1e6:.2f} MB"
        )
    few, many = (min(values) for values in times.values())
    verdict("ten times the labels take at most twice the time", many / few, at_most=2.0)
    verdict("a page of at most 5 MB", max(page for page, _, _ in results.values()) / 1e6, at_most=5.0)


def _written(assessment: lw.Assessment) -> tuple[int, int, float]:
    report = lw.report_of(assessment)
    twin = len(report.json().encode())
    start = perf_counter()
    page = len(report.html().encode())
    return page, twin, perf_counter() - start


def _assessment(n_labels: int) -> lw.Assessment:
    """Ask in batches and tell a batch in one page of the journal."""
    rng = np.random.default_rng(6)
    prediction = rng.integers(_N_GROUPS, size=_N_ITEMS)
    confidence = np.clip(rng.beta(8, 1.5, _N_ITEMS), 0.01, 0.999)
    accuracy = rng.beta(8, 2, _N_GROUPS)
    pool = lw.pool_from_arrays(predicted=prediction, confidence=confidence, classes=range(_N_GROUPS))
    journal, clock = lw.assessment.MemoryJournal(), partial(next, count(1.7e9, 0.1))
    how = {"question": lw.Worst(lw.accuracy), "prior": lw.LearnedPrior(), "seed": 1}
    assessment = lw.Assessment(pool, lw.by_prediction(pool), journal=journal, clock=clock, **how)
    for _ in range(n_labels // _BATCH):
        tickets = assessment.ask(_BATCH)
        predicted = prediction[[ticket.item["id"] for ticket in tickets]]
        hit = rng.random(len(tickets)) < accuracy[predicted]
        labels = np.where(hit, predicted, (predicted + 1) % _N_GROUPS).tolist()
        with journal.writing() as page:
            for ticket, label in zip(tickets, labels, strict=True):
                page.append(Told(clock(), ticket.number, label, "ann"))
        assessment.refresh()
    return assessment
