"""Options that name a metric, question, policy or prior; their help lists the registered members."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

import typer

from labelwise.beliefs import PRIORS
from labelwise.cli import options
from labelwise.metrics import METRICS
from labelwise.policies import POLICIES
from labelwise.questions import QUESTIONS


def takes_number(kind: Any) -> bool:
    """Return whether a policy has a parameter, which follows its name as in 'epsilon-greedy:0.2'."""
    return bool(fields(kind))


def _either(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


METRICS_OF_ONE = [name for name, kind in METRICS.items() if not kind.needs_rival]
"""Metrics that need no other classifier."""
QuestionName = Annotated[
    str,
    typer.Option("--question", metavar="QUESTION", help=f"{_either([*QUESTIONS])}.", rich_help_panel=options.MEASURED),
]
MetricName = Annotated[
    str,
    typer.Option(
        "--metric",
        metavar="METRIC",
        help=f"{', '.join(METRICS)}, or MODULE:FUNCTION of confusion draws.",
        rich_help_panel=options.MEASURED,
    ),
]
MetricNames = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="METRIC",
        help=f"{', '.join(METRICS_OF_ONE)}, or MODULE:FUNCTION of confusion draws (repeatable; the first one ranks).",
        rich_help_panel=options.MEASURED,
    ),
]
PolicyName = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="POLICY",
        help=f"{_either([f'{name}[:X]' if takes_number(kind) else name for name, kind in POLICIES.items()])}.",
        rich_help_panel=options.BELIEF,
    ),
]
PriorName = Annotated[
    str | None,
    typer.Option(
        "--prior",
        metavar="PRIOR",
        help=f"{', '.join(PRIORS)}, or pseudo-hits,pseudo-misses such as 9,1.",
        rich_help_panel=options.BELIEF,
    ),
]
