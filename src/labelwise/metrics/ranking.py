"""Ranking of groups: which is the worst, how surely, and which cannot be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Target
from labelwise.checks import check_between, check_count
from labelwise.metrics.metric import N_DRAWS, Metric
from labelwise.pool import Frame

_Floats = NDArray[np.float64]
_CHUNK = 8_000_000  # draws in memory at once


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Where each group stands, worst first.

    Attributes
    ----------
    names : one name a group, in the order of the belief.
    order : positions of the groups that hold items, worst first by posterior mean.
    p_worst, p_best : probability that a group is the worst, or the best.
    p_among : probability that a group is among the m worst.
    rank_low, rank_high : ends of the interval of a group's rank; 1 is the worst.
    tied : whether a group cannot be told from the one that stands first.
    monte_carlo_error : largest standard error of the probabilities.
    """

    names: tuple[str, ...]
    order: NDArray[np.int64]
    m: int
    p_worst: _Floats
    p_best: _Floats
    p_among: _Floats
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    tied: NDArray[np.bool_]
    monte_carlo_error: float

    def frame(self) -> Frame:
        """Give a tidy table, worst group first."""
        return Frame(
            {
                "group": [self.names[g] for g in self.order],
                "p_worst": self.p_worst[self.order],
                "p_among_worst": self.p_among[self.order],
                "p_best": self.p_best[self.order],
                "rank_low": self.rank_low[self.order],
                "rank_high": self.rank_high[self.order],
                "tied": self.tied[self.order],
            }
        )

    def __repr__(self) -> str:
        first = self.order[0]
        tied = int(self.tied.sum())
        worst = f"'{self.names[first]}' is worst (P = {self.p_worst[first]:.3f})"
        return f"<Ranking of {len(self.order)} groups: {worst}, {tied} tied with it>"


def rank(
    metric: Metric,
    belief: Any,
    *,
    m: int = 1,
    level: float = 0.95,
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> Ranking:
    """Rank groups from worst to best by draws. Empty groups have no rank.

    A group is tied with the first one if the probability that it is the worse of the two is above (1 - level)/2.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.BetaBelief.from_counts(hits=[90, 50, 48], labels=[100, 100, 100], names=["cat", "dog", "emu"])
    >>> ranking = rank(lw.accuracy, belief, rng=np.random.default_rng(1))
    >>> [ranking.names[g] for g in ranking.order], ranking.tied
    (['emu', 'dog', 'cat'], array([False,  True, False]))
    """
    check_between(level, "level", 0, 1)
    check_count(n_draws, "n_draws")
    sizes = metric.n_items(belief)
    names = metric.names(belief)
    there = np.arange(len(names)) if sizes is None else np.flatnonzero(sizes)
    check_count(m, "m", most=len(there))
    sign = 1.0 if metric.worse == "low" else -1.0
    size = max(1, min(n_draws, _CHUNK // len(names)))
    ranks = np.zeros((len(there), len(there)), np.int64)  # (group, rank)
    total, kept = np.zeros(len(there)), []
    for start in range(0, n_draws, size):
        draws = metric.draw(belief, min(size, n_draws - start), target=target, rng=rng)[:, there]
        total += np.nansum(draws, axis=0)
        draws = sign * np.nan_to_num(draws, nan=sign * np.inf)
        # equal draws, possible when few items are left in the pool, are put in random order
        draws += rng.uniform(-1e-12, 1e-12, draws.shape)
        kept.append(draws)
        order = np.argsort(draws, axis=1)
        np.add.at(ranks, (order.ravel(), np.tile(np.arange(len(there)), len(order))), 1)
    mean = metric.mean(belief, target=target)
    value = sign * (total / n_draws if mean is None else mean[there])
    first = int(np.argmin(value))
    beats_first = np.zeros(len(there))
    for draws in kept:
        beats_first += (draws < draws[:, [first]]).sum(axis=0)
    share = ranks / n_draws
    cumulative = share.cumsum(axis=1)
    edge = (1 - level) / 2

    def spread(values: NDArray[Any], fill: float) -> NDArray[Any]:
        out = np.full(len(names), fill, values.dtype)
        out[there] = values
        return out

    p_worst, p_among = share[:, 0], share[:, :m].sum(axis=1)
    chances = np.concatenate([p_worst, p_among, share[:, -1]])
    return Ranking(
        names=names,
        order=there[np.lexsort((np.arange(len(there)), value))],
        m=m,
        p_worst=spread(p_worst, 0),
        p_best=spread(share[:, -1], 0),
        p_among=spread(p_among, 0),
        rank_low=spread((cumulative < edge).sum(axis=1) + 1, 0),
        rank_high=spread(np.minimum((cumulative < 1 - edge - 1e-12).sum(axis=1) + 1, len(there)), 0),
        tied=spread(beats_first / n_draws > edge, False),
        monte_carlo_error=float(np.sqrt((chances * (1 - chances)).max() / n_draws)),
    )
