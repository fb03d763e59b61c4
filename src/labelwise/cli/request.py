"""A question about a pool as said on the command line: the words that `new` and `plan` share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, get_type_hints

from labelwise.cli import options

_READING = (
    "scores", "predicted", "confidence", "id", "classes", "logits", "normalise", "format", "content", "show", "by",
    "rival", "against",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Request:
    """Every word that says what is assessed, how, and until when."""

    scores: options.Scores = None
    predicted: options.Predicted = None
    confidence: options.Confidence = None
    id: options.Id = None
    classes: options.Classes = None
    logits: options.Logits = False
    normalise: options.Normalise = False
    format: options.Format = None
    content: options.Content = None
    show: options.Show = None
    by: options.By = None
    map: options.Map = None
    question: options.QuestionName = "worst"
    metric: options.MetricName = "accuracy"
    top: options.Top = 1
    compare: options.ComparePair = None
    margin: options.Margin = None
    rival: options.Rival = None
    against: options.Against = None
    positive: options.Positive = None
    bins: options.BinsOf = None
    equal_mass: options.EqualMass = False
    cost: options.Cost = None
    policy: options.PolicyName = None
    prior: options.PriorName = None
    strength: options.Strength = None
    prior_from: options.PriorFrom = None
    discount: options.Discount = 1.0
    sure: options.SureAt = None
    width: options.WidthAt = None
    mean_width: options.MeanWidth = None
    overall_width: options.OverallWidth = None
    budget: options.BudgetOf = None
    price: options.PriceOf = None
    stop_at_all: options.StopAtAll = False
    target: options.TargetName = "population"
    level: options.Level = 0.95
    seed: options.FreshSeed = None
    lease: options.Lease = 10.0
    show_prediction: options.ShowPrediction = False

    def said(self) -> list[str]:
        """Name the options that were given."""
        return [f"--{f.name.replace('_', '-')}" for f in fields(self) if getattr(self, f.name) != f.default]

    def origin(self, file: Path) -> dict[str, Any]:
        """Give how the pool was read, so that it can be read again just so."""
        said = {name: getattr(self, name) for name in _READING}
        return {"file": str(file)} | {k: str(v) if isinstance(v, Path) else v for k, v in said.items() if v}

    def words(self) -> list[str]:
        """Give the options that were given, each with its value, as they can be typed again.

        Examples
        --------
        >>> Request(scores="s*", top=3, show=["text", "date"], logits=True).words()
        ['--scores', 's*', '--logits', '--show', 'text', '--show', 'date', '--top', '3']
        """
        found = []
        for f in fields(self):
            value, option = getattr(self, f.name), f"--{f.name.replace('_', '-')}"
            if value == f.default:
                continue
            if isinstance(value, bool):
                found.append(option)
            elif isinstance(value, tuple):
                found += [option, *map(str, value)]
            else:
                for one in value if isinstance(value, list) else [value]:
                    found += [option, str(one)]
        return found

    @property
    def says_prior(self) -> bool:
        """Whether the user named a prior."""
        return any(value is not None for value in (self.prior, self.strength, self.prior_from))

    @classmethod
    def of_origin(cls, origin: dict[str, Any]) -> Request:
        """Give the request that reads a pool as it was read before."""
        words = {name: value for name, value in origin.items() if name not in ("file", "command")}
        if "against" in words:
            words["against"] = Path(words["against"])
        return cls(**words)


def takes_request(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all options of a request in place of its parameter `request`."""
    own = inspect.signature(command, eval_str=True)
    hints = get_type_hints(Request, include_extras=True)
    words = [
        inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default, annotation=hints[f.name])
        for f in fields(Request)
    ]

    @wraps(command)
    def run(**said: Any) -> None:
        command(request=Request(**{f.name: said.pop(f.name) for f in fields(Request)}), **said)

    others = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own.parameters.values() if p.name != "request"]
    # typer reads it; functions have the attribute, their type does not say so
    run.__signature__ = own.replace(parameters=[*others, *words])  # type: ignore[attr-defined]
    return run
