"""The whole idea in one small file: active Bayesian assessment with numpy and nothing else.

A classifier has sorted items into groups (its predicted classes). We may look at a few labels, and want to know which
group it gets wrong most often. Each group's accuracy has a Beta belief; one draw from all of them decides which group
to look at next (Thompson sampling); an item of that group, drawn at random, is labelled; the belief learns; and we stop
when the answer is sure enough. labelwise is this, made safe, fast and general. Run it:

    python docs/mini.py
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

# Setting: 6 groups of 1,000 items, whose accuracies nobody knows (the last group is the worst).
ACCURACY = np.array([0.95, 0.9, 0.9, 0.85, 0.8, 0.6])
N_ITEMS = 1_000
SURE = 0.95


class Pool:
    """Items whose labels are hidden until somebody looks."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.hit = rng.uniform(size=(len(ACCURACY), N_ITEMS)) < ACCURACY[:, None]  # whether the prediction is right
        # Each group's items in random order: what makes intervals honest whatever the order of groups.
        self.order = [iter(rng.permutation(N_ITEMS)) for _ in ACCURACY]

    def look(self, group: int) -> bool:
        """Label the next item of a group: a person's work."""
        return bool(self.hit[group, next(self.order[group])])


class Belief:
    """One Beta distribution a group: pseudo-hits and pseudo-misses, one of each to begin with."""

    def __init__(self) -> None:
        self.a, self.b = np.ones(len(ACCURACY)), np.ones(len(ACCURACY))

    def learn(self, group: int, hit: bool) -> None:
        """Count a hit or a miss."""
        self.a[group] += hit
        self.b[group] += not hit

    def draw(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw accuracies of all groups, n times."""
        return rng.beta(self.a, self.b, size=(n, len(self.a)))

    def worst(self, rng: np.random.Generator) -> tuple[int, float]:
        """Name the group that is worst on average, and the probability that it is."""
        named = int(np.argmin(self.a / (self.a + self.b)))
        return named, float((self.draw(4_000, rng).argmin(axis=1) == named).mean())

    def interval(self, group: int, rng: np.random.Generator) -> tuple[float, float]:
        """Return the ends between which the accuracy lies with probability 0.95."""
        low, high = np.quantile(rng.beta(self.a[group], self.b[group], 20_000), [0.025, 0.975])
        return float(low), float(high)


def at_random(belief: Belief, rng: np.random.Generator) -> int:
    """Look anywhere: what most people do."""
    return int(rng.integers(len(belief.a)))


def thompson(belief: Belief, rng: np.random.Generator) -> int:
    """Look at the group that is worst in one draw."""
    return int(belief.draw(1, rng)[0].argmin())


def top_two(belief: Belief, rng: np.random.Generator) -> int:
    """Look at that group or, half of the time, at its challenger: the first other one that is worst in a draw."""
    first = thompson(belief, rng)
    if rng.uniform() < 0.5:
        return first
    for _ in range(100):
        other = thompson(belief, rng)
        if other != first:
            return other
    return first


def assess(policy, seed: int) -> Iterator[tuple[int, int, float, Belief]]:
    """Ask, tell, answer: yields labels spent, the group named worst, how surely, and the belief."""
    rng = np.random.default_rng(seed)
    pool, belief = Pool(rng), Belief()
    for n_labels in range(1, 1_000):
        group = policy(belief, rng)
        belief.learn(group, pool.look(group))
        if n_labels % 5 == 0:
            named, chance = belief.worst(rng)
            yield n_labels, named, chance, belief
            if chance >= SURE:
                return


def main() -> None:
    """Compare three ways to look, then show one assessment."""
    for policy in (at_random, thompson, top_two):
        last = [list(assess(policy, seed))[-1] for seed in range(20)]
        spent, right = np.median([n for n, *_ in last]), np.mean([named == ACCURACY.argmin() for _, named, *_ in last])
        print(f"{policy.__name__:>10}: sure after {spent:.0f} labels, right in {right:.0%} of the runs")
    n_labels, named, chance, belief = list(assess(top_two, seed=1))[-1]
    low, high = belief.interval(named, np.random.default_rng(0))
    print(f"After {n_labels} labels: P(group {named} is the worst) = {chance:.2f}, accuracy in [{low:.2f}, {high:.2f}]")


if __name__ == "__main__":
    main()
