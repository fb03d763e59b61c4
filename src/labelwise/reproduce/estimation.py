"""Tables 3 and 8 of the AAAI paper: the error of estimated accuracies, by class and by bin of the score."""

from __future__ import annotations

from collections.abc import Callable

from labelwise.groups import Grouping, by_prediction, by_score
from labelwise.policies import Policy, RandomItem, Thompson
from labelwise.pool import Pool
from labelwise.questions import Estimate
from labelwise.reproduce.reproduction import Reproduction, Row, Step
from labelwise.reproduce.sources import Sources, flat_prior, informed_prior
from labelwise.simulation import Scenario, rmse, simulate

_LATE = 10  # labels: the published code reads its log one step late, so "N labels" are N + 10
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


def table_3(sources: Sources, n_runs: int, seed: int, jobs: int, step: Step) -> Reproduction:
    """Give the error of classwise accuracy."""
    return _table("3", "RMSE (%) of classwise accuracy", TABLE_3, by_prediction, sources, n_runs, seed, jobs, step)


def table_8(sources: Sources, n_runs: int, seed: int, jobs: int, step: Step) -> Reproduction:
    """Give the error of bin-wise accuracy, ten bins of equally many items."""

    def bins(pool: Pool) -> Grouping:
        return by_score(pool, 10, equal="mass")

    return _table("8", "RMSE (%) of bin-wise accuracy", TABLE_8, bins, sources, n_runs, seed, jobs, step)


def _table(
    name: str,
    title: str,
    published: Published,
    split: Callable[[Pool], Grouping],
    sources: Sources,
    n_runs: int,
    seed: int,
    jobs: int,
    step: Step,
) -> Reproduction:
    rows = []
    for data, (counts, methods) in published.items():
        pool = sources.cifar100() if data == "CIFAR-100" else sources.svhn()
        groups = split(pool)
        for protocol, late in (("as printed", 0), ("as coded", _LATE)):
            for method, values in methods.items():
                step(f"table {name}: {data}, {method}, {protocol}")
                prior = flat_prior(protocol) if method == "UPrior" else informed_prior()
                policy: Policy = Thompson() if method.endswith("TS") else RandomItem()
                at = [count + late for count in counts]
                scenario = Scenario(groups, Estimate(), policy, prior, at[-1])
                found = simulate(scenario, [rmse], n_runs=n_runs, at=at, seed=seed, jobs=jobs)
                for place, (count, value) in enumerate(zip(counts, values, strict=True)):
                    ours, error = (100 * float(part["rmse"][place]) for part in (found.mean, found.error))
                    rows.append(Row((data, method, f"{count}"), protocol, value, ours, error))
    return Reproduction(name, title, ("data", "method", "labels"), tuple(rows), n_runs, _NOTES)


_NOTES = (
    "As coded, UPrior is Beta(5e-7, 5e-7), a plain frequency, and N labels are N + 10, for the published code reads "
    "its log one step late. As printed: Beta(1, 1) and N labels.",
)
