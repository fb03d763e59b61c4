"""Tables 3 and 8 of the AAAI paper: the error of estimated accuracies, by class and by bin of the score."""

from __future__ import annotations

from collections.abc import Callable

from labelwise.groups import Grouping, by_prediction, by_score
from labelwise.pool import Pool
from labelwise.questions import Estimate
from labelwise.simulation import Scenario, Score, rmse
from papers.reproduction import CODED, PRINTED, Reproduction, Row
from papers.sources import method_policy, method_prior
from papers.study import Study

LATE = 10  # labels: the published code reads its log one step late, so "N labels" are N + 10
Published = dict[str, tuple[tuple[int, ...], dict[str, tuple[float, ...]]]]

TABLE_3: Published = {
    "CIFAR-100": (
        (200, 500, 1000),
        {"UPrior": (30.7, 20.5, 13.3), "IPrior": (15.0, 13.6, 10.9), "IPrior+TS": (15.3, 13.8, 11.4)},
    ),
    "SVHN": (
        (20, 50, 100),
        {"UPrior": (13.7, 7.7, 5.4), "IPrior": (5.1, 5.1, 4.7), "IPrior+TS": (3.4, 3.4, 3.1)},
    ),
}
TABLE_8: Published = {
    "CIFAR-100": (
        (20, 50, 100),
        {"UPrior": (23.2, 15.7, 11.0), "IPrior": (12.8, 11.3, 9.3), "IPrior+TS": (11.9, 10.0, 8.1)},
    ),
    "SVHN": (
        (20, 50, 100),
        {"UPrior": (12.5, 6.2, 4.4), "IPrior": (4.9, 4.5, 3.7), "IPrior+TS": (2.8, 2.3, 1.9)},
    ),
}


def table_3(study: Study) -> Reproduction:
    """Return the error of classwise accuracy."""
    rows = estimation_rows("table 3", TABLE_3, by_prediction, lambda groups, protocol: rmse, study)
    return Reproduction("3", "RMSE (%) of classwise accuracy", COLUMNS, rows, study.n_runs, NOTES)


def table_8(study: Study) -> Reproduction:
    """Return the error of bin-wise accuracy, ten bins of equally many items."""
    rows = estimation_rows("table 8", TABLE_8, ten_bins, lambda groups, protocol: rmse, study)
    return Reproduction("8", "RMSE (%) of bin-wise accuracy", COLUMNS, rows, study.n_runs, NOTES)


def ten_bins(pool: Pool) -> Grouping:
    """Split a pool into ten bins of equally many items by score."""
    return by_score(pool, 10, equal="mass")


def estimation_rows(
    name: str,
    published: Published,
    split: Callable[[Pool], Grouping],
    score_of: Callable[[Grouping, str], Score],
    study: Study,
) -> tuple[Row, ...]:
    """Return the rows of a table of errors in percent after so many labels."""
    rows = []
    for data, (counts, methods) in published.items():
        groups = split(study.sources.pool(data))
        for protocol, late in ((PRINTED, 0), (CODED, LATE)):
            score = score_of(groups, protocol)
            for method, values in methods.items():
                study.step(f"{name}: {data}, {method}, {protocol}")
                at = [count + late for count in counts]
                scenario = Scenario(groups, Estimate(), method_policy(method), method_prior(method, protocol), at[-1])
                found = study.play(scenario, [score], at)
                for place, (count, value) in enumerate(zip(counts, values, strict=True)):
                    ours, error = (100 * float(part[score.name][place]) for part in (found.mean, found.error))
                    cause = _ODD.get((name, data, method, count), "")
                    rows.append(Row((data, method, f"{count}"), protocol, value, ours, error, cause=cause))
    return tuple(rows)


COLUMNS = ("data", "method", "labels")
NOTES = (
    "As coded, UPrior is Beta(5e-7, 5e-7), a plain frequency, and N labels are N + 10, for the published code reads "
    "its log one step late. As printed: Beta(1, 1) and N labels.",
)
_ODD = {
    ("table 3", "SVHN", "IPrior", 100): (
        "not found; tried without success: prior strengths 1, 1.5 and 3, random groups instead of random items, N "
        "instead of N + 10 labels"
    )
}
