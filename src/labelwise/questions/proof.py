"""What labels prove: a claim, and the probability with which a stop at it may be wrong, whatever the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from labelwise.metrics.evidence import Evidence

_APART = 1e-9  # groups of one value are in no wrong order
_SURE = 1e-6  # a smaller error is not told apart
_BISECTIONS = 12
_NAMED_PART = {True: 0.1, False: 0.2}  # of the error: for bounds on the named groups, if one or several are named


@dataclass(frozen=True)
class Proof:
    """The strongest claim that labels support without any prior.

    Attributes
    ----------
    claim : in words.
    error : the smallest error probability with which one may stop at the claim: stopping as soon as it is at most
        alpha is wrong with probability at most alpha, whatever the truth and however often one looks.
    """

    claim: str
    error: float


def proof_of_set(evidence: Evidence, named: Sequence[int], others: Sequence[int], *, low: bool, within: float) -> float:
    """Return the smallest error with which all named groups are lower (or higher) than all others, up to a tolerance.

    Two ways are taken together, each with a part of the error; every pair of a named group and another may go either
    way.

    *Bounds*: the named group's bound excludes the other's. Which groups are named depends on the labels, so that bounds
    on the named share their part of the error among all groups; bounds on the others need not, for a wrong answer
    leaves one of the true m groups out, and there are only m of these.

    *Pairs*: the evidence of both groups, added up at every value that the two could share; the error is divided among
    all pairs that could be in wrong order.
    """
    if not len(others) or not len(named):
        return 0.0
    one, two = np.asarray(named), np.asarray(others)
    m, n_groups = len(one), len(one) + len(two)
    part, by_pairs = _NAMED_PART[m == 1], _pairs_part(n_groups)
    pairs = np.stack([evidence.in_wrong_order(g, two, low=low, tolerance=max(within, _APART)) for g in named])
    pairs -= log(m * len(two) / by_pairs)

    def is_proven(log_error: float) -> bool:
        of_named = evidence.bounds(log(n_groups / (part * (1 - by_pairs))) - log_error)
        of_others = evidence.bounds(log(m / ((1 - part) * (1 - by_pairs))) - log_error)
        if low:
            is_apart = of_named[1][one, None] <= of_others[0][two] + within
        else:
            is_apart = of_named[0][one, None] >= of_others[1][two] - within
        return bool((is_apart | (pairs >= -log_error)).all())

    return least_error(is_proven)


def _pairs_part(n_groups: int) -> float:
    """Return the part of the error for pairs: there are too many of them among many groups."""
    return min(0.8, 3 / (n_groups + 1))


def least_error(is_proven: Callable[[float], bool]) -> float:
    """Return the smallest error, to a few percent, at which a claim is proven; 1 if at none."""
    if not is_proven(0.0):
        return 1.0
    low, high = log(_SURE), 0.0
    if is_proven(low):
        return _SURE
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_proven(middle) else (middle, high)
    return exp(high)


def error_of(log_evidence: float, times: float = 1.0) -> float:
    """Return the error with which a hypothesis is refuted that is tested in so many ways."""
    return min(1.0, times * exp(-min(max(log_evidence, 0.0), 700.0)))


def strongest_claim(refuted: Callable[..., float], what: tuple[str, str], margin: float) -> Proof:
    """Return the claim about a difference that has the smallest error: lower, higher, or equal within a margin.

    Lower and higher mean by any amount, so that every truth supports a claim: a difference that is near the margin need
    not be told from the margin. A false claim always takes the refutation of the true difference in one direction; only
    where both are equal can it go wrong in both, so that lower and higher are tested at half of the error.

    Parameters
    ----------
    refuted : `refuted(c, at_most=...)` is the evidence against the difference being at most, or at least, c.
    what : the two that are compared, in words.
    """
    one, other = what
    claims = [
        (error_of(refuted(0.0, at_most=False), 2), f"{one} is lower than {other}"),
        (error_of(refuted(0.0, at_most=True), 2), f"{one} is higher than {other}"),
    ]
    if margin > 0:
        edges = refuted(-margin, at_most=True), refuted(margin, at_most=False)
        claims.append((error_of(min(edges)), f"{one} is within {margin:g} of {other}"))
    error, claim = min(claims)
    return Proof(claim, error)
