"""Stops: how often they are wrong at fixed truths, and the labels that a proof takes beside what is believed.

*Truths* are synthetic groups with an exact tie, a near tie or a wide gap, looked at after every label, under a flat
prior and under one that is wrong on purpose. *Pools* are the shared ones with the default set-up, looked at every tenth
label: labels and wrong stops of the posterior probability 0.95 and of the proof with error 0.05. A run that does not
stop counts as right; labels are medians, the whole pool where a run does not stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from benchmarks.labels.pools import SCORED, pool
from benchmarks.labels.rows import row
from labelwise.assessment import Assessment, Guaranteed
from labelwise.beliefs import CustomPrior, FlatPrior, Prior, Target
from labelwise.groups import Grouping, by_column, everything
from labelwise.pool import Pool, pool_from_arrays
from labelwise.questions import Answer, Compare, Question, Versus, Worst

_ERROR, _EVERY, _DRAWS = 0.05, 10, 1_000
_GOAL = 1.5  # times the labels of the believed stop
_WRONG = CustomPrior(9.0, 1.0)  # expects nine hits of ten
_SIZE = 100  # items per group of a synthetic pool


@dataclass(frozen=True)
class Truth:
    """Groups with given accuracies, or two classifiers of which the first is right so much more often."""

    name: str
    question: Question
    accuracies: tuple[float, ...]

    def pool(self) -> Pool:
        """Return the pool; in versus, the only accuracy is the share of differing items on which the first is right."""
        hits = np.concatenate([np.arange(_SIZE) < round(a * _SIZE) for a in self.accuracies])
        names = np.repeat([f"g{g}" for g in range(len(self.accuracies))], _SIZE)
        return pool_from_arrays(
            predicted=[0] * len(hits), labels=np.where(hits, 0, 1), classes=[0, 1],
            columns={"group": names, "rival": np.ones(len(hits), int)},
        )  # fmt: skip

    def is_right(self, claim: str) -> bool:
        """Return whether a claim is true."""
        a = np.array(self.accuracies)
        if isinstance(self.question, Worst):
            named = [int(name[1:]) for name in claim.partition(" ")[0].split(",") if name]
            return bool(a[named].max() <= np.delete(a, named).min() + self.question.within + 1e-9)
        lead = a[0] - a[1] if len(a) > 1 else 2 * a[0] - 1
        if "within" in claim:
            return bool(abs(lead) <= self.question.margin + 1e-9)
        return bool(lead < -1e-9) if "lower" in claim else bool(lead > 1e-9)


TRUTHS = [
    Truth("2 groups, exact tie", Worst(), (0.8, 0.8)),
    Truth("2 groups, .02 apart", Worst(), (0.8, 0.78)),
    Truth("10 groups, exact tie of two", Worst(), (0.6, 0.6, *[0.9] * 8)),
    Truth("10 groups, .02 apart", Worst(), (0.62, 0.6, *[0.9] * 8)),
    Truth("10 groups, .2 apart", Worst(), (0.8, 0.6, *[0.9] * 8)),
    Truth("compare, equal", Compare("g0", "g1"), (0.8, 0.8)),
    Truth("compare, .05 apart", Compare("g0", "g1"), (0.8, 0.75)),
    Truth("compare, .2 apart", Compare("g0", "g1"), (0.8, 0.6)),
    Truth("versus, tie", Versus("rival"), (0.5,)),
    Truth("versus, .1 apart", Versus("rival"), (0.55,)),
]


def run(n_runs: int) -> None:
    """Print both tables."""
    row("wrong stops, looked at after every label", "upper 95 % bound", "stopped, median labels", "at most")
    for truth in TRUTHS:
        for target in ("pool", "population"):
            for name, prior in (("flat", FlatPrior()), ("wrong prior", _WRONG)):
                if not (isinstance(truth.question, Versus) and prior is _WRONG):
                    _truth(truth, target, name, prior, n_runs)
    row("labels to the stop, default set-up", "believed (wrong)", "proven (wrong)", "goal, times")
    for name in SCORED:
        for m in (1, 3):
            _pool(name, Worst(m=m), max(5, n_runs // 50))


def _truth(truth: Truth, target: Target, prior_name: str, prior: Prior, n_runs: int) -> None:
    made = truth.pool()
    groups = everything(made) if isinstance(truth.question, Versus) else by_column(made, "group")
    stops = [next(_looks(groups, truth.question, seed, 1, prior=prior, target=target)) for seed in range(n_runs)]
    found = [(n, claim) for n, claim in stops if claim is not None]
    n_wrong = sum(not truth.is_right(claim) for _, claim in found)
    upper = float(betaincinv(n_wrong + 1, n_runs - n_wrong, 0.95)) if n_wrong < n_runs else 1.0
    labels = f"{np.median([n for n, _ in found]):,.0f}" if found else "-"
    what = f"{truth.name}, {target}, {prior_name}"
    row(
        what,
        f"{n_wrong}/{n_runs}: {upper:.3f}",
        f"{len(found) / n_runs:.2f}, {labels}",
        f"{_ERROR}",
        n_wrong <= _ERROR * n_runs,
    )


def _looks(
    groups: Grouping, question: Question, seed: int, every: int, *, prior: Prior, target: Target
) -> Iterator[tuple[int, str | None]]:
    """Yield after how many labels the proof holds, and its claim; the pool's size and None if it never does."""
    for n, _, result in _asked(groups, question, seed, every, prior=prior, target=target):
        proof = result.proof
        if proof is not None and proof.error <= _ERROR:
            yield n, proof.claim
            return
    yield groups.pool.n_items, None


def _asked(
    groups: Grouping | None, question: Question, seed: int, every: int, *, of: Pool | None = None, **options: object
) -> Iterator[tuple[int, Assessment, Answer]]:
    """Ask and tell one label at a time, and yield the answer at every look."""
    made = groups.pool if groups is not None else of
    assert made is not None  # one of the two is given
    labels = made.known_labels("a benchmark")
    assessment = Assessment(made, groups, question=question, seed=seed, stop=Guaranteed(), clock=lambda: 0.0, **options)
    n = 0
    while tickets := assessment.ask():
        for ticket in tickets:
            item = assessment.ledger.slip(ticket.number).item
            assessment.tell(ticket, made.classes[labels[item]])
            n += 1
        if n % every == 0:
            yield n, assessment, assessment.answer(n_draws=_DRAWS if every > 1 else 50).answer


def _pool(name: str, question: Worst, n_runs: int) -> None:
    made = pool(name)
    believed, proven = [], []
    for seed in range(n_runs):
        first: tuple[int, bool] | None = None
        last = (made.n_items, False)
        for n, assessment, answer in _asked(None, question, seed, _EVERY, of=made):
            groups = assessment.groups
            hit = made.hits
            true = np.array([hit[groups.of_item == g].mean() if k else 9.0 for g, k in enumerate(groups.n_items)])
            named = [groups.index(group) for group in answer.named]
            is_wrong = bool(true[named].max() > np.delete(true, named).min() + 1e-9)
            if first is None and (answer.probability or 0) >= 1 - _ERROR:
                first = n, is_wrong
            if answer.proof is not None and answer.proof.error <= _ERROR:
                last = n, is_wrong
                break
        believed.append(first or last)
        proven.append(last)
    one, other = (np.median([n for n, _ in stops]) for stops in (believed, proven))
    wrong = [sum(is_wrong for _, is_wrong in stops) for stops in (believed, proven)]
    said = [f"{n:,.0f} ({k}/{n_runs})" for n, k in zip((one, other), wrong, strict=True)]
    row(f"{name}, worst {question.m}", said[0], said[1], f"{_GOAL}", bool(other <= _GOAL * one and not wrong[1]))
