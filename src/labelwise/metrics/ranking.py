"""Ranking of groups: which is the worst, how surely, and which are not distinguishable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.checks import check_between, check_count
from labelwise.metrics.metric import N_DRAWS, Metric
from labelwise.pool import Frame

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Where each group stands, worst first.

    Attributes
    ----------
    names : one name a group, in the order of the belief.
    order : positions of the groups that take part, worst first by posterior mean.
    p_worst, p_best : probability that a group is the worst, or the best.
    p_among : probability that a group is among the m worst.
    rank_low, rank_high : ends of the interval of a group's rank; 1 is the worst.
    tied : whether a group is not distinguishable from the first one.
    n_draws : draws behind the probabilities.
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
    n_draws: int
    monte_carlo_error: float

    def frame(self) -> Frame:
        """Return a tidy table, worst group first."""
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
    belief: Belief,
    *,
    m: int = 1,
    level: float = 0.95,
    target: Target = "population",
    n_draws: int = N_DRAWS,
    draws: _Floats | None = None,
    rng: np.random.Generator,
) -> Ranking:
    """Order groups from worst to best by posterior mean, with probabilities of ranks from draws, made unless given.

    Groups without items, and groups that are left out, have no rank.

    A group is tied with the first one if the probability that it is the worse of the two is above (1 - level)/2.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> names = ["cat", "dog", "emu"]
    >>> belief = lw.beliefs.BetaBelief.from_counts(hits=[90, 50, 48], labels=[100, 100, 100], names=names)
    >>> ranking = rank(lw.accuracy, belief, rng=np.random.default_rng(1))
    >>> [ranking.names[g] for g in ranking.order], ranking.tied
    (['emu', 'dog', 'cat'], array([False,  True, False]))
    """
    check_between(level, "level", 0, 1)
    check_count(n_draws, "n_draws")
    names = metric.names(belief)
    sign = 1.0 if metric.worse == "low" else -1.0
    if draws is None:
        draws = metric.draw(belief, n_draws, target=target, rng=rng)
    n_draws = len(draws)
    known = ~np.isnan(draws).all(axis=0)  # a class that never occurs has no recall, and no rank
    there = np.flatnonzero(known & metric.candidates(belief))
    check_count(m, "m", most=len(there))
    mean = metric.mean(belief, target=target)
    value = sign * (np.nanmean(draws[:, there], axis=0) if mean is None else mean[there])
    badness = _untied(sign * np.nan_to_num(draws[:, there], nan=sign * np.inf), rng)
    ranks = np.argsort(np.argsort(badness, axis=1), axis=1).astype(np.int32)  # 0 is the worst
    first = int(np.argmin(value))
    edge = (1 - level) / 2
    low, high = np.quantile(ranks, [edge, 1 - edge], axis=0, method="inverted_cdf").astype(np.int64) + 1

    def spread(values: NDArray[Any], fill: float) -> NDArray[Any]:
        out = np.full(len(names), fill, values.dtype)
        out[there] = values
        return out

    p_worst, p_best = (ranks == 0).mean(axis=0), (ranks == len(there) - 1).mean(axis=0)
    p_among = (ranks < m).mean(axis=0)
    chances = np.concatenate([p_worst, p_among, p_best])
    return Ranking(
        names=names,
        order=there[np.lexsort((np.arange(len(there)), value))],
        m=m,
        p_worst=spread(p_worst, 0),
        p_best=spread(p_best, 0),
        p_among=spread(p_among, 0),
        rank_low=spread(low, 0),
        rank_high=spread(high, 0),
        tied=spread((badness < badness[:, [first]]).mean(axis=0) > edge, False),
        n_draws=n_draws,
        monte_carlo_error=float(np.sqrt((chances * (1 - chances)).max() / n_draws)),
    )


def _untied(draws: _Floats, rng: np.random.Generator) -> _Floats:
    """Break ties at random: draws can be equal when few items of the pool are left, whatever their unit."""
    finite = np.abs(draws[np.isfinite(draws)])
    return draws + rng.uniform(-1e-12, 1e-12, draws.shape) * (finite.max() if finite.size else 1.0)
