"""How many more labels until the stopping rule is met: simulated, from what is believed or from the scores.

Imagined worlds play the rest of the assessment: in each the truth is one draw, the policy asks, the labels are drawn
from that truth, the belief learns, and the rule is judged now and then. The labels that each world needed are the
forecast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.proving import proven
from labelwise.assessment.queue import Queue
from labelwise.assessment.setup import Setup
from labelwise.assessment.stopping import best_gain
from labelwise.beliefs import Belief
from labelwise.beliefs.trail import Trail
from labelwise.checks import check_count, check_within
from labelwise.policies import Policy
from labelwise.pool import Pool

_Items = NDArray[np.int64]
Truth = Callable[[_Items], _Items]
"""From items to their labels, as they are in one imagined world."""
World = Callable[[np.random.Generator], Truth]
"""Draws one imagined world."""

N_WORLDS = 12
LIMIT = 3_000  # labels; beyond that a forecast says "more than"
_GROWTH = 0.2  # the rule is judged each time that the labels have grown by this part
_N_DRAWS = 200  # of the belief, each time that the rule is judged
_CHOICES = 16  # of the policy, each time that labels are asked
_ENOUGH = 0.9  # once so many worlds have met the rule, the others need not be played to their end


@dataclass(frozen=True, eq=False, repr=False)
class Forecast:
    """The labels that are still needed, one entry per imagined world.

    Attributes
    ----------
    n_more : labels until the rule was met, in order; -1 at the end for worlds in which it was not.
    limit : labels after which a world was given up.
    is_pool_spent : whether that was because the pool had no more to give.
    """

    n_more: NDArray[np.int64]
    limit: int
    is_pool_spent: bool = False

    @property
    def median(self) -> int | None:
        """The middle world's labels; None if that world did not meet the rule."""
        return self.quantile(0.5)

    def quantile(self, q: float) -> int | None:
        """Return the labels that suffice with probability q; None if they are more than the limit."""
        found = int(self.n_more[min(ceil(q * len(self.n_more)), len(self.n_more)) - 1])
        return None if found < 0 else found

    def sentence(self) -> str:
        """Return in one sentence what to expect.

        Examples
        --------
        >>> Forecast(np.array([90, 120, 140, 300, -1]), 5_000).sentence()
        'about 140 more labels expected (90 to more than 5,000)'
        """
        if self.median is None:
            if self.is_pool_spent:
                return f"not expected within the {self.limit:,} items that can still be asked"
            return f"more than {self.limit:,} more labels expected"
        low, high = self.quantile(0.1), self.quantile(0.9)
        upper = f"{high:,}" if high is not None else f"more than {self.limit:,}"
        return f"about {self.median:,} more labels expected ({low:,} to {upper})"


def believed(belief: Belief) -> World:
    """Imagine worlds as likely as the belief holds them."""

    def world(rng: np.random.Generator) -> Truth:
        draw = belief.draw(1, rng=rng)[0]
        return lambda items: belief.imagine(draw, items, rng=rng)

    return world


def scored(pool: Pool, over_confidence: float = 0.0) -> World:
    """Imagine worlds in which a prediction is right as often as its confidence says, less the over-confidence.

    A miss has the next likeliest class of its scores by chance, or any other class where scores are not known.
    """
    check_within(over_confidence, "over_confidence", -1, 1)
    confidence = pool.known_confidence("a plan from scores")

    def world(rng: np.random.Generator) -> Truth:
        def truth(items: _Items) -> _Items:
            prediction = pool.prediction[items].astype(np.int64)
            chance = np.clip(confidence[items] - over_confidence, 0.0, 1.0)
            return np.where(rng.uniform(size=len(items)) < chance, prediction, _misses(pool, items, rng))

        return truth

    return world


def _misses(pool: Pool, items: _Items, rng: np.random.Generator) -> _Items:
    """Draw a class other than the predicted one, by the scores where they are known."""
    prediction = pool.prediction[items].astype(np.int64)
    if pool.scores is None:
        return (prediction + rng.integers(1, pool.n_classes, len(items))) % pool.n_classes
    rest = np.array(pool.scores[items], float) + 1e-12
    rest[np.arange(len(items)), prediction] = 0.0
    edges = rest.cumsum(axis=1)
    cut = rng.uniform(size=(len(items), 1)) * edges[:, -1:]
    return np.minimum((cut >= edges).sum(axis=1), pool.n_classes - 1)


def forecast(
    setup: Setup,
    belief: Belief,
    queue: Queue,
    world: World,
    *,
    policy: Policy | None = None,
    trail: Trail | None = None,
    n_labels: int = 0,
    n_worlds: int = N_WORLDS,
    limit: int = LIMIT,
    seed: int,
    step: Callable[[int], None] | None = None,
) -> Forecast:
    """Play the rest of an assessment in imagined worlds, and count the labels until the rule is met.

    Parameters
    ----------
    belief, queue, n_labels : where the assessment stands; none of them changes.
    world : what the truth may be.
    policy : how groups are chosen from here; that of the set-up unless given.
    trail : the labels so far, for rules that ask what labels prove; none unless given.
    limit : labels after which a world is given up.
    step : called with the labels played so far, for a progress display.
    """
    check_count(n_worlds, "n_worlds")
    check_count(limit, "limit")
    n_open = int(np.where(setup.question.asked(setup.groups), queue.n_open, 0).sum())
    most = min(limit, n_open)
    least = ceil(_GROWTH * setup.groups.n_groups)  # a label in a few of the groups moves no answer about all of them
    rngs = [np.random.default_rng([seed, number]) for number in range(n_worlds)]
    trail = Trail.of(setup.start()) if trail is None else trail
    runs = [_Run(setup, policy or setup.policy, belief, trail, queue.copy(), world(rng), rng, n_labels) for rng in rngs]
    done = 0
    n_more = np.full(n_worlds, -1, np.int64)
    while True:
        for number, run in enumerate(runs):
            if n_more[number] < 0 and run.is_met():
                n_more[number] = done
        if done >= most or (n_more >= 0).mean() >= _ENOUGH:
            break
        more = min(max(ceil(_GROWTH * (n_labels + done)), least), most - done)
        for number, run in enumerate(runs):
            if n_more[number] < 0:
                run.label(more)
        done += more
        if step is not None:
            step(done)
    is_known = n_more >= 0
    ordered = np.concatenate([np.sort(n_more[is_known]), n_more[~is_known]])
    return Forecast(ordered, most if done >= most else done, is_pool_spent=n_open <= limit)


class _Run:
    """One imagined world being played."""

    def __init__(
        self,
        setup: Setup,
        policy: Policy,
        belief: Belief,
        trail: Trail,
        queue: Queue,
        truth: Truth,
        rng: np.random.Generator,
        n_labels: int,
    ) -> None:
        self._setup, self._policy, self._belief, self._trail, self._queue = setup, policy, belief, trail, queue
        self._truth, self._rng, self._n_labels = truth, rng, n_labels
        self._asked = setup.question.asked(setup.groups)

    def label(self, n: int) -> None:
        """Draw n labels, and update the belief with them.

        Of many labels some share a choice; each choice knows the labels of those before, as in an assessment, and the
        map that groups share is fitted anew at the end.
        """
        items: list[int] = []
        labels: list[int] = []
        together = ceil(n / _CHOICES)
        belief = self._belief
        while len(items) < n:
            n_open = np.where(self._asked, self._queue.n_open, 0)
            chosen = self._policy.choose(belief, self._setup.question, n_open, target=self._setup.target, rng=self._rng)
            if not chosen:
                break
            asked: list[int] = []
            for group in chosen:
                for _ in range(min(together, int(n_open[group]), n - len(items) - len(asked))):
                    asked.append(self._queue.peek(group))
                    self._queue.take(asked[-1])
            told = self._truth(np.array(asked, np.int64))
            belief = belief.update(asked, told).with_maps_of(self._belief)
            items += asked
            labels += told.tolist()
        if items:
            self._belief = self._belief.update(items, labels)
            if self._setup.stop.needs_proof:
                self._trail = self._trail.extended(items, labels)
            self._n_labels += len(items)

    def is_met(self) -> bool:
        """Return whether the stopping rule is met."""
        question, how = self._setup.question, self._setup
        answer = question.answer(self._belief, level=how.level, target=how.target, n_draws=_N_DRAWS, rng=self._rng)
        if how.stop.needs_proof:
            answer = proven(answer, question, self._trail, level=how.level, target=how.target)
        best = best_gain(question, self._belief, np.where(self._asked, self._queue.n_open, 0), how.target)
        return how.stop.judge(answer, self._n_labels, best).is_met
