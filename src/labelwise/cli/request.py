"""A question about a pool as said on the command line: the words that `new` and `plan` share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from labelwise.assessment.stopping import STOP_OPTIONS
from labelwise.cli import member_options, options

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
    min_items: options.MinItems = 1
    pool_rare: options.PoolRare = False
    question: member_options.QuestionName = "worst"
    metric: member_options.MetricName = "accuracy"
    top: options.Top = 1
    compare: options.ComparePair = None
    margin: options.Margin = None
    within: options.Within = None
    rival: options.Rival = None
    against: options.Against = None
    positive: options.Positive = None
    bins: options.BinsOf = None
    equal_mass: options.EqualMass = False
    cost: options.Cost = None
    policy: member_options.PolicyName = None
    prior: member_options.PriorName = None
    strength: options.Strength = None
    prior_from: options.PriorFrom = None
    discount: options.Discount = 1.0
    rules: Mapping[str, float] = field(default_factory=dict)
    """Values of the stopping options that were given, by the option's name without dashes in front."""
    stop: options.Stop = None
    stop_at_all: options.StopAtAll = False
    target: options.SetupTarget = None
    level: options.Level = 0.95
    seed: options.FreshSeed = None
    lease: options.Lease = 10.0
    show_prediction: options.ShowPrediction = False

    def given(self) -> dict[str, Any]:
        """Return the options that were given, with their values."""
        own = {
            f"--{f.name.replace('_', '-')}": getattr(self, f.name) for f in _OWN if getattr(self, f.name) != f.default
        }
        return own | {f"--{name}": value for name, value in self.rules.items()}

    def origin(self, file: Path) -> dict[str, Any]:
        """Return how the pool was read, so that it can be read again just so."""
        said = {name: getattr(self, name) for name in _READING}
        return {"file": str(file)} | {k: str(v) if isinstance(v, Path) else v for k, v in said.items() if v}

    def words(self) -> list[str]:
        """Return the options that were given, each with its value, as they can be typed again.

        Examples
        --------
        >>> Request(scores="s*", top=3, show=["text", "date"], logits=True).words()
        ['--scores', 's*', '--logits', '--show', 'text', '--show', 'date', '--top', '3']
        """
        found = []
        for option, value in self.given().items():
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
        """Return the request that reads a pool as it was read before."""
        words = {name: value for name, value in origin.items() if name not in ("file", "command")}
        if "against" in words:
            words["against"] = Path(words["against"])
        return cls(**words)


_OWN = [f for f in fields(Request) if f.name != "rules"]


def takes_request(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the parameter `request` of a command by all options of a request and those of the stopping rules."""
    own = inspect.signature(command, eval_str=True)
    hints = get_type_hints(Request, include_extras=True)
    keyword = inspect.Parameter.KEYWORD_ONLY
    words = []
    for f in fields(Request):
        if f.name == "rules":
            words += [inspect.Parameter(_parameter(name), keyword, default=None, annotation=hint)
                      for name, hint in _stop_hints().items()]  # fmt: skip
        else:
            words.append(inspect.Parameter(f.name, keyword, default=f.default, annotation=hints[f.name]))

    @wraps(command)
    def run(**said: Any) -> None:
        values = {name: said.pop(_parameter(name)) for name in STOP_OPTIONS}
        rules = {name: value for name, value in values.items() if value is not None}
        command(request=Request(rules=rules, **{f.name: said.pop(f.name) for f in _OWN}), **said)

    others = [p.replace(kind=keyword) for p in own.parameters.values() if p.name != "request"]
    # typer reads it; functions have the attribute, their type does not say so
    run.__signature__ = own.replace(parameters=[*others, *words])  # type: ignore[attr-defined]
    return run


def _parameter(option: str) -> str:
    return option.replace("-", "_")


def _stop_hints() -> dict[str, Any]:
    """Return the type of every stopping option, as typer reads it."""
    return {
        name: Annotated[
            int | None if stop.is_count else float | None,
            typer.Option(
                f"--{name}",
                metavar=stop.metavar,
                help=stop.help,
                min=1 if stop.is_count else None,
                rich_help_panel=options.STOPPING,
            ),
        ]
        for name, stop in STOP_OPTIONS.items()
    }
