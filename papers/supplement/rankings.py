"""Rankings of classes by accuracy: the distribution of every rank, after some labels and after all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import BetaBelief, FlatPrior
from labelwise.groups import Grouping, by_prediction
from labelwise.metrics import accuracy, rank
from papers.reproduction import PRINTED, Claim, Reproduction, Row
from papers.study import Study, stacked
from papers.supplement.random_labels import hits_of, random_labels
from papers.supplement.scatter import class_names

DATA = ("CIFAR-100", "SVHN")
LEAST = {"CIFAR-100": ("lizard", 68.25)}  # percent, of 10,000 draws
THEIR_DRAWS = 10_000
N_DRAWS = 200_000
SOME = 1_000  # labels
_DRAWS_A_RUN = 1_000
_FEW_DRAWS = 5_000  # for the intervals of ranks
_CHUNK = 20_000  # draws in memory at once
_Floats = NDArray[np.float64]


def rankings(study: Study) -> Reproduction:
    """Return the interval of each class's rank, and the probabilities that it is the least or the most accurate."""
    rows, claims, parts = [], [], []
    n_runs = max(1, study.n_runs // 10)  # a run is a ranking of a thousand draws
    for data in DATA:
        study.step(f"supplement-rankings: {data}")
        groups = by_prediction(study.sources.pool(data))
        names = class_names(study, data, groups)
        rng = np.random.default_rng(study.seed)
        widths = {}
        for n_labels in (SOME, groups.pool.n_items):
            belief = _believed(groups, *random_labels(groups, n_labels, 1, rng=rng))
            ranking = rank(accuracy, belief, n_draws=_FEW_DRAWS, rng=rng)
            widths[n_labels] = float((ranking.rank_high - ranking.rank_low).mean())
            least, most = extremes(belief, N_DRAWS if n_labels > SOME else THEIR_DRAWS, rng)
            parts.append(
                {
                    "data": data, "labels": n_labels, "class": np.array(names), "accuracy": belief.mean(),
                    "rank_low": ranking.rank_low, "rank_high": ranking.rank_high, "p_least": least, "p_most": most,
                }
            )  # fmt: skip
        if data in LEAST:
            rows.append(_row(data, names, least))
        claims += list(_claims(data, groups, names, widths, least, n_runs, rng))
    return Reproduction(
        "supplement-rankings", "Ranks of classes by accuracy", ("data", "probability (%)"), tuple(rows), n_runs,
        _NOTES, tuple(claims), stacked(parts),
    )  # fmt: skip


def _believed(groups: Grouping, hits: NDArray[np.int64], labels: NDArray[np.int64]) -> BetaBelief:
    """Return the belief of one run, flat at first."""
    a, b = FlatPrior().beta(groups)
    return BetaBelief(groups.names, a, b, hits[0], labels[0], groups.n_items, groups)


def extremes(belief: BetaBelief, n_draws: int, rng: np.random.Generator) -> tuple[_Floats, _Floats]:
    """Return the probabilities that each group is the least and the most accurate.

    Examples
    --------
    >>> belief = BetaBelief.from_counts(hits=[90, 50, 10], labels=[100, 100, 100])
    >>> least, most = extremes(belief, 1_000, np.random.default_rng(1))
    >>> least.tolist(), most.tolist()
    ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    """
    least, most = np.zeros(belief.n_groups, np.int64), np.zeros(belief.n_groups, np.int64)
    for start in range(0, n_draws, _CHUNK):
        draws = belief.draw(min(_CHUNK, n_draws - start), rng=rng)
        least += np.bincount(draws.argmin(axis=1), minlength=belief.n_groups)
        most += np.bincount(draws.argmax(axis=1), minlength=belief.n_groups)
    return least / n_draws, most / n_draws


def _row(data: str, names: list[str], least: _Floats) -> Row:
    name, published = LEAST[data]
    chance = float(least[names.index(name)])
    spread = 100 * np.sqrt(chance * (1 - chance))
    error, theirs = spread / np.sqrt(N_DRAWS), spread / np.sqrt(THEIR_DRAWS)
    return Row((data, f"{name} is least accurate"), PRINTED, published, 100 * chance, error, theirs, digits=2)


def _claims(
    data: str,
    groups: Grouping,
    names: list[str],
    widths: dict[int, float],
    least: _Floats,
    n_runs: int,
    rng: np.random.Generator,
) -> Iterator[Claim]:
    some, every = widths.values()
    yield Claim(
        data,
        "ranks stay uncertain, and less so with more labels",
        f"95% intervals of ranks span {some:.1f} ranks on average after {SOME:,} labels, {every:.1f} after all",
        holds=0 < every < some,
    )
    truth = int(np.argmin(hits_of(groups) / groups.n_items))
    hits, labels = random_labels(groups, SOME, n_runs, rng=rng)
    early = np.mean(
        [
            extremes(_believed(groups, hits[run : run + 1], labels[run : run + 1]), _DRAWS_A_RUN, rng)[0][truth]
            for run in range(n_runs)
        ]
    )
    yield Claim(
        data,
        f"P({names[truth]} is least accurate), which it is, grows with labels",
        f"{early:.3f} after {SOME:,} random labels, mean of runs; {least[truth]:.3f} after all",
        holds=bool(early < least[truth] == least.max()),
    )


_NOTES = (
    f"Flat prior; probabilities on all labels are of {N_DRAWS:,} draws, the published one (workshop paper, 2019) of "
    f"{THEIR_DRAWS:,}. Means of runs are of a tenth of the runs asked for, {_DRAWS_A_RUN:,} draws each.",
)
