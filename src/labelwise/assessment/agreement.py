"""How far labellers agree on the items that two of them labelled, whatever was settled afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment.assessment import Assessment
from labelwise.assessment.second_opinions import SecondOpinions
from labelwise.beliefs import beta_interval
from labelwise.checks import check_between
from labelwise.metrics import cohen_kappa, fleiss_kappa, kappa_interval
from labelwise.pool import Frame

KAPPAS = {"cohen": "Cohen's kappa", "fleiss": "Fleiss' kappa"}
_NOTHING_TWICE = "nobody labelled an item twice"
_ONE_CLASS = "only one class was ever said, so chance alone makes labellers agree and kappa is not defined"
_Table = NDArray[np.int64]
_Said = tuple[str, int, str, int]  # who said which class first, and who said which second


@dataclass(frozen=True)
class Estimated:
    """A number with its interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class PairAgreement:
    """How far two labellers agree.

    Attributes
    ----------
    one, other : their names, in order of the alphabet.
    n_items, n_agree : items that both labelled, and those of which they said the same.
    kappa : Cohen's; None where chance alone makes them agree.
    """

    one: str
    other: str
    n_items: int
    n_agree: int
    kappa: float | None


@dataclass(frozen=True)
class Agreement:
    """How far labellers agree, on items drawn at random among the labelled ones.

    Attributes
    ----------
    n_items, n_agree : items that two people labelled, and those of which they said the same.
    level : probability of the intervals.
    share : of such items that labellers agree on, by a Beta posterior with a flat prior; None without any.
    kappa : agreement beyond chance, as computed from the items, with its interval; None if it is not defined.
    kind : "cohen" if the same two people form all pairs, else "fleiss".
    reason : why there is no kappa, or no number at all; empty if there is.
    pairs : one entry per pair of labellers, those with most items first.

    Examples
    --------
    >>> share, kappa = Estimated(0.857, 0.541, 0.996), Estimated(1.0, 0.42, 1.0)
    >>> Agreement(5, 5, 0.95, share, kappa, "cohen", "", (PairAgreement("ann", "bob", 5, 5, 1.0),)).sentence()
    "labellers agree on 5 of 5 items labelled twice: share 0.857 [0.541, 0.996], Cohen's kappa 1.000 [0.420, 1.000]"
    """

    n_items: int
    n_agree: int
    level: float
    share: Estimated | None
    kappa: Estimated | None
    kind: Literal["cohen", "fleiss"] | None
    reason: str
    pairs: tuple[PairAgreement, ...]

    def sentence(self) -> str:
        """Return the agreement in one sentence."""
        if self.share is None:
            return _NOTHING_TWICE
        said = (
            f"labellers agree on {self.n_agree:,} of {self.n_items:,} items labelled twice: share {_words(self.share)}"
        )
        if self.kappa is None or self.kind is None:
            return f"{said}; {self.reason}"
        return f"{said}, {KAPPAS[self.kind]} {_words(self.kappa)}"

    def frame(self) -> Frame:
        """Return one row per pair of labellers."""
        names = ("one", "other", "n_items", "n_agree", "kappa")
        return Frame({name: [getattr(pair, name) for pair in self.pairs] for name in names})


def agreement_of(assessment: Assessment, *, level: float | None = None) -> Agreement:
    """Compute how far labellers agree where second opinions were given.

    What people said is compared, not what was settled later. Cohen's kappa is given when the same two people form all
    pairs, Fleiss' when labellers change.

    Parameters
    ----------
    level : probability of the intervals; the assessment's unless given.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=7)
    >>> assessment.want_second_opinions(1.0)
    >>> for ticket in assessment.ask(20, labeller="ann"):
    ...     assessment.tell(ticket, "cat" if ticket.item["id"] < 30 else "dog")
    >>> for ticket in assessment.ask(20, labeller="bob"):
    ...     assessment.tell(ticket, "cat" if ticket.item["id"] < 35 else "dog")
    >>> agreement_of(assessment).sentence().split(":")[0]
    'labellers agree on 19 of 20 items labelled twice'
    """
    level = assessment.setup.level if level is None else level
    check_between(level, "level", 0, 1)
    assessment.refresh()
    said = _said(assessment.ledger.seconds)
    if not said:
        return Agreement(0, 0, level, None, None, None, _NOTHING_TWICE, ())
    rng = np.random.default_rng([assessment.setup.seed, assessment.ledger.n_events, 9])
    n_items, n_agree = len(said), sum(one == other for _, one, _, other in said)
    low, high = beta_interval(np.array([1.0 + n_agree]), np.array([1.0 + n_items - n_agree]), level)
    share = Estimated((1 + n_agree) / (2 + n_items), float(low[0]), float(high[0]))
    pairs = _pairs(said)
    is_ordered = len(pairs) == 1
    table = _table(said)
    kappa = cohen_kappa(table) if is_ordered else fleiss_kappa(_counts(said))
    found = Agreement(
        n_items, n_agree, level, share, None, "cohen" if is_ordered else "fleiss", _ONE_CLASS, tuple(pairs)
    )
    if np.isnan(kappa):
        return replace(found, kind=None)
    ends = kappa_interval(table, is_ordered=is_ordered, level=level, rng=rng)
    return replace(found, kappa=Estimated(kappa, *ends), reason="")


def _said(seconds: SecondOpinions) -> list[_Said]:
    """Return what two people said of each item, the one who comes first in the alphabet first."""
    found = []
    for item in seconds.by_item:
        first, second = seconds.first.get(item), seconds.second(item)
        if first is not None and second is not None:
            one, other = sorted([(first.labeller, first.label), (second.labeller, second.label)])
            found.append((*one, *other))
    return found


def _table(said: Sequence[_Said]) -> _Table:
    """Count items by what the one said (row) and the other (column), of the classes that were said."""
    labels = np.array([(one, other) for _, one, _, other in said])
    classes, places = np.unique(labels, return_inverse=True)
    table = np.zeros((len(classes), len(classes)), np.int64)
    np.add.at(table, tuple(places.reshape(labels.shape).T), 1)
    return table


def _counts(said: Sequence[_Said]) -> _Table:
    """Count how often each item (row) was given each class (column) that was said."""
    labels = np.array([(one, other) for _, one, _, other in said])
    classes, places = np.unique(labels, return_inverse=True)
    counts = np.zeros((len(said), len(classes)), np.int64)
    np.add.at(counts, (np.arange(len(said))[:, None], places.reshape(labels.shape)), 1)
    return counts


def _pairs(said: Sequence[_Said]) -> list[PairAgreement]:
    by_pair = defaultdict(list)
    for entry in said:
        by_pair[entry[0], entry[2]].append(entry)
    found = []
    for (one, other), entries in by_pair.items():
        kappa = cohen_kappa(_table(entries))
        n_agree = sum(first == second for _, first, _, second in entries)
        found.append(PairAgreement(one, other, len(entries), n_agree, None if np.isnan(kappa) else kappa))
    return sorted(found, key=lambda pair: (-pair.n_items, pair.one, pair.other))


def _words(value: Estimated) -> str:
    return f"{value.mean:.3f} [{value.low:.3f}, {value.high:.3f}]"
