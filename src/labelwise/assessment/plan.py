"""Plan: how many labels each policy will need, before the first label or from here on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labelwise.assessment.forecast import N_WORLDS, Forecast, World, believed, forecast, scored
from labelwise.assessment.queue import Queue
from labelwise.assessment.setup import Setup
from labelwise.beliefs import Belief
from labelwise.beliefs.trail import Trail
from labelwise.policies import Policy
from labelwise.pool import Frame

WHAT_IF = (0.0, 0.05, 0.1)  # how over-confident the scores may be
LIMIT = 20_000  # labels


@dataclass(frozen=True)
class PlanRow:
    """What one policy will need under one assumption.

    Attributes
    ----------
    policy : its name.
    over_confidence : how far accuracy is assumed to lie below the scores; None where the belief is the assumption.
    """

    policy: str
    over_confidence: float | None
    forecast: Forecast


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """How many labels each policy will need.

    Attributes
    ----------
    rows : the first is the policy of the set-up, under the first assumption.
    n_items : items that can be asked.
    assumption : what the numbers rest on.
    """

    rows: tuple[PlanRow, ...]
    n_items: int
    assumption: str

    def frame(self) -> Frame:
        """Return a tidy table, one row per policy and assumption; missing numbers are more than the limit."""
        quantiles = {"labels": 0.5, "low": 0.1, "high": 0.9}
        return Frame(
            {
                "policy": [row.policy for row in self.rows],
                "over_confidence": [row.over_confidence for row in self.rows],
            }
            | {name: [row.forecast.quantile(q) for row in self.rows] for name, q in quantiles.items()}
            | {"limit": [row.forecast.limit for row in self.rows]}
        )

    def sentence(self) -> str:
        """Return in one sentence what the chosen policy will need, and what labelling at random would."""
        first = self.rows[0]
        if first.forecast.median == 0:
            return "The stopping rule is met already; no more labels are needed."
        said = f"With {first.policy}: {first.forecast.sentence()}."
        other = next((r for r in self.rows if r.policy == "random-item" and r is not first), None)
        if other is None or other.over_confidence != first.over_confidence:
            return said
        if other.forecast.median is not None and first.forecast.median:
            times = other.forecast.median / first.forecast.median
            return f"{said} Random items: about {other.forecast.median:,}, {times:.1f} times as many."
        return f"{said} Random items: {other.forecast.sentence()}."

    def __repr__(self) -> str:
        return f"<Plan: {self.sentence()}>"


def plan(
    setup: Setup,
    policies: Sequence[Policy] = (),
    *,
    what_if: Sequence[float] = WHAT_IF,
    n_worlds: int = N_WORLDS,
    limit: int = LIMIT,
    step: Callable[[str], None] | None = None,
) -> Plan:
    """Forecast how many labels each policy will need, before any label.

    Labels are imagined from the confidences: right as often as they say, or that much less often. A pool without
    confidences is imagined from the prior, which knows little.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 1] * 200, confidence=[0.95, 0.6] * 200)
    >>> setup = lw.Setup(lw.by_prediction(pool), lw.Worst(lw.accuracy), seed=1)
    >>> lw.plan(setup, what_if=[0.0]).sentence()
    'With prove: about 58 more labels expected (22 to 122).'
    """
    start = setup.start()
    queue = Queue(setup.groups, seed=setup.seed, items=setup.question.items(setup.groups))
    if setup.pool.confidence is None:
        worlds: list[tuple[float | None, World]] = [(None, believed(start))]
        assumption = "Without confidences, truth is imagined from the prior, in which everything is possible."
    else:
        worlds = [(gap, scored(setup.pool, gap)) for gap in what_if]
        assumption = (
            "Truth is imagined from the confidences: each prediction is right as often as its confidence says, less "
            "the over-confidence. No label has confirmed that yet."
        )
    return _played(setup, start, queue, worlds, policies, Trail.of(start), assumption, n_worlds, limit, step)


def plan_from(
    setup: Setup,
    belief: Belief,
    queue: Queue,
    trail: Trail,
    policies: Sequence[Policy] = (),
    *,
    n_worlds: int = N_WORLDS,
    limit: int = LIMIT,
    step: Callable[[str], None] | None = None,
) -> Plan:
    """Forecast how many more labels each policy will need, from the current belief."""
    n_labels = len(trail.items)
    assumption = f"Truth is imagined from what is believed after {n_labels:,} labels."
    worlds: list[tuple[float | None, World]] = [(None, believed(belief))]
    return _played(setup, belief, queue, worlds, policies, trail, assumption, n_worlds, limit, step)


def _played(
    setup: Setup,
    belief: Belief,
    queue: Queue,
    worlds: Sequence[tuple[float | None, World]],
    policies: Sequence[Policy],
    trail: Trail,
    assumption: str,
    n_worlds: int,
    limit: int,
    step: Callable[[str], None] | None,
) -> Plan:
    rows = []
    chosen = list({p.name: p for p in [setup.policy, *policies]}.values())
    for gap, world in worlds:
        for policy in chosen:
            name = policy.name

            def played(done: int, name: str = name) -> None:
                if step is not None:
                    step(f"{name}: {done:,} labels imagined")

            found = forecast(
                setup, belief, queue, world, policy=policy, trail=trail, n_labels=len(trail.items), n_worlds=n_worlds,
                limit=limit, seed=setup.seed, step=played,
            )  # fmt: skip
            rows.append(PlanRow(name, gap, found))
    return Plan(tuple(rows), int(queue.n_open.sum()), assumption)
