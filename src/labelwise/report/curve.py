"""A calibration curve as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labelwise.report.table import Scale, decimals, ends, table


def curve_text(rows: Sequence[dict[str, Any]], *, unicode: bool = True) -> str:
    """Write a curve as a table, its band drawn beside it, and say where the scores are surely off.

    Parameters
    ----------
    rows : of `calibration_curve`, of one group.
    unicode : whether the terminal can draw lines.

    Examples
    --------
    >>> row = {"confidence": 0.9, "below": 0.0, "accuracy": 0.7, "low": 0.6, "high": 0.8, "scores": "over-confident"}
    >>> print(curve_text([row], unicode=False))
      confidence  items below  accuracy          interval                  scores  0.60                 0.80
      0.9000             0.0%    0.7000  [0.6000, 0.8000]  20.0 points over-confident  ------------o------------
    <BLANKLINE>
      Surely over-confident: from confidence 0.900 to 0.900.
    """
    bars = [{"low": row["low"], "mean": row["accuracy"], "high": row["high"]} for row in rows]
    scale = Scale(bars, unicode)
    lines = [
        [
            decimals(row["confidence"]),
            f"{row['below']:.1%}",
            decimals(row["accuracy"]),
            ends(row),
            _off(row),
            scale.bar(bar),
        ]
        for row, bar in zip(rows, bars, strict=True)
    ]
    header = ["confidence", "items below", "accuracy", "interval", "scores", scale.axis]
    return table(header, lines) + _surely(rows)


def _off(row: dict[str, Any]) -> str:
    return f"{abs(row['confidence'] - row['accuracy']) * 100:.1f} points {row['scores']}" if row["scores"] else ""


def _surely(rows: Sequence[dict[str, Any]]) -> str:
    """Return the ranges of the confidence in which the whole band is on one side of the diagonal."""
    said = []
    for way in ("over-confident", "under-confident"):
        stretches: list[list[float]] = []
        before = ""
        for row in rows:
            if row["scores"] == way and before == way:
                stretches[-1][1] = row["confidence"]
            elif row["scores"] == way:
                stretches.append([row["confidence"], row["confidence"]])
            before = row["scores"]
        if stretches:
            named = ", ".join(f"from confidence {a:.3f} to {b:.3f}" for a, b in stretches)
            said.append(f"Surely {way}: {named}.")
    return "".join(f"\n\n  {sentence}" for sentence in said) if said else "\n\n  Nowhere are the scores surely off."
