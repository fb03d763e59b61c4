"""From the words of the command line to pools, groupings, metrics and priors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from labelwise.beliefs import PRIORS, CustomPrior, FlatPrior, Prior
from labelwise.checks import check_one_of
from labelwise.cli.member_options import METRICS_OF_ONE
from labelwise.cli.tables import class_map, class_names, cost_matrix, prior_numbers
from labelwise.ensembles import Ensemble, by_disagreement
from labelwise.errors import ArgumentError, NotFoundError
from labelwise.groups import (
    BinRule,
    Grouping,
    by_column,
    by_map,
    by_prediction,
    by_score,
    crossed,
    everything,
    pooled,
    without_small,
)
from labelwise.groups.by_score import BINS
from labelwise.metrics import METRICS, ConfusionFunction, Metric, MetricOptions
from labelwise.pool import Pool, read_pool

_RULES = ("prediction", "score", "nothing", "disagreement")


@dataclass(frozen=True)
class Columns:
    """Where one classifier's output stands in a file."""

    scores: str | None = None
    predicted: str | None = None
    confidence: str | None = None


@dataclass(frozen=True)
class PoolReader:
    """Reads pools that share everything but the classifier's columns."""

    file: Path
    format: str | None
    label: str | None
    id: str | None
    classes: str | None
    logits: bool
    normalise: bool
    progress: Callable[[int, int | None], None]
    columns: Sequence[str] | None = None
    content: Sequence[str] = ()

    def read(self, columns: Columns, file: Path | None = None) -> Pool:
        """Read one classifier's pool."""
        scores = columns.scores
        return read_pool(
            file or self.file,
            id=self.id,
            scores=scores.split(",") if scores is not None and "," in scores else scores,
            predicted=columns.predicted,
            confidence=columns.confidence,
            label=self.label,
            classes=class_names(self.classes),
            logits=self.logits,
            normalise=self.normalise,
            columns=self.columns,
            content=self.content,
            format=self.format,
            progress=self.progress,
        )

    def ensemble(self, own: Columns, files: Sequence[Path], scores: Sequence[str]) -> Ensemble | None:
        """Read all members of an ensemble; None if there is only one classifier."""
        if not files and not scores:
            return None
        members = [self.read(own), *(self.read(own, file) for file in files)]
        return Ensemble(members + [self.read(Columns(scores=columns)) for columns in scores])


@dataclass(frozen=True)
class GroupRule:
    """How to group a pool, as said on the command line; the same words group a former pool the same way."""

    by: tuple[str, ...]
    map: str | None
    bins: int
    equal: BinRule
    min_items: int = 1
    pool_rare: bool = False

    def __post_init__(self) -> None:
        if self.pool_rare and self.min_items == 1:
            raise ArgumentError("`--pool-rare` pools the groups below `--min-items`; give that too.")

    @property
    def columns(self) -> list[str]:
        """The columns of the pool that the grouping needs."""
        return [name.removeprefix("column:") for name in self.by if name not in _RULES]

    def of(self, pool: Pool, ensemble: Ensemble | None = None) -> Grouping:
        """Group a pool; by prediction if nothing was said. Small groups are left out or pooled if that was said."""
        return self.without_small(self.every(pool, ensemble))

    def without_small(self, groups: Grouping) -> Grouping:
        """Leave small groups out or pool them, if that was said."""
        if self.min_items == 1:
            return groups
        return pooled(groups, self.min_items) if self.pool_rare else without_small(groups, self.min_items)

    def of_former(self, pool: Pool) -> Grouping:
        """Group a former pool, small groups too: what it taught is matched by the names of groups."""
        if self.pool_rare:
            raise ArgumentError("`--pool-rare` pools other groups in another file; leave it or `--prior-from` out.")
        return self.every(pool)

    def every(self, pool: Pool, ensemble: Ensemble | None = None) -> Grouping:
        """Group a pool into all groups, small ones too."""
        parts = [self._one(name, pool, ensemble) for name in self.by]
        if self.map is not None:
            parts.append(by_map(pool, class_map(self.map, pool)))
        if not parts:
            return by_prediction(pool)
        return parts[0] if len(parts) == 1 else crossed(*parts)

    def _one(self, name: str, pool: Pool, ensemble: Ensemble | None) -> Grouping:
        if name == "prediction":
            return by_prediction(pool)
        if name == "score":
            return by_score(pool, self.bins, equal=self.equal)
        if name == "nothing":
            return everything(pool)
        if name == "disagreement":
            if ensemble is None:
                raise ArgumentError("`--by disagreement` needs an ensemble; name its --member or --member-scores.")
            return by_disagreement(ensemble, self.bins)
        return by_column(pool, name.removeprefix("column:"))


def metric_named(
    name: str,
    pool: Pool,
    *,
    positive: str | None = None,
    bins: int = BINS,
    equal: BinRule = "width",
    cost: Path | None = None,
    rival: str | None = None,
    names: Sequence[str] | None = None,
) -> Metric:
    """Return the metric of that name, with its options; `names` are those allowed, by default all of one classifier."""
    if ":" in name:
        return ConfusionFunction(function=_imported(name))
    check_one_of(name, "--metric", METRICS_OF_ONE if names is None else names)
    options = MetricOptions(
        None if positive is None else pool.classes[pool.class_index(positive)],
        bins,
        equal,
        None if cost is None else cost_matrix(cost, pool),
        rival,
    )
    return METRICS[name].from_options(options)


def prior_named(name: str | None, strength: float | None, *, has_former: bool) -> Prior | None:
    """Return the prior that was named; None if none was, and the default holds."""
    if has_former and (name is not None or strength is not None):
        raise ArgumentError("Give either `--prior-from` or `--prior` with `--strength`, not both.")
    if name is None and strength is None:
        return None
    kind: Any = PRIORS.get(name or FlatPrior.name)
    if strength is None:
        return CustomPrior(*prior_numbers(str(name))) if kind is None else kind()
    if kind is None or not _has_strength(kind):
        names = " or ".join(name for name, other in PRIORS.items() if _has_strength(other))
        raise ArgumentError(f"`--strength` is for `--prior {names}`, not for {name!r}; leave it out.")
    return cast(Prior, kind(strength=strength))


def _has_strength(kind: Any) -> bool:
    return any(field.name == "strength" for field in fields(kind))


def _imported(name: str) -> Any:
    module, _, function = name.partition(":")
    sys.path.insert(0, "")  # a module in the current folder counts, as for `python -m`
    try:
        return getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise NotFoundError(f"There is no function {function!r} in a module {module!r}: {error}.") from None
    finally:
        sys.path.remove("")
