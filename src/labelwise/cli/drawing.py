"""From the words of `labelwise chart` to a chart, of a store or of a labelled pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labelwise.beliefs.belief import TARGETS
from labelwise.checks import check_one_of
from labelwise.cli.opening import opened
from labelwise.cli.pools import Columns, GroupRule, PoolReader, metric_named
from labelwise.ensembles import Ensemble
from labelwise.errors import ArgumentError
from labelwise.groups import BinRule, everything
from labelwise.plots import Chart, kinds_of, plot
from labelwise.pool import Pool
from labelwise.store.opening import is_store, shown_place

_CALIBRATION = ("reliability", "curve", "ece")
_OF_METRIC = ("groups", "ranks", "scatter", "difference")
_BINNED = ("reliability", "ece", "scatter")


@dataclass(frozen=True)
class Wish:
    """What is to be drawn.

    Attributes
    ----------
    kind : of chart; the usual one unless given.
    goal, group, compare, margin, metric, positive, cost, bins, equal : as said, each for the kinds that take it.
    """

    kind: str | None
    goal: float | None = None
    group: str | None = None
    compare: tuple[str, str] | None = None
    margin: float = 0.05
    metric: str | None = None
    positive: str | None = None
    cost: Path | None = None
    bins: int = 15
    equal: BinRule = "width"

    def options(self, kind: str, pool: Pool) -> dict[str, Any]:
        """Return what a kind takes, refusing what was said for another one."""
        takes = {
            "--goal": (self.goal, ("groups",)),
            "--group": (self.group, _CALIBRATION),
            "--compare": (self.compare, ("difference",)),
            "--metric": (self.metric, _OF_METRIC),
        }
        for word, (said, kinds) in takes.items():
            if said is not None and kind not in kinds:
                raise ArgumentError(f"`{word}` goes with a chart of {' or '.join(kinds)}, not of {kind}. Leave it out.")
        found: dict[str, Any] = {"goal": self.goal} if kind == "groups" else {}
        if kind in _CALIBRATION:
            found["group"] = self.group
        if kind in _BINNED:
            found |= {"bins": self.bins, "equal": self.equal}
        if self.compare is not None:
            found |= {"one": self.compare[0], "other": self.compare[1], "margin": self.margin}
        name = "cost" if kind == "cost" and self.cost is not None else self.metric
        if name is not None:
            how: dict[str, Any] = {"positive": self.positive, "bins": self.bins, "equal": self.equal, "cost": self.cost}
            found["metric"] = metric_named(name, pool, **how)
        return found


def is_drawn_store(file: str) -> bool:
    """Return whether this is a store; a file that is not there is taken for one by its name."""
    return is_store(file) or (Path(file).suffix == ".lw" and not Path(file).is_file())


def drawn_store(file: str, name: str | None, wish: Wish, said: Sequence[str]) -> Chart:
    """Draw an assessment; `said` are words about a pool, which a store knows itself."""
    if said:
        raise ArgumentError(
            f"'{shown_place(file)}' is a store, and knows its pool and groups; leave out {', '.join(said)}."
        )
    with opened(file, name) as assessment:
        kinds = list(kinds_of(assessment))
        kind = kinds[0] if wish.kind is None else wish.kind
        check_one_of(kind, "--kind", kinds)
        return plot(assessment, kind, **wish.options(kind, assessment.pool))


def drawn_pool(
    reader: PoolReader, own: Columns, rule: GroupRule, ensemble: Ensemble | None, wish: Wish, how: dict[str, Any]
) -> Chart:
    """Draw a pool whose labels are known; calibration of all items together unless groups are named."""
    check_one_of(how["target"], "--target", TARGETS)
    kind = wish.kind or ("groups" if ensemble is None else "uncertainty")
    if kind == "uncertainty" and ensemble is None:
        raise ArgumentError("A chart of uncertainty needs an ensemble; name its --member or --member-scores.")
    pool = reader.read(own) if ensemble is None else ensemble.pool
    is_whole = kind in _CALIBRATION and not rule.by and rule.map is None and wish.group is None and rule.min_items == 1
    groups = everything(pool) if is_whole else rule.of(pool, ensemble)
    if kind == "uncertainty" and ensemble is not None:
        return plot(ensemble, kind, groups=groups)
    kinds = [*kinds_of(groups), *(["uncertainty"] if ensemble is not None else [])]
    check_one_of(kind, "--kind", kinds)
    return plot(groups, kind, **wish.options(kind, pool), **how)
